//! `web`: the page of `bitcade-c` in `target/web`, one WebAssembly module a game, for any server of
//! files.

use crate::test_matrix::foreign::{Foreign, On, printed};
use crate::workspace::Workspace;
use crate::{Result, table};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask web --test")]
pub(crate) struct Args {
    /// Then use every tab in a headless Chromium and a headless Firefox, and check the page's types
    #[arg(long)]
    test: bool,
}

/// The page's own files and its tests, relative to the workspace's root.
const PAGE: &str = "crates/bitcade-c/page";
const TESTS: &str = "crates/bitcade-c/tests/page.mjs";
const LEVELS: &str = "crates/match3/levels";
const RECORD: &str = "crates/tetris-ai/tests/data/whole-game.txt";
const NETWORK: &str = "crates/g2048/src/network/builtin.net";
/// The games, a feature of `bitcade-c` each, and the most bytes of their modules after brotli.
const GAMES: [(&str, u64); 5] = [
    ("g2048", 75_000),
    ("match3", 180_000),
    ("tetris", 150_000),
    ("go", 165_000),
    ("contest", 35_000),
];
/// What the tests need from npm, in `target/web-tools`: packages with their versions. Newer clients
/// give commands that Firefox's extended support release doesn't know.
const NPM: [(&str, &str); 3] =
    [("playwright-core", "@1.61.0"), ("axe-core", ""), ("typescript", "")];
/// The browsers, and their programs.
const BROWSERS: [(&str, &str); 2] = [("chromium", "chromium"), ("firefox", "firefox-esr")];

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let tools = Foreign::find(On::Page, &workspace).map_err(|missing| {
        format!("{missing}: install Debian's rustc-web, cargo-web, rust-web-src and lld-NN")
    })?;
    let site = workspace.target.join("web");
    if site.exists() {
        std::fs::remove_dir_all(&site)?;
    }
    for folder in ["levels", "records"] {
        std::fs::create_dir_all(site.join(folder))?;
    }
    for (game, _) in GAMES {
        std::fs::copy(module(&workspace, &tools, game)?, site.join(format!("{game}.wasm")))?;
    }
    copy(&workspace.root.join(PAGE), &site, "")?;
    copy(&workspace.root.join(LEVELS), &site.join("levels"), ".toml")?;
    std::fs::copy(workspace.root.join(RECORD), site.join("records/contest.txt"))?;
    std::fs::copy(workspace.root.join(NETWORK), site.join("2048.net"))?;
    let files = files(&site)?;
    let worker = site.join("sw.js");
    std::fs::write(&worker, offline(&std::fs::read_to_string(&worker)?, &files)?)?;
    let is_small = report(&site, &files)?;
    let has_passed = !args.test || test(&workspace, &site)?;
    Ok(is_small && has_passed)
}

/// Builds a game's module and returns its path, which the next one takes.
fn module(workspace: &Workspace, tools: &Foreign, game: &str) -> Result<PathBuf> {
    let folder = workspace.target.join("web-build");
    let mut cargo = tools.cargo("rustc");
    cargo.current_dir(&workspace.root).arg("--target-dir").arg(&folder);
    cargo.args(["--quiet", "--profile=web", "--package=bitcade-c", "--lib", "--crate-type=cdylib"]);
    cargo.args(["-Zbuild-std-features=optimize_for_size", "--no-default-features", "--features"]);
    println!("builds {game}.wasm");
    if !cargo.arg(game).status()?.success() {
        return Err(format!("{game}.wasm was not built").into());
    }
    Ok(folder.join("wasm32-unknown-unknown/web/bitcade_c.wasm"))
}

/// Copies a folder's files whose names end so.
fn copy(from: &Path, to: &Path, end: &str) -> Result<()> {
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if name.to_string_lossy().ends_with(end) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// Returns the site's files by their addresses, each with a hash.
fn files(site: &Path) -> Result<BTreeMap<String, u64>> {
    let mut files = BTreeMap::new();
    for folder in ["", "levels/", "records/"] {
        for entry in std::fs::read_dir(site.join(folder))? {
            let path = entry?.path();
            if path.is_file() {
                let mut hasher = DefaultHasher::new();
                std::fs::read(&path)?.hash(&mut hasher);
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                files.insert(format!("{folder}{name}"), hasher.finish());
            }
        }
    }
    Ok(files)
}

/// Writes the version and the files into the service worker, so that it changes with each of them.
fn offline(worker: &str, files: &BTreeMap<String, u64>) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let mut addresses = vec!["./"];
    addresses.extend(files.keys().map(String::as_str).filter(|&file| file != "sw.js"));
    let mut text = worker.to_owned();
    for (line, value) in [
        ("const VERSION = \"0\";", format!("const VERSION = \"{:016x}\";", hasher.finish())),
        ("const FILES = [];", format!("const FILES = {};", serde_json::to_string(&addresses)?)),
    ] {
        if text.matches(line).count() != 1 {
            return Err(format!("sw.js: expected one `{line}`").into());
        }
        text = text.replace(line, &value);
    }
    Ok(text)
}

/// Prints each file's bytes. Returns whether the modules keep their limits.
fn report(site: &Path, files: &BTreeMap<String, u64>) -> Result {
    let mut rows = Vec::new();
    let mut held = true;
    let mut first = 0;
    for file in files.keys() {
        let path = site.join(file);
        let raw = path.metadata()?.len();
        let packed = brotli(&path);
        let limit =
            GAMES.iter().find(|(game, _)| *file == format!("{game}.wasm")).map(|game| game.1);
        held &= limit.zip(packed).is_none_or(|(limit, packed)| packed <= limit);
        // The first tab is 2048.
        let is_shown = !file.contains('/') && (limit.is_none() || file == "g2048.wasm");
        if is_shown && file != "2048.net" {
            first += packed.unwrap_or(raw);
        }
        let text = |bytes: Option<u64>| bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
        rows.push(vec![file.clone(), raw.to_string(), text(packed), text(limit)]);
    }
    rows.push(vec![
        "2048 without its network".to_owned(),
        String::new(),
        first.to_string(),
        "300000".to_owned(),
    ]);
    table::print(&["file", "bytes", "brotli 11", "limit"], &[1, 2, 3], rows);
    Ok(held && first <= 300_000)
}

/// Returns a file's bytes after brotli, if the command or Node.js is there.
fn brotli(path: &Path) -> Option<u64> {
    let script = "const z = require('zlib'), b = require('fs').readFileSync(process.argv[1]);\
                  process.stdout.write(z.brotliCompressSync(b))";
    let mut command = Command::new("brotli");
    command.args(["--quality=11", "--stdout"]).arg(path);
    let mut node = Command::new("node");
    node.args(["-e", script]).arg(path);
    let output = [command, node].iter_mut().find_map(|command| command.output().ok())?;
    output.status.success().then_some(output.stdout.len() as u64)
}

/// Checks the page's types and uses it in a browser, as far as the tools are there.
fn test(workspace: &Workspace, site: &Path) -> Result {
    let tools = workspace.target.join("web-tools");
    let missing = NPM.iter().find(|(name, _)| !tools.join("node_modules").join(name).exists());
    if let Some((package, _)) = missing {
        let names = NPM.map(|(name, version)| format!("{name}{version}")).join(" ");
        let prefix = workspace.short(&tools);
        println!("SKIPPED: no {package}: npm install --prefix {prefix} {names}");
        return Ok(true);
    }
    if let Err(missing) = printed("node", &["--version"]) {
        println!("SKIPPED: {missing}");
        return Ok(true);
    }
    let mut types = Command::new("node");
    types.arg(tools.join("node_modules/typescript/bin/tsc")).args([
        "--noEmit",
        "--checkJs",
        "--strict",
        "--target",
        "es2023",
        "--lib",
        "es2023,dom,dom.iterable",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
    ]);
    for entry in std::fs::read_dir(workspace.root.join(PAGE))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            types.arg(path);
        }
    }
    let mut has_passed = types.stdin(Stdio::null()).status()?.success();
    for (browser, program) in BROWSERS {
        if let Err(missing) = printed(program, &["--version"]) {
            println!("SKIPPED: {missing}");
            continue;
        }
        println!("uses the page in {browser}");
        let mut tests = Command::new("node");
        tests.arg(workspace.root.join(TESTS)).arg(browser).arg(site).arg(&tools);
        has_passed &= tests.stdin(Stdio::null()).status()?.success();
    }
    Ok(has_passed)
}

#[test]
fn the_service_worker_changes_with_each_file() {
    let worker = include_str!("../../crates/bitcade-c/page/sw.js");
    let mut files = BTreeMap::from([("a.js".to_owned(), 1), ("sw.js".to_owned(), 2)]);
    let first = offline(worker, &files).unwrap();
    assert!(first.contains(r#"const FILES = ["./","a.js"];"#), "{first}");
    files.insert("a.js".to_owned(), 3);
    assert_ne!(offline(worker, &files).unwrap(), first);
    assert!(offline("", &files).is_err());
}

//! C programs on the static and the shared library, beside the same games in Rust.

mod expected;

use std::collections::BTreeSet;
use std::env::consts::DLL_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-pedantic", "-Werror"];
const LEVEL: &str = "../match3/levels/03-frost.toml";

/// Returns a command of a tool, or `None` if there is none.
fn tool(name: &str) -> Option<Command> {
    let exists = Command::new(name).arg("--version").output().is_ok();
    if !exists {
        println!("SKIPPED: no {name}");
    }
    exists.then(|| Command::new(name))
}

fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {status}\n{stderr}");
    String::from_utf8(stdout).unwrap()
}

/// Returns a library. Cargo builds them beside the test program.
fn library(suffix: &str) -> PathBuf {
    std::env::current_exe().unwrap().with_file_name(format!("libbitcade_c{suffix}"))
}

/// The environment variable with a folder of compiled programs, for tests on a system that has no
/// compiler.
const COMPILED: &str = "BITCADE_C_PROGRAMS";

/// Compiles a program, runs it with [`LEVEL`], and returns what it prints; `None` without a
/// compiler, or on a system whose compilers want other flags.
fn run_c(source: &str, suffix: &str) -> Option<String> {
    if let Some(folder) = std::env::var_os(COMPILED) {
        let name = Path::new(source).file_stem()?;
        let mut program = Command::new(Path::new(&folder).join(name));
        return Some(run(program.arg(LEVEL)).replace("\r\n", "\n"));
    }
    if !cfg!(unix) {
        println!("SKIPPED: no programs in {COMPILED}");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut compiler = tool("cc")?;
    compiler.args(STRICT).args(["-std=c99", "-O1", "-I", "include", source]);
    compiler.arg(library(suffix)).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program);
    let place = library("").with_file_name("");
    run(compiler.arg(format!("-Wl,-rpath,{}", place.display())));
    Some(run(Command::new(program).arg(LEVEL)))
}

/// Returns the names of functions in C code, outside comments.
fn functions(c: &str) -> BTreeSet<&str> {
    let code = c.split("/*").filter_map(|part| part.split("*/").last());
    let names =
        code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && !"_(".contains(c)));
    let names = names.filter_map(|word| Some(word.split_once('(')?.0));
    names.filter(|name| name.starts_with("bitcade_")).collect()
}

#[test]
fn the_header_is_strict_c_and_cpp() {
    for (name, language, standard) in [("cc", "c", "-std=c99"), ("c++", "c++", "-std=c++11")] {
        let Some(mut compiler) = tool(name) else { continue };
        let flags = [standard, "-fsyntax-only", "-x", language, "include/bitcade.h"];
        run(compiler.args(STRICT).args(flags));
    }
}

#[test]
fn the_header_declares_what_the_library_exports() {
    let header = include_str!("../include/bitcade.h");
    let (declared, helpers) = header.split_once("Helpers, not in the library").unwrap();
    let declared = functions(declared);
    assert!(declared.len() > 50);
    assert!(functions(helpers).contains("bitcade_write_text"));
    // Without `nm` the programs below prove one direction.
    let Some(mut nm) = tool("nm").filter(|_| cfg!(target_os = "linux")) else { return };
    let symbols = run(nm.args(["-D", "--defined-only"]).arg(library(DLL_SUFFIX)));
    let exported: BTreeSet<&str> =
        symbols.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(exported, declared);
}

#[test]
fn c_programs_play_like_the_crates() {
    let expected = expected::games(&std::fs::read_to_string(LEVEL).unwrap());
    for suffix in [".a", DLL_SUFFIX] {
        let Some(found) = run_c("tests/games.c", suffix) else { return };
        for (found, expected) in found.lines().zip(expected.lines()) {
            assert_eq!(found, expected);
        }
        assert_eq!(found.len(), expected.len());
    }
}

/// The page's test compares the page with this file.
#[test]
fn the_results_for_the_page_are_those_of_the_crates() {
    let games = expected::games(&std::fs::read_to_string(LEVEL).unwrap());
    let found = expected::page(&games);
    let stored = std::fs::read_to_string("tests/page.txt").unwrap_or_default();
    let new = library("").with_file_name("page.txt");
    std::fs::write(&new, &found).unwrap();
    assert!(found == stored, "other results than in tests/page.txt: see {}", new.display());
}

#[test]
fn bad_calls_are_refused_and_change_nothing() {
    let Some(found) = run_c("tests/refusals.c", ".a") else { return };
    assert_eq!(found, "87\n");
}

#[test]
fn threads_with_two_handles_do_not_wait() {
    let Some(found) = run_c("tests/threads.c", ".a") else { return };
    let expected =
        "200 moves during the search: yes\nown buffer: yes\nown error: nothing\nanswer: = \n";
    assert_eq!(found, expected);
}

#[test]
fn the_programs_of_the_readme_run() {
    let page = include_str!("../README.md");
    let block = |language: &str| {
        let (_, code) = page.split_once(&format!("```{language}\n")).unwrap();
        code.split_once("```").unwrap().0
    };
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("readme.c");
    std::fs::write(&source, block("c")).unwrap();
    let Some(found) = run_c(source.to_str().unwrap(), ".a") else { return };
    assert!(found.ends_with(" points\n"), "{found}");
    let Some(mut python) = tool("python3") else { return };
    let path = library(DLL_SUFFIX).display().to_string();
    let script = block("python").replace("target/release/libbitcade_c.so", &path);
    let found = run(python.args(["-c", &script]));
    assert!(found.starts_with("b'= "), "{found}");
}

#[test]
fn the_tour_runs() {
    let Some(found) = run_c("examples/tour.c", ".a") else { return };
    for part in ["2048: ", "match-3: the swap at ", "Tetris: ", "Go: Black plays = "] {
        assert!(found.contains(part), "{found}");
    }
}

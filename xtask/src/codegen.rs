//! `codegen`: checks the kernels' machine code in the release builds of the program and of the
//! benchmarks, which call every kernel that the examples call.
//!
//! - No vector instruction is left out of line. A kernel's function without `#[inline(always)]` is
//!   compiled for the baseline, where every intrinsic is a call to a function of `core::core_arch`.
//!   The results are right, but the kernel is up to 74 times slower. The intrinsic's function has a
//!   symbol, which this check finds.
//! - Each kernel is compiled once per layout and level, in its own crate. The symbols of bitcore's
//!   entries contain the kernel, the layout and the level; the library with the symbol is the crate
//!   that compiled it.
//! - No function needs more of an x86-64 CPU than its level has, and no function but the kernels'
//!   entries more than the baseline: see [`foreign_features`]. A build without flags runs on every
//!   x86-64 CPU.
//! - On x86-64-v4, the kernels that count placements don't load 64 bytes from the stack: see
//!   [`stack_loads`].
//! - The code of each crate, in a release build for x86-64 Linux, is close to its size in
//!   `xtask/data/code_size`.

mod cpu_features;
mod names;
mod stack_loads;

use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use cpu_features::foreign_features;
use names::{Entry, demangle};
use object::read::archive::ArchiveFile;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SymbolKind};
use serde::Deserialize;
use stack_loads::wide_stack_loads;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask codegen --kernels")]
pub(crate) struct Args {
    /// Write the sizes of this build to `xtask/data/code_size` before comparing
    #[arg(long)]
    write: bool,
    /// Print every kernel with its layouts, levels, instances and bytes
    #[arg(long)]
    kernels: bool,
}

/// An intrinsic called by std's CPU feature detection.
const ALLOWED: &str = "_xgetbv";
/// The modules of baseline intrinsics, available on every CPU of the target. Unoptimized libraries
/// call them.
const BASELINE: [&str; 2] = ["core::core_arch::x86::sse::", "core::core_arch::x86::sse2::"];
/// Modules that are only entered on CPUs that have their instructions: dependencies that detect
/// them, and the kernels written by hand for comparison.
const DETECTING: [&str; 4] = [
    "core::core_arch::x86::xsave::",
    "crc32fast::specialized::",
    "memchr::arch::x86_64::",
    "benches::hand_written::",
];
/// Parts of the names of the kernels that count placements in registers.
const COUNTING: [&str; 3] = ["movegen::count", "search::reachable::Number", "search::hard_drops"];
/// The folder of sizes, relative to the workspace's root: a file `CRATE.txt` per crate, with a
/// number of bytes.
const SIZES: &str = "xtask/data/code_size";
/// The maximum growth of a crate's code over the stored size, in percent.
const MAX_GROWTH: u64 = 25;

/// The function symbols of an executable or object, with their sizes in bytes.
type Functions = BTreeMap<String, u64>;

/// A message from cargo about a build product.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

fn artifacts(messages: &str) -> Result<Vec<Artifact>> {
    let lines = messages.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    // This mangling includes a generic function's parameters in its symbol.
    let mut build = cargo(&["-Csymbol-mangling-version=v0"]);
    build.args(["build", "--release", "--bins", "--message-format=json-render-diagnostics"]);
    build.args(["--package=bitcade", "--package=benches"]);
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the build failed".into());
    }
    let artifacts = artifacts(&String::from_utf8_lossy(&output.stdout))?;
    let libraries: BTreeSet<String> = workspace
        .packages
        .iter()
        .filter(|package| package.is_library() && package.name != "bitcore")
        .map(|package| package.name.replace('-', "_"))
        .collect();
    let mut sizes = BTreeMap::new();
    let mut homes = BTreeMap::new();
    for package in workspace.packages.iter().filter(|package| package.is_library()) {
        let of_package =
            |artifact: &&Artifact| artifact.manifest_path.as_ref() == Some(&package.manifest_path);
        let files = artifacts.iter().filter(of_package).flat_map(|artifact| &artifact.filenames);
        let rlib = files.into_iter().find(|file| file.extension().is_some_and(|end| end == "rlib"));
        let Some(rlib) = rlib else { continue };
        let functions = library_functions(rlib)?;
        let package = &package.name;
        sizes.insert(package.clone(), functions.iter().map(|(_, bytes)| bytes).sum());
        homes.extend(functions.into_iter().map(|(symbol, _)| (symbol, package.replace('-', "_"))));
    }
    let mut kernels = BTreeSet::new();
    let mut rows = Vec::new();
    let mut findings = BTreeSet::new();
    let mut failed = 0;
    let mut counting = 0;
    for executable in artifacts.iter().filter_map(|artifact| artifact.executable.as_ref()) {
        let file = std::fs::read(executable)?;
        let functions = functions(&file)?;
        let entries = entries(&functions, &homes);
        let (loads, checked) = loads_of_counts(&file)?;
        counting += checked;
        let beyond = beyond_level(&file)?;
        let found =
            [left_out_of_line(&functions), misplaced(&entries, &libraries), loads, beyond].concat();
        let verdict = match (functions.len(), found.len()) {
            (0, _) => "FAILED: no symbols, was it stripped?",
            (_, 0) => "ok",
            _ => "FAILED",
        };
        failed += usize::from(verdict != "ok");
        let numbers =
            [functions.len(), entries.len(), found.len()].map(|number| number.to_string());
        let name = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
        rows.push([name].into_iter().chain(numbers).chain([verdict.to_owned()]).collect());
        findings.extend(found);
        kernels.extend(
            entries.into_iter().map(|Entry { kernel, level, bytes, .. }| (kernel, level, bytes)),
        );
    }
    // If the symbol format changed, every check would pass.
    if kernels.is_empty() {
        return Err("no binary has an entry of a kernel".into());
    }
    if cfg!(target_arch = "x86_64") && counting == 0 {
        return Err("no binary has a kernel that counts placements on x86-64-v4".into());
    }
    let passed = rows.len() - failed;
    table::print(&["program", "functions", "entries", "findings", "verdict"], &[1, 2, 3], rows);
    println!();
    if args.kernels {
        let rows = kernels
            .into_iter()
            .map(|(kernel, level, bytes)| vec![kernel, level, bytes.to_string()]);
        table::print(&["kernel", "level", "bytes"], &[2], rows);
        println!();
    }
    for finding in &findings {
        println!("{finding}");
    }
    let (grown, skipped) = check_sizes(&workspace, &sizes, args.write)?;
    table::print_counts(
        passed + sizes.len() - grown.min(sizes.len()) - skipped,
        failed + grown,
        skipped,
    );
    Ok(failed + grown == 0)
}

/// Compares each crate's code size with its file, after writing the files if `write`. Returns the
/// numbers of failed and skipped crates.
fn check_sizes(
    workspace: &Workspace,
    sizes: &BTreeMap<String, u64>,
    write: bool,
) -> Result<(usize, usize)> {
    // Only ELF symbols have sizes, and the limits are for one architecture.
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("SKIPPED: code sizes are only compared on x86-64 Linux");
        return Ok((0, sizes.len()));
    }
    let path = workspace.root.join(SIZES);
    if write {
        write_sizes(&path, sizes)?;
    }
    let stored = read_sizes(&path)?;
    let mut rows = Vec::new();
    let mut failed = 0;
    for name in sizes.keys().chain(stored.keys()).collect::<BTreeSet<_>>() {
        let bytes = sizes.get(name).copied();
        let stored = stored.get(name).copied();
        let verdict = size_verdict(bytes, stored);
        failed += usize::from(verdict.starts_with("FAILED"));
        let text = |number: Option<u64>| {
            number.map_or_else(|| "-".to_owned(), |number| number.to_string())
        };
        rows.push(vec![
            name.clone(),
            text(bytes),
            text(stored),
            text(stored.map(limit)),
            verdict.to_owned(),
        ]);
    }
    table::print(&["crate", "bytes of code", "stored", "limit", "verdict"], &[1, 2, 3], rows);
    println!();
    Ok((failed, 0))
}

fn limit(bytes: u64) -> u64 {
    bytes * (100 + MAX_GROWTH) / 100
}

fn size_verdict(bytes: Option<u64>, stored: Option<u64>) -> &'static str {
    match (bytes, stored) {
        (Some(bytes), Some(stored)) if bytes > limit(stored) => {
            "FAILED: too large; if intended, codegen --write"
        }
        (Some(bytes), Some(stored)) if limit(bytes) < stored => "ok, smaller: codegen --write",
        (Some(_), Some(_)) => "ok",
        _ => "FAILED: codegen --write",
    }
}

fn write_sizes(folder: &Path, sizes: &BTreeMap<String, u64>) -> Result {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir(folder)?;
    for (name, bytes) in sizes {
        std::fs::write(folder.join(name).with_extension("txt"), format!("{bytes}\n"))?;
    }
    Ok(true)
}

fn read_sizes(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut sizes = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let bytes = std::fs::read_to_string(&path)?.trim_end().parse();
        let bytes = bytes.map_err(|_| format!("{}: expected a number of bytes", path.display()))?;
        sizes.insert(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), bytes);
    }
    Ok(sizes)
}

fn functions(file: &[u8]) -> Result<Functions> {
    let file = object::File::parse(file)?;
    let symbols =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    symbols.map(|symbol| Ok((symbol.name()?.to_owned(), symbol.size()))).collect()
}

/// Returns the faults of the kernels that count placements on x86-64-v4, and the number of these
/// kernels.
fn loads_of_counts(file: &[u8]) -> Result<(Vec<String>, usize)> {
    let file = object::File::parse(file)?;
    let mut found = Vec::new();
    let mut checked = 0;
    for symbol in
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
    {
        let Some(Entry { kernel, level, .. }) = Entry::parse(symbol.name()?, "", 0) else {
            continue;
        };
        if level != "X86V4" || !COUNTING.iter().any(|part| kernel.contains(part)) {
            continue;
        }
        let section = symbol.section_index().ok_or("a function without a section")?;
        let code = file.section_by_index(section)?.data_range(symbol.address(), symbol.size())?;
        let loads = wide_stack_loads(code.ok_or("a function outside of its section")?);
        checked += 1;
        if loads > 0 {
            found.push(format!(
                "{kernel}: {loads} loads of 64 bytes from the stack; count in registers"
            ));
        }
    }
    Ok((found, checked))
}

/// Returns the functions with instructions that are not on each CPU of their level.
fn beyond_level(file: &[u8]) -> Result<Vec<String>> {
    let file = object::File::parse(file)?;
    let mut found = Vec::new();
    if file.architecture() != Architecture::X86_64 {
        return Ok(found);
    }
    for symbol in
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
    {
        let section = symbol.section_index().ok_or("a function without a section")?;
        let code = file.section_by_index(section)?.data_range(symbol.address(), symbol.size())?;
        let code = code.ok_or("a function outside of its section")?;
        let name = demangle(symbol.name()?);
        if DETECTING.iter().any(|path| name.contains(path)) {
            continue;
        }
        let entry = Entry::parse(symbol.name()?, "", 0);
        let level = entry.map_or_else(|| "Portable".to_owned(), |entry| entry.level);
        let features = foreign_features(code, &level);
        if !features.is_empty() {
            found.push(format!("{name}: {features:?} on {level}"));
        }
    }
    Ok(found)
}

fn library_functions(path: &Path) -> Result<Vec<(String, u64)>> {
    let data = std::fs::read(path)?;
    let mut found = Vec::new();
    for member in ArchiveFile::parse(&*data)?.members() {
        let member = member?;
        // The metadata member is an object without functions.
        if member.name().ends_with(b".o") {
            found.extend(functions(member.data(&*data)?)?);
        }
    }
    Ok(found)
}

fn left_out_of_line(functions: &Functions) -> Vec<String> {
    let left = functions.keys().map(|symbol| demangle(symbol)).filter(|name| {
        name.starts_with("core::core_arch::")
            && !BASELINE.iter().any(|module| name.starts_with(module))
            && name.rsplit("::").next() != Some(ALLOWED)
    });
    let remedy =
        "look for a kernel, or a closure inside one, that uses it without #[inline(always)]";
    left.map(|name| format!("{name}: out of line; {remedy}")).collect()
}

/// Returns the kernel entries among the functions. `homes` maps each symbol to its library.
fn entries(functions: &Functions, homes: &BTreeMap<String, String>) -> Vec<Entry> {
    let parsed = functions.iter().filter_map(|(symbol, &bytes)| {
        let compiled_in = homes.get(symbol).map_or("the binary", String::as_str);
        Entry::parse(symbol, compiled_in, bytes)
    });
    parsed.collect()
}

/// Returns a binary's faults: kernels of a library compiled in another crate, and duplicate
/// instances.
fn misplaced(entries: &[Entry], libraries: &BTreeSet<String>) -> Vec<String> {
    let mut instances: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for Entry { owner, compiled_in, kernel, level, .. } in entries {
        let count = instances.entry((kernel, level)).or_default();
        *count += 1;
        if *count == 2 {
            found.insert(format!("{kernel} on {level}: two instances in one binary"));
        }
        if compiled_in != owner && libraries.contains(owner) {
            let remedy = format!("enter it from a non-generic function of {owner}");
            found.insert(format!("{kernel}: compiled in {compiled_in}; {remedy}"));
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::names::{Entry, demangle};
    use super::{
        Functions, functions, left_out_of_line, misplaced, read_sizes, size_verdict, write_sizes,
    };
    use std::collections::BTreeSet;

    #[test]
    fn intrinsics_are_seen_in_both_manglings_and_no_other_function() {
        let symbols = [
            "_ZN4core9core_arch3x864avx216_mm256_add_epi1617h0123456789abcdefE",
            "_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx216__mm256_add_epi16",
            // With a const argument: `_mm256_slli_epi16::<3>`.
            "_RINvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx217__mm256_slli_epi16Kl3_EB8_",
            "_ZN4core9core_arch3x865xsave7_xgetbv17h0123456789abcdefE",
            "_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x865xsave7__xgetbv",
            "_ZN7bitcore3isa6x86_v35X86V33new17h0123456789abcdefE",
            "_ZN4core9core_arch3x864sse214_mm_cmpeq_epi817h0123456789abcdefE",
            "main",
        ];
        for (i, symbol) in symbols.into_iter().enumerate() {
            let found = left_out_of_line(&Functions::from([(symbol.to_owned(), 1)]));
            assert_eq!(found.len(), usize::from(i < 3), "{symbol}");
        }
    }

    #[test]
    fn functions_of_a_real_binary_are_read() {
        let this_test = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let functions = functions(&this_test).unwrap();
        // Not this test's own name, which may be inlined into its caller.
        assert!(functions.keys().any(|symbol| demangle(symbol).starts_with("xtask::")));
        assert!(!cfg!(target_os = "linux") || functions.values().any(|&bytes| bytes > 0));
    }

    #[test]
    fn a_kernel_is_compiled_once_per_layout_and_level_in_its_own_crate() {
        let entry = |layout: &str, level: &str, by: &str| {
            let [owner, level, compiled_in] = ["tetris", level, by].map(str::to_owned);
            Entry { owner, kernel: format!("tetris::f::<{layout}>"), level, compiled_in, bytes: 1 }
        };
        let libraries = BTreeSet::from(["tetris".to_owned()]);
        let good = ["2", "3"].map(|layout| entry(layout, "X86V3", "tetris"));
        assert!(misplaced(&good, &libraries).is_empty());
        let twice = ["tetris", "tetris"].map(|by| entry("2", "Portable", by));
        let message = "tetris::f::<2> on Portable: two instances in one binary";
        assert_eq!(misplaced(&twice, &libraries), [message]);
        let below = [entry("2", "X86V3", "benches")];
        let message =
            "tetris::f::<2>: compiled in benches; enter it from a non-generic function of tetris";
        assert_eq!(misplaced(&below, &libraries), [message]);
        assert!(misplaced(&below, &BTreeSet::new()).is_empty());
    }

    #[test]
    fn code_may_grow_by_a_quarter() {
        assert_eq!(size_verdict(Some(1250), Some(1000)), "ok");
        assert!(size_verdict(Some(1251), Some(1000)).starts_with("FAILED"));
        assert!(size_verdict(Some(700), Some(1000)).starts_with("ok, smaller"));
        assert!(size_verdict(Some(700), None).starts_with("FAILED"));
        assert!(size_verdict(None, Some(1)).starts_with("FAILED"));
    }

    #[test]
    fn sizes_are_stored_in_a_file_of_each_crate() {
        let folder = std::env::temp_dir().join(format!("bitcade-sizes-{}", std::process::id()));
        for crates in [&["go-mc", "tetris"][..], &["tetris"]] {
            let sizes = crates.iter().map(|&name| (name.to_owned(), 12)).collect();
            assert!(write_sizes(&folder, &sizes).unwrap());
            assert_eq!(read_sizes(&folder).unwrap(), sizes);
        }
        std::fs::write(folder.join("tetris.txt"), "many\n").unwrap();
        assert!(
            read_sizes(&folder)
                .unwrap_err()
                .to_string()
                .ends_with("tetris.txt: expected a number of bytes")
        );
        std::fs::remove_dir_all(folder).unwrap();
    }
}

//! `codegen`: checks of the machine code of the kernels.
//!
//! - No vector instruction is left out of line. A function of a kernel that lacks its `#[inline(always)]` is
//!   compiled for the baseline, where every intrinsic is a call to a function of `core::core_arch`. The
//!   results are right, but the kernel is up to 74 times slower. The function of the intrinsic has a symbol,
//!   which this check finds.
//! - Each kernel is compiled once per layout and level, in its own crate. The symbols of bitcore's entries
//!   name all three.
//! - The code of each crate is near the size in `xtask/data/code_size.txt`.
//!
//! The binaries are those of `cargo build --release`, with symbols: the profile `codegen`.

mod names;

use crate::runner::{executables, rlibs};
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use names::{Entry, demangle};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask codegen --kernels")]
pub(crate) struct Args {
    /// Write the sizes of this build to `xtask/data/code_size.txt` before comparing
    #[arg(long)]
    write: bool,
    /// Print every kernel with its layouts, levels, instances and bytes
    #[arg(long)]
    kernels: bool,
    /// Only the programs and examples of this package (may be repeated)
    #[arg(long, short, value_name = "NAME", conflicts_with = "write")]
    package: Vec<String>,
}

/// An intrinsic that std's detection of CPU features calls.
const ALLOWED: &str = "_xgetbv";
/// The file of sizes, relative to the workspace's root.
const SIZES: &str = "xtask/data/code_size.txt";
/// The maximum growth of a crate's code over the size in the file, in percent.
const MAX_GROWTH: u64 = 25;

/// A function in an executable or library.
struct Function {
    symbol: String,
    bytes: u64,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    // In this form the symbol of a generic function has its parameters, and the crate that compiled it.
    let mut build = cargo(&["-Csymbol-mangling-version=v0"]);
    build.args(["build", "--profile=codegen", "--bins", "--examples"]);
    build.arg("--message-format=json-render-diagnostics");
    let bitcore_dependents = workspace.bitcore_dependents();
    let chosen = |name: &str| {
        if args.package.is_empty() {
            bitcore_dependents.contains(name)
        } else {
            args.package.iter().any(|p| p == name)
        }
    };
    for package in workspace.packages.iter().filter(|package| chosen(&package.name)) {
        build.arg(format!("--package={}", package.name));
    }
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the build failed".into());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let binaries = executables(&messages, false, &workspace)?;
    if binaries.is_empty() {
        return Err("no program and no example to check".into());
    }
    let libraries: BTreeSet<String> = workspace
        .packages
        .iter()
        .filter(|package| package.is_library() && package.name != "bitcore")
        .map(|package| package.name.replace('-', "_"))
        .collect();
    let mut kernels = Kernels::default();
    let (mut rows, mut findings, mut failed) = (Vec::new(), BTreeSet::new(), 0);
    for binary in &binaries {
        let functions = functions(&std::fs::read(&binary.executable)?)?;
        let left: Vec<String> = functions
            .iter()
            .map(|function| demangle(&function.symbol))
            .filter(|name| is_left_out_of_line(name))
            .collect();
        let entries = entries(&functions);
        let wrong = misplaced(entries.iter().map(|(entry, _)| entry), &libraries);
        let verdict = match (functions.len(), left.len() + wrong.len()) {
            (0, _) => "FAILED: no symbols, was it stripped?",
            (_, 0) => "ok",
            _ => "FAILED",
        };
        failed += usize::from(verdict != "ok");
        rows.push(vec![
            binary.package.clone(),
            format!("{} ({})", binary.target, binary.kind),
            functions.len().to_string(),
            left.len().to_string(),
            entries.len().to_string(),
            wrong.len().to_string(),
            verdict.to_owned(),
        ]);
        findings.extend(left.into_iter().map(|name| format!("{name}: out of line; look for a kernel, or a closure in one, without #[inline(always)] that uses it")));
        findings.extend(wrong);
        kernels.add(entries);
    }
    // If the form of symbols changed, every check would pass.
    if kernels.instances.is_empty() {
        findings.insert("no binary has an entry of a kernel".to_owned());
        failed += 1;
    }
    let header = ["package", "binary", "functions", "out of line", "entries", "misplaced", "verdict"];
    table::print(&header, &[2, 3, 4, 5], rows);
    println!();
    if args.kernels {
        kernels.print();
    }
    for finding in &findings {
        println!("{finding}");
    }
    let mut sizes = BTreeMap::new();
    for (package, rlib) in rlibs(&messages, &workspace)? {
        let bytes = library_functions(&rlib)?.iter().map(|function| function.bytes).sum();
        sizes.insert(package, bytes);
    }
    let (grown, skipped) = check_sizes(&workspace, &sizes, args)?;
    table::print_counts(binaries.len() + sizes.len() - failed - grown, failed + grown, skipped);
    Ok(failed + grown == 0)
}

/// Compares the bytes of each crate's code with the file, which `--write` writes before. Returns the numbers
/// of crates that failed and of those that were skipped.
fn check_sizes(workspace: &Workspace, sizes: &BTreeMap<String, u64>, args: &Args) -> Result<(usize, usize)> {
    let path = workspace.root.join(SIZES);
    // Symbols have sizes only in ELF, and the limits are those of one architecture.
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("SKIPPED: bytes of code are compared on x86_64 Linux");
        return Ok((0, sizes.len()));
    }
    if args.write {
        std::fs::write(&path, size_file(sizes))?;
        println!("written: {SIZES}");
    }
    let mut stored =
        parse_sizes(&std::fs::read_to_string(&path).map_err(|error| format!("{SIZES}: {error}"))?)?;
    if !args.package.is_empty() {
        stored.retain(|name, _| sizes.contains_key(name));
    }
    let mut rows = Vec::new();
    let mut failed = 0;
    let names: BTreeSet<&String> = sizes.keys().chain(stored.keys()).collect();
    for name in names {
        let (bytes, limit) = (sizes.get(name), stored.get(name).map(|&bytes| limit(bytes)));
        let verdict = size_verdict(bytes.copied(), stored.get(name).copied());
        failed += usize::from(verdict.starts_with("FAILED"));
        let text = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let stored = stored.get(name).copied();
        rows.push(vec![name.clone(), text(bytes.copied()), text(stored), text(limit), verdict.to_owned()]);
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

fn size_file(sizes: &BTreeMap<String, u64>) -> String {
    let mut text = "# Bytes of machine code in each library of a release build for x86_64 Linux, as\n\
        # `cargo xtask codegen --write` measured them. `cargo xtask codegen` fails where a crate has a quarter more.\n"
        .to_owned();
    for (name, bytes) in sizes {
        text += &format!("{name} {bytes}\n");
    }
    text
}

/// Parses lines `crate bytes`; `#` begins a comment.
fn parse_sizes(text: &str) -> Result<BTreeMap<String, u64>> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(i, line)| {
            let pair =
                line.split_once(' ').and_then(|(name, bytes)| Some((name, bytes.trim().parse().ok()?)));
            let (name, bytes) =
                pair.ok_or_else(|| format!("{SIZES}, line {}: expected a crate and bytes", i + 1))?;
            Ok((name.to_owned(), bytes))
        })
        .collect()
}

/// Returns the functions of an executable.
fn functions(executable: &[u8]) -> Result<Vec<Function>> {
    let file = object::File::parse(executable)?;
    let mut functions = BTreeMap::new();
    for symbol in file.symbols() {
        if symbol.kind() == SymbolKind::Text && symbol.is_definition() {
            functions.insert(symbol.name()?.to_owned(), symbol.size());
        }
    }
    Ok(functions.into_iter().map(|(symbol, bytes)| Function { symbol, bytes }).collect())
}

/// Returns the functions in all objects of a library.
fn library_functions(path: &Path) -> Result<Vec<Function>> {
    let data = std::fs::read(path)?;
    let mut found = Vec::new();
    for member in ArchiveFile::parse(&*data)?.members() {
        let object = member?.data(&*data)?;
        // The member with metadata isn't an object.
        if let Ok(file) = object::File::parse(object)
            && file.sections().any(|section| section.kind() == object::SectionKind::Text)
        {
            found.extend(functions(object)?);
        }
    }
    Ok(found)
}

/// The modules of intrinsics that every CPU of the target has. Libraries that aren't optimized call them.
const BASELINE: [&str; 2] = ["core::core_arch::x86::sse::", "core::core_arch::x86::sse2::"];

fn is_left_out_of_line(function: &str) -> bool {
    function.starts_with("core::core_arch::")
        && !BASELINE.iter().any(|module| function.starts_with(module))
        && function.rsplit("::").next() != Some(ALLOWED)
}

/// Returns the entries of kernels among the functions, each with its bytes.
fn entries(functions: &[Function]) -> Vec<(Entry, u64)> {
    let entries =
        functions.iter().filter_map(|function| Some((Entry::parse(&function.symbol)?, function.bytes)));
    entries.collect()
}

/// Returns the faults of the entries of one binary: a kernel of a library that another crate compiled, and an
/// instance that exists twice.
fn misplaced<'a>(entries: impl Iterator<Item = &'a Entry>, libraries: &BTreeSet<String>) -> Vec<String> {
    let mut instances: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut elsewhere = BTreeSet::new();
    for entry in entries {
        let Entry { owner, compiled_in, kernel, layout, level } = entry;
        *instances.entry((kernel, layout, level)).or_default() += 1;
        if let Some(by) = compiled_in
            && by != owner
            && libraries.contains(owner)
        {
            elsewhere
                .insert(format!("{kernel}: compiled in {by}; enter it in {owner}, in no generic function"));
        }
    }
    let twice =
        instances.into_iter().filter(|&(_, count)| count > 1).map(|((kernel, layout, level), count)| {
            format!("{kernel} ({layout}) on {level}: {count} instances in one binary")
        });
    twice.chain(elsewhere).collect()
}

/// All kernels of the binaries.
#[derive(Default)]
struct Kernels {
    /// The bytes of each instance, by kernel, then by layout and level.
    instances: BTreeMap<String, BTreeMap<(String, String), u64>>,
}

impl Kernels {
    fn add(&mut self, entries: Vec<(Entry, u64)>) {
        for (entry, bytes) in entries {
            let instances = self.instances.entry(entry.kernel).or_default();
            instances.insert((entry.layout, entry.level), bytes);
        }
    }

    fn print(&self) {
        let rows = self.instances.iter().map(|(kernel, instances)| {
            let layouts: BTreeSet<&str> = instances.keys().map(|(layout, _)| plain(layout)).collect();
            let levels: BTreeSet<&String> = instances.keys().map(|(_, level)| level).collect();
            let bytes: u64 = instances.values().sum();
            let numbers = [layouts.len(), levels.len(), instances.len()].map(|number| number.to_string());
            [kernel.clone()].into_iter().chain(numbers).chain([bytes.to_string()]).collect()
        });
        table::print(&["kernel", "layouts", "levels", "instances", "bytes"], &[1, 2, 3, 4], rows);
        println!();
    }
}

/// Returns a layout without the number of the closure, which differs between the two arms of `dispatch!`.
fn plain(layout: &str) -> &str {
    layout.split("::{closure").next().unwrap_or(layout)
}

#[cfg(test)]
mod tests {
    use super::names::{Entry, demangle};
    use super::{functions, is_left_out_of_line, limit, misplaced, parse_sizes, size_file, size_verdict};
    use std::collections::{BTreeMap, BTreeSet};

    fn is_found(symbol: &str) -> bool {
        is_left_out_of_line(&demangle(symbol))
    }

    #[test]
    fn intrinsics_are_seen_in_both_manglings() {
        assert!(is_found("_ZN4core9core_arch3x864avx216_mm256_add_epi1617h0123456789abcdefE"));
        assert!(is_found("_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx216__mm256_add_epi16"));
        // With a constant argument: `_mm256_slli_epi16::<3>`.
        assert!(is_found("_RINvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx217__mm256_slli_epi16Kl3_EB8_"));
    }

    #[test]
    fn other_functions_pass() {
        assert!(!is_found("_ZN4core9core_arch3x865xsave7_xgetbv17h0123456789abcdefE"));
        assert!(!is_found("_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x865xsave7__xgetbv"));
        assert!(!is_found("_ZN7bitcore3isa6x86_v35X86V33new17h0123456789abcdefE"));
        assert!(!is_found("_ZN4core9core_arch3x864sse214_mm_cmpeq_epi817h0123456789abcdefE"));
        assert!(!is_found("main"));
    }

    #[test]
    fn functions_of_a_real_binary_are_read() {
        let this_test = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let functions = functions(&this_test).unwrap();
        // Not this test's own name: it may be inlined into its caller.
        assert!(functions.iter().any(|function| demangle(&function.symbol).starts_with("xtask::")));
        assert!(!cfg!(target_os = "linux") || functions.iter().any(|function| function.bytes > 0));
    }

    fn entry(kernel: &str, layout: &str, level: &str, by: &str) -> Entry {
        let [kernel, layout, level] = [kernel, layout, level].map(str::to_owned);
        Entry { owner: "tetris".to_owned(), compiled_in: Some(by.to_owned()), kernel, layout, level }
    }

    #[test]
    fn a_kernel_is_compiled_once_per_layout_and_level_in_its_own_crate() {
        let libraries = BTreeSet::from(["tetris".to_owned()]);
        let wrong = |entries: &[Entry]| misplaced(entries.iter(), &libraries);
        let good = [
            entry("tetris::f", "2;", "Portable", "tetris"),
            entry("tetris::f", "2;", "X86V3", "tetris"),
            entry("tetris::f", "3;", "X86V3", "tetris"),
        ];
        assert!(wrong(&good).is_empty());
        let twice = [good[0].clone(), good[0].clone()];
        assert_eq!(wrong(&twice), ["tetris::f (2;) on Portable: 2 instances in one binary"]);
        let below = [entry("tetris::f", "2;", "X86V3", "benches")];
        assert_eq!(
            wrong(&below),
            ["tetris::f: compiled in benches; enter it in tetris, in no generic function"]
        );
        assert!(misplaced(below.iter(), &BTreeSet::new()).is_empty());
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        let sizes = BTreeMap::from([("go-mc".to_owned(), 12), ("tetris".to_owned(), 345)]);
        assert_eq!(parse_sizes(&size_file(&sizes)).unwrap(), sizes);
        assert!(parse_sizes("tetris many").is_err());
        assert!(parse_sizes("tetris").is_err());
    }

    #[test]
    fn code_may_grow_by_a_quarter() {
        assert_eq!(limit(1000), 1250);
        assert_eq!(size_verdict(Some(1250), Some(1000)), "ok");
        assert!(size_verdict(Some(1251), Some(1000)).starts_with("FAILED"));
        assert!(size_verdict(Some(700), Some(1000)).starts_with("ok, smaller"));
        assert!(size_verdict(Some(700), None).starts_with("FAILED"));
        assert!(size_verdict(None, Some(1)).starts_with("FAILED"));
    }
}

//! `codegen`: no vector instruction may be left out of line in a release binary.
//!
//! A kernel that lacks its `#[inline(always)]` is compiled for the baseline, and every intrinsic in it becomes a call
//! to a function of `core::core_arch`: right answers, up to 74 times slower. Such a function has a symbol.

use crate::runner::executables;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;
use std::process::Stdio;

/// Std's own CPU detection calls it once.
const ALLOWED: &str = "_xgetbv";

pub(crate) fn run() -> Result {
    let workspace = Workspace::load()?;
    let mut build = cargo(&[]);
    build.args(["build", "--release", "--bins", "--examples", "--message-format=json-render-diagnostics"]);
    let on_bitcore = workspace.on_bitcore();
    for package in workspace.packages.iter().filter(|package| on_bitcore.contains(package.name.as_str())) {
        build.arg(format!("--package={}", package.name));
    }
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the release build failed".into());
    }
    let binaries = executables(&String::from_utf8_lossy(&output.stdout), false, &workspace)?;
    if binaries.is_empty() {
        return Err("the workspace has no program and no example to check".into());
    }
    let (mut rows, mut complaints, mut failed) = (Vec::new(), Vec::new(), 0);
    for binary in &binaries {
        let functions = functions(&std::fs::read(&binary.executable)?)?;
        let left: Vec<_> = functions.iter().filter(|name| is_left_out_of_line(name)).collect();
        let verdict = match (functions.len(), left.len()) {
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
            verdict.to_owned(),
        ]);
        complaints.extend(left.into_iter().map(|name| format!("{}: {name}", binary.target)));
    }
    table::print(&["package", "binary", "functions", "out of line", "verdict"], &[2, 3], rows);
    println!();
    if !complaints.is_empty() {
        println!("{}", complaints.join("\n"));
        println!("Look for a kernel, or a closure in one, without #[inline(always)] that uses these.");
    }
    table::print_counts(binaries.len() - failed, failed, 0);
    Ok(failed == 0)
}

/// The demangled names of all functions in an executable.
fn functions(executable: &[u8]) -> Result<BTreeSet<String>> {
    let file = object::File::parse(executable)?;
    let functions =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    Ok(functions.filter_map(|symbol| Some(demangle(symbol.name().ok()?))).collect())
}

/// The name as written in the source, without the hash.
fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

fn is_left_out_of_line(function: &str) -> bool {
    function.starts_with("core::core_arch::") && function.rsplit("::").next() != Some(ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::{demangle, functions, is_left_out_of_line};

    fn bites(symbol: &str) -> bool {
        is_left_out_of_line(&demangle(symbol))
    }

    #[test]
    fn intrinsics_are_seen_in_both_manglings() {
        assert!(bites("_ZN4core9core_arch3x864avx216_mm256_add_epi1617h0123456789abcdefE"));
        assert!(bites("_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx216__mm256_add_epi16"));
        // With a constant argument: `_mm256_slli_epi16::<3>`.
        assert!(bites("_RINvNtNtNtCs5QSdWC790r4_4core9core_arch3x864avx217__mm256_slli_epi16Kl3_EB8_"));
    }

    #[test]
    fn other_functions_pass() {
        assert!(!bites("_ZN4core9core_arch3x865xsave7_xgetbv17h0123456789abcdefE"));
        assert!(!bites("_RNvNtNtNtCs5QSdWC790r4_4core9core_arch3x865xsave7__xgetbv"));
        assert!(!bites("_ZN7bitcore3isa6x86_v35X86V33new17h0123456789abcdefE"));
        assert!(!bites("main"));
    }

    #[test]
    fn functions_of_a_real_binary_are_read() {
        let this_test = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let functions = functions(&this_test).unwrap();
        assert!(functions.iter().any(|name| name.contains("functions_of_a_real_binary_are_read")));
    }
}

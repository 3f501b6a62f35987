//! Other targets: a compiler with their standard library, a linker, and the program that runs their tests.
//!
//! The pinned toolchain comes without libraries for other targets. These cells take the system's compiler, as
//! Linux distributions package it together with such libraries or their sources, so its version is another
//! one, and its warnings are no failures.

use crate::workspace::{Workspace, clear_test_variables};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The tools of a target.
pub(super) struct Foreign {
    pub(super) target: &'static str,
    /// The command line that runs a test binary, without the binary.
    pub(super) runner: Vec<String>,
    linker: String,
    /// The parts of the standard library to build; empty where it is installed.
    build_std: &'static str,
    flags: Vec<String>,
}

const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";
/// The C library of WASI.
const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
/// The program for Node.js that runs a test binary, relative to the workspace's root.
const WASI_RUNNER: &str = "xtask/data/wasi.mjs";

/// Finds the tools of a target, or returns the first that is missing or too old.
impl Foreign {
    pub(super) fn aarch64(workspace: &Workspace) -> Result<Self, String> {
        check_version(workspace)?;
        let (target, linker, emulator) =
            ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc", "qemu-aarch64");
        exists(&rustc(&["--print", "target-libdir", "--target", target])?)?;
        for program in [linker, emulator] {
            starts(program)?;
        }
        let runner = vec![emulator.to_owned()];
        Ok(Self { target, runner, linker: linker.to_owned(), build_std: "", flags: Vec::new() })
    }

    /// Finds the tools for WebAssembly with simd128, run by Node.js through WASI.
    pub(super) fn wasm32(workspace: &Workspace) -> Result<Self, String> {
        check_version(workspace)?;
        sources_exist()?;
        exists(&format!("{WASI_LIBC}/crt1-command.o"))?;
        let linker = newest_wasm_linker().ok_or("no wasm-ld in PATH")?;
        starts("node")?;
        let script = workspace.root.join(WASI_RUNNER).display().to_string();
        let flags = [
            "-Ctarget-feature=+simd128".to_owned(),
            "-Clink-self-contained=no".to_owned(),
            format!("-Clink-arg={WASI_LIBC}/crt1-command.o"),
            format!("-Lnative={WASI_LIBC}"),
            // A WASI library older than the compiler lacks what no test calls.
            "-Clink-arg=--unresolved-symbols=ignore-all".to_owned(),
        ];
        let runner = ["node", "--no-warnings", &script].map(str::to_owned).to_vec();
        let (target, build_std) = ("wasm32-wasip1", "std,panic_abort,test");
        Ok(Self { target, runner, linker, build_std, flags: flags.to_vec() })
    }

    /// Finds the tools for a type check, which links nothing.
    pub(super) fn windows(workspace: &Workspace) -> Result<Self, String> {
        check_version(workspace)?;
        sources_exist()?;
        let (target, build_std) = ("x86_64-pc-windows-gnu", "std,panic_unwind,test");
        Ok(Self { target, runner: Vec::new(), linker: String::new(), build_std, flags: Vec::new() })
    }

    /// Returns a command `cargo` of the system, with the options for this target behind its verb.
    pub(super) fn cargo(&self, verb: &str) -> Command {
        let mut cargo = Command::new(CARGO);
        cargo.args([verb, "--target", self.target]).stdin(Stdio::null());
        clear_test_variables(&mut cargo);
        // What rustup and `cargo run` set for their own toolchain.
        for name in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "CARGO_ENCODED_RUSTDOCFLAGS"] {
            cargo.env_remove(name);
        }
        cargo.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1");
        if !self.build_std.is_empty() {
            cargo.arg(format!("-Zbuild-std={}", self.build_std));
        }
        if !self.linker.is_empty() {
            cargo.args(["--config", &format!("target.{}.linker='{}'", self.target, self.linker)]);
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", self.flags.join("\x1f"));
        cargo
    }
}

fn check_version(workspace: &Workspace) -> Result<(), String> {
    [CARGO, RUSTC].into_iter().try_for_each(exists)?;
    let wanted = workspace.rust_version().unwrap_or_default();
    let version = rustc(&["--version"])?;
    let is_old = numbers(version.strip_prefix("rustc ").unwrap_or_default()) < numbers(wanted);
    if is_old { Err(format!("{RUSTC} is older than the workspace's rust-version {wanted}")) } else { Ok(()) }
}

fn sources_exist() -> Result<(), String> {
    exists(&format!("{}/lib/rustlib/src/rust/library/Cargo.toml", rustc(&["--print", "sysroot"])?))
}

fn exists(path: &str) -> Result<(), String> {
    if Path::new(path).exists() { Ok(()) } else { Err(format!("no {path}")) }
}

/// Returns the output of the system's compiler.
fn rustc(arguments: &[&str]) -> Result<String, String> {
    let mut rustc = Command::new(RUSTC);
    rustc.args(arguments).env_remove("RUSTUP_TOOLCHAIN").env_remove("LD_LIBRARY_PATH");
    let Output { status, stdout, .. } = rustc.output().map_err(|error| format!("{RUSTC}: {error}"))?;
    let text = String::from_utf8_lossy(&stdout).trim().to_owned();
    if status.success() { Ok(text) } else { Err(format!("{RUSTC} {}: {status}", arguments.join(" "))) }
}

/// Checks that a program starts.
fn starts(program: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(format!("no {program} in PATH")) }
}

/// Returns the name of the newest `wasm-ld` or `wasm-ld-NUMBER` in PATH.
fn newest_wasm_linker() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter_map(|folder| std::fs::read_dir(folder).ok());
    let names = folders.flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let linkers = names.filter(|name| name == "wasm-ld" || name.starts_with("wasm-ld-"));
    linkers.max_by_key(|name| numbers(name.strip_prefix("wasm-ld-").unwrap_or_default()))
}

/// Returns the numbers at the start of a version: 1, 96, 0 of `1.96.0-nightly`.
fn numbers(version: &str) -> Vec<u32> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].split('.').map_while(|number| number.parse().ok()).collect()
}

#[test]
fn versions_are_compared_as_numbers() {
    assert_eq!(numbers("1.96.0 (ac68faa20 2026-05-25)"), [1, 96, 0]);
    assert!(numbers("1.100.0-nightly") > numbers("1.95"));
    assert!(numbers("1.95.0") >= numbers("1.95") && numbers("1.94.9") < numbers("1.95"));
    assert!(numbers("9") < numbers("22") && numbers("").is_empty());
}

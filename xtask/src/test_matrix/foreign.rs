//! The cells of other architectures: their toolchain, and the program that runs their tests.
//!
//! The pinned toolchain comes without libraries for other targets. These cells take the system's compiler, as
//! Linux distributions package it together with such libraries, so its version is another one, and its
//! warnings are no failures.

use crate::runner::Binary;
use crate::workspace::{Package, Workspace, clear_test_variables};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An architecture that this machine's CPU can't run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Architecture {
    /// Emulated by qemu.
    Aarch64,
    /// WebAssembly with simd128, run by Node.js through WASI.
    Wasm32,
}

/// The tools of a cell. A cell without them is skipped.
pub(super) struct Tools {
    architecture: Architecture,
    linker: String,
    /// The command line that runs a test binary, without the binary.
    runner: Vec<String>,
}

const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";
const RUSTDOC: &str = "/usr/bin/rustdoc";
/// The C library of WASI.
const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
/// The program for Node.js that runs a test binary, relative to the workspace's root.
const WASI_RUNNER: &str = "xtask/data/wasi.mjs";
/// The time in which an emulator has to run one short test.
const FIRST_TEST: Duration = Duration::from_mins(1);

impl Architecture {
    /// Returns the levels that must run.
    pub(super) const fn levels(self) -> &'static str {
        match self {
            Self::Aarch64 => "portable,neon",
            Self::Wasm32 => "portable,simd128",
        }
    }

    const fn target(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
            Self::Wasm32 => "wasm32-wasip1",
        }
    }

    /// Returns whether a package is tested: bitcore and the games. The crates above them need threads, files
    /// and clocks.
    pub(super) fn tests(package: &Package) -> bool {
        package.supports_no_std() && package.has_tests("levels")
    }

    /// Finds the tools.
    ///
    /// # Errors
    ///
    /// The first that is missing or too old.
    pub(super) fn tools(self, workspace: &Workspace) -> Result<Tools, String> {
        if ![CARGO, RUSTC].iter().all(|path| Path::new(path).exists()) {
            return Err(format!("no {CARGO} and {RUSTC}"));
        }
        let wanted = workspace.rust_version().unwrap_or_default();
        let version = system_rustc(&["--version"])?;
        if numbers(version.strip_prefix("rustc ").unwrap_or_default()) < numbers(wanted) {
            return Err(format!("{RUSTC} is older than the workspace's rust-version {wanted}"));
        }
        match self {
            Self::Aarch64 => {
                let libraries = system_rustc(&["--print", "target-libdir", "--target", self.target()])?;
                if !Path::new(&libraries).exists() {
                    return Err(format!("{RUSTC} has no library for {}", self.target()));
                }
                let linker = "aarch64-linux-gnu-gcc".to_owned();
                starts(&linker)?;
                let emulator = "qemu-aarch64".to_owned();
                starts(&emulator)?;
                Ok(Tools { architecture: self, linker, runner: vec![emulator] })
            }
            Self::Wasm32 => {
                let sources = Path::new(&system_rustc(&["--print", "sysroot"])?)
                    .join("lib/rustlib/src/rust/library/Cargo.toml");
                let start = Path::new(WASI_LIBC).join("crt1-command.o");
                for file in [&sources, &start] {
                    if !file.exists() {
                        return Err(format!("no {}", file.display()));
                    }
                }
                let linker = newest_wasm_linker().ok_or("no wasm-ld in PATH")?;
                starts("node")?;
                let script = workspace.root.join(WASI_RUNNER).display().to_string();
                let runner = ["node", "--no-warnings", &script].map(str::to_owned).to_vec();
                Ok(Tools { architecture: self, linker, runner })
            }
        }
    }
}

impl Tools {
    /// Returns a command `cargo test` for this architecture.
    pub(super) fn cargo_test(&self) -> Command {
        let target = self.architecture.target();
        let mut cargo = Command::new(CARGO);
        cargo.args(["test", &format!("--target={target}")]).stdin(Stdio::null());
        clear_test_variables(&mut cargo);
        // What rustup and `cargo run` set for their own toolchain.
        for name in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "CARGO_ENCODED_RUSTDOCFLAGS"] {
            cargo.env_remove(name);
        }
        cargo.env("RUSTC", RUSTC).env("RUSTDOC", RUSTDOC);
        let variable = target.to_uppercase().replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{variable}_LINKER"), &self.linker);
        let flags = match self.architecture {
            Architecture::Aarch64 => {
                // As in a release build: it is emulated, and sizes have 64 bits as elsewhere.
                cargo.env("CARGO_PROFILE_TEST_OVERFLOW_CHECKS", "false");
                cargo.env("CARGO_PROFILE_TEST_DEBUG_ASSERTIONS", "false");
                String::new()
            }
            Architecture::Wasm32 => {
                cargo.arg("-Zbuild-std=std,panic_abort,test").env("RUSTC_BOOTSTRAP", "1");
                [
                    "-Ctarget-feature=+simd128".to_owned(),
                    "-Clink-self-contained=no".to_owned(),
                    format!("-Clink-arg={WASI_LIBC}/crt1-command.o"),
                    format!("-Lnative={WASI_LIBC}"),
                    // A WASI library older than the compiler lacks what no test calls.
                    "-Clink-arg=--unresolved-symbols=ignore-all".to_owned(),
                ]
                .join("\x1f")
            }
        };
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
        cargo
    }

    /// Returns a command that runs a test binary.
    pub(super) fn command(&self, binary: &Binary) -> Command {
        binary.command(&self.runner.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Runs one short test, whose result doesn't matter here.
    ///
    /// # Errors
    ///
    /// If it doesn't end in time. An emulator with a C library that isn't the one that it expects waits
    /// forever at the start of the first thread.
    pub(super) fn try_out(&self, binary: &Binary, test: &str) -> Result<(), String> {
        let mut command = self.command(binary);
        command.args([test, "--exact"]).stdout(Stdio::null()).stderr(Stdio::null());
        let error = |error: std::io::Error| format!("{}: {error}", self.runner[0]);
        let mut process = command.spawn().map_err(error)?;
        let start = Instant::now();
        while process.try_wait().map_err(error)?.is_none() {
            if start.elapsed() > FIRST_TEST {
                let _ = process.kill();
                let _ = process.wait();
                return Err(format!("{} doesn't run {test} in {FIRST_TEST:?}", self.runner[0]));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// Returns the output of the system's compiler.
fn system_rustc(arguments: &[&str]) -> Result<String, String> {
    let mut rustc = Command::new(RUSTC);
    rustc.args(arguments).env_remove("RUSTUP_TOOLCHAIN").env_remove("LD_LIBRARY_PATH");
    let output = rustc.output().map_err(|error| format!("{RUSTC}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("{RUSTC} {}: {}", arguments.join(" "), output.status))
    }
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
    let folders = std::env::split_paths(&path).filter_map(|folder: PathBuf| std::fs::read_dir(folder).ok());
    let names = folders.flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let linkers = names.filter(|name| name == "wasm-ld" || name.starts_with("wasm-ld-"));
    linkers.max_by_key(|name| numbers(name.strip_prefix("wasm-ld-").unwrap_or_default()))
}

/// Returns the numbers at the start of a version: 1, 96, 0 of `1.96.0-nightly`.
fn numbers(version: &str) -> Vec<u32> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].split('.').map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Architecture, numbers};
    use crate::workspace::Workspace;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("1.96.0 (ac68faa20 2026-05-25)"), [1, 96, 0]);
        assert!(numbers("1.100.0-nightly") > numbers("1.95"));
        assert!(numbers("1.95.0") >= numbers("1.95") && numbers("1.94.9") < numbers("1.95"));
        assert!(numbers("9") < numbers("22") && numbers("").is_empty());
    }

    #[test]
    fn bitcore_and_the_games_are_tested() {
        let workspace = Workspace::load().unwrap();
        let tested = workspace.packages.iter().filter(|package| Architecture::tests(package));
        let mut names: Vec<&str> = tested.map(|package| package.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["bitcore", "g2048", "go-mc", "match3", "tetris"]);
        assert!(workspace.rust_version().is_some_and(|version| numbers(version).len() >= 2));
    }
}

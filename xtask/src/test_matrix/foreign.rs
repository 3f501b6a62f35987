//! Other targets: a compiler with their standard library, a linker, and the program that runs their
//! tests.
//!
//! The pinned toolchain has no standard libraries for other targets. These cells use the system's
//! compiler, which Linux distributions package together with such libraries or their sources. Its
//! version differs, and its warnings are not failures.

use crate::workspace::{Workspace, clear_test_variables};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The machine that runs a cell's tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Host,
    /// An emulated CPU. The cells of emulated CPUs share their binaries.
    Cpu(&'static str),
    Aarch64,
    Wasm32,
    /// WebAssembly in a browser, without WASI.
    Page,
    /// Only the type checker.
    Windows,
    /// Windows' programming interface on Linux.
    Wine,
}

/// The tools of a target.
pub(crate) struct Foreign {
    pub(super) target: &'static str,
    /// The command line that runs a test binary, without the binary.
    pub(super) runner: Vec<String>,
    linker: String,
    /// The parts of the standard library to build; empty if it is installed.
    build_std: &'static str,
    flags: Vec<String>,
}

const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";
const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
/// The Node.js script that runs a test binary, relative to the workspace's root.
const WASI_RUNNER: &str = "xtask/data/wasi.mjs";

/// What Rust's standard library needs.
const WINDOWS_LIBRARIES: [&str; 4] = ["-lws2_32", "-luserenv", "-lntdll", "-lbcrypt"];

/// A panic ends its worker, whatever its text would be.
const PAGE_FLAGS: [&str; 3] =
    ["-Ctarget-feature=+simd128", "-Zunstable-options", "-Cpanic=immediate-abort"];

impl Foreign {
    /// Finds the tools for a target: aarch64 under qemu, WebAssembly with simd128 under Node.js and
    /// WASI or in a browser, or Windows, type-checked or under Wine.
    ///
    /// # Errors
    ///
    /// The first tool that is missing or too old.
    pub(crate) fn find(on: On, workspace: &Workspace) -> Result<Self, String> {
        let wanted = workspace.rust_version().unwrap_or_default();
        let version = printed(RUSTC, &["--version"])?;
        if numbers(version.strip_prefix("rustc ").unwrap_or_default()) < numbers(wanted) {
            return Err(format!("{RUSTC} is older than the workspace's rust-version {wanted}"));
        }
        let sources = || -> Result<(), String> {
            let sysroot = printed(RUSTC, &["--print", "sysroot"])?;
            exists(&format!("{sysroot}/lib/rustlib/src/rust/library/Cargo.toml"))
        };
        let none = Self {
            target: "",
            runner: Vec::new(),
            linker: String::new(),
            build_std: "",
            flags: Vec::new(),
        };
        match on {
            On::Aarch64 => {
                let target = "aarch64-unknown-linux-gnu";
                let linker = "aarch64-linux-gnu-gcc";
                exists(&printed(RUSTC, &["--print", "target-libdir", "--target", target])?)?;
                printed(linker, &["--version"])?;
                let runner = runner(&["qemu-aarch64"])?;
                Ok(Self { target, linker: linker.to_owned(), runner, ..none })
            }
            On::Wasm32 => {
                sources()?;
                exists(&format!("{WASI_LIBC}/crt1-command.o"))?;
                let linker = newest_wasm_linker().ok_or("no wasm-ld in PATH")?;
                let script = workspace.root.join(WASI_RUNNER).display().to_string();
                let runner = runner(&["node", "--no-warnings", &script])?;
                // A WASI library older than the compiler lacks symbols that no test calls.
                let unresolved = "-Clink-arg=--unresolved-symbols=ignore-all".to_owned();
                let flags =
                    ["-Ctarget-feature=+simd128", "-Clink-self-contained=no"].map(str::to_owned);
                let start = format!("-Clink-arg={WASI_LIBC}/crt1-command.o");
                let flags =
                    [&flags[..], &[start, format!("-Lnative={WASI_LIBC}"), unresolved]].concat();
                Ok(Self {
                    target: "wasm32-wasip1",
                    runner,
                    linker,
                    build_std: "std,panic_abort,test",
                    flags,
                })
            }
            On::Page => {
                sources()?;
                let linker = newest_wasm_linker().ok_or("no wasm-ld in PATH")?;
                Ok(Self {
                    target: "wasm32-unknown-unknown",
                    linker,
                    build_std: "std,panic_abort",
                    flags: PAGE_FLAGS.map(str::to_owned).to_vec(),
                    ..none
                })
            }
            On::Wine => {
                sources()?;
                let linker = "x86_64-w64-mingw32-gcc";
                Ok(Self {
                    target: "x86_64-pc-windows-gnu",
                    runner: wine(workspace, linker)?,
                    linker: linker.to_owned(),
                    build_std: "std,panic_unwind,test",
                    ..none
                })
            }
            _ => {
                sources()?;
                // The standard library's import libraries are made by this program, even for a type
                // check.
                printed("x86_64-w64-mingw32-dlltool", &["--version"])?;
                Ok(Self {
                    target: "x86_64-pc-windows-gnu",
                    build_std: "std,panic_unwind,test",
                    ..none
                })
            }
        }
    }

    /// Compiles a C program in the folder of `bitcade-c` for Windows.
    pub(super) fn compile(
        &self,
        sources: &Path,
        name: &str,
        library: &Path,
        into: &Path,
    ) -> std::io::Result<Output> {
        let mut compiler = Command::new(&self.linker);
        compiler.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"]);
        compiler.current_dir(sources).args(["-I", "include", name]).arg(library).arg("-o");
        let program = Path::new(name).with_extension("exe");
        compiler.arg(into.join(program.file_name().unwrap_or_default()));
        compiler.args(["-static", "-lpthread"]).args(WINDOWS_LIBRARIES).output()
    }

    /// Returns a command for the system's `cargo`, with this target's options after the verb.
    pub(crate) fn cargo(&self, verb: &str) -> Command {
        let mut cargo = Command::new(CARGO);
        cargo.args([verb, "--target", self.target]).stdin(Stdio::null());
        clear_test_variables(&mut cargo);
        // Variables that rustup and `cargo run` set for their own toolchain.
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

fn exists(path: &str) -> Result<(), String> {
    if Path::new(path).exists() { Ok(()) } else { Err(format!("no {path}")) }
}

pub(crate) fn printed(program: &str, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).env_remove("RUSTUP_TOOLCHAIN").env_remove("LD_LIBRARY_PATH");
    let output = command.stderr(Stdio::null()).output().map_err(|_| format!("no {program}"))?;
    let failed = || format!("{program} {}: {}", arguments.join(" "), output.status);
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .ok_or_else(failed)
}

/// Returns the command line of Wine with a prefix of its own in the target folder.
///
/// Versions before 9 lack a library that Rust's standard library imports: one of its name is made
/// from a function that they have.
fn wine(workspace: &Workspace, compiler: &str) -> Result<Vec<String>, String> {
    let names = ["wine64", "wine", "/usr/lib/wine/wine64"];
    let name = names.into_iter().find(|name| printed(name, &["--version"]).is_ok());
    let name = name.ok_or("no wine64")?;
    let folder = workspace.target.join("wine");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let source = workspace.root.join("xtask/data/bcryptprimitives.c").display().to_string();
    let library = folder.join("bcryptprimitives.dll").display().to_string();
    printed(compiler, &["-shared", &source, "-o", &library, "-ladvapi32"])?;
    let folder = folder.display();
    let variables = [format!("WINEPREFIX={folder}/prefix"), format!("WINEPATH={folder}")];
    let mut words = vec!["env".to_owned(), "WINEDEBUG=-all".to_owned()];
    words.extend(variables);
    words.push(name.to_owned());
    // Takes half a minute, which no test waits for.
    if !workspace.target.join("wine/prefix").exists() {
        let runner: Vec<&str> = words.iter().map(String::as_str).collect();
        printed("timeout", &[&["300"], &runner[..], &["wineboot", "--init"]].concat())?;
    }
    Ok(words)
}

/// Returns a command line after checking that its program starts.
fn runner(words: &[&str]) -> Result<Vec<String>, String> {
    printed(words[0], &["--version"])?;
    Ok(words.iter().map(|&word| word.to_owned()).collect())
}

fn newest_wasm_linker() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter_map(|folder| std::fs::read_dir(folder).ok());
    let names = folders.flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let linkers = names.filter(|name| name == "wasm-ld" || name.starts_with("wasm-ld-"));
    linkers.max_by_key(|name| numbers(name.strip_prefix("wasm-ld-").unwrap_or_default()))
}

/// Returns the leading numbers of a version: 1, 96, 0 of `1.96.0-nightly`.
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

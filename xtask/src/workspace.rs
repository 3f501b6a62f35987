//! The workspace according to cargo, and calls of cargo.

use crate::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the program that is built like a user's, outside the workspace.
pub(crate) const DEPENDENT: &str = "xtask/dependent";

/// The fields of `cargo metadata --no-deps` used by the tasks.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    #[serde(rename = "target_directory")]
    pub(crate) target: PathBuf,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) targets: Vec<Target>,
    features: BTreeMap<String, Vec<String>>,
    rust_version: Option<String>,
}

/// A library, program, example or test of a package.
#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
    /// `true` if `cargo test` builds it as a test.
    test: bool,
}

impl Target {
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|k| k == kind)
    }
}

impl Package {
    pub(crate) fn supports_no_std(&self) -> bool {
        self.features.contains_key("std")
    }

    pub(crate) fn is_library(&self) -> bool {
        let has = |kind| self.targets.iter().any(|target| target.is(kind));
        // A program's library only exists for its fuzz targets.
        is_released(&self.manifest_path) && has("lib") && !has("bin")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new("."))
    }

    /// Benchmarks have no test target, and the matrix skips them.
    pub(crate) fn is_tested(&self) -> bool {
        self.targets.iter().any(|target| target.test)
    }

    pub(crate) fn has_tests(&self, module: &str) -> bool {
        self.folder().join("tests").join(module).with_extension("rs").exists()
    }
}

/// Returns whether a package is part of a release: the workspace's manifest says if it can be
/// published. The workspace's own tools have `publish = false`.
pub(crate) fn is_released(manifest: &Path) -> bool {
    std::fs::read_to_string(manifest)
        .is_ok_and(|text| text.lines().any(|line| line == "publish.workspace = true"))
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        Self::of(Path::new("."))
    }

    /// Returns the workspace of a folder.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let output = cargo(&[])
            .current_dir(folder)
            .args(["metadata", "--format-version=1", "--no-deps"])
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err("cargo metadata failed".into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    pub(crate) fn rust_version(&self) -> Option<&str> {
        self.packages.iter().find_map(|package| package.rust_version.as_deref())
    }

    pub(crate) fn short(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

/// Returns a `cargo` command with exactly these compiler flags for libraries, tests and doctests.
/// The variables set here, even to an empty string, override the caller's environment and
/// configuration files.
pub(crate) fn cargo(flags: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let flags = flags.join("\x1f");
    cargo.env("CARGO_ENCODED_RUSTFLAGS", &flags).env("CARGO_ENCODED_RUSTDOCFLAGS", &flags);
    cargo.stdin(Stdio::null());
    clear_test_variables(&mut cargo);
    cargo
}

pub(crate) fn clear_test_variables(command: &mut Command) {
    for name in
        ["BITCADE_EXPECT_LEVELS", "BITCADE_TRUTH", "BITCADE_EMULATED", "BITCADE_CASES_DIVISOR"]
    {
        command.env_remove(name);
    }
}

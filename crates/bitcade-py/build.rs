//! Hashes all sources that can affect results. Checkpoints store the hash, because another commit may produce
//! other results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crates = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    // FNV-1a gives the same value on every machine and with every compiler.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for folder in folders(&crates)? {
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files(&folder)? {
            // Git may check out CRLF line endings on Windows.
            for byte in fs::read(file)?.into_iter().filter(|&byte| byte != b'\r') {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    println!("cargo::rustc-env=BITCADE_SOURCES={hash:016x}");
    Ok(())
}

/// Returns the source folders under `crates/` that go into the package: its own, and one for each workspace
/// crate named in its manifest.
fn folders(crates: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed=Cargo.toml");
    let manifest = fs::read_to_string("Cargo.toml")?;
    let name = |line: &str| line.split(['.', ' ']).next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = manifest.lines().map(name).chain(["bitcade-py".to_owned()]).collect();
    let folders = names.iter().filter(|name| !name.is_empty()).map(|name| crates.join(name).join("src"));
    Ok(folders.filter(|folder| folder.exists()).collect())
}

/// Returns the files of a folder and its subfolders, sorted by name.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

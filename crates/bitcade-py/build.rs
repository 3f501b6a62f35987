//! Hashes the sources that results depend on. Checkpoints keep the hash: those of another commit may have other results.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders in `crates/` that the package is made of.
const CRATES: [&str; 7] = ["bitcade-py", "bitcore", "g2048", "go-mc", "match3", "tetris", "tetris-ai"];

fn main() -> io::Result<()> {
    let crates = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    // FNV-1a: the same on every machine and for every compiler.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files(&folder)? {
            // Git may check out other line ends on Windows.
            for byte in fs::read(file)?.into_iter().filter(|&byte| byte != b'\r') {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    println!("cargo::rustc-env=BITCADE_SOURCES={hash:016x}");
    Ok(())
}

/// Returns the files of a folder and its subfolders, in the order of their names.
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

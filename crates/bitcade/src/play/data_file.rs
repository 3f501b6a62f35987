//! Small files in the user's data folder: where they are, reading them whole, and setting damaged
//! ones aside.

use etcetera::BaseStrategy;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most bytes that are read, or written.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// Returns the program's folder for the user's data, which may not exist yet.
pub(super) fn folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join("bitcade"))
}

/// Reads a file, at most [`MAX_BYTES`] of it. `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let refused = |error: io::Error| format!("{}: {error}", path.display());
    let mut bytes = Vec::new();
    match open_regular(path, OpenOptions::new().read(true)) {
        Ok(file) => file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(refused)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    Ok(Some(bytes))
}

/// Opens a file that is regular or does not exist yet. A pipe would wait for its other end.
fn open_regular(path: &Path, options: &OpenOptions) -> io::Result<File> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("expected a regular file")),
        _ => options.open(path),
    }
}

/// Renames a damaged file, under its lock. Returns a remark with the reason and the new name.
pub(super) fn set_aside(path: &Path, why: &str) -> Result<String, String> {
    let names = (1..).map(|i| match i {
        1 => path.with_added_extension("damaged"),
        _ => path.with_added_extension(format!("damaged-{i}")),
    });
    let is_free = |name: &PathBuf| {
        fs::symlink_metadata(name).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    // A folder that can't be searched has no free name.
    let aside = names.take(1000).find(is_free);
    let aside = aside.ok_or_else(|| format!("{why}; no free name to rename it to"))?;
    fs::rename(path, &aside).map_err(|error| format!("{why}; {}: {error}", aside.display()))?;
    Ok(format!("{why}; the file is now {}", aside.display()))
}

//! Files that are always complete: written under another name, then renamed.

use crate::output::Failure;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Returns `PATH.suffix` for `PATH`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a path can be the name of a file: its folder exists and the path is no folder. Commands check
/// this before they begin long work.
pub(crate) fn check_parent_exists(path: &Path) -> Result<(), Failure> {
    if folder(path).is_dir() && !path.is_dir() {
        Ok(())
    } else {
        Err(Failure::Input(format!("{}: expected a file name in an existing folder", path.display())))
    }
}

/// Writes a file atomically: at every moment, even if the program or the system ends, the path names the
/// complete old file or the complete new one.
pub(crate) fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn FnMut(&[u8])),
) -> Result<(), Failure> {
    let new = with_suffix(path, "new");
    let result = (|| -> io::Result<()> {
        let mut file = BufWriter::new(File::create(&new)?);
        let mut result = Ok(());
        write(&mut |bytes| {
            if result.is_ok() {
                result = file.write_all(bytes);
            }
        });
        result?;
        // The content must be on the disk before the rename.
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&new, path)?;
        // The rename, too. Systems that cannot open folders do this themselves.
        File::open(folder(path)).map_or(Ok(()), |folder| folder.sync_all())
    })();
    result.map_err(|error| {
        // An incomplete file is of no use.
        let _ = fs::remove_file(&new);
        Failure::Check(format!("{}: {error}", path.display()))
    })
}

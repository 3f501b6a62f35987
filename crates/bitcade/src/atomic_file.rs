//! Files that are always whole: written beside their place, then renamed.

use crate::output::Failure;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// `FILE` becomes `FILE.suffix`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

/// The folder that a file will lie in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses what can't be the name of a file, before any work is done for it.
pub(crate) fn check_parent_exists(path: &Path) -> Result<(), Failure> {
    if folder(path).is_dir() && !path.is_dir() {
        Ok(())
    } else {
        Err(Failure::Input(format!("{}: expected a file's name in a folder that exists", path.display())))
    }
}

/// Writes a file so that its name always leads to a whole one, the old or the new: whatever ends the program, and
/// whenever.
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
        // On the disk before the name leads there.
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&new, path)?;
        // The name too. Where folders can't be opened, the system sees to it.
        File::open(folder(path)).map_or(Ok(()), |folder| folder.sync_all())
    })();
    result.map_err(|error| {
        // What is left of it is no use to anyone.
        let _ = fs::remove_file(&new);
        Failure::Check(format!("{}: {error}", path.display()))
    })
}

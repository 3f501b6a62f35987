//! The outputs of commands: checked before the work starts, and complete at every moment.
//!
//! [`OutputFile::check`] is called before long work and refuses what could not be written after it, and
//! results of another run. What it returns is written by [`OutputFile::write`]:
//!
//! - `-` and names of standard output are standard output.
//! - A regular file, and a name that is still free, is replaced: the bytes go to a temporary file in the same
//!   folder, which is synced and then renamed. A process that is killed leaves the complete old file or the
//!   complete new one, and at most a hidden temporary file. The mode and, where permitted, the owner of the
//!   old file are kept. Symbolic links are followed.
//! - Anything else, such as a device or a pipe, is opened and written in place.
//!
//! While a program has a regular file as its output, another one is refused: [`Lock`].
//!
//! [`OutputFile::appender`] is for files that grow line by line, [`OutputFile::draft`] for those that grow
//! unseen.

use crate::output::Failure;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tempfile::NamedTempFile;

/// The treatment of results that the file already holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// They are replaced or continued.
    Replace,
    /// They are kept: the command is refused, and told of `--force` and, if the command has it, `--resume`.
    Keep { resumable: bool },
}

impl Existing {
    pub(crate) fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep { resumable: false } }
    }

    pub(crate) fn forced_or_resumed(force: bool, resume: bool) -> Self {
        if force || resume { Self::Replace } else { Self::Keep { resumable: true } }
    }
}

/// An output of a command that can be written.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    /// The name as it was given, for messages.
    name: String,
    target: Target,
    _lock: Option<Arc<Lock>>,
}

/// The kind of an output. Symbolic links are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Stdout,
    /// A device, a pipe or an open descriptor.
    InPlace(PathBuf),
    /// A regular file, or the name of a file that does not exist yet.
    Regular(PathBuf),
}

impl OutputFile {
    /// Checks that an output can be written.
    /// `Failure::Input` if it holds results that are to be kept; `Failure::Check` if it cannot be written:
    /// the path is a directory, its folder is missing or read-only, or another program is writing it.
    pub(crate) fn check(path: &Path, existing: Existing) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let refused = |why: &str| Err(Failure::Input(format!("{name}: {why}")));
        let failed = |error: io::Error| Failure::Check(format!("{name}: {error}"));
        let target = if path == Path::new("-") { Target::Stdout } else { resolve(path, &name)? };
        let mut lock = None;
        if let Target::Regular(path) = &target {
            survive_limits();
            // Creates a file and removes it.
            drop(temporary(path).map_err(failed)?);
            // The lock comes first: a program that ends now has written its results.
            lock = Lock::of(path).map_err(failed)?;
            match OpenOptions::new().write(true).open(path) {
                Ok(file) => {
                    if let (Existing::Keep { resumable }, 1..) =
                        (existing, file.metadata().map_err(failed)?.len())
                    {
                        return refused(if resumable {
                            "holds results of another run; --resume continues them, --force replaces them"
                        } else {
                            "is not empty; --force replaces it"
                        });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(Self { name, target, _lock: lock })
    }

    pub(crate) fn check_distinct(outputs: &[&Self]) -> Result<(), Failure> {
        for (i, output) in outputs.iter().enumerate() {
            if outputs[..i].iter().any(|other| other.target == output.target) {
                return Err(Failure::Input(format!("{}: named for two outputs", output.name)));
            }
        }
        Ok(())
    }

    /// Returns whether the output is standard output. Then the results of the command go elsewhere.
    pub(crate) fn is_stdout(&self) -> bool {
        self.target == Target::Stdout
    }

    /// Returns whether the output is a regular file: it can be written again and again, and read.
    pub(crate) fn is_regular(&self) -> bool {
        matches!(self.target, Target::Regular(_))
    }

    /// Writes the output: replaces a regular file atomically, appends to anything else.
    /// `Failure::Check` if it cannot be written; then a regular file is as it was.
    pub(crate) fn write(&self, content: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Result<(), Failure> {
        match &self.target {
            Target::Stdout => {
                let mut stdout = io::stdout().lock();
                pour(&mut stdout, content)?;
                Ok(stdout.flush()?)
            }
            Target::InPlace(path) => (|| {
                let mut file = BufWriter::new(open_in_place(path)?);
                pour(&mut file, content)?;
                file.flush()
            })()
            .map_err(|error| self.failed(&error)),
            Target::Regular(path) => replace(path, content).map_err(|error| self.failed(&error)),
        }
    }

    /// Writes the output as `begin`, and returns it open for more.
    pub(crate) fn appender(&self, begin: &[u8]) -> Result<Appender, Failure> {
        let file = match &self.target {
            Target::Stdout => None,
            Target::InPlace(path) => Some(open_in_place(path).map_err(|error| self.failed(&error))?),
            Target::Regular(path) => {
                self.write(|sink| sink(begin))?;
                let file = OpenOptions::new().append(true).open(path);
                Some(file.map_err(|error| self.failed(&error))?)
            }
        };
        let mut appender = Appender { output: self.clone(), file };
        if !self.is_regular() {
            appender.append(begin)?;
        }
        Ok(appender)
    }

    pub(crate) fn draft(&self) -> Result<Draft, Failure> {
        survive_limits();
        let file = match &self.target {
            Target::Regular(path) => temporary(path).map(DraftFile::Named),
            Target::Stdout | Target::InPlace(_) => {
                tempfile::tempfile().map(DraftFile::Unnamed).map_err(|error| without_path(&error))
            }
        };
        match file {
            Ok(file) => Ok(Draft { output: self.clone(), file }),
            Err(error) => {
                let (name, folder) = (&self.name, self.draft_folder());
                Err(Failure::Check(format!("{name}: no temporary file in {}: {error}", folder.display())))
            }
        }
    }

    /// Returns the folder of a draft: that of the output, if it has one.
    fn draft_folder(&self) -> PathBuf {
        match &self.target {
            Target::Regular(path) => folder(path).to_owned(),
            Target::Stdout | Target::InPlace(_) => std::env::temp_dir(),
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::Check(format!("{}: {error}", self.name))
    }
}

/// A lock on a regular file that is an output: a hidden file `.NAME.lock` in its folder, removed at the end.
/// A killed program leaves the file, but not its lock.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    /// Locked while it is open.
    _file: File,
}

/// The locks of this program, which may check an output twice.
static LOCKS: Mutex<BTreeMap<PathBuf, Weak<Lock>>> = Mutex::new(BTreeMap::new());

impl Lock {
    /// Locks an output. Returns `None` on a file system without locks.
    fn of(output: &Path) -> io::Result<Option<Arc<Self>>> {
        let mut name = OsString::from(".");
        name.push(output.file_name().unwrap_or_default());
        name.push(".lock");
        let path = output.with_file_name(name);
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&path).and_then(Weak::upgrade) {
            return Ok(Some(lock));
        }
        loop {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::other("another program is writing it"));
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(None);
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The program that had the lock may have removed the file before this one locked it.
            if is_file_of(&path, &file) {
                let lock = Arc::new(Self { path: path.clone(), _file: file });
                locks.insert(path, Arc::downgrade(&lock));
                return Ok(Some(lock));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_file_of(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    fs::metadata(path).is_ok_and(|named| file.metadata().is_ok_and(|open| id(named) == id(open)))
}

#[cfg(not(unix))]
fn is_file_of(path: &Path, _: &File) -> bool {
    path.exists()
}

/// An output that is written to a temporary file and kept at the end, or removed if it is dropped.
pub(crate) struct Draft {
    output: OutputFile,
    file: DraftFile,
}

enum DraftFile {
    /// A file in the folder of the output, whose name it takes without needing more room.
    Named(NamedTempFile),
    /// A file to be copied, for outputs that are written in place.
    Unnamed(File),
}

impl Draft {
    pub(crate) fn name(&self) -> &str {
        &self.output.name
    }

    /// Returns the folder that the draft takes its room from.
    pub(crate) fn folder(&self) -> PathBuf {
        self.output.draft_folder()
    }

    pub(crate) fn file(&mut self) -> &mut File {
        match &mut self.file {
            DraftFile::Named(file) => file.as_file_mut(),
            DraftFile::Unnamed(file) => file,
        }
    }

    /// Makes the draft the output.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        match (self.file, &self.output.target) {
            (DraftFile::Named(new), Target::Regular(path)) => {
                persist(new, path).map_err(|error| self.output.failed(&error))
            }
            (DraftFile::Named(_), _) => Ok(()),
            (DraftFile::Unnamed(mut file), _) => {
                file.rewind().map_err(|error| self.output.failed(&error))?;
                let mut result = Ok(());
                self.output.write(|sink| {
                    let mut part = vec![0; 1 << 16];
                    loop {
                        match file.read(&mut part) {
                            Ok(0) => break,
                            Ok(length) => sink(&part[..length]),
                            Err(error) => {
                                result = Err(self.output.failed(&error));
                                break;
                            }
                        }
                    }
                })?;
                result
            }
        }
    }
}

pub(crate) struct Appender {
    output: OutputFile,
    /// The open file, `None` for standard output.
    file: Option<File>,
}

impl Appender {
    /// Appends bytes and syncs them to the disk.
    /// `Failure::Check` if they cannot be written. Then a regular file is cut to its former length.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(file) = &mut self.file else {
            return self.output.write(|sink| sink(bytes));
        };
        if !self.output.is_regular() {
            return file.write_all(bytes).map_err(|error| self.output.failed(&error));
        }
        let before = file.metadata().map(|metadata| metadata.len());
        let appended = file.write_all(bytes).and_then(|()| file.sync_data());
        appended.map_err(|error| {
            // A part of a line is of no use.
            let _ = before.and_then(|length| file.set_len(length));
            self.output.failed(&error)
        })
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The most symbolic links that are followed, as Linux does.
const MAX_LINKS: usize = 40;

/// Follows symbolic links, the last of which may point to a name that is still free.
fn resolve(path: &Path, name: &str) -> Result<Target, Failure> {
    let refused = |why: &str| Err(Failure::Check(format!("{name}: {why}")));
    // The name of a file has no separator at its end.
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().last() == Some(&b'/') {
        return refused(if path.is_dir() {
            "is a directory"
        } else {
            "expected a file name in an existing folder"
        });
    }
    let mut path = path.to_owned();
    for _ in 0..=MAX_LINKS {
        if let Some(number) = descriptor(&path) {
            return Ok(if number == "1" { Target::Stdout } else { Target::InPlace(path) });
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => match fs::read_link(&path) {
                Ok(target) => path = folder(&path).join(target),
                Err(error) => return refused(&error.to_string()),
            },
            Ok(found) if found.is_dir() => return refused("is a directory"),
            Ok(found) if !found.is_file() => return Ok(Target::InPlace(path)),
            _ => {
                // One spelling of each folder, for comparisons of paths.
                let (Ok(folder), Some(file)) = (folder(&path).canonicalize(), path.file_name()) else {
                    return refused("expected a file name in an existing folder");
                };
                if !folder.is_dir() {
                    return refused("expected a file name in an existing folder");
                }
                return Ok(Target::Regular(folder.join(file)));
            }
        }
    }
    refused("too many symbolic links")
}

/// Returns the number of a descriptor of this process, as in `/dev/fd/1` or `/proc/self/fd/1`.
fn descriptor(path: &Path) -> Option<&str> {
    let mut parts = path.components().rev().map(Component::as_os_str);
    let (number, fd, root) = (parts.next()?.to_str()?, parts.next()?, parts.next()?);
    let of_process = root == "self" || root == "thread-self" || *root == *std::process::id().to_string();
    let of_process = of_process && parts.next().is_some_and(|part| part == "proc");
    let known = fd == "fd" && (root == "dev" || of_process);
    (known && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Opens what is no regular file. A descriptor can stand for a regular file, whose content is kept.
fn open_in_place(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Creates a temporary file for a target: in the same folder, hidden, with the mode of a new file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    /// The most bytes of the target's name in that of the temporary file; together they stay below 255.
    const MAX_NAME: usize = 200;
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().filter(|name| name.len() <= MAX_NAME).unwrap_or("bitcade".as_ref()));
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(path)).map_err(|error| without_path(&error))
}

/// Removes the path that tempfile adds to an error, which nobody asked for.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or(&text))
}

/// Replaces a regular file atomically: at every moment, even if the program or the system ends, the path
/// names the complete old file or the complete new one.
fn replace(path: &Path, content: impl FnOnce(&mut dyn FnMut(&[u8]))) -> io::Result<()> {
    // It is removed if it is dropped.
    let mut new = temporary(path)?;
    let mut writer = BufWriter::new(new.as_file_mut());
    pour(&mut writer, content)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    persist(new, path)
}

/// Gives a complete file its name, and the mode and owner of the old one.
fn persist(new: NamedTempFile, path: &Path) -> io::Result<()> {
    if let Ok(old) = fs::metadata(path) {
        keep_owner(&old, new.as_file());
        new.as_file().set_permissions(old.permissions())?;
    }
    // The content must be on the disk before the rename.
    new.as_file().sync_all()?;
    new.persist(path).map_err(|error| error.error)?;
    // The rename, too. Systems that cannot open folders do this themselves.
    File::open(folder(path)).map_or(Ok(()), |folder| folder.sync_all())
}

/// Lets a write beyond the system's limit on the size of files fail. Without this the signal SIGXFSZ would
/// end the program and leave the temporary file.
#[cfg(unix)]
fn survive_limits() {
    use signal_hook::{consts::SIGXFSZ, flag};
    use std::sync::{Arc, Once, atomic::AtomicBool};
    static ONCE: Once = Once::new();
    // The signal is recorded, but nobody asks.
    ONCE.call_once(|| drop(flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))));
}

#[cfg(not(unix))]
fn survive_limits() {}

/// Gives a file the owner and group of an old one where the system permits it.
#[cfg(unix)]
fn keep_owner(old: &fs::Metadata, new: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if new.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_old: &fs::Metadata, _new: &File) {}

/// Writes the pieces of a content up to the first error.
fn pour(out: &mut dyn Write, content: impl FnOnce(&mut dyn FnMut(&[u8]))) -> io::Result<()> {
    let mut result = Ok(());
    content(&mut |bytes| {
        if result.is_ok() {
            result = out.write_all(bytes);
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_of_this_process_are_recognized() {
        let own = format!("/proc/{}/fd/12", std::process::id());
        for (path, number) in
            [("/dev/fd/1", "1"), ("/proc/self/fd/2", "2"), ("/proc/thread-self/fd/63", "63"), (&own, "12")]
        {
            assert_eq!(descriptor(Path::new(path)), Some(number), "{path}");
        }
        for path in ["fd/1", "/tmp/fd/1", "/proc/self/fd", "/proc/1/fd/1", "/dev/fd/x", "self/fd/1"] {
            assert_eq!(descriptor(Path::new(path)), None, "{path}");
        }
    }
}

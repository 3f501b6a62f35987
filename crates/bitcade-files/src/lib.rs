//! Atomic output files, checked before long work starts.
//!
//! ```
//! use bitcade_files::{Existing, OutputFile};
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("results.txt");
//! let output = OutputFile::check(&path, Existing::Replace)?;
//! output.write(|sink| sink(b"some"))?;
//! output.write(|sink| sink(b"all"))?;
//! assert_eq!(std::fs::read(&path)?, b"all");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Call [`OutputFile::check`] before long work: it rejects a path that couldn't be written
//! afterwards, and refuses to overwrite results of another run. Write the output with
//! [`OutputFile::write`]:
//!
//! - `-` and the device names of standard output write to standard output, those of standard error
//!   to standard error.
//! - A regular or new file is replaced atomically: the bytes go to a [`Draft`] in the same folder,
//!   which is synced and then renamed. A killed process leaves either the complete old file or the
//!   complete new one. The old file's mode and, where permitted, owner are kept. Symbolic links are
//!   followed. Other hard links of the old file keep its content.
//! - A regular file that can't be replaced, such as a mounted one or another user's in a sticky
//!   folder, is written in place.
//! - Anything else, such as a device or a pipe, is opened and written in place.
//!
//! Hidden files are only created here, with `O_EXCL` and unique names: `.bitcade-`, the CRC-32 of
//! the output's name, and twelve random letters. While a program has an output open, an empty,
//! locked file of this kind in the same folder keeps other programs out. After a kill such a file
//! remains, unlocked; the next program with the same output removes it once it has written its own.
//!
//! A file that is opened as an [`InputFile`] is never replaced, under any name. [`Blocking`] makes
//! standard streams wait that another program has made non-blocking.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod blocking;
mod input_file;

pub use blocking::Blocking;
pub use input_file::InputFile;

use same_file::Handle;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use tempfile::NamedTempFile;

/// The failure of an output or of a command, as one line of text.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file that couldn't be written, or a failed check: exit status 1.
    #[error("{0}")]
    Check(String),
    /// Invalid usage or invalid input, such as results that would be overwritten: exit status 2.
    #[error("{0}")]
    Input(String),
    /// Standard output couldn't be written: exit status 1.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Returns the exit status of a program that fails with this.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Check(_) | Self::Output(_) => ExitCode::from(1),
            Self::Input(_) => ExitCode::from(2),
        }
    }
}

static IS_ENDING: OnceLock<fn() -> bool> = OnceLock::new();

/// Sets the function that returns `true` once a signal is about to end the program. Waits are short
/// from then on.
pub fn set_is_ending(is_ending: fn() -> bool) {
    IS_ENDING.get_or_init(|| is_ending);
}

/// How to handle results already in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Replace them, even if another program writes the file in the meantime.
    Replace,
    /// Continue them.
    Resume,
    /// Keep them: the command fails with a hint at `--force` and, if it has the flag, `--resume`.
    Keep {
        /// Whether the command has `--resume`.
        resumable: bool,
    },
}

impl Existing {
    /// Returns the handling chosen by the flag `--force`.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep { resumable: false } }
    }

    /// Returns the handling chosen by the flags `--force` and `--resume`.
    pub fn forced_or_resumed(force: bool, resume: bool) -> Self {
        match (force, resume) {
            (true, _) => Self::Replace,
            (false, true) => Self::Resume,
            (false, false) => Self::Keep { resumable: true },
        }
    }
}

/// A checked, writable output of a command.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// The name as given, for messages.
    name: String,
    target: Target,
    claim: Arc<Claim>,
}

/// The kind of an output. Symbolic links are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Stdout,
    Stderr,
    /// A device, a pipe or an open descriptor.
    InPlace(PathBuf),
    /// A regular file, or a new name.
    Regular(PathBuf),
}

/// The open outputs of this program, each at most once.
static CLAIMED: Mutex<Vec<Claimed>> = Mutex::new(Vec::new());

fn claims() -> MutexGuard<'static, Vec<Claimed>> {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Claimed {
    target: Target,
    existing: Existing,
}

impl Claimed {
    /// Identifies a regular file that exists.
    fn handle(&self) -> Option<Handle> {
        handle_of(&self.target)
    }
}

fn handle_of(target: &Target) -> Option<Handle> {
    let Target::Regular(path) = target else { return None };
    Handle::from_path(path).ok()
}

/// `true` once an output is standard output.
static STDOUT_TAKEN: AtomicBool = AtomicBool::new(false);

/// Returns whether an output of this program is standard output. Its results then go to standard
/// error.
pub fn is_stdout_taken() -> bool {
    STDOUT_TAKEN.load(Ordering::Relaxed)
}

/// The exclusive right to write an output, released on drop.
#[derive(Debug)]
struct Claim {
    target: Target,
    existing: Existing,
    state: Mutex<State>,
    /// The locked file, readable by other users.
    guard: Option<Guard>,
}

/// The known state of a regular file.
#[derive(Debug, Default)]
struct State {
    /// The file's stamp when this program last checked or wrote it.
    stamp: Option<Stamp>,
    /// Hidden files of killed programs.
    leftovers: Vec<PathBuf>,
    /// The file with this run's results, if another program has written the output in the meantime.
    aside: Option<PathBuf>,
}

#[derive(Debug)]
enum Guard {
    Hidden(#[expect(dead_code, reason = "it is locked, and removed at the end")] NamedTempFile),
    /// The output itself, in a folder where no file can be created.
    Output(#[expect(dead_code, reason = "it is locked")] File),
}

/// A file's length and modification time.
type Stamp = (u64, Option<SystemTime>);

enum Refusal {
    /// This program or another one is using it.
    Busy(Failure),
    Other(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Busy(failure) | Refusal::Other(failure) => failure,
        }
    }
}

/// The time that a child, which a killed program was about to start, may need to execute its own
/// program: until then it keeps the locks of the killed one.
const START_OF_CHILD: Duration = Duration::from_millis(200);

impl OutputFile {
    /// Checks that an output can be written.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it contains results to keep, or is already an output;
    /// [`Failure::Check`] if it can't be written: the path is a directory, its folder is missing or
    /// read-only, or another program is writing it.
    pub fn check(path: &Path, existing: Existing) -> Result<Self, Failure> {
        Self::wait(path, existing, |waited| waited > START_OF_CHILD)
    }

    /// Like [`OutputFile::check`], but waits while another program is using the output.
    ///
    /// # Errors
    ///
    /// See [`OutputFile::check`]; a busy output is an error once `gives_up` returns `true` for the
    /// time waited.
    pub fn wait(
        path: &Path,
        existing: Existing,
        gives_up: impl Fn(Duration) -> bool,
    ) -> Result<Self, Failure> {
        let begun = Instant::now();
        loop {
            match Self::claim(path, existing) {
                Err(Refusal::Busy(_)) if !gives_up(begun.elapsed()) => {
                    thread::sleep(Duration::from_millis(5));
                }
                claimed => return Ok(claimed?),
            }
        }
    }

    fn claim(path: &Path, existing: Existing) -> Result<Self, Refusal> {
        let name = path.display().to_string();
        let failed = |error: io::Error| Failure::Check(format!("{name}: {error}"));
        let target = if path == Path::new("-") { Target::Stdout } else { resolve(path, &name)? };
        let mut claim = Claim::new(&target, existing, &name)?;
        if let Target::Regular(path) = &target {
            // Lock before opening: once the lock is free, the previous program has written its
            // results.
            let hidden = lock(path, &name);
            let file = match OpenOptions::new().write(true).open(path) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(failed(error).into()),
            };
            let state = claim.state.get_mut().unwrap_or_else(PoisonError::into_inner);
            claim.guard = match (hidden, &file) {
                (Ok((hidden, leftovers)), _) => {
                    state.leftovers = leftovers;
                    Some(Guard::Hidden(hidden))
                }
                // A writable file in a read-only folder.
                (Err(Refusal::Other(_)), Some(file)) => {
                    let file = file.try_clone().map_err(failed)?;
                    match file.try_lock() {
                        Err(TryLockError::WouldBlock) => return Err(busy(&name)),
                        Ok(()) | Err(TryLockError::Error(_)) => Some(Guard::Output(file)),
                    }
                }
                (Err(refusal), _) => return Err(refusal),
            };
            if let Some(file) = file {
                let handle = file.try_clone().and_then(Handle::from_file);
                if let Some(used) = handle.ok().as_ref().and_then(input_file::use_of) {
                    let why = format!("{name}: is {used}, too, expected another file");
                    return Err(Failure::Input(why).into());
                }
                let stamp = stamp(&file.metadata().map_err(failed)?);
                if let (Existing::Keep { resumable }, 1..) = (existing, stamp.0) {
                    return Err(Failure::Input(format!(
                        "{name}: {}",
                        if resumable {
                            "contains results of another run; --resume continues them, --force replaces them"
                        } else {
                            "is not empty; --force replaces it"
                        }
                    ))
                    .into());
                }
                state.stamp = Some(stamp);
            }
        }
        Ok(Self { name, target, claim: Arc::new(claim) })
    }

    /// Returns `true` if the output is a regular file, which can be rewritten and read.
    pub fn is_regular(&self) -> bool {
        matches!(self.target, Target::Regular(_))
    }

    /// Returns the hidden files left by killed programs with this output. Some may be complete.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        self.claim.state().leftovers.clone()
    }

    /// Writes the output: replaces a regular file atomically, appends to anything else.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if it can't be written; a regular file is then unchanged.
    pub fn write(&self, content: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Result<(), Failure> {
        match &self.target {
            Target::Stdout => {
                let mut stdout = Blocking(io::stdout().lock());
                pour(&mut stdout, content)?;
                Ok(stdout.flush()?)
            }
            Target::Stderr => pour(&mut Blocking(io::stderr().lock()), content)
                .map_err(|error| self.failed(&error)),
            Target::InPlace(path) => (|| {
                let mut file = BufWriter::new(open_in_place(path)?);
                pour(&mut file, content)?;
                file.flush()
            })()
            .map_err(|error| self.failed(&error)),
            Target::Regular(_) => self.prepare(content)?.keep(),
        }
    }

    /// Writes a draft of the output, to be [kept](Draft::keep).
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if it can't be written.
    pub fn prepare(&self, content: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Result<Draft, Failure> {
        let mut draft = self.draft()?;
        let written = (|| {
            let mut writer = BufWriter::new(draft.file());
            pour(&mut writer, content)?;
            writer.flush()
        })();
        written.map_err(|error| self.failed(&error))?;
        Ok(draft)
    }

    /// Opens an output that isn't a regular file, to append to it piece by piece.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if it can't be opened.
    pub fn appender(&self) -> Result<Appender, Failure> {
        let file = match &self.target {
            Target::Stdout | Target::Stderr => None,
            Target::InPlace(path) | Target::Regular(path) => {
                Some(open_in_place(path).map_err(|error| self.failed(&error))?)
            }
        };
        Ok(Appender { output: self.clone(), file })
    }

    /// Creates an empty draft of the output.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if no temporary file can be created.
    pub fn draft(&self) -> Result<Draft, Failure> {
        let file = match (&self.target, &self.claim.guard) {
            (Target::Regular(path), Some(Guard::Hidden(_))) => {
                // A draft is as private as the old file.
                let old = fs::metadata(path).ok().map(|old| old.permissions());
                temporary(path, old).map(DraftFile::Named)
            }
            _ => tempfile::tempfile().map(DraftFile::Unnamed).map_err(|error| without_path(&error)),
        };
        match file {
            Ok(file) => Ok(Draft { output: self.clone(), file }),
            Err(error) => {
                let name = &self.name;
                let folder = self.draft_folder();
                Err(Failure::Check(format!(
                    "{name}: can't create a temporary file in {}: {error}",
                    folder.display()
                )))
            }
        }
    }

    /// Returns a draft's folder: the output's folder if a file can be created there, otherwise the
    /// temporary folder.
    fn draft_folder(&self) -> PathBuf {
        match (&self.target, &self.claim.guard) {
            (Target::Regular(path), Some(Guard::Hidden(_))) => folder(path).to_owned(),
            _ => std::env::temp_dir(),
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::Check(format!("{}: {error}", self.name))
    }

    /// Replaces the content of a regular file.
    fn publish(&self, path: &Path, mut new: DraftFile) -> Result<(), Failure> {
        let mut state = self.claim.state();
        let is_ours = self.claim.existing == Existing::Replace || !has_changed(path, state.stamp);
        if state.aside.is_some() || !is_ours {
            return self.set_aside(&mut state, path, new);
        }
        let renamed = match new {
            DraftFile::Named(file) => persist(file, path),
            DraftFile::Unnamed(_) => Err((io::Error::from(io::ErrorKind::PermissionDenied), new)),
        };
        if let Err((error, draft)) = renamed {
            new = draft;
            if write_in_place(new.file(), path).is_err() {
                // Keep the finished file under another name.
                let kept = match new {
                    DraftFile::Named(file) => keep_beside(file, path).ok(),
                    DraftFile::Unnamed(_) => None,
                };
                let kept =
                    kept.map_or(String::new(), |path| format!("; it is now in {}", path.display()));
                return Err(Failure::Check(format!("{}: {error}{kept}", self.name)));
            }
        }
        state.stamp = fs::metadata(path).ok().as_ref().map(stamp);
        state.leftovers.drain(..).for_each(|path| drop(fs::remove_file(path)));
        Ok(())
    }

    /// Writes a file next to one that another program has written in the meantime, and reports it
    /// each time.
    fn set_aside(&self, state: &mut State, path: &Path, new: DraftFile) -> Result<(), Failure> {
        let kept = match (state.aside.clone(), new) {
            (Some(aside), DraftFile::Named(file)) => {
                persist(file, &aside).map(|()| aside).map_err(|error| error.0)
            }
            (None, DraftFile::Named(file)) => keep_beside(file, path),
            (_, DraftFile::Unnamed(_)) => Err(io::ErrorKind::PermissionDenied.into()),
        };
        let name = &self.name;
        let why = "another program has written it in the meantime";
        Err(Failure::Check(match kept {
            Ok(kept) => {
                let text =
                    format!("{name}: {why}; the results of this run are in {}", kept.display());
                state.aside = Some(kept);
                text
            }
            Err(error) => format!("{name}: {why}, and no file can be created next to it: {error}"),
        }))
    }
}

impl Claim {
    fn new(target: &Target, existing: Existing, name: &str) -> Result<Self, Refusal> {
        let mut claimed = claims();
        let handle = handle_of(target);
        let is_same = |other: &Claimed| {
            other.target == *target || handle.is_some() && other.handle() == handle
        };
        if claimed.iter().any(is_same) {
            return Err(Refusal::Busy(Failure::Input(format!("{name}: used for two outputs"))));
        }
        claimed.push(Claimed { target: target.clone(), existing });
        if *target == Target::Stdout {
            STDOUT_TAKEN.store(true, Ordering::Relaxed);
        }
        Ok(Self { target: target.clone(), existing, state: Mutex::default(), guard: None })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Unlock before another thread of this program can claim the output.
        self.guard = None;
        claims().retain(|claimed| claimed.target != self.target);
    }
}

fn busy(name: &str) -> Refusal {
    Refusal::Busy(Failure::Check(format!("{name}: another program is writing it")))
}

/// Creates and locks a hidden file for an output. Returns it and the files left by killed programs.
fn lock(output: &Path, name: &str) -> Result<(NamedTempFile, Vec<PathBuf>), Refusal> {
    let failed = |error: io::Error| Failure::Check(format!("{name}: {error}"));
    // If two programs start at the same time, exactly one must be refused.
    let _turn = turn(folder(output));
    let file = temporary(output, None).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Another user must be able to see the lock, whatever the umask.
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    // Some file systems have no locks. A leftover and a file in use are indistinguishable there.
    let has_locks = file.as_file().try_lock().is_ok();
    let mut leftovers = Vec::new();
    if has_locks {
        for other in hidden_files(output).filter(|other| other != file.path()) {
            match is_locked(&other) {
                Some(true) => return Err(busy(name)),
                Some(false) => leftovers.push(other),
                None => {}
            }
        }
    }
    Ok((file, leftovers))
}

/// Waits for a lock on the folder, which other programs take for a few milliseconds. Continues
/// without it after a second, or after a tenth of a second if a signal is about to end the program.
#[cfg(unix)]
fn turn(folder: &Path) -> Option<File> {
    let begun = Instant::now();
    let folder = File::open(folder).ok()?;
    while let Err(TryLockError::WouldBlock) = folder.try_lock() {
        let longest =
            Duration::from_millis(if IS_ENDING.get().is_some_and(|is_ending| is_ending()) {
                100
            } else {
                1000
            });
        if begun.elapsed() > longest {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
    Some(folder)
}

#[cfg(not(unix))]
fn turn(_: &Path) {}

/// `None` if that is unknown.
fn is_locked(path: &Path) -> Option<bool> {
    // A link or a pipe of this name isn't ours.
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let file =
        OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path)).ok()?;
    match file.try_lock() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

/// The number of random letters in a hidden file's name.
const LETTERS: usize = 12;

/// Short, even if the output's name is long.
fn hidden_prefix(output: &Path) -> String {
    let name = output.file_name().unwrap_or_default().as_encoded_bytes();
    format!(".bitcade-{:08x}-", crc32fast::hash(name))
}

fn hidden_files(output: &Path) -> impl Iterator<Item = PathBuf> {
    let prefix = hidden_prefix(output);
    let entries = fs::read_dir(folder(output)).into_iter().flatten().flatten();
    entries
        .filter(move |entry| is_hidden_name(&entry.file_name(), &prefix))
        .map(|entry| entry.path())
}

fn is_hidden_name(name: &OsStr, prefix: &str) -> bool {
    let letters = name.to_str().and_then(|name| name.strip_prefix(prefix));
    letters.is_some_and(|rest| {
        rest.len() == LETTERS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn stamp(metadata: &fs::Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}

/// The smallest difference of modification times that counts: some file systems store them in steps
/// of two seconds.
const TIME_STEP: Duration = Duration::from_secs(2);

/// Returns whether another program has written a file since it had this stamp. An empty file has no
/// results to lose.
fn has_changed(path: &Path, before: Option<Stamp>) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let now = stamp(&found);
    match before {
        _ if !found.is_file() => true,
        None => now.0 > 0,
        Some((length, time)) => {
            let between = now.1.zip(time).map(|(now, before)| match now.duration_since(before) {
                Ok(between) => between,
                Err(error) => error.duration(),
            });
            now.0 != length && now.0 > 0 || between.is_some_and(|between| between > TIME_STEP)
        }
    }
}

/// A temporary file that becomes the output when kept, and is removed when dropped.
#[derive(Debug)]
pub struct Draft {
    output: OutputFile,
    file: DraftFile,
}

#[derive(Debug)]
enum DraftFile {
    /// A file in the output's folder, which takes the output's name without needing more space.
    Named(NamedTempFile),
    /// A file to copy, for outputs that are written in place.
    Unnamed(File),
}

impl DraftFile {
    fn file(&mut self) -> &mut File {
        match self {
            Self::Named(file) => file.as_file_mut(),
            Self::Unnamed(file) => file,
        }
    }
}

impl Draft {
    /// Returns the output's name, for messages.
    pub fn name(&self) -> &str {
        &self.output.name
    }

    /// Returns the folder that the draft takes up space in.
    pub fn folder(&self) -> PathBuf {
        self.output.draft_folder()
    }

    /// Returns the file to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.file()
    }

    /// Makes the draft the output.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if the output can't be written.
    pub fn keep(self) -> Result<(), Failure> {
        let Self { output, mut file } = self;
        if let Target::Regular(path) = &output.target {
            return output.publish(path, file);
        }
        let file = file.file();
        file.rewind().map_err(|error| output.failed(&error))?;
        let mut result = Ok(());
        output.write(|sink| {
            let mut part = vec![0; 1 << 16];
            loop {
                match file.read(&mut part) {
                    Ok(0) => break,
                    Ok(length) => sink(&part[..length]),
                    Err(error) => {
                        result = Err(output.failed(&error));
                        break;
                    }
                }
            }
        })?;
        result
    }
}

/// An output that isn't a regular file, written piece by piece.
#[derive(Debug)]
pub struct Appender {
    output: OutputFile,
    /// `None` for standard output and standard error.
    file: Option<Blocking<File>>,
}

impl Appender {
    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if they can't be written.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.file {
            None => self.output.write(|sink| sink(bytes)),
            Some(file) => file.write_all(bytes).map_err(|error| self.output.failed(&error)),
        }
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The maximum number of symbolic links to follow, the same as Linux's.
const MAX_LINKS: usize = 40;

/// Follows symbolic links, up to the name of a descriptor. The last may point to a new name.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..=MAX_LINKS {
        if descriptor(&path).is_some()
            || !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink())
        {
            return Ok(path);
        }
        path = folder(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns an output's kind and its path without symbolic links.
fn resolve(path: &Path, name: &str) -> Result<Target, Failure> {
    let refused = |why: &str| Err(Failure::Check(format!("{name}: {why}")));
    // A file name has no trailing separator.
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().last() == Some(&b'/') {
        return refused(if path.is_dir() {
            "is a directory"
        } else {
            "expected a file name in an existing folder"
        });
    }
    if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".bitcade-")) {
        return refused("names starting with .bitcade- are reserved for temporary files");
    }
    let path = match follow(path) {
        Ok(path) => path,
        Err(error) => return refused(&error.to_string()),
    };
    match descriptor(&path) {
        Some("1") => return Ok(Target::Stdout),
        Some("2") => return Ok(Target::Stderr),
        Some(_) => return Ok(Target::InPlace(path)),
        None => {}
    }
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => refused("is a directory"),
        Ok(found) if !found.is_file() => Ok(Target::InPlace(path)),
        _ => {
            // A single spelling of each folder, to compare paths.
            let (Ok(folder), Some(file)) = (folder(&path).canonicalize(), path.file_name()) else {
                return refused("expected a file name in an existing folder");
            };
            if !folder.is_dir() {
                return refused("expected a file name in an existing folder");
            }
            Ok(Target::Regular(folder.join(file)))
        }
    }
}

/// Returns the number of a descriptor of this process, such as `/dev/fd/1` or `/proc/self/fd/1`.
fn descriptor(path: &Path) -> Option<&str> {
    let mut parts = path.components().rev().map(Component::as_os_str);
    let number = parts.next()?.to_str()?;
    let fd = parts.next()?;
    let root = parts.next()?;
    let of_process =
        root == "self" || root == "thread-self" || *root == *std::process::id().to_string();
    let of_process = of_process && parts.next().is_some_and(|part| part == "proc");
    let known = fd == "fd" && (root == "dev" || of_process);
    (known && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Opens anything but a regular file, or a descriptor, which may refer to a regular file: its
/// content is kept.
fn open_in_place(path: &Path) -> io::Result<Blocking<File>> {
    OpenOptions::new().append(true).open(path).map(Blocking)
}

/// Creates a hidden file for an output, in the same folder, with the permissions of the old file or
/// of a new one.
fn temporary(path: &Path, old: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let prefix = hidden_prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(LETTERS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Minus the umask.
        builder
            .permissions(fs::Permissions::from_mode(old.map_or(0o666, |old| old.mode() & 0o666)));
    }
    #[cfg(not(unix))]
    let _ = old;
    builder.tempfile_in(folder(path)).map_err(|error| without_path(&error))
}

/// Removes the path that tempfile adds to an error, which means nothing to the user.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or(&text))
}

/// Renames a complete file to its final name, with the mode and owner of the old file. At any
/// moment, even after a crash of the program or the system, the path names either the complete old
/// file or the complete new one. On failure, returns the file.
fn persist(new: NamedTempFile, path: &Path) -> Result<(), (io::Error, DraftFile)> {
    let ready = (|| {
        if let Ok(old) = fs::metadata(path) {
            keep_owner(&old, new.as_file());
            new.as_file().set_permissions(old.permissions())?;
        }
        // The content must be on disk before the rename.
        new.as_file().sync_all()
    })();
    if let Err(error) = ready {
        return Err((error, DraftFile::Named(new)));
    }
    new.persist(path).map_err(|error| (error.error, DraftFile::Named(error.file)))?;
    sync_folder(path);
    Ok(())
}

/// Systems that can't open folders do this themselves.
fn sync_folder(path: &Path) {
    let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
}

/// Renames a complete file to the first free name of `NAME.new`, `NAME.new-2` and so on.
fn keep_beside(mut new: NamedTempFile, path: &Path) -> io::Result<PathBuf> {
    new.as_file().sync_all()?;
    for number in 1..1000 {
        let mut name = OsString::from(path);
        name.push(if number == 1 { ".new".to_owned() } else { format!(".new-{number}") });
        match new.persist_noclobber(&name) {
            Ok(_) => {
                sync_folder(path);
                return Ok(name.into());
            }
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => new = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Overwrites a file that can't be replaced with a complete one. The part beyond the old length is
/// written first: if the disk is too full for it, the old content remains. This is the only place
/// where a kill can leave a mix of both.
fn write_in_place(new: &mut File, path: &Path) -> io::Result<()> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("expected a regular file"));
    }
    let mut out = OpenOptions::new().write(true).open(path)?;
    let old = out.metadata()?.len();
    let length = new.metadata()?.len();
    let mut copy = |from: u64, to: u64| {
        new.seek(SeekFrom::Start(from))?;
        out.seek(SeekFrom::Start(from))?;
        let copied = io::copy(&mut Read::by_ref(new).take(to - from), &mut out)?;
        if copied < to - from { Err(io::ErrorKind::UnexpectedEof.into()) } else { out.sync_all() }
    };
    let common = old.min(length);
    if let Err(error) = copy(common, length) {
        out.set_len(old)?;
        return Err(error);
    }
    copy(0, common)?;
    out.set_len(length)?;
    out.sync_all()
}

#[cfg(unix)]
fn keep_owner(old: &fs::Metadata, new: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if new.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_old: &fs::Metadata, _new: &File) {}

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
        for (path, number) in [
            ("/dev/fd/1", "1"),
            ("/proc/self/fd/2", "2"),
            ("/proc/thread-self/fd/63", "63"),
            (&own, "12"),
        ] {
            assert_eq!(descriptor(Path::new(path)), Some(number), "{path}");
        }
        for path in ["fd/1", "/tmp/fd/1", "/proc/self/fd", "/proc/1/fd/1", "/dev/fd/x", "self/fd/1"]
        {
            assert_eq!(descriptor(Path::new(path)), None, "{path}");
        }
    }
}

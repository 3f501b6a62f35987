//! [`Recorder`]: a recording of a screen, as an animated GIF or in asciinema's format.
//!
//! Frames are appended to a draft of the file as they come; the draft is renamed to the file at the
//! end, even after a signal. A full disk ends the recording, not the screen.

mod cast;
mod glyphs;
mod picture;

use crate::io::output::Failure;
use bitcade_files::{Draft, OutputFile};
use cast::Cast;
use picture::{Gif, TRAILER};
use ratatui::buffer::Buffer;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// The minimum time between two recorded frames.
const INTERVAL: Duration = Duration::from_millis(80);

pub(crate) struct Recorder {
    draft: Draft,
    format: Format,
    /// The number of bytes of frames in the draft.
    written: u64,
    /// The first error, with the time of the frame that could not be written. No frame follows it.
    failure: Option<(Duration, io::Error)>,
    /// The frame that is not written yet: its duration is only known at the next one.
    pending: Option<(Duration, Buffer)>,
    interval: Duration,
    /// The time from which frames are dropped, to keep a forgotten recording from filling the disk.
    end: Duration,
    /// `true` if frames before a failure are worth keeping, as for a played game.
    keeps_part: bool,
}

enum Format {
    Gif(Box<Gif>),
    Cast(Cast),
}

const MAX_TIME: Duration = Duration::from_hours(1);

/// How long a GIF shows its last frame.
const LAST: Duration = Duration::from_secs(3);

impl Recorder {
    pub(crate) fn new(file: &OutputFile, path: &Path) -> Result<Self, Failure> {
        let extension =
            path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "gif" => Format::Gif(Box::default()),
            "cast" => Format::Cast(Cast::default()),
            _ => {
                let path = path.display();
                return Err(Failure::Input(format!(
                    "--record {path}: expected a name ending in .gif or .cast"
                )));
            }
        };
        Ok(Self {
            draft: file.draft()?,
            format,
            written: 0,
            failure: None,
            pending: None,
            interval: INTERVAL,
            end: MAX_TIME,
            keeps_part: true,
        })
    }

    pub(crate) fn gif(file: &OutputFile) -> Result<Self, Failure> {
        Self::new(file, Path::new("recording.gif"))
    }

    /// Keeps all frames from now on or, after a failure, none. For recordings made faster than real
    /// time, which can be repeated.
    pub(crate) fn keep_all_frames(&mut self) {
        (self.interval, self.end, self.keeps_part) = (Duration::ZERO, Duration::MAX, false);
    }

    /// Sets the background, light or dark, for anything without its own color.
    pub(crate) fn set_light(&mut self, light: bool) {
        if let Format::Gif(gif) = &mut self.format {
            gif.set_light(light);
        }
    }

    /// Records a frame that is shown from the time `now` on. [`Recorder::finish`] reports failures.
    pub(crate) fn frame(&mut self, now: Duration, buffer: &Buffer) {
        // A terminal may not know its size yet.
        if now > self.end || self.failure.is_some() || buffer.area.is_empty() {
            return;
        }
        match &mut self.pending {
            // Frames that follow too quickly replace each other.
            Some((since, pending)) if now.saturating_sub(*since) < self.interval => {
                pending.clone_from(buffer);
            }
            _ => {
                if let Some((since, pending)) = self.pending.take() {
                    self.write(since, now, &pending);
                }
                self.pending = Some((now, buffer.clone()));
            }
        }
    }

    fn write(&mut self, since: Duration, until: Duration, buffer: &Buffer) {
        if self.failure.is_some() {
            return;
        }
        let (bytes, end) = match &mut self.format {
            Format::Gif(gif) => (gif.frame(until.saturating_sub(since), buffer), &[TRAILER][..]),
            Format::Cast(cast) => (cast.frame(since, buffer), &[][..]),
        };
        let header = match &self.format {
            Format::Gif(gif) => gif.size(),
            Format::Cast(_) => None,
        };
        let written = self.written;
        let file = self.draft.file();
        let mut write_at = |at: u64, bytes: &[u8]| {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(bytes)
        };
        let mut add = |bytes: Vec<u8>| {
            write_at(written, &[&bytes, end].concat())?;
            if let Some((at, size)) = header {
                write_at(at, &size)?;
            }
            Ok(bytes.len())
        };
        match bytes.and_then(&mut add) {
            Ok(length) => self.written += length as u64,
            Err(error) => {
                self.failure = Some((since, error));
                // The preceding frames form a complete recording again; even a full disk has space
                // for this.
                if written > 0 {
                    let _ = write_at(written, end);
                }
                let _ = file.set_len(written + end.len() as u64);
            }
        }
    }

    /// Renames the draft to its file. [`Failure::Check`] if the recording is incomplete. A partial
    /// recording is kept if it can't be repeated.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if let Some((since, pending)) = self.pending.take() {
            self.write(since, since + LAST, &pending);
        }
        let Self { draft, failure, written, keeps_part, .. } = self;
        let name = draft.name().to_owned();
        let folder = draft.folder().display().to_string();
        match failure {
            Some((time, error)) if keeps_part && written > 0 => {
                draft.keep()?;
                let seconds = time.as_secs_f64();
                Err(Failure::Check(format!(
                    "{name}: the recording ends after {seconds:.1} s: {folder}: {error}"
                )))
            }
            Some((_, error)) => {
                Err(Failure::Check(format!("{name}: not recorded: {folder}: {error}")))
            }
            None if written == 0 => {
                Err(Failure::Check(format!("{name}: not recorded: nothing was shown")))
            }
            None => draft.keep(),
        }
    }
}

//! [`Recorder`]: a recording of a screen, as an animated GIF or in the format of asciinema.
//!
//! The frames go to a temporary file as they come. The file that was named gets the whole at the end, also
//! after a signal.

mod cast;
mod glyphs;
mod picture;

use crate::atomic_file::OutputFile;
use crate::output::Failure;
use cast::Cast;
use picture::Gif;
use ratatui::buffer::Buffer;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};
use std::path::Path;
use std::time::Duration;

/// The shortest time between two recorded frames.
const INTERVAL: Duration = Duration::from_millis(80);

/// A recording that is being made.
pub(crate) struct Recorder {
    file: OutputFile,
    format: Format,
    /// The frame that is not written yet: how long it lasts is known at the next one.
    pending: Option<(Duration, Buffer)>,
    /// The shortest time between two frames.
    interval: Duration,
    /// The time from which frames are dropped, so that a forgotten recording fills no disk.
    end: Duration,
}

enum Format {
    Gif(Gif<BufWriter<File>>),
    Cast(Cast<BufWriter<File>>),
}

/// The longest recording.
const MAX_TIME: Duration = Duration::from_hours(1);

/// The time for which a GIF shows its last frame.
const LAST: Duration = Duration::from_secs(3);

impl Recorder {
    /// Creates a recording for a file, by the end of its name.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it is neither `.gif` nor `.cast`.
    pub(crate) fn new(file: OutputFile, path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::Check(format!("--record: {error}"));
        let temporary = || tempfile::tempfile().map(BufWriter::new).map_err(failed);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "gif" => Format::Gif(Gif::new(temporary()?)),
            "cast" => Format::Cast(Cast::new(temporary()?)),
            _ => {
                let path = path.display();
                return Err(Failure::Input(format!("--record {path}: expected a name in .gif or .cast")));
            }
        };
        Ok(Self { file, format, pending: None, interval: INTERVAL, end: MAX_TIME })
    }

    /// Creates a GIF, also for a file of another name.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if there is no temporary file.
    pub(crate) fn gif(file: OutputFile) -> Result<Self, Failure> {
        Self::new(file, Path::new("recording.gif"))
    }

    /// Keeps all frames from now on, for recordings that are not made in real time.
    pub(crate) fn keep_all_frames(&mut self) {
        (self.interval, self.end) = (Duration::ZERO, Duration::MAX);
    }

    /// Takes the frame that is shown from the time `now` on.
    pub(crate) fn frame(&mut self, now: Duration, buffer: &Buffer) -> io::Result<()> {
        if now > self.end {
            return Ok(());
        }
        match &mut self.pending {
            // Frames that follow too quickly replace each other.
            Some((since, pending)) if now.saturating_sub(*since) < self.interval => {
                pending.clone_from(buffer);
            }
            _ => {
                if let Some((since, pending)) = self.pending.take() {
                    self.write(since, now, &pending)?;
                }
                self.pending = Some((now, buffer.clone()));
            }
        }
        Ok(())
    }

    /// Writes a frame that is shown from `since` to `until`.
    fn write(&mut self, since: Duration, until: Duration, buffer: &Buffer) -> io::Result<()> {
        match &mut self.format {
            Format::Gif(gif) => gif.frame(until.saturating_sub(since), buffer),
            Format::Cast(cast) => cast.frame(since, buffer),
        }
    }

    /// Writes the recording to its file.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if it cannot be written.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let mut finish = || -> io::Result<File> {
            if let Some((since, pending)) = self.pending.take() {
                self.write(since, since + LAST, &pending)?;
            }
            let written = match std::mem::replace(
                &mut self.format,
                Format::Cast(Cast::new(BufWriter::new(tempfile::tempfile()?))),
            ) {
                Format::Gif(gif) => gif.finish()?,
                Format::Cast(cast) => cast.finish()?,
            };
            let mut file = written.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(file)
        };
        let failed = |error: io::Error| Failure::Check(format!("--record: {error}"));
        let mut recording = finish().map_err(failed)?;
        let mut result = Ok(());
        self.file.write(|sink| {
            let mut part = vec![0; 1 << 16];
            loop {
                match recording.read(&mut part) {
                    Ok(0) => break,
                    Ok(length) => sink(&part[..length]),
                    Err(error) => {
                        result = Err(error);
                        break;
                    }
                }
            }
        })?;
        result.map_err(failed)
    }
}

//! The options shared by all screens.

use super::record::Recorder;
use super::theme::Theme;
use crate::arguments::{parse_sides, parse_time};
use crate::io::output::Failure;
use bitcade_files::{Existing, OutputFile};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ScreenArgs {
    /// Record the screen: FILE.gif is an animated picture, FILE.cast is for asciinema's player
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Replace files that are not empty
    #[arg(long)]
    pub(crate) force: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Quit automatically after a time such as 20s or 2m
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Columns and rows of a recording made without a terminal
    #[arg(long, value_name = "NxM", default_value = "80x24", value_parser = parse_screen)]
    pub(crate) screen: (u16, u16),
}

fn parse_screen(text: &str) -> Result<(u16, u16), String> {
    parse_sides(text, 10..=400).map(|(width, height)| (width as u16, height as u16))
}

impl ScreenArgs {
    pub(crate) fn theme(&self, has_terminal: bool) -> Theme {
        if has_terminal {
            Theme::detect(self.ascii)
        } else {
            Theme { unicode: !self.ascii, ..Theme::FULL }
        }
    }

    /// Checks the recording's file before anything else happens.
    pub(crate) fn recorder(&self) -> Result<Option<Recorder>, Failure> {
        let file =
            self.record.as_ref().map(|path| OutputFile::check(path, Existing::forced(self.force)));
        self.recorder_for(file.transpose()?)
    }

    pub(crate) fn recorder_for(
        &self,
        file: Option<OutputFile>,
    ) -> Result<Option<Recorder>, Failure> {
        let named = file.zip(self.record.as_ref());
        named.map(|(file, path)| Recorder::new(&file, path)).transpose()
    }
}

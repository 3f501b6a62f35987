//! [`Saved`]: a run that can be continued.

use super::PlaytestArgs;
use crate::io::input::Input;
use crate::io::output::{Checkpoints, Failure};
use crate::io::stopwatch::Stopwatch;
use bitcade_files::OutputFile;
use match3::level::{Level, PlaytestReport};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The time between two saves.
const EVERY: Duration = Duration::from_secs(2);

/// The reports so far, and their file.
pub(super) struct Saved {
    file: Option<OutputFile>,
    run: Run,
    last: Stopwatch,
    checkpoints: Checkpoints,
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    playtest: u32,
    seed: u64,
    /// The levels, as their files have them.
    levels: Vec<String>,
    agents: Vec<String>,
    reports: Vec<PlaytestReport>,
    /// The CRC-32 of the file with a 0 here.
    crc32: u32,
}

const VERSION: u32 = 1;

impl Saved {
    /// Returns a run that isn't kept.
    pub(super) fn none() -> Self {
        Self {
            file: None,
            run: Run::default(),
            last: Stopwatch::start(),
            checkpoints: Checkpoints::default(),
        }
    }

    /// Keeps a run in a file. Reads what is there to resume.
    pub(super) fn open(
        file: Option<OutputFile>,
        arguments: &PlaytestArgs,
        levels: &[(String, Arc<Level>)],
    ) -> Result<Self, Failure> {
        let mut saved = Self::none();
        saved.run = Run {
            playtest: VERSION,
            seed: arguments.seed,
            levels: levels.iter().map(|(_, level)| level.to_toml()).collect(),
            agents: arguments.agents.0.iter().map(ToString::to_string).collect(),
            reports: Vec::new(),
            crc32: 0,
        };
        saved.file = file;
        if let (Some(path), true) = (&arguments.out, arguments.resume) {
            let is_run = |bytes: &[u8]| bytes.starts_with(b"{\"playtest\":");
            let input = Input::resume(path, "a run, as saved by match3 playtest", is_run)?;
            let mut found: Run = serde_json::from_str(&input.text)
                .map_err(|error| input.error(format_args!("{error}")))?;
            let crc32 = std::mem::take(&mut found.crc32);
            if crc32 != checksum(&found)? {
                return Err(input.error("its checksum differs: the file was changed"));
            }
            let of = |run: &Run| (run.seed, run.levels.clone(), run.agents.clone());
            if found.playtest != VERSION || of(&found) != of(&saved.run) {
                return Err(input.error("expected the levels, agents and seed of this run"));
            }
            saved.run.reports = found.reports;
        }
        Ok(saved)
    }

    /// Returns the games of a test so far.
    pub(super) fn report(&self, number: usize) -> PlaytestReport {
        self.run.reports.get(number).cloned().unwrap_or_default()
    }

    /// Keeps the games of a test so far, and saves them from time to time.
    pub(super) fn keep(&mut self, number: usize, report: &PlaytestReport) {
        if self.file.is_none() {
            return;
        }
        if self.run.reports.len() <= number {
            self.run.reports.resize_with(number + 1, PlaytestReport::default);
        }
        self.run.reports[number] = report.clone();
        if self.last.elapsed() >= EVERY {
            self.last = Stopwatch::start();
            let saved = self.save();
            self.checkpoints.take(saved);
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.save()
    }

    fn save(&mut self) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        self.run.crc32 = 0;
        self.run.crc32 = checksum(&self.run)?;
        let text = serde_json::to_string(&self.run).map_err(std::io::Error::from)?;
        file.write(|sink| {
            sink(text.as_bytes());
            sink(b"\n");
        })
    }
}

fn checksum(run: &Run) -> Result<u32, Failure> {
    Ok(crc32fast::hash(&serde_json::to_vec(run).map_err(std::io::Error::from)?))
}

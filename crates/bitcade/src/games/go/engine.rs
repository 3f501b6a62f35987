//! The engine behind `bitcade go gtp` and `bitcade play go`.

use super::arguments::{ko_rule, parse_go_side};
use super::net_args::NetArgs;
use super::prior_file::PriorFile;
use crate::arguments::{number_in, parse_positive, parse_seed, parse_time};
use crate::io::interrupt;
use crate::io::lines::{InputLines, PendingLines};
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::{one_per_core, parse_threads};
use clap::Args;
use go_mc::gtp::{Budget, Host, Options, Session};
use go_mc::search::{MAX_KOMI, Settings};
use go_mc::{Game, Ko, Rules, Size, is_open};
use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct EngineArgs {
    /// Board size: 5, 9, 13 or 19; 9x9 means 9
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = parse_go_side)]
    size: usize,
    /// Points that White gets for moving second, -361 to 361
    #[arg(long, default_value_t = 7.5, value_parser = number_in(-f64::from(MAX_KOMI)..=f64::from(MAX_KOMI)))]
    komi: f64,
    /// Ko rule: simple, positional or situational
    #[arg(long, value_name = "RULE", default_value = "positional", value_parser = ko_rule(), hide_possible_values = true)]
    ko: Ko,
    /// Playouts per move, by default on one thread, which makes the moves reproducible on every
    /// machine
    #[arg(long, conflicts_with = "seconds", value_parser = parse_positive)]
    playouts: Option<u64>,
    /// Time per move, such as 2 (seconds), 500ms or 1m, unless the protocol sets a clock
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_time)]
    seconds: Duration,
    /// Number of threads, which share one search tree: with several, moves vary between runs
    /// [default: one per core; one with --playouts]
    #[arg(long, value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
    /// Use light (uniformly random) playouts instead of heavy ones: faster, but weaker
    #[arg(long)]
    light: bool,
    /// Memory of the search tree, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = number_in(1u64..=65536))]
    memory: u64,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// The prior of the search, as written by `go learn`, or `none`, which has no knowledge
    /// [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    prior: Option<PriorFile>,
    #[command(flatten)]
    net: NetArgs,
    /// Resign below this win rate, 0 to 1, on the third consecutive turn on which the best move has
    /// it after at least 200 playouts
    #[arg(long, value_name = "WIN_RATE", default_value_t = 0.05, value_parser = number_in(0.0f64..=1.0))]
    resign: f64,
    /// Count all stones on the board as alive at the end: dead stones are captured before passing,
    /// and a pass that wins answers a pass even while the game is open
    #[arg(long)]
    tromp_taylor: bool,
}

/// The memory per node: 32 bytes, doubled because playing a move copies the subtree.
const NODE_BYTES: u64 = 64;

impl EngineArgs {
    pub(crate) fn threads(&self) -> usize {
        let default = if self.playouts.is_some() { NonZeroUsize::MIN } else { one_per_core() };
        self.threads.unwrap_or(default).get()
    }

    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let mut search = Settings {
            threads: self.threads(),
            max_nodes: ((self.memory << 20) / NODE_BYTES) as usize,
            seed: self.seed,
            resign_threshold: self.resign,
            tromp_taylor: self.tromp_taylor,
            prior: PriorFile::or_builtin(self.prior.as_ref())?,
            ..if self.light { Settings::light() } else { Settings::default() }
        };
        self.net.apply(&mut search)?;
        let budget = self.playouts.map_or(Budget::Time(self.seconds), Budget::Playouts);
        let size = Size::square(self.size).expect("a size that was parsed");
        let rules = Rules { ko: self.ko, ..size.into() };
        Ok(Options { rules, komi: self.komi, budget, search })
    }

    pub(super) fn session(&self) -> Result<Session, Failure> {
        Session::new(self.options()?).map_err(|error| Failure::Input(format!("--size: {error}")))
    }
}

/// The playouts that tell whether a game is open: on 19 x 19, a twentieth of a second's worth.
const OPEN_PLAYOUTS: u32 = 300;

/// Returns whether a pass of the user may end a game in which something is left to play for. Where
/// all stones count as alive, the engine answers any pass by one that wins.
pub(super) fn may_end_open(game: &Game, tromp_taylor: bool) -> bool {
    (tromp_taylor || game.passes() == 1) && is_open(game.board(), OPEN_PLAYOUTS, 1).unwrap_or(false)
}

pub(super) struct SystemHost {
    start: Stopwatch,
    pending_lines: PendingLines,
}

impl SystemHost {
    /// From now on, signals end searches, not the program.
    pub(super) fn new(lines: &InputLines) -> Self {
        Self { start: Stopwatch::start(), pending_lines: lines.pending() }
    }
}

/// The size limit of a game record.
const MAX_FILE_BYTES: u64 = 1 << 24;

impl Host for SystemHost {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn line_arrived(&self) -> Option<Duration> {
        let waiting = self.pending_lines.waiting()?;
        Some(self.now().saturating_sub(waiting))
    }

    fn interrupted(&self) -> bool {
        interrupt::arrived()
    }

    fn input_pending(&self) -> bool {
        self.pending_lines.any()
    }

    fn abandoned(&self) -> bool {
        self.pending_lines.abandoned()
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        let failed = |error: io::Error| format!("{path}: {error}");
        // Reading a pipe could block forever, as could a system file that is longer than its
        // reported size.
        let data = fs::metadata(path).map_err(failed)?;
        if !data.is_file() || !(1..=MAX_FILE_BYTES).contains(&data.len()) {
            return Err(format!("{path}: expected a file of 1 to {MAX_FILE_BYTES} bytes"));
        }
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(data.len()).read_to_end(&mut bytes))
            .map_err(failed)?;
        Ok(bytes)
    }
}

//! What `bitcade contest solve` is told.

use crate::atomic_file::write_atomically;
use crate::input::{Input, parse_seconds};
use crate::output::Failure;
use clap::{Args, ValueEnum};
use std::fmt::Display;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use tetris_ai::beam::Widths;
use tetris_ai::contest::PIECES;
use tetris_ai::solver::IPieceExtension;
use tetris_ai::tree::MAX_DEPTH;

/// The arguments of both searches.
#[derive(Args)]
pub(crate) struct Solve {
    /// How to search [default: that of the flags or of the resumed file, else beam]
    #[arg(long)]
    search: Option<Search>,
    /// The seed of the sequence [default: 12358]
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// How many pieces to place [default: 10000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=PIECES as u64))]
    pieces: Option<u64>,
    /// End after so many seconds: the beam counts those before a resume too, and chooses its widths so that the game is
    /// complete by then; the tree stops where it is [default for the beam: that of the resumed file, else 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) time: Option<Duration>,
    /// Beam: how many boards to keep, as W or piece by piece as WxPIECES,..,W
    #[arg(long, value_name = "WIDTHS", conflicts_with = "time")]
    pub(super) width: Option<Widths>,
    /// Tree: how many pieces deep to search [default: 8]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_DEPTH as u64))]
    pub(super) depth: Option<u64>,
    /// Tree: how deep to search to get out of a dead end [default: 12]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_DEPTH as u64))]
    pub(super) most: Option<u64>,
    /// Tree: search deeper before I pieces, for so many pieces, so deep (the contest's seventh place had 9:10)
    #[arg(long, value_name = "PIECES:DEPTH", value_parser = parse_early)]
    pub(super) early: Option<IPieceExtension>,
    /// Tree: stop after so many searched pieces, those that were taken back included
    #[arg(long)]
    pub(super) steps: Option<u64>,
    /// Threads of the search; the result is the same with any number [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where to write the record
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Go on with the game of that file
    #[arg(long)]
    pub(super) resume: bool,
    /// Save at least this often, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    pub(super) save_every: Duration,
}

/// The two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// All pieces at once, the best boards after each
    Beam,
    /// One piece after the other, some pieces deep
    Tree,
}

/// `9:10`: for nine pieces, ten deep.
fn parse_early(text: &str) -> Result<IPieceExtension, String> {
    let early = text.split_once(':').and_then(|(pieces, depth)| {
        Some(IPieceExtension { pieces: pieces.parse().ok()?, depth: depth.parse().ok()? })
    });
    let valid = |early: &IPieceExtension| early.pieces > 0 && (1..=MAX_DEPTH).contains(&early.depth);
    early.filter(valid).ok_or(format!("expected PIECES:DEPTH, a depth of at most {MAX_DEPTH}"))
}

impl Solve {
    /// How many pieces to place.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.map_or(PIECES, |pieces| pieces as usize)
    }

    /// Whether that was said.
    pub(super) fn says_pieces(&self) -> bool {
        self.pieces.is_some()
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// Writes a state, its record first.
    pub(super) fn save(&self, state: &impl Display) -> Result<(), Failure> {
        let text = state.to_string();
        write_atomically(&self.out, |sink| sink(text.as_bytes()))
    }

    /// The search that is asked for, by name or by a flag of its own.
    pub(super) fn search(&self, resumed: Option<&Input>) -> Result<Search, Failure> {
        let of_tree = [
            ("--depth", self.depth.is_some()),
            ("--most", self.most.is_some()),
            ("--early", self.early.is_some()),
            ("--steps", self.steps.is_some()),
        ];
        let of_beam = [("--width", self.width.is_some())];
        let flag = |flags: &[(&'static str, bool)]| flags.iter().find(|flag| flag.1).map(|flag| flag.0);
        let (tree, beam) = (flag(&of_tree), flag(&of_beam));
        let begun = resumed.map(|input| {
            let line = input.text.lines().nth(1).unwrap_or_default();
            if line.starts_with("# tree") { Search::Tree } else { Search::Beam }
        });
        let by_flag = tree.map(|_| Search::Tree).or(beam.map(|_| Search::Beam));
        let search = self.search.or(by_flag).or(begun).unwrap_or(Search::Beam);
        let (wrong, name) = match search {
            Search::Beam => (tree, "beam"),
            Search::Tree => (beam, "tree"),
        };
        if let Some(flag) = wrong {
            return Err(Failure::Input(format!("{flag}: the {name} search has no such flag")));
        }
        match (resumed, begun) {
            (Some(input), Some(begun)) if begun != search => {
                Err(input.error("line 2: this game was begun by the other search, expected the same"))
            }
            _ => Ok(search),
        }
    }
}

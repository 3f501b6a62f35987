//! The arguments of `bitcade contest solve`.

use crate::arguments::{number_in, parse_positive, parse_seed, parse_time, parse_time_above_0};
use crate::io::input::Input;
use crate::io::output::Failure;
use crate::io::threads::Threads;
use bitcade_files::{Existing, OutputFile};
use clap::{Args, ValueEnum};
use std::fmt::{self, Display, Write};
use std::path::PathBuf;
use std::time::Duration;
use tetris_ai::contest::PIECES;
use tetris_ai::contest::beam::Widths;
use tetris_ai::contest::tree::{IPieceExtension, MAX_DEPTH};

#[derive(Args)]
pub(crate) struct Solve {
    /// The search [default: the one that other flags or the resumed file imply, else beam]
    #[arg(long)]
    search: Option<Search>,
    /// The seed of the sequence [default: 12358]
    #[arg(long, value_parser = parse_seed)]
    pub(super) seed: Option<u64>,
    /// The number of pieces to place [default: 10000]
    #[arg(long, value_parser = number_in(1..=PIECES as u64))]
    pieces: Option<u64>,
    /// Time limit, such as 90 (seconds), 90s, 10m or 1h. The beam chooses its widths to finish the
    /// game by then, and counts the time before a resume; the tree stops where it is [default for
    /// the beam: the resumed file's limit, else 60]
    #[arg(long, value_name = "T", value_parser = parse_time_above_0)]
    pub(super) time: Option<Duration>,
    /// Beam: the number of boards to keep, such as 500, or piece by piece such as 900x50,500. With
    /// --resume the widths must begin with those the game was played with
    #[arg(long, value_name = "WIDTHS", conflicts_with = "time")]
    pub(super) width: Option<Widths>,
    /// Tree: the search depth in pieces [default: 8]
    #[arg(long, value_parser = number_in(1..=MAX_DEPTH as u64))]
    pub(super) depth: Option<u64>,
    /// Tree: the maximum search depth out of a dead end [default: 12]
    #[arg(long, value_parser = number_in(1..=MAX_DEPTH as u64))]
    pub(super) most: Option<u64>,
    /// Tree: the number of pieces before each I piece that are searched deeper, and their depth
    /// (the contest's seventh place used 9:10)
    #[arg(long, value_name = "PIECES:DEPTH", value_parser = parse_early)]
    pub(super) early: Option<IPieceExtension>,
    /// Tree: stop after this many steps; a step places a piece or takes some back
    #[arg(long, value_parser = parse_positive)]
    pub(super) steps: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// The file for the record; `-` is standard output: results then go to standard error
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Resume the game in that file
    #[arg(long)]
    pub(super) resume: bool,
    /// Replace the file if it contains another run's game
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Save at least this often
    #[arg(long, value_name = "T", default_value = "5", value_parser = parse_time)]
    pub(super) save_every: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// Beam search over the whole game
    Beam,
    /// Tree search before each piece
    Tree,
}

/// Parses PIECES:DEPTH, as `9:10` for nine pieces at depth ten.
fn parse_early(text: &str) -> Result<IPieceExtension, String> {
    let early = text.split_once(':').and_then(|(pieces, depth)| {
        Some(IPieceExtension { pieces: pieces.parse().ok()?, depth: depth.parse().ok()? })
    });
    let valid =
        |early: &IPieceExtension| early.pieces > 0 && (1..=MAX_DEPTH).contains(&early.depth);
    early.filter(valid).ok_or(format!(
        "expected PIECES:DEPTH such as 9:10, at least one piece and a depth from 1 to {MAX_DEPTH}"
    ))
}

/// Writes a checkpoint, its record in the first line.
pub(super) fn save(out: &OutputFile, state: &impl Display) -> Result<(), Failure> {
    // Piece by piece: the whole text of a wide beam takes as much memory as the beam.
    out.write(|sink| {
        let _ = write!(Pieces(sink), "{state}");
    })
}

/// The pieces of a formatted text, as bytes.
struct Pieces<'a>(&'a mut dyn FnMut(&[u8]));

impl Write for Pieces<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        (self.0)(text.as_bytes());
        Ok(())
    }
}

impl Solve {
    pub(super) fn pieces(&self) -> usize {
        self.pieces.map_or(PIECES, |pieces| pieces as usize)
    }

    pub(super) fn has_pieces(&self) -> bool {
        self.pieces.is_some()
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.count()
    }

    pub(super) fn check_out(&self) -> Result<OutputFile, Failure> {
        OutputFile::check(&self.out, Existing::forced_or_resumed(self.force, self.resume))
    }

    /// Returns the search chosen by --search, by a flag specific to one search, or by the resumed
    /// file.
    pub(super) fn search(&self, resumed: Option<&Input>) -> Result<Search, Failure> {
        let of_tree = [
            ("--depth", self.depth.is_some()),
            ("--most", self.most.is_some()),
            ("--early", self.early.is_some()),
            ("--steps", self.steps.is_some()),
        ];
        let of_beam = [("--width", self.width.is_some())];
        let flag =
            |flags: &[(&'static str, bool)]| flags.iter().find(|flag| flag.1).map(|flag| flag.0);
        let tree = flag(&of_tree);
        let beam = flag(&of_beam);
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
                Err(input
                    .error("line 2: this game was begun by the other search, expected the same"))
            }
            _ => Ok(search),
        }
    }
}

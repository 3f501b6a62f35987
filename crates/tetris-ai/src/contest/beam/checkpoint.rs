//! The text form of a [`Beam`]: a checkpoint.
//!
//! ```text
//! N,C1,L2,D17,..                        the best record so far
//! # beam: seed 12358 pieces 10000 trunk 4711 placements 123456 spent 0 allowed 0 widths ..
//! # weights: row_transitions -50 ..     the weights by name
//! # 0.1a3 0.2b4                         first layer after the trunk: PARENT.PLACEMENT, both in hexadecimal
//! # 0.15 1.16 1.17                      second layer
//! # version 2 checksum crc32 5a0e17c3   the checksum of all lines before it
//! ```
//!
//! The trunk is the number of leading pieces of the record whose placements are shared by all
//! boards of the beam. A parent is the number of a board in the previous line; a placement has the
//! bits of [`pack`]. Parsing replays every link and rejects illegal ones. A finished beam writes no
//! layers: only its record is left.

use super::movegen::{MOVE_TABLES, placements};
use super::node::{BeamNode, PARTITIONS, partition_of};
use super::parent_links::{ParentLink, ParentLinks};
use super::patterns::Patterns;
use super::placement::{pack, unpack};
use super::search::{Beam, Budget};
use super::weights_text;
use super::widths::Widths;
use crate::contest::checkpoint_error::{BEAM, ParseCheckpointError};
use crate::contest::checksum::{self, ChecksumWriter};
use crate::contest::falling_piece::FallingPiece;
use crate::contest::game::Game;
use crate::contest::record::Record;
use crate::contest::sequence::{PIECES, Sequence};
use crate::contest::state_line::StateLine;
use crate::contest::verify::verify;
use std::collections::HashSet;
use std::fmt::{self, Write};
use std::str::FromStr;

impl fmt::Display for Beam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written piece by piece, because the layers of a wide beam are long.
        let mut text = ChecksumWriter::new(f);
        write!(text, "{}", self.record())?;
        // Once the beam has finished, only the record matters.
        let finished = self.pieces() == self.goal;
        let trunk = if finished { self.goal } else { self.links.trunk().len() };
        let seed = self.sequence.seed();
        let goal = self.goal;
        write!(
            text,
            "\n{BEAM} seed {seed} pieces {goal} trunk {trunk} placements {}",
            self.generated
        )?;
        let widths = self.widths.to_string();
        let widths = if widths.is_empty() { "-" } else { &widths };
        writeln!(
            text,
            " spent {} allowed {} widths {widths}",
            self.budget.spent, self.budget.allowed
        )?;
        weights_text::write(self.weights(), &mut text)?;
        for layer in self.links.layers().iter().filter(|_| !finished) {
            text.write_str("#")?;
            for link in layer {
                write!(text, " {:x}.{:x}", link.parent, link.placement)?;
            }
            writeln!(text)?;
        }
        text.finish()
    }
}

impl FromStr for Beam {
    type Err = ParseCheckpointError;

    /// Parses a beam whose weights have the patterns [`Patterns::FITTED`] or none.
    fn from_str(text: &str) -> Result<Self, ParseCheckpointError> {
        Self::parse_with(text, Patterns::FITTED)
    }
}

impl Beam {
    /// Parses a beam whose weights have the given patterns, or none.
    ///
    /// # Errors
    ///
    /// [`ParseCheckpointError`] with the first invalid line.
    pub fn parse_with(
        text: &str,
        patterns: &'static Patterns,
    ) -> Result<Self, ParseCheckpointError> {
        let mut lines = checksum::checked(text)?.lines();
        let record: Record = lines.next().unwrap_or_default().parse()?;
        let ([seed, goal, trunk, generated, spent, allowed], widths) =
            lines.next().and_then(state).ok_or(ParseCheckpointError::BeamState)?;
        let weights = weights_text::parse(lines.next().unwrap_or_default(), patterns)?;
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let goal = size(goal);
        let trunk = size(trunk);
        if trunk > goal || goal > PIECES || trunk > record.turns().len() {
            return Err(ParseCheckpointError::BeamNumbers);
        }
        let mut beam = Self::new(Sequence::new(seed), goal, weights);
        verify(&record, &beam.sequence)?;
        let (root, trunk) =
            replay(&record, trunk, &beam.sequence).ok_or(ParseCheckpointError::BeamNumbers)?;
        beam.links = ParentLinks::new(trunk);
        let mut nodes = vec![root];
        for (line, text) in (4..).zip(lines) {
            nodes = beam.layer(line, text, &nodes)?;
        }
        beam.partitions = vec![Vec::new(); PARTITIONS];
        for node in nodes {
            beam.partitions[partition_of(node.hash)].push(node);
        }
        (beam.generated, beam.widths) = (generated, widths);
        beam.budget = Budget { spent, allowed };
        if beam.widths.pieces() != Some(beam.pieces()) {
            return Err(ParseCheckpointError::BeamNumbers);
        }
        Ok(beam)
    }

    /// Parses and replays the links of one line.
    fn layer(
        &mut self,
        line: usize,
        text: &str,
        before: &[BeamNode],
    ) -> Result<Vec<BeamNode>, ParseCheckpointError> {
        let piece = self.links.len();
        let known = &self.sequence.pieces()[..self.goal];
        let text = text.strip_prefix('#').ok_or(ParseCheckpointError::Layer { line })?;
        let &piece_here = known.get(piece).ok_or(ParseCheckpointError::Layer { line })?;
        let moves = &MOVE_TABLES[piece_here.kind() as usize];
        let mut places: Vec<Option<Vec<FallingPiece>>> = vec![None; before.len()];
        let (mut links, mut nodes): (Vec<_>, Vec<BeamNode>) = (Vec::new(), Vec::new());
        for (i, word) in text.split_whitespace().enumerate() {
            let wrong = ParseCheckpointError::Link { line, link: i + 1 };
            let link = link(word).ok_or(wrong)?;
            let parent = before.get(link.parent as usize).ok_or(wrong)?;
            let placement = unpack(link.placement, moves.kind).ok_or(wrong)?;
            let places = places[link.parent as usize]
                .get_or_insert_with(|| placements(&parent.board(), piece_here));
            if !places.contains(&placement) {
                return Err(wrong);
            }
            nodes.push(parent.child(moves, placement, piece + 1 < PIECES, 0).rehashed());
            links.push(link);
        }
        let partitions = nodes.iter().map(|node| partition_of(node.hash));
        let hashes: HashSet<u64> = nodes.iter().map(|node| node.hash).collect();
        if nodes.is_empty() || hashes.len() < nodes.len() || !partitions.is_sorted() {
            return Err(ParseCheckpointError::Layer { line });
        }
        self.links.push_uncompacted(links);
        Ok(nodes)
    }
}

fn replay(record: &Record, pieces: usize, sequence: &Sequence) -> Option<(BeamNode, Vec<u16>)> {
    let mut game = Game::new(sequence);
    let mut packed = Vec::new();
    for turn in &record.turns()[..pieces] {
        let FallingPiece { piece, x, y } = game.play(turn)?.canonical();
        packed.push(pack(piece.state().into(), x as u32, usize::try_from(y).ok()?));
    }
    let goes_on = game.over().is_none() || game.pieces() == PIECES;
    goes_on.then(|| (BeamNode::new(game.board(), game.score() as u32), packed))
}

/// Parses a link such as `1f.2a3`.
fn link(word: &str) -> Option<ParentLink> {
    let (parent, placement) = word.split_once('.')?;
    Some(ParentLink {
        parent: u32::from_str_radix(parent, 16).ok()?,
        placement: u16::from_str_radix(placement, 16).ok()?,
    })
}

fn state(line: &str) -> Option<([u64; 6], Widths)> {
    let mut line = StateLine::new(line, BEAM)?;
    let numbers = line.numbers(["seed", "pieces", "trunk", "placements", "spent", "allowed"])?;
    let widths = match line.word("widths")? {
        "-" => Widths::default(),
        widths => widths.parse().ok()?,
    };
    line.end()?;
    Some((numbers, widths))
}

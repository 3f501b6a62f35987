//! [`Snapshot`]: a replay's board with the piece that just locked.

use crate::games::tetris::cells::{Cells, Tile};
use crate::games::tetris::field::Placed;
use serde::Serialize;
use tetris_ai::contest::{FallingPiece, Game, KeyPresses, PIECES, ROWS, Record, Sequence, bounds};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Empty,
    Stack,
    /// A cell of the piece that just locked.
    Piece,
}

/// A board on which a piece just locked, before full rows are removed.
pub(super) struct Snapshot {
    pub(super) piece: usize,
    pub(super) score: u64,
    /// The upper bound of the score after this many pieces.
    pub(super) bound: u64,
    /// The locked cells, without this piece. They count rows from the bottom, the contest from the
    /// top.
    pub(super) cells: Cells,
    pub(super) falling: FallingPiece,
    pub(super) keys: String,
    lines: u32,
    pub(super) total_lines: u32,
}

#[derive(Serialize)]
pub(super) struct PieceRecord<'a> {
    piece: usize,
    shape: String,
    rotation: u8,
    x: i8,
    y: i8,
    keys: &'a str,
    lines: u32,
    score: u64,
}

impl Snapshot {
    pub(super) fn cell(&self, x: i8, y: i8) -> Cell {
        if self.falling.cells().contains(&(x, y)) {
            Cell::Piece
        } else if self.cells.tile(x.into(), from_below(y)) == Tile::Empty {
            Cell::Empty
        } else {
            Cell::Stack
        }
    }

    pub(super) fn placed(&self) -> Placed {
        placed(self.falling)
    }

    pub(super) fn record(&self) -> PieceRecord<'_> {
        let FallingPiece { piece, x, y } = self.falling;
        PieceRecord {
            piece: self.piece,
            shape: piece.kind().to_string(),
            rotation: piece.canonical().state(),
            x,
            y,
            keys: &self.keys,
            lines: self.lines,
            score: self.score,
        }
    }

    pub(super) fn line(&self) -> String {
        format!("piece {} {}, score {}", self.piece, self.falling.piece.kind(), self.score)
    }
}

fn from_below(y: i8) -> i32 {
    ROWS as i32 - 1 - i32::from(y)
}

fn placed(falling: FallingPiece) -> Placed {
    (falling.piece.kind(), falling.cells().map(|(x, y)| (x.into(), from_below(y))))
}

/// One per piece, at most [`PIECES`].
pub(super) fn snapshots(record: &Record, sequence: &Sequence) -> Vec<Snapshot> {
    let mut game = Game::new(sequence);
    let mut locked = Cells::default();
    let mut snapshots = Vec::new();
    let total =
        |clears: [u32; 4]| (1..).zip(clears).map(|(lines, clears)| lines * clears).sum::<u32>();
    // The last piece of a whole game scores nothing.
    let bounds = bounds(&sequence.pieces()[..PIECES - 1]);
    for (turn, piece) in record.turns().iter().zip(1..) {
        let before = total(game.clears());
        let Some(falling) = game.play(turn) else { break };
        let score = game.score();
        let total_lines = total(game.clears());
        let bound = bounds[piece.min(PIECES - 1) - 1];
        let keys = text_of(turn);
        let lines = total_lines - before;
        let cells = locked.clone();
        let (kind, at) = placed(falling);
        locked.place(kind, at);
        locked.shift(locked.full_rows(), 0);
        snapshots.push(Snapshot { piece, score, bound, cells, falling, keys, lines, total_lines });
        if game.over().is_some() {
            break;
        }
    }
    snapshots
}

/// Returns key presses in the record's notation, such as `C1,L2,D17`.
fn text_of(keys: &KeyPresses) -> String {
    let runs = keys.runs().iter().map(|run| format!("{}{}", run.key.letter(), run.count));
    runs.collect::<Vec<_>>().join(",")
}

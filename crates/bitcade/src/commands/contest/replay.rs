//! The command `bitcade contest replay`.

use super::record_file::read_record;
use crate::arguments::{milliseconds_in, number_in, parse_positive, parse_seed};
use crate::atomic_file::{Existing, OutputFile};
use crate::color;
use crate::input::Input;
use crate::interrupt;
use crate::output::{Failure, Output};
use clap::Args;
use gif::{Encoder, Frame, Repeat};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use tetris_ai::contest::{
    Board, COLUMNS, FallingPiece, Game, KeyPresses, PIECES, ROWS, Record, Sequence, verify,
};

/// The arguments of `replay`.
#[derive(Args)]
pub(crate) struct Replay {
    /// The record, as `contest solve` writes it; `-` or no file reads standard input
    file: Option<PathBuf>,
    /// The seed of the sequence
    #[arg(long, default_value_t = Sequence::CONTEST_SEED, value_parser = parse_seed)]
    seed: u64,
    /// The first piece to show, counted from 1
    #[arg(long, value_name = "PIECE", default_value_t = 1, value_parser = number_in(1..=PIECES as u64))]
    from: u64,
    /// The last piece to show [default: the last one]
    #[arg(long, value_name = "PIECE", value_parser = number_in(1..=PIECES as u64))]
    to: Option<u64>,
    /// Show every Nth piece [default: 1; in files, as many as fit in 60 pictures or 600 frames]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    every: Option<u64>,
    /// The time between two pieces on a terminal or in a GIF, such as 80 (milliseconds) or 1s
    #[arg(long, value_name = "T", default_value_t = 80, value_parser = milliseconds_in(0..=60_000))]
    delay: u64,
    /// Write a sheet of boards as SVG; `-` is standard output
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Write an animation as GIF; `-` is standard output
    #[arg(long, value_name = "GIF")]
    gif: Option<PathBuf>,
    /// Replace the files of --svg and --gif if they are not empty
    #[arg(long)]
    force: bool,
}

/// The most boards of a sheet and of an animation without `--every`.
const MAX_BOARDS: usize = 60;
const MAX_FRAMES: usize = 600;

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Stack,
    /// A cell of the piece that has just locked, by its shape.
    Piece(usize),
}

/// A board on which a piece has just locked, before full rows are removed.
struct Snapshot {
    piece: usize,
    score: u64,
    board: Board,
    falling: FallingPiece,
    keys: String,
    lines: u32,
}

/// The output for a piece.
#[derive(Serialize)]
struct PieceRecord<'a> {
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
    /// Returns the content of a cell.
    fn cell(&self, x: i8, y: i8) -> Cell {
        if self.falling.cells().contains(&(x, y)) {
            Cell::Piece(self.falling.piece.shape() as usize)
        } else if self.board.filled(x, y) {
            Cell::Stack
        } else {
            Cell::Empty
        }
    }

    fn record(&self) -> PieceRecord<'_> {
        let FallingPiece { piece, x, y } = self.falling;
        PieceRecord {
            piece: self.piece,
            shape: piece.shape().to_string(),
            rotation: piece.state() % piece.shape().orientations(),
            x,
            y,
            keys: &self.keys,
            lines: self.lines,
            score: self.score,
        }
    }

    fn line(&self) -> String {
        format!("piece {} {}, score {}", self.piece, self.falling.piece.shape(), self.score)
    }
}

/// Replays a record and returns a snapshot of each piece, at most [`PIECES`].
fn snapshots(record: &Record, sequence: &Sequence) -> Vec<Snapshot> {
    let mut game = Game::new(sequence);
    let mut snapshots = Vec::new();
    let lines = |clears: [u32; 4]| (1..).zip(clears).map(|(lines, clears)| lines * clears).sum::<u32>();
    for (turn, piece) in record.turns().iter().zip(1..) {
        let (board, before) = (*game.board(), lines(game.clears()));
        let Some(falling) = game.play(turn) else { break };
        let (score, lines) = (game.score(), lines(game.clears()) - before);
        snapshots.push(Snapshot { piece, score, board, falling, keys: text_of(turn), lines });
        if game.over().is_some() {
            break;
        }
    }
    snapshots
}

/// Returns key presses as a record has them, such as `C1,L2,D17`.
fn text_of(keys: &KeyPresses) -> String {
    let runs = keys.runs().iter().map(|run| format!("{}{}", run.key.letter(), run.count));
    runs.collect::<Vec<_>>().join(",")
}

/// Checks that the pieces to show are pieces of a game of `pieces` pieces.
fn shown_pieces(from: u64, to: Option<u64>, pieces: usize) -> Result<RangeInclusive<usize>, Failure> {
    let most = pieces as u64;
    let to = to.unwrap_or(most.max(from));
    for (flag, piece) in [("--from", from), ("--to", to)] {
        if piece > most {
            return Err(Failure::Input(format!(
                "{flag} {piece}: expected a number from 1 to {most}, the pieces of this game"
            )));
        }
    }
    if from > to {
        return Err(Failure::Input(format!("--from {from}: expected at most --to, {to}")));
    }
    Ok(from as usize..=to as usize)
}

pub(super) fn run(arguments: Replay, output: &mut Output) -> Result<(), Failure> {
    let Replay { file, seed, from, to, every, delay, svg, gif, force } = arguments;
    let check = |path: PathBuf| OutputFile::check(&path, Existing::forced(force));
    let (svg, gif) = (svg.map(check).transpose()?, gif.map(check).transpose()?);
    OutputFile::check_distinct(&svg.iter().chain(&gif).collect::<Vec<_>>())?;
    let input = Input::read(file)?;
    let (record, _) = read_record(&input)?;
    let sequence = Sequence::new(seed);
    verify(&record, &sequence).map_err(|error| input.error(error))?;
    let mut snapshots = snapshots(&record, &sequence);
    let shown = shown_pieces(from, to, snapshots.len())?;
    let snapshots: Vec<Snapshot> = snapshots.drain(shown.start() - 1..*shown.end()).collect();
    let sampled = |max: usize| -> Vec<&Snapshot> {
        let every = every.map_or(snapshots.len().div_ceil(max).max(1), |every| every as usize);
        snapshots.iter().step_by(every).collect()
    };
    if let Some(svg) = &svg {
        let sheet = sheet(&sampled(MAX_BOARDS));
        svg.write(|sink| sink(sheet.as_bytes()))?;
    }
    if let Some(gif) = &gif {
        let animation = animation(&sampled(MAX_FRAMES), delay)
            .map_err(|error| Failure::Check(format!("--gif: {error}")))?;
        gif.write(|sink| sink(&animation))?;
    }
    if svg.is_none() && gif.is_none() {
        play(&sampled(PIECES), delay, output)?;
    } else if output.is_json() {
        print(&sampled(PIECES), output)?;
    }
    Ok(())
}

/// Prints a record of each piece.
fn print(snapshots: &[&Snapshot], output: &mut Output) -> Result<(), Failure> {
    snapshots.iter().try_for_each(|snapshot| output.json_line(&snapshot.record()))
}

/// Plays the game in the terminal; without a terminal prints board after board.
fn play(boards: &[&Snapshot], delay: u64, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() {
        return print(boards, output);
    }
    let interrupted = interrupt::install_handler();
    let animated = io::stdout().is_terminal();
    for (i, shown) in boards.iter().enumerate() {
        let mut text = String::new();
        for y in 0..ROWS as i8 {
            for x in 0..COLUMNS as i8 {
                text.push(match shown.cell(x, y) {
                    Cell::Empty => '.',
                    Cell::Stack => '#',
                    Cell::Piece(_) => '@',
                });
            }
            text.push('\n');
        }
        let color = color::palette(shown.falling.piece.shape() as usize);
        let painted = color::characters(&text, |c| match c {
            '@' => Some(color),
            '#' => Some(color::GRAY),
            _ => None,
        });
        if animated && i > 0 {
            // Moves the cursor up, over the board before.
            output.text(format!("\x1b[{}A", ROWS + 1))?;
        }
        output.colored(&painted)?;
        // `\x1b[K` erases the rest of an older, longer line.
        let line =
            if animated { format!("{}\x1b[K\n", shown.line()) } else { format!("{}\n\n", shown.line()) };
        output.text(line)?;
        if animated {
            output.flush()?;
            interrupt::sleep(Duration::from_millis(delay), &interrupted);
        }
        if interrupted() {
            break;
        }
    }
    Ok(())
}

/// The palette, as red, green and blue: background, stack, the seven shapes, progress bar left and done.
const COLORS: [[u8; 3]; 11] = [
    [0x1b, 0x1e, 0x23],
    [0x8a, 0x93, 0x9e],
    [0x4c, 0xc9, 0xf0],
    [0xf7, 0x9a, 0x4b],
    [0x5b, 0x7d, 0xf5],
    [0xb9, 0x6d, 0xf2],
    [0xf5, 0xd7, 0x4e],
    [0x6b, 0xd4, 0x7a],
    [0xf0, 0x5d, 0x6c],
    [0x2c, 0x31, 0x38],
    [0x4c, 0xc9, 0xf0],
];

/// Returns the color of a cell as an index into [`COLORS`].
fn color(cell: Cell) -> usize {
    match cell {
        Cell::Empty => 0,
        Cell::Stack => 1,
        Cell::Piece(shape) => 2 + shape,
    }
}

/// Draws boards side by side, ten in a row, as SVG.
fn sheet(boards: &[&Snapshot]) -> String {
    const SIDE: usize = 8;
    const PER_ROW: usize = 10;
    let (wide, high) = (COLUMNS * SIDE + 16, ROWS * SIDE + 40);
    let columns = boards.len().clamp(1, PER_ROW);
    let (width, height) = (columns * wide, boards.len().div_ceil(columns).max(1) * high);
    let hex = |i: usize| COLORS[i].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"9\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, shown) in boards.iter().enumerate() {
        let (left, top) = (i % columns * wide + 8, i / columns * high + 28);
        let (width, height) = (COLUMNS * SIDE, ROWS * SIDE);
        let ground = hex(0);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\">piece {} {}</text><text x=\"{left}\" y=\"{}\">{}</text>\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#{ground}\"/>",
            top - 16,
            shown.piece,
            shown.falling.piece.shape(),
            top - 5,
            shown.score,
        );
        for y in 0..ROWS {
            for x in 0..COLUMNS {
                let cell = shown.cell(x as i8, y as i8);
                if cell != Cell::Empty {
                    let (x, y, color) = (left + x * SIDE, top + y * SIDE, hex(color(cell)));
                    let side = SIDE - 1;
                    let _ = writeln!(
                        svg,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"#{color}\"/>"
                    );
                }
            }
        }
    }
    svg + "</svg>\n"
}

/// Draws boards one after the other as GIF, with a progress bar below.
fn animation(boards: &[&Snapshot], delay: u64) -> Result<Vec<u8>, gif::EncodingError> {
    const SIDE: usize = 12;
    const BAR: usize = 6;
    let (width, height) = (COLUMNS * SIDE, ROWS * SIDE + BAR);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u16, height as u16, COLORS.as_flattened())?;
    encoder.set_repeat(Repeat::Infinite)?;
    for (i, shown) in boards.iter().enumerate() {
        let mut pixels = vec![0u8; width * height];
        for (y, row) in pixels.chunks_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = if y >= ROWS * SIDE {
                    let done = x * boards.len() < (i + 1) * width;
                    COLORS.len() as u8 - 2 + u8::from(done)
                } else if x % SIDE == SIDE - 1 || y % SIDE == SIDE - 1 {
                    0
                } else {
                    color(shown.cell((x / SIDE) as i8, (y / SIDE) as i8)) as u8
                };
            }
        }
        let mut frame = Frame { width: width as u16, height: height as u16, ..Frame::default() };
        // The delay is in hundredths of a second; the last board stays for 3 seconds.
        frame.delay = if i + 1 == boards.len() { 300 } else { (delay / 10).max(2) as u16 };
        frame.buffer = Cow::Owned(pixels);
        encoder.write_frame(&frame)?;
    }
    drop(encoder);
    Ok(bytes)
}

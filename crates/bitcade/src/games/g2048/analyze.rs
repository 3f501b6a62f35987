//! `bitcade 2048 analyze`.

mod pasted;

use super::advisor::{Advisor, DEPTH, MOST_DEPTH, best_move};
use super::network::{LateArg, Nets};
use crate::arguments::{number_in, parse_positive, parse_time};
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::output::{Failure, Output, remark};
use crate::io::progress;
use bitcade_core::{Stop, Stopped};
use clap::Args;
use g2048::posted::Turn;
use g2048::{Board, Direction};
use pasted::Pasted;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct AnalyzeArgs {
    /// The lookahead of a network in moves
    #[arg(long, default_value_t = DEPTH, value_parser = number_in(1..=MOST_DEPTH))]
    depth: u32,
    /// Look as far ahead as this time allows, at most 8 moves, for a board; the line of play takes
    /// about as long again. `--depth` with the printed lookahead repeats the result
    #[arg(long, value_name = "T", conflicts_with = "depth", value_parser = parse_time)]
    seconds: Option<Duration>,
    /// The network file for the board's size, written by `bitcade 2048 train` [default: the built-in
    /// network on 4x4, random play on other boards]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    late: LateArg,
    /// Take the numbers for ranks, 1 for a 2 and 11 for a 2048 [default: only if they can't be
    /// tiles]
    #[arg(long)]
    ranks: bool,
    /// The number of blunders to print of a game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_positive)]
    worst: u64,
    /// The file with the board or the game; standard input if it is `-` or missing
    file: Option<PathBuf>,
}

pub(crate) fn analyze(arguments: AnalyzeArgs, output: &mut Output) -> Result<(), Failure> {
    let AnalyzeArgs { depth, seconds, net, late, ranks, worst, file } = arguments;
    let input = Input::read(file)?;
    let pasted = Pasted::read(&input.text, ranks).map_err(|error| input.error(error))?;
    let size = match &pasted {
        Pasted::Board(board) => board.size(),
        Pasted::Game(turns) => turns[0].board.size(),
    };
    let mut advisor = Advisor::of(Nets::new(net.as_deref(), &late), size, depth)?;
    let interrupted = interrupt::install_handler();
    match pasted {
        Pasted::Board(board) => {
            let Ok(analyzed) = Analyzed::new(&mut advisor, &board, seconds, &interrupted) else {
                remark("interrupted without a result");
                return Ok(());
            };
            output.result(&analyzed.object(), || analyzed.text())
        }
        Pasted::Game(_) if seconds.is_some() => {
            Err(Failure::Input("--seconds: expected a board, found a game".to_owned()))
        }
        Pasted::Game(turns) => {
            let review = Review::new(&advisor, &turns, worst as usize, &interrupted);
            if review.moves < turns.len() {
                remark(format_args!("interrupted after {} of {} moves", review.moves, turns.len()));
            }
            output.result(&review.object(), || review.text(&advisor))
        }
    }
}

/// The values of a board's moves.
struct Analyzed {
    board: Board,
    values: Values,
    by: String,
    line: Vec<Step>,
}

/// A step of the best line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Move(Direction),
    /// A new 2, in a column and a row from 1.
    Tile(usize, usize),
}

impl Analyzed {
    fn new(
        advisor: &mut Advisor,
        board: &Board,
        time: Option<Duration>,
        stop: Stop<'_>,
    ) -> Result<Self, Stopped> {
        let values = match time {
            Some(time) => advisor.deepen(board, time, stop)?,
            None => advisor.values_until(board, stop)?,
        };
        let by = advisor.description();
        let line = best_line(advisor, board, &values, stop)?;
        Ok(Self { board: *board, values, by, line })
    }

    fn value(&self, direction: Direction) -> Option<f64> {
        value_of(&self.values, direction)
    }

    fn object(&self) -> Value {
        let best = best_move(&self.values);
        let steps = self.line.iter().map(|step| match step {
            Step::Move(direction) => json!({ "move": direction.to_string() }),
            Step::Tile(column, row) => json!({ "tile": 2, "column": column, "row": row }),
        });
        json!({
            "board": rows_of(&self.board),
            "values": values_object(&self.values),
            "by": self.by,
            "best": best.map(|best| best.to_string()),
            "line": steps.collect::<Vec<_>>(),
        })
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.board);
        let Some(best) = best_move(&self.values) else { return text + "no legal move\n" };
        let top = self.value(best).unwrap_or_default();
        for direction in Direction::ALL {
            let name = direction.to_string();
            let _ = match self.value(direction) {
                None => writeln!(text, "{name:<6}not legal"),
                Some(value) if direction == best => writeln!(text, "{name:<6}{value:>12.1}  best"),
                Some(value) => writeln!(text, "{name:<6}{value:>12.1}  {:.1}", value - top),
            };
        }
        let steps = self.line.iter().map(|step| match step {
            Step::Move(direction) => direction.to_string(),
            Step::Tile(column, row) => format!("a 2 in column {column}, row {row}"),
        });
        let steps: Vec<String> = steps.collect();
        let _ = writeln!(text, "{}\nline: {}", self.by, steps.join("; "));
        text
    }
}

fn value_of(values: &[(Direction, f64)], direction: Direction) -> Option<f64> {
    values.iter().find(|&&(other, _)| other == direction).map(|&(_, value)| value)
}

fn rows_of(board: &Board) -> Vec<Vec<u64>> {
    let tiles: Vec<u64> = board.tiles().collect();
    tiles.chunks(board.size().width()).map(<[u64]>::to_vec).collect()
}

/// All four moves, an illegal one with null.
fn values_object(values: &[(Direction, f64)]) -> Map<String, Value> {
    let object = Direction::ALL
        .into_iter()
        .map(|direction| (direction.to_string(), json!(value_of(values, direction))));
    object.collect()
}

/// Returns the moves that the search expects, each with the lookahead that is left of the first
/// one's. Between them 2s appear, the likelier tile, where they cost most. Playouts see one move.
fn best_line(
    advisor: &mut Advisor,
    board: &Board,
    values: &[(Direction, f64)],
    stop: Stop<'_>,
) -> Result<Vec<Step>, Stopped> {
    let mut line = Vec::new();
    let mut board = *board;
    let mut best = best_move(values);
    while let Some(direction) = best {
        line.push(Step::Move(direction));
        board = board.slide(direction).board;
        match advisor {
            Advisor::Network(_, depth) if *depth > 1 => *depth -= 1,
            _ => break,
        }
        let mut worst: Option<(f64, Board, Values)> = None;
        // Each cell with a 2, then with a 4.
        for next in board.spawns().step_by(2) {
            let values = advisor.values_until(&next, stop)?;
            let value = best_move(&values).and_then(|best| value_of(&values, best)).unwrap_or(0.0);
            if worst.as_ref().is_none_or(|&(least, ..)| value < least) {
                worst = Some((value, next, values));
            }
        }
        let Some((_, next, values)) = worst else { break };
        let width = board.size().width();
        let new =
            board.ranks().iter().zip(next.ranks()).position(|(before, after)| before != after);
        let cell = new.unwrap_or_default();
        line.push(Step::Tile(cell % width + 1, cell / width + 1));
        (board, best) = (next, best_move(&values));
    }
    Ok(line)
}

/// The legal moves with their values.
type Values = Vec<(Direction, f64)>;

/// A game's moves beside the best ones.
struct Review {
    moves: usize,
    best_moves: usize,
    lost: f64,
    /// The moves that cost most, worst first.
    blunders: Vec<Blunder>,
}

struct Blunder {
    /// The number of the move, from 1.
    number: usize,
    board: Board,
    played: Direction,
    values: Values,
    lost: f64,
}

impl Review {
    /// Reviews the moves until `stop` ends it.
    fn new(advisor: &Advisor, turns: &[Turn], worst: usize, stop: Stop<'_>) -> Self {
        let mut review = Self { moves: 0, best_moves: 0, lost: 0.0, blunders: Vec::new() };
        let bar = progress::bar(turns.len() as u64);
        for (number, turn) in (1..).zip(turns) {
            let values =
                if stop() { Err(Stopped) } else { advisor.values_until(&turn.board, stop) };
            let Ok(values) = values else { break };
            review.add(number, turn, values, worst);
            bar.inc(1);
        }
        bar.finish_and_clear();
        review
    }

    fn add(&mut self, number: usize, turn: &Turn, values: Vec<(Direction, f64)>, worst: usize) {
        self.moves += 1;
        // Of several moves that lead to the next board, the best one counts.
        let played: Vec<(Direction, f64)> = values
            .iter()
            .filter(|(direction, _)| turn.moves.contains(direction))
            .copied()
            .collect();
        let value = |of: &[(Direction, f64)]| best_move(of).and_then(|best| value_of(of, best));
        let (Some(mv), Some(best), Some(reached)) =
            (best_move(&played), value(&values), value(&played))
        else {
            return;
        };
        let lost = best - reached;
        self.lost += lost;
        if lost <= 0.0 {
            self.best_moves += 1;
            return;
        }
        let at = self.blunders.partition_point(|other| other.lost >= lost);
        if at < worst {
            let board = turn.board;
            self.blunders.insert(at, Blunder { number, board, played: mv, values, lost });
            self.blunders.truncate(worst);
        }
    }

    fn object(&self) -> Value {
        let blunders = self.blunders.iter().map(|blunder| {
            json!({
                "move": blunder.number,
                "board": rows_of(&blunder.board),
                "played": blunder.played.to_string(),
                "best": best_move(&blunder.values).map(|best| best.to_string()),
                "lost": blunder.lost,
                "values": values_object(&blunder.values),
            })
        });
        json!({
            "moves": self.moves,
            "best_moves": self.best_moves,
            "lost": self.lost,
            "blunders": blunders.collect::<Vec<_>>(),
        })
    }

    fn text(&self, advisor: &Advisor) -> String {
        let mut text = format!(
            "moves {}, of which the best {}; {:.1} lost, in {}\n",
            self.moves,
            self.best_moves,
            self.lost,
            advisor.description()
        );
        for Blunder { number, board, played, values, lost } in &self.blunders {
            let best = best_move(values).map_or_else(String::new, |best| best.to_string());
            let _ = writeln!(
                text,
                "\nmove {number}: {played} loses {lost:.1}, best is {best}\n{board}"
            );
        }
        text
    }
}

//! Writes a game record with Black's win rate after every move:
//! `cargo run --release -p go-mc --features sgf --example annotate -- game.sgf 5000 > annotated.sgf`
//!
//! The arguments are a file, or `-` for standard input (the default), and the number of playouts per position
//! (1000). The main line is kept with its comments. Each position gets a line of comment and the property
//! `SBKV`, from which Sabaki draws its win rate graph.

use go_mc::search::{Settings, score};
use go_mc::sgf::{Record, SgfError};
use go_mc::{Board, Color, Game, Ko, Rules, Search, Suicide};
use std::error::Error;
use std::io::Read;
use std::process::ExitCode;

/// The komi of a record without one.
const DEFAULT_KOMI: f64 = 7.5;
/// The maximum number of moves of a principal variation in a comment.
const MAX_PV_MOVES: usize = 6;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "-".to_owned());
    match run(&file, arguments.next().as_deref().unwrap_or("1000")) {
        Ok(record) => {
            println!("{record}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("annotate: {file}: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(file: &str, playouts: &str) -> Result<Record, Box<dyn Error>> {
    let playouts =
        playouts.parse().map_err(|_| format!("expected a number of playouts, found {playouts}"))?;
    let mut bytes = Vec::new();
    match file {
        "-" => std::io::stdin().read_to_end(&mut bytes)?,
        _ => std::fs::File::open(file)?.read_to_end(&mut bytes)?,
    };
    annotate(Record::from_bytes(&bytes)?, playouts)
}

fn annotate(mut record: Record, playouts: u64) -> Result<Record, Box<dyn Error>> {
    let komi = record.komi.filter(|komi| komi.is_finite()).unwrap_or(DEFAULT_KOMI);
    let [black, white] = record.setup;
    let board =
        Board::from_stones(record.size, black, white).map_err(|_| SgfError::InvalidSetup { node: 0 })?;
    let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    let game = Game::from_board(board, record.first_to_move(), rules);
    let mut annotator = Annotator { search: Search::new(&game, komi, &Settings::default())?, komi, playouts };

    annotator.annotate_position(&mut record.comment, &mut record.black_win_percent);
    for number in 1..=record.moves.len() {
        let (next, node) = (record.moves.get(number).map(|node| node.color), &mut record.moves[number - 1]);
        annotator.search.play(node.mv).map_err(|error| SgfError::IllegalMove { number, error })?;
        annotator.set_to_move(next)?;
        annotator.annotate_position(&mut node.comment, &mut node.black_win_percent);
    }
    Ok(record)
}

struct Annotator {
    search: Search,
    komi: f64,
    playouts: u64,
}

impl Annotator {
    /// Gives the turn to the next player of the record, who may move twice in a row or after two passes.
    fn set_to_move(&mut self, next: Option<Color>) -> Result<(), Box<dyn Error>> {
        let mut game = self.search.game().clone();
        if let Some(color) = next.filter(|&color| color != game.to_move() || game.is_over()) {
            game.set_to_move(color);
            self.search = Search::new(&game, self.komi, &Settings::default())?;
        }
        Ok(())
    }

    /// Searches the position, sets Black's win rate and adds a line to the comment.
    fn annotate_position(&mut self, comment: &mut String, black_win_percent: &mut Option<f64>) {
        let game = self.search.game();
        let (black, detail) = if game.is_over() {
            let score = score(game.board(), self.komi, false);
            (f64::midpoint(1.0, score.signum() * f64::from(score != 0.0)), "the game is over".to_owned())
        } else {
            // The subtree of the move brings some visits along.
            self.search.run(self.playouts.saturating_sub(self.search.visits()), &|| false);
            let win_rate = self.search.candidates().first().map_or(0.5, |best| best.win_rate);
            let pv: Vec<String> = self
                .search
                .principal_variation()
                .iter()
                .take(MAX_PV_MOVES)
                .map(ToString::to_string)
                .collect();
            let black = if self.search.game().to_move() == Color::Black { win_rate } else { 1.0 - win_rate };
            (black, format!("then {}", pv.join(" ")))
        };
        let percent = (10_000.0 * black).round() / 100.0;
        *black_win_percent = Some(percent);
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&format!("Black wins {percent} %, {detail}"));
    }
}

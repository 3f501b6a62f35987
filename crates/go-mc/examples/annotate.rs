//! Writes a game record with Black's black_win_percent of winning after every move:
//! `cargo run --release -p go-mc --features sgf --example annotate -- game.sgf 5000 > annotated.sgf`
//!
//! Of each position so many playouts are known, 1000 if no number is given. `-` or no file reads standard input. The main
//! line is kept, with its comments; each gets a line more, and the property `SBKV`, from which Sabaki draws its graph.

use go_mc::search::{Settings, score};
use go_mc::sgf::{Record, SgfError};
use go_mc::{Board, Color, Game, Ko, Rules, Search, Suicide};
use std::error::Error;
use std::io::Read;
use std::process::ExitCode;

/// What a record without komi is taken to have.
const DEFAULT_KOMI: f64 = 7.5;
/// The most moves of an expected line that are told.
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
    let mut text = String::new();
    match file {
        "-" => std::io::stdin().read_to_string(&mut text)?,
        _ => std::fs::File::open(file)?.read_to_string(&mut text)?,
    };
    annotate(text.parse()?, playouts)
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
        annotator.give_turn(next)?;
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
    /// In a record a player may move twice, or go on after the end.
    fn give_turn(&mut self, next: Option<Color>) -> Result<(), Box<dyn Error>> {
        let mut game = self.search.game().clone();
        if let Some(color) = next.filter(|&color| color != game.to_move() || game.is_over()) {
            game.give_turn(color);
            self.search = Search::new(&game, self.komi, &Settings::default())?;
        }
        Ok(())
    }

    /// Adds Black's black_win_percent in the position to what is said about it.
    fn annotate_position(&mut self, comment: &mut String, black_win_percent: &mut Option<f64>) {
        let game = self.search.game();
        let (black, detail) = if game.is_over() {
            let score = score(game.board(), self.komi, false);
            (f64::midpoint(1.0, score.signum() * f64::from(score != 0.0)), "the game is over".to_owned())
        } else {
            // Some are known from the position before.
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

//! Writes a game record with Black's win rate after every move:
//! `cargo run --release -p go-mc --features sgf --example annotate -- game.sgf 5000 > annotated.sgf`
//!
//! The arguments are a file, or `-` for standard input (the default), and the number of playouts
//! per position (default 1000). The record is kept with its variations, comments and all other
//! properties. Each position of the main line gets a comment line and the property `SBKV`, which
//! Sabaki plots as its win rate graph.

use go_mc::search::{Search, Settings};
use go_mc::sgf::{Action, Node, Reading, Record};
use go_mc::{Color, Game, Ko, Rules, dead_stones};
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
    let Reading { record, remarks } = Record::from_bytes(&bytes)?;
    for remark in remarks {
        eprintln!("annotate: {file}: {remark}");
    }
    annotate(record, playouts)
}

fn annotate(mut record: Record, playouts: u64) -> Result<Record, Box<dyn Error>> {
    // White gets the bonus for a handicap, too.
    let komi = record.komi.unwrap_or(DEFAULT_KOMI) + f64::from(record.handicap_bonus());
    let game = record.new_game(Rules { ko: Ko::Simple, ..Rules::default() });
    let search = Search::with_komi(&game, komi, &Settings::default())?;
    let mut annotator = Annotator { game, search, komi, playouts };
    let players: Vec<Option<Color>> = record.nodes.iter().map(player).collect();
    for (number, node) in record.nodes.iter_mut().enumerate() {
        let next = players[number + 1..].iter().find_map(|&player| player);
        annotator.play(node, next)?;
        if number == 0 || node.action != Action::None {
            annotator.annotate_position(&mut node.comment, &mut node.black_win_percent);
        }
    }
    Ok(record)
}

fn player(node: &Node) -> Option<Color> {
    if let Action::Move(color, _) = node.action { Some(color) } else { None }
}

struct Annotator {
    game: Game,
    /// The search of `game`, or of the position before the next node.
    search: Search,
    komi: f64,
    playouts: u64,
}

impl Annotator {
    /// Plays a node and gives the turn to the next player in the record, who may move twice in a
    /// row or after two passes.
    fn play(&mut self, node: &Node, next: Option<Color>) -> Result<(), Box<dyn Error>> {
        node.play(&mut self.game);
        if let Some(color) = next {
            self.game.set_to_move(color);
        }
        if let Action::Move(_, mv) = node.action {
            let _ = self.search.play(mv);
        }
        if self.search.game() != &self.game {
            self.search = Search::with_komi(&self.game, self.komi, &Settings::default())?;
        }
        Ok(())
    }

    /// Searches the position, sets Black's win rate and adds a line to the comment.
    fn annotate_position(&mut self, comment: &mut String, black_win_percent: &mut Option<f64>) {
        let game = self.search.game();
        let (black, detail) = if game.is_over() {
            let dead = dead_stones(game.board(), 1000, 1).unwrap_or_default();
            let [area, other] = game.board().without(dead).area().map(f64::from);
            let score = area - other - self.komi;
            (
                f64::midpoint(1.0, score.signum() * f64::from(score != 0.0)),
                "the game is over".to_owned(),
            )
        } else {
            // The subtree kept from the previous move already has some visits.
            self.search.run(self.playouts.saturating_sub(self.search.visits()));
            let pv: Vec<String> = self
                .search
                .principal_variation()
                .iter()
                .take(MAX_PV_MOVES)
                .map(ToString::to_string)
                .collect();
            let black = self.search.win_rate(Color::Black).unwrap_or(0.5);
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

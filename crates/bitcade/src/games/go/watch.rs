//! Go self-play by tree search, with win rates and the ownership of each point.

use super::board_picture::BoardPicture;
use crate::screen::picture::Picture;
use crate::watch::player::{AnimatedMove, Fact, Player, timed};
use crate::watch::watched::PlayerOptions;
use bitcade_core::Stop;
use bitcore::Rng;
use go_mc::search::{Choice, Search, Settings};
use go_mc::{Color, Game, Move, Ownership, Point, Rules, dead_stones};
use std::time::Duration;

/// The playouts for each move and for the ownership map.
const PLAYOUTS: u64 = 2_000;
const OWNERSHIP_PLAYOUTS: u32 = 256;

pub(super) fn player(options: &PlayerOptions) -> Box<dyn Player> {
    Box::new(TreePlayer::new(options.seed))
}

struct TreePlayer {
    seeds: Rng,
    search: Search,
    moves: u64,
    results: [u64; 2],
}

impl TreePlayer {
    fn new(seed: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let search = start(&mut seeds);
        Self { seeds, search, moves: 0, results: [0; 2] }
    }

    fn picture(&self, last: Option<Point>) -> Box<dyn Picture> {
        let board = self.search.game().board().clone();
        let owners = Ownership::estimate(&board, OWNERSHIP_PLAYOUTS, self.moves).ok();
        Box::new(BoardPicture { board, cursor: None, last, owners })
    }
}

fn start(seeds: &mut Rng) -> Search {
    let settings = Settings { seed: seeds.next_u64(), max_nodes: 1 << 18, ..Settings::default() };
    Search::new(&Game::new(Rules::default()), &settings).expect("a board with playouts")
}

/// Returns whether Black has won, without the stones that playouts find dead.
fn black_wins(game: &Game) -> bool {
    let dead = dead_stones(game.board(), 1000, 1).unwrap_or_default();
    game.score_without(dead).winner() == Some(Color::Black)
}

const MOVED: Duration = Duration::from_millis(700);
const OVER: Duration = Duration::from_secs(3);

impl Player for TreePlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let color = self.search.game().to_move();
        let before = self.search.visits();
        // A stopped search shows the move that it has.
        let (_, thinking) = timed(|| self.search.run_until(PLAYOUTS, stop));
        let nodes = self.search.visits().saturating_sub(before);
        let black = self.search.win_rate(Color::Black).unwrap_or(0.5);
        let choice = self.search.choose();
        let mut last = None;
        let mut text = "resigns".to_owned();
        let mut over = true;
        if let Choice::Move(mv) = choice {
            if let Move::Play(point) = mv {
                last = Some(point);
            }
            text = mv.to_string();
            over = self.search.play(mv).is_err() || self.search.game().is_over();
        }
        self.moves += 1;
        let picture = self.picture(last);
        let facts: Vec<Fact> = vec![
            ("B win rate", format!("{:.0} %", 100.0 * black)),
            ("move", format!("{} {color} {text}", self.moves)),
            ("komi", self.search.game().rules().komi.to_string()),
            ("games", format!("B {} W {}", self.results[0], self.results[1])),
        ];
        if over && !stop() {
            let black_wins = match choice {
                Choice::Resign => color == Color::White,
                Choice::Move(_) => black_wins(self.search.game()),
            };
            self.results[usize::from(!black_wins)] += 1;
            self.moves = 0;
            self.search = start(&mut self.seeds);
        }
        let time = if over { OVER } else { MOVED };
        AnimatedMove { pictures: vec![(picture, time)], facts, nodes, thinking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_and_begin_again() {
        let mut player = TreePlayer::new(1);
        let moves = (0..200).take_while(|_| {
            player.next_move(&|| false);
            player.results == [0, 0]
        });
        let moves = moves.count();
        assert!((20..199).contains(&moves), "{moves} moves");
        assert_eq!(player.moves, 0);
        assert_eq!(player.search.game().board().empty().len(), 81);
    }
}

//! [`Advisor`]: the value of each move, for hints.

use super::network::{Nets, Values, values_of_size};
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use bitcade_core::{Stop, Stopped};
use bitcore::Rng;
use g2048::expectimax::Limits;
use g2048::{Board, Direction, Game, Size};
use std::time::Duration;

pub(super) enum Advisor {
    /// The mean score of random games after each move; uses only the rules.
    Playouts,
    /// Expectimax with a trained network, and its depth in moves.
    Network(Values, u32),
}

/// The maximum number of random games per move, and the number of moves in all of them after which
/// no more games start.
const GAMES: u64 = 500;
const MOVES: u64 = 200_000;

/// The largest board, in cells, on which random games run to the end, and the maximum number of
/// moves on larger ones: a random game takes 30,000 moves on 7x7, but millions on 8x8.
const SHORT_GAMES: usize = 49;
const MOVES_OF_GAME: u64 = 2_000;

/// The lookahead of hints in moves.
pub(super) const DEPTH: u32 = 3;

/// The deepest lookahead.
pub(super) const MOST_DEPTH: u32 = 8;

impl Advisor {
    /// Returns the advisor for boards of a size: the network, the built-in one on 4x4, or random
    /// play.
    pub(super) fn of(nets: Nets<'_>, size: Size, depth: u32) -> Result<Self, Failure> {
        let values = values_of_size(nets, size)?;
        Ok(values.map_or(Self::Playouts, |values| Self::Network(values, depth)))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Playouts => "points by random play",
            Self::Network(..) => "points by the network",
        }
    }

    /// Returns the name with the lookahead.
    pub(super) fn description(&self) -> String {
        let name = self.name();
        match self {
            Self::Playouts => name.to_owned(),
            Self::Network(_, 1) => format!("{name}, 1 move ahead"),
            Self::Network(_, depth) => format!("{name}, {depth} moves ahead"),
        }
    }

    /// Looks ahead as many moves as `time` allows, up to [`MOST_DEPTH`], and takes the depth of what it
    /// found as its own.
    pub(super) fn deepen(
        &mut self,
        board: &Board,
        time: Duration,
        stop: Stop<'_>,
    ) -> Result<Vec<(Direction, f64)>, Stopped> {
        let Self::Network(network, depth) = self else { return Ok(by_playouts(board)) };
        let start = Stopwatch::start();
        let stop_or_late = || stop() || start.elapsed() >= time;
        let mut search = network.search(Limits::depth(MOST_DEPTH));
        let (values, found) = search.deepen_until(board, &stop_or_late);
        if stop() {
            return Err(Stopped);
        }
        *depth = found;
        Ok(legal(values))
    }

    /// Returns the legal moves, each with the expected score from here on. The result depends on
    /// the board alone; the game's random numbers are neither seen nor consumed.
    pub(super) fn values(&self, board: &Board) -> Vec<(Direction, f64)> {
        self.values_until(board, &|| false).unwrap_or_default()
    }

    /// Does the same, unless `stop` ends it.
    pub(super) fn values_until(
        &self,
        board: &Board,
        stop: Stop<'_>,
    ) -> Result<Vec<(Direction, f64)>, Stopped> {
        match self {
            Self::Playouts => Ok(by_playouts(board)),
            Self::Network(network, depth) => {
                let mut search = network.search(Limits::depth(*depth));
                Ok(legal(search.values_until(board, stop)?))
            }
        }
    }
}

pub(super) fn legal(values: [Option<f32>; 4]) -> Vec<(Direction, f64)> {
    let values = Direction::ALL.into_iter().zip(values);
    values.filter_map(|(direction, value)| Some((direction, f64::from(value?)))).collect()
}

fn by_playouts(board: &Board) -> Vec<(Direction, f64)> {
    let moves = board.legal_moves();
    let mut sums = vec![0u64; moves.len()];
    let is_large = board.size().cells() > SHORT_GAMES;
    // Moves on large boards are slower, and this crate is compiled for size.
    let most = if is_large { MOVES / 8 } else { MOVES };
    let mut games = 0u64;
    let mut played = 0;
    for stream in Rng::streams(2048).take(GAMES as usize) {
        for (&direction, sum) in moves.iter().zip(&mut sums) {
            // The same random numbers for each move.
            let mut rng = stream.clone();
            let slide = board.slide(direction);
            let mut after = slide.board;
            after.spawn(&mut rng);
            let (score, moves) = if is_large {
                first_moves(after, &mut rng)
            } else {
                let mut game = Game::from(after);
                game.play_out(&mut rng);
                (game.score(), game.moves())
            };
            *sum += slide.gain + score;
            played += moves;
        }
        games += 1;
        if played >= most {
            break;
        }
    }
    moves.iter().zip(sums).map(|(&direction, sum)| (direction, sum as f64 / games as f64)).collect()
}

/// Returns the score and the number of the moves.
fn first_moves(mut board: Board, rng: &mut Rng) -> (u64, u64) {
    let mut score = 0;
    for moves in 0..MOVES_OF_GAME {
        let legal = board.legal_moves();
        if legal.is_empty() {
            return (score, moves);
        }
        let slide = board.slide(legal[rng.below(legal.len() as u32) as usize]);
        score += slide.gain;
        board = slide.board;
        board.spawn(rng);
    }
    (score, MOVES_OF_GAME)
}

/// Returns the first of equals.
pub(super) fn best_move(values: &[(Direction, f64)]) -> Option<Direction> {
    let better = |best: (Direction, f64), next: &(Direction, f64)| {
        if next.1 > best.1 { *next } else { best }
    };
    let (first, rest) = values.split_first()?;
    Some(rest.iter().fold(*first, better).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use g2048::network::LearnerSettings;
    use g2048::{Expectimax, Learner};

    #[test]
    fn values_are_those_of_the_legal_moves() {
        // Only the two 4s in the last row can move.
        let board: Board = "2 4 8 16\n16 8 4 2\n2 4 8 16\n16 8 4 4".parse().expect("a board");
        let values = Advisor::Playouts.values(&board);
        let [(Direction::Left, left), (Direction::Right, right)] = values[..] else {
            panic!("{values:?}")
        };
        assert!(left >= 8.0 && right >= 8.0, "{values:?}");
        assert_eq!(values, Advisor::Playouts.values(&board));
        assert_eq!(best_move(&[]), None);
        let over: Board = "2 4\n4 2".parse().expect("a board");
        assert_eq!(best_move(&Advisor::Playouts.values(&over)), None);
    }

    /// Playing a game to the end would take seconds.
    #[test]
    fn games_on_large_boards_are_cut() {
        let mut rng = Rng::new(1);
        let board = Board::start(Size::new(8, 8).expect("a size"), &mut rng);
        assert_eq!(first_moves(board, &mut rng).1, MOVES_OF_GAME);
        assert_eq!(Advisor::Playouts.values(&board).len(), board.legal_moves().len());
    }

    #[test]
    fn a_network_agrees_with_expectimax() {
        let mut learner = Learner::new(LearnerSettings::default(), 1).expect("settings");
        learner.learn(500);
        let network = learner.network();
        let mut rng = Rng::new(5);
        let mut board = Board::start(Size::CLASSIC, &mut rng);
        let advisor = Advisor::Network(Values::Classic(Box::new(network.clone())), DEPTH);
        let stopped = advisor.values_until(&board, &|| true);
        assert_eq!(stopped, Err(Stopped));
        for _ in 0..20 {
            let values = advisor.values(&board);
            let mut search = Expectimax::new(&network, Limits::depth(DEPTH));
            let choice = search.search(&board).expect("a move");
            assert_eq!(best_move(&values), Some(choice.direction));
            assert!(values.contains(&(choice.direction, f64::from(choice.value))));
            assert_eq!(values.len(), board.legal_moves().len());
            board = board.slide(choice.direction).board;
            board.spawn(&mut rng);
        }
    }
}

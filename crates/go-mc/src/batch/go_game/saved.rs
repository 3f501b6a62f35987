//! The serialized form of a [`GoGame`]: under superko the start and the moves since, otherwise the
//! position only.

use super::{BOARDS, GoGame, History, NO_STONE, index_of, point_of};
use crate::rules::board::{Board, Color, Suicide};
use crate::rules::game::{Ko, Move, Rules};
use crate::rules::points::{Point, Points};
use alloc::vec::Vec;
use bitcore::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct Saved {
    rng: Rng,
    board: Board,
    to_move: Color,
    passes: u8,
    /// The number of moves that led to `board`.
    moves: u32,
    /// The points of the last move and of the move before, unless they were passes.
    last: [Option<Point>; 2],
    /// The positions before `board`, newest first; none under superko, where the moves lead to
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Board>,
    /// The moves since `board`; `None` under simple ko, which keeps no history.
    played: Option<Vec<Move>>,
}

impl<const N: usize, const W: usize> GoGame<N, W> {
    fn board(stones: &[Points<N, W>; 2], ko: Option<(Color, Point)>) -> Board {
        let flipped = |points: &Points<N, W>| {
            let here = points.iter().filter_map(|index| Points::<19>::index(point_of::<N>(index)));
            here.collect::<Points<19>>()
        };
        Board::with_ko(Self::SIZE, stones.each_ref().map(flipped), ko)
    }
}

impl<const N: usize, const W: usize> Serialize for GoGame<N, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rng = self.rng.clone();
        let played = self.history.moves();
        let played =
            played.map(|stone| stone.map_or(Move::Pass, |index| Move::Play(point_of::<N>(index))));
        let played: Vec<Move> = played.collect();
        // Any move lifts the ko of the start.
        let ko = self.ko.iter().next().filter(|_| played.is_empty());
        let ko = ko.map(|index| (self.to_move, point_of::<N>(index)));
        if self.history.is_empty() {
            let board = Self::board(&self.stones, ko);
            let Self { to_move, passes, moves, .. } = *self;
            let last = self
                .last
                .map(|index| (index != NO_STONE).then(|| point_of::<N>(usize::from(index))));
            let mut earlier: Vec<Board> = (1..BOARDS)
                .map(|moves_ago| Self::board(self.stones_before(moves_ago), None))
                .collect();
            earlier.truncate(moves as usize);
            return Saved { rng, board, to_move, passes, moves, last, earlier, played: None }
                .serialize(serializer);
        }
        let board = Self::board(&self.history.first(&self.stones), ko);
        let to_move =
            if played.len().is_multiple_of(2) { self.to_move } else { self.to_move.other() };
        let last = [None; 2];
        let earlier = Vec::new();
        Saved { rng, board, to_move, passes: 0, moves: 0, last, earlier, played: Some(played) }
            .serialize(serializer)
    }
}

impl<'de, const N: usize, const W: usize> Deserialize<'de> for GoGame<N, W> {
    /// Reads a game and requires each stone to be played on an empty point.
    /// [`check`](GoGame::check) finds its legal moves.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { rng, board, to_move, passes, moves, last, earlier, played } =
            Saved::deserialize(deserializer)?;
        let error = |reason| Err(D::Error::custom(reason));
        if board.size() != Self::SIZE {
            return error("a board of another size");
        }
        if passes > 2 || u32::from(passes) > moves {
            return error("more passes than moves");
        }
        let ko = if played.is_some() { Ko::Positional } else { Ko::Simple };
        let rules = Rules { size: Self::SIZE, ko, suicide: Suicide::All, ..Rules::default() };
        let mut game = Self { rng, history: History::new(), ..Self::new() };
        game.start(rules, Some(&(board, to_move)));
        (game.passes, game.moves) = (passes, moves);
        if earlier.len() >= BOARDS || earlier.iter().any(|board| board.size() != Self::SIZE) {
            return error("earlier boards of another number or size");
        }
        game.boards = [[Points::EMPTY; 2]; BOARDS];
        for (moves_ago, board) in (1..).zip(&earlier) {
            game.boards[(moves as usize).wrapping_sub(moves_ago) % BOARDS] = Self::stones_of(board);
        }
        for (index, point) in game.last.iter_mut().zip(last) {
            let Some(point) = point else { continue };
            match index_of::<N>(point) {
                Some(found) => *index = found as u16,
                None => return error("a last move off the board"),
            }
        }
        for mv in played.unwrap_or_default() {
            let stone = match mv {
                Move::Pass => None,
                Move::Play(point) => match index_of::<N>(point) {
                    Some(index) if game.empty().contains(index) => Some(index),
                    _ => return error("a move on a point that is not empty"),
                },
            };
            if game.passes == 2 {
                return error("a move after the end");
            }
            game.play(rules, stone);
        }
        Ok(game)
    }
}

//! Seki: two chains that share their liberties, where whoever moves first is captured.

use crate::board::{Board, Color, IllegalMove, Suicide};
use crate::ownership::Ownership;
use crate::points::Points;
use crate::results::UnsupportedSize;

/// Points on which nobody can be killed any more, however they are shaped: fewer may hold a single eye.
const MIN_LIVING_SPACE: u32 = 7;
/// The share of playouts that leave the stones around a seki in place.
const MIN_OWNERSHIP: f64 = 0.75;

/// The stones of a board in seki, of the kind in which a black and a white chain face each other: with two shared liberties
/// and no eye, or with one shared liberty and an eye each.
///
/// The rule proves it move by move: on each of their liberties either player either may not move, or is captured at once
/// with its whole chain, and the captor lives, because it has an eye besides, space for two (seven points), or the company
/// of its own stones. Only that the stones around stay alive is taken from `games` playouts, so where they are right all
/// that is listed is in seki. Not all sekis are listed: not those of several chains on a side, of eyes with room for a stone,
/// or around a chain of five stones or fewer without an eye.
///
/// # Errors
///
/// If the board isn't a square of 5, 9, 13 or 19.
///
/// ```
/// let board: go_mc::Board = "XX.OO\nXX.OO\nXXXOO\nXXXOO\nXXXOO".parse().unwrap();
/// assert_eq!(go_mc::seki_stones(&board, 100, 1)?.len(), 13 + 10);
/// # Ok::<(), go_mc::UnsupportedSize>(())
/// ```
pub fn seki_stones(board: &Board, games: u32, seed: u64) -> Result<Points<19>, UnsupportedSize> {
    Ok(seki(board, &Ownership::estimate_any_size(board, games, seed)?))
}

/// [`seki_stones`] by playouts from the board that are known.
pub(crate) fn seki(board: &Board, ownership: &Ownership<19>) -> Points<19> {
    let mut found = Points::EMPTY;
    for black in chains(board, board.stones(Color::Black)) {
        let shared = board.stones(Color::White) & liberties(board, black).neighbors();
        for white in chains(board, shared) {
            let pair = Pair { board, chains: [black, white] };
            if pair.neither_can_play() && pair.is_enclosed_by_living_chains(ownership) {
                found |= black | white;
            }
        }
    }
    found
}

/// The chains of a board that some stones belong to.
fn chains(board: &Board, stones: Points<19>) -> impl Iterator<Item = Points<19>> {
    let mut left = stones;
    core::iter::from_fn(move || {
        let chain = board.chain(Points::<19>::point(left.iter().next()?));
        left -= chain;
        Some(chain)
    })
}

fn liberties(board: &Board, chain: Points<19>) -> Points<19> {
    chain.neighbors() & board.empty()
}

/// A black and a white chain.
struct Pair<'a> {
    board: &'a Board,
    chains: [Points<19>; 2],
}

impl Pair<'_> {
    fn liberties(&self) -> Points<19> {
        liberties(self.board, self.chains[0]) | liberties(self.board, self.chains[1])
    }

    /// Whether every move on a liberty is illegal or a mistake.
    fn neither_can_play(&self) -> bool {
        self.liberties().iter().all(|at| Color::ALL.into_iter().all(|color| self.is_losing(color, at)))
    }

    fn is_losing(&self, mover: Color, at: usize) -> bool {
        let mut board = self.board.clone();
        board.pass();
        match board.play(mover, Points::<19>::point(at), Suicide::Forbidden) {
            Err(IllegalMove::Suicide) => return true,
            Ok(0) => {}
            _ => return false,
        }
        let chain = board.chain(Points::<19>::point(at));
        let mut left = liberties(&board, chain).iter();
        let (Some(last), None) = (left.next(), left.next()) else { return false };
        let joined = self.chains[mover as usize] - chain;
        let captures = board.play(mover.other(), Points::<19>::point(last), Suicide::Forbidden).is_ok();
        joined.is_empty() && captures && self.lives_after_capture(mover.other(), chain)
    }

    /// Whether a chain lives once it has captured so much.
    fn lives_after_capture(&self, color: Color, captured: Points<19>) -> bool {
        let [own, other] = [color, color.other()].map(|color| self.chains[color as usize]);
        let mut private = (liberties(self.board, own) - liberties(self.board, other)).iter();
        let all = self.board.size().points();
        let has_eye = private.any(|at| ((Points::from_index(at).neighbors() & all) - own).is_empty());
        let friends = (captured.neighbors() & self.board.stones(color)) - own;
        has_eye || captured.len() >= MIN_LIVING_SPACE || !friends.is_empty()
    }

    /// Whether the other stones around them are safe.
    fn is_enclosed_by_living_chains(&self, ownership: &Ownership<19>) -> bool {
        let inside = self.liberties() | self.chains[0] | self.chains[1];
        Color::ALL.into_iter().all(|color| {
            let stones = self.board.stones(color) - self.chains[color as usize];
            chains(self.board, stones & inside.neighbors()).all(|chain| {
                let owned: u64 = chain.iter().map(|at| u64::from(ownership.count(color, at))).sum();
                let all = ownership.games() * u64::from(chain.len());
                owned as f64 >= MIN_OWNERSHIP * all as f64
                    && (liberties(self.board, chain) - inside).len() > 1
            })
        })
    }
}

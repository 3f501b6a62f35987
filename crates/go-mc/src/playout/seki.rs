//! Seki: two chains that share their liberties; whoever plays on a shared liberty is captured.

use crate::playout::ownership::Ownership;
use crate::rules::board::{Board, Color, IllegalMove, Suicide};
use crate::rules::error::Error;
use crate::rules::points::Points;

/// The size from which a captured area of any shape leaves room for two eyes; a smaller one may
/// give only one.
const MIN_LIVING_SPACE: u32 = 7;
/// The minimum share of playouts in which the stones around a seki survive.
const MIN_OWNERSHIP: f64 = 0.75;

/// Returns the stones of a board in seki. A seki here is a black and a white chain with two shared
/// liberties and no eye, or with one shared liberty and an eye each.
///
/// Each seki is proved move by move. On each liberty of the two chains, a move of either player is
/// illegal, or its whole chain is captured immediately and the capturing chain lives: it has
/// another eye, captures seven or more points, or connects to other stones of its color. The
/// `games` playouts decide only whether the stones around the pair survive, so if they are right,
/// every returned stone is in seki. Some sekis are missed: sekis of several chains on one side, of
/// eyes with room for a stone, and around an eyeless chain of five or fewer stones.
///
/// # Errors
///
/// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
///
/// ```
/// let board: go_mc::Board = "XX.OO\nXX.OO\nXXXOO\nXXXOO\nXXXOO".parse().unwrap();
/// assert_eq!(go_mc::seki_stones(&board, 100, 1)?.len(), 13 + 10);
/// # Ok::<(), go_mc::Error>(())
/// ```
pub fn seki_stones(board: &Board, games: u32, seed: u64) -> Result<Points<19>, Error> {
    Ok(seki(board, &Ownership::estimate(board, games, seed)?))
}

pub(crate) fn seki(board: &Board, ownership: &Ownership) -> Points<19> {
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

pub(crate) fn chains(board: &Board, stones: Points<19>) -> impl Iterator<Item = Points<19>> {
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

struct Pair<'a> {
    board: &'a Board,
    chains: [Points<19>; 2],
}

impl Pair<'_> {
    fn liberties(&self) -> Points<19> {
        liberties(self.board, self.chains[0]) | liberties(self.board, self.chains[1])
    }

    /// Returns whether every move on a liberty of the pair is illegal or loses its chain.
    fn neither_can_play(&self) -> bool {
        self.liberties()
            .iter()
            .all(|at| Color::ALL.into_iter().all(|color| self.is_losing(color, at)))
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
        let captures =
            board.play(mover.other(), Points::<19>::point(last), Suicide::Forbidden).is_ok();
        joined.is_empty() && captures && self.lives_after_capture(mover.other(), chain)
    }

    fn lives_after_capture(&self, color: Color, captured: Points<19>) -> bool {
        let [own, other] = [color, color.other()].map(|color| self.chains[color as usize]);
        let mut private = (liberties(self.board, own) - liberties(self.board, other)).iter();
        let all = self.board.size().points();
        let has_eye =
            private.any(|at| ((Points::from_index(at).neighbors() & all) - own).is_empty());
        let friends = (captured.neighbors() & self.board.stones(color)) - own;
        has_eye || captured.len() >= MIN_LIVING_SPACE || !friends.is_empty()
    }

    /// Returns whether the chains around the pair survive in most playouts and have two liberties
    /// outside it.
    fn is_enclosed_by_living_chains(&self, ownership: &Ownership) -> bool {
        let inside = self.liberties() | self.chains[0] | self.chains[1];
        Color::ALL.into_iter().all(|color| {
            let stones = self.board.stones(color) - self.chains[color as usize];
            chains(self.board, stones & inside.neighbors()).all(|chain| {
                let owned: u64 =
                    chain.iter().map(|at| u64::from(ownership.count_at(color, at))).sum();
                let all = ownership.games() * u64::from(chain.len());
                owned as f64 >= MIN_OWNERSHIP * all as f64
                    && (liberties(self.board, chain) - inside).len() > 1
            })
        })
    }
}

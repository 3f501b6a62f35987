//! Heavy playouts: each player answers with captures and 3 x 3 patterns near the last two moves and
//! rarely plays a self-atari.
//!
//! The choice of a move, with the probabilities of the constants below:
//!
//! ```text
//! near = the points of the last two moves and their 8 neighbors each
//! 18/20: draw from the captures and escapes of the chains in atari near   (reject a self-atari: 18/20)
//! 19/20: draw from the points near where a 3 x 3 pattern matches          (reject a self-atari: 18/20)
//! draw from all playable points                                           (reject a self-atari: 10/20)
//! draw from all playable points; pass if there are none
//! ```
//!
//! Each line is tried only if the lines above found no move. A rejected point is removed from the
//! set of its line, and the line draws again.
//!
//! The order and the probabilities are from Petr Baudiš, michi (2015), after Gelly, Wang, Munos and
//! Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (2006).

use super::leaf_playouts::{LeafPlayouts, OnPlayout};
use super::pattern::Patterns;
use super::state::SearchState;
use crate::playout::policy::Policy;
use crate::playout::results::{MAX_PLIES_PER_POINT, simple_area};
use crate::rules::board::Color;
use crate::rules::chains::Chains;
use crate::rules::points::Points;
use bitcore::Rng;

/// The probability, in twentieths, that a move looks for captures and escapes.
const CAPTURE: u32 = 18;
/// The probability, in twentieths, that a move looks for patterns.
const PATTERN: u32 = 19;
/// The probability, in twentieths, that a self-atari among captures, escapes and patterns is
/// rejected.
const REJECT_SUGGESTED: u32 = 18;
/// The probability, in twentieths, that a random self-atari is rejected. Lower, because some
/// self-ataris kill.
const REJECT_RANDOM: u32 = 10;

/// Heavy playouts. Compiled once per board size: only the random draws depend on the instruction
/// set.
pub(super) struct HeavyPlayouts<const N: usize> {
    policy: Policy,
    rng: Rng,
    patterns: &'static Patterns,
    /// The position of the running playout, and the final position after it.
    state: SearchState<N>,
}

impl<const N: usize> LeafPlayouts<N> for HeavyPlayouts<N> {
    fn run(&mut self, leaf: &SearchState<N>, games: u32, on_playout: OnPlayout<N>) {
        for _ in 0..games {
            let first_played = self.play(leaf);
            let [black, white] = simple_area(*self.state.chains.stones_by_color());
            on_playout(black as i32 - white as i32, first_played);
        }
    }
}

impl<const N: usize> HeavyPlayouts<N> {
    /// `policy`, a light one, selects the playable points.
    pub(super) fn new(policy: Policy, seed: u64) -> Self {
        Self { policy, rng: Rng::new(seed), patterns: Patterns::get(), state: SearchState::empty() }
    }

    /// Plays to the end. Returns the points that each color, Black first, was the first of both to
    /// play.
    fn play(&mut self, leaf: &SearchState<N>) -> [Points<N>; 2] {
        self.state.copy_from(leaf);
        let mut first_played = [Points::EMPTY; 2];
        let mut plies = 0;
        while self.state.passes < 2 && plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
            let color = self.state.to_move;
            let chains = &self.state.chains;
            let playable = self.policy.playable(chains, color) - chains.ko();
            let policy = HeavyPolicy { rng: &mut self.rng, patterns: self.patterns };
            if let Some(index) = policy.choose(&self.state, playable) {
                if !first_played[color.other() as usize].contains(index) {
                    first_played[color as usize].set_bit(index);
                }
                self.state.place_stone(index);
            } else {
                self.state.pass();
            }
            plies += 1;
        }
        first_played
    }
}

struct HeavyPolicy<'a> {
    rng: &'a mut Rng,
    patterns: &'static Patterns,
}

impl HeavyPolicy<'_> {
    fn choose<const N: usize>(
        mut self,
        state: &SearchState<N>,
        playable: Points<N>,
    ) -> Option<usize> {
        let chains = &state.chains;
        let color = state.to_move;
        let near = near_last_moves(state.last);
        let in_atari = (chains.atari(color) | chains.atari(color.other())) & near;
        if !in_atari.is_empty() && self.happens(CAPTURE) {
            let answers = captures_and_escapes(chains, color, in_atari) & playable;
            if let Some(index) = self.draw(state, answers, REJECT_SUGGESTED) {
                return Some(index);
            }
        }
        if self.happens(PATTERN) {
            let mut matching = Points::EMPTY;
            for index in near & playable {
                if self.patterns.matches(chains, index) {
                    matching.set_bit(index);
                }
            }
            if let Some(index) = self.draw(state, matching, REJECT_SUGGESTED) {
                return Some(index);
            }
        }
        let drawn = self.draw(state, playable, REJECT_RANDOM);
        if drawn.is_some() { drawn } else { playable.choose_random(self.rng) }
    }

    /// Draws a point uniformly, rejecting self-ataris with probability `rejection` / 20; `None` if
    /// all are rejected.
    #[inline(never)]
    fn draw<const N: usize>(
        &mut self,
        state: &SearchState<N>,
        mut points: Points<N>,
        rejection: u32,
    ) -> Option<usize> {
        while let Some(index) = points.choose_random(self.rng) {
            if !is_self_atari(&state.chains, state.to_move, index) || !self.happens(rejection) {
                return Some(index);
            }
            points.clear_bit(index);
        }
        None
    }

    fn happens(&mut self, twentieths: u32) -> bool {
        self.rng.below(20) < twentieths
    }
}

/// Returns the points of the last two moves and their eight neighbors each.
fn near_last_moves<const N: usize>(last: [Option<usize>; 2]) -> Points<N> {
    let mut near = Points::EMPTY;
    for index in last.into_iter().flatten() {
        near.set_bit(index);
    }
    near | near.neighbors() | near.diagonals()
}

/// Returns the points that capture enemy chains in `in_atari`, or save own chains by a new liberty
/// or a capture.
fn captures_and_escapes<const N: usize>(
    chains: &Chains<N>,
    color: Color,
    in_atari: Points<N>,
) -> Points<N> {
    let mut answers = Points::EMPTY;
    let own = chains.stones(color);
    let capturable = chains.atari(color.other());
    for at in in_atari {
        answers |= chains.liberties(at);
        if own.contains(at) {
            for neighbor in chains.chain(at).neighbors() & capturable {
                answers |= chains.liberties(neighbor);
            }
        }
    }
    answers
}

/// Returns whether a stone on an empty point captures nothing and leaves its chain with at most one
/// liberty.
fn is_self_atari<const N: usize>(chains: &Chains<N>, color: Color, index: usize) -> bool {
    let around = Points::<N>::bit(index).neighbors();
    let mut liberties = around & chains.empty();
    if !(liberties.is_empty() || liberties.is_single())
        || !(around & chains.atari(color.other())).is_empty()
    {
        return false;
    }
    for at in around & chains.stones(color) {
        liberties |= chains.liberties(at);
    }
    liberties.clear_bit(index);
    liberties.is_empty() || liberties.is_single()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::{Board, Suicide};
    use crate::rules::position::Position;
    use std::vec::Vec;

    fn state<const N: usize>(
        chains: Chains<N>,
        color: Color,
        last: [Option<usize>; 2],
    ) -> SearchState<N> {
        SearchState { chains, to_move: color, passes: 0, last }
    }

    fn policy(rng: &mut Rng) -> HeavyPolicy<'_> {
        HeavyPolicy { rng, patterns: Patterns::get() }
    }

    /// Checks every move of heavy playouts on a [`Board`]. Returns the number of moves and of
    /// self-ataris.
    fn games<const N: usize>(count: u32, seed: u64) -> [u32; 2] {
        let mut rng = Rng::new(seed);
        let mut moves = 0;
        let mut ataris = 0;
        for _ in 0..count {
            let mut state = state(Chains::<N>::new(), Color::Black, [None; 2]);
            let mut board = Board::new(crate::Size::new(N, N).unwrap());
            while state.passes < 2 {
                let color = state.to_move;
                let playable = Policy::NoSuicide.playable(&state.chains, color) - state.chains.ko();
                for index in playable {
                    let mut after = board.clone();
                    let point = Points::<N>::point(index);
                    let taken = after.play(color, point, Suicide::Forbidden).unwrap();
                    let is_atari = after.liberties(point).is_single() && taken == 0;
                    assert_eq!(is_self_atari(&state.chains, color, index), is_atari);
                }
                let Some(index) = policy(&mut rng).choose(&state, playable) else {
                    assert!(playable.is_empty());
                    board.pass();
                    state.pass();
                    continue;
                };
                assert!(playable.contains(index));
                (moves, ataris) =
                    (moves + 1, ataris + u32::from(is_self_atari(&state.chains, color, index)));
                board.play(color, Points::<N>::point(index), Suicide::Forbidden).unwrap();
                state.place_stone(index);
            }
        }
        [moves, ataris]
    }

    #[test]
    fn every_move_is_legal_and_fills_no_eye() {
        let [[few, _], [moves, ataris], [many, _]] =
            [games::<5>(20, 1), games::<9>(10, 2), games::<13>(2, 3)];
        assert!(few > 200 && moves > 700 && many > 300, "{few} {moves} {many}");
        assert!(ataris > 0 && ataris * 10 < moves, "{ataris} of {moves}");
    }

    fn chains(board: &str) -> Chains<5> {
        Chains::from(&Position::new(&board.parse().unwrap(), Color::Black).unwrap())
    }

    fn at(point: &str) -> usize {
        Points::<5>::index(point.parse().unwrap()).unwrap()
    }

    /// Returns the points chosen in 1,000 draws, with their counts.
    fn answers(board: &str, last: &str) -> Vec<(usize, u32)> {
        let mut rng = Rng::new(5);
        let state = state(chains(board), Color::Black, [Some(at(last)), None]);
        let playable = Policy::NoSuicide.playable(&state.chains, Color::Black);
        let mut counts = std::vec![0; 30];
        for _ in 0..1000 {
            counts[policy(&mut rng).choose(&state, playable).unwrap()] += 1;
        }
        counts.into_iter().enumerate().filter(|&(_, count)| count > 0).collect()
    }

    #[test]
    fn captures_and_escapes_come_first() {
        let atari = ".....\n..X..\n.XO..\n..X..\n.....";
        for (board, last, point, comes_first) in [
            // White's last stone is in atari.
            (atari, "C3", "D3", true),
            // It puts a black stone in atari, which escapes,
            (".....\n..O..\n.OX..\n..O..\n.....", "C2", "D3", true),
            // or captures the attacker: the stone on A2, whose only liberty is A1.
            (".....\n.....\nXX...\nOXO..\n.O...", "A2", "A1", true),
            // Captures far from the last move are not considered.
            (atari, "A1", "D3", false),
        ] {
            let often =
                answers(board, last).into_iter().find(|answer| answer.0 == at(point)).unwrap().1;
            assert!(if comes_first { often > 880 } else { often < 300 }, "{last}: {often}");
        }
    }

    #[test]
    fn patterns_come_before_the_rest() {
        // C3 is a cut.
        let cut = "..X..\n.XO..\n.O...\n.....\n.....";
        let found = answers(cut, "B3");
        let matching: u32 = found
            .iter()
            .filter(|answer| {
                Patterns::get().matches(&chains(cut), answer.0)
                    && near_last_moves::<5>([Some(at("B3")), None]).contains(answer.0)
            })
            .map(|answer| answer.1)
            .sum();
        assert!(matching > 930 && matching < 1000, "{matching}: {found:?}");
    }

    #[test]
    fn the_first_players_of_each_point_are_returned() {
        let mut heavy = HeavyPlayouts::<5>::new(Policy::NoSuicide, 9);
        let leaf = state(
            chains(".....\n.....\n..X..\n.....\n....."),
            Color::White,
            [Some(at("C3")), None],
        );
        for _ in 0..100 {
            let [black, white] = heavy.play(&leaf);
            let end = &heavy.state;
            let new = !end.chains.empty() - Points::from_index(at("C3"));
            assert!((black & white).is_empty() && (new - black - white).is_empty());
            assert!(end.passes == 2 && new.len() > 8);
        }
    }
}

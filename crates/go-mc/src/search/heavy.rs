//! Heavy playouts: each player answers captures and shapes beside the last two moves, and seldom puts itself in atari.
//!
//! Source of the order and of the chances: Petr Baudiš' teaching program michi (2015), after `MoGo` (Gelly, Wang, Munos,
//! Teytaud: Modification of UCT with patterns in Monte-Carlo Go, 2006).

use super::pattern::Shapes;
use super::rollout::{Rollouts, Take};
use super::state::State;
use crate::board::Color;
use crate::chains::Chains;
use crate::points::Points;
use crate::policy::Policy;
use crate::results::{MAX_PLIES_PER_POINT, light_points};
use bitcore::{Level, Rng};

/// Of 20 turns so many look for captures and rescues.
const CAPTURES: u32 = 18;
/// Of 20 turns so many look for shapes.
const SHAPES: u32 = 19;
/// Of 20 self-ataris that are suggested so many aren't played.
const REJECTED: u32 = 18;
/// Of 20 self-ataris that are drawn so many aren't played: some of them kill.
const AVOIDED: u32 = 10;

/// One heavy playout after the other. Like those on [`Chains`] they are compiled once for each size: only draws ask an
/// instruction set.
pub(super) struct Heavy<const N: usize> {
    level: Level,
    policy: Policy,
    rng: Rng,
    shapes: &'static Shapes,
    /// The end of the last one.
    end: State<N>,
}

impl<const N: usize> Rollouts<N> for Heavy<N> {
    fn run(&mut self, leaf: &State<N>, games: u32, take: Take<N>) {
        for _ in 0..games {
            let first = self.play(leaf);
            let [black, white] = light_points(*self.end.chains.stones_by_color());
            take(black as i32 - white as i32, first);
        }
    }
}

impl<const N: usize> Heavy<N> {
    /// The playouts of a seed; the policy is a light one.
    pub(super) fn new_on(level: Level, policy: Policy, seed: u64) -> Self {
        Self { level, policy, rng: Rng::new(seed), shapes: Shapes::get(), end: State::empty() }
    }

    /// Plays to the end; says which points each color, Black first, was the first of both to take.
    fn play(&mut self, leaf: &State<N>) -> [Points<N>; 2] {
        self.end.copy_from(leaf);
        let (mut first, mut plies) = ([Points::EMPTY; 2], 0);
        while self.end.passes < 2 && plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
            let color = self.end.color;
            let chains = &self.end.chains;
            let playable = self.policy.playable_on(self.level, chains, color) - chains.ko();
            let drawing = Drawing { level: self.level, rng: &mut self.rng, shapes: self.shapes };
            if let Some(index) = drawing.choose(&self.end, playable) {
                if !first[color.other() as usize].contains(index) {
                    first[color as usize].insert(index);
                }
                self.end.put(index);
            } else {
                self.end.pass();
            }
            plies += 1;
        }
        first
    }
}

/// What a choice needs besides the position.
struct Drawing<'a> {
    level: Level,
    rng: &'a mut Rng,
    shapes: &'static Shapes,
}

impl Drawing<'_> {
    /// A move; none if there is none.
    fn choose<const N: usize>(mut self, state: &State<N>, playable: Points<N>) -> Option<usize> {
        let (chains, color) = (&state.chains, state.color);
        let near = vicinity(state.last);
        let hot = (chains.atari(color) | chains.atari(color.other())) & near;
        if !hot.is_empty() && self.chance(CAPTURES) {
            let answers = captures(chains, color, hot) & playable;
            if let Some(index) = self.pick(state, answers, REJECTED) {
                return Some(index);
            }
        }
        if self.chance(SHAPES) {
            let mut answers = Points::EMPTY;
            for index in near & playable {
                if self.shapes.has(chains, index) {
                    answers.insert(index);
                }
            }
            if let Some(index) = self.pick(state, answers, REJECTED) {
                return Some(index);
            }
        }
        let drawn = self.pick(state, playable, AVOIDED);
        if drawn.is_some() { drawn } else { playable.choose_random_on(self.level, self.rng) }
    }

    /// One of some points, each alike, but of 20 self-ataris `rejected` are passed over; none if all are.
    #[inline(never)]
    fn pick<const N: usize>(
        &mut self,
        state: &State<N>,
        mut points: Points<N>,
        rejected: u32,
    ) -> Option<usize> {
        while let Some(index) = points.choose_random_on(self.level, self.rng) {
            if !is_self_atari(&state.chains, state.color, index) || !self.chance(rejected) {
                return Some(index);
            }
            points.remove(index);
        }
        None
    }

    /// True in `of_twenty` of 20 cases.
    fn chance(&mut self, of_twenty: u32) -> bool {
        self.rng.below(20) < of_twenty
    }
}

/// The last two moves and the points around them.
fn vicinity<const N: usize>(last: [Option<usize>; 2]) -> Points<N> {
    let mut near = Points::EMPTY;
    for index in last.into_iter().flatten() {
        near.insert(index);
    }
    near | near.neighbors() | near.diagonals()
}

/// What takes the opponent's chains among some stones in atari off, and what rescues the own ones.
fn captures<const N: usize>(chains: &Chains<N>, color: Color, hot: Points<N>) -> Points<N> {
    let mut answers = Points::EMPTY;
    let (own, prey) = (chains.stones(color), chains.atari(color.other()));
    for at in hot {
        answers |= chains.liberties(at);
        if own.contains(at) {
            for beside in chains.chain(at).neighbors() & prey {
                answers |= chains.liberties(beside);
            }
        }
    }
    answers
}

/// Whether a stone that takes nothing would be in a chain of one liberty.
fn is_self_atari<const N: usize>(chains: &Chains<N>, color: Color, index: usize) -> bool {
    let around = Points::<N>::from_index(index).neighbors();
    let mut liberties = around & chains.empty();
    if !(liberties.is_empty() || liberties.is_single()) || !(around & chains.atari(color.other())).is_empty()
    {
        return false;
    }
    for at in around & chains.stones(color) {
        liberties |= chains.liberties(at);
    }
    liberties.remove(index);
    liberties.is_empty() || liberties.is_single()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Suicide};
    use crate::position::Position;
    use std::vec::Vec;

    fn state<const N: usize>(chains: Chains<N>, color: Color, last: [Option<usize>; 2]) -> State<N> {
        State { chains, color, passes: 0, last }
    }

    fn drawing(rng: &mut Rng) -> Drawing<'_> {
        Drawing { level: Level::detect(), rng, shapes: Shapes::get() }
    }

    /// The liberties of a stone that a player puts on a point, and the stones that it takes; none where that is illegal.
    fn played<const N: usize>(board: &Board, color: Color, index: usize) -> Option<(u32, u32)> {
        let (mut after, point) = (board.clone(), Points::<N>::point(index));
        let taken = after.play(color, point, Suicide::Forbidden).ok()?;
        Some((after.liberties(point).len(), taken))
    }

    /// Games of heavy playouts beside a board with slow rules. Returns the moves and the self-ataris among them.
    fn games<const N: usize>(count: u32, seed: u64) -> [u32; 2] {
        let mut rng = Rng::new(seed);
        let (mut moves, mut ataris) = (0, 0);
        for _ in 0..count {
            let mut state = state(Chains::<N>::new(), Color::Black, [None; 2]);
            let mut board = Board::new(crate::Size::new(N, N).unwrap());
            while state.passes < 2 {
                let color = state.color;
                let legal: Vec<usize> = board
                    .empty()
                    .iter()
                    .filter_map(|index| Points::<N>::index(Points::<19>::point(index)))
                    .filter(|&index| !board.is_eye(color, Points::<N>::point(index)))
                    .filter(|&index| played::<N>(&board, color, index).is_some())
                    .collect();
                let playable: Points<N> = legal.iter().copied().collect();
                assert_eq!(playable, Policy::NoSuicide.playable(&state.chains, color) - state.chains.ko());
                for index in legal {
                    let (liberties, taken) = played::<N>(&board, color, index).unwrap();
                    assert_eq!(is_self_atari(&state.chains, color, index), liberties == 1 && taken == 0);
                }
                let drawn = drawing(&mut rng).choose(&state, playable);
                if let Some(index) = drawn {
                    assert!(playable.contains(index));
                    (moves, ataris) =
                        (moves + 1, ataris + u32::from(is_self_atari(&state.chains, color, index)));
                    board.play(color, Points::<N>::point(index), Suicide::Forbidden).unwrap();
                    state.put(index);
                } else {
                    assert!(playable.is_empty());
                    board.pass();
                    state.pass();
                }
            }
        }
        [moves, ataris]
    }

    #[test]
    fn every_move_is_legal_and_no_eye_by_slow_rules() {
        let [[few, _], [moves, ataris], [many, _]] =
            [games::<5>(20, 1), games::<9>(10, 2), games::<13>(2, 3)];
        assert!(few > 200 && moves > 700 && many > 300, "{few} {moves} {many}");
        assert!(ataris > 0 && ataris * 10 < moves, "{ataris} of {moves}");
    }

    fn chains(board: &str) -> Chains<5> {
        Chains::from_position(&Position::new(&board.parse().unwrap(), Color::Black).unwrap())
    }

    fn at(point: &str) -> usize {
        Points::<5>::index(point.parse().unwrap()).unwrap()
    }

    /// How often of a thousand times each answer comes.
    fn answers(board: &str, last: &str) -> Vec<(usize, u32)> {
        let mut rng = Rng::new(5);
        let state = state(chains(board), Color::Black, [Some(at(last)), None]);
        let playable = Policy::NoSuicide.playable(&state.chains, Color::Black);
        let mut counts = std::vec![0; 30];
        for _ in 0..1000 {
            counts[drawing(&mut rng).choose(&state, playable).unwrap()] += 1;
        }
        counts.into_iter().enumerate().filter(|&(_, count)| count > 0).collect()
    }

    #[test]
    fn captures_and_rescues_come_first() {
        let often = |board, last, point: &str| {
            answers(board, last).into_iter().find(|answer| answer.0 == at(point)).unwrap().1
        };
        // White's last stone is in atari.
        assert!(often(".....\n..X..\n.XO..\n..X..\n.....", "C3", "D3") > 880);
        // It puts a black stone in atari: that one runs.
        assert!(often(".....\n..O..\n.OX..\n..O..\n.....", "C2", "D3") > 880);
        // Or takes what presses it: the stone on A2, whose only liberty is A1.
        let taking = ".....\n.....\nXX...\nOXO..\n.O...";
        assert!(often(taking, "A2", "A1") > 880);
        // Far from the last move nobody looks.
        assert!(often(".....\n..X..\n.XO..\n..X..\n.....", "A1", "D3") < 300);
    }

    #[test]
    fn shapes_come_before_the_rest() {
        // C3 is a cut.
        let cut = "..X..\n.XO..\n.O...\n.....\n.....";
        let found = answers(cut, "B3");
        let shapes: u32 = found
            .iter()
            .filter(|answer| {
                Shapes::get().has(&chains(cut), answer.0)
                    && vicinity::<5>([Some(at("B3")), None]).contains(answer.0)
            })
            .map(|answer| answer.1)
            .sum();
        assert!(shapes > 930 && shapes < 1000, "{shapes}: {found:?}");
    }

    #[test]
    fn the_first_on_a_point_are_told() {
        let mut heavy = Heavy::<5>::new_on(Level::PORTABLE, Policy::NoSuicide, 9);
        let leaf = state(chains(".....\n.....\n..X..\n.....\n....."), Color::White, [Some(at("C3")), None]);
        for _ in 0..100 {
            let [black, white] = heavy.play(&leaf);
            let end = &heavy.end;
            let new = !end.chains.empty() - Points::from_index(at("C3"));
            assert!((black & white).is_empty() && (new - black - white).is_empty());
            assert!(end.passes == 2 && new.len() > 8);
        }
    }
}

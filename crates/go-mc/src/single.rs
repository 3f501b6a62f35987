//! [`Single`]: light playouts from any position, one after the other.

use crate::board::Color;
use crate::lockstep::{Playout, Position};
use crate::mailbox::Mailbox;
use crate::playout::{Outcome, PLY_CAP, Policy, Stats, light_points};
use crate::points::Points;
use bitcore::Rng32;

/// Light playouts one at a time: exactly uniform over the legal moves that fill no own eye.
///
/// The fastest way on 19 x 19, and where a few games are wanted and not many; [`Lockstep`](crate::Lockstep) plays many of
/// 9 x 9 or 13 x 13. Chains with pseudo-liberties on a board with a border, as Lew's libego has them. It asks no instruction
/// set, so there is one form for every machine.
///
/// Game i of a seed draws from [stream i](Rng32::stream) of a small generator. The empty points are a list, at first in point
/// order. For each stone: [`below`](Rng32::below) the number of points in the list chooses one; if a stone there is
/// illegal or fills an own eye, the point changes places with the last of those that haven't been drawn this turn, and
/// another draw chooses among the others. The last of the list takes the place of the point that is played on; points
/// that are taken are added at the end, in an order that
/// [`reference::single_playout`](crate::reference::single_playout) tells, which plays the same games in plain words.
///
/// ```
/// use go_mc::{Policy, Position, Single};
/// let mut games = Single::<19>::new(Policy::NoSuicide, 42).unwrap();
/// let stats = games.run(&Position::EMPTY, 200);
/// assert!((stats.stones.mean() - 451.0).abs() < 10.0);
/// // From any position, with all that a playout tells.
/// games.run_each(&Position::EMPTY.after_pass(), 3, |playout| {
///     assert!(playout.number >= 200 && playout.first[1].len() > 150);
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Single<const N: usize> {
    multi: bool,
    seed: u64,
    next: u64,
}

impl<const N: usize> Single<N> {
    /// The games of a seed, from game 0; none for [`Policy::FooGo`], which has sets of its own.
    pub const fn new(policy: Policy, seed: u64) -> Option<Self> {
        let multi = match policy {
            Policy::NoSuicide => false,
            Policy::MultiSuicide => true,
            Policy::FooGo => return None,
        };
        Some(Self { multi, seed, next: 0 })
    }

    /// The number of the next game.
    pub const fn number(&self) -> u64 {
        self.next
    }

    /// Plays the next `games` games from a position.
    pub fn run(&mut self, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        self.run_each(start, games, |playout| stats.add(&playout.outcome));
        stats
    }

    /// Plays the next `games` games from a position and hands over each as it ends.
    pub fn run_each(&mut self, start: &Position<N>, games: u64, mut take: impl FnMut(&Playout<N>)) {
        let begin = Mailbox::new(start);
        let mut board = begin.clone();
        for number in self.next..self.next + games {
            board.copy_from(&begin);
            take(&playout(&mut board, start, self.multi, self.seed, number));
        }
        self.next += games;
    }
}

/// The game of a number, on a board that stands at its start.
#[inline(always)]
fn playout<const N: usize>(
    board: &mut Mailbox<N>,
    start: &Position<N>,
    multi: bool,
    seed: u64,
    number: u64,
) -> Playout<N> {
    let mut rng = Rng32::stream(seed, number);
    let (mut color, mut first) = (start.to_move(), [Points::EMPTY; 2]);
    let (mut stones, mut plies, mut passes) = (0, 0, u32::from(start.passed()));
    while passes < 2 && plies < PLY_CAP * (N * N) as u32 {
        if let Some(index) = board.choose(color, multi, &mut rng) {
            board.play(color, index, multi);
            let other = first[color.other() as usize];
            first[color as usize].insert_unless(index, &other);
            (stones, passes) = (stones + 1, 0);
        } else {
            board.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
    }
    let end = Color::ALL.map(|color| board.stones(color));
    Playout { number, outcome: Outcome { stones, plies, points: light_points(end) }, stones: end, first }
}

//! [`SequentialPlayouts`]: light playouts from any position, one game at a time.
//!
//! ```text
//! board: a mailbox with the list of its empty points
//! turn:  left = length of the list
//!        while left > 0:
//!            i = below(left);  point = list[i]
//!            if a stone on `point` is legal and fills no own real eye: play it; the turn is over
//!            swap list[i] with list[left - 1];  left = left - 1
//!        pass
//! ```
//!
//! Two consecutive passes, or the [ply limit](crate::playout::MAX_PLIES_PER_POINT), end the game.
//! Only points that are not playable are swapped away, so the rest of the list always contains all
//! playable points and the choice is uniform.

use crate::playout::policy::Policy;
use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT, Playout, Stats, simple_area};
use crate::rules::board::Color;
use crate::rules::komi::Komi;
use crate::rules::mailbox::Mailbox;
use crate::rules::points::{MAX_SIDE, Points};
use crate::rules::position::Position;
use bitcore::Rng32;

/// Light playouts, one game at a time, uniform over the legal moves that do not fill an own eye.
///
/// This is the fastest kernel on 19 x 19 and for small numbers of games;
/// [`SimdPlayouts`](crate::playout::SimdPlayouts) plays many games of 9 x 9 or 13 x 13 faster.
/// Chains are tracked by pseudo-liberties on a bordered board, as in
/// [libEGO](https://github.com/lukaszlew/libego). The kernel uses no special instructions, so it is
/// the same at every ISA level.
///
/// Game i of a seed draws from [stream i](Rng32::stream) of a small generator. The empty points are
/// a list, initially in point order. For each stone, one [`below`](Rng32::below) of the list's
/// length draws a position in it. If a stone on that point is illegal or fills an own eye, the
/// point is swapped with the last point not yet drawn this turn, and the next draw is among the
/// rest. The last point of the list replaces the played point; captured points are appended.
/// [`reference::sequential_playout`](crate::reference::sequential_playout) defines their order and
/// plays the same games in plain code.
///
/// ```
/// use go_mc::playout::SequentialPlayouts;
/// use go_mc::{Policy, Position};
/// let mut games = SequentialPlayouts::<19>::new(Policy::NoSuicide, 42).unwrap();
/// let stats = games.play(&Position::EMPTY, 200);
/// assert!((stats.stones.mean() - 451.0).abs() < 10.0);
/// // From any position, with the details of each playout.
/// games.play_each(&Position::EMPTY.after_pass(), 3, |playout| {
///     assert!(playout.number >= 200 && playout.first_played[1].len() > 150);
/// });
/// ```
#[derive(Clone, Debug)]
pub struct SequentialPlayouts<const N: usize> {
    multi_suicide: bool,
    komi: Komi,
    seed: u64,
    next: u64,
}

impl<const N: usize> SequentialPlayouts<N> {
    /// Creates the playouts of a seed, starting with game 0; `None` for [`Policy::FooGo`], which
    /// defines playable points differently.
    pub const fn new(policy: Policy, seed: u64) -> Option<Self> {
        let multi_suicide = match policy {
            Policy::NoSuicide => false,
            Policy::MultiSuicide => true,
            Policy::FooGo => return None,
        };
        Some(Self { multi_suicide, komi: Komi::from_half_points(15), seed, next: 0 })
    }

    /// Sets the komi of [`Stats::black_wins`]; the default is 7.5 points.
    #[must_use]
    pub const fn with_komi(mut self, komi: Komi) -> Self {
        self.komi = komi;
        self
    }

    /// Returns the number of the next game.
    pub const fn next_number(&self) -> u64 {
        self.next
    }

    pub(crate) fn skip(&mut self, games: u64) {
        self.next += games;
    }

    /// Plays the next `games` games from a position and returns their statistics.
    pub fn play(&mut self, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        let komi = self.komi;
        self.play_games(start, games, |_, log| stats.add(&log.result(log.stones()), komi));
        stats
    }

    /// Plays the next `games` games from a position and calls `visit` with each, in order of their
    /// numbers.
    pub fn play_each(
        &mut self,
        start: &Position<N>,
        games: u64,
        mut visit: impl FnMut(&Playout<N>),
    ) {
        self.play_games(start, games, |number, log| {
            let stones = log.stones();
            visit(&Playout {
                number,
                result: log.result(stones),
                stones,
                first_played: log.first_played(),
            });
        });
    }

    fn play_games(
        &mut self,
        start: &Position<N>,
        games: u64,
        mut visit: impl FnMut(u64, &GameLog<N>),
    ) {
        let start_board = Mailbox::new(start);
        let mut log = GameLog::new(start_board.clone());
        for number in self.next..self.next + games {
            log.board.copy_from(&start_board);
            let rng = Rng32::stream(self.seed, number);
            if self.multi_suicide {
                log.play::<true>(start, rng);
            } else {
                log.play::<false>(start, rng);
            }
            visit(number, &log);
        }
        self.next += games;
    }
}

/// The capacity for the moves of a game: a power of two, so a masked index needs no bounds check.
const MOVES: usize = 4096;
const _: () = assert!(MOVES > MAX_PLIES_PER_POINT as usize * MAX_SIDE * MAX_SIDE);

struct GameLog<const N: usize> {
    board: Mailbox<N>,
    /// The played stones: twice the point index, plus one if the stone is white.
    moves: [u16; MOVES],
    count: usize,
    passes: u32,
    passed: bool,
}

impl<const N: usize> GameLog<N> {
    const MAX_PLIES: usize = MAX_PLIES_PER_POINT as usize * N * N;

    const fn new(board: Mailbox<N>) -> Self {
        Self { board, moves: [0; MOVES], count: 0, passes: 0, passed: false }
    }

    /// Plays a game from `start` to its end; `board` must already be set to `start`.
    ///
    /// The kernel is one out-of-line function. The suicide rule and the colors are constants in it,
    /// to keep fewer values in registers.
    #[inline(never)]
    fn play<const MULTI_SUICIDE: bool>(&mut self, start: &Position<N>, mut rng: Rng32) {
        (self.count, self.passes, self.passed) = (0, 0, start.passed());
        let mut black_to_move = start.to_move() == Color::Black;
        loop {
            if black_to_move && self.play_turn(Color::Black, MULTI_SUICIDE, &mut rng) {
                return;
            }
            if self.play_turn(Color::White, MULTI_SUICIDE, &mut rng) {
                return;
            }
            black_to_move = true;
        }
    }

    /// Returns whether the game is over.
    #[inline(always)]
    fn play_turn(&mut self, color: Color, multi_suicide: bool, rng: &mut Rng32) -> bool {
        let over = if let Some(index) = self.board.choose_random(color, multi_suicide, rng) {
            self.board.play(color, index, multi_suicide);
            self.moves[self.count & (MOVES - 1)] = 2 * index as u16 + color as u16;
            self.count += 1;
            self.passed = false;
            false
        } else {
            self.board.pass();
            self.passes += 1;
            core::mem::replace(&mut self.passed, true)
        };
        over || self.count + self.passes as usize == Self::MAX_PLIES
    }

    fn stones(&self) -> [Points<N>; 2] {
        [self.board.stones(Color::Black), self.board.stones(Color::White)]
    }

    fn result(&self, stones: [Points<N>; 2]) -> GameResult {
        let count = self.count as u32;
        GameResult { stones: count, plies: count + self.passes, area: simple_area(stones) }
    }

    /// Returns the points that each color played before the other did.
    fn first_played(&self) -> [Points<N>; 2] {
        let mut first_played = [Points::EMPTY; 2];
        let mut taken = Points::<N>::EMPTY;
        for &entry in &self.moves[..self.count] {
            let index = usize::from(entry / 2);
            let color = usize::from(entry % 2);
            if !taken.contains(index) {
                taken.set_bit(index);
                first_played[color].set_bit(index);
            }
        }
        first_played
    }
}

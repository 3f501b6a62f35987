//! [`SimdPlayouts`]: light playouts from any position, 16 games in parallel vector lanes.
//!
//! # The idea
//!
//! Each lane of a vector register plays its own game. One *step* advances all games of the
//! registers by the same branchless instructions:
//!
//! ```text
//! repeat until every game is over:
//!     own, enemy  = stones of the player to move and of the opponent   // sets of points, one per lane
//!     empty       = all points - own - enemy
//!     candidates  = empty - own real eyes - ko point - suicides already found in this turn
//!                 - points whose neighbors are all enemy stones known to have two liberties
//!     stone       = a uniformly random candidate                       // k-th set bit of the lane
//!     enemy_with_liberty = enemy stones of chains that keep a liberty  // flood fill from liberties
//!     own_with_liberty   = own stones of chains with a liberty, `stone` included
//!     if an enemy stone next to `stone` is not in enemy_with_liberty:
//!         the move is played and captures enemy - enemy_with_liberty
//!     else if `stone` is in own_with_liberty, or there is no candidate (a pass):
//!         the move is played
//!     else:
//!         suicide: exclude the point for this turn (or play, if multi-stone suicide is allowed)
//!     games with a played move swap own and enemy
//! ```
//!
//! The floods run a fixed number of rounds. In the few games where that does not decide the move,
//! the lane keeps its stone and continues the floods in the next step. It does not draw another
//! point, so the choice stays uniform.
//!
//! A lane whose game is over reports it and takes the next pending game number. Each game has its
//! own random generator, so its moves do not depend on its lane or on the other games.
//!
//! # The layout
//!
//! A *plane* is one set of points per game, in registers of eight lanes of 32 bits; lane g is game
//! g. The board is folded: a word has one row from each third of a 9 x 9 board, or from each half
//! of a 13 x 13 board. Most moves up or down take the neighboring register. Gaps between rows let a
//! shift move every point to the side.
//!
//! ```text
//! 9 x 9, three registers
//!
//!                bit 31 30 | 29 | 28 .. 20 | 19 | 18 .. 10 | 9 | 8 .. 0
//!     register 0     -  -    -    row 6      -    row 3      -   row 0
//!     register 1     -  -    -    row 7      -    row 4      -   row 1
//!     register 2     -  -    -    row 8      -    row 5      -   row 2
//!
//! 13 x 13, seven registers
//!
//!                bit 31 30 29 | 28 .. 16 | 15 14 13 | 12 .. 0
//!     register r     -  -  -    row r+7    -  -  -    row r
//! ```
//!
//! # The files
//!
//! `plane.rs` is a plane, `lane_group.rs` the step, and `run.rs` the loop that assigns games to
//! lanes. `scalar.rs` plays the same games one at a time at levels without vector registers.
//! [`reference::simd_playout`](crate::reference::simd_playout) defines the games;
//! `tests/properties/playouts.rs` compares the two.

mod job;
mod lane_group;

mod plane;

mod run;
mod scalar;

use crate::playout::policy::Policy;
use crate::playout::results::{Playout, Stats};
use crate::rules::board_size::{BoardSize, sealed::Sealed};
use crate::rules::komi::Komi;
use crate::rules::position::Position;
use bitcore::{Isa, dispatch};
use job::Job;
pub(crate) use lane_group::TWO_LIBERTY_ROUNDS;

/// Light playouts in vector lanes, uniform over the legal moves that do not fill an own eye.
///
/// Game i of a seed draws from [stream i](bitcore::Rng32::stream) of a small generator. It is the
/// same game at every ISA level and whatever the number of games per call. Order of draws: for each
/// stone, one [`below`](bitcore::Rng32::below) of the number of remaining
/// [candidates](crate::reference::candidates) gives the rank of its point among them, in point
/// order. If the stone would be an illegal suicide, the point is removed from the candidates and
/// the next draw follows. [`reference::simd_playout`](crate::reference::simd_playout) is the plain
/// definition of the same games. Levels without vector registers play them one at a time.
///
/// ```
/// use go_mc::playout::SimdPlayouts;
/// use go_mc::{Policy, Position};
/// let mut games = SimdPlayouts::<9>::new(Policy::NoSuicide, 42).unwrap();
/// let stats = games.play(&Position::EMPTY, 1000);
/// assert!((stats.stones.mean() - 107.4).abs() < 3.0);
/// // From any position, with the details of each playout.
/// let corner = Position::EMPTY.after_pass();
/// games.play_each(&corner, 32, |playout| {
///     assert!(playout.number >= 1000 && playout.first_played[1].len() > 20);
/// });
/// ```
#[derive(Clone, Debug)]
pub struct SimdPlayouts<const N: usize> {
    multi_suicide: bool,
    komi: Komi,
    seed: u64,
    next: u64,
}

/// A board size with compiled SIMD playouts: 9 and 13.
pub trait HasSimdPlayouts<const N: usize>: Sealed {
    #[doc(hidden)]
    fn run(job: &Job<N>, visit: &mut dyn FnMut(&Playout<N>));
}

/// Implements [`HasSimdPlayouts`] with one kernel per level and size, compiled here instead of in
/// the callers.
macro_rules! simd_sizes {
    ($($n:literal in $words:literal words of $field:literal bits;)*) => {$(
        impl HasSimdPlayouts<$n> for BoardSize<$n> {
            fn run(job: &Job<$n>, visit: &mut dyn FnMut(&Playout<$n>)) {
                dispatch!(isa + slow_pext + v4 [job, visit] => run_on_token::<_, $n, $words, $field>(isa, job, visit));
            }
        }
    )*};
}
simd_sizes! {
    9 in 3 words of 10 bits;
    13 in 7 words of 16 bits;
}

#[inline(always)]
fn run_on_token<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32>(
    isa: S,
    job: &Job<N>,
    visit: &mut dyn FnMut(&Playout<N>),
) {
    // In registers of 128 bits, a plane of 13 x 13 would take fourteen.
    if const { if N == 9 { S::HAS_SIMD } else { S::WIDE_REGISTERS } } {
        run::run::<S, N, WORDS, FIELD>(isa, job, visit);
    } else {
        scalar::run(job, visit);
    }
}

impl<const N: usize> SimdPlayouts<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    /// Creates the playouts of a seed, starting with game 0; `None` for [`Policy::FooGo`], which
    /// has no SIMD playouts.
    pub fn new(policy: Policy, seed: u64) -> Option<Self> {
        let multi_suicide = match policy {
            Policy::NoSuicide => false,
            Policy::MultiSuicide => true,
            Policy::FooGo => return None,
        };
        Some(Self { multi_suicide, komi: Komi::default(), seed, next: 0 })
    }

    /// Sets the komi of [`Stats::black_wins`]; the default is 7.5 points.
    #[must_use]
    pub fn with_komi(mut self, komi: Komi) -> Self {
        self.komi = komi;
        self
    }

    /// Returns the number of the next game.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    pub(crate) fn skip(&mut self, games: u64) {
        self.next += games;
    }

    /// Plays the next `games` games from a position and returns their statistics.
    pub fn play(&mut self, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        let komi = self.komi;
        let job = self.next_job(start, games);
        BoardSize::<N>::run(&job, &mut |playout| stats.add(&playout.result, komi));
        stats
    }

    /// Plays the next `games` games from a position and calls `visit` with each finished game, in
    /// no particular order.
    pub fn play_each(
        &mut self,
        start: &Position<N>,
        games: u64,
        mut visit: impl FnMut(&Playout<N>),
    ) {
        let job = Job { track_first: true, ..self.next_job(start, games) };
        BoardSize::<N>::run(&job, &mut visit);
    }

    fn next_job(&mut self, start: &Position<N>, games: u64) -> Job<N> {
        let numbers = self.next..self.next + games;
        self.next = numbers.end;
        Job {
            start: *start,
            multi_suicide: self.multi_suicide,
            track_first: false,
            seed: self.seed,
            numbers,
        }
    }
}

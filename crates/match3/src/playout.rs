//! [`Playouts`]: games of uniformly random legal swaps, in vector lanes where the ISA level has them.
//!
//! Four games share a register (module `four_games`). One pass over the registers advances every game by one
//! cascade level. In the same pass, games with a stable board draw and play their next move, and a lane whose
//! game is over starts the next one. So no game waits for another.

use crate::bitboard::colors::RandomColors;
use crate::bitboard::four_games::{FourGames, Moves, SizeLanes};
use crate::bitboard::planes::{AnyBoard, Board8, Layout, PlaneBoard, PlaneLayout, with_board, with_layout};
use crate::board::Board;
use crate::cascade_result::CascadeResult;
use crate::error::Error;
use crate::rules::Rules;
use bitcade_core::{Moments, PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::{Isa, Lanes, Rng, U64s, dispatch};
use core::ops::AddAssign;

/// An endless game of uniformly random legal swaps on a full board. It ignores [`Rules::moves`].
///
/// ```
/// use match3::{RandomGame, Rng, Rules};
/// let mut game = RandomGame::new(Rules::default(), Rng::new(1))?;
/// let first = game.step();
/// let later = game.run(1000);
/// assert!(first.score >= 30 && later.score >= 30_000);
/// # Ok::<(), match3::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGame {
    board: AnyBoard,
    colors: RandomColors,
}

impl RandomGame {
    /// Deals a board for the rules ([`PlaneBoard::deal`](crate::bitboard::PlaneBoard::deal)).
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Colors`] or [`Error::Dead`] for the rules.
    pub fn new(rules: Rules, rng: Rng) -> Result<Self, Error> {
        rules.check_colors()?;
        let mut colors = RandomColors::new(rules.colors, rng)?;
        Ok(Self { board: deal(&rules, &mut colors)?, colors })
    }

    /// The rules must be valid.
    fn start(rules: &Rules, rng: Rng) -> Self {
        let mut colors = RandomColors::new(rules.colors, rng).expect("rules that were checked");
        let board = until_found(|| deal(rules, &mut colors));
        Self { board, colors }
    }

    /// Returns the current board.
    pub fn board(&self) -> Board {
        self.board.into()
    }

    /// Returns the source of the game's colors and random draws.
    pub fn colors(&self) -> &RandomColors {
        &self.colors
    }

    /// Plays one move ([`PlaneBoard::random_move`](crate::bitboard::PlaneBoard::random_move)). A dead board
    /// is replaced by a new one first.
    pub fn step(&mut self) -> CascadeResult {
        self.run(1)
    }

    /// Plays a number of moves, faster than the same number of [`step`](Self::step)s. Returns the total cells
    /// and points, and the cascade levels of the last move.
    pub fn run(&mut self, moves: u64) -> CascadeResult {
        let colors = &mut self.colors;
        with_board!(&mut self.board, board => {
            let mut sum = CascadeResult::default();
            let mut left = moves;
            loop {
                let (played, result) = PlaneLayout::random_moves(board, colors, left);
                sum.cleared += result.cleared;
                sum.score += result.score;
                sum.levels = result.levels;
                left -= played;
                if left == 0 {
                    return sum;
                }
                let (width, height) = (board.width(), board.height());
                *board = until_found(|| PlaneBoard::deal(width, height, colors));
            }
        })
    }
}

fn deal(rules: &Rules, colors: &mut RandomColors) -> Result<AnyBoard, Error> {
    let Rules { width, height, .. } = *rules;
    with_layout!(Layout::smallest(width, height, rules.colors), Typed => {
        Typed::deal(width, height, colors).map(AnyBoard::from)
    })
}

/// Deals until a board is found. After a successful deal with the same rules, one try is nearly always
/// enough.
fn until_found<B>(mut deal: impl FnMut() -> Result<B, Error>) -> B {
    loop {
        if let Ok(board) = deal() {
            return board;
        }
    }
}

/// Totals over complete games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The number of moves.
    pub moves: u64,
    /// The number of cells cleared.
    pub cleared: u64,
    /// The scores of the games.
    pub score: Moments,
}

impl Stats {
    fn add(&mut self, moves: u32, cleared: u64, score: u64) {
        self.games += 1;
        self.moves += u64::from(moves);
        self.cleared += cleared;
        self.score.add(score);
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.cleared += other.cleared;
        self.score += other.score;
    }
}

/// Complete games of uniformly random legal swaps. Game i uses [stream](Rng::stream) i of a seed.
///
/// The games are identical to the games of a [`Batch`](crate::Batch) that steps at random and to
/// [`RandomGame`]s of [`Rules::moves`] moves, independent of how they are split over calls, of the ISA level,
/// and of the number of threads.
///
/// Boards of up to 8 x 8 are played in vector lanes where the ISA level has them. One pass advances every
/// game by one cascade level, so no game waits for another's cascade.
///
/// ```
/// use match3::{Playouts, Rules};
/// let mut playouts = Playouts::new(Rules::default(), 1)?;
/// let mut stats = playouts.play(60);
/// stats += playouts.play(40);
/// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(100));
/// assert_eq!((stats.games, stats.moves), (100, 3000));
/// assert!((1800.0..2400.0).contains(&stats.score.mean()));
/// # Ok::<(), match3::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playouts {
    rules: Rules,
    /// The stream of the next game.
    next: Rng,
}

/// Games that run together: few enough for their states to stay in the L1 cache.
const TOGETHER: usize = 64;

/// Moves of a game, or passes over the lanes, between two polls of `stop`.
const MOVES_PER_STOP: u32 = 1024;

impl Playouts {
    /// Creates the games of a seed.
    ///
    /// # Errors
    ///
    /// [`Error::NoMoves`], and the errors of [`RandomGame::new`].
    pub fn new(rules: Rules, seed: u64) -> Result<Self, Error> {
        rules.check()?;
        Ok(Self { rules, next: Rng::new(seed) })
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn play(&mut self, games: u64) -> Stats {
        self.play_part(games, &|| false).expect("nothing stops it")
    }

    /// Plays the next `games` games on a thread pool, with the same result as [`play`](Self::play). From time
    /// to time, calls `visit` with the totals so far, which always cover the first games of this call.
    ///
    /// ```
    /// use match3::{Playouts, Rules, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let mut playouts = Playouts::new(Rules::default(), 1)?;
    /// let show = |so_far: &match3::Stats| println!("{} games", so_far.games);
    /// let stats = playouts.play_until(&pool, 200, &|| false, show)?;
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call goes on after the games visited last.
    pub fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Stats),
    ) -> Result<Stats, Stopped> {
        play_in_parts(self, pool, games, stop, visit)
    }
}

impl Parts for Playouts {
    type Stats = Stats;

    fn skip(&mut self, games: u64, jump: &mut PartJump) {
        jump.advance(&mut self.next, games);
    }

    /// A few milliseconds of work, enough to keep the lanes full.
    fn part(&self, pool: &ThreadPool, games: u64) -> u64 {
        /// Moves in a part, unless a single game is longer.
        const MOVES: u32 = 1 << 18;
        let part = (MOVES / self.rules.moves.clamp(1, MOVES)).max(4 * TOGETHER as u32);
        let share = pool.share(usize::try_from(games).unwrap_or(usize::MAX / 2), TOGETHER);
        games.min(u64::from(part)).min(share as u64)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Stats> {
        let mut part = Part { rules: self.rules, next: self.next.clone(), left: games };
        let stats = part.play(stop);
        self.next = part.next;
        stats
    }
}

/// A range of consecutive games, played by one thread.
struct Part {
    rules: Rules,
    /// The stream of the next game.
    next: Rng,
    /// The number of games not started yet.
    left: u64,
}

impl Part {
    /// Plays all games, or returns `None` if `stop` returned `true` before the end.
    fn play(&mut self, stop: Stop<'_>) -> Option<Stats> {
        let part = self;
        match Layout::smallest(part.rules.width, part.rules.height, part.rules.colors) {
            Layout::Size8Colors7 => {
                dispatch!(isa + slow_pext + v4 [part, stop] => play_with::<_, 3>(isa, part, stop))
            }
            Layout::Size8Colors15 => {
                dispatch!(isa + slow_pext + v4 [part, stop] => play_with::<_, 4>(isa, part, stop))
            }
            Layout::Size16Colors7 | Layout::Size16Colors15 => part.play_singly(stop),
        }
    }

    fn next(&mut self) -> Rng {
        self.left -= 1;
        self.next.copy_and_jump()
    }

    fn play_singly(&mut self, stop: Stop<'_>) -> Option<Stats> {
        let mut stats = Stats::default();
        while self.left > 0 {
            let rng = self.next();
            let mut game = RandomGame::start(&self.rules, rng);
            let (mut cleared, mut score, mut left) = (0, 0, self.rules.moves);
            while left > 0 {
                if left.is_multiple_of(MOVES_PER_STOP) && stop() {
                    return None;
                }
                let moves = (left - 1) % MOVES_PER_STOP + 1;
                let sums = game.run(moves.into());
                (cleared, score, left) = (cleared + sums.cleared, score + sums.score, left - moves);
            }
            stats.add(self.rules.moves, cleared, score);
        }
        Some(stats)
    }
}

#[inline(always)]
fn play_with<S: Isa, const P: usize>(isa: S, part: &mut Part, stop: Stop<'_>) -> Option<Stats>
where
    u64: PlaneLayout<P>,
{
    if !S::HAS_SIMD {
        // Without vector lanes, a lane is a word and PDEP a loop: playing game by game is faster.
        return part.play_singly(stop);
    }
    let (rules, lanes) = (part.rules, part.left.min(TOGETHER as u64) as usize);
    let empty = Board8::<P>::empty(rules.width, rules.height).expect("a size that fits");
    let size = SizeLanes::new(isa, &empty);
    // On the stack, where the alignment doesn't depend on the allocator.
    let mut groups = [Group::EMPTY; TOGETHER / 4];
    let groups = &mut groups[..lanes.div_ceil(4)];
    let Some(last) = groups.len().checked_sub(1) else { return Some(Stats::default()) };
    for lane in 0..lanes {
        groups[lane / 4].start(lane % 4, part);
    }
    for lane in lanes..4 * groups.len() {
        // A lane without a game gets a copy of another board and plays no moves.
        let planes = groups[last].games.planes(0);
        groups[last].games.put_planes(lane % 4, &planes);
    }
    let mut stats = Stats::default();
    let mut passes = 0_u32;
    loop {
        // Two loops over the groups. Each overlaps the scalar work of one group (PDEP, PEXT) with the vector
        // work of the next.
        for at in 0..groups.len() {
            groups[at].draw_with(isa, &size, part, &mut stats);
            if at > 0 {
                groups[at - 1].moves.pick_with(isa);
            }
        }
        groups[last].moves.pick_with(isa);
        let mut runs = isa.splat_u64(0);
        for at in 0..groups.len() {
            runs = runs | groups[at].clear_with(isa, &size);
            if at > 0 {
                groups[at - 1].fall_with(isa, rules.colors);
            }
        }
        groups[last].fall_with(isa, rules.colors);
        // Every game with moves left has just made a run with its swap, and every game in a cascade has had a
        // run. If there is no run, all games are over.
        if runs.is_zero() {
            break;
        }
        passes = passes.wrapping_add(1);
        if passes.is_multiple_of(MOVES_PER_STOP) && stop() {
            return None;
        }
    }
    for lane in 0..lanes {
        groups[lane / 4].finish(lane % 4, &rules, &mut stats);
    }
    Some(stats)
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group<const P: usize> {
    games: FourGames<P>,
    moves: Moves,
    /// Moves left.
    left: [u64; 4],
    /// All ones if no move is left.
    idle: [u64; 4],
    level: [u64; 4],
    cleared: [u64; 4],
}

impl<const P: usize> Group<P>
where
    u64: PlaneLayout<P>,
{
    const EMPTY: Self = {
        let zero = [0; 4];
        Self {
            games: FourGames::EMPTY,
            moves: Moves::NONE,
            left: zero,
            idle: [u64::MAX; 4],
            level: zero,
            cleared: zero,
        }
    };

    fn start(&mut self, lane: usize, part: &mut Part) {
        let Rules { width, height, colors, moves } = part.rules;
        let mut colors = RandomColors::new(colors, part.next()).expect("rules that were checked");
        let board = until_found(|| Board8::<P>::deal(width, height, &mut colors));
        self.games.put_planes(lane, &board.planes);
        self.games.put_colors(lane, &colors);
        (self.left[lane], self.idle[lane]) = (moves.into(), 0);
    }

    fn finish(&mut self, lane: usize, rules: &Rules, stats: &mut Stats) {
        stats.add(rules.moves, self.cleared[lane], 10 * self.moves.score[lane]);
        (self.cleared[lane], self.moves.score[lane]) = (0, 0);
    }

    /// Lists the swaps and draws one for each game with a stable board and moves left. Finished games are
    /// added to the totals and replaced by the next ones.
    #[inline(always)]
    fn draw_with<S: Isa>(&mut self, isa: S, size: &SizeLanes<S>, part: &mut Part, stats: &mut Stats) {
        let (zero, one) = (isa.splat_u64(0), isa.splat_u64(1));
        self.games.remove_used_with(isa, &self.moves);
        loop {
            let equal = self.games.list_with(isa, size);
            let (right, down) = equal.swaps();
            let stable = equal.first_cells_of_runs().0.cmp_eq(zero);
            let idle = isa.u64x4(&self.idle);
            let play = stable.and_not(idle);
            let [_, legal] = FourGames::<P>::lens_with(isa, right.0, down.0);
            // The top bit of `legal - 1` is set if `legal` is zero. A second comparison would be slower,
            // because the compiler merges it with the first one in narrower lanes.
            let dead = play & (legal - one).shr::<63>();
            let over = if part.left > 0 { stable & idle } else { zero };
            if !(dead | over).is_zero() {
                self.replace(&dead.to_array(), &over.to_array(), part, stats);
                continue;
            }
            self.games.draw_with(isa, play, [right.0, down.0], &mut self.moves);
            self.level = (isa.u64x4(&self.level).and_not(stable) + one).to_array();
            // `play` is -1 where a move is played.
            let left = isa.u64x4(&self.left) + play;
            self.left = left.to_array();
            self.idle = left.cmp_eq(zero).to_array();
            return;
        }
    }

    /// Replaces the boards of the lanes that are nonzero in `dead`, and the games of the lanes that are
    /// nonzero in `over` while there are games left.
    #[cold]
    #[inline(never)]
    fn replace(&mut self, dead: &[u64; 4], over: &[u64; 4], part: &mut Part, stats: &mut Stats) {
        let Rules { width, height, colors: count, .. } = part.rules;
        for lane in 0..4 {
            if dead[lane] != 0 {
                let mut colors = self.games.colors(lane, count);
                let board = until_found(|| Board8::<P>::deal(width, height, &mut colors));
                self.games.put_planes(lane, &board.planes);
                self.games.put_colors(lane, &colors);
            }
            if over[lane] != 0 && part.left > 0 {
                self.finish(lane, &part.rules, stats);
                self.start(lane, part);
            }
        }
    }

    /// Exchanges the cells of the drawn swaps and clears runs. Returns the runs.
    #[inline(always)]
    fn clear_with<S: Isa>(&mut self, isa: S, size: &SizeLanes<S>) -> S::U64x4 {
        let level = isa.u64x4(&self.level);
        let runs = self.games.exchange_and_clear_with(isa, size, level, &mut self.moves);
        self.cleared = (isa.u64x4(&self.cleared) + isa.u64x4(&self.moves.filled)).to_array();
        runs
    }

    #[inline(always)]
    fn fall_with<S: Isa>(&mut self, isa: S, count: u8) {
        self.games.fall_with(isa, count, &mut self.moves);
    }
}

//! [`Playouts`]: games of uniformly random legal swaps, in vector lanes where the ISA level has them.
//!
//! Four games share a register (module `four_games`). One pass over the registers advances every
//! game by one cascade level. In the same pass, games with a stable board draw and play their next
//! move, and a lane whose game is over starts the next one. So no game waits for another. A game
//! from a position enters its lane with the cells of its first swap exchanged, as if in a cascade.
//! Boards with holes or locks are played one by one.

use crate::bitboard::colors::RandomColors;
use crate::bitboard::four_games::{FourGames, Moves, SizeLanes};
use crate::bitboard::planes::{
    AnyBoard, Board8, Layout, PlaneBoard, PlaneLayout, with_board, with_layout,
};
use crate::bitboard::words::CHECKERBOARD;
use crate::board::Board;
use crate::cascade_result::CascadeResult;
use crate::error::Error;
use crate::game::Game;
use crate::game::position::{AnyPosition, Position, revive, with_position};
use crate::rules::Rules;
use crate::swap::{Swap, SwapError};
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

    /// Returns the current board.
    pub fn board(&self) -> Board {
        self.board.into()
    }

    /// Returns the source of the game's colors and random draws.
    pub fn colors(&self) -> &RandomColors {
        &self.colors
    }

    /// Plays one move ([`PlaneBoard::random_move`](crate::bitboard::PlaneBoard::random_move)). A
    /// dead board is replaced by a new one first.
    pub fn step(&mut self) -> CascadeResult {
        self.run(1)
    }

    /// Plays a number of moves, faster than the same number of [`step`](Self::step)s. Returns the
    /// total cells and points, and the cascade levels of the last move.
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
                let width = board.width();
                let height = board.height();
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

/// Deals until a board is found. After a successful deal with the same rules, one try is nearly
/// always enough.
fn until_found<B>(mut deal: impl FnMut() -> Result<B, Error>) -> B {
    loop {
        if let Ok(board) = deal() {
            return board;
        }
    }
}

/// Totals over games played to their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The number of moves, from the position on that the games begin from.
    pub moves: u64,
    /// The number of cells cleared by these moves.
    pub cleared: u64,
    /// The final scores of the games, including the score of the position that they begin from.
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

/// Games of uniformly random legal swaps, from new boards or from a position. Game i uses
/// [stream](Rng::stream) i of a seed, independent of how the games are split over calls, of the ISA
/// level, and of the number of threads.
///
/// | begin with | games |
/// |---|---|
/// | [`new`](Self::new) | dealt boards; identical to the games of a [`Batch`](crate::Batch) that steps at random and to [`RandomGame`]s of [`Rules::moves`] moves |
/// | [`from_game`](Self::from_game) | copies of a [`Game`], played on to their end |
/// | [`after_move`](Self::after_move) | the same after one given move, for a flat Monte Carlo player |
///
/// Full boards of up to 8 x 8 are played in vector lanes where the ISA level has them. One pass
/// advances every game by one cascade level, so no game waits for another's cascade. Time per move
/// on one core (AVX2, 8 x 8, six colors): 20 ns, from a position too. Other boards are played one
/// by one: 115 ns on 16 x 16, 300 ns on a level of 48 cells with blocked and locked ones, where
/// many boards are dead and get new colors.
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
    /// `None` for dealt boards.
    start: Option<Start>,
    /// The stream of the next game.
    next: Rng,
}

/// A game to play on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Start {
    game: Game,
    /// A legal swap, if the first move is given.
    first: Option<Swap>,
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
        Ok(Self { rules, start: None, next: Rng::new(seed) })
    }

    /// Creates the games of a seed that continue a given game: each plays a copy of it to its end,
    /// with [`RandomColors`] from the game's own stream.
    ///
    /// Draws of a move: `below(legal swaps)` from the same stream, counted as in
    /// [`PlaneBoard::random_move`](crate::bitboard::PlaneBoard::random_move), and the draws of
    /// [`Game::play`]. The moves left, the score and any board are taken over. If the game is over,
    /// its playouts have no moves.
    ///
    /// ```
    /// use match3::{Game, Playouts, Rng, Rules};
    /// let mut rng = Rng::new(7);
    /// let mut game = Game::new(Rules::default(), &mut rng)?;
    /// game.play(game.legal_moves()[0], &mut rng)?;
    /// let stats = Playouts::from_game(&game, 1).play(100);
    /// assert_eq!((stats.games, stats.moves), (100, 100 * u64::from(game.moves_left())));
    /// assert!(stats.score.mean() > game.score() as f64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_game(game: &Game, seed: u64) -> Self {
        Self::starting(game, None, seed)
    }

    /// Creates the games of a seed that continue a given game with a given move: like
    /// [`from_game`](Self::from_game), but the first swap isn't drawn. Its refills are, from each
    /// game's own stream.
    ///
    /// ```
    /// use match3::{Game, Playouts, Rng, Rules};
    /// let game = Game::new(Rules { moves: 5, ..Rules::default() }, &mut Rng::new(7))?;
    /// let mean = |swap| Ok(Playouts::after_move(&game, swap, 1)?.play(200).score.mean());
    /// let means: Result<Vec<f64>, match3::SwapError> = game.legal_moves().into_iter().map(mean).collect();
    /// println!("{:?}", means?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Game::play`].
    pub fn after_move(game: &Game, swap: Swap, seed: u64) -> Result<Self, SwapError> {
        game.check(swap)?;
        Ok(Self::starting(game, Some(swap), seed))
    }

    fn starting(game: &Game, first: Option<Swap>, seed: u64) -> Self {
        Self {
            rules: game.rules(),
            start: Some(Start { game: game.clone(), first }),
            next: Rng::new(seed),
        }
    }

    /// The moves of a game, unless it gets stuck.
    fn moves(&self) -> u32 {
        match &self.start {
            None => self.rules.moves,
            Some(Start { game, .. }) => {
                if game.is_over() {
                    0
                } else {
                    game.moves_left()
                }
            }
        }
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

    /// Plays the next `games` games on a thread pool, with the same result as [`play`](Self::play).
    /// From time to time, calls `visit` with the totals so far, which always cover the first games
    /// of this call.
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
        let part = (MOVES / self.moves().clamp(1, MOVES)).max(4 * TOGETHER as u32);
        let share = pool.share(usize::try_from(games).unwrap_or(usize::MAX / 2), TOGETHER);
        games.min(u64::from(part)).min(share as u64)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Stats> {
        let score = self.start.as_ref().map_or(0, |start| start.game.score());
        let first = self.start.as_ref().and_then(|start| start.first);
        let rules = self.rules;
        let moves = self.moves();
        let next = self.next.clone();
        let mut part = Part { rules, moves, score, first, next, left: games };
        let stats = part.play(self.start.as_ref().map(|start| &start.game.position), stop);
        self.next = part.next;
        stats
    }
}

/// Returns the position in a layout, or `None` for a dealt board.
macro_rules! position {
    ($from:ident, $layout:ident) => {
        match $from {
            Some(AnyPosition::$layout(position)) => Some(position),
            _ => None,
        }
    };
}

/// A range of consecutive games, played by one thread.
struct Part {
    rules: Rules,
    /// The moves of a game.
    moves: u32,
    /// The score that a game starts with.
    score: u64,
    /// The first move, if it is given.
    first: Option<Swap>,
    /// The stream of the next game.
    next: Rng,
    /// The number of games not started yet.
    left: u64,
}

impl Part {
    /// Plays all games, from dealt boards if no position is given, or returns `None` if `stop`
    /// returned `true` before the end.
    fn play(&mut self, from: Option<&AnyPosition>, stop: Stop<'_>) -> Option<Stats> {
        let part = self;
        let Rules { width, height, colors, .. } = part.rules;
        let layout = from.map_or(Layout::smallest(width, height, colors), AnyPosition::layout);
        let is_plain =
            from.is_none_or(|from| with_position!(from, position => position.board.is_plain()));
        match layout {
            Layout::Size8Colors7 if is_plain && part.moves > 0 => {
                let from = position!(from, Size8Colors7);
                dispatch!(isa + slow_pext + v4 [part, from, stop] => play_with::<_, 3>(isa, part, from, stop))
            }
            Layout::Size8Colors15 if is_plain && part.moves > 0 => {
                let from = position!(from, Size8Colors15);
                dispatch!(isa + slow_pext + v4 [part, from, stop] => play_with::<_, 4>(isa, part, from, stop))
            }
            Layout::Size8Colors7 => part.play_singly(position!(from, Size8Colors7), stop),
            Layout::Size8Colors15 => part.play_singly(position!(from, Size8Colors15), stop),
            Layout::Size16Colors7 => part.play_singly(position!(from, Size16Colors7), stop),
            Layout::Size16Colors15 => part.play_singly(position!(from, Size16Colors15), stop),
        }
    }

    fn next(&mut self) -> Rng {
        self.left -= 1;
        self.next.copy_and_jump()
    }

    fn colors(&mut self) -> RandomColors {
        RandomColors::new(self.rules.colors, self.next()).expect("rules that were checked")
    }

    fn deal<W: PlaneLayout<P>, const P: usize>(
        &self,
        colors: &mut RandomColors,
    ) -> PlaneBoard<W, P> {
        until_found(|| PlaneBoard::deal(self.rules.width, self.rules.height, colors))
    }

    fn play_singly<W: PlaneLayout<P>, const P: usize>(
        &mut self,
        from: Option<&Position<W, P>>,
        stop: Stop<'_>,
    ) -> Option<Stats> {
        let mut stats = Stats::default();
        while self.left > 0 {
            let mut colors = self.colors();
            let mut board = from.map_or_else(|| self.deal(&mut colors), |position| position.board);
            let mut sum = CascadeResult::default();
            let mut left = self.moves;
            if let Some(swap) = self.first {
                board.exchange_at(board.swap_bit(swap));
                sum = board.cascade_random(&mut colors);
                left -= 1;
            }
            while left > 0 {
                if left.is_multiple_of(MOVES_PER_STOP) && stop() {
                    return None;
                }
                let moves = (left - 1) % MOVES_PER_STOP + 1;
                let (played, result) =
                    PlaneLayout::random_moves(&mut board, &mut colors, moves.into());
                (sum.cleared, sum.score) = (sum.cleared + result.cleared, sum.score + result.score);
                left -= played as u32;
                if played < moves.into() && !revive(&mut board, &mut colors) {
                    break;
                }
            }
            stats.add(self.moves - left, sum.cleared, self.score + sum.score);
        }
        Some(stats)
    }
}

#[inline(always)]
fn play_with<S: Isa, const P: usize>(
    isa: S,
    part: &mut Part,
    from: Option<&Position<u64, P>>,
    stop: Stop<'_>,
) -> Option<Stats>
where
    u64: PlaneLayout<P>,
{
    if !S::HAS_SIMD {
        // Without vector lanes, a lane is a word and PDEP a loop: playing game by game is faster.
        return part.play_singly(from, stop);
    }
    let rules = part.rules;
    let lanes = part.left.min(TOGETHER as u64) as usize;
    let empty = Board8::<P>::empty(rules.width, rules.height).expect("a size that fits");
    let size = SizeLanes::new(isa, &empty);
    // On the stack, where the alignment doesn't depend on the allocator.
    let mut groups = [Group::EMPTY; TOGETHER / 4];
    let groups = &mut groups[..lanes.div_ceil(4)];
    let Some(last) = groups.len().checked_sub(1) else { return Some(Stats::default()) };
    for lane in 0..lanes {
        groups[lane / 4].start(lane % 4, part, from);
    }
    for lane in lanes..4 * groups.len() {
        // A lane without a game has no run and plays no moves.
        groups[last].games.planes[0][lane % 4] = empty.inside & CHECKERBOARD;
        groups[last].games.planes[1][lane % 4] = empty.inside & !CHECKERBOARD;
    }
    let mut stats = Stats::default();
    let mut passes = 0_u32;
    loop {
        // Two loops over the groups. Each overlaps the scalar work of one group (PDEP, PEXT) with
        // the vector work of the next.
        for at in 0..groups.len() {
            groups[at].draw_with(isa, &size, part, from, &mut stats);
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
        // Every game with moves left has just made a run with its swap, and every game in a cascade
        // has had a run. If there is no run, all games are over.
        if runs.is_zero() {
            break;
        }
        passes = passes.wrapping_add(1);
        if passes.is_multiple_of(MOVES_PER_STOP) && stop() {
            return None;
        }
    }
    for lane in 0..lanes {
        groups[lane / 4].finish(lane % 4, part, &mut stats);
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

    fn start(&mut self, lane: usize, part: &mut Part, from: Option<&Position<u64, P>>) {
        let mut colors = part.colors();
        let mut left = part.moves;
        let mut board = from.map_or_else(|| part.deal(&mut colors), |position| position.board);
        if let Some(Position { legal, .. }) = from {
            let first = part.first.map(|swap| board.swap_bit(swap));
            if let Some(swap) = first.or_else(|| legal.draw(colors.rng())) {
                board.exchange_at(swap);
                left -= 1;
            }
        }
        self.games.put_planes(lane, &board.planes);
        self.games.put_colors(lane, &colors);
        self.left[lane] = left.into();
        self.idle[lane] = if left == 0 { u64::MAX } else { 0 };
        self.level[lane] = 0;
    }

    fn finish(&mut self, lane: usize, part: &Part, stats: &mut Stats) {
        stats.add(part.moves, self.cleared[lane], part.score + 10 * self.moves.score[lane]);
        (self.cleared[lane], self.moves.score[lane]) = (0, 0);
    }

    /// Lists the swaps and draws one for each game with a stable board and moves left. Finished
    /// games are added to the totals and replaced by the next ones.
    #[inline(always)]
    fn draw_with<S: Isa>(
        &mut self,
        isa: S,
        size: &SizeLanes<S>,
        part: &mut Part,
        from: Option<&Position<u64, P>>,
        stats: &mut Stats,
    ) {
        let zero = isa.splat_u64(0);
        let one = isa.splat_u64(1);
        self.games.remove_used_with(isa, &self.moves);
        loop {
            let equal = self.games.list_with(isa, size);
            let (right, down) = equal.swaps();
            let stable = equal.first_cells_of_runs().0.cmp_eq(zero);
            let idle = isa.u64x4(&self.idle);
            let play = stable.and_not(idle);
            let [_, legal] = FourGames::<P>::lens_with(isa, right.0, down.0);
            // The top bit of `legal - 1` is set if `legal` is zero. A second comparison would be
            // slower, because the compiler merges it with the first one in narrower lanes.
            let dead = play & (legal - one).shr::<63>();
            let over = if part.left > 0 { stable & idle } else { zero };
            if !(dead | over).is_zero() {
                self.replace([dead.to_array(), over.to_array()], part, from, stats);
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

    /// Replaces the boards of the lanes that are nonzero in `dead`, and the games of the lanes that
    /// are nonzero in `over` while there are games left.
    #[cold]
    #[inline(never)]
    fn replace(
        &mut self,
        [dead, over]: [[u64; 4]; 2],
        part: &mut Part,
        from: Option<&Position<u64, P>>,
        stats: &mut Stats,
    ) {
        for lane in 0..4 {
            if dead[lane] != 0 {
                let mut colors = self.games.colors(lane, part.rules.colors);
                self.games.put_planes(lane, &part.deal::<u64, P>(&mut colors).planes);
                self.games.put_colors(lane, &colors);
            }
            if over[lane] != 0 && part.left > 0 {
                self.finish(lane, part, stats);
                self.start(lane, part, from);
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

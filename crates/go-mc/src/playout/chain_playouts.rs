//! Playouts on [`Chains`]: uniform over the playable points of any policy.
//!
//! A game is one call of a kernel, compiled per level: a call per ply cost a fifth of the time on
//! 9x9.

use crate::playout::policy::Policy;
use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT, Stats};
use crate::rules::board::{Board, Color};
use crate::rules::board_size::{BoardSize, sealed::Sealed};
use crate::rules::chains::Chains;
use crate::rules::error::Error;
use crate::rules::game::Rules;
use crate::rules::position::Position;
use bitcore::{Isa, Rng, dispatch};

/// A board size with compiled playouts on [`Chains`]: 5, 9, 13 and 19.
pub trait HasChainPlayouts<const N: usize>: Sealed {
    #[doc(hidden)]
    fn play(chains: &mut Chains<N>, color: Color, policy: Policy, rng: &mut Rng) -> GameResult;
}

/// Chains with a compiled kernel: their sets have as many words as the size needs.
trait PlayGame {
    fn play_game(&mut self, color: Color, policy: Policy, rng: &mut Rng) -> GameResult;
}

/// Implements [`PlayGame`] with one function per size, compiled in this crate instead of its
/// callers.
macro_rules! chain_kernels {
    ($($n:literal $w:literal)*) => {$(
        impl PlayGame for Chains<$n, $w> {
            fn play_game(&mut self, color: Color, policy: Policy, rng: &mut Rng) -> GameResult {
                play(self, color, policy, rng)
            }
        }
    )*};
}
chain_kernels!(5 1 9 2 13 3 19 6);

/// Implements [`HasChainPlayouts`] on sets of fewer words. Both copies cost less than the words
/// save.
macro_rules! chain_sizes {
    ($($n:literal $w:literal)*) => {$(
        impl HasChainPlayouts<$n> for BoardSize<$n> {
            fn play(chains: &mut Chains<$n>, color: Color, policy: Policy, rng: &mut Rng) -> GameResult {
                let mut game = chains.with_words::<$w>();
                let result = game.play_game(color, policy, rng);
                *chains = game.with_words();
                result
            }
        }
    )*};
}
chain_sizes!(5 1 9 2 13 3);

impl HasChainPlayouts<19> for BoardSize<19> {
    fn play(chains: &mut Chains<19>, color: Color, policy: Policy, rng: &mut Rng) -> GameResult {
        chains.play_game(color, policy, rng)
    }
}

/// Plays one game from the position in `chains`, with `color` to move, and leaves the final
/// position there.
///
/// A player without a playable point passes. Light playouts end after two consecutive passes.
/// `FooGo` playouts end when neither player has a playable point, counting a ko point as playable.
/// Order of draws: one `rng.below(count)` per stone, the rank of the chosen point in the playable
/// set, in point order.
///
/// ```
/// use go_mc::Rng;
/// use go_mc::playout::chain_playout;
/// use go_mc::{Chains, Color, Policy};
/// let mut chains = Chains::<9>::new();
/// let result = chain_playout(&mut chains, Color::Black, Policy::NoSuicide, &mut Rng::new(1));
/// assert!(result.stones > 50 && chains.empty().len() < 30);
/// ```
pub fn chain_playout<const N: usize>(
    chains: &mut Chains<N>,
    color: Color,
    policy: Policy,
    rng: &mut Rng,
) -> GameResult
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    BoardSize::<N>::play(chains, color, policy, rng)
}

fn play<const N: usize, const W: usize>(
    chains: &mut Chains<N, W>,
    color: Color,
    policy: Policy,
    rng: &mut Rng,
) -> GameResult {
    let game = &mut *chains;
    let (stones, plies) = dispatch!(isa + slow_pext [game, color, policy, rng] => {
        play_kernel(isa, game, color, policy, rng)
    });
    GameResult { stones, plies, area: policy.area(chains) }
}

/// Plays the game and returns its numbers of stones and plies.
#[inline(always)]
fn play_kernel<S: Isa, const N: usize, const W: usize>(
    isa: S,
    chains: &mut Chains<N, W>,
    mut color: Color,
    policy: Policy,
    rng: &mut Rng,
) -> (u32, u32) {
    let mut stones = 0;
    let mut plies = 0;
    let mut passes = 0;
    while plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
        let playable = policy.playable_kernel(chains, color);
        if policy == Policy::FooGo {
            if playable.is_empty() && policy.playable_kernel(chains, color.other()).is_empty() {
                break;
            }
        } else if passes == 2 {
            break;
        }
        if let Some(index) = (playable - chains.ko()).choose_random_with(isa, rng) {
            chains.play_on_empty_kernel(color, index);
            (stones, passes) = (stones + 1, 0);
        } else {
            chains.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
    }
    (stones, plies)
}

/// Plays one game on [`Chains`] per generator, from the empty board, and returns the statistics.
///
/// ```
/// use go_mc::playout::chain_playouts;
/// use go_mc::{Rng, Rules};
/// let stats = chain_playouts(Rules::default(), (0..10).map(|game| Rng::stream(1, game)))?;
/// assert_eq!(stats.games, 10);
/// # Ok::<(), go_mc::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
pub fn chain_playouts(
    rules: Rules,
    generators: impl IntoIterator<Item = Rng>,
) -> Result<Stats, Error> {
    chain_playouts_from(&Board::new(rules.size), Color::Black, rules, generators)
}

/// Plays one game on [`Chains`] per generator, from a board of the size in the rules.
pub(crate) fn chain_playouts_from(
    board: &Board,
    to_move: Color,
    rules: Rules,
    generators: impl IntoIterator<Item = Rng>,
) -> Result<Stats, Error> {
    let stats = match board.size().side() {
        Some(5) => batch::<5, 1>(board, to_move, rules, generators),
        Some(9) => batch::<9, 2>(board, to_move, rules, generators),
        Some(13) => batch::<13, 3>(board, to_move, rules, generators),
        Some(19) => batch::<19, 6>(board, to_move, rules, generators),
        _ => None,
    };
    stats.ok_or(Error::NoPlayouts(board.size()))
}

fn batch<const N: usize, const W: usize>(
    board: &Board,
    to_move: Color,
    rules: Rules,
    generators: impl IntoIterator<Item = Rng>,
) -> Option<Stats>
where
    Chains<N, W>: PlayGame,
{
    let position = Position::new(board, to_move)?;
    let has_stones = board.empty() != board.size().points();
    let start = has_stones.then(|| Chains::<N>::from(&position).with_words::<W>());
    let mut stats = Stats::default();
    let mut chains = Chains::<N, W>::new();
    for mut rng in generators {
        match &start {
            Some(start) => chains.copy_from(start),
            None => chains.clear(),
        }
        stats.add(&chains.play_game(to_move, rules.suicide.into(), &mut rng), rules.komi);
    }
    Some(stats)
}

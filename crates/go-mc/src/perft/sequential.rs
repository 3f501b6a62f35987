//! Perft on one thread.

use crate::rules::board::{Board, Size};
use crate::rules::game::{Game, Move};
use crate::rules::points::Points;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::Stop;

/// Whether a pass counts as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Passes are not played.
    LeftOut,
    /// A pass is a move like any other; a game ended by two passes is counted and not extended.
    Counted,
}

/// The maximum depth of [`perft`]. The count recurses once per ply.
pub const MAX_DEPTH: usize = 1000;

/// Returns the number of move sequences of each length 1, 2, .. `depth` plies from `game`.
///
/// ```
/// use go_mc::perft::Passes;
/// use go_mc::{Game, Ko, Rules, perft};
/// let game = Game::new(Rules { size: "2x2".parse()?, ko: Ko::Simple, ..Rules::default() });
/// assert_eq!(perft::perft(&game, 4, Passes::LeftOut), [4, 12, 24, 16]);
/// # Ok::<(), go_mc::Error>(())
/// ```
///
/// # Panics
///
/// If `depth` is greater than [`MAX_DEPTH`].
pub fn perft(game: &Game, depth: usize, passes: Passes) -> Vec<u64> {
    assert!(depth <= MAX_DEPTH, "expected a depth of at most {MAX_DEPTH} plies, found {depth}");
    let mut nodes = vec![0; depth];
    // Nothing stops it.
    let _ = count(&mut game.clone(), passes, &mut nodes, &|| false);
    nodes
}

/// Adds the numbers of sequences from `game` to `nodes`, and leaves it as it was. Calls `stop` once
/// per position. After `None`, the game is somewhere below.
pub(super) fn count(
    game: &mut Game,
    passes: Passes,
    nodes: &mut [u64],
    stop: Stop<'_>,
) -> Option<()> {
    let Some((here, deeper)) = nodes.split_first_mut() else { return Some(()) };
    if stop() {
        return None;
    }
    let moves = moves(game, passes);
    if deeper.is_empty() {
        *here += moves.count() as u64;
        return Some(());
    }
    for mv in moves {
        if game.play(mv).is_ok() {
            *here += 1;
            count(game, passes, deeper, stop)?;
            game.undo();
        }
    }
    Some(())
}

/// Returns the legal moves, stones in point order and then the pass.
pub(super) fn moves(game: &Game, passes: Passes) -> impl Iterator<Item = Move> + use<> {
    let stones =
        game.legal_points().into_iter().map(|index| Move::Play(Points::<19>::point(index)));
    stones.chain((passes == Passes::Counted && !game.is_over()).then_some(Move::Pass))
}

pub(super) fn after(game: &Game, mv: Move) -> Game {
    let mut next = game.clone();
    // The move is legal.
    let _ = next.play(mv);
    next
}

/// Returns the number of positions of a board in which every chain has a liberty (OEIS A094777 for
/// squares).
///
/// Tries all 3^(W * H) colorings, so use it for boards of up to 16 points (a few seconds).
///
/// ```
/// use go_mc::{Size, perft};
/// assert_eq!(perft::legal_positions(Size::new(2, 2).unwrap()), 57);
/// ```
pub fn legal_positions(size: Size) -> u64 {
    let points: Vec<usize> = size.points().iter().collect();
    colorings(size, &points, [Points::EMPTY; 2])
}

fn colorings(size: Size, points: &[usize], [black, white]: [Points<19>; 2]) -> u64 {
    match points {
        [] => u64::from(Board::from_stones(size, black, white).is_ok()),
        [point, rest @ ..] => {
            let one = Points::from_index(*point);
            colorings(size, rest, [black, white])
                + colorings(size, rest, [black | one, white])
                + colorings(size, rest, [black, white | one])
        }
    }
}

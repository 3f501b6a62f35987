//! Draws a uniformly random legal move, most often without a search.

use crate::board::{Board, ROWS, height};
use crate::game::Move;
use crate::location::Location;
use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::movegen::search::CollisionMaps;
use crate::movegen::simd::SimdBlock;
use crate::movegen::words::{ColumnWords, PackedBlock};
use crate::movegen::{self, max_height_in_16_rows, max_height_under_free_spawn, search};
use crate::piece::{Orientation, Piece};
use crate::placement::{MoveRules, Placement, Spin, SpinMode};
use crate::playout::draw::{Center, CenterMaps, is_reached_from_sky, is_reached_from_spawn};
use bitcore::{Isa, Portable, dispatch};

/// The way to tell that a candidate is reached without a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// The stack is below the spawn.
    Sky,
    /// Each piece fits at its spawn, which may be within the stack.
    Spawn,
    Other,
}

/// A board, and the pieces that can be placed there: the one in play, and its replacement after
/// holding.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'a> {
    pub(crate) board: &'a Board,
    pub(crate) piece: Piece,
    pub(crate) after_hold: Option<Piece>,
    pub(crate) rules: MoveRules,
}

/// Draws candidates until one is legal. Returns `None` if there is no candidate. The turn must have
/// a legal move.
pub(crate) fn draw_move(turn: &Turn<'_>, draw: &mut dyn FnMut() -> u64) -> Option<Move> {
    dispatch!(isa + slow_pext [turn, draw] => draw_with(isa, turn, draw))
}

#[inline(always)]
fn draw_with<S: Isa>(isa: S, turn: &Turn<'_>, draw: &mut dyn FnMut() -> u64) -> Option<Move> {
    let height = height(turn.board.columns());
    // The lowest heights of the stack that matter are those of I.
    if height <= const { max_height_in_16_rows(Piece::I) } {
        return if S::HAS_SIMD {
            draw_in::<_, SimdBlock<S::Shared>, 1, 1>(isa, turn, Start::Sky, draw)
        } else {
            draw_in::<_, PackedBlock, 1, 1>(Portable, turn, Start::Sky, draw)
        };
    }
    let start = if height <= const { max_height_under_free_spawn(Piece::I) } {
        Start::Sky
    } else if turn.all_fit_at_spawn() {
        Start::Spawn
    } else {
        Start::Other
    };
    // Kicks lift a piece at most four rows above the stack.
    if S::HAS_SIMD && height <= 27 {
        return draw_in::<_, SimdBlock<S::Shared>, 2, 2>(isa, turn, start, draw);
    }
    draw_on_high_stack(turn, start, draw)
}

#[inline(never)]
fn draw_on_high_stack(
    turn: &Turn<'_>,
    start: Start,
    draw: &mut dyn FnMut() -> u64,
) -> Option<Move> {
    draw_in::<_, ColumnWords, 1, 3>(Portable, turn, start, draw)
}

impl Turn<'_> {
    #[inline(always)]
    fn all_fit_at_spawn(&self) -> bool {
        let held = self.after_hold.unwrap_or(self.piece);
        self.board.fits(Location::spawn(self.piece)) && self.board.fits(Location::spawn(held))
    }
}

/// The candidates of a piece.
struct Candidates<'a, B, const N: usize, const M: usize> {
    piece: Piece,
    maps: &'a CollisionMaps<B, N>,
    resting: CenterMaps<M>,
    counts: [u32; 4],
    /// The resting centers of a T with three filled corners, each a candidate of either kind of
    /// spin.
    spins: Option<(CenterMaps<M>, [u32; 4])>,
}

impl<'a, B: RowBlock, const N: usize, const M: usize> Candidates<'a, B, N, M> {
    #[inline(always)]
    fn of(
        isa: B::Token,
        field: &Bitboard<B, N>,
        piece: Piece,
        maps: &'a CollisionMaps<B, N>,
    ) -> Self {
        let resting = CenterMaps::new(&maps.resting);
        let mut spins = None;
        if piece == Piece::T {
            let filled = search::three_filled_corners(isa, *field);
            let [a, b, c, d] = maps.resting;
            let centers =
                CenterMaps::new(&[a.and(filled), b.and(filled), c.and(filled), d.and(filled)]);
            spins = Some((centers, centers.counts()));
        }
        Self { piece, maps, resting, counts: resting.counts(), spins }
    }

    /// Returns the number of candidates without a spin, and of those of one kind of spin.
    #[inline(always)]
    fn parts(&self) -> [u32; 2] {
        let sum = |[a, b, c, d]: [u32; 4]| a + b + c + d;
        [sum(self.counts), self.spins.as_ref().map_or(0, |&(_, counts)| sum(counts))]
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        let [plain, spins] = self.parts();
        plain + 2 * spins
    }

    /// Returns candidate `k`: those without a spin, then minis, then full spins.
    #[inline(always)]
    fn nth<S: Isa>(&self, isa: S, k: u32) -> (Spin, Center) {
        let [plain, spin_count] = self.parts();
        match &self.spins {
            Some((centers, counts)) if k >= plain => {
                let k = k - plain;
                let (spin, k) =
                    if k < spin_count { (Spin::Mini, k) } else { (Spin::Full, k - spin_count) };
                (spin, centers.nth(isa, *counts, k))
            }
            _ => (Spin::None, self.resting.nth(isa, self.counts, k)),
        }
    }

    /// Returns `true` if a center is reached without a spin by a few moves. `false` says nothing.
    #[inline(always)]
    fn is_reached(&self, start: Start, center: Center) -> bool {
        match start {
            Start::Sky => is_reached_from_sky(&self.maps.free[center.orientation], center),
            // A T that only turns at its spawn might not arrive by a movement.
            Start::Spawn if self.piece == Piece::T && center.y == Location::SPAWN_Y as u32 => false,
            Start::Spawn => is_reached_from_spawn(&self.maps.free, self.piece, center),
            Start::Other => false,
        }
    }
}

#[inline(always)]
fn draw_in<S: Isa, B: RowBlock<Token = S::Shared>, const N: usize, const M: usize>(
    isa: S,
    turn: &Turn<'_>,
    start: Start,
    draw: &mut dyn FnMut() -> u64,
) -> Option<Move> {
    let mut columns = *turn.board.columns();
    // The rows of words go on above the ceiling. From the sky, no piece comes near it.
    if Bitboard::<B, N>::ROWS == u64::BITS && start != Start::Sky {
        for column in &mut columns {
            *column |= !ROWS;
        }
    }
    let field = Bitboard::<B, N>::load(isa.shared(), &columns, 0);
    let maps = search::collision_maps(isa.shared(), &field, turn.piece);
    let at_once = Candidates::<B, N, M>::of(isa.shared(), &field, turn.piece, &maps);
    let replacement = turn.after_hold.unwrap_or(turn.piece);
    let maps = search::collision_maps(isa.shared(), &field, replacement);
    let held = Candidates::<B, N, M>::of(isa.shared(), &field, replacement, &maps);
    let before = at_once.count();
    let all = before + if turn.after_hold.is_some() { held.count() } else { 0 };
    if all == 0 {
        return None;
    }
    loop {
        let k = ((u128::from(draw()) * u128::from(all)) >> 64) as u32;
        let hold = k >= before;
        let (chosen, k) = if hold { (&held, k - before) } else { (&at_once, k) };
        let (spin, center) = chosen.nth(isa, k);
        let Center { orientation, x, y } = center;
        let orientation = Orientation::ALL[orientation];
        let at = Location { piece: chosen.piece, orientation, x: x as i8, y: y as i8 };
        let placement = Placement { at, spin };
        if spin == Spin::None && chosen.is_reached(start, center)
            || is_found(isa, turn, &field, start, placement)
        {
            return Some(Move { hold, placement });
        }
    }
}

#[inline(always)]
fn is_found<S: Isa, B: RowBlock<Token = S::Shared>, const N: usize>(
    isa: S,
    turn: &Turn<'_>,
    field: &Bitboard<B, N>,
    start: Start,
    placement: Placement,
) -> bool {
    // A register of twenty rows is faster than two.
    let rules = turn.rules;
    if rules.spin_mode != SpinMode::TSpins
        || start == Start::Other
        || Bitboard::<B, N>::ROWS != 16 && start == Start::Sky
    {
        return movegen::is_found(turn.board, placement, rules);
    }
    let spawn = Bitboard::load(isa.shared(), &search::SPAWN, 0);
    let found = search::search_piece::<search::Maps, B, N>(
        isa.shared(),
        field,
        (start == Start::Spawn).then_some(&spawn),
        search::Below::Floor,
        placement.at.piece,
        rules,
    );
    match found {
        Some(found) => found.contains(placement, 0),
        None => false,
    }
}

//! [`LegalSet`]: legal actions, one bit each.

use super::actions::{ACTION_ROWS, Actions};
use crate::board::{WIDTH, height};
use crate::game::{Game, Rules};
use crate::location::Location;
use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::movegen::search::{Maps, ReachableSet, shapes};
use crate::movegen::sink::Sink;
use crate::movegen::starts::{drop_columns, lowest_drop};
use crate::movegen::{MoveRules, SpinMode, max_height_under_free_spawn, search_by_rules};
use crate::piece::{Orientation, Piece};
use bitcore::{Bytes, Isa, Portable, Rng, SetBits};

/// The number of pairs of an orientation and a column.
const WAYS: usize = 4 * WIDTH;

/// The legal actions of one game. Action `width * i + bit` is legal if word `i` has that bit.
///
/// ```text
///               width   word                           bit
/// placements    22      half, orientation, column      row
/// drops         20      half, orientation / 2          orientation % 2 * 10 + column
/// ```
#[derive(Clone, Debug)]
pub(super) struct LegalSet {
    words: [u32; 2 * WAYS],
}

impl Actions {
    /// Returns the number of actions in a word of a [`LegalSet`].
    const fn width(self) -> usize {
        match self {
            Self::Drops => 2 * WIDTH,
            Self::Placements => ACTION_ROWS,
        }
    }

    /// Returns the number of words of a [`LegalSet`] that have actions under these rules.
    #[inline(always)]
    const fn words(self, rules: &Rules) -> usize {
        match self {
            Self::Drops => Self::Drops.count(rules) / const { Self::Drops.width() },
            Self::Placements => Self::Placements.count(rules) / const { Self::Placements.width() },
        }
    }
}

#[cfg(feature = "serde")]
impl Default for LegalSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl LegalSet {
    pub(super) const EMPTY: Self = Self { words: [0; 2 * WAYS] };

    /// Called out of line, once per instruction set: in unoptimized builds the searches use a lot
    /// of stack.
    #[inline(always)]
    pub(super) fn fill<S: Isa>(&mut self, isa: S, actions: Actions, game: &Game) {
        isa.call3(
            self,
            actions,
            game,
            #[inline(always)]
            move |set: &mut Self, actions, game| set.fill_with(isa, actions, game),
        );
    }

    #[inline(always)]
    fn fill_with<S: Isa>(&mut self, isa: S, actions: Actions, game: &Game) {
        let half = actions.ways() / actions.width();
        let (now, held) = self.words.split_at_mut(half);
        if game.is_over() {
            now.fill(0);
            held.fill(0);
            return;
        }
        // `None` if both pieces are equal, or if the rules forbid holding, which leaves the second
        // half unused.
        let other = game.piece_after_hold().filter(|&piece| piece != game.piece());
        for (piece, words) in [(Some(game.piece()), &mut *now), (other, &mut *held)] {
            if let Some(piece) = piece {
                fill_piece(isa, actions, game, piece, words);
            }
        }
        if other.is_none() && game.rules().hold {
            held[..half].copy_from_slice(now);
        }
    }

    #[inline(always)]
    pub(super) fn contains(&self, actions: Actions, action: u32) -> bool {
        // Divisions by constants are multiplications.
        let action = action as usize;
        let (word, bit) = match actions {
            Actions::Drops => (
                action / const { Actions::Drops.width() },
                action % const { Actions::Drops.width() },
            ),
            Actions::Placements => (
                action / const { Actions::Placements.width() },
                action % const { Actions::Placements.width() },
            ),
        };
        self.words.get(word).is_some_and(|word| word >> bit & 1 == 1)
    }

    /// Draws an action uniformly with one [`Rng::below`] the number of actions. Returns 0 if the
    /// set is empty.
    #[inline(always)]
    pub(super) fn draw(&self, actions: Actions, rules: &Rules, rng: &mut Rng) -> u32 {
        let words = actions.words(rules);
        let mut sums = [0; 2 * WAYS / WIDTH];
        let mut count = 0;
        let chunks = self.words.as_chunks::<WIDTH>().0;
        for (sum, words) in sums.iter_mut().zip(&chunks[..words.div_ceil(WIDTH)]) {
            for word in words {
                *sum += word.count_ones();
            }
            count += *sum;
        }
        let mut left = rng.below(count);
        let mut i = 0;
        for sum in sums {
            if left < sum {
                break;
            }
            left -= sum;
            i += WIDTH;
        }
        while let Some(word) = self.words.get(i) {
            let ones = word.count_ones();
            if left < ones {
                return (actions.width() * i) as u32 + Portable.select((*word).into(), left);
            }
            left -= ones;
            i += 1;
        }
        0
    }

    /// Returns the number of actions.
    #[inline(always)]
    pub(super) fn count(&self, actions: Actions, rules: &Rules) -> usize {
        let mut count = 0;
        for word in &self.words[..actions.words(rules)] {
            count += word.count_ones();
        }
        count as usize
    }

    /// Returns the actions in ascending order.
    #[inline(always)]
    pub(super) fn iter(&self, actions: Actions, rules: &Rules) -> impl Iterator<Item = u32> {
        let words = self.words[..actions.words(rules)].iter().zip((0..).step_by(actions.width()));
        words.flat_map(|(&word, first)| SetBits(word.into()).map(move |bit| first + bit))
    }

    #[inline(always)]
    pub(super) fn write<S: Isa>(&self, isa: S, actions: Actions, mask: &mut [bool]) {
        match actions {
            Actions::Drops => write_flags::<S, { Actions::Drops.width() }>(isa, &self.words, mask),
            Actions::Placements => {
                write_flags::<S, { Actions::Placements.width() }>(isa, &self.words, mask);
            }
        }
    }
}

/// Writes the lowest `WIDTH` bits of each word as flags, until the slice is full.
#[inline(always)]
fn write_flags<S: Isa, const WIDTH: usize>(isa: S, words: &[u32], flags: &mut [bool]) {
    let mut rest = flags;
    for &word in words {
        // Flags past `WIDTH` are overwritten by the next word.
        if let Some(place) = rest.first_chunk_mut() {
            write_bits::<S, WIDTH>(isa, word, place);
            rest = &mut rest[WIDTH..];
        } else {
            let mut last = [false; 32];
            write_bits::<S, WIDTH>(isa, word, &mut last);
            rest.copy_from_slice(&last[..rest.len()]);
            break;
        }
    }
}

#[inline(always)]
fn write_bits<S: Isa, const WIDTH: usize>(isa: S, word: u32, flags: &mut [bool; 32]) {
    if S::HAS_SIMD {
        let copies = isa.bitcast_u64_u8(isa.splat_u64(u64::from(word) << 32 | u64::from(word)));
        let bytes = copies.shuffle(isa.u8x32(&[
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3,
            3, 3, 3,
        ]));
        let bits = isa.bitcast_u64_u8(isa.splat_u64(0x8040_2010_0804_0201));
        (bytes & bits).write_flags(flags);
    } else {
        let bytes = word.to_le_bytes();
        for (flags, byte) in flags.chunks_exact_mut(8).zip(bytes).take(WIDTH.div_ceil(8)) {
            flags.copy_from_slice(&BYTE_FLAGS[usize::from(byte)]);
        }
    }
}

static BYTE_FLAGS: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut i = 0;
    while i < 8 * 256 {
        table[i / 8][i % 8] = (i / 8) >> (i % 8) & 1 == 1;
        i += 1;
    }
    table
};

#[inline(always)]
fn fill_piece<S: Isa>(isa: S, actions: Actions, game: &Game, piece: Piece, words: &mut [u32]) {
    match actions {
        Actions::Drops => {
            let ways = drop_ways(game, piece);
            words[0] = ways as u32 & ((1 << (2 * WIDTH)) - 1);
            words[1] = (ways >> (2 * WIDTH)) as u32;
        }
        Actions::Placements => {
            let Some(words) = words.first_chunk_mut() else { return };
            let rules = MoveRules { spin_mode: SpinMode::Ignore, ..game.rules().into() };
            search_by_rules(isa, game.board(), piece, rules, &mut Rows(words));
        }
    }
}

/// A row mask of the legal placements, per orientation and column.
struct Rows<'a>(&'a mut [u32; WAYS]);

impl Sink for Rows<'_> {
    const INLINE_SEARCH: bool = false;
    type Outcome = Maps;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {
        *self.0 = [0; WAYS];
    }
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        _: SpinMode,
        reachable: &ReachableSet<B, N>,
        base: u32,
    ) {
        let count = reachable.for_each(
            piece,
            SpinMode::Ignore,
            #[inline(always)]
            |orientation, map| {
                let rows = &mut self.0[WIDTH * orientation..][..WIDTH];
                for (rows, column) in rows.iter_mut().zip(map.upright()) {
                    *rows = if Bitboard::<B, N>::ROWS < ACTION_ROWS as u32 && base == 0 {
                        column as u32
                    } else {
                        (column << base) as u32 & ((1 << ACTION_ROWS) - 1)
                    };
                }
            },
        );
        self.0[WIDTH * count..].fill(0);
    }
}

/// Returns one bit per orientation and column for which a hard drop exists.
#[inline(always)]
fn drop_ways(game: &Game, piece: Piece) -> u64 {
    let board = game.board();
    if height(board.columns()) <= max_height_under_free_spawn(piece) {
        return FREE_DROPS[piece as usize];
    }
    let mut ways = 0;
    let Some(spawn) = game.spawn_location(piece) else { return ways };
    for (columns, orientation) in
        drop_columns(board, spawn, game.rules().rotation_system).into_iter().zip(Orientation::ALL)
    {
        let from = Location { orientation, x: 0, ..spawn };
        let Location { orientation: canonical, x, .. } = from.canonical();
        let columns = u64::from(columns) << WIDTH >> (WIDTH as i32 - i32::from(x));
        ways |= columns << (WIDTH * canonical as usize);
    }
    ways
}

/// Returns the lowest landing of a hard drop with this orientation and column.
#[inline(always)]
pub(super) fn drop_landing(
    game: &Game,
    piece: Piece,
    orientation: Orientation,
    column: usize,
) -> Option<Location> {
    let board = game.board();
    if height(board.columns()) <= max_height_under_free_spawn(piece) {
        return board.landing(Location {
            piece,
            orientation,
            x: column as i8,
            y: Location::SPAWN_Y,
        });
    }
    let system = game.rules().rotation_system;
    lowest_drop(board, game.spawn_location(piece)?, system, orientation, column)
}

/// The hard drops of a piece that rotates freely at its spawn: every column where it fits.
static FREE_DROPS: [u64; 7] = {
    let mut table = [0; 7];
    let mut i = 0;
    while i < 7 * WAYS {
        let piece = i / WAYS;
        let orientation = i / WIDTH % 4;
        let x = (i % WIDTH) as i32;
        let shape = Piece::ALL[piece].shape(Orientation::ALL[orientation]);
        let left = x + shape.left;
        if orientation < shapes(piece) && left >= 0 && left + shape.width <= WIDTH as i32 {
            table[piece] |= 1 << (i % WAYS);
        }
        i += 1;
    }
    table
};

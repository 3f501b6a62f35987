//! Tetris by the instructions that the article prescribes, and in two of its layouts: ten columns
//! of 32 bits, and two registers of five columns and three walls each.
//!
//! Tried in earnest, in nanoseconds on a Zen 4, 256 boards at a time. Line clears, copies of the
//! boards included: ten PEXTs in memory, as here, 3.1; five of two columns each 3.4; extracts from
//! two registers 5.7. Collisions: a box turned by delta swaps and moved by shifts of 128 bits 6.9;
//! its columns by PEXT, then such shifts 5.3, a byte shuffle 3.3, variable shifts 3.3; these with
//! one test for boxes near the floor or the ceiling, as here, 3.0.

use crate::operation::{Against, Operation, Reference, workload};
use crate::tetris_ops::{COUNT, Falling, boards, falling, total};
use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_load_si256, _mm256_or_si256,
    _mm256_set1_epi32, _mm256_setr_epi32, _mm256_sll_epi32, _mm256_srlv_epi32, _mm256_store_si256,
    _mm256_sub_epi32, _mm256_testz_si256, _pext_u32,
};
use std::cell::RefCell;
use tetris::reference::FallingPiece;
use tetris::simd_board::SimdBoard;
use tetris::{Board, Location};

type Columns = [u32; 10];
type Boxed = (u16, i8, i8);

/// The walls and columns 0 to 4, and columns 5 to 9 and the walls.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Registers {
    left: [u32; 8],
    right: [u32; 8],
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn clear(columns: &mut Columns) -> u32 {
    let full = columns.iter().fold(u32::MAX, |full, column| full & column);
    for column in columns {
        *column = _pext_u32(*column, !full);
    }
    full.count_ones()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn clear_all(boards: &mut [Columns]) -> u64 {
    boards.iter_mut().map(|columns| u64::from(clear(columns))).sum()
}

/// Returns the cells of a box in both registers, or `None` if one is outside the 32 rows.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes((cells, x, y): Boxed) -> Option<[__m256i; 2]> {
    let mut cells = u32::from(cells);
    let y = i32::from(y);
    if !(-3..=9).contains(&x) {
        return None;
    }
    if !(0..=28).contains(&y) {
        let below = 4 * (-y).clamp(0, 4);
        let above = 4 * (y - 28).clamp(0, 4);
        if cells & ((1 << below) - 1) != 0 || cells << above > 0xFFFF {
            return None;
        }
        cells >>= below;
    }
    let a = _pext_u32(cells, 0x8888);
    let b = _pext_u32(cells, 0x4444);
    let c = _pext_u32(cells, 0x2222);
    let d = _pext_u32(cells, 0x1111);
    // Each lane takes its four bits of the columns, or none if it is beside the box.
    let columns = _mm256_set1_epi32((a | b << 4 | c << 8 | d << 12).cast_signed());
    let x = _mm256_set1_epi32(4 * i32::from(x));
    let nibble = _mm256_set1_epi32(0xF);
    let left = _mm256_sub_epi32(_mm256_setr_epi32(-12, -8, -4, 0, 4, 8, 12, 16), x);
    let right = _mm256_sub_epi32(_mm256_setr_epi32(20, 24, 28, 32, 36, 40, 44, 48), x);
    let left = _mm256_and_si256(_mm256_srlv_epi32(columns, left), nibble);
    let right = _mm256_and_si256(_mm256_srlv_epi32(columns, right), nibble);
    let up = _mm_cvtsi32_si128(y.max(0));
    Some([_mm256_sll_epi32(left, up), _mm256_sll_epi32(right, up)])
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load(board: &Registers) -> [__m256i; 2] {
    // SAFETY: 32 readable, aligned bytes each.
    unsafe {
        [
            _mm256_load_si256(board.left.as_ptr().cast()),
            _mm256_load_si256(board.right.as_ptr().cast()),
        ]
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn collides(board: &Registers, piece: Boxed) -> bool {
    let Some([left, right]) = lanes(piece) else { return true };
    let [a, b] = load(board);
    let hits = _mm256_or_si256(_mm256_and_si256(a, left), _mm256_and_si256(b, right));
    _mm256_testz_si256(hits, hits) == 0
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn collides_all(boards: &[Registers], pieces: &[Boxed], results: &mut [bool]) {
    for ((board, &piece), result) in boards.iter().zip(pieces).zip(results) {
        *result = collides(board, piece);
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn place(board: &mut Registers, piece: Boxed) -> bool {
    let Some([left, right]) = lanes(piece) else { return false };
    let [a, b] = load(board);
    let hits = _mm256_or_si256(_mm256_and_si256(a, left), _mm256_and_si256(b, right));
    let fits = _mm256_testz_si256(hits, hits) == 1;
    if fits {
        // SAFETY: 32 writable, aligned bytes each.
        unsafe {
            _mm256_store_si256(board.left.as_mut_ptr().cast(), _mm256_or_si256(a, left));
            _mm256_store_si256(board.right.as_mut_ptr().cast(), _mm256_or_si256(b, right));
        }
    }
    fits
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn place_all(boards: &mut [Registers], pieces: &[Boxed], results: &mut [bool]) {
    for ((board, &piece), result) in boards.iter_mut().zip(pieces).zip(results) {
        *result = place(board, piece);
    }
}

fn clear_each<B>(boards: &mut [B], clear: impl Fn(&mut B) -> u32) -> u64 {
    boards.iter_mut().map(|board| u64::from(clear(board))).sum()
}

/// The caller must have created an `X86V3`.
pub(crate) fn operations() -> Vec<Operation> {
    let boards = boards();
    let falling = falling();
    let halves: &[SimdBoard] =
        workload(boards.iter().map(|&board| board.try_into().expect("low stacks")));
    let pieces: &[Boxed] = workload(falling.iter().map(Falling::in_box));
    let locations: &[Location] = workload(falling.iter().map(location));
    let columns: &[Columns] = workload(halves.iter().map(SimdBoard::columns));
    let registers: &[Registers] =
        workload(columns.iter().map(|&[a, b, c, d, e, f, g, h, i, j]| Registers {
            left: [!0, !0, !0, a, b, c, d, e],
            right: [f, g, h, i, j, !0, !0, !0],
        }));
    let board_sum = |boards: &[Board]| boards.iter().map(|board| board.columns()[4]).sum::<u64>();
    let half_sum = |boards: &[SimdBoard]| {
        boards.iter().map(|board| u64::from(board.columns()[4])).sum::<u64>()
    };
    let register_sum =
        |boards: &[Registers]| boards.iter().map(|board| u64::from(board.left[7])).sum::<u64>();
    let column_sum =
        |boards: &[Columns]| boards.iter().map(|board| u64::from(board[4])).sum::<u64>();
    let trues = |flags: &[bool]| flags.iter().map(|&flag| u64::from(flag)).sum::<u64>();

    // SAFETY: `X86V3` proves the features, here and below.
    let clears = on_copies(
        "board",
        columns,
        move |boards| unsafe { clear_all(boards) } + column_sum(boards),
    );
    let clears_each = on_copies("board", columns, move |boards| {
        // SAFETY: as above.
        let lines =
            boards.iter_mut().map(|columns| u64::from(unsafe { clear(columns) })).sum::<u64>();
        lines + column_sum(boards)
    });
    let results = RefCell::new([false; COUNT]);
    let collisions = prescribed("piece", move || {
        let mut results = results.borrow_mut();
        // SAFETY: as above.
        unsafe { collides_all(registers, pieces, &mut *results) };
        trues(&*results)
    });
    let collisions_each = prescribed("piece", move || {
        // SAFETY: as above.
        registers
            .iter()
            .zip(pieces)
            .map(|(board, &piece)| u64::from(unsafe { collides(board, piece) }))
            .sum()
    });
    let results = RefCell::new([false; COUNT]);
    let placements = on_copies("piece", registers, move |boards| {
        let mut results = results.borrow_mut();
        // SAFETY: as above.
        unsafe { place_all(boards, pieces, &mut *results) };
        trues(&*results) + register_sum(boards)
    });
    let placements_each = on_copies("piece", registers, move |boards| {
        let pairs = boards.iter_mut().zip(pieces);
        // SAFETY: as above.
        let placed =
            pairs.map(|(board, &piece)| u64::from(unsafe { place(board, piece) })).sum::<u64>();
        placed + register_sum(boards)
    });

    let after_placements = prescribed("piece", move || {
        let after = registers.iter().zip(pieces).map(|(board, &piece)| {
            let mut board = *board;
            // SAFETY: as above.
            let placed = unsafe { place(&mut board, piece) };
            let columns = board.left[3..].iter().chain(&board.right[..5]);
            if placed { total(columns.map(|&column| column.into())) } else { 0 }
        });
        after.fold(0, u64::wrapping_add)
    });

    let mut flags = [false; COUNT];
    let mut placed = [false; COUNT];
    vec![
        clears.kernel(
            "tetris clear prescribed",
            changing(halves, move |boards| SimdBoard::clear_all(boards) + half_sum(boards)),
        ),
        clears_each.kernel(
            "tetris clear one call prescribed",
            changing(halves, move |boards| {
                clear_each(boards, SimdBoard::clear_lines) + half_sum(boards)
            }),
        ),
        clears.kernel(
            "tetris board clear prescribed",
            changing(boards, move |boards| Board::clear_all(boards) + board_sum(boards)),
        ),
        clears_each.kernel(
            "tetris board clear one call prescribed",
            changing(boards, move |boards| {
                clear_each(boards, Board::clear_lines) + board_sum(boards)
            }),
        ),
        collisions.kernel("tetris collide prescribed", move || {
            SimdBoard::collides_all(halves, pieces, &mut flags);
            trues(&flags)
        }),
        collisions_each.kernel("tetris collide one call prescribed", move || {
            halves
                .iter()
                .zip(pieces)
                .map(|(board, &(cells, x, y))| u64::from(board.collides(cells, x, y)))
                .sum()
        }),
        collisions_each.kernel("tetris board fits one call prescribed", move || {
            boards.iter().zip(locations).map(|(board, &at)| u64::from(!board.fits(at))).sum()
        }),
        placements.kernel(
            "tetris place prescribed",
            changing(halves, move |boards| {
                SimdBoard::place_all(boards, pieces, &mut placed);
                trues(&placed) + half_sum(boards)
            }),
        ),
        placements_each.kernel(
            "tetris place one call prescribed",
            changing(halves, move |boards| {
                let pairs = boards.iter_mut().zip(pieces);
                let placed = pairs
                    .map(|(board, &(cells, x, y))| u64::from(board.place(cells, x, y)))
                    .sum::<u64>();
                placed + half_sum(boards)
            }),
        ),
        after_placements.kernel("tetris board place one call prescribed", move || {
            let after = boards
                .iter()
                .zip(locations)
                .map(|(board, &at)| board.place(at).map_or(0, |after| total(*after.columns())));
            after.fold(0, u64::wrapping_add)
        }),
    ]
}

fn location(&Falling { piece, x, y }: &Falling) -> Location {
    let (from_left, from_bottom) = piece.center();
    let FallingPiece { piece, orientation, .. } = piece;
    Location { piece, orientation, x: x + from_left, y: y + from_bottom }
}

fn prescribed(unit: &'static str, call: impl Fn() -> u64 + 'static) -> Reference {
    Against::Prescribed.reference(unit, COUNT, call)
}

/// Returns a reference that changes copies of the boards.
fn on_copies<B: Copy>(
    unit: &'static str,
    boards: &'static [B],
    call: impl Fn(&mut [B]) -> u64 + 'static,
) -> Reference {
    let copies = RefCell::new(boards.to_vec());
    prescribed(unit, move || {
        let mut copies = copies.borrow_mut();
        copies.copy_from_slice(boards);
        call(&mut copies)
    })
}

/// Returns a kernel that changes copies of the boards.
fn changing<B: Copy>(
    boards: &'static [B],
    mut call: impl FnMut(&mut [B]) -> u64,
) -> impl FnMut() -> u64 {
    let mut copies = boards.to_vec();
    move || {
        copies.copy_from_slice(boards);
        call(&mut copies)
    }
}

//! Shifts of bitboards of 48 rows in words of four columns, against shifts of single columns.
//!
//! Guards against a fault of the compiler. The search for a T with its spins on such bitboards, compiled by
//! Rust 1.95 with `opt-level = 3` and overflow checks, lost rows that pass from block to block. The cause is
//! LLVM's vectorizer of straight-line code: with `-C no-vectorize-slp` the result is right. These shifts
//! alone come out right, and no smaller program that fails is known. The crate uses one word per column for
//! high stacks (see docs/decisions.md).

use bitcore::Rng;
use std::array::from_fn;

type Columns = [u64; 10];
/// Blocks of sixteen rows, from the bottom up.
type Bands = [[u64; 3]; 3];

const EACH: u64 = 0x0001_0001_0001_0001;
const ROWS: u64 = (1 << 48) - 1;

fn bands(columns: &Columns) -> Bands {
    from_fn(|i| {
        let mut words = [0u64; 3];
        for (x, column) in columns.iter().enumerate() {
            words[x / 4] |= (column >> (16 * i) & 0xFFFF) << (48 - x % 4 * 16);
        }
        words.map(u64::reverse_bits)
    })
}

#[inline(always)]
fn side([a, b, c]: [u64; 3], dx: i32) -> [u64; 3] {
    let n = 16 * dx.unsigned_abs();
    match dx {
        0 => [a, b, c],
        1.. => [a << n, b << n | a >> (64 - n), c << n | b >> (64 - n)],
        _ => [a >> n | b << (64 - n), b >> n | c << (64 - n), c >> n],
    }
}

#[inline(always)]
fn up(words: [u64; 3], rows: u32) -> [u64; 3] {
    words.map(|word| (word >> rows) & (EACH * (0xFFFF >> rows)))
}

#[inline(always)]
fn down(words: [u64; 3], rows: u32) -> [u64; 3] {
    words.map(|word| (word << rows) & (EACH * (0xFFFF << rows & 0xFFFF)))
}

#[inline(always)]
fn or(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    from_fn(|i| a[i] | b[i])
}

#[inline(always)]
fn moved(field: Bands, dx: i32, dy: i32) -> Bands {
    let mut moved = field;
    let rows = dy.unsigned_abs();
    for i in 0..3 {
        if dy > 0 {
            moved[i] = up(field[i], rows);
            if i > 0 {
                moved[i] = or(moved[i], down(field[i - 1], 16 - rows));
            }
        } else if dy < 0 {
            moved[i] = down(field[i], rows);
            if i < 2 {
                moved[i] = or(moved[i], up(field[i + 1], 16 - rows));
            }
        }
        moved[i] = side(moved[i], dx);
    }
    moved
}

/// Rotates all centers by the first of four kicks that fits.
#[inline(always)]
fn rotated(from: Bands, free: Bands, kicks: [(i32, i32); 4]) -> Bands {
    let mut left = from;
    let mut all = [[0; 3]; 3];
    for (dx, dy) in kicks {
        let end = moved(left, dx, dy);
        let fits = moved(free, -dx, -dy);
        for i in 0..3 {
            for word in 0..3 {
                all[i][word] |= end[i][word] & free[i][word];
                left[i][word] &= !fits[i][word];
            }
        }
    }
    all
}

fn moved_columns(columns: &Columns, dx: i32, dy: i32) -> Columns {
    from_fn(|x| {
        let column = usize::try_from(x as i32 - dx).ok().and_then(|x| columns.get(x)).copied().unwrap_or(0);
        (if dy < 0 { column >> -dy } else { column << dy }) & ROWS
    })
}

fn turned_columns(from: &Columns, free: &Columns, kicks: [(i32, i32); 4]) -> Columns {
    let mut left = *from;
    let mut all = [0; 10];
    for (dx, dy) in kicks {
        let (end, fits) = (moved_columns(&left, dx, dy), moved_columns(free, -dx, -dy));
        for x in 0..10 {
            all[x] |= end[x] & free[x];
            left[x] &= !fits[x];
        }
    }
    all
}

/// Removes the cells beyond the tenth column, which only an AND with the free cells clears.
fn ten_columns(bands: Bands) -> Bands {
    bands.map(|[a, b, c]| [a, b, c & 0xFFFF_FFFF])
}

/// Checks the kicks of each rotation and the shift by each kick, with constant numbers.
macro_rules! check {
    ($from:expr, $free:expr; $([$(($dx:literal, $dy:literal)),*])*) => {$({
        const KICKS: [(i32, i32); 4] = [$(($dx, $dy)),*];
        let found = rotated(bands($from), bands($free), KICKS);
        assert_eq!(found, bands(&turned_columns($from, $free, KICKS)), "{KICKS:?} {:x?} {:x?}", $from, $free);
        $(
            let found = ten_columns(moved(bands($from), $dx, $dy));
            assert_eq!(found, bands(&moved_columns($from, $dx, $dy)), "{} {} {:x?}", $dx, $dy, $from);
        )*
    })*};
}

#[test]
fn words_of_four_columns_move_as_single_columns_do() {
    let mut rng = Rng::new(48);
    for _ in 0..testkit::cases(5_000) {
        let free: Columns = from_fn(|_| (rng.next_u64() | rng.next_u64()) & ROWS);
        let from = free.map(|column| column & rng.next_u64());
        check!(&from, &free;
            // J, L, S, T and Z.
            [(0, 0), (-1, 0), (-1, 1), (0, -2)]
            [(0, 0), (1, 0), (1, -1), (0, 2)]
            [(0, 0), (1, 0), (1, 1), (0, -2)]
            [(0, 0), (-1, 0), (-1, -1), (0, 2)]
            // I.
            [(1, 0), (-1, 0), (2, 0), (-1, -1)]
            [(0, -1), (-1, -1), (2, -1), (-1, 1)]
            [(-1, 0), (1, 0), (-2, 0), (1, 1)]
            [(0, 1), (1, 1), (-2, 1), (1, -1)]
            // Shifts that no kick has.
            [(3, 1), (-3, -1), (3, -2), (-3, 2)]
        );
    }
}

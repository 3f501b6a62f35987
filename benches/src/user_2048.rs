//! 2048 as a user would write it for boards of one size: loops over bytes, without tables.

use bitcore::Rng;
use g2048::Direction;

/// The rank of each cell, by row.
pub(crate) type Cells<const W: usize, const H: usize> = [[u8; W]; H];

/// Slides a board. Returns the gain, or `None` if nothing moves.
pub(crate) fn slide<const W: usize, const H: usize>(
    cells: &mut Cells<W, H>,
    direction: Direction,
) -> Option<u64> {
    let along_rows = matches!(direction, Direction::Left | Direction::Right);
    let (lines, length) = if along_rows { (H, W) } else { (W, H) };
    let mut gain = 0;
    let mut changed = false;
    for line in 0..lines {
        let at = |k: usize| match direction {
            Direction::Left => (line, k),
            Direction::Right => (line, W - 1 - k),
            Direction::Up => (k, line),
            Direction::Down => (H - 1 - k, line),
        };
        // The number of tiles packed so far, and the last one's rank, or 0 once it has merged.
        let mut packed = 0;
        let mut last = 0;
        for k in 0..length {
            let (y, x) = at(k);
            let rank = cells[y][x];
            if rank == 0 {
                continue;
            }
            cells[y][x] = 0;
            if rank == last {
                let (y, x) = at(packed - 1);
                cells[y][x] = rank + 1;
                gain += 2 << rank;
                (last, changed) = (0, true);
            } else {
                let (y, x) = at(packed);
                cells[y][x] = rank;
                changed |= packed != k;
                (packed, last) = (packed + 1, rank);
            }
        }
    }
    changed.then_some(gain)
}

/// Returns the legal moves and their number.
pub(crate) fn legal_moves<const W: usize, const H: usize>(
    cells: &Cells<W, H>,
) -> ([Direction; 4], usize) {
    let mut legal = [false; 4];
    for y in 0..H {
        for x in 0..W {
            let here = cells[y][x];
            if x + 1 < W {
                let right = cells[y][x + 1];
                legal[0] |= right != 0 && (here == 0 || here == right);
                legal[1] |= here != 0 && (right == 0 || here == right);
            }
            if y + 1 < H {
                let below = cells[y + 1][x];
                legal[2] |= below != 0 && (here == 0 || here == below);
                legal[3] |= here != 0 && (below == 0 || here == below);
            }
        }
    }
    let mut moves = [Direction::Left; 4];
    let mut count = 0;
    for (direction, legal) in Direction::ALL.into_iter().zip(legal) {
        moves[count.min(3)] = direction;
        count += usize::from(legal);
    }
    (moves, count)
}

/// Returns `true` if no move is legal.
pub(crate) fn is_over<const W: usize, const H: usize>(cells: &Cells<W, H>) -> bool {
    let stuck = |y: usize, x: usize| {
        let here = cells[y][x];
        here != 0
            && (x + 1 == W || here != cells[y][x + 1])
            && (y + 1 == H || here != cells[y + 1][x])
    };
    (0..H).all(|y| (0..W).all(|x| stuck(y, x)))
}

/// Spawns a tile, with the draws of [`g2048::Board::spawn`].
pub(crate) fn spawn<const W: usize, const H: usize>(cells: &mut Cells<W, H>, rng: &mut Rng) {
    let empty = cells.as_flattened().iter().filter(|&&rank| rank == 0).count();
    let nth = rng.below(empty as u32) as usize;
    let rank = if rng.below(10) == 0 { 2 } else { 1 };
    if let Some(cell) = cells.as_flattened_mut().iter_mut().filter(|rank| **rank == 0).nth(nth) {
        *cell = rank;
    }
}

/// Plays random moves until the game is over. Returns the sum of the gains.
pub(crate) fn play_out<const W: usize, const H: usize>(
    cells: &mut Cells<W, H>,
    rng: &mut Rng,
) -> u64 {
    let mut score = 0;
    loop {
        let (moves, count) = legal_moves(cells);
        if count == 0 {
            return score;
        }
        score += slide(cells, moves[rng.below(count as u32) as usize]).unwrap_or(0);
        spawn(cells, rng);
    }
}

//! The beam against its definition, at every level and for any number of threads.

use bitcore::{Level, Rng};
use quickcheck::QuickCheck;
use tetris_ai::contest::{Board, COLUMNS, Piece, ROWS, Sequence, Shape};
use tetris_ai::{Advance, Beam, ParseBeamError, Weights, Widths, locks, reference, values};

/// A board between two turns: a skyline of any height with holes and caves, often near the top, often with rows that lack
/// one cell.
fn board(rng: &mut Rng) -> Board {
    let (low, spread) = (rng.below(19), 1 + rng.below(8));
    let heights: [u32; COLUMNS] = std::array::from_fn(|_| (low + rng.below(spread)).min(19));
    let (dense, gap, nearly) = (rng.below(10), rng.below(COLUMNS as u32), rng.below(4));
    let rows: Vec<String> = (0..ROWS as u32)
        .map(|y| {
            let mut row: Vec<bool> = heights.map(|height| ROWS as u32 - y <= height).to_vec();
            let dense = if rng.below(4) < nearly { 9 } else { dense };
            for cell in &mut row {
                *cell &= rng.below(10) < 1 + dense;
            }
            if row.iter().all(|&cell| cell) {
                row[gap as usize] = false;
            }
            row.iter().map(|&cell| if cell { '#' } else { '.' }).collect()
        })
        .collect();
    rows.join("\n").parse().unwrap_or_else(|error| panic!("{error}: {rows:#?}"))
}

/// The board that some pieces of a sequence make, wherever chance puts them.
fn grown(rng: &mut Rng, sequence: &Sequence) -> (Board, usize) {
    let (mut board, start) = (Board::new(), rng.below(9_000) as usize);
    for piece in start..start + 20 + rng.below(30) as usize {
        let places = locks(&board, sequence.pieces()[piece]);
        let low = places.len().saturating_sub(8);
        let Some(lock) = places.get(low + rng.below(8) as usize % (places.len() - low).max(1)) else {
            return (board, piece);
        };
        board.place(lock.falling(sequence.pieces()[piece].shape()));
        board.clear_full_rows();
    }
    (board, start + 50)
}

#[test]
fn locks_equal_single_key_presses() {
    fn property(seed: u64) {
        let mut rng = Rng::new(seed);
        let board =
            if rng.below(2) == 0 { board(&mut rng) } else { grown(&mut rng, &Sequence::contest()).0 };
        for shape in Shape::ALL {
            let piece = Piece::new(shape, rng.below(4) as u8);
            let found = locks(&board, piece);
            assert_eq!(found, reference::locks(&board, piece), "{piece} on\n{board}");
            // The keys that a record gets lead there.
            for lock in found {
                let mut falling = board.spawn(piece).unwrap();
                for run in lock.keys(&board, piece).unwrap().runs() {
                    for _ in 0..run.count {
                        falling = falling.pressed(run.key);
                        assert!(board.fits(falling));
                    }
                }
                let cells = |falling: tetris_ai::contest::Falling| {
                    let mut cells = falling.cells();
                    cells.sort_unstable();
                    cells
                };
                assert_eq!(cells(falling), cells(lock.falling(shape)));
            }
        }
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(property as fn(u64));
}

#[test]
fn values_equal_their_definition() {
    fn property(seed: u64) {
        let mut rng = Rng::new(seed);
        let sequence = Sequence::contest();
        let (board, piece) = if rng.below(2) == 0 {
            (board(&mut rng), rng.below(9_000) as usize)
        } else {
            grown(&mut rng, &sequence)
        };
        // Often so near the end that the shape matters less.
        let goal = piece + 2 + rng.below(80) as usize;
        let pieces = &sequence.pieces()[..goal.min(10_000)];
        let weights = Weights { least_cells: 100 + rng.below(40), ..Weights::FITTED };
        let expected = reference::beam_children(&weights, pieces, piece + 1, &board);
        for level in Level::all() {
            let (value, children) = values(&weights, pieces, piece, &board, level);
            assert_eq!(value, reference::value(&weights, pieces, piece, &board), "{level} on\n{board}");
            assert_eq!(children, expected, "{level}, {} on\n{board}", pieces[piece + 1]);
        }
    }
    testkit::levels();
    QuickCheck::new().tests(testkit::cases(1_500)).quickcheck(property as fn(u64));
}

fn beam(pieces: usize) -> Beam {
    Beam::new(Sequence::contest(), pieces, Weights::FITTED)
}

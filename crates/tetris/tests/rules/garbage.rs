//! The garbage queue, and garbage rows below the stack.

use bitcore::Rng;
use tetris::Board;
use tetris::garbage::{Attack, GarbageQueue};

#[test]
fn rising_rows_push_up() {
    testkit::seeds(5_000, |seed| {
        let mut rng = Rng::new(seed);
        let field = (1u64 << rng.below(41)) - 1;
        let board = Board::from_columns(std::array::from_fn(|_| rng.next_u64() & field)).unwrap();
        let lines = if rng.below(9) == 0 { rng.next_u64() as u32 } else { rng.below(45) };
        let attack = Attack { lines, column: rng.below(11) as u8 };
        let mut risen = board;
        let room = attack.column < 10 && lines <= 40 && board.max_height() + lines <= 40;
        assert_eq!(risen.apply_garbage(attack), room, "{attack:?} under\n{board}");
        for (x, y) in (0..10).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let expected = match y - lines.min(99) as i32 {
                _ if !room => board.occupied(x, y),
                above @ 0.. => board.occupied(x, above),
                _ => x != i32::from(attack.column),
            };
            assert_eq!(risen.occupied(x, y), expected, "{attack:?} under\n{board}");
        }
    });
}

/// The queue against a list of single lines.
#[test]
fn lines_wait_in_order() {
    testkit::seeds(1_000, |seed| {
        let mut rng = Rng::new(seed);
        let (mut garbage, mut lines) = (GarbageQueue::default(), Vec::new());
        for turn in 0..40 {
            let n = rng.below(6);
            match rng.below(3) {
                // No two attacks share a column, so their ends can be told apart.
                0 => {
                    let attack = Attack { lines: n, column: turn };
                    garbage.push(attack);
                    lines.extend((0..n).map(|_| attack.column));
                }
                1 => {
                    let gone = lines.len().min(n as usize);
                    assert_eq!(garbage.cancel(n) as usize, n as usize - gone);
                    lines.drain(..gone);
                }
                _ => {
                    let taken = garbage.take(n);
                    let run = lines.iter().take_while(|&column| column == &lines[0]).count();
                    let first = lines.drain(..run.min(n as usize)).collect::<Vec<_>>();
                    let expected = first.first().map(|&column| Attack { lines: first.len() as u32, column });
                    assert_eq!(taken, expected);
                }
            }
            let waiting = garbage.iter().flat_map(|attack| (0..attack.lines).map(move |_| attack.column));
            assert_eq!(waiting.collect::<Vec<_>>(), lines);
            assert_eq!((garbage.lines() as usize, garbage.is_empty()), (lines.len(), lines.is_empty()));
        }
    });
}

#[test]
fn any_number_of_lines_can_wait() {
    let mut garbage = GarbageQueue::default();
    for column in 0..3 {
        garbage.push(Attack { lines: u32::MAX, column });
    }
    assert_eq!(garbage.lines(), u32::MAX);
    assert_eq!(garbage.cancel(u32::MAX), 0);
    assert_eq!(garbage.take(7), Some(Attack { lines: 7, column: 1 }));
    assert_eq!(garbage.take(0), None);
}

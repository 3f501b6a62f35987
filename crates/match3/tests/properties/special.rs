//! [`SpecialBoard`] against the plain rules on sets of cells, against its own journal, and, without
//! special pieces, against the plain board.

use super::plain::{Plain, adds_up, cells};
use super::values::{KINDS, any_board, any_swap, wild_draws, with_specials};
use match3::special::{SpecialBoard, SpecialEvent};
use match3::{Event, cascade, reference, try_swap};
use std::cmp::Reverse;
use testkit::{Input, on_each_level};

const NO_DRAW: Option<fn() -> u8> = None;

pub(crate) fn run(input: &Input) {
    let choice = input.byte();
    let colors = 2 + u32::from(choice) % 7;
    // Up to 35 percent of the pieces are special.
    let percent = u32::from(choice) / 7 % 8 * 5;
    let mut board = with_specials(any_board(input, 9, colors), percent, choice.into());
    for _ in input.steps(16) {
        step(input, &mut board);
    }
}

fn step(input: &Input, board: &mut SpecialBoard) {
    let start = board.clone();
    let mut plain = Plain::of(board);
    let legal = plain.legal();
    on_each_level(|| assert_eq!(board.swaps(), legal, "{plain:?}"));
    assert_eq!(board.has_swap(), !legal.is_empty(), "{plain:?}");

    let width = start.board().width();
    let height = start.board().height();
    let mut events = Vec::new();
    let seed = u64::from(input.byte());
    let mut by_plain_rules = start.board().clone();
    let is_plain = |event: &SpecialEvent| matches!(event, SpecialEvent::Board(_));
    let result = match input.below(6) {
        0 => {
            let x = input.below(width + 1);
            let y = input.below(height + 1);
            let kind = if input.flag() { Some(*input.pick(&KINDS)) } else { None };
            let is_piece = x < width && y < height && !start.board()[(x, y)].is_hole();
            assert_eq!(board.set_special(x, y, kind).is_ok(), is_piece);
            assert!(!is_piece || board.special(x, y) == kind);
            return assert_eq!(board.board(), start.board());
        }
        1 => {
            let result = plain.cascade(None, Some(wild_draws(seed)));
            assert_eq!(board.cascade(wild_draws(seed), &mut events), result, "{start:?}");
            let mut quiet = start.clone();
            assert_eq!(quiet.cascade(wild_draws(seed), &mut ()), result);
            assert_eq!(&quiet, &*board);
            if events.iter().all(is_plain) {
                let expected = cascade(&mut by_plain_rules, wild_draws(seed), &mut ());
                assert_eq!(board.board(), &by_plain_rules);
                assert_eq!(result, expected);
            }
            result
        }
        4 => {
            let result = plain.cascade(None, NO_DRAW);
            assert_eq!(board.cascade_without_refill(&mut events), result, "{start:?}");
            result
        }
        5 => {
            let mut ranked: Vec<_> =
                legal.into_iter().map(|swap| (swap, plain.clone().swap(swap, NO_DRAW))).collect();
            // Ties stay in swap order.
            ranked.sort_by_key(|(_, result)| Reverse(result.score));
            assert_eq!(reference::special::ranked_swaps(board), ranked, "{plain:?}");
            return on_each_level(|| assert_eq!(board.ranked_swaps(), ranked, "{plain:?}"));
        }
        _ => {
            let swap = any_swap(input, start.board(), &legal);
            let found = board.try_swap(swap, wild_draws(seed), &mut events);
            assert_eq!(found.is_ok(), legal.contains(&swap), "{swap}\n{plain:?}");
            let mut in_cells = start.clone();
            let result = reference::special::try_swap(&mut in_cells, swap, wild_draws(seed));
            assert_eq!(result, found, "{swap}\n{start:?}");
            assert_eq!(&in_cells, &*board, "{swap}\n{start:?}");
            // Without a journal, on bit planes.
            on_each_level(|| {
                let mut quiet = start.clone();
                let result = quiet.try_swap(swap, wild_draws(seed), &mut ());
                assert_eq!(result, found, "{swap}\n{start:?}");
                assert_eq!(&quiet, &*board, "{swap}\n{start:?}");
            });
            let expected = try_swap(&mut by_plain_rules, swap, wild_draws(seed), &mut ());
            if found.is_err() {
                assert_eq!(&*board, &start);
                assert!(events.is_empty());
                assert_eq!(&expected, &found);
                return;
            }
            if events.iter().all(is_plain) {
                assert_eq!(board.board(), &by_plain_rules);
                assert_eq!(&expected, &found);
            }
            let result = plain.swap(swap, Some(wild_draws(seed)));
            assert_eq!(found, Ok(result), "{swap}\n{start:?}");
            result
        }
    };
    assert_eq!(Plain::of(board), plain, "{start:?}");
    let mut replayed = start.clone();
    assert_eq!(replayed.replay(&events), Ok(()));
    assert_eq!(replayed, *board);
    let cleared = |event: &SpecialEvent| match *event {
        SpecialEvent::Board(Event::Clear { level, .. }) => Some(level),
        _ => None,
    };
    adds_up(&events, cleared, &result);
    // No special piece is in a hole.
    for (x, y) in cells(board.board()) {
        assert!(!board.board()[(x, y)].is_hole() || board.special(x, y).is_none(), "({x}, {y})");
    }
}

//! [`SpecialBoard`] against its own journal, and against the plain board while it has no special piece.

use super::values::{any_board, any_swap, draws};
use match3::journal::parse_journal;
use match3::special::{Special, SpecialBoard, SpecialEvent};
use match3::{runs, try_swap};
use testkit::Input;

const KINDS: [Special; 4] = [Special::Row, Special::Column, Special::Bomb, Special::Color];
const COLORS: u32 = 8;

pub(crate) fn run(input: &Input) {
    let colors = 2 + input.below(7) as u32;
    let mut board = SpecialBoard::new(any_board(input, 9, colors));
    for _ in input.steps(16) {
        let start = board.clone();
        let (width, height) = (start.board().width(), start.board().height());
        let (mut events, seed) = (Vec::new(), u64::from(input.byte()));
        match input.below(4) {
            0 => {
                let (x, y) = (input.below(width + 1), input.below(height + 1));
                let kind = if input.flag() { Some(*input.pick(&KINDS)) } else { None };
                let is_piece = x < width && y < height && !start.board().get(x, y).is_hole();
                assert_eq!(board.set_special(x, y, kind).is_ok(), is_piece);
                assert!(!is_piece || board.special(x, y) == kind);
                assert_eq!(board.board(), start.board());
                continue;
            }
            1 => {
                let result = board.cascade(draws(seed, COLORS), &mut events);
                assert_eq!(result.levels == 0, events.is_empty());
            }
            _ => {
                let legal = board.swaps();
                let swap = any_swap(input, start.board(), &legal);
                let found = board.try_swap(swap, draws(seed, COLORS), &mut events);
                assert_eq!(found.is_ok(), legal.contains(&swap), "{swap}\n{}", start.board());
                let mut plain = start.board().clone();
                let by_plain_rules = try_swap(&mut plain, swap, draws(seed, COLORS), &mut ());
                let is_plain = |event: &SpecialEvent| matches!(event, SpecialEvent::Board(_));
                if found.is_err() {
                    assert_eq!((&board, events.is_empty(), &by_plain_rules), (&start, true, &found));
                } else if events.iter().all(is_plain) {
                    assert_eq!((board.board(), &by_plain_rules), (&plain, &found));
                }
            }
        }
        // No run is left, and the journal tells everything.
        assert!(runs::is_stable(board.board()) || events.is_empty());
        let mut replayed = start.clone();
        assert_eq!(replayed.replay(&events), Ok(()));
        assert_eq!(replayed, board);
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        assert_eq!(parse_journal::<SpecialEvent>(&text).as_ref(), Ok(&events));
        // No special piece lies in a hole.
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            assert!(!board.board().get(x, y).is_hole() || board.special(x, y).is_none(), "({x}, {y})");
        }
    }
}

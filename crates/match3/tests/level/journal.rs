//! Journals of levels: their text, and replays.

use super::random;
use bitcore::Rng;
use match3::journal::parse_journal;
use match3::level::{LevelBoard, LevelEvent, LevelGame};
use std::collections::BTreeSet;

/// Plays random games. Calls `visit` with the board before each move, the events, and the game.
fn play(games: u64, mut visit: impl FnMut(&LevelBoard, &[LevelEvent], &LevelGame)) {
    for seed in 0..games {
        let level = random::level(seed);
        let mut rng = Rng::new(seed);
        let mut game = LevelGame::new(level, &mut rng).expect("a game");
        for _ in 0..40 {
            if game.is_over() {
                break;
            }
            let legal = game.legal_moves();
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let before = game.board().clone();
            let mut events = Vec::new();
            game.play(swap, &mut rng, &mut events).expect("a legal swap");
            visit(&before, &events, &game);
        }
    }
}

#[test]
fn ten_thousand_journals_replay_to_the_same_board() {
    let mut kinds = BTreeSet::new();
    play(10_000, |before, events, game| {
        let mut board = before.clone();
        board.replay(game.level(), events).expect("a replay");
        assert_eq!(&board, game.board());
        for event in events {
            let line = event.to_string();
            kinds.insert(line.split(' ').next().unwrap_or_default().to_owned());
        }
    });
    assert_eq!(kinds.len(), 17, "kinds of events: {kinds:?}");
}

#[test]
fn lines_of_events_are_read_back() {
    play(300, |_, events, _| {
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        assert_eq!(parse_journal(&text).as_deref(), Ok(events));
    });
}

#[test]
fn words_out_of_place_are_refused() {
    for (line, error) in [
        (
            "",
            "column 1: expected swap, match, setoff, pair, change, fly, clear, layer, create, fall, \
             spawn, collect, goal, limit, shuffle, bonus or over, found the end of the line",
        ),
        (
            "pair 1 2,3 row 2,2",
            "column 19: expected row, column, bomb, color or square, found the end of the line",
        ),
        ("clear 1 0,0 4 star", "column 15: expected the end of the line, found \"star\""),
        ("layer 1 0,0 mud 1", "column 13: expected crate, ice or jelly, found \"mud\""),
        ("layer 1 0,0 ice 256", "column 17: expected a number of layers, found \"256\""),
        ("spawn gift 0,0", "column 7: expected a color from 1 to 35, or item, found \"gift\""),
        ("fall", "column 5: expected a cell as x,y, found the end of the line"),
        (
            "shuffle 0,0 1 0,1",
            "column 18: expected a color from 1 to 35, found the end of the line",
        ),
        ("over lost", "column 6: expected won, moves, time or dead, found \"lost\""),
        ("match 1 line4 4 0,0 1,0 2,0", "column 17: these cells are not a group of shape line4"),
    ] {
        let found = line.parse::<LevelEvent>().expect_err("no event");
        assert_eq!(found.to_string(), error);
    }
}

/// A journal with one event less, twice or elsewhere is impossible, or ends on another board.
#[test]
fn other_journals_do_not_replay() {
    let mut refused = [0; 2];
    play(200, |before, events, game| {
        for i in 0..events.len() {
            let is_silent = matches!(
                events[i],
                LevelEvent::Match { .. }
                    | LevelEvent::SetOff { .. }
                    | LevelEvent::Pair { .. }
                    | LevelEvent::Fly { .. }
                    | LevelEvent::Goal { .. }
                    | LevelEvent::CascadeLimit { .. }
                    | LevelEvent::Bonus { .. }
                    | LevelEvent::Over(_)
            );
            if is_silent {
                continue;
            }
            let mut shorter = events.to_vec();
            shorter.remove(i);
            let mut board = before.clone();
            let result = board.replay(game.level(), &shorter);
            if result.is_err() {
                refused[0] += 1;
                assert_eq!(&board, before);
            }
            // A shuffle, or a swap of two equal special pieces, may change nothing.
            let may_be_silent = match events[i] {
                LevelEvent::Shuffle { .. } => true,
                LevelEvent::Swap(swap) => {
                    let [a, b] = swap.cells().map(|(x, y)| before.cell(x, y).content);
                    a == b
                }
                _ => false,
            };
            assert!(may_be_silent || result.is_err() || &board != game.board(), "{:?}", events[i]);
            refused[1] += 1;
        }
    });
    assert!(refused[0] * 2 > refused[1], "{refused:?}");
}

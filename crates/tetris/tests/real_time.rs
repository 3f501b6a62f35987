//! Real-time games: times in ticks, points and replays.

use bitcore::Rng;
use tetris::attack::Clear;
use tetris::garbage::{Attack, GarbageTiming};
use tetris::movegen;
use tetris::real_time::{
    End, Event, Expected, GUIDELINE_GRAVITY, Goal, Gravity, Handling, Input, Key, Lock, ParseRecordingError,
    RealTimeRules, Recording, Timing, guideline_score,
};
use tetris::{
    Board, Game, GameError, Location, Move, Orientation, Piece, Placement, Position, RealTimeGame, Rotation,
    Rules, Spin, TopOut,
};

/// A game that falls by soft and hard drops alone.
const FLOATING: RealTimeRules = RealTimeRules {
    timing: Timing { gravity: Gravity::Off, ..Timing::GUIDELINE },
    ..RealTimeRules::MARATHON
};

fn with_queue(rules: RealTimeRules, board: &str, queue: &[Piece]) -> RealTimeGame {
    let position = Position { board: board.parse().unwrap(), queue, ..Position::default() };
    RealTimeGame::from_position(rules, Handling::default(), position, 5).unwrap()
}

fn tick(game: &mut RealTimeGame) -> Vec<Event> {
    let mut events = Vec::new();
    game.tick(&mut events);
    events
}

fn ticks(game: &mut RealTimeGame, count: u32) -> Vec<Event> {
    (0..count).flat_map(|_| tick(game)).collect()
}

/// Runs ticks and returns the numbers of those in which the piece moved, with the columns.
fn moves(game: &mut RealTimeGame, count: u64) -> Vec<(u64, i8)> {
    let first = game.ticks();
    let mut found = Vec::new();
    while game.ticks() < first + count {
        let at = game.ticks() - first;
        found.extend(tick(game).into_iter().filter_map(|event| match event {
            Event::Moved { columns } => Some((at, columns)),
            _ => None,
        }));
    }
    found
}

fn locks(events: &[Event]) -> Vec<Lock> {
    let lock = |event: &Event| if let Event::Locked(lock) = event { Some(*lock) } else { None };
    events.iter().filter_map(lock).collect()
}

#[test]
fn gravity_is_the_guidelines() {
    for (level, &nanoseconds) in (1..).zip(&GUIDELINE_GRAVITY) {
        let seconds = (0.8 - f64::from(level - 1) * 0.007).powi(level - 1);
        assert!((seconds * 1e9 - f64::from(nanoseconds)).abs() <= 0.5001, "level {level}");
    }
}

#[test]
fn pieces_fall_in_the_ticks_of_their_level() {
    for (level, per_second) in [(1, 60), (4, 60), (7, 60), (10, 60), (12, 60), (7, 1000), (19, 48_000)] {
        let timing = Timing { ticks_per_second: per_second, lock_delay: 1000, ..Timing::GUIDELINE };
        let rules = RealTimeRules { timing, start_level: level, ..RealTimeRules::MARATHON };
        let mut game = with_queue(rules, "..........", &[Piece::T]);
        let seconds_per_row = (0.8 - f64::from(level - 1) * 0.007).powi(level as i32 - 1);
        for count in 1.. {
            tick(&mut game);
            let rows = f64::from(count) / f64::from(per_second) / seconds_per_row;
            let fallen = i32::from(19 - game.falling().unwrap().y);
            assert_eq!(fallen, (rows + 1e-6) as i32, "level {level}, tick {count}");
            if fallen == 19 {
                break;
            }
        }
    }
}

#[test]
fn a_held_key_waits_for_das_and_repeats_by_arr() {
    for (das, arr, expected) in [
        (10, 2, vec![(0, -1), (10, -1), (12, -1)]),
        (7, 1, vec![(0, -1), (7, -1), (8, -1)]),
        (3, 5, vec![(0, -1), (3, -1), (8, -1)]),
        (8, 0, vec![(0, -1), (8, -2)]),
        (0, 2, vec![(0, -1), (2, -1), (4, -1)]),
        (0, 0, vec![(0, -1), (0, -2)]),
    ] {
        let handling = Handling { das, arr, ..Handling::default() };
        let position = Position { queue: &[Piece::T], ..Position::default() };
        let mut game = RealTimeGame::from_position(FLOATING, handling, position, 1).unwrap();
        game.press(Key::Left);
        assert_eq!(moves(&mut game, 40), expected, "DAS {das}, ARR {arr}");
        game.release(Key::Left);
        game.press(Key::Right);
        let right: i32 = moves(&mut game, 60).iter().map(|&(_, columns)| i32::from(columns)).sum();
        assert_eq!(right, 7, "DAS {das}, ARR {arr}");
    }
}

#[test]
fn the_key_pressed_last_moves() {
    let mut game = with_queue(FLOATING, "..........", &[Piece::O]);
    game.press(Key::Right);
    assert_eq!(moves(&mut game, 4), [(0, 1)]);
    game.press(Key::Left);
    assert_eq!(moves(&mut game, 8), [(0, -1)]);
    // Right is held for 12 ticks by now: its repeats continue in their rhythm.
    game.release(Key::Left);
    assert_eq!(moves(&mut game, 5), [(0, 1), (2, 1), (4, 1)]);
    game.release(Key::Right);
    assert_eq!(moves(&mut game, 30), []);
    // A press of a key that is down changes nothing, nor does a release of one that is up.
    let inputs = game.recording().inputs().len();
    game.release(Key::Right);
    game.press(Key::Left);
    game.press(Key::Left);
    assert_eq!(game.recording().inputs().len(), inputs + 1);
    assert_eq!(moves(&mut game, 12), [(0, -1), (10, -1)]);
    // A tap ends a press.
    game.tap(Key::Left);
    assert_eq!(moves(&mut game, 30), [(0, -1)]);
}

#[test]
fn das_is_charged_before_the_spawn() {
    let timing = Timing { entry_delay: 12, ..FLOATING.timing };
    let mut game = with_queue(RealTimeRules { timing, ..FLOATING }, "..........", &[Piece::O, Piece::O]);
    game.tap(Key::HardDrop);
    assert_eq!(locks(&tick(&mut game)).len(), 1);
    game.press(Key::Left);
    assert_eq!((game.falling(), moves(&mut game, 11)), (None, vec![]));
    // The spawn is in tick 12 after the lock, where the key is down for 11.
    assert_eq!(tick(&mut game), [Event::Spawned(Piece::O)]);
    assert_eq!(tick(&mut game), [Event::Moved { columns: -1 }]);
}

#[test]
fn entry_and_line_clears_have_delays() {
    let timing = Timing { entry_delay: 3, line_clear_delay: 20, ..FLOATING.timing };
    let rules = RealTimeRules { timing, ..FLOATING };
    let mut game = with_queue(rules, "######....", &[Piece::I, Piece::O]);
    (0..3).for_each(|_| game.tap(Key::Right));
    game.tap(Key::HardDrop);
    let lock = locks(&tick(&mut game))[0];
    assert_eq!((lock.full_rows, lock.result.clear.lines, game.next()[0]), (1, 1, game.game().next()[0]));
    assert_eq!(ticks(&mut game, 22), []);
    assert_eq!(tick(&mut game), [Event::Spawned(Piece::O)]);
    game.tap(Key::HardDrop);
    ticks(&mut game, 3);
    assert_eq!(game.falling(), None);
    ticks(&mut game, 1);
    assert!(game.falling().is_some());
}

#[test]
fn a_piece_on_the_stack_locks_after_its_delay() {
    for lock_delay in [0, 1, 30] {
        let timing = Timing { lock_delay, gravity: Gravity::TicksPerRow(1), ..Timing::GUIDELINE };
        let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
        let mut game = with_queue(rules, "..........", &[Piece::T, Piece::O]);
        assert_eq!(locks(&ticks(&mut game, 18)), []);
        // It lands in tick 19.
        let landing = locks(&tick(&mut game));
        assert_eq!(landing.len(), usize::from(lock_delay == 0));
        if lock_delay > 0 {
            assert_eq!(game.rested(), 1);
            assert_eq!(locks(&ticks(&mut game, lock_delay - 1)), []);
            assert_eq!(locks(&tick(&mut game)).len(), 1);
        }
    }
}

/// Returns the ticks from landing to lock of a piece that a player moves to and fro each `pause` ticks.
fn stalled(rules: RealTimeRules, pause: u32) -> u32 {
    let mut game = with_queue(rules, "..........", &[Piece::T, Piece::O]);
    tick(&mut game);
    assert_eq!(game.rested(), 1);
    for count in 1.. {
        if count % pause == 0 {
            game.tap(if (count / pause).is_multiple_of(2) { Key::Left } else { Key::Right });
        }
        if !locks(&tick(&mut game)).is_empty() {
            return count;
        }
    }
    unreachable!()
}

#[test]
fn moves_start_the_lock_delay_again_fifteen_times() {
    for (lock_resets, lock_delay) in [(15, 30), (0, 30), (3, 20)] {
        let timing = Timing { lock_resets, lock_delay, gravity: Gravity::Instant, ..Timing::GUIDELINE };
        let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
        for pause in [1, 10, 19] {
            // With the last of them it locks, since it is on the stack.
            let expected = if lock_resets > 0 { pause * lock_resets } else { lock_delay };
            assert_eq!(stalled(rules, pause), expected, "{lock_resets} {pause}");
        }
        // Too late: the lock comes first.
        assert_eq!(stalled(rules, 31), lock_delay);
    }
}

#[test]
fn a_new_lowest_row_starts_all_delays_again() {
    let timing = Timing { gravity: Gravity::Instant, lock_resets: 3, lock_delay: 30, ..Timing::GUIDELINE };
    let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, "#####.....\n#####.....", &[Piece::O, Piece::T]);
    // It stands on the edge, one column over the step.
    ticks(&mut game, 20);
    for key in [Key::Left, Key::Right] {
        game.tap(key);
        ticks(&mut game, 20);
    }
    assert_eq!(game.rested(), 20);
    game.tap(Key::Right);
    let events = tick(&mut game);
    assert_eq!(events, [Event::Moved { columns: 1 }, Event::Fell { rows: 2 }]);
    assert_eq!(game.rested(), 1);
    // Three resets again, and no fourth.
    for key in [Key::Right, Key::Left] {
        ticks(&mut game, 9);
        game.tap(key);
        tick(&mut game);
    }
    assert_eq!(game.rested(), 1);
    assert_eq!(locks(&ticks(&mut game, 9)), []);
    game.tap(Key::Right);
    assert_eq!(locks(&tick(&mut game)).len(), 1);
}

#[test]
fn after_the_last_reset_a_piece_locks_when_it_touches_the_stack() {
    let timing = Timing { gravity: Gravity::TicksPerRow(4), ..Timing::GUIDELINE };
    let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, "..........", &[Piece::T, Piece::O]);
    (0..19).for_each(|_| game.tap(Key::SoftDrop));
    tick(&mut game);
    assert_eq!((game.falling().unwrap().y, game.rested()), (0, 1));
    // The floor kicks it to its side; turned back, it is a row above the floor, and falls.
    let there_and_back = [[Key::Cw, Key::Ccw], [Key::Ccw, Key::Cw]];
    let turns = there_and_back.into_iter().cycle().take(7).flatten();
    for key in std::iter::once(Key::Left).chain(turns) {
        assert_eq!(locks(&ticks(&mut game, 9)), []);
        assert!(game.rested() > 0);
        game.tap(key);
        assert_eq!(locks(&tick(&mut game)), []);
    }
    // That was the fifteenth reset. It still moves in the air.
    assert_eq!(game.falling().unwrap().y, 1);
    game.tap(Key::Right);
    let events = ticks(&mut game, 4);
    let is_fall = |event: &Event| *event == Event::Fell { rows: 1 };
    assert!(events.iter().any(is_fall) && locks(&events).len() == 1, "{events:?}");
}

#[test]
fn a_piece_that_is_turned_on_the_floor_does_not_live_on() {
    // The keys of `play tetris --seed 17`: down to the floor, then both rotations each fifth of a second.
    let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 17);
    (0..20).for_each(|_| game.tap(Key::SoftDrop));
    let mut events = ticks(&mut game, 1);
    while locks(&events).is_empty() {
        game.tap(Key::Cw);
        game.tap(Key::Ccw);
        events.extend(ticks(&mut game, 12));
        // Eight times two rotations, and a fall by a row.
        assert!(game.ticks() <= 8 * 12 + 60, "it lives on");
    }
}

/// Rules with a wait after each lock.
const WAITING: RealTimeRules =
    RealTimeRules { timing: Timing { entry_delay: 12, ..FLOATING.timing }, ..FLOATING };

/// Locks a piece, and runs the first of twelve ticks of the wait after it.
fn into_the_wait(game: &mut RealTimeGame) {
    game.tap(Key::HardDrop);
    assert_eq!(locks(&ticks(game, 2)).len(), 1);
    assert_eq!(game.falling(), None);
}

#[test]
fn keys_of_a_wait_act_at_the_spawn() {
    let (cw, ccw) = (Rotation::Cw, Rotation::Ccw);
    let rotated = |rotation| Event::Rotated { rotation, spin: Spin::None };
    let spawned = Event::Spawned(Piece::T);
    let held = [spawned, Event::Held(Piece::T), Event::Spawned(Piece::J)];
    let line_clear = Timing { line_clear_delay: 12, ..FLOATING.timing };
    for timing in [WAITING.timing, line_clear] {
        let cases: [(&[Key], Vec<Event>); 9] = [
            (&[], vec![spawned]),
            (&[Key::Cw], vec![spawned, rotated(cw)]),
            (&[Key::Ccw], vec![spawned, rotated(ccw)]),
            // One rotation, the last that was pressed.
            (&[Key::Cw, Key::Cw], vec![spawned, rotated(cw)]),
            (&[Key::Cw, Key::Ccw], vec![spawned, rotated(ccw)]),
            (&[Key::Hold], held.to_vec()),
            // Once, and before the rotation, in any order.
            (&[Key::Hold, Key::Cw, Key::Hold], [&held[..], &[rotated(cw)]].concat()),
            (&[Key::Ccw, Key::Hold], [&held[..], &[rotated(ccw)]].concat()),
            // Other keys are of no use without a piece.
            (&[Key::HardDrop, Key::SoftDrop, Key::Left, Key::Right], vec![spawned]),
        ];
        for (keys, expected) in cases {
            for holds_them in [false, true] {
                let rules = RealTimeRules { timing, ..FLOATING };
                let queue = [Piece::I, Piece::T, Piece::J];
                let mut game = with_queue(rules, "#####....#", &queue);
                (0..2).for_each(|_| game.tap(Key::Right));
                into_the_wait(&mut game);
                for &key in keys {
                    if holds_them && [Key::Cw, Key::Ccw, Key::Hold].contains(&key) {
                        game.release(key);
                        game.press(key);
                    } else {
                        game.tap(key);
                    }
                }
                assert_eq!(ticks(&mut game, 10), [], "{keys:?}");
                assert_eq!(tick(&mut game), expected, "{keys:?} {holds_them}");
                // Each press acts once.
                assert_eq!(ticks(&mut game, 20), []);
                into_next_spawn(&mut game, timing.entry_delay);
            }
        }
    }
}

/// Locks the piece in play and checks that the next one spawns as it is if nothing is pressed.
fn into_next_spawn(game: &mut RealTimeGame, delay: u32) {
    for key in [Key::Cw, Key::Ccw, Key::Hold] {
        game.release(key);
    }
    game.tap(Key::HardDrop);
    let events = ticks(game, 1 + delay);
    assert!(matches!(events.last(), Some(Event::Spawned(_))), "{events:?}");
}

#[test]
fn keys_held_from_before_a_wait_act_at_the_spawn() {
    let queue = [Piece::I, Piece::T, Piece::J];
    let orientation = |game: &RealTimeGame| game.falling().map(|at| (at.piece, at.orientation));
    for (keys, expected) in [
        (&[Key::Cw][..], (Piece::T, Orientation::East)),
        (&[Key::Ccw], (Piece::T, Orientation::West)),
        // Both at once are none.
        (&[Key::Cw, Key::Ccw], (Piece::T, Orientation::North)),
        (&[Key::Cw, Key::Hold], (Piece::I, Orientation::East)),
    ] {
        let mut game = with_queue(WAITING, "..........", &queue);
        for &key in keys {
            game.press(key);
        }
        tick(&mut game);
        into_the_wait(&mut game);
        ticks(&mut game, 11);
        // The first hold took the I out and brought the T, whose lock brought the J.
        let expected = if keys.contains(&Key::Hold) { (Piece::I, Orientation::East) } else { expected };
        assert_eq!(orientation(&game), Some(expected), "{keys:?}");

        // A release in the wait ends it.
        let mut game = with_queue(WAITING, "..........", &queue);
        for &key in keys {
            game.press(key);
        }
        tick(&mut game);
        into_the_wait(&mut game);
        for &key in keys {
            game.release(key);
        }
        ticks(&mut game, 11);
        assert_eq!(game.falling().map(|at| at.orientation), Some(Orientation::North), "{keys:?}");
    }
    // Without a wait, the key has acted before.
    let mut game = with_queue(FLOATING, "..........", &queue);
    game.press(Key::Cw);
    game.tap(Key::HardDrop);
    tick(&mut game);
    assert_eq!(orientation(&game), Some((Piece::T, Orientation::North)));
    // In the tick of the spawn, keys act in their order on the piece.
    let mut game = with_queue(WAITING, "..........", &queue);
    into_the_wait(&mut game);
    ticks(&mut game, 10);
    for key in [Key::Cw, Key::Cw, Key::Left] {
        game.tap(key);
    }
    tick(&mut game);
    assert_eq!(game.falling().map(|at| (at.orientation, at.x)), Some((Orientation::South, 3)));
}

#[test]
fn what_has_no_room_at_the_spawn_is_left_out() {
    // The I clears row 19, in which it spawns. Over it is a cave for a T alone, which comes down to the first
    // row or to the second.
    for lift in [0, 1] {
        let mut rows = vec![".#########"; 26];
        rows[19] = "###....###";
        rows[20 + lift] = ".##...####";
        rows[21 + lift] = ".###.#####";
        rows.reverse();
        let mut game = with_queue(WAITING, &rows.join("\n"), &[Piece::I, Piece::T, Piece::J]);
        into_the_wait(&mut game);
        assert_eq!(game.lines(), 1);
        for key in [Key::Cw, Key::Hold] {
            game.tap(key);
        }
        assert_eq!(ticks(&mut game, 11), [Event::Spawned(Piece::T)]);
        assert_eq!(game.falling(), Some(Location { y: 19 + lift as i8, ..Location::spawn(Piece::T) }));
        assert!(!game.can_hold());
    }
}

#[test]
fn initial_rotations_and_holds_work_in_the_second_row() {
    let tower = "#########.\n".repeat(18);
    for holds in [false, true] {
        let mut game = with_queue(WAITING, &tower, &[Piece::O, Piece::T, Piece::L]);
        into_the_wait(&mut game);
        if holds {
            game.tap(Key::Hold);
        }
        game.tap(Key::Cw);
        ticks(&mut game, 11);
        // The O is under it: kicks bring it to the left, the L upwards, too.
        let piece = if holds { Piece::L } else { Piece::T };
        let expected =
            Location { piece, orientation: Orientation::East, x: 3, y: if holds { 21 } else { 20 } };
        assert_eq!(game.falling(), Some(expected));
    }
}

#[test]
fn at_20g_initial_actions_come_before_the_fall() {
    let timing = Timing { gravity: Gravity::Instant, ..WAITING.timing };
    let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, "..........", &[Piece::I, Piece::T, Piece::J]);
    into_the_wait(&mut game);
    game.tap(Key::Hold);
    game.tap(Key::Cw);
    let expected = [
        Event::Spawned(Piece::T),
        Event::Held(Piece::T),
        Event::Spawned(Piece::J),
        Event::Rotated { rotation: Rotation::Cw, spin: Spin::None },
        Event::Fell { rows: 17 },
    ];
    assert_eq!(ticks(&mut game, 11), expected);
}

#[test]
fn recordings_of_version_1_replay_as_they_were_played() {
    // Recorded before there were versions, with the state at their end.
    let wait = [
        "0 press right\n0 release right\n".repeat(3).as_str(),
        "0 press hard-drop\n0 release hard-drop\n4 press hold\n4 release hold\n4 press cw\n4 release cw\n",
        "24 press hard-drop\n24 release hard-drop\n26 end\n",
    ]
    .concat();
    let mut resets = String::new();
    for i in 1..=17 {
        let key = if i % 2 == 1 { "left" } else { "right" };
        resets += &format!("{i}0 press {key}\n{i}0 release {key}\n");
    }
    resets += "175 end\n";
    let spawn = "0 press hard-drop\n0 release hard-drop\n1 end\n";
    let flashing = RealTimeRules { timing: Timing { line_clear_delay: 12, ..FLOATING.timing }, ..FLOATING };
    let instant = RealTimeRules {
        timing: Timing { gravity: Gravity::Instant, ..Timing::GUIDELINE },
        ..RealTimeRules::MARATHON
    };
    let tower = "#########.\n".repeat(18);
    let block = Some(End::ToppedOut(TopOut::Block));
    let t = "....#.....\n...###....";
    let o = format!("....##....\n....##....\n{tower}");
    for (text, rules, board, queue, (end, score, lines, pieces), expected) in [
        (wait.as_str(), flashing, "######....", [Piece::I, Piece::T, Piece::J], (None, 976, 1, 2), t),
        (
            resets.as_str(),
            instant,
            "..........",
            [Piece::T, Piece::O, Piece::O],
            (None, 0, 0, 0),
            "..........",
        ),
        (spawn, FLOATING, &tower, [Piece::O, Piece::T, Piece::I], (block, 2, 0, 1), &o),
    ] {
        let recording: Recording = text.parse().unwrap();
        assert_eq!((recording.version(), recording.to_string()), (1, text.to_owned()));
        let queue = if text == resets { &queue[..2] } else { &queue[..] };
        let game = with_queue(rules, board, queue).replay(&recording);
        assert_eq!(
            (game.end(), game.score(), game.lines(), game.game().pieces()),
            (end, score, lines, pieces)
        );
        assert_eq!((game.ticks(), &game.board().to_string()), (recording.ticks(), &expected_board(expected)));
        // It goes on by the same rules, and its recording says so.
        assert!(game.recording() == &recording && !game.rules().game.second_spawn_row);
        // The rules of new games lead to another end.
        let newer: Recording = format!("version 2\n{text}").parse().unwrap();
        let other = with_queue(rules, board, queue).replay(&newer);
        assert!(
            (other.end(), other.game().pieces(), other.board())
                != (game.end(), game.game().pieces(), game.board())
        );
        assert_eq!(other.recording().version(), Recording::VERSION);
    }
}

/// Returns the text of a board without the empty rows at its top.
fn expected_board(text: &str) -> String {
    text.parse::<Board>().unwrap().to_string()
}

#[test]
fn at_20g_pieces_are_on_the_stack_at_once() {
    let rules = RealTimeRules { start_level: 20, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, "....#.....\n....#.....", &[Piece::I, Piece::O, Piece::T]);
    assert_eq!(tick(&mut game), [Event::Spawned(Piece::I), Event::Fell { rows: 17 }]);
    // It is flat on the peak, and falls off it in the middle of a shift.
    game.press(Key::Right);
    let events = ticks(&mut game, 60);
    let expected: &[_] =
        &[Event::Moved { columns: 1 }, Event::Moved { columns: 1 }, Event::Moved { columns: 1 }];
    let falls = |event: &&Event| matches!(event, Event::Fell { .. });
    assert_eq!(events.iter().filter(|event| !falls(event)).copied().collect::<Vec<_>>()[..2], expected[..2]);
    assert_eq!(events[2], Event::Fell { rows: 2 }, "{events:?}");
    assert_eq!(game.score(), 0);
    // Level 18 has 11 rows a tick, which isn't 20G.
    let rules = RealTimeRules { start_level: 18, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, "..........", &[Piece::T]);
    assert_eq!(tick(&mut game), [Event::Spawned(Piece::T), Event::Fell { rows: 11 }]);
}

#[test]
fn soft_drops_are_faster_by_their_factor() {
    let handling = Handling { soft_drop_factor: 20, ..Handling::default() };
    let position = Position { queue: &[Piece::T], ..Position::default() };
    let new = |rules, factor| {
        let handling = Handling { soft_drop_factor: factor, ..handling };
        RealTimeGame::from_position(rules, handling, position, 1).unwrap()
    };
    // A row at once, then 20 per second: one each three ticks. Without gravity, too.
    for rules in [RealTimeRules::MARATHON, FLOATING] {
        let mut game = new(rules, 20);
        game.press(Key::SoftDrop);
        let events = ticks(&mut game, 9);
        assert_eq!(events, [&[Event::Spawned(Piece::T)], &[Event::SoftDropped { rows: 1 }; 4][..]].concat());
        assert_eq!((game.score(), game.falling().unwrap().y), (4, 15));
        game.release(Key::SoftDrop);
        assert_eq!(ticks(&mut game, 30), []);
    }
    let mut game = new(FLOATING, u32::MAX);
    game.press(Key::SoftDrop);
    tick(&mut game);
    assert_eq!((game.score(), game.falling(), game.rested()), (19, game.ghost(), 1));
    game.release(Key::SoftDrop);
    assert_eq!(locks(&ticks(&mut game, 30)).len(), 1);
    // A part of a row is left at the release. Without gravity, it makes no other row.
    for count in 1..9 {
        let mut game = new(FLOATING, 20);
        game.press(Key::SoftDrop);
        ticks(&mut game, count);
        game.release(Key::SoftDrop);
        assert_eq!(ticks(&mut game, 30), [], "{count} ticks");
    }
    // A tap is one row.
    let mut game = new(FLOATING, u32::MAX);
    game.tap(Key::SoftDrop);
    tick(&mut game);
    assert_eq!((game.score(), game.falling().unwrap().y), (1, 18));
}

/// Plays the keys of [`movegen::path`] as taps, one per tick.
fn play(game: &mut RealTimeGame, placement: Placement) -> Lock {
    let keys = movegen::path(game.board(), placement, movegen::SpinMode::TSpins).unwrap();
    let mut events = Vec::new();
    for key in keys {
        game.tap(match key {
            movegen::Key::Left => Key::Left,
            movegen::Key::Right => Key::Right,
            movegen::Key::SoftDrop => Key::SoftDrop,
            movegen::Key::Cw => Key::Cw,
            movegen::Key::Ccw => Key::Ccw,
            movegen::Key::HardDrop => Key::HardDrop,
        });
        game.tick(&mut events);
    }
    locks(&events)[0]
}

#[test]
fn a_t_spin_double_by_keys_scores_as_the_guideline_says() {
    let board = "##........\n#...######\n##.#######\n#.########";
    let mut game = with_queue(FLOATING, board, &[Piece::T, Piece::I]);
    tick(&mut game);
    let at = Location { piece: Piece::T, orientation: Orientation::South, x: 2, y: 2 };
    let before = game.score();
    let lock = play(&mut game, Placement { at, spin: Spin::Full });
    assert_eq!((lock.placement.spin, lock.full_rows, lock.points), (Spin::Full, 0b110, 1200));
    assert_eq!((lock.result.attack, game.score() - before, game.lines()), (4, 1200 + 17, 2));
    // The same cells by a soft drop alone can't be reached, but a T that moves last earns nothing.
    assert_eq!(game.game().back_to_back(), 1);
    assert_eq!(game.board().to_string(), "##........\n#.########");
}

#[test]
fn a_refused_movement_keeps_the_spin() {
    let board = "##........\n#...######\n##.#######";
    for last in [None, Some(Key::Left), Some(Key::SoftDrop)] {
        let mut game = with_queue(FLOATING, board, &[Piece::T, Piece::I]);
        for key in [Key::Cw, Key::Left, Key::Left] {
            game.tap(key);
        }
        (0..18).for_each(|_| game.tap(Key::SoftDrop));
        game.tap(Key::Cw);
        let rotated = Event::Rotated { rotation: Rotation::Cw, spin: Spin::Full };
        assert_eq!(tick(&mut game).last(), Some(&rotated));
        if let Some(key) = last {
            game.tap(key);
        }
        game.tap(Key::HardDrop);
        assert_eq!(locks(&tick(&mut game))[0].placement.spin, Spin::Full, "{last:?}");
    }
}

#[test]
fn a_fall_loses_the_spin() {
    // A T pointing down slides under the cell and is kicked to the wall: two corners are in the wall, one is
    // the cell.
    let board = [".#........", "..........", "..........", "..........", ".........."].join("\n");
    for gravity in [Gravity::Off, Gravity::TicksPerRow(60)] {
        let timing = Timing { gravity, ..Timing::GUIDELINE };
        let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
        let mut game = with_queue(rules, &board, &[Piece::T, Piece::I]);
        for key in [Key::Cw, Key::Cw] {
            game.tap(key);
        }
        (0..16).for_each(|_| game.tap(Key::SoftDrop));
        for key in [Key::Left, Key::Left, Key::Left, Key::Ccw] {
            game.tap(key);
        }
        let rotated = Event::Rotated { rotation: Rotation::Ccw, spin: Spin::Mini };
        assert_eq!(tick(&mut game).last(), Some(&rotated));
        if gravity == Gravity::Off {
            for key in [Key::SoftDrop, Key::SoftDrop] {
                game.tap(key);
            }
        }
        let lock = locks(&ticks(&mut game, 200)).first().copied();
        let at = Location { piece: Piece::T, orientation: Orientation::East, x: 0, y: 1 };
        assert_eq!(lock.map(|lock| lock.placement), Some(Placement { at, spin: Spin::None }));
    }
}

#[test]
fn gravity_starts_anew_off_an_edge() {
    let timing = Timing { gravity: Gravity::TicksPerRow(10), ..Timing::GUIDELINE };
    let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    let mut game = with_queue(rules, &["#####....."; 17].join("\n"), &[Piece::O]);
    // It falls two rows to the edge, and waits.
    assert_eq!(ticks(&mut game, 24)[1..], [Event::Fell { rows: 1 }; 2]);
    game.tap(Key::Right);
    assert_eq!(ticks(&mut game, 9), [Event::Moved { columns: 1 }]);
    assert_eq!(tick(&mut game), [Event::Fell { rows: 1 }]);
}

#[test]
fn points_of_the_guideline() {
    let clear = |lines, spin| Clear { lines, spin, combo: lines.min(1), ..Clear::default() };
    // Tetris wiki, `Scoring`: recent guideline compatible games.
    for (lines, spin, points) in [
        (0, Spin::None, 0),
        (1, Spin::None, 100),
        (2, Spin::None, 300),
        (3, Spin::None, 500),
        (4, Spin::None, 800),
        (0, Spin::Mini, 100),
        (1, Spin::Mini, 200),
        (2, Spin::Mini, 400),
        (0, Spin::Full, 400),
        (1, Spin::Full, 800),
        (2, Spin::Full, 1200),
        (3, Spin::Full, 1600),
    ] {
        for level in [1, 2, 15] {
            let base = clear(lines, spin);
            assert_eq!(guideline_score(base, level), points * u64::from(level));
            let chained = Clear { back_to_back: 2, ..base };
            let expected = if lines > 0 { points * 3 / 2 } else { points };
            assert_eq!(guideline_score(chained, level), expected * u64::from(level), "{base:?}");
            if lines > 0 {
                let third = guideline_score(Clear { combo: 3, ..base }, level);
                assert_eq!(third, (points + 100) * u64::from(level));
            }
        }
    }
    for (lines, points) in [(1, 800), (2, 1200), (3, 1800), (4, 2000)] {
        let perfect = Clear { perfect: true, ..clear(lines, Spin::None) };
        let plain = guideline_score(clear(lines, Spin::None), 3);
        assert_eq!(guideline_score(perfect, 3), plain + points * 3);
    }
    let chained = Clear { perfect: true, back_to_back: 2, ..clear(4, Spin::None) };
    assert_eq!(guideline_score(chained, 1), 1200 + 3200);
    // The points of the largest combo fit at a level of a million, and saturate at the largest level.
    let combo = Clear { combo: u32::MAX, ..clear(1, Spin::None) };
    let points = 100 + 50 * (u64::from(u32::MAX) - 1);
    assert_eq!(guideline_score(combo, 1_000_000), points * 1_000_000);
    assert_eq!(guideline_score(combo, u32::MAX), u64::MAX);
}

#[test]
fn hold_works_once_per_lock_and_keeps_the_preview_full() {
    let queue = [Piece::T, Piece::I, Piece::O, Piece::S, Piece::Z, Piece::J];
    let mut game = with_queue(FLOATING, "..........", &queue);
    tick(&mut game);
    assert_eq!((game.next(), game.held(), game.can_hold()), (&queue[1..], None, true));
    let sixth = game.game().next()[5];
    game.tap(Key::SoftDrop);
    game.tap(Key::Hold);
    let events = tick(&mut game);
    assert_eq!(events[1..], [Event::Held(Piece::T), Event::Spawned(Piece::I)]);
    assert_eq!((game.falling(), game.held()), (Some(Location::spawn(Piece::I)), Some(Piece::T)));
    let next = [Piece::O, Piece::S, Piece::Z, Piece::J, sixth];
    assert_eq!((game.next(), game.can_hold()), (&next[..], false));
    game.tap(Key::Hold);
    assert_eq!(tick(&mut game), []);
    game.tap(Key::HardDrop);
    let events = tick(&mut game);
    assert_eq!(events.last(), Some(&Event::Spawned(Piece::O)));
    assert_eq!((game.held(), game.next()[..4] == next[1..], game.can_hold()), (Some(Piece::T), true, true));
    game.tap(Key::Hold);
    assert_eq!(tick(&mut game), [Event::Held(Piece::O), Event::Spawned(Piece::T)]);
    assert_eq!((game.held(), &game.next()[..4]), (Some(Piece::O), &next[1..]));

    let rules = RealTimeRules { game: Rules { hold: false, next: 0, ..Rules::GUIDELINE }, ..FLOATING };
    let mut game = with_queue(rules, "..........", &[Piece::T]);
    game.tap(Key::Hold);
    assert_eq!((tick(&mut game), game.next()), (vec![Event::Spawned(Piece::T)], &[][..]));
}

#[test]
fn a_hold_that_would_be_blocked_is_refused() {
    // The O fits where it spawns, the I does not: a cell is in column 3.
    let rows = [vec!["...#......"; 2], vec!["#########."; 19]].concat().join("\n");
    let mut game = with_queue(FLOATING, &rows, &[Piece::O, Piece::I]);
    game.tap(Key::Hold);
    assert_eq!(tick(&mut game), [Event::Spawned(Piece::O)]);
    assert!(!game.can_hold() && game.held().is_none());
}

#[test]
fn levels_rise_each_ten_lines_and_goals_end_the_game() {
    // Ten columns of I, one beside the other: four lines each.
    let queue = [Piece::I; 6];
    for (rules, level, end) in [
        (FLOATING, 2, None),
        (RealTimeRules { start_level: 5, ..FLOATING }, 6, None),
        (RealTimeRules { goal: Goal::Lines(9), lines_per_level: 0, ..FLOATING }, 1, Some(End::Finished)),
        (RealTimeRules { goal: Goal::Lines(13), lines_per_level: 0, ..FLOATING }, 1, None),
    ] {
        let mut game = with_queue(rules, &["#########."; 12].join("\n"), &queue);
        let mut events = Vec::new();
        for lines in [4, 8, 12] {
            game.tap(Key::Cw);
            (0..5).for_each(|_| game.tap(Key::Right));
            game.tap(Key::HardDrop);
            game.tick(&mut events);
            assert_eq!(game.lines(), lines);
        }
        let ups = events.iter().filter(|event| matches!(event, Event::LevelUp { .. })).count();
        assert_eq!((game.level(), game.end(), ups), (level, end, usize::from(rules.lines_per_level > 0)));
        assert_eq!(events.contains(&Event::Finished), end.is_some());
        // 800, twice 1200 for back-to-back, combos of 50 and 100, 3200 for the empty board, and the drops.
        let drops = 2 * (17 + 17 + 17);
        let start = u64::from(rules.start_level);
        let first_two = events.iter().filter_map(|event| match event {
            Event::Locked(lock) => Some(lock.points),
            _ => None,
        });
        let expected = [800 * start, 1250 * start, (1300 + 3200) * start];
        assert_eq!(first_two.collect::<Vec<_>>(), expected);
        assert_eq!(game.score(), expected.iter().sum::<u64>() + drops);
        if end.is_some() {
            let before = game.clone();
            game.press(Key::Left);
            assert_eq!(game.receive(Attack { lines: 1, column: 0 }), Ok(()));
            assert!(tick(&mut game).is_empty() && game == before);
        }
    }
}

#[test]
fn games_top_out() {
    // Ten pieces of two rows in the middle fill the 20 rows: the next one is blocked.
    let mut game = with_queue(FLOATING, "..........", &[Piece::O; 6]);
    let mut events = Vec::new();
    while game.end().is_none() {
        game.tap(Key::HardDrop);
        game.tick(&mut events);
    }
    let over = game.game().over().unwrap();
    assert_eq!(game.end(), Some(End::ToppedOut(over)));
    assert_eq!(events.last(), Some(&Event::ToppedOut(over)));
    assert_eq!(game.falling(), None);
    assert_eq!(game.receive(Attack { lines: 1, column: 0 }), Err(GameError::Over(over)));
    let ended = game.clone();
    game.tap(Key::HardDrop);
    assert!(tick(&mut game).is_empty() && game == ended);

    // A game that tops out ends in the tick of the lock, without the delays.
    let rules = RealTimeRules { timing: Timing { entry_delay: 9, ..FLOATING.timing }, ..FLOATING };
    let mut game = with_queue(rules, &["####......"; 19].join("\n"), &[Piece::O; 2]);
    game.tap(Key::Left);
    game.tap(Key::HardDrop);
    assert_eq!(tick(&mut game).last(), Some(&Event::ToppedOut(TopOut::Block)));

    // The spawn is blocked before the first tick.
    let mut game = with_queue(FLOATING, &["####......"; 21].join("\n"), &[Piece::I]);
    assert_eq!(tick(&mut game), [Event::ToppedOut(TopOut::Block)]);
    let position = Position { board: *game.board(), queue: &[Piece::I], ..Position::default() };
    let new = RealTimeGame::from_position(FLOATING, Handling::default(), position, 5).unwrap();
    assert_eq!(new.replay(game.recording()), game);

    let error = RealTimeGame::from_position(
        RealTimeRules::MARATHON,
        Handling::default(),
        Position { queue: &[Piece::I; 7], ..Position::default() },
        1,
    );
    assert_eq!(error, Err(GameError::Queue { max: 6, found: 7 }));
}

#[test]
fn garbage_waits_for_a_lock() {
    for garbage_timing in [GarbageTiming::AfterNonClearingLock, GarbageTiming::Immediate] {
        let rules = RealTimeRules { game: Rules { garbage_timing, ..Rules::GUIDELINE }, ..FLOATING };
        let mut game = with_queue(rules, "..........", &[Piece::O, Piece::O]);
        assert_eq!(game.receive(Attack { lines: 3, column: 10 }), Err(GameError::Column { found: 10 }));
        assert_eq!(game.receive(Attack { lines: 3, column: 2 }), Ok(()));
        tick(&mut game);
        assert_eq!((game.game().garbage().lines(), game.board()), (3, &Board::EMPTY));
        game.tap(Key::HardDrop);
        assert_eq!(tick(&mut game)[2], Event::GarbageRose { rows: 3 });
        assert_eq!(game.board().heights(), [3, 3, 0, 3, 5, 5, 3, 3, 3, 3]);
        assert_eq!(game.recording().inputs()[0], (0, Input::Receive(Attack { lines: 3, column: 2 })));
    }
}

fn random_rules(rng: &mut Rng) -> (RealTimeRules, Handling) {
    let gravity = match rng.below(5) {
        0 => Gravity::TicksPerRow(rng.below(4)),
        1 => Gravity::Instant,
        2 => Gravity::Off,
        _ => Gravity::Guideline,
    };
    let timing = Timing {
        ticks_per_second: 60,
        gravity,
        lock_delay: [0, 5, 30][rng.below(3) as usize],
        lock_resets: [0, 15, 15, u32::MAX][rng.below(4) as usize],
        entry_delay: rng.below(4).saturating_sub(2),
        line_clear_delay: rng.below(3),
    };
    let garbage_timing =
        [GarbageTiming::AfterNonClearingLock, GarbageTiming::AfterEveryLock, GarbageTiming::Immediate]
            [rng.below(3) as usize];
    let game = Rules {
        next: [0, 1, 5, 15][rng.below(4) as usize],
        hold: rng.below(4) > 0,
        garbage_timing,
        garbage_cap: [2, u32::MAX][rng.below(2) as usize],
        second_spawn_row: rng.below(3) > 0,
        ..Rules::GUIDELINE
    };
    let rules = RealTimeRules {
        game,
        timing,
        goal: [Goal::Endless, Goal::Lines(3)][rng.below(2) as usize],
        start_level: rng.below(21),
        lines_per_level: rng.below(3),
    };
    let handling = Handling {
        das: rng.below(12),
        arr: rng.below(3),
        soft_drop_factor: [0, 20, u32::MAX][rng.below(3) as usize],
    };
    (rules, handling)
}

/// Returns the game that a real-time game with these rules is about, with its generator.
fn twin(rules: RealTimeRules, position: Position<'_>, seed: u64) -> (Game, Rng) {
    let mut rng = Rng::new(seed);
    let garbage_timing = match rules.game.garbage_timing {
        GarbageTiming::Immediate => GarbageTiming::AfterEveryLock,
        other => other,
    };
    let rules = Rules { next: rules.game.next + 1, garbage_timing, ..rules.game };
    let game = Game::from_position(rules, position, &mut rng).unwrap();
    (game, rng)
}

#[test]
fn random_keys_lock_as_games_do_and_replay_to_the_same_end() {
    let mut rng = Rng::new(18);
    let (mut locked, mut spins, mut held_locks, mut ends) = (0, 0, 0, [0; 4]);
    for seed in 0..testkit::cases(1000) {
        let (rules, handling) = random_rules(&mut rng);
        // A T in a cave spins more often than one in play.
        let columns = std::array::from_fn(|_| rng.next_u64() & rng.next_u64() & 0xff);
        let board = Board::from_columns(columns).filter(|_| seed % 2 == 0).unwrap_or_default();
        let queue = if seed % 2 == 0 { &[Piece::T; 16][..=rules.game.next] } else { &[] };
        let position = Position { board, queue, ..Position::default() };
        let new = RealTimeGame::from_position(rules, handling, position, seed).unwrap();
        let mut game = new.clone();
        let (mut twin, mut twin_rng) = twin(rules, position, seed);
        let (mut lines, mut score, mut level) = (0, 0, rules.start_level.max(1));
        let (mut events, mut held, mut last_spin) = (Vec::new(), false, Spin::None);
        for _ in 0..800 {
            for _ in 0..rng.below(4) {
                let key = Key::ALL[rng.below(7) as usize];
                match rng.below(3) {
                    // Hard drops alone leave nothing to rotate under.
                    0 if key != Key::HardDrop || rng.below(3) == 0 => game.press(key),
                    1 => game.release(key),
                    2 if key != Key::HardDrop => game.tap(key),
                    _ => {}
                }
            }
            if rng.below(60) == 0 {
                let attack = Attack { lines: rng.below(4), column: rng.below(11) as u8 };
                let expected =
                    if game.end() == Some(End::Finished) { Ok(()) } else { twin.receive(attack).map(drop) };
                assert_eq!(game.receive(attack), expected);
            }
            events.clear();
            game.tick(&mut events);
            for event in &events {
                score += match *event {
                    Event::SoftDropped { rows } => rows.into(),
                    Event::HardDropped { rows } => 2 * u64::from(rows),
                    Event::Locked(lock) => guideline_score(lock.result.clear, level),
                    _ => 0,
                };
                match *event {
                    Event::LevelUp { level: new } => level = new,
                    Event::Rotated { spin, .. } => last_spin = spin,
                    Event::HardDropped { rows: 0 } => {}
                    Event::Moved { .. } | Event::Fell { .. } | Event::SoftDropped { .. } => {
                        last_spin = Spin::None;
                    }
                    Event::HardDropped { .. } | Event::Spawned(_) => last_spin = Spin::None,
                    Event::Held(piece) => {
                        assert_eq!(piece, twin.piece());
                        held = true;
                    }
                    Event::Locked(lock) => {
                        let Placement { at, spin } = lock.placement;
                        assert_eq!(spin, last_spin);
                        let placement = Placement { at: at.canonical(), spin };
                        let turn = Move { hold: std::mem::take(&mut held), placement };
                        assert!(twin.legal_moves().contains(&turn), "{turn} on\n{}", twin.board());
                        assert_eq!(twin.step(turn, &mut twin_rng), Ok(lock.result));
                        locked += 1;
                        lines += u64::from(lock.result.clear.lines);
                        spins += u32::from(spin != Spin::None);
                        held_locks += u32::from(turn.hold);
                    }
                    _ => {}
                }
            }
            assert_eq!((game.game(), game.lines(), game.score()), (&twin, lines, score));
            assert_eq!(game.held(), if held { Some(twin.piece()) } else { twin.held() });
            if let Some(at) = game.falling() {
                assert!(game.board().fits(at));
                assert_eq!(Some(at.piece), if held { twin.piece_after_hold() } else { Some(twin.piece()) });
            }
        }
        ends[match game.end() {
            None => 0,
            Some(End::Finished) => 1,
            Some(End::ToppedOut(TopOut::Block)) => 2,
            Some(End::ToppedOut(_)) => 3,
        }] += 1;
        let text = game.recording().to_string();
        let recording: Recording = text.parse().unwrap();
        assert_eq!(&recording, game.recording());
        assert!(new.replay(&recording) == game, "seed {seed}:\n{text}");
    }
    if testkit::cases(1000) == 1000 {
        assert!(locked > 10_000 && spins > 20 && held_locks > 1000, "{locked} {spins} {held_locks}");
        assert!(ends.iter().all(|&count| count > 3), "{ends:?}");
    }
}

/// Settings with waits of every kind, short enough to be counted tick by tick.
fn slow_rules(rng: &mut Rng) -> (RealTimeRules, Handling) {
    let (rules, handling) = random_rules(rng);
    let long = |rng: &mut Rng| [0, 1, rng.below(400)][rng.below(3) as usize];
    let gravity = match rng.below(4) {
        0 => Gravity::TicksPerRow(long(rng)),
        1 => Gravity::Guideline,
        2 => Gravity::Off,
        _ => Gravity::Instant,
    };
    let ticks_per_second = [60, 1000][rng.below(2) as usize];
    let (lock_delay, entry_delay, line_clear_delay) = (long(rng), long(rng), long(rng));
    let timing =
        Timing { ticks_per_second, gravity, lock_delay, entry_delay, line_clear_delay, ..rules.timing };
    (RealTimeRules { timing, ..rules }, Handling { das: long(rng), arr: long(rng), ..handling })
}

#[test]
fn a_replay_skips_the_ticks_in_which_only_time_passes() {
    let mut rng = Rng::new(23);
    for seed in 0..testkit::cases(400) {
        let (rules, handling) = slow_rules(&mut rng);
        let new = RealTimeGame::new(rules, handling, seed);
        let mut game = new.clone();
        for _ in 0..12 {
            for _ in 0..rng.below(5) {
                let key = Key::ALL[rng.below(7) as usize];
                if rng.below(2) == 0 { game.press(key) } else { game.release(key) }
            }
            ticks(&mut game, rng.below(300));
        }
        assert!(new.replay(game.recording()) == game, "seed {seed}:\n{}", game.recording());
    }
}

#[test]
fn a_replay_of_all_ticks_that_a_recording_can_have_ends() {
    let ends = [
        (0, Gravity::Off, "0 press left\n100 release left\n"),
        (0, Gravity::Off, "5 press right\n"),
        (0, Gravity::TicksPerRow(u32::MAX), ""),
        (u32::MAX, Gravity::TicksPerRow(u32::MAX), "0 press left\n77 press soft-drop\n"),
        (u32::MAX, Gravity::Guideline, "9 press right\n"),
        (u32::MAX, Gravity::Instant, "0 press right\n"),
    ];
    for (delay, gravity, inputs) in ends {
        for (ticks_per_second, das, arr) in [(60, 10, 2), (60, 0, u32::MAX), (u32::MAX, u32::MAX, 0)] {
            let timing = Timing {
                ticks_per_second,
                gravity,
                lock_delay: delay,
                entry_delay: delay,
                ..Timing::GUIDELINE
            };
            let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
            let handling = Handling { das, arr, soft_drop_factor: 1 };
            let recording: Recording = format!("{inputs}{} end", u64::MAX).parse().unwrap();
            let mut game = RealTimeGame::new(rules, handling, 3).replay(&recording);
            if gravity == Gravity::Off {
                assert_eq!((game.end(), game.ticks()), (None, u64::MAX));
            } else {
                assert_eq!(game.end(), Some(End::ToppedOut(TopOut::Block)), "{rules:?}");
            }
            // There is no tick after the last.
            let last = game.clone();
            assert_eq!(tick(&mut game), []);
            assert!(game == last);
        }
    }
}

#[test]
fn recordings_are_refused_with_line_and_column() {
    for (text, line, column, expected) in [
        ("", 1, 1, Expected::End),
        ("0 press cw\n", 2, 1, Expected::End),
        ("x press cw", 1, 1, Expected::Tick),
        ("+1 press cw", 1, 1, Expected::Tick),
        ("\n  7 press cw\n  6 press cw", 3, 3, Expected::Later(7)),
        ("5", 1, 2, Expected::Kind),
        ("5  push cw", 1, 4, Expected::Kind),
        ("5 press", 1, 8, Expected::Key),
        ("5 release  up", 1, 12, Expected::Key),
        ("5 press cw now", 1, 12, Expected::LineEnd),
        ("5 receive -1 2", 1, 11, Expected::Lines),
        ("5 receive 4294967296 2", 1, 11, Expected::Lines),
        ("5 receive 1 10", 1, 13, Expected::Column),
        ("5 receive 1", 1, 12, Expected::Column),
        ("5 end\n\n6 end", 3, 1, Expected::TextEnd),
        ("version", 1, 8, Expected::Version),
        ("version 0", 1, 9, Expected::Version),
        ("\n version 3", 2, 10, Expected::Version),
        ("version +2", 1, 9, Expected::Version),
        ("version 2 3", 1, 11, Expected::LineEnd),
        ("version 2\nversion 2", 2, 1, Expected::Tick),
        ("version 2", 2, 1, Expected::End),
        ("versions 2", 1, 1, Expected::Tick),
    ] {
        let error = Err(ParseRecordingError { line, column, expected });
        assert_eq!(text.parse::<Recording>(), error, "{text:?}");
    }
    let recording: Recording = "3 receive 2 9\n\n 3 press hold \n9 end".parse().unwrap();
    let inputs = [(3, Input::Receive(Attack { lines: 2, column: 9 })), (3, Input::Press(Key::Hold))];
    assert_eq!((recording.inputs(), recording.ticks()), (&inputs[..], 9));
    assert_eq!(recording.to_string(), "3 receive 2 9\n3 press hold\n9 end\n");
}

#[test]
fn durations_are_rounded_to_ticks() {
    let timing = Timing::GUIDELINE;
    assert_eq!([0, 8, 9, 16, 25, 167, 500, 1000].map(|ms| timing.ticks(ms)), [0, 0, 1, 1, 2, 10, 30, 60]);
    assert_eq!(Timing { ticks_per_second: u32::MAX, ..timing }.ticks(u32::MAX), u32::MAX);
    assert_eq!(Timing { ticks_per_second: 0, ..timing }.ticks(2000), 2);
}

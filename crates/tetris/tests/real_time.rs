//! Real-time games: timing in ticks, points and replays. `properties::real_time` covers games under
//! any rules.

use tetris::movegen::{self, SpinMode};
use tetris::real_time::{
    End, Event, Expected, GUIDELINE_GRAVITY, Goal, Gravity, Handling, Input, Key, RealTimeGame,
    RealTimeRules, Recording, Timing, guideline_score,
};
use tetris::{
    Attack, Clear, Error, GameError, Location, Orientation, Piece, Placement, Position, Queue,
    RotationSystem, Rules, Spin, TopOut,
};

const EMPTY: &str = "..........";

/// A game with soft and hard drops only.
const FLOATING: RealTimeRules = timed(Timing { gravity: Gravity::Off, ..Timing::GUIDELINE });

const WAITING: RealTimeRules = timed(Timing { entry_delay: 12, ..FLOATING.timing });

const fn timed(timing: Timing) -> RealTimeRules {
    RealTimeRules { timing, ..RealTimeRules::MARATHON }
}

const fn falling_by(gravity: Gravity) -> RealTimeRules {
    timed(Timing { gravity, ..Timing::GUIDELINE })
}

fn handled(rules: RealTimeRules, handling: Handling, board: &str, queue: &str) -> RealTimeGame {
    let queue: Queue = queue.parse().unwrap();
    let position = Position { board: board.parse().unwrap(), queue: &queue, ..Position::default() };
    RealTimeGame::from_position(rules, handling, position, 5).unwrap()
}

fn with_queue(rules: RealTimeRules, board: &str, queue: &str) -> RealTimeGame {
    handled(rules, Handling::default(), board, queue)
}

/// Runs a script: `left` taps a key, `left*3` taps it three times, `+left` presses it, `-left`
/// releases it, and a number runs that many ticks. Returns the events as text, each tick with its
/// number in the script.
fn run(game: &mut RealTimeGame, script: &str) -> String {
    let first = game.ticks();
    let mut log = Vec::new();
    for word in script.split_whitespace() {
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            let ticks: u32 = word.parse().expect(word);
            for _ in 0..ticks {
                let tick = game.ticks() - first;
                let mut events = Vec::new();
                game.tick(&mut events);
                let texts: Vec<String> = events.iter().map(text).collect();
                log.extend((!texts.is_empty()).then(|| format!("{tick}: {}", texts.join(", "))));
            }
            continue;
        }
        let (name, times) = word.split_once('*').unwrap_or((word, "1"));
        let is_meant = |key: &Key| key.to_string() == name.trim_start_matches(['+', '-']);
        let key = Key::ALL.into_iter().find(is_meant).expect(word);
        for _ in 0..times.parse().expect(word) {
            match name.as_bytes()[0] {
                b'+' => game.press(key),
                b'-' => game.release(key),
                _ => game.tap(key),
            }
        }
    }
    log.join("; ")
}

fn text(event: &Event) -> String {
    let with_spin =
        |text: String, spin| if spin == Spin::None { text } else { format!("{text} {spin}") };
    match *event {
        Event::Spawned(piece) => piece.to_string(),
        Event::Moved { columns } => format!("{columns:+}"),
        Event::Rotated { rotation, spin } => {
            with_spin(format!("{rotation:?}").to_lowercase(), spin)
        }
        Event::Fell { rows } => format!("fell {rows}"),
        Event::SoftDropped { rows } => format!("soft {rows}"),
        Event::HardDropped { rows } => format!("drop {rows}"),
        Event::Held(piece) => format!("hold {piece}"),
        Event::Locked(lock) => {
            let Placement { at, spin } = lock.placement;
            let lock_text = with_spin(format!("lock {at}"), spin);
            if lock.points == 0 { lock_text } else { format!("{lock_text} for {}", lock.points) }
        }
        Event::GarbageRose { rows } => format!("garbage {rows}"),
        Event::LevelUp { level } => format!("level {level}"),
        Event::Finished => String::from("finished"),
        Event::ToppedOut(over) => over.to_string(),
    }
}

#[track_caller]
fn check(
    rules: RealTimeRules,
    board: &str,
    queue: &str,
    script: &str,
    expected: &str,
) -> RealTimeGame {
    let mut game = with_queue(rules, board, queue);
    assert_eq!(run(&mut game, script), expected, "{queue}: {script}");
    game
}

fn lock_tick(log: &str) -> Option<u64> {
    let entry = log.split("; ").find(|entry| entry.contains("lock"))?;
    entry.split(':').next()?.parse().ok()
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
    for (level, per_second) in
        [(1, 60), (4, 60), (7, 60), (10, 60), (12, 60), (7, 1000), (18, 48_000)]
    {
        let timing = Timing { ticks_per_second: per_second, lock_delay: 1000, ..Timing::GUIDELINE };
        let rules = RealTimeRules { start_level: level, ..timed(timing) };
        let mut game = with_queue(rules, EMPTY, "T");
        let seconds_per_row = (0.8 - f64::from(level - 1) * 0.007).powi(level as i32 - 1);
        for count in 1.. {
            run(&mut game, "1");
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
        (10, 2, "0: T, -1; 10: -1; 12: -1"),
        (7, 1, "0: T, -1; 7: -1; 8: -1"),
        (3, 5, "0: T, -1; 3: -1; 8: -1"),
        (8, 0, "0: T, -1; 8: -2"),
        (0, 2, "0: T, -1; 2: -1; 4: -1"),
        (0, 0, "0: T, -1, -2"),
    ] {
        let mut game = handled(FLOATING, Handling { das, arr, ..Handling::default() }, EMPTY, "T");
        assert_eq!(run(&mut game, "+left 40"), expected, "DAS {das}, ARR {arr}");
        run(&mut game, "-left +right 60");
        assert_eq!(game.falling().map(|at| at.x), Some(8), "DAS {das}, ARR {arr}");
    }
}

#[test]
fn the_key_pressed_last_moves() {
    // Right has been down for 12 ticks when left is released: its repeats continue in rhythm.
    // Pressing a key that is down changes nothing, nor does releasing one that is up. A tap ends a
    // press.
    let script = "+right 4 +left 8 -left 5 -right 30 -right +left +left 12 left 30";
    let expected = "0: O, +1; 4: -1; 12: +1; 14: +1; 16: +1; 47: -1; 57: -1; 59: -1";
    let game = check(FLOATING, EMPTY, "O", script, expected);
    assert_eq!(game.recording().inputs().len(), 8);
}

#[test]
fn spawns_wait() {
    // Left has been down for 11 ticks when the piece spawns.
    let charged = "0: O, drop 19, lock O north 4 0; 12: O; 13: -1";
    check(WAITING, EMPTY, "OO", "hard-drop 1 +left 13", charged);
    let timing = Timing { entry_delay: 3, line_clear_delay: 20, ..FLOATING.timing };
    let script = "right*3 hard-drop 24 hard-drop 4";
    let expected = "0: I, +1, +1, +1, drop 19, lock I north 7 0 for 900; 23: O; 24: drop 19, lock O north 4 0; 27: T";
    check(timed(timing), "######....", "IO", script, expected);
}

#[test]
fn a_piece_on_the_stack_locks_after_its_delay() {
    // The piece lands in tick 18.
    for lock_delay in [0, 1, 30] {
        let timing = Timing { lock_delay, gravity: Gravity::TicksPerRow(1), ..Timing::GUIDELINE };
        let log = run(&mut with_queue(timed(timing), EMPTY, "TO"), "60");
        assert_eq!(lock_tick(&log), Some(18 + u64::from(lock_delay)));
    }
}

#[test]
fn moves_start_the_lock_delay_again_fifteen_times() {
    for (lock_resets, lock_delay) in [(15, 30), (0, 30), (3, 20)] {
        let timing =
            Timing { lock_resets, lock_delay, gravity: Gravity::Instant, ..Timing::GUIDELINE };
        // A player moves the piece back and forth in this rhythm.
        for pause in [1, 10, 19, 31] {
            let moved = format!("{0} right 1 {0} left 1 ", pause - 1);
            let log = run(
                &mut with_queue(timed(timing), EMPTY, "TO"),
                &format!("1 {}", moved.repeat(16)),
            );
            // The last of these moves locks the piece, because it is on the stack; or the lock
            // comes before the first move.
            let moves_it = lock_resets > 0 && pause < lock_delay;
            let expected = if moves_it { pause * lock_resets } else { lock_delay };
            assert_eq!(lock_tick(&log), Some(expected.into()), "{lock_resets} {pause}");
        }
    }
}

#[test]
fn a_new_lowest_row_starts_all_delays_again() {
    let timing =
        Timing { gravity: Gravity::Instant, lock_resets: 3, lock_delay: 30, ..Timing::GUIDELINE };
    let mut game = with_queue(timed(timing), "#####.....\n#####.....", "OT");
    for (script, expected, rested) in [
        // The piece is on the edge, one column over the step.
        ("20 left 20 right 20", "0: O, fell 17; 20: -1; 40: +1", 20),
        ("right 1", "0: +1, fell 2", 1),
        // Again three resets, but not a fourth.
        ("9 right 1 9 left 1", "9: +1; 19: -1", 1),
        ("9 right 1", "9: +1, lock O north 6 0, T, fell 17", 0),
    ] {
        assert_eq!(run(&mut game, script).as_str(), expected, "{script}");
        assert_eq!(game.rested(), rested, "{script}");
    }
}

#[test]
fn after_the_last_reset_a_piece_locks_when_it_touches_the_stack() {
    let mut game = with_queue(falling_by(Gravity::TicksPerRow(4)), EMPTY, "TO");
    run(&mut game, "soft-drop*19 1");
    assert_eq!(game.falling().unwrap().y, 0);
    assert_eq!(game.rested(), 1);
    // The floor kicks the piece to its side; turned back, it is one row above the floor, and falls.
    let turns = ["cw", "ccw", "ccw", "cw"].into_iter().cycle().take(14);
    for key in std::iter::once("left").chain(turns) {
        assert_eq!(lock_tick(&run(&mut game, "9")), None);
        assert!(game.rested() > 0);
        assert_eq!(lock_tick(&run(&mut game, &format!("{key} 1"))), None);
    }
    // That was the fifteenth reset. The piece can still move in the air.
    assert_eq!(game.falling().unwrap().y, 1);
    assert_eq!(run(&mut game, "right 4"), "0: +1; 2: fell 1, lock T north 3 0, O");
}

#[test]
fn a_piece_that_is_turned_on_the_floor_does_not_live_on() {
    // The keys of `play tetris --seed 17`: down to the floor, then both rotations every fifth of a
    // second.
    let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 17);
    let log = run(&mut game, &format!("soft-drop*20 1 {}", "cw ccw 12 ".repeat(20)));
    // Eight times two rotations, and a fall by one row.
    assert!(lock_tick(&log).is_some_and(|tick| tick <= 8 * 12 + 60), "{log}");
}

#[test]
fn keys_of_a_wait_act_at_the_spawn() {
    let line_clear = timed(Timing { line_clear_delay: 12, ..FLOATING.timing });
    for (rules, (keys, expected)) in [WAITING, line_clear].into_iter().flat_map(|rules| {
        [
            ("", "T"),
            ("cw", "T, cw"),
            ("ccw", "T, ccw"),
            // One rotation, the last one pressed.
            ("cw cw", "T, cw"),
            ("cw ccw", "T, ccw"),
            ("hold", "T, hold T, J"),
            // Once, and before the rotation, in any order.
            ("hold cw hold", "T, hold T, J, cw"),
            ("ccw hold", "T, hold T, J, ccw"),
            // Other keys do nothing without a piece.
            ("hard-drop soft-drop left right", "T"),
        ]
        .map(|case| (rules, case))
    }) {
        let is_initial = |key: &&str| ["cw", "ccw", "hold"].contains(key);
        let pressed = keys
            .split(' ')
            .filter(is_initial)
            .map(|key| format!("-{key} +{key} "))
            .collect::<String>();
        let unused = keys.split(' ').filter(|key| !is_initial(key)).collect::<Vec<_>>().join(" ");
        for keys in [keys, &(pressed + &unused)] {
            let mut game = with_queue(rules, "#####....#", "ITJ");
            run(&mut game, "right*2 hard-drop 2");
            assert_eq!(game.falling(), None);
            // Each press acts once.
            assert_eq!(run(&mut game, &format!("{keys} 31")), format!("10: {expected}"), "{keys}");
            let next = run(
                &mut game,
                &format!("-cw -ccw -hold hard-drop {}", 1 + rules.timing.entry_delay),
            );
            assert!(
                next.rsplit(' ').next().is_some_and(|last| last.parse::<Piece>().is_ok()),
                "{next}"
            );
        }
    }
}

#[test]
fn pieces_stand_by_the_keys_of_the_wait() {
    let tower = &"#########.\n".repeat(18);
    for (rules, board, queue, script, expected) in [
        // Keys that have been down since before the wait. Both rotations together cancel out.
        (WAITING, EMPTY, "ITJ", "+cw 1 hard-drop 13", "T east"),
        (WAITING, EMPTY, "ITJ", "+ccw 1 hard-drop 13", "T west"),
        (WAITING, EMPTY, "ITJ", "+cw +ccw 1 hard-drop 13", "T north"),
        // Holding the I brought the T; locking that brought the J.
        (WAITING, EMPTY, "ITJ", "+cw +hold 1 hard-drop 13", "I east"),
        // A release during the wait ends it.
        (WAITING, EMPTY, "ITJ", "+cw 1 hard-drop 2 -cw 11", "T north"),
        (WAITING, EMPTY, "ITJ", "+ccw 1 hard-drop 2 -ccw 11", "T north"),
        (WAITING, EMPTY, "ITJ", "+cw +ccw 1 hard-drop 2 -cw -ccw 11", "T north"),
        (WAITING, EMPTY, "ITJ", "+cw +hold 1 hard-drop 2 -cw -hold 11", "J north"),
        // Without a wait, the key has already acted.
        (FLOATING, EMPTY, "ITJ", "+cw hard-drop 1", "T north"),
        // In the tick of the spawn, keys act on the piece in order.
        (WAITING, EMPTY, "ITJ", "hard-drop 12 cw cw left 1", "T south 3"),
        // In the second spawn row, with the O below: kicks move the T left, and the L left and up.
        (WAITING, tower, "OTL", "hard-drop 2 cw 11", "T east 3 20"),
        (WAITING, tower, "OTL", "hard-drop 2 hold cw 11", "L east 3 21"),
    ] {
        let mut game = with_queue(rules, board, queue);
        run(&mut game, script);
        let at = game.falling().expect("a piece in play").to_string();
        assert!(at.starts_with(expected), "{script}: {at}");
    }
}

#[test]
fn what_has_no_room_at_the_spawn_is_left_out() {
    // The I clears row 19, its spawn row. Above it is a cave that only fits a T; the clear lowers
    // it to the first spawn row or to the second.
    for lift in [0, 1] {
        let mut rows = vec![".#########"; 26];
        rows[19] = "###....###";
        rows[20 + lift] = ".##...####";
        rows[21 + lift] = ".###.#####";
        rows.reverse();
        let mut game = with_queue(WAITING, &rows.join("\n"), "ITJ");
        run(&mut game, "hard-drop 2");
        assert_eq!(game.lines(), 1);
        assert_eq!(run(&mut game, "cw hold 11"), "10: T");
        assert_eq!(
            game.falling(),
            Some(Location { y: 19 + lift as i8, ..Location::spawn(Piece::T) })
        );
        assert!(!game.can_hold());
    }
}

#[test]
fn recordings_of_version_1_replay_as_they_were_played() {
    // Recorded before there were versions, with the state at the end.
    let wait = [
        "0 press right\n0 release right\n".repeat(3).as_str(),
        "0 press hard-drop\n0 release hard-drop\n4 press hold\n4 release hold\n4 press cw\n4 release cw\n",
        "24 press hard-drop\n24 release hard-drop\n26 end\n",
    ]
    .concat();
    let moved = (1..=17).zip(["left", "right"].into_iter().cycle());
    let moved =
        moved.map(|(i, key)| format!("{i}0 press {key}\n{i}0 release {key}\n")).collect::<String>();
    let resets = format!("{moved}175 end\n");
    let spawn = String::from("0 press hard-drop\n0 release hard-drop\n1 end\n");
    let flashing = timed(Timing { line_clear_delay: 12, ..FLOATING.timing });
    let tower = "#########.\n".repeat(18);
    let block = Some(End::ToppedOut(TopOut::Block));
    let t = "....#.....\n...###....";
    let o = &format!("....##....\n....##....\n{tower}");
    for (text, rules, board, queue, state, expected) in [
        (wait, flashing, "######....", "ITJ", (None, 976, 1, 2), t),
        (resets, falling_by(Gravity::Instant), EMPTY, "TO", (None, 0, 0, 0), EMPTY),
        (spawn, FLOATING, &tower, "OTI", (block, 2, 0, 1), o),
    ] {
        let recording: Recording = text.parse().unwrap();
        assert_eq!(recording.version(), 1);
        assert_eq!(recording.to_string(), text.clone());
        let game = with_queue(rules, board, queue).replay(&recording);
        assert_eq!((game.end(), game.score(), game.lines(), game.game().pieces()), state);
        assert_eq!(game.ticks(), recording.ticks());
        assert_eq!(*game.board(), expected.parse().unwrap());
        // The game continues under the same rules, and its recording states the version.
        assert!(game.recording() == &recording && !game.rules().game.second_spawn_row);
        // The rules of new games lead to a different end.
        let newer: Recording = format!("version 2\n{text}").parse().unwrap();
        let other = with_queue(rules, board, queue).replay(&newer);
        assert_ne!(
            (other.end(), other.game().pieces(), other.board()),
            (game.end(), game.game().pieces(), game.board())
        );
        assert_eq!(other.recording().version(), 2);
    }
}

#[test]
fn recordings_of_version_2_replay_as_they_were_played() {
    let at_once = Handling { soft_drop_factor: u32::MAX, ..Handling::default() };
    let tap = "1 press soft-drop\n1 release soft-drop\n2 end\n";
    let press = "1 press soft-drop\n1 press right\n2 end\n";
    for (keys, handling, at, newer_at) in [
        (tap, at_once, (4, 18), (4, 2)),
        (tap, Handling::default(), (4, 18), (4, 18)),
        // From the edge, the piece falls into the gap only in the next tick.
        (press, at_once, (5, 0), (5, 0)),
    ] {
        let place = |version| {
            let recording: Recording = format!("version {version}\n{keys}").parse().unwrap();
            let new = handled(FLOATING, handling, "#####.....\n#####.....", "O");
            let game = new.replay(&recording);
            assert_eq!(game.recording(), &recording);
            game.falling().map(|at| (at.x, at.y))
        };
        assert_eq!([place(2), place(3)], [Some(at), Some(newer_at)], "{keys}");
    }
    // In short ticks, level 20 was no 20G.
    let timing = Timing { ticks_per_second: 1000, ..Timing::GUIDELINE };
    let rules = RealTimeRules { start_level: 20, ..timed(timing) };
    for (version, y) in [(2, 17), (3, 0)] {
        let recording: Recording = format!("version {version}\n1 end\n").parse().unwrap();
        let game = with_queue(rules, EMPTY, "T").replay(&recording);
        assert_eq!(game.falling().map(|at| at.y), Some(y), "{version}");
    }
}

#[test]
fn at_20g_pieces_are_on_the_stack_at_once() {
    let level = |start_level| RealTimeRules { start_level, ..RealTimeRules::MARATHON };
    // The I lies on the peak and falls off it in the middle of a shift.
    let board = "....#.....\n....#.....";
    let game = check(
        level(20),
        board,
        "IOT",
        "1 +right 30",
        "0: I, fell 17; 1: +1; 11: +1, fell 2; 13: +1",
    );
    assert_eq!(game.score(), 0);
    // Level 18 drops 11 rows per tick, which isn't 20G.
    check(level(18), EMPTY, "T", "1", "0: T, fell 11");
    // The same in shorter ticks, which a fall at that speed would last for.
    let finer = |start_level| {
        let timing = Timing { ticks_per_second: 1000, ..Timing::GUIDELINE };
        RealTimeRules { start_level, ..timed(timing) }
    };
    for level in [19, 20] {
        let expected = "0: I, fell 17; 1: +1; 11: +1, fell 2; 13: +1";
        check(finer(level), board, "IOT", "1 +right 30", expected);
    }
    check(finer(18), EMPTY, "T", "2", "0: T; 1: fell 1");
    // Initial actions come before the fall.
    let timing = Timing { gravity: Gravity::Instant, ..WAITING.timing };
    let mut game = with_queue(timed(timing), EMPTY, "ITJ");
    run(&mut game, "hard-drop 2");
    assert_eq!(run(&mut game, "hold cw 11"), "10: T, hold T, J, cw, fell 17");
}

#[test]
fn soft_drops_are_faster_by_their_factor() {
    // One row on the press, then 20 rows per second: one every three ticks. The same without
    // gravity.
    for rules in [RealTimeRules::MARATHON, FLOATING] {
        let expected = "0: T, soft 1; 2: soft 1; 5: soft 1; 8: soft 1";
        let game = check(rules, EMPTY, "T", "+soft-drop 9 -soft-drop 30", expected);
        assert_eq!(game.score(), 4);
        assert_eq!(game.falling().unwrap().y, 15);
    }
    let at_once = Handling { soft_drop_factor: u32::MAX, ..Handling::default() };
    let mut game = handled(FLOATING, at_once, EMPTY, "T");
    run(&mut game, "+soft-drop 1");
    assert_eq!(game.score(), 19);
    assert_eq!(game.falling(), game.ghost());
    assert_eq!(game.rested(), 1);
    assert_eq!(lock_tick(&run(&mut game, "-soft-drop 30")), Some(29));
    // A tap is one row, or the whole fall, before the next key of the same tick.
    let board = "######....\n######....";
    for (handling, expected) in [(Handling::default(), "soft 1"), (at_once, "soft 17")] {
        let mut game = handled(FLOATING, handling, board, "O");
        run(&mut game, "1");
        assert_eq!(run(&mut game, "soft-drop right 1"), format!("0: {expected}, +1"));
    }
    // A release leaves a fraction of a row. Without gravity, it never becomes a whole one.
    for count in 1..9 {
        let mut game = with_queue(FLOATING, EMPTY, "T");
        run(&mut game, &format!("+soft-drop {count} -soft-drop"));
        assert_eq!(run(&mut game, "30"), "", "{count} ticks");
    }
}

#[test]
fn a_t_spin_double_by_keys_scores_as_the_guideline_says() {
    let board = "##........\n#...######\n##.#######\n#.########";
    let mut game = with_queue(FLOATING, board, "TI");
    let at = Location { piece: Piece::T, orientation: Orientation::South, x: 2, y: 2 };
    let keys =
        movegen::path(game.board(), Placement { at, spin: Spin::Full }, SpinMode::TSpins).unwrap();
    let script: String = keys.iter().map(|key| format!("{key} 1 ")).collect();
    let log = run(&mut game, &script);
    assert!(log.ends_with("lock T south 2 2 full for 1200, I"), "{log}");
    assert_eq!(game.score(), 1200 + 17);
    assert_eq!(game.lines(), 2);
    assert_eq!(game.game().back_to_back(), 1);
    assert_eq!(game.board().to_string(), "##........\n#.########");
}

#[test]
fn spins_are_kept_by_refused_movements_and_lost_by_falls() {
    let board = "##........\n#...######\n##.#######";
    for last in ["", "left", "soft-drop"] {
        let mut game = with_queue(FLOATING, board, "TI");
        let log = run(&mut game, &format!("cw left*2 soft-drop*18 cw 1 {last} hard-drop 1"));
        assert!(log.ends_with("cw full; 1: drop 0, lock T south 2 1 full for 1200, I"), "{log}");
    }
    // A T pointing down slides under the cell and is kicked to the wall: two of its corners are in
    // the wall, one is the cell.
    let board = [".#........", EMPTY, EMPTY, EMPTY, EMPTY].join("\n");
    for (gravity, then) in [(Gravity::Off, "soft-drop*2 60"), (Gravity::TicksPerRow(60), "200")] {
        let mut game = with_queue(falling_by(gravity), &board, "TI");
        let log = run(&mut game, "cw*2 soft-drop*16 left*3 ccw 1");
        assert!(log.ends_with("ccw mini"), "{log}");
        let log = run(&mut game, then);
        assert!(log.contains("lock T east 0 1, I"), "{log}");
    }
}

#[test]
fn gravity_starts_anew_off_an_edge() {
    let board = ["#####....."; 17].join("\n");
    // The piece falls two rows to the edge, and waits.
    let expected = "0: O; 9: fell 1; 19: fell 1; 24: +1; 33: fell 1";
    check(falling_by(Gravity::TicksPerRow(10)), &board, "O", "24 right 10", expected);
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
    // The points of the largest combo fit at a level of a million, and saturate at the largest
    // level.
    let combo = Clear { combo: u32::MAX, ..clear(1, Spin::None) };
    let points = 100 + 50 * (u64::from(u32::MAX) - 1);
    assert_eq!(guideline_score(combo, 1_000_000), points * 1_000_000);
    assert_eq!(guideline_score(combo, u32::MAX), u64::MAX);
}

#[test]
fn hold_works_once_per_lock() {
    let script = "1 soft-drop hold 1 hold 1 hard-drop 1 hold 1";
    let expected = "0: T; 1: soft 1, hold T, I; 3: drop 19, lock I north 4 0, O; 4: hold O, T";
    check(FLOATING, EMPTY, "TIOSZJ", script, expected);
    let no_hold =
        RealTimeRules { game: Rules { hold: false, next: 0, ..Rules::GUIDELINE }, ..FLOATING };
    check(no_hold, EMPTY, "T", "hold 1", "0: T");
    // The O fits at its spawn. The I does not: there is a cell in column 3.
    let rows = [vec!["...#......"; 2], vec!["#########."; 19]].concat().join("\n");
    let game = check(FLOATING, &rows, "OI", "hold 1", "0: O");
    assert!(!game.can_hold() && game.held().is_none());
}

#[test]
fn levels_rise_each_ten_lines_and_goals_end_the_game() {
    let goal = |lines| RealTimeRules { goal: Goal::Lines(lines), lines_per_level: 0, ..FLOATING };
    for (rules, level, end) in [
        (FLOATING, 2, None),
        (RealTimeRules { start_level: 5, ..FLOATING }, 6, None),
        (goal(9), 1, Some(End::Finished)),
        (goal(13), 1, None),
    ] {
        // Three times I, four lines each: 800 points; 1200 for back-to-back plus 50 for the combo;
        // then 1200 plus 100 for the combo plus 3200 for the perfect clear.
        let mut game = with_queue(rules, &["#########."; 12].join("\n"), "IIIIII");
        let log = run(&mut game, &"cw right*5 hard-drop 1 ".repeat(3));
        assert_eq!(game.lines(), 12);
        assert_eq!(game.level(), level);
        assert_eq!(game.end(), end);
        let has = |event: &str| log.contains(event);
        assert_eq!(has(&format!("level {level}")), rules.lines_per_level > 0, "{log}");
        assert_eq!(has("finished"), end.is_some(), "{log}");
        let start = u64::from(rules.start_level);
        let points = [800 * start, 1250 * start, 4500 * start];
        assert!(points.iter().all(|points| has(&format!("for {points}"))), "{log}");
        let drops = 2 * (17 + 17 + 17);
        assert_eq!(game.score(), points.iter().sum::<u64>() + drops);
    }
}

#[test]
fn games_top_out() {
    // Ten O pieces in the middle fill the 20 rows: the next one is blocked.
    let mut game = with_queue(FLOATING, EMPTY, "OOOOOO");
    let log = run(&mut game, &"hard-drop 1 ".repeat(20));
    assert!(log.ends_with(", block out") && game.falling().is_none(), "{log}");
    assert_eq!(game.end(), game.game().top_out().map(End::ToppedOut));
    let ended = game.clone();
    let error = GameError::Over(TopOut::Block);
    assert_eq!(game.receive(Attack { lines: 1, column: 0 }), Err(error));
    assert!(run(&mut game, "hard-drop +left 1").is_empty() && game == ended);

    // The game ends in the tick of the lock, without the delays.
    let mut game = with_queue(WAITING, &["####......"; 19].join("\n"), "OO");
    assert!(run(&mut game, "left hard-drop 1").ends_with(", block out"));
    // The spawn is blocked before the first tick.
    check(FLOATING, &["####......"; 21].join("\n"), "I", "1", "0: block out");
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
        ("\n version 4", 2, 10, Expected::Version),
        ("version +2", 1, 9, Expected::Version),
        ("version 2 3", 1, 11, Expected::LineEnd),
        ("version 2\nversion 2", 2, 1, Expected::Tick),
        ("version 2", 2, 1, Expected::End),
        ("versions 2", 1, 1, Expected::Tick),
    ] {
        let error = Err(Error::Recording { line, column, expected });
        assert_eq!(text.parse::<Recording>(), error, "{text:?}");
    }
    let recording: Recording = "3 receive 2 9\n\n 3 press hold \n9 end".parse().unwrap();
    let inputs =
        [(3, Input::Receive(Attack { lines: 2, column: 9 })), (3, Input::Press(Key::Hold))];
    assert_eq!(recording.inputs(), &inputs[..]);
    assert_eq!(recording.ticks(), 9);
    assert_eq!(recording.to_string(), "3 receive 2 9\n3 press hold\n9 end\n");
}

#[test]
fn durations_are_rounded_to_ticks() {
    let timing = Timing::GUIDELINE;
    assert_eq!([0, 9, 16, 25, 167, 500, 1000].map(|ms| timing.ticks(ms)), [0, 1, 1, 2, 10, 30, 60]);
    // A short time isn't none.
    assert_eq!([1, 5, 8].map(|ms| timing.ticks(ms)), [1; 3]);
    assert_eq!(Timing { ticks_per_second: u32::MAX, ..timing }.ticks(u32::MAX), u32::MAX);
    assert_eq!(Timing { ticks_per_second: 0, ..timing }.ticks(2000), 2);
    assert_eq!(Timing { ticks_per_second: 0, ..timing }.ticks(1), 1);
}

#[test]
fn the_key_for_half_turns_needs_a_system_that_has_them() {
    // On the floor a T is kicked up.
    let drop = "soft-drop*19 +180 1";
    let mut game = with_queue(FLOATING, EMPTY, "T");
    assert!(!run(&mut game, drop).contains("half"));
    let plus = Rules { rotation_system: RotationSystem::SrsPlus, ..Rules::GUIDELINE };
    let rules = RealTimeRules { game: plus, ..FLOATING };
    let mut game = with_queue(rules, EMPTY, "T");
    run(&mut game, drop);
    let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
    assert_eq!(game.falling(), Some(at));
    let text = game.recording().to_string();
    assert!(text.contains("0 press 180\n"), "{text}");
    let replayed = with_queue(rules, EMPTY, "T").replay(&text.parse().unwrap());
    assert_eq!(replayed, game);
    // Pressed during a wait, it turns the next piece at its spawn, unless there are no half turns.
    for (rotation_system, turned) in
        [(RotationSystem::Srs, Orientation::East), (RotationSystem::SrsX, Orientation::South)]
    {
        let rules = Rules { rotation_system, ..Rules::GUIDELINE };
        let mut game = with_queue(RealTimeRules { game: rules, ..WAITING }, EMPTY, "OT");
        run(&mut game, "hard-drop 2 cw +180 20");
        assert_eq!(game.falling().map(|at| at.orientation), Some(turned), "{rotation_system:?}");
    }
}

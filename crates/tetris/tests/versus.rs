//! Two games in real time: countdown, pause, garbage and results. `properties::versus` covers any
//! rules.

use crate::properties;
use tetris::real_time::{
    Event, Goal, Gravity, Handling, Key, RealTimeRules, RealTimeVersus, Timing, VersusResult,
    VersusRules,
};
use tetris::{Attack, AttackTable, Messiness, Rules};

/// Two lines for each lock without a clear; pieces fall only by drops.
const TWO_LINES: Rules = Rules {
    attack: AttackTable { plain: [2, 2, 2, 2, 2], ..AttackTable::GUIDELINE },
    ..Rules::GUIDELINE
};

fn rules(game: Rules) -> VersusRules {
    let timing = Timing { gravity: Gravity::Off, ..Timing::GUIDELINE };
    let side = RealTimeRules { game, timing, ..RealTimeRules::MARATHON };
    VersusRules { sides: [side; 2], countdown: 0, ..VersusRules::GUIDELINE }
}

fn new(rules: VersusRules) -> RealTimeVersus {
    RealTimeVersus::new(rules, [Handling::default(); 2], 5)
}

fn run(versus: &mut RealTimeVersus, ticks: u32) -> [Vec<Event>; 2] {
    let mut events = [Vec::new(), Vec::new()];
    for _ in 0..ticks {
        versus.tick(&mut events);
    }
    events
}

fn drop_on(versus: &mut RealTimeVersus, sides: &[usize]) -> [Vec<Event>; 2] {
    for &side in sides {
        versus.tap(side, Key::HardDrop);
    }
    run(versus, 1)
}

fn rose(events: &[Event]) -> u32 {
    let rows = |event: &Event| if let Event::GarbageRose { rows } = *event { rows } else { 0 };
    events.iter().map(rows).sum()
}

#[test]
fn keys_that_are_down_act_after_the_countdown() {
    let mut versus = new(VersusRules { countdown: 3, ..rules(Rules::GUIDELINE) });
    // A tap is no key that is down. The hold comes first.
    versus.tap(0, Key::Left);
    versus.press(0, Key::HardDrop);
    versus.press(0, Key::Cw);
    versus.press(0, Key::Hold);
    versus.press(1, Key::Right);
    versus.release(1, Key::Right);
    assert_eq!(run(&mut versus, 3), [vec![], vec![]]);
    assert_eq!(versus.countdown(), 0);
    let [first, second] = run(&mut versus, 1);
    let [Event::Spawned(a), Event::Held(b), Event::Spawned(_), Event::Rotated { .. }] = first[..]
    else {
        panic!("{first:?}");
    };
    assert_eq!(a, b);
    assert_eq!(second, [Event::Spawned(a)]);
}

#[test]
fn a_pause_releases_all_keys_and_ends_with_a_countdown() {
    let mut versus = new(VersusRules { countdown: 2, ..rules(Rules::GUIDELINE) });
    run(&mut versus, 3);
    versus.press(0, Key::Left);
    run(&mut versus, 1);
    versus.pause();
    assert!(versus.is_paused());
    versus.press(1, Key::Cw);
    assert_eq!(run(&mut versus, 50), [vec![], vec![]]);
    assert_eq!(versus.sides()[0].ticks(), 2);
    versus.resume();
    assert_eq!(versus.countdown(), 2);
    versus.resume();
    let [first, second] = run(&mut versus, 30);
    assert_eq!(first, []);
    assert!(matches!(second[..], [Event::Rotated { .. }]), "{second:?}");
    // A pause in the countdown starts it again.
    versus.pause();
    versus.resume();
    run(&mut versus, 1);
    versus.pause();
    versus.resume();
    assert_eq!(versus.countdown(), 2);
}

#[test]
fn garbage_travels_and_is_cancelled_on_its_way() {
    let delayed = Rules { garbage_delay: 10, ..TWO_LINES };
    let mut versus = new(rules(delayed));
    drop_on(&mut versus, &[0]);
    let pending = |versus: &RealTimeVersus| versus.sides()[1].game().garbage().lines();
    assert_eq!(pending(&versus), 2);
    // The answer cancels it after one tick.
    let [_, events] = drop_on(&mut versus, &[1]);
    assert_eq!(rose(&events), 0);
    assert_eq!(pending(&versus), 0);
    assert_eq!(versus.sides()[0].game().garbage().lines(), 0);
    // Without cancellation it enters after ten ticks, not before.
    for (wait, rows) in [(9, 0), (10, 2)] {
        let mut versus = new(rules(Rules { cancel: false, ..delayed }));
        drop_on(&mut versus, &[0]);
        run(&mut versus, wait);
        let [_, events] = drop_on(&mut versus, &[1]);
        assert_eq!(rose(&events), rows, "{wait}");
        assert_eq!(pending(&versus), 2 - rows);
    }
    // The cap.
    let mut versus = new(rules(Rules { cancel: false, garbage_cap: 3, ..TWO_LINES }));
    drop_on(&mut versus, &[0]);
    drop_on(&mut versus, &[0]);
    let [_, events] = drop_on(&mut versus, &[1]);
    assert_eq!(rose(&events), 3);
    assert_eq!(pending(&versus), 1);
}

#[test]
fn attacks_of_one_tick_pass_each_other() {
    let mut versus = new(rules(TWO_LINES));
    drop_on(&mut versus, &[0, 1]);
    for game in versus.sides() {
        assert_eq!(game.game().garbage().lines(), 2);
    }
    // Each side's holes have their own column.
    let clean = Messiness { between: 0, ..Messiness::PER_ATTACK };
    let mut versus = new(VersusRules { messiness: clean, ..rules(TWO_LINES) });
    drop_on(&mut versus, &[0]);
    drop_on(&mut versus, &[0]);
    let columns: Vec<Attack> = versus.sides()[1].game().garbage().iter().collect();
    assert_eq!(columns[0], columns[1]);
}

#[test]
fn results() {
    // Both do the same.
    let mut versus = new(rules(Rules::GUIDELINE));
    while versus.result().is_none() {
        drop_on(&mut versus, &[0, 1]);
    }
    assert_eq!(versus.result(), Some(VersusResult::Draw));
    let mut versus = new(rules(Rules::GUIDELINE));
    while versus.result().is_none() {
        drop_on(&mut versus, &[0]);
    }
    assert_eq!(versus.result(), Some(VersusResult::Wins(1)));
    // Nothing happens after the end.
    let over = versus.clone();
    versus.pause();
    versus.resume();
    assert_eq!(drop_on(&mut versus, &[0, 1]), [vec![], vec![]]);
    versus.release(1, Key::HardDrop);
    assert!(!versus.is_paused());
    assert_eq!(versus.sides()[0], over.sides()[0]);
    // A race: the first lock reaches the goal.
    let mut race = rules(Rules::GUIDELINE);
    race.sides[1].goal = Goal::Lines(0);
    for (sides, expected) in [
        (&[0][..], None),
        (&[1], Some(VersusResult::Wins(1))),
        (&[0, 1], Some(VersusResult::Wins(1))),
    ] {
        let mut versus = new(race);
        drop_on(&mut versus, sides);
        assert_eq!(versus.result(), expected, "{sides:?}");
    }
    race.sides[0].goal = Goal::Lines(0);
    let mut versus = new(race);
    drop_on(&mut versus, &[0, 1]);
    assert_eq!(versus.result(), Some(VersusResult::Draw));
}

#[test]
fn presets() {
    assert_eq!(VersusRules::default(), VersusRules::GUIDELINE);
    assert_eq!(VersusRules::GUIDELINE.countdown, 180);
    assert_eq!(VersusRules::GUIDELINE.messiness, Messiness::default());
    let tetrio = VersusRules::TETRIO_SEASON_2.sides[1];
    assert_eq!(tetrio.game.attack, AttackTable::TETRIO_SEASON_2);
    assert_eq!(tetrio.game.garbage_cap, 8);
    // 20 sixtieths of a second, and a fiftieth of a row per sixtieth.
    assert_eq!(tetrio.game.garbage_delay, 20);
    assert_eq!(tetrio.timing.gravity, Gravity::TicksPerRow(50));
    let jstris = VersusRules::JSTRIS.sides[0];
    assert_eq!(jstris.game.attack, AttackTable::JSTRIS);
    assert_eq!(jstris.game.garbage_delay, jstris.timing.ticks(500));
}

/// The programs of the property exchange garbage.
#[test]
fn programs_send_garbage() {
    let mut received = 0;
    testkit::seeds(40, |seed| {
        let mut rng = bitcore::Rng::new(seed);
        let bytes: Vec<u8> = (0..400).map(|_| rng.next_u64() as u8).collect();
        received += properties::versus::play(&testkit::Input::new(&bytes), |versus| versus);
    });
    assert!(received > 40, "{received}");
}

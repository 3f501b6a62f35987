//! [`recording()`]: recordings as text. Accepted text is written, read again, and replayed under several
//! rules.

use testkit::Input;
use tetris::Error;
use tetris::real_time::{
    Gravity, Handling, Input as Event, RealTimeGame, RealTimeRules, Recording, Timing,
};

/// The maximum number of ticks to also replay one by one.
const MAX_TICKS: u64 = 3000;

/// The first two bytes choose rules and handling; the rest is read as a recording.
pub(crate) fn recording(data: &[u8]) {
    let input = Input::new(data);
    let gravities = [Gravity::Guideline, Gravity::Off, Gravity::Instant, Gravity::TicksPerRow(7)];
    let gravity = *input.pick(&gravities);
    let delay = *input.pick(&[0, 1, 30, u32::MAX]);
    let text = input.text();
    let recording: Recording = match text.parse() {
        Ok(recording) => recording,
        Err(error) => {
            assert!(error.to_string().starts_with("line "), "{error}");
            let Error::Recording { line, column, .. } = error else { panic!("{error}") };
            let columns = text.lines().nth(line - 1).map_or(0, |line| line.chars().count());
            assert!(line <= text.lines().count() + 1, "{error} in {text:?}");
            return assert!((1..=columns + 1).contains(&column), "{error} in {text:?}");
        }
    };
    assert_eq!(recording.to_string().parse().as_ref(), Ok(&recording));
    let ticks = recording.inputs().iter().map(|&(tick, _)| tick).chain([recording.ticks()]);
    assert!(ticks.is_sorted());

    let timing =
        Timing { gravity, lock_delay: delay.min(30), entry_delay: delay, ..Timing::GUIDELINE };
    let rules = [RealTimeRules::MARATHON, RealTimeRules { timing, ..RealTimeRules::SPRINT }];
    let handlings = [
        Handling::default(),
        Handling { das: delay, arr: delay / 2, soft_drop_factor: u32::MAX, ..Handling::default() },
    ];
    for (rules, handling) in rules.into_iter().zip(handlings) {
        let new = RealTimeGame::new(rules, handling, 3);
        let game = new.clone().replay(&recording);
        assert!(game.ticks() <= recording.ticks());
        assert!(game.end().is_some() || game.ticks() == recording.ticks());
        // The game only recorded events with an effect: no repeats of a held key, and nothing after
        // the end.
        let recorded = game.recording();
        let mut all = recording.inputs().iter();
        assert!(recorded.inputs().iter().all(|input| all.any(|other| other == input)));
        assert_eq!(new.clone().replay(recorded), game);
        if recording.ticks() <= MAX_TICKS {
            // The recording's version determines the rules from the start.
            let nothing = format!("version {}\n0 end", recording.version());
            let begun = new.replay(&nothing.parse().expect("a recording"));
            assert_eq!(one_by_one(begun, &recording), game);
        }
    }
}

fn one_by_one(mut game: RealTimeGame, recording: &Recording) -> RealTimeGame {
    let mut events = Vec::new();
    for tick in 0..=recording.ticks() {
        for &(_, input) in recording.inputs().iter().filter(|&&(at, _)| at == tick) {
            match input {
                Event::Press(key) => game.press(key),
                Event::Release(key) => game.release(key),
                // Refused after the end of the game.
                Event::Receive(attack) => drop(game.receive(attack)),
            }
        }
        if tick < recording.ticks() {
            game.tick(&mut events);
        }
    }
    game
}

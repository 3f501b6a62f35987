//! [`real_time()`]: a real-time game under any rules, against the game its locks play and against its own
//! replays.

use super::values::rules as game_rules;
use super::values::{assert_refused, garbage, position};
use bitcore::Rng;
use testkit::Input;
use tetris::movegen::{self, Movement};
use tetris::real_time::{
    End, Event, Goal, Gravity, Handling, InitialAction, Key, RealTimeGame, RealTimeRules,
    Recording, Timing, guideline_score,
};
use tetris::{Attack, Game, GarbageTiming, Location, Move, Placement, Rules, Spin};

const MAX_TICKS: u64 = 4000;
/// Each lock lists all placements.
const MAX_LOCKS: u32 = 60;

/// Draws a number of ticks: usually a few, sometimes any.
fn ticks(input: &Input) -> u32 {
    match input.below(8) {
        0 => u32::MAX - input.below(3) as u32,
        1 => input.size() as u32,
        2 => input.below(400) as u32,
        _ => input.below(12) as u32,
    }
}

pub(crate) fn rules(input: &Input) -> (RealTimeRules, Handling) {
    let gravity = match input.below(6) {
        0 => Gravity::TicksPerRow(ticks(input)),
        1 => Gravity::Instant,
        2 => Gravity::Off,
        _ => Gravity::Guideline,
    };
    let timing = Timing {
        ticks_per_second: if input.flag() { 60 } else { ticks(input) },
        gravity,
        lock_delay: ticks(input),
        lock_resets: ticks(input),
        entry_delay: if input.flag() { 0 } else { ticks(input) },
        line_clear_delay: if input.flag() { 0 } else { ticks(input) },
    };
    let rules = RealTimeRules {
        game: game_rules(input),
        timing,
        goal: match input.below(4) {
            0 => Goal::Lines(input.below(5) as u32),
            1 => Goal::Ticks(input.below(400) as u32),
            _ => Goal::Endless,
        },
        start_level: ticks(input),
        lines_per_level: ticks(input),
    };
    (rules, handling(input))
}

pub(crate) fn handling(input: &Input) -> Handling {
    let initial = || {
        let all =
            [InitialAction::TapOrHold, InitialAction::Off, InitialAction::Tap, InitialAction::Hold];
        *input.pick(&all)
    };
    Handling {
        das: ticks(input),
        arr: ticks(input),
        soft_drop_factor: *input.pick(&[0, 1, 20, u32::MAX - 1, u32::MAX]),
        das_cut: if input.flag() { 0 } else { ticks(input) },
        hard_drop_guard: if input.flag() { 0 } else { ticks(input) },
        initial_rotation: initial(),
        initial_hold: initial(),
    }
}

/// The coverage of a program.
#[derive(Default)]
pub(crate) struct Reached {
    pub(crate) locks: u32,
    pub(crate) spins: u32,
    pub(crate) holds: u32,
    pub(crate) end: Option<End>,
}

/// The game played by the locks, and the piece in play as derived from the events only.
struct Model {
    game: Game,
    rng: Rng,
    rules: RealTimeRules,
    held: bool,
    piece: Option<(Location, Spin)>,
    lines: u64,
    score: u64,
    level: u32,
    /// The garbage rows that entered with the last lock, until their event arrives.
    rising: u32,
    reached: Reached,
}

impl Model {
    /// The key must move the piece.
    fn press(&mut self, key: Movement) -> Spin {
        let (at, spin) = self.piece.expect("a piece in play");
        self.piece = movegen::apply(self.game.board(), at, spin, key, self.rules.game);
        self.piece.expect("a movement that is possible").1
    }

    fn fall(&mut self, rows: u32) {
        assert!(rows > 0);
        for _ in 0..rows {
            self.press(Movement::SoftDrop);
        }
    }

    fn event(&mut self, event: Event) {
        assert_eq!(self.reached.end, None, "{event:?} after the end");
        match event {
            Event::Spawned(piece) => {
                let expected =
                    if self.held { self.game.piece_after_hold() } else { Some(self.game.piece()) };
                assert_eq!(Some(piece), expected);
                let at = self.game.spawn_location(piece).expect("room at the spawn");
                self.piece = Some((at, Spin::None));
            }
            Event::Moved { columns } => {
                assert_ne!(columns, 0);
                for _ in 0..columns.unsigned_abs() {
                    self.press(if columns > 0 { Movement::Right } else { Movement::Left });
                }
            }
            Event::Rotated { rotation, spin } => {
                assert_eq!(self.press(rotation.into()), spin);
            }
            Event::Fell { rows } => {
                assert!(self.rules.timing.gravity != Gravity::Off, "a fall without gravity");
                self.fall(rows);
            }
            Event::SoftDropped { rows } => {
                self.fall(rows);
                self.score = self.score.saturating_add(rows.into());
            }
            Event::HardDropped { rows } => {
                if rows > 0 {
                    self.fall(rows);
                }
                let (at, _) = self.piece.expect("a piece in play");
                assert_eq!(self.game.board().landing(at), Some(at));
                self.score = self.score.saturating_add(2 * u64::from(rows));
            }
            Event::Held(piece) => {
                assert!(!self.held && self.rules.game.hold && self.piece.is_some());
                assert_eq!(piece, self.game.piece());
                (self.held, self.piece) = (true, None);
            }
            Event::Locked(lock) => {
                let (at, spin) = self.piece.take().expect("a piece in play");
                assert_eq!(lock.placement, Placement { at, spin });
                let placed = self.game.board().place(at).expect("the piece fits");
                assert_eq!(lock.full_rows, placed.full_lines());
                let placement = Placement { at: at.canonical(), spin };
                let turn = Move { hold: std::mem::take(&mut self.held), placement };
                assert!(
                    self.game.legal_moves().contains(&turn),
                    "{turn} on\n{}",
                    self.game.board()
                );
                assert_eq!(self.game.play(turn, &mut self.rng), Ok(lock.result));
                assert_eq!(lock.points, guideline_score(lock.result.clear, self.level));
                self.score = self.score.saturating_add(lock.points);
                self.lines += u64::from(lock.result.clear.lines);
                self.rising = lock.result.garbage_rows;
                self.reached.locks += 1;
                self.reached.spins += u32::from(spin != Spin::None);
                self.reached.holds += u32::from(turn.hold);
            }
            Event::GarbageRose { rows } => {
                assert!(rows > 0);
                assert_eq!(rows, std::mem::take(&mut self.rising));
            }
            Event::LevelUp { level } => {
                assert!(level > self.level);
                self.level = level;
            }
            Event::Finished => self.reached.end = Some(End::Finished),
            Event::ToppedOut(over) => self.reached.end = Some(End::ToppedOut(over)),
        }
    }

    fn receive(&mut self, game: &mut RealTimeGame, attack: Attack) {
        let before = game.clone();
        // A finished game ignores garbage.
        let is_finished = self.reached.end == Some(End::Finished);
        let delay = self.rules.game.garbage_delay;
        let expected =
            if is_finished { Ok(()) } else { self.game.receive_delayed(attack, delay).map(drop) };
        assert_eq!(game.receive(attack), expected);
        assert!(*game == before || expected.is_ok() && !is_finished);
        self.assert_equals(game);
    }

    /// Presses random keys for 400 ticks, each as long as a player would.
    fn mash(&mut self, game: &mut RealTimeGame, keys: &mut Rng) {
        for _ in 0..400 {
            for _ in 0..keys.below(4) {
                let key = Key::ALL[keys.below(7) as usize];
                match keys.below(3) {
                    // Too many hard drops would leave no overhangs to rotate under.
                    0 if key != Key::HardDrop || keys.below(3) == 0 => game.press(key),
                    1 => game.release(key),
                    2 if key != Key::HardDrop => game.tap(key),
                    _ => {}
                }
            }
            self.run(game, 1);
        }
    }

    /// Runs ticks and compares the game after each.
    fn run(&mut self, game: &mut RealTimeGame, count: u64) {
        let last = MAX_TICKS.min(game.ticks() + count);
        let mut events = Vec::new();
        while game.ticks() < last && game.end().is_none() && self.reached.locks < MAX_LOCKS {
            let before = game.ticks();
            game.tick(&mut events);
            assert_eq!(game.ticks(), before + 1);
            events.drain(..).for_each(|event| self.event(event));
            self.game.advance_garbage(1);
            self.assert_equals(game);
        }
        if game.end().is_some() {
            let over = game.clone();
            game.tick(&mut events);
            assert!(events.is_empty() && *game == over);
        }
    }

    fn assert_equals(&self, game: &RealTimeGame) {
        assert_eq!(game.game(), &self.game);
        assert_eq!(game.lines(), self.lines);
        assert_eq!(game.score(), self.score);
        assert_eq!(game.level(), self.level);
        assert_eq!(game.end(), self.reached.end);
        let at = self.piece.map(|(at, _)| at).filter(|_| self.reached.end.is_none());
        assert_eq!(game.falling(), at);
        assert_eq!(game.ghost(), at.and_then(|at| self.game.board().landing(at)));
        assert!(at.is_none_or(|at| self.game.board().fits(at)));
        assert!(game.rested() <= self.rules.timing.lock_delay);
        let held = if self.held { Some(self.game.piece()) } else { self.game.held() };
        assert_eq!(game.held(), held);
        assert_eq!(self.rising, 0);
        // Holding the first piece takes another one out of the preview.
        let next = &self.game.next()[usize::from(self.held && self.game.held().is_none())..];
        assert_eq!(game.next(), &next[..self.rules.game.next.min(next.len())]);
        let comes = self.game.piece_after_hold().filter(|_| at.is_some() && !self.held);
        let can_hold = comes.is_some_and(|piece| self.game.spawn_location(piece).is_some());
        assert_eq!(game.can_hold(), can_hold);
        match (self.rules.goal, self.reached.end) {
            (Goal::Lines(lines), None) => assert!(self.lines < lines.max(1).into()),
            (Goal::Ticks(ticks), None) => assert!(game.ticks() < ticks.max(1).into()),
            (Goal::Ticks(ticks), Some(End::Finished)) => {
                assert_eq!(game.ticks(), u64::from(ticks.max(1)));
            }
            _ => {}
        }
    }
}

/// Runs the bytes as rules and a program of keys, ticks and garbage.
pub(crate) fn real_time(input: &Input) {
    play(input);
}

/// [`real_time`], returning the program's coverage.
pub(crate) fn play(input: &Input) -> Reached {
    let (rules, handling) = rules(input);
    let (known, position) = position(input);
    let position = position(&known);
    let seed = input.u64();
    let new = match RealTimeGame::from_position(rules, handling, position, seed) {
        Ok(game) => game,
        Err(error) => {
            assert_refused(error, &rules.game, &known);
            return Reached::default();
        }
    };
    let garbage_timing = match rules.game.garbage_timing {
        GarbageTiming::Immediate => GarbageTiming::AfterEveryLock,
        other => other,
    };
    let next = rules.game.next.min(15) + 1;
    let own = Rules { next, garbage_timing, garbage_delay: 0, ..rules.game };
    let mut rng = Rng::new(seed);
    let game = Game::from_position(own, position, &mut rng).expect("a queue that fits");
    let level = rules.start_level.max(1);
    let reached = Reached::default();
    let held = false;
    let piece = None;
    let lines = 0;
    let score = 0;
    let rising = 0;
    let mut model = Model { game, rng, rules, held, piece, lines, score, level, rising, reached };

    let mut game = new.clone();
    while !input.is_empty() {
        let key = *input.pick(&Key::ALL);
        match input.below(9) {
            0 | 1 => game.press(key),
            2 => game.release(key),
            3 => game.tap(key),
            4 => model.receive(&mut game, garbage(input)),
            5 => model.run(&mut game, input.below(400) as u64),
            6 | 7 => model.run(&mut game, input.below(12) as u64),
            _ => model.mash(&mut game, &mut Rng::new(input.byte().into())),
        }
    }
    check_replays(&new, &game);
    model.reached
}

/// Checks that a game's recording, as text, restores the game; that after it, ticks run one by one
/// match ticks skipped by a replay; and that even the longest possible recording ends soon.
fn check_replays(new: &RealTimeGame, game: &RealTimeGame) {
    let text = game.recording().to_string();
    let recording: Recording = text.parse().expect("what was written is read");
    assert_eq!(&recording, game.recording());
    assert_eq!(new.clone().replay(&recording), *game);
    let inputs = text.rsplit_once(&format!("{} end", game.ticks())).expect("the last line").0;
    let longer = |ticks: u64| -> RealTimeGame {
        new.clone().replay(&format!("{inputs}{ticks} end").parse().expect("a recording"))
    };
    let mut later = game.clone();
    let mut events = Vec::new();
    for _ in 0..300 {
        later.tick(&mut events);
    }
    assert_eq!(longer(game.ticks() + 300), later);
    // There is no tick after the last one, and only without gravity can a piece stay in play that
    // long.
    let last = longer(u64::MAX);
    let mut after = last.clone();
    after.tick(&mut events);
    assert_eq!(after, last);
    let has_gravity = game.rules().timing.gravity != Gravity::Off;
    assert!(last.end().is_some() || last.ticks() == u64::MAX && !has_gravity, "{:?}", game.rules());
}

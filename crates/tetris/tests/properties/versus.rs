//! [`versus()`]: two games in real time, against two games whose attacks are carried by hand.

use super::real_time::{handling, rules};
use super::values::cost;
use bitcore::Rng;
use testkit::Input;
use tetris::Messiness;
use tetris::movegen::{self, Movement};
use tetris::real_time::{End, Event, Key, RealTimeGame, RealTimeVersus, VersusResult, VersusRules};

const MAX_TICKS: u64 = 2000;

struct Model {
    rules: VersusRules,
    games: [RealTimeGame; 2],
    holes: Rng,
    last: [Option<u8>; 2],
    wait: u32,
    paused: bool,
    /// The keys that went down while the games don't run.
    early: [Vec<Key>; 2],
    received: u32,
}

impl Model {
    fn result(&self) -> Option<VersusResult> {
        match self.games.each_ref().map(RealTimeGame::end) {
            [None, None] => None,
            [Some(End::Finished), Some(End::Finished)]
            | [Some(End::ToppedOut(_)), Some(End::ToppedOut(_))] => Some(VersusResult::Draw),
            [Some(End::Finished), _] | [_, Some(End::ToppedOut(_))] => Some(VersusResult::Wins(0)),
            [_, Some(End::Finished)] | [Some(End::ToppedOut(_)), _] => Some(VersusResult::Wins(1)),
        }
    }

    fn press(&mut self, side: usize, key: Key) {
        if !self.paused && self.wait == 0 {
            self.games[side].press(key);
        } else if key != Key::HardDrop && !self.early[side].contains(&key) {
            self.early[side].push(key);
        }
    }

    fn release(&mut self, side: usize, key: Key) {
        self.early[side].retain(|&early| early != key);
        self.games[side].release(key);
    }

    fn pause(&mut self) {
        if self.result().is_none() {
            self.paused = true;
            self.early = [Vec::new(), Vec::new()];
            for key in Key::ALL {
                self.games[0].release(key);
                self.games[1].release(key);
            }
        }
    }

    fn tick(&mut self) -> [Vec<Event>; 2] {
        let mut events = [Vec::new(), Vec::new()];
        if self.paused || self.result().is_some() {
            return events;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return events;
        }
        for ((game, early), events) in self.games.iter_mut().zip(&mut self.early).zip(&mut events) {
            let place = |key: &Key| Key::ALL.iter().position(|other| other == key);
            early.sort_by_key(|key| (*key != Key::Hold, place(key)));
            early.drain(..).for_each(|key| game.press(key));
            game.tick(events);
        }
        for (side, to) in [(0, 1), (1, 0)] {
            for event in &events[side] {
                let Event::Locked(lock) = event else { continue };
                let lines = lock.result.sent;
                for attack in self.rules.messiness.attacks(lines, self.last[to], &mut self.holes) {
                    self.last[to] = Some(attack.column);
                    self.received += u32::from(self.games[to].receive(attack).is_ok());
                }
            }
        }
        events
    }

    fn assert_equals(&self, versus: &RealTimeVersus) {
        assert_eq!(versus.sides(), &self.games);
        assert_eq!(versus.countdown(), self.wait);
        assert_eq!(versus.is_paused(), self.paused);
        assert_eq!(versus.result(), self.result());
        assert_eq!(versus.rules(), self.rules);
    }

    /// The keys of a good placement.
    fn good_keys(&self, side: usize) -> Vec<Key> {
        let game = self.games[side].game();
        let moves = game.legal_moves();
        let best = moves.iter().min_by_key(|mv| cost(game.board(), mv.placement.at));
        let Some(best) = best else { return Vec::new() };
        let way = movegen::path(game.board(), best.placement, game.rules()).unwrap_or_default();
        let hold = best.hold.then_some(Key::Hold);
        hold.into_iter().chain(way.into_iter().map(key)).collect()
    }
}

fn key(movement: Movement) -> Key {
    match movement {
        Movement::Left => Key::Left,
        Movement::Right => Key::Right,
        Movement::SoftDrop => Key::SoftDrop,
        Movement::Cw => Key::Cw,
        Movement::Ccw => Key::Ccw,
        Movement::HardDrop => Key::HardDrop,
        Movement::Half => Key::Half,
    }
}

pub(crate) fn versus(input: &Input) {
    play(input, |versus| versus);
}

/// Plays a program, and returns the number of attacks received. `saved` writes and reads a game.
pub(crate) fn play(input: &Input, saved: impl Fn(RealTimeVersus) -> RealTimeVersus) -> u32 {
    // One set of rules for both sides, or one for each.
    let first = rules(input);
    let second = if input.flag() { rules(input) } else { (first.0, handling(input)) };
    let percent = || if input.flag() { *input.pick(&[0, 100]) } else { input.byte() };
    let messiness = Messiness { between: percent(), within: percent(), moves_away: input.flag() };
    let rules =
        VersusRules { sides: [first.0, second.0], messiness, countdown: input.below(4) as u32 };
    let seed = input.u64();
    let handling = [first.1, second.1];
    let mut versus = RealTimeVersus::new(rules, handling, seed);
    let games = [0, 1].map(|side| RealTimeGame::new(rules.sides[side], handling[side], seed));
    let holes = Rng::stream(seed, 1);
    let early = [Vec::new(), Vec::new()];
    let mut model = Model {
        rules,
        games,
        holes,
        last: [None; 2],
        wait: rules.countdown,
        paused: false,
        early,
        received: 0,
    };
    while !input.is_empty() && versus.sides()[0].ticks() < MAX_TICKS {
        let side = input.below(2);
        let key = *input.pick(&Key::ALL);
        match input.below(10) {
            0 | 1 => {
                versus.press(side, key);
                model.press(side, key);
            }
            2 => {
                versus.release(side, key);
                model.release(side, key);
            }
            3 => {
                versus.pause();
                model.pause();
            }
            4 | 5 => {
                versus.resume();
                if std::mem::take(&mut model.paused) {
                    model.wait = rules.countdown;
                }
            }
            6 => versus = saved(versus),
            7 => run(&mut versus, &mut model, input.below(40)),
            _ => {
                for _ in 0..input.below(12) {
                    for key in model.good_keys(side) {
                        versus.tap(side, key);
                        model.release(side, key);
                        model.press(side, key);
                        model.release(side, key);
                    }
                    run(&mut versus, &mut model, 1);
                }
            }
        }
        model.assert_equals(&versus);
    }
    model.received
}

fn run(versus: &mut RealTimeVersus, model: &mut Model, ticks: usize) {
    for _ in 0..ticks {
        // What was there stays.
        let mut events = [vec![Event::Finished], Vec::new()];
        versus.tick(&mut events);
        assert_eq!(events[0].remove(0), Event::Finished);
        assert_eq!(events, model.tick());
    }
}

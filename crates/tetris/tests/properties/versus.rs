//! [`versus()`]: two games in real time, against two games whose attacks are carried by hand.

use super::real_time::{handling, rules};
use bitcore::Rng;
use testkit::Input;
use tetris::Messiness;
use tetris::real_time::{End, Event, Key, RealTimeGame, RealTimeVersus, VersusResult, VersusRules};

fn result(games: &[RealTimeGame; 2]) -> Option<VersusResult> {
    use End::{Finished, ToppedOut};
    match games.each_ref().map(RealTimeGame::end) {
        [None, None] => None,
        [Some(Finished), Some(Finished)] | [Some(ToppedOut(_)), Some(ToppedOut(_))] => {
            Some(VersusResult::Draw)
        }
        [Some(Finished), _] | [_, Some(ToppedOut(_))] => Some(VersusResult::Wins(0)),
        _ => Some(VersusResult::Wins(1)),
    }
}

pub(crate) fn versus(input: &Input) {
    play(input, |versus| versus);
}

/// Plays a program. `saved` writes and reads a game.
pub(crate) fn play(input: &Input, saved: impl Fn(RealTimeVersus) -> RealTimeVersus) {
    let sides = [rules(input).0, rules(input).0];
    let handling = [handling(input), handling(input)];
    let messiness = Messiness { between: input.byte(), ..Messiness::PER_ATTACK };
    let rules = VersusRules { sides, messiness, countdown: input.below(4) as u32 };
    let seed = input.u64();
    let mut versus = RealTimeVersus::new(rules, handling, seed);
    let mut games = [0, 1].map(|side| RealTimeGame::new(sides[side], handling[side], seed));
    let mut holes = Rng::stream(seed, 1);
    let mut last = [None; 2];
    let mut wait = rules.countdown;
    let mut paused = false;
    let mut early = [Vec::new(), Vec::new()];
    while !input.is_empty() && games[0].ticks() < 2000 {
        let side = input.below(2);
        let key = *input.pick(&Key::ALL);
        let runs = !paused && wait == 0;
        match input.below(9) {
            0 | 1 => {
                versus.press(side, key);
                if runs {
                    games[side].press(key);
                } else if key != Key::HardDrop && !early[side].contains(&key) {
                    early[side].push(key);
                }
            }
            2 => {
                versus.release(side, key);
                early[side].retain(|&other| other != key);
                games[side].release(key);
            }
            3 if runs => {
                versus.tap(side, key);
                early[side].retain(|&other| other != key);
                games[side].tap(key);
            }
            4 => {
                versus.pause();
                if result(&games).is_none() {
                    paused = true;
                    early = Default::default();
                    for key in Key::ALL {
                        for game in &mut games {
                            game.release(key);
                        }
                    }
                }
            }
            5 => {
                versus.resume();
                wait = if std::mem::take(&mut paused) { rules.countdown } else { wait };
            }
            6 => versus = saved(versus),
            _ => {
                for _ in 0..input.below(40) {
                    let mut events = [vec![Event::Finished], Vec::new()];
                    versus.tick(&mut events);
                    assert_eq!(events[0].remove(0), Event::Finished, "what was there stays");
                    let mut expected = [Vec::new(), Vec::new()];
                    let stopped = paused || result(&games).is_some();
                    if !stopped && wait > 0 {
                        wait -= 1;
                    } else if !stopped {
                        for side in 0..2 {
                            let is_early = |key: &&Key| early[side].contains(*key);
                            let all = [Key::Hold].iter().chain(&Key::ALL);
                            all.filter(is_early).for_each(|&key| games[side].press(key));
                            early[side].clear();
                            games[side].tick(&mut expected[side]);
                        }
                    }
                    for (side, to) in [(0, 1), (1, 0)] {
                        for event in &expected[side] {
                            let Event::Locked(lock) = event else { continue };
                            let sent = lock.result.sent;
                            for attack in messiness.attacks(sent, last[to], &mut holes) {
                                last[to] = Some(attack.column);
                                let _ = games[to].receive(attack);
                            }
                        }
                    }
                    assert_eq!(events, expected);
                }
            }
        }
        assert_eq!(versus.sides(), &games);
        assert_eq!(versus.countdown(), wait);
        assert_eq!(versus.is_paused(), paused);
        assert_eq!(versus.result(), result(&games));
        assert_eq!(versus.rules(), rules);
    }
}

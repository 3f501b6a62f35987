//! The learner on every level, compared with a naive learner and across saved files.

use bitcore::Rng;
use g2048::network::{LearnerSettings, MAX_RANK, TUPLES};
use g2048::{Board, Direction, Learner, Size};
use std::collections::HashMap;
use testkit::on_each_level;

/// Returns the tuple's ranks on a board, clamped as in the network.
pub(crate) fn ranks(board: &Board, tuple: usize) -> [u8; 6] {
    TUPLES[tuple].map(|cell| board.ranks()[cell].min(MAX_RANK))
}

/// A naive TD learner: one map for all weights, boards of bytes, one game after the other.
struct Naive {
    /// Each weight, the sum of its errors and the sum of their absolute values.
    entries: HashMap<(usize, [u8; 6]), [f32; 3]>,
    settings: LearnerSettings,
}

impl Naive {
    fn value(&self, board: &Board) -> f32 {
        let mut sums = [0.0; 4];
        for image in board.symmetries() {
            // In the order of the learner's additions.
            for (sum, tuple) in [0, 2, 1, 3].into_iter().enumerate() {
                sums[sum] += self.entries.get(&(tuple, ranks(&image, tuple))).map_or(0.0, |entry| entry[0]);
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    fn update(&mut self, board: &Board, target: f32) {
        let error = target - self.value(board);
        let step = self.settings.learning_rate / 32.0 * error;
        for image in board.symmetries() {
            for tuple in [0, 2, 1, 3] {
                let entry = self.entries.entry((tuple, ranks(&image, tuple))).or_default();
                let [_, error_sum, error_size] = *entry;
                let share = if self.settings.coherence && error_size != 0.0 {
                    error_sum.abs() / error_size
                } else {
                    1.0
                };
                entry[0] += step * share;
                entry[1] += error;
                entry[2] += error.abs();
            }
        }
    }

    /// Learns for a number of rounds with one concurrent game. Returns the number of finished games.
    fn learn(&mut self, seed: u64, rounds: u64) -> u64 {
        let mut streams = Rng::streams(seed);
        let mut rng = streams.next().unwrap();
        let mut board = Board::start(Size::CLASSIC, &mut rng);
        let (mut last, mut games): (Option<Board>, _) = (None, 0);
        for _ in 0..rounds {
            let mut best: Option<(f32, Board)> = None;
            for direction in Direction::ALL {
                let slide = board.slide(direction);
                let value = slide.gain as f32 + self.value(&slide.board);
                if slide.changed && best.is_none_or(|(best, _)| value > best) {
                    best = Some((value, slide.board));
                }
            }
            if let Some(last) = last {
                self.update(&last, best.map_or(0.0, |(value, _)| value));
            }
            if let Some((_, after)) = best {
                (board, last) = (after, Some(after));
                board.spawn(&mut rng);
            } else {
                games += 1;
                rng = streams.next().unwrap();
                (board, last) = (Board::start(Size::CLASSIC, &mut rng), None);
            }
        }
        games
    }
}

/// Returns the file of a learner.
pub(crate) fn saved(learner: &Learner) -> Vec<u8> {
    let mut bytes = Vec::new();
    learner.save(&mut |portion| bytes.extend_from_slice(portion));
    bytes
}

#[test]
fn learns_what_the_definition_learns() {
    // An emulator spends its time on the tables, not on the moves: one rule of learning is enough there.
    let rules: &[bool] = if testkit::emulated() { &[true] } else { &[true, false] };
    for &coherence in rules {
        let settings = LearnerSettings {
            concurrent_games: 1,
            learning_rate: if coherence { 1.0 } else { 0.1 },
            coherence,
        };
        let mut naive = Naive { entries: HashMap::new(), settings };
        let games = naive.learn(3, 4_000);
        assert!(games > 10);
        on_each_level(|| {
            let mut learner = Learner::new(settings, 3).unwrap();
            learner.learn(4_000);
            assert_eq!(learner.games(), games);
            // A round without a move is the end of a game.
            assert_eq!(learner.moves(), 4_000 - games);
            let network = learner.network();
            let largest = naive.entries.values().fold(0f32, |largest, entry| largest.max(entry[0].abs()));
            for (&(tuple, ranks), entry) in &naive.entries {
                let weight = network.weight(tuple, ranks).unwrap();
                assert!((weight - entry[0]).abs() <= 0.51 * largest / 32767.0, "{tuple} {ranks:?}");
            }
        });
    }
}

#[test]
fn the_same_on_every_level_and_through_files() {
    let straight = {
        let mut learner = Learner::new(LearnerSettings::default(), 5).unwrap();
        learner.learn(60_000);
        saved(&learner)
    };
    let mut learner = Learner::new(LearnerSettings::default(), 5).unwrap();
    let mut parts = [1, 777, 59_222].into_iter();
    while parts.len() > 0 {
        on_each_level(|| {
            learner.learn(parts.next().unwrap_or(0));
            learner = Learner::load(&saved(&learner)).unwrap();
        });
    }
    assert_eq!(learner.rounds(), 60_000);
    assert!(saved(&learner) == straight, "an interrupted run is the same run");
}

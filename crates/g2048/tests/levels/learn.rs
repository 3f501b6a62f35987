//! The learner on every ISA level, compared with a naive learner and across saved files.

use bitcore::Rng;
use g2048::network::{LearnerSettings, MAX_RANK, SMALL_TUPLES, TUPLES};
use g2048::{Board, Direction, Learner, Size, SmallLearner, TupleLearner};
use std::collections::HashMap;
use testkit::on_each_level;

/// Returns a tuple's ranks on a board, clamped as in the network.
pub(crate) fn ranks<const N: usize>(board: &Board, tuple: [usize; N]) -> [u8; N] {
    tuple.map(|cell| board.ranks()[cell].min(MAX_RANK))
}

/// A naive TD learner: one map for all weights, one byte per cell, one game after another.
struct Naive<const N: usize> {
    tuples: &'static [[usize; N]],
    /// The index of the partial sum to which a weight is added, by image and tuple.
    sum: fn(usize, usize) -> usize,
    sums: usize,
    /// Each weight, with the sum of its errors and the sum of their absolute values.
    entries: HashMap<(usize, [u8; N]), [f32; 3]>,
    settings: LearnerSettings,
}

impl<const N: usize> Naive<N> {
    fn value(&self, board: &Board) -> f32 {
        let mut sums = vec![0.0; self.sums];
        for (i, image) in board.symmetries().iter().enumerate() {
            for (tuple, &cells) in self.tuples.iter().enumerate() {
                let entry = self.entries.get(&(tuple, ranks(image, cells)));
                sums[(self.sum)(i, tuple)] += entry.map_or(0.0, |entry| entry[0]);
            }
        }
        while sums.len() > 1 {
            sums = sums.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        sums[0]
    }

    fn update(&mut self, board: &Board, target: f32) {
        let error = target - self.value(board);
        let step = self.settings.learning_rate * error / (8 * self.tuples.len()) as f32;
        for image in board.symmetries() {
            for (tuple, &cells) in self.tuples.iter().enumerate() {
                let entry = self.entries.entry((tuple, ranks(&image, cells))).or_default();
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

    /// Learns a game from its end: the afterstate of each move and its gain.
    fn learn_game(&mut self, game: &[(Board, u64)]) {
        let lambda = self.settings.lambda;
        let mut target = 0.0;
        for (i, (after, gain)) in game.iter().enumerate().rev() {
            self.update(after, target);
            if i > 0 {
                target = *gain as f32 + lambda * target + (1.0 - lambda) * self.value(after);
            }
        }
    }

    fn start(&self, rng: &mut Rng) -> Board {
        if !self.settings.late_start {
            return Board::start(Size::CLASSIC, rng);
        }
        let rows = "16384 8192 4096 . \n . . . . \n . . . . \n . . . .";
        let mut board: Board = rows.parse().unwrap();
        board.spawn(rng);
        board.spawn(rng);
        board
    }

    /// Learns with one concurrent game. Returns the numbers of finished games and restarts.
    fn learn(&mut self, seed: u64, rounds: u64, most: u64) -> (u64, u64) {
        let mut streams = Rng::streams(seed);
        let mut rng = streams.next().unwrap();
        let mut board = self.start(&mut rng);
        let mut game = Vec::new();
        let mut games = 0;
        let mut restarts = 0;
        let mut restarts_of_game = 0;
        for _ in 0..rounds {
            let mut best: Option<(f32, Board, u64)> = None;
            for direction in Direction::ALL {
                let slide = board.slide(direction);
                let value = slide.gain as f32 + self.value(&slide.board);
                if slide.changed && best.is_none_or(|(best, ..)| value > best) {
                    best = Some((value, slide.board, slide.gain));
                }
            }
            if let Some((_, after, gain)) = best {
                game.push((after, gain));
                board = after;
                board.spawn(&mut rng);
                continue;
            }
            self.learn_game(&game);
            if restarts_of_game == 0 {
                games += 1;
            } else {
                restarts += 1;
            }
            let allowed = match self.settings.games_per_restart {
                0 => 0,
                each => 1 + games / each,
            };
            if game.len() > 9 && restarts_of_game < allowed {
                restarts_of_game += 1;
                board = game[game.len() / 2].0;
                board.spawn(&mut rng);
            } else if games == most {
                break;
            } else {
                restarts_of_game = 0;
                rng = streams.next().unwrap();
                board = self.start(&mut rng);
            }
            game.clear();
        }
        (games, restarts)
    }
}

pub(crate) fn saved(learner: &Learner) -> Vec<u8> {
    let mut bytes = Vec::new();
    learner.save(&mut |portion| bytes.extend_from_slice(portion));
    bytes
}

#[test]
fn learns_what_the_definition_learns() {
    // An emulator spends its time on the tables, not on the moves, so one learning rule is enough
    // there.
    let rules: &[_] = &[(true, 0.5, 1, true), (true, 0.5, 4, false), (false, 0.75, 0, false)];
    for &(coherence, lambda, games_per_restart, late_start) in
        &rules[usize::from(testkit::emulated())..]
    {
        let settings = LearnerSettings {
            concurrent_games: 1,
            learning_rate: if coherence { 1.0 } else { 0.1 },
            coherence,
            lambda,
            games_per_restart,
            late_start,
        };
        // The learner adds tuples in the order 0, 2, 1, 3.
        let sum = |_, tuple| [0, 2, 1, 3][tuple];
        let mut naive = Naive { tuples: &TUPLES, sum, sums: 4, entries: HashMap::new(), settings };
        let (games, restarts) = naive.learn(3, 4_000, u64::MAX);
        assert!(games > 10);
        // With coherence, the ninth game restarts three times or more.
        assert!(if coherence { restarts > games } else { restarts == 0 });
        on_each_level(|| {
            let mut learner = Learner::new(settings, 3).unwrap();
            learner.learn(4_000);
            assert_eq!(learner.games(), games);
            assert_eq!(learner.restarts(), restarts);
            // A round without a move ends a game.
            assert_eq!(learner.moves(), 4_000 - games - restarts);
            let network = learner.network();
            let largest =
                naive.entries.values().fold(0f32, |largest, entry| largest.max(entry[0].abs()));
            for (&(tuple, ranks), entry) in &naive.entries {
                let weight = network.weight(tuple, ranks).unwrap();
                assert!((weight - entry[0]).abs() <= 0.51 * largest / 32767.0, "{tuple} {ranks:?}");
            }
        });
    }
}

/// Each game from its end to its start, by the naive learner.
#[test]
fn replays_what_the_definition_replays() {
    let settings = LearnerSettings::default();
    let mut learner = Learner::new(settings, 3).unwrap();
    learner.learn_games(20, u64::MAX);
    let network = learner.network();
    let transcripts = network.self_play(12, 7);
    assert_eq!(network.self_play_until(12, 7, &|| true), Err(g2048::Stopped));
    let lengths: Vec<usize> = transcripts.iter().map(Vec::len).collect();
    // Lengths of all remainders: the learner goes back four moves at a time.
    assert!(
        lengths.iter().all(|&length| length > 20)
            && (0..4).all(|i| lengths.iter().any(|n| n % 4 == i))
    );
    let sum = |_, tuple| [0, 2, 1, 3][tuple];
    let mut naive = Naive { tuples: &TUPLES, sum, sums: 4, entries: HashMap::new(), settings };
    for transcript in &transcripts {
        let game = transcript.iter().map(|&(after, gain)| {
            let ranks: [u8; 16] = std::array::from_fn(|cell| after.rank(cell % 4, cell / 4));
            (Board::from_ranks(Size::CLASSIC, &ranks).unwrap(), gain.into())
        });
        naive.learn_game(&game.collect::<Vec<_>>());
    }
    let largest = naive.entries.values().fold(0f32, |largest, entry| largest.max(entry[0].abs()));
    on_each_level(|| {
        assert_eq!(network.self_play(12, 7), transcripts);
        let mut learner = Learner::new(settings, 1).unwrap();
        for transcript in &transcripts {
            learner.replay(transcript);
        }
        assert_eq!(learner.games(), 12);
        assert_eq!(learner.moves(), lengths.iter().sum::<usize>() as u64);
        let network = learner.network();
        for (&(tuple, ranks), entry) in &naive.entries {
            let weight = network.weight(tuple, ranks).unwrap();
            assert!((weight - entry[0]).abs() <= 0.51 * largest / 32767.0, "{tuple} {ranks:?}");
        }
    });
}

#[test]
fn the_small_learner_learns_what_the_definition_learns() {
    let sum = |image, _| image;
    let settings = LearnerSettings::default();
    let mut naive =
        Naive { tuples: &SMALL_TUPLES, sum, sums: 8, entries: HashMap::new(), settings };
    let (games, restarts) = naive.learn(3, u64::MAX, 8);
    assert!(games == 8 && restarts == 8);
    let largest = naive.entries.values().fold(0f32, |largest, entry| largest.max(entry[0].abs()));
    on_each_level(|| {
        let mut learner = SmallLearner::new(3);
        learner.learn_games(8);
        let network = learner.network();
        for (&(tuple, ranks), entry) in &naive.entries {
            let weight = network.weight(tuple, ranks).unwrap();
            assert!((weight - entry[0]).abs() <= 0.51 * largest / 2047.0, "{tuple} {ranks:?}");
        }
    });
}

#[test]
fn networks_for_any_size_are_the_same_on_every_level() {
    for (width, height) in [(3, 3), (4, 3), (5, 5)] {
        let size = Size::new(width, height).unwrap();
        let mut networks = Vec::new();
        on_each_level(|| {
            let mut learner = TupleLearner::new(size, 3);
            learner.learn_games(3);
            networks.push(learner.network());
        });
        assert!(networks.iter().all(|network| *network == networks[0]), "{size:?}");
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

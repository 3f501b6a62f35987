//! The network and its learner against tuples looked up cell by cell, and what they are as bytes.

use bitcore::{Level, Rng};
use g2048::network::{CurvePoint, LoadError, MAX_RANK, Settings, SettingsError, TUPLES};
use g2048::{Board, Direction, Learner, Network, Packed, Size};
use quickcheck::QuickCheck;
use std::collections::HashMap;

/// The tuple's ranks on a board, as the network sees them.
fn ranks(board: &Board, tuple: usize) -> [u8; 6] {
    TUPLES[tuple].map(|cell| board.ranks()[cell].min(MAX_RANK))
}

/// Temporal-difference learning in its own words: a map for each tuple, boards in bytes, one game after the other.
struct Naive {
    /// The weight, the sum of its errors and that of their sizes.
    entries: HashMap<(usize, [u8; 6]), [f32; 3]>,
    settings: Settings,
}

impl Naive {
    fn value(&self, board: &Board) -> f32 {
        let mut sums = [0.0; 4];
        for image in board.symmetries() {
            // The order of the additions: the tuples of the upper rows, then the others.
            for (sum, tuple) in [0, 2, 1, 3].into_iter().enumerate() {
                sums[sum] += self.entries.get(&(tuple, ranks(&image, tuple))).map_or(0.0, |entry| entry[0]);
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    fn update(&mut self, board: &Board, target: f32) {
        let error = target - self.value(board);
        let step = self.settings.rate / 32.0 * error;
        for image in board.symmetries() {
            for tuple in [0, 2, 1, 3] {
                let entry = self.entries.entry((tuple, ranks(&image, tuple))).or_default();
                let [_, sum, size] = *entry;
                let share = if self.settings.coherence && size != 0.0 { sum.abs() / size } else { 1.0 };
                entry[0] += step * share;
                entry[1] += error;
                entry[2] += error.abs();
            }
        }
    }

    /// Rounds of one game at once; returns how many games ended.
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

fn saved(learner: &Learner) -> Vec<u8> {
    let mut bytes = Vec::new();
    learner.save(&mut |portion| bytes.extend_from_slice(portion));
    bytes
}

#[test]
fn learns_what_the_definition_learns() {
    for coherence in [true, false] {
        let settings = Settings { seats: 1, rate: if coherence { 1.0 } else { 0.1 }, coherence };
        let mut naive = Naive { entries: HashMap::new(), settings };
        let games = naive.learn(3, 4_000);
        assert!(games > 10);
        for level in Level::all() {
            let mut learner = Learner::new(3, settings).unwrap();
            learner.learn_on(level, 4_000);
            assert_eq!(learner.games(), games, "{level}");
            // A round without a move is the end of a game.
            assert_eq!(learner.moves(), 4_000 - games, "{level}");
            let network = learner.network();
            let largest = naive.entries.values().fold(0f32, |largest, entry| largest.max(entry[0].abs()));
            for (&(tuple, ranks), entry) in &naive.entries {
                let weight = network.weight(tuple, ranks).unwrap();
                assert!(
                    (weight - entry[0]).abs() <= 0.51 * largest / 32767.0,
                    "{tuple} {ranks:?} on {level}"
                );
            }
        }
    }
}

/// A network of some play, made once.
fn network() -> &'static (Learner, Network) {
    static ONCE: std::sync::OnceLock<(Learner, Network)> = std::sync::OnceLock::new();
    ONCE.get_or_init(|| {
        let mut learner = Learner::new(9, Settings::default()).unwrap();
        learner.learn(30_000);
        let network = learner.network();
        (learner, network)
    })
}

#[test]
fn the_value_is_the_sum_of_32_entries() {
    fn case(seed: u64) {
        let (_, network) = network();
        let mut rng = Rng::new(seed);
        let kinds = [4, 8, 16][rng.below(3) as usize];
        let cells: Vec<u8> = (0..16).map(|_| rng.below(kinds) as u8).collect();
        let board = Board::from_ranks(Size::CLASSIC, &cells).unwrap();
        let images = board.symmetries();
        let entries =
            images.iter().flat_map(|image| (0..4).map(|tuple| network.weight(tuple, ranks(image, tuple))));
        let sum: f64 = entries.map(|entry| f64::from(entry.unwrap())).sum();
        let value = network.value(Packed::new(&board).unwrap());
        assert!((f64::from(value) - sum).abs() <= 1e-3 * (1.0 + sum.abs()), "{value} {sum} of {board:?}");
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(case as fn(u64));
    let (_, network) = network();
    assert!(network.weight(0, [1, 2, 0, 0, 0, 0]).is_some());
    assert_eq!(network.weight(4, [0; 6]), None);
    assert_eq!(network.weight(0, [0, 0, 0, 0, 0, 14]), None);
}

#[test]
fn the_same_on_every_level_and_through_files() {
    let levels = testkit::levels();
    let straight = {
        let mut learner = Learner::new(5, Settings::default()).unwrap();
        learner.learn(60_000);
        saved(&learner)
    };
    let mut learner = Learner::new(5, Settings::default()).unwrap();
    for (rounds, &level) in [1, 777, 59_222].into_iter().zip(levels.iter().cycle()) {
        learner.learn_on(level, rounds);
        learner = Learner::load(&saved(&learner)).unwrap();
    }
    assert_eq!(learner.rounds(), 60_000);
    assert!(saved(&learner) == straight, "an interrupted run is the same run");
}

#[test]
fn it_learns() {
    let mut learner = Learner::new(1, Settings::default()).unwrap();
    while learner.curve().len() < 2 {
        learner.learn(50_000);
    }
    let [first, second] = learner.curve()[..2] else { unreachable!("two points") };
    assert!(second.score > 3 * first.score / 2, "{first:?} {second:?}");
    assert!(first.score / CurvePoint::GAMES > 5_000, "random play scores 1095: {first:?}");
    assert!(second.reached_2048 > first.reached_2048);
}

#[test]
fn settings_have_ranges() {
    let with = |seats, rate| Learner::new(1, Settings { seats, rate, coherence: true }).err();
    assert_eq!(with(0, 1.0), Some(SettingsError::Seats));
    assert_eq!(with(65, 1.0), Some(SettingsError::Seats));
    assert_eq!(with(1, 0.0), Some(SettingsError::Rate));
    assert_eq!(with(1, f32::NAN), Some(SettingsError::Rate));
    assert_eq!(with(1, 1.5), Some(SettingsError::Rate));
}

/// What `load` says of the bytes after a change.
fn refused(load: impl Fn(&[u8]) -> Option<LoadError>, bytes: &[u8]) {
    assert_eq!(load(bytes), None, "as it was saved");
    let mut rng = Rng::new(1);
    let length = bytes.len() as u64;
    for cut in (0..60).chain([bytes.len() / 2, bytes.len() - 1]) {
        let error = load(&bytes[..cut]).unwrap_or_else(|| panic!("{cut} bytes were taken"));
        match cut {
            0 => assert!(matches!(error, LoadError::Name { .. })),
            1..28 => assert_eq!(error, LoadError::Length { expected: 28, found: cut as u64 }),
            _ => assert_eq!(error, LoadError::Length { expected: length, found: cut as u64 }),
        }
    }
    let mut more = bytes.to_vec();
    more.push(0);
    assert_eq!(load(&more), Some(LoadError::Length { expected: length, found: length + 1 }));
    let mut flips: Vec<usize> = (0..8 * 40).chain(8 * (bytes.len() - 9)..8 * bytes.len()).collect();
    flips.extend((0..10).map(|_| (rng.next_u64() % (8 * length)) as usize));
    let mut changed = bytes.to_vec();
    for flip in flips {
        changed[flip / 8] ^= 1 << (flip % 8);
        let error = load(&changed).unwrap_or_else(|| panic!("bit {flip} doesn't matter"));
        match flip / 8 {
            0..8 => assert!(matches!(error, LoadError::Name { .. }), "{flip}: {error}"),
            8..12 => assert!(matches!(error, LoadError::Version { .. }), "{flip}: {error}"),
            12..20 => assert!(matches!(error, LoadError::Length { .. }), "{flip}: {error}"),
            _ => assert!(matches!(error, LoadError::Checksum { .. }), "{flip}: {error}"),
        }
        changed[flip / 8] ^= 1 << (flip % 8);
    }
}

#[test]
fn bad_learner_files_are_refused() {
    let mut learner = Learner::new(2, Settings::default()).unwrap();
    learner.learn(20);
    refused(|bytes| Learner::load(bytes).err(), &saved(&learner));
    let network = learner.network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(bytes.len() <= 64 << 20);
    assert_eq!(Learner::load(&bytes).err(), Some(LoadError::Name { expected: "2048-lrn" }));
}

#[test]
fn bad_network_files_are_refused() {
    let (learner, network) = network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(bytes.len() <= 64 << 20);
    assert!(Network::load(&bytes).unwrap() == *network);
    // Each change here costs a checksum of 57 MiB: only the lengths and the ends.
    for cut in [0, 7, 27, 28, bytes.len() - 1] {
        assert!(Network::load(&bytes[..cut]).is_err());
    }
    for at in [0, 8, 12, 20, bytes.len() / 2, bytes.len() - 1] {
        bytes[at] ^= 0x10;
        assert!(Network::load(&bytes).is_err(), "{at}");
        bytes[at] ^= 0x10;
    }
    assert_eq!(Network::load(&saved(learner)).err(), Some(LoadError::Name { expected: "2048-net" }));
}

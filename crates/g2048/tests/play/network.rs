//! The network, compared with cell-by-cell lookups, and the files of networks and learners.

use crate::levels::learn::{ranks, saved};
use bitcore::Rng;
use g2048::network::{CurvePoint, LearnerSettings, NetworkPair, SMALL_TUPLES, TUPLES};
use g2048::{
    Board, Error, Learner, Network, Packed, Size, SmallLearner, SmallNetwork, Stopped,
    TupleLearner, TupleNetwork, solve,
};
use testkit::on_each_level;

/// A run limited by games ends with the last one, even if several games end in one round, and
/// learning in parts equals learning without a pause.
#[test]
fn games_are_counted_exactly() {
    let new = |concurrent_games| {
        Learner::new(LearnerSettings { concurrent_games, ..LearnerSettings::default() }, 7).unwrap()
    };
    for concurrent_games in [3, 64] {
        let mut parts = new(concurrent_games);
        for games in 1..=100 {
            while parts.games() < games {
                parts.learn_games(games, 37);
            }
            assert_eq!(parts.games(), games);
            // Nothing is left to learn.
            parts.learn_games(games, u64::MAX);
            parts = if games == 50 { Learner::load(&saved(&parts)).unwrap() } else { parts };
            assert_eq!(parts.games(), games);
        }
        let mut straight = new(concurrent_games);
        straight.learn_games(100, u64::MAX);
        assert!(saved(&parts) == saved(&straight), "{concurrent_games} games in turns");
    }
    // With one game at a time, each game ends with its round.
    let mut by_games = new(1);
    let mut by_rounds = new(1);
    by_games.learn_games(30, u64::MAX);
    by_rounds.learn(by_games.rounds());
    assert!(saved(&by_games) == saved(&by_rounds));
}

fn network() -> &'static (Learner, Network) {
    static ONCE: std::sync::OnceLock<(Learner, Network)> = std::sync::OnceLock::new();
    ONCE.get_or_init(|| {
        let mut learner = Learner::new(LearnerSettings::default(), 9).unwrap();
        learner.learn(30_000);
        let network = learner.network();
        (learner, network)
    })
}

#[test]
fn many_boards_have_the_values_of_single_boards() {
    testkit::seeds(500, |seed| {
        let (_, network) = network();
        let mut rng = Rng::new(seed);
        let kinds = [0x3333_3333_3333_3333, 0x7777_7777_7777_7777, u64::MAX][rng.below(3) as usize];
        let afters: Vec<Packed> =
            (0..rng.below(10)).map(|_| Packed::from_bits(rng.next_u64() & kinds)).collect();
        let expected: Vec<f32> = afters.iter().map(|&after| network.value(after)).collect();
        on_each_level(|| {
            let mut values = vec![0.0; afters.len()];
            network.values(&afters, &mut values);
            assert_eq!(values, expected, "{afters:?}");
            let mut fewer = [f32::MAX; 3];
            network.values(&afters, &mut fewer);
            let n = afters.len().min(3);
            assert_eq!(fewer[..n], expected[..n]);
            assert_eq!(fewer[n..], [f32::MAX; 3][n..]);
        });
    });
}

/// Boards of both parts of a game in any order.
#[test]
fn a_pair_of_networks_shares_the_boards() {
    let mut late = Learner::new(LearnerSettings::late(), 9).unwrap();
    late.learn(5_000);
    let (_, early) = network();
    let networks = NetworkPair { early: early.clone(), late: late.network() };
    let mut told = 0;
    testkit::seeds(300, |seed| {
        let mut rng = Rng::new(seed);
        let board = |rng: &mut Rng| {
            let large = [0, 0xcde, 0xccde, 0xdde, 0xf][rng.below(5) as usize];
            Packed::from_bits((rng.next_u64() & 0x7777_7777_7777_0000) | large)
        };
        let afters: Vec<Packed> = (0..rng.below(10)).map(|_| board(&mut rng)).collect();
        let value = |after: Packed| {
            let ranks = Board::from(after).ranks().to_vec();
            let large = ranks.into_iter().filter(|&rank| rank >= 12);
            let is_late = large.map(|rank| 1 << rank).sum::<u64>() >= 28_672;
            if is_late { networks.late.value(after) } else { networks.early.value(after) }
        };
        let expected: Vec<f32> = afters.iter().map(|&after| value(after)).collect();
        let single: Vec<f32> = afters.iter().map(|&after| networks.value(after)).collect();
        assert_eq!(single, expected);
        let mut values = vec![0.0; afters.len()];
        networks.values(&afters, &mut values);
        assert_eq!(values, expected, "{afters:?}");
        let mut fewer = [f32::MAX; 3];
        networks.values(&afters, &mut fewer);
        let n = afters.len().min(3);
        assert_eq!(fewer[..n], expected[..n]);
        assert_eq!(fewer[n..], [f32::MAX; 3][n..]);
        told += usize::from(single.iter().any(|&value| value != 0.0));
    });
    assert!(told > 100);
}

#[test]
fn the_value_is_the_sum_of_32_entries() {
    testkit::seeds(2_000, |seed| {
        let (_, network) = network();
        let mut rng = Rng::new(seed);
        let kinds = [4, 8, 16][rng.below(3) as usize];
        let cells: Vec<u8> = (0..16).map(|_| rng.below(kinds) as u8).collect();
        let board = Board::from_ranks(Size::CLASSIC, &cells).unwrap();
        let images = board.symmetries();
        let entries = images
            .iter()
            .flat_map(|image| (0..4).map(|i| network.weight(i, ranks(image, TUPLES[i]))));
        let sum: f64 = entries.map(|entry| f64::from(entry.unwrap())).sum();
        let value = network.value(Packed::try_from(&board).unwrap());
        assert!(
            (f64::from(value) - sum).abs() <= 1e-3 * (1.0 + sum.abs()),
            "{value} {sum} of {board:?}"
        );
    });
    let (_, network) = network();
    assert!(network.weight(0, [1, 2, 0, 0, 0, 0]).is_some());
    assert_eq!(network.weight(4, [0; 6]), None);
    assert_eq!(network.weight(0, [0, 0, 0, 0, 0, 16]), None);
}

#[test]
fn it_learns() {
    let mut learner = Learner::new(LearnerSettings::default(), 1).unwrap();
    while learner.curve().len() < 2 {
        learner.learn(50_000);
    }
    let [first, second] = learner.curve()[..2] else { unreachable!("two points") };
    assert!(second.score > 3 * first.score / 2, "{first:?} {second:?}");
    assert!(first.score / CurvePoint::GAMES > 5_000, "random play scores 1095: {first:?}");
    assert!(second.reached_2048 > first.reached_2048);
}

fn small_learner(games: u64) -> SmallLearner {
    let mut learner = SmallLearner::new(9);
    learner.learn_games(games);
    learner
}

#[test]
fn the_small_value_is_the_sum_of_64_entries_of_any_image() {
    let network = small_learner(30).network();
    let mut rng = Rng::new(2);
    on_each_level(|| {
        for kinds in [4, 8, 16].repeat(100) {
            let cells: [u8; 16] = std::array::from_fn(|_| rng.below(kinds) as u8);
            let board = Board::from_ranks(Size::CLASSIC, &cells).unwrap();
            let images = board.symmetries();
            let entries = images.iter().flat_map(|image| {
                SMALL_TUPLES
                    .iter()
                    .enumerate()
                    .map(|(i, &cells)| network.weight(i, ranks(image, cells)))
            });
            let sum: f64 = entries.map(|entry| f64::from(entry.unwrap())).sum();
            let [value, values @ ..] =
                images.map(|image| network.value(Packed::try_from(&image).unwrap()));
            assert!(
                (f64::from(value) - sum).abs() <= 1e-3 * (1.0 + sum.abs()),
                "{value} {sum} of {board:?}"
            );
            assert_eq!(values.map(f32::to_bits), [value.to_bits(); 7], "{board:?}");
        }
    });
    let tuples = SMALL_TUPLES.len();
    assert!(network.weight(tuples - 1, [15; 5]).is_some());
    assert_eq!(network.weight(tuples, [0; 5]), None);
    assert_eq!(network.weight(0, [0, 0, 0, 0, 16]), None);
}

#[test]
fn a_small_learner_learns_until_it_is_stopped() {
    let mut learner = SmallLearner::new(9);
    assert_eq!(learner.learn_games_until(u64::MAX, &testkit::stop_at(100)), Err(Stopped));
    assert_eq!(learner.games(), 100);
    assert!(learner.network() == small_learner(100).network());
    let first = learner.moves();
    learner.learn_games(300);
    // The next 300 games are longer: they take more than four times the moves of the first 100.
    assert!(
        learner.moves() - first > 4 * first,
        "{first} moves of 100 games, {} of 400",
        learner.moves()
    );
    learner.learn_games(700);
    let [point] = learner.curve() else { panic!("{:?}", learner.curve()) };
    assert!(point.score > 10_000 * CurvePoint::GAMES && point.reached_2048 > 100, "{point:?}");
}

#[test]
fn bad_small_network_files_are_refused() {
    let network = small_learner(20).network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(bytes.len() <= 2_000_000 && SmallNetwork::load(&bytes).unwrap() == network);
    assert_eq!(SmallNetwork::file_length(&bytes), Ok(bytes.len() as u64));
    refused(|bytes| SmallNetwork::load(bytes).err(), &bytes);
    assert_eq!(Network::load(&bytes).err(), Some(Error::FileName { expected: "2048-net" }));
}

#[test]
fn bad_files_of_networks_for_any_size_are_refused() {
    let mut learner = TupleLearner::new(Size::new(2, 3).unwrap(), 1);
    learner.learn_games(20);
    let network = learner.network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(TupleNetwork::load(&bytes).unwrap() == network);
    assert_eq!(TupleNetwork::file_length(&bytes), Ok(bytes.len() as u64));
    refused(|bytes| TupleNetwork::load(bytes).err(), &bytes);
}

#[test]
fn small_boards_are_played_almost_perfectly() {
    for (width, height, games, least) in [(2, 2, 2_000, 0.95), (2, 3, 20_000, 0.75)] {
        let size = Size::new(width, height).unwrap();
        let best = solve(size).unwrap().best_score;
        let mut learner = TupleLearner::new(size, 1);
        learner.learn_games(games);
        let point = learner.curve().last().expect("a point");
        let mean = point.score as f64 / CurvePoint::GAMES as f64;
        assert!(mean > least * best && mean < 1.05 * best, "{size:?}: {mean} of {best}");
    }
}

#[test]
fn settings_have_ranges() {
    let with = |concurrent_games, learning_rate| {
        let settings = LearnerSettings { concurrent_games, learning_rate, ..Default::default() };
        Learner::new(settings, 1).err()
    };
    assert_eq!(with(0, 1.0), Some(Error::ConcurrentGames));
    assert_eq!(with(65, 1.0), Some(Error::ConcurrentGames));
    assert_eq!(with(1, 0.0), Some(Error::LearningRate));
    assert_eq!(with(1, f32::NAN), Some(Error::LearningRate));
    assert_eq!(with(1, 1.5), Some(Error::LearningRate));
    for lambda in [-0.1, 1.1, f32::NAN] {
        let settings = LearnerSettings { lambda, ..LearnerSettings::default() };
        assert_eq!(Learner::new(settings, 1).err(), Some(Error::Lambda));
    }
}

/// Checks that `load` rejects the bytes after any change.
fn refused(load: impl Fn(&[u8]) -> Option<Error>, bytes: &[u8]) {
    assert_eq!(load(bytes), None, "as it was saved");
    let mut rng = Rng::new(1);
    let length = bytes.len() as u64;
    for cut in (0..60).chain([bytes.len() / 2, bytes.len() - 1]) {
        let error = load(&bytes[..cut]).unwrap_or_else(|| panic!("{cut} bytes were taken"));
        match cut {
            0 => assert!(matches!(error, Error::FileName { .. })),
            1..28 => assert_eq!(error, Error::FileLength { expected: 28, found: cut as u64 }),
            _ => assert_eq!(error, Error::FileLength { expected: length, found: cut as u64 }),
        }
    }
    let mut more = bytes.to_vec();
    more.push(0);
    assert_eq!(load(&more), Some(Error::FileLength { expected: length, found: length + 1 }));
    let mut flips: Vec<usize> = (0..8 * 40).chain(8 * (bytes.len() - 9)..8 * bytes.len()).collect();
    flips.extend((0..10).map(|_| (rng.next_u64() % (8 * length)) as usize));
    let mut changed = bytes.to_vec();
    for flip in flips {
        changed[flip / 8] ^= 1 << (flip % 8);
        let error = load(&changed).unwrap_or_else(|| panic!("bit {flip} doesn't matter"));
        match flip / 8 {
            0..8 => assert!(matches!(error, Error::FileName { .. }), "{flip}: {error}"),
            8..12 => assert!(matches!(error, Error::FileVersion { .. }), "{flip}: {error}"),
            12..20 => assert!(matches!(error, Error::FileLength { .. }), "{flip}: {error}"),
            _ => assert!(matches!(error, Error::FileChecksum { .. }), "{flip}: {error}"),
        }
        changed[flip / 8] ^= 1 << (flip % 8);
    }
}

#[test]
fn bad_learner_files_are_refused() {
    let mut learner = Learner::new(LearnerSettings::default(), 2).unwrap();
    learner.learn(20);
    refused(|bytes| Learner::load(bytes).err(), &saved(&learner));
    let network = learner.network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(bytes.len() <= 1 << 20);
    assert_eq!(Learner::load(&bytes).err(), Some(Error::FileName { expected: "2048-lrn" }));
}

#[test]
fn bad_network_files_are_refused() {
    let (learner, network) = network();
    let mut bytes = Vec::new();
    network.save(&mut |portion| bytes.extend_from_slice(portion));
    assert!(bytes.len() <= 64 << 20);
    assert!(Network::load(&bytes).unwrap() == *network);
    // Each change costs a checksum of 57 MiB, so try only a few.
    for cut in [0, 7, 27, 28, bytes.len() - 1] {
        assert!(Network::load(&bytes[..cut]).is_err());
    }
    for at in [0, 8, 12, 20, bytes.len() / 2, bytes.len() - 1] {
        bytes[at] ^= 0x10;
        assert!(Network::load(&bytes).is_err(), "{at}");
        bytes[at] ^= 0x10;
    }
    assert_eq!(
        Network::load(&saved(learner)).err(),
        Some(Error::FileName { expected: "2048-net" })
    );
}

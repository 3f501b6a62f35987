//! Checks the numbers in `tests/data`, each at every ISA level it depends on.

use bitcore::{Level, Rng};
use go_mc::{
    Game, Ko, Policy, Position, Rules, Size, Stats, Suicide, perft,
    playout::{SequentialPlayouts, SimdPlayouts, chain_playouts},
};
use std::fmt;
use std::str::FromStr;
use testkit::{Cost, on_each_level};

/// Returns the rows of a data file: cells between vertical bars, without comments.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('|').map(str::trim).collect())
}

fn read<T: FromStr<Err: fmt::Debug>>(cell: &str) -> T {
    cell.parse().unwrap_or_else(|error| panic!("{cell}: {error:?}"))
}

#[test]
fn move_sequences() {
    for row in rows(include_str!("data/perft.txt")) {
        let rules = Rules {
            ko: read::<Ko>(row[1]),
            suicide: read::<Suicide>(row[2]),
            ..read::<Size>(row[0]).into()
        };
        let game = Game::new(rules);
        let depth = row[4].split(' ').count();
        let name = format!("perft {} {} {} passes {}", row[0], row[1], row[2], row[3]);
        let counts = || {
            let nodes = perft::perft(
                &game,
                depth,
                if row[3] == "yes" { perft::Passes::Counted } else { perft::Passes::LeftOut },
            );
            nodes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
        };
        testkit::truth("go", "any", &name, Cost::Quick, &row[4].to_owned(), counts);
    }
}

#[test]
fn legal_positions() {
    for row in rows(include_str!("data/legal.txt")) {
        let size: Size = read(row[0]);
        let cost = if row[1] == "slow" { Cost::Slow } else { Cost::Quick };
        // 3^12 colorings take too long under an emulator.
        if size.points().len() > 9 && testkit::emulated() {
            continue;
        }
        let name = format!("legal positions {size}");
        testkit::truth("go", "any", &name, cost, &read::<u64>(row[2]), || {
            perft::legal_positions(size)
        });
    }
}

/// A measured mean with its standard error. Two estimates are equal if they differ by less than 4.5
/// standard errors of their difference. Seeds are fixed, so the outcome of a test never changes.
struct Estimate {
    mean: f64,
    error: f64,
}

impl PartialEq for Estimate {
    fn eq(&self, other: &Self) -> bool {
        (self.mean - other.mean).abs() < 4.5 * self.error.hypot(other.error)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4} +- {:.4}", self.mean, self.error)
    }
}

fn estimate(stats: &Stats, quantity: &str) -> Estimate {
    let frequency = |wins: u64| {
        let p = wins as f64 / stats.games as f64;
        Estimate { mean: p, error: (p * (1.0 - p) / stats.games as f64).sqrt() }
    };
    let sum = match quantity {
        "stones" => &stats.stones,
        "plies" => &stats.plies,
        "score" => &stats.score,
        "black" => &stats.black,
        "wins_k0" => return frequency(stats.black_leads),
        "wins_k7_5" => return frequency(stats.black_wins),
        _ => panic!("no such quantity: {quantity}"),
    };
    Estimate { mean: sum.mean(), error: sum.variance_of_mean().sqrt() }
}

fn play(size: usize, suicide: Suicide, games: usize) -> Stats {
    let generators = Rng::streams(2024).take(games);
    chain_playouts(Rules { suicide, ..Size::square(size).unwrap().into() }, generators).unwrap()
}

/// Checks the same quantities for SIMD playouts.
#[test]
fn statistics_of_playouts_in_lanes() {
    let games = if testkit::full_truth() { 2_000_000 } else { 50_000 }
        / if testkit::emulated() { 100 } else { 1 };
    on_each_level(|| {
        let level = Level::active().name();
        for suicide in [Suicide::Forbidden, Suicide::Multi] {
            let mut lanes = SimdPlayouts::<9>::new(suicide.into(), 2025).unwrap();
            let stats = lanes.play(&Position::EMPTY, games);
            for row in rows(include_str!("data/playouts.txt")) {
                if row[0] != "9" || read::<Suicide>(row[1]) != suicide || row[4] == "longest" {
                    continue;
                }
                let name = format!("lanes 9x9 {suicide}, {games} games: {}", row[4]);
                let expected = Estimate { mean: read(row[5]), error: read(row[6]) };
                let found = || estimate(&stats, row[4]);
                testkit::truth("go", level, &name, Cost::Quick, &expected, found);
            }
        }
    });
}

fn play_sequential(size: usize, policy: Policy, games: usize) -> Stats {
    fn run<const N: usize>(policy: Policy, games: usize) -> Stats {
        SequentialPlayouts::<N>::new(policy, 2026).unwrap().play(&Position::EMPTY, games as u64)
    }
    match size {
        9 => run::<9>(policy, games),
        19 => run::<19>(policy, games),
        _ => panic!("no row has size {size}"),
    }
}

/// Checks the same quantities for a larger number of sequential playouts, the fastest on 19 x 19.
#[test]
fn statistics_of_sequential_playouts() {
    let mut batch: Option<(String, Stats)> = None;
    for row in rows(include_str!("data/playouts.txt")) {
        let size = read::<usize>(row[0]);
        let suicide = read::<Suicide>(row[1]);
        if suicide == Suicide::All || row[4] == "longest" {
            continue;
        }
        let games: usize = if testkit::full_truth() {
            2 * read::<usize>(row[3])
        } else {
            4 * read::<usize>(row[2])
        };
        let games = if testkit::emulated() { games / 100 } else { games };
        // The rows of a batch are adjacent.
        let key = format!("{size}x{size} {suicide}, {games} games");
        let stats = match &batch {
            Some((last, stats)) if *last == key => *stats,
            _ => play_sequential(size, suicide.into(), games),
        };
        let name = format!("single {key}: {}", row[4]);
        batch = Some((key, stats));
        let expected = Estimate { mean: read(row[5]), error: read(row[6]) };
        testkit::truth("go", "any", &name, Cost::Quick, &expected, || estimate(&stats, row[4]));
    }
}

#[test]
fn statistics_of_random_games() {
    on_each_level(|| {
        let level = Level::active().name();
        let mut batch: Option<(String, Stats)> = None;
        for row in rows(include_str!("data/playouts.txt")) {
            let size = read::<usize>(row[0]);
            let suicide = read::<Suicide>(row[1]);
            let slow = testkit::full_truth();
            let mut games: usize = read(row[if slow { 3 } else { 2 }]);
            if testkit::emulated() {
                games /= 20;
            }
            // The rows of a batch are adjacent.
            let key = format!("{} {} {games}", row[0], row[1]);
            let stats = match &batch {
                Some((last, stats)) if *last == key => *stats,
                _ => play(size, suicide, games),
            };
            batch = Some((key, stats));
            assert_eq!(stats.games, games as u64);

            let name =
                format!("playouts {}x{} {}, {games} games: {}", row[0], row[0], row[1], row[4]);
            if row[4] == "longest" {
                let bound: u32 = read(row[5]);
                testkit::truth(
                    "go",
                    level,
                    &format!("{name} <= {bound}"),
                    Cost::Quick,
                    &true,
                    || (size * size) as u32 <= stats.longest && stats.longest <= bound,
                );
                continue;
            }
            let expected = Estimate { mean: read(row[5]), error: read(row[6]) };
            testkit::truth("go", level, &name, Cost::Quick, &expected, || estimate(&stats, row[4]));
        }
    });
}

//! [`Playtest`]: its intervals, exactly, and levels with a time limit.

use match3::level::{
    Agent, Goal, Level, LevelSpec, Limit, Playtest, PlaytestReport, SECONDS_PER_MOVE, Start, Target,
};

/// Returns the probability that the interval of a pass rate holds the true rate.
fn coverage(games: u64, rate: f64) -> f64 {
    // The probability of each number of won games, from the one before it.
    let mut weights = vec![1.0];
    for won in 0..games {
        let odds = (games - won) as f64 / (won + 1) as f64 * (rate / (1.0 - rate));
        weights.push(weights[won as usize] * odds);
    }
    let holds = |won: usize| {
        let mut report = PlaytestReport::default();
        (report.games, report.won) = (games, won as u64);
        let [_, low, high] = report.pass_rate().expect("games");
        low <= rate && rate <= high
    };
    let held: f64 = (0..weights.len()).filter(|&won| holds(won)).map(|won| weights[won]).sum();
    held / weights.iter().sum::<f64>()
}

#[test]
fn intervals_hold_the_true_rate_in_95_of_100_runs() {
    // The other half mirrors these.
    let rates = (0..100).map(|i| (f64::from(i) + 0.5) / 200.0);
    let held: Vec<f64> = rates.map(|rate| coverage(400, rate)).collect();
    let mean = held.iter().sum::<f64>() / 100.0;
    assert!((mean - 0.95).abs() < 0.002, "{mean}");
    let least = held.iter().copied().fold(1.0, f64::min);
    assert!(least > 0.91, "{least}");
    let most = held.iter().copied().fold(0.0, f64::max);
    assert!(most < 0.99, "{most}");
}

/// Without a clock, an agent would pass every level that it can't lose otherwise.
#[test]
fn a_time_limit_counts_as_moves() {
    let mut spec = LevelSpec::new(7, 7);
    spec.goals = vec![Goal { target: Target::Score, count: 1500 }];
    spec.bonus = 3;
    let report = |limit, bonus| {
        let spec = LevelSpec { limit, bonus, ..spec.clone() };
        Playtest::new(Level::new(spec).expect("a level"), Agent::Random, 1).play(60)
    };
    let timed = report(Limit::Time(12 * SECONDS_PER_MOVE), 3);
    assert_eq!(timed, report(Limit::Moves(12), 3 * SECONDS_PER_MOVE));
    assert_eq!(report(Limit::Time(12 * SECONDS_PER_MOVE - 1), 3), timed);
    assert!(0 < timed.won && timed.won < 60, "{timed:?}");
}

/// A cell that two goals still want is lost once.
#[test]
fn a_lost_game_counts_a_cell_once() {
    let mut spec = LevelSpec::new(7, 7);
    spec.limit = Limit::Moves(1);
    let wanted = |target| Goal { target, count: 1 };
    spec.goals = vec![wanted(Target::Jelly), wanted(Target::Crates)];
    spec.cells[48].jelly = 2;
    spec.cells[48].start = Start::Crate(3);
    let report = Playtest::new(Level::new(spec).expect("a level"), Agent::Random, 1).play(20);
    assert_eq!(report.won, 0);
    assert_eq!(report.lost_at[48], 20);
    assert_eq!(report.lost_at.iter().sum::<u64>(), 20);
}

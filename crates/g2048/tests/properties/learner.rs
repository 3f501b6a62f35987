//! A short run of a [`Learner`] on every ISA level: equal play.

use g2048::Learner;
use g2048::network::LearnerSettings;
use testkit::{Input, on_each_level};

pub(crate) fn run(input: &Input) {
    let settings = LearnerSettings {
        concurrent_games: 1 + input.below(5),
        learning_rate: f32::from(1 + input.byte() % 16) / 16.0,
        coherence: input.flag(),
        lambda: f32::from(input.byte()) / 255.0,
        games_per_restart: u64::from(input.byte() % 3),
        late_start: input.flag(),
    };
    let seed = u64::from(input.u16());
    let learner = || Learner::new(settings, seed).expect("settings in their ranges");
    let mut learners = Vec::new();
    on_each_level(|| learners.push(learner()));
    for _ in 0..4 {
        let rounds = u64::from(input.byte() % 32);
        // Learn each part on a different level.
        learners.rotate_left(1);
        let mut next = learners.iter_mut();
        on_each_level(|| next.next().expect("a learner for each level").learn(rounds));
        let told = |learner: &Learner| {
            let ends = learner.games() + learner.restarts();
            (learner.rounds(), learner.moves(), ends, learner.curve().len())
        };
        let told: Vec<_> = learners.iter().map(told).collect();
        assert!(told.iter().all(|found| *found == told[0]), "{told:?}");
        assert_eq!(told[0].1 + told[0].2, told[0].0 * settings.concurrent_games as u64);
    }
}

//! [`check_batch`]: the abilities that batches of all games share.

use bitcore::Rng;
use bitcore::batch::{Batch, BatchError, Games, IllegalAction, OtherRules, Seeds, StepBuffers};

/// A batch with the slices that it writes.
struct Player<G: Games> {
    batch: Batch<G>,
    slices: StepBuffers,
    actions: Vec<u32>,
}

/// The slices of one game after a step.
type Row = (Vec<u8>, i64, bool, bool, Vec<bool>);

impl<G: Games> Player<G> {
    fn new(mut batch: Batch<G>) -> Self {
        let mut slices = StepBuffers::new(batch.shape());
        batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
        let actions = vec![0; batch.len()];
        Self { batch, slices, actions }
    }

    fn sample(&mut self) {
        self.batch.sample_into(&mut self.actions).expect("one action of each game");
    }

    fn step(&mut self) -> Result<(), BatchError> {
        self.batch.step_into(&self.actions, self.slices.out())
    }

    fn random_step(&mut self) {
        self.batch.random_step_into(self.slices.out()).expect("slices that fit");
    }

    fn row(&self, game: usize) -> Row {
        let (cells, actions) = (self.batch.cells(), self.batch.actions());
        let slices = &self.slices;
        (
            slices.obs[cells * game..][..cells].to_vec(),
            slices.reward[game],
            slices.terminated[game],
            slices.truncated[game],
            slices.mask[actions * game..][..actions].to_vec(),
        )
    }

    /// Returns an action of the game that isn't legal.
    fn illegal(&self, game: usize) -> u32 {
        let mask = self.row(game).4;
        mask.iter().position(|&legal| !legal).unwrap_or(mask.len()) as u32
    }
}

/// Checks what no rule of a game decides: samples, illegal actions, limits of steps, states, seeds. `make`
/// creates a batch of a number of games of a seed, with a limit of at least ten steps or none.
///
/// # Panics
///
/// If a batch does anything else than its documentation says.
pub fn check_batch<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    // One game, a group and a part of one.
    for games in [1, G::TOGETHER + 3] {
        samples_are_random_steps(make, games);
        ignored_actions_change_nothing(make, games);
        illegal_actions_end_games(make, games);
    }
    limits_truncate(make);
    states_continue(make);
    seeds_of_each_game(make);
}

fn samples_are_random_steps<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>, games: usize) {
    let (mut one, mut other) = (Player::new(make(games, 5)), Player::new(make(games, 5)));
    for step in 0..60 {
        one.random_step();
        other.sample();
        for game in 0..games {
            assert!(other.row(game).4[other.actions[game] as usize], "step {step}, game {game}: legal");
        }
        other.step().expect("legal actions");
        assert_eq!(one.slices, other.slices, "step {step}");
    }
    assert_eq!(
        one.batch.sample_into(&mut vec![0; games + 1]).map_err(|error| error.to_string()),
        Err(format!("actions: {} elements, expected {games}", games + 1))
    );
}

fn ignored_actions_change_nothing<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>, games: usize) {
    let make = |illegal| Player::new(make(games, 6).with_illegal_action(illegal));
    let (mut ignoring, mut refusing) = (make(IllegalAction::Ignore), make(IllegalAction::Refuse));
    let mut rng = Rng::new(7);
    for step in 0..8 {
        let before: Vec<Row> = (0..games).map(|game| ignoring.row(game)).collect();
        // Drawn in another batch, so that the streams of this one don't move.
        let mut legal = Player::new(ignoring.batch.clone());
        copy_states(&mut legal.batch, &ignoring.batch);
        legal.sample();
        ignoring.actions.copy_from_slice(&legal.actions);
        let ignored: Vec<bool> = (0..games).map(|_| rng.below(3) == 0).collect();
        for game in (0..games).filter(|&game| ignored[game]) {
            ignoring.actions[game] = if step % 2 == 0 { ignoring.illegal(game) } else { u32::MAX };
        }
        refusing.actions.copy_from_slice(&ignoring.actions);
        copy_states(&mut refusing.batch, &ignoring.batch);
        if let Some(game) = ignored.iter().position(|&ignored| ignored) {
            let action = refusing.actions[game];
            let slices = refusing.slices.clone();
            assert_eq!(refusing.step(), Err(BatchError::Illegal { game, action }), "step {step}");
            assert_eq!(refusing.slices, slices, "step {step}");
        }
        ignoring.step().expect("nothing is refused");
        for game in (0..games).filter(|&game| ignored[game]) {
            let (mut obs, _, _, _, mask) = before[game].clone();
            // A budget of moves is the one thing that an ignored action spends.
            G::write_steps(ignoring.batch.rules(), step + 1, &mut obs);
            let row = ignoring.row(game);
            assert_eq!((row.1, row.2, row.3), (0, false, false), "step {step}, game {game}");
            assert_eq!((row.0, row.4), (obs, mask), "step {step}, game {game}");
        }
        assert_eq!(ignoring.batch.steps(0), Some(step + 1), "an ignored action is a step");
    }
}

/// Copies every game of a batch into another.
fn copy_states<G: Games>(to: &mut Batch<G>, from: &Batch<G>) {
    for game in 0..from.len() {
        let state = from.state(game).expect("a game");
        to.set_state(game, &state).expect("the same rules");
    }
}

fn illegal_actions_end_games<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>, games: usize) {
    let mut player = Player::new(make(games, 8).with_illegal_action(IllegalAction::End));
    player.random_step();
    let before: Vec<Row> = (0..games).map(|game| player.row(game)).collect();
    player.sample();
    for game in (0..games).step_by(2) {
        player.actions[game] = player.illegal(game);
    }
    player.step().expect("nothing is refused");
    for game in (0..games).step_by(2) {
        let (_, reward, terminated, truncated, _) = player.row(game);
        assert_eq!((reward, terminated, truncated), (0, true, false), "game {game}");
        let mut last = vec![0; player.batch.cells()];
        assert!(player.batch.final_obs_into(game, &mut last));
        let mut expected = before[game].0.clone();
        G::write_steps(player.batch.rules(), 2, &mut expected);
        assert_eq!(last, expected, "game {game}: the position in which the action was illegal");
        assert_eq!(player.batch.steps(game), Some(0));
    }
}

fn limits_truncate<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let limit = 4u32.try_into().ok();
    let mut player = Player::new(make(3, 9).with_step_limit(limit));
    for step in 1..=12 {
        let before: Vec<_> = (0..3).map(|game| player.batch.steps(game)).collect();
        player.random_step();
        for (game, before) in before.into_iter().enumerate() {
            let (_, _, terminated, truncated, _) = player.row(game);
            assert_eq!(truncated, before == Some(3) && !terminated, "step {step}, game {game}");
        }
    }
}

fn states_continue<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let games = G::TOGETHER + 2;
    let (mut from, mut to) = (Player::new(make(games, 10)), Player::new(make(games, 11)));
    for _ in 0..7 {
        from.random_step();
        to.random_step();
    }
    // Into other places, and over a border of groups.
    let places = [(0, games - 1), (games - 1, 1), (games / 2, 0)];
    for (source, target) in places {
        let state = from.batch.state(source).expect("a game");
        to.batch.set_state(target, &state).expect("the same rules");
    }
    to.batch.write_into(&mut to.slices.obs, &mut to.slices.mask).expect("slices that fit");
    for step in 0..40 {
        for (source, target) in places {
            let (expected, found) = (from.row(source), to.row(target));
            assert_eq!((expected.0, expected.4), (found.0, found.4), "step {step}, {source} to {target}");
            assert_eq!(from.batch.steps(source), to.batch.steps(target), "step {step}");
        }
        from.random_step();
        to.random_step();
        for (source, target) in places {
            assert_eq!(from.row(source), to.row(target), "step {step}, {source} to {target}");
        }
    }
    assert!(from.batch.state(games).is_none() && from.batch.game(games).is_none());
}

/// Checks that a state of other rules is refused.
///
/// # Panics
///
/// If it isn't, or if the refusal changes the batch.
pub fn check_other_rules<G: Games>(batch: &mut Batch<G>, other: &Batch<G>) {
    let before = Player::new(batch.clone()).slices;
    let state = other.state(0).expect("a game");
    assert_eq!(batch.set_state(0, &state), Err(OtherRules));
    assert_eq!(Player::new(batch.clone()).slices, before);
}

fn seeds_of_each_game<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let mut batch = make(3, 1);
    let error = batch.set_seeds(Seeds::Each(vec![1, 2])).expect_err("two seeds of three games");
    assert_eq!(error.to_string(), "seeds: 2 elements, expected 3");
    batch.set_seeds(Seeds::Each(vec![12, 13, 12])).expect("one of each");
    let mut each = Player::new(batch);
    let mut alone = [Player::new(make(1, 12)), Player::new(make(1, 13))];
    for _ in 0..30 {
        each.random_step();
        for (alone, game) in alone.iter_mut().zip(0..) {
            alone.random_step();
            assert_eq!(alone.row(0), each.row(game), "game {game}");
        }
        assert_eq!(each.row(0), each.row(2));
    }
}

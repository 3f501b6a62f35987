//! [`check_batch`]: the abilities that batches of all games share.

use bitcore::batch::{
    Autoreset, Batch, BatchError, GameState, Games, IllegalAction, OtherRules, Seeds, StepBuffers,
    TooManyGames, WrongLength,
};
use bitcore::{Level, Rng};
use std::fmt::{Debug, Display};
use std::ops::Range;

#[derive(Clone)]
struct Player<G: Games> {
    batch: Batch<G>,
    slices: StepBuffers,
    actions: Vec<u32>,
}

/// A function that gives one of the slices another length.
type Resize = fn(&mut StepBuffers, usize);

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

    fn choose_first_legal(&mut self) {
        let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or(0) as u32;
        self.actions = self.slices.mask.chunks(self.batch.actions()).map(first).collect();
    }

    /// Checks that a step is refused, and that it writes nothing.
    fn refuse(&mut self, error: BatchError) {
        let before = self.slices.clone();
        assert_eq!(self.step(), Err(error));
        assert_eq!(self.slices, before, "{error}");
    }

    fn reset_some(&mut self, which: &[bool]) {
        let StepBuffers { obs, mask, .. } = &mut self.slices;
        self.batch.reset_some_into(which, obs, mask).expect("slices that fit");
    }

    /// Returns everything that a game is, with the state of its stream.
    fn state(&self, game: usize) -> String {
        format!("{:?}", self.batch.state(game))
    }

    fn has_final_obs(&self, game: usize) -> bool {
        self.batch.final_obs_into(game, &mut vec![0; self.batch.cells()])
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

    fn illegal(&self, game: usize) -> u32 {
        let mask = self.row(game).4;
        mask.iter().position(|&legal| !legal).unwrap_or(mask.len()) as u32
    }
}

/// Checks what no rule of a game decides: samples, refusals, illegal actions, limits of steps, restarts,
/// states, seeds, and that a game depends neither on its batch nor on the level. `make` creates a batch of a
/// number of games of a seed, with a limit of at least 30 steps or none.
///
/// # Panics
///
/// If a batch does anything else than its documentation says.
pub fn check_batch<G: Games + 'static>(make: &dyn Fn(Level, usize, u64) -> Batch<G>) {
    fn is_send<T: Send + 'static>(_: &T) {}
    is_send(&make(Level::PORTABLE, 1, 1));
    let alone = course(make(Level::PORTABLE, 1, 8));
    assert!(alone.iter().any(|&(_, _, terminated, truncated, _)| terminated || truncated));
    for level in crate::levels() {
        for games in [1, 2, G::TOGETHER + 13] {
            assert_eq!(course(make(level, games, 8)), alone, "{level}, {games} games");
        }
        let make = &|games, seed| make(level, games, seed);
        // One game, a group and a part of one.
        for games in [1, G::TOGETHER + 3] {
            samples_are_random_steps(make, games);
            ignored_actions_change_nothing(make, games);
            illegal_actions_end_games(make, games);
        }
        refused_steps_change_nothing(make);
        limits_truncate(make);
        resets_begin_the_streams_again(make);
        chosen_games_are_reset(make);
        restarts_keep_the_games(make);
        states_continue(make);
        seeds_of_each_game(make);
        no_game(make(0, 1));
    }
}

/// Returns the slices of the first game in the course of random and chosen steps.
fn course<G: Games>(batch: Batch<G>) -> Vec<Row> {
    let mut player = Player::new(batch.with_step_limit(25.try_into().ok()));
    let mut step = |step| {
        if step % 3 == 0 {
            player.random_step();
        } else {
            player.choose_first_legal();
            player.step().expect("legal actions");
        }
        player.row(0)
    };
    (0..60).map(&mut step).collect()
}

fn no_game<G: Games>(mut batch: Batch<G>) {
    assert!(batch.is_empty());
    let mut none = StepBuffers::default();
    assert_eq!(batch.reset_into(&mut [], &mut []), Ok(()));
    assert_eq!(batch.step_into(&[], none.out()), Ok(()));
    assert_eq!(batch.random_step_into(none.out()), Ok(()));
    assert_eq!(batch.reset_some_into(&[], &mut [], &mut []), Ok(()));
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
        for game in 0..games {
            assert_eq!(one.state(game), other.state(game), "step {step}");
        }
    }
}

fn refused_steps_change_nothing<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let games = G::TOGETHER + 3;
    let mut player = Player::new(make(games, 8));
    // Until a game of each group has an illegal action.
    let blocked = loop {
        player.random_step();
        let blocked = |mut games: Range<usize>| games.find(|&game| player.row(game).4.contains(&false));
        if let (Some(first), Some(last)) = (blocked(0..G::TOGETHER), blocked(G::TOGETHER..games)) {
            break [first, last];
        }
    };
    player.choose_first_legal();
    let (mut twin, legal) = (player.clone(), player.actions.clone());
    let wrong = blocked.map(|game| (game, player.illegal(game)));
    let actions = player.batch.actions() as u32;
    for (game, action) in [wrong[0], wrong[1], (games - 1, actions), (0, u32::MAX)] {
        player.actions[game] = action;
        player.refuse(BatchError::Illegal { game, action });
        player.actions.clone_from(&legal);
    }
    // The first of several illegal actions is named.
    for (game, action) in wrong {
        player.actions[game] = action;
    }
    let (game, action) = wrong[0];
    player.refuse(BatchError::Illegal { game, action });
    player.actions.clone_from(&legal);

    let length = |slice, expected, found| Err(BatchError::Length(WrongLength { slice, expected, found }));
    player.actions.pop();
    let short = length("actions", games, games - 1);
    assert_eq!(player.batch.sample_into(&mut player.actions), short);
    assert_eq!(player.step(), short);
    player.actions.clone_from(&legal);
    let StepBuffers { obs, mask, .. } = &mut player.slices;
    assert_eq!(player.batch.reset_some_into(&[true], obs, mask), length("which", games, 1));
    let shape = player.batch.shape();
    let slices: [(&str, usize, Resize); 5] = [
        ("obs", games * shape.cells, |slices, n| slices.obs.resize(n, 0)),
        ("reward", games, |slices, n| slices.reward.resize(n, 0)),
        ("terminated", games, |slices, n| slices.terminated.resize(n, false)),
        ("truncated", games, |slices, n| slices.truncated.resize(n, false)),
        ("mask", games * shape.actions, |slices, n| slices.mask.resize(n, false)),
    ];
    for (slice, expected, resize) in slices {
        for found in [expected - 1, expected + 1] {
            let mut wrong = player.slices.clone();
            resize(&mut wrong, found);
            let (before, error) = (wrong.clone(), length(slice, expected, found));
            assert_eq!(player.batch.step_into(&legal, wrong.out()), error);
            assert_eq!(player.batch.random_step_into(wrong.out()), error);
            if ["obs", "mask"].contains(&slice) {
                assert_eq!(player.batch.reset_into(&mut wrong.obs, &mut wrong.mask), error);
            }
            assert_eq!(wrong, before);
        }
    }
    // The games haven't changed either: they continue like those without the refused calls.
    for player in [&mut player, &mut twin] {
        player.step().expect("legal actions");
    }
    for step in 0..30 {
        assert_eq!(player.slices, twin.slices, "step {step}");
        player.random_step();
        twin.random_step();
    }
}

fn resets_begin_the_streams_again<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let games = G::TOGETHER + 3;
    let mut player = Player::new(make(games, 8).with_step_limit(5.try_into().ok()));
    let start = player.slices.clone();
    let run = |player: &mut Player<G>| {
        (0..17).for_each(|_| player.random_step());
        player.slices.clone()
    };
    let reset = |player: &mut Player<G>, seed| {
        player.batch.set_seeds(Seeds::One(seed)).expect("one seed");
        player.batch.reset_into(&mut player.slices.obs, &mut player.slices.mask).expect("slices that fit");
    };
    let first = run(&mut player);
    assert_ne!(first.obs, start.obs);
    assert!((0..games).all(|game| player.has_final_obs(game)));
    player.slices.obs.fill(99);
    reset(&mut player, 8);
    assert_eq!((&player.slices.obs, &player.slices.mask), (&start.obs, &start.mask));
    assert!((0..games).all(|game| !player.has_final_obs(game)));
    assert!((0..games).all(|game| player.batch.steps(game) == Some(0)));
    assert_eq!(run(&mut player), first);
    reset(&mut player, 9);
    assert_ne!(run(&mut player), first);
    reset(&mut player, 8);
    assert_eq!(run(&mut player), first);
}

fn chosen_games_are_reset<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    let games = G::TOGETHER + 3;
    let mut player = Player::new(make(games, 8));
    player.random_step();
    let before: Vec<Row> = (0..games).map(|game| player.row(game)).collect();
    let which: Vec<bool> = (0..games).map(|game| [1, games - 2].contains(&game)).collect();
    player.reset_some(&which);
    for (game, before) in before.into_iter().enumerate() {
        assert_eq!(player.row(game).0 != before.0, which[game], "game {game}");
        assert_eq!(player.batch.steps(game), Some(u32::from(!which[game])));
        // A game that was cut short in its middle has no final observation.
        assert!(!player.has_final_obs(game));
    }
}

/// Steps a batch by random moves. Returns, game by game, each observation with the reward of the move before
/// it, `None` for the first observation of a game.
fn histories<G: Games>(
    batch: &Batch<G>,
    autoreset: Autoreset,
    steps: u32,
) -> Vec<Vec<(Vec<u8>, Option<i64>)>> {
    let mut player = Player::new(batch.clone().with_autoreset(autoreset));
    let games = batch.len();
    let mut histories: Vec<_> = (0..games).map(|game| vec![(player.row(game).0, None)]).collect();
    let mut over = vec![false; games];
    for _ in 0..steps {
        player.random_step();
        for game in 0..games {
            let (obs, reward, terminated, truncated, mask) = player.row(game);
            let ended = terminated || truncated;
            match (autoreset, ended) {
                (Autoreset::SameStep, true) => {
                    let mut last = vec![0; batch.cells()];
                    assert!(player.batch.final_obs_into(game, &mut last));
                    histories[game].extend([(last, Some(reward)), (obs, None)]);
                }
                (Autoreset::NextStep, false) if over[game] => {
                    assert_eq!(reward, 0);
                    histories[game].push((obs, None));
                }
                _ => histories[game].push((obs, Some(reward))),
            }
            assert_eq!(!mask.contains(&true), ended && autoreset != Autoreset::SameStep);
            over[game] = ended;
        }
        if autoreset == Autoreset::Disabled
            && let Some(game) = over.iter().position(|&over| over)
        {
            let before = player.clone();
            let error = BatchError::Finished { game };
            player.refuse(error);
            assert_eq!(player.batch.random_step_into(player.slices.out()), Err(error));
            player.reset_some(&over);
            for game in 0..games {
                if over[game] {
                    histories[game].push((player.row(game).0, None));
                } else {
                    assert_eq!(player.row(game), before.row(game));
                }
            }
        }
    }
    histories
}

fn restarts_keep_the_games<G: Games>(make: &dyn Fn(usize, u64) -> Batch<G>) {
    for (limit, steps) in [(13, 45), (u32::MAX, 70)] {
        let batch = make(G::TOGETHER + 1, 8).with_step_limit(limit.try_into().ok());
        let same = histories(&batch, Autoreset::SameStep, steps);
        for autoreset in [Autoreset::NextStep, Autoreset::Disabled] {
            let other = histories(&batch, autoreset, steps);
            for (game, (same, other)) in same.iter().zip(&other).enumerate() {
                let starts = other.iter().filter(|(_, reward)| reward.is_none()).count();
                assert!(starts > 3 || limit > 13, "game {game} was restarted");
                // A mode that takes a step to restart has come less far.
                let common = same.len().min(other.len());
                assert_eq!(same[..common], other[..common], "{autoreset:?}, game {game}");
            }
        }
    }
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
    (0..7).for_each(|_| from.random_step());
    (0..4).for_each(|_| to.random_step());
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
            assert_eq!(from.state(source), to.state(target), "step {step}, {source} to {target}");
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

/// Checks that saved batches and states play on: `batch_again` and `state_again` save a value and read it.
///
/// # Panics
///
/// If a game differs.
pub fn check_saved<G: Games>(
    batch: &Batch<G>,
    batch_again: impl Fn(&Batch<G>) -> Batch<G>,
    state_again: impl Fn(&GameState<G>) -> GameState<G>,
) {
    for mode in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let mut one = Player::new(batch.clone().with_autoreset(mode));
        for _ in 0..25 {
            let mut two = one.clone();
            two.batch = batch_again(&one.batch);
            for place in 0..two.batch.len() {
                let mut last = [vec![0; two.batch.cells()], vec![0; two.batch.cells()]];
                let [mine, theirs] = &mut last;
                assert_eq!(one.batch.final_obs_into(place, mine), two.batch.final_obs_into(place, theirs));
                assert_eq!(mine, theirs);
                let state = one.batch.state(place).expect("a game");
                if place % 2 == 0 {
                    two.batch.set_state(place, &state_again(&state)).expect("the same rules");
                }
            }
            two.batch.write_into(&mut two.slices.obs, &mut two.slices.mask).expect("slices that fit");
            assert_eq!(two.slices, one.slices);
            let mut three = one.clone();
            for _ in 0..5 {
                for player in [&mut two, &mut three] {
                    let which: Vec<bool> = player
                        .slices
                        .mask
                        .chunks(player.batch.actions())
                        .map(|mask| !mask.contains(&true))
                        .collect();
                    if mode == Autoreset::Disabled {
                        let StepBuffers { obs, mask, .. } = &mut player.slices;
                        player.batch.reset_some_into(&which, obs, mask).expect("slices that fit");
                    }
                    player.batch.random_step_into(player.slices.out()).expect("a running game");
                }
                assert_eq!(two.slices, three.slices);
            }
            one = three;
        }
        // The seeds and starts are saved, too.
        let mut two = Player::new(batch_again(&one.batch));
        one = Player::new(one.batch);
        assert_eq!(two.slices, one.slices);
        two.batch.random_step_into(two.slices.out()).expect("running games");
        one.batch.random_step_into(one.slices.out()).expect("running games");
        assert_eq!(two.slices, one.slices);
    }
}

/// Checks that numbers of games which no memory holds are refused by the `error` of a game.
///
/// # Panics
///
/// If they aren't.
pub fn check_too_many<G: Games, E: Debug + Display + PartialEq>(
    new: impl Fn(usize) -> Result<Batch<G>, E>,
    error: impl Fn(TooManyGames) -> E,
) {
    // A petabyte is beyond addresses of 32 bits.
    let large = usize::try_from(1u64 << 50).unwrap_or(usize::MAX / 8);
    for games in [usize::MAX, usize::MAX / 64, large] {
        let found = new(games).map(|_| ()).expect_err("no such memory");
        assert_eq!(found.to_string(), format!("{games} games: more than memory can hold"));
        assert_eq!(found, error(TooManyGames { games }));
    }
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

/// Checks that batches do the same on several threads: `$batch` for up to `$steps` steps.
///
/// A macro, since only a test with the feature `parallel` has the functions that it calls.
#[macro_export]
macro_rules! check_parallel_batch {
    ($batch:expr, $steps:expr) => {{
        let (batch, steps): (_, u32) = ($batch, $steps);
        for threads in [1, 2, 3, 7] {
            let pool = ::bitcore::ThreadPool::new(threads.try_into().expect("a number of threads"));
            let (mut one, mut several) = (batch.clone(), batch.clone());
            let mut expected = ::bitcore::batch::StepBuffers::new(batch.shape());
            let (mut found, mut actions) = (expected.clone(), vec![9; batch.len()]);
            for step in 0..steps {
                if step % 16 == 0 {
                    one.reset_into(&mut expected.obs, &mut expected.mask).expect("slices that fit");
                    let reset = several.reset_into_parallel(&pool, &mut found.obs, &mut found.mask);
                    reset.expect("slices that fit");
                } else if step % 2 == 0 {
                    one.random_step_into(expected.out()).expect("slices that fit");
                    several.random_step_into_parallel(&pool, found.out()).expect("slices that fit");
                } else {
                    one.sample_into(&mut actions).expect("an action of each game");
                    let mut same = vec![9; batch.len()];
                    several.sample_into_parallel(&pool, &mut same).expect("an action of each game");
                    assert_eq!(actions, same);
                    if step % 3 == 0 && same.len() > 4 {
                        // The first of three illegal actions is named, whichever thread sees it.
                        same[batch.len() - 3..].copy_from_slice(&[u32::MAX, u32::MAX - 1, u32::MAX - 2]);
                        let error = several.clone().step_into_parallel(&pool, &same, found.clone().out());
                        assert_eq!(error, one.clone().step_into(&same, expected.clone().out()));
                    }
                    one.step_into(&actions, expected.out()).expect("legal actions");
                    several.step_into_parallel(&pool, &actions, found.out()).expect("legal actions");
                }
                assert_eq!(found, expected, "step {step}");
                let state = |batch: &_, game| format!("{:?}", ::bitcore::batch::Batch::state(batch, game));
                assert!((0..batch.len()).all(|game| state(&one, game) == state(&several, game)));
            }
        }
    }};
}

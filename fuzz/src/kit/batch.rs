//! Batches of any game: in every mode of restart, on every level, against games that are stepped one by one;
//! and with slices and actions that don't fit.

use super::Input;
use bitcore::batch::{Autoreset, Batch, BatchError, Games, StepBuffers};
use bitcore::{Level, Rng};

type Result = std::result::Result<(), BatchError>;

/// A game of a batch by plain rules, on its own stream.
pub(crate) trait Plain {
    type Games: Games;
    fn observation(&self) -> Vec<u8>;
    /// Returns the legal actions in the order in which a random step draws one.
    fn legal(&self) -> Vec<u32>;
    fn rng(&mut self) -> &mut Rng;
    fn start(&mut self);
    /// Plays a legal action. Returns its points, and whether the game was terminated or truncated by it.
    fn play(&mut self, action: u32) -> (i64, bool, bool);
    /// Checks what else a batch tells about the game and the action of its last step.
    fn assert_is(&self, _found: <Self::Games as Games>::View<'_>, _action: Option<u32>) {}
}

/// A place of a batch: its game, and what is left of the one before.
struct Place<P> {
    game: P,
    finished: bool,
    last: Option<Vec<u8>>,
    action: Option<u32>,
}

impl<P: Plain> Place<P> {
    fn legal(&self) -> Vec<u32> {
        if self.finished { Vec::new() } else { self.game.legal() }
    }

    fn restart(&mut self) {
        if std::mem::take(&mut self.finished) {
            self.last = Some(self.game.observation());
        }
        self.action = None;
        self.game.start();
    }

    /// Plays an action, or starts the next game after one that has ended.
    fn step(&mut self, autoreset: Autoreset, action: u32) -> (i64, bool, bool) {
        if self.finished {
            self.restart();
            return (0, false, false);
        }
        let (reward, terminated, truncated) = self.game.play(action);
        self.finished = terminated || truncated;
        if self.finished && autoreset == Autoreset::SameStep {
            self.restart();
        }
        self.action = Some(action);
        (reward, terminated, truncated)
    }
}

fn autoreset(input: &Input) -> Autoreset {
    *input.pick(&[Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled])
}

/// Steps the batches of all levels, of games of the streams of a seed. `new` creates the game of a stream.
pub(crate) fn stepped<P: Plain>(
    input: &Input,
    steps: usize,
    batches: Vec<Batch<P::Games>>,
    seed: u64,
    new: impl Fn(Rng) -> P,
) {
    let autoreset = autoreset(input);
    let mut batches: Vec<_> = batches.into_iter().map(|batch| batch.with_autoreset(autoreset)).collect();
    let shape = batches[0].shape();
    let place = |rng| Place { game: new(rng), finished: false, last: None, action: None };
    let begin = || Rng::streams(seed).take(shape.games).map(place).collect::<Vec<_>>();
    let (mut places, mut buffers) = (Vec::new(), StepBuffers::new(shape));
    for step in 0..=steps {
        if step > 0 && input.is_empty() {
            break;
        }
        let kind = if step == 0 { 0 } else { input.below(8) };
        if kind == 0 {
            places = begin();
        }
        // One number chooses for all games, so that short programs have many steps.
        let mut rng = Rng::new(input.byte().into());
        let legal: Vec<Vec<u32>> = places.iter().map(Place::legal).collect();
        let mut choose = |legal: &Vec<u32>| {
            let number = rng.next_u64() as usize;
            legal.get(number % legal.len().max(1)).copied().unwrap_or(number as u32)
        };
        let mut actions: Vec<u32> = legal.iter().map(&mut choose).collect();
        let which: Vec<bool> = places.iter().map(|_| rng.below(2) == 1).collect();
        if kind == 3 && shape.games > 0 {
            actions[input.below(shape.games)] = input.size() as u32;
        }
        let run = |batch: &mut Batch<P::Games>, buffers: &mut StepBuffers| match kind {
            0 => batch.reset_into(&mut buffers.obs, &mut buffers.mask),
            1 => batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask),
            2 => batch.random_step_into(buffers.out()),
            _ => batch.step_into(&actions, buffers.out()),
        };
        let waits = places.iter().position(|place| place.finished && autoreset == Autoreset::Disabled);
        let is_illegal = |&i: &usize| !places[i].finished && !legal[i].contains(&actions[i]);
        let expected = match (waits, (0..shape.games).find(is_illegal)) {
            (Some(game), _) if kind > 1 => Err(BatchError::Finished { game }),
            (_, Some(game)) if kind > 2 => Err(BatchError::Illegal { game, action: actions[game] }),
            _ => Ok(()),
        };
        let mut after = buffers.clone();
        for (i, place) in places.iter_mut().enumerate().filter(|_| expected.is_ok()) {
            match kind {
                1 if which[i] => place.restart(),
                0 | 1 => {}
                _ => {
                    let action = match kind {
                        2 if !place.finished => {
                            legal[i][place.game.rng().below(legal[i].len() as u32) as usize]
                        }
                        _ => actions[i],
                    };
                    let row = place.step(autoreset, action);
                    (after.reward[i], after.terminated[i], after.truncated[i]) = row;
                }
            }
        }
        if expected.is_ok() {
            after.obs = places.iter().flat_map(|place| place.game.observation()).collect();
            let mask = |place: &Place<P>| {
                let legal = place.legal();
                (0..shape.actions as u32).map(move |action| legal.contains(&action))
            };
            after.mask = places.iter().flat_map(mask).collect();
        }
        for (level, batch) in Level::all().zip(&mut batches) {
            if kind == 4 {
                assert_lengths(batch, &actions, &buffers);
            }
            let mut found = buffers.clone();
            assert_eq!(run(batch, &mut found), expected, "{level}, {:?}", batch.rules());
            assert_eq!(found, after, "{level}, {:?}", batch.rules());
            for (i, place) in places.iter().enumerate() {
                let mut last = vec![99; shape.cells];
                assert_eq!(batch.final_obs_into(i, &mut last), place.last.is_some());
                assert_eq!(&last, place.last.as_ref().unwrap_or(&vec![99; shape.cells]));
                place.game.assert_is(batch.game(i).expect("a game of the batch"), place.action);
            }
        }
        buffers = after;
    }
}

/// Checks that slices which are too long or too short are refused. What follows shows that nothing has changed.
fn assert_lengths<G: Games>(batch: &mut Batch<G>, actions: &[u32], buffers: &StepBuffers) {
    let mut other = buffers.clone();
    other.mask.push(false);
    assert!(matches!(batch.random_step_into(other.out()), Err(BatchError::Length(_))));
    assert!(matches!(batch.reset_into(&mut other.obs, &mut other.mask), Err(BatchError::Length(_))));
    if let Some((_, fewer)) = actions.split_last() {
        other.clone_from(buffers);
        assert!(matches!(batch.step_into(fewer, other.out()), Err(BatchError::Length(_))));
        other.reward.pop();
        assert!(matches!(batch.step_into(actions, other.out()), Err(BatchError::Length(_))));
    }
}

/// Hands actions and slices of any length to a batch: what is refused changes no slice.
pub(crate) fn refused_slices<G: Games>(input: &Input, batch: Batch<G>) {
    let mut batch = batch.with_autoreset(autoreset(input));
    let mut buffers = StepBuffers::new(batch.shape());
    assert_eq!(batch.reset_into(&mut buffers.obs, &mut buffers.mask), Ok(()));
    let mut unchanged = |buffers: &mut StepBuffers,
                         run: &dyn Fn(&mut Batch<G>, &mut StepBuffers) -> Result| {
        let before = buffers.clone();
        if run(&mut batch, buffers).is_err() {
            assert_eq!(*buffers, before);
        }
    };
    let n = if input.flag() { buffers.reward.len() } else { input.below(6) };
    let actions = input.list(n, || input.u16().into());
    unchanged(&mut buffers, &|batch, buffers| batch.step_into(&actions, buffers.out()));
    buffers.obs.resize(input.size() % 4096, 0);
    buffers.mask.resize(input.size() % 4096, false);
    let which = input.list(input.below(6), || input.flag());
    unchanged(&mut buffers, &|batch, buffers| {
        batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask)
    });
    unchanged(&mut buffers, &|batch, buffers| batch.random_step_into(buffers.out()));
}

//! [`check_batch`]: the behavior common to all batches, tested by a program of calls against games played one
//! by one.

use crate::{Input, on_each_level};
use bitcade_core::batch::{
    Autoreset, Batch, BatchError, Element, Format, FormatError, GameState, Games, IllegalAction,
    LegalLists, OneHot, OtherRules, Seeds, Shape, StepBuffers, TooManyGames, WrongLength,
};
use bitcore::Rng;
use std::fmt::{Debug, Display};
use std::num::NonZeroU32;

type Result = std::result::Result<(), BatchError>;

/// A reference game, on its own stream, with plain rules.
pub trait Plain: Clone {
    /// The batched games under test.
    type Games: Games;

    /// Returns the observation.
    fn observation(&self) -> Vec<u8>;

    /// Returns the number of elements of a plane of the observation, or `None` if it has no planes.
    fn plane(&self) -> Option<usize>;

    /// Returns the legal actions, in the order that random steps draw from.
    fn legal(&self) -> Vec<u32>;

    /// Returns the stream.
    fn rng(&mut self) -> &mut Rng;

    /// Starts the next game on the stream.
    fn start(&mut self);

    /// Plays a legal action; the game is truncated after it if `is_last`. Returns its points, and
    /// whether it ended the game by the rules.
    fn play(&mut self, action: u32, is_last: bool) -> (i64, bool);

    /// Spends a step without a move. Returns `true` if it ended the game by the rules.
    fn wait(&mut self) -> bool {
        false
    }

    /// Checks the rest of a batch's view of the game, including the action of its last step.
    fn assert_is(&self, _found: <Self::Games as Games>::View<'_>, _action: Option<u32>) {}

    /// Checks the afterstates of the lists, which are those of these games: no actions for a game
    /// that awaits its restart.
    fn assert_afterstates(_games: &[(&Self, &[u32])], _lists: &LegalLists<'_, Self::Games>) {}
}

/// The calls with parallel variants, and the saving of batches and states. By default
/// single-threaded, without saving.
pub trait Calls<G: Games> {
    /// Calls [`Batch::reset_into`].
    ///
    /// # Errors
    ///
    /// See the batch's method.
    fn reset(&self, batch: &mut Batch<G>, out: &mut StepBuffers) -> Result {
        batch.reset_into(&mut out.obs, &mut out.mask)
    }

    /// Calls [`Batch::sample_into`].
    ///
    /// # Errors
    ///
    /// See the batch's method.
    fn sample(&self, batch: &mut Batch<G>, actions: &mut [u32]) -> Result {
        batch.sample_into(actions)
    }

    /// Calls [`Batch::step_into`].
    ///
    /// # Errors
    ///
    /// See the batch's method.
    fn step(&self, batch: &mut Batch<G>, actions: &[u32], out: &mut StepBuffers) -> Result {
        batch.step_into(actions, out.out())
    }

    /// Calls [`Batch::random_step_into`].
    ///
    /// # Errors
    ///
    /// See the batch's method.
    fn random_step(&self, batch: &mut Batch<G>, out: &mut StepBuffers) -> Result {
        batch.random_step_into(out.out())
    }

    /// Calls `check` with [`Batch::legal_lists`].
    fn lists(&self, batch: &Batch<G>, check: &dyn Fn(&LegalLists<'_, G>)) {
        check(&batch.legal_lists());
    }

    /// Saves and reloads a batch.
    fn saved(&self, batch: &Batch<G>) -> Batch<G> {
        batch.clone()
    }

    /// Saves and reloads a game's state.
    fn saved_state(&self, state: &GameState<G>) -> GameState<G> {
        state.clone()
    }
}

/// Single-threaded calls.
#[derive(Clone, Copy, Debug)]
pub struct OneThread;

impl<G: Games> Calls<G> for OneThread {}

/// Defines `Threads`, [`Calls`] on a thread pool.
///
/// A macro, since the functions it calls only exist with the test's feature `parallel`.
#[macro_export]
macro_rules! calls_on_threads {
    () => {
        struct Threads(::bitcade_core::ThreadPool);

        impl<G: ::bitcade_core::batch::Games> ::testkit::Calls<G> for Threads {
            fn reset(
                &self,
                batch: &mut ::bitcade_core::batch::Batch<G>,
                out: &mut ::bitcade_core::batch::StepBuffers,
            ) -> Result<(), ::bitcade_core::batch::BatchError> {
                batch.reset_into_parallel(&self.0, &mut out.obs, &mut out.mask)
            }

            fn sample(
                &self,
                batch: &mut ::bitcade_core::batch::Batch<G>,
                actions: &mut [u32],
            ) -> Result<(), ::bitcade_core::batch::BatchError> {
                batch.sample_into_parallel(&self.0, actions)
            }

            fn step(
                &self,
                batch: &mut ::bitcade_core::batch::Batch<G>,
                actions: &[u32],
                out: &mut ::bitcade_core::batch::StepBuffers,
            ) -> Result<(), ::bitcade_core::batch::BatchError> {
                batch.step_into_parallel(&self.0, actions, out.out())
            }

            fn random_step(
                &self,
                batch: &mut ::bitcade_core::batch::Batch<G>,
                out: &mut ::bitcade_core::batch::StepBuffers,
            ) -> Result<(), ::bitcade_core::batch::BatchError> {
                batch.random_step_into_parallel(&self.0, out.out())
            }

            fn lists(
                &self,
                batch: &::bitcade_core::batch::Batch<G>,
                check: &dyn Fn(&::bitcade_core::batch::LegalLists<'_, G>),
            ) {
                check(&batch.legal_lists_parallel(&self.0));
            }
        }
    };
}

/// Defines `ThroughJson`, [`Calls`] that save batches and states as JSON.
///
/// A macro, since serialization only exists with the test's feature `serde`.
#[macro_export]
macro_rules! calls_through_json {
    () => {
        struct ThroughJson;

        fn through_json<T: ::serde::Serialize + ::serde::de::DeserializeOwned>(value: &T) -> T {
            let text = ::serde_json::to_string(value).expect("a form");
            ::serde_json::from_str(&text).expect("what was written is read")
        }

        impl<G: ::bitcade_core::batch::Games> ::testkit::Calls<G> for ThroughJson
        where
            ::bitcade_core::batch::Batch<G>: ::serde::Serialize + ::serde::de::DeserializeOwned,
            ::bitcade_core::batch::GameState<G>: ::serde::Serialize + ::serde::de::DeserializeOwned,
        {
            fn saved(
                &self,
                batch: &::bitcade_core::batch::Batch<G>,
            ) -> ::bitcade_core::batch::Batch<G> {
                through_json(batch)
            }

            fn saved_state(
                &self,
                state: &::bitcade_core::batch::GameState<G>,
            ) -> ::bitcade_core::batch::GameState<G> {
                through_json(state)
            }
        }
    };
}

/// A place of a batch: its game, and the remains of the previous one.
#[derive(Clone)]
struct Place<P> {
    game: P,
    steps: u32,
    finished: bool,
    last: Option<Vec<u8>>,
    action: Option<u32>,
}

/// How a batch handles ends and illegal actions.
#[derive(Clone, Copy, Debug)]
struct Ways {
    autoreset: Autoreset,
    illegal: IllegalAction,
    limit: Option<NonZeroU32>,
}

impl<P: Plain> Place<P> {
    fn new(game: P) -> Self {
        Self { game, steps: 0, finished: false, last: None, action: None }
    }

    fn legal(&self) -> Vec<u32> {
        if self.finished { Vec::new() } else { self.game.legal() }
    }

    fn restart(&mut self) {
        if std::mem::take(&mut self.finished) {
            self.last = Some(self.game.observation());
        }
        (self.steps, self.action) = (0, None);
        self.game.start();
    }

    fn step(&mut self, ways: Ways, action: u32) -> (i64, bool, bool) {
        if self.finished {
            self.restart();
            return (0, false, false);
        }
        self.steps += 1;
        let is_last = ways.limit.is_some_and(|limit| self.steps >= limit.get());
        let played = self.game.legal().contains(&action).then_some(action);
        let (reward, terminated) = match played {
            Some(action) => self.game.play(action, is_last),
            None => (0, self.game.wait() || ways.illegal == IllegalAction::End),
        };
        let truncated = is_last && !terminated;
        self.finished = terminated || truncated;
        if self.finished && ways.autoreset == Autoreset::SameStep {
            self.restart();
        }
        self.action = played;
        (reward, terminated, truncated)
    }
}

#[derive(Clone, Debug)]
enum Call {
    Reset,
    ResetSome(Vec<bool>),
    RandomStep,
    Step(Vec<u32>),
    /// Sampling, then a step with the sampled actions.
    Sample,
    /// Copies the game of one place to another.
    SetState([usize; 2]),
    Save,
}

fn streams(seeds: &Seeds, games: usize) -> Vec<Rng> {
    match seeds {
        Seeds::One(seed) => Rng::streams(*seed).take(games).collect(),
        Seeds::Each(seeds) => seeds.iter().copied().map(Rng::new).collect(),
    }
}

/// Runs a program of up to `most` calls on batches with the streams of `seed`, and on plain games.
/// `batch` creates a batch, `new` the game of a stream; `limit` is the rules' step limit.
///
/// There is one batch per level, and it runs each call on a different level than the previous call.
/// The input chooses the batches' handling of ends and illegal actions; `calls` makes the calls.
///
/// # Panics
///
/// If a batch deviates from its documentation.
pub fn check_batch<P: Plain>(
    input: &Input<'_>,
    most: usize,
    calls: &dyn Calls<P::Games>,
    (seed, limit): (u64, Option<NonZeroU32>),
    batch: impl Fn() -> Batch<P::Games>,
    new: impl Fn(Rng) -> P,
) {
    let options = usize::from(input.byte());
    let ways = Ways {
        autoreset: [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled][options % 3],
        illegal: [IllegalAction::Refuse, IllegalAction::Ignore, IllegalAction::End]
            [options / 3 % 3],
        limit: if options / 9 % 2 == 0 { limit } else { NonZeroU32::new(options as u32 / 18) },
    };
    let with_ways = |batch: Batch<P::Games>| {
        let batch = if options / 9 % 2 == 0 { batch } else { batch.with_step_limit(ways.limit) };
        batch.with_autoreset(ways.autoreset).with_illegal_action(ways.illegal)
    };
    let mut batches = Vec::new();
    on_each_level(|| batches.push(with_ways(batch())));
    let shape = batches[0].shape();
    let mut seeds = Seeds::One(seed);
    let begin = |seeds: &Seeds| -> Vec<_> {
        streams(seeds, shape.games).into_iter().map(|rng| Place::new(new(rng))).collect()
    };
    let mut places = begin(&seeds);
    let mut buffers = StepBuffers::new(shape);
    let mut repeats = 0;
    for number in 0..=most {
        if number > 0 && repeats == 0 && input.is_empty() {
            break;
        }
        // 0 is a reset, which must be the first call.
        let kind = if number == 0 {
            0
        } else if repeats > 0 {
            repeats -= 1;
            2
        } else {
            input.below(16)
        };
        // A single number chooses for all games, so short programs get many steps.
        let mut rng = Rng::new(input.byte().into());
        let legal: Vec<Vec<u32>> = places.iter().map(Place::legal).collect();
        let mut choose = |legal: &Vec<u32>| {
            let number = rng.next_u64() as usize;
            legal.get(number % legal.len().max(1)).copied().unwrap_or(number as u32)
        };
        let mut actions: Vec<u32> = legal.iter().map(&mut choose).collect();
        let which: Vec<bool> = places.iter().map(|_| rng.below(2) == 1).collect();
        let any_place = || input.below(shape.games.max(1));
        let call = match kind {
            0 => Call::Reset,
            1 => Call::ResetSome(which),
            2 => Call::RandomStep,
            3 | 10 if shape.games > 0 => {
                for _ in 0..=input.below(3) {
                    actions[any_place()] = input.size() as u32;
                }
                Call::Step(actions)
            }
            8 => Call::Sample,
            9 if shape.games > 0 => Call::SetState([any_place(), any_place()]),
            11 => Call::Save,
            12 => {
                repeats = 1 + input.below(40);
                Call::RandomStep
            }
            13 => {
                seeds = if input.flag() {
                    Seeds::Each(places.iter().map(|_| rng.next_u64() % 8).collect())
                } else {
                    Seeds::One(rng.next_u64())
                };
                Call::Sample
            }
            _ => Call::Step(actions),
        };
        if kind == 4 {
            for batch in &mut batches {
                assert_lengths(input, batch, &buffers);
            }
        }
        let before = buffers.clone();
        let sampled = if let Call::Reset = call {
            places = begin(&seeds);
            None
        } else {
            drawn(&call, &mut places)
        };
        let expected = run_plain(&call, ways, &mut places, sampled.as_deref(), &mut buffers);
        if expected.is_ok() {
            write_plain(&places, shape, &mut buffers);
        }
        batches.rotate_left(1);
        let mut next = batches.iter_mut();
        on_each_level(|| {
            let batch = next.next().expect("as many batches as levels");
            batch.set_seeds(seeds.clone()).expect("seeds of all games");
            let mut found = before.clone();
            let text = format!("{ways:?}, {:?}, {call:?}", batch.rules());
            assert_eq!(
                run(&call, calls, batch, &mut found, sampled.as_deref()),
                expected,
                "{text}"
            );
            assert_eq!(found, buffers, "{text}");
            assert_places(batch, &places, &text);
            // Plain afterstates take as long as many steps.
            let with_afterstates = number % 8 == 0;
            calls.lists(batch, &|lists| assert_lists(lists, &places, with_afterstates, &text));
            if let Some(place) = places.first() {
                assert_format(batch, place.game.plane(), &mut rng, &text);
            }
        });
    }
}

/// Compares observations in a drawn format with the game's own, which consist of planes of this
/// many elements.
fn assert_format<G: Games>(batch: &Batch<G>, plane: Option<usize>, rng: &mut Rng, text: &str) {
    let (raw, mask) = observed(batch);
    let cells = batch.cells();
    let first = rng.below(4) as u8;
    let planes = 1 + rng.below(40) as u8;
    let format: Format<G::Layout> = Format {
        one_hot: (rng.below(2) == 1).then_some(OneHot { first, planes }),
        channels_last: rng.below(2) == 1,
        element: if rng.below(2) == 1 { Element::U8 } else { Element::F32 },
        ..Format::default()
    };
    let formatted = match batch.clone().with_format(format) {
        Ok(formatted) => formatted,
        Err(error) => {
            assert_eq!(error, FormatError::NoPlanes, "{format:?}, {text}");
            assert!(
                plane.is_none() && (format.one_hot.is_some() || format.channels_last),
                "{text}"
            );
            return;
        }
    };
    let plane = plane.unwrap_or(cells);
    let expected: Vec<u8> =
        raw.chunks_exact(cells).flat_map(|row| plain_format(&format, plane, row)).collect();
    assert_eq!(observed(&formatted), (expected.clone(), mask), "{format:?}, {text}");
    let each = formatted.cells();
    let actions = formatted.actions();
    let mut obs = vec![0; expected.len()];
    let mut mask = vec![false; actions * batch.len()];
    if let Some(game) = batch.len().checked_sub(1) {
        formatted
            .write_some_into(&[game], &mut obs, &mut mask)
            .expect("slices of the right lengths");
        assert_eq!(obs[each * game..], expected[each * game..], "{format:?}, {text}");
        assert!(obs[..each * game].iter().all(|&byte| byte == 0), "{format:?}, {text}");
    }
}

fn observed<G: Games>(batch: &Batch<G>) -> (Vec<u8>, Vec<bool>) {
    let shape = batch.shape();
    let mut obs = vec![0; shape.games * shape.cells];
    let mut mask = vec![false; shape.games * shape.actions];
    batch.write_into(&mut obs, &mut mask).expect("slices of the right lengths");
    (obs, mask)
}

/// Transforms one observation as [`Format`] documents it.
fn plain_format<L>(format: &Format<L>, plane: usize, row: &[u8]) -> Vec<u8> {
    let mut planes: Vec<Vec<u8>> = row.chunks_exact(plane).map(<[u8]>::to_vec).collect();
    if let Some(OneHot { first, planes: count }) = format.one_hot {
        let cells = planes.remove(0);
        for k in (0..count).rev() {
            let value = first + k;
            let is_one = |&cell: &u8| cell == value || (k == count - 1 && cell > value);
            planes.insert(0, cells.iter().map(|cell| u8::from(is_one(cell))).collect());
        }
    }
    let elements: Vec<u8> = if format.channels_last {
        (0..plane).flat_map(|cell| planes.iter().map(move |plane| plane[cell])).collect()
    } else {
        planes.concat()
    };
    match format.element {
        Element::U8 => elements,
        Element::F32 => {
            elements.iter().flat_map(|&element| f32::from(element).to_ne_bytes()).collect()
        }
    }
}

/// Draws the actions of a sample: one for each running game, 0 for the others.
fn drawn<P: Plain>(call: &Call, places: &mut [Place<P>]) -> Option<Vec<u32>> {
    let Call::Sample = call else { return None };
    let draw = |place: &mut Place<P>| {
        let legal = place.legal();
        if legal.is_empty() {
            0
        } else {
            legal[place.game.rng().below(legal.len() as u32) as usize]
        }
    };
    Some(places.iter_mut().map(draw).collect())
}

fn run_plain<P: Plain>(
    call: &Call,
    ways: Ways,
    places: &mut [Place<P>],
    sampled: Option<&[u32]>,
    out: &mut StepBuffers,
) -> Result {
    let actions = match call {
        Call::Reset | Call::Save => return Ok(()),
        Call::ResetSome(which) => {
            let chosen = places.iter_mut().zip(which).filter(|&(_, &which)| which);
            chosen.for_each(|(place, _)| place.restart());
            return Ok(());
        }
        &Call::SetState([from, to]) => {
            let state = Place { last: places[to].last.clone(), ..places[from].clone() };
            places[to] = state;
            return Ok(());
        }
        Call::Step(actions) => Some(&actions[..]),
        Call::Sample => sampled,
        Call::RandomStep => None,
    };
    if ways.autoreset == Autoreset::Disabled
        && let Some(game) = places.iter().position(|place| place.finished)
    {
        return Err(BatchError::Finished { game });
    }
    if let Some(actions) = actions
        && ways.illegal == IllegalAction::Refuse
    {
        let is_illegal =
            |&i: &usize| !places[i].finished && !places[i].legal().contains(&actions[i]);
        if let Some(game) = (0..places.len()).find(is_illegal) {
            return Err(BatchError::Illegal { game, action: actions[game] });
        }
    }
    let random = if actions.is_none() { drawn(&Call::Sample, places) } else { None };
    let actions = actions.or(random.as_deref()).unwrap_or_default();
    for (i, place) in places.iter_mut().enumerate() {
        let reward;
        (reward, out.terminated[i], out.truncated[i]) = place.step(ways, actions[i]);
        out.reward[i] = reward as f32;
    }
    Ok(())
}

fn write_plain<P: Plain>(places: &[Place<P>], shape: Shape, out: &mut StepBuffers) {
    out.obs = places.iter().flat_map(|place| place.game.observation()).collect();
    let mask = |place: &Place<P>| {
        let legal = place.legal();
        (0..shape.actions as u32).map(move |action| legal.contains(&action))
    };
    out.mask = places.iter().flat_map(mask).collect();
}

fn run<G: Games>(
    call: &Call,
    calls: &dyn Calls<G>,
    batch: &mut Batch<G>,
    out: &mut StepBuffers,
    sampled: Option<&[u32]>,
) -> Result {
    match call {
        Call::Reset => calls.reset(batch, out),
        Call::ResetSome(which) => batch.reset_some_into(which, &mut out.obs, &mut out.mask),
        Call::RandomStep => calls.random_step(batch, out),
        Call::Step(actions) => calls.step(batch, actions, out),
        Call::Sample => {
            let mut actions = vec![99; batch.len()];
            calls.sample(batch, &mut actions)?;
            assert_eq!(Some(&actions[..]), sampled);
            calls.step(batch, &actions, out)
        }
        &Call::SetState([from, to]) => {
            let state = calls.saved_state(&batch.state(from).expect("a game"));
            batch.write_into(&mut out.obs, &mut out.mask)?;
            batch.set_state(to, &state).expect("the same rules");
            batch.write_some_into(&[to], &mut out.obs, &mut out.mask)
        }
        Call::Save => {
            *batch = calls.saved(batch);
            batch.write_into(&mut out.obs, &mut out.mask)
        }
    }
}

fn assert_places<P: Plain>(batch: &Batch<P::Games>, places: &[Place<P>], context: &str) {
    let none = vec![99; batch.cells()];
    for (i, place) in places.iter().enumerate() {
        let mut last = none.clone();
        assert_eq!(batch.final_obs_into(i, &mut last), place.last.is_some(), "{context}, game {i}");
        assert_eq!(&last, place.last.as_ref().unwrap_or(&none), "{context}, game {i}");
        assert_eq!(batch.steps(i), Some(place.steps), "{context}, game {i}");
        place.game.assert_is(batch.game(i).expect("a game of the batch"), place.action);
    }
    let n = places.len();
    assert_eq!(batch.len(), n);
    assert_eq!(batch.is_empty(), n == 0);
    assert_eq!(batch.steps(n), None);
    assert!(batch.state(n).is_none() && batch.game(n).is_none());
}

fn assert_lists<P: Plain>(
    lists: &LegalLists<'_, P::Games>,
    places: &[Place<P>],
    with_afterstates: bool,
    context: &str,
) {
    // Games may draw from their legal actions in another order.
    let ascending = |place: &Place<P>| {
        let mut legal = place.legal();
        legal.sort_unstable();
        legal
    };
    let expected: Vec<Vec<u32>> = places.iter().map(ascending).collect();
    let mut actions = vec![99; expected.iter().map(Vec::len).sum()];
    assert_eq!(lists.len(), actions.len(), "{context}");
    assert_eq!(lists.is_empty(), actions.is_empty(), "{context}");
    assert_eq!(lists.actions_into(&mut actions), Ok(()), "{context}");
    assert_eq!(lists.offsets()[0], 0, "{context}");
    assert_eq!(lists.offsets().len(), places.len() + 1, "{context}");
    let found: Vec<&[u32]> =
        lists.offsets().windows(2).map(|ends| &actions[ends[0]..ends[1]]).collect();
    assert_eq!(found, expected, "{context}");
    let error = WrongLength { slice: "actions", expected: actions.len(), found: actions.len() + 1 };
    assert_eq!(lists.actions_into(&mut vec![99; error.found]), Err(error.into()), "{context}");
    if with_afterstates {
        let games: Vec<(&P, &[u32])> = places.iter().map(|place| &place.game).zip(found).collect();
        P::assert_afterstates(&games, lists);
    }
}

/// Checks that a slice that is too long or too short is refused by its name. The following calls
/// verify that nothing has changed.
fn assert_lengths<G: Games>(input: &Input<'_>, batch: &mut Batch<G>, buffers: &StepBuffers) {
    let mut wrong = buffers.clone();
    let n = input.size() % 4096;
    let games = buffers.reward.len();
    let (slice, expected) = match input.below(7) {
        0 => ("obs", buffers.obs.len()),
        1 => ("reward", games),
        2 => ("terminated", games),
        3 => ("truncated", games),
        4 => ("mask", buffers.mask.len()),
        5 => ("actions", games),
        _ => ("which", games),
    };
    // Usually off by one.
    let found =
        if n.is_multiple_of(3) { n } else { expected.saturating_add(n % 3 * 2).saturating_sub(3) };
    if found == expected {
        return;
    }
    match slice {
        "obs" => wrong.obs.resize(found, 9),
        "reward" => wrong.reward.resize(found, 9.0),
        "terminated" => wrong.terminated.resize(found, true),
        "truncated" => wrong.truncated.resize(found, true),
        "mask" => wrong.mask.resize(found, true),
        _ => {}
    }
    let resized = wrong.clone();
    let error = Err(BatchError::Length(WrongLength { slice, expected, found }));
    let actions = vec![0; if slice == "actions" { found } else { games }];
    let which = vec![true; if slice == "which" { found } else { games }];
    if slice == "actions" {
        assert_eq!(batch.sample_into(&mut actions.clone()), error);
    }
    if slice != "which" {
        assert_eq!(batch.step_into(&actions, wrong.out()), error);
    }
    if !["actions", "which"].contains(&slice) {
        assert_eq!(batch.random_step_into(wrong.out()), error);
    }
    if ["obs", "mask"].contains(&slice) {
        assert_eq!(batch.reset_into(&mut wrong.obs, &mut wrong.mask), error);
        assert_eq!(batch.write_into(&mut wrong.obs, &mut wrong.mask), error);
        assert_eq!(batch.write_some_into(&[], &mut wrong.obs, &mut wrong.mask), error);
    }
    if ["obs", "mask", "which"].contains(&slice) {
        assert_eq!(batch.reset_some_into(&which, &mut wrong.obs, &mut wrong.mask), error);
    }
    assert_eq!(wrong, resized);
    let each = Seeds::Each(vec![1; games + 1]);
    let error = batch.set_seeds(each).expect_err("too many seeds").to_string();
    assert_eq!(error, format!("seeds: {} elements, expected {games}", games + 1));
}

/// Checks that a batch is `Send` and refuses the state of `other` rules, and that `new` refuses
/// numbers of games that don't fit into memory, with the game's `error`.
///
/// # Panics
///
/// If a check fails.
pub fn check_refusals<G: Games + 'static, E: Debug + Display + PartialEq>(
    [mut batch, other]: [Batch<G>; 2],
    new: impl Fn(usize) -> std::result::Result<Batch<G>, E>,
    error: impl Fn(TooManyGames) -> E,
) {
    fn is_send<T: Send + 'static>(_: &T) {}
    is_send(&batch);
    let before = format!("{batch:?}");
    assert_eq!(batch.set_state(0, &other.state(0).expect("a game")), Err(OtherRules));
    assert_eq!(format!("{batch:?}"), before);
    // A petabyte exceeds 32-bit addresses.
    let large = usize::try_from(1u64 << 50).unwrap_or(usize::MAX / 8);
    for games in [usize::MAX, usize::MAX / 64, large] {
        let found = new(games).map(|_| ()).expect_err("no such memory");
        assert_eq!(found.to_string(), format!("{games} games: more than memory can hold"));
        assert_eq!(found, error(TooManyGames { games }));
    }
}

//! Every entry of `bitcore` for foreign text and numbers.

use crate::kit::Input;
use bitcore::batch::{Shape, StepBuffers, WrongLength};
use bitcore::{Level, Moments, ParseLevelError, Rng, Rng32};

pub(crate) fn doors(data: &[u8]) {
    let input = Input::new(data);
    match input.below(4) {
        0 => level(&input.text()),
        1 => shape(&input),
        2 => states(&input),
        _ => moments(&input),
    }
}

fn level(text: &str) {
    match text.parse::<Level>() {
        Ok(level) => {
            assert!(text == "auto" || level.to_string() == text);
            assert_eq!(level.to_string().parse(), Ok(level));
            assert!(Level::all().any(|other| other == level));
        }
        Err(ParseLevelError::Absent(name)) => {
            assert_eq!(text, name);
            assert!(Level::all().all(|level| level.name() != name));
        }
        Err(error) => assert_eq!(error, ParseLevelError::Unknown),
    }
}

/// Shapes of any size: lengths that overflow fit no slice, and no memory is asked for them.
fn shape(input: &Input) {
    let shape = Shape { games: input.size(), cells: input.size(), actions: input.size() };
    let lengths = [input.below(64), input.below(8), input.below(8), input.below(8), input.below(64)];
    let [obs, reward, terminated, truncated, mask] = lengths;
    let mut buffers = StepBuffers {
        obs: vec![0; obs],
        reward: vec![0; reward],
        terminated: vec![false; terminated],
        truncated: vec![false; truncated],
        mask: vec![false; mask],
    };
    let wide = |each: usize| each as u128 * shape.games as u128;
    let needed = [wide(shape.cells), wide(1), wide(1), wide(1), wide(shape.actions)];
    let names = ["obs", "reward", "terminated", "truncated", "mask"];
    let first = (0..5).find(|&i| needed[i] != lengths[i] as u128);
    let error = |i: usize| {
        let expected = usize::try_from(needed[i]).unwrap_or(usize::MAX);
        Err(WrongLength { slice: names[i], expected, found: lengths[i] })
    };
    assert_eq!(shape.check_step(&buffers.out()), first.map_or(Ok(()), error));
    let of_reset = [0, 4].into_iter().find(|&i| needed[i] != lengths[i] as u128);
    assert_eq!(shape.check_reset(&buffers.obs, &buffers.mask), of_reset.map_or(Ok(()), error));
    assert_eq!(shape.check_actions(&vec![0; reward]).is_ok(), shape.games == reward);
    assert_eq!(shape.check_which(&buffers.terminated).is_ok(), shape.games == terminated);
    // At most half a MiB, or refused before memory is asked for.
    let together = 1 + input.below(40);
    let most = needed.iter().copied().max().unwrap_or(0).max(8 * wide(1));
    let fits = most <= isize::MAX as u128;
    if shape.games < 1 << 16 || !fits {
        let reserved = shape.reserve_games::<u64>(together);
        assert_eq!(reserved.is_ok(), fits, "{shape:?}");
        assert!(reserved.map_or(0, |states| states.capacity()) <= 1 << 16);
    }
    if shape.cells > 0 && shape.actions > 0 {
        let together = 1 + input.size() % (usize::MAX - 1);
        let (mut cells, mut flags) = (0, 0);
        for part in buffers.out().split(shape, together) {
            cells += part.obs.len();
            flags += part.mask.len();
        }
        assert!(cells <= obs && flags <= mask);
    }
}

fn states(input: &Input) {
    let state = [input.u64(), input.u64(), input.u64(), input.u64()];
    match Rng::from_state(state) {
        Some(mut rng) => {
            assert_eq!(rng.state(), state);
            let mut words = [[0; 4]; 4];
            let lane = input.below(4);
            rng.store_lane(&mut words, lane);
            assert_eq!(Rng::from_lane(&words, lane), Some(rng.clone()));
            let n = input.u32();
            let drawn = rng.below(n);
            assert!(drawn < n || n == 0 && drawn == 0);
        }
        None => assert_eq!(state, [0; 4]),
    }
    let n = input.u32();
    let drawn = Rng32::stream(input.u64(), input.u64()).below(n);
    assert!(drawn < n || n == 0 && drawn == 0);
}

fn moments(input: &Input) {
    let numbers: Vec<i64> = (0..input.below(20)).map(|_| input.u64() as i64 >> input.below(64)).collect();
    let numbers: Vec<i64> = numbers.iter().map(|number| number >> 2).collect();
    let of = |numbers: &[i64]| {
        let mut moments = Moments::default();
        for &number in numbers {
            moments.add(number);
        }
        moments
    };
    let at = input.below(numbers.len() + 1);
    let mut sum = of(&numbers[..at]);
    sum += of(&numbers[at..]);
    assert_eq!(sum, of(&numbers));
    assert_eq!((sum.count, sum.sum), (numbers.len() as u64, numbers.iter().map(|&n| i128::from(n)).sum()));
    for number in
        [sum.mean(), sum.variance(), sum.variance_of_mean(), sum.standard_deviation(), sum.standard_error()]
    {
        assert!(number.is_finite());
    }
    assert!(sum.variance() >= 0.0);
}

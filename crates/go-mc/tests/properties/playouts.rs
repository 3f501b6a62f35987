//! Playouts from positions derived from the input, compared with their definitions.

use super::batch::starts;
use super::values::{COLORS, SUICIDES, fill, point, square};
use bitcore::Rng;
use go_mc::playout::{
    BoardSize, GameResult, HasChainPlayouts, HasSimdPlayouts, Playout, SequentialPlayouts, SimdPlayouts,
    chain_playout,
};
use go_mc::reference::{FooGo, light_playout, sequential_playout, simd_playout};
use go_mc::{
    Board, Chains, Color, Komi, Ownership, Playouts, Points, Policy, Position, Rules, Size, Stats, Suicide,
    dead_stones, seki_stones,
};
use testkit::{Input, on_each_level};

const LIGHT: [Policy; 2] = [Policy::NoSuicide, Policy::MultiSuicide];

/// Takes a position after moves of either color: random moves, moves from the input, or both. On 5x5 it often
/// has a ko, which such moves rarely leave.
fn position<const N: usize>(input: &Input) -> (Board, Position<N>) {
    let size = Size::new(N, N).expect("a size");
    let mut board = Board::new(size);
    let choice = input.byte();
    let mut color = COLORS[usize::from(choice) % 2];
    if choice >= 128 {
        fill(&mut board, &mut Rng::new(input.u32().into()));
    }
    // After many moves there is rarely a ko.
    let most = if choice >= 144 { 0 } else { input.byte() };
    for _ in input.steps(most.into()) {
        if input.below(8) > 0 {
            color = color.other();
        }
        // An illegal move only uses up input.
        let _ = board.play(color, point(input, size), Suicide::Multi);
    }
    if N == 5 && choice >= 224 {
        (board, color) = starts().swap_remove(usize::from(choice) % 6);
    }
    let position = Position::new(&board, color.other()).expect("the board's size");
    let position = if input.below(4) == 0 { position.after_pass() } else { position };
    (board, position)
}

pub(crate) fn simd(input: &Input) {
    let (policy, seed, games) = (*input.pick(&LIGHT), input.u64(), input.byte());
    // Occasionally more games than lanes.
    let games = if games >= 248 { 40 } else { u64::from(games) % 2 };
    if input.below(32) == 0 {
        simd_of::<13>(input, policy, seed, games.min(4));
    } else {
        simd_of::<9>(input, policy, seed, games);
    }
}

fn sum<const N: usize>(playouts: &[Playout<N>]) -> Stats {
    let mut sum = Stats::default();
    for playout in playouts {
        sum.add(&playout.result, Komi::default());
    }
    sum
}

fn simd_of<const N: usize>(input: &Input, policy: Policy, seed: u64, games: u64)
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    let (_, start) = position::<N>(input);
    let expected: Vec<_> = (0..games).map(|number| simd_playout(&start, policy, seed, number)).collect();
    let new = || SimdPlayouts::<N>::new(policy, seed).expect("a light policy");
    on_each_level(|| {
        let (mut playouts, mut played) = (new(), Vec::new());
        for portion in [games / 3, games - games / 3] {
            playouts.play_each(&start, portion, |game| played.push(*game));
            assert_eq!(played.len() as u64, playouts.next_number());
        }
        played.sort_by_key(|game| game.number);
        assert_eq!(played, expected);
        assert_eq!(new().play(&start, games), sum(&expected));
    });
}

pub(crate) fn sequential(input: &Input) {
    match input.below(64) {
        0 => sequential_of::<19>(input),
        1 => sequential_of::<13>(input),
        2..8 => sequential_of::<9>(input),
        8 => sequential_of::<2>(input),
        _ => sequential_of::<5>(input),
    }
}

fn sequential_of<const N: usize>(input: &Input) {
    let (choice, seed) = (input.byte(), input.u64());
    let policy = LIGHT[usize::from(choice) % 2];
    let (_, start) = position::<N>(input);
    let new = || SequentialPlayouts::<N>::new(policy, seed).expect("a light policy");
    let games = if choice < 128 { 1 + u64::from(N < 13) } else { 1 + 400 / (N * N) as u64 };
    let expected: Vec<_> =
        (0..games).map(|number| sequential_playout(&start, policy, seed, number)).collect();
    let (mut playouts, mut played) = (new(), Vec::new());
    for portion in [games / 3, games - games / 3] {
        playouts.play_each(&start, portion, |game| played.push(*game));
        assert_eq!(played.len() as u64, playouts.next_number());
    }
    assert_eq!(played, expected);
    assert_eq!(new().play(&start, games), sum(&expected));
}

/// Whole games on chains, compared with the references at every ISA level.
pub(crate) fn games(input: &Input) {
    match input.below(64) {
        0 => games_of::<19>(input.u64()),
        1 => games_of::<13>(input.u64()),
        2..8 => games_of::<9>(input.u64()),
        _ => games_of::<5>(input.u64()),
    }
}

fn games_of<const N: usize>(seed: u64)
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    for number in 0..4 {
        let (mut game, mut rng) = (FooGo::<N>::new(), Rng::stream(seed, number));
        let result = game.playout(&mut rng);
        assert_played(Policy::FooGo, &Rng::stream(seed, number), result, game.stones(), &rng);
    }
    for (policy, suicide) in LIGHT.into_iter().zip([Suicide::Forbidden, Suicide::Multi]) {
        let (size, mut rng) = (Size::new(N, N).expect("a size"), Rng::new(seed));
        let (result, board) = light_playout(size, suicide, &mut rng);
        let narrow = |set: Points<19>| -> Points<N> {
            set.iter().filter_map(|index| Points::<N>::index(Points::<19>::point(index))).collect()
        };
        let stones = COLORS.map(|color| narrow(board.stones(color)));
        assert_played(policy, &Rng::new(seed), result, stones, &rng);
        // Two passes ended the game, so the simple score is the area score.
        assert_eq!(board.simple_area(), board.area());
    }
}

fn assert_played<const N: usize>(
    policy: Policy,
    start: &Rng,
    result: GameResult,
    stones: [Points<N>; 2],
    end: &Rng,
) where
    BoardSize<N>: HasChainPlayouts<N>,
{
    on_each_level(|| {
        let (mut chains, mut rng) = (Chains::<N>::new(), start.clone());
        assert_eq!(chain_playout(&mut chains, Color::Black, policy, &mut rng), result, "{policy:?}");
        assert_eq!(COLORS.map(|color| chains.stones(color)), stones, "{policy:?}");
        assert_eq!(&rng, end, "draws of {policy:?}");
    });
}

/// Plays game `number` by its definition.
fn single<const N: usize>(suicide: Suicide, seed: u64, number: u64) -> GameResult {
    let policy = suicide.into();
    match (suicide, N) {
        (Suicide::All, _) => FooGo::<N>::new().playout(&mut Rng::stream(seed, number)),
        (_, 9 | 13) => simd_playout::<N>(&Position::EMPTY, policy, seed, number).result,
        _ => sequential_playout::<N>(&Position::EMPTY, policy, seed, number).result,
    }
}

/// Games in portions of any size, and the verdicts of playouts on a position.
pub(crate) fn portions(input: &Input) {
    let suicide = *input.pick(&SUICIDES);
    let (side, seed) = (if input.below(16) == 0 { 9 } else { 5 }, input.u64());
    let komi = Komi::from_half_points(i32::from(input.byte()) - 128);
    let rules = Rules { suicide, komi, ..square(side) };
    let portions = input.list(3, || input.below(3) as u64);
    let all: u64 = portions.iter().sum();
    // The same games, one at a time, by their definition.
    let (mut expected, mut wins) = (Stats::default(), 0);
    for number in 0..all {
        let result = match side {
            9 => single::<9>(suicide, seed, number),
            _ => single::<5>(suicide, seed, number),
        };
        expected.add(&result, komi);
        wins += u64::from(f64::from(result.score()) > f64::from(komi));
    }
    on_each_level(|| {
        let mut playouts = Playouts::new(rules, seed).expect("a size with playouts");
        let mut stats = Stats::default();
        for &portion in &portions {
            stats += playouts.play(portion);
        }
        let mut whole = Playouts::new(rules, seed).expect("a size with playouts");
        assert_eq!((stats, stats.games), (whole.play(all), all));
        assert_eq!((stats, stats.black_wins), (expected, wins));
    });

    let (board, _) = position::<5>(input);
    let ownership = Ownership::estimate(&board, 4, seed).expect("5 x 5");
    assert_eq!(ownership.games(), 4);
    let stones = board.stones(COLORS[0]) | board.stones(COLORS[1]);
    let dead = dead_stones(&board, 4, seed).expect("a size with playouts");
    let seki = seki_stones(&board, 4, seed).expect("a size with playouts");
    assert!((dead - stones).is_empty() && (seki - stones).is_empty() && (dead & seki).is_empty());
}

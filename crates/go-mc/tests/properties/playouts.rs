//! Playouts from positions derived from the input, compared with their definitions.

use super::batch::starts;
use super::values::{COLORS, KOS, SUICIDES, fill, point, square};
use bitcore::{Rng, Rng32};
use go_mc::playout::{
    BoardSize, GameResult, HasChainPlayouts, HasSimdPlayouts, MAX_PLIES_PER_POINT, Playout,
    SequentialPlayouts, SimdPlayouts, chain_playout,
};
use go_mc::reference::{
    ColorSets, FooGo, candidates, light_playout, sequential_playout, simd_playout,
};
use go_mc::{
    Board, Chains, Color, Game, Ko, Komi, Move, Ownership, Playouts, Points, Policy, Position,
    Rules, Size, Stats, Suicide, ThreadPool, dead_stones, seki_stones,
};
use testkit::{Input, on_each_level};

const LIGHT: [Policy; 2] = [Policy::NoSuicide, Policy::MultiSuicide];

/// Takes a position after moves of either color: random moves, moves from the input, or both. On
/// 5x5 it often has a ko, which such moves rarely leave.
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
    let policy = *input.pick(&LIGHT);
    let seed = input.u64();
    let games = input.byte();
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
    let expected: Vec<_> =
        (0..games).map(|number| simd_playout(&start, policy, seed, number)).collect();
    let new = || SimdPlayouts::<N>::new(policy, seed).expect("a light policy");
    on_each_level(|| {
        let mut playouts = new();
        let mut played = Vec::new();
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
    let choice = input.byte();
    let seed = input.u64();
    let policy = LIGHT[usize::from(choice) % 2];
    let (_, start) = position::<N>(input);
    let new = || SequentialPlayouts::<N>::new(policy, seed).expect("a light policy");
    let games = if choice < 128 { 1 + u64::from(N < 13) } else { 1 + 400 / (N * N) as u64 };
    let expected: Vec<_> =
        (0..games).map(|number| sequential_playout(&start, policy, seed, number)).collect();
    let mut playouts = new();
    let mut played = Vec::new();
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
        let mut game = FooGo::<N>::new();
        let mut rng = Rng::stream(seed, number);
        let result = game.playout(&mut rng);
        assert_played(Policy::FooGo, &Rng::stream(seed, number), result, game.stones(), &rng);
    }
    for (policy, suicide) in LIGHT.into_iter().zip([Suicide::Forbidden, Suicide::Multi]) {
        let size = Size::new(N, N).expect("a size");
        let mut rng = Rng::new(seed);
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
        let mut chains = Chains::<N>::new();
        let mut rng = start.clone();
        assert_eq!(
            chain_playout(&mut chains, Color::Black, policy, &mut rng),
            result,
            "{policy:?}"
        );
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
    let side = if input.below(16) == 0 { 9 } else { 5 };
    let seed = input.u64();
    let komi = Komi::from_half_points(i32::from(input.byte()) - 128);
    let rules = Rules { suicide, komi, ..square(side) };
    let portions = input.list(3, || input.below(3) as u64);
    let all: u64 = portions.iter().sum();
    // The same games, one at a time, by their definition.
    let mut expected = Stats::default();
    let mut wins = 0;
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
        assert_eq!(stats, whole.play(all));
        assert_eq!(stats.games, all);
        assert_eq!(stats, expected);
        assert_eq!(stats.black_wins, wins);
    });

    let (board, _) = position::<5>(input);
    let ownership = Ownership::estimate(&board, 4, seed).expect("5 x 5");
    assert_eq!(ownership.games(), 4);
    let stones = board.stones(COLORS[0]) | board.stones(COLORS[1]);
    let dead = dead_stones(&board, 4, seed).expect("a size with playouts");
    let seki = seki_stones(&board, 4, seed).expect("a size with playouts");
    assert!((dead - stones).is_empty() && (seki - stones).is_empty() && (dead & seki).is_empty());
}

/// Playouts from the position of a game, compared with a copy of the game that is played on.
pub(crate) fn from_games(input: &Input) {
    match input.below(64) {
        0 => from_game::<19>(input),
        1 => from_game::<13>(input),
        2..24 => from_game::<9>(input),
        _ => from_game::<5>(input),
    }
}

fn from_game<const N: usize>(input: &Input) {
    let suicide = *input.pick(&SUICIDES);
    let ko = *input.pick(&KOS);
    let rules = Rules { suicide, ko, ..square(N) };
    let mut game = Game::new(rules);
    let mut rng = Rng::new(input.u32().into());
    // A game without own eyes filled ends by passes when nothing else is left.
    let fills_eyes = input.flag();
    for _ in 0..rng.below(2 * (N * N) as u32) {
        let board = game.board();
        let may_play = |&index: &usize| {
            fills_eyes || !board.is_eye(game.to_move(), Points::<19>::point(index))
        };
        let points: Points<19> = game.legal_points().iter().filter(may_play).collect();
        let drawn = points.select(rng.below(points.len().max(1)));
        let mv = drawn.map_or(Move::Pass, |index| Move::Play(Points::<19>::point(index)));
        if game.play(mv).is_err() {
            break;
        }
    }
    match input.below(5) {
        // After one pass, often with nothing left to play.
        0 => drop(game.undo()),
        // It may be over.
        1 => drop(game.play(Move::Pass)),
        2 => drop(game.play(Move::Pass).and_then(|()| game.play(Move::Pass))),
        _ => {}
    }
    let seed = input.u64();
    let games = 1 + input.below(if N < 13 { 4 } else { 2 }) as u64;
    let mut expected = Stats::default();
    for number in 0..games {
        let (stones, plies, [black, white]) = played_on::<N>(&game, seed, number);
        let score = black as i32 - white as i32;
        expected.games += 1;
        expected.stones.add(stones);
        expected.plies.add(plies);
        expected.score.add(score);
        expected.black.add(black);
        expected.black_leads += u64::from(score > 0);
        expected.black_wins += u64::from(f64::from(score) > f64::from(rules.komi));
        expected.longest = expected.longest.max(plies);
    }
    let last = game.clone().undo();
    on_each_level(|| {
        let mut playouts = Playouts::from_game(&game, seed).expect("a size with playouts");
        assert_eq!(playouts.rules(), rules);
        let mut stats = playouts.play(games / 2);
        stats += playouts.play(games - games / 2);
        assert_eq!(stats, expected, "{game:?}");
        if let Some((_, mv)) = last {
            let mut before = game.clone();
            before.undo();
            let mut playouts = Playouts::after_move(&before, mv, seed).expect("a legal move");
            let visit = |_: &Stats| {};
            let stats = playouts.play_until(&ThreadPool::single(), games, &|| false, visit);
            assert_eq!(stats, Ok(expected));
            assert_eq!(playouts.play(0), Stats::default());
        }
    });
}

/// Plays a copy of a game to its end. Returns the numbers of stones and plies, and the area of each
/// color.
fn played_on<const N: usize>(game: &Game, seed: u64, number: u64) -> (u32, u32, [u32; 2]) {
    if game.is_over() {
        return (0, 0, game.board().area());
    }
    let rules = Rules { ko: Ko::Simple, ..game.rules() };
    let mut copy = Game::from_board(game.board().clone(), game.to_move(), rules);
    if game.passes() == 1 {
        copy.set_to_move(game.to_move().other());
        copy.play(Move::Pass).expect("a pass");
    }
    let policy = Policy::from(rules.suicide);
    if policy != Policy::FooGo && matches!(N, 5 | 19) {
        let position = Position::<N>::new(copy.board(), copy.to_move().other());
        let position = if copy.passes() == 1 {
            position.map(Position::after_pass)
        } else {
            Position::new(copy.board(), copy.to_move())
        };
        let playout = sequential_playout(&position.expect("the size"), policy, seed, number);
        return (playout.result.stones, playout.result.plies, playout.result.area);
    }
    let narrow = |set: Points<19>| -> Points<N> {
        set.iter().filter_map(|index| Points::<N>::index(Points::<19>::point(index))).collect()
    };
    let mut lanes = Rng32::stream(seed, number);
    let mut rng = Rng::stream(seed, number);
    let mut stones = 0;
    let mut plies = 0;
    while plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
        let both = COLORS.map(|color| narrow(copy.board().stones(color)));
        let color = copy.to_move();
        let ko = copy.board().ko(color).and_then(Points::<N>::index);
        let ko = ko.map_or(Points::EMPTY, Points::from_index);
        let drawn = if policy == Policy::FooGo {
            let playable = COLORS.map(|color| ColorSets::from_stones(both, color).playable);
            if playable.iter().all(Points::is_empty) {
                break;
            }
            let playable = playable[color as usize] - ko;
            let count = playable.len();
            if count > 0 { playable.iter().nth(rng.below(count) as usize) } else { None }
        } else {
            if copy.is_over() {
                break;
            }
            let mut left = candidates(both[color as usize], both[color.other() as usize], ko);
            loop {
                if left.is_empty() {
                    break None;
                }
                let index =
                    left.iter().nth(lanes.below(left.len()) as usize).expect("below their number");
                if copy.allows(Move::Play(Points::<N>::point(index))) {
                    break Some(index);
                }
                left.remove(index);
            }
        };
        plies += 1;
        if let Some(index) = drawn {
            stones += 1;
            copy.play_as(color, Move::Play(Points::<N>::point(index))).expect("a legal move");
        } else {
            copy.play_as(color, Move::Pass).expect("a pass");
        }
    }
    let both = COLORS.map(|color| narrow(copy.board().stones(color)));
    let area = COLORS.map(|color| {
        let eyes = ColorSets::from_stones(both, color).real_eyes;
        both[color as usize].len() + eyes.len()
    });
    (stones, plies, if policy == Policy::FooGo { area } else { copy.board().simple_area() })
}

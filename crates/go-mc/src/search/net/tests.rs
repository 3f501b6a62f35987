//! Tests of nets: the layers beside their definition, texts, and what is learned.

use super::layers::{MAX_ACTIVATION, TAPS, neighbor};
use super::planes::{CLASSES, NONE};
use super::*;
use crate::rules::game::{Game, Move, Rules};
use crate::rules::points::Points;
use crate::search::arena::PASS;
use crate::search::prior_learner::PriorLearner;
use crate::{Board, Color, Size};
use bitcore::Rng;
use std::string::{String, ToString};
use testkit::on_each_level;

/// A net with weights up to a part of their bounds.
fn random(seed: u64, part: f64) -> Net {
    let mut rng = Rng::new(seed);
    let prior: Vec<i16> = (0..Groups::get().len()).map(|_| rng.below(401) as i16 - 200).collect();
    let mut lines = LINES.map(|(_, count, max_bias, max)| -> Vec<i16> {
        (0..count)
            .map(|at| {
                let max = f64::from(if at < CHANNELS { max_bias } else { max }) * part;
                (max * (f64::from(rng.below(2001)) / 1000.0 - 1.0)).round() as i16
            })
            .collect()
    });
    let mut next = |at: usize| core::mem::take(&mut lines[at]);
    let (first, second, third, scores) = (next(0), next(1), next(2), next(3));
    let weights = Weights { first, convolutions: [second, third], scores };
    Net::new(Prior::new(prior), weights)
}

fn random_game(side: usize, moves: u32, rng: &mut Rng) -> Game {
    let size = Size::square(side).unwrap();
    let mut game = Game::new(Rules { size, ..Rules::default() });
    for _ in 0..moves {
        let legal = game.legal_moves();
        game.play(legal[rng.below(legal.len() as u32 - 1) as usize]).unwrap();
    }
    game
}

/// The layers as the documentation of the file defines them, in 64 bits.
fn defined(net: &Net, planes: &Planes) -> [Vec<[i64; CHANNELS]>; CONVOLUTIONS + 1] {
    let Weights { first, convolutions, .. } = &net.0.weights;
    let side = planes.side;
    let on_board = |index: usize| index % (side + 1) < side;
    let mut layer = std::vec![[0; CHANNELS]; planes.seen.len()];
    for index in (0..side * (side + 1)).filter(|&index| on_board(index)) {
        let mut rows = std::vec![0];
        for tap in 0..TAPS {
            let classes = planes.seen[neighbor(side, index, tap)];
            rows.extend(classes.map(|class| 1 + tap * CLASSES + usize::from(class)));
        }
        let own = planes.own[index].into_iter().filter(|&class| class != NONE);
        rows.extend(own.map(|class| 1 + TAPS * CLASSES + usize::from(class)));
        layer[padding(side) + index] = core::array::from_fn(|channel| {
            let weights = rows.iter().map(|row| i64::from(first[row * CHANNELS + channel]));
            (weights.sum::<i64>().max(0) / 16).min(127)
        });
    }
    let next = |layer: &[[i64; CHANNELS]], weights: &[i16]| {
        let mut to = std::vec![[0; CHANNELS]; layer.len()];
        for index in (0..side * (side + 1)).filter(|&index| on_board(index)) {
            to[padding(side) + index] = core::array::from_fn(|output| {
                let mut sum = i64::from(weights[output]);
                for tap in 0..TAPS {
                    for (input, activation) in layer[neighbor(side, index, tap)].iter().enumerate()
                    {
                        let row = 1 + tap * CHANNELS + input;
                        sum += activation * i64::from(weights[row * CHANNELS + output]);
                    }
                }
                (sum.max(0) / 64).min(127)
            });
        }
        to
    };
    let second = next(&layer, &convolutions[0]);
    let third = next(&second, &convolutions[1]);
    [layer, second, third]
}

fn compare_layers<const N: usize>(net: &Net, game: &Game) {
    let state = SearchState::<N>::new(game).unwrap();
    let planes = Planes::of(&state, Policy::NoSuicide, |_, _| ());
    let expected = defined(net, &planes);
    on_each_level(|| {
        let found = net.0.layers.activations(&planes);
        for (found, expected) in found.layers.iter().zip(&expected) {
            let (found, rest) = found.split_at(expected.len());
            let found: Vec<_> = found.iter().map(|point| point.map(i64::from)).collect();
            assert!(found == *expected);
            assert!(rest.iter().all(|point| *point == [0; CHANNELS]));
        }
    });
}

/// Also with the largest weights, whose sums need all bits.
#[test]
fn layers_are_their_definition_on_each_level() {
    let mut rng = Rng::new(7);
    for seed in 0..12 {
        let net = random(seed, [1.0, 0.5, 0.1][seed as usize % 3]);
        compare_layers::<5>(&net, &random_game(5, seed as u32, &mut rng));
        compare_layers::<9>(&net, &random_game(9, 5 * seed as u32, &mut rng));
        compare_layers::<13>(&net, &random_game(13, 9 * seed as u32, &mut rng));
    }
    let net = random(1, 0.2);
    compare_layers::<19>(&net, &random_game(19, 90, &mut rng));
    // Every weight at its bound, of the same sign.
    let largest = LINES.map(|(_, count, max_bias, max)| -> Vec<i16> {
        (0..count).map(|at| if at < CHANNELS { max_bias } else { max }).collect()
    });
    for sign in [1, -1] {
        let [first, second, third, scores] =
            largest.clone().map(|line| line.iter().map(|weight| weight * sign).collect());
        let weights = Weights { first, convolutions: [second, third], scores };
        let net = Net::new(Prior::none(), weights);
        compare_layers::<9>(&net, &random_game(9, 30, &mut rng));
        let sums = net.new_children(&state_of(&random_game(9, 30, &mut rng)), Policy::NoSuicide);
        assert!(sums.iter().all(|child| child.prior.visits > 0));
    }
}

fn state_of(game: &Game) -> SearchState<9> {
    SearchState::new(game).unwrap()
}

/// The priors are those of the scores, which are those of the definition.
#[test]
fn children_are_the_moves_with_their_probabilities() {
    let mut rng = Rng::new(3);
    for seed in 0..20 {
        let net = random(seed, 0.2);
        let state = state_of(&random_game(9, 3 * seed as u32, &mut rng));
        let mut points = Vec::new();
        let mut prior_scores = Vec::new();
        let planes = Planes::of(&state, Policy::NoSuicide, |index, features| {
            points.push(index);
            prior_scores.push(net.0.prior.stone_score(features));
        });
        let [.., last] = defined(&net, &planes);
        let (stones, pass) = net.0.weights.scores.split_at(CHANNELS);
        let dot = |activations: &[i64], weights: &[i16]| -> i64 {
            activations.iter().zip(weights).map(|(a, &b)| a * i64::from(b)).sum()
        };
        let mut scores: Vec<f64> = points
            .iter()
            .zip(prior_scores)
            .map(|(index, prior)| {
                let score = dot(&last[padding(9) + index], stones).div_euclid(16);
                (score + i64::from(prior)) as f64
            })
            .collect();
        let means: Vec<i64> = (0..CHANNELS)
            .map(|channel| last.iter().map(|point| point[channel]).sum::<i64>() * 16 / 81)
            .collect();
        let pass_score = dot(&means, pass).div_euclid(256)
            + i64::from(net.0.prior.pass_score(Groups::get().pass(&state)));
        scores.push(pass_score as f64);
        let odds: Vec<f64> = scores.iter().map(|score| (score / 64.0).exp2()).collect();
        let total: f64 = odds.iter().sum();
        let children = net.new_children(&state, Policy::NoSuicide);
        let same = net.0.prior.new_children(&state, Policy::NoSuicide);
        let points = |children: &[NewChild]| -> Vec<u16> {
            children.iter().map(|child| child.point).collect()
        };
        assert_eq!(points(&children), points(&same));
        for (child, odds) in children.iter().zip(odds) {
            let added = f64::from(child.prior.visits - 20);
            assert!((added - 100.0 * (odds / total).sqrt()).abs() < 0.51);
        }
    }
}

#[test]
fn planes_see_stones_liberties_and_moves() {
    let board: Board = "...XO\n..X.O\n.....\nX....\n.X...".parse().unwrap();
    let size = board.size();
    let rules = Rules { size, ..Rules::default() };
    let mut game = Game::from_board(board, Color::White, rules);
    game.play("D2".parse().unwrap()).unwrap();
    let state = SearchState::<5>::new(&game).unwrap();
    let planes = Planes::of(&state, Policy::NoSuicide, |_, _| ());
    let seen = |vertex: &str| {
        let index = Points::<5>::index(vertex.parse().unwrap()).unwrap();
        (planes.seen[padding(5) + index], planes.own[index])
    };
    // Black's stones with two, four and three liberties; White's with two and four.
    assert_eq!(seen("D5").0[0], 1 + 1);
    assert_eq!(seen("C4").0[0], 1 + 3);
    assert_eq!(seen("A2").0[0], 1 + 2);
    assert_eq!(seen("E5").0[0], 5 + 1);
    assert_eq!(seen("D2").0[0], 5 + 3);
    assert_eq!(seen("D2").1, [NONE; 3]);
    let (class, own) = seen("D3");
    // It takes nothing and leaves White three liberties; beside no own stone, it has three.
    assert_eq!(class, [10 + 3, 22 + 1 + 2]);
    assert_eq!(own[1..], [200 + 3, 217]);
    assert_eq!(planes.seen[padding(5) + 5], [0, 22]);
    assert_eq!(planes.seen[0], [0, 22]);
    let most = planes.seen.iter().flatten().max();
    assert!(usize::from(*most.unwrap()) < CLASSES);
    assert_eq!(MAX_ACTIVATION, 127);
}

#[test]
fn a_text_is_read_back() {
    let net = random(9, 1.0);
    assert_eq!(net.to_string().parse::<Net>().unwrap(), net);
    assert_ne!(random(10, 1.0), net);
}

#[test]
fn errors_say_where() {
    let text = random(1, 0.5).to_string();
    let error =
        |from: &str, to: &str| text.replacen(from, to, 1).parse::<Net>().unwrap_err().to_string();
    assert_eq!(error("go-net 1", "go-prior 1"), "line 1: expected go-net 1, found \"go-prior 1\"");
    assert_eq!(error("cross", "kross"), "line 3: expected cross and 45 weights, found \"kross\"");
    assert_eq!(
        error("\nsecond", " 0\nsecond"),
        "line 9: expected first and 9952 weights, found 9953 weights"
    );
    assert_eq!(
        error("first ", "first 4096 "),
        "line 9: expected weights from -4095 to 4095, found \"4096\""
    );
    assert_eq!(
        error("\nscores", " 128\nscores"),
        "line 11: expected weights from -127 to 127, found \"128\""
    );
    assert_eq!(
        error("scores ", "scores 128 "),
        "line 12: expected weights from -127 to 127, found \"128\""
    );
    let longer = (text.clone() + "\nmore").parse::<Net>().unwrap_err().to_string();
    assert_eq!(longer, "line 13: expected the end, found \"more\"");
    let cut: String = text.lines().take(11).map(|line| line.to_string() + "\n").collect();
    assert_eq!(
        cut.parse::<Net>().unwrap_err().to_string(),
        "line 12: expected scores and 32 weights, found \"\""
    );
}

/// Positions of random stones, in which the moves with the visits have a stone of the opponent two
/// points away along a diagonal: what the classes of a prior don't see.
fn planted(seed: u64, mut add: impl FnMut(&Game, &[(Move, u64)])) {
    let mut rng = Rng::new(seed);
    for _ in 0..400 {
        let game = random_game(9, 8, &mut rng);
        let stones = game.board().stones(game.to_move().other());
        let enemy = |x: i32, y: i32| {
            let point = crate::Point { x: x as u8, y: y as u8 };
            (0..9).contains(&x)
                && (0..9).contains(&y)
                && Points::<19>::index(point).is_some_and(|index| stones.contains(index))
        };
        let is_planted = |mv: &Move| match *mv {
            Move::Play(point) => [(-2, -2), (-2, 2), (2, -2), (2, 2)]
                .iter()
                .any(|(dx, dy)| enemy(i32::from(point.x) + dx, i32::from(point.y) + dy)),
            Move::Pass => false,
        };
        let moves = game.legal_moves().into_iter().filter(is_planted);
        add(&game, &moves.map(|mv| (mv, 10)).collect::<Vec<_>>());
    }
}

#[test]
fn a_net_learns_what_a_prior_does_not_see() {
    let mut learners = [1, 2].map(|seed| {
        let mut learner = NetLearner::new(5);
        planted(seed, |game, visits| learner.add(game, visits).unwrap());
        learner
    });
    let mut priors = [1, 2].map(|seed| {
        let mut learner = PriorLearner::new(5);
        planted(seed, |game, visits| learner.add(game, visits).unwrap());
        learner
    });
    let [learner, test] = &mut learners;
    let before = learner.fit(test);
    for epoch in 0..12 {
        learner.learn(if epoch < 8 { 0.006 } else { 0.002 });
        priors[0].learn();
    }
    let fit = learner.fit(test);
    let of_prior = priors[0].fit(&priors[1]);
    assert_eq!(fit.positions, test.len());
    assert!(before.cross_entropy > of_prior.cross_entropy, "{before:?} {of_prior:?}");
    assert!(fit.cross_entropy < of_prior.cross_entropy - 0.5, "{fit:?} {of_prior:?}");
    let net = learner.net();
    assert_eq!(net.to_string().parse::<Net>().unwrap(), net);
    // The same on each level.
    let mut nets = Vec::new();
    on_each_level(|| {
        let mut learner = NetLearner::new(5);
        planted(3, |game, visits| learner.add(game, visits).unwrap());
        learner.learn(0.006);
        nets.push(learner.net());
    });
    assert!(nets.iter().all(|net| *net == nets[0]));
    assert_ne!(nets[0], NetLearner::new(5).net());
}

#[test]
fn sizes_without_searches_are_refused() {
    let size = Size::square(7).unwrap();
    let game = Game::new(Rules { size, ..Rules::default() });
    let mut learner = NetLearner::new(1);
    assert_eq!(learner.add(&game, &[(Move::Pass, 1)]), Err(crate::Error::NoPlayouts(size)));
    assert!(learner.is_empty());
    let game = Game::new(Rules { size: Size::square(5).unwrap(), ..Rules::default() });
    learner.add(&game, &[]).unwrap();
    assert!(learner.is_empty());
    learner.add(&game, &[(Move::Pass, 1)]).unwrap();
    assert_eq!(learner.len(), 1);
    let children =
        learner.net().new_children(&SearchState::<5>::new(&game).unwrap(), Policy::NoSuicide);
    assert_eq!(children.last().unwrap().point, PASS);
}

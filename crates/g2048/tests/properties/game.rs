//! A [`Game`] against a game of a [`Batch`] on the same stream: equal boards, gains and draws.

use super::values::any_size;
use bitcade_core::batch::Shape;
use g2048::batch::StepBuffers;
use g2048::{Batch, Direction, Game, IllegalMove, Rng, Rules, Stats};
use testkit::Input;

pub(crate) fn run(input: &Input) {
    let rules = Rules::from(any_size(input));
    let seed = u64::from(input.u16());
    let n = 1 + input.below(3);
    let mut batch = Batch::new(n, rules, seed).expect("few games");
    let mut out = StepBuffers::new(Shape { games: n, cells: rules.size.cells(), actions: 4 });
    let mut rngs: Vec<Rng> = Rng::streams(seed).take(n).collect();
    let mut games: Vec<Game> = rngs.iter_mut().map(|rng| Game::new(rules, rng)).collect();
    let mut whole = Stats::default();
    for step in input.steps(60) {
        let legal: Vec<&[Direction]> = games.iter().map(Game::legal_moves).collect();
        let moves: Vec<Direction> = legal.iter().map(|legal| *input.pick(legal)).collect();
        let actions: Vec<u32> = moves.iter().map(|&direction| direction as u32).collect();
        batch.step_into(&actions, out.out()).expect("legal actions");
        for (i, (game, rng)) in games.iter_mut().zip(&mut rngs).enumerate() {
            illegal(game, rng);
            let before = game.clone();
            let draws = rng.clone();
            let outcome = game.play(moves[i], rng).expect("a legal move");
            assert_eq!(outcome.gain, out.reward[i] as u64, "step {step}");
            assert_eq!(game.score() - before.score(), outcome.gain);
            assert_eq!(game.moves() - before.moves(), 1);
            let after = before.board().slide(moves[i]).board;
            let board = game.board();
            let cells = after.ranks().iter().zip(board.ranks()).enumerate();
            let changed: Vec<usize> =
                cells.filter(|(_, (a, b))| a != b).map(|(cell, _)| cell).collect();
            assert_eq!(changed, [outcome.new_tile]);
            // A copy of the game draws the same tile from a copy of the stream.
            assert_eq!(before.clone().play(moves[i], &mut draws.clone()), Ok(outcome));
            assert_eq!(game.is_over(), out.terminated[i]);
            assert_eq!(game.rules(), rules);
            if game.is_over() {
                whole += &*game;
                *game = Game::new(rules, rng);
            }
            assert_eq!(Some(game.board()), batch.game(i), "step {step}");
        }
    }
    assert_eq!(whole.games, whole.score.count);
}

/// Checks that illegal moves change nothing.
fn illegal(game: &mut Game, rng: &mut Rng) {
    let before = (game.clone(), rng.clone());
    for direction in
        Direction::ALL.into_iter().filter(|&direction| !before.0.board().is_legal(direction))
    {
        assert_eq!(game.play(direction, rng), Err(IllegalMove { direction }));
        assert_eq!(&*game, &before.0);
        assert_eq!(&*rng, &before.1);
    }
}

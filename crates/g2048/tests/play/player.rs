//! Players, move by move.

use g2048::{Direction, Game, Player, RandomPlayer, Rng, Rules, Size};

#[test]
fn a_random_player_draws_among_the_legal_moves() {
    for (seed, size) in (0..).zip(Size::all().filter(|size| size.cells() <= 12)) {
        let mut player = RandomPlayer::new(Rng::new(seed));
        let mut draws = Rng::new(seed);
        let mut rng = Rng::new(7);
        let mut game = Game::new(size, &mut rng);
        while !game.is_over() {
            let legal = game.legal_moves();
            let expected = legal[draws.below(legal.len() as u32) as usize];
            assert_eq!(player.choose_until(&game, &|| true), Ok(Some(expected)), "it never asks");
            game.play(expected, &mut rng).unwrap();
        }
        assert_eq!(player.choose(&game), None);
    }
}

/// A search on a copy of a game can't see the tiles to come.
#[test]
fn a_copy_of_a_game_sees_other_tiles() {
    let mut rng = Rng::new(1);
    let mut game = Game::new(Rules::default(), &mut rng);
    let mut differ = 0;
    while let Some(&direction) = game.legal_moves().first() {
        let mut copy = game.clone();
        copy.play(direction, &mut Rng::new(game.moves())).unwrap();
        game.play(direction, &mut rng).unwrap();
        differ += u32::from(copy != game);
        assert_eq!(copy.score(), game.score());
        assert_eq!(copy.moves(), game.moves());
    }
    assert!(
        game.moves() > 20 && u64::from(differ) > game.moves() / 2,
        "{differ} of {}",
        game.moves()
    );
}

#[test]
fn actions_number_the_directions() {
    for (action, direction) in (0..).zip(Direction::ALL) {
        assert_eq!(direction.action(), action);
        assert_eq!(Direction::from_action(action), Some(direction));
    }
    assert_eq!(Direction::from_action(4), None);
}

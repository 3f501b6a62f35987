//! Plays one game with the strategy "left, else down, else right, else up" and prints every
//! position, then the score.

use g2048::{Direction, Game, Player, Rng, Rules};

struct Corner;

impl Player<Game> for Corner {
    fn choose(&mut self, game: &Game) -> Option<Direction> {
        let order = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
        order.into_iter().find(|&direction| game.board().is_legal(direction))
    }
}

fn main() -> Result<(), g2048::IllegalMove> {
    let mut rng = Rng::new(2048);
    let mut game = Game::new(Rules::default(), &mut rng);
    while let Some(direction) = Corner.choose(&game) {
        println!("{}\nscore {}, {direction}\n", game.board(), game.score());
        game.play(direction, &mut rng)?;
    }
    println!("{}\ngame over, score {}", game.board(), game.score());
    Ok(())
}

//! One game of the strategy "left, else down, else right, else up": every position, then the score.

use g2048::{Board, Direction, Size};

fn main() {
    let mut rng = bitcore::Rng::new(2048);
    let mut board = Board::start(Size::CLASSIC, &mut rng);
    let mut score = 0;
    let order = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
    while let Some(direction) = order.into_iter().find(|&direction| board.is_legal(direction)) {
        println!("{board}\nscore {score}, {direction}\n");
        let slide = board.slide(direction);
        board = slide.board;
        score += slide.gain;
        board.spawn(&mut rng);
    }
    println!("{board}\nover, score {score}");
}

//! Boards and games by their rules.

use super::plain::{PlainBoard, PlainGame, set};
use super::values::{COLORS, SUICIDES, point, rules, size};
use go_mc::{Board, Game, Move, Points, perft as fast_perft};
use testkit::Input;

/// The longest program.
const STEPS: usize = 64;

pub(crate) fn board(input: &Input) {
    let size = size(input);
    let (mut board, mut plain) = (Board::new(size), PlainBoard::new(size));
    for _ in input.steps(STEPS) {
        let (color, suicide) = (*input.pick(&COLORS), *input.pick(&SUICIDES));
        match input.below(12) {
            0 => {
                board.pass();
                plain.ko = None;
            }
            1 => {
                let at = point(input, size);
                assert_eq!(board.chain(at), set(plain.chain(at)));
                assert_eq!(board.liberties(at), set(plain.liberties(at)));
                assert_eq!(board.is_eye(color, at), plain.is_eye(color, at));
            }
            2 => {
                assert_eq!((board.area(), board.simple_area()), (plain.area(false), plain.area(true)));
                let [black, white] = COLORS.map(|color| board.stones(color));
                let again = Board::from_stones(size, black, white).expect("every chain has a liberty");
                assert_eq!(again.to_string().parse(), Ok(again.clone()));
                let removed = if input.flag() { black } else { board.chain(point(input, size)) };
                board = board.without(removed);
                plain.ko = None;
                plain.stones.retain(|&at, _| (set([at]) & removed).is_empty());
            }
            _ => {
                let at = point(input, size);
                assert_eq!(board.play(color, at, suicide), plain.play(color, at, suicide, true));
            }
        }
        plain.assert_equals(&board);
    }
}

pub(crate) fn game(input: &Input) {
    let (size, rules) = (size(input), rules(input));
    let (mut game, mut plain) = (Game::new(size, rules), PlainGame::new(size, rules));
    for _ in input.steps(STEPS) {
        match input.below(16) {
            0 => {
                let color = *input.pick(&COLORS);
                game.set_to_move(color);
                plain.set_to_move(color);
            }
            1 => assert_eq!(game.play(Move::Pass), plain.play(Move::Pass)),
            _ => {
                let mv = Move::Play(point(input, size));
                assert_eq!(game.play(mv), plain.play(mv));
            }
        }
        plain.board.assert_equals(game.board());
        assert_eq!((game.to_move(), game.passes()), (plain.to_move, plain.passes));
        assert_eq!((game.is_over(), game.rules()), (plain.passes == 2, rules));
    }
}

pub(crate) fn perft(input: &Input) {
    let (size, rules) = (size(input), rules(input));
    let (mut game, mut plain) = (Game::new(size, rules), PlainGame::new(size, rules));
    for _ in 0..input.below(24) {
        let mv = Move::Play(point(input, size));
        assert_eq!(game.play(mv), plain.play(mv));
    }
    let depth = if size.points().len() < 8 { input.below(4) } else { input.below(2) };
    let passes = input.flag();
    let mut nodes = vec![0; depth];
    count(&plain, size.points(), passes, &mut nodes);
    assert_eq!(fast_perft::perft(&game, depth, passes), nodes);
}

fn count(game: &PlainGame, points: Points<19>, passes: bool, nodes: &mut [u64]) {
    let Some((here, deeper)) = nodes.split_first_mut() else { return };
    let stones = points.iter().map(|index| Move::Play(Points::<19>::point(index)));
    for mv in stones.chain(passes.then_some(Move::Pass)) {
        let mut next = game.clone();
        if next.play(mv).is_ok() {
            *here += 1;
            count(&next, points, passes, deeper);
        }
    }
}

//! Boards and games, compared with plain rules.

use super::bytes::ByteGame;
use super::plain::{PlainBoard, set};
use super::values::{COLORS, SUICIDES, point, rules, size};
use go_mc::{Board, Game, IllegalMove, Move, Points, Rules, perft as fast_perft};
use testkit::Input;

const STEPS: usize = 64;

pub(crate) fn board(input: &Input) {
    let size = size(input);
    let mut board = Board::new(size);
    let mut plain = PlainBoard::new(size);
    for _ in input.steps(STEPS) {
        let color = *input.pick(&COLORS);
        let suicide = *input.pick(&SUICIDES);
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
                assert_eq!(board.area(), plain.area(false));
                assert_eq!(board.simple_area(), plain.area(true));
                let [black, white] = COLORS.map(|color| board.stones(color));
                let again =
                    Board::from_stones(size, black, white).expect("every chain has a liberty");
                assert_eq!(again.to_string().parse(), Ok(again.clone()));
                let removed = if input.flag() { black } else { board.chain(point(input, size)) };
                board = board.without(removed);
                plain.ko = None;
                plain.stones.retain(|&at, _| (set([at]) & removed).is_empty());
            }
            _ => {
                let at = point(input, size);
                assert_eq!(board.play(color, at, suicide), plain.play(color, at, suicide));
            }
        }
        plain.assert_equals(&board);
    }
}

pub(crate) fn game(input: &Input) {
    let size = size(input);
    let rules = Rules { size, ..rules(input) };
    let mut game = Game::new(rules);
    let mut plain = ByteGame::new(rules);
    // The games before each move, with the move.
    let mut before = Vec::new();
    for step in input.steps(STEPS) {
        let earlier = (game.clone(), plain.clone());
        match input.below(16) {
            0 => {
                let color = *input.pick(&COLORS);
                game.set_to_move(color);
                plain.set_to_move(color);
            }
            1 => {
                let color = game.to_move();
                let played = game.play(Move::Pass);
                assert_eq!(played, plain.play(Move::Pass));
                before.extend(played.is_ok().then_some((earlier, color, Move::Pass)));
            }
            12 => {
                let color = *input.pick(&COLORS);
                let mv = Move::Play(point(input, size));
                let broken = game.play_recorded(color, mv);
                assert_eq!(broken, plain.play_recorded(color, mv));
                let is_played = broken != Some(IllegalMove::OffBoard);
                before.extend(is_played.then_some((earlier, color, mv)));
            }
            13 => {
                // A move to a point that was taken is what superko may forbid.
                let legal = game.legal_moves();
                let Some(&mv) = legal.get(input.below(legal.len().max(1))) else { continue };
                let color = game.to_move();
                assert_eq!(game.play(mv), Ok(()));
                assert_eq!(plain.play(mv), Ok(()));
                before.push((earlier, color, mv));
            }
            14 => {
                let undone = game.undo();
                let Some(((earlier, plain_earlier), color, mv)) = before.pop() else {
                    assert_eq!(undone, None);
                    continue;
                };
                assert_eq!(undone, Some((color, mv)));
                assert_eq!(game, earlier);
                plain = plain_earlier;
            }
            15 => {
                let color = *input.pick(&COLORS);
                let mv = Move::Play(point(input, size));
                plain.set_to_move(color);
                let played = game.play_as(color, mv);
                assert_eq!(played, plain.play(mv));
                if played.is_ok() {
                    before.push((earlier, color, mv));
                } else {
                    assert_eq!(game, earlier.0);
                    plain = earlier.1;
                }
            }
            _ => {
                let color = game.to_move();
                let mv = Move::Play(point(input, size));
                let is_allowed = game.allows(mv);
                let played = game.play(mv);
                assert_eq!(played, plain.play(mv));
                assert_eq!(played.is_ok(), is_allowed);
                assert!(is_allowed || game == earlier.0);
                before.extend(is_allowed.then_some((earlier, color, mv)));
            }
        }
        plain.assert_equals(game.board());
        assert_eq!(game.to_move(), plain.to_move);
        assert_eq!(game.passes(), plain.passes);
        assert_eq!(game.is_over(), plain.passes == 2);
        assert_eq!(game.rules(), rules);
        assert!(game.moves().eq(before.iter().map(|&(_, color, mv)| (color, mv))));
        let [black, white] = game.board().area().map(|points| points as i32);
        assert_eq!(game.score().half_points(), 2 * (black - white) - rules.komi.half_points());
        if size.points().len() <= 25 || step % 16 == 0 {
            let all = (0..).map_while(|action| Move::from_action(action, size));
            let legal: Vec<Move> = all.filter(|&mv| plain.allows(mv)).collect();
            assert_eq!(game.legal_moves(), legal);
            let stones = legal.iter().filter_map(|&mv| match mv {
                Move::Play(point) => Some(point),
                Move::Pass => None,
            });
            assert_eq!(game.legal_points(), set(stones));
        }
    }
}

pub(crate) fn perft(input: &Input) {
    let size = size(input);
    let rules = Rules { size, ..rules(input) };
    let mut game = Game::new(rules);
    let mut plain = ByteGame::new(rules);
    for _ in 0..input.below(24) {
        let mv = Move::Play(point(input, size));
        assert_eq!(game.play(mv), plain.play(mv));
    }
    let depth = if size.points().len() < 8 { input.below(4) } else { input.below(2) };
    let passes = input.flag();
    let kind = if passes { fast_perft::Passes::Counted } else { fast_perft::Passes::LeftOut };
    let mut nodes = vec![0; depth];
    count(&plain, size.points(), passes, &mut nodes);
    assert_eq!(fast_perft::perft(&game, depth, kind), nodes);
}

fn count(game: &ByteGame, points: Points<19>, passes: bool, nodes: &mut [u64]) {
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

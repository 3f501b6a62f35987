//! Levels without new rules play the games of [`SpecialBoard`] and [`Game`].

use bitcore::Rng;
use match3::level::{
    Cover, Effects, Ground, Kind, Level, LevelBoard, LevelGame, LevelSpec, Limit, Outcome,
    ShuffleRule, Start,
};
use match3::special::{Special, SpecialBoard};
use match3::{Board, Cell, Colors, Game, RandomColors, Rules};

/// A level of these cells with special pieces, whose dead boards are recolored.
fn level(board: &Board, colors: u8) -> Level {
    let mut spec = LevelSpec::new(board.width(), board.height());
    spec.colors = vec![1; colors.into()];
    spec.effects.pairs = false;
    spec.shuffle = ShuffleRule::Recolor;
    spec.cascade_limit = u32::MAX;
    for (start, cell) in spec.cells.iter_mut().zip(board.cells()) {
        let cover = if cell.is_locked() { Cover::Lock } else { Cover::None };
        match *cell {
            Cell::EMPTY => start.start = Start::Empty,
            Cell::BLOCKED => start.ground = Ground::Wall,
            _ => start.start = Start::Piece { color: None, special: None, cover },
        }
    }
    Level::new(spec).expect("a level")
}

fn assert_equal(level: &LevelBoard, special: &SpecialBoard) {
    assert_eq!(level.plain(), special.board());
    for y in 0..level.height() {
        for x in 0..level.width() {
            let kind = special.special(x, y).map(|special| match special {
                Special::Row => Kind::Row,
                Special::Column => Kind::Column,
                Special::Bomb => Kind::Bomb,
                Special::Color => Kind::Color,
            });
            assert_eq!(level.special(x, y), kind);
        }
    }
}

fn random_board(rng: &mut Rng) -> Board {
    let width = 4 + rng.below(7) as usize;
    let height = 4 + rng.below(7) as usize;
    let piece = Cell::new(1).expect("a color");
    let cell = |rng: &mut Rng| match rng.below(30) {
        0 => Cell::BLOCKED,
        1 => Cell::EMPTY,
        2 => piece.locked(),
        _ => piece,
    };
    let cells = (0..width * height).map(|_| cell(rng)).collect();
    Board::from_cells(width, height, cells).expect("a size")
}

#[test]
fn a_thousand_games_are_those_of_special_boards() {
    let mut rng = Rng::new(83);
    let mut games = 0;
    let mut recolored = 0;
    for seed in 0.. {
        let board = random_board(&mut rng);
        let count = 4 + rng.below(3) as u8;
        let mut colors = RandomColors::new(count, Rng::new(seed)).expect("colors");
        let mut other = SpecialBoard::from(board.clone());
        let mut other_colors = colors.clone();
        if other.redeal(count, other_colors.rng()).is_err() {
            continue;
        }
        let mut game = LevelGame::new(level(&board, count), &mut colors).expect("a game");
        let mut score = 0;
        while !game.is_over() {
            assert_equal(game.board(), &other);
            assert_eq!(game.score(), score);
            let legal = game.legal_moves();
            assert_eq!(legal, other.swaps());
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let color = || Colors::next(&mut other_colors);
            score += other.try_swap(swap, color, &mut ()).expect("a legal swap").score;
            let played = game.play(swap, &mut colors, &mut ()).expect("a legal swap");
            if played.is_shuffled {
                other.redeal(count, other_colors.rng()).expect("a board, as in the level");
                recolored += 1;
            }
        }
        assert_equal(game.board(), &other);
        assert_eq!(colors, other_colors);
        games += 1;
        if games == 1000 {
            break;
        }
    }
    assert!(recolored > 20, "{recolored}");
}

/// A dead board ends these games: [`Game`] deals another one, and a level a rearranged one.
#[test]
fn a_thousand_games_are_those_of_game() {
    let mut rng = Rng::new(84);
    for seed in 0..1000 {
        let mut colors = RandomColors::new(6, Rng::new(seed)).expect("colors");
        let rules = Rules { moves: 20, ..Rules::default() };
        let mut game = Game::new(rules, &mut colors).expect("a game");
        let mut spec = LevelSpec::new(8, 8);
        spec.limit = Limit::Moves(20);
        spec.effects = Effects { specials: false, pairs: false, square: false };
        spec.shuffle = ShuffleRule::End;
        spec.cascade_limit = u32::MAX;
        for (start, cell) in spec.cells.iter_mut().zip(game.board().cells()) {
            start.start = Start::Piece { color: cell.color(), special: None, cover: Cover::None };
        }
        let level = Level::new(spec).expect("a level");
        let mut level_colors = colors.clone();
        let mut level_game = LevelGame::new(level, &mut level_colors).expect("a game");
        assert_eq!(level_colors, colors);
        while !level_game.is_over() {
            assert_eq!(level_game.legal_moves(), game.legal_moves());
            let legal = level_game.legal_moves();
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let result = game.play(swap, &mut colors).expect("a legal swap");
            let played = level_game.play(swap, &mut level_colors, &mut ()).expect("a legal swap");
            assert_eq!(played.cascade, result);
            if played.outcome != Some(Outcome::Dead) {
                assert_eq!(level_game.board().plain(), &game.board());
                assert_eq!(level_colors, colors);
            }
        }
    }
}

//! Levels without new rules play the games of [`GoalsBatch`] and [`Game`].

use bitcore::Rng;
use match3::batch::{Autoreset, StepBuffers};
use match3::goals::{self, GoalsRules};
use match3::level::{
    Cover, Effects, Goal, Ground, Kind, Level, LevelBoard, LevelGame, LevelSpec, Limit, Outcome,
    ShuffleRule, Start, Target,
};
use match3::special::{Special, SpecialBoard};
use match3::{Board, Cell, Game, GoalsBatch, RandomColors, Rules};

/// The level of the rules of goals.
fn level(rules: &GoalsRules) -> Level {
    let mut spec = LevelSpec::new(rules.board.width(), rules.board.height());
    spec.colors = vec![1; rules.colors.into()];
    spec.limit = Limit::Moves(rules.moves);
    spec.effects.specials = rules.special;
    spec.effects.pairs = false;
    spec.shuffle = ShuffleRule::Recolor;
    spec.cascade_limit = u32::MAX;
    spec.goals = rules
        .goals
        .iter()
        .map(|goal| {
            let target = match goal.target {
                goals::Target::Score => Target::Score,
                goals::Target::Color(color) => Target::Color(color),
                goals::Target::Locked => Target::Locked,
                goals::Target::Special => Target::SetOff,
            };
            Goal { target, count: goal.count }
        })
        .collect();
    for (start, cell) in spec.cells.iter_mut().zip(rules.board.cells()) {
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

fn random_rules(rng: &mut Rng) -> GoalsRules {
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
    let board = Board::from_cells(width, height, cells).expect("a size");
    let locked = board.cells().iter().filter(|cell| cell.is_locked()).count() as u32;
    let special = rng.below(4) > 0;
    let mut goals = vec![
        goals::Goal { target: goals::Target::Score, count: 500 + 100 * rng.below(20) },
        goals::Goal { target: goals::Target::Color(2), count: 1 + rng.below(40) },
    ];
    if locked > 0 {
        goals.push(goals::Goal { target: goals::Target::Locked, count: locked });
    }
    if special {
        goals.push(goals::Goal { target: goals::Target::Special, count: 1 + rng.below(9) });
    }
    let moves = 1 + rng.below(30);
    GoalsRules { board, colors: 4 + rng.below(3) as u8, moves, special, goals, bonus: 0 }
}

#[test]
fn a_thousand_games_are_those_of_goals_batch() {
    let mut rng = Rng::new(83);
    let mut ends = [0; 3];
    let mut games = 0;
    for seed in 0.. {
        let rules = random_rules(&mut rng);
        let Ok(batch) = GoalsBatch::new(1, rules.clone(), seed) else { continue };
        let mut batch = batch.with_autoreset(Autoreset::NextStep);
        let mut buffers = StepBuffers::new(batch.shape());
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).expect("lengths");
        let mut colors = RandomColors::new(rules.colors, Rng::stream(seed, 0)).expect("colors");
        let mut game = LevelGame::new(level(&rules), &mut colors).expect("a game");
        while !game.is_over() {
            let other = batch.game(0).expect("a game");
            assert_equal(game.board(), other.board());
            assert_eq!(game.score(), other.score());
            assert_eq!(game.left(), other.left());
            let legal = game.legal_moves();
            assert_eq!(legal, other.board().swaps());
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let action = swap.action(rules.board.width(), rules.board.height()).expect("a swap");
            game.play(swap, &mut colors, &mut ()).expect("a legal swap");
            batch.step_into(&[action as u32], buffers.out()).expect("a legal action");
            assert_eq!(game.is_over(), buffers.terminated[0]);
        }
        let other = batch.game(0).expect("a game");
        assert_equal(game.board(), other.board());
        assert_eq!(game.left(), other.left());
        assert_eq!(game.outcome() == Some(Outcome::Won), other.is_won());
        ends[match game.outcome() {
            Some(Outcome::Won) => 0,
            Some(Outcome::Dead) => 1,
            _ => 2,
        }] += 1;
        games += 1;
        if games == 1000 {
            break;
        }
    }
    assert!(ends[0] > 50 && ends[2] > 50, "won, dead and lost: {ends:?}");
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

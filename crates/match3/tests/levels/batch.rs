//! A batch against single games played by the plain rules, and the steps that it refuses.

use super::batch_ways::Both;
use bitcore::batch::{Autoreset, IllegalAction};
use bitcore::{Level, Rng};
use match3::colors::{Colors, RandomColors};
use match3::planes::PlanesError;
use match3::reference::naive;
use match3::{Axis, Batch, Board, Board16, Rules, RulesError, Swap};

/// One game by the plain rules, on its own stream.
pub(crate) struct Plain {
    pub(crate) board: Board,
    pub(crate) colors: RandomColors,
    pub(crate) moves_left: u32,
    pub(crate) last: Option<Vec<u8>>,
}

impl Plain {
    pub(crate) fn new(rules: &Rules, rng: Rng) -> Self {
        Self::started(rules, rng, &[])
    }

    /// Starts a game from one of some boards, or without any from a new one.
    pub(crate) fn started(rules: &Rules, rng: Rng, starts: &[Board]) -> Self {
        let board = Board::new(rules.width, rules.height).expect("a size");
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let mut game = Self { board, colors, moves_left: rules.moves, last: None };
        game.start(starts);
        game
    }

    pub(crate) fn start(&mut self, starts: &[Board]) {
        match starts.len() {
            0 => self.deal(),
            n => self.board = starts[self.colors.rng().below(n as u32) as usize].clone(),
        }
    }

    fn deal(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        let board = Board16::<4>::deal(width, height, &mut self.colors).expect("a board that can be dealt");
        self.board = board.into();
    }

    /// The observation: the colors, then the moves left in every cell.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let left = std::iter::repeat_n(self.moves_left.min(255) as u8, cells.len());
        cells.iter().map(|cell| cell.byte()).chain(left).collect()
    }

    pub(crate) fn mask(&self) -> Vec<bool> {
        let (width, height) = (self.board.width(), self.board.height());
        let legal = naive::swaps(&self.board);
        let pairs = (0..Swap::actions(width, height)).map(|action| Swap::from_action(action, width, height));
        pairs.map(|pair| legal.contains(&pair.expect("a pair"))).collect()
    }

    /// Draws a legal swap: horizontal ones first, by column from the left, then from the lowest cell up.
    pub(crate) fn random_swap(&mut self) -> Swap {
        let mut legal = naive::swaps(&self.board);
        legal.sort_by_key(|swap| (swap.axis, swap.x, std::cmp::Reverse(swap.y)));
        legal[self.colors.rng().below(legal.len() as u32) as usize]
    }

    /// Plays a legal swap and returns the points. A dead board is replaced unless the move was the last one.
    pub(crate) fn play(&mut self, swap: Swap, is_last: bool) -> i64 {
        let [a, b] = swap.cells();
        self.board.exchange(a, b);
        let result = naive::cascade(&mut self.board, || self.colors.next());
        if !is_last && naive::swaps(&self.board).is_empty() {
            self.deal();
        }
        result.score as i64
    }
}

/// Plays a batch that restarts its games at once against plain games.
fn compare(level: Level, n: usize, rules: Rules, steps: usize) {
    let mut both = Both::new(level, n, rules, Autoreset::SameStep, IllegalAction::Refuse);
    both.run(steps, &format!("{level}, {rules:?}"));
}

#[test]
fn a_batch_plays_what_single_games_play() {
    for level in testkit::levels() {
        compare(level, 5, Rules { moves: 7, ..Rules::default() }, 60);
    }
}

#[test]
fn boards_of_any_size() {
    for (width, height) in [(9, 9), (16, 3), (3, 16), (1, 16), (12, 1), (8, 5), (5, 8)] {
        compare(Level::detect(), 2, Rules { width, height, colors: 3, moves: 4 }, 9);
    }
    compare(Level::detect(), 2, Rules { width: 11, height: 9, colors: 9, moves: 4 }, 9);
    let rules = Rules { width: 17, ..Rules::default() };
    let error = PlanesError::Size { width: 17, height: 8, longest: 16 };
    assert_eq!(Batch::new(1, 1, rules).map(|_| ()), Err(RulesError::Board(error)));
    let rules = Rules { moves: 0, ..Rules::default() };
    let error = Batch::new(1, 1, rules).map(|_| ()).expect_err("no move");
    assert_eq!((error, error.to_string().as_str()), (RulesError::NoMoves, "0 moves: expected at least 1"));
}

#[test]
fn no_dead_board_stays() {
    // Fifteen colors: most moves end on a dead board, and a new one is dealt at once.
    compare(Level::detect(), 3, Rules { colors: 15, moves: 1000, ..Rules::default() }, 100);
}

#[test]
fn rules_of_no_game_are_checked_too() {
    let error = |width, height, colors, moves| {
        let rules = Rules { width, height, colors, moves };
        let none = Batch::new(0, 1, rules).map(|_| ()).unwrap_err();
        assert_eq!(Batch::new(1, 1, rules).map(|_| ()), Err(none), "{rules:?}");
        none
    };
    let size = |width, height, longest| RulesError::Board(PlanesError::Size { width, height, longest });
    // Width times height, and the number of actions, overflow.
    assert_eq!(error(usize::MAX, usize::MAX, 6, 1), size(usize::MAX, usize::MAX, 16));
    assert_eq!(error(0, 0, 6, 1), size(0, 0, 8));
    assert_eq!(error(0, 9, 6, 1), size(0, 9, 16));
    assert_eq!(error(1, 1, 6, 0), RulesError::NoMoves);
    assert!(matches!(error(1, 1, 6, 1), RulesError::Board(PlanesError::Dead { .. })));
    assert!(matches!(error(8, 8, 16, 1), RulesError::Board(PlanesError::Colors { .. })));
}

#[test]
fn sizes_that_no_board_has() {
    let most = usize::MAX;
    assert_eq!(Swap::actions(most, most), most);
    assert_eq!(Swap::from_action(most - 1, most, most), Some(Swap { x: 0, y: 1, axis: Axis::Horizontal }));
    for axis in [Axis::Horizontal, Axis::Vertical] {
        assert_eq!(Swap { x: most, y: most, axis }.action(most, most), None);
        assert_eq!(Swap { x: 1, y: most / 2, axis }.action(most, most), None);
    }
    // Its index would be the number of pairs.
    assert_eq!(Swap { x: 1, y: 1, axis: Axis::Horizontal }.action(most, most), None);
}

#[test]
fn actions_are_pairs() {
    for (width, height) in [(8, 8), (1, 5), (5, 1), (1, 1), (3, 2), (16, 16)] {
        let actions = Swap::actions(width, height);
        assert_eq!(actions, 2 * width * height - width - height);
        let pairs: Vec<Swap> =
            (0..actions).map(|action| Swap::from_action(action, width, height).expect("in range")).collect();
        for (action, pair) in pairs.iter().enumerate() {
            assert_eq!(pair.action(width, height), Some(action));
            assert!(pair.cells().iter().all(|&(x, y)| x < width && y < height));
        }
        assert_eq!(Swap::from_action(actions, width, height), None);
        for (x, y) in (0..=width).flat_map(|x| (0..=height).map(move |y| (x, y))) {
            for axis in [Axis::Horizontal, Axis::Vertical] {
                let pair = Swap { x, y, axis };
                assert_eq!(pair.action(width, height).is_some(), pairs.contains(&pair));
            }
        }
    }
}

#[test]
fn the_abilities_of_every_batch() {
    for (width, height, colors) in [(8, 8, 6), (5, 7, 4), (9, 9, 5), (8, 8, 9)] {
        let rules = Rules { width, height, colors, moves: 30 };
        testkit::check_batch(&|level, n, seed| Batch::new_on(level, n, seed, rules).expect("a board"));
    }
    let batch = |colors| Batch::new(2, 1, Rules { colors, ..Rules::default() }).expect("a board");
    testkit::check_other_rules(&mut batch(5), &batch(6));
    for colors in [6, 12] {
        let rules = Rules { colors, ..Rules::default() };
        testkit::check_too_many(|n| Batch::new(n, 1, rules), RulesError::Games);
    }
}

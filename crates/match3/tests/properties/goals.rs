//! [`GoalsBatch`], game by game: moves by [`SpecialBoard`], goals counted from its journal.

use super::plain;
use super::values::with_specials;
use bitcore::Rng;
use match3::goals::{Goal, GoalsGame, GoalsGames, GoalsRules, Target};
use match3::special::{Special, SpecialBoard, SpecialEvent};
use match3::{Board, Cell, Colors, Error, Event, GoalsBatch, RandomColors, Swap, try_swap};
use testkit::{Calls, Input, OneThread, Plain, check_batch};

#[derive(Clone)]
struct One<'a> {
    rules: &'a GoalsRules,
    starts: &'a [SpecialBoard],
    board: SpecialBoard,
    colors: RandomColors,
    score: u64,
    left: Vec<u32>,
    moves_left: u32,
    is_won: bool,
}

impl<'a> One<'a> {
    fn new(rules: &'a GoalsRules, starts: &'a [SpecialBoard], rng: Rng) -> Self {
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let board = SpecialBoard::from(rules.board.clone());
        let score = 0;
        let moves_left = 0;
        let mut one =
            Self { rules, starts, board, colors, score, left: vec![], moves_left, is_won: false };
        one.start();
        one
    }

    /// Plays a swap and returns its events.
    fn events(&mut self, swap: Swap) -> Vec<SpecialEvent> {
        let color = || self.colors.next();
        if self.rules.special {
            let mut events = Vec::new();
            self.board.try_swap(swap, color, &mut events).expect("a legal swap");
            return events;
        }
        let mut board = self.board.board().clone();
        let mut events = Vec::new();
        try_swap(&mut board, swap, color, &mut events).expect("a legal swap");
        self.board = board.into();
        events.into_iter().map(SpecialEvent::Board).collect()
    }

    fn is_alive(&self) -> bool {
        !self.legal().is_empty()
    }
}

fn counts(target: Target, event: &SpecialEvent) -> u64 {
    match (target, event) {
        (Target::Score, SpecialEvent::Board(Event::Clear { level, .. })) => 10 * level,
        (Target::Color(color), SpecialEvent::Board(Event::Clear { cell, .. })) => {
            (cell.color() == Some(color)).into()
        }
        (Target::Locked, SpecialEvent::Board(Event::Clear { cell, .. })) => cell.is_locked().into(),
        (Target::Special, SpecialEvent::SetOff { .. }) => 1,
        _ => 0,
    }
}

impl Plain for One<'_> {
    type Games = GoalsGames;

    fn observation(&self) -> Vec<u8> {
        let cells: Vec<_> = plain::cells(self.board.board()).collect();
        let cell = |&at: &(usize, usize)| self.board.board()[at];
        let mut planes: Vec<Vec<u8>> = Vec::new();
        for kind in [Special::Row, Special::Column, Special::Bomb, Special::Color] {
            planes.push(
                cells
                    .iter()
                    .map(|at| u8::from(self.board.special(at.0, at.1) == Some(kind)))
                    .collect(),
            );
        }
        planes.push(cells.iter().map(|at| u8::from(cell(at).is_locked())).collect());
        planes.push(cells.iter().map(|at| u8::from(cell(at) == Cell::BLOCKED)).collect());
        planes.push(vec![self.moves_left.min(255) as u8; cells.len()]);
        for color in 1..=self.rules.colors {
            planes.push(cells.iter().map(|at| u8::from(cell(at).color() == Some(color))).collect());
        }
        for (goal, &left) in self.rules.goals.iter().zip(&self.left) {
            let part = (f64::from(left) * 255.0 / f64::from(goal.count)).ceil();
            planes.push(vec![part as u8; cells.len()]);
        }
        planes.concat()
    }

    fn plane(&self) -> Option<usize> {
        Some(self.board.board().cells().len())
    }

    fn legal(&self) -> Vec<u32> {
        let width = self.rules.board.width();
        let height = self.rules.board.height();
        let action = |swap: Swap| swap.action(width, height).expect("a swap") as u32;
        let mut legal: Vec<u32> =
            plain::Plain::of(&self.board).legal().into_iter().map(action).collect();
        legal.sort_unstable();
        legal
    }

    fn rng(&mut self) -> &mut Rng {
        self.colors.rng()
    }

    fn start(&mut self) {
        (self.moves_left, self.score) = (self.rules.moves, 0);
        self.left = self.rules.goals.iter().map(|goal| goal.count).collect();
        self.board = match self.starts {
            [] => {
                let mut board = SpecialBoard::from(self.rules.board.clone());
                let first = board.redeal(self.rules.colors, self.colors.rng());
                if first.is_err() {
                    board
                        .redeal(self.rules.colors, &mut Rng::new(0))
                        .expect("the board of the check");
                }
                board
            }
            starts => starts[self.colors.rng().below(starts.len() as u32) as usize].clone(),
        };
    }

    fn play(&mut self, action: u32, is_last: bool) -> (i64, bool) {
        let swap =
            Swap::from_action(action as usize, self.rules.board.width(), self.rules.board.height());
        let events = self.events(swap.expect("a legal action"));
        let total = |target| events.iter().map(|event| counts(target, event)).sum::<u64>();
        self.moves_left -= 1;
        self.score += total(Target::Score);
        let mut reward = total(Target::Score) as i64;
        for (goal, left) in self.rules.goals.iter().zip(&mut self.left) {
            let before = *left;
            *left = u64::from(before).saturating_sub(total(goal.target)) as u32;
            if before > 0 && *left == 0 {
                reward += i64::from(self.rules.bonus);
            }
        }
        self.is_won = !self.left.is_empty() && self.left.iter().all(|&left| left == 0);
        let is_last = is_last || self.moves_left == 0;
        if !self.is_won && !is_last && !self.is_alive() {
            // A board that stays dead ends the game.
            self.board.redeal(self.rules.colors, self.colors.rng()).ok();
        }
        (reward, self.is_won || self.moves_left == 0 || (!is_last && !self.is_alive()))
    }

    fn wait(&mut self) -> bool {
        self.moves_left -= 1;
        self.moves_left == 0
    }

    fn assert_is(&self, found: &GoalsGame, action: Option<u32>) {
        assert_eq!(found.board(), &self.board);
        assert_eq!(found.score(), self.score);
        assert_eq!(found.left(), &self.left[..]);
        assert_eq!(found.is_won(), self.is_won && action.is_some());
    }
}

/// Takes a board of pieces with some holes and locks.
fn any_shape(input: &Input) -> Board {
    let side = || match input.byte() {
        byte @ 250.. => 11 + usize::from(byte - 250),
        byte => 1 + usize::from(byte) % 8,
    };
    let width = side();
    let height = side();
    let marks =
        [&b"11111111"[..], b"1111111#", b"111111!!", b"11111!#.", b"1111111."][input.below(5)];
    let mut rng = Rng::new(input.byte().into());
    let cell = |_| {
        let piece = Cell::new(1).expect("a color");
        match marks[rng.below(8) as usize] {
            b'#' => Cell::BLOCKED,
            b'!' => piece.locked(),
            b'.' => Cell::EMPTY,
            _ => piece,
        }
    };
    Board::from_cells(width, height, (0..width * height).map(cell).collect()).expect("a size")
}

fn any_rules(input: &Input) -> GoalsRules {
    let colors = 4 + input.below(12) as u8;
    let mut goals = Vec::new();
    for _ in 0..input.below(4) {
        let (target, count) = match input.below(5) {
            0 => (Target::Score, 30 + u32::from(input.byte())),
            1 => (Target::Locked, 1 + u32::from(input.byte()) % 4),
            2 => (Target::Special, 1),
            color => (Target::Color(color as u8), 1 + u32::from(input.byte()) % 8),
        };
        goals.push(Goal { target, count });
    }
    let moves = match input.byte() {
        255 => u32::MAX,
        // The observation has one byte for the number of moves left.
        byte @ 240.. => 250 + u32::from(byte) % 15,
        byte => 1 + u32::from(byte) % 8,
    };
    let special = input.below(4) > 0;
    let bonus = u32::from(input.byte()) * 100;
    GoalsRules { board: any_shape(input), colors, moves, special, goals, bonus }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// [`run`] with other calls, such as the multi-threaded ones.
pub(crate) fn by(input: &Input, calls: &dyn Calls<GoalsGames>) {
    let rules = any_rules(input);
    let choice = usize::from(input.byte());
    let n = if choice < 240 { choice % 4 } else { [5, 33][choice % 2] };
    let seed = u64::from(input.byte());
    if let Err(error) = GoalsBatch::new(n, rules.clone(), seed) {
        let dead = [Error::NoneExists, Error::NotFound].contains(&error);
        return assert!(dead || matches!(error, Error::Goal { .. }), "{error}");
    }
    let mut starts = Vec::new();
    if choice / 4 % 4 == 3 {
        let mut rng = Rng::new(!seed);
        let deal = |i| {
            let mut board = SpecialBoard::from(rules.board.clone());
            board.redeal(rules.colors, &mut rng).ok()?;
            Some(with_specials(board.board().clone(), if rules.special { 15 } else { 0 }, i))
        };
        starts.extend((0..3).map_while(deal));
    }
    let batch = || {
        let batch = GoalsBatch::new(n, rules.clone(), seed).expect("a board, as before");
        if starts.is_empty() {
            batch
        } else {
            batch.with_starts(starts.clone()).expect("dealt boards")
        }
    };
    check_batch(input, 24, calls, (seed, None), batch, |rng| One::new(&rules, &starts, rng));
}

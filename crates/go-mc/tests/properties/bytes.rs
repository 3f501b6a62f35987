//! [`ByteGame`]: whole games by flood fills on bytes, with every earlier board for superko.

use super::plain::set;
use go_mc::{Board, Color, IllegalMove, Ko, Move, Point, Rules, Suicide};

const EMPTY: u8 = 2;
const BORDER: u8 = 3;

/// A byte per point, a [`Color`] or [`EMPTY`], with a border.
#[derive(Clone, PartialEq)]
struct Cells {
    cells: Vec<u8>,
    /// The bytes from one row to the next. The byte before a row is also the border after the row
    /// below.
    stride: usize,
}

impl Cells {
    fn at(&self, point: Point) -> usize {
        (usize::from(point.y) + 1) * self.stride + usize::from(point.x) + 1
    }

    fn near(&self, at: usize) -> [usize; 4] {
        [at - self.stride, at - 1, at + 1, at + self.stride]
    }

    /// Returns the chain at `at` if it has no liberty, otherwise nothing.
    fn dead(&self, at: usize) -> Vec<usize> {
        let mut chain = vec![at];
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            for near in self.near(stone) {
                if self.cells[near] == EMPTY {
                    return Vec::new();
                }
                if self.cells[near] == self.cells[at] && !chain.contains(&near) {
                    chain.push(near);
                }
            }
            next += 1;
        }
        chain
    }

    /// Puts a stone on an empty point. Returns the captured stones, and the own stones without a
    /// liberty.
    fn put(&mut self, color: Color, at: usize) -> [Vec<usize>; 2] {
        self.cells[at] = color as u8;
        let mut captured = Vec::new();
        for near in self.near(at) {
            if self.cells[near] == color.other() as u8 {
                let dead = self.dead(near);
                self.clear(&dead);
                captured.extend(dead);
            }
        }
        let lost = self.dead(at);
        self.clear(&lost);
        [captured, lost]
    }

    fn clear(&mut self, stones: &[usize]) {
        for &stone in stones {
            self.cells[stone] = EMPTY;
        }
    }

    fn count(&self, around: usize, contents: u8) -> usize {
        self.near(around).iter().filter(|&&near| self.cells[near] == contents).count()
    }
}

/// A game by the rules as they are read.
#[derive(Clone)]
pub(crate) struct ByteGame {
    rules: Rules,
    cells: Cells,
    ko: Option<(Color, usize)>,
    pub(crate) to_move: Color,
    pub(crate) passes: u8,
    earlier: Vec<(Cells, Color)>,
}

impl ByteGame {
    pub(crate) fn new(rules: Rules) -> Self {
        let width = rules.size.width();
        let height = rules.size.height();
        let stride = width + 1;
        let mut cells = Cells { cells: vec![BORDER; (height + 2) * stride + 1], stride };
        for y in 1..=height {
            cells.cells[y * stride + 1..][..width].fill(EMPTY);
        }
        let earlier = vec![(cells.clone(), Color::Black)];
        Self { rules, cells, ko: None, to_move: Color::Black, passes: 0, earlier }
    }

    pub(crate) fn set_to_move(&mut self, color: Color) {
        if self.to_move != color || self.passes == 2 {
            self.become_position(self.cells.clone(), None, color);
            self.passes = 0;
        }
    }

    fn become_position(&mut self, cells: Cells, ko: Option<(Color, usize)>, to_move: Color) {
        self.earlier.push((cells.clone(), to_move));
        (self.cells, self.ko, self.to_move) = (cells, ko, to_move);
    }

    /// Returns the cell of a point on the board.
    fn cell(&self, point: Point) -> Option<usize> {
        let size = self.rules.size;
        let is_on = usize::from(point.x) < size.width() && usize::from(point.y) < size.height();
        is_on.then(|| self.cells.at(point))
    }

    /// Returns the board after a legal move, and the ko that it leaves.
    fn next(&self, mv: Move) -> Result<(Cells, Option<(Color, usize)>), IllegalMove> {
        if self.passes == 2 {
            return Err(IllegalMove::GameOver);
        }
        let mut cells = self.cells.clone();
        let Move::Play(point) = mv else { return Ok((cells, None)) };
        let at = self.cell(point).ok_or(IllegalMove::OffBoard)?;
        let color = self.to_move;
        let other = self.to_move.other();
        if cells.cells[at] != EMPTY {
            return Err(IllegalMove::Occupied);
        }
        if self.rules.ko == Ko::Simple && self.ko == Some((color, at)) {
            return Err(IllegalMove::Ko);
        }
        let [captured, lost] = cells.put(color, at);
        let is_legal = match self.rules.suicide {
            Suicide::Forbidden => lost.is_empty(),
            Suicide::Multi => lost.len() != 1,
            Suicide::All => true,
        };
        if !is_legal {
            return Err(IllegalMove::Suicide);
        }
        let is_earlier = |(earlier, to_move): &(Cells, Color)| {
            *earlier == cells && (self.rules.ko == Ko::Positional || *to_move == other)
        };
        if self.rules.ko != Ko::Simple && self.earlier.iter().any(is_earlier) {
            return Err(IllegalMove::Superko);
        }
        let ko =
            captured.len() == 1 && cells.count(at, color as u8) == 0 && cells.count(at, EMPTY) == 1;
        Ok((cells, ko.then(|| (other, captured[0]))))
    }

    pub(crate) fn allows(&self, mv: Move) -> bool {
        self.next(mv).is_ok()
    }

    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let (cells, ko) = self.next(mv)?;
        self.passes = if mv == Move::Pass { self.passes + 1 } else { 0 };
        self.become_position(cells, ko, self.to_move.other());
        Ok(())
    }

    pub(crate) fn play_recorded(&mut self, color: Color, mv: Move) -> Option<IllegalMove> {
        let before = self.clone();
        self.set_to_move(color);
        let broken = self.play(mv).err()?;
        let Move::Play(point) = mv else { unreachable!("a pass is legal") };
        let Some(at) = self.cell(point) else {
            *self = before;
            return Some(broken);
        };
        let mut cells = self.cells.clone();
        let [captured, _] = cells.put(color, at);
        let ko =
            captured.len() == 1 && cells.count(at, color as u8) == 0 && cells.count(at, EMPTY) == 1;
        self.passes = 0;
        self.become_position(cells, ko.then(|| (color.other(), captured[0])), color.other());
        Some(broken)
    }

    pub(crate) fn assert_equals(&self, board: &Board) {
        let size = self.rules.size;
        let rows = 0..size.height() as u8;
        let points: Vec<Point> =
            rows.flat_map(|y| (0..size.width() as u8).map(move |x| Point { x, y })).collect();
        let is_at = |point: &&Point, contents| self.cells.cells[self.cells.at(**point)] == contents;
        for color in Color::ALL {
            let stones = points.iter().filter(|point| is_at(point, color as u8)).copied();
            assert_eq!(board.stones(color), set(stones));
            let ko = self.ko.filter(|&(banned, _)| banned == color);
            let ko =
                ko.and_then(|(_, at)| points.iter().find(|&&point| self.cells.at(point) == at));
            assert_eq!(board.ko(color), ko.copied());
        }
    }
}

//! [`PlainBoard`]: the rules on a map of points, by simple flood fills.

use go_mc::{Board, Color, IllegalMove, Point, Points, Size, Suicide};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlainBoard {
    size: Size,
    pub(crate) stones: BTreeMap<Point, Color>,
    pub(crate) ko: Option<(Color, Point)>,
}

impl PlainBoard {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, stones: BTreeMap::new(), ko: None }
    }

    fn contains(&self, at: Point) -> bool {
        usize::from(at.x) < self.size.width() && usize::from(at.y) < self.size.height()
    }

    fn around(&self, at: Point, steps: [(i8, i8); 4]) -> Vec<Point> {
        let step =
            |(x, y)| Point { x: at.x.wrapping_add_signed(x), y: at.y.wrapping_add_signed(y) };
        steps.map(step).into_iter().filter(|&at| self.contains(at)).collect()
    }

    fn neighbors(&self, at: Point) -> Vec<Point> {
        self.around(at, [(0, -1), (-1, 0), (1, 0), (0, 1)])
    }

    /// Returns all points connected to `at` through points with the same contents.
    fn region(&self, at: Point) -> BTreeSet<Point> {
        let mut region = BTreeSet::new();
        let mut open = vec![at];
        while let Some(next) = open.pop() {
            if self.stones.get(&next) == self.stones.get(&at) && region.insert(next) {
                open.extend(self.neighbors(next));
            }
        }
        region
    }

    pub(crate) fn chain(&self, at: Point) -> BTreeSet<Point> {
        if self.stones.contains_key(&at) { self.region(at) } else { BTreeSet::new() }
    }

    pub(crate) fn liberties(&self, at: Point) -> BTreeSet<Point> {
        let near = self.chain(at).into_iter().flat_map(|stone| self.neighbors(stone));
        near.filter(|at| !self.stones.contains_key(at)).collect()
    }

    fn remove_dead(&mut self, color: Color) -> Vec<Point> {
        let mine = self.stones.iter().filter(|&(_, &other)| other == color).map(|(&at, _)| at);
        let dead: Vec<Point> = mine.filter(|&at| self.liberties(at).is_empty()).collect();
        self.stones.retain(|at, _| !dead.contains(at));
        dead
    }

    pub(crate) fn play(
        &mut self,
        color: Color,
        at: Point,
        suicide: Suicide,
    ) -> Result<u32, IllegalMove> {
        if self.ko == Some((color, at)) {
            return Err(IllegalMove::Ko);
        }
        if !self.contains(at) {
            return Err(IllegalMove::OffBoard);
        }
        let mut next = Self { ko: None, ..self.clone() };
        if next.stones.insert(at, color).is_some() {
            return Err(IllegalMove::Occupied);
        }
        let captured = next.remove_dead(color.other());
        let own = next.remove_dead(color);
        let allowed = match suicide {
            Suicide::Forbidden => own.is_empty(),
            Suicide::Multi => own.len() != 1,
            Suicide::All => true,
        };
        if !allowed {
            return Err(IllegalMove::Suicide);
        }
        if captured.len() == 1 && next.chain(at).len() == 1 && next.liberties(at).len() == 1 {
            next.ko = Some((color.other(), captured[0]));
        }
        *self = next;
        Ok((captured.len() + own.len()) as u32)
    }

    pub(crate) fn is_eye(&self, color: Color, at: Point) -> bool {
        let diagonals = self.around(at, [(-1, -1), (1, -1), (-1, 1), (1, 1)]);
        let lost =
            diagonals.iter().filter(|at| self.stones.get(at) == Some(&color.other())).count();
        self.contains(at)
            && !self.stones.contains_key(&at)
            && self.neighbors(at).iter().all(|at| self.stones.get(at) == Some(&color))
            && lost + usize::from(diagonals.len() < 4) < 2
    }

    /// Returns each color's area: by Tromp-Taylor, or if `simple`, counting only empty points
    /// between own stones.
    pub(crate) fn area(&self, simple: bool) -> [u32; 2] {
        let mut area = [0; 2];
        for at in self.size.points().iter().map(Points::<19>::point) {
            let owner = self.stones.get(&at).copied().or_else(|| {
                let region = if simple { [at].into() } else { self.region(at) };
                let border = region.iter().flat_map(|&at| self.neighbors(at));
                let mut colors: Vec<Option<&Color>> =
                    border.map(|at| self.stones.get(&at)).collect();
                colors.retain(|color| simple || color.is_some());
                let first = colors.first().copied().flatten();
                first.filter(|_| colors.iter().all(|&other| other == first)).copied()
            });
            if let Some(owner) = owner {
                area[owner as usize] += 1;
            }
        }
        area
    }

    pub(crate) fn assert_equals(&self, board: &Board) {
        for color in Color::ALL {
            let stones = self.stones.iter().filter(|&(_, &other)| other == color);
            assert_eq!(board.stones(color), set(stones.map(|(&at, _)| at)));
            assert_eq!(
                board.ko(color),
                self.ko.filter(|&(banned, _)| banned == color).map(|(_, at)| at)
            );
        }
    }
}

pub(crate) fn set(points: impl IntoIterator<Item = Point>) -> Points<19> {
    points.into_iter().filter_map(Points::<19>::index).collect()
}

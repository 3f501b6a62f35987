//! [`PlainBoard`] and [`PlainGame`]: the rules on a list of points, one flood fill at a time.

use go_mc::{Board, Color, IllegalMove, Ko, Move, Point, Points, Rules, Size, Suicide};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlainBoard {
    size: Size,
    stones: Vec<Option<Color>>,
    pub(super) ko: Option<(Color, usize)>,
}

impl PlainBoard {
    pub(super) fn new(size: Size) -> Self {
        Self { size, stones: vec![None; size.width() * size.height()], ko: None }
    }

    /// Puts a stone, without any rule.
    pub(super) fn put(&mut self, color: Color, point: Point) {
        if let Some(place) = self.place(point) {
            self.stones[place] = Some(color);
        }
    }

    pub(super) fn place(&self, point: Point) -> Option<usize> {
        let (x, y) = (usize::from(point.x), usize::from(point.y));
        (x < self.size.width() && y < self.size.height()).then_some(y * self.size.width() + x)
    }

    pub(super) fn point(&self, place: usize) -> Point {
        Point { x: (place % self.size.width()) as u8, y: (place / self.size.width()) as u8 }
    }

    fn around(&self, place: usize, steps: &[(i32, i32)]) -> Vec<usize> {
        let Point { x, y } = self.point(place);
        let near = steps.iter().map(|(dx, dy)| (i32::from(x) + dx, i32::from(y) + dy));
        let near = near.filter(|&(x, y)| x >= 0 && y >= 0);
        near.filter_map(|(x, y)| self.place(Point { x: x as u8, y: y as u8 })).collect()
    }

    fn neighbors(&self, place: usize) -> Vec<usize> {
        self.around(place, &[(0, -1), (-1, 0), (1, 0), (0, 1)])
    }

    /// Returns all places that are connected with one by places of the same content, sorted.
    fn region(&self, place: usize) -> Vec<usize> {
        let mut seen = vec![false; self.stones.len()];
        seen[place] = true;
        let (mut region, mut next) = (vec![place], 0);
        while let Some(&at) = region.get(next) {
            next += 1;
            for neighbor in self.neighbors(at) {
                if self.stones[neighbor] == self.stones[place]
                    && !std::mem::replace(&mut seen[neighbor], true)
                {
                    region.push(neighbor);
                }
            }
        }
        region.sort_unstable();
        region
    }

    pub(super) fn chain(&self, place: usize) -> Vec<usize> {
        if self.stones[place].is_some() { self.region(place) } else { Vec::new() }
    }

    pub(super) fn liberties(&self, place: usize) -> Vec<usize> {
        let mut liberties: Vec<usize> =
            self.chain(place).into_iter().flat_map(|stone| self.neighbors(stone)).collect();
        liberties.retain(|&neighbor| self.stones[neighbor].is_none());
        liberties.sort_unstable();
        liberties.dedup();
        liberties
    }

    /// Removes the chains of a color that have no liberty.
    fn remove_dead(&mut self, color: Color) -> Vec<usize> {
        let mut seen = vec![false; self.stones.len()];
        let mut dead = Vec::new();
        for place in 0..self.stones.len() {
            if self.stones[place] == Some(color) && !seen[place] {
                let chain = self.chain(place);
                chain.iter().for_each(|&stone| seen[stone] = true);
                if self.liberties(place).is_empty() {
                    dead.extend(chain);
                }
            }
        }
        dead.iter().for_each(|&place| self.stones[place] = None);
        dead
    }

    pub(super) fn play(
        &mut self,
        color: Color,
        point: Point,
        suicide: Suicide,
        simple_ko: bool,
    ) -> Result<u32, IllegalMove> {
        let place = self.place(point);
        if simple_ko && self.ko.is_some_and(|(banned, ko)| banned == color && Some(ko) == place) {
            return Err(IllegalMove::Ko);
        }
        let place = place.ok_or(IllegalMove::OffBoard)?;
        if self.stones[place].is_some() {
            return Err(IllegalMove::Occupied);
        }
        let mut next = self.clone();
        next.stones[place] = Some(color);
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
        next.ko = None;
        if captured.len() == 1 && next.chain(place).len() == 1 && next.liberties(place).len() == 1 {
            next.ko = Some((color.other(), captured[0]));
        }
        *self = next;
        Ok((captured.len() + own.len()) as u32)
    }

    pub(super) fn set(&self, color: Color) -> Points<19> {
        let places = (0..self.stones.len()).filter(|&place| self.stones[place] == Some(color));
        places.filter_map(|place| Points::<19>::index(self.point(place))).collect()
    }

    pub(super) fn is_eye(&self, color: Color, place: usize) -> bool {
        let diagonals = self.around(place, &[(-1, -1), (1, -1), (-1, 1), (1, 1)]);
        let lost = diagonals.iter().filter(|&&place| self.stones[place] == Some(color.other())).count();
        self.stones[place].is_none()
            && self.neighbors(place).iter().all(|&place| self.stones[place] == Some(color))
            && lost + usize::from(diagonals.len() < 4) < 2
    }

    /// Returns the area of each color: by Tromp and Taylor, or `simple`, with empty points between own stones.
    pub(super) fn area(&self, simple: bool) -> [u32; 2] {
        let mut area = [0; 2];
        for place in 0..self.stones.len() {
            let owner = self.stones[place].or_else(|| {
                let region = if simple { vec![place] } else { self.region(place) };
                let border = region.iter().flat_map(|&place| self.neighbors(place));
                let mut colors: Vec<Option<Color>> = border.map(|place| self.stones[place]).collect();
                if !simple {
                    colors.retain(Option::is_some);
                }
                let first = colors.first().copied().flatten();
                first.filter(|&color| colors.iter().all(|&other| other == Some(color)))
            });
            if let Some(owner) = owner {
                area[owner as usize] += 1;
            }
        }
        area
    }

    pub(super) fn assert_equals(&self, board: &Board) {
        for color in Color::ALL {
            assert_eq!(board.stones(color), self.set(color));
            let ko = self.ko.filter(|&(banned, _)| banned == color).map(|(_, place)| self.point(place));
            assert_eq!(board.ko(color), ko);
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct PlainGame {
    pub(super) board: PlainBoard,
    rules: Rules,
    pub(super) to_move: Color,
    pub(super) passes: u8,
    history: Vec<(Vec<Option<Color>>, Color)>,
}

impl PlainGame {
    pub(super) fn new(size: Size, rules: Rules) -> Self {
        let board = PlainBoard::new(size);
        let history = vec![(board.stones.clone(), Color::Black)];
        Self { board, rules, to_move: Color::Black, passes: 0, history }
    }

    pub(super) fn set_to_move(&mut self, color: Color) {
        if self.to_move != color || self.passes == 2 {
            (self.to_move, self.passes, self.board.ko) = (color, 0, None);
            self.history.push((self.board.stones.clone(), color));
        }
    }

    pub(super) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.passes == 2 {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Pass => (self.board.ko, self.passes) = (None, self.passes + 1),
            Move::Play(point) => {
                let mut next = self.board.clone();
                next.play(self.to_move, point, self.rules.suicide, self.rules.ko == Ko::Simple)?;
                let repeats = self.history.iter().any(|(stones, to_move)| {
                    *stones == next.stones
                        && match self.rules.ko {
                            Ko::Simple => false,
                            Ko::Positional => true,
                            Ko::Situational => *to_move == self.to_move.other(),
                        }
                });
                if repeats {
                    return Err(IllegalMove::Superko);
                }
                (self.board, self.passes) = (next, 0);
            }
        }
        self.to_move = self.to_move.other();
        self.history.push((self.board.stones.clone(), self.to_move));
        Ok(())
    }
}

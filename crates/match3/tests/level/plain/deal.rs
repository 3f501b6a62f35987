//! Deals: the draws of [`redeal`](match3::redeal), with weights, squares, and pieces that stay.

use super::{At, Content, DIRECTIONS, Plain};
use match3::RandomColors;
use match3::level::LevelCell;

/// How a search for a board ended without one.
#[derive(PartialEq)]
enum Failure {
    None,
    NotFound,
}

impl Plain {
    /// Gives new colors to the pieces in some cells, in reading order; the others stay.
    pub(super) fn deal(&mut self, open: &[At], colors: &mut RandomColors) -> bool {
        let before = self.cells.clone();
        let patterns = self.patterns();
        if patterns.is_empty() && !self.is_alive() {
            return false;
        }
        let steps = 64 * open.len();
        for _ in 0..64 {
            match self.search(&before, &[], open, Some(steps), colors) {
                Ok(()) => return true,
                Err(Failure::None) => return self.give_up(before),
                Err(Failure::NotFound) => {}
            }
        }
        let mut patterns = patterns;
        patterns.retain(|&[mover, _, s, t]| [mover, s, t].iter().all(|at| open.contains(at)));
        for _ in 0..if patterns.is_empty() { 0 } else { 64 } {
            let [mover, _, s, t] = patterns[colors.rng().below(patterns.len() as u32) as usize];
            let mut all = self.possible_colors();
            let color = all.remove(self.draw(&all, colors));
            let planted = [(mover, color), (s, color), (t, color)];
            self.prepare(&before, &planted, open);
            if planted.iter().any(|&(at, _)| self.is_matched(at)) {
                continue;
            }
            let mut rest = open.to_vec();
            rest.retain(|at| ![mover, s, t].contains(at));
            if self.search(&before, &planted, &rest, Some(steps), colors).is_ok() {
                return true;
            }
        }
        self.search(&before, &[], open, None, colors).is_ok() || self.give_up(before)
    }

    fn give_up(&mut self, before: Vec<LevelCell>) -> bool {
        self.cells = before;
        false
    }

    /// Empties the open cells, but for some planted pieces.
    fn prepare(&mut self, before: &[LevelCell], planted: &[(At, u8)], open: &[At]) {
        self.cells = before.to_vec();
        for &at in open {
            self.put(at, Content::Empty);
        }
        for &(at, color) in planted {
            self.put_recolored(at, color, before);
        }
    }

    fn put_recolored(&mut self, (x, y): At, color: u8, before: &[LevelCell]) {
        let Content::Piece { special, cover, .. } = before[y * self.spec.width + x].content else {
            unreachable!("a piece")
        };
        self.put((x, y), Content::Piece { color, special, cover });
    }

    fn possible_colors(&self) -> Vec<u8> {
        let weights = (1..).zip(&self.spec.colors);
        weights.filter(|&(_, &weight)| weight > 0).map(|(color, _)| color).collect()
    }

    /// Draws one of some colors by their weights, and returns its place among them.
    fn draw(&self, of: &[u8], colors: &mut RandomColors) -> usize {
        let weight = |color: u8| self.spec.colors[usize::from(color) - 1];
        let number = colors.rng().below(of.iter().map(|&color| weight(color)).sum());
        let mut sum = 0;
        for (place, &color) in of.iter().enumerate() {
            sum += weight(color);
            if sum > number {
                return place;
            }
        }
        unreachable!("the number is below the sum")
    }

    /// Fills the open cells one after the other, with a number of colors tried at most: until the
    /// first full board, or, without a number, until one with a legal swap or about a million.
    fn search(
        &mut self,
        before: &[LevelCell],
        planted: &[(At, u8)],
        open: &[At],
        steps: Option<usize>,
        colors: &mut RandomColors,
    ) -> Result<(), Failure> {
        self.prepare(before, planted, open);
        let all = self.possible_colors();
        // In each cell, the colors in the order in which they are tried, and how many were.
        let mut orders = vec![all.clone(); open.len()];
        let mut tried = vec![0; open.len()];
        let mut depth = 0;
        let mut spent = 0;
        loop {
            if depth == open.len() {
                if self.is_alive() {
                    return Ok(());
                }
                if steps.is_some() {
                    return Err(Failure::NotFound);
                }
                spent += self.cells.len();
            } else if tried[depth] == all.len() {
                tried[depth] = 0;
            } else {
                spent += 1;
                if spent > steps.unwrap_or(1 << 20) {
                    return Err(Failure::NotFound);
                }
                let first = tried[depth];
                let drawn = first + self.draw(&orders[depth][first..], colors);
                orders[depth].swap(first, drawn);
                tried[depth] += 1;
                let at = open[depth];
                self.put_recolored(at, orders[depth][first], before);
                if self.is_matched(at) {
                    self.put(at, Content::Empty);
                } else {
                    depth += 1;
                }
                continue;
            }
            if depth == 0 {
                return Err(Failure::None);
            }
            depth -= 1;
            self.put(open[depth], Content::Empty);
        }
    }

    /// Whether a swap of two pieces makes a run, or special pieces make one legal.
    fn is_alive(&mut self) -> bool {
        for a in self.cells_where(|at| self.is_free(at)) {
            for way in [(1, 0), (0, 1)] {
                let Some(b) = self.step(a, way) else { continue };
                if !self.is_free(b) {
                    continue;
                }
                self.exchange(a, b);
                let makes_run = self.in_run(a) || self.in_run(b);
                self.exchange(a, b);
                if self.color(a) != self.color(b) && makes_run || self.is_legal_by_kinds(a, b) {
                    return true;
                }
            }
        }
        false
    }

    /// Cells [mover, partner, s, t] with pieces: if the first, s and t have one color, the swap of
    /// the first two, which are free, makes a run.
    fn patterns(&self) -> Vec<[At; 4]> {
        let mut patterns = Vec::new();
        for mover in self.cells_where(|at| self.is_free(at)) {
            for (dx, dy) in DIRECTIONS {
                let Some(partner) = self.step(mover, (dx, dy)) else { continue };
                if !self.is_free(partner) {
                    continue;
                }
                let ahead = |n: i32| (dx * n, dy * n);
                let aside = |n: i32| (dy * n, dx * n);
                let places = [
                    [ahead(1), ahead(2)],
                    [aside(1), aside(2)],
                    [aside(-1), aside(-2)],
                    [aside(-1), aside(1)],
                ];
                for [s, t] in places {
                    let Some(s) = self.step(partner, s) else { continue };
                    let Some(t) = self.step(partner, t) else { continue };
                    if self.piece(s).is_some() && self.piece(t).is_some() {
                        patterns.push([mover, partner, s, t]);
                    }
                }
            }
        }
        patterns
    }
}

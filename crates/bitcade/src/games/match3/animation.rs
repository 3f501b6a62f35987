//! [`Animation`]: the events of a swap as shown, step by step.

use match3::{Board, Cell, Event, Swap, replay};
use std::time::Duration;

pub(crate) type At = (usize, usize);

/// A falling piece and its start row, which is above the board for a new piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Falling {
    pub(crate) cell: Cell,
    pub(crate) x: usize,
    pub(crate) from: i32,
    pub(crate) to: usize,
}

/// The changes shown simultaneously.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Two pieces change places, or try to and go back.
    Swap { cells: [At; 2], refused: bool },
    /// Pieces are cleared.
    Clear { cells: Vec<At> },
    /// Pieces fall; the board does not contain them.
    Fall { pieces: Vec<Falling> },
    /// The board is shown for a while.
    Rest,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// The board at the start of the step.
    pub(crate) board: Board,
    pub(crate) change: Change,
    /// The score at the start of the step.
    pub(crate) score: u64,
    /// The cascade level, 0 before the first.
    pub(crate) level: u64,
    time: Duration,
}

const SWAP: Duration = Duration::from_millis(160);
const REFUSAL: Duration = Duration::from_millis(320);
const CLEAR: Duration = Duration::from_millis(280);
/// The time of a fall by one row.
const ROW: Duration = Duration::from_millis(55);
/// The display time of a dead board.
const DEAD: Duration = Duration::from_millis(1200);
/// The time between frames.
pub(crate) const PICTURE: Duration = Duration::from_millis(33);

/// The steps from one board to the next.
#[derive(Clone, Debug)]
pub(crate) struct Animation {
    start: Duration,
    steps: Vec<Step>,
    end: Board,
}

impl Animation {
    pub(crate) fn refused(board: &Board, swap: Swap, score: u64, start: Duration) -> Self {
        let change = Change::Swap { cells: swap.cells(), refused: true };
        let step = Step { board: board.clone(), change, score, level: 0, time: REFUSAL };
        Self { start, steps: vec![step], end: board.clone() }
    }

    pub(crate) fn new(board: &Board, events: &[Event], score: u64, start: Duration) -> Self {
        let mut animation = Self { start, steps: Vec::new(), end: board.clone() };
        let mut score = score;
        let mut level = 0;
        let mut rest = events;
        while let Some(first) = rest.first() {
            let falls = |event: &Event| matches!(event, Event::Fall { .. } | Event::Spawn { .. });
            let clears = |event: &Event| matches!(event, Event::Match { .. } | Event::Clear { .. });
            let kind: &dyn Fn(&Event) -> bool = match first {
                Event::Swap(_) => &|event| matches!(event, Event::Swap(_)),
                Event::Match { .. } | Event::Clear { .. } => &clears,
                Event::Fall { .. } | Event::Spawn { .. } => &falls,
            };
            let (part, others) =
                rest.split_at(rest.iter().position(|event| !kind(event)).unwrap_or(rest.len()));
            rest = others;
            let mut before = animation.end.clone();
            // A journal of this board replays without error; any other one ends the animation.
            if replay(&mut animation.end, part).is_err() {
                break;
            }
            let mut gain = 0;
            let (change, time) = match first {
                Event::Swap(swap) => (Change::Swap { cells: swap.cells(), refused: false }, SWAP),
                Event::Match { level: reached, .. } | Event::Clear { level: reached, .. } => {
                    level = *reached;
                    let cells: Vec<At> = part.iter().filter_map(cleared).collect();
                    gain = 10 * cells.len() as u64 * level;
                    (Change::Clear { cells }, CLEAR)
                }
                Event::Fall { .. } | Event::Spawn { .. } => {
                    let pieces = take_falling(&mut before, part);
                    let rows =
                        pieces.iter().map(|piece| piece.to as i32 - piece.from).max().unwrap_or(0);
                    (Change::Fall { pieces }, ROW * rows as u32)
                }
            };
            animation.steps.push(Step { board: before, change, score, level, time });
            score += gain;
        }
        animation
    }

    /// Adds a rest on the final, dead board before another one is shown.
    pub(crate) fn rest(&mut self, score: u64, next: &Board) {
        let level = self.steps.last().map_or(0, |step| step.level);
        let board = std::mem::replace(&mut self.end, next.clone());
        self.steps.push(Step { board, change: Change::Rest, score, level, time: DEAD });
    }

    pub(crate) fn end_time(&self) -> Duration {
        self.start + self.steps.iter().map(|step| step.time).sum::<Duration>()
    }

    pub(crate) fn next_change(&self, now: Duration) -> Duration {
        (now + PICTURE).min(self.end_time())
    }

    /// Returns the current step and the elapsed part of it, from 0 to 1, or `None` after the end.
    pub(crate) fn at(&self, now: Duration) -> Option<(&Step, f64)> {
        let mut passed = now.saturating_sub(self.start);
        for step in &self.steps {
            if passed < step.time {
                return Some((step, passed.as_secs_f64() / step.time.as_secs_f64()));
            }
            passed -= step.time;
        }
        None
    }
}

impl Falling {
    /// All pieces fall at the same speed.
    pub(crate) fn row(&self, pieces: &[Self], part: f64) -> f64 {
        let most = pieces.iter().map(|piece| piece.to as i32 - piece.from).max().unwrap_or(0);
        (f64::from(self.from) + f64::from(most) * part).min(self.to as f64)
    }
}

fn cleared(event: &Event) -> Option<At> {
    if let Event::Clear { at, .. } = event { Some(*at) } else { None }
}

/// Removes falling pieces from the board, and adds the new ones above it.
fn take_falling(board: &mut Board, events: &[Event]) -> Vec<Falling> {
    let mut above = vec![0; board.width()];
    let mut pieces = Vec::new();
    for event in events {
        match *event {
            Event::Fall { from: (x, y), to } => {
                pieces.push(Falling { cell: board[(x, y)], x, from: y as i32, to: to.1 });
            }
            Event::Spawn { at: (x, y), cell } => {
                above[x] -= 1;
                pieces.push(Falling { cell, x, from: above[x], to: y });
            }
            _ => {}
        }
    }
    for piece in pieces.iter().filter(|piece| piece.from >= 0) {
        board[(piece.x, piece.from as usize)] = Cell::EMPTY;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitcore::Rng;
    use match3::{deal, swaps, try_swap};

    #[test]
    fn an_animation_ends_on_the_board_of_the_rules() {
        let mut rng = Rng::new(1);
        let mut levels = 0;
        for (width, height, colors) in [(8, 8, 5), (5, 7, 4), (16, 16, 6), (3, 9, 3)] {
            let mut board = deal(width, height, colors, &mut rng).expect("a board");
            for _ in 0..50 {
                let Some(swap) = swaps(&board).iter().nth(rng.below(2) as usize) else { break };
                let before = board.clone();
                let mut events = Vec::new();
                let draw = || 1 + rng.below(u32::from(colors)) as u8;
                let result = try_swap(&mut board, swap, draw, &mut events).expect("legal");
                let start = Duration::from_secs(5);
                let animation = Animation::new(&before, &events, 100, start);
                assert_eq!(animation.end, board);
                levels = levels.max(result.levels);
                let last = animation.steps.last().expect("a swap is a step");
                assert_eq!(last.score, 100 + result.score);
                assert_eq!(last.level, result.levels);
                assert_eq!(animation.steps.len() as u64, 1 + 2 * result.levels);
                // Each fall ends with all its pieces where the next step has them.
                let ends =
                    animation.steps.iter().skip(1).map(|step| &step.board).chain([&animation.end]);
                for (step, after) in animation.steps.iter().zip(ends) {
                    if let Change::Fall { pieces } = &step.change {
                        let mut landed = step.board.clone();
                        for piece in pieces {
                            assert_eq!(landed[(piece.x, piece.to)], Cell::EMPTY);
                            assert!((piece.row(pieces, 1.0) - piece.to as f64).abs() < 1e-9);
                            landed[(piece.x, piece.to)] = piece.cell;
                        }
                        assert_eq!(&landed, after);
                    }
                }
                let end = animation.end_time();
                assert!(
                    animation.at(end).is_none()
                        && animation.at(end.saturating_sub(Duration::from_millis(1))).is_some()
                );
                assert_eq!(
                    animation.at(start).map(|(step, part)| (&step.board, part)),
                    Some((&before, 0.0))
                );
            }
        }
        assert!(levels > 2);
    }
}

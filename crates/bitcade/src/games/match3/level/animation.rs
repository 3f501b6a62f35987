//! [`Animation`]: the events of a move in a level as shown, step by step.

use super::cells::Cells;
use crate::games::match3::animation::{At, PICTURE};
use match3::Swap;
use match3::level::{
    Coat, Content, Cover, Goal, Gravity, Kind, Level, LevelBoard, LevelEvent, LevelGame, Target,
};
use std::collections::HashMap;
use std::time::Duration;

/// Something that moves through cells: places in cells, each with its time in units of [`CELL`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moving {
    pub(super) content: Content,
    pub(super) path: Vec<((f64, f64), f64)>,
    /// Whether a spawner brings it.
    is_new: bool,
    /// Whether it appears in its first cell instead of coming from outside.
    pub(super) grows: bool,
    /// Whether it leaves the board at the end.
    pub(super) leaves: bool,
}

impl Moving {
    fn start(&self) -> f64 {
        self.path.first().map_or(0.0, |&(_, time)| time)
    }

    fn end(&self) -> f64 {
        self.path.last().map_or(0.0, |&(_, time)| time)
    }

    /// Returns the place at a time. Something is outside before its start, and after leaving.
    pub(super) fn place(&self, time: f64) -> Option<(f64, f64)> {
        if self.is_new && time < self.start() || self.leaves && time >= self.end() {
            return None;
        }
        let after = self.path.iter().position(|&(_, at)| at > time);
        let Some(after) = after else { return self.path.last().map(|&(place, _)| place) };
        let &(to, arrival) = &self.path[after];
        let Some(&(from, departure)) = after.checked_sub(1).and_then(|i| self.path.get(i)) else {
            return Some(to);
        };
        let part = ((time - departure) / (arrival - departure)).clamp(0.0, 1.0);
        // Through a portal it is in one cell, then in the other.
        let [across, down] = [(from.0 - to.0).abs(), (from.1 - to.1).abs()];
        let is_straight = across.min(down) < 0.5;
        let is_near = across.max(down) < 1.5;
        if !is_straight && !is_near {
            return Some(if part < 0.5 { from } else { to });
        }
        let between = |from: f64, to: f64| from + (to - from) * part;
        Some((between(from.0, to.0), between(from.1, to.1)))
    }
}

/// What is seen of a special piece that is set off.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// A flash from a cell over columns and rows, from the first to the last.
    Area { from: At, columns: (usize, usize), rows: (usize, usize) },
    /// A square piece flies.
    Flight { from: At, to: At, color: u8 },
}

/// The changes shown simultaneously.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// The contents of two cells change places, or try to and go back.
    Swap { cells: [At; 2], refused: bool },
    /// Pieces are cleared, layers are taken, special pieces appear.
    Hit { cleared: Vec<At>, hit: Vec<At>, created: Vec<(At, Content)>, effects: Vec<Effect> },
    /// Contents fall, come and leave; the board does not contain them.
    Fall { moving: Vec<Moving>, units: f64 },
    /// No swap was legal: the pieces change into those of the next board.
    Shuffle { next: Cells },
    /// The cascade was stopped by the level's bound.
    Limit,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The cells at the start of the step.
    pub(super) cells: Cells,
    pub(super) change: Change,
    /// The score at the start of the step.
    pub(super) score: u64,
    /// What the goals lack at the start of the step.
    pub(super) left: Vec<u32>,
    /// The cascade level, 0 before the first.
    pub(super) level: u64,
    pub(super) time: Duration,
}

const SWAP: Duration = Duration::from_millis(160);
const REFUSAL: Duration = Duration::from_millis(320);
const HIT: Duration = Duration::from_millis(280);
/// A hit with effects.
const EFFECT: Duration = Duration::from_millis(520);
/// The time of a fall by one cell.
const CELL: Duration = Duration::from_millis(60);
const SHUFFLE: Duration = Duration::from_millis(1200);
const LIMIT: Duration = Duration::from_millis(900);

/// The steps from one board to the next.
#[derive(Clone, Debug)]
pub(super) struct Animation {
    start: Duration,
    steps: Vec<Step>,
}

impl Animation {
    pub(super) fn refused(game: &LevelGame, swap: Swap, start: Duration) -> Self {
        let step = Step {
            cells: Cells::of(game.board()),
            change: Change::Swap { cells: swap.cells(), refused: true },
            score: game.score(),
            left: game.left().to_vec(),
            level: 0,
            time: REFUSAL,
        };
        Self { start, steps: vec![step] }
    }

    /// Returns the steps of the events that a move made of a game.
    pub(super) fn new(before: &LevelGame, events: &[LevelEvent], start: Duration) -> Self {
        Self { start, steps: Maker::of(before, events).steps }
    }

    pub(super) fn end_time(&self) -> Duration {
        self.start + self.steps.iter().map(|step| step.time).sum::<Duration>()
    }

    pub(super) fn next_change(&self, now: Duration) -> Duration {
        (now + PICTURE).min(self.end_time())
    }

    /// Returns the current step and the elapsed part of it, from 0 to 1, or `None` after the end.
    pub(super) fn at(&self, now: Duration) -> Option<(&Step, f64)> {
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

/// Events that are shown together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Swap,
    Hit,
    Fall,
    Shuffle,
    Limit,
    /// Nothing to see on the board.
    Told,
}

impl Phase {
    fn of(event: &LevelEvent) -> Self {
        match event {
            LevelEvent::Swap(_) => Self::Swap,
            LevelEvent::Match { .. }
            | LevelEvent::SetOff { .. }
            | LevelEvent::Pair { .. }
            | LevelEvent::Change { .. }
            | LevelEvent::Fly { .. }
            | LevelEvent::Clear { .. }
            | LevelEvent::Layer { .. }
            | LevelEvent::Create { .. } => Self::Hit,
            LevelEvent::Fall { .. } | LevelEvent::Spawn { .. } | LevelEvent::Collect { .. } => {
                Self::Fall
            }
            LevelEvent::Shuffle { .. } => Self::Shuffle,
            LevelEvent::CascadeLimit { .. } => Self::Limit,
            _ => Self::Told,
        }
    }
}

/// Makes the steps, event by event.
struct Maker<'a> {
    level: &'a Level,
    board: LevelBoard,
    cells: Cells,
    score: u64,
    left: Vec<u32>,
    cascade: u64,
    steps: Vec<Step>,
}

impl<'a> Maker<'a> {
    fn of(before: &'a LevelGame, mut events: &[LevelEvent]) -> Self {
        let mut maker = Maker {
            level: before.level(),
            board: before.board().clone(),
            cells: Cells::of(before.board()),
            score: before.score(),
            left: before.left().to_vec(),
            cascade: 0,
            steps: Vec::new(),
        };
        while let Some(first) = events.first() {
            let phase = Phase::of(first);
            let end = events.iter().position(|event| Phase::of(event) != phase);
            let (part, others) = events.split_at(end.unwrap_or(events.len()));
            events = others;
            maker.add(phase, part);
        }
        maker
    }

    fn add(&mut self, phase: Phase, events: &[LevelEvent]) {
        let cells = self.cells.clone();
        let score = self.score;
        let left = self.left.clone();
        let (change, time) = match (phase, &events[0]) {
            (Phase::Swap, LevelEvent::Swap(swap)) => {
                (Change::Swap { cells: swap.cells(), refused: false }, SWAP)
            }
            (Phase::Hit, _) => self.hit(events),
            (Phase::Fall, _) => self.fall(events),
            (Phase::Shuffle, _) => {
                let next = Cells::of(&self.replayed(events));
                (Change::Shuffle { next }, SHUFFLE)
            }
            (Phase::Limit, _) => (Change::Limit, LIMIT),
            _ => {
                self.take(events);
                return;
            }
        };
        self.take(events);
        let level = self.cascade;
        let cells = match &change {
            Change::Fall { moving, .. } => without(cells, moving),
            _ => cells,
        };
        self.steps.push(Step { cells, change, score, left, level, time });
    }

    /// Returns the board after events. Those of a move of this board replay without error.
    fn replayed(&self, events: &[LevelEvent]) -> LevelBoard {
        let mut board = self.board.clone();
        let _ = board.replay(self.level, events);
        board
    }

    /// Applies events to the board, the score and the goals.
    fn take(&mut self, events: &[LevelEvent]) {
        self.board = self.replayed(events);
        self.cells = Cells::of(&self.board);
        for event in events {
            let counted = counts(event);
            for &(target, count) in counted.iter().flatten() {
                if target == Target::Score {
                    self.score += u64::from(count);
                }
                for (goal, left) in self.level.spec().goals.iter().zip(&mut self.left) {
                    let Goal { target: wanted, .. } = goal;
                    if *wanted == target {
                        *left = left.saturating_sub(count);
                    }
                }
            }
            if let LevelEvent::Clear { level, .. } | LevelEvent::Layer { level, .. } = event {
                self.cascade = *level;
            }
            if let LevelEvent::Bonus { points, .. } = event {
                self.score += points;
            }
        }
    }

    fn hit(&mut self, events: &[LevelEvent]) -> (Change, Duration) {
        let mut cleared = Vec::new();
        let mut hit = Vec::new();
        let mut created = Vec::new();
        let mut effects = Vec::new();
        for event in events {
            match *event {
                LevelEvent::Clear { at, .. } => cleared.push(at),
                LevelEvent::Layer { at, .. } => hit.push(at),
                LevelEvent::Create { at, special, color, .. } => {
                    let cover = Cover::None;
                    created.push((at, Content::Piece { color, special: Some(special), cover }));
                }
                LevelEvent::SetOff { at, special, .. } => effects.push(self.area(at, special, 0)),
                LevelEvent::Pair { at, special, other_special, .. } => {
                    effects.extend(self.pair(at, special, other_special));
                }
                LevelEvent::Fly { from, to, .. } => {
                    let Content::Piece { color, .. } = self.cells.get(from).content else {
                        effects.push(Effect::Flight { from, to, color: 0 });
                        continue;
                    };
                    effects.push(Effect::Flight { from, to, color });
                }
                _ => {}
            }
        }
        hit.retain(|at| !cleared.contains(at));
        let time = if effects.is_empty() { HIT } else { EFFECT };
        (Change::Hit { cleared, hit, created, effects }, time)
    }

    /// Returns the flash of a special piece whose line is `wide` lines wider on both sides.
    fn area(&self, (x, y): At, kind: Kind, wide: usize) -> Effect {
        let (width, height) = self.cells.size();
        let near = |at: usize, reach: usize, side: usize| {
            (at.saturating_sub(reach), (at + reach).min(side - 1))
        };
        let all = |side: usize| (0, side - 1);
        let (columns, rows) = match kind {
            Kind::Row => (all(width), near(y, wide, height)),
            Kind::Column => (near(x, wide, width), all(height)),
            Kind::Bomb => (near(x, 1 + wide, width), near(y, 1 + wide, height)),
            Kind::Square | Kind::Color => (near(x, 0, width), near(y, 0, height)),
        };
        Effect::Area { from: (x, y), columns, rows }
    }

    fn pair(&self, at: At, a: Kind, b: Kind) -> Vec<Effect> {
        let lines = |wide| [Kind::Row, Kind::Column].map(|kind| self.area(at, kind, wide));
        let is_line = |kind| matches!(kind, Kind::Row | Kind::Column);
        let (width, height) = self.cells.size();
        let everything = Effect::Area { from: at, columns: (0, width - 1), rows: (0, height - 1) };
        match (a, b) {
            (Kind::Color, Kind::Color) => vec![everything],
            (Kind::Color | Kind::Square, _) | (_, Kind::Color | Kind::Square) => {
                vec![self.area(at, Kind::Bomb, 0)]
            }
            (Kind::Bomb, Kind::Bomb) => vec![self.area(at, Kind::Bomb, 1)],
            _ if is_line(a) && is_line(b) => lines(0).to_vec(),
            _ => lines(1).to_vec(),
        }
    }

    /// Returns the content of a cell before it moves.
    fn resting(&self, at: At) -> Moving {
        let content = self.cells.get(at).content;
        let path = vec![((at.0 as f64, at.1 as f64), 0.0)];
        Moving { content, path, is_new: false, grows: false, leaves: false }
    }

    /// Finds when each content is where: it enters a cell when the one before begins to leave it.
    fn fall(&mut self, events: &[LevelEvent]) -> (Change, Duration) {
        let down = match self.level.spec().gravity {
            Gravity::Down => (0.0, 1.0),
            Gravity::Up => (0.0, -1.0),
            Gravity::Left => (-1.0, 0.0),
            Gravity::Right => (1.0, 0.0),
        };
        let place = |(x, y): At| (x as f64, y as f64);
        let beside = |(x, y): (f64, f64), steps: f64| (x + down.0 * steps, y + down.1 * steps);
        let (width, height) = self.cells.size();
        let is_inside = |(x, y): (f64, f64)| {
            (0.0..width as f64).contains(&x) && (0.0..height as f64).contains(&y)
        };
        let mut moving = Vec::<Moving>::new();
        // What has moved into a cell, and when each cell was left.
        let mut inside = HashMap::<At, usize>::new();
        let mut free = HashMap::<At, f64>::new();
        let walk = |free: &mut HashMap<At, f64>, one: &mut Moving, path: &[At], is_new: bool| {
            for (i, &at) in path.iter().enumerate() {
                if i == 0 && !is_new {
                    continue;
                }
                let departure = one.end().max(free.get(&at).copied().unwrap_or(0.0));
                if let Some(last) = one.path.last_mut() {
                    // It waits in the cell where it is.
                    let waiting = *last;
                    if departure > waiting.1 {
                        if one.path.len() == 1 {
                            one.path[0].1 = departure;
                        } else {
                            one.path.push((waiting.0, departure));
                        }
                    }
                }
                if let Some(before) = i.checked_sub(1) {
                    free.insert(path[before], departure);
                }
                one.path.push((place(at), departure + 1.0));
            }
        };
        for event in events {
            match event {
                LevelEvent::Fall { path } => {
                    let (Some(&from), Some(&to)) = (path.first(), path.last()) else { continue };
                    let index = inside.remove(&from).unwrap_or_else(|| {
                        moving.push(self.resting(from));
                        moving.len() - 1
                    });
                    walk(&mut free, &mut moving[index], path, false);
                    inside.insert(to, index);
                }
                LevelEvent::Spawn { spawned, path } => {
                    let (Some(&first), Some(&to)) = (path.first(), path.last()) else { continue };
                    let outside = beside(place(first), -1.0);
                    let grows = is_inside(outside);
                    let from = if grows { place(first) } else { outside };
                    let content = super::cells::content_of(*spawned);
                    let path_so_far = vec![(from, 0.0)];
                    let mut one =
                        Moving { content, path: path_so_far, is_new: true, grows, leaves: false };
                    walk(&mut free, &mut one, path, true);
                    inside.insert(to, moving.len());
                    moving.push(one);
                }
                LevelEvent::Collect { at } => {
                    let index = inside.remove(at).unwrap_or_else(|| {
                        moving.push(self.resting(*at));
                        moving.len() - 1
                    });
                    let one = &mut moving[index];
                    one.leaves = true;
                    let end = one.end();
                    free.insert(*at, end);
                    one.path.push((beside(place(*at), 1.0), end + 1.0));
                }
                _ => {}
            }
        }
        let units = moving.iter().map(Moving::end).fold(1.0, f64::max);
        (Change::Fall { moving, units }, CELL.mul_f64(units))
    }
}

/// Empties the cells of contents that are about to move.
fn without(mut cells: Cells, moving: &[Moving]) -> Cells {
    for one in moving.iter().filter(|one| !one.is_new) {
        if let Some(&((x, y), _)) = one.path.first() {
            cells.get_mut((x as usize, y as usize)).content = Content::Empty;
        }
    }
    cells
}

/// Returns what an event counts towards goals.
fn counts(event: &LevelEvent) -> [Option<(Target, u32)>; 4] {
    let points = |level: u64| Some((Target::Score, 10 * level as u32));
    match *event {
        LevelEvent::Clear { level, cell, .. } => {
            let color = cell.color().map(|color| (Target::Color(color), 1));
            let lock = cell.is_locked().then_some((Target::Locked, 1));
            [points(level), color, lock, None]
        }
        LevelEvent::Layer { level, coat, left, .. } => {
            let target = match coat {
                Coat::Crate => Target::Crates,
                Coat::Ice => Target::Ice,
                Coat::Jelly => Target::Jelly,
            };
            [points(level), (left == 0).then_some((target, 1)), None, None]
        }
        LevelEvent::SetOff { .. } => [Some((Target::SetOff, 1)), None, None, None],
        LevelEvent::Pair { .. } => [Some((Target::SetOff, 2)), None, None, None],
        LevelEvent::Create { .. } => [Some((Target::Made, 1)), None, None, None],
        LevelEvent::Collect { .. } => [Some((Target::Items, 1)), None, None, None],
        _ => [None; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::examples;
    use super::super::position::Position;
    use super::*;
    use bitcore::Rng;

    #[test]
    fn an_animation_ends_where_the_game_is() {
        let mut kinds = [0; 5];
        for (level, seed) in examples().iter().flat_map(|level| (0..3).map(move |i| (level, i))) {
            let mut position = Position::deal(level, Rng::new(seed)).expect("a level");
            while let Some(swap) = position.game.hint() {
                let (next, events) = position.played(swap).expect("legal");
                let maker = Maker::of(&position.game, &events);
                assert_eq!(maker.cells, Cells::of(next.game.board()));
                assert_eq!(maker.score, next.game.score());
                assert_eq!(maker.left, next.game.left());
                let ends = maker.steps.iter().skip(1).map(|step| &step.cells).chain([&maker.cells]);
                for (step, after) in maker.steps.iter().zip(ends) {
                    kinds[match &step.change {
                        Change::Swap { .. } => 0,
                        Change::Hit { effects, .. } => 1 + usize::from(!effects.is_empty()),
                        Change::Fall { moving, units } => {
                            check_fall(step, moving, *units, after);
                            3
                        }
                        Change::Shuffle { .. } | Change::Limit => 4,
                    }] += 1;
                }
                position = next;
            }
        }
        assert!(kinds[..4].iter().all(|&count| count > 20), "{kinds:?}");
    }

    /// Everything that moves is where the next step has it, and nothing else changes.
    fn check_fall(step: &Step, moving: &[Moving], units: f64, after: &Cells) {
        let mut landed = step.cells.clone();
        for one in moving {
            assert!(one.path.is_sorted_by(|a, b| a.1 <= b.1), "{one:?}");
            let end = one.place(units);
            assert_eq!(end.is_none(), one.leaves, "{one:?}");
            if let Some((x, y)) = end {
                landed.get_mut((x as usize, y as usize)).content = one.content;
            }
        }
        assert_eq!(&landed, after);
    }
}

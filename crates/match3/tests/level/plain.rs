//! A second engine for levels, written from the page of the rules alone: slow and obvious, with
//! loops over cells. It shares the types that describe a level and its events with the first one,
//! and the public [`shuffle`].

mod deal;

use bitcore::Rng;
use match3::groups::Group;
use match3::level::{
    Coat, Content, Cover, Falls, Gravity, Ground, Kind, LevelCell, LevelEvent, LevelSpec, Limit,
    Outcome, ShuffleRule, Spawned, Spawner, Start, Target,
};
use match3::{Board, Cell, Colors, RandomColors, Swap, shuffle};

type At = (usize, usize);

/// One game of a level.
#[derive(Clone)]
pub(crate) struct Plain {
    spec: LevelSpec,
    /// Row by row from the top.
    pub(crate) cells: Vec<LevelCell>,
    pub(crate) score: u64,
    /// What each goal lacks.
    pub(crate) left: Vec<u32>,
    /// Moves or seconds left.
    pub(crate) limit_left: u32,
    pub(crate) outcome: Option<Outcome>,
    /// All items that have been on the board.
    items: u32,
    streams: Vec<Stream>,
    /// The events of the move.
    events: Vec<LevelEvent>,
    /// The totals of the move.
    pub(crate) cleared: u64,
    pub(crate) points: u64,
    pub(crate) levels: u64,
}

#[derive(Clone)]
struct Stream {
    /// From the lower end upwards.
    cells: Vec<At>,
    spawner: Option<Spawner>,
    /// What the spawner has brought in this move.
    brought: u32,
}

/// A special piece in the queue.
struct Queued {
    at: At,
    kind: Kind,
    color: u8,
}

/// What is hit on a level.
struct Hits {
    cells: Vec<At>,
    queue: Vec<Queued>,
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Plain {
    /// Deals the board of a checked level.
    pub(crate) fn new(spec: &LevelSpec, colors: &mut RandomColors) -> Self {
        let cell = |cell: &match3::level::StartCell| {
            let content = match cell.start {
                _ if cell.ground != Ground::Open => Content::Empty,
                Start::Empty => Content::Empty,
                Start::Item => Content::Item,
                Start::Crate(layers) => Content::Crate(layers),
                Start::Piece { color, special, cover } => {
                    Content::Piece { color: color.unwrap_or(1), special, cover }
                }
            };
            LevelCell { ground: cell.ground, content, jelly: cell.jelly }
        };
        let (Limit::Moves(limit_left) | Limit::Time(limit_left)) = spec.limit;
        let mut game = Self {
            cells: spec.cells.iter().map(cell).collect(),
            score: 0,
            left: spec.goals.iter().map(|goal| goal.count).collect(),
            limit_left,
            outcome: None,
            items: 0,
            streams: Vec::new(),
            events: Vec::new(),
            cleared: 0,
            points: 0,
            levels: 0,
            spec: spec.clone(),
        };
        game.items = game.items_on_board();
        game.streams = game.find_streams();
        let mut open = game.places();
        open.retain(|&(x, y)| {
            let start = spec.cells[y * spec.width + x].start;
            matches!(start, Start::Piece { color: None, .. }) && game.piece((x, y)).is_some()
        });
        if !game.deal(&open, colors) {
            let mut colors = RandomColors::new(colors.count(), Rng::new(0)).expect("colors");
            assert!(game.deal(&open, &mut colors), "the level's check found a board");
        }
        game
    }

    // Cells.

    /// All cells in reading order.
    pub(crate) fn places(&self) -> Vec<At> {
        let mut places = Vec::new();
        for y in 0..self.spec.height {
            for x in 0..self.spec.width {
                places.push((x, y));
            }
        }
        places
    }

    fn get(&self, (x, y): At) -> LevelCell {
        self.cells[y * self.spec.width + x]
    }

    fn put(&mut self, (x, y): At, content: Content) {
        self.cells[y * self.spec.width + x].content = content;
    }

    fn step(&self, (x, y): At, (dx, dy): (i32, i32)) -> Option<At> {
        let x = x.checked_add_signed(dx as isize)?;
        let y = y.checked_add_signed(dy as isize)?;
        (x < self.spec.width && y < self.spec.height).then_some((x, y))
    }

    /// The board of colors: a piece with a cover is locked, and all that is no piece is blocked.
    pub(crate) fn board(&self) -> Board {
        let cell = |cell: &LevelCell| match cell.content {
            Content::Piece { color, cover: Cover::None, .. } => Cell::new(color).expect("a color"),
            Content::Piece { color, .. } => Cell::new(color).expect("a color").locked(),
            _ if cell.ground == Ground::Open && cell.content == Content::Empty => Cell::EMPTY,
            _ => Cell::BLOCKED,
        };
        let cells = self.cells.iter().map(cell).collect();
        Board::from_cells(self.spec.width, self.spec.height, cells).expect("a board")
    }

    fn piece(&self, at: At) -> Option<(u8, Option<Kind>, Cover)> {
        match self.get(at).content {
            Content::Piece { color, special, cover } => Some((color, special, cover)),
            _ => None,
        }
    }

    fn color(&self, at: At) -> Option<u8> {
        self.piece(at).map(|(color, _, _)| color)
    }

    fn kind(&self, at: At) -> Option<Kind> {
        self.piece(at).and_then(|(_, kind, _)| kind)
    }

    fn has_ice(&self, at: At) -> bool {
        matches!(self.piece(at), Some((_, _, Cover::Ice(_))))
    }

    fn is_free(&self, at: At) -> bool {
        matches!(self.piece(at), Some((_, _, Cover::None)))
    }

    fn is_item(&self, at: At) -> bool {
        self.get(at).content == Content::Item
    }

    /// Whether something is in the cell that falls.
    fn falls(&self, at: At) -> bool {
        self.is_item(at) || self.piece(at).is_some() && !self.has_ice(at)
    }

    fn is_empty(&self, at: At) -> bool {
        let cell = self.get(at);
        cell.ground == Ground::Open && cell.content == Content::Empty
    }

    fn items_on_board(&self) -> u32 {
        self.places().into_iter().filter(|&at| self.is_item(at)).count() as u32
    }

    // Matches.

    /// The cells of the run through a cell, in one axis; none if it is shorter than three.
    fn run(&self, at: At, (dx, dy): (i32, i32)) -> Vec<At> {
        let Some(color) = self.color(at) else { return Vec::new() };
        let mut cells = vec![at];
        for way in [(dx, dy), (-dx, -dy)] {
            let mut last = at;
            while let Some(next) = self.step(last, way) {
                if self.color(next) != Some(color) {
                    break;
                }
                cells.push(next);
                last = next;
            }
        }
        if cells.len() < 3 { Vec::new() } else { cells }
    }

    fn in_run(&self, at: At) -> bool {
        !self.run(at, (1, 0)).is_empty() || !self.run(at, (0, 1)).is_empty()
    }

    /// The block of 2 x 2 pieces of one color with this upper left cell.
    fn block(&self, (x, y): At) -> Option<[At; 4]> {
        let block = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        if x + 1 >= self.spec.width || y + 1 >= self.spec.height {
            return None;
        }
        let color = self.color((x, y))?;
        block.iter().all(|&at| self.color(at) == Some(color)).then_some(block)
    }

    fn in_block(&self, at: At) -> bool {
        let corners = [(0, 0), (-1, 0), (0, -1), (-1, -1)];
        corners.iter().any(|&way| self.step(at, way).is_some_and(|at| self.block(at).is_some()))
    }

    /// Whether a cell is in what would be a group.
    fn is_matched(&self, at: At) -> bool {
        self.in_run(at) || self.spec.effects.square && self.in_block(at)
    }

    pub(crate) fn has_match(&self) -> bool {
        self.places().into_iter().any(|at| self.is_matched(at))
    }

    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut taken: Vec<At> = Vec::new();
        for first in self.places() {
            if taken.contains(&first) || !self.in_run(first) {
                continue;
            }
            let mut cells = vec![first];
            let mut next = 0;
            while next < cells.len() {
                for axis in [(1, 0), (0, 1)] {
                    for at in self.run(cells[next], axis) {
                        if !cells.contains(&at) {
                            cells.push(at);
                        }
                    }
                }
                next += 1;
            }
            taken.extend(&cells);
            let color = self.color(first).expect("a piece");
            groups.push(Group::new(color, &cells).expect("a group of runs"));
        }
        if self.spec.effects.square {
            for at in self.places() {
                let Some(block) = self.block(at) else { continue };
                if block.iter().any(|at| taken.contains(at)) {
                    continue;
                }
                taken.extend(block);
                let color = self.color(at).expect("a piece");
                groups.push(Group::new(color, &block).expect("a square"));
            }
        }
        groups
    }

    // Swaps.

    pub(crate) fn legal_swaps(&self) -> Vec<Swap> {
        let mut swaps = Vec::new();
        if self.outcome.is_some() {
            return swaps;
        }
        let mut board = self.clone();
        for a in self.places() {
            for way in [(1, 0), (0, 1)] {
                let Some(b) = self.step(a, way) else { continue };
                if board.is_legal(a, b) {
                    swaps.push(Swap::between(a, b).expect("neighbors"));
                }
            }
        }
        swaps
    }

    fn is_legal(&mut self, a: At, b: At) -> bool {
        let can_move = |at: At| self.is_item(at) || self.is_free(at);
        if !can_move(a) || !can_move(b) {
            return false;
        }
        if self.is_item(a) && self.is_item(b) {
            return false;
        }
        if self.color(a) != self.color(b) {
            self.exchange(a, b);
            let is_matched = self.is_matched(a) || self.is_matched(b);
            self.exchange(a, b);
            if is_matched {
                return true;
            }
        }
        self.is_legal_by_kinds(a, b)
    }

    /// Whether special pieces make the swap of two free pieces legal.
    fn is_legal_by_kinds(&self, a: At, b: At) -> bool {
        if !self.is_free(a) || !self.is_free(b) {
            return false;
        }
        let is_color = |at: At| self.kind(at) == Some(Kind::Color);
        let are_special = self.kind(a).is_some() && self.kind(b).is_some();
        is_color(a) || is_color(b) || self.spec.effects.pairs && are_special
    }

    fn exchange(&mut self, a: At, b: At) {
        let in_a = self.get(a).content;
        let in_b = self.get(b).content;
        self.put(a, in_b);
        self.put(b, in_a);
    }

    // Moves.

    /// Plays a swap and returns the events, or `None` if it is illegal.
    pub(crate) fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
    ) -> Option<Vec<LevelEvent>> {
        if !self.legal_swaps().contains(&swap) {
            return None;
        }
        self.cleared = 0;
        self.points = 0;
        self.levels = 0;
        for stream in &mut self.streams {
            stream.brought = 0;
        }
        let [a, b] = swap.cells();
        self.exchange(a, b);
        self.events.push(LevelEvent::Swap(swap));
        self.cascade(a, b, colors);
        self.end(colors);
        Some(std::mem::take(&mut self.events))
    }

    fn cascade(&mut self, a: At, b: At, colors: &mut RandomColors) {
        for k in 1u64.. {
            let groups = self.groups();
            let sets_off = k == 1 && self.sets_off(a, b);
            if groups.is_empty() && !sets_off {
                return;
            }
            if k > u64::from(self.spec.cascade_limit) {
                self.events.push(LevelEvent::CascadeLimit { level: k - 1 });
                return;
            }
            for group in &groups {
                self.events.push(LevelEvent::Match { level: k, group: group.clone() });
            }
            self.levels = k;
            let left_before = self.left.clone();
            let hits = self.collect_hits(&groups, sets_off.then_some((a, b)), k, &left_before);
            for at in self.places() {
                if hits.contains(&at) {
                    self.take_effect(at, k);
                }
            }
            for group in &groups {
                self.create(group, (k == 1).then_some([a, b]), k);
            }
            self.settle(colors);
            for (index, goal) in self.spec.goals.clone().into_iter().enumerate() {
                if goal.target == Target::Score {
                    let points = self.score + self.points;
                    let count = u64::from(goal.count);
                    self.left[index] = count.saturating_sub(points) as u32;
                }
                if self.left[index] == 0 && left_before[index] > 0 {
                    self.events.push(LevelEvent::Goal { index });
                }
            }
        }
    }

    fn take_effect(&mut self, at: At, k: u64) {
        let cell = self.get(at);
        match cell.content {
            Content::Crate(layers) => {
                let left = layers - 1;
                self.layer(at, k, Coat::Crate, left);
                self.put(at, if left == 0 { Content::Empty } else { Content::Crate(left) });
            }
            Content::Piece { color, special, cover: Cover::Ice(layers) } => {
                let left = layers - 1;
                self.layer(at, k, Coat::Ice, left);
                let cover = if left == 0 { Cover::None } else { Cover::Ice(left) };
                self.put(at, Content::Piece { color, special, cover });
            }
            Content::Piece { color, special, cover } => {
                let piece = Cell::new(color).expect("a color");
                let piece = if cover == Cover::Lock { piece.locked() } else { piece };
                self.events.push(LevelEvent::Clear { level: k, at, cell: piece, special });
                self.put(at, Content::Empty);
                self.cleared += 1;
                self.points += 10 * k;
                self.count(Target::Color(color));
                if cover == Cover::Lock {
                    self.count(Target::Locked);
                }
                self.take_jelly(at, k);
            }
            Content::Empty | Content::Item => self.take_jelly(at, k),
        }
    }

    fn take_jelly(&mut self, (x, y): At, k: u64) {
        let jelly = &mut self.cells[y * self.spec.width + x].jelly;
        if *jelly > 0 {
            *jelly -= 1;
            let left = *jelly;
            self.layer((x, y), k, Coat::Jelly, left);
        }
    }

    fn layer(&mut self, at: At, k: u64, coat: Coat, left: u8) {
        self.events.push(LevelEvent::Layer { level: k, at, coat, left });
        self.points += 10 * k;
        if left == 0 {
            self.count(match coat {
                Coat::Crate => Target::Crates,
                Coat::Ice => Target::Ice,
                Coat::Jelly => Target::Jelly,
            });
        }
    }

    /// Counts one thing towards a goal.
    fn count(&mut self, target: Target) {
        for (goal, left) in self.spec.goals.iter().zip(&mut self.left) {
            if goal.target == target {
                *left = left.saturating_sub(1);
            }
        }
    }

    fn create(&mut self, group: &Group, swapped: Option<[At; 2]>, k: u64) {
        if !self.spec.effects.specials {
            return;
        }
        let Some(special) = Kind::of(group) else { return };
        let cells = group.cells();
        let middle = cells[cells.len() / 2];
        let mut place = middle;
        if let Some(swapped) = swapped
            && let Some(&at) = swapped.iter().find(|at| cells.contains(at))
        {
            place = at;
        }
        if !self.is_empty(place) {
            let Some(&empty) = cells.iter().find(|&&at| self.is_empty(at)) else { return };
            place = empty;
        }
        let color = group.color();
        self.put(place, Content::Piece { color, special: Some(special), cover: Cover::None });
        self.events.push(LevelEvent::Create { level: k, at: place, special, color });
        self.count(Target::Made);
    }

    // Hits.

    /// Whether the two cells, after they were swapped, set something off.
    fn sets_off(&self, a: At, b: At) -> bool {
        let is_color = |at: At| self.kind(at) == Some(Kind::Color);
        let are_pieces = self.piece(a).is_some() && self.piece(b).is_some();
        self.is_pair(a, b) || are_pieces && (is_color(a) || is_color(b))
    }

    fn is_pair(&self, a: At, b: At) -> bool {
        self.spec.effects.pairs && self.kind(a).is_some() && self.kind(b).is_some()
    }

    fn collect_hits(
        &mut self,
        groups: &[Group],
        set_off: Option<(At, At)>,
        k: u64,
        left: &[u32],
    ) -> Vec<At> {
        let mut hits = Hits { cells: Vec::new(), queue: Vec::new() };
        let pair = set_off.filter(|&(a, b)| self.is_pair(a, b));
        if let Some((a, b)) = pair {
            let is_color = |at: At| self.kind(at) == Some(Kind::Color);
            match (is_color(a), is_color(b)) {
                (true, false) => hits.cells.push(a),
                (false, true) => hits.cells.push(b),
                _ => hits.cells.extend([b, a]),
            }
        } else if let Some((a, b)) = set_off {
            for (at, other) in [(a, b), (b, a)] {
                if self.kind(at) == Some(Kind::Color) {
                    let color = self.color(other).expect("a piece");
                    hits.queue.push(Queued { at, kind: Kind::Color, color });
                    hits.cells.push(at);
                }
            }
        }
        let in_group = |at: &At| groups.iter().any(|group| group.cells().contains(at));
        for at in self.places() {
            if in_group(&at) {
                self.hit(at, &mut hits);
            }
        }
        for at in self.places() {
            let is_crate = matches!(self.get(at).content, Content::Crate(_));
            let mut neighbors = DIRECTIONS.iter().filter_map(|&way| self.step(at, way));
            if is_crate && neighbors.any(|at| in_group(&at)) {
                self.hit(at, &mut hits);
            }
        }
        if let Some((a, b)) = pair {
            self.set_off_pair(a, b, &mut hits, k, left);
        }
        while !hits.queue.is_empty() {
            let Queued { at, kind, color } = hits.queue.remove(0);
            self.events.push(LevelEvent::SetOff { level: k, at, special: kind, color });
            self.count(Target::SetOff);
            self.hit_all(self.reach(at, kind, color), &mut hits);
            if kind == Kind::Square {
                self.fly(at, &mut hits, k, left);
            }
        }
        hits.cells
    }

    fn hit(&self, at: At, hits: &mut Hits) {
        if self.get(at).ground != Ground::Open || hits.cells.contains(&at) {
            return;
        }
        hits.cells.push(at);
        if let Some((color, Some(kind), cover)) = self.piece(at)
            && !matches!(cover, Cover::Ice(_))
        {
            hits.queue.push(Queued { at, kind, color });
        }
    }

    fn hit_all(&self, cells: Vec<At>, hits: &mut Hits) {
        for at in cells {
            self.hit(at, hits);
        }
    }

    fn cells_where(&self, is_hit: impl Fn(At) -> bool) -> Vec<At> {
        self.places().into_iter().filter(|&at| is_hit(at)).collect()
    }

    fn reach(&self, (x, y): At, kind: Kind, color: u8) -> Vec<At> {
        match kind {
            Kind::Row => self.cells_where(|at| at.1 == y),
            Kind::Column => self.cells_where(|at| at.0 == x),
            Kind::Bomb => self.around((x, y), 1),
            Kind::Color => self.cells_where(|at| self.color(at) == Some(color)),
            Kind::Square => self.cells_where(|at| at.0.abs_diff(x) + at.1.abs_diff(y) == 1),
        }
    }

    fn around(&self, (x, y): At, n: usize) -> Vec<At> {
        self.cells_where(|at| at.0.abs_diff(x) <= n && at.1.abs_diff(y) <= n)
    }

    fn set_off_pair(&mut self, a: At, b: At, hits: &mut Hits, k: u64, left: &[u32]) {
        let special = self.kind(b).expect("a special piece");
        let other_special = self.kind(a).expect("a special piece");
        self.events.push(LevelEvent::Pair { level: k, at: b, special, other: a, other_special });
        self.count(Target::SetOff);
        self.count(Target::SetOff);
        let kinds = [special, other_special];
        let has = |kind: Kind| kinds.contains(&kind);
        let (x, y) = b;
        if kinds == [Kind::Color; 2] {
            self.hit_all(self.cells_where(|at| self.piece(at).is_some()), hits);
        } else if has(Kind::Color) {
            let other = if special == Kind::Color { a } else { b };
            self.change_all(other, hits, k);
        } else if kinds == [Kind::Square; 2] {
            self.hit_all(self.reach(b, Kind::Square, 0), hits);
            for _ in 0..3 {
                self.fly(b, hits, k, left);
            }
        } else if has(Kind::Square) {
            let other = if special == Kind::Square { other_special } else { special };
            self.hit_all(self.reach(b, Kind::Square, 0), hits);
            if let Some(to) = self.fly(b, hits, k, left) {
                self.hit_all(self.reach(to, other, 0), hits);
            }
        } else if kinds == [Kind::Bomb; 2] {
            self.hit_all(self.around(b, 2), hits);
        } else if has(Kind::Bomb) {
            let is_hit = |at: At| at.0.abs_diff(x) <= 1 || at.1.abs_diff(y) <= 1;
            self.hit_all(self.cells_where(is_hit), hits);
        } else {
            self.hit_all(self.cells_where(|at| at.0 == x || at.1 == y), hits);
        }
    }

    /// The effect of a pair of a color piece and another kind, whose piece is in the given cell.
    fn change_all(&mut self, other: At, hits: &mut Hits, k: u64) {
        let (color, kind, _) = self.piece(other).expect("a piece");
        let kind = kind.expect("a special piece");
        let mut is_column = false;
        for at in self.places() {
            let Some((own_color, own_kind, cover)) = self.piece(at) else { continue };
            if own_color != color {
                continue;
            }
            let has_ice = matches!(cover, Cover::Ice(_));
            if own_kind.is_none() && !has_ice && !hits.cells.contains(&at) {
                let mut special = kind;
                if matches!(kind, Kind::Row | Kind::Column) {
                    special = if is_column { Kind::Column } else { Kind::Row };
                    is_column = !is_column;
                }
                self.put(at, Content::Piece { color, special: Some(special), cover });
                self.events.push(LevelEvent::Change { level: k, at, special });
            }
            self.hit(at, hits);
        }
    }

    fn fly(&mut self, from: At, hits: &mut Hits, k: u64, left: &[u32]) -> Option<At> {
        let to = self.flight_target(hits, left)?;
        self.events.push(LevelEvent::Fly { level: k, from, to });
        self.hit(to, hits);
        Some(to)
    }

    fn flight_target(&self, hits: &Hits, left: &[u32]) -> Option<At> {
        let wants = |target: Target| {
            let mut goals = self.spec.goals.iter().zip(left);
            goals.any(|(goal, &left)| goal.target == target && left > 0)
        };
        let first = |suits: &dyn Fn(At) -> bool| {
            self.places().into_iter().find(|&at| !hits.cells.contains(&at) && suits(at))
        };
        let is_crate = |at: At| matches!(self.get(at).content, Content::Crate(_));
        let is_locked = |at: At| matches!(self.piece(at), Some((_, _, Cover::Lock)));
        let mut found = None;
        if wants(Target::Crates) {
            found = found.or(first(&is_crate));
        }
        if wants(Target::Jelly) {
            found = found.or(first(&|at| self.get(at).jelly > 0));
        }
        if wants(Target::Ice) {
            found = found.or(first(&|at| self.has_ice(at)));
        }
        if wants(Target::Locked) {
            found = found.or(first(&is_locked));
        }
        let is_wanted = |at: At| self.color(at).is_some_and(|color| wants(Target::Color(color)));
        found.or(first(&is_wanted)).or(first(&|at| self.piece(at).is_some()))
    }

    // Falls.

    fn down(&self) -> (i32, i32) {
        match self.spec.gravity {
            Gravity::Down => (0, 1),
            Gravity::Up => (0, -1),
            Gravity::Left => (-1, 0),
            Gravity::Right => (1, 0),
        }
    }

    fn depth(&self, (x, y): At) -> usize {
        match self.spec.gravity {
            Gravity::Down => y,
            Gravity::Up => self.spec.height - 1 - y,
            Gravity::Left => self.spec.width - 1 - x,
            Gravity::Right => x,
        }
    }

    fn across(&self, (x, y): At) -> usize {
        match self.spec.gravity {
            Gravity::Down | Gravity::Up => x,
            Gravity::Left | Gravity::Right => y,
        }
    }

    /// The next cell below an open cell.
    fn below(&self, at: At) -> Option<At> {
        if let Some(portal) = self.spec.portals.iter().find(|portal| portal.entrance == at) {
            return Some(portal.exit);
        }
        let mut next = self.step(at, self.down())?;
        while self.get(next).ground == Ground::Void {
            next = self.step(next, self.down())?;
        }
        let is_exit = self.spec.portals.iter().any(|portal| portal.exit == next);
        let is_spawner = self.spec.spawners.iter().flatten().any(|spawner| spawner.at == next);
        let is_open = self.get(next).ground == Ground::Open;
        (is_open && !is_exit && !is_spawner).then_some(next)
    }

    fn find_streams(&self) -> Vec<Stream> {
        let open = self.cells_where(|at| self.get(at).ground == Ground::Open);
        let mut streams = Vec::new();
        for &lower_end in &open {
            if self.below(lower_end).is_some() {
                continue;
            }
            let mut cells = vec![lower_end];
            while let Some(&above) =
                open.iter().find(|&&at| self.below(at) == cells.last().copied())
            {
                cells.push(above);
            }
            let spawner = self.spawner(*cells.last().expect("a cell"));
            streams.push(Stream { cells, spawner, brought: 0 });
        }
        streams.sort_by_key(|stream| {
            let lower_end = stream.cells[0];
            (self.across(lower_end), usize::MAX - self.depth(lower_end))
        });
        streams
    }

    /// The spawner in the upper end of a stream.
    fn spawner(&self, upper_end: At) -> Option<Spawner> {
        if let Some(spawners) = &self.spec.spawners {
            return spawners.iter().find(|spawner| spawner.at == upper_end).cloned();
        }
        if self.spec.portals.iter().any(|portal| portal.exit == upper_end) {
            return None;
        }
        let (dx, dy) = self.down();
        let mut at = upper_end;
        while let Some(above) = self.step(at, (-dx, -dy)) {
            if self.get(above).ground != Ground::Void {
                return None;
            }
            at = above;
        }
        Some(Spawner::new(upper_end))
    }

    fn settle(&mut self, colors: &mut RandomColors) {
        loop {
            for index in 0..self.streams.len() {
                self.fall_straight(index, colors);
            }
            if self.spec.falls == Falls::Diagonal && self.fall_diagonally() {
                continue;
            }
            let mut collected = false;
            for at in self.places() {
                if self.is_item(at) && self.spec.exits.contains(&at) {
                    self.put(at, Content::Empty);
                    self.events.push(LevelEvent::Collect { at });
                    self.count(Target::Items);
                    collected = true;
                }
            }
            if !collected {
                return;
            }
        }
    }

    fn fall_straight(&mut self, index: usize, colors: &mut RandomColors) {
        let cells = self.streams[index].cells.clone();
        for to in 0..cells.len() {
            if !self.is_empty(cells[to]) {
                continue;
            }
            let Some(from) = (to + 1..cells.len()).find(|&from| !self.is_empty(cells[from])) else {
                break;
            };
            if !self.falls(cells[from]) {
                continue;
            }
            self.exchange(cells[from], cells[to]);
            let path = cells[to..=from].iter().rev().copied().collect();
            self.events.push(LevelEvent::Fall { path });
        }
        let highest = cells.iter().rposition(|&at| !self.is_empty(at));
        for to in highest.map_or(0, |highest| highest + 1)..cells.len() {
            let Some(spawned) = self.bring(index, colors) else { break };
            let content = match spawned {
                Spawned::Item => Content::Item,
                Spawned::Piece(color) => {
                    Content::Piece { color, special: None, cover: Cover::None }
                }
            };
            self.put(cells[to], content);
            let path = cells[to..].iter().rev().copied().collect();
            self.events.push(LevelEvent::Spawn { spawned, path });
        }
    }

    fn fall_diagonally(&mut self) -> bool {
        let mut empty = self.cells_where(|at| self.is_empty(at));
        empty.sort_by_key(|&at| (usize::MAX - self.depth(at), self.across(at)));
        let (down_x, down_y) = self.down();
        let aside = if down_x == 0 { (1, 0) } else { (0, 1) };
        for to in empty {
            for side in [-1, 1] {
                let way = (side * aside.0 - down_x, side * aside.1 - down_y);
                let Some(from) = self.step(to, way) else { continue };
                if self.falls(from) {
                    self.exchange(from, to);
                    self.events.push(LevelEvent::Fall { path: vec![from, to] });
                    return true;
                }
            }
        }
        false
    }

    fn bring(&mut self, index: usize, colors: &mut RandomColors) -> Option<Spawned> {
        let stream = &mut self.streams[index];
        let spawner = stream.spawner.clone()?;
        if spawner.limit.is_some_and(|limit| stream.brought >= limit) {
            return None;
        }
        stream.brought += 1;
        let items = self.spec.items;
        let on_board = self.items_on_board();
        if spawner.items && self.items < items.total && on_board < items.at_once {
            self.items += 1;
            return Some(Spawned::Item);
        }
        let weights = spawner.weights.as_ref().unwrap_or(&self.spec.colors);
        if weights[0] > 0 && weights.iter().all(|&weight| weight == weights[0]) {
            return Some(Spawned::Piece(colors.next()));
        }
        let number = colors.rng().below(weights.iter().sum());
        let mut sum = 0;
        for (color, &weight) in (1..).zip(weights) {
            sum += weight;
            if sum > number {
                return Some(Spawned::Piece(color));
            }
        }
        unreachable!("the number is below the sum")
    }

    // Ends.

    fn end(&mut self, colors: &mut RandomColors) {
        self.score += self.points;
        if let Limit::Moves(_) = self.spec.limit {
            self.limit_left -= 1;
        }
        if !self.left.is_empty() && self.left.iter().all(|&left| left == 0) {
            let points = u64::from(self.limit_left) * u64::from(self.spec.bonus);
            if points > 0 {
                self.events.push(LevelEvent::Bonus { left: self.limit_left, points });
                self.score += points;
            }
            self.is_over(Outcome::Won);
        } else if self.limit_left == 0 {
            self.is_over(Outcome::OutOfMoves);
        } else if self.legal_swaps().is_empty() && !self.shuffle(colors) {
            self.is_over(Outcome::Dead);
        }
    }

    fn is_over(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.events.push(LevelEvent::Over(outcome));
    }

    /// Counts seconds.
    pub(crate) fn spend(&mut self, seconds: u32) {
        if self.outcome.is_none() && matches!(self.spec.limit, Limit::Time(_)) {
            self.limit_left = self.limit_left.saturating_sub(seconds);
            if self.limit_left == 0 {
                self.outcome = Some(Outcome::OutOfTime);
            }
        }
    }

    fn shuffle(&mut self, colors: &mut RandomColors) -> bool {
        let before = self.cells.clone();
        let pieces = self.cells_where(|at| self.piece(at).is_some());
        let is_shuffled = match self.spec.shuffle {
            ShuffleRule::End => false,
            ShuffleRule::Recolor => self.deal(&pieces, colors),
            ShuffleRule::Rearrange => self.rearrange_until_stable(&before, colors),
        };
        if !is_shuffled {
            self.cells = before;
            return false;
        }
        let pieces = pieces.iter().filter_map(|&at| {
            let (color, kind, _) = self.piece(at)?;
            Some((at, color, kind))
        });
        let event = LevelEvent::Shuffle { pieces: pieces.collect() };
        self.events.push(event);
        true
    }

    fn rearrange_until_stable(&mut self, before: &[LevelCell], colors: &mut RandomColors) -> bool {
        for _ in 0..64 {
            self.cells = before.to_vec();
            if !self.rearrange(colors) {
                return false;
            }
            if !self.has_match() {
                return true;
            }
        }
        false
    }

    /// Rearranges the pieces once, or returns `false` if that isn't possible.
    fn rearrange(&mut self, colors: &mut RandomColors) -> bool {
        let mut board = self.board();
        if shuffle(&mut board, colors.rng()).is_err() {
            return false;
        }
        let free = self.cells_where(|at| self.is_free(at));
        let mut kinds: Vec<(u8, Option<Kind>)> = Vec::new();
        for &at in &free {
            kinds.push((self.color(at).expect("a piece"), self.kind(at)));
        }
        for &at in &free {
            let color = board[at].color().expect("a piece");
            self.put(at, Content::Piece { color, special: None, cover: Cover::None });
        }
        for color in 1..=Cell::MAX_COLOR {
            let of_color = kinds.iter().filter(|(own, _)| *own == color);
            let all = of_color.clone().count();
            let mut of_color: Vec<Option<Kind>> =
                of_color.filter_map(|&(_, kind)| kind.map(Some)).collect();
            if of_color.is_empty() {
                continue;
            }
            of_color.resize(all, None);
            for last in (1..all).rev() {
                let other = colors.rng().below(last as u32 + 1) as usize;
                of_color.swap(last, other);
            }
            let places = free.iter().filter(|&&at| board[at].color() == Some(color));
            for (&at, special) in places.zip(of_color) {
                self.put(at, Content::Piece { color, special, cover: Cover::None });
            }
        }
        true
    }
}

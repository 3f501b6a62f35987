//! Tetris as a user would write it: rows of bits, and a search by single key presses, without
//! allocation.

use bitcore::Rng;
use tetris::{
    Bag, Game, Location, Move, Orientation, Piece, Placement, Rotation, RotationSystem, Spin, Stats,
};

/// The rows from the floor, bit 0 = left column.
pub(crate) type Rows = [u16; 40];

pub(crate) fn rows(game: &Game) -> Rows {
    let mut rows = [0; 40];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, column) in game.board().columns().iter().enumerate() {
            *row |= ((column >> y & 1) as u16) << x;
        }
    }
    rows
}

fn is_free(rows: &Rows, (x, y): (i32, i32)) -> bool {
    (0..10).contains(&x) && (0..40).contains(&y) && rows[y as usize] >> x & 1 == 0
}

fn fits(rows: &Rows, at: Location) -> bool {
    at.cells().into_iter().all(|cell| is_free(rows, cell))
}

/// Returns the corners of a T that are filled, clockwise from the upper left.
fn filled_corners(rows: &Rows, at: Location) -> [bool; 4] {
    [(-1, 1), (1, 1), (1, -1), (-1, -1)]
        .map(|(dx, dy)| !is_free(rows, (i32::from(at.x) + dx, i32::from(at.y) + dy)))
}

fn is_spin(rows: &Rows, at: Location) -> bool {
    at.piece == Piece::T
        && filled_corners(rows, at).into_iter().filter(|&filled| filled).count() >= 3
}

/// Rotates with the first kick that fits. The result is below the floor if none does.
fn rotated(rows: &Rows, at: Location, rotation: Rotation) -> (Location, Spin) {
    let orientation = at.orientation.rotated(rotation);
    let kicks = RotationSystem::Srs.kicks(at.piece, at.orientation, rotation);
    for (number, &(dx, dy)) in kicks.iter().enumerate() {
        let to = Location { orientation, ..at.moved(dx, dy) };
        if fits(rows, to) {
            let filled = filled_corners(rows, to);
            let front = filled[orientation as usize] && filled[(orientation as usize + 1) % 4];
            let spin = if front || number == 4 { Spin::Full } else { Spin::Mini };
            return (to, if is_spin(rows, to) { spin } else { Spin::None });
        }
    }
    (Location { y: -9, ..at }, Spin::None)
}

/// Lists the moves with a piece in the order of `Game::legal_moves` and returns their number.
pub(crate) fn list(rows: &Rows, piece: Piece, hold: bool, moves: &mut [Move]) -> usize {
    let first = Location::spawn(piece);
    let spawn = if fits(rows, first) { first } else { first.moved(0, 1) };
    let mut arrived = [[[false; 40]; 10]; 4];
    let mut placed = [[[0; 40]; 10]; 4];
    let mut waiting = [spawn; 1600];
    let mut left = 0;
    let mut count = 0;
    let mut found = [(spawn, Spin::None); 5];
    loop {
        for (at, spin) in found {
            if !fits(rows, at) {
                continue;
            }
            let arrived = &mut arrived[at.orientation as usize][at.x as usize][at.y as usize];
            if !*arrived {
                *arrived = true;
                waiting[left] = at;
                left += 1;
            }
            let to = at.canonical();
            let placed = &mut placed[to.orientation as usize][to.x as usize][to.y as usize];
            if *placed >> spin as u8 & 1 == 0 && !fits(rows, at.moved(0, -1)) {
                *placed |= 1 << spin as u8;
                moves[count] = Move { hold, placement: Placement { at: to, spin } };
                count += 1;
            }
        }
        let Some(last) = left.checked_sub(1) else { break };
        (left, found) = (last, [(waiting[last], Spin::None); 5]);
        for (found, (dx, dy)) in found.iter_mut().zip([(-1, 0), (1, 0), (0, -1)]) {
            found.0 = found.0.moved(dx, dy);
        }
        found[3] = rotated(rows, waiting[last], Rotation::Cw);
        found[4] = rotated(rows, waiting[last], Rotation::Ccw);
    }
    moves[..count].sort_unstable_by_key(|&mv| order(mv));
    count
}

fn order(
    Move { hold, placement: Placement { at, spin } }: Move,
) -> (bool, Spin, Orientation, i8, i8) {
    (hold, spin, at.orientation, at.x, -at.y)
}

/// A guideline game with a preview of five pieces.
#[derive(Clone)]
pub(crate) struct User {
    rows: Rows,
    queue: [Piece; 6],
    hold: Option<Piece>,
    bag: Bag,
}

impl User {
    pub(crate) fn new(game: &Game) -> Self {
        let mut queue = [game.piece(); 6];
        queue[1..].copy_from_slice(game.next());
        Self { rows: rows(game), queue, hold: game.held(), bag: game.bag() }
    }

    fn after_hold(&self) -> Piece {
        self.hold.unwrap_or(self.queue[1])
    }

    /// Returns the number of legal moves, 0 if the game is over.
    pub(crate) fn list(&self, moves: &mut [Move]) -> usize {
        let count = list(&self.rows, self.queue[0], false, moves);
        if count == 0 {
            0
        } else {
            count + list(&self.rows, self.after_hold(), true, &mut moves[count..])
        }
    }

    /// Plays a legal move. Returns the number of lines, and `true` if the piece locked out.
    pub(crate) fn play(&mut self, mv: Move, rng: &mut Rng) -> (u32, bool) {
        let cells = mv.placement.at.cells();
        for (x, y) in cells {
            self.rows[y as usize] |= 1 << x;
        }
        let mut kept = 0;
        for y in 0..40 {
            self.rows[kept] = self.rows[y];
            kept += usize::from(self.rows[y] != 0x3FF);
        }
        self.rows[kept..].fill(0);
        let held = mv.hold && self.hold.replace(self.queue[0]).is_none();
        for _ in 0..=u32::from(held) {
            self.queue.copy_within(1.., 0);
            self.queue[5] = self.bag.draw(rng);
        }
        (40 - kept as u32, cells.iter().all(|&(_, y)| y >= 20))
    }

    /// Plays to the end with the draws of `Game::play_random`.
    pub(crate) fn play_on(
        mut self,
        rng: &mut Rng,
        moves: &mut [Move],
        candidates: &mut [Move],
    ) -> Stats {
        let mut stats = Stats::default();
        stats.games = 1;
        loop {
            let count = self.list(moves);
            if count == 0 {
                return stats;
            }
            let all = self.candidates(candidates);
            let mv = loop {
                let drawn = candidates[rng.below(all as u32) as usize];
                if moves[..count].contains(&drawn) {
                    break drawn;
                }
            };
            let (lines, over) = self.play(mv, rng);
            stats.pieces += 1;
            stats.lines += u64::from(lines);
            if over {
                return stats;
            }
        }
    }

    /// Lists the places where a piece rests, reachable or not.
    fn candidates(&self, candidates: &mut [Move]) -> usize {
        let mut count = 0;
        for (hold, piece) in [(false, self.queue[0]), (true, self.after_hold())] {
            for i in 0..1600 {
                let x = (i / 40 % 10) as i8;
                let y = (i % 40) as i8;
                let at = Location { piece, orientation: Orientation::ALL[i / 400], x, y };
                if at != at.canonical()
                    || !fits(&self.rows, at)
                    || fits(&self.rows, at.moved(0, -1))
                {
                    continue;
                }
                let kinds = if is_spin(&self.rows, at) { 3 } else { 1 };
                for spin in [Spin::None, Spin::Mini, Spin::Full].into_iter().take(kinds) {
                    candidates[count] = Move { hold, placement: Placement { at, spin } };
                    count += 1;
                }
            }
        }
        candidates[..count].sort_unstable_by_key(|&mv| {
            let (hold, spin, orientation, x, y) = order(mv);
            (hold, spin, orientation, -y / 16, x, y)
        });
        count
    }
}

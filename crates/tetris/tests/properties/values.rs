//! Random values for the properties of games.

use bitcore::Rng;
use testkit::Input;
use tetris::RotationSystem::{Srs, SrsPlus, SrsX};
use tetris::movegen::SpinMode::{AllMini, Ignore, TSpins};
use tetris::{
    Attack, AttackTable, BackToBackBonus, Bag, Board, ComboBonus, Error, GarbageTiming, Location,
    Orientation, PerfectBonus, Piece, Position, Rules,
};

const FIELD: u64 = (1 << Board::HEIGHT) - 1;

/// Draws a board: low, high, a stack with a few holes, arbitrary, or one of the kinds of
/// [`random_board`].
pub(crate) fn board(input: &Input) -> Board {
    let kind = input.byte();
    if kind >= 96 {
        return random_board(&mut Rng::new(input.u16().into()));
    }
    let height = input.below(Board::HEIGHT + 1);
    let columns: [u64; Board::WIDTH] = std::array::from_fn(|_| match kind % 4 {
        0 => u64::from(input.byte()),
        1 => (1 << input.below(height + 1)) - 1,
        2 => ((1u64 << height) - 1) & !(u64::from(input.byte()) << input.below(Board::HEIGHT)),
        _ => input.u64() & ((1 << height) - 1),
    });
    Board::try_from(columns).expect("no bit above the field")
}

/// Draws one of several kinds of boards that exercise different parts of the generator, with
/// heights up to the ceiling.
pub(crate) fn random_board(rng: &mut Rng) -> Board {
    let height = rng.below(Board::HEIGHT as u32 + 1);
    let mut columns = match rng.below(10) {
        // Rubble of any density, often with full rows; low enough for the packed layout, or of any
        // height.
        0 | 1 => {
            let height = if rng.below(2) == 0 { height } else { height.min(15) };
            let density = rng.below(5);
            let full = (0..rng.below(9)).fold(0, |full, _| full | 1 << rng.below(height.max(1)));
            let columns = rows(rng, height, |rng| match density {
                0 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64(),
                2 => rng.next_u64(),
                3 => rng.next_u64() | rng.next_u64(),
                _ => (1 << rng.below(9)) - 1,
            });
            columns.map(|column| (column | full) & ((1 << height) - 1))
        }
        // Garbage: full rows with one or two holes each, with rubble above them.
        2 => {
            let top = rng.below(6).min(height);
            let mut columns = rows(rng, height, |rng| rng.next_u64() & rng.next_u64());
            let garbage = (1u64 << (height - top)) - 1;
            for column in &mut columns {
                *column |= garbage;
            }
            for y in 0..height - top {
                for _ in 0..=rng.below(2) {
                    columns[rng.below(10) as usize] &= !(1 << y);
                }
            }
            columns
        }
        // A stepped surface with tunnels below.
        3 => {
            let low = rng.below(height + 1);
            let mut columns = [0; Board::WIDTH];
            for column in &mut columns {
                *column = (1 << (low + rng.below(height - low + 1))) - 1;
            }
            for _ in 0..rng.below(12) {
                let x = rng.below(10);
                let y = rng.below(height + 1);
                let length = 1 + rng.below(6);
                (x..(x + length).min(10)).for_each(|x| columns[x as usize] &= !(3 << y));
            }
            columns
        }
        // Sparse cells: hooks for every kick.
        4 => rows(rng, height, |rng| {
            rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64()
        }),
        // A few rows repeated: pieces climb by kicks, up to the ceiling.
        5 => {
            let period = 2 + rng.below(6);
            let pattern = rows(rng, period, |rng| rng.next_u64() & rng.next_u64());
            let repeated =
                |rows: u64| (0..height).step_by(period as usize).fold(0, |all, y| all | rows << y);
            pattern.map(repeated)
        }
        // Winding caves two cells wide.
        6 => {
            let mut columns = [(1 << height) - 1; Board::WIDTH];
            let mut x = 4 + rng.below(2);
            let mut y = height;
            for _ in 0..60 {
                (x..(x + 3).min(10)).for_each(|x| columns[x as usize] &= !(7 << y >> 1));
                match rng.below(4) {
                    0 => x = x.saturating_sub(1),
                    1 => x = (x + 1).min(8),
                    _ => y = y.saturating_sub(1),
                }
            }
            columns
        }
        // Stacks around the heights where the layout changes, with rows that a single piece
        // completes.
        7 => {
            let height = 2 + rng.below(18);
            let mut columns = [(1u64 << height) - 1; Board::WIDTH];
            let well = rng.below(9) as usize;
            columns[well] = (1 << rng.below(height)) - 1;
            columns[well + 1] &= !(rng.next_u64() & rng.next_u64());
            for _ in 0..rng.below(5) {
                columns[rng.below(10) as usize] &= !(1 << rng.below(height));
            }
            return Board::try_from(columns).expect("a low stack");
        }
        // Overhangs over garbage, below the spawn.
        8 => {
            let hole = rng.below(20);
            let overhang = rng.below(3) as usize;
            let height = 12 + rng.below(9);
            return overhang_on_garbage(overhang, height, || {
                if hole < 10 { hole } else { rng.below(10) }
            });
        }
        // A stack up to the spawn: about half of the pieces are blocked in the first spawn row.
        _ => {
            let low = 15 + rng.below(5);
            let columns = std::array::from_fn(|_| {
                let top = low + rng.below(3);
                let holes = rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64();
                ((1 << top) - 1) & !holes
            });
            return Board::try_from(columns).expect("a stack of up to 21 rows");
        }
    };
    // Usually clear the spawn.
    if height > 18 && rng.below(8) > 0 {
        let left = rng.below(4) as usize;
        let right = 6 + rng.below(5) as usize;
        let bottom = 18 - rng.below(12).min(rng.below(14));
        let rows = 2 + rng.below(24);
        columns[left..right]
            .iter_mut()
            .for_each(|column| *column &= !(((1 << rows) - 1) << bottom));
        columns[3..6].iter_mut().for_each(|column| *column &= !(7 << 19));
    }
    Board::try_from(columns.map(|column| column & FIELD)).expect("no bit above the field")
}

fn rows(rng: &mut Rng, height: u32, mut bits: impl FnMut(&mut Rng) -> u64) -> [u64; Board::WIDTH] {
    std::array::from_fn(|_| bits(rng) & ((1 << height) - 1))
}

/// The benchmark boards of cobra-movegen: one T overhang, two T overhangs, and winding caves.
pub(crate) const OVERHANGS: [&str; 3] = [
    "3f,3f,1f,7,1,0,d,1f,3f,ff",
    "1ff,1ff,ff,ff,3f,26,81,f7,ff,ff",
    "ff,c0,cc0,ccc,ccc,ccc,ccc,c0c,c0c,ffc",
];

/// Raises one of the [`OVERHANGS`] to a height with full rows, each with a hole in the column
/// returned by `hole`.
pub(crate) fn overhang_on_garbage(
    overhang: usize,
    height: u32,
    mut hole: impl FnMut() -> u32,
) -> Board {
    let board: Board = OVERHANGS[overhang].parse().expect("ten columns");
    let rows = height - board.max_height();
    let mut columns = board.columns().map(|column| column << rows);
    for y in 0..rows {
        let hole = hole() as usize;
        (0..Board::WIDTH).filter(|&x| x != hole).for_each(|x| columns[x] |= 1 << y);
    }
    Board::try_from(columns).expect("a board below the ceiling")
}

pub(crate) fn piece(input: &Input) -> Piece {
    *input.pick(&Piece::ALL)
}

/// Draws a location: in the field or near it, or anywhere.
pub(crate) fn location(input: &Input) -> Location {
    let piece = piece(input);
    let orientation = *input.pick(&Orientation::ALL);
    let x = input.byte() as i8;
    let y = input.byte() as i8;
    if input.flag() {
        Location { piece, orientation, x, y }
    } else {
        Location { piece, orientation, x: x.rem_euclid(14) - 2, y: y.rem_euclid(46) - 3 }
    }
}

/// Draws an attack: a few lines or any number, with the hole in the field or next to it.
pub(crate) fn garbage(input: &Input) -> Attack {
    let lines = match input.below(8) {
        0 => input.u32(),
        1 => input.below(Board::HEIGHT + 2) as u32,
        _ => input.below(4) as u32,
    };
    Attack { lines, column: input.below(Board::WIDTH + 1) as u8 }
}

/// Draws a board and the first pieces of a queue: the position of a game.
pub(crate) fn position(input: &Input) -> (Vec<Piece>, impl Fn(&[Piece]) -> Position<'_>) {
    let board = if input.flag() { board(input) } else { Board::EMPTY };
    let choice = input.byte();
    // Half of the queues contain only T, for its spins.
    let any = || if choice < 128 { piece(input) } else { Piece::T };
    let known = input.list(usize::from(choice % 18), any);
    let mut bag = Bag::FULL;
    input.list(input.below(7), || bag.take(piece(input)));
    let hold = input.flag().then(|| piece(input));
    let number = || if input.below(8) == 0 { u32::MAX } else { input.below(4) as u32 };
    let combo = number();
    let back_to_back = number();
    (known, move |queue| Position { board, queue, hold, bag, combo, back_to_back })
}

/// The only possible cause is a queue that is too long.
pub(crate) fn assert_refused(error: Error, rules: &Rules, known: &[Piece]) {
    let max = 1 + rules.next.min(15);
    assert_eq!(error, Error::QueueLength { max, found: known.len() });
    assert!(known.len() > max);
}

/// Draws an attack table with any kinds of bonuses.
pub(crate) fn attack_table(input: &Input) -> AttackTable {
    let mut table = AttackTable::GUIDELINE;
    if input.flag() {
        table.plain = std::array::from_fn(|_| input.byte());
        table.back_to_back = input.byte();
        table.perfect = input.byte();
        table.combo[1] = input.byte();
        table.combo_bonus = *input.pick(&[ComboBonus::Table, ComboBonus::Multiplier]);
        table.back_to_back_bonus = *input.pick(&[
            BackToBackBonus::Constant,
            BackToBackBonus::IfAttacking,
            BackToBackBonus::Chaining,
            BackToBackBonus::Charging { at: input.byte() % 8, base: input.byte() },
        ]);
        let perfect = [PerfectBonus::Added, PerfectBonus::AddedBackToBack, PerfectBonus::InPlace];
        table.perfect_bonus = *input.pick(&perfect);
    }
    table
}

pub(crate) fn rules(input: &Input) -> Rules {
    let timings = [
        GarbageTiming::AfterNonClearingLock,
        GarbageTiming::AfterEveryLock,
        GarbageTiming::Immediate,
    ];
    Rules {
        next: if input.below(8) == 0 { input.size() } else { input.below(7) },
        hold: input.flag(),
        attack: attack_table(input),
        garbage_timing: *input.pick(&timings),
        cancel: input.flag(),
        garbage_cap: if input.flag() { u32::MAX } else { input.below(4) as u32 },
        garbage_delay: if input.flag() { 0 } else { input.below(4) as u32 },
        second_spawn_row: input.flag(),
        rotation_system: *input.pick(&[Srs, Srs, SrsPlus, SrsX]),
        spin_mode: *input.pick(&[TSpins, TSpins, AllMini, Ignore]),
    }
}

/// Returns a cost, lower is better, that favors placements with line clears.
pub(crate) fn cost(board: &Board, at: Location) -> (u32, u32) {
    let mut after = board.place(at).expect("a placement fits");
    let lines = after.clear_lines();
    let features = after.features();
    (
        4 * features.covered_cells + features.bumpiness + features.max_height,
        Board::HEIGHT as u32 - lines,
    )
}

//! Published numbers: see the headers of `tests/data`.

use bitcore::{Level, Rng};
use match3::bitboard::{Board64, Boards8, FourWords, Mask, PlaneBoard, PlaneLayout};
use match3::reference::plain::ByteBoard;
use match3::reference::{ByteRows, ColorMasks, naive};
use match3::{
    Axis, Board, Board8, Board16, CascadeResult, Cell, Playouts, Rules, Swap, swaps, try_swap,
};
use testkit::{Cost, on_each_level};

/// The generator behind the data files.
struct SplitMix64(u64);

impl SplitMix64 {
    fn below(&mut self, n: u64) -> u8 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        ((u128::from(z) * u128::from(n)) >> 64) as u8
    }

    fn stable(&mut self, width: usize, height: usize, colors: u64) -> Board {
        let mut cells = vec![0; width * height];
        for i in 0..cells.len() {
            let x = i % width;
            let y = i / width;
            cells[i] = loop {
                let c = 1 + self.below(colors);
                let left = x >= 2 && cells[i - 1] == c && cells[i - 2] == c;
                let above = y >= 2 && cells[i - width] == c && cells[i - 2 * width] == c;
                if !left && !above {
                    break c;
                }
            };
        }
        board(width, height, cells)
    }
}

fn board(width: usize, height: usize, colors: Vec<u8>) -> Board {
    let cells = colors.into_iter().map(|c| Cell::new(c).unwrap_or_default()).collect();
    Board::from_cells(width, height, cells).unwrap()
}

fn boards(
    kind: &str,
    width: usize,
    height: usize,
    colors: u64,
    count: u64,
) -> Box<dyn Iterator<Item = Board>> {
    let cells = width * height;
    let mut rng = SplitMix64(1);
    let digits = move |n: u64| {
        let mut rest = n;
        (0..cells).map(move |_| {
            let digit = rest % colors;
            rest /= colors;
            digit as u8
        })
    };
    match kind {
        "all" => Box::new(
            (0..count).map(move |n| board(width, height, digits(n).map(|d| d + 1).collect())),
        ),
        "holes0" => Box::new((0..count).map(move |n| board(width, height, digits(n).collect()))),
        "raw" => Box::new((0..count).map(move |_| {
            board(width, height, (0..cells).map(|_| 1 + rng.below(colors)).collect())
        })),
        "holes" => Box::new((0..count).map(move |_| {
            board(width, height, (0..cells).map(|_| rng.below(colors + 1)).collect())
        })),
        "stable" => Box::new((0..count).map(move |_| rng.stable(width, height, colors))),
        _ => panic!("unknown kind of set {kind}"),
    }
}

fn swaps_of_planes<W: PlaneLayout<3>>(board: &Board) -> Vec<Swap> {
    let planes = PlaneBoard::<W, 3>::try_from(board).expect("up to seven colors");
    planes.swaps().iter().collect()
}

/// `horizontal vertical dead matched fnv` of a set.
fn summary(boards: impl Iterator<Item = Board>, list: impl Fn(&Board) -> Vec<Swap>) -> String {
    let mut fnv = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |item: u64| fnv = (fnv ^ item).wrapping_mul(0x100_0000_01b3);
    let mut horizontal = 0;
    let mut vertical = 0;
    let mut dead = 0;
    let mut matched = 0;
    for board in boards {
        let found = list(&board);
        for swap in &found {
            let is_vertical = swap.axis == Axis::Vertical;
            add(2 * (swap.y * board.width() + swap.x) as u64 + u64::from(is_vertical));
            *if is_vertical { &mut vertical } else { &mut horizontal } += 1;
        }
        add(0xFFFF);
        dead += u64::from(found.is_empty());
        matched += match3::matched(&board).words().iter().map(|row| row.count_ones()).sum::<u32>();
    }
    format!("{horizontal} {vertical} {dead} {matched} {fnv:016x}")
}

#[test]
fn swaps_of_board_sets() {
    for line in include_str!("data/swaps.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [set, kind, width, height, colors, count, expected @ .., cost] = &fields[..] else {
            panic!("short line {line}")
        };
        let number = |text: &str| text.parse::<u64>().unwrap();
        let width = number(width) as usize;
        let height = number(height) as usize;
        let set_of = || boards(kind, width, height, number(colors), number(count));
        let cost = if *cost == "quick" { Cost::Quick } else { Cost::Slow };
        if testkit::emulated() && number(count) > 100_000 {
            continue;
        }
        let name = format!("swaps of set {set}");
        let expected = expected.join(" ");
        let check = |level: &str, list: &dyn Fn(&Board) -> Vec<Swap>| {
            testkit::truth("match3", level, &name, cost, &expected, || summary(set_of(), list));
        };
        if !testkit::emulated() {
            check("masks", &|board| swaps(board).iter().collect());
            check("reference: color masks", &|board| ColorMasks::from(board).swaps());
            check("reference: bytes", &|board| {
                ByteRows::new(board).expect("at most 8 x 8").swaps()
            });
            check("reference: naive", &naive::swaps);
        }
        on_each_level(|| {
            let check = |layout: &str, list: &dyn Fn(&Board) -> Vec<Swap>| {
                let level = Level::active().name();
                let name = format!("{name}, {layout}");
                testkit::truth("match3", level, &name, cost, &expected, || summary(set_of(), list));
            };
            check("8x8 planes", &swaps_of_planes::<u64>);
            check("16x16 planes", &swaps_of_planes::<FourWords>);
            check("64x64 rows", &|board| Board64::from(board).swaps().iter().collect());
            check("cells", &|board| swaps(board).iter().collect());
        });
    }
}

#[test]
fn cascades() {
    for line in include_str!("data/cascades.txt").lines().filter(|line| !line.starts_with('#')) {
        let (colors, rest) = line.split_once(' ').unwrap();
        let (turns, expected) = rest.split_once(' ').unwrap();
        let colors = colors.parse().unwrap();
        let turns = turns.parse::<u64>().unwrap();
        let play = |try_swap: &dyn Fn(&mut Board, Swap, &mut SplitMix64) -> CascadeResult| {
            let mut boards = SplitMix64(1);
            let mut refills = SplitMix64(2);
            let mut board = boards.stable(8, 8, colors);
            let mut total = CascadeResult::default();
            let mut max_level = 0;
            for _ in 0..turns {
                let Some(swap) = swaps(&board).iter().next() else {
                    board = boards.stable(8, 8, colors);
                    continue;
                };
                let result = try_swap(&mut board, swap, &mut refills);
                total.cleared += result.cleared;
                total.score += result.score;
                total.levels += result.levels;
                max_level = max_level.max(result.levels);
            }
            format!("{} {} {} {max_level}", total.cleared, total.score, total.levels)
        };
        let name = format!("cascades, {colors} colors");
        let check =
            |level: &str, try_swap: &dyn Fn(&mut Board, Swap, &mut SplitMix64) -> CascadeResult| {
                testkit::truth("match3", level, &name, Cost::Quick, &expected.to_string(), || {
                    play(try_swap)
                });
            };
        check("reference: naive", &|board, swap, refills| {
            let [a, b] = swap.cells();
            board.exchange(a, b);
            naive::cascade(board, || 1 + refills.below(colors))
        });
        check("cells", &|board, swap, refills| {
            try_swap(board, swap, || 1 + refills.below(colors), &mut ()).expect("a legal swap")
        });
        on_each_level(|| {
            let level = Level::active();
            check(&format!("{level}, 8x8 planes"), &|board, swap, refills| {
                on_planes::<u64>(board, swap, || 1 + refills.below(colors))
            });
            check(&format!("{level}, 16x16 planes"), &|board, swap, refills| {
                on_planes::<FourWords>(board, swap, || 1 + refills.below(colors))
            });
        });
    }
}

fn on_planes<W: PlaneLayout<3>>(
    board: &mut Board,
    swap: Swap,
    mut color: impl FnMut() -> u8,
) -> CascadeResult {
    let mut planes = PlaneBoard::<W, 3>::try_from(&*board).expect("up to seven colors");
    planes.exchange(swap);
    let result = planes.cascade(&mut color);
    *board = planes.into();
    result
}

/// Cycles through stable boards, raw boards, few colors, and many holes.
fn of_all_kinds(rng: &mut Rng, kind: u32) -> [u8; 64] {
    let mut cells = [0; 64];
    for at in 0..64 {
        cells[at] = loop {
            let cell = match kind {
                0 | 1 => 1 + rng.below(6),
                2 => 1 + rng.below(2),
                3 => 1 + rng.below(7),
                4 => rng.below(4),
                _ => rng.below(2) * (1 + rng.below(3)),
            } as u8;
            let left = at % 8 >= 2 && cells[at - 1] == cell && cells[at - 2] == cell;
            let above = at >= 16 && cells[at - 8] == cell && cells[at - 16] == cell;
            if kind != 0 || !(left || above) {
                break cell;
            }
        };
    }
    cells
}

/// A board in every layout, with its swaps and runs by brute force.
struct Case {
    cells: Board,
    planes8: Board8,
    planes16: Board16,
    swaps: (u64, u64),
    runs: Vec<u64>,
}

/// The swaps of each axis as a mask, row by row.
fn masks(swaps: impl IntoIterator<Item = Swap>) -> (u64, u64) {
    let mut right = 0;
    let mut down = 0;
    for Swap { x, y, axis } in swaps {
        *if axis == Axis::Horizontal { &mut right } else { &mut down } |= 1u64 << (8 * y + x);
    }
    (right, down)
}

impl Case {
    fn new(bytes: [u8; 64]) -> Self {
        let cells = board(8, 8, bytes.to_vec());
        let mut engine = ByteBoard::new(&cells).expect("nothing blocked");
        Self {
            planes8: Board8::try_from(&cells).unwrap(),
            planes16: Board16::try_from(&cells).unwrap(),
            swaps: masks(engine.swaps()),
            runs: naive::matched(&cells),
            cells,
        }
    }

    fn count(&self) -> u64 {
        let (right, down) = self.swaps;
        (right.count_ones() + down.count_ones()).into()
    }

    fn swaps_are_equal(&self) -> bool {
        masks(&swaps(&self.cells)) == self.swaps
            && masks(&Board64::from(&self.cells).swaps()) == self.swaps
            && masks(&self.planes8.swaps()) == self.swaps
            && masks(&self.planes16.swaps()) == self.swaps
    }

    fn runs_are_equal(&self) -> bool {
        match3::matched(&self.cells).words() == self.runs
            && (0..8).map(|y| self.planes8.matched().row(y)).eq(self.runs.iter().copied())
            && (0..8).map(|y| self.planes16.matched().row(y)).eq(self.runs.iter().copied())
    }
}

/// Counts the boards whose swaps differ from brute force on some level or in some layout, and the
/// boards whose runs differ, out of `boards`.
fn differing(boards: u32) -> (usize, usize) {
    let mut rng = Rng::new(17);
    let mut swaps_differ = 0;
    let mut runs_differ = 0;
    // In parts, because setting a level may wait for other tests.
    for first in (0..boards).step_by(1 << 12) {
        let part = first..boards.min(first + (1 << 12));
        let cases: Vec<Case> = part.map(|i| Case::new(of_all_kinds(&mut rng, i % 6))).collect();
        let mut equal = vec![[true; 2]; cases.len()];
        on_each_level(|| {
            for (case, [swaps, runs]) in cases.iter().zip(&mut equal) {
                *swaps &= case.swaps_are_equal();
                *runs &= case.runs_are_equal();
            }
            for (four, equal) in cases.chunks(4).zip(equal.chunks_mut(4)) {
                let planes: Vec<Board8> = four.iter().map(|case| case.planes8).collect();
                let count = Boards8::from(&planes[..]).count_swaps();
                equal[0][0] &= count == four.iter().map(Case::count).sum::<u64>();
            }
        });
        swaps_differ += equal.iter().filter(|[swaps, _]| !swaps).count();
        runs_differ += equal.iter().filter(|[_, runs]| !runs).count();
    }
    (swaps_differ, runs_differ)
}

#[test]
fn every_kernel_equals_brute_force() {
    for (boards, cost) in [(testkit::cases(50_000) as u32, Cost::Quick), (2_000_000, Cost::Slow)] {
        let name =
            format!("of {boards} mixed 8x8 boards: swaps, runs that differ from brute force");
        testkit::truth("match3", "all levels and layouts", &name, cost, &"0 0".to_string(), || {
            let (swaps, runs) = differing(boards);
            format!("{swaps} {runs}")
        });
    }
}

#[test]
fn random_play() {
    for line in include_str!("data/play.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<f64> =
            line.split(' ').map(|field| field.parse().expect("a number")).collect();
        let &[colors, cells, points, uncertainty] = &fields[..] else {
            panic!("short line {line}")
        };
        // The standard deviation per move is about 75 points and 2.6 cells; these bounds are four
        // standard errors of the means.
        for (moves, cost) in [(20_000, Cost::Quick), (1_000_000, Cost::Slow)] {
            on_each_level(|| {
                let name = format!(
                    "random play, {colors} colors, {moves} moves of 64 games: cells, points"
                );
                let n = 64.0 * f64::from(moves);
                let expected = Means {
                    cells,
                    points,
                    errors: [4.0 * 2.6 / n.sqrt() + 5e-5, 4.0 * 75.0 / n.sqrt() + uncertainty],
                };
                testkit::truth("match3", Level::active().name(), &name, cost, &expected, || {
                    let rules = Rules { colors: colors as u8, moves, ..Rules::default() };
                    let stats = Playouts::new(rules, 20).expect("up to seven colors").play(64);
                    Means {
                        cells: stats.cleared as f64 / n,
                        points: stats.score.sum as f64 / n,
                        errors: [0.0; 2],
                    }
                });
            });
        }
    }
}

/// Means per move. Equal if they differ by no more than their combined errors.
struct Means {
    cells: f64,
    points: f64,
    errors: [f64; 2],
}

impl PartialEq for Means {
    fn eq(&self, other: &Self) -> bool {
        (self.cells - other.cells).abs() <= self.errors[0] + other.errors[0]
            && (self.points - other.points).abs() <= self.errors[1] + other.errors[1]
    }
}

impl std::fmt::Display for Means {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.4} {:.3}", self.cells, self.points)
    }
}

//! Published numbers: see the headers of `tests/data`.

use bitcore::{Level, dispatch};
use match3::reference::{ByteRows, ColourMasks, naive};
use match3::{Board, Cell, Swap, swaps, swaps8_with};
use testkit::Cost;

/// The generator of the data files.
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

    fn stable(&mut self, width: usize, height: usize, colours: u64) -> Board {
        let mut cells = vec![0; width * height];
        for i in 0..cells.len() {
            let (x, y) = (i % width, i / width);
            cells[i] = loop {
                let c = 1 + self.below(colours);
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

fn board(width: usize, height: usize, colours: Vec<u8>) -> Board {
    let cells = colours.into_iter().map(|c| Cell::new(c).unwrap_or_default()).collect();
    Board::from_cells(width, height, cells).unwrap()
}

fn boards(
    kind: &str,
    width: usize,
    height: usize,
    colours: u64,
    count: u64,
) -> Box<dyn Iterator<Item = Board>> {
    let cells = width * height;
    let mut rng = SplitMix64(1);
    let digits = move |mut n: u64| (0..cells).map(move |_| (n % colours, n /= colours).0 as u8);
    match kind {
        "all" => Box::new((0..count).map(move |n| board(width, height, digits(n).map(|d| d + 1).collect()))),
        "holes0" => Box::new((0..count).map(move |n| board(width, height, digits(n).collect()))),
        "raw" => Box::new(
            (0..count)
                .map(move |_| board(width, height, (0..cells).map(|_| 1 + rng.below(colours)).collect())),
        ),
        "holes" => Box::new(
            (0..count)
                .map(move |_| board(width, height, (0..cells).map(|_| rng.below(colours + 1)).collect())),
        ),
        "stable" => Box::new((0..count).map(move |_| rng.stable(width, height, colours))),
        _ => panic!("unknown kind of set {kind}"),
    }
}

/// The swaps of an 8 x 8 board through the kernel of a level.
fn swaps_of_level(level: Level, board: &Board) -> Vec<Swap> {
    use match3::Axis::{Horizontal, Vertical};
    let cells = std::array::from_fn(|i| board.cells()[i].byte());
    let (right, down) = dispatch!(level, isa => swaps8_with(isa, &cells));
    let each = |mask: u64, axis| {
        bitcore::SetBits(mask).map(move |i| Swap { x: i as usize % 8, y: i as usize / 8, axis })
    };
    let mut found: Vec<Swap> = each(right, Horizontal).chain(each(down, Vertical)).collect();
    found.sort_unstable();
    found
}

/// `horizontal vertical dead matched fnv` of a set.
fn summary(boards: impl Iterator<Item = Board>, list: impl Fn(&Board) -> Vec<Swap>) -> String {
    let mut fnv = 0xcbf2_9ce4_8422_2325_u64;
    let mut item = |item: u64| fnv = (fnv ^ item).wrapping_mul(0x100_0000_01b3);
    let (mut horizontal, mut vertical, mut dead, mut matched) = (0, 0, 0, 0);
    for board in boards {
        let found = list(&board);
        for swap in &found {
            let is_vertical = swap.axis == match3::Axis::Vertical;
            item(2 * (swap.y * board.width() + swap.x) as u64 + u64::from(is_vertical));
            *if is_vertical { &mut vertical } else { &mut horizontal } += 1;
        }
        item(0xFFFF);
        dead += u64::from(found.is_empty());
        matched += match3::matched(&board).words().iter().map(|row| row.count_ones()).sum::<u32>();
    }
    format!("{horizontal} {vertical} {dead} {matched} {fnv:016x}")
}

#[test]
fn swaps_of_board_sets() {
    for line in include_str!("data/swaps.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [set, kind, width, height, colours, count, expected @ .., cost] = &fields[..] else {
            panic!("short line {line}")
        };
        let number = |text: &str| text.parse::<u64>().unwrap();
        let (width, height) = (number(width) as usize, number(height) as usize);
        let set_of = || boards(kind, width, height, number(colours), number(count));
        let cost = if *cost == "quick" { Cost::Quick } else { Cost::Slow };
        let (name, expected) = (format!("swaps of set {set}"), expected.join(" "));
        let check = |level: &str, list: &dyn Fn(&Board) -> Vec<Swap>| {
            testkit::truth("match3", level, &name, cost, &expected, || summary(set_of(), list));
        };
        check("masks", &|board| swaps(board).iter().collect());
        check("reference: colour masks", &|board| ColourMasks::new(board).swaps());
        check("reference: bytes", &|board| ByteRows::new(board).expect("at most 8 x 8").swaps());
        check("reference: naive", &naive::swaps);
        if (width, height) == (8, 8) {
            for level in testkit::levels() {
                check(level.name(), &|board| swaps_of_level(level, board));
            }
        }
    }
}

#[test]
fn cascades() {
    for line in include_str!("data/cascades.txt").lines().filter(|line| !line.starts_with('#')) {
        let (colours, rest) = line.split_once(' ').unwrap();
        let (turns, expected) = rest.split_once(' ').unwrap();
        let (colours, turns) = (colours.parse().unwrap(), turns.parse::<u64>().unwrap());
        let play = || {
            let (mut boards, mut refills) = (SplitMix64(1), SplitMix64(2));
            let mut board = boards.stable(8, 8, colours);
            let mut total = naive::Outcome::default();
            let mut max_level = 0;
            for _ in 0..turns {
                let Some(swap) = swaps(&board).iter().next() else {
                    board = boards.stable(8, 8, colours);
                    continue;
                };
                let [a, b] = swap.cells();
                board.exchange(a, b);
                let outcome = naive::cascade(&mut board, || 1 + refills.below(colours));
                total.cleared += outcome.cleared;
                total.score += outcome.score;
                total.levels += outcome.levels;
                max_level = max_level.max(outcome.levels);
            }
            format!("{} {} {} {max_level}", total.cleared, total.score, total.levels)
        };
        let name = format!("cascades, {colours} colours");
        testkit::truth("match3", "reference: naive", &name, Cost::Quick, &expected.to_string(), play);
    }
}

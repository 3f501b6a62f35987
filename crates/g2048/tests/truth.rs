//! Published numbers; the headers of the files in `tests/data` name the sources.

use bitcore::{Level, Rng};
use g2048::reference::{naive_slide_line, slide_four, slide_line};
use g2048::{
    Board, Boards32, Direction, Kernel, Moments, Perft, Playouts, Size, Slides, Solution, Stats,
    solve,
};
use std::collections::HashSet;
use std::fmt;
use testkit::{Cost, on_each_level};

fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect())
}

fn number<T: std::str::FromStr<Err: fmt::Debug>>(word: &str) -> T {
    word.parse().expect(word)
}

fn cost(word: &str) -> Cost {
    match word {
        "quick" => Cost::Quick,
        "slow" => Cost::Slow,
        _ => panic!("a cost, not {word}"),
    }
}

/// The eleven test cases of the article, on its algorithm and on every form of ours.
#[test]
fn published_lines() {
    let values = |words: &[&str]| words.iter().copied().map(number).collect::<Vec<u64>>();
    let text = |line: &[u64]| format!("{line:?}");
    for row in rows(include_str!("data/lines.txt")) {
        let arrow = row.iter().position(|&word| word == ">").unwrap();
        let before = values(&row[..arrow]);
        let after = values(&row[arrow + 1..]);
        let check = |form: &str, slid: &dyn Fn() -> Vec<u64>| {
            let name = format!("line {}", row.join(" "));
            testkit::truth("2048", form, &name, Cost::Quick, &text(&after), || text(&slid()));
        };
        check("reference: two pointers", &|| {
            let mut line = before.clone();
            slide_line(&mut line);
            line
        });
        check("reference: naive", &|| naive_slide_line(&before).0);
        if let Ok(mut line) = <[u64; 4]>::try_from(&before[..]) {
            line.reverse();
            slide_four(&mut line);
            line.reverse();
            check("reference: four cells", &|| line.to_vec());
        }
        // A board with this line as both rows.
        let line = row[..arrow].join(" ");
        let board: Board = format!("{line}\n{line}").parse().unwrap();
        check("one board", &|| board.slide(Direction::Left).board.tiles().take(arrow).collect());
        on_each_level(|| {
            let boards = Boards32::try_from(&[board][..]).unwrap();
            let mut slides = Slides::new(board.size());
            boards.slide_into(Direction::Left, &mut slides);
            check(Level::active().name(), &|| slides.boards.board(0).tiles().take(arrow).collect());
        });
    }
}

/// Slides about `lines` random lines of 2 to 8 cells. Counts the boards whose slide differs from
/// the two-pointer algorithm, board by board or in lanes on any ISA level.
fn differing(lines: usize) -> usize {
    let mut rng = Rng::new(19);
    let mut differ = 0;
    for length in 2..=8 {
        let size = Size::new(length, 8).unwrap();
        // Eight lines per board, 32 boards at a time.
        for _ in 0..(lines / 7).div_ceil(256) {
            let boards = [(); 32].map(|()| {
                let kinds = [1, 2, 3, 17][rng.below(4) as usize];
                let empty = rng.below(100);
                let rank = |_| if rng.below(100) < empty { 0 } else { 1 + rng.below(kinds) as u8 };
                Board::from_ranks(size, &(0..size.cells()).map(rank).collect::<Vec<_>>()).unwrap()
            });
            let expected = boards.map(|board| {
                let mut tiles: Vec<u64> = board.tiles().collect();
                let slid: Vec<_> = tiles.chunks_exact_mut(length).map(slide_line).collect();
                let gain: u64 = slid.iter().map(|slid| slid.gain).sum();
                (tiles, gain, slid.iter().any(|slid| slid.changed))
            });
            let mut equal = [true; 32];
            for (i, (tiles, gain, changed)) in expected.iter().enumerate() {
                let slide = boards[i].slide(Direction::Left);
                equal[i] &= slide.board.tiles().eq(tiles.iter().copied());
                equal[i] &= (slide.gain, slide.changed) == (*gain, *changed);
            }
            let lanes = Boards32::try_from(&boards[..]).unwrap();
            let mut slides = Slides::new(size);
            on_each_level(|| {
                lanes.slide_into(Direction::Left, &mut slides);
                for (i, (tiles, gain, changed)) in expected.iter().enumerate() {
                    equal[i] &= slides.boards.board(i).tiles().eq(tiles.iter().copied());
                    equal[i] &=
                        (slides.gains[i], slides.changed >> i & 1 == 1) == (*gain, *changed);
                }
            });
            differ += equal.iter().filter(|equal| !**equal).count();
        }
    }
    differ
}

#[test]
fn random_lines() {
    for (lines, cost) in [(20_000, Cost::Quick), (10_000_000, Cost::Slow)] {
        let name = format!(
            "{lines} random lines of 2 to 8 cells, eight a board: boards unlike two pointers"
        );
        testkit::truth("2048", "one board, all levels", &name, cost, &0, || differing(lines));
    }
}

#[test]
fn perft() {
    for row in rows(include_str!("data/perft.txt")) {
        let [name, ranks, depth, expected @ .., cost_word] = &row[..] else {
            panic!("short row {row:?}")
        };
        let lines: Vec<&str> = ranks.split('/').collect();
        let ranks: Vec<u8> = lines.concat().bytes().map(|digit| digit - b'0').collect();
        let board =
            Board::from_ranks(Size::new(lines[0].len(), lines.len()).unwrap(), &ranks).unwrap();
        let depth: usize = number(depth);
        let name = format!("perft {name} {depth}: nodes, distinct, gain, dead");
        testkit::truth("2048", "one board", &name, cost(cost_word), &expected.join(" "), || {
            let row = Perft::new(&board).nth(depth - 1).unwrap().unwrap();
            format!("{} {} {} {}", row.nodes, row.distinct, row.gain, row.dead)
        });
    }
}

#[test]
fn reachable_boards() {
    let grow = |boards: &HashSet<Board>, form: fn(&Board) -> Board| -> HashSet<Board> {
        let slides =
            boards.iter().flat_map(|board| Direction::ALL.map(|direction| board.slide(direction)));
        slides
            .filter(|slide| slide.changed)
            .flat_map(|s| s.board.spawns().map(|b| form(&b)).collect::<Vec<_>>())
            .collect()
    };
    for (name, form, column) in [
        ("reachable boards", (|board| *board) as fn(&Board) -> Board, 1),
        ("reachable boards up to symmetry", Board::canonical, 2),
    ] {
        let empty = Board::empty(Size::CLASSIC);
        let mut boards: HashSet<Board> = empty
            .spawns()
            .flat_map(|one| one.spawns().map(|two| form(&two)).collect::<Vec<_>>())
            .collect();
        for row in rows(include_str!("data/reachable.txt")) {
            let (moves, expected): (u32, usize) = (number(row[0]), number(row[column]));
            let name = format!("{name} after {moves} moves");
            testkit::truth("2048", "one board", &name, cost(row[3]), &expected, || {
                if moves > 0 {
                    boards = grow(&boards, form);
                }
                boards.len()
            });
        }
    }
}

/// A mean and its standard error; two are equal if they are within five standard errors. The seeds
/// are fixed, so a test either always passes or always fails.
struct Estimate {
    mean: f64,
    error: f64,
}

impl Estimate {
    fn of(sample: &Moments) -> Self {
        Self { mean: sample.mean(), error: sample.variance_of_mean().sqrt() }
    }

    fn read(words: &[&str]) -> Self {
        Self { mean: number(words[0]), error: number(words[1]) }
    }
}

impl PartialEq for Estimate {
    fn eq(&self, other: &Self) -> bool {
        (self.mean - other.mean).abs() <= 5.0 * self.error.hypot(other.error)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4} ± {:.4}", self.mean, self.error)
    }
}

type Play = fn(Size, u64) -> Stats;

fn play(size: Size, games: u64) -> Stats {
    Playouts::with_kernel(size, 2048, Kernel::AnySize).play(games)
}

fn play4x4(size: Size, games: u64) -> Stats {
    Playouts::new(size, 2048).play(games)
}

#[test]
fn random_play() {
    let emulated = std::env::var_os(testkit::EMULATED).is_some();
    for row in rows(include_str!("data/playouts.txt")) {
        let (size, cost): (Size, Cost) = (number(row[0]), cost(row[6]));
        let games = number::<u64>(row[5]) / if emulated { 20 } else { 1 };
        let forms: &[(&str, Play)] = if size == Size::CLASSIC {
            &[("", play), (" of Playouts4x4", play4x4)]
        } else {
            &[("", play)]
        };
        let check = |form: &str, play: &Play| {
            // One run gives both numbers.
            let mut stats = None;
            let mut stats = || *stats.get_or_insert_with(|| play(size, games));
            for (what, expected) in [("score", &row[1..3]), ("moves", &row[3..5])] {
                let name = format!("random play on {size}, {games} games{form}, mean {what}");
                let level = Level::active().name();
                testkit::truth("2048", level, &name, cost, &Estimate::read(expected), || {
                    let stats = stats();
                    Estimate::of(if what == "score" { &stats.score } else { &stats.moves })
                });
            }
        };
        on_each_level(|| forms.iter().for_each(|(form, play)| check(form, play)));
    }
}

#[test]
fn largest_tiles_of_random_play() {
    let stats = play(Size::CLASSIC, 20_000);
    for row in rows(include_str!("data/largest.txt")) {
        let tile: u64 = number(row[0]);
        let name = format!("random play on 4x4: share of games with {tile} as the largest tile");
        testkit::truth(
            "2048",
            Level::active().name(),
            &name,
            Cost::Quick,
            &Estimate::read(&row[1..3]),
            || {
                let share = stats.largest[tile.ilog2() as usize] as f64 / stats.games as f64;
                Estimate { mean: share, error: (share * (1.0 - share) / stats.games as f64).sqrt() }
            },
        );
    }
}

#[test]
fn solved_sizes() {
    for row in rows(include_str!("data/solved.txt")) {
        let size: Size = number(row[0]);
        let mut solution = None;
        let mut solution = || *solution.get_or_insert_with(|| solve(size).expect("few cells"));
        let names =
            ["boards up to symmetry", "boards", "best score", "random score", "random moves"];
        for (name, expected) in
            names.into_iter().zip(&row[1..6]).filter(|(_, expected)| **expected != "-")
        {
            let name = format!("whole games on {size}: {name}");
            testkit::truth("2048", "exact", &name, cost(row[6]), &(*expected).to_owned(), || {
                let Solution { states, canonical, best_score, random_score, random_moves, .. } =
                    solution();
                match name.rsplit(": ").next() {
                    Some("boards up to symmetry") => canonical.to_string(),
                    Some("boards") => states.to_string(),
                    Some("best score") => format!("{best_score:.10}"),
                    Some("random score") => format!("{random_score:.10}"),
                    _ => format!("{random_moves:.10}"),
                }
            });
        }
    }
}

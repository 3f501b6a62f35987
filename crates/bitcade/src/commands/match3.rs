//! `bitcade match3`.

use crate::input::Input;
use crate::output::{Failure, Output};
use crate::paint;
use crate::stage::{Check, Stage};
use clap::Subcommand;
use match3::reference::plain::Engine;
use match3::{Axis, Board, Mask, Outcome, Playouts, Swap, is_stable, matched, rated, settle, swaps};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the legal swaps of boards: `x y H` (with the right neighbour) or `x y V` (with the cell below)
    ///
    /// Boards: one row a line, `.` empty, `#` blocked, `1`-`9` then `a`-`z` colours, `!` before a locked one, a blank
    /// line between boards.
    #[command(after_help = "Example: printf '1121\\n3213\\n' | bitcade match3 swaps")]
    Swaps {
        /// The boards; `-` or none is standard input
        file: Option<PathBuf>,
        /// Print sums over all boards instead
        #[arg(long)]
        count: bool,
    },
    /// List the legal swaps of boards with the score that each makes, best first: `x y H score`
    ///
    /// The score is that of the swap and the whole cascade after it, before any new piece falls in: 10 points a cell,
    /// times its level. Boards as for `swaps`.
    #[command(after_help = "Example: printf '1213\\n3122\\n2331\\n' | bitcade match3 hint")]
    Hint {
        /// The boards; `-` or none is standard input
        file: Option<PathBuf>,
    },
}

pub(crate) fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Swaps { file, count } => {
            let input = Input::read(file)?;
            let boards = match3::parse_boards(&input.text).map_err(|error| input.error(error))?;
            if count { print_count(&boards, output) } else { print_swaps(&boards, output) }
        }
        Command::Hint { file } => {
            let input = Input::read(file)?;
            let boards = match3::parse_boards(&input.text).map_err(|error| input.error(error))?;
            print_hints(&boards, output)
        }
    }
}

#[derive(Serialize)]
struct SwapRecord {
    board: usize,
    x: usize,
    y: usize,
    axis: char,
}

impl SwapRecord {
    fn new(board: usize, swap: Swap) -> Self {
        let Swap { x, y, axis } = swap;
        Self { board, x, y, axis: if axis == Axis::Horizontal { 'H' } else { 'V' } }
    }
}

fn print_swaps(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    for (i, board) in boards.iter().enumerate() {
        if i > 0 {
            output.text("\n")?;
        }
        for swap in &swaps(board) {
            output.result(&SwapRecord::new(i, swap), || format!("{swap}\n"))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct HintRecord {
    #[serde(flatten)]
    swap: SwapRecord,
    score: u64,
    cleared: u64,
    levels: u64,
}

fn print_hints(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    for (i, board) in boards.iter().enumerate() {
        if i > 0 {
            output.text("\n")?;
        }
        for (swap, Outcome { score, cleared, levels }) in rated(board) {
            let record = HintRecord { swap: SwapRecord::new(i, swap), score, cleared, levels };
            output.result(&record, || format!("{swap} {score}\n"))?;
        }
    }
    Ok(())
}

#[derive(Default, Serialize)]
struct Count {
    boards: usize,
    swaps: usize,
    horizontal: usize,
    vertical: usize,
    dead: usize,
    stable: usize,
    matched_cells: u64,
}

fn count(boards: &[Board]) -> Count {
    let mut count = Count { boards: boards.len(), ..Count::default() };
    for board in boards {
        let found = swaps(board);
        let horizontal = found.iter().filter(|swap| swap.axis == Axis::Horizontal).count();
        count.swaps += found.len();
        count.horizontal += horizontal;
        count.vertical += found.len() - horizontal;
        count.dead += usize::from(found.is_empty());
        count.stable += usize::from(is_stable(board));
        count.matched_cells += matched(board).len() as u64;
    }
    count
}

fn print_count(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    let count = count(boards);
    output.result(&count, || {
        let Count { boards, swaps, horizontal, vertical, dead, stable, matched_cells } = &count;
        format!(
            "boards {boards}\nswaps {swaps}\nhorizontal {horizontal}\nvertical {vertical}\ndead {dead}\n\
             stable {stable}\nmatched_cells {matched_cells}\n"
        )
    })
}

/// The tour: one board with its swaps and the best of them played, every 3 x 3 board of three colours against the
/// published counts, and random games in lockstep against plain ones.
pub(crate) fn tour() -> Stage {
    let shown: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let found = swaps(&shown);
    let (best, outcome) = rated(&shown)[0];
    let mut after = shown.clone();
    let [a, b] = best.cells();
    after.exchange(a, b);
    let settled = settle(&mut after, &mut ());
    let paint_row = |row: &[match3::Cell]| {
        let row: String = row.iter().map(|cell| format!("{cell} ")).collect();
        paint::characters(&row, |c| c.to_digit(36).map(|colour| paint::nth(colour as usize)))
    };
    let mut picture = String::new();
    for (y, (row, fallen)) in shown.rows().zip(after.rows()).enumerate() {
        let here: Vec<String> =
            found.iter().filter(|swap| swap.y == y).map(|swap| swap.to_string()).collect();
        picture += &format!("{}    {}  {}\n", paint_row(row), paint_row(fallen), here.join(", "));
    }
    picture += &format!(
        "a board, what the best swap ({best}) leaves of it before new pieces fall in ({} cells in {} levels: {} points),\n\
         and all {} legal swaps by row\n",
        outcome.cleared,
        outcome.levels,
        outcome.score,
        found.len()
    );

    let digits = |mut n: u32| (0..9).map(move |_| (n % 3, n /= 3).0 as u8 + 1);
    let all: Vec<Board> = (0..3u32.pow(9))
        .map(|n| {
            let cells = digits(n).filter_map(match3::Cell::new).collect();
            Board::from_cells(3, 3, cells).expect("nine cells")
        })
        .collect();
    let sums = count(&all);
    Stage {
        game: "match3",
        title: "Match-3: every legal swap from masks of equal cells",
        picture,
        checks: vec![
            Check::new("swaps on all 19,683 3x3 boards of 3 colours", "33048", sums.swaps),
            Check::new("of these boards, dead", "5595", sums.dead),
            Check::new("cells in runs on these boards", "37179", sums.matched_cells),
            Check::new(
                "the same swaps by brute force on the board shown",
                match3::reference::naive::swaps(&shown).len(),
                found.len(),
            ),
            Check::new("points of the best swap, played on the board", outcome.score, settled.score),
            random_games(),
        ],
        next: "bitcade match3 hint FILE",
    }
}

/// Sixteen random games of 200 moves in lockstep, against the engine of bytes with the same draws.
fn random_games() -> Check {
    let mut playouts: Playouts = Playouts::new(16, 6, 1).expect("six colours");
    let mut plain = 0;
    for game in playouts.games() {
        let mut colours = game.colours().clone();
        let mut engine = Engine::new(&(*game.board()).into()).expect("nothing is blocked");
        plain += (0..200).map(|_| engine.random_step(&mut colours).score).sum::<u64>();
    }
    Check::new("points of 16 random games in lockstep, as by plain bytes", plain, playouts.run(200).score)
}

/// An 8 x 8 board of six colours without a run, with a swap that sets off seven levels.
const TOUR_BOARD: &str = "
1 4 5 1 2 6 3 1
4 3 1 2 4 3 5 1
6 1 2 1 1 4 6 5
2 6 4 5 5 2 4 4
4 5 6 3 3 2 2 5
2 1 1 6 6 3 1 3
6 4 4 6 6 2 3 3
2 6 4 5 1 6 4 6";

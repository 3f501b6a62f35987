//! One game of a [`Batch`] by the plain rules, on its own stream.

use bitcore::{Level, Rng};
use match3::batch::BatchGames;
use match3::colors::{Colors, RandomColors};
use match3::reference::naive;
use match3::{Batch, Board, Board16, Rules, Swap};
use testkit::{Calls, Input, OneThread, Plain, check_batch};

#[derive(Clone)]
struct Game {
    rules: Rules,
    board: Board,
    colors: RandomColors,
    moves_left: u32,
}

impl Game {
    fn deal(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        if let Ok(board) = Board16::<4>::deal(width, height, &mut self.colors) {
            self.board = board.into();
        }
    }
}

impl Plain for Game {
    type Games = BatchGames;

    fn observation(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let left = std::iter::repeat_n(self.moves_left as u8, cells.len());
        cells.iter().map(|cell| cell.byte()).chain(left).collect()
    }

    fn legal(&self) -> Vec<u32> {
        let mut legal = naive::swaps(&self.board);
        legal.sort_by_key(|swap| (swap.axis, swap.x, std::cmp::Reverse(swap.y)));
        let (width, height) = (self.board.width(), self.board.height());
        let action = |swap: Swap| swap.action(width, height).expect("a swap on the board") as u32;
        legal.into_iter().map(action).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        self.colors.rng()
    }

    fn start(&mut self) {
        self.moves_left = self.rules.moves;
        self.deal();
    }

    fn play(&mut self, action: u32, is_last: bool) -> (i64, bool) {
        let swap = Swap::from_action(action as usize, self.board.width(), self.board.height());
        let [a, b] = swap.expect("a legal action").cells();
        self.board.exchange(a, b);
        let score = naive::cascade(&mut self.board, || self.colors.next()).score;
        self.moves_left -= 1;
        if self.moves_left > 0 && !is_last && naive::swaps(&self.board).is_empty() {
            self.deal();
        }
        (score as i64, self.moves_left == 0)
    }

    fn wait(&mut self) -> bool {
        self.moves_left -= 1;
        self.moves_left == 0
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// The same with other calls.
pub(crate) fn by(input: &Input, calls: &dyn Calls<BatchGames>) {
    let rules = Rules {
        width: 1 + input.below(10),
        height: 1 + input.below(10),
        colors: 3 + input.below(13) as u8,
        moves: 1 + u32::from(input.byte() % 5),
    };
    let (n, seed) = (input.below(4), u64::from(input.byte()));
    let batches: Result<Vec<_>, _> = Level::all().map(|level| Batch::new_on(level, n, seed, rules)).collect();
    // Boards on which no swap is found in ten thousand deals.
    let Ok(batches) = batches else { return };
    check_batch(input, 16, calls, (seed, None), batches, |rng| {
        let board = Board::new(rules.width, rules.height).expect("a size");
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let mut game = Game { rules, board, colors, moves_left: 0 };
        game.start();
        game
    });
}

//! One game of a [`Batch`] by the plain rules, with its own stream.

use super::plain::{deal, swaps_in_order_of_draw};
use bitcore::Rng;
use match3::batch::BatchGames;
use match3::reference::naive;
use match3::{Batch, Board, Colors, RandomColors, Rules, Swap};
use testkit::{Calls, Input, OneThread, Plain, check_batch};

#[derive(Clone)]
pub(crate) struct PlainGame<'a> {
    rules: Rules,
    starts: &'a [Board],
    pub(crate) board: Board,
    colors: RandomColors,
    moves_left: u32,
}

impl<'a> PlainGame<'a> {
    /// Starts a game from one of the given boards, or from a newly dealt one if there are none.
    pub(crate) fn new(rules: Rules, starts: &'a [Board], rng: Rng) -> Self {
        let board = Board::new(rules.width, rules.height).expect("a size");
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let mut game = Self { rules, starts, board, colors, moves_left: 0 };
        game.start();
        game
    }

    fn deal(&mut self) {
        // A dead board stays if ten thousand deals find no live one.
        if let Some(board) = deal(self.rules.width, self.rules.height, &mut self.colors) {
            self.board = board;
        }
    }

    /// A dead board is replaced, except after the last move.
    pub(crate) fn swap(&mut self, swap: Swap, is_last: bool) -> u64 {
        let [a, b] = swap.cells();
        self.board.exchange(a, b);
        let score = naive::cascade(&mut self.board, || self.colors.next()).score;
        self.moves_left -= 1;
        if self.moves_left > 0 && !is_last && naive::swaps(&self.board).is_empty() {
            self.deal();
        }
        score
    }
}

impl Plain for PlainGame<'_> {
    type Games = BatchGames;

    fn observation(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let left = std::iter::repeat_n(self.moves_left.min(255) as u8, cells.len());
        cells.iter().map(|cell| cell.byte()).chain(left).collect()
    }

    fn plane(&self) -> Option<usize> {
        Some(self.board.cells().len())
    }

    fn legal(&self) -> Vec<u32> {
        let action =
            |swap: Swap| swap.action(self.rules.width, self.rules.height).expect("a swap") as u32;
        swaps_in_order_of_draw(&self.board).into_iter().map(action).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        self.colors.rng()
    }

    fn start(&mut self) {
        self.moves_left = self.rules.moves;
        match self.starts.len() as u32 {
            0 => self.deal(),
            n => self.board = self.starts[self.colors.rng().below(n) as usize].clone(),
        }
    }

    fn play(&mut self, action: u32, is_last: bool) -> (i64, bool) {
        let swap = Swap::from_action(action as usize, self.rules.width, self.rules.height);
        let score = self.swap(swap.expect("a legal action"), is_last);
        (score as i64, self.moves_left == 0)
    }

    fn wait(&mut self) -> bool {
        self.moves_left -= 1;
        self.moves_left == 0
    }

    fn assert_is(&self, found: Board, _action: Option<u32>) {
        assert_eq!(found, self.board);
    }
}

fn any_side(input: &Input) -> usize {
    match input.byte() {
        byte @ 240.. => 256 - usize::from(byte),
        byte => 1 + usize::from(byte) % 10,
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// [`run`] with other calls, such as the multi-threaded ones.
pub(crate) fn by(input: &Input, calls: &dyn Calls<BatchGames>) {
    let rules = Rules {
        width: any_side(input),
        height: any_side(input),
        colors: 3 + input.below(13) as u8,
        moves: match input.byte() {
            255 => u32::MAX,
            // The observation has one byte for the number of moves left.
            byte @ 240.. => 250 + u32::from(byte) % 15,
            byte => 1 + u32::from(byte) % 5,
        },
    };
    let choice = usize::from(input.byte());
    // Few games, or sizes around full groups of lanes.
    let n = if choice < 240 { choice % 4 } else { [5, 33, 64, 67][choice % 4] };
    let seed = u64::from(input.byte());
    let mut starts = Vec::new();
    if choice / 4 % 8 == 7 {
        let mut colors = RandomColors::new(rules.colors, Rng::new(!seed)).expect("few colors");
        starts.extend((0..3).map_while(|_| deal(rules.width, rules.height, &mut colors)));
    }
    let new = || {
        let batch = Batch::new(n, rules, seed).ok()?;
        let with_starts = |batch: Batch| batch.with_starts(starts.clone()).expect("dealt boards");
        Some(if starts.is_empty() { batch } else { with_starts(batch) })
    };
    // Rules whose boards are still dead after ten thousand deals.
    if new().is_none() {
        return;
    }
    let batch = || new().expect("a board, as on the other levels");
    let calls_at_most = if n < 5 { 16 } else { 6 };
    check_batch(input, calls_at_most, calls, (seed, None), batch, |rng| {
        PlainGame::new(rules, &starts, rng)
    });
}

//! [`Game`]: one game of a batch, played on its own; [`Singly`]: many of them, for large boards.

use crate::bitboard::board_words::BoardWords;
use crate::bitboard::colors::RandomColors;
use crate::bitboard::mask::{ColumnMask, Mask, Swaps};
use crate::bitboard::planes::{PlaneBoard, PlaneLayout};
use crate::board::{Board, Cell};
use crate::game::position::Position;
use crate::rules::Rules;
use crate::runs::is_stable;
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcore::{Rng, SetBits};

pub(super) fn places(which: u64) -> impl Iterator<Item = usize> {
    SetBits(which).map(|place| place as usize)
}

pub(super) fn check_board(rules: &Rules, board: &Board) -> Result<(), &'static str> {
    let is_piece = |cell: &Cell| cell.is_swappable() && cell.byte() <= rules.colors;
    if (board.width(), board.height()) != (rules.width, rules.height) {
        Err("a board of another size")
    } else if !board.cells().iter().all(is_piece) {
        Err("a cell isn't a plain piece of one of the colors")
    } else if !is_stable(board) {
        Err("three or more pieces of a color in a row")
    } else {
        Ok(())
    }
}

/// One game of a [`Batch`](crate::Batch), with its random stream.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BatchGame {
    board: Board,
    colors: RandomColors,
}

impl BatchGame {
    pub(super) fn check(&self, rules: &Rules) -> Result<(), &'static str> {
        check_board(rules, &self.board)?;
        if self.colors.count() == rules.colors {
            Ok(())
        } else {
            Err("a different number of colors")
        }
    }
}

/// A [`BatchGame`] in play: the board is in bit planes.
#[derive(Clone, Debug)]
pub(super) struct Game<W, const P: usize> {
    pub(super) position: Position<W, P>,
    pub(super) colors: RandomColors,
}

impl<W: PlaneLayout<P>, const P: usize> From<Game<W, P>> for BatchGame {
    fn from(Game { position, colors }: Game<W, P>) -> Self {
        Self { board: position.board.into(), colors }
    }
}

impl<W: PlaneLayout<P>, const P: usize> Game<W, P> {
    /// Creates a game that hasn't started. The rules must be valid.
    pub(super) fn new(rules: &Rules) -> Self {
        let board = PlaneBoard::empty(rules.width, rules.height).expect("a size that was checked");
        let colors =
            RandomColors::new(rules.colors, Rng::new(0)).expect("colors that were checked");
        Self { position: Position::new(board), colors }
    }

    /// Creates a game from a value that passed [`BatchGame::check`].
    pub(super) fn of(value: &BatchGame) -> Self {
        let board = PlaneBoard::try_from(&value.board).expect("a board that was checked");
        Self { position: Position::new(board), colors: value.colors.clone() }
    }

    /// Starts the first game of a new stream or the next game of the current one, on the board from
    /// `draw_start` or else on a newly dealt one.
    pub(super) fn start<'a>(
        &mut self,
        stream: Option<Rng>,
        draw_start: impl FnOnce(&mut Rng) -> Option<&'a Board>,
    ) {
        if let Some(rng) = stream {
            self.colors.restart(rng);
        }
        if let Some(board) =
            draw_start(self.colors.rng()).and_then(|start| PlaneBoard::try_from(start).ok())
        {
            self.position = Position::new(board);
        } else {
            self.deal();
        }
    }

    pub(super) fn deal(&mut self) {
        self.position.deal(&mut self.colors);
    }

    pub(super) fn legal_swap(&self, action: u32) -> Option<Swap> {
        let Position { board, legal } = &self.position;
        let swap = Swap::from_action(action as usize, board.width(), board.height())?;
        legal.contains(swap).then_some(swap)
    }

    /// `None` on a dead board that no deal could replace.
    pub(super) fn draw(&mut self) -> Option<Swap> {
        let Position { board, legal } = &self.position;
        legal.draw(self.colors.rng()).map(|swap| board.swap_at(swap))
    }

    /// Plays a legal action, or a random swap if none is given. Returns the points.
    pub(super) fn play(&mut self, action: Option<u32>, is_last: bool) -> i64 {
        let swap = match action {
            Some(action) => self.legal_swap(action),
            None => self.draw(),
        };
        let Some(swap) = swap else { return 0 };
        let score = self.position.play(swap, &mut self.colors, is_last).score;
        i64::try_from(score).unwrap_or(i64::MAX)
    }
}

pub(super) fn write<W: PlaneLayout<P>, const P: usize>(
    Position { board, legal }: &Position<W, P>,
    obs: &mut [u8],
    mask: &mut [bool],
) {
    board.write_colors(obs);
    let width = board.width();
    let height = board.height();
    let (right, down) = mask.split_at_mut((width - 1) * height);
    write_rows(&legal.right, width - 1, right);
    write_rows(&legal.down, width, down);
}

fn write_rows<W: BoardWords>(cells: &ColumnMask<W>, width: usize, mask: &mut [bool]) {
    // A board of width 1 has no horizontal pairs.
    for (y, mask) in mask.chunks_exact_mut(width.max(1)).enumerate() {
        for (flag, byte) in mask.iter_mut().zip(cells.row_bytes(y).to_le_bytes()) {
            *flag = byte == 1;
        }
    }
}

/// Returns the legal actions in ascending order: swaps to the right row by row, then down.
#[inline(always)]
pub(super) fn actions<W: BoardWords>(
    Swaps { right, down }: Swaps<ColumnMask<W>>,
    width: usize,
) -> impl Iterator<Item = u32> {
    let (height, rights) = (right.height(), (width - 1) * right.height());
    let list = move |mask: ColumnMask<W>, first: usize, width: usize| {
        let row = move |y| SetBits(mask.row(y)).map(move |x| (first + width * y) as u32 + x);
        (0..height).flat_map(row)
    };
    list(right, 0, width - 1).chain(list(down, rights, width))
}

#[derive(Clone, Debug)]
pub(super) struct Singly<W, const P: usize>(Vec<Game<W, P>>);

impl<W: PlaneLayout<P>, const P: usize> Singly<W, P> {
    /// Creates games that haven't started. The rules must be valid.
    pub(super) fn new(rules: &Rules, games: usize) -> Self {
        Self(alloc::vec![Game::new(rules); games])
    }

    pub(super) fn game(&self, place: usize) -> Game<W, P> {
        self.0[place].clone()
    }

    pub(super) fn board(&self, place: usize) -> PlaneBoard<W, P> {
        self.0[place].position.board
    }

    pub(super) fn set_value(&mut self, place: usize, value: &BatchGame) {
        self.0[place] = Game::of(value);
    }

    pub(super) fn start<'a>(
        &mut self,
        place: usize,
        stream: Option<Rng>,
        draw_start: impl FnOnce(&mut Rng) -> Option<&'a Board>,
    ) {
        self.0[place].start(stream, draw_start);
    }

    pub(super) fn is_legal(&self, place: usize, action: u32) -> bool {
        self.0[place].legal_swap(action).is_some()
    }

    pub(super) fn legal(&self, place: usize) -> Swaps<ColumnMask<W>> {
        self.0[place].position.legal
    }

    pub(super) fn draw(&mut self, which: u64, actions: &mut [u32]) {
        for place in places(which) {
            let game = &mut self.0[place];
            let width = game.position.board.width();
            let height = game.position.board.height();
            let action = game.draw().and_then(|swap| swap.action(width, height));
            actions[place] = action.unwrap_or(0) as u32;
        }
    }

    pub(super) fn play(
        &mut self,
        which: u64,
        last: u64,
        actions: Option<&[u32]>,
        reward: &mut [f32],
    ) {
        for place in places(which) {
            let action = actions.map(|actions| actions[place]);
            reward[place] = self.0[place].play(action, last >> place & 1 == 1) as f32;
        }
    }

    /// The batch writes the other half of each observation.
    pub(super) fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        let Some(Game { position: Position { board, .. }, .. }) = self.0.first() else { return };
        let cells = board.width() * board.height();
        let actions = Swap::actions(board.width(), board.height());
        let rows = obs.chunks_exact_mut(2 * cells).zip(mask.chunks_exact_mut(actions));
        for (game, (obs, mask)) in self.0.iter().zip(rows) {
            write(&game.position, &mut obs[..cells], mask);
        }
    }

    pub(super) fn write_colors(&self, place: usize, obs: &mut [u8]) {
        self.0[place].position.board.write_colors(obs);
    }
}

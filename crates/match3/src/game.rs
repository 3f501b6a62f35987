//! [`Game`]: a limited number of moves on a board, played for points.

pub(crate) mod position;

use crate::bitboard::color_counts::check_colors;
use crate::bitboard::colors::{PieceSource, RandomColors};
use crate::bitboard::planes::{Layout, with_layout};
use crate::board::Board;
use crate::cascade_result::CascadeResult;
use crate::error::Error;
use crate::legality::exchange_if_legal;
use crate::rules::Rules;
use crate::swap::{Swap, SwapError};
use alloc::vec::Vec;
use bitcore::Rng;
use position::{AnyPosition, with_position};

/// A game: a limited number of moves on a board, played for points.
///
/// The caller owns the randomness: new boards and new pieces come from the [`PieceSource`] passed
/// to [`new`](Self::new) and [`play`](Self::play), a generator or [`RandomColors`]. A search that
/// copies the game can't see the pieces to come.
///
/// A move that leaves a dead board replaces it with a new one, at no extra move. On a board with
/// empty, blocked or locked cells, these stay in place and the pieces get new colors
/// ([`redeal`](crate::redeal)). If no board with a legal swap is found, the game is over.
///
/// ```
/// use match3::{Game, Rng, Rules, ranked_swaps};
///
/// let mut rng = Rng::new(7);
/// let mut game = Game::new(Rules::default(), &mut rng)?;
/// while !game.is_over() {
///     let (swap, _) = ranked_swaps(&game.board())[0];
///     game.play(swap, &mut rng)?;
/// }
/// println!("{}\n{} points", game.board(), game.score());
/// assert_eq!(game.moves_left(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) rules: Rules,
    moves_left: u32,
    score: u64,
    pub(crate) position: AnyPosition,
}

impl Game {
    /// Deals a board, with the draws of [`PlaneBoard::deal`](crate::bitboard::PlaneBoard::deal).
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Colors`] or [`Error::Dead`] for the rules; [`Error::Colors`] if
    /// `pieces` are [`RandomColors`] with a different number of colors.
    pub fn new(rules: Rules, pieces: &mut (impl PieceSource + ?Sized)) -> Result<Self, Error> {
        rules.check_colors()?;
        pieces.with_colors(rules.colors, |colors| Self::dealt(rules, colors))
    }

    fn dealt(rules: Rules, colors: &mut RandomColors) -> Result<Self, Error> {
        if colors.count() != rules.colors {
            let found = colors.count();
            let expected = rules.colors;
            return Err(Error::Colors { found, least: expected, largest: expected });
        }
        let position = with_layout!(Layout::smallest(rules.width, rules.height, rules.colors), Typed => {
            Typed::deal(rules.width, rules.height, colors)?.into()
        });
        Ok(Self::on(rules, rules.moves, 0, position))
    }

    /// Starts a game on a given board, such as a level with blocked cells. Runs already on it are
    /// cleared with the first move. If it has no legal swap, the game is over.
    ///
    /// ```
    /// use match3::{Board, Game, Rng, Rules};
    /// let board: Board = "1 1 2 1\n3 # # 3\n2 3 2 1".parse()?;
    /// let rules = Rules { width: 4, height: 3, colors: 3, moves: 10 };
    /// let mut game = Game::with_board(rules, &board)?;
    /// let swap = game.legal_moves()[0];
    /// game.play(swap, &mut Rng::new(1))?;
    /// assert_eq!((game.board()[(1, 1)], game.moves_left()), (board[(1, 1)], 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OtherSize`] if the board's size differs from the rules; [`Error::Size`] if it is
    /// larger than 16 x 16; [`Error::Color`] if it has a color above 15; [`Error::Colors`] as for
    /// [`new`](Self::new).
    pub fn with_board(rules: Rules, board: &Board) -> Result<Self, Error> {
        Self::restored(rules, rules.moves, 0, board)
    }

    pub(crate) fn restored(
        rules: Rules,
        moves_left: u32,
        score: u64,
        board: &Board,
    ) -> Result<Self, Error> {
        check_colors::<4>(rules.colors)?;
        let width = board.width();
        let height = board.height();
        let expected = (rules.width, rules.height);
        if (width, height) != expected {
            return Err(Error::OtherSize { width, height, expected });
        }
        let largest = board.cells().iter().filter_map(|cell| cell.color()).max();
        let layout = Layout::smallest(width, height, rules.colors.max(largest.unwrap_or(0)));
        let position = with_layout!(layout, Typed => Typed::try_from(board)?.into());
        Ok(Self::on(rules, moves_left, score, position))
    }

    fn on(rules: Rules, moves_left: u32, score: u64, mut position: AnyPosition) -> Self {
        if moves_left == 0 {
            position.end();
        }
        Self { rules, moves_left, score, position }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        with_position!(&self.position, position => position.board.into())
    }

    /// Returns the score so far.
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// Returns the number of moves left.
    pub const fn moves_left(&self) -> u32 {
        self.moves_left
    }

    /// Returns the legal swaps by row, then column, horizontal before vertical; empty if the game
    /// is over.
    pub fn legal_moves(&self) -> Vec<Swap> {
        with_position!(&self.position, position => {
            let mut list = Vec::with_capacity(position.legal.len());
            position.legal.iter().for_each(|swap| list.push(swap));
            list
        })
    }

    /// Returns whether there is no move left or no legal swap.
    pub fn is_over(&self) -> bool {
        with_position!(&self.position, position => position.legal.is_empty())
    }

    /// Plays a swap and its cascade, refilling from `pieces`. A color above the board's maximum is
    /// clamped to it; the maximum is at least the number of colors of the rules.
    ///
    /// # Errors
    ///
    /// The reason the swap is illegal, as for [`try_swap`](crate::try_swap), or
    /// [`SwapError::GameOver`]. The game is then unchanged and nothing is drawn.
    pub fn play(
        &mut self,
        swap: Swap,
        pieces: &mut (impl PieceSource + ?Sized),
    ) -> Result<CascadeResult, SwapError> {
        self.check(swap)?;
        self.moves_left -= 1;
        let is_last = self.moves_left == 0;
        let position = &mut self.position;
        let result =
            pieces.with_colors(self.rules.colors, |colors| position.play(swap, colors, is_last));
        self.score += result.score;
        Ok(result)
    }

    /// Returns the error of [`play`](Self::play) if a swap is illegal.
    pub(crate) fn check(&self, swap: Swap) -> Result<(), SwapError> {
        let is_legal = with_position!(&self.position, position => position.legal.contains(swap));
        if is_legal { Ok(()) } else { Err(self.why_illegal(swap)) }
    }

    #[cold]
    fn why_illegal(&self, swap: Swap) -> SwapError {
        if self.is_over() {
            return SwapError::GameOver;
        }
        // The masks only list legal swaps; the cell-by-cell rules give the reason.
        exchange_if_legal(&mut self.board(), swap).expect_err("the masks have every legal swap")
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.moves_left, self.score) == (other.rules, other.moves_left, other.score)
            // Equal boards may have different layouts if one of them once had a color beyond the
            // rules.
            && (self.position == other.position || self.board() == other.board())
    }
}

impl Eq for Game {}

impl Rules {
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.moves == 0 {
            return Err(Error::NoMoves);
        }
        self.check_colors()?;
        Game::new(*self, &mut RandomColors::new(self.colors, Rng::new(0))?)?;
        Ok(())
    }
}

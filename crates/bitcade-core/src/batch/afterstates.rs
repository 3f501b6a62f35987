//! [`Afterstates`]: what each legal action leads to, before chance takes its turn.

use super::games::{Context, Games};
use super::shape::{WrongLength, check_length};

/// Games whose [afterstates](super::LegalLists::afterstates_into) a batch can write: for each legal
/// action, the board after the move and before the new tile, piece or garbage. Learning the value
/// of afterstates is the usual way to learn such games.
pub trait Afterstates: Games {
    /// Returns the numbers of elements of one afterstate.
    fn afterstate_shape(rules: &Self::Rules) -> AfterstateShape;

    /// Writes the afterstate of each legal action of the games in the mask `which`, game by game,
    /// actions in ascending order. Bit i of the mask is game i of the group. The slices have the
    /// right lengths.
    fn write_afterstates(&self, context: &Context<Self>, which: u64, out: AfterstatesOut<'_>);
}

/// The numbers of elements of one afterstate in each slice of [`AfterstatesOut`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AfterstateShape {
    /// The number of cells of a board.
    pub cells: usize,
    /// 1 in games with lines, otherwise 0.
    pub lines: usize,
    /// The number of features.
    pub features: usize,
}

/// The slices that [`LegalLists::afterstates_into`](super::LegalLists::afterstates_into) fills, one
/// row per legal action. Empty `boards` or `features` are left out.
#[derive(Debug, Default, PartialEq)]
pub struct AfterstatesOut<'a> {
    /// Boards: [`AfterstateShape::cells`] bytes per action, row-major from the top.
    pub boards: &'a mut [u8],
    /// Points of the move, one number per action.
    pub reward: &'a mut [f32],
    /// Lines cleared: [`AfterstateShape::lines`] numbers per action.
    pub lines: &'a mut [u8],
    /// Features of the boards: [`AfterstateShape::features`] numbers per action.
    pub features: &'a mut [f32],
}

impl AfterstatesOut<'_> {
    pub(super) fn check(&self, shape: AfterstateShape, rows: usize) -> Result<(), WrongLength> {
        let Self { boards, reward, lines, features } = self;
        if !boards.is_empty() {
            check_length("boards", rows.saturating_mul(shape.cells), boards.len())?;
        }
        check_length("reward", rows, reward.len())?;
        check_length("lines", rows.saturating_mul(shape.lines), lines.len())?;
        if features.is_empty() {
            Ok(())
        } else {
            check_length("features", rows * shape.features, features.len())
        }
    }

    /// Splits off the first rows. Slices that are left out stay empty.
    pub(super) fn take(&mut self, shape: AfterstateShape, rows: usize) -> Self {
        fn split<T>(slice: &mut [T], elements: usize) -> (&mut [T], &mut [T]) {
            slice.split_at_mut(elements.min(slice.len()))
        }
        let out = core::mem::take(self);
        let (boards, other_boards) = split(out.boards, rows * shape.cells);
        let (reward, other_reward) = split(out.reward, rows);
        let (lines, other_lines) = split(out.lines, rows * shape.lines);
        let (features, other_features) = split(out.features, rows * shape.features);
        *self = Self {
            boards: other_boards,
            reward: other_reward,
            lines: other_lines,
            features: other_features,
        };
        Self { boards, reward, lines, features }
    }
}

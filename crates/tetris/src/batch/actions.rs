//! [`Actions`]: the numbering of moves.

use crate::board::{HEIGHT, WIDTH};
use crate::game::{Game, Move, Rules, placements};
use crate::location::Location;
use crate::movegen;
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin, SpinMode};
use alloc::vec::Vec;

/// The number of rows in the numbering of [`Actions::Placements`], counted from the floor to a
/// piece's center. A piece with a higher center lies entirely above the 20 visible rows; locking
/// there loses the game, so it has no number.
pub const ACTION_ROWS: usize = 22;

/// The numbering of a game's moves.
///
/// [`Drops`](Self::Drops) numbers a move `orientation * 10 + column`,
/// [`Placements`](Self::Placements) `(orientation * 10 + column) * 22 + row`, with the orientation
/// in the order of [`Orientation::ALL`] and the column and row of the center in the
/// [canonical](Location::canonical) location. If the rules have [hold](Rules::hold), there are
/// twice as many numbers: the second half repeats the first for the other piece. The piece isn't
/// encoded: the game determines it.
///
/// ```
/// use tetris::batch::Actions;
/// use tetris::{Location, Move, Orientation, Piece, Placement, Rules, Spin};
/// let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
/// let mv = Move::from(Placement { at, spin: Spin::None });
/// let rules = Rules::default();
/// assert_eq!(Actions::Drops.encode(mv, &rules), Some(24));
/// assert_eq!(Actions::Drops.encode(Move { hold: true, ..mv }, &rules), Some(40 + 24));
/// assert_eq!(Actions::Placements.encode(mv, &rules), Some(24 * 22 + 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Actions {
    /// [Hard drops](movegen::hard_drops): 40 actions, or 80 with a held piece. If two drops in a
    /// column end in different rows, possible with kicks near the spawn, the action is the lower
    /// one. A drop takes no spin if it can lock without one.
    #[default]
    Drops,
    /// All reachable placements: 880 actions, or 1760 with a held piece. Each takes its best
    /// possible spin.
    Placements,
}

/// A decoded action. The piece isn't part of it: the game determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodedAction {
    /// `true` if the current piece is held first.
    pub hold: bool,
    /// The orientation of the piece.
    pub orientation: Orientation,
    /// The column of its center.
    pub column: usize,
    /// The row of its center; `None` for a hard drop.
    pub row: Option<usize>,
}

impl Actions {
    /// Returns the number of actions under these rules, legal or not.
    pub const fn count(self, rules: &Rules) -> usize {
        if rules.hold { 2 * self.ways() } else { self.ways() }
    }

    /// Returns the number of actions per piece.
    pub(super) const fn ways(self) -> usize {
        Orientation::ALL.len() * WIDTH * self.rows()
    }

    const fn rows(self) -> usize {
        match self {
            Self::Drops => 1,
            Self::Placements => ACTION_ROWS,
        }
    }

    /// Returns the number of a move under these rules. Returns `None` if the center is outside the
    /// field or above the numbered rows, or if the rules forbid the move's held piece.
    pub fn encode(self, mv: Move, rules: &Rules) -> Option<u32> {
        let hold = mv.hold;
        let at = mv.placement.at.canonical();
        let x = usize::try_from(at.x).ok()?;
        let y = usize::try_from(at.y).ok()?;
        let (rows, row) = match self {
            Self::Drops => (HEIGHT, 0),
            Self::Placements => (ACTION_ROWS, y),
        };
        if x >= WIDTH || y >= rows || hold && !rules.hold {
            return None;
        }
        let way = (at.orientation as usize * WIDTH + x) * self.rows();
        Some((way + row + if hold { self.ways() } else { 0 }) as u32)
    }

    /// Returns the action with this number under these rules, or `None` if there is none.
    ///
    /// ```
    /// use tetris::{Orientation, Rules};
    /// use tetris::batch::{Actions, DecodedAction};
    /// let decoded = DecodedAction { hold: true, orientation: Orientation::South, column: 4, row: Some(1) };
    /// assert_eq!(Actions::Placements.decode(880 + 24 * 22 + 1, &Rules::default()), Some(decoded));
    /// let without_hold = Rules { hold: false, ..Rules::default() };
    /// assert_eq!(Actions::Drops.decode(40, &without_hold), None);
    /// ```
    #[inline]
    pub fn decode(self, action: u32, rules: &Rules) -> Option<DecodedAction> {
        // With the numbering as a constant, all divisions are multiplications.
        match self {
            Self::Drops => const { Self::Drops }.decode_as(action as usize, rules),
            Self::Placements => const { Self::Placements }.decode_as(action as usize, rules),
        }
    }

    #[inline(always)]
    fn decode_as(self, action: usize, rules: &Rules) -> Option<DecodedAction> {
        if action >= self.count(rules) {
            return None;
        }
        let hold = action >= self.ways();
        let way = if hold { action - self.ways() } else { action };
        let (way, row) = (way / self.rows(), way % self.rows());
        let row = (self == Self::Placements).then_some(row);
        Some(DecodedAction {
            hold,
            orientation: Orientation::ALL[way / WIDTH],
            column: way % WIDTH,
            row,
        })
    }

    /// Returns the legal moves of a game that have a number, sorted by number: none if the game is
    /// over, otherwise at least one.
    ///
    /// ```
    /// use tetris::Rng;
    /// use tetris::batch::Actions;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(2);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// for (action, mv) in Actions::Placements.moves(&game) {
    ///     assert_eq!(Actions::Placements.encode(mv, &game.rules()), Some(action));
    ///     game.clone().play(mv, &mut rng.clone())?;
    /// }
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    pub fn moves(self, game: &Game) -> Vec<(u32, Move)> {
        let mut moves = Vec::new();
        self.moves_into(game, &mut moves);
        moves
    }

    fn moves_into(self, game: &Game, moves: &mut Vec<(u32, Move)>) {
        moves.clear();
        if game.is_over() {
            return;
        }
        for (hold, piece) in [(false, Some(game.piece())), (true, game.piece_after_hold())] {
            let Some(piece) = piece else { continue };
            let mut push = |placement: Placement| {
                let mv = Move { hold, placement };
                if let Some(action) = self.encode(mv, &game.rules()) {
                    moves.push((action, mv));
                }
            };
            match self {
                Self::Drops => drops(game, piece).into_iter().for_each(push),
                Self::Placements => {
                    placements(game.board(), piece, &game.rules()).iter().for_each(&mut push);
                }
            }
        }
        // `dedup` keeps the first of equal numbers: the same cells with the best spin, or the
        // lowest drop with the least spin.
        moves.sort_unstable_by_key(|&(action, Move { placement: Placement { at, spin }, .. })| {
            match self {
                Self::Drops => (action, at.y, spin as u8),
                Self::Placements => (action, at.y, Spin::Full as u8 - spin as u8),
            }
        });
        moves.dedup_by_key(|&mut (action, _)| action);
    }
}

impl Actions {
    /// Returns the spin for a T locked here: the best possible one, or the least for a hard drop.
    pub(super) fn spin(self, game: &Game, at: Location) -> Spin {
        let all = placements(game.board(), at.piece, &game.rules());
        let spins =
            all.iter().filter(|placement| placement.at == at).map(|placement| placement.spin);
        let spin = match self {
            Self::Drops => spins.min(),
            Self::Placements => spins.max(),
        };
        spin.unwrap_or_default()
    }
}

/// Returns the hard drops, with each possible spin: a piece spins if its last movement was a rotation.
fn drops(game: &Game, piece: Piece) -> Vec<Placement> {
    let Some(spawn) = game.spawn_location(piece) else { return Vec::new() };
    let locations = movegen::hard_drops_from(game.board(), spawn, game.rules().rotation_system);
    if piece != Piece::T && game.rules().spin_mode != SpinMode::AllMini {
        return locations.iter().map(|at| Placement { at, spin: Spin::None }).collect();
    }
    let all = placements(game.board(), piece, &game.rules());
    all.iter().filter(|placement| locations.iter().any(|at| at == placement.at)).collect()
}

//! [`Actions`]: the numbering of the moves of a game.

use crate::board::{HEIGHT, WIDTH};
use crate::game::{Game, Move, Rules, placements};
use crate::location::Location;
use crate::movegen;
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;

/// The rows of a piece's center that [`Actions::Placements`] numbers, from the floor. A piece whose center is
/// higher lies wholly above row 20: a lock there loses the game, and has no number.
pub const ACTION_ROWS: usize = 22;

/// The numbering of the moves of a game.
///
/// The number of a move is `(orientation * 10 + column)` for [`Drops`](Self::Drops) and
/// `(orientation * 10 + column) * 22 + row` for [`Placements`](Self::Placements), orientation in the order of
/// [`Orientation::ALL`], column and row those of the center of the [canonical](Location::canonical) location.
/// In a game with hold, the same moves after a hold follow: their numbers are higher by half of
/// [`count`](Self::count). The number doesn't say the piece: that is the one in play.
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
    /// [Hard drops](movegen::hard_drops): 40 actions, or 80 with hold. If two drops in a column end in
    /// different rows, which kicks near the spawn can cause, the lower one counts. A drop has no spin if it
    /// can lock without one.
    #[default]
    Drops,
    /// All reachable placements: 880 actions, or 1760 with hold. Each has the best
    /// kind of spin that it can have.
    Placements,
}

/// The meaning of an action's number. The piece is the one in play, which the number doesn't say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodedAction {
    /// `true` if the piece in play is held first.
    pub hold: bool,
    /// The orientation of the piece.
    pub orientation: Orientation,
    /// The column of its center.
    pub column: usize,
    /// The row of its center, of a placement; a hard drop has none.
    pub row: Option<usize>,
}

impl Actions {
    /// Returns the number of actions in games by these rules, legal or not.
    pub const fn count(self, rules: &Rules) -> usize {
        if rules.hold { 2 * self.ways() } else { self.ways() }
    }

    /// Returns the number of actions without hold.
    pub(super) const fn ways(self) -> usize {
        Orientation::ALL.len() * WIDTH * self.rows()
    }

    const fn rows(self) -> usize {
        match self {
            Self::Drops => 1,
            Self::Placements => ACTION_ROWS,
        }
    }

    /// Returns the number of a move in a game by these rules. Returns `None` if the center lies outside the
    /// field or above the numbered rows, or if the move holds in a game without hold.
    pub fn encode(self, mv: Move, rules: &Rules) -> Option<u32> {
        let (hold, at) = (mv.hold, mv.placement.at.canonical());
        let (x, y) = (usize::try_from(at.x).ok()?, usize::try_from(at.y).ok()?);
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

    /// Returns the meaning of a number in a game by these rules, or `None` if there is no such action.
    ///
    /// ```
    /// use tetris::{Orientation, Rules};
    /// use tetris::batch::{Actions, DecodedAction};
    /// let decoded = DecodedAction { hold: true, orientation: Orientation::South, column: 4, row: Some(1) };
    /// assert_eq!(Actions::Placements.decode(880 + 24 * 22 + 1, &Rules::default()), Some(decoded));
    /// let without_hold = Rules { hold: false, ..Rules::default() };
    /// assert_eq!(Actions::Drops.decode(40, &without_hold), None);
    /// ```
    pub fn decode(self, action: u32, rules: &Rules) -> Option<DecodedAction> {
        let action = action as usize;
        if action >= self.count(rules) {
            return None;
        }
        let (hold, way) = (action / self.ways() == 1, action % self.ways());
        let (way, row) = (way / self.rows(), way % self.rows());
        let row = (self == Self::Placements).then_some(row);
        Some(DecodedAction { hold, orientation: Orientation::ALL[way / WIDTH], column: way % WIDTH, row })
    }

    /// Returns the legal moves of a game that have a number, sorted by that number. A game that is over has
    /// none, any other game at least one.
    ///
    /// ```
    /// use tetris::Rng;
    /// use tetris::batch::Actions;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(2);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// for (action, mv) in Actions::Placements.moves(&game) {
    ///     assert_eq!(Actions::Placements.encode(mv, game.rules()), Some(action));
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
                if let Some(action) = self.encode(mv, game.rules()) {
                    moves.push((action, mv));
                }
            };
            match self {
                Self::Drops => drops(game, piece).into_iter().for_each(push),
                Self::Placements => {
                    placements(game.board(), piece, game.rules()).iter().for_each(&mut push);
                }
            }
        }
        // The first of equal numbers is kept: the same cells with the best spin, or the
        // lowest drop with the least spin.
        moves.sort_unstable_by_key(|&(action, Move { placement: Placement { at, spin }, .. })| match self {
            Self::Drops => (action, at.y, spin as u8),
            Self::Placements => (action, at.y, Spin::Full as u8 - spin as u8),
        });
        moves.dedup_by_key(|&mut (action, _)| action);
    }
}

impl Actions {
    /// Returns the spin of the action that places a T here: the best one that it can have, or the least for a
    /// hard drop.
    pub(super) fn spin(self, game: &Game, at: Location) -> Spin {
        let all = placements(game.board(), at.piece, game.rules());
        let spins = all.iter().filter(|placement| placement.at == at).map(|placement| placement.spin);
        let spin = match self {
            Self::Drops => spins.min(),
            Self::Placements => spins.max(),
        };
        spin.unwrap_or_default()
    }
}

/// Returns the hard drops with every spin that they can have: a T whose last movement was a rotation spins.
fn drops(game: &Game, piece: Piece) -> Vec<Placement> {
    let Some(spawn) = game.spawn_location(piece) else { return Vec::new() };
    let locations = movegen::hard_drops_from(game.board(), spawn);
    if piece != Piece::T {
        return locations.iter().map(|at| Placement { at, spin: Spin::None }).collect();
    }
    let all = placements(game.board(), piece, game.rules());
    all.iter().filter(|placement| locations.iter().any(|at| at == placement.at)).collect()
}

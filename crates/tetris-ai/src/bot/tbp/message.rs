//! The protocol's messages.

use super::lenient;
use serde::{Deserialize, Serialize};
use tetris::{Bag, Board, Location, Piece, Placement};

const WIDTH: usize = Board::WIDTH;
const HEIGHT: usize = Board::HEIGHT;

/// A message from a frontend to a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FrontendMessage {
    /// The rules of the game.
    Rules {
        /// The randomizer; an invalid value is read as unknown.
        #[serde(default, deserialize_with = "lenient::or_default")]
        randomizer: RandomizerKind,
    },
    /// The start of a game at a given state.
    Start(Start),
    /// A request for a suggestion.
    Suggest,
    /// A move that was played.
    Play {
        /// The move.
        #[serde(rename = "move")]
        mv: TbpMove,
    },
    /// A new piece at the end of the queue.
    NewPiece {
        /// The piece.
        piece: TbpPiece,
    },
    /// The end of the game: the bot can stop calculating.
    Stop,
    /// The end of the session.
    Quit,
    /// A message of unknown type, to be ignored.
    #[serde(other)]
    Unknown,
}

/// A message from a bot to a frontend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The bot's identity, sent as its first message.
    Info {
        /// The name of the bot.
        name: String,
        /// The version of the bot.
        version: String,
        /// The author of the bot.
        author: String,
        /// The protocol extensions that the bot supports.
        features: Vec<String>,
    },
    /// The bot supports the rules.
    Ready,
    /// The bot does not support the rules.
    Error {
        /// The reason, such as `unsupported_rules`.
        reason: String,
    },
    /// The suggested moves, best first; an empty list resigns.
    Suggestion {
        /// The moves.
        moves: Vec<TbpMove>,
        /// The statistics of the search, `None` if there was no search. An invalid value is read as
        /// `None`.
        #[serde(
            default,
            deserialize_with = "lenient::or_default",
            skip_serializing_if = "Option::is_none"
        )]
        move_info: Option<MoveInfo>,
    },
    /// A message of unknown type, to be ignored.
    #[serde(other)]
    Unknown,
}

/// The initial state of a game.
///
/// Frontends differ in how they write the fields, so reading is lenient where the table says so.
/// Any other missing field or wrong type is an error that names the field.
///
/// | field | is also read as |
/// |---|---|
/// | `hold` | missing: nothing held |
/// | `combo` | missing, null or negative: 0; `1.0`: 1; 2^32 or more: 2^32 - 1 |
/// | `back_to_back` | missing or null: `false`; a number: `true` if it is positive |
/// | `board` | fewer than 40 rows: the rest is empty; a `null` row: empty; more rows, if they are empty |
/// | `randomizer` | missing, null, unknown or malformed: [`Randomizer::Unknown`] |
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The held piece.
    #[serde(default, deserialize_with = "lenient::hold")]
    pub hold: Option<TbpPiece>,
    /// The piece in play and the preview after it.
    #[serde(deserialize_with = "lenient::queue")]
    pub queue: Vec<TbpPiece>,
    /// The number of consecutive locks with a clear.
    #[serde(default, deserialize_with = "lenient::combo")]
    pub combo: u32,
    /// `true` if the last clear was a quad or a T-spin.
    #[serde(default, deserialize_with = "lenient::back_to_back")]
    pub back_to_back: bool,
    /// The board of locked cells.
    #[serde(deserialize_with = "lenient::board")]
    pub board: TbpBoard,
    /// The randomizer.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub randomizer: Randomizer,
}

/// The name of a randomizer, as in the `rules` message. The `start` message carries its state, a
/// [`Randomizer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RandomizerKind {
    /// Each piece is drawn at random.
    Uniform,
    /// Pieces are drawn from bags of seven.
    SevenBag,
    /// Pieces are drawn from bags of other contents.
    GeneralBag,
    /// A randomizer that the protocol does not name.
    #[default]
    Unknown,
}

/// The randomizer of a game and its state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Randomizer {
    /// A randomizer that draws from bags of seven.
    SevenBag {
        /// The pieces left in the current bag after the queue.
        bag_state: Vec<TbpPiece>,
    },
    /// Any other randomizer.
    #[default]
    #[serde(other)]
    Unknown,
}

impl From<Bag> for Randomizer {
    fn from(bag: Bag) -> Self {
        Self::SevenBag { bag_state: bag.pieces().map(TbpPiece::from).collect() }
    }
}

impl Randomizer {
    /// Returns the pieces that can come next: the rest of the bag, or all seven if the bag is
    /// unknown.
    pub fn bag(&self) -> Bag {
        let mut bag = Bag::FULL;
        if let Self::SevenBag { bag_state } = self {
            let gone = Piece::ALL.into_iter().filter(|&piece| !bag_state.contains(&piece.into()));
            // For an empty bag, all seven are taken; taking the last one opens the next full bag.
            gone.for_each(|piece| {
                bag.take(piece);
            });
        }
        bag
    }
}

impl BotMessage {
    /// Returns a suggestion without moves or statistics, which resigns the game.
    pub fn resignation() -> Self {
        Self::Suggestion { moves: Vec::new(), move_info: None }
    }
}

/// The statistics of the search behind a suggestion. A field of the wrong type is read as its
/// default; a non-integer node count is rounded down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveInfo {
    /// The number of nodes searched.
    #[serde(deserialize_with = "lenient::nodes")]
    pub nodes: u64,
    /// The number of nodes searched per second.
    #[serde(deserialize_with = "lenient::or_default")]
    pub nps: f64,
    /// The lookahead of the search, in pieces.
    #[serde(deserialize_with = "lenient::or_default")]
    pub depth: f64,
    /// Any other information.
    #[serde(deserialize_with = "lenient::or_default", skip_serializing_if = "String::is_empty")]
    pub extra: String,
}

/// A move. Its piece implies whether it was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TbpMove {
    /// The location of the locked piece.
    pub location: PieceLocation,
    /// The kind of spin.
    pub spin: TbpSpin,
}

/// A piece, its orientation and the cell of its center.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceLocation {
    /// The piece.
    #[serde(rename = "type")]
    pub piece: TbpPiece,
    /// The orientation.
    pub orientation: TbpOrientation,
    /// The column of the center, 0 at the left. `4.0` is read as 4.
    #[serde(deserialize_with = "lenient::coordinate")]
    pub x: i8,
    /// The row of the center, 0 at the bottom. `4.0` is read as 4.
    #[serde(deserialize_with = "lenient::coordinate")]
    pub y: i8,
}

impl From<Placement> for TbpMove {
    fn from(Placement { at, spin }: Placement) -> Self {
        let Location { piece, orientation, x, y } = at;
        let location = PieceLocation { piece: piece.into(), orientation: orientation.into(), x, y };
        Self { location, spin: spin.into() }
    }
}

impl From<TbpMove> for Placement {
    /// Converts the move to a placement in [canonical](Location::canonical) form.
    fn from(TbpMove { location, spin }: TbpMove) -> Self {
        let PieceLocation { piece, orientation, x, y } = location;
        let at = Location { piece: piece.into(), orientation: orientation.into(), x, y };
        Self { at: at.canonical(), spin: spin.into() }
    }
}

/// Defines a protocol enum that mirrors one of [`tetris`], with conversions in both directions.
macro_rules! mirror {
    ($(#[$meta:meta])* $name:ident = $mirror:path { $($variant:ident),* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        $(#[$meta])*
        #[allow(missing_docs, reason = "the variants are those of the mirrored enum")]
        pub enum $name { $($variant),* }

        impl From<$mirror> for $name {
            fn from(mirror: $mirror) -> Self {
                match mirror { $(<$mirror>::$variant => Self::$variant),* }
            }
        }

        impl From<$name> for $mirror {
            fn from(mirror: $name) -> Self {
                match mirror { $($name::$variant => Self::$variant),* }
            }
        }
    };
}

mirror! {
    /// The protocol's form of [`Piece`], written as its letter.
    TbpPiece = Piece { I, O, T, S, Z, J, L }
}
mirror! {
    /// The protocol's form of [`tetris::Orientation`].
    #[serde(rename_all = "snake_case")]
    TbpOrientation = tetris::Orientation { North, East, South, West }
}
mirror! {
    /// The protocol's form of [`tetris::Spin`].
    #[serde(rename_all = "snake_case")]
    TbpSpin = tetris::Spin { None, Mini, Full }
}

/// A board in the protocol's form: 40 rows from the bottom up, each ten cells from the left. An
/// empty cell is `null`; a filled cell is a string, the letter of a piece or `G` for garbage.
///
/// Missing rows at the top and `null` rows are read as empty. Rows beyond 40 must be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Rows", into = "Vec<Vec<Option<String>>>")]
pub struct TbpBoard(pub Board);

type Rows = Vec<Option<Vec<Option<String>>>>;

impl TryFrom<Rows> for TbpBoard {
    type Error = String;

    fn try_from(rows: Rows) -> Result<Self, String> {
        let mut columns = [0; WIDTH];
        for (y, row) in rows.iter().enumerate() {
            let Some(row) = row else { continue };
            if row.len() != WIDTH {
                return Err(format!("row {y}: expected {WIDTH} cells, found {}", row.len()));
            }
            if y >= HEIGHT && row.iter().any(Option::is_some) {
                return Err(format!("row {y}: expected empty cells: a board has {HEIGHT} rows"));
            }
            for (column, cell) in columns.iter_mut().zip(row) {
                *column |= u64::from(cell.is_some()) << y.min(HEIGHT);
            }
        }
        Ok(Self(Board::try_from(columns).unwrap_or_default()))
    }
}

impl From<TbpBoard> for Vec<Vec<Option<String>>> {
    /// Writes all filled cells as garbage, because a [`Board`] does not record what filled them.
    fn from(TbpBoard(board): TbpBoard) -> Self {
        let cell = |x: usize, y: usize| board.occupied(x as i32, y as i32).then(|| "G".to_owned());
        (0..HEIGHT).map(|y| (0..WIDTH).map(|x| cell(x, y)).collect()).collect()
    }
}

//! The messages of the protocol.

use serde::{Deserialize, Serialize};
use tetris::board::{HEIGHT, WIDTH};
use tetris::{Bag, Board, Location, Piece, Placement};

/// A message from a frontend to a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FrontendMessage {
    /// The rules of the game. The protocol has not defined their fields yet.
    Rules {},
    /// The start of a game from a given state.
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
    /// The end of the conversation.
    Quit,
    /// A message of unknown type, to be ignored.
    #[serde(other)]
    Unknown,
}

/// A message from a bot to a frontend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The bot's identity, its first message.
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
    /// The answer that the bot supports the rules.
    Ready,
    /// The answer that the bot does not support the rules.
    Error {
        /// The reason, such as `unsupported_rules`.
        reason: String,
    },
    /// The suggested moves, best first; an empty list resigns.
    Suggestion {
        /// The moves.
        moves: Vec<TbpMove>,
        /// The statistics of the search.
        #[serde(default)]
        move_info: MoveInfo,
    },
    /// A message of unknown type, to be ignored.
    #[serde(other)]
    Unknown,
}

/// The state from which a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The held piece.
    pub hold: Option<TbpPiece>,
    /// The piece in play and the preview after it.
    pub queue: Vec<TbpPiece>,
    /// The number of consecutive locks with a clear.
    #[serde(default)]
    pub combo: u32,
    /// `true` if the last clear was a quad or a T-spin.
    #[serde(default)]
    pub back_to_back: bool,
    /// The board of locked cells.
    pub board: TbpBoard,
    /// The randomizer that draws the pieces.
    #[serde(default)]
    pub randomizer: Randomizer,
}

/// The randomizer that draws the pieces of a game.
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
    /// Returns the pieces that can come next: the rest of the bag, or all seven if it is unknown.
    pub fn bag(&self) -> Bag {
        let mut bag = Bag::FULL;
        if let Self::SevenBag { bag_state } = self {
            let gone = Piece::ALL.into_iter().filter(|&piece| !bag_state.contains(&piece.into()));
            // Of an empty bag all pieces are gone; taking the last one opens the next full bag.
            gone.for_each(|piece| {
                bag.take(piece);
            });
        }
        bag
    }
}

/// The statistics of the search behind a suggestion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveInfo {
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of nodes searched per second.
    pub nps: f64,
    /// The number of pieces that the search looked ahead.
    pub depth: f64,
    /// Any other information.
    pub extra: String,
}

/// A move. Its piece implies whether the hold is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TbpMove {
    /// The location where the piece locks.
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
    /// The column of the center, 0 at the left.
    pub x: i8,
    /// The row of the center, 0 at the bottom.
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

/// Defines an enum of the protocol that mirrors one of [`tetris`], with conversions in both directions.
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
    /// A [`Piece`] of the protocol, by its letter.
    TbpPiece = Piece { I, O, T, S, Z, J, L }
}
mirror! {
    /// A [`tetris::Orientation`] of the protocol.
    #[serde(rename_all = "snake_case")]
    TbpOrientation = tetris::Orientation { North, East, South, West }
}
mirror! {
    /// A [`tetris::Spin`] of the protocol.
    #[serde(rename_all = "snake_case")]
    TbpSpin = tetris::Spin { None, Mini, Full }
}

/// A board in the protocol's form: 40 rows from the bottom, each of ten cells from the left. A cell is `null`
/// if it is empty and otherwise a string, the letter of a piece or `G` for garbage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<Option<String>>>", into = "Vec<Vec<Option<String>>>")]
pub struct TbpBoard(pub Board);

impl TryFrom<Vec<Vec<Option<String>>>> for TbpBoard {
    type Error = String;

    fn try_from(rows: Vec<Vec<Option<String>>>) -> Result<Self, String> {
        if rows.len() != HEIGHT {
            return Err(format!("expected {HEIGHT} rows, found {}", rows.len()));
        }
        let mut columns = [0; WIDTH];
        for (y, row) in rows.iter().enumerate() {
            if row.len() != WIDTH {
                return Err(format!("row {y}: expected {WIDTH} cells, found {}", row.len()));
            }
            for (column, cell) in columns.iter_mut().zip(row) {
                *column |= u64::from(cell.is_some()) << y;
            }
        }
        Ok(Self(Board::from_columns(columns).unwrap_or_default()))
    }
}

impl From<TbpBoard> for Vec<Vec<Option<String>>> {
    /// Writes all filled cells as garbage, since a [`Board`] does not store what filled them.
    fn from(TbpBoard(board): TbpBoard) -> Self {
        let cell = |x: usize, y: usize| board.occupied(x as i32, y as i32).then(|| "G".to_owned());
        (0..HEIGHT).map(|y| (0..WIDTH).map(|x| cell(x, y)).collect()).collect()
    }
}

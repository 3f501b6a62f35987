//! The messages.

use serde::{Deserialize, Serialize};
use tetris::board::{HEIGHT, WIDTH};
use tetris::{Bag, Board, Location, Piece, Placement};

/// What a frontend says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FrontendMessage {
    /// The rules of the game: the protocol leaves them to guess, so they hold nothing.
    Rules {},
    /// A position to play from.
    Start(Start),
    /// A question for turns.
    Suggest,
    /// A turn was played.
    Play {
        /// The turn.
        #[serde(rename = "move")]
        mv: TbpMove,
    },
    /// Another piece has come into the queue.
    NewPiece {
        /// Which.
        piece: TbpPiece,
    },
    /// No more questions about this game.
    Stop,
    /// No more questions.
    Quit,
    /// A type that this version doesn't know, to be ignored.
    #[serde(other)]
    Unknown,
}

/// What a bot says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// Who it is: its first words.
    Info {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
        /// Who made it.
        author: String,
        /// Extensions of the protocol that it knows.
        features: Vec<String>,
    },
    /// It can play by the rules.
    Ready,
    /// It can't.
    Error {
        /// Why not, as `unsupported_rules`.
        reason: String,
    },
    /// What it would play, best first; nothing if it gives up.
    Suggestion {
        /// Turns.
        moves: Vec<TbpMove>,
        /// How it found them.
        #[serde(default)]
        move_info: MoveInfo,
    },
    /// A type that this version doesn't know, to be ignored.
    #[serde(other)]
    Unknown,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The piece in the hold.
    pub hold: Option<TbpPiece>,
    /// The piece in play and those after it.
    pub queue: Vec<TbpPiece>,
    /// Clears in a row up to now.
    #[serde(default)]
    pub combo: u32,
    /// Whether the last clear was a quad or by a spin.
    #[serde(default)]
    pub back_to_back: bool,
    /// The locked cells.
    pub board: TbpBoard,
    /// How pieces are drawn.
    #[serde(default)]
    pub randomizer: Randomizer,
}

/// How pieces are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Randomizer {
    /// From bags of seven.
    SevenBag {
        /// What is left after the queue.
        bag_state: Vec<TbpPiece>,
    },
    /// In some other way.
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
    /// What may come: the rest of the bag, or all seven.
    pub fn bag(&self) -> Bag {
        let mut bag = Bag::FULL;
        if let Self::SevenBag { bag_state } = self {
            let gone = Piece::ALL.into_iter().filter(|&piece| !bag_state.contains(&piece.into()));
            // Of an empty bag all pieces are gone: the last one's taking opens the next, full.
            gone.for_each(|piece| {
                bag.take(piece);
            });
        }
        bag
    }
}

/// How a suggestion was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveInfo {
    /// Boards looked at.
    pub nodes: u64,
    /// Boards looked at in a second.
    pub nps: f64,
    /// Pieces looked ahead.
    pub depth: f64,
    /// Anything else.
    pub extra: String,
}

/// A turn; whether it needs the hold is told by its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TbpMove {
    /// Where the piece locks.
    pub location: PieceLocation,
    /// As what.
    pub spin: TbpSpin,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceLocation {
    /// Which piece.
    #[serde(rename = "type")]
    pub piece: TbpPiece,
    /// Which way it points.
    pub orientation: TbpOrientation,
    /// Column of its center, from the left.
    pub x: i8,
    /// Row of its center, from the bottom.
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
    /// In the [canonical](Location::canonical) form.
    fn from(TbpMove { location, spin }: TbpMove) -> Self {
        let PieceLocation { piece, orientation, x, y } = location;
        let at = Location { piece: piece.into(), orientation: orientation.into(), x, y };
        Self { at: at.canonical(), spin: spin.into() }
    }
}

/// An enum of the protocol beside that of [`tetris`].
macro_rules! mirror {
    ($(#[$meta:meta])* $name:ident = $mirror:path { $($variant:ident),* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        $(#[$meta])*
        #[allow(missing_docs, reason = "the variants are those of the mirror")]
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
    /// A [`Piece`] by its letter.
    TbpPiece = Piece { I, O, T, S, Z, J, L }
}
mirror! {
    /// A [`tetris::Orientation`].
    #[serde(rename_all = "snake_case")]
    TbpOrientation = tetris::Orientation { North, East, South, West }
}
mirror! {
    /// A [`tetris::Spin`].
    #[serde(rename_all = "snake_case")]
    TbpSpin = tetris::Spin { None, Mini, Full }
}

/// A board as the protocol has it: 40 rows from the bottom, of ten cells from the left. A cell is null, or a text that
/// says what fills it: a piece's letter, or `G` for garbage. All of them are filled cells.
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
    /// Nobody remembers what filled a cell: all are garbage.
    fn from(TbpBoard(board): TbpBoard) -> Self {
        let cell = |x: usize, y: usize| board.occupied(x as i32, y as i32).then(|| "G".to_owned());
        (0..HEIGHT).map(|y| (0..WIDTH).map(|x| cell(x, y)).collect()).collect()
    }
}

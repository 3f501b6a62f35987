//! [`Record`]: a game as SGF holds it, in and out. The text itself is the crate `sgf-parse`'s.

use crate::board::{Board, Color, IllegalMove, Size, Suicide};
use crate::game::Move;
use crate::points::{Point, Points};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfNode, SimpleText, Text};
use std::collections::HashSet;

/// Nodes of the longest text that is read: moves, comments and variations together. The parser keeps a node inside its
/// parent, so that a longer one could overflow the stack.
pub const MAX_NODES: usize = 10_000;

/// A game: the board, what stood on it first, and the moves of the main line.
///
/// ```
/// use go_mc::sgf::Record;
/// let record: Record = "(;GM[1]SZ[9]KM[7.5];B[ee]C[tengen];W[])".parse()?;
/// assert_eq!((record.size.width(), record.komi, record.moves.len()), (9, Some(7.5), 2));
/// assert_eq!(record.moves[0].comment, "tengen");
/// assert_eq!(record.to_string().parse(), Ok(record));
/// # Ok::<(), go_mc::sgf::SgfError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The board's size: 19 x 19 if the text has none.
    pub size: Size,
    /// What White gets for moving second.
    pub komi: Option<f64>,
    /// The players' names, Black's first; empty if unknown.
    pub player_names: [String; 2],
    /// As `B+3.5` or `W+Resign`; empty if unknown.
    pub result: String,
    /// The stones that stand on the board before the first move, Black's first: a handicap or a problem.
    pub setup: [Points<19>; 2],
    /// Who is said to move first (`PL`).
    pub to_move: Option<Color>,
    /// What is said before the first move.
    pub comment: String,
    /// Black's chance of winning before the first move in per cent, where the record has one: [`MoveNode::black_win_percent`].
    pub black_win_percent: Option<f64>,
    /// The moves. The same player may move twice.
    pub moves: Vec<MoveNode>,
}

/// A move of a [`Record`].
#[derive(Clone, Debug, PartialEq)]
pub struct MoveNode {
    /// Who moves.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// What is said about it.
    pub comment: String,
    /// Black's chance of winning after it in per cent, where the record has one: the property `SBKV`, which Sabaki draws
    /// its graph from.
    pub black_win_percent: Option<f64>,
}

/// Why a text isn't read or a record can't be played. Nodes count from 0, the root; moves from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// It isn't SGF, or of another game.
    #[error("not an SGF of Go: {0}")]
    Syntax(String),
    /// It is too long.
    #[error("expected at most {MAX_NODES} nodes, found {0}")]
    TooManyNodes(usize),
    /// A property of the main line that matters has a wrong value.
    #[error("node {node}: wrong value of {property}")]
    InvalidValue {
        /// The node.
        node: usize,
        /// The property.
        property: String,
    },
    /// A move or stone is off the board.
    #[error("node {node}: a point off the board")]
    OffBoard {
        /// The node.
        node: usize,
    },
    /// Stones are put down after the first move, or where they can't stand.
    #[error("node {node}: stones that can't be put down there")]
    InvalidSetup {
        /// The node.
        node: usize,
    },
    /// A move is illegal.
    #[error("move {number}: {error}")]
    IllegalMove {
        /// The move.
        number: usize,
        /// Why.
        error: IllegalMove,
    },
}

impl Record {
    /// A record without a move.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            komi: None,
            player_names: Default::default(),
            result: String::new(),
            setup: [Points::EMPTY; 2],
            to_move: None,
            comment: String::new(),
            black_win_percent: None,
            moves: Vec::new(),
        }
    }

    /// Who moves first: who does, else who is said to, else White after a handicap.
    pub fn first_to_move(&self) -> Color {
        let [black, white] = self.setup;
        let handicap = white.is_empty() && !black.is_empty();
        let by_custom = if handicap { Color::White } else { Color::Black };
        self.moves.first().map(|node| node.color).or(self.to_move).unwrap_or(by_custom)
    }

    /// The board after all moves, by the rule of simple ko.
    ///
    /// # Errors
    ///
    /// [`SgfError::InvalidSetup`] if the first stones can't stand, [`SgfError::IllegalMove`] at the first illegal move.
    pub fn board(&self, suicide: Suicide) -> Result<Board, SgfError> {
        let [black, white] = self.setup;
        let mut board =
            Board::from_stones(self.size, black, white).map_err(|_| SgfError::InvalidSetup { node: 0 })?;
        for (number, node) in (1..).zip(&self.moves) {
            match node.mv {
                Move::Pass => board.pass(),
                Move::Play(point) => {
                    board
                        .play(node.color, point, suicide)
                        .map_err(|error| SgfError::IllegalMove { number, error })?;
                }
            }
        }
        Ok(board)
    }

    /// Takes what the record keeps from a property.
    fn read_property(&mut self, node: usize, property: &Prop) -> Result<(), SgfError> {
        match property {
            Prop::KM(komi) => self.komi = Some(*komi),
            Prop::PB(name) => self.player_names[0].clone_from(&name.text),
            Prop::PW(name) => self.player_names[1].clone_from(&name.text),
            Prop::RE(result) => self.result.clone_from(&result.text),
            Prop::AB(stones) => self.set_up(node, Some(Color::Black), stones)?,
            Prop::AW(stones) => self.set_up(node, Some(Color::White), stones)?,
            Prop::AE(points) => self.set_up(node, None, points)?,
            Prop::PL(color) if self.moves.is_empty() => {
                self.to_move = Some(match color {
                    sgf_parse::Color::Black => Color::Black,
                    sgf_parse::Color::White => Color::White,
                });
            }
            Prop::B(mv) => self.push_move(node, Color::Black, *mv)?,
            Prop::W(mv) => self.push_move(node, Color::White, *mv)?,
            Prop::Invalid(property, _)
                if matches!(property.as_str(), "SZ" | "KM" | "AB" | "AW" | "AE" | "B" | "W") =>
            {
                return Err(SgfError::InvalidValue { node, property: property.clone() });
            }
            _ => {}
        }
        Ok(())
    }

    fn push_move(&mut self, node: usize, color: Color, mv: go::Move) -> Result<(), SgfError> {
        let mv = match mv {
            // `tt`: how SGF wrote a pass before its fourth version.
            go::Move::Pass | go::Move::Move(go::Point { x: 19, y: 19 }) => Move::Pass,
            go::Move::Move(at) => Move::Play(self.point(node, at)?),
        };
        self.moves.push(MoveNode { color, mv, comment: String::new(), black_win_percent: None });
        Ok(())
    }

    /// Puts stones down, or takes them off.
    fn set_up(
        &mut self,
        node: usize,
        color: Option<Color>,
        points: &HashSet<go::Point>,
    ) -> Result<(), SgfError> {
        if !self.moves.is_empty() {
            return Err(SgfError::InvalidSetup { node });
        }
        for &at in points {
            let index = Points::<19>::index(self.point(node, at)?).ok_or(SgfError::OffBoard { node })?;
            for stones in &mut self.setup {
                stones.remove(index);
            }
            if let Some(color) = color {
                self.setup[color as usize].insert(index);
            }
        }
        Ok(())
    }

    /// SGF counts rows from the top.
    fn point(&self, node: usize, at: go::Point) -> Result<Point, SgfError> {
        let (width, height) = (self.size.width() as u8, self.size.height() as u8);
        let on_board = at.x < width && at.y < height;
        if on_board { Ok(Point { x: at.x, y: height - 1 - at.y }) } else { Err(SgfError::OffBoard { node }) }
    }

    fn sgf_point(&self, point: Point) -> go::Point {
        go::Point { x: point.x, y: (self.size.height() as u8 - 1).wrapping_sub(point.y) }
    }

    fn root_properties(&self) -> Vec<Prop> {
        let (width, height) = (self.size.width() as u8, self.size.height() as u8);
        // Of a square board only one number may be written.
        let square = || Prop::Unknown("SZ".to_string(), alloc::vec![width.to_string()]);
        let size = if width == height { square() } else { Prop::SZ((width, height)) };
        let mut root = alloc::vec![Prop::GM(1), Prop::FF(4), size];
        root.extend(self.komi.map(Prop::KM));
        let name = |text: &str| SimpleText { text: text.to_string() };
        let [black, white] = &self.player_names;
        let texts = [
            (black, Prop::PB as fn(_) -> _),
            (white, Prop::PW as fn(_) -> _),
            (&self.result, Prop::RE as fn(_) -> _),
        ];
        root.extend(
            texts.into_iter().filter(|(text, _)| !text.is_empty()).map(|(text, prop)| prop(name(text))),
        );
        for (stones, prop) in self.setup.iter().zip([Prop::AB as fn(_) -> _, Prop::AW as fn(_) -> _]) {
            if !stones.is_empty() {
                root.push(prop(stones.iter().map(|p| self.sgf_point(Points::<19>::point(p))).collect()));
            }
        }
        root.extend(self.to_move.map(|color| {
            Prop::PL(match color {
                Color::Black => sgf_parse::Color::Black,
                Color::White => sgf_parse::Color::White,
            })
        }));
        root.extend(comment_property(&self.comment));
        root.extend(self.black_win_percent.map(win_percent_property));
        root
    }
}

fn comment_property(text: &str) -> Option<Prop> {
    (!text.is_empty()).then(|| Prop::C(Text { text: text.to_string() }))
}

const WIN_PERCENT: &str = "SBKV";

fn win_percent_property(percent: f64) -> Prop {
    Prop::Unknown(WIN_PERCENT.to_string(), alloc::vec![percent.to_string()])
}

/// What a node says about Black's chance; nothing if that isn't from 0 to 100.
fn win_percent_of(node: &SgfNode<Prop>) -> Option<f64> {
    let Some(Prop::Unknown(_, values)) = node.get_property(WIN_PERCENT) else { return None };
    values.first()?.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

/// Reads the main line of the first game. What it doesn't keep it passes over.
impl core::str::FromStr for Record {
    type Err = SgfError;

    fn from_str(text: &str) -> Result<Self, SgfError> {
        let nodes = text.matches(';').count();
        if nodes > MAX_NODES {
            return Err(SgfError::TooManyNodes(nodes));
        }
        let games = go::parse(text).map_err(|error| SgfError::Syntax(error.to_string()))?;
        let root = games.first().ok_or_else(|| SgfError::Syntax(String::new()))?;
        let (width, height) = match root.get_property("SZ") {
            Some(Prop::SZ((width, height))) => (usize::from(*width), usize::from(*height)),
            Some(_) => (0, 0),
            None => (19, 19),
        };
        let size = Size::new(width, height);
        let mut record =
            Self::new(size.ok_or_else(|| SgfError::InvalidValue { node: 0, property: "SZ".to_string() })?);
        for (number, node) in root.main_variation().enumerate() {
            let before = record.moves.len();
            for property in node.properties() {
                record.read_property(number, property)?;
            }
            if let Some(percent) = win_percent_of(node) {
                *record
                    .moves
                    .last_mut()
                    .map_or(&mut record.black_win_percent, |node| &mut node.black_win_percent) =
                    Some(percent);
            }
            if let Some(Prop::C(comment)) = node.get_property("C") {
                let moved = record.moves.len() > before;
                let place = match record.moves.last_mut() {
                    Some(node) if moved => &mut node.comment,
                    Some(node) => {
                        node.comment.push('\n');
                        &mut node.comment
                    }
                    None => &mut record.comment,
                };
                place.push_str(&comment.text);
            }
        }
        Ok(record)
    }
}

/// The text: a node a move.
impl core::fmt::Display for Record {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let sgf_node = |properties| SgfNode::<Prop>::new(properties, Vec::new(), false);
        f.write_char('(')?;
        write!(f, "{}", sgf_node(self.root_properties()))?;
        for node in &self.moves {
            let mv = match node.mv {
                Move::Pass => go::Move::Pass,
                Move::Play(point) => go::Move::Move(self.sgf_point(point)),
            };
            let mut properties =
                alloc::vec![if node.color == Color::Black { Prop::B(mv) } else { Prop::W(mv) }];
            properties.extend(comment_property(&node.comment));
            properties.extend(node.black_win_percent.map(win_percent_property));
            write!(f, "{}", sgf_node(properties))?;
        }
        f.write_char(')')
    }
}

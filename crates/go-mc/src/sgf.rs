//! [`Record`]: a game record, read from and written to SGF (FF\[4\]). The crate `sgf-parse` parses the text,
//! the crate `encoding_rs` decodes the character sets of files.

mod charset;
mod error;
mod game_tree;

use crate::board::{Board, Color, Size, Suicide};
use crate::game::Move;
use crate::points::{Point, Points};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
pub use error::{MAX_NODES, MAX_POINTS, SgfError};
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfNode, SimpleText, Text};
use std::collections::HashSet;

/// A game record: the board, the setup stones and the moves of the main line.
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
    /// The size of the board; 19 x 19 if the text has no `SZ`.
    pub size: Size,
    /// The points that White gets for moving second (`KM`).
    pub komi: Option<f64>,
    /// The names of the players (`PB`, `PW`), Black's first; empty if unknown.
    pub player_names: [String; 2],
    /// The result (`RE`), for example `B+3.5` or `W+Resign`; empty if unknown.
    pub result: String,
    /// The stones on the board before the first move (`AB`, `AW`), Black's first: a handicap or a problem.
    pub setup: [Points<19>; 2],
    /// The player to move first, where the record names one (`PL`).
    pub to_move: Option<Color>,
    /// The comment before the first move.
    pub comment: String,
    /// Black's win rate before the first move in percent (`SBKV`), where the record has one.
    pub black_win_percent: Option<f64>,
    /// The moves of the main line. The same player may move twice in a row.
    pub moves: Vec<MoveNode>,
}

/// A move of a [`Record`].
#[derive(Clone, Debug, PartialEq)]
pub struct MoveNode {
    /// The player who moves.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// The comment on the move.
    pub comment: String,
    /// Black's win rate after the move in percent, where the record has one: the property `SBKV`, from which
    /// Sabaki draws its win rate graph.
    pub black_win_percent: Option<f64>,
}

impl Record {
    /// Creates a record without a move.
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

    /// Reads the main line of the first game of a file: in the character set of its byte order mark or of its
    /// property `CA`, which may be any of the Encoding Standard's. Without both, UTF-8 is recognized, and any
    /// other file is Latin-1, the default of SGF. Bytes that the character set doesn't have become U+FFFD.
    ///
    /// ```
    /// use go_mc::sgf::Record;
    /// let record = Record::from_bytes(b"(;SZ[9]PB[Ren\xe9])")?;
    /// assert_eq!(record.player_names[0], "Ren\u{e9}");
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SgfError::UnknownCharset`] if the file has other bytes than ASCII and `CA` names no known character
    /// set; the errors of parsing the text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SgfError> {
        charset::decode(bytes)?.parse()
    }

    /// Returns the player of the first move; without moves [`to_move`](Self::to_move); without that, White
    /// after a handicap and Black otherwise.
    pub fn first_to_move(&self) -> Color {
        let [black, white] = self.setup;
        let handicap = white.is_empty() && !black.is_empty();
        let by_custom = if handicap { Color::White } else { Color::Black };
        self.moves.first().map(|node| node.color).or(self.to_move).unwrap_or(by_custom)
    }

    /// Returns the board after all moves, under the simple ko rule.
    ///
    /// # Errors
    ///
    /// [`SgfError::InvalidSetup`] if the setup has stones off the board, two on a point or a chain without
    /// liberties, [`SgfError::IllegalMove`] at the first illegal move.
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

    /// Reads a property of the main line; properties that the record has no field for are ignored.
    fn read_property(&mut self, node: usize, property: &Prop) -> Result<(), SgfError> {
        match property {
            Prop::KM(komi) if !komi.is_finite() => {
                return Err(SgfError::InvalidValue { node, property: "KM".into() });
            }
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
            // `tt`: a pass before the fourth version of SGF.
            go::Move::Pass | go::Move::Move(go::Point { x: 19, y: 19 }) => Move::Pass,
            go::Move::Move(at) => Move::Play(self.point(node, at)?),
        };
        self.moves.push(MoveNode { color, mv, comment: String::new(), black_win_percent: None });
        Ok(())
    }

    /// Sets up stones of a color, or empty points for `None`.
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

    /// Converts a point of SGF, whose rows count from the top.
    fn point(&self, node: usize, at: go::Point) -> Result<Point, SgfError> {
        let (width, height) = (self.size.width() as u8, self.size.height() as u8);
        let on_board = at.x < width && at.y < height;
        if on_board { Ok(Point { x: at.x, y: height - 1 - at.y }) } else { Err(SgfError::OffBoard { node }) }
    }

    fn sgf_point(&self, point: Point) -> go::Point {
        go::Point { x: point.x, y: (self.size.height() as u8 - 1).wrapping_sub(point.y) }
    }

    /// Returns whether the record is the same in every character set.
    fn is_ascii(&self) -> bool {
        let [black, white] = &self.player_names;
        let comments = self.moves.iter().map(|node| &node.comment);
        comments.chain([black, white, &self.result, &self.comment]).all(|text| text.is_ascii())
    }

    fn root_properties(&self) -> Vec<Prop> {
        let (width, height) = (self.size.width() as u8, self.size.height() as u8);
        // SGF requires a single number for a square board.
        let square = || Prop::Unknown("SZ".to_string(), alloc::vec![width.to_string()]);
        let size = if width == height { square() } else { Prop::SZ((width, height)) };
        let mut root = alloc::vec![Prop::GM(1), Prop::FF(4), size];
        root.extend(self.komi.map(Prop::KM));
        let name = |text: &str| SimpleText { text: text.to_string() };
        if !self.is_ascii() {
            root.push(Prop::CA(name("UTF-8")));
        }
        let [black, white] = &self.player_names;
        let texts = [
            (black, Prop::PB as fn(_) -> _),
            (white, Prop::PW as fn(_) -> _),
            (&self.result, Prop::RE as fn(_) -> _),
        ];
        root.extend(
            texts.into_iter().filter(|(text, _)| !text.is_empty()).map(|(text, prop)| prop(name(text))),
        );
        for (stones, name) in self.setup.iter().zip(["AB", "AW"]) {
            if !stones.is_empty() {
                // In point order: the parser's own lists of points have none.
                let points = stones.iter().map(|index| self.sgf_point(Points::<19>::point(index)));
                root.push(Prop::Unknown(name.to_string(), points.map(point_text).collect()));
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

fn point_text(point: go::Point) -> String {
    [point.x, point.y].map(|place| char::from(b'a' + place)).iter().collect()
}

fn comment_property(text: &str) -> Option<Prop> {
    (!text.is_empty()).then(|| Prop::C(Text { text: text.to_string() }))
}

const WIN_PERCENT: &str = "SBKV";

fn win_percent_property(percent: f64) -> Prop {
    Prop::Unknown(WIN_PERCENT.to_string(), alloc::vec![percent.to_string()])
}

/// Returns Black's win rate of a node in percent, or `None` if it is missing or not from 0 to 100.
fn win_percent_of(node: &SgfNode<Prop>) -> Option<f64> {
    let Some(Prop::Unknown(_, values)) = node.get_property(WIN_PERCENT) else { return None };
    values.first()?.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

impl core::str::FromStr for Record {
    type Err = SgfError;

    /// Parses the main line of the first game. Text before and after the game is skipped.
    fn from_str(text: &str) -> Result<Self, SgfError> {
        let games =
            go::parse(game_tree::first_game(text)?).map_err(|error| SgfError::Syntax(error.to_string()))?;
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

impl core::fmt::Display for Record {
    /// Writes the record as SGF, one node per move.
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

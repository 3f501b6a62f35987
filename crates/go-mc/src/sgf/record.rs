//! [`Record`]: the nodes of a game record, and the game they describe.

use super::error::{Remark, shown};
use crate::rules::board::{Board, Color, IllegalMove, Size, Suicide};
use crate::rules::game::{Game, Ko, Move, Rules, Setup};
use crate::rules::points::Points;
use crate::rules::rule_set::{RuleSet, opening_handicap};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A game record: the header data of the game, the nodes of its main line, and its variations.
///
/// The nodes form a tree. It is stored line by line, so that the main line is a plain list: `nodes`
/// is line 0, `variations[n - 1]` is line `n`, and a [`Place`] names a node by its line and number.
///
/// ```text
/// (;SZ[9];B[ee](;W[cc];B[gg])(;W[gc](;B[cg])(;B[gg])))
///
/// line 0 (nodes)          root  B E5  W C7  B G3
/// line 1 (variations[0])          |   W G7  B C3      after line 0, node 1
/// line 2 (variations[1])                |   B G3      after line 1, node 0
/// ```
///
/// ```
/// use go_mc::sgf::Record;
/// let record: Record = "(;GM[1]SZ[9]KM[7.5];B[ee]C[tengen];W[])".parse()?;
/// assert_eq!((record.size.width(), record.komi, record.moves().count()), (9, Some(7.5), 2));
/// assert_eq!(record.nodes[1].comment, "tengen");
/// assert_eq!(record.to_string().parse(), Ok(record));
/// # Ok::<(), go_mc::sgf::SgfError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The size of the board; 19 x 19 without `SZ`.
    pub size: Size,
    /// White's compensation for moving second (`KM`).
    pub komi: Option<f64>,
    /// The names of the players (`PB`, `PW`), Black's first; empty if unknown.
    pub player_names: [String; 2],
    /// The result (`RE`), for example `B+3.5` or `W+Resign`; empty if unknown.
    pub result: String,
    /// The nodes of the main line, the root first. Records read from text never have a move in the
    /// root; a move there is written as a separate node.
    pub nodes: Vec<Node>,
    /// The variations, each after those that it branches from. Written are only those behind a node
    /// that exists.
    pub variations: Vec<Variation>,
}

/// A line of a [`Record`] that branches from an earlier one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variation {
    /// The node behind which the variation begins, on the main line or an earlier variation. It has
    /// a next node on its own line, or that line would go on here.
    pub after: Place,
    /// The nodes, at least one.
    pub nodes: Vec<Node>,
}

/// The place of a node in a [`Record`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line: 0 for the main line, n for the n-th variation.
    pub line: usize,
    /// The number of the node on its line, from 0.
    pub node: usize,
}

/// A node of a [`Record`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The change on the board.
    pub action: Action,
    /// The player to move after the node, if the record specifies it (`PL`).
    pub to_move: Option<Color>,
    /// The comment (`C`).
    pub comment: String,
    /// Black's win rate in percent, if recorded: the property `SBKV`, which Sabaki plots as its win
    /// rate graph.
    pub black_win_percent: Option<f64>,
    /// All other properties, including the root's: the handicap (`HA`), the rules (`RU`), the date
    /// (`DT`).
    pub properties: Vec<Property>,
}

/// The change on the board in a [`Node`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// No change.
    #[default]
    None,
    /// Stones are placed and removed: a handicap, a problem, or a later correction.
    Setup(Box<Setup>),
    /// A player moves. The same player may move twice in a row.
    Move(Color, Move),
}

/// A property of a [`Node`] without its own field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// The name in upper case, such as `RU`.
    pub name: String,
    /// The values as written between the brackets, with their escapes.
    pub values: Vec<String>,
}

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The record.
    pub record: Record,
    /// The parts of the text that were reinterpreted or skipped, in text order. At most
    /// [`MAX_REMARKS`](super::MAX_REMARKS), and one more that counts the rest.
    pub remarks: Vec<Remark>,
}

/// The properties of the game that are fields of a record. In a variation they are kept like any
/// other, since the record's are those of its main line.
pub(super) const OF_GAME: [&str; 4] = ["KM", "PB", "PW", "RE"];

impl Node {
    /// Returns whether a player moves.
    pub const fn is_move(&self) -> bool {
        matches!(self.action, Action::Move(..))
    }

    /// Returns whether the node places or removes stones without a move.
    pub const fn is_setup(&self) -> bool {
        matches!(self.action, Action::Setup(_))
    }

    /// Plays the node on a game as SGF requires, even if the move is illegal. Returns the broken
    /// rule, if any.
    pub fn play(&self, game: &mut Game) -> Option<IllegalMove> {
        let broken = match &self.action {
            Action::None => None,
            Action::Setup(setup) => {
                game.set_up(setup);
                None
            }
            &Action::Move(color, mv) => game.play_recorded(color, mv),
        };
        if let Some(color) = self.to_move {
            game.set_to_move(color);
        }
        broken
    }
}

impl Record {
    /// Creates a record with an empty root.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            komi: None,
            player_names: Default::default(),
            result: String::new(),
            nodes: alloc::vec![Node::default()],
            variations: Vec::new(),
        }
    }

    /// Returns the nodes of a line; `None` if there is no such line.
    pub(super) fn line(&self, line: usize) -> Option<&[Node]> {
        match line.checked_sub(1) {
            None => Some(&self.nodes),
            Some(number) => self.variations.get(number).map(|variation| variation.nodes.as_slice()),
        }
    }

    /// Returns the node at a place; `None` if there is none.
    pub fn node(&self, at: Place) -> Option<&Node> {
        self.line(at.line)?.get(at.node)
    }

    /// Returns the place of the node before another one; `None` for the root, and for a variation
    /// that branches from a later one.
    pub fn parent(&self, at: Place) -> Option<Place> {
        match (at.line.checked_sub(1), at.node.checked_sub(1)) {
            (_, Some(node)) => Some(Place { node, ..at }),
            (Some(number), None) => self
                .variations
                .get(number)
                .map(|variation| variation.after)
                .filter(|after| after.line < at.line),
            (None, None) => None,
        }
    }

    /// Returns the places of the nodes that follow a node: the next one of its line first, then the
    /// first ones of the variations. Looks at all variations.
    ///
    /// ```
    /// use go_mc::sgf::{Place, Record};
    /// let record: Record = "(;SZ[9];B[ee](;W[cc];B[gg])(;W[gc](;B[cg])(;B[gg])))".parse()?;
    /// let replies: Vec<Place> = record.children(Place { line: 0, node: 1 }).collect();
    /// assert_eq!(replies, [Place { line: 0, node: 2 }, Place { line: 1, node: 0 }]);
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn children(&self, at: Place) -> impl Iterator<Item = Place> + '_ {
        let next = Place { node: at.node + 1, ..at };
        let branches = (1..).zip(&self.variations).filter(move |(line, variation)| {
            variation.after == at && at.line < *line && !variation.nodes.is_empty()
        });
        let next = self.node(next).map(|_| next);
        next.into_iter().chain(branches.map(|(line, _)| Place { line, node: 0 }))
    }

    /// Returns the nodes from the root to a place, both included; empty if there is no such place.
    /// Played on the [new game](Self::new_game), they lead to its position.
    ///
    /// ```
    /// use go_mc::Rules;
    /// use go_mc::sgf::{Place, Record};
    /// let record: Record = "(;SZ[3];B[bb](;W[aa])(;W[cc]))".parse()?;
    /// let mut game = record.new_game(Rules::default());
    /// for node in record.path(Place { line: 1, node: 0 }) {
    ///     node.play(&mut game);
    /// }
    /// assert_eq!(game.board().to_string(), "...\n.X.\n..O\n");
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn path(&self, at: Place) -> Vec<&Node> {
        let places = core::iter::successors(Some(at), |&at| self.parent(at));
        let mut nodes: Vec<&Node> = places.filter_map(|at| self.node(at)).collect();
        nodes.reverse();
        nodes
    }

    /// Shortens the main line to its first `length` nodes, and drops the variations of the nodes
    /// that it loses.
    ///
    /// ```
    /// let mut record: go_mc::sgf::Record = "(;SZ[9];B[ee](;W[cc])(;W[gc](;B[cg])(;B[gg])))".parse()?;
    /// record.truncate(2);
    /// assert_eq!(record, "(;SZ[9];B[ee])".parse()?);
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
        // The new number of each line that stays.
        let mut numbers = alloc::vec![Some(0)];
        let mut count = 0;
        self.variations.retain_mut(|variation| {
            let Place { line, node } = variation.after;
            let kept =
                numbers.get(line).copied().flatten().filter(|_| line > 0 || node + 1 < length);
            numbers.push(kept.map(|_| count + 1));
            count += usize::from(kept.is_some());
            variation.after.line = kept.unwrap_or_default();
            kept.is_some()
        });
    }

    /// Returns the moves of the main line.
    ///
    /// ```
    /// use go_mc::{Color, Move, sgf::Record};
    /// let record: Record = "(;SZ[9];B[ee];AW[aa];B[])".parse()?;
    /// let moves: Vec<(Color, Move)> = record.moves().collect();
    /// assert_eq!(moves, [(Color::Black, "E5".parse().unwrap()), (Color::Black, Move::Pass)]);
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = (Color, Move)> + '_ {
        self.nodes.iter().filter_map(|node| match node.action {
            Action::Move(color, mv) => Some((color, mv)),
            _ => None,
        })
    }

    /// Returns the player of the first move; without moves, the player named by `PL`; otherwise
    /// White after a handicap, else Black.
    pub fn first_to_move(&self) -> Color {
        let by_name = || self.nodes.iter().rev().find_map(|node| node.to_move);
        self.moves().next().map(|(color, _)| color).or_else(by_name).unwrap_or_else(|| {
            let mut black = Points::<19>::EMPTY;
            let mut white = Points::<19>::EMPTY;
            for node in &self.nodes {
                if let Action::Setup(setup) = &node.action {
                    black = (black - setup.white - setup.empty) | setup.black;
                    white = (white - setup.black - setup.empty) | setup.white;
                }
            }
            if white.is_empty() && !black.is_empty() { Color::White } else { Color::Black }
        })
    }

    /// Returns the rules that the record names (`RU`), or `None` if it names none or others than a
    /// [`RuleSet`].
    pub fn rule_set(&self) -> Option<RuleSet> {
        RuleSet::from_name(self.rules_name()?)
    }

    /// Returns the name of the record's rules (`RU`), shortened, if they are no [`RuleSet`].
    ///
    /// ```
    /// let record: go_mc::sgf::Record = "(;SZ[9]RU[Japanese])".parse()?;
    /// assert_eq!(record.other_rules().as_deref(), Some("Japanese"));
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn other_rules(&self) -> Option<String> {
        self.rules_name().filter(|name| RuleSet::from_name(name).is_none()).map(shown)
    }

    fn rules_name(&self) -> Option<&str> {
        let header = self.nodes.iter().take_while(|node| !node.is_move());
        let mut properties = header.flat_map(|node| &node.properties);
        let rules = properties.find(|property| property.name == "RU")?;
        rules.values.first().map(|name| name.trim()).filter(|name| !name.is_empty())
    }

    /// Returns the number of handicap stones: the black stones set up before the first move if
    /// there are no white ones, else the moves of Black before White's first. It is 0 or at least 2.
    ///
    /// ```
    /// let handicap = |text: &str| text.parse().map(|record: go_mc::sgf::Record| record.handicap());
    /// assert_eq!(handicap("(;SZ[9]HA[2]AB[cc][gg];W[ee])"), Ok(2));
    /// assert_eq!(handicap("(;SZ[9]HA[2];B[cc];B[gg];W[ee])"), Ok(2));
    /// assert_eq!(handicap("(;SZ[9]AB[cc][gg]AW[ee];B[aa])"), Ok(0));
    /// ```
    pub fn handicap(&self) -> u32 {
        let mut game = Game::new(Rules { size: self.size, ko: Ko::Simple, ..Rules::default() });
        for node in self.nodes.iter().take_while(|node| !node.is_move()) {
            node.play(&mut game);
        }
        let [black, white] = Color::ALL.map(|color| game.board().stones(color).len());
        match (black, white) {
            (0, 0) => opening_handicap(self.moves()),
            (2.., 0) => black,
            _ => 0,
        }
    }

    /// Returns the points that White gets for the [handicap](Self::handicap) under the record's
    /// [rules](Self::rule_set), besides the komi; 0 under rules that aren't known.
    pub fn handicap_bonus(&self) -> u32 {
        self.rule_set().map_or(0, |set| set.handicap_bonus(self.handicap()))
    }

    /// Returns the game before the root: an empty board with the [first
    /// player](Self::first_to_move) to move. Play the nodes on it with [`Node::play`]. The size
    /// comes from the record, whatever the rules say.
    pub fn new_game(&self, rules: Rules) -> Game {
        let mut game = Game::new(Rules { size: self.size, ..rules });
        game.set_to_move(self.first_to_move());
        game
    }

    /// Returns the board after all nodes. Illegal moves are played as written.
    ///
    /// ```
    /// let record: go_mc::sgf::Record = "(;SZ[3]AB[ba][ab];B[bb];AW[cc]AE[ba])".parse()?;
    /// assert_eq!(record.board().to_string(), "...\nXX.\n..O\n");
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    pub fn board(&self) -> Board {
        let mut game =
            self.new_game(Rules { ko: Ko::Simple, suicide: Suicide::All, ..Rules::default() });
        for node in &self.nodes {
            node.play(&mut game);
        }
        game.board().clone()
    }
}

//! Reads records leniently: accepts as much of each property as possible, with a remark on the
//! rest.

use super::error::{MAX_IN_VARIATIONS, MAX_NODES, MAX_VALUES, RemarkKind, SgfError, shown};
use super::record::{Action, Node, OF_GAME, Place, Property, Reading, Record, Variation};
use super::scanner::{Scanner, Token, Value};
use super::text::{Read, closed, mixed, narrow, point, points, unescaped, whole};
use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::game::{Game, Ko, Move, Rules, Setup};
use crate::rules::komi::Komi;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A property of a node as written.
struct Written<'a> {
    name: String,
    values: Vec<Value<'a>>,
}

impl<'a> Written<'a> {
    fn first(&self) -> Value<'a> {
        self.values.first().copied().unwrap_or_default()
    }
}

/// Reads the first game, or only its main line up to the node of the `moves`th move.
pub(super) fn read(text: &str, moves: Option<usize>) -> Result<Reading, SgfError> {
    let mut reader = Reader {
        scanner: Scanner::new(text)?,
        record: Record { nodes: Vec::new(), ..Record::new(DEFAULT_SIZE) },
        groups: alloc::vec![Group { opened: 1, ..Group::default() }],
        game: None,
        values: 0,
        in_variations: 0,
        moves: 0,
        is_main: true,
        has_size: false,
        handicap: 0,
        handicap_at: 0,
        counts_stones: false,
    };
    reader.read(moves)?;
    let Reader { mut scanner, mut record, handicap, handicap_at, .. } = reader;
    if record.nodes.is_empty() {
        record.nodes.push(Node::default());
    }
    let stones_first = record.nodes.iter().take_while(|node| !node.is_move()).any(Node::is_setup);
    let moves_first =
        record.moves().take(2).filter(|&(color, _)| color == Color::Black).count() == 2;
    if handicap > 1 && !stones_first && !moves_first {
        scanner.remarks.push(handicap_at, RemarkKind::NoHandicap(handicap));
    }
    let remarks = scanner.remarks.in_order(text);
    Ok(Reading { record, remarks })
}

/// The single-value properties without a field.
const SINGLE: [&str; 24] = [
    "AN", "AP", "BL", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "N", "ON", "OT", "PC", "RO",
    "RU", "SO", "ST", "TM", "US", "WL", "WR", "WT",
];

/// The one-letter properties defined by any version of SGF.
const LETTERS: [&str; 7] = ["B", "C", "L", "M", "N", "V", "W"];

const DEFAULT_SIZE: Size = Size::new(19, 19).expect("a size");

/// The most permissive rules of Go (no superko, suicide allowed): a remark on anything that breaks
/// even these.
const PERMISSIVE: Rules =
    Rules { size: DEFAULT_SIZE, ko: Ko::Simple, suicide: Suicide::Multi, komi: Komi::ZERO };

/// An open parenthesis, or several without a node in between that was kept: so there are never more
/// groups than nodes.
#[derive(Default)]
struct Group {
    opened: usize,
    /// The last node so far.
    at: Place,
    /// The moves up to it.
    moves: usize,
    /// Whether a node of the group was kept.
    has_nodes: bool,
    /// The position before the first of them; `None` before the first stone.
    before: Option<Box<(Board, Color)>>,
    /// Whether the group has nodes, all of them empty.
    is_empty: bool,
    /// Whether such a group within this one has ended.
    had_empty: bool,
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    record: Record,
    groups: Vec<Group>,
    /// The position after the last node; `None` before the first stone.
    game: Option<Game>,
    /// The number of values of other properties on the main line so far.
    values: usize,
    /// The number of nodes and such values in variations so far.
    in_variations: usize,
    /// The moves of the main line.
    moves: usize,
    /// Whether the node being read is on the main line.
    is_main: bool,
    has_size: bool,
    /// The value and the position of `HA`.
    handicap: u32,
    handicap_at: usize,
    /// Whether the komi may be in Chinese points, which count double.
    counts_stones: bool,
}

impl<'a> Reader<'a> {
    fn read(&mut self, moves: Option<usize>) -> Result<(), SgfError> {
        let mut node: Option<(usize, Vec<Written<'a>>)> = None;
        loop {
            match self.scanner.next_token() {
                Some(Token::Property { name, values }) => {
                    if let Some((_, properties)) = &mut node {
                        properties.push(Written { name, values });
                    }
                }
                token => {
                    if let Some((at, properties)) = node.take() {
                        self.read_node(at, properties)?;
                    }
                    match token {
                        _ if moves.is_some_and(|moves| self.moves >= moves) => return Ok(()),
                        None => return Ok(()),
                        Some(Token::Open) => self.open(),
                        Some(Token::Close) => self.close(),
                        Some(_) => node = Some((self.scanner.at() - 1, Vec::new())),
                    }
                }
            }
        }
    }

    fn open(&mut self) {
        match self.groups.last_mut() {
            Some(group) if !group.has_nodes => group.opened += 1,
            Some(&mut Group { at, moves, .. }) => {
                self.groups.push(Group { opened: 1, at, moves, ..Group::default() });
            }
            None => {}
        }
    }

    /// Goes back to the node before the parenthesis.
    fn close(&mut self) {
        let Some(group) = self.groups.pop() else { return };
        if group.has_nodes {
            self.game =
                group.before.map(|position| Game::from_board(position.0, position.1, PERMISSIVE));
        }
        let left = group.opened - 1;
        let is_empty = group.is_empty && !group.has_nodes;
        let outer = self.groups.last();
        let (at, moves) = outer.map_or_else(Default::default, |outer| (outer.at, outer.moves));
        if left > 0 {
            let had_empty = group.had_empty || is_empty;
            self.groups.push(Group {
                opened: left,
                at,
                moves,
                is_empty,
                had_empty,
                ..Group::default()
            });
        } else if let Some(outer) = self.groups.last_mut() {
            outer.had_empty |= is_empty;
        }
    }

    /// Returns whether the next node continues the line of the last one. A first variation of empty
    /// nodes ends that line.
    fn continues(&self) -> bool {
        let [.., group] = &self.groups[..] else { return true };
        let outer = self.groups.iter().rev().nth(1);
        let had_empty =
            group.had_empty || outer.is_some_and(|outer| outer.had_empty && !group.has_nodes);
        let length = self.record.line(group.at.line).map_or(0, <[Node]>::len);
        group.at.node + 1 >= length && !had_empty
    }

    fn read_node(&mut self, at: usize, mut written: Vec<Written<'a>>) -> Result<(), SgfError> {
        self.is_main =
            self.continues() && self.groups.last().is_none_or(|group| group.at.line == 0);
        if !self.is_main && !self.has_room(at, 1) {
            return Ok(());
        }
        let begins = self.is_main && self.game.is_none();
        // Properties that others depend on are read first.
        if begins {
            self.counts_stones |= is_gogod_chinese(&written);
            for property in &written {
                match property.name.as_str() {
                    "SZ" => self.read_size(property)?,
                    // The komi depends on the handicap.
                    "HA" => self.read_handicap(property),
                    _ => {}
                }
            }
        }
        let mut node = Node::default();
        let mut setup = Setup::default();
        let (mut sets_up, mut played): (bool, Vec<(Color, Move)>) = (false, Vec::new());
        for property in written.drain(..) {
            let (at, value) = property.first();
            let name = property.name.as_str();
            match name {
                "SZ" => {
                    let size = (self.record.size.width(), self.record.size.height());
                    if !begins && sides(value) != Some(size) {
                        self.remark(at, RemarkKind::Second("SZ".to_string()));
                    }
                }
                "AB" | "AW" | "AE" => sets_up |= self.read_setup(&property, &mut setup),
                "B" | "W" => {
                    let color = if name == "B" { Color::Black } else { Color::White };
                    let is_new = !played.iter().any(|&(other, _)| other == color);
                    if let Some(mv) = self.read_move(&property) {
                        if is_new {
                            played.push((color, mv));
                        } else if !played.contains(&(color, mv)) {
                            self.remark(at, RemarkKind::Second(name.to_string()));
                        }
                    }
                }
                "PL" => {
                    node.to_move = self.read_color(at, value).or(node.to_move);
                    self.only_one(&property);
                }
                "C" => {
                    if !node.comment.is_empty() {
                        self.remark(at, RemarkKind::Twice("C".to_string()));
                        node.comment.push('\n');
                    }
                    node.comment.push_str(&unescaped(value));
                    self.only_one(&property);
                }
                "SBKV" => match value
                    .trim()
                    .parse()
                    .ok()
                    .filter(|percent| (0.0..=100.0).contains(percent))
                {
                    Some(percent) => node.black_win_percent = Some(percent),
                    None => self.scanner.remarks.invalid(at, name, value),
                },
                "GM" if self.is_main => self.read_game(&property)?,
                "GM" => {}
                "FF" | "CA" => {
                    if value.contains('[') {
                        self.scanner.remarks.invalid(at, name, value);
                    }
                    self.only_one(&property);
                }
                name if !self.is_main && OF_GAME.contains(&name) => {
                    self.keep_as_written(property, &mut node)?;
                }
                "KM" => self.read_komi(&property),
                // The komi in records of the Nihon Ki-in; elsewhere, `KO` marks a node.
                "KO" if self.is_main && !value.trim().is_empty() => {
                    match komi(value).filter(|_| self.record.komi.is_none()) {
                        Some(komi) => {
                            self.record.komi = Some(komi);
                            self.scanner.remarks.read(at, name, value, &komi);
                        }
                        None => self.keep_as_written(property, &mut node)?,
                    }
                }
                "PB" | "PW" | "RE" => self.read_header(&property),
                "HA" if begins => {
                    if let Some(stones) = handicap(value) {
                        self.keep(property.name, at, alloc::vec![stones.to_string()], &mut node)?;
                    }
                }
                _ => self.keep_as_written(property, &mut node)?,
            }
        }
        if played.len() > 1 {
            self.remark(at, RemarkKind::TwoMoves);
        }
        self.push(at, node, sets_up.then_some(setup), &played)
    }

    /// Adds the parts of a node: the setup, each move, and the player to move after a move. The
    /// node's other properties belong to its last move, or to the root.
    fn push(
        &mut self,
        at: usize,
        node: Node,
        setup: Option<Setup>,
        played: &[(Color, Move)],
    ) -> Result<(), SgfError> {
        let is_root = self.record.nodes.is_empty();
        let part = |action| Node { action, ..Node::default() };
        let mut parts: Vec<Node> =
            setup.map(|setup| part(Action::Setup(Box::new(setup)))).into_iter().collect();
        if parts.is_empty() && (is_root || played.is_empty()) {
            parts.push(Node::default());
        }
        parts.extend(played.iter().map(|&(color, mv)| part(Action::Move(color, mv))));
        let holder = if is_root { 0 } else { parts.len() - 1 };
        let to_move = if played.is_empty() { None } else { node.to_move };
        let kept = &mut parts[holder];
        *kept = Node { action: core::mem::take(&mut kept.action), ..node };
        if let Some(color) = to_move {
            parts[holder].to_move = None;
            parts.push(Node { to_move: Some(color), ..Node::default() });
        }
        let is_first = self.groups.last().is_some_and(|group| !group.has_nodes);
        let position = |game: &Game| Box::new((game.board().clone(), game.to_move()));
        let before = self.game.as_ref().filter(|_| is_first).map(position);
        for part in &mut parts {
            self.play(at, &mut part.action);
        }
        parts.retain(|part| is_root && part.is_move() || *part != Node::default());
        if is_root && parts.first().is_none_or(Node::is_move) {
            parts.insert(0, Node::default());
        }
        self.add(parts, before)
    }

    /// Adds nodes behind the last one.
    fn add(
        &mut self,
        mut parts: Vec<Node>,
        before: Option<Box<(Board, Color)>>,
    ) -> Result<(), SgfError> {
        let continues = self.continues();
        let Some(group) = self.groups.last_mut() else { return Ok(()) };
        if parts.is_empty() {
            group.is_empty = true;
            return Ok(());
        }
        if !core::mem::replace(&mut group.has_nodes, true) {
            group.before = before;
        }
        if !continues {
            let after = group.at;
            let Record { nodes, variations, .. } = &mut self.record;
            let line =
                after.line.checked_sub(1).map_or(nodes, |number| &mut variations[number].nodes);
            if after.node + 1 == line.len() {
                line.push(Node::default());
            }
            variations.push(Variation { after, nodes: Vec::with_capacity(parts.len()) });
            group.at.line = variations.len();
        }
        group.had_empty = false;
        let Record { nodes, variations, .. } = &mut self.record;
        let line =
            group.at.line.checked_sub(1).map_or(nodes, |number| &mut variations[number].nodes);
        line.append(&mut parts);
        group.at.node = line.len() - 1;
        if self.record.nodes.len() > MAX_NODES { Err(SgfError::TooManyNodes) } else { Ok(()) }
    }

    /// Plays the action of a node, with a remark on what no game has. Takes stones without a
    /// liberty out of a setup.
    fn play(&mut self, at: usize, action: &mut Action) {
        if *action == Action::None {
            return;
        }
        let rules = Rules { size: self.record.size, ..PERMISSIVE };
        let game = self.game.get_or_insert_with(|| Game::new(rules));
        match action {
            Action::Setup(setup) => {
                let before = game.board().stones(Color::Black) | game.board().stones(Color::White);
                let lost = game.set_up(setup);
                if !lost.is_empty() {
                    self.scanner.remarks.push(at, RemarkKind::NoLiberty(lost.len()));
                    let Setup { black, white, empty } = **setup;
                    let empty = empty | (lost & before);
                    **setup = Setup { black: black - lost, white: white - lost, empty };
                    if **setup == Setup::default() {
                        *action = Action::None;
                    }
                }
            }
            &mut Action::Move(color, mv) => {
                self.moves += usize::from(self.is_main);
                let broken = game.play_recorded(color, mv);
                let Some(group) = self.groups.last_mut() else { return };
                group.moves += 1;
                if let Some(error) = broken {
                    let number = group.moves;
                    self.scanner.remarks.push(at, RemarkKind::Illegal { number, error });
                }
            }
            Action::None => {}
        }
    }

    /// Counts nodes or values of a variation. Returns whether there is room for them.
    fn has_room(&mut self, at: usize, size: usize) -> bool {
        let had_room = self.in_variations <= MAX_IN_VARIATIONS;
        self.in_variations += size;
        let has_room = self.in_variations <= MAX_IN_VARIATIONS;
        if had_room && !has_room {
            self.remark(at, RemarkKind::MoreVariations);
        }
        has_room
    }

    fn read_game(&mut self, property: &Written) -> Result<(), SgfError> {
        let (at, value) = property.first();
        match value.trim() {
            "1" | "" => {}
            other if other.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(SgfError::OtherGame(shown(other)));
            }
            _ => self.scanner.remarks.invalid(at, "GM", value),
        }
        self.only_one(property);
        Ok(())
    }

    /// Reads `SZ`, which must come before the first stone.
    fn read_size(&mut self, property: &Written) -> Result<(), SgfError> {
        let (at, value) = property.first();
        let Some((width, height)) = sides(value) else {
            self.remark(at, RemarkKind::Size(shown(value)));
            return Ok(());
        };
        let size = Size::new(width, height).ok_or_else(|| SgfError::TooLarge(shown(value)))?;
        self.only_one(property);
        if core::mem::replace(&mut self.has_size, true) {
            if size != self.record.size {
                self.remark(at, RemarkKind::Second("SZ".to_string()));
            }
            return Ok(());
        }
        if value
            .contains(|char: char| !char.is_ascii_digit() && char != ':' && !char.is_whitespace())
        {
            let read = if width == height {
                width.to_string()
            } else {
                alloc::format!("{width}:{height}")
            };
            self.scanner.remarks.read(at, "SZ", value, &read);
        }
        self.record.size = size;
        Ok(())
    }

    fn read_komi(&mut self, property: &Written) {
        let (at, value) = property.first();
        let Some(written) = komi(value) else {
            return self.scanner.remarks.invalid(at, "KM", value);
        };
        let komi = in_points(written, self.handicap > 1, self.counts_stones);
        if komi.to_bits() != written.to_bits() || plain_komi(value).is_none() {
            self.scanner.remarks.read(at, "KM", value, &komi);
        }
        match self.record.komi {
            None => self.record.komi = Some(komi),
            Some(other) if other.to_bits() != komi.to_bits() => {
                self.remark(at, RemarkKind::Second("KM".to_string()));
            }
            Some(_) => {}
        }
        self.only_one(property);
    }

    fn read_header(&mut self, property: &Written) {
        let (at, value) = property.first();
        let text = unescaped(value).replace('\n', " ");
        let [black, white] = &mut self.record.player_names;
        let field = match property.name.as_str() {
            "PB" => black,
            "PW" => white,
            _ => &mut self.record.result,
        };
        if field.is_empty() {
            *field = text;
        } else if *field != text {
            self.remark(at, RemarkKind::Second(property.name.clone()));
        }
        self.only_one(property);
    }

    fn read_color(&mut self, at: usize, value: &str) -> Option<Color> {
        let color = match value.trim().to_ascii_lowercase().as_str() {
            "b" | "black" | "1" => Some(Color::Black),
            "w" | "white" | "2" => Some(Color::White),
            _ => None,
        };
        if color.is_none() {
            self.scanner.remarks.invalid(at, "PL", value);
        }
        color
    }

    fn read_move(&mut self, property: &Written) -> Option<Move> {
        let (at, value) = property.first();
        let name = property.name.as_str();
        self.only_one(property);
        // `tt` was a pass before SGF version 4.
        if matches!(value, "" | "tt") {
            return Some(Move::Pass);
        }
        let mv = match value.trim() {
            "" => return Some(Move::Pass),
            text if ["pass", "tt", "``"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) => {
                Move::Pass
            }
            _ => match point(self.record.size, value) {
                Read::Plain(point) => return Some(Move::Play(point)),
                Read::Unusual(point) => Move::Play(point),
                Read::OffBoard => {
                    let property = name.to_string();
                    let value = shown(value);
                    self.remark(at, RemarkKind::OffBoard { property, value });
                    return None;
                }
                Read::Invalid => {
                    self.scanner.remarks.invalid(at, name, value);
                    return None;
                }
            },
        };
        self.scanner.remarks.read(at, name, value, &mv);
        Some(mv)
    }

    /// Reads the points of `AB`, `AW` or `AE`. Returns whether there are any.
    fn read_setup(&mut self, property: &Written, setup: &mut Setup) -> bool {
        let name = property.name.as_str();
        for &(at, value) in &property.values {
            let found = match points(self.record.size, value) {
                Read::Plain(found) => found,
                Read::Unusual(found) => {
                    self.scanner.remarks.read(
                        at,
                        name,
                        value,
                        &format_args!("{} points", found.len()),
                    );
                    found
                }
                Read::OffBoard => {
                    let property = name.to_string();
                    let value = shown(value);
                    self.remark(at, RemarkKind::OffBoard { property, value });
                    continue;
                }
                Read::Invalid => {
                    self.scanner.remarks.invalid(at, name, value);
                    continue;
                }
            };
            let set = match name {
                "AB" => &mut setup.black,
                "AW" => &mut setup.white,
                _ => &mut setup.empty,
            };
            *set |= found;
            if !(setup.black & setup.white | (setup.black | setup.white) & setup.empty).is_empty() {
                // Most programs do this, whatever the order of the properties.
                setup.black -= setup.white;
                setup.empty -= setup.black | setup.white;
                let property = name.to_string();
                let value = shown(value);
                self.remark(at, RemarkKind::SetUpTwice { property, value });
            }
        }
        *setup != Setup::default()
    }

    fn read_handicap(&mut self, property: &Written) {
        let (at, value) = property.first();
        match handicap(value) {
            Some(stones) => {
                (self.handicap, self.handicap_at) = (stones, at);
                if value.trim().parse::<u32>().is_err() {
                    self.scanner.remarks.read(at, "HA", value, &stones);
                }
            }
            None => self.scanner.remarks.invalid(at, "HA", value),
        }
    }

    fn keep_as_written(&mut self, property: Written, node: &mut Node) -> Result<(), SgfError> {
        let (at, _) = property.first();
        let values = property.values.into_iter().map(|(_, value)| closed(value)).collect();
        self.keep(property.name, at, values, node)
    }

    /// Keeps a property without its own field.
    fn keep(
        &mut self,
        name: String,
        at: usize,
        values: Vec<String>,
        node: &mut Node,
    ) -> Result<(), SgfError> {
        let size = 1 + values.len();
        if self.is_main {
            self.values += size;
            if self.values > MAX_VALUES {
                return Err(SgfError::TooManyValues);
            }
        } else if !self.has_room(at, size) {
            return Ok(());
        }
        if name.len() == 1 && !LETTERS.contains(&name.as_str()) {
            self.remark(at, RemarkKind::Unknown(name.clone()));
        }
        match node.properties.iter_mut().find(|property| property.name == name) {
            Some(other) if SINGLE.contains(&name.as_str()) => {
                if other.values != values {
                    self.remark(at, RemarkKind::Second(name));
                }
            }
            Some(other) => {
                other.values.extend(values);
                self.remark(at, RemarkKind::Twice(shown(&name)));
            }
            None => node.properties.push(Property { name, values }),
        }
        Ok(())
    }

    /// Adds a remark if a property has more than one distinct value; only the first is read.
    fn only_one(&mut self, property: &Written) {
        let (_, first) = property.first();
        if let Some(&(at, _)) = property.values.iter().find(|&&(_, value)| value != first) {
            self.remark(at, RemarkKind::Second(property.name.clone()));
        }
    }

    fn remark(&mut self, at: usize, kind: RemarkKind) {
        self.scanner.remarks.push(at, kind);
    }
}

/// Returns the width and height of `SZ`: a number, or two separated by a colon (in files of some
/// programs by a letter or sign for "times"); words can follow.
fn sides(value: &str) -> Option<(usize, usize)> {
    let text = narrow(value);
    let (width, rest) = whole(&text)?;
    let (height, rest) = match rest.strip_prefix([':', 'x', 'X', '\u{d7}', '*']) {
        Some(height) => whole(height)?,
        None => (width, rest),
    };
    let is_size = width > 0 && height > 0 && !rest.contains(|char: char| char.is_ascii_digit());
    is_size.then_some((width as usize, height as usize))
}

/// Returns the number of stones of `HA`; words can follow.
fn handicap(value: &str) -> Option<u32> {
    let text = narrow(value);
    let (stones, rest) = whole(&text)?;
    Some(stones).filter(|_| !rest.contains(|char: char| char.is_ascii_digit()))
}

/// Returns a komi in its usual form: a number, with a comma or a point.
fn plain_komi(value: &str) -> Option<f64> {
    let number = value.trim().replace(',', ".").parse().ok();
    // Adding zero drops the sign of -0.
    number.filter(|komi: &f64| komi.is_finite()).map(|komi| komi + 0.0)
}

/// Returns a komi: a number or a fraction, and words that name it. "Black gives 3 and 3/4 stones",
/// in Chinese, is 7.5 points: a stone counts two. "6 points half", in Chinese, Japanese and Korean,
/// is 6.5.
fn komi(value: &str) -> Option<f64> {
    if let Some(komi) = plain_komi(value) {
        return Some(komi);
    }
    let text = narrow(value).replace(',', ".").replace('\u{53c8}', " ");
    let text = text.replace('\u{bc}', " 1/4").replace('\u{bd}', " 1/2").replace('\u{be}', " 3/4");
    let (number, rest) = mixed(text.trim_start_matches(BEFORE_KOMI).trim_start())?;
    let unit = rest.trim_start_matches(POINTS).trim_start();
    let (stone, unit) = unit.strip_prefix('\u{5b50}').map_or((1.0, unit), |unit| (2.0, unit));
    let half = if unit.starts_with(['\u{534a}', '\u{bc18}']) { 0.5_f64 } else { 0.0 };
    // An exponent is no word.
    let is_komi = !rest.starts_with(['e', 'E']);
    let komi = stone * (number + half.copysign(number)) + 0.0;
    Some(komi).filter(|komi| is_komi && komi.is_finite())
}

/// Words before a komi: "Black", "gives" and "komi".
const BEFORE_KOMI: [char; 7] =
    ['\u{9ed1}', '\u{9ed2}', '\u{8d34}', '\u{8cbc}', '\u{30b3}', '\u{30df}', '\u{b364}'];

/// Words for a point.
const POINTS: [char; 4] = ['\u{76ee}', '\u{70b9}', '\u{9ede}', '\u{c9d1}'];

/// Returns whether a root is of the collection `GoGoD`, which writes the komi of Chinese games in
/// Chinese points, which count double.
fn is_gogod_chinese(root: &[Written]) -> bool {
    let value = |name| {
        root.iter().find(|property| property.name == name).map(|property| property.first().1)
    };
    let rules = value("RU").unwrap_or_default().trim();
    value("US").is_some_and(|source| source.trim_start().starts_with("GoGoD"))
        && ["Chinese", "Chinese, Pair Go"].iter().any(|chinese| rules.eq_ignore_ascii_case(chinese))
}

/// Returns a komi in points. The Fox server writes hundredths: of points (650), of Chinese points,
/// which count double (325, 375), and 50 in handicap games. Quarters are Chinese points where a
/// file has them.
fn in_points(komi: f64, has_handicap: bool, counts_stones: bool) -> f64 {
    let in_hundredths = komi % 25.0 == 0.0;
    match komi {
        200.0..=400.0 if in_hundredths => komi / 50.0,
        401.0..=1000.0 if in_hundredths => komi / 100.0,
        50.0 if has_handicap => 0.5,
        _ if counts_stones && komi % 0.25 == 0.0 && komi % 0.5 != 0.0 => 2.0 * komi,
        _ => komi,
    }
}

//! Levels as TOML: [`Level::from_toml`], [`Level::to_toml`], and what is wrong with a text.

mod values;

use super::Level;
use super::goals::{Goal, Target};
use super::kind::Kind;
use super::spec::{
    Cover, Effects, Falls, Gravity, Ground, Items, Layer, LevelError, LevelSpec, Limit, MAX_LAYERS,
    Place, Portal, ShuffleRule, Spawner, Start, StartCell,
};
use crate::board::{At, MAX_SIDE};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;
use values::{Rows, Source, Table, Value};

const VERSION: u64 = 1;

const FALLS: [(&str, Falls); 2] = [("straight", Falls::Straight), ("diagonal", Falls::Diagonal)];
const GRAVITY: [(&str, Gravity); 4] = [
    ("down", Gravity::Down),
    ("up", Gravity::Up),
    ("left", Gravity::Left),
    ("right", Gravity::Right),
];
const SHUFFLE: [(&str, ShuffleRule); 3] = [
    ("rearrange", ShuffleRule::Rearrange),
    ("recolor", ShuffleRule::Recolor),
    ("end", ShuffleRule::End),
];
const KINDS: [(&str, Kind); 5] = [
    ("row", Kind::Row),
    ("column", Kind::Column),
    ("bomb", Kind::Bomb),
    ("color", Kind::Color),
    ("square", Kind::Square),
];
/// Contents with a word of their own.
const WORDS: [(&str, (Ground, Start)); 5] = [
    ("item", (Ground::Open, Start::Item)),
    ("random", (Ground::Open, RANDOM)),
    ("empty", (Ground::Open, Start::Empty)),
    ("wall", (Ground::Wall, Start::Empty)),
    ("void", (Ground::Void, Start::Empty)),
];
/// The targets of goals, in addition to colors.
const TARGETS: [(&str, Target); 8] = [
    ("score", Target::Score),
    ("jelly", Target::Jelly),
    ("crates", Target::Crates),
    ("ice", Target::Ice),
    ("locks", Target::Locked),
    ("items", Target::Items),
    ("set_off", Target::SetOff),
    ("made", Target::Made),
];
const KEYS: [&str; 21] = [
    "version",
    "name",
    "colors",
    "moves",
    "time",
    "goals",
    "falls",
    "gravity",
    "specials",
    "cascade_limit",
    "shuffle",
    "bonus",
    "pieces",
    "jelly",
    "ice",
    "locks",
    "spawners",
    "exits",
    "portals",
    "items",
    "legend",
];
const RANDOM: Start = Start::Piece { color: None, special: None, cover: Cover::None };

/// The example levels, of different kinds, from easy to near impossible: the name of each file, and
/// its text.
///
/// ```
/// use match3::level::{EXAMPLES, Level};
/// for (name, text) in EXAMPLES {
///     println!("{name}: {}", Level::from_toml(text)?.spec().name);
/// }
/// # Ok::<(), match3::level::LevelFileError>(())
/// ```
pub const EXAMPLES: [(&str, &str); 10] = [
    ("01-meadow", include_str!("../../levels/01-meadow.toml")),
    ("02-shelf", include_str!("../../levels/02-shelf.toml")),
    ("03-frost", include_str!("../../levels/03-frost.toml")),
    ("04-warehouse", include_str!("../../levels/04-warehouse.toml")),
    ("05-jam", include_str!("../../levels/05-jam.toml")),
    ("06-harvest", include_str!("../../levels/06-harvest.toml")),
    ("07-tunnels", include_str!("../../levels/07-tunnels.toml")),
    ("08-river", include_str!("../../levels/08-river.toml")),
    ("09-fountain", include_str!("../../levels/09-fountain.toml")),
    ("10-keep", include_str!("../../levels/10-keep.toml")),
];

/// What is wrong with the text of a level file, and where. Lines and columns count characters from
/// 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
#[non_exhaustive]
pub struct LevelFileError {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What was expected, in one line without the place.
    pub message: String,
}

impl Level {
    /// Reads a level from the text of a level file: TOML, as the
    /// [page on level files](https://github.com/bitcade/bitcade/blob/main/docs/level-files.md)
    /// describes it.
    ///
    /// ```
    /// use match3::level::Level;
    /// let text = "
    /// version = 1
    /// colors = 4
    /// moves = 20
    /// goals = [{ jelly = \"all\" }]
    /// pieces = '''
    /// ?????
    /// ?????
    /// ??#??
    /// ?????'''
    /// jelly = '''
    /// .....
    /// .....
    /// .1.1.
    /// .1.1.'''
    /// ";
    /// let level = Level::from_toml(text)?;
    /// assert_eq!((level.width(), level.height()), (5, 4));
    /// assert_eq!(Level::from_toml(&level.to_toml()), Ok(level));
    /// let error = Level::from_toml(&text.replace("??#??", "??!??")).unwrap_err();
    /// assert_eq!((error.line, error.column), (9, 3));
    /// # Ok::<(), match3::level::LevelFileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The place and the reason of the first fault: the text isn't TOML, a key is unknown, a value
    /// isn't what its key takes, or the level isn't one that [`Level::new`] accepts.
    pub fn from_toml(text: &str) -> Result<Self, LevelFileError> {
        let document = Source(text).parse()?;
        let table = Table::new(Source(text), document.get_ref(), 0).of(&KEYS)?;
        let file = File::read(table)?;
        let places = file.places;
        Self::new(file.spec).map_err(|error| places.error(table, &error))
    }

    /// Returns the text of a level file, which [`from_toml`](Self::from_toml) reads back as an equal
    /// level.
    pub fn to_toml(&self) -> String {
        written(self.spec())
    }
}

/// A level as read, and where its parts are.
struct File<'t> {
    spec: LevelSpec,
    places: Places<'t>,
}

/// Where the layers and the goals of a file are.
struct Places<'t> {
    layers: Vec<(Layer, Rows<'t>)>,
    goals: Vec<usize>,
}

impl Places<'_> {
    /// Returns the error for a fault of a level that is well formed.
    fn error(&self, table: Table<'_, '_>, error: &LevelError) -> LevelFileError {
        let reason = &error.reason;
        match error.place {
            Place::Rules(field) => {
                // A key that is missing has no place.
                let value = table.get(field).or(table.get("items")).or(table.get("pieces"));
                let at = value.map_or(0, Value::at);
                table.error(at, format!("{field}: {reason}"))
            }
            Place::Cell { layer, at } => {
                let rows = |layer| self.layers.iter().find(|(found, _)| *found == layer);
                let rows = rows(layer).or(rows(Layer::Pieces)).map(|(_, rows)| rows);
                let byte = rows.map_or(0, |rows| rows.at(at));
                table.error(byte, format!("{}: {reason}", name_of(layer)))
            }
            Place::Goal(index) => {
                let at = self.goals.get(index).copied().unwrap_or(0);
                table.error(at, format!("goals: {reason}"))
            }
        }
    }
}

const LAYER_NAMES: [(Layer, &str); 7] = [
    (Layer::Pieces, "pieces"),
    (Layer::Jelly, "jelly"),
    (Layer::Ice, "ice"),
    (Layer::Locks, "locks"),
    (Layer::Spawners, "spawners"),
    (Layer::Exits, "exits"),
    (Layer::Portals, "portals"),
];

fn name_of(layer: Layer) -> &'static str {
    LAYER_NAMES.iter().find(|(found, _)| *found == layer).map_or("cells", |(_, name)| name)
}

/// What a character of the legend means.
#[derive(Clone)]
enum Meaning {
    Cell(Ground, Start),
    Spawner { weights: Option<Vec<u32>>, items: bool, limit: Option<u32> },
}

type Legend = BTreeMap<char, Meaning>;

impl<'t> File<'t> {
    fn read(table: Table<'_, 't>) -> Result<Self, LevelFileError> {
        table.require("version")?.expected_number(VERSION)?;
        let legend = table.get("legend").map_or(Ok(Legend::new()), legend)?;
        let pieces = table.require("pieces")?.rows()?;
        let (width, height) = pieces.size();
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            let found = format!("found {width} x {height}");
            let message = format!("expected 1 to {MAX_SIDE} columns and rows, {found}");
            return Err(pieces.error(pieces.at((0, 0)), message));
        }
        let mut spec = LevelSpec::new(width, height);
        read_rules(table, &mut spec)?;
        let places = Places { layers: Vec::new(), goals: Vec::new() };
        let mut file = Self { spec, places };
        file.read_pieces(pieces, &legend)?;
        for (layer, name) in &LAYER_NAMES[1..] {
            if let Some(value) = table.get(name) {
                let rows = value.rows()?;
                rows.check((width, height))?;
                file.read_layer(*layer, &rows, &legend)?;
                file.places.layers.push((*layer, rows));
            }
        }
        if let Some(goals) = table.get("goals") {
            for goal in goals.list("a list of goals such as { color = 1, count = 20 }")? {
                let read = read_goal(goal, &file.spec)?;
                file.spec.goals.push(read);
                file.places.goals.push(goal.at());
            }
        }
        Ok(file)
    }

    fn read_pieces(&mut self, rows: Rows<'t>, legend: &Legend) -> Result<(), LevelFileError> {
        rows.check((self.spec.width, self.spec.height))?;
        for (at, byte, found) in rows.cells() {
            let color =
                |color| Start::Piece { color: Some(color), special: None, cover: Cover::None };
            let (ground, start) = match found {
                '?' => (Ground::Open, RANDOM),
                '.' => (Ground::Open, Start::Empty),
                '#' => (Ground::Wall, Start::Empty),
                '_' => (Ground::Void, Start::Empty),
                '1'..='9' => (Ground::Open, color(found as u8 - b'0')),
                _ => match legend.get(&found) {
                    Some(&Meaning::Cell(ground, start)) => (ground, start),
                    Some(Meaning::Spawner { .. }) => {
                        let message = format!("expected a cell, {found:?} is a spawner");
                        return Err(rows.error(byte, message));
                    }
                    None => {
                        let expected = "expected ?, ., #, _, 1-9 or a character of the legend";
                        return Err(rows.error(byte, format!("{expected}, found {found:?}")));
                    }
                },
            };
            *self.spec.cell(at) = StartCell { ground, start, jelly: 0 };
        }
        self.places.layers.push((Layer::Pieces, rows));
        Ok(())
    }

    fn read_layer(
        &mut self,
        layer: Layer,
        rows: &Rows<'t>,
        legend: &Legend,
    ) -> Result<(), LevelFileError> {
        let mut spawners = Vec::new();
        let mut ends = BTreeMap::<char, (usize, [Option<At>; 2])>::new();
        for (at, byte, found) in rows.cells() {
            let wrong = |expected| Err(rows.error(byte, format!("{expected}, found {found:?}")));
            if found == '.' {
                continue;
            }
            match layer {
                Layer::Jelly => match found {
                    '1'..='9' => self.spec.cell(at).jelly = found as u8 - b'0',
                    _ => return wrong("expected layers 1-9, or . for none"),
                },
                Layer::Ice => match found {
                    '1'..='9' => self.cover(rows, at, byte, Cover::Ice(found as u8 - b'0'))?,
                    _ => return wrong("expected layers 1-9, or . for none"),
                },
                Layer::Locks => match found {
                    'x' => self.cover(rows, at, byte, Cover::Lock)?,
                    _ => return wrong("expected x, or . for none"),
                },
                Layer::Spawners => match (found, legend.get(&found)) {
                    ('x', None) => spawners.push(Spawner::new(at)),
                    (_, Some(Meaning::Spawner { weights, items, limit })) => {
                        let weights = weights.clone();
                        spawners.push(Spawner { at, weights, items: *items, limit: *limit });
                    }
                    _ => return wrong("expected x, a spawner of the legend, or . for none"),
                },
                Layer::Exits => match found {
                    'x' => self.spec.exits.push(at),
                    _ => return wrong("expected x, or . for none"),
                },
                Layer::Portals | Layer::Pieces => {
                    if !found.is_ascii_alphabetic() {
                        return wrong(
                            "expected A-Z where a portal begins, a-z where it ends, or .",
                        );
                    }
                    let (_, ends) =
                        ends.entry(found.to_ascii_uppercase()).or_insert((byte, [None; 2]));
                    let end = &mut ends[usize::from(found.is_ascii_lowercase())];
                    if end.replace(at).is_some() {
                        return Err(rows.error(byte, format!("{found:?} is there twice")));
                    }
                }
            }
        }
        for (name, (byte, ends)) in ends {
            let [Some(entrance), Some(exit)] = ends else {
                let other = if ends[0].is_some() { name.to_ascii_lowercase() } else { name };
                let message = format!("expected the other end, {other:?}, of this portal");
                return Err(rows.error(byte, message));
            };
            self.spec.portals.push(Portal { entrance, exit });
        }
        if layer == Layer::Spawners {
            self.spec.spawners = Some(spawners);
        }
        Ok(())
    }

    fn cover(
        &mut self,
        rows: &Rows<'t>,
        at: At,
        byte: usize,
        covers: Cover,
    ) -> Result<(), LevelFileError> {
        match &mut self.spec.cell(at).start {
            Start::Piece { cover: cover @ Cover::None, .. } => {
                *cover = covers;
                Ok(())
            }
            Start::Piece { .. } => Err(rows.error(byte, "expected a piece without ice")),
            _ => Err(rows.error(byte, "expected a piece in this cell")),
        }
    }
}

fn read_rules(table: Table<'_, '_>, spec: &mut LevelSpec) -> Result<(), LevelFileError> {
    if let Some(name) = table.get("name") {
        spec.name = name.text()?.to_string();
    }
    let colors = table.require("colors")?;
    spec.colors = if colors.as_number().is_some() {
        vec![1; colors.number(1..=15)?]
    } else {
        weights(colors, "a number of colors, or a list of weights")?
    };
    spec.limit = match (table.get("moves"), table.get("time")) {
        (Some(moves), None) => Limit::Moves(moves.number(1..=u32::MAX)?),
        (None, Some(time)) => Limit::Time(time.number(1..=u32::MAX)?),
        (Some(_), Some(time)) => return Err(time.error("expected moves or time, found both")),
        (None, None) => return Err(table.error(0, "expected a key \"moves\" or \"time\"")),
    };
    if let Some(falls) = table.get("falls") {
        spec.falls = falls.choice(&FALLS)?;
    }
    if let Some(gravity) = table.get("gravity") {
        spec.gravity = gravity.choice(&GRAVITY)?;
    }
    if let Some(shuffle) = table.get("shuffle") {
        spec.shuffle = shuffle.choice(&SHUFFLE)?;
    }
    if let Some(limit) = table.get("cascade_limit") {
        spec.cascade_limit = limit.number(1..=u32::MAX)?;
    }
    if let Some(bonus) = table.get("bonus") {
        spec.bonus = bonus.number(0..=u32::MAX)?;
    }
    if let Some(specials) = table.get("specials") {
        spec.effects = effects(specials)?;
    }
    if let Some(items) = table.get("items") {
        let keys = items.table("a table such as { total = 3, at_once = 1 }")?;
        let keys = keys.of(&["total", "at_once"])?;
        let total = keys.require("total")?.number(0..=u32::MAX)?;
        let at_once = keys.get("at_once").map_or(Ok(1), |value| value.number(0..=u32::MAX))?;
        spec.items = Items { total, at_once };
    }
    Ok(())
}

fn effects(specials: Value<'_, '_>) -> Result<Effects, LevelFileError> {
    if let Some(specials) = specials.as_boolean() {
        let none = Effects { specials, pairs: false, square: false };
        return Ok(if specials { Effects::default() } else { none });
    }
    let keys = specials.table("true, false, or a table such as { pairs = true, square = true }")?;
    let keys = keys.of(&["pairs", "square"])?;
    let usual = Effects::default();
    let pairs = keys.get("pairs").map_or(Ok(usual.pairs), Value::boolean)?;
    let square = keys.get("square").map_or(Ok(usual.square), Value::boolean)?;
    Ok(Effects { pairs, square, ..usual })
}

fn weights(value: Value<'_, '_>, expected: &str) -> Result<Vec<u32>, LevelFileError> {
    value.list(expected)?.into_iter().map(|weight| weight.number(0..=1_000_000)).collect()
}

fn legend(value: Value<'_, '_>) -> Result<Legend, LevelFileError> {
    let mut legend = Legend::new();
    let table = value.table("a table such as { C = { crate = 2 }, o = \"item\" }")?;
    for (key, byte, value) in table.entries() {
        let mut characters = key.chars();
        let (Some(character), None) = (characters.next(), characters.next()) else {
            return Err(table.error(byte, format!("legend: expected one character, found {key:?}")));
        };
        if matches!(character, '?' | '.' | '#' | '_' | '0'..='9' | '\\' | '"' | '\'')
            || character.is_whitespace()
            || character.is_control()
        {
            let message = format!("legend: {character:?} can't have another meaning");
            return Err(table.error(byte, message));
        }
        legend.insert(character, meaning(value)?);
    }
    Ok(legend)
}

fn meaning(value: Value<'_, '_>) -> Result<Meaning, LevelFileError> {
    if value.as_text().is_some() {
        let (ground, start) = value.choice(&WORDS)?;
        return Ok(Meaning::Cell(ground, start));
    }
    let table = value.table("a word such as \"item\", or a table such as { crate = 2 }")?;
    if let Some(spawner) = table.get("spawner") {
        table.of(&["spawner"])?;
        let keys = spawner.table("a table such as { weights = [2, 1, 1] }")?;
        let keys = keys.of(&["weights", "items", "limit"])?;
        let weights = keys.get("weights").map(|value| weights(value, "a list of weights"));
        let items = keys.get("items").map_or(Ok(true), Value::boolean)?;
        let limit = keys.get("limit").map(|value| value.number(0..=u32::MAX));
        return Ok(Meaning::Spawner {
            weights: weights.transpose()?,
            items,
            limit: limit.transpose()?,
        });
    }
    let start = if let Some(layers) = table.get("crate") {
        table.of(&["crate"])?;
        Start::Crate(layers.number(1..=MAX_LAYERS)?)
    } else {
        let keys = table.of(&["color", "special", "crate", "spawner"])?;
        let color = keys.get("color").map(|value| value.number(1..=15)).transpose()?;
        let special = keys.get("special").map(|value| value.choice(&KINDS)).transpose()?;
        if color.is_none() && special.is_none() {
            let message = "expected one of color, special, crate, spawner";
            return Err(value.error(format!("legend: {message}")));
        }
        Start::Piece { color, special, cover: Cover::None }
    };
    Ok(Meaning::Cell(Ground::Open, start))
}

/// Reads a goal of a level whose cells are known.
fn read_goal(goal: Value<'_, '_>, spec: &LevelSpec) -> Result<Goal, LevelFileError> {
    let mut keys = vec!["color", "count"];
    keys.extend(TARGETS.map(|(name, _)| name));
    let table = goal.table("a table such as { color = 1, count = 20 }")?.of(&keys)?;
    if let Some(color) = table.get("color") {
        let table = table.of(&["color", "count"])?;
        let target = Target::Color(color.number(1..=15)?);
        return Ok(Goal { target, count: table.require("count")?.number(1..=u32::MAX)? });
    }
    let mut found = TARGETS.iter().filter_map(|(name, target)| Some((table.get(name)?, *target)));
    let (Some((value, target)), None) = (found.next(), found.next()) else {
        return Err(goal.error("goals: expected one target for each goal"));
    };
    if let Some(count) = table.get("count") {
        return Err(count.error("goals: a count only follows a color"));
    }
    let count = match (value.as_text(), spec.count(target)) {
        (Some("all"), Some(0)) => return Err(value.error("goals: there are none in the level")),
        (Some("all"), Some(count)) => count,
        (Some("all"), None) => return Err(value.expected("a number")),
        (Some(_), Some(_)) => return Err(value.expected("a number or \"all\"")),
        _ => value.number(1..=u32::MAX)?,
    };
    Ok(Goal { target, count })
}

fn key_of<C: Copy + PartialEq>(choices: &[(&'static str, C)], choice: C) -> &'static str {
    choices.iter().find(|(_, found)| *found == choice).map_or("", |(name, _)| name)
}

/// Returns the text of a level.
fn written(spec: &LevelSpec) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} = {value}");
    };
    let usual = LevelSpec::new(1, 1);
    line("version", VERSION.to_string());
    if !spec.name.is_empty() {
        line("name", quoted(&spec.name));
    }
    let is_even = spec.colors.iter().all(|&weight| weight == 1);
    line("colors", if is_even { spec.colors.len().to_string() } else { list(&spec.colors) });
    match spec.limit {
        Limit::Moves(moves) => line("moves", moves.to_string()),
        Limit::Time(seconds) => line("time", seconds.to_string()),
    }
    let mut choice = |key: &str, name: &str, usual: &str| {
        if name != usual {
            line(key, format!("{name:?}"));
        }
    };
    choice("falls", key_of(&FALLS, spec.falls), key_of(&FALLS, usual.falls));
    choice("gravity", key_of(&GRAVITY, spec.gravity), key_of(&GRAVITY, usual.gravity));
    choice("shuffle", key_of(&SHUFFLE, spec.shuffle), key_of(&SHUFFLE, usual.shuffle));
    let Effects { specials, pairs, square } = spec.effects;
    if !specials {
        line("specials", "false".to_string());
    } else if spec.effects != usual.effects {
        line("specials", format!("{{ pairs = {pairs}, square = {square} }}"));
    }
    if spec.cascade_limit != usual.cascade_limit {
        line("cascade_limit", spec.cascade_limit.to_string());
    }
    if spec.bonus > 0 {
        line("bonus", spec.bonus.to_string());
    }
    let Items { total, at_once } = spec.items;
    if spec.items != usual.items {
        line("items", format!("{{ total = {total}, at_once = {at_once} }}"));
    }
    if !spec.goals.is_empty() {
        let goals: Vec<String> = spec.goals.iter().map(|&goal| written_goal(spec, goal)).collect();
        line("goals", format!("[\n    {},\n]", goals.join(",\n    ")));
    }
    let mut legend = NewLegend::default();
    for (layer, name) in LAYER_NAMES {
        let rows = written_layer(spec, layer, &mut legend);
        if layer == Layer::Pieces
            || rows.contains(|found| found != '.' && found != '\n')
            || layer == Layer::Spawners && spec.spawners.is_some()
        {
            line(name, format!("\"\"\"{rows}\n\"\"\""));
        }
    }
    text + &legend.written()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\u{0}'..='\u{1f}' | '\u{7f}' => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

fn list(numbers: &[u32]) -> String {
    format!("{numbers:?}")
}

fn written_goal(spec: &LevelSpec, Goal { target, count }: Goal) -> String {
    if let Target::Color(color) = target {
        return format!("{{ color = {color}, count = {count} }}");
    }
    let name = key_of(&TARGETS, target);
    match spec.count(target) {
        Some(all) if all == count => format!("{{ {name} = \"all\" }}"),
        _ => format!("{{ {name} = {count} }}"),
    }
}

/// A legend in the making: a character for each meaning that has none of its own.
#[derive(Default)]
struct NewLegend {
    /// The meanings, as written.
    meanings: Vec<String>,
}

impl NewLegend {
    /// The characters, more of them than a level has cells.
    fn characters() -> impl Iterator<Item = char> {
        // `x` is a plain spawner.
        let ascii = ('A'..='Z').chain('a'..='w').chain('y'..='z');
        ascii.chain('\u{4e00}'..='\u{9fff}')
    }

    fn character(&mut self, meaning: String) -> char {
        let index = self.meanings.iter().position(|known| *known == meaning);
        let index = index.unwrap_or_else(|| {
            self.meanings.push(meaning);
            self.meanings.len() - 1
        });
        Self::characters().nth(index).unwrap_or('x')
    }

    fn written(&self) -> String {
        let mut text = String::new();
        if !self.meanings.is_empty() {
            text += "\n[legend]\n";
        }
        for (character, meaning) in Self::characters().zip(&self.meanings) {
            if character.is_ascii() {
                let _ = writeln!(text, "{character} = {meaning}");
            } else {
                let _ = writeln!(text, "\"{character}\" = {meaning}");
            }
        }
        text
    }
}

/// Returns the rows of a layer, each after a line break.
fn written_layer(spec: &LevelSpec, layer: Layer, legend: &mut NewLegend) -> String {
    let mut rows = String::new();
    for y in 0..spec.height {
        rows.push('\n');
        for x in 0..spec.width {
            rows.push(written_cell(spec, layer, (x, y), legend));
        }
    }
    rows
}

fn written_cell(spec: &LevelSpec, layer: Layer, at: At, legend: &mut NewLegend) -> char {
    let cell = spec.at(at);
    let digit = |layers: u8| char::from(b'0' + layers.min(MAX_LAYERS));
    match (layer, cell.start) {
        (Layer::Pieces, start) => match cell.ground {
            Ground::Wall => '#',
            Ground::Void => '_',
            Ground::Open => written_content(start, legend),
        },
        (Layer::Jelly, _) if cell.jelly > 0 => digit(cell.jelly),
        (Layer::Ice, Start::Piece { cover: Cover::Ice(layers), .. }) => digit(layers),
        (Layer::Locks, Start::Piece { cover: Cover::Lock, .. }) => 'x',
        (Layer::Spawners, _) => {
            let mut spawners = spec.spawners.iter().flatten();
            spawners.find(|spawner| spawner.at == at).map_or('.', |spawner| {
                let plain = *spawner == Spawner::new(at);
                if plain { 'x' } else { legend.character(written_spawner(spawner)) }
            })
        }
        (Layer::Exits, _) if spec.exits.contains(&at) => 'x',
        (Layer::Portals, _) => {
            let portals = ('A'..='Z').zip(&spec.portals);
            let mut ends = portals.filter_map(|(name, portal)| {
                let exit = (portal.exit == at).then(|| name.to_ascii_lowercase());
                if portal.entrance == at { Some(name) } else { exit }
            });
            ends.next().unwrap_or('.')
        }
        _ => '.',
    }
}

fn written_content(start: Start, legend: &mut NewLegend) -> char {
    match start {
        Start::Empty => '.',
        Start::Piece { color: None, special: None, .. } => '?',
        Start::Piece { color: Some(color @ 1..=9), special: None, .. } => char::from(b'0' + color),
        Start::Piece { color, special, .. } => {
            let color = color.map(|color| format!("color = {color}"));
            let special = special.map(|kind| format!("special = {:?}", kind.name()));
            let parts: Vec<String> = color.into_iter().chain(special).collect();
            legend.character(format!("{{ {} }}", parts.join(", ")))
        }
        Start::Item => legend.character("\"item\"".to_string()),
        Start::Crate(layers) => legend.character(format!("{{ crate = {layers} }}")),
    }
}

fn written_spawner(spawner: &Spawner) -> String {
    let weights = spawner.weights.as_ref().map(|weights| format!("weights = {}", list(weights)));
    let items = (!spawner.items).then(|| "items = false".to_string());
    let limit = spawner.limit.map(|limit| format!("limit = {limit}"));
    let parts: Vec<String> = weights.into_iter().chain(items).chain(limit).collect();
    format!("{{ spawner = {{ {} }} }}", parts.join(", "))
}

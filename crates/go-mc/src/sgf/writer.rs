//! Writes records: properties and values in the form strict readers expect.

use super::record::{Action, Node, OF_GAME, Place, Record};
use super::text::{closed, escaped, point_text};
use crate::rules::board::{Color, Size};
use crate::rules::game::Move;
use crate::rules::points::Points;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result, Write};

/// The properties represented by fields of a record.
const OF_FIELDS: [&str; 16] =
    ["GM", "FF", "CA", "SZ", "KM", "PB", "PW", "RE", "AB", "AW", "AE", "PL", "B", "W", "C", "SBKV"];

impl Display for Record {
    /// Writes the record as SGF: a node for each move and each setup, the main line before its
    /// variations.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let width = self.size.width();
        let height = self.size.height();
        f.write_str("(;GM[1]FF[4]CA[UTF-8]SZ[")?;
        // SGF requires a single number for a square board.
        if width == height { write!(f, "{width}]") } else { write!(f, "{width}:{height}]") }?;
        if let Some(komi) = self.komi.filter(|komi| komi.is_finite()) {
            write!(f, "KM[{komi}]")?;
        }
        let [black, white] = &self.player_names;
        for (name, text) in [("PB", black), ("PW", white), ("RE", &self.result)] {
            if !text.is_empty() {
                write!(f, "{name}[{}]", escaped(text))?;
            }
        }
        write_tree(f, self)?;
        f.write_char(')')
    }
}

/// What is left to write.
enum Rest {
    /// A line from a node on, up to its first branch, between parentheses.
    Line(Place),
    End,
}

/// Writes all nodes, without recursion: variations can be nested as deep as there are nodes.
fn write_tree(f: &mut Formatter<'_>, record: &Record) -> Result {
    let mut branches: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (line, variation) in (1..).zip(&record.variations) {
        if variation.after.line < line && !variation.nodes.is_empty() {
            branches.entry(variation.after).or_default().push(Place { line, node: 0 });
        }
    }
    // The parentheses of the game itself are the header's.
    let mut rest = Vec::new();
    write_line(f, record, Place::default(), &branches, &mut rest)?;
    while let Some(next) = rest.pop() {
        match next {
            Rest::Line(at) => {
                f.write_char('(')?;
                rest.push(Rest::End);
                write_line(f, record, at, &branches, &mut rest)?;
            }
            Rest::End => f.write_char(')')?,
        }
    }
    Ok(())
}

/// Writes a line from a node on, to its end or to a branch, which is added to the rest.
fn write_line(
    f: &mut Formatter<'_>,
    record: &Record,
    from: Place,
    branches: &BTreeMap<Place, Vec<Place>>,
    rest: &mut Vec<Rest>,
) -> Result {
    let nodes = record.line(from.line).unwrap_or_default();
    for (node, written) in nodes.iter().enumerate().skip(from.node) {
        let at = Place { node, ..from };
        if at > Place::default() || written.is_move() {
            f.write_char(';')?;
        }
        write_node(f, record.size, written, at.line == 0)?;
        if let Some(branches) = branches.get(&at) {
            let next = Place { node: node + 1, ..at };
            rest.extend(branches.iter().rev().copied().map(Rest::Line));
            rest.extend((next.node < nodes.len()).then_some(Rest::Line(next)));
            break;
        }
    }
    Ok(())
}

fn write_node(f: &mut Formatter<'_>, size: Size, node: &Node, is_main: bool) -> Result {
    match &node.action {
        Action::None => {}
        Action::Setup(setup) => {
            for (name, points) in [("AB", setup.black), ("AW", setup.white), ("AE", setup.empty)] {
                if !points.is_empty() {
                    f.write_str(name)?;
                }
                for index in points {
                    write!(f, "[{}]", point_text(size, Points::<19>::point(index)))?;
                }
            }
        }
        &Action::Move(color, mv) => {
            let point = match mv {
                Move::Pass => String::new(),
                Move::Play(point) => point_text(size, point),
            };
            write!(f, "{}[{point}]", letter(color))?;
        }
    }
    // A node has a move or a player to move, not both.
    let after = node.to_move.filter(|_| node.is_move());
    if let Some(color) = node.to_move.filter(|_| after.is_none()) {
        write!(f, "PL[{}]", letter(color))?;
    }
    if !node.comment.is_empty() {
        write!(f, "C[{}]", escaped(&node.comment))?;
    }
    if let Some(percent) = node.black_win_percent {
        write!(f, "SBKV[{percent}]")?;
    }
    for property in &node.properties {
        let is_name = !property.name.is_empty()
            && property.name.bytes().all(|byte| byte.is_ascii_uppercase());
        let name = property.name.as_str();
        let has_field = OF_FIELDS.contains(&name) && (is_main || !OF_GAME.contains(&name));
        if !is_name || property.values.is_empty() || has_field {
            continue;
        }
        f.write_str(&property.name)?;
        for value in &property.values {
            write!(f, "[{}]", closed(value))?;
        }
    }
    after.map_or(Ok(()), |color| write!(f, ";PL[{}]", letter(color)))
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

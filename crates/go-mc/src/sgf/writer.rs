//! Writes records: properties and values in the form strict readers expect.

use super::record::{Action, Node, Record};
use super::text::{closed, escaped, point_text};
use crate::board::{Color, Size};
use crate::game::Move;
use crate::points::Points;
use alloc::string::String;
use core::fmt::{Display, Formatter, Result, Write};

/// The properties represented by fields of a record.
const OF_FIELDS: [&str; 16] =
    ["GM", "FF", "CA", "SZ", "KM", "PB", "PW", "RE", "AB", "AW", "AE", "PL", "B", "W", "C", "SBKV"];

impl Display for Record {
    /// Writes the record as SGF: a node for each move and each setup.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (width, height) = (self.size.width(), self.size.height());
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
        for (number, node) in self.nodes.iter().enumerate() {
            if number > 0 || node.is_move() {
                f.write_char(';')?;
            }
            write_node(f, self.size, node)?;
        }
        f.write_char(')')
    }
}

fn write_node(f: &mut Formatter<'_>, size: Size, node: &Node) -> Result {
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
        let is_name =
            !property.name.is_empty() && property.name.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_name || property.values.is_empty() || OF_FIELDS.contains(&property.name.as_str()) {
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

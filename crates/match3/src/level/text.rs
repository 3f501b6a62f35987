//! The lines of [`LevelEvent`]s.

use super::event::{Coat, LevelEvent, Spawned};
use super::goals::Outcome;
use super::kind::Kind;
use crate::board::{At, Cell};
use crate::cells::journal::{Event, LineWords, ParseEventError};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

const WORDS: &str = "swap, match, setoff, pair, change, fly, clear, layer, create, fall, spawn, \
     collect, goal, limit, shuffle, bonus or over";

impl fmt::Display for LevelEvent {
    /// Writes one line, without a trailing newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swap(swap) => write!(f, "swap {swap}"),
            Self::Match { level, group } => {
                write!(f, "match {level} {} {}", group.shape(), group.color())?;
                write_path(f, group.cells())
            }
            Self::SetOff { level, at: (x, y), special, color } => {
                write!(f, "setoff {level} {x},{y} {special} {color}")
            }
            Self::Pair { level, at: (x, y), special, other, other_special } => {
                write!(f, "pair {level} {x},{y} {special}")?;
                write!(f, " {},{} {other_special}", other.0, other.1)
            }
            Self::Change { level, at: (x, y), special } => {
                write!(f, "change {level} {x},{y} {special}")
            }
            Self::Fly { level, from, to } => {
                write!(f, "fly {level} {},{} {},{}", from.0, from.1, to.0, to.1)
            }
            Self::Clear { level, at: (x, y), cell, special } => {
                write!(f, "clear {level} {x},{y} {cell}")?;
                special.map_or(Ok(()), |special| write!(f, " {special}"))
            }
            Self::Layer { level, at: (x, y), coat, left } => {
                write!(f, "layer {level} {x},{y} {coat} {left}")
            }
            Self::Create { level, at: (x, y), special, color } => {
                write!(f, "create {level} {x},{y} {special} {color}")
            }
            Self::Fall { path } => {
                f.write_str("fall")?;
                write_path(f, path)
            }
            Self::Spawn { spawned, path } => {
                match spawned {
                    Spawned::Piece(color) => write!(f, "spawn {color}")?,
                    Spawned::Item => f.write_str("spawn item")?,
                }
                write_path(f, path)
            }
            Self::Collect { at: (x, y) } => write!(f, "collect {x},{y}"),
            Self::Goal { index } => write!(f, "goal {index}"),
            Self::CascadeLimit { level } => write!(f, "limit {level}"),
            Self::Shuffle { pieces } => {
                f.write_str("shuffle")?;
                for ((x, y), color, special) in pieces {
                    write!(f, " {x},{y} {color}")?;
                    special.map_or(Ok(()), |special| write!(f, " {special}"))?;
                }
                Ok(())
            }
            Self::Bonus { left, points } => write!(f, "bonus {left} {points}"),
            Self::Over(outcome) => write!(f, "over {outcome}"),
        }
    }
}

fn write_path(f: &mut fmt::Formatter<'_>, path: &[At]) -> fmt::Result {
    path.iter().try_for_each(|(x, y)| write!(f, " {x},{y}"))
}

fn kind(words: &mut LineWords<'_>) -> Result<Kind, ParseEventError> {
    words.next(Kind::NAMES, |word| word.parse().ok())
}

/// Reads a kind, if there is one.
fn maybe_kind(words: &mut LineWords<'_>) -> Option<Kind> {
    kind(words).ok()
}

fn path(words: &mut LineWords<'_>) -> Result<Vec<At>, ParseEventError> {
    let mut path = Vec::new();
    while path.is_empty() || !words.is_empty() {
        path.push(words.at()?);
    }
    Ok(path)
}

impl FromStr for LevelEvent {
    type Err = ParseEventError;

    /// Parses one line, ignoring leading and trailing spaces.
    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let words = &mut LineWords::new(line);
        let event = match words.one_of(WORDS)? {
            "swap" | "match" => {
                return match line.parse()? {
                    Event::Match { level, group } => Ok(Self::Match { level, group }),
                    Event::Swap(swap) => Ok(Self::Swap(swap)),
                    _ => words.next(WORDS, |_| None),
                };
            }
            "setoff" => Self::SetOff {
                level: words.number("a level")?,
                at: words.at()?,
                special: kind(words)?,
                color: words.color()?,
            },
            "pair" => Self::Pair {
                level: words.number("a level")?,
                at: words.at()?,
                special: kind(words)?,
                other: words.at()?,
                other_special: kind(words)?,
            },
            "change" => Self::Change {
                level: words.number("a level")?,
                at: words.at()?,
                special: kind(words)?,
            },
            "fly" => {
                Self::Fly { level: words.number("a level")?, from: words.at()?, to: words.at()? }
            }
            "clear" => {
                let level = words.number("a level")?;
                let at = words.at()?;
                let cell: Cell = words.cell()?;
                Self::Clear { level, at, cell, special: maybe_kind(words) }
            }
            "layer" => Self::Layer {
                level: words.number("a level")?,
                at: words.at()?,
                coat: words.next(Coat::NAMES, |word| word.parse().ok())?,
                left: words.number("a number of layers")?,
            },
            "create" => Self::Create {
                level: words.number("a level")?,
                at: words.at()?,
                special: kind(words)?,
                color: words.color()?,
            },
            "fall" => Self::Fall { path: path(words)? },
            "spawn" => {
                let expected = "a color from 1 to 35, or item";
                let spawned = words.next(expected, |word| match word {
                    "item" => Some(Spawned::Item),
                    _ => LineWords::new(word).color().ok().map(Spawned::Piece),
                })?;
                Self::Spawn { spawned, path: path(words)? }
            }
            "collect" => Self::Collect { at: words.at()? },
            "goal" => Self::Goal { index: words.number("the index of a goal")? },
            "limit" => Self::CascadeLimit { level: words.number("a level")? },
            "shuffle" => {
                let mut pieces = Vec::new();
                while !words.is_empty() {
                    let at = words.at()?;
                    let color = words.color()?;
                    pieces.push((at, color, maybe_kind(words)));
                }
                Self::Shuffle { pieces }
            }
            "bonus" => Self::Bonus {
                left: words.number("a number of moves or seconds")?,
                points: words.number("a number of points")?,
            },
            _ => Self::Over(words.next(Outcome::NAMES, |word| word.parse().ok())?),
        };
        words.end()?;
        Ok(event)
    }
}

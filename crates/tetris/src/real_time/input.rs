//! Inputs with their ticks: [`Key`], [`Input`], [`Recording`].

use crate::board::WIDTH;
use crate::error::{Error, Expected};
use crate::garbage::Attack;
use crate::kicks::RotationSystem;
use crate::piece::Rotation;
use alloc::vec::Vec;
use core::{fmt, str::FromStr};

/// A key of a real-time game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// Moves to the left.
    Left,
    /// Moves to the right.
    Right,
    /// Drops faster.
    SoftDrop,
    /// Drops to the stack and locks.
    HardDrop,
    /// Rotates clockwise.
    Cw,
    /// Rotates counter-clockwise.
    Ccw,
    /// Swaps the piece in play for the held one.
    Hold,
    /// Rotates by 180 degrees, in rotation systems that have it.
    Half,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 8] = [
        Self::Left,
        Self::Right,
        Self::SoftDrop,
        Self::HardDrop,
        Self::Cw,
        Self::Ccw,
        Self::Hold,
        Self::Half,
    ];

    /// Returns the rotation of a key that rotates in this system.
    pub(super) fn rotation(self, system: RotationSystem) -> Option<Rotation> {
        match self {
            Self::Cw => Some(Rotation::Cw),
            Self::Ccw => Some(Rotation::Ccw),
            Self::Half if system.has_half_turns() => Some(Rotation::Half),
            _ => None,
        }
    }

    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::SoftDrop => "soft-drop",
            Self::HardDrop => "hard-drop",
            Self::Cw => "cw",
            Self::Ccw => "ccw",
            Self::Hold => "hold",
            Self::Half => "180",
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One input of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A key went down.
    Press(Key),
    /// A key went up.
    Release(Key),
    /// An attack from the opponent arrived.
    Receive(Attack),
}

impl fmt::Display for Input {
    /// Formats an input like `press left` or `receive 4 7`, an attack of four lines with the hole
    /// in column 7.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Press(key) => write!(f, "press {key}"),
            Self::Release(key) => write!(f, "release {key}"),
            Self::Receive(Attack { lines, column }) => write!(f, "receive {lines} {column}"),
        }
    }
}

/// The inputs of a game, each with the number of the tick it precedes, and the number of ticks. The
/// length of a tick is among the rules that a [replay](crate::real_time::RealTimeGame::replay)
/// needs: [`Timing::ticks_per_second`](crate::real_time::Timing::ticks_per_second).
///
/// The text form has a line with the version, a line per input and a line for the end. Empty lines
/// are skipped. A text without a version has version 1.
///
/// ```
/// use tetris::real_time::{Input, Key, Recording};
/// let text = "version 3\n0 press left\n11 release left\n30 receive 4 7\n30 press hard-drop\n90 end\n";
/// let recording: Recording = text.parse().unwrap();
/// assert_eq!(recording.inputs()[1], (11, Input::Release(Key::Left)));
/// assert_eq!((recording.ticks(), recording.to_string()), (90, text.to_owned()));
/// let error = "0 press left\n1 press lift\n".parse::<Recording>().unwrap_err();
/// let keys = "`left`, `right`, `soft-drop`, `hard-drop`, `cw`, `ccw`, `hold` or `180`";
/// assert_eq!(error.to_string(), format!("line 2, column 9: expected {keys}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recording {
    version: u32,
    inputs: Vec<(u64, Input)>,
    ticks: u64,
}

impl Default for Recording {
    /// Returns the recording of a new game, with the latest version.
    fn default() -> Self {
        Self::of_version(Self::VERSION)
    }
}

impl Recording {
    /// The rules version of new games.
    ///
    /// | version | rules |
    /// |---|---|
    /// | 1 | one spawn row; only movements on the stack are resets, and the lock delay runs again after the last one; rotations and holds during a wait for a spawn are lost |
    /// | 2 | an instant soft drop begins after the other keys of its tick, and not if it is released in the same tick; 20G is twenty rows in a tick of any length |
    /// | 3 | as described in [`real_time`](crate::real_time) |
    pub const VERSION: u32 = 3;

    pub(super) const fn of_version(version: u32) -> Self {
        Self { version, inputs: Vec::new(), ticks: 0 }
    }

    /// Returns the rules [version](Self::VERSION) of the game.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the inputs with their ticks, in order.
    pub fn inputs(&self) -> &[(u64, Input)] {
        &self.inputs
    }

    /// Returns the number of ticks.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    pub(super) fn push(&mut self, input: Input) {
        self.inputs.push((self.ticks, input));
    }

    pub(super) fn tick(&mut self) {
        self.skip(1);
    }

    pub(super) fn skip(&mut self, ticks: u64) {
        self.ticks += ticks;
    }
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Texts of the first version had no version line.
        if self.version > 1 {
            writeln!(f, "version {}", self.version)?;
        }
        for (tick, input) in &self.inputs {
            writeln!(f, "{tick} {input}")?;
        }
        writeln!(f, "{} end", self.ticks)
    }
}

struct Words<'a> {
    line: usize,
    /// The column of the rest's first character, from 1.
    column: usize,
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn next<T>(
        &mut self,
        expected: Expected,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Error> {
        let word = self.skip_spaces();
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let parsed = parse(&word[..end]).ok_or(self.error(expected))?;
        self.column += word[..end].chars().count();
        self.rest = &word[end..];
        Ok(parsed)
    }

    fn starts_with(&self, word: &str) -> bool {
        self.rest.split_whitespace().next() == Some(word)
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.skip_spaces().is_empty() { Ok(()) } else { Err(self.error(Expected::LineEnd)) }
    }

    fn skip_spaces(&mut self) -> &'a str {
        let word = self.rest.trim_start();
        self.column += self.rest.chars().count() - word.chars().count();
        self.rest = word;
        word
    }

    fn error(&self, expected: Expected) -> Error {
        Error::Recording { line: self.line, column: self.column, expected }
    }
}

impl FromStr for Recording {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut recording = Self::of_version(1);
        let mut ended = false;
        let mut is_first = true;
        for (line, content) in (1..).zip(text.lines()) {
            let mut words = Words { line, column: 1, rest: content };
            if words.skip_spaces().is_empty() {
                continue;
            }
            if ended {
                return Err(words.error(Expected::TextEnd));
            }
            if core::mem::take(&mut is_first) && words.starts_with("version") {
                words.next(Expected::Version, Some)?;
                let is_known = |version: &u32| (1..=Self::VERSION).contains(version);
                recording.version =
                    words.next(Expected::Version, |word| number(word).filter(is_known))?;
                words.end()?;
                continue;
            }
            let tick_error = words.error(Expected::Later(recording.ticks));
            let tick = words.next(Expected::Tick, number)?;
            if tick < recording.ticks {
                return Err(tick_error);
            }
            recording.ticks = tick;
            let key = |word: &str| Key::ALL.into_iter().find(|key| key.name() == word);
            let is_kind = |word: &&str| ["press", "release", "receive", "end"].contains(word);
            let input = match words.next(Expected::Kind, |word| Some(word).filter(is_kind))? {
                "press" => Some(Input::Press(words.next(Expected::Key, key)?)),
                "release" => Some(Input::Release(words.next(Expected::Key, key)?)),
                "receive" => {
                    let lines = words.next(Expected::Lines, number)?;
                    let in_field = |column: &u8| usize::from(*column) < WIDTH;
                    let column =
                        words.next(Expected::Column, |word| number(word).filter(in_field))?;
                    Some(Input::Receive(Attack { lines, column }))
                }
                _ => None,
            };
            words.end()?;
            ended = input.is_none();
            recording.inputs.extend(input.map(|input| (tick, input)));
        }
        let end = Words { line: text.lines().count() + 1, column: 1, rest: "" };
        if ended { Ok(recording) } else { Err(end.error(Expected::End)) }
    }
}

/// Parses a number of digits only: `parse` would accept a sign.
fn number<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

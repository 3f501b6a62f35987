//! Text forms of points, moves, colors, sizes, rules and boards. Parsing is case-insensitive and
//! accepts everything that formatting writes.

use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::error::Error;
use crate::rules::game::{Ko, Move};
use crate::rules::komi::Komi;
use crate::rules::points::{MAX_SIDE, Point, Points};
use core::fmt;
use core::str::FromStr;

const fn expected(column: usize, expected: &'static str) -> Error {
    Error::Text { line: 1, column, expected }
}

/// The column letters: no I, which looks like J.
const COLUMNS: &[u8; MAX_SIDE] = b"ABCDEFGHJKLMNOPQRST";

impl FromStr for Point {
    type Err = Error;

    /// Reads a column letter and a row number from the bottom, as in GTP: `A1` to `T19`, no column
    /// I.
    ///
    /// ```
    /// use go_mc::Point;
    /// assert_eq!("j4".parse(), Ok(Point { x: 8, y: 3 }));
    /// assert_eq!(Point { x: 18, y: 18 }.to_string(), "T19");
    /// assert_eq!(
    ///     "I4".parse::<Point>().unwrap_err().to_string(),
    ///     "line 1, column 1: expected a column letter, A to T without I"
    /// );
    /// assert!(matches!("D20".parse::<Point>(), Err(go_mc::Error::Text { column: 2, .. })));
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut chars = text.chars();
        let x = chars
            .next()
            .and_then(|letter| {
                COLUMNS.iter().position(|&c| char::from(c) == letter.to_ascii_uppercase())
            })
            .ok_or(expected(1, "a column letter, A to T without I"))?;
        let y = parse_side(chars.as_str()).ok_or(expected(2, "a row number, 1 to 19"))? - 1;
        Ok(Self { x: x as u8, y: y as u8 })
    }
}

fn parse_side(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|side| digits && (1..=MAX_SIDE).contains(side))
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A point beyond column T is on no board, but formatting it must not fail.
        let column = COLUMNS.get(usize::from(self.x)).copied().unwrap_or(b'?');
        write!(f, "{}{}", char::from(column), u32::from(self.y) + 1)
    }
}

impl FromStr for Move {
    type Err = Error;

    /// Reads `pass` or a [`Point`].
    ///
    /// ```
    /// use go_mc::Move;
    /// assert_eq!("PASS".parse(), Ok(Move::Pass));
    /// assert_eq!("d4".parse::<Move>().unwrap().to_string(), "D4");
    /// assert!("passed".parse::<Move>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.eq_ignore_ascii_case("pass") {
            Ok(Self::Pass)
        } else {
            text.parse().map(Self::Play)
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Play(point) => point.fmt(f),
        }
    }
}

/// Implements parsing and formatting of an enum by names; the first name of each value is the
/// written one.
macro_rules! names {
    ($type:ident, $expected:literal, $example:literal, $($value:ident: $name:literal $($also:literal)*),+) => {
        impl FromStr for $type {
            type Err = Error;

            #[doc = concat!("Reads ", $expected, ", in letters of any case.")]
            ///
            /// ```
            #[doc = $example]
            /// ```
            fn from_str(text: &str) -> Result<Self, Error> {
                let names = [$(($name, Self::$value) $(, ($also, Self::$value))*),+];
                let found = names.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                found.map(|(_, value)| value).ok_or(expected(1, $expected))
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$value => $name),+
                })
            }
        }
    };
}
names!(
    Color, "black, b, white or w",
    "assert_eq!(\"W\".parse(), Ok(go_mc::Color::White));",
    Black: "black" "b", White: "white" "w"
);
names!(
    Suicide, "forbidden, multi or all",
    "assert_eq!(\"multi\".parse(), Ok(go_mc::Suicide::Multi));",
    Forbidden: "forbidden", Multi: "multi", All: "all"
);
names!(
    Ko, "simple, positional or situational",
    "assert_eq!(\"simple\".parse(), Ok(go_mc::Ko::Simple));",
    Simple: "simple", Positional: "positional", Situational: "situational"
);

impl FromStr for Size {
    type Err = Error;

    /// Reads `WxH`, each from 1 to 19.
    ///
    /// ```
    /// use go_mc::Size;
    /// assert_eq!("3x4".parse(), Ok(Size::new(3, 4).unwrap()));
    /// assert!(matches!("3x20".parse::<Size>(), Err(go_mc::Error::Text { column: 3, .. })));
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        const EXPECTED: &str = "WxH, each 1 to 19";
        let (width, height) = text.split_once(['x', 'X']).ok_or(expected(1, EXPECTED))?;
        let column = width.chars().count() + 2;
        let width = parse_side(width).ok_or(expected(1, EXPECTED))?;
        let height = parse_side(height).ok_or(expected(column, EXPECTED))?;
        Self::new(width, height).ok_or(expected(1, EXPECTED))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width(), self.height())
    }
}

impl FromStr for Komi {
    type Err = Error;

    /// Reads a komi in points: a multiple of 0.5.
    ///
    /// ```
    /// use go_mc::Komi;
    /// assert_eq!("-0.5".parse(), Ok(Komi::from_half_points(-1)));
    /// assert_eq!("6".parse(), Ok(Komi::from_half_points(12)));
    /// assert!("3.75".parse::<Komi>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let error = expected(1, "a multiple of 0.5, such as 7.5");
        let size = text.strip_prefix('-').unwrap_or(text);
        let (whole, half) = match size.split_once('.') {
            None => (size, 0),
            Some((whole, "0")) => (whole, 0),
            Some((whole, "5")) => (whole, 1),
            Some(_) => return Err(error),
        };
        if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error);
        }
        let whole: i64 = whole.parse().map_err(|_| error)?;
        let half_points = whole.checked_mul(2).map(|points| points + half).ok_or(error)?;
        let half_points = if size.len() < text.len() { -half_points } else { half_points };
        i32::try_from(half_points).map(Self::from_half_points).map_err(|_| error)
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Reads a diagram: one line per row from the top, `X` for Black, `O` for White, `.` for an
    /// empty point. Whitespace around rows and blank lines around the diagram are ignored. Every
    /// chain must have a liberty.
    ///
    /// ```
    /// use go_mc::Board;
    /// let board: Board = "O.\nXX".parse().unwrap();
    /// assert_eq!(board.to_string(), "O.\nXX\n");
    /// let error = "XO\nO*".parse::<Board>().unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 2: expected X, O or .");
    /// let error = "XO\nO.".parse::<Board>().unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 1: expected a stone whose chain has a liberty");
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let is_blank = |line: &&str| line.trim().is_empty();
        let first = text.lines().take_while(is_blank).count();
        let rows = || text.lines().skip(first).take_while(|line| !is_blank(line));
        let error =
            |row: usize, column, expected| Error::Text { line: first + row + 1, column, expected };
        // The indentation of a row, for columns in messages.
        let indent = |line: &str| line.chars().take_while(|c| c.is_whitespace()).count();

        let height = rows().count();
        if let Some((line, _)) =
            text.lines().enumerate().skip(first + height).find(|(_, line)| !is_blank(line))
        {
            return Err(error(line - first, 1, "nothing after the board"));
        }
        let width = rows().next().map_or(0, |line| line.trim().chars().count());
        let size = Size::new(width, height).ok_or(error(0, 1, "1 to 19 rows of 1 to 19 points"))?;
        let mut black = Points::EMPTY;
        let mut white = Points::EMPTY;
        for (row, line) in rows().enumerate() {
            for (x, letter) in line.trim().chars().enumerate() {
                let column = indent(line) + x + 1;
                if x >= width {
                    return Err(error(row, column, "a row as long as the first"));
                }
                let one = Points::from_index((height - 1 - row) * Points::<19>::STRIDE + x);
                match letter {
                    'X' | 'x' => black |= one,
                    'O' | 'o' => white |= one,
                    '.' => {}
                    _ => return Err(error(row, column, "X, O or .")),
                }
            }
            let found = line.trim().chars().count();
            if found < width {
                return Err(error(row, indent(line) + found + 1, "a row as long as the first"));
            }
        }
        Self::from_stones(size, black, white).map_err(|dead| {
            let top = dead.iter().last().map_or(0, |index| index / Points::<19>::STRIDE);
            let row = height - 1 - top;
            let in_row = dead.iter().find(|index| index / Points::<19>::STRIDE == top);
            let x = in_row.map_or(0, |index| index % Points::<19>::STRIDE);
            let column = rows().nth(row).map_or(0, indent) + x + 1;
            error(row, column, "a stone whose chain has a liberty")
        })
    }
}

impl fmt::Display for Board {
    /// Writes the diagram, one line per row from the top, each ended by a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.size().height()).rev() {
            for x in 0..self.size().width() {
                f.write_str(match self.at(Point { x: x as u8, y: y as u8 }) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

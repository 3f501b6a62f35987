//! [`Komi`], White's compensation for moving second, and [`Score`], the result of a game.

use crate::rules::board::Color;
use crate::rules::error::Error;
use core::fmt;

/// White's compensation for moving second, in half points.
///
/// ```
/// use go_mc::Komi;
/// let komi: Komi = "7.5".parse()?;
/// assert_eq!((komi, komi.half_points()), (Komi::default(), 15));
/// assert_eq!(Komi::try_from(-0.5)?.to_string(), "-0.5");
/// assert!(Komi::try_from(3.75).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i32);

impl Komi {
    /// No komi.
    pub const ZERO: Self = Self(0);

    /// Returns the komi of a number of half points: 15 is a komi of 7.5.
    pub const fn from_half_points(half_points: i32) -> Self {
        Self(half_points)
    }

    #[cfg(feature = "gtp")]
    pub(crate) fn nearest(points: f64) -> Self {
        Self((2.0 * points).round() as i32)
    }

    /// Returns the number of half points.
    pub const fn half_points(self) -> i32 {
        self.0
    }
}

impl Default for Komi {
    /// Returns 7.5 points.
    fn default() -> Self {
        Self(15)
    }
}

impl TryFrom<f64> for Komi {
    type Error = Error;

    /// Converts a number of points.
    ///
    /// # Errors
    ///
    /// [`Error::Komi`] unless it is a multiple of 0.5 and fits the type.
    #[expect(clippy::float_cmp, reason = "half points are exact")]
    fn try_from(points: f64) -> Result<Self, Error> {
        let half_points = (2.0 * points) as i32;
        if f64::from(half_points) == 2.0 * points {
            Ok(Self(half_points))
        } else {
            Err(Error::Komi(points))
        }
    }
}

impl From<Komi> for f64 {
    /// Returns the number of points.
    fn from(komi: Komi) -> Self {
        Self::from(komi.0) / 2.0
    }
}

impl fmt::Display for Komi {
    /// Writes the number of points, such as `7.5`, `-0.5` or `6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_points(f, if self.0 < 0 { "-" } else { "" }, self.0)
    }
}

/// Writes the absolute value of a number of half points, after a sign.
fn write_points(f: &mut fmt::Formatter<'_>, sign: &str, half_points: i32) -> fmt::Result {
    let size = half_points.unsigned_abs();
    let half = if size % 2 == 1 { ".5" } else { "" };
    write!(f, "{sign}{}{half}", size / 2)
}

/// The result of a game: Black's area minus White's minus the komi.
///
/// ```
/// use go_mc::{Color, Game, Move, Rules};
/// let mut game = Game::new(Rules::default());
/// assert_eq!(game.score().to_string(), "W+7.5");
/// game.play("E5".parse()?)?;
/// assert_eq!((game.score().to_string().as_str(), game.score().winner()), ("B+73.5", Some(Color::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    pub(crate) const fn new([black, white]: [u32; 2], komi: Komi) -> Self {
        Self((2 * (black as i32 - white as i32)).saturating_sub(komi.0))
    }

    /// Returns the number of half points, positive if Black is ahead.
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Returns the player who is ahead; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

impl From<Score> for f64 {
    /// Returns the number of points, positive if Black is ahead.
    fn from(score: Score) -> Self {
        Self::from(score.0) / 2.0
    }
}

impl fmt::Display for Score {
    /// Writes the result in game record notation: `B+3.5`, `W+0.5`, or `0` for a draw.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.winner() {
            None => "",
            Some(Color::Black) => "B+",
            Some(Color::White) => "W+",
        };
        write_points(f, sign, self.0)
    }
}

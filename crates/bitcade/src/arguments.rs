//! Argument values: numbers in a range, board sizes and durations. Errors say what was expected;
//! clap adds the flag in front.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub(crate) fn number_in<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

pub(crate) fn parse_seed(text: &str) -> Result<u64, String> {
    number_in(0..=u64::MAX)(text)
}

pub(crate) fn parse_positive(text: &str) -> Result<u64, String> {
    number_in(1..=u64::MAX)(text)
}

/// Parses a board's width and height, each within `sides`: `N` for a square, or `NxM`.
pub(crate) fn parse_sides(
    text: &str,
    sides: RangeInclusive<usize>,
) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| sides.contains(side));
    side(width).zip(side(height)).ok_or_else(|| {
        let least = sides.start();
        let most = sides.end();
        format!(
            "expected a size N or NxM with numbers from {least} to {most}, such as {most} or {most}x{most}"
        )
    })
}

/// The longest accepted duration: 1000 years.
const MAX_HOURS: u32 = 1000 * 366 * 24;

/// Parses a duration with a unit (`500ms`, `90s`, `10m`, `1h`) or a bare number in multiples of
/// `unit` seconds. Returns seconds.
fn seconds_in(text: &str, unit: f64) -> Option<f64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => unit,
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    // Rust's numbers include `1e3`, in which `e` is no unit, and `inf`, which is no duration.
    digits.parse::<f64>().ok().map(|number| number * unit).filter(|seconds| *seconds >= 0.0)
}

/// Parses a duration like [`seconds_in`]. The error is `expected`, or the upper bound if that was
/// exceeded.
fn time_in(text: &str, unit: f64, expected: &str) -> Result<Duration, String> {
    let seconds = seconds_in(text, unit).ok_or_else(|| expected.to_owned())?;
    let most = f64::from(MAX_HOURS) * 3600.0;
    let time = Some(seconds).filter(|seconds| *seconds <= most);
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("expected a time of at most {MAX_HOURS}h (1000 years)"))
}

/// Parses a duration; a bare number is in seconds.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    time_in(text, 1.0, "expected a time such as 90, 90s, 10m, 1h or 500ms")
}

/// Parses a duration above 0; a bare number is in seconds.
pub(crate) fn parse_time_above_0(text: &str) -> Result<Duration, String> {
    let time = parse_time(text)?;
    if time.is_zero() { Err("expected a time above 0".to_owned()) } else { Ok(time) }
}

/// Parses a duration above 0; a bare number is in minutes.
pub(crate) fn parse_minutes(text: &str) -> Result<Duration, String> {
    let expected = "expected a number of minutes above 0, or a time such as 90s, 10m or 1h";
    let time = time_in(text, 60.0, expected)?;
    if time.is_zero() { Err(expected.to_owned()) } else { Ok(time) }
}

fn whole_milliseconds(text: &str) -> Option<u64> {
    text.parse().ok().or_else(|| {
        let time = time_in(text, 0.001, "").ok();
        let time = time.filter(|time| time.subsec_nanos().is_multiple_of(1_000_000))?;
        u64::try_from(time.as_millis()).ok()
    })
}

/// Parses a duration and returns milliseconds; a bare number is in milliseconds.
pub(crate) fn parse_milliseconds(text: &str) -> Result<u64, String> {
    milliseconds_in(0..=u64::from(MAX_HOURS) * 3_600_000)(text)
}

pub(crate) fn milliseconds_in(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        whole_milliseconds(text).filter(|milliseconds| range.contains(milliseconds)).ok_or_else(|| {
            let least = range.start();
            let most = range.end();
            format!("expected whole milliseconds from {least} to {most}, or a time such as 100ms or 2s")
        })
    }
}

/// A parser of named values, which shell completions offer.
#[derive(Clone)]
pub(crate) struct Named<P> {
    names: &'static [&'static str],
    parser: P,
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value).map_err(|mut error| {
            if let Some(name) = value.to_str().and_then(|value| most_like(value, self.names)) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(name.to_owned()));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// Returns the name closest to a misspelled one, if any is close, by clap's own measure.
fn most_like(wrong: &str, names: &[&'static str]) -> Option<&'static str> {
    let likeness = |name: &&str| strsim::jaro(wrong, name);
    let best = names.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|name| likeness(name) > 0.7)
}

/// The help text lists the names already, so set `hide_possible_values`.
pub(crate) fn named<P: TypedValueParser>(names: &'static [&'static str], parser: P) -> Named<P> {
    Named { names, parser }
}

/// Joins a value that begins with `-`, such as `-1`, to the preceding flag, as in `--seed=-1`.
/// Otherwise clap takes the value for a flag and reports that instead of the expected number.
pub(crate) fn join_negative_values(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut flags = true;
    for argument in arguments {
        let value = argument.to_str().filter(|text| {
            text.len() > 1
                && text.starts_with('-')
                && !text.starts_with("--")
                && !matches!(*text, "-h" | "-V")
        });
        let before = joined.last_mut().filter(|flag| {
            flags && flag.to_str().is_some_and(|flag| flag.starts_with("--") && !flag.contains('='))
        });
        if let (Some(value), Some(flag)) = (value, before) {
            flag.push("=");
            flag.push(value);
        } else {
            flags &= argument != "--";
            joined.push(argument);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rejected values are in `tests/bad_input.rs`; these are the accepted ones, up to their
    /// bounds.
    #[test]
    fn values_are_taken() {
        let colors = number_in(3u8..=15);
        assert_eq!(colors("3"), Ok(3));
        assert_eq!(colors("15"), Ok(15));
        assert_eq!(number_in(0.0..=1.0)("0.5"), Ok(0.5));
        assert!(colors("256").is_err() && colors("3.0").is_err());
        for (text, size) in [("4", (4, 4)), ("4x3", (4, 3)), ("8X2", (8, 2))] {
            assert_eq!(parse_sides(text, 2..=8), Ok(size));
        }
        for (text, milliseconds) in [
            ("90", 90_000),
            ("90s", 90_000),
            ("10m", 600_000),
            ("1h", 3_600_000),
            ("500ms", 500),
            ("0", 0),
            ("1.5h", 5_400_000),
            ("8784000h", 31_622_400_000_000),
        ] {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for (text, seconds) in [("0.5", 30), ("90s", 90)] {
            assert_eq!(parse_minutes(text), Ok(Duration::from_secs(seconds)));
        }
        assert!(parse_time_above_0("0s").is_err() && parse_minutes("1e400").is_err());
        let delay = milliseconds_in(1..=60_000);
        for (text, milliseconds) in
            [("80", 80), ("80ms", 80), ("0.1s", 100), ("1m", 60_000), ("0.3s", 300)]
        {
            assert_eq!(delay(text), Ok(milliseconds), "{text}");
        }
        for bad in ["0", "1h", "inf", "1d", "1ns", "1.5"] {
            let expected =
                "expected whole milliseconds from 1 to 60000, or a time such as 100ms or 2s";
            assert_eq!(delay(bad), Err(expected.to_owned()), "{bad}");
        }
        assert_eq!(parse_milliseconds("100000000000"), Ok(100_000_000_000));
    }

    #[test]
    fn negative_values_belong_to_their_flag() {
        let joined = |line: &str| {
            join_negative_values(line.split(' ').map(OsString::from)).join(OsStr::new(" "))
        };
        for (line, expected) in [
            ("b --seed -1", "b --seed=-1"),
            ("b --time -1s --json", "b --time=-1s --json"),
            ("b --json -h", "b --json -h"),
            ("b --out -", "b --out -"),
            ("b --seed=1 -1", "b --seed=1 -1"),
            ("b -- --seed -1", "b -- --seed -1"),
            ("b go --komi -3.5 -5", "b go --komi=-3.5 -5"),
        ] {
            assert_eq!(joined(line), *expected, "{line}");
        }
    }
}

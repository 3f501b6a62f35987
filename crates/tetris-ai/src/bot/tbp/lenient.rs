//! Lenient deserialization of fields that frontends and bots write in different ways.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;

enum Scalar {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

/// Reads a number, a Boolean or null. Anything else is an error that names the expected type.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D, expected: &str) -> Result<Scalar, D::Error> {
    deserializer.deserialize_any(ScalarVisitor(expected))
}

struct ScalarVisitor<'a>(&'a str);

impl Visitor<'_> for ScalarVisitor<'_> {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0)
    }
    fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::Null)
    }
    fn visit_none<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::Null)
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Bool(value))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Unsigned(value))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Signed(value))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Float(value))
    }
}

/// Reads a coordinate: `4.0` is 4; a number with a fraction is an error.
pub(super) fn coordinate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i8, D::Error> {
    let outside = |value| D::Error::invalid_value(value, &"i8");
    let wrong = |value| Err(D::Error::invalid_type(value, &"i8"));
    match scalar(deserializer, "i8")? {
        Scalar::Null => wrong(Unexpected::Unit),
        Scalar::Bool(value) => wrong(Unexpected::Bool(value)),
        Scalar::Unsigned(value) => {
            value.try_into().map_err(|_| outside(Unexpected::Unsigned(value)))
        }
        Scalar::Signed(value) => value.try_into().map_err(|_| outside(Unexpected::Signed(value))),
        Scalar::Float(value) if value.fract() == 0.0 && (-128.0..128.0).contains(&value) => {
            Ok(value as i8)
        }
        Scalar::Float(value) => wrong(Unexpected::Float(value)),
    }
}

fn in_field<E: Error>(field: &str) -> impl Fn(E) -> E {
    move |error| E::custom(format_args!("{field}: {error}"))
}

/// Reads a count: null is 0, fractions are truncated, and out-of-range numbers saturate.
fn count<'de, D: Deserializer<'de>>(field: &str, deserializer: D) -> Result<u64, D::Error> {
    match scalar(deserializer, "a number or null").map_err(in_field(field))? {
        Scalar::Null => Ok(0),
        Scalar::Unsigned(count) => Ok(count),
        Scalar::Signed(number) => Ok(number.max(0) as u64),
        // Float-to-integer casts saturate.
        Scalar::Float(number) => Ok(number as u64),
        Scalar::Bool(value) => Err(in_field(field)(D::Error::custom(format_args!(
            "expected a number or null, found {value}"
        )))),
    }
}

pub(super) fn combo<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    count("combo", deserializer).map(|combo| u32::try_from(combo).unwrap_or(u32::MAX))
}

pub(super) fn nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    count("nodes", deserializer)
}

/// Reads `back_to_back`: null is `false`, a number is `true` if it is positive.
pub(super) fn back_to_back<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(match scalar(deserializer, "a number or null").map_err(in_field("back_to_back"))? {
        Scalar::Null => false,
        Scalar::Bool(value) => value,
        Scalar::Unsigned(number) => number > 0,
        Scalar::Signed(number) => number > 0,
        Scalar::Float(number) => number > 0.0,
    })
}

pub(super) fn hold<'de, D, Piece>(deserializer: D) -> Result<Option<Piece>, D::Error>
where
    D: Deserializer<'de>,
    Piece: Deserialize<'de>,
{
    Option::deserialize(deserializer).map_err(in_field("hold"))
}

pub(super) fn queue<'de, D, Piece>(deserializer: D) -> Result<Vec<Piece>, D::Error>
where
    D: Deserializer<'de>,
    Piece: Deserialize<'de>,
{
    deserializer.deserialize_seq(QueueVisitor(PhantomData)).map_err(in_field("queue"))
}

struct QueueVisitor<Piece>(PhantomData<Piece>);

impl<'de, Piece: Deserialize<'de>> Visitor<'de> for QueueVisitor<Piece> {
    type Value = Vec<Piece>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of pieces")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Piece>, A::Error> {
        let mut pieces = Vec::new();
        loop {
            let number = pieces.len() + 1;
            let failed = |error| A::Error::custom(format_args!("piece {number}: {error}"));
            match list.next_element().map_err(failed)? {
                Some(piece) => pieces.push(piece),
                None => return Ok(pieces),
            }
        }
    }
}

pub(super) fn board<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::deserialize(deserializer).map_err(in_field("board"))
}

/// Reads a value; anything invalid becomes the default.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        Value(T),
        Other(IgnoredAny),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Value(value) => value,
        Either::Other(_) => T::default(),
    })
}

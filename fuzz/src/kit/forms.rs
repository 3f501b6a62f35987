//! Round trips: parsed text is written and parsed again.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Parses, prints, and parses again. An error must be one line of text.
pub(crate) fn same_again<T: FromStr<Err: Display> + Display + PartialEq + Debug>(
    text: &str,
) -> Result<T, String> {
    let value = text.parse::<T>().map_err(|error| error.to_string());
    match &value {
        Ok(value) => {
            assert_eq!(value.to_string().parse::<T>().ok().as_ref(), Some(value), "{text:?}");
        }
        Err(error) => assert!(!error.is_empty() && !error.contains('\n'), "{error:?}"),
    }
    value
}

/// Deserializes a value from JSON, serializes it, and deserializes it again. Returns both values.
pub(crate) fn same_form<T: Serialize + DeserializeOwned>(text: &str) -> Option<[T; 2]> {
    let value: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&value).expect("a value that was read has a form");
    let again: T = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&again).expect("a form"), written, "{text:?}");
    Some([value, again])
}

/// Reads a text as each of several types.
macro_rules! read_as {
    ($read:ident($text:expr): $($value:ty),+) => { $(let _ = $read::<$value>($text);)+ };
}
pub(crate) use read_as;

//! The serialized form of [`Rng`], and [`as_text!`](crate::__serde_as_text) for types with a text form.

use crate::rng::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Rng {
    /// Writes the four words of the [`state`](Rng::state).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.state().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rng {
    /// Reads the four words of a [`state`](Rng::state). All zeros is an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = <[u64; 4]>::deserialize(deserializer)?;
        Self::from_state(state)
            .ok_or_else(|| D::Error::custom("expected a state of four words that are not all zero"))
    }
}

/// Implements `Serialize` and `Deserialize` through the `Display` and `FromStr` of a type. The calling crate
/// needs a dependency on `serde`.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_as_text {
    ($($type:ty: $expected:literal),+ $(,)?) => { $(
        impl ::serde::Serialize for $type {
            /// Writes the text form.
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            /// Reads the text form.
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                struct Text;
                impl ::serde::de::Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> ::core::result::Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    )+ };
}

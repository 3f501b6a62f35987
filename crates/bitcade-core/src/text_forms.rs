//! [`as_text!`](crate::__serde_as_text), for types with a text form.

/// Implements `Serialize` and `Deserialize` through the `Display` and `FromStr` of a type. The
/// calling crate needs a dependency on `serde`.
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

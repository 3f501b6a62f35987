//! The serialized form of an [`Rng`]: the four words of its [`state`](Rng::state).
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Saved {
//!     #[serde(with = "bitcade_core::serde_rng")]
//!     rng: bitcore::Rng,
//! }
//! let saved = Saved { rng: bitcore::Rng::new(7) };
//! let text = serde_json::to_string(&saved).unwrap();
//! assert_eq!(serde_json::from_str::<Saved>(&text).unwrap().rng, bitcore::Rng::new(7));
//! ```

use bitcore::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a generator.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(rng: &Rng, serializer: S) -> Result<S::Ok, S::Error> {
    rng.state().serialize(serializer)
}

/// Reads a generator.
///
/// # Errors
///
/// Those of the deserializer, and for a state of zeros, which no generator has.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rng, D::Error> {
    let state = <[u64; 4]>::deserialize(deserializer)?;
    let rng = Rng::from_state(state);
    rng.ok_or_else(|| D::Error::custom("expected a state of four words that are not all zero"))
}

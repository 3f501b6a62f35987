//! The serialized form of [`Rng`].

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

//! Games as JSON, with their generators, so that a game goes on as if it had not been saved.

use crate::border::{Reply, text, write};
use bitcore::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved<G> {
    game: G,
    rng: Rng,
}

/// Writes a game.
pub(crate) fn save(game: impl Serialize, rng: &Rng) -> Reply {
    write(&serde_json::to_vec(&Saved { game, rng: rng.clone() })?)
}

/// Reads a game that [`save`] wrote.
pub(crate) fn load<G: DeserializeOwned>(length: i64) -> Reply<(G, Rng)> {
    let Saved { game, rng } = serde_json::from_str(&text(length)?)?;
    Ok((game, rng))
}

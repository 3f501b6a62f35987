//! The serialized forms of [`Batch`] and [`GameState`].

use super::{Batch, GameState};
use crate::batch::{Autoreset, Format, Games, IllegalAction, Seeds};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::fmt::Display;
use core::num::NonZeroU32;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "GameState", deny_unknown_fields)]
struct SavedState<R, G> {
    rules: R,
    game: G,
    steps: u32,
    is_finished: bool,
}

impl<G: Games> Serialize for GameState<G>
where
    G::Rules: Serialize,
    G::Game: Serialize,
{
    /// Writes the rules, the game, its number of steps, and whether it is over.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rules, game, steps, is_finished } = self;
        SavedState { rules, game, steps: *steps, is_finished: *is_finished }.serialize(serializer)
    }
}

impl<'de, G: Games> Deserialize<'de> for GameState<G>
where
    G::Rules: Deserialize<'de>,
    G::Game: Deserialize<'de>,
    G::Error: Display,
{
    /// Reads a game, and checks it against its rules.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedState { rules, mut game, steps, is_finished } =
            SavedState::<G::Rules, G::Game>::deserialize(deserializer)?;
        G::check(&rules).map_err(D::Error::custom)?;
        G::check_game(&rules, &mut game).map_err(D::Error::custom)?;
        Ok(Self { rules, game, steps, is_finished })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct SavedGame<G> {
    game: G,
    steps: u32,
    is_finished: bool,
    /// The final observation of the last game that ended in this place.
    last: Option<Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Batch", deny_unknown_fields)]
struct SavedBatch<R, P, G, L> {
    rules: R,
    starts: P,
    seeds: Seeds,
    autoreset: Autoreset,
    illegal: IllegalAction,
    limit: Option<NonZeroU32>,
    format: Format<L>,
    games: Vec<SavedGame<G>>,
}

impl<G: Games> Serialize for Batch<G>
where
    G::Layout: Serialize,
    G::Rules: Serialize,
    G::Start: Serialize,
    G::Game: Serialize,
{
    /// Writes the rules, starts, seeds, modes and games.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.encoder.raw();
        let mut games = Vec::with_capacity(self.len());
        for group in &self.groups {
            for (place, &steps) in group.steps.iter().enumerate() {
                let has_ended = group.ended >> place & 1 == 1;
                games.push(SavedGame {
                    game: group.games.game(place),
                    steps,
                    is_finished: group.finished >> place & 1 == 1,
                    last: has_ended.then(|| group.last[cells * place..][..cells].to_owned()),
                });
            }
        }
        SavedBatch {
            rules: &self.context.rules,
            starts: &self.context.starts,
            seeds: self.seeds.clone(),
            autoreset: self.ways.autoreset,
            illegal: self.ways.illegal,
            limit: self.ways.limit,
            format: self.encoder.format(),
            games,
        }
        .serialize(serializer)
    }
}

impl<'de, G: Games> Deserialize<'de> for Batch<G>
where
    G::Layout: Deserialize<'de>,
    G::Rules: Deserialize<'de>,
    G::Start: Deserialize<'de>,
    G::Game: Deserialize<'de>,
    G::Error: Display,
{
    /// Reads a batch, and checks its games against its rules.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedBatch { rules, starts, seeds, autoreset, illegal, limit, format, games } =
            SavedBatch::<G::Rules, Vec<G::Start>, G::Game, G::Layout>::deserialize(deserializer)?;
        let mut batch = Self::new(games.len(), rules, 0)
            .map_err(D::Error::custom)?
            .with_autoreset(autoreset)
            .with_illegal_action(illegal)
            .with_step_limit(limit)
            .with_format(format)
            .map_err(D::Error::custom)?;
        batch.set_starts(starts).map_err(D::Error::custom)?;
        batch.set_seeds(seeds).map_err(D::Error::custom)?;
        let context = &batch.context;
        let cells = batch.encoder.raw();
        let mut games = games.into_iter();
        for group in &mut batch.groups {
            for place in 0..group.steps.len() {
                let Some(SavedGame { mut game, steps, is_finished, last }) = games.next() else {
                    continue;
                };
                G::check_game(&context.rules, &mut game).map_err(D::Error::custom)?;
                group.games.set_game(context, place, &game);
                group.steps[place] = steps;
                group.finished |= u64::from(is_finished) << place;
                let Some(last) = last else { continue };
                if last.len() != cells {
                    let found = last.len();
                    return Err(D::Error::custom(format_args!(
                        "expected an observation of {cells} bytes, found {found}"
                    )));
                }
                group.last.resize(cells * group.steps.len(), 0);
                group.last[cells * place..][..cells].copy_from_slice(&last);
                group.ended |= 1 << place;
            }
        }
        Ok(batch)
    }
}

//! Versions of a level that differ in one number.

use crate::io::output::Failure;
use match3::level::{Level, LevelSpec, Limit};
use std::sync::Arc;

/// A number of a level that a designer turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Knob {
    /// The moves, or the seconds of a level with a time limit
    Moves,
    /// The number of colors
    Colors,
    /// The count of the first goal
    Goal,
}

impl Knob {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Colors => "colors",
            Self::Goal => "goal",
        }
    }

    /// Returns whether a larger number makes a level easier.
    pub(super) const fn helps(self) -> bool {
        matches!(self, Self::Moves)
    }

    pub(super) fn value(self, spec: &LevelSpec) -> u32 {
        match self {
            Self::Moves => match spec.limit {
                Limit::Moves(moves) => moves,
                Limit::Time(seconds) => seconds,
            },
            Self::Colors => spec.colors.len() as u32,
            Self::Goal => spec.goals[0].count,
        }
    }

    /// Returns the level with another value.
    pub(super) fn turned(self, level: &Level, value: u32) -> Result<Level, String> {
        let mut spec = level.spec().clone();
        match self {
            Self::Moves => match &mut spec.limit {
                Limit::Moves(number) | Limit::Time(number) => *number = value,
            },
            // A color more weighs as much as the last one.
            Self::Colors => {
                let weight = spec.colors.last().copied().unwrap_or(1);
                spec.colors.resize(value as usize, weight);
            }
            Self::Goal => spec.goals[0].count = value,
        }
        Level::new(spec).map_err(|error| format!("{}={value}: {error}", self.name()))
    }
}

/// A range of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sweep {
    knob: Knob,
    first: u32,
    last: u32,
}

impl Sweep {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let read = || {
            let (name, range) = text.split_once('=')?;
            let (first, last) = range.split_once("..")?;
            let knob = [Knob::Moves, Knob::Colors, Knob::Goal]
                .into_iter()
                .find(|knob| knob.name() == name.trim())?;
            let number = |text: &str| text.trim().parse().ok().filter(|&number: &u32| number > 0);
            Some(Self { knob, first: number(first)?, last: number(last)? })
        };
        read().filter(|sweep| (sweep.first..sweep.first + 1000).contains(&sweep.last)).ok_or_else(
            || {
                "expected moves, colors or goal and a range of at most 1000 numbers, such as \
                 moves=15..30"
                    .to_owned()
            },
        )
    }
}

/// Returns the versions of a level in a sweep, with their names; without a sweep, only the level.
pub(super) fn versions(
    (name, level): (String, Arc<Level>),
    sweep: Option<&Sweep>,
) -> Result<Vec<(String, Arc<Level>)>, Failure> {
    let Some(Sweep { knob, first, last }) = sweep else { return Ok(vec![(name, level)]) };
    let version = |value| {
        let turned = knob.turned(&level, value);
        let level = turned.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        Ok((format!("{name} {}={value}", knob.name()), Arc::new(level)))
    };
    (*first..=*last).map(version).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_read() {
        let sweep = Sweep { knob: Knob::Moves, first: 15, last: 30 };
        assert_eq!(Sweep::parse("moves=15..30"), Ok(sweep));
        for bad in ["", "moves", "moves=0..3", "moves=5..3", "moves=1..5000", "speed=1..2"] {
            assert!(Sweep::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn knobs_turn_what_they_read() {
        let mut spec = LevelSpec::new(8, 8);
        let target = match3::level::Target::Score;
        spec.goals = vec![match3::level::Goal { target, count: 100 }];
        let level = Level::new(spec).expect("a level");
        for knob in [Knob::Moves, Knob::Colors, Knob::Goal] {
            let turned = knob.turned(&level, 5).expect("a level");
            assert_eq!(knob.value(turned.spec()), 5, "{knob:?}");
            assert_ne!(knob.value(level.spec()), 5, "{knob:?}");
        }
        assert!(Knob::Colors.turned(&level, 16).is_err());
    }
}

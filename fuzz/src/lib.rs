//! Fuzz targets. The `doors` targets feed bytes to every parser and constructor for untrusted text
//! and numbers. The `machines` targets are differential: they run the bytes as a program of
//! operations on every mutable type, against a reference and on every level of the CPU.
#![forbid(unsafe_code)]

mod bitcore;
mod g2048;
mod go_mc;
mod kit;
mod match3;
mod tetris;
mod tetris_ai;

mod bitcade {
    pub(crate) use ::bitcade::fuzz_terminal as terminal;
}

/// A target's name and function, and whether it has a dictionary.
type Target = (&'static str, fn(&[u8]), bool);

/// Defines the table of targets, and a replay test for each.
macro_rules! targets {
    ($($game:ident { $($target:ident $(with $words:ident)?,)* })*) => {
        const TARGETS: &[Target] = &[$($((
            concat!(stringify!($game), "/", stringify!($target)),
            $game::$target,
            !stringify!($($words)?).is_empty(),
        ),)*)*];

        #[cfg(test)]
        mod replay {
            $(mod $game {
                $(#[test]
                fn $target() {
                    crate::kit::replay(concat!(stringify!($game), "/", stringify!($target)));
                })*
            })*
        }
    };
}

targets! {
    bitcade { terminal with words, }
    bitcore { doors with words, machines, }
    g2048 { doors with words, machines, }
    go_mc { doors with words, machines, }
    match3 { doors with words, machines, }
    tetris { doors with words, machines, real_time, recording with words, }
    tetris_ai { doors with words, machines, }
}

/// Returns the target with this name.
///
/// # Panics
///
/// If there is none, listing all names.
pub fn target(name: &str) -> fn(&[u8]) {
    let found = TARGETS.iter().find(|(other, ..)| *other == name);
    let names = || TARGETS.iter().map(|&(name, ..)| name).collect::<Vec<_>>().join(", ");
    found.unwrap_or_else(|| panic!("no fuzz target {name:?}: expected one of {}", names())).1
}

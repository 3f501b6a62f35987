//! Fuzz targets: `doors` hands bytes to every entry for foreign text and numbers, `machines` runs them as a
//! program of operations on every type that changes, against a reference and on every level of the CPU.
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

/// A target by its name, with the least numbers of files in its corpus and of words in its dictionary.
type Target = (&'static str, fn(&[u8]), [usize; 2]);

/// Defines the table of the targets, and a test of each, which replays it.
macro_rules! targets {
    ($($game:ident { $($target:ident $least:expr,)* })*) => {
        const TARGETS: &[Target] =
            &[$($((concat!(stringify!($game), "/", stringify!($target)), $game::$target, $least),)*)*];

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
    bitcade { terminal [20, 82], }
    bitcore { doors [7, 6], machines [12, 0], }
    g2048 { doors [196, 18], machines [97, 0], }
    go_mc { doors [273, 63], machines [214, 0], }
    match3 { doors [300, 30], machines [121, 0], }
    tetris { doors [298, 24], machines [253, 0], real_time [11, 0], recording [13, 15], }
    tetris_ai { doors [263, 32], machines [200, 0], }
}

/// Returns the target of a name.
///
/// # Panics
///
/// If there is none: with the names of all.
pub fn target(name: &str) -> fn(&[u8]) {
    let found = TARGETS.iter().find(|(other, ..)| *other == name);
    let names = || TARGETS.iter().map(|&(name, ..)| name).collect::<Vec<_>>().join(", ");
    found.unwrap_or_else(|| panic!("no fuzz target {name:?}: expected one of {}", names())).1
}

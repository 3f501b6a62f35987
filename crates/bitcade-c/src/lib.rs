//! The engines as a C library. Its documentation is the header, `include/bitcade.h`; the README
//! says how to build and link it.
//!
//! Every function takes and returns numbers. Texts pass through a buffer that the library owns, so
//! no function reads through a pointer of its caller, and the only `unsafe` is the attribute of the
//! exported names, in the macro `exports`.
#![warn(missing_docs)]
#![deny(unsafe_code)]

/// Exports functions under their names, with C's calling convention. A body is a block with the
/// value [`border::Reply`]; a failure becomes an error text and the type's value for failures.
macro_rules! exports {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        // The prefix keeps the names apart from those of other libraries.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) -> $result {
            $crate::border::answer(|| $body)
        }
    )*};
}

#[cfg(not(any(
    feature = "contest",
    feature = "g2048",
    feature = "go",
    feature = "match3",
    feature = "tetris"
)))]
compile_error!("expected a game among the features: contest, g2048, go, match3, tetris");

#[cfg_attr(
    not(any(feature = "g2048", feature = "go", feature = "match3", feature = "tetris")),
    allow(dead_code, reason = "the contest has no handles")
)]
mod border;
#[cfg(feature = "contest")]
mod contest;
#[cfg(feature = "tetris")]
mod fumen;
#[cfg(feature = "go")]
mod go;
mod library;
#[cfg(feature = "match3")]
mod match3;
#[cfg(feature = "tetris")]
mod real_time;
#[cfg(feature = "saving")]
mod saved;
#[cfg(feature = "tbp")]
mod tbp;
#[cfg(feature = "tetris")]
mod tetris;
#[cfg(feature = "g2048")]
mod twenty48;

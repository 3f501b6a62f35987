//! The properties of the crate, each drawing its values from an [`Input`]. The tests run them with
//! quickcheck, the fuzz targets with libFuzzer and stored inputs.

pub(crate) mod generators;
mod lanes;
mod streams;
mod words;

use bitcore::dispatch;
use testkit::{Input, on_each_level};

/// Defines properties: the bytes are a program over registers, run on every level and on plain
/// arrays.
macro_rules! programs {
    ($($name:ident: $program:path;)*) => {$(
        pub(crate) fn $name(input: &Input) {
            let program = input.rest();
            on_each_level(|| {
                let input = Input::new(program);
                dispatch!(isa + slow_pext + v4 => $program(isa, &input));
            });
        }
    )*};
}

programs! {
    words: words::run;
    bytes: lanes::bytes;
    u16s: lanes::u16s;
    u32s: lanes::u32s;
    u64s: lanes::u64s;
    streams: streams::run;
}

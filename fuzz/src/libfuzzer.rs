//! The program driven by libFuzzer: `FUZZ_TARGET` names a target.
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> =
    LazyLock::new(|| bitcade_fuzz::target(&std::env::var("FUZZ_TARGET").unwrap_or_default()));

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_bitcade::terminal(data));

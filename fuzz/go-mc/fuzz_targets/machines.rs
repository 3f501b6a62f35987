#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_go_mc::machines(data));

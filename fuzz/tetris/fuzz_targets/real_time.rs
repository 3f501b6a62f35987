#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_tetris::real_time(data));

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_g2048::doors(data));

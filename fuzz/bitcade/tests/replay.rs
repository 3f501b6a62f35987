//! The target on stable Rust: the corpus, then random and mutated input for some seconds.

#[test]
fn terminal() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "terminal", fuzz_bitcade::terminal);
}

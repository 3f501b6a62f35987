//! The targets on stable Rust: the corpus, then random and mutated input for some seconds.

#[test]
fn doors() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "doors", fuzz_tetris_ai::doors);
}

#[test]
fn machines() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "machines", fuzz_tetris_ai::machines);
}

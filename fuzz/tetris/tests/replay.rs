//! The targets on stable Rust: the corpus, then random and mutated input for some seconds.

#[test]
fn doors() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "doors", fuzz_tetris::doors);
}

#[test]
fn machines() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "machines", fuzz_tetris::machines);
}

#[test]
fn real_time() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "real_time", fuzz_tetris::real_time);
}

#[test]
fn recording() {
    fuzzkit::replay(env!("CARGO_MANIFEST_DIR"), "recording", fuzz_tetris::recording);
}

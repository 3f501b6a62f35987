//! Checks that the patterns of `.cargo/mutants.toml` match existing code, which cargo-mutants
//! doesn't.

use std::fs::read_to_string;
use std::path::Path;

#[test]
fn patterns_stand_beside_code_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = read_to_string(root.join(".cargo/mutants.toml")).unwrap();
    let mut examined = 0;
    let mut excluded = 0;
    let mut code = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(explained) = line.strip_prefix("# `").and_then(|line| line.strip_suffix('`')) {
            code.push(explained);
        } else if let Some(glob) = line.strip_prefix("\"crates/") {
            let file = glob.trim_end_matches("\",").trim_end_matches("/**");
            assert!(root.join("crates").join(file).exists(), "{line}: no such file");
            examined += 1;
        } else if let Some(pattern) = line.strip_prefix("'crates/") {
            let file = pattern.split(':').next().unwrap_or_default().replace('\\', "");
            let source = read_to_string(root.join("crates").join(&file)).unwrap_or_default();
            assert!(!code.is_empty(), "{line}: no line of code above it");
            for code in code.drain(..) {
                assert!(
                    source.lines().any(|line| line.trim() == code),
                    "{file} lacks the line {code}"
                );
            }
            excluded += 1;
        }
    }
    assert!(examined >= 40 && excluded >= 14, "{examined} files and {excluded} patterns");
}

//! `bitcade keys`: the table of keys, and the file that changes it.

use crate::common::{bitcade, folder, stderr};
use std::fs;

#[test]
fn the_keys_are_printed_as_the_file_that_changes_them() {
    let printed = bitcade("keys --json").text();
    let text = bitcade("keys").text();
    for part in ["match3\n", "2048\n", "tetris\n", "go\n", "  hard drop ", "keys.json"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let config = folder("keys");
    let run = |content: &str| {
        fs::create_dir_all(config.join("bitcade")).expect("a folder");
        config.write("bitcade/keys.json", content);
        bitcade("keys --json").env("XDG_CONFIG_HOME", &*config)
    };
    // The printed text is a complete file, and changes nothing.
    run(&printed).prints(&printed);
    let changed = printed.replace("\"hint\":[\"i\"]", "\"hint\":[\"ж\"]");
    assert_ne!(changed, printed);
    run(&changed).prints(&changed);
    for (content, expected) in [
        ("{", "line 1, column 1: expected an object of games"),
        ("[]", "expected an object of games"),
        ("{\"go\": {\"pass\": [\"o\"]}}", "go: o is bound to both territory and pass"),
        ("{\"chess\": {}}", "chess: expected one of match3, 2048, tetris, go"),
    ] {
        run(content).fails(2, expected);
    }
    fs::remove_file(config.join("bitcade/keys.json")).expect("a file");
    fs::create_dir(config.join("bitcade/keys.json")).expect("a folder");
    let refused = bitcade("keys").env("XDG_CONFIG_HOME", &*config).output();
    assert!(stderr(&refused).contains("keys.json: expected a regular file"), "{refused:?}");
}

//! `bitcade keys`: the table of keys, and the file that changes it.

use crate::common::{bitcade, folder, stderr, stdout};
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
        (
            "{\"tetris\":{\"hold\":[\"c\"],\n \"hold\":[\"v\"]}}",
            "keys.json: line 2, column 7: \"hold\" is there twice",
        ),
        ("{\"go\": {},\n\"go\": {}}", "keys.json: line 2, column 4: \"go\" is there twice"),
        (
            "{\"go\": 3}",
            "line 1, column 8: invalid type: integer `3`, expected an object of actions",
        ),
        (&" ".repeat(1 << 21), "keys.json: expected at most 1048576 bytes"),
    ] {
        run(content).fails(2, expected);
    }
    run(&format!("\u{feff}{changed}")).prints(&changed);
    let bound =
        run("{\"tetris\": {\"hold\": [\"shift\", \"f1\"], \"rotate left\": [\"control\"]}}").json();
    assert_eq!(bound["tetris"]["hold"], serde_json::json!(["shift", "f1"]));
    assert_eq!(bound["tetris"]["rotate left"], serde_json::json!(["ctrl"]));
    fs::remove_file(config.join("bitcade/keys.json")).expect("a file");
    fs::create_dir(config.join("bitcade/keys.json")).expect("a folder");
    let refused = bitcade("keys").env("XDG_CONFIG_HOME", &*config).output();
    assert!(stderr(&refused).contains("keys.json: expected a regular file"), "{refused:?}");
}

/// An account without a home, as `HOME=/dev/null`, has the default keys. So has a file that can't
/// be read, with a remark, once.
#[cfg(unix)]
#[test]
fn without_a_readable_file_the_keys_are_the_default() {
    let usual = bitcade("keys --json").text();
    let none = bitcade("keys --json").env("XDG_CONFIG_HOME", "/dev/null").output();
    assert_eq!(stdout(&none), usual);
    assert_eq!(stderr(&none), "");
    let played = bitcade("play 2048 --lines").env("XDG_CONFIG_HOME", "/dev/null").output();
    assert_eq!(stderr(&played), "");
    assert!(played.status.success(), "{played:?}");
    let config = folder("keys-denied");
    std::os::unix::fs::symlink("bitcade", config.join("bitcade")).expect("a link to itself");
    let denied = bitcade("keys --json").env("XDG_CONFIG_HOME", &*config).output();
    assert_eq!(stdout(&denied), usual);
    let said = stderr(&denied);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("keys.json: ") && said.ends_with("; the default keys are used\n"),
        "{said}"
    );
}

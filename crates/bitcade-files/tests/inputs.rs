//! Inputs, which are never replaced.

use crate::{fails, names, read};
use bitcade_files::{Existing, InputFile, OutputFile};
use std::fs;
use std::io::Read;

const IS_INPUT: &str = "is an input, too, expected another file";
const IS_OUTPUT: &str = "is an output, too, expected another file";

/// Not under any of its names, even when it has been read to its end.
#[test]
fn an_input_is_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    fs::write(&path, "112\n").expect("a file");
    let mut input = InputFile::open(&path).expect("an input");
    let mut text = String::new();
    input.read_to_string(&mut text).expect("UTF-8");
    assert_eq!(text, "112\n");
    assert_eq!(input.name(), path.display().to_string());
    drop(input);
    let hard = folder.path().join("hard");
    fs::hard_link(&path, &hard).expect("a link");
    let dotted = folder.path().join(".").join("board");
    for name in [&path, &hard, &dotted] {
        fails(OutputFile::check(name, Existing::Replace), IS_INPUT);
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("hard", &link).expect("a link");
        fails(OutputFile::check(&link, Existing::Replace), IS_INPUT);
    }
    assert_eq!(read(&path), "112\n");
}

/// A resumed output is read first.
#[test]
fn an_output_is_no_input_unless_it_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, existing) in [("replaced", Existing::Replace), ("resumed", Existing::Resume)] {
        let path = folder.path().join(name);
        fs::write(&path, "state").expect("a file");
        let output = OutputFile::check(&path, existing).expect("an output");
        let input = InputFile::open(&path);
        match existing {
            Existing::Resume => assert!(input.is_ok()),
            _ => fails(input, IS_OUTPUT),
        }
        output.write(|sink| sink(b"more")).expect("space");
        assert_eq!(read(&path), "more");
    }
    fails(InputFile::open(&folder.path().join("none")), "none: ");
    assert_eq!(names(folder.path()), ["replaced", "resumed"]);
}

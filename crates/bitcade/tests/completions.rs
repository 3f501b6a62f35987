//! `bitcade completions` and `bitcade man`: scripts that shells read, and pages that `man` shows.

use crate::common::bitcade;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// The commands and flags that a script for any shell must name.
const WORDS: [&str; 6] = ["match3", "playouts", "replay", "--least-probability", "x86-64-v3", "situational"];

/// Runs a program, if it is installed, with a text as its standard input.
fn installed(program: &str, arguments: &[&str], stdin: &Path) -> Option<Output> {
    let file = fs::File::open(stdin).expect("it was written");
    Command::new(program).args(arguments).stdin(file).stderr(Stdio::piped()).output().ok()
}

#[test]
fn every_shell_has_a_script() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in SHELLS {
        let script = bitcade(["completions", shell]).text();
        for word in WORDS {
            // Some shells write a flag without its hyphens.
            assert!(script.contains(word.trim_start_matches('-')), "{shell} lacks {word}");
        }
        let path = folder.path().join(shell);
        fs::write(&path, script).expect("written");
        // A shell that is not installed can't read it.
        let no_run = if shell == "fish" { "--no-execute" } else { "-n" };
        if let (Some(output), true) =
            (installed(shell, &[no_run], &path), !matches!(shell, "powershell" | "elvish"))
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        }
    }
    bitcade(["completions", "tcsh"]).fails(2, "possible values: bash, elvish, fish, powershell, zsh");
    bitcade(["completions"]).fails(2, "<SHELL>");
    bitcade(["completions", "bash", "--json"]).fails(2, "--json: not for this command");
}

/// Completes words as bash does when the script is loaded.
#[test]
#[cfg(target_os = "linux")]
fn bash_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let completed = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = bitcade(["completions", "bash"]).text();
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let script = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={}; _bitcade bitcade '{last}' '{before}'; \
             echo ${{COMPREPLY[@]}}\n",
            quoted.join(" "),
            words.len() - 1
        );
        let path = folder.path().join("script");
        fs::write(&path, script).expect("written");
        let output = installed("bash", &["--norc"], &path).expect("bash runs");
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    };
    for (line, expected) in [
        ("bitcade te", "tetris"),
        ("bitcade 2048 pl", "playouts"),
        ("bitcade 2048 playouts --s", "--size --seed"),
        ("bitcade go perft --ko ", "simple positional situational"),
        ("bitcade match3 evaluate --agent r", "random rollout"),
        ("bitcade go playouts --level p", "portable"),
    ] {
        assert_eq!(completed(line), expected, "{line}");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("share").join("man1");
    let name = out.to_str().expect("UTF-8");
    let printed = bitcade(["man", "--out", name]).text();
    let pages: Vec<&str> = printed.lines().collect();
    assert!(pages.len() > 20 && pages[0].ends_with("bitcade.1"), "{printed}");
    assert_eq!(fs::read_dir(&out).expect("made").count(), pages.len());
    for page in pages {
        let text = fs::read_to_string(page).expect("written");
        let title = Path::new(page).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(text.contains(&format!(".TH {title} 1 ")), "{page}: {text}");
        let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        assert_eq!(&headings[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{page}");
        assert!(headings.contains(&"\"GLOBAL OPTIONS\"") && headings.contains(&"EXAMPLES"), "{page}: {text}");
        // A title that is followed by no text.
        let empty = text.lines().zip(text.lines().skip(1)).find(|(heading, next)| {
            heading.starts_with(".SH") && (next.starts_with(".SH") || next.trim().is_empty())
        });
        assert_eq!(empty, None, "{page}");
        for (program, arguments) in
            [("mandoc", &["-T", "lint", "-W", "error"][..]), ("groff", &["-man", "-ww", "-z", "-Tutf8"][..])]
        {
            if let Some(output) = installed(program, arguments, Path::new(page)) {
                assert!(output.status.success() && output.stderr.is_empty(), "{program} {page}: {output:?}");
            }
        }
    }
    // Line breaks and quotes of an example are as they are typed.
    let hint = fs::read_to_string(out.join("bitcade-match3-hint.1")).expect("written");
    let example = r"printf \*(Aq1213\\n3122\\n2331\\n\*(Aq | bitcade match3 hint";
    assert!(hint.contains(example), "{hint}");

    bitcade(["man", "--out", name]).fails(2, "is not empty; --force replaces it");
    let forced = bitcade(["man", "--out", name, "--force", "--json"]).text();
    assert!(
        forced.starts_with("{\"page\":") && forced.lines().count() == printed.lines().count(),
        "{forced}"
    );
    let first = bitcade(["man"]).text();
    assert_eq!(first, fs::read_to_string(out.join("bitcade.1")).expect("written"));
    bitcade(["man", "--out", "-"]).prints(&first);
    bitcade(["man", "--json"]).fails(2, "--json: not for this command, which prints a manual page");
    bitcade(["man", "--out", "/dev/null/x"]).fails(1, "/dev/null/x: ");
}

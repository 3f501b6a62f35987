//! `bitcade completions` and `bitcade man`: shell scripts and manual pages.

use crate::common::{bitcade, folder};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// The commands and flags that a script for any shell must name.
const WORDS: [&str; 6] =
    ["match3", "playouts", "replay", "--least-probability", "x86-64-v3", "situational"];

/// Runs a program with a text as its standard input. If installed, it must succeed with nothing on
/// stderr.
fn if_installed(program: &str, arguments: &[&str], stdin: &Path) -> Option<Output> {
    let file = fs::File::open(stdin).expect("it was written");
    let output =
        Command::new(program).args(arguments).stdin(file).stderr(Stdio::piped()).output().ok()?;
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{program} {}: {output:?}",
        stdin.display()
    );
    Some(output)
}

#[test]
fn every_shell_has_a_script() {
    let folder = folder("completions");
    for shell in SHELLS {
        let script = bitcade(format!("completions {shell}")).text();
        for word in WORDS {
            // Some shells write a flag without its hyphens.
            assert!(script.contains(word.trim_start_matches('-')), "{shell} lacks {word}");
        }
        folder.write(shell, script);
        let no_run = if shell == "fish" { "--no-execute" } else { "-n" };
        if !matches!(shell, "powershell" | "elvish") {
            if_installed(shell, &[no_run], &folder.join(shell));
        }
    }
}

/// Completes words as bash does with the script loaded.
#[test]
#[cfg(target_os = "linux")]
fn bash_completes() {
    let folder = folder("bash-completes");
    let script = bitcade("completions bash").text();
    for (line, expected) in [
        ("bitcade te", "tetris"),
        ("bitcade 2048 pl", "playouts"),
        ("bitcade 2048 playouts --s", "--size --seed"),
        ("bitcade go perft --ko ", "simple positional situational"),
        ("bitcade match3 evaluate --agent r", "random rollout"),
        ("bitcade go playouts --level p", "portable"),
    ] {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let [.., before, last] = &words[..] else { panic!("two words") };
        let call = format!(
            "COMP_WORDS=({}); COMP_CWORD={}; _bitcade bitcade {last} {before}; echo ${{COMPREPLY[@]}}\n",
            words.join(" "),
            words.len() - 1
        );
        folder.write("script", format!("{script}\n{call}"));
        let output = if_installed("bash", &["--norc"], &folder.join("script")).expect("bash runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected, "{line}");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = folder("man");
    let printed = folder.run("man --out share/man1").text();
    let pages: Vec<&str> = printed.lines().collect();
    assert!(pages.len() > 20 && pages[0].ends_with("bitcade.1"), "{printed}");
    assert_eq!(crate::common::names(&folder.join("share/man1")).len(), pages.len());
    for page in pages {
        let text = folder.read(page);
        let title = Path::new(page).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(text.contains(&format!(".TH {title} 1 ")), "{page}: {text}");
        let headings: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        assert_eq!(&headings[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{page}");
        assert!(
            headings.contains(&"\"GLOBAL OPTIONS\"") && headings.contains(&"EXAMPLES"),
            "{page}: {text}"
        );
        // A heading without text.
        let empty = text.lines().zip(text.lines().skip(1)).find(|(heading, next)| {
            heading.starts_with(".SH") && (next.starts_with(".SH") || next.trim().is_empty())
        });
        assert_eq!(empty, None, "{page}");
        if_installed("mandoc", &["-T", "lint", "-W", "error"], &folder.join(page));
        if_installed("groff", &["-man", "-ww", "-z", "-Tutf8"], &folder.join(page));
    }
    // An example keeps its line breaks and quotes as typed.
    let hint = folder.read("share/man1/bitcade-match3-hint.1");
    let example = r"printf \*(Aq1213\\n3122\\n2331\\n\*(Aq | bitcade match3 hint";
    assert!(hint.contains(example), "{hint}");

    folder.run("man --out share/man1").fails(2, "is not empty; --force replaces it");
    let forced = folder.run("man --out share/man1 --force --json").text();
    assert!(
        forced.starts_with("{\"page\":") && forced.lines().count() == printed.lines().count(),
        "{forced}"
    );
    for line in ["man", "man --out -"] {
        folder.run(line).prints(&folder.read("share/man1/bitcade.1"));
    }
    folder.run("man --out /dev/null/x").fails(1, "/dev/null/x: ");
}

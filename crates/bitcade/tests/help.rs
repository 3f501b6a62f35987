//! The help of every command, found by walking down from `bitcade --help`: its form, its examples,
//! and the answer to a bad value of each flag.

use crate::common::{bitcade, folder, stderr, stdout};

/// The maximum columns of the help in a terminal of 80 and of 100 columns.
const NARROW: usize = 80;
const WIDE: usize = 100;

/// Returns a command's help, in the long form of `--help` or the short one of `-h`.
fn help(command: &str, flag: &str, columns: usize) -> String {
    let output = bitcade(format!("{command} {flag}")).env("COLUMNS", columns.to_string()).output();
    assert!(output.status.success() && output.stderr.is_empty(), "{command} {flag}: {output:?}");
    stdout(&output)
}

fn section<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    help.lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.is_empty())
        .collect()
}

/// Returns all commands, each as the words after `bitcade`, starting with the program itself.
pub(crate) fn commands() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut next = 0;
    while let Some(command) = all.get(next).cloned() {
        for line in section(&help(&command, "-h", WIDE), "Commands:") {
            let name = line.split_whitespace().next().expect("no line is blank");
            if name != "help" {
                all.push(format!("{command} {name}").trim_start().to_owned());
            }
        }
        next += 1;
    }
    assert!(all.len() > 20, "{all:?}");
    all
}

/// Returns a command's flags that take a value, as `--name` and the name of the value.
pub(crate) fn flags(command: &str) -> Vec<(String, String)> {
    let words = |line: &str| {
        let mut words = line.split_whitespace().filter(|word| !word.ends_with(','));
        let flag = words.next().filter(|flag| flag.starts_with("--"))?.to_owned();
        let value = words.next()?.strip_prefix('<')?.strip_suffix('>')?.to_owned();
        Some((flag, value))
    };
    let help = help(command, "--help", WIDE);
    help.lines().filter(|line| line.trim_start().starts_with('-')).filter_map(words).collect()
}

/// Each group shows every subcommand with a one-line summary.
#[test]
fn summaries_fit_the_line() {
    for command in commands() {
        for flag in ["-h", "--help"] {
            for line in section(&help(&command, flag, NARROW), "Commands:") {
                let (name, summary) = line.trim_start().split_once(' ').expect(line);
                let summary = summary.trim_start();
                let is_indented = line.starts_with("  ") && !name.is_empty();
                assert!(
                    is_indented && summary.starts_with(char::is_alphanumeric),
                    "{command}: {line}"
                );
                assert!(
                    line.chars().count() <= NARROW && !summary.ends_with('.'),
                    "{command}: {line}"
                );
                assert!(!summary.contains("aliases"), "{command}: {line}");
            }
        }
    }
}

/// Every help has a one-line example, ends with the global options, and fits the width.
#[test]
fn every_help_has_the_same_form() {
    let options = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        lines.map(|line| line.split("  ").next().unwrap_or(line).to_owned()).collect()
    };
    for name in commands() {
        for (columns, flag) in [(NARROW, "-h"), (WIDE, "-h"), (NARROW, "--help"), (WIDE, "--help")]
        {
            let help = help(&name, flag, columns);
            for line in help.lines() {
                assert!(line.chars().count() <= columns, "{name}: {line}");
            }
            let heading = help.lines().rfind(|line| line.ends_with(':') && !line.starts_with(' '));
            assert_eq!(heading, Some("Global options:"), "{name}");
            let common = help.split("\nGlobal options:\n").collect::<Vec<_>>();
            let [before, common] = common[..] else { panic!("{name}: once: {help}") };
            let mut global = vec!["--json", "--level <LEVEL>", "-h, --help"];
            if name.is_empty() {
                global.push("-V, --version");
            }
            assert_eq!(options(common), global, "{name}");
            let is_global = |option: &String| global.contains(&option.as_str());
            assert!(!options(before).iter().any(is_global), "{name}: {help}");
            let (_, examples) = help
                .split_once("\n\nExample: bitcade")
                .or(help.split_once("\n\nExample: printf"))
                .unwrap_or_else(|| panic!("{name} has no example: {help}"));
            // If they fit, example lines are not wrapped, to make them easy to copy.
            let whole = examples.lines().skip(1).all(|line| line.starts_with("Example: "));
            assert!(columns == NARROW || whole, "{name}: {help}");
        }
    }
    bitcade("--version").prints(&format!("bitcade {}\n", env!("CARGO_PKG_VERSION")));
}

/// Values that no flag accepts, unless it accepts any text.
const BAD: [&str; 6] = ["", "x!", "1-5", "-x", "NaN", "é"];
/// The names of values that are any text: paths and command lines.
const ANY_TEXT: [&str; 6] = ["FILE", "NET", "SVG", "GIF", "FOLDER", "COMMAND"];

/// A bad value is answered with one line that has the flag and the expectation, without Rust's own
/// wording.
#[test]
fn every_flag_refuses_a_bad_value() {
    let mut flags_tried = 0;
    for command in commands() {
        for (flag, value) in flags(&command) {
            if ANY_TEXT.contains(&value.as_str()) {
                continue;
            }
            flags_tried += 1;
            for bad in BAD {
                let line = format!("{command} '{flag}={bad}'");
                let output = bitcade(&line).output();
                let told = stderr(&output);
                assert_eq!(output.status.code(), Some(2), "{line}: {told}");
                assert_eq!(output.stdout.len(), 0, "{line}: {told}");
                assert_eq!(told.lines().count(), 1, "{line}: {told}");
                assert!(told.starts_with("bitcade: ") && told.contains(&flag), "{line}: {told}");
                // The value itself is quoted as given.
                let rest = told.replace(&format!("'{bad}'"), "");
                // Ranges are part of what these two take.
                let takes_ranges = ["--sweep", "--require"].contains(&flag.as_str());
                let rest = if takes_ranges { rest.replace("..", "") } else { rest };
                let rust =
                    ["..", "Some(", "None", "Err(", "Ok(", "::", "ParseIntError", "invalid digit"];
                assert!(!rust.iter().any(|word| rest.contains(word)), "{line}: {told}");
                let expected = ["expected", "possible values", "a value is required"];
                assert!(expected.iter().any(|word| rest.contains(word)), "{line}: {told}");
            }
        }
    }
    assert!(flags_tried > 80, "only {flags_tried} flags");
}

/// Every unwritable output is refused with one line and status 1, before any work.
#[cfg(target_os = "linux")]
#[test]
fn every_output_that_cannot_be_written() {
    /// The flags that name an input, or that name nothing by themselves.
    const INPUTS: [&str; 8] =
        ["--net", "--late", "--weights", "--bot", "--engine", "--load", "--against", "--prior"];
    /// The additional words that a command needs for the flag.
    const NEEDS: [(&str, &str, &str); 10] = [
        ("match3 playtest", "--out", "no-such-level"),
        ("match3 playtest", "--html", "no-such-level"),
        ("match3 playtest", "--csv", "no-such-level"),
        ("2048 train", "--out", "--games 1"),
        ("2048 train", "--picture", "--games 1 --out net"),
        ("tetris match", "--out", "--bot no-such-bot --bot no-such-bot"),
        ("go match", "--out", "--engine no-such-engine --engine no-such-engine"),
        ("go learn", "--out", "no-such-games"),
        ("watch", "--record", "--time 1s"),
        ("play", "--record", "--time 1s"),
    ];
    let folder = folder("help-outputs");
    let mut flags_tried = 0;
    for command in commands() {
        for (flag, value) in flags(&command) {
            if !ANY_TEXT.contains(&value.as_str()) || INPUTS.contains(&flag.as_str()) {
                continue;
            }
            flags_tried += 1;
            let needs = NEEDS.iter().find(|needs| command.starts_with(needs.0) && needs.1 == flag);
            let needs = needs.map_or("", |needs| needs.2);
            // Not even root can create a file in `/proc`; nobody can write a folder. The manual's
            // folder is created.
            let targets = ["/proc/bitcade.gif", "none/new.gif", "."];
            for target in &targets[..if command == "man" { 1 } else { 3 }] {
                folder
                    .run(format!("{command} {flag} {target} {needs}"))
                    .fails(1, &format!("{target}: "));
            }
            assert!(folder.names().is_empty(), "{command} {flag}");
        }
    }
    assert!(flags_tried >= 13, "only {flags_tried} flags");
}

/// Every example runs, in a folder with the files that it reads.
#[cfg(unix)]
mod run_examples {
    use super::{WIDE, commands, help};
    use crate::common::{Folder, PROGRAM, folder};
    use std::path::Path;
    use std::process::{Command, Output, Stdio};

    /// The examples that are not run unchanged: the added words, and why.
    const CHANGED: [(&str, &str, &str); 6] = [
        ("bitcade", "--help", "the tour takes seconds; tests/alone/tour.rs runs it"),
        ("bitcade 2048 train --minutes 20 --out net.2048", "--games 100", "takes 20 minutes"),
        (
            "bitcade go match --out games --engine 'bitcade go gtp' --engine 'pachi threads=1'",
            "--help",
            "takes an hour, and another program",
        ),
        ("bitcade go selfplay --out games", "--games 2 --playouts 5", "takes a quarter of an hour"),
        ("bitcade contest solve --time 10m --out game.txt", "--help", "takes 10 minutes"),
        (
            "bitcade tetris match --bot 'bitcade tetris tbp' --bot 'bitcade tetris tbp' --out match",
            "--games 1 --pieces 3 --milliseconds 0",
            "takes ten minutes",
        ),
    ];

    /// The commands that need a terminal and a person, and the flags that avoid this.
    const FOR_PEOPLE: [(&str, &str); 2] = [
        ("bitcade watch", "--time 300ms --record shown.cast"),
        ("bitcade play", "--time 300ms --record shown.cast"),
    ];

    /// The examples that print nothing: an engine without commands, and a picture.
    const SILENT: [&str; 2] =
        ["bitcade go gtp --size", "bitcade contest replay game.txt --every 10 --gif"];

    /// The files that examples read.
    const INPUTS: [(&str, &str); 4] = [
        ("board.txt", "1213\n3122\n2331\n"),
        ("boards.txt", "1213\n3122\n2331\n\n1121\n3213\n"),
        ("game.txt", "N,D19,N,L2,D3,N,D10\n"),
        (
            "level.toml",
            "version = 1\ncolors = 4\nmoves = 9\ngoals = [{ color = 1, count = 9 }]\npieces = \"\"\"\n?????\n?????\"\"\"\n",
        ),
    ];

    fn examples(command: &str) -> Vec<String> {
        let help = help(command, "--help", WIDE);
        help.lines().filter_map(|line| line.strip_prefix("Example: ")).map(str::to_owned).collect()
    }

    /// Runs a line in the shell, with `bitcade` in its path.
    fn shell(line: &str, folder: &Folder) -> Output {
        let path = Path::new(PROGRAM).parent().expect("a folder").display().to_string();
        let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&**folder).env("PATH", path).env("COLUMNS", "100");
        let output = command.stdin(Stdio::null()).output().expect("the shell starts");
        assert!(output.status.success(), "{line}: {output:?}");
        output
    }

    #[test]
    fn every_example_runs() {
        let mut changed = 0;
        for (number, example) in commands().iter().flat_map(|command| examples(command)).enumerate()
        {
            let folder = folder(&format!("examples/{number}"));
            let reads = |name: &str| example.replace(&format!("--out {name}"), "").contains(name);
            for (name, text) in INPUTS.into_iter().filter(|(name, _)| reads(name)) {
                folder.write(name, text);
            }
            if reads("net.2048") {
                shell("bitcade 2048 train --games 10 --out net.2048", &folder);
            }
            if reads("go learn games") {
                shell("bitcade go selfplay --games 2 --playouts 5 --out games", &folder);
            }
            let more = CHANGED.iter().find(|change| change.0 == example).map(|change| change.1);
            changed += usize::from(more.is_some());
            let for_people = FOR_PEOPLE.iter().find(|(command, _)| example.starts_with(command));
            let more = more.or(for_people.map(|(_, more)| *more)).unwrap_or_default();
            let output = shell(format!("{example} {more}").trim(), &folder);
            let silent = SILENT.iter().any(|command| example.starts_with(command));
            assert_eq!(output.stdout.is_empty(), silent, "{example}: {output:?}");
        }
        assert_eq!(changed, CHANGED.len(), "an example in CHANGED is none of the help");
    }
}

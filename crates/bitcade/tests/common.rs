//! Runs of the built program and checks of their output.

#[cfg(unix)]
pub(crate) mod readme;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A run of the program that has not started yet.
pub(crate) struct Run {
    command: Command,
    stdin: Vec<u8>,
    arguments: Vec<String>,
}

/// Returns the run `bitcade ARGUMENTS`.
pub(crate) fn bitcade<const N: usize>(arguments: [&str; N]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitcade"));
    command.args(arguments);
    Run { command, stdin: Vec::new(), arguments: arguments.map(str::to_owned).to_vec() }
}

impl Run {
    /// Adds arguments.
    pub(crate) fn arguments<'a>(&mut self, arguments: impl Iterator<Item = &'a str>) {
        for argument in arguments {
            self.command.arg(argument);
            self.arguments.push(argument.to_owned());
        }
    }

    /// Sets the folder in which the program runs.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets the standard input of the program.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Runs the program to its end and returns its output.
    pub(crate) fn output(mut self) -> Output {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the program starts");
        // A program that rejects its arguments does not read its input.
        let _ = child.stdin.take().expect("piped").write_all(&self.stdin);
        child.wait_with_output().expect("the program ends")
    }

    /// Runs the program, checks that it ends with status 0, and returns its standard output.
    pub(crate) fn text(self) -> String {
        let arguments = self.arguments.clone();
        let output = self.output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}, {stderr}", output.status);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Checks that the program ends with status 0 and exactly this output.
    pub(crate) fn prints(self, expected: &str) {
        assert_eq!(self.text(), expected);
    }

    /// Checks that the program ends with `status`, nothing on standard output, and one line on standard error
    /// that contains `message`.
    pub(crate) fn fails(self, status: i32, message: &str) {
        let arguments = self.arguments.clone();
        let output = self.output();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("bitcade: ") && stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

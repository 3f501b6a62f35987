//! Runs the built program and checks what a script would see.
#![allow(dead_code, reason = "every test binary uses its part")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A run of the program that hasn't begun.
pub(crate) struct Run {
    command: Command,
    stdin: Vec<u8>,
    arguments: Vec<String>,
}

/// `bitcade ARGUMENTS`.
pub(crate) fn bitcade<const N: usize>(arguments: [&str; N]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitcade"));
    command.args(arguments);
    Run { command, stdin: Vec::new(), arguments: arguments.map(str::to_owned).to_vec() }
}

impl Run {
    /// More arguments.
    pub(crate) fn arguments<'a>(&mut self, arguments: impl Iterator<Item = &'a str>) {
        for argument in arguments {
            self.command.arg(argument);
            self.arguments.push(argument.to_owned());
        }
    }

    /// What the program reads.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Runs to the end.
    pub(crate) fn output(mut self) -> Output {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the program starts");
        // A program that refuses its arguments closes its input unread.
        let _ = child.stdin.take().expect("piped").write_all(&self.stdin);
        child.wait_with_output().expect("the program ends")
    }

    /// Ends with status 0 and gives its standard output.
    pub(crate) fn text(self) -> String {
        let arguments = self.arguments.clone();
        let output = self.output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}, {stderr}", output.status);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Ends with status 0 and exactly this output.
    pub(crate) fn prints(self, expected: &str) {
        assert_eq!(self.text(), expected);
    }

    /// Ends with `status`, nothing on standard output, and one line with `message` in it on standard error.
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

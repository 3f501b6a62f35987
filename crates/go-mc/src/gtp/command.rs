//! [`Command`]: one line of the protocol, and the format of its response.

use std::string::{String, ToString};
use std::vec::Vec;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// The number before the command name, or an empty text.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
}

/// Some programs write it before their first line of UTF-8, and concatenated files contain it in
/// the middle.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl Command {
    /// Parses a line; returns `None` for a line of only whitespace and comments.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes));
        let text = text.split('#').next().unwrap_or_default().replace('\t', " ");
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let mut words = text.split_whitespace().map(ToString::to_string).peekable();
        let number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        words.peek()?;
        let id = words.next_if(number).unwrap_or_default();
        Some(Self { id, name: words.next().unwrap_or_default(), arguments: words.collect() })
    }

    pub(super) fn response_start(&self) -> String {
        std::format!("={}\n", self.id)
    }

    /// Returns the whole response, including the empty line that ends it.
    pub(super) fn response(&self, text: Result<String, String>) -> String {
        let (mark, text) = match text {
            Ok(text) => ('=', text),
            // A host's error message may contain line breaks, which would end the response.
            Err(text) => ('?', text.split_whitespace().collect::<Vec<_>>().join(" ")),
        };
        let blank = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        std::format!("{mark}{}{blank}{text}\n\n", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &[u8]) -> Option<(String, String, usize)> {
        Command::parse(line).map(|line| (line.id, line.name, line.arguments.len()))
    }

    #[test]
    fn lines_are_cleaned() {
        let is =
            |id: &str, command: &str, count| Some((id.to_string(), command.to_string(), count));
        assert_eq!(parts(b"12 play\tb  D4\r"), is("12", "play", 2));
        assert_eq!(parts(b"\x01na\x7fme#play b D4"), is("", "name", 0));
        assert_eq!(parts(b"7"), is("7", "", 0));
        assert_eq!(parts(b"7up 3"), is("", "7up", 1));
        assert_eq!(parts("spiel schwarz \u{e4}\u{2028}".as_bytes()), is("", "spiel", 2));
        for empty in [
            &b""[..],
            b"  \t ",
            b"# x",
            b" \r",
            b"\xef\xbb\xbf",
            b"\xef\xbb\xbf# x\r",
            b"\xef\xbb\xbf\t\r",
        ] {
            assert_eq!(parts(empty), None);
        }
        assert_eq!(parts(b"\xef\xbb\xbf1 name\r"), is("1", "name", 0));
        assert_eq!(
            parts(b"name\xef\xbb\xbf"),
            is("", "name\u{feff}", 0),
            "it has no meaning elsewhere"
        );
        assert_eq!(parts(b"\xff\xfe"), is("", "\u{fffd}\u{fffd}", 0));
    }

    #[test]
    fn responses_end_with_their_only_empty_line() {
        let line = Command::parse(b"3 name").unwrap();
        assert_eq!(line.response(Ok("x".into())), "=3 x\n\n");
        assert_eq!(line.response(Ok(String::new())), "=3\n\n");
        assert_eq!(line.response(Err("no\n\nfile ".into())), "?3 no file\n\n");
    }
}

//! Dictionaries in libFuzzer's syntax: a quoted word a line, with an optional name, and `#` comments.

/// Parses a dictionary: `name="word"` or `"word"` a line, with the escapes `\\`, `\"` and `\xAB`.
///
/// # Errors
///
/// The number of the first line that is none of these.
pub(crate) fn parse(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| word(line).ok_or(number)).collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = &line[line.find('"')? + 1..];
    let mut bytes = quoted.strip_suffix('"')?.bytes();
    let mut found = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            found.push(byte);
            continue;
        }
        found.push(match bytes.next()? {
            b'x' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
            }
            escaped @ (b'\\' | b'"') => escaped,
            _ => return None,
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn words_are_quoted_with_or_without_a_name() {
        let text = "# words\n\nline=\"a\\x0a\\\"\"\n\"b\\\\\"\n";
        assert_eq!(parse(text), Ok(vec![b"a\n\"".to_vec(), b"b\\".to_vec()]));
        assert_eq!(parse("\"a\"\nb"), Err(2));
        assert_eq!(parse("\"\\n\""), Err(1));
    }
}

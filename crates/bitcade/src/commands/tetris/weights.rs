//! The weights of the bot's evaluation as a JSON object, with errors that say where.

use serde_json::{Map, Value};
use tetris_ai::bot::BotWeights;

/// Parses weights by name: whole numbers, or lists of them. Missing weights keep their defaults.
pub(super) fn parse_weights(text: &str) -> Result<BotWeights, String> {
    let Ok(Value::Object(mut weights)) = serde_json::to_value(BotWeights::default()) else {
        return Err("expected weights by name".to_owned());
    };
    let mut parser = Parser { text, at: 0 };
    let mut found = Map::new();
    parser.expect('{', "an object of weights such as {\"covered\": -20}")?;
    if parser.next() == Some('}') {
        parser.at += 1;
    } else {
        loop {
            let place = parser.place();
            let name = parser.name()?;
            let Some(default) = weights.get(&name) else {
                let names: Vec<&str> = weights.keys().map(String::as_str).collect();
                return Err(format!("{place}: expected one of {}, found \"{name}\"", names.join(", ")));
            };
            if found.contains_key(&name) {
                return Err(format!("{place}: expected each name once, found \"{name}\" again"));
            }
            parser.expect(':', "a colon")?;
            let value = match default.as_array().map(Vec::len) {
                None => parser.number()?,
                Some(length) => parser.numbers(length)?,
            };
            found.insert(name, value);
            if parser.next() != Some(',') {
                break;
            }
            parser.at += 1;
        }
        parser.expect('}', "a comma or the end of the object, }")?;
    }
    if parser.next().is_some() {
        return Err(format!("{}: expected nothing more", parser.place()));
    }
    weights.extend(found);
    serde_json::from_value(Value::Object(weights)).map_err(|_| "expected weights by name".to_owned())
}

/// A text and the offset of what comes next.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    /// Skips blank space and returns the next character.
    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text[self.at..].chars().next()
    }

    /// Returns the line and column of what comes next.
    fn place(&mut self) -> String {
        self.next();
        let before = &self.text[..self.at];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        format!("line {line}, column {column}")
    }

    fn error(&mut self, expected: &str) -> String {
        let place = self.place();
        let found = self.next().map_or_else(|| "the end".to_owned(), |found| format!("{found:?}"));
        format!("{place}: expected {expected}, found {found}")
    }

    fn expect(&mut self, character: char, expected: &str) -> Result<(), String> {
        if self.next() != Some(character) {
            return Err(self.error(expected));
        }
        self.at += character.len_utf8();
        Ok(())
    }

    fn name(&mut self) -> Result<String, String> {
        const EXPECTED: &str = "the name of a weight in double quotes";
        if self.next() != Some('"') {
            return Err(self.error(EXPECTED));
        }
        let rest = &self.text[self.at + 1..];
        let end = rest.find(['"', '\n']).filter(|&end| rest[end..].starts_with('"'));
        let Some(end) = end else { return Err(self.error(EXPECTED)) };
        self.at += end + 2;
        Ok(rest[..end].to_owned())
    }

    fn number(&mut self) -> Result<Value, String> {
        self.next();
        let rest = &self.text[self.at..];
        let end = rest.find([' ', '\t', '\r', '\n', ',', ']', '}']).unwrap_or(rest.len());
        let number: i32 = rest[..end]
            .parse()
            .map_err(|_| self.error(&format!("a whole number from {} to {}", i32::MIN, i32::MAX)))?;
        self.at += end;
        Ok(number.into())
    }

    fn numbers(&mut self, length: usize) -> Result<Value, String> {
        let expected = format!("a list of {length} whole numbers");
        self.expect('[', &expected)?;
        let mut numbers = Vec::new();
        for i in 0..length {
            if i > 0 {
                self.expect(',', &expected)?;
            }
            numbers.push(self.number()?);
        }
        self.expect(']', &expected)?;
        Ok(numbers.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_names() {
        let text = "{ \"covered\": -7,\n\t\"mini\": [1, 2 ,3]\r\n}\n";
        let expected = BotWeights { covered: -7, mini: [1, 2, 3], ..BotWeights::default() };
        assert_eq!(parse_weights(text), Ok(expected));
        assert_eq!(parse_weights(" {} "), Ok(BotWeights::default()));
        let all = serde_json::to_string_pretty(&BotWeights::default()).expect("JSON");
        assert_eq!(parse_weights(&all), Ok(BotWeights::default()));
    }

    #[test]
    fn errors_say_where() {
        for (text, error) in [
            ("", "line 1, column 1: expected an object of weights such as {\"covered\": -20}, found the end"),
            ("[1]", "line 1, column 1: expected an object of weights such as {\"covered\": -20}, found '['"),
            ("{", "line 1, column 2: expected the name of a weight in double quotes, found the end"),
            ("{\"covered\n", "line 1, column 2: expected the name of a weight in double quotes, found '\"'"),
            ("{\"covered\" 1}", "line 1, column 12: expected a colon, found '1'"),
            (
                "{\n \"covered\": 1.5}",
                "line 2, column 13: expected a whole number from -2147483648 to 2147483647, found '1'",
            ),
            (
                "{\"covered\": 1 2}",
                "line 1, column 15: expected a comma or the end of the object, }, found '2'",
            ),
            ("{\"covered\": 1} x", "line 1, column 16: expected nothing more"),
            (
                "{\"covered\": 1, \"covered\": 2}",
                "line 1, column 16: expected each name once, found \"covered\" again",
            ),
            ("{\"mini\": 3}", "line 1, column 10: expected a list of 3 whole numbers, found '3'"),
            ("{\"mini\": [1, 2]}", "line 1, column 15: expected a list of 3 whole numbers, found ']'"),
            ("{\"mini\": [1, 2, 3, 4]}", "line 1, column 18: expected a list of 3 whole numbers, found ','"),
        ] {
            assert_eq!(parse_weights(text), Err(error.to_owned()), "{text}");
        }
        let unknown = parse_weights("{\"cover\": 1}").expect_err("no such weight");
        assert!(unknown.starts_with("line 1, column 2: expected one of "), "{unknown}");
        assert!(unknown.ends_with(", found \"cover\""), "{unknown}");
    }
}

//! The record file as read by `verify` and `replay`.

use crate::io::input::Input;
use crate::io::output::Failure;
use tetris_ai::contest::{
    ParseRecordError, Record, RecordErrorKind, Sequence, TextPosition, checksum,
};

/// Parses a record, and returns whether it has a checksum line. Without one, a record of no pieces
/// is refused: it is an empty file, not a game stopped before its first piece.
pub(super) fn read_record(input: &Input) -> Result<(Record, bool), Failure> {
    let record = Record::parse(input.text.as_bytes()).map_err(|error| input.error(error))?;
    let has_checksum =
        checksum::find(input.text.as_bytes()).map_err(|error| input.error(error))?.is_some();
    if record.turns().is_empty() && !has_checksum {
        let position = TextPosition { line: 1, column: 1, item: 1 };
        return Err(input.error(ParseRecordError { position, kind: RecordErrorKind::ExpectedN }));
    }
    Ok((record, has_checksum))
}

/// Returns a record's sequence: from `--seed`, from the seed in the file, or the contest's. With
/// another seed's pieces the record would be a different game, so the two seeds must match.
pub(super) fn sequence(input: &Input, asked: Option<u64>) -> Result<Sequence, Failure> {
    let mut lines = (1..).zip(input.text.lines());
    let found = lines.find_map(|(number, line)| Some((number, seed(line)?)));
    match (asked, found) {
        (Some(asked), Some((line, seed))) if asked != seed => Err(input.error(format!(
            "line {line}: this game was played with --seed {seed}, expected the same or none"
        ))),
        (Some(seed), _) | (None, Some((_, seed))) => Ok(Sequence::new(seed)),
        (None, None) => Ok(Sequence::contest()),
    }
}

/// Returns the seed in the second line of a file written by `contest solve`.
fn seed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("# beam: seed ").or(line.strip_prefix("# tree search: seed "))?;
    // Without a word after it, the number may be cut off.
    rest.split_once(' ')?.0.parse().ok()
}

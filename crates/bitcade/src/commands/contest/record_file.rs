//! The file of a record, as `verify` and `replay` read it.

use crate::input::Input;
use crate::output::Failure;
use tetris_ai::checksum;
use tetris_ai::contest::{ParseRecordError, Record, RecordErrorKind, TextPosition};

/// Parses a record, and returns whether it has a checksum line. Without one, a record of no piece is refused:
/// it is an empty file, and not a game that was stopped before its first piece.
pub(super) fn read_record(input: &Input) -> Result<(Record, bool), Failure> {
    let record = Record::parse(input.text.as_bytes()).map_err(|error| input.error(error))?;
    let has_checksum = checksum::find(input.text.as_bytes()).map_err(|error| input.error(error))?.is_some();
    if record.turns().is_empty() && !has_checksum {
        let position = TextPosition { line: 1, column: 1, item: 1 };
        return Err(input.error(ParseRecordError { position, kind: RecordErrorKind::ExpectedN }));
    }
    Ok((record, has_checksum))
}

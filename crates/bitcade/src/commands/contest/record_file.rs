//! The file of a record, as `verify` and `replay` read it.

use crate::input::Input;
use crate::output::Failure;
use tetris_ai::checksum;
use tetris_ai::contest::{ParseRecordError, Record, RecordErrorKind, TextPosition};

/// Parses a record of at least one piece, and returns whether it has a checksum line.
pub(super) fn read_record(input: &Input) -> Result<(Record, bool), Failure> {
    let record = Record::parse(input.text.as_bytes()).map_err(|error| input.error(error))?;
    if record.turns().is_empty() {
        let position = TextPosition { line: 1, column: 1, item: 1 };
        return Err(input.error(ParseRecordError { position, kind: RecordErrorKind::ExpectedN }));
    }
    let has_checksum = checksum::find(input.text.as_bytes()).map_err(|error| input.error(error))?.is_some();
    Ok((record, has_checksum))
}

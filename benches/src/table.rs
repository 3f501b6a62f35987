//! Tables, and the summary line of a program with checks.

use comfy_table::{CellAlignment, Table, presets};
use std::ops::Range;

/// The columns `numbers` are right-aligned.
pub(crate) fn print(
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header).add_rows(rows);
    for column in table.column_iter_mut().take(numbers.end).skip(numbers.start) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}

pub(crate) fn print_counts(passed: usize, failed: usize, skipped: usize) {
    println!("{passed} passed, {failed} failed, {skipped} skipped");
}

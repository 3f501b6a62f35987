//! Tables in Markdown, which is readable in a terminal and a log, too.

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

/// Prints rows under a header. The columns `right` hold numbers, and are aligned to the right.
pub(crate) fn print(header: &[&str], right: &[usize], rows: impl IntoIterator<Item = Vec<String>>) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header).add_rows(rows);
    for &index in right {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    println!("{table}");
}

/// Prints the last line of every task that counts checks.
pub(crate) fn print_counts(passed: usize, failed: usize, skipped: usize) {
    println!("{passed} passed, {failed} failed, {skipped} skipped");
}

//! Markdown tables, which are also readable in a terminal or a log.

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

/// The columns `right` are right-aligned, for numbers.
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

pub(crate) fn print_counts(passed: usize, failed: usize, skipped: usize) {
    println!("{passed} passed, {failed} failed, {skipped} skipped");
}

//! Tables, and the summary line of a program with checks.

use comfy_table::{CellAlignment, Table, presets};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) enum Style {
    Terminal,
    Markdown,
}

/// The columns `numbers` are right-aligned.
pub(crate) fn print(
    style: Style,
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) {
    let mut table = Table::new();
    let preset = match style {
        Style::Terminal => presets::UTF8_FULL_CONDENSED,
        Style::Markdown => presets::ASCII_MARKDOWN,
    };
    table.load_style(preset).set_header(header).add_rows(rows);
    for column in table.column_iter_mut().take(numbers.end).skip(numbers.start) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}

pub(crate) fn print_counts(passed: usize, failed: usize, skipped: usize) {
    println!("{passed} passed, {failed} failed, {skipped} skipped");
}

//! Fumens as JSON.

use crate::border::{text, write};
use serde::{Deserialize, Serialize};
use tetris::fumen::{Page, decode, encode};
use tetris::{Board, Location};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPage {
    board: Board,
    piece: Option<Location>,
    /// The cells of the piece, for readers that only draw it. When read back, `piece` counts.
    #[serde(default)]
    cells: Vec<(i32, i32)>,
    comment: Option<String>,
}

impl From<Page> for SavedPage {
    fn from(Page { board, piece, comment }: Page) -> Self {
        let cells = piece.map_or_else(Vec::new, |piece| piece.cells().to_vec());
        Self { board, piece, cells, comment }
    }
}

impl From<SavedPage> for Page {
    fn from(SavedPage { board, piece, comment, .. }: SavedPage) -> Self {
        Self { board, piece, comment }
    }
}

exports! {
    /// Reads a fumen.
    fn bitcade_fumen_decode(length: i64) -> i64 {
        let pages = decode(&text(length)?)?.into_iter().map(SavedPage::from);
        write(&serde_json::to_vec(&pages.collect::<Vec<_>>())?)
    }

    /// Writes a fumen.
    fn bitcade_fumen_encode(length: i64) -> i64 {
        let pages: Vec<SavedPage> = serde_json::from_str(&text(length)?)?;
        let pages: Vec<Page> = pages.into_iter().map(Page::from).collect();
        write(encode(&pages)?.as_bytes())
    }
}

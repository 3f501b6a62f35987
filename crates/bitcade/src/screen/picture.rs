//! [`Picture`]: a drawable state of a game, for `play`, `watch` and replays alike.

use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(crate) trait Picture: Send {
    /// Returns the columns and rows of the picture in the available space, up to a size that still
    /// looks good. If its minimum size does not fit, returns the minimum size.
    fn size(&self, room: (u16, u16), theme: Theme) -> (u16, u16);

    /// Draws the picture into an area, as large as fits. Nothing is drawn outside the area.
    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme);
}

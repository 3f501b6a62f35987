//! [`Picture`]: a state of a game as it is drawn, for `play`, `watch` and replays alike.

use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(crate) trait Picture: Send {
    /// Returns the columns and rows that the picture takes of so much room, at most as many as look good. Where its
    /// least size has no room, returns the least size.
    fn size(&self, room: (u16, u16), theme: Theme) -> (u16, u16);

    /// Draws the picture into an area, as large as fits. Nothing is drawn outside of the area.
    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme);
}

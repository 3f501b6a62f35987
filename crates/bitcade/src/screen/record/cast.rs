//! [`Cast`]: a recording in asciinema's format, version 2: a line with the size, then a line for each piece
//! of output with its time.

use crate::screen::terminal::FrameBytes;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

#[derive(Default)]
pub(super) struct Cast {
    bytes: FrameBytes,
    terminal: Option<Terminal<CrosstermBackend<FrameBytes>>>,
    area: Rect,
}

impl Cast {
    /// Returns the bytes of a frame shown from `time` on; the first frame comes with the header.
    pub(super) fn frame(&mut self, time: Duration, buffer: &Buffer) -> io::Result<Vec<u8>> {
        let mut lines = Vec::new();
        if self.terminal.is_none() {
            let header =
                json!({"version": 2, "width": buffer.area.width, "height": buffer.area.height});
            writeln!(lines, "{header}")?;
        }
        if self.terminal.is_none() || self.area != buffer.area {
            if self.terminal.is_some() {
                let size = format!("{}x{}", buffer.area.width, buffer.area.height);
                writeln!(lines, "{}", json!([time.as_secs_f64(), "r", size]))?;
            }
            let options = TerminalOptions { viewport: Viewport::Fixed(buffer.area) };
            let backend = CrosstermBackend::new(self.bytes.clone());
            self.terminal = Some(Terminal::with_options(backend, options)?);
            self.area = buffer.area;
            // Clears the screen and hides the cursor.
            self.bytes.write_all(b"\x1b[2J\x1b[?25l")?;
        }
        if let Some(terminal) = &mut self.terminal {
            terminal.draw(|frame| frame.buffer_mut().clone_from(buffer))?;
        }
        let bytes = self.bytes.take();
        if !bytes.is_empty() {
            let text = String::from_utf8_lossy(&bytes);
            writeln!(lines, "{}", json!([time.as_secs_f64(), "o", text]))?;
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_lines_of_json() {
        let mut cast = Cast::default();
        let mut buffer = Buffer::with_lines(["ab", "cd"]);
        let mut bytes = cast.frame(Duration::from_millis(250), &buffer).expect("a frame");
        buffer[(1, 0)].set_symbol("x");
        bytes.extend(cast.frame(Duration::from_secs(1), &buffer).expect("a frame"));
        let text = String::from_utf8(bytes).expect("UTF-8");
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[0], json!({"version": 2, "width": 2, "height": 2}));
        assert_eq!(&lines[1][0], &json!(0.25));
        assert_eq!(&lines[1][1], &json!("o"));
        let [first, second] = [1, 2].map(|i| lines[i][2].as_str().expect("text"));
        assert!(first.contains("ab") && first.contains("cd"), "{first:?}");
        // Only the changed cell.
        assert!(second.contains('x') && !second.contains('c'), "{second:?}");
    }
}

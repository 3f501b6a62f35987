//! [`BoardLayout`]: the screen positions of a board and its points.
//!
//! A point takes two columns and a row. On large screens it takes up to ten columns and five rows,
//! and stones become disks made of quarter blocks.

use crate::screen::theme::{Colors, Theme};
use go_mc::Point;
use ratatui::layout::Rect;

/// The columns of the row numbers, with a space.
const NUMBERS: u16 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardLayout {
    pub(crate) side: u16,
    /// The rows of a point, which has twice as many columns.
    pub(crate) scale: u16,
    /// The character at the center of the upper left point.
    pub(crate) left: u16,
    pub(crate) top: u16,
    pub(crate) has_labels: bool,
    /// The whole board with its numbers and letters.
    pub(crate) area: Rect,
}

impl BoardLayout {
    /// Returns the largest layout of a board with numbers and letters that fits in an area, or else
    /// the smallest one without them, leaving out margins that do not fit.
    pub(crate) fn new(side: usize, room: Rect, theme: Theme) -> Self {
        // Without colors, all block disks would look the same.
        let largest = if theme.unicode && theme.colors != Colors::None { 5 } else { 1 };
        let fits =
            |layout: &Self| layout.area.width <= room.width && layout.area.height <= room.height;
        let labeled = (1..=largest).rev().map(|scale| Self::of_scale(side, scale, true, room));
        labeled.into_iter().find(fits).unwrap_or_else(|| {
            let bare = Self::of_scale(side, 1, false, room);
            Self { area: bare.area.intersection(room), ..bare }
        })
    }

    /// Returns the minimum columns and rows of a board with numbers and letters.
    pub(crate) fn least_size(side: usize) -> (u16, u16) {
        let Rect { width, height, .. } = Self::of_scale(side, 1, true, Rect::ZERO).area;
        (width, height)
    }

    fn of_scale(side: usize, scale: u16, has_labels: bool, room: Rect) -> Self {
        let side = side as u16;
        let (numbers, letters) = if has_labels { (NUMBERS, 1) } else { (0, 0) };
        let across = scale;
        let above = scale / 2;
        let width = numbers + (side - 1) * 2 * scale + 1 + 2 * across;
        let height = (side - 1) * scale + 1 + 2 * above + letters;
        let left = room.x + numbers + across;
        let top = room.y + above;
        Self { side, scale, left, top, has_labels, area: Rect { width, height, ..room } }
    }

    pub(crate) fn middle(&self, Point { x, y }: Point) -> (u16, u16) {
        let row = self.side - 1 - u16::from(y).min(self.side - 1);
        (self.left + u16::from(x) * 2 * self.scale, self.top + row * self.scale)
    }

    /// Returns the point at a character, or `None` on a label or outside the board.
    pub(crate) fn point(&self, x: u16, y: u16) -> Option<Point> {
        let labels = u16::from(self.has_labels);
        let last = self.side - 1;
        let inside = (self.area.x + labels * NUMBERS..self.area.right()).contains(&x)
            && (self.area.y..self.area.bottom() - labels).contains(&y);
        inside.then(|| {
            let column = (x + self.scale - 1).saturating_sub(self.left) / (2 * self.scale);
            let row = (y + (self.scale - 1) / 2).saturating_sub(self.top) / self.scale;
            Point { x: column.min(last) as u8, y: (last - row.min(last)) as u8 }
        })
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let side = self.side as u8;
        (0..side).flat_map(move |y| (0..side).map(move |x| Point { x, y }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_finds_every_point() {
        for (side, width, height, scale) in [
            (19, 80, 24, 1),
            (9, 80, 22, 2),
            (13, 80, 22, 1),
            (9, 160, 48, 5),
            (19, 160, 48, 2),
            (9, 18, 9, 1),
        ] {
            let area = Rect::new(2, 1, width, height);
            let layout = BoardLayout::new(side, area, Theme::FULL);
            assert_eq!(layout.scale, scale, "{side} {width}x{height}");
            assert_eq!(layout.has_labels, width > 18, "{side} {width}x{height}");
            for point in layout.points() {
                let (x, y) = layout.middle(point);
                assert!(
                    layout.area.contains((x, y).into())
                        && layout.area.intersection(area) == layout.area
                );
                assert_eq!(layout.point(x, y), Some(point));
            }
            let labels = [(area.x, area.y), (layout.area.right() - 1, layout.area.bottom() - 1)];
            let clicked = labels.map(|(x, y)| layout.point(x, y).is_some());
            assert!(clicked == [!layout.has_labels; 2] && layout.point(1, 1).is_none());
            assert_eq!(BoardLayout::new(side, area, Theme::PLAIN).scale, 1);
        }
    }
}

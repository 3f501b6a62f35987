//! The tiles of 2048: their movement in a slide, and their looks.

use crate::screen::picture::Picture;
use crate::screen::theme::{Colors, Rgb, Theme, palette};
use crate::screen::widgets::{self, mixed};
use g2048::{Board, Direction, Size};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// A board as drawn; faded once the game is over.
#[derive(Clone, Copy)]
pub(super) struct Tiles {
    pub(super) board: Board,
    /// The slide of this board's tiles, and its progress in 1/256 steps.
    pub(super) slide: Option<(Direction, u16)>,
}

impl Tiles {
    /// Returns the minimum columns and rows at which every number gets four characters.
    pub(super) fn least_size(size: Size) -> (u16, u16) {
        (size.width() as u16 * (MIN_WIDTH + 1) - 1, size.height() as u16)
    }
}

impl Picture for Tiles {
    fn size(&self, (width, height): (u16, u16), _theme: Theme) -> (u16, u16) {
        let size = self.board.size();
        Grid::fit(size, width, height).size(size)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let size = self.board.size();
        let grid = Grid::fit(size, area.width, area.height);
        let Some((direction, part)) = self.slide else {
            return grid.draw(buffer, area, &self.board, self.board.is_over(), theme);
        };
        grid.draw(buffer, area, &Board::empty(size), false, theme);
        for movement in movements(&self.board, direction) {
            let from = grid.place(movement.from);
            let to = grid.place(movement.to);
            let between = |from: u16, to: u16| {
                let (from, to, part) = (i32::from(from), i32::from(to), i32::from(part));
                (from + (to - from) * part / 256) as u16
            };
            let place = (between(from.0, to.0), between(from.1, to.1));
            grid.draw_tile(buffer, area, place, movement.rank, false, theme);
        }
    }
}

/// A tile's path in a slide, as (x, y). Two merging tiles have the same end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Movement {
    rank: u8,
    from: (usize, usize),
    to: (usize, usize),
}

fn movements(board: &Board, direction: Direction) -> Vec<Movement> {
    let width = board.size().width();
    let height = board.size().height();
    let (lines, length) = match direction {
        Direction::Left | Direction::Right => (height, width),
        Direction::Up | Direction::Down => (width, height),
    };
    let mut found = Vec::new();
    for line in 0..lines {
        // The k-th cell of the line, counted from the wall.
        let cell = |k: usize| match direction {
            Direction::Left => (k, line),
            Direction::Right => (width - 1 - k, line),
            Direction::Up => (line, k),
            Direction::Down => (line, height - 1 - k),
        };
        // `last` is the tile packed last, or 0 after a merge.
        let mut packed = 0;
        let mut last = 0;
        for k in 0..length {
            let from = cell(k);
            let rank = board.ranks()[from.1 * width + from.0];
            if rank == 0 {
                continue;
            }
            let to = if rank == last {
                last = 0;
                packed - 1
            } else {
                last = rank;
                packed += 1;
                packed - 1
            };
            found.push(Movement { rank, from, to: cell(to) });
        }
    }
    found
}

/// The sizes of tiles and gaps in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    tile: (u16, u16),
    gap: (u16, u16),
}

/// The minimum columns of a tile: enough for `128K`.
const MIN_WIDTH: u16 = 4;
const MAX_HEIGHT: u16 = 9;

impl Grid {
    /// Returns the largest grid that fits the space, or the smallest grid.
    fn fit(size: Size, width: u16, height: u16) -> Self {
        let columns = size.width() as u16;
        let rows = size.height() as u16;
        let part =
            |space: u16, tiles: u16, gap: u16| (space.saturating_sub((tiles - 1) * gap)) / tiles;
        let low = part(height, rows, 1) < 2;
        let gap_y = u16::from(!low);
        let tile_y = part(height, rows, gap_y).clamp(1, MAX_HEIGHT);
        let gap_x = match part(width, columns, 2) {
            wide if wide >= (MIN_WIDTH + 2).max(2 * tile_y) => 2,
            _ => u16::from(part(width, columns, 1) >= MIN_WIDTH),
        };
        let tile_x = part(width, columns, gap_x).clamp(MIN_WIDTH, (2 * tile_y).max(MIN_WIDTH + 2));
        // On a narrow screen, tiles are never taller than wide, and they touch on all sides or on
        // none.
        let tile_y = tile_y.min(tile_x.div_ceil(2));
        Self { tile: (tile_x, tile_y), gap: (gap_x, gap_y.min(gap_x)) }
    }

    fn size(self, size: Size) -> (u16, u16) {
        let length = |tiles: usize, tile: u16, gap: u16| tiles as u16 * (tile + gap) - gap;
        (
            length(size.width(), self.tile.0, self.gap.0),
            length(size.height(), self.tile.1, self.gap.1),
        )
    }

    /// Returns the position of a cell relative to the board.
    fn place(self, (x, y): (usize, usize)) -> (u16, u16) {
        (x as u16 * (self.tile.0 + self.gap.0), y as u16 * (self.tile.1 + self.gap.1))
    }

    fn draw(self, buffer: &mut Buffer, area: Rect, board: &Board, faded: bool, theme: Theme) {
        let width = board.size().width();
        for (cell, &rank) in board.ranks().iter().enumerate() {
            let place = self.place((cell % width, cell / width));
            self.draw_tile(buffer, area, place, rank, faded, theme);
        }
    }

    fn draw_tile(
        self,
        buffer: &mut Buffer,
        area: Rect,
        (x, y): (u16, u16),
        rank: u8,
        faded: bool,
        theme: Theme,
    ) {
        let tile = Rect { x: area.x + x, y: area.y + y, width: self.tile.0, height: self.tile.1 };
        let ground = if faded { mixed(color(rank), palette::GROUND, 120) } else { color(rank) };
        let surface = theme.on(ground);
        let style = surface.patch(theme.strong());
        let blank = " ".repeat(usize::from(tile.width));
        for y in tile.top()..tile.bottom() {
            widgets::text(buffer, area, tile.x, y, &blank, style);
        }
        if theme.colors == Colors::None && rank > 0 && tile.height > 2 {
            draw_frame(buffer, area, tile, theme);
        }
        let text = match (rank, theme.colors) {
            (0, Colors::None) => theme.pick("·", ".").to_owned(),
            // A filled tile is visible by itself.
            (0, _) => return,
            // A blank separates tiles without a gap.
            _ => label(rank, tile.width - u16::from(self.gap.0 == 0)),
        };
        if theme.colors != Colors::None
            && theme.unicode
            && tile.width >= LARGE_WIDTH
            && tile.height >= 5
        {
            return draw_large(buffer, area, tile, &label(rank, 4), surface);
        }
        let left = tile.width.saturating_sub(text.chars().count() as u16) / 2;
        widgets::text(buffer, area, tile.x + left, tile.y + (tile.height - 1) / 2, &text, style);
    }
}

/// The colors of the tiles from 2 to 2048: sand, then orange to red, then gold.
const WARM: [Rgb; 11] = Rgb::all([
    0xe8e0d2, 0xe4d3b0, 0xf2b078, 0xf28f5e, 0xee7056, 0xe04d35, 0xe9d385, 0xebcb66, 0xeec448,
    0xf1bd2b, 0xf6b50c,
]);

/// The colors of the tiles above 2048, cyclically.
const COLD: [Rgb; 6] = Rgb::all([0x6a932e, 0x3fa56b, 0x2a9db0, 0x3f7cd9, 0x6f5bd6, 0xa84fc4]);

const EMPTY: Rgb = Rgb(0x2c, 0x31, 0x39);

fn color(rank: u8) -> Rgb {
    match usize::from(rank) {
        0 => EMPTY,
        rank @ 1..=11 => WARM[rank - 1],
        rank => COLD[(rank - 12) % COLD.len()],
    }
}

/// Returns a tile's number in at most `width` characters if possible: `131072` or `128K`.
fn label(rank: u8, width: u16) -> String {
    let number = (1u64 << rank).to_string();
    if number.len() <= usize::from(width) {
        return number;
    }
    let units = ["", "K", "M", "G", "T", "P", "E"];
    format!("{}{}", 1 << (rank % 10), units[usize::from(rank / 10)])
}

/// The minimum columns of a tile with large digits: four digits and a margin column on each side.
const LARGE_WIDTH: u16 = 17;

/// The large characters: five rows of three pixels, the first in the highest bit.
const LARGE: [(char, u16); 16] = [
    ('0', 0b111_101_101_101_111),
    ('1', 0b010_110_010_010_111),
    ('2', 0b111_001_111_100_111),
    ('3', 0b111_001_111_001_111),
    ('4', 0b101_101_111_001_001),
    ('5', 0b111_100_111_001_111),
    ('6', 0b111_100_111_101_111),
    ('7', 0b111_001_001_001_001),
    ('8', 0b111_101_111_101_111),
    ('9', 0b111_101_111_001_111),
    ('K', 0b101_101_110_101_101),
    ('M', 0b101_111_111_101_101),
    ('G', 0b111_100_101_101_111),
    ('T', 0b111_010_010_010_010),
    ('P', 0b111_101_111_100_100),
    ('E', 0b111_100_111_100_111),
];

fn draw_large(buffer: &mut Buffer, area: Rect, tile: Rect, label: &str, style: Style) {
    let left = tile.x + (tile.width + 1).saturating_sub(4 * label.len() as u16) / 2;
    let top = tile.y + (tile.height - 2) / 2;
    for (x, letter) in (left..).step_by(4).zip(label.chars()) {
        let bits = LARGE.iter().find(|(large, _)| *large == letter).map_or(0, |(_, bits)| *bits);
        // Six half rows, the last one empty.
        let pixel = |x: u16, y: u16| y < 5 && bits >> (14 - 3 * y - x) & 1 == 1;
        for (dx, dy) in (0..3).flat_map(|dx| (0..3).map(move |dy| (dx, dy))) {
            let block = match (pixel(dx, 2 * dy), pixel(dx, 2 * dy + 1)) {
                (true, true) => "█",
                (true, false) => "▀",
                (false, true) => "▄",
                (false, false) => " ",
            };
            widgets::text(buffer, area, x + dx, top + dy, block, style);
        }
    }
}

fn draw_frame(buffer: &mut Buffer, area: Rect, tile: Rect, theme: Theme) {
    let set = theme.border();
    let style = theme.faint();
    let across = set.horizontal_top.repeat(usize::from(tile.width - 2));
    let right = tile.right() - 1;
    let bottom = tile.bottom() - 1;
    widgets::text(
        buffer,
        area,
        tile.x,
        tile.y,
        &format!("{}{across}{}", set.top_left, set.top_right),
        style,
    );
    let line = format!("{}{across}{}", set.bottom_left, set.bottom_right);
    widgets::text(buffer, area, tile.x, bottom, &line, style);
    for y in tile.y + 1..bottom {
        widgets::text(buffer, area, tile.x, y, set.vertical_left, style);
        widgets::text(buffer, area, right, y, set.vertical_right, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::contrasts;
    use bitcore::Rng;

    /// Numbers are readable on every tile: in a running game, a finished one, and during a slide.
    #[test]
    fn numbers_have_contrast() {
        let size = Size::new(8, 8).expect("a size");
        let goes_on = Board::from_ranks(size, &(0..64).map(|cell| cell % 51).collect::<Vec<_>>());
        let over = Board::from_ranks(size, &(0..64).map(|cell| 1 + cell % 50).collect::<Vec<_>>());
        let [goes_on, over] = [goes_on, over].map(|board| board.expect("64 ranks"));
        assert!(!goes_on.is_over() && over.is_over());
        for colors in [Colors::True, Colors::Indexed] {
            for (unicode, (width, height)) in
                [(true, (39, 8)), (true, (160, 50)), (false, (160, 80))]
            {
                for (board, slide) in
                    [(goes_on, None), (over, None), (goes_on, Some((Direction::Left, 99)))]
                {
                    let area = Rect { x: 0, y: 0, width, height };
                    let mut buffer = Buffer::empty(area);
                    let theme = Theme { colors, unicode, ..Theme::FULL };
                    Tiles { board, slide }.draw(&mut buffer, area, theme);
                    let found = contrasts(&buffer, theme);
                    assert!(found.len() > 60, "{found:?}");
                    assert!(
                        found.iter().all(|(_, contrast)| *contrast >= 4.5),
                        "{colors:?}: {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn movements_end_where_the_rules_put_the_tiles() {
        let mut rng = Rng::new(3);
        for size in Size::all() {
            for _ in 0..20 {
                let ranks: Vec<u8> = (0..size.cells()).map(|_| rng.below(4) as u8).collect();
                let board = Board::from_ranks(size, &ranks).expect("ranks of this size");
                for direction in Direction::ALL {
                    let mut after = vec![0; size.cells()];
                    let mut count = vec![0; size.cells()];
                    for Movement { rank, to: (x, y), .. } in movements(&board, direction) {
                        let cell = y * size.width() + x;
                        count[cell] += 1;
                        after[cell] = rank + count[cell] - 1;
                    }
                    assert_eq!(after, board.slide(direction).board.ranks(), "{board} {direction}");
                }
            }
        }
    }

    #[test]
    fn numbers_fit_their_tiles() {
        assert_eq!(
            [label(1, 4), label(17, 6), label(17, 4), label(13, 3)],
            ["2", "131072", "128K", "8K"]
        );
        for rank in 1..=60 {
            assert!(label(rank, 4).len() <= 4, "{rank}");
            let known = |letter| LARGE.iter().any(|(large, _)| *large == letter);
            assert!(label(rank, 4).chars().all(known), "{rank}");
        }
    }

    #[test]
    fn grids_fit() {
        for size in Size::all() {
            for (width, height) in [(50, 23), (51, 23), (80, 20), (130, 49), (39, 9)] {
                let (columns, rows) = Grid::fit(size, width, height).size(size);
                assert!(
                    columns <= width && rows <= height,
                    "{size} in {width}x{height}: {columns}x{rows}"
                );
            }
        }
        assert_eq!(Grid::fit(Size::CLASSIC, 51, 23), Grid { tile: (10, 5), gap: (2, 1) });
        assert_eq!(
            Grid::fit(Size::new(8, 8).expect("a size"), 51, 23),
            Grid { tile: (5, 2), gap: (1, 1) }
        );
        assert_eq!(Grid::fit(Size::CLASSIC, 16, 23).gap, (0, 0));
    }
}

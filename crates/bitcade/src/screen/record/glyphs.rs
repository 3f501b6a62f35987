//! Character shapes in pictures: letters from a font, and lines, blocks and disks drawn here.

use crate::screen::characters::{BLOCKS, LINES};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

/// The size of a character in pixels. A board cell has two characters: 24 x 24 pixels.
pub(super) const WIDTH: usize = 12;
pub(super) const HEIGHT: usize = 24;

/// The coverage of each pixel of a character, row by row: 0 is background, 3 is ink.
pub(super) type Glyph = [[u8; WIDTH]; HEIGHT];

/// Returns the shape of a character. Unknown ones are a small square.
pub(super) fn glyph(character: char) -> Glyph {
    let mut glyph = [[0; WIDTH]; HEIGHT];
    if character == ' ' {
        return glyph;
    }
    if let Some(raster) = get_raster(character, FontWeight::Regular, RasterHeight::Size24) {
        for (row, pixels) in glyph.iter_mut().zip(raster.rows()) {
            for (pixel, &coverage) in row[(WIDTH - raster.width()) / 2..].iter_mut().zip(pixels) {
                // Four shades keep the number of colors small.
                *pixel = ((u16::from(coverage) + 42) / 85) as u8;
            }
        }
        return glyph;
    }
    let shape = shape(character);
    for (y, row) in glyph.iter_mut().enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = coverage(&shape, x, y);
        }
    }
    glyph
}

/// A shape in a square of 1 by 2: `x` from 0 to 1, `y` from 0 at the top to 2.
enum Shape {
    /// Lines from the center to these sides: up, right, down, left.
    Lines([bool; 4]),
    /// A rectangle in eighths of the width and height: left, top, right, bottom.
    Block([u8; 4]),
    /// A uniform tone of all pixels.
    Tone(u8),
    /// A disk of this radius in pixels, or a ring.
    Disk(f32),
    Ring(f32),
    /// A square on its tip with this half diagonal in pixels, or its border.
    Diamond(f32),
    DiamondRing(f32),
    /// The border of a square with this half side in pixels.
    SquareRing(f32),
    /// A triangle with its tip up, right, down or left.
    Triangle(u8),
    /// Filled quarters: upper left, upper right, lower left, lower right.
    Quarters([bool; 4]),
    Unknown,
}

fn shape(character: char) -> Shape {
    let sides = |bits: usize| [0, 1, 2, 3].map(|i| bits >> i & 1 == 1);
    if let Some(bits) = BLOCKS.iter().position(|block| block.starts_with(character)) {
        return Shape::Quarters(sides(bits));
    }
    let square = match character {
        '╭' => '┌',
        '╮' => '┐',
        '╰' => '└',
        '╯' => '┘',
        other => other,
    };
    if let Some(bits) = LINES.iter().position(|lines| lines.starts_with(square)) {
        return Shape::Lines(sides(bits));
    }
    match character {
        // Lower eighths, then left eighths.
        '▁'..='▇' => Shape::Block([0, 8 - (character as u32 - '▀' as u32) as u8, 8, 8]),
        '▉'..='▏' => Shape::Block([0, 0, ('▐' as u32 - character as u32) as u8, 8]),
        '░' => Shape::Tone(1),
        '▒' => Shape::Tone(2),
        '▓' => Shape::Tone(3),
        '●' | '⬤' => Shape::Disk(5.5),
        '○' | '◯' => Shape::Ring(5.5),
        '•' => Shape::Disk(3.0),
        '·' => Shape::Disk(1.6),
        '■' => Shape::Block([0, 2, 8, 6]),
        '□' => Shape::SquareRing(5.5),
        '◆' => Shape::Diamond(6.0),
        '◇' => Shape::DiamondRing(6.0),
        '▲' | '△' | '↑' => Shape::Triangle(0),
        '▶' | '▸' | '→' => Shape::Triangle(1),
        '▼' | '▽' | '↓' => Shape::Triangle(2),
        '◀' | '◂' | '←' => Shape::Triangle(3),
        _ => Shape::Unknown,
    }
}

/// Returns the coverage of a pixel by a shape: 0 to 3.
fn coverage(shape: &Shape, x: usize, y: usize) -> u8 {
    let middle_x = WIDTH / 2;
    let middle_y = HEIGHT / 2;
    let full = |inside: bool| if inside { 3 } else { 0 };
    // The distance between the centers of the pixel and of the character.
    let dx = x as f32 + 0.5 - WIDTH as f32 / 2.0;
    let dy = y as f32 + 0.5 - HEIGHT as f32 / 2.0;
    let smooth = |inside: f32| ((inside + 0.5).clamp(0.0, 1.0) * 3.0).round() as u8;
    match *shape {
        Shape::Lines([up, right, down, left]) => {
            // Two pixels thick.
            let near = |at: usize, middle: usize| (middle - 1..=middle).contains(&at);
            let column = near(x, middle_x);
            let row = near(y, middle_y);
            let vertical = up && y <= middle_y || down && y + 1 >= middle_y;
            let horizontal = left && x <= middle_x || right && x + 1 >= middle_x;
            full(column && vertical || row && horizontal)
        }
        Shape::Block([left, top, right, bottom]) => {
            let x = x * 8;
            let y = y * 8;
            let across = (usize::from(left) * WIDTH..usize::from(right) * WIDTH).contains(&x);
            full(across && (usize::from(top) * HEIGHT..usize::from(bottom) * HEIGHT).contains(&y))
        }
        Shape::Tone(tone) => tone,
        Shape::Disk(radius) => smooth(radius - dx.hypot(dy)),
        Shape::Ring(radius) => smooth(1.0 - (radius - 1.0 - dx.hypot(dy)).abs()),
        Shape::Diamond(radius) => smooth(radius - dx.abs() - dy.abs()),
        Shape::DiamondRing(radius) => smooth(1.4 - (radius - 1.4 - dx.abs() - dy.abs()).abs()),
        Shape::SquareRing(side) => smooth(1.0 - (side - 1.0 - dx.abs().max(dy.abs())).abs()),
        Shape::Triangle(side) => {
            let (along, across) = match side {
                0 => (dy, dx),
                1 => (-dx, dy),
                2 => (-dy, dx),
                _ => (dx, dy),
            };
            full((-5.0..5.0).contains(&along) && 2.0 * across.abs() <= along + 5.5)
        }
        Shape::Quarters(quarters) => {
            full(quarters[usize::from(y >= middle_y) * 2 + usize::from(x >= middle_x)])
        }
        Shape::Unknown => full(dx.abs() < 3.0 && dy.abs() < 3.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(character: char) -> usize {
        glyph(character).as_flattened().iter().filter(|&&pixel| pixel > 0).count()
    }

    #[test]
    fn blocks_fill_their_part() {
        assert_eq!(ink(' '), 0);
        assert_eq!(ink('█'), WIDTH * HEIGHT);
        assert_eq!(ink('▀'), 144);
        assert_eq!(ink('▄'), 144);
        assert_eq!(ink('▌'), 144);
        assert_eq!(ink('▐'), 144);
        assert_eq!(ink('▁'), 36);
        assert_eq!(ink('▇'), 252);
        assert_eq!(ink('▉'), 264);
        assert_eq!(ink('▘'), 72);
        assert_eq!(ink('▟'), 216);
    }

    #[test]
    fn lines_meet_at_the_borders() {
        let [corner, line] = ['╭', '─'].map(glyph);
        for y in 0..HEIGHT {
            assert_eq!(corner[y][WIDTH - 1], line[y][0], "{y}");
        }
        assert_eq!(ink('│'), 2 * HEIGHT);
        assert_eq!(ink('─'), 2 * WIDTH);
        let letters = ('!'..='~').map(ink);
        assert!(letters.min().is_some_and(|least| least > 5));
    }
}

//! [`Gif`]: an animated picture of the screen. A character has 12 x 24 pixels, and a board cell, which is two
//! characters wide, 24 x 24.

use super::glyphs::{Glyph, HEIGHT, WIDTH, glyph};
use crate::screen::theme::{distance, indexed};
use gif::{Encoder, Frame, Repeat};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::time::Duration;

/// The colors of plain text and of the empty screen, on a dark and on a light background.
const DARK: [[u8; 3]; 2] = [[0xd0, 0xd4, 0xda], [0x14, 0x17, 0x1c]];
const LIGHT: [[u8; 3]; 2] = [[0x20, 0x24, 0x2a], [0xfa, 0xfa, 0xf7]];

/// The last byte of a GIF.
pub(super) const TRAILER: u8 = b';';

#[derive(Default)]
pub(super) struct Gif {
    /// `None` before the first frame.
    encoder: Option<Encoder<Vec<u8>>>,
    glyphs: HashMap<char, Glyph>,
    /// The previous frame, to write only the changes. It is as large as the largest frame, and so
    /// is the picture.
    last: Option<Buffer>,
    /// Time still to be shown, less than a hundredth of a second: frames last whole hundredths.
    debt: Duration,
    light: bool,
}

impl Gif {
    /// Returns the bytes of a frame shown for `time`; the first frame comes with the header. The
    /// last one must be followed by [`TRAILER`].
    pub(super) fn frame(&mut self, time: Duration, buffer: &Buffer) -> io::Result<Vec<u8>> {
        if self.encoder.is_none() {
            let width = pixels(buffer.area.width, WIDTH);
            let height = pixels(buffer.area.height, HEIGHT);
            let mut encoder =
                Encoder::new(Vec::new(), width, height, &[]).map_err(io::Error::other)?;
            encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
            self.encoder = Some(encoder);
        }
        let whole = self.last.as_ref().map_or(buffer.area, |last| last.area.union(buffer.area));
        let mut picture = Buffer::empty(whole);
        // A screen that became smaller leaves the rest of the picture empty.
        picture.merge(buffer);
        let (left, top, right, bottom) = self.changed(&picture);
        let width = usize::from(right - left) * WIDTH;
        let height = usize::from(bottom - top) * HEIGHT;
        let mut colors = Colors::new();
        let plain = if self.light { LIGHT } else { DARK };
        // Unchanged pixels stay transparent, which takes few bytes.
        let mut pixels = vec![TRANSPARENT; width * height];
        for y in top..bottom {
            for x in left..right {
                let at = usize::from(y - top) * HEIGHT * width + usize::from(x - left) * WIDTH;
                let cell = &picture[(x, y)];
                if self.last.as_ref().is_some_and(|last| last.cell((x, y)) == Some(cell)) {
                    continue;
                }
                let character = cell.symbol().chars().next().unwrap_or(' ');
                let glyph = self.glyphs.entry(character).or_insert_with(|| glyph(character));
                draw(&mut pixels[at..], width, cell, glyph, plain, &mut colors);
            }
        }
        let total = time + self.debt;
        let delay = (total.as_millis() / 10).clamp(2, 65_535) as u16;
        self.debt = total.saturating_sub(Duration::from_millis(10 * u64::from(delay)));
        let frame = Frame {
            delay,
            left: left * WIDTH as u16,
            top: top * HEIGHT as u16,
            width: width as u16,
            height: height as u16,
            transparent: Some(TRANSPARENT),
            palette: Some(colors.colors.as_flattened().to_vec()),
            buffer: Cow::Owned(pixels),
            ..Frame::default()
        };
        let mut bytes = Vec::new();
        if let Some(encoder) = &mut self.encoder {
            encoder.write_frame(&frame).map_err(io::Error::other)?;
            bytes = std::mem::take(encoder.get_mut());
        }
        self.last = Some(picture);
        Ok(bytes)
    }

    pub(super) fn set_light(&mut self, light: bool) {
        self.light = light;
        // Everything is drawn again.
        self.last = None;
    }

    /// Returns the file offset of the picture's size, and the size of the largest frame so far.
    pub(super) fn size(&self) -> Option<(u64, [u8; 4])> {
        /// The six bytes of `GIF89a`.
        const AT: u64 = 6;
        let area = self.last.as_ref()?.area;
        let [width, height] =
            [pixels(area.width, WIDTH), pixels(area.height, HEIGHT)].map(u16::to_le_bytes);
        Some((AT, [width[0], width[1], height[0], height[1]]))
    }

    /// Returns the rectangle of characters that changed since the previous frame: left, top, right,
    /// bottom. It contains at least one character.
    fn changed(&self, buffer: &Buffer) -> (u16, u16, u16, u16) {
        let width = buffer.area.width;
        let height = buffer.area.height;
        let Some(last) = &self.last else { return (0, 0, width, height) };
        let mut left = width;
        let mut top = height;
        let mut right = 0;
        let mut bottom = 0;
        for y in 0..height {
            for x in 0..width {
                if buffer.cell((x, y)) != last.cell((x, y)) {
                    (left, top) = (left.min(x), top.min(y));
                    (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
                }
            }
        }
        if left < right { (left, top, right, bottom) } else { (0, 0, 1, 1) }
    }
}

/// Returns a length in pixels; the largest GIF has 65,535.
fn pixels(characters: u16, size: usize) -> u16 {
    characters.saturating_mul(size as u16)
}

const TRANSPARENT: u8 = 0;

/// The colors of a frame, at most 256 including transparency.
struct Colors {
    colors: Vec<[u8; 3]>,
    indices: HashMap<[u8; 3], u8>,
}

impl Colors {
    fn new() -> Self {
        Self { colors: vec![[0; 3]], indices: HashMap::new() }
    }

    /// Returns the index of a color, or of the nearest one if the palette is full.
    fn index(&mut self, color: [u8; 3]) -> u8 {
        if let Some(&index) = self.indices.get(&color) {
            return index;
        }
        let index = if self.colors.len() < 256 {
            self.colors.push(color);
            self.colors.len() - 1
        } else {
            (1..256).min_by_key(|&i| distance(self.colors[i], color)).unwrap_or(1)
        };
        self.indices.insert(color, index as u8);
        index as u8
    }
}

/// Draws a character into pixel rows of `width`, with default colors where it has none.
fn draw(
    pixels: &mut [u8],
    width: usize,
    cell: &Cell,
    glyph: &Glyph,
    plain: [[u8; 3]; 2],
    colors: &mut Colors,
) {
    let mut ink = rgb(cell.fg, plain[0]);
    let mut ground = rgb(cell.bg, plain[1]);
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, ground) = (ground, ink);
    }
    if cell.modifier.contains(Modifier::DIM) {
        ink = mix(ground, ink, 2);
    }
    let shades = [0, 1, 2, 3].map(|part| colors.index(mix(ground, ink, part)));
    let bold = cell.modifier.contains(Modifier::BOLD) && cell.symbol().is_ascii();
    for (y, row) in glyph.iter().enumerate() {
        for (x, &shade) in row.iter().enumerate() {
            // Bold letters are drawn twice, a pixel apart.
            let shade = if bold && x > 0 { shade.max(row[x - 1]) } else { shade };
            pixels[y * width + x] = shades[usize::from(shade)];
        }
    }
}

fn mix(ground: [u8; 3], ink: [u8; 3], thirds: u16) -> [u8; 3] {
    let part =
        |i: usize| ((u16::from(ground[i]) * (3 - thirds) + u16::from(ink[i]) * thirds) / 3) as u8;
    [0, 1, 2].map(part)
}

fn rgb(color: Color, default: [u8; 3]) -> [u8; 3] {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index) => indexed(index),
        // Screens use no other color.
        _ => default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn a_picture_has_the_frames_that_were_drawn() {
        let mut gif = Gif::default();
        let mut buffer = Buffer::with_lines(["ab", "  "]);
        let mut frame = |milliseconds, buffer: &Buffer| {
            gif.frame(Duration::from_millis(milliseconds), buffer).expect("a frame")
        };
        let mut bytes = frame(125, &buffer);
        buffer.set_string(1, 1, " ", Style::new().bg(Color::Rgb(1, 2, 3)));
        bytes.extend(frame(125, &buffer));
        bytes.extend(frame(100, &buffer));
        bytes.push(TRAILER);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).expect("a GIF");
        assert_eq!(decoder.width(), 24);
        assert_eq!(decoder.height(), 48);
        let first = decoder.read_next_frame().expect("a GIF").expect("a frame").clone();
        assert_eq!(first.width, 24);
        assert_eq!(first.height, 48);
        assert_eq!(first.delay, 12);
        assert_eq!(first.buffer[..3], DARK[1]);
        let second = decoder.read_next_frame().expect("a GIF").expect("a frame").clone();
        // Only the changed character; the remaining five milliseconds are made up.
        let place = (second.left, second.top, second.width, second.height, second.delay);
        assert_eq!(place, (12, 24, 12, 24, 13));
        assert!(second.buffer.chunks(4).all(|pixel| pixel == [1, 2, 3, 255]));
        let third = decoder.read_next_frame().expect("a GIF").expect("a frame");
        assert_eq!(third.width, 12);
        assert_eq!(third.height, 24);
        assert_eq!(third.delay, 10);
        assert!(third.buffer.chunks(4).all(|pixel| pixel[3] == 0), "nothing has changed");
        assert!(decoder.read_next_frame().expect("a GIF").is_none());
    }
}

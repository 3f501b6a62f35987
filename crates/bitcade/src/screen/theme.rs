//! [`Theme`]: the colors and characters that the terminal can show.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use std::env;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    /// Returns the color of six hexadecimal digits.
    pub(crate) const fn hex(color: u32) -> Self {
        let [_, red, green, blue] = color.to_be_bytes();
        Self(red, green, blue)
    }

    /// Returns colors of six hexadecimal digits each.
    pub(crate) const fn all<const N: usize>(colors: [u32; N]) -> [Self; N] {
        let (mut all, mut i) = ([Self(0, 0, 0); N], 0);
        while i < N {
            all[i] = Self::hex(colors[i]);
            i += 1;
        }
        all
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    None,
    /// The 256 colors of xterm.
    Indexed,
    /// Any red, green and blue.
    True,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) colors: Colors,
    /// `false` if only ASCII may be written.
    pub(crate) unicode: bool,
    /// `true` if the ground of the terminal is light.
    pub(crate) light: bool,
}

impl Theme {
    /// The looks of recordings and of terminals that can show everything.
    pub(crate) const FULL: Self = Self { colors: Colors::True, unicode: true, light: false };

    /// Returns the looks for this terminal, by the usual variables of the environment.
    pub(crate) fn detect(ascii: bool) -> Self {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let true_color = set("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        let colors = if set("NO_COLOR").is_some() || ["dumb", "vt100", "vt220"].contains(&term.as_str()) {
            Colors::None
        } else if true_color || set("WT_SESSION").is_some() {
            Colors::True
        } else {
            Colors::Indexed
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_ascii_uppercase();
        let utf8 = locale.contains("UTF-8") || locale.contains("UTF8") || !cfg!(target_os = "linux");
        Self { colors, unicode: utf8 && !ascii && term != "linux", light: false }
    }

    pub(crate) fn color(self, Rgb(red, green, blue): Rgb) -> Color {
        match self.colors {
            Colors::None => Color::Reset,
            Colors::Indexed => Color::Indexed(nearest_indexed([red, green, blue])),
            Colors::True => Color::Rgb(red, green, blue),
        }
    }

    /// Returns the style of text in a color on the ground of the terminal. Plain text has the terminal's own
    /// color, which is dark where the ground is light.
    pub(crate) fn text(self, color: Rgb) -> Style {
        if color == palette::TEXT {
            return Style::new();
        }
        Style::new().fg(self.color(if self.light { darkened(color) } else { color }))
    }

    /// Returns the style of a surface with text on it. Without colors it is plain.
    pub(crate) fn surface(self, text: Rgb, ground: Rgb) -> Style {
        Style::new().fg(self.color(text)).bg(self.color(ground))
    }

    /// Returns the style of titles and of what matters most.
    pub(crate) fn strong(self) -> Style {
        self.text(palette::TEXT).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of help and of labels.
    pub(crate) fn faint(self) -> Style {
        self.text(palette::FAINT)
    }

    /// Returns whether the cells of boards are drawn with letters, and not as surfaces of color alone.
    pub(crate) fn needs_letters(self) -> bool {
        self.colors == Colors::None || !self.unicode
    }

    pub(crate) fn border(self) -> border::Set<'static> {
        if self.unicode { border::ROUNDED } else { ASCII_BORDER }
    }

    pub(crate) fn pick<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

pub(crate) mod palette {
    use super::Rgb;

    /// The ground of boards.
    pub(crate) const GROUND: Rgb = Rgb(0x1b, 0x1e, 0x23);
    /// Lines and dots of empty boards.
    pub(crate) const GRID: Rgb = Rgb(0x3a, 0x40, 0x4a);
    pub(crate) const FAINT: Rgb = Rgb(0x8a, 0x93, 0x9e);
    pub(crate) const TEXT: Rgb = Rgb(0xe6, 0xe9, 0xee);
    pub(crate) const ACCENT: Rgb = Rgb(0x4c, 0xc9, 0xf0);
    pub(crate) const GOOD: Rgb = Rgb(0x6b, 0xd4, 0x7a);
    pub(crate) const BAD: Rgb = Rgb(0xf0, 0x5d, 0x6c);
    pub(crate) const WARM: Rgb = Rgb(0xf5, 0xd7, 0x4e);
    /// Colors that can be told apart: of pieces and of the colors of match-3.
    pub(crate) const KINDS: [Rgb; 8] =
        Rgb::all([0xf05d6c, 0x4cc9f0, 0x6bd47a, 0xf5d74e, 0xb96df2, 0xf79a4b, 0x5b7df5, 0xe88fc6]);
}

/// Returns the luminance of a color, from 0 to 1, as WCAG defines it.
pub(crate) fn luminance(Rgb(red, green, blue): Rgb) -> f64 {
    let linear = |part: u8| match f64::from(part) / 255.0 {
        part if part <= 0.04045 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Returns a color of the same hue that has a contrast of 4.5 on white.
fn darkened(mut color: Rgb) -> Rgb {
    while 1.05 / (luminance(color) + 0.05) < 4.5 {
        let Rgb(red, green, blue) = color;
        let darker = |part: u8| (u16::from(part) * 15 / 16) as u8;
        color = Rgb(darker(red), darker(green), darker(blue));
    }
    color
}

/// The six steps of each part in the color cube of xterm.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the red, green and blue of one of xterm's colors from 16 on: the cube, then the grays.
pub(crate) fn indexed(index: u8) -> [u8; 3] {
    if index >= 232 {
        return [8 + 10 * (index - 232); 3];
    }
    let cube = usize::from(index.saturating_sub(16));
    [STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6]]
}

/// Returns the squared distance of two colors.
pub(crate) fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns the nearest of xterm's colors from 16 on.
fn nearest_indexed(color: [u8; 3]) -> u8 {
    (16..=255).min_by_key(|&index| distance(indexed(index), color)).unwrap_or(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_on_a_light_ground() {
        use palette::{ACCENT, BAD, FAINT, GOOD, TEXT, WARM};
        let light = Theme { light: true, ..Theme::FULL };
        for color in [ACCENT, BAD, FAINT, GOOD, WARM] {
            let Some(Color::Rgb(red, green, blue)) = light.text(color).fg else { panic!("{color:?}") };
            let contrast = 1.05 / (luminance(Rgb(red, green, blue)) + 0.05);
            assert!((4.5..6.0).contains(&contrast), "{color:?}: {contrast}");
            assert_eq!(Theme::FULL.text(color).fg, Some(Theme::FULL.color(color)));
        }
        assert_eq!(light.text(TEXT), Style::new());
    }

    #[test]
    fn colors_of_xterm() {
        assert_eq!((indexed(16), indexed(231), indexed(196)), ([0; 3], [255; 3], [255, 0, 0]));
        assert_eq!((indexed(232), indexed(255)), ([8; 3], [238; 3]));
        for index in 17..=255u8 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index));
        }
        assert_eq!(Theme::PLAIN.color(palette::GOOD), Color::Reset);
        assert_eq!(Theme::FULL.color(palette::GOOD), Color::Rgb(0x6b, 0xd4, 0x7a));
    }
}

//! [`Theme`]: the colors and characters supported by the terminal.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use std::env;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    pub(crate) const fn hex(color: u32) -> Self {
        let [_, red, green, blue] = color.to_be_bytes();
        Self(red, green, blue)
    }

    pub(crate) const fn all<const N: usize>(colors: [u32; N]) -> [Self; N] {
        let mut all = [Self(0, 0, 0); N];
        let mut i = 0;
        while i < N {
            all[i] = Self::hex(colors[i]);
            i += 1;
        }
        all
    }

    /// Returns the contrast of text in this color on a background, as WCAG 2 defines it: 1 to 21.
    /// Text needs 4.5, marks 3.
    pub(crate) fn contrast(self, ground: Self) -> f64 {
        let [a, b] = [self, ground].map(luminance);
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    None,
    /// The eight colors of ANSI, each dark and bright.
    Sixteen,
    /// The 256 colors of xterm.
    Indexed,
    /// Any red, green and blue.
    True,
}

impl Colors {
    /// Returns the colors of a kind of terminal, by its name in `TERM`. Most that call themselves
    /// `xterm` or `screen` have 256.
    fn of_terminal(term: &str) -> Self {
        if term == "dumb" || term.starts_with("vt") {
            Self::None
        } else if term.ends_with("-256color") {
            Self::Indexed
        } else if ["ansi", "linux"].contains(&term)
            || term.starts_with("rxvt")
            || term.ends_with("-16color")
            || term.ends_with("-88color")
        {
            Self::Sixteen
        } else {
            Self::Indexed
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) colors: Colors,
    /// `false` if only ASCII may be written.
    pub(crate) unicode: bool,
    /// `true` if the terminal's background is light.
    pub(crate) light: bool,
}

impl Theme {
    /// The theme of recordings and of terminals that can show everything.
    pub(crate) const FULL: Self = Self { colors: Colors::True, unicode: true, light: false };

    /// The characters of text that a theme hasn't been chosen for.
    pub(crate) const ASCII: Self = Self { unicode: false, ..Self::FULL };

    pub(crate) fn detect(ascii: bool) -> Self {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let true_color =
            set("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        let colors = if set("NO_COLOR").is_some() {
            Colors::None
        } else if true_color || set("WT_SESSION").is_some() {
            Colors::True
        } else {
            Colors::of_terminal(&term)
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_ascii_uppercase();
        let utf8 =
            locale.contains("UTF-8") || locale.contains("UTF8") || !cfg!(target_os = "linux");
        Self { colors, unicode: utf8 && !ascii && term != "linux", light: false }
    }

    pub(crate) fn color(self, Rgb(red, green, blue): Rgb) -> Color {
        match self.colors {
            Colors::None => Color::Reset,
            Colors::Sixteen => Color::Indexed(nearest_of_sixteen([red, green, blue])),
            Colors::Indexed => Color::Indexed(nearest_indexed([red, green, blue])),
            Colors::True => Color::Rgb(red, green, blue),
        }
    }

    /// Returns the style of text in a color on the terminal's background. Plain text has the
    /// terminal's default color, which is dark on a light background.
    pub(crate) fn text(self, color: Rgb) -> Style {
        if color == palette::TEXT {
            return Style::new();
        }
        Style::new().fg(self.color(if self.light { self.darkened(color) } else { color }))
    }

    /// Without colors, the area is plain.
    pub(crate) fn surface(self, text: Rgb, ground: Rgb) -> Style {
        Style::new().fg(self.color(text)).bg(self.color(ground))
    }

    /// Returns the style of readable text on a filled area.
    pub(crate) fn on(self, ground: Rgb) -> Style {
        self.surface(self.ink(ground), ground)
    }

    /// Returns black or white, whichever has more contrast to a background; at least 4.5:1.
    pub(crate) fn ink(self, ground: Rgb) -> Rgb {
        if luminance(self.shown(ground)) > MIDDLE { BLACK } else { WHITE }
    }

    /// Returns the red, green and blue that the terminal shows for a color.
    fn shown(self, color: Rgb) -> Rgb {
        let Color::Indexed(index) = self.color(color) else { return color };
        let [red, green, blue] = indexed(index);
        Rgb(red, green, blue)
    }

    /// Returns a color of the same hue with a contrast of 4.5 on white.
    fn darkened(self, mut color: Rgb) -> Rgb {
        while luminance(self.shown(color)) > MIDDLE {
            let Rgb(red, green, blue) = color;
            let darker = |part: u8| (u16::from(part) * 15 / 16) as u8;
            color = Rgb(darker(red), darker(green), darker(blue));
        }
        color
    }

    /// Returns the style of titles and of the most important text.
    pub(crate) fn strong(self) -> Style {
        self.text(palette::TEXT).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of help and labels.
    pub(crate) fn faint(self) -> Style {
        self.text(palette::FAINT)
    }

    /// Returns whether board cells need letters instead of color alone.
    pub(crate) fn needs_letters(self) -> bool {
        [Colors::None, Colors::Sixteen].contains(&self.colors) || !self.unicode
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

    /// The background of boards.
    pub(crate) const GROUND: Rgb = Rgb(0x1b, 0x1e, 0x23);
    /// Lines and dots of empty boards.
    pub(crate) const GRID: Rgb = Rgb(0x3a, 0x40, 0x4a);
    pub(crate) const FAINT: Rgb = Rgb(0x8a, 0x93, 0x9e);
    pub(crate) const TEXT: Rgb = Rgb(0xe6, 0xe9, 0xee);
    pub(crate) const ACCENT: Rgb = Rgb(0x4c, 0xc9, 0xf0);
    pub(crate) const GOOD: Rgb = Rgb(0x6b, 0xd4, 0x7a);
    pub(crate) const BAD: Rgb = Rgb(0xf0, 0x5d, 0x6c);
    pub(crate) const WARM: Rgb = Rgb(0xf5, 0xd7, 0x4e);
    /// Distinguishable colors for Tetris and match-3 pieces.
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

/// The middle luminance, with a contrast of 4.5 to both black and white.
const MIDDLE: f64 = 0.179;
const BLACK: Rgb = Rgb(0, 0, 0);
const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);

/// The six steps of each component in xterm's color cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The first 16 colors, which users set as they like, as VGA showed them. Color 3 is brighter than
/// VGA's brown, and closest to orange.
const SIXTEEN: [[u8; 3]; 16] = [
    [0, 0, 0],
    [0xaa, 0, 0],
    [0, 0xaa, 0],
    [0xc8, 0x80, 0x20],
    [0, 0, 0xaa],
    [0xaa, 0, 0xaa],
    [0, 0xaa, 0xaa],
    [0xaa, 0xaa, 0xaa],
    [0x55, 0x55, 0x55],
    [0xff, 0x55, 0x55],
    [0x55, 0xff, 0x55],
    [0xff, 0xff, 0x55],
    [0x55, 0x55, 0xff],
    [0xff, 0x55, 0xff],
    [0x55, 0xff, 0xff],
    [0xff, 0xff, 0xff],
];

/// Returns the red, green and blue of an xterm color: the first 16, the cube, then the grays.
pub(crate) fn indexed(index: u8) -> [u8; 3] {
    if index >= 232 {
        return [8 + 10 * (index - 232); 3];
    }
    let Some(cube) = usize::from(index).checked_sub(SIXTEEN.len()) else {
        return SIXTEEN[usize::from(index)];
    };
    [STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6]]
}

/// Returns the squared distance of two colors.
pub(crate) fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns the nearest xterm color from 16 up. Computed for every cell of every frame: in the cube
/// each component is rounded alone, and the nearest gray is the one nearest to their mean.
fn nearest_indexed(color: [u8; 3]) -> u8 {
    let [red, green, blue] = color.map(nearest_step);
    let cube = 16 + 36 * red + 6 * green + blue;
    let sum: u16 = color.iter().map(|&part| u16::from(part)).sum();
    // The sum of gray 0 is 24, and each next one has 30 more. Halves are rounded down.
    let gray = 232 + ((sum.saturating_sub(24) + 14) / 30).min(23) as u8;
    if distance(indexed(gray), color) < distance(indexed(cube), color) { gray } else { cube }
}

/// Returns the index of the nearest of [`STEPS`]; of two, the lower.
fn nearest_step(part: u8) -> u8 {
    // All but the first are 40 apart.
    if part < 48 { 0 } else { (1 + (u16::from(part).saturating_sub(95) + 19) / 40) as u8 }
}

/// Returns the nearest of the first 16 colors. Grays become grays, and colors never do.
fn nearest_of_sixteen(color: [u8; 3]) -> u8 {
    let is_gray =
        |[red, green, blue]: [u8; 3]| red.max(green).max(blue) - red.min(green).min(blue) < 40;
    let like = |&index: &u8| is_gray(indexed(index)) == is_gray(color);
    (0..16).filter(like).min_by_key(|&index| distance(indexed(index), color)).unwrap_or(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_terminals() {
        for (term, colors) in [
            ("xterm-256color", Colors::Indexed),
            ("xterm", Colors::Indexed),
            ("", Colors::Indexed),
            ("rxvt-unicode-256color", Colors::Indexed),
            ("xterm-16color", Colors::Sixteen),
            ("screen-16color", Colors::Sixteen),
            ("rxvt", Colors::Sixteen),
            ("rxvt-unicode", Colors::Sixteen),
            ("linux", Colors::Sixteen),
            ("ansi", Colors::Sixteen),
            ("vt100", Colors::None),
            ("dumb", Colors::None),
        ] {
            assert_eq!(Colors::of_terminal(term), colors, "{term}");
        }
    }

    #[test]
    fn pieces_of_tetris_differ_in_sixteen_colors() {
        let theme = Theme { colors: Colors::Sixteen, ..Theme::FULL };
        let pieces = &palette::KINDS[..7];
        let mut shown: Vec<Color> = pieces.iter().map(|&color| theme.color(color)).collect();
        shown.sort_by_key(|color| format!("{color:?}"));
        shown.dedup();
        assert_eq!(shown.len(), pieces.len());
        assert_eq!(theme.color(palette::GROUND), Color::Indexed(0));
        assert_eq!(theme.color(palette::GRID), Color::Indexed(8));
        assert_eq!(theme.color(palette::FAINT), Color::Indexed(7));
    }

    #[test]
    fn colors_of_xterm() {
        assert_eq!(indexed(16), [0; 3]);
        assert_eq!(indexed(231), [255; 3]);
        assert_eq!(indexed(196), [255, 0, 0]);
        assert_eq!(indexed(232), [8; 3]);
        assert_eq!(indexed(255), [238; 3]);
        for index in 17..=255u8 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index));
        }
        // Primes with the ends, and the middles between two steps and between two grays.
        let parts = [0, 3, 13, 17, 23, 47, 48, 59, 75, 83, 114, 115, 116, 155, 194, 195, 235, 243];
        for [red, green] in parts.iter().flat_map(|red| parts.map(|green| [*red, green])) {
            for blue in parts.into_iter().chain(251..=255) {
                let color = [red, green, blue];
                let nearest = (16..=255).min_by_key(|&index| distance(indexed(index), color));
                assert_eq!(Some(nearest_indexed(color)), nearest, "{color:?}");
            }
        }
        assert_eq!(Theme::PLAIN.color(palette::GOOD), Color::Reset);
        assert_eq!(Theme::FULL.color(palette::GOOD), Color::Rgb(0x6b, 0xd4, 0x7a));
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let [a, b] = [a, b].map(|color| luminance(color) + 0.05);
        a.max(b) / a.min(b)
    }

    fn rgb(color: Option<Color>) -> Rgb {
        let [red, green, blue] = match color {
            Some(Color::Rgb(red, green, blue)) => [red, green, blue],
            Some(Color::Indexed(index)) => indexed(index),
            other => panic!("{other:?}"),
        };
        Rgb(red, green, blue)
    }

    #[test]
    fn luminance_is_that_of_wcag() {
        // Published: the last gray with 4.5 on white and the first without, and pure colors.
        for (color, expected) in [
            (0, 21.0),
            (0x76_7676, 4.54),
            (0x77_7777, 4.48),
            (0xff_0000, 4.0),
            (0x00_8000, 5.14),
            (0xff, 8.59),
        ] {
            assert!((contrast(Rgb::hex(color), WHITE) - expected).abs() < 0.005, "{color:x}");
        }
    }

    #[test]
    fn text_can_be_read() {
        use palette::{ACCENT, BAD, FAINT, GOOD, GROUND, KINDS, TEXT, WARM};
        for colors in [Colors::True, Colors::Indexed, Colors::Sixteen] {
            let dark = Theme { colors, ..Theme::FULL };
            let light = Theme { light: true, ..dark };
            // VGA's bright blue has 4.1 on black, and users choose a palette that they can read.
            let least = if colors == Colors::Sixteen { 4.0 } else { 4.5 };
            for color in [ACCENT, BAD, FAINT, GOOD, WARM].into_iter().chain(KINDS) {
                assert_eq!(dark.text(color).fg, Some(dark.color(color)));
                for (theme, ground) in [(dark, BLACK), (dark, GROUND), (light, WHITE)] {
                    let contrast = contrast(rgb(theme.text(color).fg), theme.shown(ground));
                    assert!(contrast >= least, "{color:?} {theme:?}: {contrast}");
                    assert!(
                        !theme.light || colors != Colors::True || contrast < 6.0,
                        "{color:?}: {contrast}"
                    );
                }
            }
            assert_eq!([dark, light].map(|theme| theme.text(TEXT)), [Style::new(); 2]);
            for i in
                (0..0x1000).map(|i| Rgb::hex((i & 0xf00) << 12 | (i & 0xf0) << 8 | (i & 0xf) << 4))
            {
                let style = dark.on(i);
                assert!(contrast(rgb(style.fg), rgb(style.bg)) >= 4.5, "{i:?} {colors:?}");
            }
        }
    }
}

//! Screens in tests: their text, a picture of them, random keys.

use super::record::Recorder;
use super::theme::{Colors, Rgb, Theme, indexed, luminance, palette};
use super::view::{self, Flow, Input, Screen};
use bitcade_files::{Existing, OutputFile};
use bitcore::Rng;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;
use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Theme {
    pub(crate) const PLAIN: Self = Self { colors: Colors::None, unicode: false, light: false };

    /// The looks without colors, as requested by `NO_COLOR`.
    pub(crate) const NO_COLOR: Self = Self { colors: Colors::None, unicode: true, light: false };
}

pub(crate) fn drawn(
    screen: &(impl Screen + ?Sized),
    theme: Theme,
    width: u16,
    height: u16,
) -> Buffer {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(frame) = terminal.draw(|frame| view::draw(screen, frame, theme));
    frame.buffer.clone()
}

pub(crate) fn text_of(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content().chunks(width).map(|row| {
        let row: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        row.trim_end().to_owned() + "\n"
    });
    rows.collect()
}

/// Returns each character of a picture with its contrast to the background by WCAG 2, from 1 to 21.
pub(crate) fn contrasts(buffer: &Buffer, theme: Theme) -> Vec<(String, f64)> {
    let (ink, ground) = if theme.light {
        (Rgb(0, 0, 0), Rgb(0xff, 0xff, 0xff))
    } else {
        (palette::TEXT, palette::GROUND)
    };
    let shown = |color, of_terminal| {
        let [red, green, blue] = match color {
            Color::Rgb(red, green, blue) => [red, green, blue],
            Color::Indexed(index) => indexed(index),
            _ => return of_terminal,
        };
        Rgb(red, green, blue)
    };
    let contrast = |cell: &ratatui::buffer::Cell| {
        let [a, b] =
            [shown(cell.fg, ink), shown(cell.bg, ground)].map(|color| luminance(color) + 0.05);
        (cell.symbol().to_owned(), a.max(b) / a.min(b))
    };
    buffer.content().iter().filter(|cell| cell.symbol() != " ").map(contrast).collect()
}

/// Checks that the letters and digits of a screen have a contrast of at least 4.5:1, with many
/// colors and with few, on a dark and on a light background.
pub(crate) fn check_contrast(screen: &(impl Screen + ?Sized), unicode: bool) {
    for (colors, light) in [
        (Colors::True, false),
        (Colors::Indexed, false),
        (Colors::True, true),
        (Colors::Indexed, true),
    ] {
        let theme = Theme { colors, unicode, light };
        for (width, height) in [(80, 24), (160, 50)] {
            let is_text = |(symbol, _): &(String, f64)| symbol.chars().all(char::is_alphanumeric);
            let found: Vec<_> = contrasts(&drawn(screen, theme, width, height), theme)
                .into_iter()
                .filter(is_text)
                .collect();
            assert!(
                !found.is_empty() && found.iter().all(|(_, contrast)| *contrast >= 4.5),
                "{theme:?}: {found:.2?}"
            );
        }
    }
}

/// Checks that a screen matches the file `screens/NAME.txt`, with ASCII and without colors. With
/// `BITCADE_WRITE_SCREENS` set in the environment the file is written instead. With
/// `BITCADE_PICTURES` set to a folder, pictures of the screen are written there: in some sizes, on
/// a dark and a light background, and without colors.
pub(crate) fn check_screen(screen: &impl Screen, name: &str) {
    let text = text_of(&drawn(screen, Theme::PLAIN, 80, 24));
    assert!(text.is_ascii(), "{name}: {text}");
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    if std::env::var_os("BITCADE_WRITE_SCREENS").is_some() {
        fs::write(&path, &text).expect("the folder of screens");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} is not as {}:\n{text}", path.display());
    if let Some(folder) = std::env::var_os("BITCADE_PICTURES") {
        let light = Theme { light: true, ..Theme::FULL };
        for (width, height) in [(40, 20), (80, 24), (160, 50)] {
            for (theme, looks) in
                [(Theme::FULL, ""), (light, "-light"), (Theme::NO_COLOR, "-no-color")]
            {
                let path =
                    PathBuf::from(&folder).join(format!("{name}-{width}x{height}{looks}.gif"));
                picture(&drawn(screen, theme, width, height), theme, &path);
            }
        }
    }
    // No size is too small or too large to draw.
    for (width, height) in [(0, 0), (1, 1), (10, 5), (40, 12), (300, 100)] {
        drawn(screen, Theme::FULL, width, height);
    }
}

/// Checks that a screen is complete at every size from the minimum up, as determined by `is_whole`
/// from its text and size, and that a smaller terminal gets the complete notice if it has 10
/// columns.
pub(crate) fn check_sizes(
    screen: &impl Screen,
    least: (u16, u16),
    is_whole: impl Fn(&str, (u16, u16)) -> bool,
) {
    let size = format!("{}x{}", least.0, least.1);
    // Every small width and height, each with a third of the others and with all around the
    // minimum; of the large ones, where layouts no longer change, a sample.
    let widths = (1..=60).chain((61..=100).step_by(13));
    let heights = || (1..=30).chain((31..=40).step_by(3));
    let is_near = |(width, height): (u16, u16)| {
        (width + height) % 3 == 0 || width.abs_diff(least.0) < 2 || height.abs_diff(least.1) < 2
    };
    let sizes = widths.flat_map(|width| heights().map(move |height| (width, height)));
    for (width, height) in sizes.filter(|&size| is_near(size)) {
        let text = text_of(&drawn(screen, Theme::PLAIN, width, height));
        if width >= least.0 && height >= least.1 {
            assert!(is_whole(&text, (width, height)), "{width}x{height}:\n{text}");
        } else if width >= 10 {
            let notices = ["too small", "need"].iter().any(|word| text.contains(word));
            assert!(notices && text.contains(&size), "{width}x{height}:\n{text}");
        }
    }
}

pub(crate) fn has_all(text: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| text.contains(part))
}

pub(crate) fn picture(buffer: &Buffer, theme: Theme, path: &Path) {
    let file = OutputFile::check(path, Existing::Replace).expect("a folder for pictures");
    let mut recorder = Recorder::new(&file, path).expect("a GIF");
    recorder.set_light(theme.light);
    recorder.frame(Duration::ZERO, buffer);
    recorder.finish().expect("a folder for pictures");
}

/// A screen and its clock, driven by keys and observed as text.
pub(crate) struct Driver<S> {
    screen: S,
    now: Duration,
}

impl<S> Deref for Driver<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.screen
    }
}

impl<S> DerefMut for Driver<S> {
    fn deref_mut(&mut self) -> &mut S {
        &mut self.screen
    }
}

impl<S: Screen> Driver<S> {
    pub(crate) fn new(screen: S) -> Self {
        Self { screen, now: Duration::ZERO }
    }

    pub(crate) fn now(&self) -> Duration {
        self.now
    }

    pub(crate) fn advance(&mut self, now: Duration) {
        self.now = now;
        self.screen.advance(now);
    }

    pub(crate) fn advance_to(&mut self, milliseconds: u64) {
        self.advance(Duration::from_millis(milliseconds));
    }

    pub(crate) fn advance_by(&mut self, milliseconds: u64) {
        self.advance(self.now + Duration::from_millis(milliseconds));
    }

    pub(crate) fn run_to(&mut self, milliseconds: u64) {
        let end = Duration::from_millis(milliseconds);
        while let Some(next) = self.screen.next_change().filter(|&next| next <= end) {
            self.advance(next);
        }
        self.now = end;
    }

    pub(crate) fn run_to_rest(&mut self) {
        for _ in 0..10_000 {
            let Some(next) = self.screen.next_change() else { return };
            self.advance(next);
        }
        panic!("never at rest:\n{}", self.text());
    }

    pub(crate) fn input(&mut self, input: Input) {
        assert_eq!(self.screen.input(input, self.now), Flow::Continue);
    }

    pub(crate) fn press(&mut self, keys: &str) {
        keys.chars().for_each(|key_of| self.input(key(code_of(key_of))));
    }

    /// Presses keys at a time in milliseconds, without advancing the screen first.
    pub(crate) fn press_at(&mut self, milliseconds: u64, keys: &str) {
        self.now = Duration::from_millis(milliseconds);
        self.press(keys);
    }

    /// Returns the content of an 80x24 terminal without colors or Unicode.
    pub(crate) fn text(&self) -> String {
        text_of(&drawn(&self.screen, Theme::PLAIN, 80, 24))
    }

    #[track_caller]
    pub(crate) fn looks_as(&self, name: &str) {
        check_screen(&self.screen, name);
    }

    #[track_caller]
    pub(crate) fn shows(&self, part: &str) {
        assert!(self.text().contains(part), "{part}:\n{}", self.text());
    }

    pub(crate) fn check_without_colors(&self, sizes: &[(u16, u16)], check: impl Fn(&str, Theme)) {
        for theme in [Theme::NO_COLOR, Theme::PLAIN] {
            for &(width, height) in sizes {
                check(&text_of(&drawn(&self.screen, theme, width, height)), theme);
            }
        }
    }
}

/// Returns the key for a character; arrow characters are the arrow keys.
pub(crate) fn code_of(character: char) -> KeyCode {
    match character {
        '←' => KeyCode::Left,
        '→' => KeyCode::Right,
        '↑' => KeyCode::Up,
        '↓' => KeyCode::Down,
        '↖' => KeyCode::Home,
        '↘' => KeyCode::End,
        '\n' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\x1b' => KeyCode::Esc,
        '\x7f' => KeyCode::Backspace,
        character => KeyCode::Char(character),
    }
}

pub(crate) fn key(code: KeyCode) -> Input {
    Input::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// Presses random keys from a list at growing times, advances, and draws now and then. Calls `make`
/// for a new screen when one has ended. Returns the number of screens.
pub(crate) fn press_random_keys<S: Screen>(
    mut make: impl FnMut() -> S,
    codes: &str,
    presses: u64,
    seed: u64,
) -> u64 {
    let codes: Vec<KeyCode> = codes.chars().map(code_of).collect();
    let mut rng = Rng::new(seed);
    let mut screens = 1;
    let mut screen = make();
    let mut now = Duration::ZERO;
    for i in 0..presses {
        let code = codes[rng.next_u64() as usize % codes.len()];
        now += Duration::from_millis(rng.next_u64() % 120);
        let ended = screen.input(key(code), now) == Flow::End;
        if screen.next_change().is_some_and(|next| next <= now) {
            screen.advance(now);
        }
        if i % 64 == 0 {
            drawn(&screen, Theme::FULL, 80, 24);
        }
        if ended || screen.ended() {
            (screens, screen, now) = (screens + 1, make(), Duration::ZERO);
        }
    }
    screens
}

//! [`Decoder`]: key and mouse events from the bytes of a terminal.
//!
//! vte splits the bytes into characters and control sequences; this file interprets them. Unknown
//! sequences are ignored. An unfinished one is overdue after [`GAP`] without a byte, or [`LONGEST`]
//! after its start, so no input delays the next key for longer. An ESC followed by that pause is
//! the key Esc. A slow connection may bring the rest later: bytes that arrive until [`LATE`], and
//! can be the rest, are never taken for keys.

use super::view::Input;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, ModifierKeyCode, MouseButton, MouseEvent,
    MouseEventKind,
};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use vte::{Params, Parser, Perform};

/// The pause that ends an unfinished sequence. Terminals send sequences in one piece.
const GAP: Duration = Duration::from_millis(50);

/// The time limit for a sequence: a repeating key leaves no pause.
const LONGEST: Duration = Duration::from_millis(200);

/// How long after the start of a sequence its rest can arrive.
const LATE: Duration = Duration::from_secs(1);

const ESC: u8 = 0x1b;

#[derive(Default)]
pub(crate) struct Decoder {
    parser: Parser,
    meaning: Meaning,
    /// The last byte and its arrival time.
    last: Option<(u8, Instant)>,
    /// The time of the unfinished sequence's first byte.
    begun: Option<Instant>,
    sequence: Vec<u8>,
    /// `true` if its time is over.
    overdue: bool,
}

impl Decoder {
    pub(crate) fn take(&mut self, bytes: &[u8], now: Instant) {
        self.end_unfinished(now);
        if bytes.is_empty() {
            return;
        }
        if std::mem::take(&mut self.overdue) {
            let is_late = self.begun.is_none_or(|begun| now > begun + LATE);
            if is_late || !self.can_go_on_with(bytes) {
                self.forget();
            }
        }
        for &byte in bytes {
            // In ESC ESC, the first one is the key before a new sequence.
            if byte == ESC && self.last.is_some_and(|(last, _)| last == ESC) && self.begun.is_some()
            {
                self.meaning.key(KeyCode::Esc, KeyModifiers::NONE);
            }
            if let Prefix::OldMouse(ref mut bytes) = self.meaning.prefix {
                bytes.push(byte);
                self.meaning.old_mouse();
            } else {
                // The rest of a character, unless it prints.
                self.meaning.unfinished |= byte >= 0x80;
                self.parser.advance(&mut self.meaning, &[byte]);
                // A sequence begins here, and a string may have ended.
                self.meaning.unfinished |= byte == ESC;
            }
            self.last = Some((byte, now));
            if byte == ESC && !is_string(&self.sequence) {
                self.sequence.clear();
            }
            if self.meaning.unfinished {
                self.begun.get_or_insert(now);
            }
            if self.meaning.unfinished || !matches!(self.meaning.prefix, Prefix::None) {
                self.sequence.push(byte);
            } else {
                self.begun = None;
                self.sequence.clear();
            }
        }
    }

    /// Returns whether late bytes can be the rest of the sequence. A key press would be one byte.
    fn can_go_on_with(&self, bytes: &[u8]) -> bool {
        match *self.sequence {
            [ESC] => matches!(bytes[0], b'[' | b'\\' | b'O'),
            [ESC, b'[', b'M', ref rest @ ..] => rest.len() + bytes.len() >= 3,
            [ESC, b'[' | b'O', ..] => matches!(bytes[0], 0x20..=0x7e),
            [0x80..=0xff, ..] => matches!(bytes[0], 0x80..=0xbf),
            ref string if is_string(string) => {
                bytes.contains(&0x07) || bytes.windows(2).any(|pair| pair == [ESC, b'\\'])
            }
            _ => false,
        }
    }

    fn forget(&mut self) {
        let inputs = std::mem::take(&mut self.meaning.inputs);
        *self = Self { meaning: Meaning { inputs, ..Meaning::default() }, ..Self::default() };
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        let begun = self.begun?;
        let (_, last) = self.last?;
        (!self.overdue).then(|| (last + GAP).min(begun + LONGEST))
    }

    pub(crate) fn end_unfinished(&mut self, now: Instant) {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        match (self.last, &self.meaning.prefix) {
            (Some((ESC, _)), _) => self.meaning.key(KeyCode::Esc, KeyModifiers::NONE),
            (_, Prefix::Ss3) => self.meaning.key(KeyCode::Char('O'), KeyModifiers::ALT),
            _ => {}
        }
        self.overdue = true;
    }

    pub(crate) fn next(&mut self) -> Option<Input> {
        self.meaning.inputs.pop_front()
    }
}

/// Returns whether a sequence is a string of any length, such as a response from the terminal.
fn is_string(sequence: &[u8]) -> bool {
    matches!(sequence, [ESC, b'P' | b'X' | b']' | b'^' | b'_', ..])
}

/// The beginning of a key that vte takes for a whole sequence.
#[derive(Default)]
enum Prefix {
    #[default]
    None,
    /// `ESC O`: one character follows, on some terminals after modifiers in digits.
    Ss3,
    /// `ESC [ [`, a function key of the Linux console: one character follows.
    Console,
    /// `ESC [ M`, the mouse of old terminals: three bytes follow.
    OldMouse(Vec<u8>),
}

#[derive(Default)]
struct Meaning {
    inputs: VecDeque<Input>,
    prefix: Prefix,
    /// `true` from an ESC until vte has the end of its sequence.
    unfinished: bool,
}

impl Meaning {
    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.inputs.push_back(Input::Key(KeyEvent::new(code, modifiers)));
    }

    fn character(&mut self, c: char, modifiers: KeyModifiers) {
        let shift = if c.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
        self.key(KeyCode::Char(c), modifiers | shift);
    }

    /// Decodes an old terminal's mouse event once its three bytes have arrived.
    fn old_mouse(&mut self) {
        if let Prefix::OldMouse(bytes) = &self.prefix
            && let &[button, x, y] = bytes.as_slice()
        {
            self.prefix = Prefix::None;
            let number = |byte: u8| u16::from(byte.saturating_sub(32));
            self.mouse(number(button), number(x), number(y), number(button) & 3 == 3);
        }
    }

    /// Decodes a mouse event in xterm's numbering: cells count from 1.
    fn mouse(&mut self, button: u16, x: u16, y: u16, released: bool) {
        let which = match button & 3 {
            0 => MouseButton::Left,
            1 => MouseButton::Middle,
            _ => MouseButton::Right,
        };
        let kind = match (button & 64 != 0, button & 32 != 0) {
            (true, _) => match button & 3 {
                0 => MouseEventKind::ScrollUp,
                1 => MouseEventKind::ScrollDown,
                2 => MouseEventKind::ScrollLeft,
                _ => MouseEventKind::ScrollRight,
            },
            (_, true) if button & 3 == 3 => MouseEventKind::Moved,
            (_, true) => MouseEventKind::Drag(which),
            _ if released => MouseEventKind::Up(which),
            _ => MouseEventKind::Down(which),
        };
        let modifiers = modifiers(button, [4, 8, 16]);
        let (Some(column), Some(row)) = (x.checked_sub(1), y.checked_sub(1)) else { return };
        self.inputs.push_back(Input::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    /// Decodes a key with the modifier field of xterm and kitty: `1 + bits`, then the kind of
    /// event.
    fn modified(&mut self, code: KeyCode, field: &[u16]) {
        let bits = field.first().map_or(0, |bits| bits.saturating_sub(1));
        let kind = match field.get(1) {
            Some(2) => KeyEventKind::Repeat,
            Some(3) => KeyEventKind::Release,
            _ => KeyEventKind::Press,
        };
        self.inputs.push_back(Input::Key(KeyEvent::new_with_kind(
            code,
            modifiers(bits, [1, 2, 4]),
            kind,
        )));
    }
}

/// Returns the modifiers for the set bits, given the bits of Shift, Alt and Control.
fn modifiers(bits: u16, of: [u16; 3]) -> KeyModifiers {
    let all = [KeyModifiers::SHIFT, KeyModifiers::ALT, KeyModifiers::CONTROL];
    let set = of.into_iter().zip(all).filter(|(bit, _)| bits & bit != 0);
    set.map(|(_, modifier)| modifier).collect()
}

fn cursor_key(letter: char) -> Option<KeyCode> {
    Some(match letter {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'F' => KeyCode::End,
        'H' => KeyCode::Home,
        'P'..='S' => KeyCode::F(letter as u8 - b'P' + 1),
        _ => return None,
    })
}

/// Returns the key for a number before `~`.
fn numbered_key(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23..=26 => KeyCode::F(number as u8 - 12),
        28 | 29 => KeyCode::F(number as u8 - 13),
        31..=34 => KeyCode::F(number as u8 - 14),
        _ => return None,
    })
}

/// Returns the key for a code point; kitty's numbers for the keypad are included.
fn code_point_key(code: u16) -> Option<KeyCode> {
    const KEYPAD: &[u8; 17] = b"0123456789./*-+\r=";
    Some(match code {
        9 => KeyCode::Tab,
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        57399..=57415 => match KEYPAD[usize::from(code - 57399)] {
            b'\r' => KeyCode::Enter,
            byte => KeyCode::Char(char::from(byte)),
        },
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57376..=57398 => KeyCode::F((code - 57376) as u8 + 13),
        // Left or right.
        57441 | 57447 => KeyCode::Modifier(ModifierKeyCode::LeftShift),
        57442 | 57448 => KeyCode::Modifier(ModifierKeyCode::LeftControl),
        57443 | 57449 => KeyCode::Modifier(ModifierKeyCode::LeftAlt),
        // The rest of kitty's own numbers: other modifiers, media.
        0xe000..=0xf8ff => return None,
        _ => KeyCode::Char(char::from_u32(code.into()).filter(|c| !c.is_control())?),
    })
}

/// Returns the key for a key field of kitty's protocol: the code point, the shifted one, and the
/// one at the same position on a Latin keyboard. The games use Latin letters.
fn keyboard_key(field: &[u16], modifiers: u16) -> Option<KeyCode> {
    let of = |i: usize| field.get(i).copied().filter(|&code| code != 0);
    let shift = modifiers.saturating_sub(1) & 1 == 1;
    let latin = of(2).filter(|&base| of(0).is_some_and(|code| code > 0x7f) && base <= 0x7f);
    match latin {
        Some(base) if shift => code_point_key(base).map(|key| match key {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_uppercase()),
            key => key,
        }),
        Some(base) => code_point_key(base),
        None => code_point_key(of(1).filter(|_| shift).or(of(0))?),
    }
}

/// Returns whether a color in a terminal's format, `rgb:ffff/ffff/ffff`, is closer to white than to
/// black.
fn is_light(color: &[u8]) -> Option<bool> {
    let parts = std::str::from_utf8(color).ok()?.strip_prefix("rgb:")?.split('/');
    let share = |digits: &str| {
        Some(
            f64::from(u16::from_str_radix(digits, 16).ok()?)
                / (16f64.powi(digits.len() as i32) - 1.0),
        )
    };
    let parts = parts.map(share).collect::<Option<Vec<_>>>()?;
    let [red, green, blue] = parts[..] else { return None };
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

impl Perform for Meaning {
    fn print(&mut self, c: char) {
        self.unfinished = false;
        match std::mem::take(&mut self.prefix) {
            Prefix::None if c == '\x7f' => self.key(KeyCode::Backspace, KeyModifiers::NONE),
            Prefix::None => self.character(c, KeyModifiers::NONE),
            Prefix::Ss3 => match c {
                '0'..='9' => self.prefix = Prefix::Ss3,
                'M' => self.key(KeyCode::Enter, KeyModifiers::NONE),
                // The keypad in application mode sends its characters shifted by 64.
                'j'..='y' => self.key(KeyCode::Char(char::from(c as u8 - 64)), KeyModifiers::NONE),
                _ => {
                    if let Some(code) = cursor_key(c.to_ascii_uppercase()) {
                        self.key(code, KeyModifiers::NONE);
                    }
                }
            },
            Prefix::Console if ('A'..='E').contains(&c) => {
                self.key(KeyCode::F(c as u8 - b'A' + 1), KeyModifiers::NONE);
            }
            Prefix::Console | Prefix::OldMouse(_) => {}
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.key(KeyCode::Enter, KeyModifiers::NONE),
            b'\t' => self.key(KeyCode::Tab, KeyModifiers::NONE),
            0x01..=0x1a => self.key(KeyCode::Char(char::from(byte + 0x60)), KeyModifiers::CONTROL),
            // No game key uses other control characters.
            _ => {}
        }
        // CAN and SUB end a sequence; a control above ASCII is a broken character.
        if matches!(byte, 0x18 | 0x1a | 0x80..) {
            self.unfinished = false;
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.unfinished = false;
        if !intermediates.is_empty() {
            return;
        }
        match byte {
            b'O' => self.prefix = Prefix::Ss3,
            // The end of a string.
            b'\\' => {}
            byte => self.character(char::from(byte), KeyModifiers::ALT),
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        self.unfinished = false;
        if ignore {
            return;
        }
        let mut fields = params.iter();
        let first = fields.next().unwrap_or_default();
        let number = first.first().copied().unwrap_or_default();
        let second = fields.next().unwrap_or_default();
        let third = fields.next().unwrap_or_default();
        let value = |field: &[u16]| field.first().copied().unwrap_or_default();
        match (intermediates, action) {
            // The response of a terminal that can report releases.
            (b"?", 'u') => self.inputs.push_back(Input::KeyboardFlags(number)),
            (b"<", 'M' | 'm') => self.mouse(number, value(second), value(third), action == 'm'),
            ([], '[') => self.prefix = Prefix::Console,
            ([], 'M') if number == 0 => self.prefix = Prefix::OldMouse(Vec::new()),
            ([], 'M') => {
                let button = number.saturating_sub(32);
                self.mouse(button, value(second), value(third), button & 3 == 3);
            }
            ([], '~') => {
                // modifyOtherKeys of xterm: 27, modifiers, code point.
                let code =
                    if number == 27 { code_point_key(value(third)) } else { numbered_key(number) };
                if let Some(code) = code {
                    self.modified(code, second);
                }
            }
            ([], 'u') => {
                if let Some(code) = keyboard_key(first, value(second)) {
                    self.modified(code, second);
                }
            }
            ([], 'Z') => self.key(KeyCode::BackTab, KeyModifiers::SHIFT),
            // rxvt sends arrows with Shift in lower case.
            ([], letter) => {
                let arrow = ('a'..='d').contains(&letter).then(|| letter.to_ascii_uppercase());
                // A key has the number 1 or none; another one before R is the position of the
                // cursor.
                if let Some(code) = cursor_key(arrow.unwrap_or(letter)).filter(|_| number < 2) {
                    self.modified(code, second);
                }
            }
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _bell_terminated: bool) {
        self.unfinished = false;
        if let [b"11", color] = params
            && let Some(light) = is_light(color)
        {
            self.inputs.push_back(Input::Ground { light });
        }
    }

    fn unhook(&mut self) {
        self.unfinished = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the inputs for bytes that arrive together, after a pause.
    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let mut decoder = Decoder::default();
        let now = Instant::now();
        decoder.take(bytes, now);
        if let Some(deadline) = decoder.deadline() {
            decoder.end_unfinished(deadline);
        }
        assert_eq!(decoder.deadline(), None);
        std::iter::from_fn(|| decoder.next()).collect()
    }

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Input {
        Input::Key(KeyEvent::new(code, modifiers))
    }

    fn plain(code: KeyCode) -> Input {
        key(code, KeyModifiers::NONE)
    }

    fn character(c: char, modifiers: KeyModifiers) -> Input {
        key(KeyCode::Char(c), modifiers)
    }

    #[test]
    fn keys_are_what_terminals_send() {
        const NONE: KeyModifiers = KeyModifiers::NONE;
        const SHIFT: KeyModifiers = KeyModifiers::SHIFT;
        const ALT: KeyModifiers = KeyModifiers::ALT;
        const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
        for (bytes, expected) in [
            (&b"q"[..], character('q', NONE)),
            (b"Q", character('Q', SHIFT)),
            (b"\xc3\xa9", character('\u{e9}', NONE)),
            (b"\r", plain(KeyCode::Enter)),
            (b"\t", plain(KeyCode::Tab)),
            (b"\x7f", plain(KeyCode::Backspace)),
            (b"\x03", character('c', CONTROL)),
            (b"\x1b", plain(KeyCode::Esc)),
            (b"\x1ba", character('a', ALT)),
            (b"\x1bO", character('O', ALT)),
            (b"\x1b[D", plain(KeyCode::Left)),
            (b"\x1b[1;5C", key(KeyCode::Right, CONTROL)),
            (b"\x1bOB", plain(KeyCode::Down)),
            (b"\x1b[a", plain(KeyCode::Up)),
            (b"\x1bOa", plain(KeyCode::Up)),
            (b"\x1b[5~", plain(KeyCode::PageUp)),
            (b"\x1b[3;5~", key(KeyCode::Delete, CONTROL)),
            (b"\x1b[Z", key(KeyCode::BackTab, SHIFT)),
            (b"\x1bOM", plain(KeyCode::Enter)),
            (b"\x1bOk", character('+', NONE)),
            (b"\x1bOp", character('0', NONE)),
            (b"\x1b[27;5;9~", key(KeyCode::Tab, CONTROL)),
            (b"\x1b[27u", plain(KeyCode::Esc)),
            (b"\x1b[97;5u", character('a', CONTROL)),
            (b"\x1b[57414u", plain(KeyCode::Enter)),
            (b"\x1b[57399u", character('0', NONE)),
            (b"\x1bOP", plain(KeyCode::F(1))),
            (b"\x1bO5S", plain(KeyCode::F(4))),
            (b"\x1b[1;2R", key(KeyCode::F(3), SHIFT)),
            (b"\x1b[Q", plain(KeyCode::F(2))),
            (b"\x1b[[E", plain(KeyCode::F(5))),
            (b"\x1b[13~", plain(KeyCode::F(3))),
            (b"\x1b[15~", plain(KeyCode::F(5))),
            (b"\x1b[17~", plain(KeyCode::F(6))),
            (b"\x1b[21;5~", key(KeyCode::F(10), CONTROL)),
            (b"\x1b[24~", plain(KeyCode::F(12))),
            (b"\x1b[25~", plain(KeyCode::F(13))),
            (b"\x1b[29~", plain(KeyCode::F(16))),
            (b"\x1b[34~", plain(KeyCode::F(20))),
            (b"\x1b[57376u", plain(KeyCode::F(13))),
            (b"\x1b[57441;2u", key(KeyCode::Modifier(ModifierKeyCode::LeftShift), SHIFT)),
            (b"\x1b[57448u", plain(KeyCode::Modifier(ModifierKeyCode::LeftControl))),
            (b"\x1b[57449u", plain(KeyCode::Modifier(ModifierKeyCode::LeftAlt))),
            // Alternate keys: Cyrillic es and short i at the positions of c and q, a Greek letter
            // without an alternate, AZERTY.
            (b"\x1b[1089::99;5u", character('c', CONTROL)),
            (b"\x1b[1081::113u", character('q', NONE)),
            (b"\x1b[1081:1049:113;2u", character('Q', SHIFT)),
            (b"\x1b[945u", character('\u{3b1}', NONE)),
            (b"\x1b[97::113u", character('a', NONE)),
            (b"\x1b[61:43;2u", character('+', SHIFT)),
            (b"\x1b[?0u", Input::KeyboardFlags(0)),
            (b"\x1b[?15u", Input::KeyboardFlags(15)),
            (b"\x1b]11;rgb:ffff/ffff/f0f0\x07", Input::Ground { light: true }),
            (b"\x1b]11;rgb:14/17/1c\x1b\\", Input::Ground { light: false }),
        ] {
            assert_eq!(inputs(bytes), [expected], "{}", bytes.escape_ascii());
        }
        assert_eq!(inputs(b"\x1b\x1b"), [plain(KeyCode::Esc), plain(KeyCode::Esc)]);
        assert_eq!(inputs(b"\x1b\x1b[A"), [plain(KeyCode::Esc), plain(KeyCode::Up)]);
    }

    #[test]
    fn unknown_sequences_mean_nothing() {
        let unknown = b"\x1b[E \x1bOE \x1b[1;5E \x1b[16~ \x1b[35~ \x1b[[F \x1bOT \x1bO5T \x1b[24;80R \x1b[?62;22c \x1b[>1;4000;0c \
            \x1bP>|XTerm(380)\x1b\\ \x1b]10;rgb:ffff/ffff/ffff\x1b\\ \x1b]11;rgb:0000/0000\x07 \x1b[?2026;2$y \
            \x1b[?997;2n \x1b[48;24;80;480;800t \x1b[200~ \x1b[I \x1b[57444;1:1u \x1b[<0;10 \x1b[<0;0;0M \xe9 \
            \x1b[M! \x00 \x1c \x1b[";
        for bytes in unknown.split(|&byte| byte == b' ') {
            assert_eq!(inputs(bytes), [], "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn releases_and_repeats_are_told_apart() {
        for (bytes, kind) in [
            (&b"\x1b[97;1:1u"[..], KeyEventKind::Press),
            (b"\x1b[97;1:2u", KeyEventKind::Repeat),
            (b"\x1b[97;1:3u", KeyEventKind::Release),
            (b"\x1b[1;1:3D", KeyEventKind::Release),
        ] {
            let [Input::Key(key)] = inputs(bytes)[..] else { panic!("one key") };
            assert_eq!(key.kind, kind, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn the_mouse_is_read_in_three_forms() {
        let down = MouseEventKind::Down(MouseButton::Left);
        for (bytes, kind, column, row) in [
            (&b"\x1b[<0;10;20M"[..], down, 9, 19),
            (b"\x1b[32;10;20M", down, 9, 19),
            (b"\x1b[M *4", down, 9, 19),
            (b"\x1b[<0;10;20m", MouseEventKind::Up(MouseButton::Left), 9, 19),
            (b"\x1b[<64;1;1M", MouseEventKind::ScrollUp, 0, 0),
        ] {
            let expected = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            assert_eq!(inputs(bytes), [Input::Mouse(expected)], "{}", bytes.escape_ascii());
        }
    }

    /// A sequence that arrives in parts, however slowly, is its key or nothing; an ESC may be the
    /// key Esc before it.
    #[test]
    fn parts_of_a_sequence_are_no_keys() {
        let sequences =
            b"\x1b[A \x1bOA \x1b[1;5C \x1b[97;1:3u \x1b[<0;10;20M \x1b[[A \x1b[25~ \xc3\xa9 \xe2\x82\xac";
        for bytes in sequences.split(|&byte| byte == b' ') {
            let whole = inputs(bytes);
            let splits = (1..bytes.len()).flat_map(|a| (a..bytes.len()).map(move |b| (a, b)));
            for ((first, second), pause) in
                splits.flat_map(|split| [30, 70, 150, 300, 2000].map(|pause| (split, pause)))
            {
                let mut decoder = Decoder::default();
                let mut now = Instant::now();
                for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    decoder.take(part, now);
                    now += Duration::from_millis(pause);
                    decoder.end_unfinished(now);
                }
                let mut found: Vec<Input> = std::iter::from_fn(|| decoder.next()).collect();
                let escapes = [plain(KeyCode::Esc), character('O', KeyModifiers::ALT)];
                found.retain(|input| !escapes.contains(input));
                // A user is indistinguishable from a connection that takes seconds.
                if pause < 1000 {
                    let parts =
                        (bytes[..first].escape_ascii(), bytes[first..second].escape_ascii());
                    assert!(found == whole || found.is_empty(), "{parts:?} {pause}: {found:?}");
                }
            }
        }
    }

    /// After any bytes, a key is understood at its second press after a pause, or, repeated without
    /// one, after [`LONGEST`].
    #[test]
    fn no_input_keeps_the_next_key_away() {
        let mut rng = bitcore::Rng::new(29);
        for _ in 0..20_000 {
            let mut decoder = Decoder::default();
            let mut now = Instant::now();
            let length = rng.next_u64() % 24;
            let bytes: Vec<u8> = (0..length)
                .map(|_| match rng.next_u64() {
                    // Half of the bytes come from sequences.
                    random if random % 2 == 0 => {
                        b"\x1b[]OPM<;:?0129~um\\\x07_X\x9b"[(random >> 8) as usize % 22]
                    }
                    random => (random >> 8) as u8,
                })
                .collect();
            decoder.take(&bytes, now);
            let begun = now;
            let mut answered = decoder.deadline().is_none();
            let quits = |decoder: &mut Decoder| {
                let inputs = std::iter::from_fn(|| decoder.next());
                inputs.filter(|input| *input == plain(KeyCode::Char('q'))).count()
            };
            quits(&mut decoder);
            while !answered {
                now += Duration::from_millis(30);
                decoder.take(b"q", now);
                answered = quits(&mut decoder) > 0;
                assert!(now - begun <= LONGEST * 2, "{}", bytes.escape_ascii());
            }
            decoder.take(b"q", now + GAP);
            assert_eq!(quits(&mut decoder), 1, "{}", bytes.escape_ascii());
            // After a pause instead of the repetition.
            decoder = Decoder::default();
            decoder.take(&bytes, begun);
            quits(&mut decoder);
            decoder.end_unfinished(begun + LONGEST);
            let mut is_answered = |now| {
                decoder.take(b"q", now);
                quits(&mut decoder) == 1
            };
            let answered = is_answered(begun + LONGEST) || is_answered(begun + 2 * LONGEST);
            assert!(answered, "{}", bytes.escape_ascii());
        }
    }
}

//! The fuzz target `terminal`: feeds terminal bytes to the screens, without a terminal or a clock.

use crate::games::GAMES;
use crate::screen::decoder::Decoder;
use crate::screen::run::{Effect, Room, take};
use crate::screen::theme::Theme;
use crate::screen::view::{self, Screen};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::time::{Duration, Instant};

/// The pauses between pieces of input, in milliseconds.
const PAUSES: [u64; 8] = [0, 0, 1, 20, 60, 250, 1000, 20_000];

/// Feeds bytes to a screen. The first two select the game and the seed. Then each piece follows a
/// byte with its length and the pause after it.
///
/// # Panics
///
/// If the screen panics or `q` does not end it.
pub fn terminal(data: &[u8]) {
    let &[game, seed, ref pieces @ ..] = data else { return };
    let seed = seed.into();
    let screens: Vec<_> = GAMES.iter().flat_map(|game| game.fuzzed).collect();
    drive(&mut *screens[usize::from(game) % screens.len()](seed), pieces);
}

fn drive(screen: &mut dyn Screen, mut pieces: &[u8]) {
    let mut decoder = Decoder::default();
    let mut overlay = None;
    // An overlay freezes the screen's clock.
    let mut arrival = Instant::now();
    let mut now = Duration::ZERO;
    let mut give = |screen: &mut dyn Screen, bytes: &[u8], arrival, now| {
        decoder.take(bytes, arrival);
        let mut last = Effect::None;
        while let Some(input) = decoder.next() {
            match take(screen, &mut overlay, Room::Enough, input, now) {
                Effect::None | Effect::Suspended | Effect::Redrawn => {}
                ended @ (Effect::Ended | Effect::Interrupted) => return (ended, false),
                effect => last = effect,
            }
        }
        (last, overlay.is_some())
    };
    while let Some((&head, rest)) = pieces.split_first() {
        let (bytes, rest) = rest.split_at(rest.len().min(1 + usize::from(head % 32)));
        pieces = rest;
        let (effect, asks) = give(screen, bytes, arrival, now);
        if matches!(effect, Effect::Ended | Effect::Interrupted) {
            return;
        }
        let pause = Duration::from_millis(PAUSES[usize::from(head / 32)]);
        arrival += pause;
        if !asks {
            now += pause;
            if screen.next_change().is_some_and(|next| next <= now) {
                screen.advance(now);
            }
        }
        if head / 32 == 7 || rest.is_empty() {
            // The bytes choose any size.
            let side = |byte: Option<&u8>| byte.map_or(40, |&byte| u16::from(byte) % 120);
            draw(screen, side(bytes.first()), side(bytes.last()) / 2);
        }
        if screen.ended() {
            return;
        }
    }
    arrival += Duration::from_millis(300);
    let ends = |effect| matches!(effect, Effect::Ended | Effect::Interrupted);
    // One `q` may complete a partial escape sequence, one may close a page, and one may raise the
    // question.
    let keys: [&[u8]; 5] = [b"", b"q", b"q", b"q", b"q"];
    assert!(keys.into_iter().any(|bytes| ends(give(screen, bytes, arrival, now).0)), "q");
}

fn draw(screen: &dyn Screen, width: u16, height: u16) {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| view::draw(screen, frame, Theme::FULL));
}

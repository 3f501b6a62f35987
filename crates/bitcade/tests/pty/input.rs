//! Arbitrary bytes: no screen hangs on them, and the keys that follow are answered.
//!
//! `BITCADE_PTY_BYTES=1000000` sends that many random bytes to each screen, and prints the
//! measurements.

use crate::common::prepare;

use super::session::{LIMIT, Session, start_in};
use bitcore::Rng;
use std::thread;
use std::time::{Duration, Instant};

/// The screens: their arguments, and whether they move by themselves.
const SCREENS: [(&str, bool); 6] = [
    ("play 2048 --seed 1", false),
    ("play match3 --seed 1", false),
    ("play tetris --seed 1", true),
    ("play go --size 5 --playouts 50 --seed 1", false),
    ("watch --seed 1", true),
    ("contest replay game.txt --delay 50", true),
];

/// The time between the first press of a key and its second one.
const PATIENCE: Duration = Duration::from_millis(250);

fn sequences() -> Vec<Vec<u8>> {
    let text = include_str!("../data/terminal_input.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| bytes_of(line.split("  # ").next().unwrap_or_default())).collect()
}

fn bytes_of(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two digits"));
            rest = &hex[2..];
        } else if let Some((repeated, after)) =
            rest.strip_prefix('{').and_then(|rest| rest.split_once('}'))
        {
            let (byte, times) = repeated.split_once('*').expect("a byte and a number");
            bytes.extend(byte.repeat(times.parse().expect("a number")).bytes());
            rest = after;
        } else {
            rest = rest.strip_prefix("\\\\").unwrap_or(&rest[1..]);
            bytes.push(c as u8);
        }
    }
    bytes
}

/// A screen that is restarted when it has ended.
struct Player {
    arguments: &'static str,
    /// `true` if it moves by itself.
    moves: bool,
    session: Option<Session>,
    starts: u32,
    /// The longest times to the answer to a key, and to the end after a signal.
    answer: Duration,
    end: Duration,
}

impl Player {
    fn new((arguments, moves): (&'static str, bool)) -> Self {
        Self {
            arguments,
            moves,
            session: None,
            starts: 0,
            answer: Duration::ZERO,
            end: Duration::ZERO,
        }
    }

    fn session(&mut self) -> &mut Session {
        if self.session.as_mut().is_some_and(Session::has_ended) {
            self.is_over(&[0, 130]);
        }
        self.session.get_or_insert_with(|| {
            self.starts += 1;
            let folder = tempfile::tempdir().expect("a folder");
            prepare(folder.path(), self.arguments);
            let session = start_in(folder, self.arguments, false);
            session.shows("quit");
            session
        })
    }

    fn is_over(&mut self, statuses: &[u32]) {
        let Some(mut session) = self.session.take() else { return };
        let status = super::wait(&mut *session.child);
        assert!(
            statuses.contains(&status),
            "{}: status {status}: {}",
            self.arguments,
            session.text()
        );
        let _ = session.ends(status);
    }

    /// Presses `q` once or twice: the screen ends, or asks and gets a no.
    fn answers(&mut self, after: &[u8]) {
        const QUESTION: &str = "Quit this game?";
        let Some(session) = &mut self.session else { return };
        let begun = Instant::now();
        let mut waits_for = |patience| {
            session.press("q");
            let pressed = Instant::now();
            while !session.has_ended() && !session.text().contains(QUESTION) {
                if pressed.elapsed() > patience {
                    return false;
                }
                thread::sleep(Duration::from_millis(2));
            }
            true
        };
        let answered = waits_for(PATIENCE) || waits_for(LIMIT);
        let arguments = self.arguments;
        let text = session.text();
        assert!(answered, "{arguments} {}: no answer\n{text}", after.escape_ascii());
        self.answer = self.answer.max(begun.elapsed());
        if session.has_ended() {
            return self.is_over(&[0, 130]);
        }
        session.press("n");
        session.wait_for("game", |screen| !screen.contents().contains(QUESTION));
    }

    /// Checks that frames are drawn, unless the screen says that it waits, or never moves.
    fn moves(&mut self, after: &[u8]) {
        if !self.moves {
            return;
        }
        let arguments = self.arguments;
        let session = self.session();
        // A frame in progress when the bytes arrived does not count.
        thread::sleep(Duration::from_millis(60));
        let written = session.written();
        let begun = Instant::now();
        while session.written() == written {
            let text = session.text().to_lowercase();
            if ["pause", "over", "?", "play again", "end of"]
                .iter()
                .any(|waits| text.contains(waits))
            {
                return;
            }
            assert!(
                begun.elapsed() < LIMIT,
                "{arguments} {}: stands still\n{text}",
                after.escape_ascii()
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn is_terminated(&mut self) {
        let session = self.session();
        session.send("TERM");
        let begun = Instant::now();
        super::wait(&mut *session.child);
        self.end = self.end.max(begun.elapsed());
        // The bytes before the signal may have ended it already.
        self.is_over(&[143, 0, 130]);
    }
}

/// On a screen that stands still and one that moves; `random_bytes_stop_no_screen` sends the same
/// sequences to all.
#[test]
fn keys_work_after_any_sequence() {
    thread::scope(|scope| {
        for screen in [SCREENS[0], SCREENS[2]] {
            scope.spawn(move || {
                let mut player = Player::new(screen);
                for bytes in sequences() {
                    player.session().send_bytes(&bytes);
                    player.moves(&bytes);
                    player.answers(&bytes);
                }
            });
        }
    });
}

#[test]
fn a_signal_ends_a_screen_after_any_sequence() {
    let mut player = Player::new(SCREENS[2]);
    // Each starts the program once.
    for bytes in sequences().into_iter().step_by(4) {
        player.session().send_bytes(&bytes);
        player.is_terminated();
    }
}

/// Returns random bytes mixed with sequences from the list. The keys that end a screen, `q` and
/// Control-C, are less frequent, to let more of the others through.
fn random_bytes(rng: &mut Rng, sequences: &[Vec<u8>], length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let random = rng.next_u64();
        if random.is_multiple_of(16) {
            let short = &sequences[(random >> 8) as usize % sequences.len()];
            bytes.extend_from_slice(&short[..short.len().min(40)]);
        } else {
            let byte = (random >> 8) as u8;
            if !matches!(byte, b'q' | b'Q' | 3) || (random >> 16).is_multiple_of(32) {
                bytes.push(byte);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

#[test]
fn random_bytes_stop_no_screen() {
    let measured = std::env::var("BITCADE_PTY_BYTES").ok();
    let all: usize =
        measured.as_ref().map_or(2_000, |bytes| bytes.parse().expect("a number of bytes"));
    let rounds = if measured.is_some() { 100 } else { 2 };
    let sequences = &sequences();
    let table: Vec<String> = thread::scope(|scope| {
        let screens = SCREENS.into_iter().zip(1..).map(|(screen, seed)| {
            scope.spawn(move || {
                let Player { starts, answer, end, .. } = send_random_bytes(screen, sequences, all, rounds, seed);
                format!(
                    "{}: {rounds} of {rounds} rounds of {} bytes, {starts} starts, a key answered in {} ms at \
                     most, SIGTERM in {} ms",
                    screen.0,
                    all / rounds,
                    answer.as_millis(),
                    end.as_millis()
                )
            })
        });
        let screens: Vec<_> = screens.collect();
        screens.into_iter().map(|screen| screen.join().expect("it plays")).collect()
    });
    if measured.is_some() {
        println!("{}", table.join("\n"));
    }
}

/// Sends bytes to a screen in rounds; each one ends with a key, a check of the frames and SIGTERM.
fn send_random_bytes(
    screen: (&'static str, bool),
    sequences: &[Vec<u8>],
    all: usize,
    rounds: usize,
    seed: u64,
) -> Player {
    let mut rng = Rng::new(seed);
    let mut player = Player::new(screen);
    for _ in 0..rounds {
        let mut sent = 0;
        while sent < all / rounds {
            let length = 1 + rng.next_u64() as usize % 256;
            let bytes = random_bytes(&mut rng, sequences, length.min(all / rounds - sent));
            player.session().send_bytes(&bytes);
            sent += bytes.len();
            if rng.next_u64().is_multiple_of(8) {
                thread::sleep(Duration::from_millis(rng.next_u64() % 60));
            }
        }
        player.session();
        player.answers(b"");
        player.moves(b"");
        player.is_terminated();
    }
    player
}

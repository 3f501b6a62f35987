//! Whole conversations in the Go Text Protocol.

use go_mc::gtp::{Budget, Host, Options, Session};
use go_mc::search::{PlayoutKind, Settings};
use go_mc::{Board, Rules, Size};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testkit::Input;

/// A host whose clock advances with every call, whose input is pending every fourth call, and whose
/// only file is the first line of the conversation.
struct Desk<'a> {
    file: &'a str,
    /// The number of calls for the time and for input: an analysis alternates between them.
    times: AtomicU64,
    inputs: AtomicU64,
    step: Duration,
}

impl Host for Desk<'_> {
    fn now(&self) -> Duration {
        self.step * self.times.fetch_add(1, Ordering::Relaxed) as u32
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn input_pending(&self) -> bool {
        self.inputs.fetch_add(1, Ordering::Relaxed) % 4 == 3
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "x" { Err("no\n\nsuch file".into()) } else { Ok(self.file.into()) }
    }
}

/// The maximum work of a conversation, in playouts on a 5 x 5 board.
const WORK: u32 = 2500;

fn work(line: &str, session: &Session, budget: u64) -> u32 {
    let points = session.game().board().size().points().len() / 16;
    let area = if session.game().passes() > 0 || line.contains("kgs-genmove") { 1000 } else { 0 };
    let games = match () {
        () if line.contains("final") || line.contains("ownership") => 2000,
        () if line.contains("genmove") => budget as u32 + area,
        () if line.contains("analyze") => 200,
        () => 0,
    };
    games * points * points + 1
}

/// Checks that a text consists of whole responses, each with a mark and an optional number, with an
/// empty line only at its end. Returns the last response.
fn assert_whole(text: &str) -> &str {
    let body = text.strip_suffix("\n\n").unwrap_or_else(|| panic!("{text:?}"));
    let responses = body.split("\n\n");
    responses
        .inspect(|response| {
            assert!(response.starts_with(['=', '?']), "{text:?}");
            let id = response[1..].split([' ', '\n']).next().unwrap_or_default();
            assert!(id.bytes().all(|byte| byte.is_ascii_digit()), "{text:?}");
            assert!(response.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        })
        .last()
        .unwrap_or_default()
}

/// Sends each line to a session. The first bytes are its options, the first line is the only file.
/// Returns the numbers of accepted and rejected commands.
pub(crate) fn session(input: &Input, rules: impl Fn(&Input) -> Rules) -> [usize; 2] {
    let settings = input.byte();
    let rules = rules(input);
    let mut counts = [0, 0];
    let heavy = settings & 1 == 0;
    let playouts = u64::from(settings >> 3 & 3) * 4;
    let search = Settings {
        playout_kind: if heavy { PlayoutKind::Heavy } else { PlayoutKind::Light },
        playouts_per_leaf: if heavy { 1 } else { 4 },
        max_nodes: 1 << (settings >> 5),
        tromp_taylor: settings & 2 != 0,
        ..Settings::default()
    };
    let budget = if settings & 4 == 0 {
        Budget::Playouts(playouts)
    } else {
        Budget::Time(Duration::from_secs(1))
    };
    let size = Size::square(*input.pick(&[5, 9, 5, 5])).expect("a size");
    let options = Options { rules: Rules { size, ..rules }, komi: 7.5, budget, search };
    let text = input.text();
    let Some((file, lines)) = text.split_once('\n') else { return counts };
    let times = AtomicU64::new(0);
    let inputs = AtomicU64::new(0);
    let host = Desk { file, times, inputs, step: Duration::from_millis(100) };
    let mut session = Session::new(options).expect("a size with playouts");
    let mut boards: Vec<Option<Board>> = vec![Some(session.game().board().clone())];
    let mut left = WORK;
    let mut open = String::new();
    for line in lines.split('\n').take(64) {
        let state = |session: &Session| {
            let game = session.game();
            (game.board().clone(), game.to_move(), session.move_count(), session.komi().to_bits())
        };
        let Some(rest) = left.checked_sub(work(line, &session, playouts.max(12))) else { break };
        left = rest;
        let before = state(&session);
        let Some(mut answer) = session.respond(line.as_bytes(), &host) else { continue };
        let was_open = !open.is_empty();
        open += &answer.text;
        for _ in 0..4 {
            if answer.more {
                answer = session.continue_response(&host);
                open += &answer.text;
            }
        }
        if answer.more {
            continue;
        }
        let last = assert_whole(&open);
        counts[usize::from(last.starts_with('?'))] += 1;
        if last.starts_with('?') && !was_open {
            // A rejected command changes nothing.
            assert_eq!(state(&session), before, "{line:?}");
        }
        open.clear();
        let moves = session.move_count();
        let board = session.game().board().clone();
        // The line as the session reads it.
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        if let ("undo", Some(Some(earlier))) = (line.trim(), boards.get(moves)) {
            assert_eq!(&board, earlier);
        }
        // No earlier board of a loaded game is known, and only the first of another game.
        if line.contains("loadsgf") || moves > boards.len() {
            boards.clear();
        }
        boards.resize(moves, None);
        boards.push(Some(board));
        if answer.quit {
            break;
        }
    }
    counts
}

//! The commands of the protocol, and random input.

use bitcore::Rng;
use go_mc::gtp::{Budget, Host, NullHost, Options, Session};
use go_mc::search::Settings;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn session() -> Session {
    let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
    Session::new(Options { budget: Budget::Playouts(64), search, ..Options::default() }).unwrap()
}

/// Sends each line and compares the response, without its empty line, with the expected text.
fn talk(session: &mut Session, script: &[(&str, &str)]) {
    for (line, expected) in script {
        let answer = session.respond(line.as_bytes(), &TestHost::default()).expect("an answer");
        assert!(!answer.more, "{line}");
        let answer = answer.text;
        let body = answer.strip_suffix("\n\n").expect("an empty line at the end");
        assert_eq!(body, *expected, "{line}");
    }
}

/// Plays a section of the transcripts: lines, each with its response.
fn transcript(session: &mut Session, section: &str) {
    let sections = include_str!("../data/gtp.txt").split("\n## ");
    let lines = sections.filter_map(|text| text.split_once('\n')).find(|(name, _)| *name == section);
    let lines = lines.expect(section).1.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    for exchange in lines.chunks(2) {
        let &[line, response] = exchange else { panic!("no response to {exchange:?}") };
        talk(session, &[(line.strip_prefix("> ").expect("a line to send"), response)]);
    }
}

/// A host with files; its clock advances by a second per call, and its input has a line after some of them.
#[derive(Default)]
struct TestHost {
    calls: AtomicU64,
    input_after: u64,
    abandoned: bool,
}

impl Host for TestHost {
    fn now(&self) -> Duration {
        Duration::from_secs(1 + self.calls.fetch_add(1, Ordering::Relaxed))
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn input_pending(&self) -> bool {
        self.calls.load(Ordering::Relaxed) >= self.input_after
    }

    fn abandoned(&self) -> bool {
        self.abandoned
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        let text = match path {
            "game.sgf" => "(;SZ[9]KM[5.5];B[ee];W[cc];B[];W[gg])",
            "handicap.sgf" => "(;SZ[9]AB[cc][gg];W[ee])",
            "illegal.sgf" => "(;SZ[9]KM[400.5];B[ee],;W[ee];B[cc];W[aa])",
            "setup.sgf" => "(;SZ[9];B[ee];W[cc];AW[gg]AE[ee]PL[W];W[aa];B[bb])",
            "ko.sgf" => "(;SZ[9]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[];B[];W[bb];B[hh];W[gg])",
            "problem.sgf" => "(;SZ[5]AB[aa]AW[bb]PL[W])",
            "seki.sgf" => "(;SZ[5]KM[7.5]AB[aa:ad][ba:be][ca][cc:ce]AW[da:de][ea:ed])",
            "lost.sgf" => "(;SZ[5]AB[bd][cd][dd][ed][bc][dc][ec][bb][cb][db][eb][be][ba])",
            "large.sgf" => "(;SZ[7];B[aa])",
            "text.sgf" => "no game\n\nat all",
            _ => return Err("no such file\n\nreally".into()),
        };
        Ok(text.into())
    }
}

#[test]
fn administration() {
    let mut session = session();
    transcript(&mut session, "administration");
    talk(&mut session, &[("version", concat!("= ", env!("CARGO_PKG_VERSION")))]);
    let list = session.respond(b"list_commands", &NullHost).unwrap().text;
    let names: Vec<&str> = list.trim_start_matches("= ").trim_end().lines().collect();
    let required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play \
                    genmove time_settings time_left kgs-time_settings final_score final_status_list loadsgf undo \
                    fixed_handicap place_free_handicap set_free_handicap showboard reg_genmove \
                    lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze";
    for name in required.split_whitespace() {
        assert!(names.contains(&name), "{name}");
    }
    for name in names {
        let known = session.respond(format!("known_command {name}").as_bytes(), &NullHost).unwrap();
        assert_eq!(known.text, "= true\n\n");
    }
    let answer = session.respond(b"9 quit", &NullHost).unwrap();
    assert_eq!((answer.text.as_str(), answer.quit), ("=9\n\n", true));
    assert!(!session.respond(b"name", &NullHost).unwrap().quit);
    for nothing in ["", "   ", "# play b D4", "\t\r"] {
        assert_eq!(session.respond(nothing.as_bytes(), &NullHost), None);
    }
}

#[test]
fn whole_transcripts() {
    for section in ["moves_and_their_errors", "handicaps", "rules_of_the_next_game"] {
        transcript(&mut session(), section);
    }
}

#[test]
fn scores_and_status() {
    transcript(&mut session(), "scores_and_status");
    // A seki: an eye each and a shared liberty.
    let mut session = session();
    talk(
        &mut session,
        &[("loadsgf seki.sgf", "="), ("final_status_list dead", "="), ("final_status_list alive", "=")],
    );
    let seki = session.respond(b"final_status_list seki", &NullHost).unwrap().text;
    assert_eq!((seki.lines().count(), seki.split_whitespace().count()), (3, 1 + 13 + 9), "{seki}");
    talk(&mut session, &[("final_score", "= W+3.5")]);
    talk(&mut session, &[("boardsize 5", "="), ("play b C3", "="), ("play w A1", "=")]);
    let board = "=\n   A B C D E\n 5 . . . . . 5\n 4 . . . . . 4\n 3 . . X . . 3\n 2 . . . . . 2\n 1 O . . . . 1\n   \
                 A B C D E\nto move: black, komi 7.5";
    talk(&mut session, &[("showboard", board)]);
}

#[test]
fn files() {
    let mut session = session();
    transcript(&mut session, "files");
    let text = session.respond(b"loadsgf text.sgf", &TestHost::default()).unwrap().text;
    assert!(text.starts_with("? cannot load file: ") && text.matches('\n').count() == 2, "{text}");
    // The failed commands changed nothing.
    talk(&mut session, &[("undo", "="), ("undo", "? cannot undo"), ("loadsgf game.sgf", "=")]);
    assert_eq!(session.game().board().to_string().matches(['X', 'O']).count(), 3);
    assert!((session.komi() - 5.5).abs() < 1e-9);
    talk(&mut session, &[("undo", "="), ("undo", "="), ("undo", "="), ("undo", "=")]);
    talk(&mut session, &[("undo", "? cannot undo"), ("loadsgf game.sgf 3", "=")]);
    assert_eq!(session.game().board().to_string().matches(['X', 'O']).count(), 2);
    talk(&mut session, &[("loadsgf handicap.sgf 1", "="), ("undo", "? cannot undo")]);
    assert_eq!(session.game().board().to_string().matches('X').count(), 2);
    assert_eq!(session.game().to_move(), go_mc::Color::White);
    talk(&mut session, &[("loadsgf problem.sgf", "=")]);
    assert_eq!(session.game().to_move(), go_mc::Color::White);
}

/// What of a record isn't read, or isn't legal, is no error: it is said beside the response.
#[test]
fn remarks_on_files() {
    let mut session = session();
    let mut remarks = |line: &str, stones: usize| {
        talk(&mut session, &[(line, "=")]);
        assert_eq!(session.game().board().to_string().matches(['X', 'O']).count(), stones, "{line}");
        session.take_remarks()
    };
    assert_eq!(
        remarks("loadsgf illegal.sgf", 3),
        [
            "illegal.sgf: line 1, column 23: skipped: \",\"",
            "illegal.sgf: line 1, column 24: move 2: the point is occupied; it is played as written",
            "illegal.sgf: KM[400.5]: komi out of range: expected a number from -361 to 361",
        ]
    );
    // What is behind the node of the move isn't looked at.
    assert_eq!(remarks("loadsgf illegal.sgf 1", 0).len(), 2);
    assert_eq!(remarks("loadsgf game.sgf", 3), [""; 0]);
    // Superko holds after the record.
    assert_eq!(
        remarks("loadsgf ko.sgf", 9),
        ["ko.sgf: B8 repeats a position: superko holds after the record"]
    );
    talk(&mut session, &[("undo", "="), ("undo", "="), ("play b C8", "? illegal move"), ("undo", "=")]);
    talk(&mut session, &[("play w B8", "? illegal move"), ("play w A1", "="), ("komi 5", "=")]);
    assert_eq!(session.take_remarks(), [""; 0]);
    // A setup between moves: only what follows is taken back.
    talk(
        &mut session,
        &[("loadsgf setup.sgf", "="), ("undo", "="), ("undo", "="), ("undo", "? cannot undo")],
    );
    assert_eq!(session.game().to_move(), go_mc::Color::White);
    assert_eq!(session.game().board().to_string().matches(['X', 'O']).count(), 2);
    assert!((session.komi() - 5.0).abs() < 1e-9);
}

#[test]
fn the_engine_moves() {
    let options = Options { size: 5, budget: Budget::Playouts(5000), ..Options::default() };
    let mut session = Session::new(options).unwrap();
    transcript(&mut session, "the_engine_moves");
    let again = session.respond(b"genmove w", &NullHost).unwrap().text;
    assert!(again.starts_with("= "), "{again}");
    let cleanup = session.respond(b"kgs-genmove_cleanup b", &NullHost).unwrap().text;
    assert!(cleanup.starts_with("= "), "{cleanup}");
    assert_eq!(session.game().to_move(), go_mc::Color::White);
}

#[test]
fn the_clock_decides() {
    let mut session = Session::new(Options {
        budget: Budget::Time(Duration::from_secs(40)),
        search: Settings { max_nodes: 1 << 14, ..Settings::default() },
        ..Options::default()
    })
    .unwrap();
    // One call at the start, one after each batch of playouts.
    let mut batches = |settings: &str| {
        let clock = TestHost::default();
        for line in [settings, "clear_board", "reg_genmove b"] {
            let answer = session.respond(line.as_bytes(), &clock).unwrap().text;
            assert!(answer.starts_with('='), "{line}: {answer}");
        }
        clock.calls.into_inner() - 1
    };
    assert_eq!(batches("name"), 40);
    // 280 seconds for 28 moves to go (0.7 x 81 / 2): 10 per move, less a twentieth.
    assert_eq!(batches("time_settings 280 0 0"), 10);
    assert_eq!(batches("time_settings 0 60 3"), 19);
    assert_eq!(batches("time_settings 0 60 0"), 40);
    // No time at all is no limit: no game could be played by it.
    for settings in ["time_settings 0 0 0", "time_settings 60 60 0", "kgs-time_settings absolute 0"] {
        assert_eq!(batches("time_settings 0 60 3"), 19);
        assert_eq!(batches(settings), 40, "{settings}");
    }
    assert_eq!(batches("kgs-time_settings byoyomi 0 10 5"), 10);
    assert_eq!(batches("kgs-time_settings absolute 560"), 19);
    assert_eq!(batches("kgs-time_settings canadian 0 60 3"), 19);
    assert_eq!(batches("kgs-time_settings none"), 40);
    transcript(&mut session, "the_clock_decides");
    // The time that the controller reports replaces the engine's own count.
    let clock = TestHost::default();
    for (line, batches) in [
        ("time_left b 60 3", 19),
        ("time_left b 20 2", 10),
        ("name", 10),
        // Of Japanese byo-yomi, the periods that are left, each for one move.
        ("kgs-time_settings byoyomi 60 10 5", 12),
        ("time_left b 40 5", 38),
        ("time_left b 20 2", 19),
        ("kgs-time_settings canadian 60 10 5", 4),
        ("time_left b 40 5", 8),
    ] {
        assert!(session.respond(line.as_bytes(), &clock).unwrap().text.starts_with('='));
        let before = clock.calls.load(Ordering::Relaxed);
        session.respond(b"reg_genmove b", &clock).unwrap();
        assert_eq!(clock.calls.load(Ordering::Relaxed) - before - 1, batches);
    }
}

fn parts(session: &mut Session, line: &str, host: &dyn Host) -> Vec<String> {
    let mut answer = session.respond(line.as_bytes(), host).expect("an answer");
    let mut parts = vec![answer.text];
    while answer.more {
        answer = session.continue_response(host);
        parts.push(answer.text);
    }
    parts
}

/// Parses a report line into moves, visits and win rates, and checks its format.
fn report(line: &str) -> Vec<(String, u64, String)> {
    let moves = line.strip_prefix("info ").expect("a report").split(" info ");
    let entry = |(order, text): (usize, &str)| {
        let (fields, line) = text.split_once(" pv ").expect("a variation");
        let fields: Vec<&str> = fields.split(' ').collect();
        let keys: Vec<&str> = fields.iter().step_by(2).copied().collect();
        assert_eq!(keys, ["move", "visits", "winrate", "prior", "order"], "{text}");
        assert!(line == fields[1] || line.starts_with(&format!("{} ", fields[1])), "{text}");
        assert_eq!(fields[9], order.to_string());
        (fields[1].to_owned(), fields[3].parse().expect("visits"), fields[5].to_owned())
    };
    moves.enumerate().map(entry).collect()
}

#[test]
fn an_analysis_streams_until_a_line_comes() {
    let mut session = session();
    // A report every 5 seconds; input is pending from the 20th call on.
    let host = TestHost { input_after: 20, ..TestHost::default() };
    let parts = parts(&mut session, "7 lz-analyze w 500", &host);
    assert_eq!((parts[0].as_str(), parts.last().unwrap().as_str()), ("=7\n", "\n"));
    let reports = &parts[1..parts.len() - 1];
    assert!(reports.len() > 1, "{parts:?}");
    let mut before = 0;
    for text in reports {
        assert_eq!(text.matches('\n').count(), 1, "a line: {text:?}");
        let moves = report(text.trim_end());
        let visits: u64 = moves.iter().map(|(_, visits, _)| visits).sum();
        assert!(visits > before && moves.is_sorted_by_key(|(_, visits, _)| std::cmp::Reverse(*visits)));
        assert!(
            moves.iter().all(|(.., rate)| rate.parse::<u32>().is_ok_and(|rate| rate <= 10_000)),
            "{text}"
        );
        before = visits;
    }
    // No move was played, and the search is kept.
    assert_eq!((session.move_count(), session.game().to_move()), (0, go_mc::Color::Black));
    let known = session.respond(b"bitcade-winrate", &NullHost).unwrap().text;
    assert_ne!(known, "= unknown\n\n");
}

#[test]
fn every_analysis_reports_at_least_once() {
    let mut session = session();
    for line in ["lz-analyze", "kata-analyze B 10 ownership true", "lz-analyze interval 1 maxmoves 2"] {
        let parts = parts(&mut session, line, &NullHost);
        assert_eq!((parts.len(), parts[0].as_str()), (2, "=\n"), "{line}");
        let text = parts[1].strip_suffix("\n\n").expect("an empty line");
        let (moves, owners) = text.split_once(" ownership ").unwrap_or((text, ""));
        let moves = report(moves);
        assert_eq!(moves[0].2.contains('.'), line.starts_with("kata"), "{text}");
        assert_eq!(owners.split_whitespace().count(), if line.starts_with("kata") { 81 } else { 0 });
        assert!(!line.ends_with("maxmoves 2") || moves.len() <= 2);
    }
    transcript(&mut session, "every_analysis_reports_at_least_once");
}

#[test]
fn a_line_ends_a_running_analysis() {
    let mut session = session();
    assert!(session.respond(b"lz-analyze", &NullHost).unwrap().more);
    let answer = session.respond(b"5 name", &NullHost).unwrap();
    assert!(
        answer.text.starts_with("info move ") && answer.text.ends_with("\n\n=5 bitcade\n\n"),
        "{answer:?}"
    );
    assert!(!answer.more);
    assert!(session.respond(b"lz-analyze", &NullHost).unwrap().more);
    let answer = session.respond(b"# a remark", &NullHost).expect("the rest");
    assert!(answer.text.ends_with("\n\n") && !answer.more, "{answer:?}");
    assert_eq!(session.respond(b"# a remark", &NullHost), None);
    assert_eq!(session.continue_response(&NullHost).text, "");
}

#[test]
fn a_move_with_its_analysis() {
    let options = Options { size: 5, budget: Budget::Playouts(5000), ..Options::default() };
    let mut session = Session::new(options.clone()).unwrap();
    // Pending input does not shorten the search for a move.
    let host = TestHost::default();
    let parts = parts(&mut session, "2 kata-genmove_analyze b 10000", &host);
    assert!(parts.len() > 3 && parts[0] == "=2\n", "{parts:?}");
    let (last, reports) = parts[1..].split_last().unwrap();
    let mut visits = Vec::new();
    for text in reports {
        visits.push(report(text.trim_end()).iter().map(|(_, visits, _)| visits).sum::<u64>());
    }
    let (info, mv) = last.split_once('\n').unwrap();
    visits.push(report(info).iter().map(|(_, visits, _)| visits).sum::<u64>());
    assert!(visits.is_sorted() && visits.last() == Some(&5000), "{visits:?}");
    assert_eq!(mv, "play C3\n\n");
    assert_eq!(session.move_count(), 1);
    // The same move as without an analysis.
    let mut plain = Session::new(options).unwrap();
    assert_eq!(plain.respond(b"genmove b", &NullHost).unwrap().text, "= C3\n\n");
    let next = |session: &mut Session| session.respond(b"reg_genmove w", &NullHost).unwrap().text;
    assert_eq!(next(&mut session), next(&mut plain));
}

/// Returns a session on 9 x 9 with a budget of playouts.
fn quick(playouts: u64, seed: u64) -> Session {
    let search = Settings { max_nodes: 1 << 14, seed, ..Settings::default() };
    Session::new(Options { budget: Budget::Playouts(playouts), search, ..Options::default() }).unwrap()
}

/// Returns the answers to `rounds` moves of each color, White's first.
fn moves(session: &mut Session, rounds: usize, host: &dyn Host) -> Vec<String> {
    let mut ask = |line: &str| parts(session, line, host).concat();
    (0..rounds).flat_map(|_| [ask("genmove w"), ask("kata-genmove_analyze b 100000")]).collect()
}

#[test]
fn a_short_search_never_resigns() {
    for playouts in [1, 2, 5, 10, 100] {
        for seed in 1..=4 {
            let mut even = quick(playouts, seed);
            let mut lost = quick(playouts, seed);
            talk(&mut lost, &[("fixed_handicap 9", "= C3 G7 C7 G3 C5 G5 E3 E7 E5"), ("komi 0.5", "=")]);
            for session in [&mut even, &mut lost] {
                let moves = moves(session, 5, &NullHost).concat();
                assert!(!moves.contains("resign"), "{playouts} playouts, seed {seed}: {moves}");
            }
        }
    }
    let clocks: [&[&str]; 3] =
        [&["time_settings 0 0 0"], &["time_left w 0 0", "time_left b 0 0"], &["time_left w -0.5 3"]];
    for lines in clocks {
        for seed in 1..=8 {
            let search = Settings { max_nodes: 1 << 14, seed, ..Settings::default() };
            let mut session = Session::new(Options { search, ..Options::default() }).unwrap();
            let clock = TestHost::default();
            for line in lines {
                session.respond(line.as_bytes(), &clock);
            }
            let moves = moves(&mut session, 5, &clock).concat();
            assert!(!moves.contains("resign"), "{lines:?}, seed {seed}: {moves}");
        }
    }
}

/// Black has two eyes and the whole board.
const LOST: &str = "set_free_handicap B2 C2 D2 E2 B3 D3 E3 B4 C4 D4 E4 B1 B5";

/// Asks for White's move in a lost game. Returns whether White resigns.
fn resigns(session: &mut Session) -> bool {
    let answer = parts(session, "genmove w", &NullHost).concat();
    assert!(answer.starts_with("= "), "{answer}");
    answer == "= resign\n\n"
}

#[test]
fn a_lost_game_is_resigned_after_three_verdicts() {
    let options = Options { size: 5, budget: Budget::Playouts(10_000), ..Options::default() };
    let mut session = Session::new(options).unwrap();
    talk(&mut session, &[(LOST, "=")]);
    for _ in 0..4 {
        let answer = session.respond(b"reg_genmove w", &NullHost).unwrap().text;
        assert!(!answer.contains("resign"), "{answer}");
    }
    assert!(!resigns(&mut session));
    // The verdicts of the other player do not matter.
    let black = session.respond(b"genmove b", &NullHost).unwrap().text;
    assert!(black.starts_with("= ") && !black.contains("resign"), "{black}");
    assert!(!resigns(&mut session));
    talk(&mut session, &[("play b pass", "=")]);
    assert!(resigns(&mut session) && resigns(&mut session), "the third verdict");
    let analysis = parts(&mut session, "kata-genmove_analyze w 100000", &NullHost).concat();
    assert!(analysis.ends_with("\nplay resign\n\n"), "{analysis}");
    // `undo` takes the verdict on a move back with the move.
    talk(&mut session, &[("undo", "="), ("undo", "=")]);
    assert!(!resigns(&mut session), "the second verdict again");
    talk(&mut session, &[("play b pass", "=")]);
    assert!(resigns(&mut session));
    // A move of the user's is no verdict.
    talk(&mut session, &[("undo", "="), ("undo", "="), ("play w pass", "="), ("play b A1", "=")]);
    assert!(!resigns(&mut session));
    // Other games and other komi begin again.
    for reset in ["clear_board", "boardsize 5", "loadsgf lost.sgf"] {
        talk(&mut session, &[(reset, "=")]);
        if !reset.starts_with("load") {
            talk(&mut session, &[(LOST, "=")]);
        }
        assert!(!resigns(&mut session) && !resigns(&mut session), "{reset}");
        talk(&mut session, &[("komi 6.5", "="), ("komi 7.5", "=")]);
        assert!(!resigns(&mut session), "another komi");
        assert!(!resigns(&mut session) && resigns(&mut session), "{reset}");
    }
}

#[test]
fn the_session_outlives_a_game() {
    let options = Options { size: 5, budget: Budget::Playouts(2000), ..Options::default() };
    let mut session = Session::new(options).unwrap();
    for _ in 0..2 {
        talk(&mut session, &[("play b pass", "="), ("play w pass", "=")]);
        assert!(session.game().is_over());
        talk(&mut session, &[("reg_genmove b", "= C3"), ("genmove b", "= C3"), ("undo", "=")]);
        assert!(session.game().is_over());
    }
}

#[test]
fn the_search_is_dropped_with_the_position() {
    let mut session = session();
    for line in
        ["boardsize 9", "clear_board", "komi 0.5", "undo", "kgs-genmove_cleanup b", "loadsgf game.sgf 2"]
    {
        talk(&mut session, &[("komi 7.5", "=")]);
        session.respond(b"play b E5", &NullHost).unwrap();
        session.respond(b"reg_genmove w", &NullHost).unwrap();
        assert_ne!(session.respond(b"bitcade-winrate", &NullHost).unwrap().text, "= unknown\n\n");
        assert!(
            session.respond(line.as_bytes(), &TestHost::default()).unwrap().text.starts_with('='),
            "{line}"
        );
        assert_eq!(session.respond(b"bitcade-winrate", &NullHost).unwrap().text, "= unknown\n\n", "{line}");
        talk(&mut session, &[("clear_board", "=")]);
    }
}

#[test]
fn every_size_with_playouts_plays() {
    let mut session = session();
    for side in 0..30 {
        let answer = session.respond(format!("boardsize {side}").as_bytes(), &NullHost).unwrap().text;
        assert_eq!(answer.starts_with('='), [5, 9, 13, 19].contains(&side), "{side}");
        if answer.starts_with('=') {
            for line in [
                "genmove b",
                "lz-genmove_analyze w",
                "kata-analyze ownership true",
                "final_status_list alive",
            ] {
                let text = parts(&mut session, line, &NullHost).concat();
                assert!(text.starts_with('=') && text.ends_with("\n\n"), "{side} {line}: {text}");
            }
            assert_eq!((session.move_count(), session.game().board().size().width()), (2, side));
        }
    }
}

#[test]
fn sizes_without_playouts_are_refused() {
    assert!(Session::new(Options { size: 7, ..Options::default() }).is_err());
    assert!(Session::new(Options { komi: f64::NAN, ..Options::default() }).is_err());
}

/// Returns a line of random bytes, words of the protocol, or both.
fn random_line(rng: &mut Rng) -> Vec<u8> {
    const WORDS: &str = "boardsize clear_board komi play genmove undo showboard final_score final_status_list \
        fixed_handicap place_free_handicap set_free_handicap time_settings time_left kgs- \
        time_settings kgs-rules loadsgf reg_genmove known_command bitcade-winrate kgs- \
        genmove_cleanup list_commands lz-analyze kata-analyze kata-genmove_analyze interval \
        maxmoves ownership true b w white pass resign A1 E5 T19 Z0 D4 5 9 13 0 -1 1e400 dead \
        alive game.sgf # \u{fc}";
    let words: Vec<&str> = WORDS.split(' ').collect();
    let mut line = Vec::new();
    for _ in 0..rng.below(6) {
        if rng.below(4) == 0 {
            line.extend((0..rng.below(8)).map(|_| rng.below(256) as u8).filter(|&byte| byte != b'\n'));
        } else {
            line.extend_from_slice(words[rng.below(words.len() as u32) as usize].as_bytes());
        }
        line.push(b' ');
    }
    line
}

/// A line of each command with as many arguments as it takes.
const FULL_LINES: &str = "bitcade-tromp_taylor true|bitcade-winrate|boardsize 9 9|clear_board|final_score|\
    final_status_list dead|fixed_handicap 2|genmove b|kata-analyze b 10 maxmoves 2|\
    kata-genmove_analyze b 10 maxmoves 2|kgs-genmove_cleanup b|kgs-rules chinese|\
    kgs-time_settings byoyomi 60 10 5|known_command name|komi 6.5|list_commands|loadsgf game.sgf 2|\
    lz-analyze b 10 maxmoves 2|lz-genmove_analyze b 10 maxmoves 2|name|place_free_handicap 2|play w E5|\
    protocol_version|quit|reg_genmove b|set_free_handicap D4 E5|showboard|time_left b 20 1|time_settings 60 10 5|\
    undo|version";

/// Plays a line to a new session in the middle of a game with a clock, `placed` with two stones on the board.
/// Returns whether the command was done, with its answer and what can be seen of the session then.
fn after_line(line: &str, placed: bool) -> (bool, String, impl PartialEq + std::fmt::Debug + use<>) {
    let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
    let mut session = Session::new(Options { search, ..Options::default() }).unwrap();
    talk(&mut session, &[("komi 7", "="), ("time_settings 280 0 0", "="), ("time_left w 60 3", "=")]);
    if placed {
        talk(&mut session, &[("play b D4", "="), ("play w C3", "=")]);
    }
    let text = if line.is_empty() {
        String::new()
    } else {
        parts(&mut session, line, &TestHost::default()).concat()
    };
    let (board, rules) = (state(&mut session), session.game().rules());
    // The time for a move tells the state of a clock.
    let thinks = |session: &mut Session, color: &str| {
        let clock = TestHost::default();
        session.respond(format!("reg_genmove {color}").as_bytes(), &clock).expect("an answer");
        clock.calls.into_inner()
    };
    let clocks = ["b", "w"].map(|color| thinks(&mut session, color));
    (text.starts_with('='), text, (board, rules, clocks))
}

/// What a command doesn't read, it can't have done.
#[test]
fn a_word_too_many_is_an_error_and_changes_nothing() {
    let list = session().respond(b"list_commands", &NullHost).unwrap().text;
    let listed: Vec<&str> = list.trim_start_matches("= ").trim_end().lines().collect();
    let lines: Vec<&str> = FULL_LINES.split('|').collect();
    let names: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, listed, "each command has a line");
    for line in lines {
        let placed = !line.contains("handicap");
        let (done, text, _) = after_line(line, placed);
        assert!(done, "{line}: {text}");
        let (.., unchanged) = after_line("", placed);
        for word in ["x", "9", "b", "D4"] {
            // A list of vertices takes one more.
            if (line.starts_with("set_free_handicap"), word) == (true, "D4") {
                continue;
            }
            let (done, text, state) = after_line(&format!("{line} {word}"), placed);
            assert!(!done && text.starts_with("? "), "{line} {word}: {text}");
            assert_eq!(state, unchanged, "{line} {word}");
        }
    }
    // The session goes on after a `quit` that was refused.
    assert!(!session().respond(b"quit now", &NullHost).unwrap().quit);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_command() {
    let mut session = session();
    for (line, answer) in [
        ("\u{feff}1 protocol_version", Some("=1 2\n\n")),
        ("\u{feff}# a remark", None),
        ("\u{feff}", None),
        ("\u{feff}\tplay\tb\tE5\r", Some("=\n\n")),
        ("\u{feff}boardsize\u{7}\u{1b} 9", Some("=\n\n")),
        ("name \u{feff}", Some("? name takes no argument\n\n")),
    ] {
        let text = session.respond(line.as_bytes(), &NullHost).map(|answer| answer.text);
        assert_eq!(text.as_deref(), answer, "{line:?}");
    }
}

/// A host whose clock goes on by a tenth of a second at each look, and whose lines have waited for some time.
struct SlowHost {
    looks: AtomicU64,
    waited: Duration,
}

impl Host for SlowHost {
    fn now(&self) -> Duration {
        self.waited + Duration::from_millis(100) * self.looks.fetch_add(1, Ordering::Relaxed) as u32
    }

    fn line_arrived(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn input_pending(&self) -> bool {
        true
    }

    fn read_file(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("none".into())
    }
}

/// A player's clock runs from the arrival of the line to the answer: time in which the session was busy counts.
#[test]
fn the_clock_counts_the_whole_command() {
    let looks = |waited, line: &str| {
        let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
        let mut session = Session::new(Options { search, ..Options::default() }).unwrap();
        talk(&mut session, &[("time_settings 0 10 5", "=")]);
        let mut host = SlowHost { looks: AtomicU64::new(0), waited: Duration::from_secs(waited) };
        let text = parts(&mut session, line, &host).concat();
        assert!(text.starts_with('='), "{text}");
        let first =
            std::mem::replace(&mut host, SlowHost { looks: AtomicU64::new(0), waited: Duration::ZERO });
        // What is left of the period is for the moves that are left of it.
        session.respond(b"reg_genmove b", &host).unwrap();
        (first.looks.into_inner(), host.looks.into_inner())
    };
    for line in ["genmove b", "kgs-genmove_cleanup b", "lz-genmove_analyze b 100"] {
        let (waited, next) = looks(1, line);
        let (at_once, _) = looks(0, line);
        // A share of 1.9 s, of which one was over before the search.
        assert!(waited + 5 < at_once, "{line}: {waited} {at_once}");
        assert!((18..=22).contains(&next), "{line}: {next}");
        let (late, next) = looks(6, line);
        assert!(late < 6 && next < 12, "{line}: {late} {next}");
    }
}

/// Returns what is left to Black after a game of `moves` own moves that each cost at least `cost`, without reports of
/// the time from the controller.
fn left_after(settings: &str, size: usize, moves: usize, cost: Duration) -> Option<Duration> {
    struct Clocked {
        now: std::sync::Mutex<Duration>,
        cost: Duration,
    }
    impl Host for Clocked {
        fn now(&self) -> Duration {
            let mut now = self.now.lock().unwrap();
            *now += self.cost;
            *now
        }
        fn interrupted(&self) -> bool {
            false
        }
        fn input_pending(&self) -> bool {
            true
        }
        fn read_file(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("none".into())
        }
    }
    let search = Settings { max_nodes: 1 << 12, resign_threshold: 0.0, ..Settings::light() };
    let mut session = Session::new(Options { size, search, ..Options::default() }).unwrap();
    talk(&mut session, &[(settings, "=")]);
    let host = Clocked { now: std::sync::Mutex::default(), cost };
    let mut spent = Duration::ZERO;
    for _ in 0..moves {
        let before = *host.now.lock().unwrap();
        assert!(session.respond(b"genmove b", &host).unwrap().text.starts_with("= "));
        spent += host.now.lock().unwrap().saturating_sub(before);
        session.respond(b"play w pass", &host).unwrap();
    }
    Duration::from_secs(10).checked_sub(spent)
}

/// The reserve of a game of ten seconds is for moves without a search.
#[test]
fn time_is_left_after_a_long_game_without_reports() {
    for (size, moves) in [(9, 60), (13, 120), (19, 200)] {
        for settings in ["time_settings 10 0 0", "kgs-time_settings absolute 10"] {
            let left = left_after(settings, size, moves, Duration::from_millis(2));
            assert!(left > Some(Duration::from_millis(100)), "{size} {settings}: {left:?}");
        }
    }
}

/// Returns the visible state that a command could change.
fn state(session: &mut Session) -> (String, usize, u64) {
    let board = session.respond(b"showboard", &NullHost).unwrap().text;
    (board, session.move_count(), session.komi().to_bits())
}

#[test]
fn every_command_with_arguments_of_every_kind() {
    let mut session = session();
    let list = session.respond(b"list_commands", &NullHost).unwrap().text;
    let names: Vec<String> = list.trim_start_matches("= ").trim_end().lines().map(str::to_owned).collect();
    assert!(names.is_sorted() && names.len() == 31, "{names:?}");
    for name in &names {
        for arguments in
            ["", "b", "w d4 x", "-1", "5 0 0", "nan nan nan", "1e308 1e308 1", "dead", "z \u{fc} #"]
        {
            let before = state(&mut session);
            let text = parts(&mut session, &format!("42 {name} {arguments}"), &TestHost::default()).concat();
            assert!(text.starts_with("=42") || text.starts_with("?42"), "{name} {arguments}: {text}");
            assert!(
                text.ends_with("\n\n") && text.matches("\n\n").count() == 1,
                "{name} {arguments}: {text}"
            );
            if text.starts_with('?') {
                assert_eq!(state(&mut session), before, "{name} {arguments}");
            }
        }
    }
}

#[test]
fn random_lines_never_break_the_session() {
    let (mut session, mut rng) = (session(), Rng::new(1));
    let (mut good, mut bad) = (0, 0);
    for _ in 0..25_000 {
        let (line, before) = (random_line(&mut rng), state(&mut session));
        let Some(mut answer) = session.respond(&line, &TestHost::default()) else { continue };
        let mut text = answer.text.clone();
        while answer.more {
            answer = session.continue_response(&TestHost::default());
            text += &answer.text;
        }
        let body = text.strip_suffix("\n\n").expect("an empty line at the end");
        assert!(body.starts_with(['=', '?']) && !body.contains("\n\n"), "{text:?}");
        assert!(body.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        let id = body[1..].split([' ', '\n']).next().unwrap();
        assert!(id.bytes().all(|byte| byte.is_ascii_digit()), "{text:?}");
        assert!(!answer.quit);
        if body.starts_with('=') {
            good += 1;
        } else {
            bad += 1;
            assert_eq!(state(&mut session), before, "{text:?}");
        }
    }
    assert!(good > 500 && bad > 1000, "{good} {bad}");
    talk(&mut session, &[("1 boardsize 9", "=1"), ("2 play b E5", "=2")]);
}

/// The games of a match differ, and the match repeats.
#[test]
fn every_game_has_a_seed_of_its_own() {
    let games = || -> Vec<String> {
        let mut session = session();
        let mut ask = |line: &str| session.respond(line.as_bytes(), &NullHost).unwrap().text;
        (0..4)
            .map(|_| {
                let cleared = ["boardsize 9", "clear_board", "clear_board"].map(&mut ask);
                assert!(cleared.iter().all(|answer| answer.starts_with('=')), "{cleared:?}");
                ask("genmove b") + &ask("bitcade-winrate")
            })
            .collect()
    };
    let first = games();
    assert_eq!(first, games());
    assert!(first.iter().any(|game| *game != first[0]), "{first:?}");
}

#[test]
fn nobody_waits_for_an_abandoned_move() {
    let visits = |budget: Budget| {
        let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
        let mut session = Session::new(Options { budget, search, ..Options::default() }).unwrap();
        let host = TestHost { abandoned: true, ..TestHost::default() };
        let answer = session.respond(b"genmove b", &host).unwrap().text;
        assert!(answer.starts_with("= "), "{answer}");
        host.calls.into_inner()
    };
    // The start and the end of the think; without an end, a question after each batch of playouts.
    assert!(visits(Budget::Time(Duration::from_secs(1000))) < 6);
    assert_eq!(visits(Budget::Playouts(3000)), 2, "a budget of playouts is played to its end");
}

//! The commands of the protocol, and random conversations.

use super::sessions;
use crate::properties::values::{self, square};
use go_mc::Ko;
use go_mc::gtp::{Budget, Host, NullHost, Options, Session};
use go_mc::search::Settings;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testkit::Input;

fn options(size: usize, budget: Budget, seed: u64) -> Options {
    let search = Settings { max_nodes: 1 << 14, seed, ..Settings::default() };
    Options { rules: square(size), budget, search, ..Options::default() }
}

fn quick(size: usize, playouts: u64) -> Session {
    Session::new(options(size, Budget::Playouts(playouts), Settings::default().seed)).unwrap()
}

fn session() -> Session {
    quick(9, 64)
}

fn timed(seconds: u64, seed: u64) -> Session {
    Session::new(options(9, Budget::Time(Duration::from_secs(seconds)), seed)).unwrap()
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

fn ask_with(session: &mut Session, line: &str, host: &dyn Host) -> String {
    let answer = parts(session, line, host).concat();
    answer.strip_suffix("\n\n").expect("an empty line at the end").to_owned()
}

/// Returns the whole response to a line, without the empty line at its end.
fn ask(session: &mut Session, line: &str) -> String {
    ask_with(session, line, &TestHost::default())
}

/// Sends lines that succeed with an empty answer.
fn done(session: &mut Session, lines: &[&str]) {
    for line in lines {
        assert_eq!(ask(session, line), "=", "{line}");
    }
}

fn state(session: &Session) -> String {
    let game = session.game();
    let stones = game.board().to_string().matches(['X', 'O']).count();
    format!("{stones} stones, {} to move, komi {}", game.to_move(), session.komi())
}

fn transcript(session: &mut Session, section: &str) {
    let sections = include_str!("../data/gtp.txt").split("\n## ");
    let lines =
        sections.filter_map(|text| text.split_once('\n')).find(|(name, _)| *name == section);
    let lines =
        lines.expect(section).1.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    for exchange in lines.chunk_by(|_, next| !next.starts_with("> ")) {
        let line = exchange[0].strip_prefix("> ").expect("a line to send");
        let (states, rest): (Vec<&str>, Vec<&str>) =
            exchange[1..].iter().partition(|text| text.starts_with("~ "));
        let (remarks, response): (Vec<&str>, Vec<&str>) =
            rest.into_iter().partition(|text| text.starts_with("! "));
        assert_eq!(ask(session, line), response.join("\n"), "{line}");
        let said: Vec<String> =
            session.take_remarks().iter().map(|remark| format!("! {remark}")).collect();
        assert_eq!(said, remarks, "{line}");
        for expected in states {
            assert_eq!(format!("~ {}", state(session)), expected, "{line}");
        }
    }
}

/// A host with files. Its clock advances by `step` per call, and input is pending after some number
/// of calls.
struct TestHost {
    calls: AtomicU64,
    start: Duration,
    step: Duration,
    arrived: Option<Duration>,
    input_after: u64,
    abandoned: bool,
}

impl Default for TestHost {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        let calls = AtomicU64::new(0);
        Self { calls, start: second, step: second, arrived: None, input_after: 0, abandoned: false }
    }
}

impl Host for TestHost {
    fn now(&self) -> Duration {
        self.start + self.step * self.calls.fetch_add(1, Ordering::Relaxed) as u32
    }

    fn line_arrived(&self) -> Option<Duration> {
        self.arrived
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
            "huge.sgf" => "(;SZ[9]KM[1e308];B[ee])",
            "setup.sgf" => "(;SZ[9];B[ee];W[cc];AW[gg]AE[ee]PL[W];W[aa];B[bb])",
            "ko.sgf" => "(;SZ[9]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[];B[];W[bb];B[hh];W[gg])",
            "problem.sgf" => "(;SZ[5]AB[aa]AW[bb]PL[W])",
            "seki.sgf" => "(;SZ[5]KM[7.5]AB[aa:ad][ba:be][ca][cc:ce]AW[da:de][ea:ed])",
            "lost.sgf" => "(;SZ[5]AB[bd][cd][dd][ed][bc][dc][ec][bb][cb][db][eb][be][ba])",
            "turn.sgf" => "(;GM[1]SZ[9]KM[6.5];B[ee];W[cc];B[gg];PL[B])",
            "turns.sgf" => "(;SZ[9]KM[6.5];B[ee];PL[B];B[cc];PL[W];W[gg];W[gc];PL[W])",
            "resumed.sgf" => "(;SZ[9];B[];W[];PL[B])",
            "handicap4.sgf" => "(;SZ[9]KM[0.5]HA[4]AB[df:di])",
            "moves4.sgf" => "(;SZ[9]KM[0.5]HA[4];B[di];B[dh];B[dg];B[df])",
            "position.sgf" => "(;SZ[9]KM[0.5]AB[df:di]AW[ei])",
            "large.sgf" => "(;SZ[7];B[aa])",
            "text.sgf" => "no game\n\nat all",
            _ => return Err("no such file\n\nreally".into()),
        };
        Ok(text.into())
    }
}

fn commands() -> Vec<String> {
    let list = ask(&mut session(), "list_commands");
    list.trim_start_matches("= ").lines().map(str::to_owned).collect()
}

#[test]
fn administration() {
    let mut session = session();
    transcript(&mut session, "administration");
    assert_eq!(ask(&mut session, "version"), concat!("= ", env!("CARGO_PKG_VERSION")));
    let names = commands();
    let required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play \
                    genmove time_settings time_left kgs-time_settings final_score final_status_list loadsgf undo \
                    fixed_handicap place_free_handicap set_free_handicap showboard reg_genmove \
                    lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze";
    assert!(
        required.split_whitespace().all(|name| names.iter().any(|known| known == name)),
        "{names:?}"
    );
    for name in names {
        assert_eq!(ask(&mut session, &format!("known_command {name}")), "= true");
    }
    let answer = session.respond(b"9 quit", &NullHost).unwrap();
    assert_eq!(answer.text.as_str(), "=9\n\n");
    assert!(answer.quit);
    assert!(!session.respond(b"name", &NullHost).unwrap().quit);
    for nothing in ["", "   ", "# play b D4", "\t\r"] {
        assert_eq!(session.respond(nothing.as_bytes(), &NullHost), None);
    }
}

#[test]
fn whole_transcripts() {
    for section in [
        "moves_and_their_errors",
        "handicaps",
        "rule_sets",
        "turns_after_undo",
        "scores_and_status",
        "seki",
        "files",
        "remarks_on_files",
    ] {
        transcript(&mut session(), section);
    }
    transcript(&mut quick(5, 2000), "a_game_goes_on_after_two_passes");
    let mut session = session();
    done(&mut session, &["loadsgf seki.sgf"]);
    let seki = ask(&mut session, "final_status_list seki");
    assert_eq!(seki.lines().count(), 2, "{seki}");
    assert_eq!(seki.split_whitespace().count(), 1 + 13 + 9, "{seki}");
}

/// A record that goes on after two passes is not over after `undo`, but a game that was over is.
#[test]
fn undo_restores_the_end_of_the_game() {
    let mut session = session();
    done(&mut session, &["loadsgf resumed.sgf", "play b D4", "undo"]);
    assert_eq!(session.game().passes(), 0);
    done(&mut session, &["clear_board", "play b pass", "play w pass", "play b D4", "undo"]);
    assert_eq!(session.game().passes(), 2);
}

/// The wall of a game with four handicap stones on D1 to D4: Black has 36 points and White 45.
const WALL: &[&str] = &[
    "play w E1",
    "play b D5",
    "play w E2",
    "play b D6",
    "play w E3",
    "play b D7",
    "play w E4",
    "play b D8",
    "play w E5",
    "play b D9",
    "play w E6",
    "play b pass",
    "play w E7",
    "play b pass",
    "play w E8",
    "play b pass",
    "play w E9",
    "play b pass",
    "play w pass",
    "play b pass",
];

/// GNU Go counts W+13.5 by Chinese rules. The others differ by `KataGo`'s `whiteHandicapBonus`: N -
/// 1 and 0.
#[test]
fn the_score_has_the_bonus_of_the_rule_set() {
    let setups: [(&[&str], bool); 6] = [
        (&["set_free_handicap D1 D2 D3 D4"], true),
        (&["loadsgf handicap4.sgf"], true),
        (&["loadsgf moves4.sgf"], true),
        (&["play b D1", "play b D2", "play b D3", "play b D4"], true),
        // Two moves of White in a row set up a position.
        (&["play b D1", "play b D2", "play b D3", "play b D4", "play w E1", "play w E2"], false),
        // So do stones of both colors.
        (&["loadsgf position.sgf"], false),
    ];
    for (rules, bonus) in [("chinese", 4.0), ("aga", 3.0), ("new_zealand", 0.0), ("", 0.0)] {
        for (setup, is_handicap) in setups {
            let mut session = session();
            if !rules.is_empty() {
                done(&mut session, &[&format!("kgs-rules {rules}")]);
            }
            done(&mut session, &["boardsize 9", "clear_board", "komi 0.5"]);
            done(&mut session, setup);
            for line in WALL.iter().filter(|line| !setup.contains(line)) {
                let answer = ask(&mut session, line);
                assert!(
                    answer == "=" || setup == ["loadsgf position.sgf"],
                    "{setup:?} {line}: {answer}"
                );
            }
            let score = 9.5 + if is_handicap { bonus } else { 0.0 };
            assert_eq!(
                ask(&mut session, "final_score"),
                format!("= W+{score}"),
                "{rules} {setup:?}"
            );
            assert_eq!(session.komi().to_bits(), 0.5f64.to_bits(), "{rules} {setup:?}");
        }
    }
}

/// Black's area is 25 points, White's compensation 20 points and 13 for the handicap stones.
#[test]
fn the_search_plays_for_the_score_with_the_bonus() {
    for (rules, percent, lead) in [("chinese", "0.0", -8.0), ("new_zealand", "100.0", 5.0)] {
        for late in [false, true] {
            let mut session = quick(5, 500);
            let rules = format!("kgs-rules {rules}");
            // The rules may come after the search.
            let lines = if late { [LOST, &rules] } else { [&rules, LOST] };
            done(&mut session, &["komi 20"]);
            for line in lines {
                done(&mut session, &[line]);
                ask(&mut session, "reg_genmove b");
            }
            let best = ask(&mut session, "bitcade-winrate");
            assert_eq!(best.split(' ').nth(2), Some(percent), "{rules} {late}: {best}");
            let text = ask(&mut session, "kata-analyze b 1 maxmoves 1");
            let (_, mean) = text.split_once(" scoreLead ").expect("a lead");
            let mean: f64 = mean.split(' ').next().and_then(|word| word.parse().ok()).unwrap();
            // A few playouts lose a point more.
            assert!((mean - lead).abs() <= 0.5, "{rules} {late}: {text}");
        }
    }
    // The largest komi with a bonus is still a game.
    let mut session = quick(5, 10);
    done(&mut session, &["kgs-rules chinese", "komi 361", LOST]);
    assert!(ask(&mut session, "genmove b").starts_with("= "));
}

/// A record says by which rules it is played and scored, until the next game.
#[test]
fn a_record_has_rules() {
    let bonus = |session: &mut Session| {
        let text = ask(session, "showboard");
        text.split_once("handicap bonus ")
            .map_or(0, |(_, number)| number.parse().expect("a number"))
    };
    for (rules, ko, expected) in [
        ("Chinese", Ko::Positional, 3),
        ("chinese", Ko::Positional, 3),
        ("AGA", Ko::Situational, 2),
        ("NZ", Ko::Situational, 0),
        ("New Zealand", Ko::Situational, 0),
        // The session's rules.
        ("Japanese", Ko::Positional, 3),
        ("", Ko::Positional, 3),
    ] {
        let mut session = session();
        done(&mut session, &["kgs-rules chinese"]);
        let record = format!("(;SZ[9]RU[{rules}]HA[3]AB[cc][gg][cg];W[ee];AB[aa];B[bb])");
        session.load(&record.parse().unwrap()).unwrap();
        assert_eq!(bonus(&mut session), expected, "{rules}");
        assert_eq!(session.game().rules().ko, ko, "{rules}");
        done(&mut session, &["undo"]);
        assert_eq!(bonus(&mut session), expected, "{rules}");
        done(&mut session, &["clear_board"]);
        assert_eq!(session.game().rules().ko, Ko::Positional, "{rules}");
    }
}

/// Every number of stones up to all points but one, without a stone placed twice.
#[test]
fn a_free_handicap_has_the_number_of_stones_asked() {
    let mut session = session();
    for (size, counts) in [(5, 2..=24), (9, 2..=80), (13, 2..=40), (19, 2..=60), (19, 360..=360)] {
        for count in counts {
            done(&mut session, &[&format!("boardsize {size}")]);
            let answer = ask(&mut session, &format!("place_free_handicap {count}"));
            assert_eq!(answer.split(' ').skip(1).count(), count, "{size}: {answer}");
            assert_eq!(
                session.game().board().stones(go_mc::Color::Black).len(),
                count as u32,
                "{size}"
            );
            let points = answer.trim_start_matches("= ").to_owned();
            done(&mut session, &["clear_board", &format!("set_free_handicap {points}")]);
        }
    }
}

#[test]
fn the_engine_moves() {
    let mut session = quick(5, 5000);
    transcript(&mut session, "the_engine_moves");
    for line in ["genmove w", "kgs-genmove_cleanup b"] {
        let answer = ask(&mut session, line);
        assert!(answer.starts_with("= "), "{line}: {answer}");
    }
    assert_eq!(session.game().to_move(), go_mc::Color::White);
}

#[test]
fn the_clock_decides() {
    let mut session = timed(40, 1);
    // One call at the start of a search, and one after each batch of playouts.
    let batches = |session: &mut Session, clock: &TestHost| {
        let before = clock.calls.load(Ordering::Relaxed);
        ask_with(session, "reg_genmove b", clock);
        clock.calls.load(Ordering::Relaxed) - before - 1
    };
    for (settings, expected) in [
        ("name", 40),
        // 280 seconds for 28 moves to go (0.7 x 81 / 2): 10 per move, less a twentieth.
        ("time_settings 280 0 0", 10),
        ("time_settings 0 60 3", 19),
        ("time_settings 0 60 0", 40),
        // No time at all means no limit, because no game could be played with it.
        ("time_settings 0 60 3", 19),
        ("time_settings 0 0 0", 40),
        ("time_settings 0 60 3", 19),
        ("time_settings 60 60 0", 40),
        ("time_settings 0 60 3", 19),
        ("kgs-time_settings absolute 0", 40),
        ("kgs-time_settings byoyomi 0 10 5", 10),
        ("kgs-time_settings absolute 560", 19),
        ("kgs-time_settings canadian 0 60 3", 19),
        ("kgs-time_settings none", 40),
    ] {
        assert!(ask(&mut session, settings).starts_with('='), "{settings}");
        done(&mut session, &["clear_board"]);
        assert_eq!(batches(&mut session, &TestHost::default()), expected, "{settings}");
    }
    transcript(&mut session, "the_clock_decides");
    // The time reported by the controller replaces the engine's own count.
    let clock = TestHost::default();
    for (line, expected) in [
        ("time_left b 60 3", 19),
        ("time_left b 20 2", 10),
        ("name", 10),
        // In Japanese byo-yomi: the number of periods left, each for one move.
        ("kgs-time_settings byoyomi 60 10 5", 12),
        ("time_left b 40 5", 38),
        ("time_left b 20 2", 19),
        ("kgs-time_settings canadian 60 10 5", 4),
        ("time_left b 40 5", 8),
    ] {
        assert!(ask_with(&mut session, line, &clock).starts_with('='));
        assert_eq!(batches(&mut session, &clock), expected, "{line}");
    }
}

/// Parses a report line into moves, visits and win rates, and checks its format.
fn report(line: &str) -> Vec<(String, u64, String)> {
    let moves = line.strip_prefix("info ").expect("a report").split(" info ");
    let entry = |(order, text): (usize, &str)| {
        let (fields, line) = text.split_once(" pv ").expect("a variation");
        let fields: Vec<&str> = fields.split(' ').collect();
        let keys: Vec<&str> = fields.iter().step_by(2).copied().collect();
        let field = |key| fields[keys.iter().position(|&found| found == key).expect(key) * 2 + 1];
        if fields[5].contains('.') {
            let scores = ["scoreMean", "scoreStdev", "scoreLead"];
            let scores = scores.map(|key| field(key).parse::<f64>().expect("a score"));
            assert!(scores.iter().all(|score| score.abs() <= 81.0 + 7.5), "{text}");
            assert_eq!(scores[0].to_bits(), scores[2].to_bits(), "{text}");
            let expected = [
                "move",
                "visits",
                "winrate",
                "scoreMean",
                "scoreStdev",
                "scoreLead",
                "prior",
                "order",
            ];
            assert_eq!(keys, expected, "{text}");
        } else {
            assert_eq!(keys, ["move", "visits", "winrate", "prior", "order"], "{text}");
        }
        assert!(line == fields[1] || line.starts_with(&format!("{} ", fields[1])), "{text}");
        assert_eq!(field("order"), order.to_string());
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
    assert_eq!(parts[0].as_str(), "=7\n");
    assert_eq!(parts.last().unwrap().as_str(), "\n");
    let reports = &parts[1..parts.len() - 1];
    assert!(reports.len() > 1, "{parts:?}");
    let mut before = 0;
    for text in reports {
        assert_eq!(text.matches('\n').count(), 1, "a line: {text:?}");
        let moves = report(text.trim_end());
        let visits: u64 = moves.iter().map(|(_, visits, _)| visits).sum();
        assert!(
            visits > before && moves.is_sorted_by_key(|(_, visits, _)| std::cmp::Reverse(*visits))
        );
        assert!(
            moves.iter().all(|(.., rate)| rate.parse::<u32>().is_ok_and(|rate| rate <= 10_000)),
            "{text}"
        );
        before = visits;
    }
    // No move was played, and the search is kept.
    assert_eq!(session.move_count(), 0);
    assert_eq!(session.game().to_move(), go_mc::Color::Black);
    assert_ne!(ask(&mut session, "bitcade-winrate"), "= unknown");
}

#[test]
fn every_analysis_reports_at_least_once() {
    let mut session = session();
    for line in
        ["lz-analyze", "kata-analyze B 10 ownership true", "lz-analyze interval 1 maxmoves 2"]
    {
        let parts = parts(&mut session, line, &NullHost);
        assert_eq!(parts.len(), 2, "{line}");
        assert_eq!(parts[0].as_str(), "=\n", "{line}");
        let text = parts[1].strip_suffix("\n\n").expect("an empty line");
        let (moves, owners) = text.split_once(" ownership ").unwrap_or((text, ""));
        let moves = report(moves);
        assert_eq!(moves[0].2.contains('.'), line.starts_with("kata"), "{text}");
        assert_eq!(
            owners.split_whitespace().count(),
            if line.starts_with("kata") { 81 } else { 0 }
        );
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
    let mut session = quick(5, 5000);
    // Pending input does not shorten the search for a move.
    let parts = parts(&mut session, "2 kata-genmove_analyze b 10000", &TestHost::default());
    assert!(parts.len() > 3 && parts[0] == "=2\n", "{parts:?}");
    let (info, mv) = parts.last().unwrap().split_once('\n').unwrap();
    let reports = parts[1..parts.len() - 1].iter().map(|text| text.trim_end()).chain([info]);
    let visits = reports.map(|text| report(text).iter().map(|(_, visits, _)| visits).sum::<u64>());
    let visits: Vec<u64> = visits.collect();
    assert!(visits.is_sorted() && visits.last() == Some(&5000), "{visits:?}");
    assert_eq!(mv, "play C3\n\n");
    assert_eq!(session.move_count(), 1);
    // The analysis does not change the move.
    let mut plain = quick(5, 5000);
    assert_eq!(ask(&mut plain, "genmove b"), "= C3");
    assert_eq!(ask(&mut session, "reg_genmove w"), ask(&mut plain, "reg_genmove w"));
}

#[test]
fn a_short_search_never_resigns() {
    let assert_plays_on = |mut session: Session, lines: &[&str], clock: &TestHost| {
        for line in lines {
            drop(ask_with(&mut session, line, clock));
        }
        for line in ["genmove w", "kata-genmove_analyze b 100000"].repeat(5) {
            let answer = ask_with(&mut session, line, clock);
            assert!(!answer.contains("resign"), "{lines:?}: {answer}");
        }
    };
    for playouts in [1, 2, 5, 10, 100] {
        for (seed, lines) in
            (1..=4).flat_map(|seed| [(seed, &[][..]), (seed, &["fixed_handicap 9", "komi 0.5"])])
        {
            let options = options(9, Budget::Playouts(playouts), seed);
            assert_plays_on(Session::new(options).unwrap(), lines, &TestHost::default());
        }
    }
    for lines in [
        &["time_settings 0 0 0"][..],
        &["time_left w 0 0", "time_left b 0 0"],
        &["time_left w -0.5 3"],
    ] {
        (1..=8).for_each(|seed| assert_plays_on(timed(1, seed), lines, &TestHost::default()));
    }
}

/// A case of `passes.txt`: a position in which the opponent has just passed.
struct PassCase<'a> {
    name: &'a str,
    diagram: &'a str,
    player: &'a str,
    rules: &'a str,
    clock: &'a str,
    komi: &'a str,
    handicap: &'a str,
    expected: &'a str,
}

fn pass_cases() -> Vec<PassCase<'static>> {
    let mut cases = Vec::new();
    for position in include_str!("../data/passes.txt").split("\n## ").skip(1) {
        let (name, rest) = position.split_once('\n').expect("a name");
        let (diagram, lines) = rest.split_once("\n> ").expect("a case");
        for line in lines.trim_end().split("\n> ") {
            let (case, answers) = line.split_once(" = ").expect("an answer");
            let words: Vec<&str> = case.split(' ').collect();
            let [player, rules, clock, komi, handicap] = words[..] else { panic!("{line}") };
            let (expected, _) = answers.split_once(", GNU Go ").expect("its answer");
            cases.push(PassCase { name, diagram, player, rules, clock, komi, handicap, expected });
        }
    }
    cases
}

impl PassCase<'_> {
    /// Returns the engine's answer: `pass`, `resign` or `stone`.
    fn answer(&self) -> &'static str {
        let rows: Vec<&str> = self.diagram.lines().collect();
        let budget = match self.clock {
            "full" => Budget::Playouts(200),
            "empty" => Budget::Time(Duration::from_secs(1)),
            clock => panic!("{clock}"),
        };
        let mut session = Session::new(options(rows.len(), budget, 1)).unwrap();
        let rules = if self.rules == "new_zealand" { "new_zealand" } else { "chinese" };
        let komi = format!("komi {}", self.komi);
        done(&mut session, &[&format!("kgs-rules {rules}"), "clear_board", &komi]);
        if self.handicap != "0" {
            ask(&mut session, &format!("fixed_handicap {}", self.handicap));
        }
        for (row, y) in rows.iter().zip((1..=rows.len()).rev()) {
            for (stone, column) in row.chars().zip("ABCDEFGHJKLMNOPQRST".chars()) {
                match stone {
                    'X' => done(&mut session, &[&format!("play black {column}{y}")]),
                    'O' => done(&mut session, &[&format!("play white {column}{y}")]),
                    _ => {}
                }
            }
        }
        let opponent = if self.player == "black" { "white" } else { "black" };
        done(&mut session, &[&format!("play {opponent} pass")]);
        if self.clock == "empty" {
            done(&mut session, &[&format!("time_left {} 0 0", self.player)]);
        }
        if self.rules == "tromp_taylor" {
            done(&mut session, &["bitcade-tromp_taylor true"]);
        }
        let command = if self.rules == "cleanup" { "kgs-genmove_cleanup" } else { "genmove" };
        match ask(&mut session, &format!("{command} {}", self.player)).as_str() {
            "= pass" => "pass",
            "= resign" => "resign",
            _ => "stone",
        }
    }
}

#[test]
fn a_pass_is_answered_by_a_pass_where_nothing_is_left_to_play_for() {
    let cases = pass_cases();
    assert!(cases.len() >= 40, "{} cases", cases.len());
    for case in cases {
        let PassCase { name, player, rules, clock, expected, .. } = case;
        let answer = case.answer();
        assert!(
            expected.split('/').any(|one| one == answer),
            "{name}: {player} {rules} {clock}: {answer}"
        );
    }
}

/// A pass by mistake after a stone or two, as a controller plays it.
#[test]
fn an_open_game_goes_on_after_a_pass() {
    let mut session = quick(9, 300);
    for lines in [
        &["play b pass", "genmove w"][..],
        &["play b E5", "play w pass", "genmove b"],
        &["play b pass", "reg_genmove w"],
        &["time_left w 0 0", "play b pass", "kata-genmove_analyze w 100000"],
    ] {
        done(&mut session, &["clear_board"]);
        let (last, before) = lines.split_last().unwrap();
        done(&mut session, before);
        let answer = ask(&mut session, last);
        assert!(!answer.contains("pass") && !answer.ends_with("resign"), "{lines:?}: {answer}");
    }
}

/// White is 25 points behind and both borders are closed, so a stone in the own area gains nothing.
#[test]
fn a_lost_game_is_not_played_on_in_the_own_area() {
    let moves = "E5 F3 D3 D4 E4 E3 C4 D2 D5 G6 G5 H5 C2 G4 E7 F8 E8 F7 F9 E6 D6 G9 E9 D1 C1 E2 G8 H9 F5 H7 \
                 H8 C8 J6 B6 B5 H6 F6 C3 B3 C7 G7 A6 C9 B9 A8 D9 D8 C6 J7 H4 J5 J8 J9 J4 J8 G2 F4 C9 A5 B2 B1 H2 \
                 pass A1 A2 B4 C5 D7 B8 E1 pass F8 pass G3 pass B7 pass G9 pass A4 pass";
    let mut session = quick(9, 1000);
    for (mv, color) in moves.split(' ').zip(["b", "w"].into_iter().cycle()) {
        done(&mut session, &[&format!("play {color} {mv}")]);
    }
    assert_eq!(ask(&mut session, "final_score"), "= B+25.5");
    for _ in 0..3 {
        let answer = ask(&mut session, "genmove w");
        assert!(["= pass", "= resign"].contains(&answer.as_str()), "{answer}");
        done(&mut session, &["play b pass"]);
    }
}

/// All stones count as alive, so the white one must be captured, although White could not save it.
#[test]
fn a_cleanup_captures_what_is_dead_and_then_passes() {
    let mut session = quick(5, 300);
    done(&mut session, &[LOST, "play w A1", "play w pass"]);
    for passes in [false, true] {
        let answer = ask(&mut session, "kgs-genmove_cleanup b");
        assert_eq!(answer == "= pass", passes, "{answer}");
        done(&mut session, &["play w pass"]);
    }
}

/// Black owns the whole board with two eyes.
const LOST: &str = "set_free_handicap B2 C2 D2 E2 B3 D3 E3 B4 C4 D4 E4 B1 B5";

#[test]
fn a_lost_game_is_resigned_after_three_verdicts() {
    let mut session = quick(5, 10_000);
    let mut assert_moves = |lines: &[&str], resigns: &[bool]| {
        done(&mut session, lines);
        for &resigns in resigns {
            assert_eq!(ask(&mut session, "genmove w") == "= resign", resigns, "{lines:?}");
        }
    };
    assert_moves(&[LOST], &[]);
    assert_moves(&[], &[false]);
    // Verdicts of the other player don't count.
    assert_moves(&["play b pass"], &[false]);
    assert_moves(&["play b pass"], &[true, true]);
    // `undo` also undoes the verdict on the move.
    assert_moves(&["undo", "undo"], &[false]);
    assert_moves(&["play b pass"], &[true]);
    // A move by the user is not a verdict.
    assert_moves(&["undo", "undo", "play w pass", "play b C3"], &[false]);
    // A new game or a new komi resets the count.
    for reset in [&["clear_board", LOST][..], &["boardsize 5", LOST], &["loadsgf lost.sgf"]] {
        assert_moves(reset, &[false, false]);
        assert_moves(&["komi 6.5", "komi 7.5"], &[false, false, true]);
    }
    let analysis = ask(&mut session, "kata-genmove_analyze w 100000");
    assert!(analysis.ends_with("\nplay resign"), "{analysis}");
}

#[test]
fn questions_are_no_verdicts() {
    let mut session = quick(5, 10_000);
    done(&mut session, &[LOST]);
    for _ in 0..4 {
        assert!(!ask(&mut session, "reg_genmove w").contains("resign"));
    }
    assert_ne!(ask(&mut session, "genmove w"), "= resign");
    let black = ask(&mut session, "genmove b");
    assert!(black.starts_with("= ") && !black.contains("resign"), "{black}");
    assert_ne!(ask(&mut session, "genmove w"), "= resign");
}

#[test]
fn the_search_is_dropped_with_the_position() {
    let mut session = session();
    for line in [
        "boardsize 9",
        "clear_board",
        "komi 0.5",
        "undo",
        "kgs-genmove_cleanup b",
        "loadsgf game.sgf 2",
    ] {
        done(&mut session, &["clear_board", "komi 7.5", "play b E5"]);
        ask(&mut session, "reg_genmove w");
        assert_ne!(ask(&mut session, "bitcade-winrate"), "= unknown");
        assert!(ask(&mut session, line).starts_with('='), "{line}");
        assert_eq!(ask(&mut session, "bitcade-winrate"), "= unknown", "{line}");
    }
}

#[test]
fn every_size_with_playouts_plays() {
    let mut session = session();
    for side in 0..30 {
        let answer = ask(&mut session, &format!("boardsize {side}"));
        assert_eq!(answer == "=", [5, 9, 13, 19].contains(&side), "{side}");
        if answer == "=" {
            for line in [
                "genmove b",
                "lz-genmove_analyze w",
                "kata-analyze ownership true",
                "final_status_list alive",
            ] {
                let answer = ask(&mut session, line);
                assert!(answer.starts_with('='), "{side} {line}: {answer}");
            }
            assert_eq!(session.move_count(), 2);
            assert_eq!(session.game().board().size().width(), side);
        }
    }
    assert!(Session::new(Options { rules: square(7), ..Options::default() }).is_err());
    assert!(Session::new(Options { komi: f64::NAN, ..Options::default() }).is_err());
}

/// For each command, a line with its maximum number of arguments.
const FULL_LINES: &str = "bitcade-tromp_taylor true|bitcade-winrate|boardsize 9 9|clear_board|final_score|\
    final_status_list dead|fixed_handicap 2|genmove b|kata-analyze b 10 maxmoves 2|\
    kata-genmove_analyze b 10 maxmoves 2|kgs-genmove_cleanup b|kgs-rules chinese|\
    kgs-time_settings byoyomi 60 10 5|known_command name|komi 6.5|list_commands|loadsgf game.sgf 2|\
    lz-analyze b 10 maxmoves 2|lz-genmove_analyze b 10 maxmoves 2|name|place_free_handicap 2|play w E5|\
    protocol_version|quit|reg_genmove b|set_free_handicap D4 E5|showboard|time_left b 20 1|time_settings 60 10 5|\
    undo|version";

/// Plays a line in a new session, in the middle of a timed game if `placed` puts two stones on the
/// board. Returns the answer and the visible state of the session afterwards.
fn after_line(line: &str, placed: bool) -> (String, impl PartialEq + std::fmt::Debug + use<>) {
    let mut session = timed(1, 1);
    done(&mut session, &["komi 7", "time_settings 280 0 0", "time_left w 60 3"]);
    if placed {
        done(&mut session, &["play b D4", "play w C3"]);
    }
    let text = if line.is_empty() { String::new() } else { ask(&mut session, line) };
    let board = ask(&mut session, "showboard");
    let rules = session.game().rules();
    let moves = session.move_count();
    // The time spent on a move reveals the state of a clock.
    let clocks = ["b", "w"].map(|color| {
        let clock = TestHost::default();
        ask_with(&mut session, &format!("reg_genmove {color}"), &clock);
        clock.calls.into_inner()
    });
    (text, (board, rules, moves, clocks))
}

/// Extra arguments must be rejected, because the command can't have honored them.
#[test]
fn a_word_too_many_is_an_error_and_changes_nothing() {
    let lines: Vec<&str> = FULL_LINES.split('|').collect();
    let names: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, commands(), "each command has a line");
    for line in lines {
        let placed = !line.contains("handicap");
        let (text, _) = after_line(line, placed);
        assert!(text.starts_with('='), "{line}: {text}");
        let (_, unchanged) = after_line("", placed);
        for word in ["x", "9", "b", "D4"] {
            // A list of vertices accepts one more.
            if (line.starts_with("set_free_handicap"), word) == (true, "D4") {
                continue;
            }
            let (text, state) = after_line(&format!("{line} {word}"), placed);
            assert!(text.starts_with("? "), "{line} {word}: {text}");
            assert_eq!(state, unchanged, "{line} {word}");
        }
    }
    // The session continues after a rejected `quit`.
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

fn slow_host(waited: u64, step: u64) -> TestHost {
    let waited = Duration::from_secs(waited);
    let step = Duration::from_millis(step);
    TestHost {
        start: waited,
        step,
        arrived: (!waited.is_zero()).then_some(Duration::ZERO),
        ..TestHost::default()
    }
}

/// A player's clock runs from the arrival of the line to the answer, so time spent waiting for the
/// session counts.
#[test]
fn the_clock_counts_the_whole_command() {
    let looks = |waited, line: &str| {
        let mut session = timed(1, 1);
        done(&mut session, &["time_settings 0 10 5"]);
        // The rest of the period is shared by the moves left in it.
        [(waited, line), (0, "reg_genmove b")].map(|(waited, line)| {
            let host = slow_host(waited, 100);
            assert!(ask_with(&mut session, line, &host).starts_with('='));
            host.calls.into_inner()
        })
    };
    for line in ["genmove b", "kgs-genmove_cleanup b", "lz-genmove_analyze b 100"] {
        let [at_once, _] = looks(0, line);
        let [waited, next] = looks(1, line);
        // A share of 1.9 s, of which 1 s passed before the search.
        assert!(waited + 5 < at_once, "{line}: {waited} {at_once}");
        assert!((18..=22).contains(&next), "{line}: {next}");
        let [late, next] = looks(6, line);
        assert!(late < 6 && next < 12, "{line}: {late} {next}");
    }
}

/// The reserve of a ten-second game is left for moves without search.
#[test]
fn time_is_left_after_a_long_game_without_reports() {
    for (size, moves) in [(9, 60), (13, 120), (19, 200)] {
        for settings in ["time_settings 10 0 0", "kgs-time_settings absolute 10"] {
            let search =
                Settings { max_nodes: 1 << 12, resign_threshold: 0.0, ..Settings::light() };
            let mut session =
                Session::new(Options { rules: square(size), search, ..Options::default() })
                    .unwrap();
            done(&mut session, &[settings]);
            let host = slow_host(0, 2);
            let mut spent = 0;
            for _ in 0..moves {
                let before = host.calls.load(Ordering::Relaxed);
                assert!(ask_with(&mut session, "genmove b", &host).starts_with("= "));
                spent += host.calls.load(Ordering::Relaxed) - before;
                ask_with(&mut session, "play w pass", &host);
            }
            let left = Duration::from_secs(10).checked_sub(host.step * spent as u32);
            assert!(left > Some(Duration::from_millis(100)), "{size} {settings}: {left:?}");
        }
    }
}

/// Protocol words for random lines.
const WORDS: &str = "boardsize clear_board komi play genmove undo showboard final_score final_status_list \
    fixed_handicap place_free_handicap set_free_handicap time_settings time_left kgs-time_settings kgs-rules \
    loadsgf reg_genmove known_command bitcade-winrate kgs-genmove_cleanup list_commands lz-analyze kata-analyze \
    kata-genmove_analyze interval maxmoves ownership true b w white pass resign A1 E5 T19 Z0 D4 5 9 13 0 -1 \
    1e400 dead alive x.sgf game.sgf # \u{fc}";

#[test]
fn random_lines_never_break_the_session() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let answers = Cell::new([0, 0]);
    let converse = |options: [u8; 4], lines: &[u8]| {
        let text = [&options, &b"(;SZ[9]KM[5.5];B[ee];W[cc])\n"[..], lines].concat();
        let counted = sessions::session(&Input::new(&text), values::rules);
        let [done, refused] = answers.get();
        answers.set([done + counted[0], refused + counted[1]]);
    };
    testkit::inputs(1500, |input| {
        let options = input.bytes();
        let mut lines = Vec::new();
        for _ in input.steps(200) {
            match input.byte() {
                byte @ 0..32 => lines.extend(input.take(usize::from(byte % 8))),
                32..128 => lines.push(b'\n'),
                byte => lines.extend(words[usize::from(byte) * 7 % words.len()].bytes()),
            }
            lines.push(b' ');
        }
        converse(options, &lines);
    });
    // Every command with every kind of arguments.
    for name in commands().iter().filter(|name| *name != "quit") {
        let kinds = [
            "",
            "b",
            "w d4 x",
            "-1",
            "5 0 0",
            "nan nan nan",
            "1e308 1e308 1",
            "dead",
            "z \u{fc} #",
        ];
        for kind in kinds {
            converse([0; 4], format!("42 {name} {kind}").as_bytes());
        }
    }
    let least = if testkit::cases(1500) == 1500 { 300 } else { 20 };
    assert!(answers.get().iter().all(|&count| count > least), "{answers:?}");
}

/// The games of a match differ, but the match is reproducible.
#[test]
fn every_game_has_a_seed_of_its_own() {
    let games = || -> Vec<String> {
        let mut session = session();
        let mut ask = |line: &str| ask(&mut session, line);
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
    let calls = |mut session: Session| {
        let host = TestHost { abandoned: true, ..TestHost::default() };
        assert!(ask_with(&mut session, "genmove b", &host).starts_with("= "));
        host.calls.into_inner()
    };
    // The start and the end of the search; without the early end, one call after each batch of
    // playouts.
    assert!(calls(timed(1000, 1)) < 6);
    assert_eq!(calls(quick(9, 3000)), 2, "a budget of playouts is played to its end");
}

#[test]
fn the_rules_have_the_komi_nearest_to_that_of_the_session() {
    let mut session = Session::new(options(5, Budget::Playouts(1), 1)).unwrap();
    let half_points = |session: &Session| session.game().rules().komi.half_points();
    for (komi, expected) in [("3.75", 8), ("-2.01", -4), ("7.5", 15), ("-361", -722)] {
        for line in
            [format!("komi {komi}"), "play b C3".into(), "undo".into(), "clear_board".into()]
        {
            session.respond(line.as_bytes(), &NullHost).unwrap();
            assert_eq!(half_points(&session), expected, "{line}");
            assert_eq!(session.komi().to_string().as_str(), komi, "{line}");
        }
    }
    session.load(&"(;SZ[9]KM[0.5];B[cc])".parse().unwrap()).unwrap();
    session.respond(b"undo", &NullHost).unwrap();
    assert_eq!(half_points(&session), 1);
    let low = Session::new(Options { komi: -0.6, ..Options::default() }).unwrap();
    assert_eq!(half_points(&low), -1);
}

/// A komi of 309 digits is shortened like every other value.
#[test]
fn remarks_are_short() {
    let mut session = session();
    assert_eq!(ask(&mut session, "loadsgf huge.sgf"), "=");
    let shown = format!("huge.sgf: KM[1{}..]: ", "0".repeat(39));
    let remarks = session.take_remarks();
    assert!(remarks.len() == 1 && remarks[0].starts_with(&shown), "{remarks:?}");
}

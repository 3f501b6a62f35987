//! The games of `games.c`, by the crates.

use g2048::expectimax::Limits;
use g2048::{Expectimax, SmallNetwork};
use go_mc::gtp::{Budget, NullHost, Options};
use match3::level::{
    Agent, Content, Cover, Habits, Level, LevelEvent, LevelGame, Outcome, Playtest,
};
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use tetris::real_time::{Handling, Key, RealTimeGame, RealTimeRules};
use tetris_ai::bot::tbp::{FrontendMessage, Session};
use tetris_ai::contest::{Record, Sequence};
use tetris_ai::{Bot, Player, Rng};

macro_rules! print {
    ($out:ident, $name:literal, $value:expr) => {
        writeln!($out, "{} {}", $name, $value).unwrap()
    };
}

/// Returns what `games.c` prints.
pub(crate) fn games(level: &str) -> String {
    let mut out = String::new();
    play_2048(&mut out);
    play_match3(&mut out);
    play_level(&mut out, level);
    play_tetris(&mut out);
    play_in_real_time(&mut out);
    print!(out, "fumen", "v115@vhAVQJ");
    replay_the_contest(&mut out);
    talk_to_the_bot(&mut out);
    play_go(&mut out);
    for name in ["g2048", "match3", "tetris", "tetris-ai", "go-mc"] {
        let stored = std::fs::read_to_string(format!("../{name}/tests/data/digest.txt")).unwrap();
        print!(out, "digest", &stored[..16]);
    }
    print!(out, "version", env!("CARGO_PKG_VERSION"));
    print!(out, "level", bitcore::Level::active().name());
    out
}

/// Returns what the page's test compares with: some of the lines above, and the values of the moves
/// of 200 positions, 3 moves ahead.
pub(crate) fn page(games: &str) -> String {
    let chosen = games.lines().filter(|line| {
        ["report ", "turn ", "genmove "].iter().any(|start| line.starts_with(start))
    });
    let mut out: String = chosen.map(|line| format!("{line}\n")).collect();
    let network = SmallNetwork::builtin();
    let mut player = Expectimax::new(&network, Limits::depth(1));
    let mut rng = Rng::new(7);
    let mut game = g2048::Game::new(g2048::Size::CLASSIC, &mut rng);
    for _ in 0..200 {
        let board = game.board();
        let values = Expectimax::new(&network, Limits::depth(3)).values_until(&board, &|| false);
        let digits = board.ranks().iter().map(|&rank| char::from_digit(rank.into(), 18).unwrap());
        let digits: String = digits.collect();
        let text = |value: Option<f32>| value.map_or("-".to_owned(), |value| value.to_string());
        let values: Vec<String> = values.unwrap().into_iter().map(text).collect();
        print!(out, "values", format_args!("{digits} {}", values.join(" ")));
        for _ in 0..5 {
            let choice = player.search(&game.board()).unwrap();
            game.play(choice.direction, &mut rng).unwrap();
        }
    }
    out
}

fn play_2048(out: &mut String) {
    let mut rng = Rng::new(2048);
    let mut game = g2048::Game::new(g2048::Size::new(5, 3).unwrap(), &mut rng);
    while let Some(&direction) = game.legal_moves().first() {
        game.play(direction, &mut rng).unwrap();
    }
    print!(out, "board", game.board());
    print!(out, "score", game.score());
    print!(out, "moves", game.moves());

    let board: g2048::Board = "2 4\n. 8".parse().unwrap();
    board.ranks().iter().for_each(|rank| print!(out, "rank", rank));
    let mut game = g2048::Game::from(board);
    game.play_out(&mut Rng::new(1));
    print!(out, "playout", game.score());

    print!(out, "boards", "2: 2 2 1 1 0 0 1 2 0 0 1 0");
    let network = SmallNetwork::builtin();
    let mut rng = Rng::new(7);
    let mut game = g2048::Game::new(g2048::Size::CLASSIC, &mut rng);
    for i in 0..60 {
        let mut search = Expectimax::new(&network, Limits::depth(1 + i % 2));
        let choice = search.search(&game.board()).unwrap();
        writeln!(out, "value {:.3}", choice.value).unwrap();
        game.play(choice.direction, &mut rng).unwrap();
    }
    print!(out, "network", game.board());
}

fn play_match3(out: &mut String) {
    let mut rng = Rng::new(7);
    let rules = match3::Rules { width: 9, height: 7, colors: 5, moves: 20 };
    let mut game = match3::Game::new(rules, &mut rng).unwrap();
    while let Some(&swap) = game.legal_moves().last() {
        print!(out, "points", game.play(swap, &mut rng).unwrap().score);
    }
    print!(out, "board", game.board());
    print!(out, "score", game.score());
    print!(out, "outcome", 2);
    print!(out, "cell", 6300 + u32::from(game.board().cells()[0].color().unwrap()));
}

fn play_level(out: &mut String, level: &str) {
    let level = Arc::new(Level::from_toml(level).unwrap());
    let report = Playtest::new(level.clone(), Agent::Human(Habits::default()), 3).play(20);
    print!(out, "won", report.won);
    print!(out, "report", serde_json::to_string(&report).unwrap());

    let mut rng = Rng::new(5);
    let mut game = LevelGame::new(level, &mut rng).unwrap();
    while let Some(&swap) = game.legal_moves().first() {
        let mut events: Vec<LevelEvent> = Vec::new();
        game.play(swap, &mut rng, &mut events).unwrap();
        writeln!(out, "events").unwrap();
        for event in events {
            writeln!(out, "{event}").unwrap();
        }
    }
    print!(out, "board", game.board().plain());
    print!(out, "score", game.score());
    print!(out, "outcome", if game.outcome() == Some(Outcome::Won) { 1 } else { 2 });
    print!(out, "goal", game.left()[0]);
    print!(out, "target", "ice");
    let layers = |content| match content {
        Content::Crate(layers) | Content::Piece { cover: Cover::Ice(layers), .. } => layers,
        _ => 0,
    };
    let cells = game.board().cells();
    let count = 2 * cells.len();
    let sum: u32 = cells.map(|cell| u32::from(layers(cell.content) + cell.jelly)).sum();
    print!(out, "layers", format_args!("{sum} in {count}"));
    print!(out, "bytes", game.board().numbers().len());
    print!(out, "clock", game.limit_left());
}

fn play_tetris(out: &mut String) {
    let mut rng = Rng::new(7);
    let mut game = tetris::Game::new(tetris::Rules::default(), &mut rng);
    let mut bot = Bot { nodes: 300, ..Bot::default() };
    for _ in 0..30 {
        let turn = bot.choose(&game).unwrap();
        print!(out, "turn", turn);
        if game.pieces() == 0 {
            let rules = game.rules();
            let keys = tetris::movegen::path(game.board(), turn.placement, rules).unwrap();
            let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            let hold = if turn.hold { "hold " } else { "" };
            print!(out, "keys", format_args!("{hold}{}", keys.join(" ")));
            // Six pieces leave no empty board.
            print!(out, "perfect clear", 0);
            print!(out, "ranked", game.legal_moves().len());
            print!(out, "first", 1);
        }
        let result = game.play(turn, &mut rng).unwrap();
        print!(out, "result", serde_json::to_string(&result).unwrap());
    }
    let preview: String = game.next().iter().map(|piece| piece.letter()).collect();
    print!(out, "queue", format_args!("{}{preview}", game.piece().letter()));
    print!(out, "held", game.held().map_or(0, |piece| u32::from(piece.letter())));
    print!(out, "entered", game.receive(tetris::Attack { lines: 2, column: 9 }).unwrap());
    while let Some(&turn) = game.legal_moves().last() {
        let at = turn.placement.at;
        let kind = [i32::from(turn.hold), at.piece as i32, at.orientation as i32];
        let place = [i32::from(at.x), i32::from(at.y), turn.placement.spin as i32];
        let cells = at.cells().into_iter().flat_map(<[i32; 2]>::from);
        for number in kind.into_iter().chain(place).chain(cells) {
            write!(out, "{number} ").unwrap();
        }
        print!(out, "lines", game.play(turn, &mut rng).unwrap().clear.lines);
    }
    print!(out, "board", game.board());
    print!(out, "pieces", game.pieces());
}

fn play_in_real_time(out: &mut String) {
    let handling = Handling::default();
    let mut game = RealTimeGame::new(RealTimeRules::default(), handling, 7);
    game.receive(tetris::Attack { lines: 2, column: 3 }).unwrap();
    let mut events = Vec::new();
    for i in 0..40 {
        let key = Key::ALL[i % 7];
        game.press(key);
        (0..5).for_each(|_| game.tick(&mut events));
        game.release(key);
    }
    let shown = |at: tetris::Location| json!({ "piece": at.piece, "cells": at.cells() });
    let garbage: u32 = game.game().garbage().iter().map(|attack| attack.lines).sum();
    let screen = json!({
        "board": game.board(), "falling": game.falling().map(shown), "ghost": game.ghost().map(shown),
        "next": game.next(), "held": game.held(), "score": game.score(), "lines": game.lines(),
        "level": game.level(), "sent": 0, "garbage": garbage, "is_over": game.end().is_some(),
    });
    print!(out, "screen", screen);
}

fn replay_the_contest(out: &mut String) {
    let sequence = Sequence::contest();
    let mut game = tetris_ai::contest::Game::new(&sequence);
    let record: Record = "N,D19,N,L2,D3".parse().unwrap();
    let mut sum = 0u64;
    for turn in record.turns() {
        game.play(turn).unwrap();
        let rows = game.board().rows().iter().flat_map(|row| row.to_le_bytes());
        let bytes = game.score().to_le_bytes().into_iter().chain(rows);
        sum = bytes.fold(sum, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    }
    print!(out, "contest", format_args!("{} {sum}", game.pieces()));
}

fn talk_to_the_bot(out: &mut String) {
    let mut session = Session::default();
    let row = format!("[{}]", ["null"; 10].join(","));
    let start = serde_json::from_str(&format!(
        "{{\"type\":\"start\",\"queue\":[\"T\",\"I\",\"S\"],\"board\":[{}]}}",
        [&*row; 40].join(",")
    ));
    let rules = serde_json::from_str("{\"type\":\"rules\"}").unwrap();
    print!(out, "info", serde_json::to_string(&Session::info()).unwrap());
    print!(out, "rules", serde_json::to_string(&session.receive(rules)).unwrap());
    let start: FrontendMessage = start.unwrap();
    assert_eq!(session.receive(start), None);
    print!(out, "start", "");
    session.think(500);
    print!(out, "suggest", serde_json::to_string(&session.suggestion()).unwrap());
}

fn play_go(out: &mut String) {
    let budget = Budget::Playouts(60);
    let mut options = Options { budget, ..Options::default() };
    (options.search.seed, options.search.max_nodes) = (7, 4096);
    let mut session = go_mc::gtp::Session::new(options).unwrap();
    let mut ask = |name: &str, line: &str| {
        let mut text = String::new();
        let mut response = session.respond(line.as_bytes(), &NullHost);
        while let Some(part) = response {
            text += &part.text;
            response = part.more.then(|| session.continue_response(&NullHost));
        }
        writeln!(out, "{name} {text}").unwrap();
    };
    for line in ["boardsize 5", "komi 0.5", "lz-analyze b 10", "# a remark"] {
        ask(line, line);
    }
    for i in 0..80 {
        let line = if i % 2 == 0 { "genmove b" } else { "genmove w" };
        ask(line, line);
    }
    ask("end", "final_score");
}

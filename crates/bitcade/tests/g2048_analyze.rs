//! `bitcade 2048 analyze`: its values, beside a plain expectimax, and a game's blunders.

use crate::common::{bitcade, folder};
use g2048::{Board, Direction, Packed, SmallNetwork};
use serde_json::Value;

/// Returns the value of a move: its gain and the mean, over all new tiles, of the best next move.
fn value(network: &SmallNetwork, board: &Board, direction: Direction, depth: u32) -> f64 {
    let slide = board.slide(direction);
    let gain = slide.gain as f64;
    if depth == 1 {
        let after = Packed::try_from(&slide.board).expect("4x4");
        return gain + f64::from(network.value(after));
    }
    let mut sum = 0.0;
    for (next, share) in slide.board.spawns().zip([0.9, 0.1].into_iter().cycle()) {
        let values = next.legal_moves().iter().map(|&mv| value(network, &next, mv, depth - 1));
        sum += share * values.reduce(f64::max).unwrap_or(0.0);
    }
    gain + sum / slide.board.empty_cells() as f64
}

#[test]
fn values_are_those_of_a_plain_expectimax() {
    let network = SmallNetwork::builtin();
    for (depth, text) in [
        (1, "2 4 8 2\n. . . 2\n. . . .\n. . . 2"),
        (2, "2 4 8 16\n4 8 16 32\n64 128 256 512\n2 2 . 1024"),
        (3, "2 4 8 16\n4 8 16 32\n64 128 2 512\n2 16 2 1024"),
        (3, "32768 2 4 2\n4 8 16 8192\n2 64 32 4\n2 4 . 2"),
    ] {
        let board: Board = text.parse().expect("a board");
        let found = bitcade(format!("2048 analyze --json --depth {depth}")).stdin(text).json();
        let mut best = (f64::NEG_INFINITY, "");
        for (direction, name) in Direction::ALL.into_iter().zip(["left", "right", "up", "down"]) {
            let found = found["values"][name].as_f64();
            assert_eq!(found.is_some(), board.is_legal(direction), "{name} of\n{board}");
            if let Some(found) = found {
                let expected = value(&network, &board, direction, depth);
                assert!((found - expected).abs() < 1e-4 * expected, "{name}: {found} {expected}");
                best = if found > best.0 { (found, name) } else { best };
            }
        }
        assert_eq!(found["best"], best.1, "{found}");
        let line = found["line"].as_array().expect("steps");
        assert_eq!(line[0]["move"], best.1);
        assert_eq!(line.len() as u32, 2 * depth - 1, "{found}");
    }
}

/// Every move of the line is the best one of its board, and every new 2 is where it costs most.
#[test]
fn the_line_follows_the_values() {
    let network = SmallNetwork::builtin();
    let mut board: Board =
        "2 4 8 16\n4 8 16 32\n64 128 2 512\n2 2 . 1024".parse().expect("a board");
    let found = bitcade("2048 analyze --json --depth 3 -").stdin(board.to_string()).json();
    let best = |board: &Board, depth| {
        let moves = board.legal_moves().iter();
        let values = moves.map(|&mv| (value(&network, board, mv, depth), mv));
        values.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("a move")
    };
    let mut depth = 3;
    for steps in found["line"].as_array().expect("steps").chunks(2) {
        let (_, direction) = best(&board, depth);
        assert_eq!(steps[0]["move"], direction.to_string(), "{found}");
        let after = board.slide(direction).board;
        let Some(tile) = steps.get(1) else { break };
        depth -= 1;
        let worst = after
            .spawns()
            .step_by(2)
            .min_by(|one, other| best(one, depth).0.total_cmp(&best(other, depth).0));
        board = worst.expect("an empty cell");
        let [x, y] =
            ["column", "row"].map(|name| tile[name].as_u64().expect("a number") as usize - 1);
        assert_eq!((after.tile(x, y), board.tile(x, y)), (0, 2), "{found}");
    }
    assert_eq!(depth, 1);
}

#[test]
fn a_board_as_text() {
    let text = bitcade("2048 analyze").stdin("2 4 2 4\n4 2 4 2\n2 4 2 4\n4 2 4 4").text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..5], ["2 4 2 4", "4 2 4 2", "2 4 2 4", "4 2 4 4", ""]);
    let said: Vec<&str> = lines[5..9].iter().map(|line| line[..6].trim()).collect();
    assert_eq!(said, ["left", "right", "up", "down"]);
    assert_eq!(lines[5..9].iter().filter(|line| line.ends_with("  best")).count(), 1, "{text}");
    assert_eq!(lines[9], "points by the network, 3 moves ahead");
    assert!(lines[10].starts_with("line: ") && lines[10].contains("; a 2 in column "), "{text}");
    // Other sizes by random play, and boards that are over.
    let text = bitcade("2048 analyze").stdin("2 4 8\n16 32 64\n. . 2").text();
    assert!(text.contains("\nleft ") && text.contains("points by random play\n"), "{text}");
    let text = bitcade("2048 analyze").stdin("2 2\n4 8").text();
    assert!(text.contains("up    not legal\ndown  not legal\n"), "{text}");
    let over = bitcade("2048 analyze --json").stdin("2 4\n4 2").json();
    assert!(over["best"].is_null() && over["values"]["left"].is_null(), "{over}");
    bitcade("2048 analyze").stdin("2 4\n4 2").prints("2 4\n4 2\n\nno legal move\n");
    let ranks = bitcade("2048 analyze --ranks --json").stdin("1 2\n4 0").json();
    assert_eq!(ranks["board"].to_string(), "[[2,4],[16,0]]");
    bitcade("2048 analyze --net no-file").stdin("2 4\n4 2").fails(2, "no-file: ");
}

/// The state that the original game keeps in a browser.
#[test]
fn the_state_of_the_original_game() {
    let state = r#"{"grid":{"size":4,"cells":[[null,{"position":{"x":0,"y":1},"value":2},null,null],
        [null,null,null,null],[null,null,null,null],[null,null,null,{"position":{"x":3,"y":3},"value":64}]]},
        "score":100,"over":false,"won":false,"keepPlaying":false}"#;
    let found = bitcade("2048 analyze --json --depth 1").stdin(state).json();
    let board = "[[0,0,0,0],[2,0,0,0],[0,0,0,0],[0,0,0,64]]";
    assert_eq!(found["board"].to_string(), board, "{found}");
    bitcade("2048 analyze")
        .stdin(state.replace("\"x\":3", "\"x\":4"))
        .fails(2, "grid: expected a tile");
}

/// A game in each form gives the same review.
#[test]
fn the_blunders_of_a_game() {
    let folder = folder("g2048-review");
    let moves = "left\nup\nright\ndown\n".repeat(12);
    let played = bitcade("play 2048 --lines --json --seed 4").stdin(moves.clone()).text();
    let lines = played.lines().map(|line| line.parse::<Value>().expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    let count = lines.iter().filter(|line| line.get("move").is_some()).count();
    let review = bitcade("2048 analyze --json --depth 2 --worst 4").stdin(played.clone()).json();
    assert_eq!(review["moves"], count);
    let blunders = review["blunders"].as_array().expect("blunders");
    assert_eq!(blunders.len(), 4);
    let network = SmallNetwork::builtin();
    let mut last = f64::INFINITY;
    for blunder in blunders {
        let board: Board = blunder["board"].to_string().parse().expect("a board");
        let number = blunder["move"].as_u64().expect("a number") as usize;
        let is_move = |line: &&Value| line.get("move").is_some();
        let mv = lines.iter().filter(is_move).nth(number - 1).expect("a move");
        assert_eq!(mv["move"], blunder["played"]);
        let value = |key: &str| {
            let direction = blunder[key].as_str().expect("a move").parse().expect("a direction");
            value(&network, &board, direction, 2)
        };
        let lost = blunder["lost"].as_f64().expect("a number");
        assert!((value("best") - value("played") - lost).abs() < 0.01 * (1.0 + lost), "{blunder}");
        assert!(lost > 0.0 && lost <= last, "worst first: {review}");
        last = lost;
    }
    // Its boards alone: two moves may lead to the same one, and then the better one counts.
    let boards: Vec<String> =
        lines.iter().filter_map(|line| line.get("board").map(ToString::to_string)).collect();
    let of_boards =
        bitcade("2048 analyze --json --depth 2 --worst 4").stdin(boards.join("\n")).json();
    assert_eq!(of_boards["moves"], review["moves"]);
    let lost = |review: &Value| review["lost"].as_f64().expect("a number");
    assert!(lost(&of_boards) <= lost(&review) && lost(&of_boards) > 0.0);
    // A saved game.
    let run = folder.run("play 2048 --lines").env("XDG_DATA_HOME", &*folder);
    run.stdin("left\nup\nright\nleft\n").text();
    let saved = folder.read("bitcade/games/2048-4x4-1.json");
    let review = bitcade("2048 analyze --json --depth 1").stdin(saved.clone()).json();
    let moves: Value = saved.parse().expect("JSON");
    assert_eq!(review["moves"], moves["moves"].as_array().expect("moves").len());
    let score = moves["score"].to_string();
    let other = saved.replace(&format!("\"score\":{score}"), "\"score\":1");
    bitcade("2048 analyze").stdin(other).fails(2, "expected the score and the board after");
    let text = bitcade("2048 analyze --depth 1").stdin(saved).text();
    assert!(
        text.starts_with("moves ") && text.contains(" lost, in points by the network"),
        "{text}"
    );
}

/// Moves that were undone don't count, and illegal ones are no part of a game.
#[test]
fn undone_moves_are_left_out() {
    let played =
        bitcade("play 2048 --lines --json --seed 4").stdin("left\nup\nundo\nup\nright\n").text();
    let review = bitcade("2048 analyze --json --depth 1").stdin(played.clone()).json();
    assert_eq!(review["moves"], 3, "{played}");
    let changed = played.replace("\"move\":\"right\"", "\"move\":\"north\"");
    bitcade("2048 analyze").stdin(changed).fails(2, "expected a legal move of the board before");
}

#[test]
fn the_lookahead_of_a_time_repeats_its_result() {
    let board = "2 4 8 16  . . . 2  . . . .  . . . 2";
    let analyze = |flags: &str| bitcade(format!("2048 analyze {flags}")).stdin(board).text();
    let timed = analyze("--seconds 200ms");
    let (_, ahead) = timed.split_once("points by the network, ").expect("the lookahead");
    let (depth, _) = ahead.split_once(" moves ahead").expect("at least two moves");
    assert_eq!(analyze(&format!("--depth {depth}")), timed);
    let game = "2 . . .  . . . 2  . . . .  . . . .\n\n. . . 2  . . . 2  2 . . .  . . . .\n";
    let run = bitcade("2048 analyze --seconds 1").stdin(game);
    run.fails(2, "--seconds: expected a board, found a game");
}

//! `bitcade match3`, as a script sees it.

use crate::common::{bitcade, folder, stderr, untimed};
use serde_json::{Value, json};

const BOARDS: &str = "1121\n3213\n\n11\n11\n";

#[test]
fn swaps_counts_and_hints() {
    for (line, boards, printed) in [
        ("swaps", BOARDS, "2 0 H\n2 0 V\n\n"),
        ("swaps - --json", "1121", "{\"board\":0,\"x\":2,\"y\":0,\"axis\":\"H\"}\n"),
        (
            "swaps --count",
            BOARDS,
            "boards 2\nswaps 2\nhorizontal 1\nvertical 1\ndead 1\nstable 2\nmatched_cells 0\n",
        ),
        (
            "swaps --count --json",
            BOARDS,
            "{\"boards\":2,\"swaps\":2,\"horizontal\":1,\"vertical\":1,\"dead\":1,\"stable\":2,\"matched_cells\":0}\n",
        ),
        // Hints come best first.
        ("hint", "1213\n3122\n2331\n", "1 0 V 60\n0 1 V 30\n"),
        ("hint", "11\n11\n\n1121\n", "\n2 0 H 30\n"),
        (
            "hint --json",
            "1121",
            "{\"board\":0,\"x\":2,\"y\":0,\"axis\":\"H\",\"score\":30,\"cleared\":3,\"levels\":1}\n",
        ),
    ] {
        bitcade(format!("match3 {line}")).stdin(boards).prints(printed);
    }
}

#[test]
fn levels_are_checked_and_drawn() {
    let folder = folder("match3-levels");
    let level = "version = 1\nname = \"Hut\"\ncolors = 4\nmoves = 9\nfalls = \"diagonal\"\n\
                 goals = [{ jelly = \"all\" }, { crates = \"all\" }]\n\
                 pieces = \"\"\"\n??1??\n?#C?_\n?????\"\"\"\n\
                 jelly = \"\"\"\n.....\n.....\n.12..\"\"\"\n\
                 locks = \"\"\"\nx....\n.....\n.....\"\"\"\n\
                 [legend]\nC = { crate = 2 }\n";
    let drawn = "Hut, 5x3\n9 moves, 4 colors\n\
                 diagonal falls, gravity down, special pieces and pairs\n2 jelly, 1 crates\n\
                 !?  ?  1  ?  ?    .....\n ? ###[2] ?       ....\n ?  ?  ?  ?  ?    .12..\n";
    bitcade("match3 level").stdin(level).prints(&format!("-: {drawn}"));
    folder.write("good.toml", level);
    folder.write("bad.toml", level.replace("#C?", "#!?"));
    let output = folder.run("match3 level good.toml bad.toml good.toml").output();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told, format!("good.toml: {drawn}\ngood.toml: {drawn}"));
    let why = "bitcade: bad.toml: line 9, column 3: pieces: expected ?, ., #, _, 1-9 or a character \
               of the legend, found '!'\n";
    assert_eq!(stderr(&output), why);
    let record = bitcade("match3 level --json").stdin(level).json();
    assert_eq!(record["goals"], json!(["2 jelly", "1 crates"]));
    assert_eq!(record["moves"], json!(9));
}

/// Without a terminal, a level is played line by line.
#[test]
fn a_level_is_played_line_by_line() {
    let folder = folder("match3-level-lines");
    let level = "version = 1\ncolors = 4\nmoves = 2\ngoals = [{ score = 30 }]\n\
                 pieces = \"\"\"\n?????\n?????\n?????\"\"\"\n";
    folder.write("level.toml", level);
    let play =
        |lines: &str| folder.run("play match3 level.toml --seed 1 --json").stdin(lines).text();
    let read = |line: Option<&str>| -> Value {
        serde_json::from_str(line.unwrap_or_default()).expect("an object")
    };
    let hint = read(play("hint\n").lines().nth(1));
    let swap = hint["hint"].as_str().expect("a swap");
    let told = play(&format!("{swap}\n"));
    let last = read(told.lines().last());
    assert_eq!(last["won"], json!(true), "{told}");
    assert_eq!(last["stars"], json!(3));
    folder.run("play match3 level.toml --size 9").fails(2, "cannot be used with");
    folder.run("play match3 none.toml").fails(2, "none.toml");
}

/// Everything except the time is the same at every level.
#[test]
fn players_play() {
    let play = |flags: &str| untimed(&bitcade(format!("match3 evaluate {flags}")).text());
    let games = [
        "--games 5 --seed 3 --agent greedy",
        "--games 2 --moves 3 --size 9x6 --colors 8 --agent rollout --budget 8",
        "--games 2 --colors 15 --agent random --size 8",
    ];
    let [greedy, ..] = games.map(|flags| {
        let text = play(flags);
        assert_eq!(play(&format!("{flags} --level portable")), text);
        text
    });
    assert!(greedy.starts_with("mean_score ") && greedy.ends_with("\ngames 5"), "{greedy}");
    assert_ne!(play("--games 5 --seed 3 --agent random"), greedy);
    assert_eq!(play("--games 2 --colors 15 --agent random"), play(games[2]), "8x8 is the default");
}

/// Without a terminal, a game is played line by line. Other commands can read its board.
#[test]
fn a_game_is_played_line_by_line() {
    let folder = folder("match3-lines");
    let play = |flags: &str, lines: &str| {
        let run = folder.run(format!("play match3 --seed 1 --goal 50 {flags}"));
        run.env("XDG_DATA_HOME", &*folder).stdin(lines).text()
    };
    let text = play("", "hint\nquit\n");
    let said = "show, help or quit\ncolumns and rows count from 1, from the top left\n";
    assert!(
        text.starts_with("enter a swap such as 3 4 H (column 3, row 4, ") && text.contains(said),
        "{text}"
    );
    assert!(text.ends_with(" points plus any from new pieces\n> score 0\n"), "{text}");
    let hint = text.split("hint: ").nth(1).and_then(|rest| rest.split(',').next()).expect("a hint");
    let json = play("--json", &format!("{hint}\nundo\n{hint}\nfoo\n"));
    let objects: Vec<Value> = json.lines().map(|line| line.parse().expect("JSON")).collect();
    let [start, played, after, undone, before, again, same, error] = &objects[..] else {
        panic!("{json}")
    };
    assert_eq!(start, before);
    assert_eq!(played, again);
    assert_eq!(after, same);
    assert_eq!(&played["swap"], &json!(hint));
    assert_eq!(&undone["undo"], &json!(true));
    assert_eq!(&after["score"], &played["score"]);
    assert_eq!(&after["moves_left"], &json!(29));
    assert!(
        error["error"].as_str().is_some_and(|error| error.starts_with("expected a swap")),
        "{error}"
    );
    let board = start["board"].as_str().expect("a board");
    // They count columns and rows from 0, the game from 1.
    let best = bitcade("match3 hint").stdin(board).text();
    let numbers: Vec<usize> =
        best.split(' ').take(2).map(|number| number.parse().expect("a number")).collect();
    assert!(hint.starts_with(&format!("{} {} ", numbers[0] + 1, numbers[1] + 1)), "{hint}: {best}");
    // The last move of a game can be undone.
    let text = play("--lines --moves 1", &format!("{hint}\nhint\nundo\n{hint}\n"));
    let end = "\nGoal reached! Your best score!\n> ";
    assert_eq!(text.matches(end).count(), 2, "{text}");
    assert!(text.contains(&format!("{end}the game is over\n> move undone\nscore 0, ")), "{text}");
}

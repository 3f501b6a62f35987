//! `bitcade match3`, as a script sees it.

use crate::common::{bitcade, untimed};

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

/// All but the time is the same at every level.
#[test]
fn players_play() {
    let play = |flags: &str| untimed(&bitcade(format!("match3 play {flags}")).text());
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

//! `bitcade 2048 train` and `bitcade 2048 evaluate`: their output and files.

use crate::common::{bitcade, folder, keys, stderr, stdout, untimed, value};
use serde_json::Value;

#[test]
fn several_threads_train_one_network() {
    let folder = folder("2048-threads");
    let output = folder.run("2048 train --out net --games 1500 --threads 3").output();
    let printed = stdout(&output);
    let remarks = stderr(&output);
    let mean = printed.split_whitespace().nth(3).and_then(|mean| mean.parse::<f64>().ok());
    // On one thread 5900.
    assert!(mean > Some(4_500.0), "{printed}");
    assert_eq!(value(&printed, "games"), "1500");
    assert_eq!(remarks.as_str(), "");

    // The run can be resumed on any number of threads, with the remark that it is not reproducible.
    for more in ["--games 1600 --threads 1", "--games 1900 --threads 2"] {
        let output = folder.run(format!("2048 train --out net --resume {more}")).output();
        let is_said = stderr(&output).contains("can be resumed but not reproduced");
        assert!(output.status.success() && is_said, "{output:?}");
    }

    // Any number of threads plays the same games with it.
    let play = |threads| {
        untimed(&folder.run(format!("2048 play --net net --games 20 --threads {threads}")).text())
    };
    let expected = play(1);
    for threads in [2, 3, 7] {
        assert_eq!(play(threads), expected);
    }
}

#[test]
fn a_resumed_run_is_the_run() {
    let folder = folder("2048-resume");
    let out = folder.run("2048 train --games 1500 --out a --level portable").text();
    assert_eq!(keys(&out), ["curve", "games", "moves", "moves_per_second"]);
    let curve: Vec<&str> = out.split_whitespace().collect();
    assert_eq!(curve[1], "1000");
    assert_eq!(curve[2], "mean_score");
    assert_eq!(value(&out, "games"), "1500");
    assert!(curve[3].parse::<f64>().is_ok_and(|mean| (5_000.0..50_000.0).contains(&mean)), "{out}");

    let part = folder.run("2048 train --games 50 --out b --level portable").text();
    assert!(part.starts_with("games 50\n"), "no curve yet");
    folder.run("2048 train --resume --games 1500 --out b").text();
    assert_eq!(folder.names(), ["a", "a.learner", "b", "b.learner"]);
    for suffix in ["", ".learner"] {
        let [a, b] = ["a", "b"].map(|name| folder.bytes(&format!("{name}{suffix}")));
        assert!(a == b, "b{suffix} after a resume");
    }

    // Playing with the network scores far above random play's 1095, is reproducible, and improves
    // with depth.
    let play = |flags: &str| {
        let line = format!("2048 evaluate --net a --games 12 --seed 3 --json {flags}");
        let mut record = folder.run(line).json();
        let speed = record.as_object_mut().expect("an object").remove("moves_per_second");
        assert!(speed.and_then(|speed| speed.as_u64()).is_some_and(|speed| speed > 0));
        record
    };
    let greedy = play("--depth 1");
    let ahead = play("--depth 2");
    assert_eq!(greedy, play("--depth 1 --level portable"));
    let number = |record: &Value, key: &str| record[key].as_f64().expect("a number");
    assert_eq!(greedy["games"], 12);
    assert!(number(&greedy, "mean_score") > 5_000.0, "{greedy}");
    let margin = 1.96 * number(&greedy, "stderr");
    for (bound, expected) in [("mean_score_low", -margin), ("mean_score_high", margin)] {
        let distance = number(&greedy, bound) - number(&greedy, "mean_score");
        assert!((distance - expected).abs() < 1e-6, "{greedy}");
    }
    assert!(number(&ahead, "mean_score") > number(&greedy, "mean_score"), "{greedy} {ahead}");
    assert!(number(&ahead, "rate_2048") >= number(&ahead, "rate_4096"), "{ahead}");
    let expected = "games mean_score stderr rate_2048 rate_4096 rate_8192 rate_16384 rate_32768 rate_65536 \
                    moves_per_second";
    assert_eq!(keys(&folder.run("2048 play --net a --games 1").text()).join(" "), expected);
}

#[test]
fn the_network_of_another_run_is_kept() {
    let folder = folder("2048-another");
    let train = |more: &str| folder.run(format!("2048 train --out net {more}"));
    let resume = || train("--games 6 --resume");
    train("--games 5 --seed 7").text();
    let other = folder.bytes("net");
    train("--games 5 --force").text();
    let older = folder.bytes("net");
    let state = folder.bytes("net.learner");
    assert!(older != other);
    let message = "net: expected the network of";
    for foreign in [&other[..], b"anything"] {
        folder.write("net", foreign);
        resume().fails(2, message);
        assert!(folder.bytes("net") == foreign && folder.bytes("net.learner") == state);
    }
    train("--games 6 --resume --force").text();
    assert_eq!(folder.names(), ["net", "net.learner"]);

    // A run killed between its two files has saved a newer state than network, and left the new
    // network hidden.
    let newer = folder.bytes("net");
    assert!(newer != older);
    folder.write("net", &older);
    resume().fails(2, message);
    folder.write(&format!(".bitcade-{:08x}-aB3dE6gH9jK2", crc32fast::hash(b"net")), &newer);
    // A user's file with the name of an older version's note.
    folder.write(".net.saving", "precious");
    resume().text();
    assert!(folder.bytes("net") == newer);
    assert_eq!(folder.names(), [".net.saving", "net", "net.learner"]);
    // Without a network, the state is enough.
    folder.remove("net");
    resume().text();
    assert!(folder.bytes("net") == newer);
}

#[test]
fn the_curve_as_a_picture() {
    let folder = folder("2048-picture");
    folder.run("2048 train --games 2000 --out net --picture curve.svg").text();
    let svg = folder.read("curve.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // The curve has two points.
    let line = svg.split("<polyline").nth(1).expect("the curve");
    let points =
        line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("its points");
    assert_eq!(points.split_whitespace().count(), 2, "{points}");
}

#[test]
fn networks_for_both_parts_of_a_game() {
    let folder = folder("2048-late");
    folder.run("2048 train --games 100 --out early").text();
    folder.run("2048 train --games 100 --out late --late").text();
    folder.run("2048 train --games 200 --out late --resume").text();
    folder.run("2048 train --games 200 --out same --late").text();
    assert!(folder.bytes("late") == folder.bytes("same"));
    assert!(folder.bytes("late.learner") == folder.bytes("same.learner"));
    let values = |nets: &str, board: &str| {
        folder.run(format!("2048 analyze --depth 1 {nets}")).stdin(board).text()
    };
    let early = "16384 8192 2048 1024 0 2 4 8 0 0 2 0 0 0 0 0";
    let late = "16384 8192 4096 1024 0 2 4 8 0 0 2 0 0 0 0 0";
    let both = "--net early --late late";
    assert_eq!(values(both, early), values("--net early", early));
    assert_eq!(values(both, late), values("--net late", late));
    assert_ne!(values(both, late), values("--net early", late));
    // Such short games don't have a late part.
    let evaluated = |nets: &str| {
        let out = folder.run(format!("2048 evaluate --games 3 --threads 1 {nets}")).text();
        value(&out, "mean_score").to_owned()
    };
    assert_eq!(evaluated(both), evaluated("--net early"));
    let hint = |nets: &str| {
        folder.run(format!("play 2048 --lines --seed 1 {nets}")).stdin("hint\nquit\n").text()
    };
    assert_eq!(hint(both), hint("--net early"));
    folder.run("2048 train --small --games 9 --out small").text();
    for command in ["2048 evaluate", "2048 analyze", "play 2048"] {
        let run = |nets: &str| folder.run(format!("{command} {nets}")).stdin(late);
        run("--net early --late small").fails(2, "small: ");
        run("--net small --late late").fails(2, "small: ");
        run("--late late").fails(2, "--net <");
    }
    folder.run("2048 train --small --games 9 --out x --late").fails(2, "cannot be used with");
}

#[test]
fn a_small_network() {
    let folder = folder("2048-small");
    let train = |more: &str| folder.run(format!("2048 train --small {more}"));
    let out = train("--out a --minutes 1s").text();
    assert!(
        ["games moves moves_per_second", "curve games moves moves_per_second"]
            .contains(&&*keys(&out).join(" "))
    );
    // A run ends between two games, so their number reproduces it.
    train(&format!("--out b --games {}", value(&out, "games"))).text();
    assert_eq!(folder.names(), ["a", "b"]);
    let mut bytes = folder.bytes("a");
    assert!(bytes == folder.bytes("b"));
    train("--out a --games 9 --resume").fails(2, "'--small' cannot be used with '--resume'");
    train("--out a --games 9 --threads 2").fails(2, "'--small' cannot be used with '--threads");
    let evaluate = || folder.run("2048 evaluate --net b");
    let length = bytes.len();
    for (at, message) in
        [(8, "offset 8: expected version 3"), (length - 1, "expected the checksum")]
    {
        bytes[at] ^= 4;
        folder.write("b", &bytes);
        evaluate().fails(2, message);
        bytes[at] ^= 4;
    }
    folder.write("b", &bytes[..length / 2]);
    evaluate().fails(2, &format!("offset {}: expected {length} bytes in all", length / 2));
}

#[test]
fn networks_for_other_sizes() {
    let folder = folder("2048-sizes");
    let train = |out| folder.run(format!("2048 train --size 3 --games 3000 --out {out}")).text();
    let curve = train("a");
    assert_eq!(keys(&curve).join(" "), "curve curve curve games moves moves_per_second");
    train("b");
    assert_eq!(folder.names(), ["a", "b"]);
    assert!(folder.bytes("a") == folder.bytes("b"), "the games determine the network");
    let mean = |options: &str| {
        let out = folder.run(format!("2048 evaluate {options}")).text();
        // The six largest tiles, of which 1024 is as far as 3x3 goes.
        assert!(out.contains("rate_64 ") && !out.contains("rate_2048 "), "{out}");
        let mean = value(&out, "mean_score");
        mean.split(' ').next().and_then(|mean| mean.parse::<f64>().ok()).expect("a mean")
    };
    // The hints without a network, the network, and its search.
    let playouts = mean("--size 3 --games 10");
    let near = mean("--net a --games 100");
    let far = mean("--net a --games 30 --depth 3");
    assert!(playouts > 1_000.0 && near > 2_000.0 && far > near, "{playouts} {near} {far}");
    let hint = |options: &str| {
        let input = "hint\nq\n";
        folder.run(format!("play 2048 --lines --seed 1 {options}")).stdin(input).text()
    };
    assert!(hint("--size 3 --net a").contains("points by the network, 3 moves ahead: "));
    // The start of a game has few tiles, and at most 8 moves are looked ahead.
    let timed = hint("--size 3 --net a --seconds 2");
    assert!(!timed.contains("network, 3 moves") && timed.contains(" moves ahead: "), "{timed}");
    assert!(hint("--size 3").contains("points by random play"));
    folder.run("play 2048 --lines --net a").fails(2, "a: expected a network for boards of 4x4");
    folder.run("play 2048 --lines --net a --size 5").fails(2, "found one for 3x3");
    let board = "2 4 8\n. . 2\n. . 2\n";
    let analyzed = folder.run("2048 analyze --net a").stdin(board).text();
    assert!(analyzed.contains("points by the network, 3 moves ahead"), "{analyzed}");
}

#[test]
fn the_lookahead_depends_on_the_time() {
    let mean_depth = |time: &str| {
        let out = bitcade(format!("2048 evaluate --games 1 --seconds {time}")).text();
        assert!(keys(&out).join(" ").ends_with("rate_65536 mean_depth moves_per_second"), "{out}");
        value(&out, "mean_depth").parse::<f64>().expect("a mean")
    };
    // Two moves ahead aren't stopped.
    let least = mean_depth("0");
    assert!((1.9..=2.0).contains(&least), "{least}");
    assert!(mean_depth("1ms") > least);
}

/// The network trained by `bitcade 2048 train --small --games 74970`: its mean is 120,981.
#[test]
fn the_built_in_network_plays_well() {
    let out = bitcade("2048 evaluate --games 50").text();
    let mean =
        value(&out, "mean_score").split(' ').next().and_then(|mean| mean.parse::<f64>().ok());
    assert!(mean > Some(95_000.0), "{out}");
}

//! `bitcade 2048 train` and `bitcade 2048 evaluate`: their output, files and errors.

use crate::common::{bitcade, folder, names};
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn several_threads_train_one_network() {
    let folder = folder("2048-threads");
    let net = folder.join("a");
    let train = |more: &[&str]| {
        let mut run = bitcade(["2048", "train", "--out", text(&net)]);
        run.arguments(more.iter().copied());
        let output = run.output();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), stderr)
    };
    let (out, remarks) = train(&["--games", "1500", "--threads", "3"]);
    let mean =
        out.lines().next().and_then(|row| row.split_whitespace().nth(3)).and_then(|mean| mean.parse().ok());
    // On one thread 5900.
    assert!(mean.is_some_and(|mean: f64| mean > 4_500.0), "{out}");
    assert!(out.contains("\ngames 1500\n"), "{out}");
    assert_eq!(remarks, "");

    // The run can continue on any number of threads, and says that it can't be repeated.
    for threads in ["1", "2"] {
        let games = if threads == "1" { "1600" } else { "1900" };
        let (_, remarks) = train(&["--resume", "--games", games, "--threads", threads]);
        assert!(remarks.contains("can be continued, but not repeated"), "{remarks}");
    }

    // Any number of threads plays the same games with it.
    let play = |threads: &str| {
        let mut run = bitcade(["2048", "play", "--net", text(&net), "--games", "20"]);
        run.arguments(["--threads", threads].into_iter());
        let text = run.text();
        text.lines().filter(|line| !line.contains("per_second")).collect::<Vec<_>>().join("\n")
    };
    let expected = play("1");
    for threads in ["2", "3", "7"] {
        assert_eq!(play(threads), expected);
    }
}

#[test]
fn a_resumed_run_is_the_run() {
    let folder = folder("2048-resume");
    let (straight, parts) = (folder.join("a"), folder.join("b"));
    let train = |net: &Path, games| {
        bitcade(["2048", "train", "--games", games, "--out", text(net), "--level", "portable"])
    };
    let out = train(&straight, "1500").text();
    let keys: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(keys, ["curve", "games", "moves", "moves_per_second"]);
    let curve: Vec<&str> = out.lines().next().expect("a row").split_whitespace().collect();
    assert_eq!((curve[1], curve[2]), ("1000", "mean_score"));
    assert!(curve[3].parse::<f64>().is_ok_and(|mean| mean > 5_000.0), "{out}");
    assert_eq!(out.lines().nth(1), Some("games 1500"));

    assert!(train(&parts, "50").text().starts_with("games 50\n"), "no curve yet");
    bitcade(["2048", "train", "--resume", "--games", "1500", "--out", text(&parts)]).text();
    assert_eq!(names(&folder), ["a", "a.learner", "b", "b.learner"]);
    for suffix in ["", ".learner"] {
        let [a, b] = ["a", "b"].map(|name| fs::read(folder.join(format!("{name}{suffix}"))).expect("a file"));
        assert!(a == b, "b{suffix} after a resume");
    }

    // Play with the network scores far above random play's 1095, repeats exactly, and improves with depth.
    let play = |depth, level| {
        let run = bitcade([
            "2048",
            "evaluate",
            "--net",
            text(&straight),
            "--depth",
            depth,
            "--games",
            "12",
            "--seed",
            "3",
            "--json",
            "--level",
            level,
        ]);
        let mut record: serde_json::Value = serde_json::from_str(&run.text()).expect("one JSON object");
        let speed = record.as_object_mut().expect("an object").remove("moves_per_second");
        assert!(speed.and_then(|speed| speed.as_u64()).is_some_and(|speed| speed > 0));
        record
    };
    let (greedy, ahead) = (play("1", "auto"), play("2", "auto"));
    assert_eq!(greedy, play("1", "portable"));
    let number = |record: &serde_json::Value, key: &str| record[key].as_f64().expect("a number");
    assert_eq!(greedy["games"], 12);
    assert!(number(&greedy, "mean_score") > 5_000.0, "{greedy}");
    let margin = 1.96 * number(&greedy, "stderr");
    for (bound, expected) in [("mean_score_low", -margin), ("mean_score_high", margin)] {
        let distance = number(&greedy, bound) - number(&greedy, "mean_score");
        assert!((distance - expected).abs() < 1e-6, "{greedy}");
    }
    assert!(number(&ahead, "mean_score") > number(&greedy, "mean_score"), "{greedy} {ahead}");
    assert!(number(&ahead, "rate_2048") >= number(&ahead, "rate_4096"), "{ahead}");
    let lines = bitcade(["2048", "play", "--net", text(&straight), "--games", "1"]).text();
    let keys: Vec<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    let expected = [
        "games",
        "mean_score",
        "stderr",
        "rate_2048",
        "rate_4096",
        "rate_8192",
        "rate_16384",
        "rate_32768",
        "rate_65536",
        "moves_per_second",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn the_network_of_another_run_is_kept() {
    let folder = folder("2048-another");
    let net = folder.join("net");
    let learner = folder.join("net.learner");
    let train = |more: &[&str]| {
        let mut run = bitcade(["2048", "train", "--out", text(&net)]);
        run.arguments(more.iter().copied());
        run
    };
    train(&["--games", "5", "--seed", "7"]).text();
    let other = fs::read(&net).expect("a file");
    train(&["--games", "5", "--force"]).text();
    let (older, state) = (fs::read(&net).expect("a file"), fs::read(&learner).expect("a file"));
    assert!(older != other);
    let message = "net: expected the network of";
    for foreign in [&other[..], b"anything"] {
        fs::write(&net, foreign).expect("written");
        train(&["--games", "6", "--resume"]).fails(2, message);
        assert!(fs::read(&net).expect("a file") == foreign);
        assert!(fs::read(&learner).expect("a file") == state);
    }
    train(&["--games", "6", "--resume", "--force"]).text();
    assert_eq!(names(&folder), ["net", "net.learner"]);

    // A run that is killed between its two files has a newer state than its network, which it leaves hidden.
    let newer = fs::read(&net).expect("a file");
    assert!(newer != older);
    fs::write(&net, &older).expect("written");
    train(&["--games", "6", "--resume"]).fails(2, message);
    let hidden = format!(".bitcade-{:08x}-aB3dE6gH9jK2", crc32fast::hash(b"net"));
    fs::write(folder.join(hidden), &newer).expect("written");
    // A file of the user's own that has the name of an older version's note.
    fs::write(folder.join(".net.saving"), "precious").expect("written");
    train(&["--games", "6", "--resume"]).text();
    assert!(fs::read(&net).expect("a file") == newer);
    assert_eq!(names(&folder), [".net.saving", "net", "net.learner"]);
    // Without a network, the state is enough.
    fs::remove_file(&net).expect("it was there");
    train(&["--games", "6", "--resume"]).text();
    assert!(fs::read(&net).expect("a file") == newer);
}

#[test]
fn the_curve_as_a_picture() {
    let folder = folder("2048-picture");
    let (net, picture) = (folder.join("net"), folder.join("curve.svg"));
    let train = |picture: &Path| {
        bitcade(["2048", "train", "--games", "2000", "--out", text(&net), "--picture", text(picture)])
    };
    train(&folder.join("none").join("curve.svg")).fails(1, "expected a file name in an existing folder");
    assert!(names(&folder).is_empty(), "nothing was learned before the refusal");
    train(&picture).text();
    let svg = fs::read_to_string(&picture).expect("a file");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // The curve has two points.
    let line = svg.split("<polyline").nth(1).expect("the curve");
    let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("its points");
    assert_eq!(points.split_whitespace().count(), 2, "{points}");
}

#[test]
fn bad_files_and_arguments() {
    let folder = folder("2048-bad");
    let net = folder.join("net");
    let play = || bitcade(["2048", "play", "--games", "1", "--net", text(&net)]);
    let resume = || bitcade(["2048", "train", "--games", "9", "--resume", "--out", text(&net)]);
    play().fails(2, "net: ");
    resume().fails(2, "net.learner: ");
    let learner = folder.join("net.learner");
    for (bytes, message) in [
        (&b""[..], "offset 0: expected a file that begins with"),
        (b"2048-nut", "offset 0: expected a file that begins with \"2048-net\""),
        (b"2048-net", "offset 8: expected 28 bytes in all"),
        (b"2048-net\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "offset 8: expected version 1, found 2"),
        (b"2048-net\x01\0\0\0\x1d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "offset 28: expected 29 bytes in all"),
        (b"2048-net\x01\0\0\0\x1c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "offset 20: expected the checksum"),
    ] {
        fs::write(&net, bytes).expect("written");
        play().fails(2, message);
    }
    fs::write(&learner, b"2048-net\x01\0\0\0").expect("written");
    resume().fails(2, "net.learner: offset 0: expected a file that begins with \"2048-lrn\"");

    let train = |out: &str, games: &str| bitcade(["2048", "train", "--games", games, "--out", out]);
    train(text(&folder.join("none").join("net")), "1").fails(1, "in an existing folder");
    train(text(&folder), "1").fails(1, "is a directory");
    train(text(&net), "0").fails(2, "--games");
    bitcade(["2048", "train", "--out", text(&net)]).fails(2, "<--minutes <T>|--games <G>>");
    bitcade(["2048", "train", "--minutes", "0", "--out", text(&net)]).fails(2, "--minutes");
    bitcade(["2048", "train", "--minutes", "x", "--out", text(&net)])
        .fails(2, "expected a number of minutes above 0");
    bitcade(["2048", "train", "--games", "1"]).fails(2, "--out");
    bitcade(["2048", "play"]).fails(2, "--net");
    bitcade(["2048", "play", "--net", text(&net), "--depth", "9"]).fails(2, "--depth");
    bitcade(["2048", "play", "--net", text(&net), "--least-probability", "2"])
        .fails(2, "expected a number from 0 to 1");
}

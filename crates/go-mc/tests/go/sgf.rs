//! Records that are written and read back, and texts from other programs.

use super::records;
use go_mc::sgf::{
    Action, MAX_IN_VARIATIONS, MAX_NODES, MAX_REMARKS, MAX_VALUES, Node, Property, Reading, Record,
    Remark, RemarkKind, SgfError, Variation,
};
use go_mc::{Color, IllegalMove, Ko, Move, Point, Points, Rules, Size};

testkit::properties! {
    any_record_is_written_and_read: records::any_record, 200;
    plain_records_come_back: records::plain_record, 300;
}

fn read(text: &str) -> Result<Record, SgfError> {
    text.parse()
}

fn read_all(text: impl AsRef<[u8]>) -> (Record, Vec<Remark>) {
    let Reading { record, remarks, .. } = Record::from_bytes(text.as_ref()).expect("a record");
    (record, remarks)
}

fn stones(points: &str) -> Points<19> {
    points.split_whitespace().map(|p| Points::<19>::index(p.parse().unwrap()).unwrap()).collect()
}

fn moves(record: &Record) -> String {
    let one = |(color, mv)| format!("{}{mv}", if color == Color::Black { 'b' } else { 'w' });
    record.moves().map(one).collect::<Vec<_>>().join(" ")
}

fn kinds(remarks: &[Remark]) -> Vec<String> {
    remarks.iter().map(|remark| remark.kind.to_string()).collect()
}

fn summary(text: impl AsRef<[u8]>) -> String {
    let (record, remarks) = read_all(text);
    let komi = record.komi.map(|komi| format!("komi {komi}"));
    [moves(&record)].into_iter().chain(komi).chain(kinds(&remarks)).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_record_in_all_its_parts() {
    let text = "(;FF[4]GM[1]SZ[5]KM[0.5]PB[one]PW[two\\]]RE[B+3]HA[2]RU[NZ]AB[aa][bb]AW[cc]C[set up]\
                ;W[ee]C[a corner];B[]C[pass]LB[aa:x\\:y][bb:2];AE[aa]AW[ba]\
                (;W[ab];B[tt])(;W[ca]C[not the main line]))";
    let reading = Record::from_bytes(text.as_bytes()).unwrap();
    assert_eq!(reading.remarks, []);
    let record = reading.record;
    assert_eq!(record.size, Size::new(5, 5).unwrap());
    assert_eq!(record.komi, Some(0.5));
    assert_eq!(record.player_names[1].as_str(), "two]");
    assert_eq!(record.result.as_str(), "B+3");
    let root = &record.nodes[0];
    let Action::Setup(setup) = &root.action else { panic!("{root:?}") };
    assert_eq!(setup.black, stones("A5 B4"));
    assert_eq!(setup.white, stones("C3"));
    assert_eq!(setup.empty, Points::EMPTY);
    assert_eq!(root.comment, "set up");
    let property = |name: &str, values: &[&str]| Property {
        name: name.into(),
        values: values.iter().map(|&value| value.to_owned()).collect(),
    };
    assert_eq!(root.properties, [property("HA", &["2"]), property("RU", &["NZ"])]);
    assert_eq!(record.nodes[2].properties, [property("LB", &["aa:x\\:y", "bb:2"])]);
    assert_eq!(moves(&record), "wE1 bpass wA4 bpass");
    assert_eq!(record.nodes[1].comment, "a corner");
    assert!(record.nodes[3].is_setup() && !record.nodes[3].is_move() && record.nodes[4].is_move());
    assert_eq!(record.to_string().parse(), Ok(record.clone()));
    assert_eq!(record.board().to_string(), ".O...\nOX...\n..O..\n.....\n....O\n");
}

#[test]
fn first_to_move() {
    for (text, first, next) in [
        ("(;SZ[5])", Color::Black, Color::Black),
        ("(;SZ[5]AB[aa])", Color::White, Color::White),
        ("(;SZ[5]AB[aa]AW[bb])", Color::Black, Color::Black),
        ("(;SZ[5]AB[aa];AE[aa])", Color::Black, Color::Black),
        ("(;SZ[5]AB[aa]PL[B])", Color::Black, Color::Black),
        ("(;SZ[5];PL[W])", Color::White, Color::White),
        ("(;SZ[5]PL[W];B[aa])", Color::Black, Color::White),
        ("(;SZ[5];B[aa];PL[B])", Color::Black, Color::Black),
        ("(;SZ[5];B[aa]PL[B])", Color::Black, Color::Black),
        ("(;SZ[5];B[aa];B[bb];AE[aa])", Color::Black, Color::White),
    ] {
        let record = read(text).unwrap();
        let mut game = record.new_game(Rules { ko: Ko::Simple, ..Rules::default() });
        for node in &record.nodes {
            assert_eq!(node.play(&mut game), None);
        }
        assert_eq!(record.first_to_move(), first, "{text}");
        assert_eq!(game.to_move(), next, "{text}");
        assert_eq!(record.to_string().parse(), Ok(record), "{text}");
    }
}

#[test]
fn square_and_rectangular_sizes() {
    let text = |width, height| Record::new(Size::new(width, height).unwrap()).to_string();
    assert!(text(9, 9).contains("SZ[9]") && text(5, 7).contains("SZ[5:7]"));
}

#[test]
fn win_percents_as_sabaki_keeps_them() {
    let text = "(;SZ[5]SBKV[50];B[aa]SBKV[45.61];W[bb];B[cc]SBKV[101];W[]SBKV[x];B[dd]SBKV[nan];W[ee]SBKV[0])";
    let (record, remarks) = read_all(text);
    let percents: Vec<Option<f64>> =
        record.nodes.iter().map(|node| node.black_win_percent).collect();
    assert_eq!(percents, [Some(50.0), Some(45.61), None, None, None, None, Some(0.0)]);
    assert_eq!(remarks.len(), 3, "{remarks:?}");
    let written = record.to_string();
    assert!(written.contains("SBKV[50];B[aa]SBKV[45.61];W[bb];"), "{written}");
    assert_eq!(written.parse(), Ok(record));
}

/// Returns the rows of a section of the data: texts and their summaries.
fn rows(section: &str) -> Vec<(String, &'static str)> {
    let sections = include_str!("../data/sgf.txt").split("\n## ");
    let rows = sections.filter_map(|text| text.split_once('\n')).find(|(name, _)| *name == section);
    let rows =
        rows.expect(section).1.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    let row = |line: &'static str| {
        let (text, summary) = line.split_once(" =>").expect("a text and its summary");
        (text.replace("\\n", "\n"), summary.trim_start())
    };
    rows.map(row).collect()
}

/// Every form found in public files is read, or reported in a remark.
#[test]
fn forms_of_other_programs() {
    for (text, expected) in rows("forms") {
        let text = format!("(;SZ[9]{text})");
        assert_eq!(summary(&text), expected, "{text}");
        // The rewritten record needs no remarks, except on properties kept as they are.
        for remark in kinds(&read_all(read_all(&text).0.to_string()).1) {
            let kept = ["a handicap", "not an SGF property"];
            assert!(kept.iter().any(|kept| remark.contains(kept)), "{text}: {remark}");
        }
    }
    let (record, _) = read_all("(;SZ[3]AW[aa];AB[ab][ba])");
    assert_eq!(record.to_string(), "(;GM[1]FF[4]CA[UTF-8]SZ[3]AW[aa];AB[ab][ba]AE[aa])");
    // White's stone takes precedence, whatever the order.
    for text in ["(;SZ[9]AB[ee]AW[ee]AE[ee])", "(;SZ[9]AE[ee]AW[ee]AB[ee])"] {
        assert_eq!(read_all(text).0.board().stones(Color::White), stones("E5"));
    }
}

#[test]
fn players_of_pl() {
    for (value, color) in
        [("B", 0), ("w", 1), ("black", 0), ("White", 1), ("1", 0), ("2", 1), (" W ", 1)]
    {
        let record = read(&format!("(;SZ[9]AB[ee]AW[cc]PL[{value}])")).unwrap();
        assert_eq!(record.first_to_move(), Color::ALL[color], "{value}");
    }
}

/// Text around the nodes.
#[test]
fn structures_of_other_programs() {
    let blanks = "(;SZ[9]\u{a0};B[ee]\u{3000}\u{c};W[cc])\r\n\u{1a}\0".to_owned();
    for (text, expected) in rows("structures").into_iter().chain([(blanks, "bE5 wC7")]) {
        assert_eq!(summary(&text), expected, "{text}");
        assert_eq!(read_all(&text).0.size.width(), 9, "{text}");
    }
    let (_, remarks) = read_all("x(;SZ[9]\n;B[zz]\r\n;W[\u{56f4}]\r;B[ee],)");
    let places: Vec<(usize, usize)> =
        remarks.iter().map(|remark| (remark.line, remark.column)).collect();
    assert_eq!(places, [(1, 1), (2, 4), (3, 4), (4, 7)]);
    assert_eq!(remarks[1].to_string(), "line 2, column 4: skipped: B[zz] is off the board");
    // `str::parse` returns the first remark as an error.
    let remark = Remark { line: 1, column: 9, kind: RemarkKind::NoValue("LB".into()) };
    assert_eq!(read("(;SZ[9];LB;B[zz])"), Err(SgfError::Remark(remark)));
}

#[test]
fn sizes() {
    for (value, sides, said) in [
        ("19", (19, 19), false),
        (" 9 ", (9, 9), false),
        ("09", (9, 9), false),
        ("9:13", (9, 13), false),
        ("19x19", (19, 19), true),
        ("9.0", (9, 9), true),
        ("9.", (9, 9), true),
        ("9:13.00", (9, 13), true),
        ("\u{ff19}", (9, 9), true),
        ("\u{ff11}\u{ff13}\u{ff1a}\u{ff19}", (13, 9), true),
        ("9\u{8def}", (9, 9), true),
        ("9\u{8def}\u{76e4}", (9, 9), true),
        ("13 lines", (13, 13), true),
        ("9 \u{d7} 13", (9, 13), true),
        ("9*9", (9, 9), true),
        ("", (19, 19), true),
        ("five", (19, 19), true),
        ("9.5", (19, 19), true),
        ("9 13", (19, 19), true),
        ("9:", (19, 19), true),
        ("0", (19, 19), true),
        ("-9", (19, 19), true),
    ] {
        let (record, remarks) = read_all(format!("(;SZ[{value}];B[aa])"));
        assert_eq!((record.size.width(), record.size.height()), sides, "{value}");
        assert_eq!(remarks.len(), usize::from(said), "{value}: {remarks:?}");
    }
    assert_eq!(summary("(;SZ[9.0];B[ee])"), "bE5; SZ[9.0] is read as 9");
    assert_eq!(summary("(;SZ[9 * 13];B[ai])"), "bA5; SZ[9 * 13] is read as 9:13");
    let unread = "bE15; SZ[five] is not a size; without another, the board is 19 x 19";
    assert_eq!(summary("(;SZ[five];B[ee])"), unread);
    // A size before the first stone counts; a second one does not.
    assert_eq!(
        summary("(;GM[1];SZ[9]SZ[9]SZ[13];B[ee];SZ[9])"),
        "bE5; skipped: a second value of SZ"
    );
    assert_eq!(read_all("(;SZ[9];SZ[9.0])").1, []);
    let huge = "9".repeat(40);
    for value in ["20", "25", "19:20", "52", "1000000000000", "25\u{8def}", &huge] {
        assert_eq!(read(&format!("(;SZ[{value}])")), Err(SgfError::TooLarge(value.into())));
    }
}

#[test]
fn texts_without_a_game_of_go() {
    for text in ["", "(", ")", "()", "((((", "B[aa]", "go", "C[;B[aa"] {
        assert!(matches!(read(text), Err(SgfError::NoGame | SgfError::Remark(_))), "{text}");
    }
    assert_eq!(Record::from_bytes(b"no game"), Err(SgfError::NoGame));
    assert_eq!(read("(;GM[2])"), Err(SgfError::OtherGame("2".into())));
    assert_eq!(read("(;)"), Ok(Record::new(Size::new(19, 19).unwrap())));
}

/// Returns the moves of all lines, each with the place behind which it begins.
fn lines(record: &Record) -> Vec<String> {
    let line = |variation: &Variation| {
        let part = Record { nodes: variation.nodes.clone(), ..record.clone() };
        format!("{}.{} {}", variation.after.line, variation.after.node, moves(&part))
    };
    [moves(record)].into_iter().chain(record.variations.iter().map(line)).collect()
}

#[test]
fn variations_are_read_and_written() {
    for (text, expected, written) in [
        (
            "(;SZ[9];B[ee](;W[cc](;B[gg])(;B[cg]))(;W[gc]C[other]LB[aa:1];B[cg]))",
            &["bE5 wC7 bG3", "0.2 bC3", "0.1 wG7 bC3"][..],
            ";B[ee](;W[cc](;B[gg])(;B[cg]))(;W[gc]C[other]LB[aa:1];B[cg]))",
        ),
        // Parentheses without need, and empty nodes and variations.
        ("(;SZ[9](((;B[ee](;)()))))", &["bE5"], ";B[ee])"),
        (
            "(;SZ[9](;(;B[ee])(;B[cc]))(;)(;B[gg]))",
            &["bE5", "0.0 bC7", "0.0 bG3"],
            "(;B[ee])(;B[cc])(;B[gg]))",
        ),
        // The main line ends where its first variation has nothing.
        ("(;SZ[9](;)(;B[ee]))", &["", "0.0 bE5"], "(;)(;B[ee]))"),
        ("(;SZ[9]((;)(;B[ee]))(;B[cc]))", &["", "0.0 bE5", "0.0 bC7"], "(;)(;B[ee])(;B[cc]))"),
        // Setups and turns belong to their own line.
        (
            "(;SZ[9](;B[ee])(;AB[ee]PL[B];B[cc]))",
            &["bE5", "0.0 bC7"],
            "(;B[ee])(;AB[ee]PL[B];B[cc]))",
        ),
        // The game is that of the main line.
        (
            "(;SZ[9](;B[ee])(;KM[3]RE[B+1];B[cc]))",
            &["bE5", "0.0 bC7"],
            "(;B[ee])(;KM[3]RE[B+1];B[cc]))",
        ),
    ] {
        let (record, remarks) = read_all(text);
        assert_eq!(remarks, [], "{text}");
        assert_eq!(lines(&record), expected, "{text}");
        assert_eq!(record.komi, None);
        let text = record.to_string();
        assert_eq!(text.strip_prefix("(;GM[1]FF[4]CA[UTF-8]SZ[9]"), Some(written));
        assert_eq!(text.parse(), Ok(record));
    }
}

/// A variation is remarked on like the main line, from the position where it begins.
#[test]
fn remarks_on_variations_tell_their_place() {
    let text = "(;SZ[9];B[ee]\n(;W[cc](;B[gg])\n(;B[cc]))\n(;W[cc];B[zz])\n(;W[ee]))\n";
    let (record, remarks) = read_all(text);
    assert_eq!(lines(&record), ["bE5 wC7 bG3", "0.2 bC7", "0.1 wC7", "0.1 wE5"]);
    let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    let illegal = "the point is occupied; it is played as written";
    assert_eq!(
        remarks,
        [
            format!("line 3, column 2: move 3: {illegal}"),
            "line 4, column 11: skipped: B[zz] is off the board".into(),
            format!("line 5, column 2: move 2: {illegal}"),
        ]
    );
}

/// Neither reading, writing, comparing, cloning nor dropping recurses.
#[test]
fn deep_records() {
    const DEPTH: usize = 100_000;
    let nested = format!("(;SZ[9]{}{}", "(;B[])(;W[]".repeat(DEPTH), ")".repeat(DEPTH + 1));
    let check = move || {
        let (record, remarks) = read_all(&nested);
        assert_eq!(remarks, []);
        assert_eq!(record.variations.len(), DEPTH);
        let last =
            record.variations.iter().map(|variation| variation.after).max().expect("a variation");
        assert_eq!(record.path(last).len(), DEPTH);
        assert_eq!(record.clone().to_string().parse(), Ok(record));
        // The main line is as deep as it is long.
        let deep = format!("(;SZ[9]{}{}", "(;B[]".repeat(MAX_NODES - 1), ")".repeat(MAX_NODES));
        let (record, _) = read_all(deep);
        assert_eq!(record.nodes.len(), MAX_NODES);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(check).unwrap().join().unwrap();
}

#[test]
fn truncated_records_keep_the_variations_of_what_is_left() {
    let (mut record, _) =
        read_all("(;SZ[9](;B[ee](;W[cc];B[gg])(;W[ca](;B[ab])(;B[bb])))(;B[aa](;W[ab])(;W[ba])))");
    assert_eq!(record.variations.len(), 4);
    record.truncate(2);
    assert_eq!(lines(&record), ["bE5", "0.0 bA9 wA8", "1.0 wB9"]);
}

/// The main line is bounded, and all variations together; more variations are left out.
#[test]
fn long_records() {
    let long = format!("({})", ";B[]".repeat(MAX_NODES + 1));
    assert_eq!(read(&long), Err(SgfError::TooManyNodes));
    let most = format!("(;SZ[9]{})", ";B[]".repeat(MAX_NODES - 1));
    assert_eq!(read(&most).unwrap().moves().count(), MAX_NODES - 1);
    let variations = format!("(;SZ[9];B[ee](;W[cc]){})", "(;W[aa]C[;)(])".repeat(100_000));
    let reading = Record::from_bytes(variations.as_bytes()).unwrap();
    assert_eq!(moves(&reading.record), "bE5 wC7");
    assert_eq!(reading.record.variations.len(), 100_000);
    assert_eq!(reading.remarks, []);
    for (unit, nodes) in [(";B[]", MAX_IN_VARIATIONS), (";B[]LB[aa]", MAX_IN_VARIATIONS / 3)] {
        let variation = unit.repeat(nodes + 10);
        let (record, remarks) = read_all(format!("(;SZ[9](;B[ee])({variation})(;W[aa]))"));
        assert_eq!(moves(&record), "bE5");
        assert_eq!(record.variations.len(), 1);
        assert!(record.variations[0].nodes.len().abs_diff(nodes) < 2);
        assert_eq!(kinds(&remarks), [RemarkKind::MoreVariations.to_string()]);
    }
    let values = "[]".repeat(MAX_IN_VARIATIONS);
    let (record, remarks) = read_all(format!("(;SZ[9](;B[ee])(;B[cc]LB{values}TR[aa];W[aa]))"));
    assert_eq!(record.variations[0].nodes.len(), 1);
    assert_eq!(&record.variations[0].nodes[0].properties[..], &[][..]);
    assert_eq!(kinds(&remarks), [RemarkKind::MoreVariations.to_string()]);
    assert_eq!(read_all(format!("(;SZ[9]{}", "(".repeat(1_000_000))).0.size.width(), 9);
    assert_eq!(
        read(&format!("(;SZ[9]LB{})", "[]".repeat(MAX_VALUES))),
        Err(SgfError::TooManyValues)
    );
    let (record, _) = read_all(format!("(;SZ[9]AB{})", "[aa:hi]".repeat(100_000)));
    assert!(record.nodes[0].is_setup());
    let (_, remarks) = read_all(format!("(;SZ[9]AB{})", "[zz]".repeat(100_000)));
    assert_eq!(remarks.len(), MAX_REMARKS + 1);
    assert_eq!(kinds(&remarks[MAX_REMARKS..]), ["and 99900 more remarks"]);
    // Texts that could cause repeated rescanning.
    for part in ["C[[", "C[x]y", ";", "(;", "A", "[]", "] ", "C[[]x", "\\", "(", "()", " "] {
        let _ = Record::from_bytes(format!("(;SZ[9]{}", part.repeat(200_000)).as_bytes());
        let _ = Record::from_bytes(part.repeat(200_000).as_bytes());
    }
}

#[test]
fn a_record_up_to_a_move() {
    let text = b"(;SZ[9];B[ee];W[cc];B[zz];W[??];AB[gg])C[";
    for (number, moves, remarks) in [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 3), (9, 2, 3)] {
        let reading = Record::from_bytes_to_move(text, number).unwrap();
        let found = (reading.record.moves().count(), reading.remarks.len());
        assert_eq!(found, (moves, remarks), "{number}: {:?}", reading.remarks);
    }
}

/// SGF requires every move to be played on the board, legal or not.
#[test]
fn illegal_moves_are_played() {
    let ko = "(;SZ[4]AB[ba][bc][ab]AW[ca][db][cc][bb];B[cb];W[bb])";
    for (text, expected, board) in [
        (
            "(;SZ[3]AW[ab][ba];B[aa];W[bb];B[bb];B[zz])",
            "bA3 wB2 bB2; move 1: the move is suicide; it is played as written; \
             move 3: the point is occupied; it is played as written; skipped: B[zz] is off the board",
            ".O.\nOX.\n...\n",
        ),
        (
            ko,
            "bC3 wB3; move 2: the ko may not be retaken immediately; it is played as written",
            ".XO.\nXO.O\n.XO.\n....\n",
        ),
    ] {
        assert_eq!(summary(text), expected);
        assert_eq!(read_all(text).0.board().to_string(), board);
    }
    let (record, _) = read_all(ko);
    let mut game = record.new_game(Rules::default());
    let broken: Vec<Option<IllegalMove>> =
        record.nodes.iter().map(|node| node.play(&mut game)).collect();
    assert_eq!(broken, [None, None, Some(IllegalMove::Superko)]);
    // From then on the rules apply.
    assert_eq!(game.play("C3".parse().unwrap()), Err(IllegalMove::Superko));
}

/// A record with a byte removed or inserted is read as it was, or with a remark, or rejected.
#[test]
fn nothing_is_lost_without_a_remark() {
    let text = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]AB[cc][gg];W[ee]C[a move];B[ec]\
                (;W[ce]LB[aa:1][bb:2];B[eg];W[ge])(;W[aa]))";
    let whole = read(text).unwrap();
    let facts = |record: &Record| (record.size, record.komi, moves(record), record.board());
    for at in 0..text.len() {
        for insert in ["", "[", "]", "(", ")", ";"] {
            let rest = &text[if insert.is_empty() { at + 1 } else { at }..];
            let changed = format!("{}{insert}{rest}", &text[..at]);
            let Ok(reading) = Record::from_bytes(changed.as_bytes()) else { continue };
            let same = facts(&reading.record) == facts(&whole);
            // A missing digit gives another value, a missing letter another property.
            let byte = text.as_bytes()[at];
            let in_word = insert.is_empty() && (byte.is_ascii_alphanumeric() || byte == b'.');
            assert!(same || !reading.remarks.is_empty() || in_word, "{changed}");
        }
    }
}

#[test]
fn any_text_is_read_or_refused() {
    let pieces = [
        "(", ")", ";", "B", "W", "AB", "SZ", "[", "]", "aa", "9", "\\", ":", " ", "\n", "\u{e9}",
        "C", "KM", "AE", "x", "PL",
    ];
    testkit::inputs(5000, |input| {
        let begins: [&[u8]; 4] = [b"", b"(;CA[Big5]C[", b"(;CA[", b"\xff\xfe(\0;\0"];
        let begin = *input.pick(&begins);
        let text: String = input.steps(60).map(|_| *input.pick(&pieces)).collect();
        records::read(text.as_bytes());
        records::read(&[begin, input.rest()].concat());
    });
}

/// Records built by hand are written in a readable form.
#[test]
fn records_that_no_text_has() {
    let mut record = Record::new(Size::new(5, 5).unwrap());
    let far = Point { x: 200, y: 9 };
    record.komi = Some(f64::NAN);
    let property = |name: &str| Property { name: name.into(), values: vec!["a]\\".into()] };
    record.nodes = vec![
        Node {
            action: Action::Move(Color::White, Move::Pass),
            to_move: Some(Color::White),
            ..Node::default()
        },
        Node { action: Action::Move(Color::White, Move::Play(far)), ..Node::default() },
        Node {
            properties: ["", "lower", "B", "C", "GM", "LB"].map(property).to_vec(),
            ..Node::default()
        },
        Node {
            properties: vec![Property { name: "TR".into(), values: vec![] }],
            ..Node::default()
        },
    ];
    assert_eq!(record.to_string(), "(;GM[1]FF[4]CA[UTF-8]SZ[5];W[];PL[W];W[zz];LB[a\\]\\\\];)");
    assert_eq!(moves(&read_all(record.to_string()).0), "wpass");
    record.nodes.clear();
    assert_eq!(read(&record.to_string()).unwrap().nodes, [Node::default()]);
}

#[test]
fn the_stones_of_a_setup_are_written_in_point_order() {
    let text = "(;GM[1]FF[4]CA[UTF-8]SZ[9]AB[ai][ci][ei][gi][ah][ch][eh][gh]AW[ba][da])";
    for _ in 0..20 {
        assert_eq!(read(text).unwrap().to_string(), text);
    }
}

/// Records in every character set used by real files.
#[test]
fn files_are_decoded() {
    let name = |bytes: &[u8]| {
        Record::from_bytes(bytes).map(|reading| reading.record.player_names[0].clone())
    };
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| {
        text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
    };
    let named = |charset: &str, name: &[u8]| {
        [b"(;SZ[9]CA[", charset.as_bytes(), b"]PB[", name, b"])"].concat()
    };
    let jose = "(;SZ[9]PB[Jos\u{e9}];B[ee])";
    let marked = format!("\u{feff}{jose}");
    // Without a charset name: UTF-8 and UTF-16 with and without a byte order mark, and Latin-1.
    for bytes in [
        jose.into(),
        marked.clone().into(),
        b"(;SZ[9]PB[Jos\xe9];B[ee])".to_vec(),
        utf16(&marked, u16::to_le_bytes),
        utf16(&marked, u16::to_be_bytes),
        utf16(jose, u16::to_le_bytes),
        utf16(jose, u16::to_be_bytes),
        // Only the property counts, not a word in a text.
        b"(;SZ[9]C[CA[Big5\\]]PB[Jos\xe9])".to_vec(),
        b"(;SZ[9]C[x\\]CA[Big5\\]]PB[Jos\xe9])".to_vec(),
    ] {
        assert_eq!(name(&bytes).as_deref(), Ok("Jos\u{e9}"), "{bytes:?}");
    }
    // With a charset name. The second bytes of Shift_JIS and Big5 may be brackets and backslashes.
    for (charset, bytes, text) in [
        ("UTF-8", "\u{56f2}\u{7881}".as_bytes(), "\u{56f2}\u{7881}"),
        ("iso-8859-1", b"Jos\xe9", "Jos\u{e9}"),
        (" Shift_JIS ", b"\x83\x5c\x83\x5d", "\u{30bd}\u{30be}"),
        ("euc-jp", b"\xb0\xcf\xb8\xeb", "\u{56f2}\u{7881}"),
        ("GB2312", b"\xce\xa7\xc6\xe5", "\u{56f4}\u{68cb}"),
        ("gb18030", b"\xce\xa7\xc6\xe5", "\u{56f4}\u{68cb}"),
        ("Big5", b"\xb3\x5c\xa5\x5c", "\u{8a31}\u{529f}"),
        ("EUC-KR", b"\xb9\xd9\xb5\xcf", "\u{bc14}\u{b451}"),
        ("koi8-r", b"\xe7\xcf", "\u{413}\u{43e}"),
        // A wrong name.
        ("UTF-8", b"Jos\xe9", "Jos\u{fffd}"),
        ("UTF-16", "Jos\u{e9}".as_bytes(), "Jos\u{e9}"),
        ("no such set", b"ASCII", "ASCII"),
        // Names used by other programs.
        ("EUC-CN", b"\xce\xa7", "\u{56f4}"),
        ("CP936", b"\xce\xa7", "\u{56f4}"),
        ("cp932", b"\x88\xcd", "\u{56f2}"),
        ("MS932", b"\x88\xcd", "\u{56f2}"),
        ("Windows-31J", b"\x88\xcd", "\u{56f2}"),
        ("CP949", b"\xb9\xd9", "\u{bc14}"),
        ("CP950", b"\xb3\x5c", "\u{8a31}"),
        ("CP1252", b"Jos\xe9", "Jos\u{e9}"),
        ("UTF8", "Jos\u{e9}".as_bytes(), "Jos\u{e9}"),
        ("", "Jos\u{e9}".as_bytes(), "Jos\u{e9}"),
    ] {
        assert_eq!(name(&named(charset, bytes)).as_deref(), Ok(text), "{charset}");
    }
    let long = "x".repeat(5000);
    for (charset, shown) in
        [("no such set", "no such set"), ("iso-2022-kr", "iso-2022-kr"), (&long, &long[..40])]
    {
        let (record, remarks) = read_all(named(charset, b"\xe9"));
        let remark = Remark {
            line: 1,
            column: 1,
            kind: RemarkKind::Charset { name: shown.into(), read: "Latin-1" },
        };
        assert_eq!(record.player_names[0].as_str(), "\u{e9}");
        assert_eq!(remarks, vec![remark]);
    }
    assert_eq!(name(b"(;SZ[9]C[x\\\\] CA [Big5]PB[\xb3\x5c])").as_deref(), Ok("\u{8a31}"));
    // A record with non-ASCII letters names its character set.
    let (record, _) = read_all(named("Big5", b"\xb3\x5c"));
    assert!(record.to_string().starts_with("(;GM[1]FF[4]CA[UTF-8]SZ[9]PB["), "{record}");
    assert_eq!(read_all(record.to_string()), (record, vec![]));
}

/// Without a character set, the brackets of the file must pair up, and the letters must be likely.
#[test]
fn unnamed_character_sets_are_guessed() {
    let read_name = |name: &[u8]| {
        let file = [b"(;GM[1]SZ[9]PB[", name, b"]C[", name, b"];B[ee];W[cc])"].concat();
        let Reading { record, remarks, .. } = Record::from_bytes(&file).expect("a record");
        assert_eq!(moves(&record), "bE5 wC7", "{name:?}");
        let [black, _] = &record.player_names;
        assert_eq!(*black, record.nodes[0].comment);
        // Nothing is lost when the record is written as UTF-8.
        assert_eq!(read_all(record.to_string()), (record.clone(), vec![]));
        (black.clone(), kinds(&remarks))
    };
    for (set, bytes, text) in [
        ("Shift_JIS", &b"\x95\x5c\x8e\x86\x83\x5c"[..], "\u{8868}\u{7d19}\u{30bd}"),
        ("Shift_JIS", b"\x83\x5c", "\u{30bd}"),
        ("Shift_JIS", b"\x8f\x5c", "\u{5341}"),
        (
            "Shift_JIS",
            b"\x96\x7b\x88\xf6\x96V\x8fG\x8d\xf4",
            "\u{672c}\u{56e0}\u{574a}\u{79c0}\u{7b56}",
        ),
        (
            "Shift_JIS",
            b"\x82\xb1\x82\xcc\x8e\xe8\x82\xcd\x97\xc7\x82\xa2\x8e\xe8\x82\xc5\x82\xb7",
            "\u{3053}\u{306e}\u{624b}\u{306f}\u{826f}\u{3044}\u{624b}\u{3067}\u{3059}",
        ),
        (
            "EUC-JP",
            b"\xcb\xdc\xb0\xf8\xcb\xb7\xbd\xa8\xba\xf6",
            "\u{672c}\u{56e0}\u{574a}\u{79c0}\u{7b56}",
        ),
        ("Big5", b"\xb3\x5c\xa5\x5c\xbb\x5c", "\u{8a31}\u{529f}\u{84cb}"),
        ("Big5", b"\xb3\x5c", "\u{8a31}"),
        ("Big5", b"\xaaL\xae\xfc\xaep", "\u{6797}\u{6d77}\u{5cf0}"),
        ("GBK", b"\xba\xda\xb7\xbd", "\u{9ed1}\u{65b9}"),
        ("GBK", b"\xc4\xf4\xce\xc0\xc6\xbd", "\u{8042}\u{536b}\u{5e73}"),
        ("GBK", b"\xba\xda\xd6\xd0\xc5\xcc\xca\xa4", "\u{9ed1}\u{4e2d}\u{76d8}\u{80dc}"),
        ("EUC-KR", b"\xc0\xcc\xc3\xa2\xc8\xa3", "\u{c774}\u{cc3d}\u{d638}"),
        ("EUC-KR", b"\xb9\xd9\xb5\xcf", "\u{bc14}\u{b451}"),
        (
            "ISO-2022-JP",
            b"\x1b\x24BK\x5c0xK7\x3d\x28\x3av\x1b\x28B",
            "\u{672c}\u{56e0}\u{574a}\u{79c0}\u{7b56}",
        ),
        ("GBK", b"\xd2\x5d", "\u{8957}"),
    ] {
        let (name, remarks) = read_name(bytes);
        assert_eq!(name, text, "{set}");
        assert_eq!(remarks, [format!("no character set is named: read as {set}")], "{text}");
    }
    // Single bytes are Latin-1, the default of SGF, whatever they could be.
    for (bytes, text) in [
        (&b"Jos\xe9"[..], "Jos\u{e9}"),
        (b"Jos\xe9e", "Jos\u{e9}e"),
        (b"Ren\xe9", "Ren\u{e9}"),
        (b"M\xfcller", "M\u{fc}ller"),
        (b"\xc5ke Sj\xf6str\xf6m", "\u{c5}ke Sj\u{f6}str\u{f6}m"),
        (b"don\x92t", "don\u{2019}t"),
        (b"Gr\xf6\xdfe", "Gr\u{f6}\u{df}e"),
        (b"Fran\xe7ois", "Fran\u{e7}ois"),
        (b"Mu\xf1oz", "Mu\u{f1}oz"),
        (b"Kj\xf8ller", "Kj\u{f8}ller"),
        (b"na\xefve", "na\u{ef}ve"),
    ] {
        assert_eq!(read_name(bytes), (text.to_owned(), vec![]));
    }
    // A bracket that is wrong in every set doesn't make Latin-1 another set.
    let (record, remarks) = read_all(b"(;SZ[9]PB[Jos\xe9]C[a] b];B[ee])");
    assert_eq!(record.player_names[0], "Jos\u{e9}");
    assert_eq!(kinds(&remarks), ["C: a bracket is not escaped"]);
}

#[test]
fn wrong_character_sets_are_told() {
    let read_name = |charset: &str, name: &[u8]| {
        let file = [b"(;SZ[9]CA[", charset.as_bytes(), b"]PB[", name, b"];B[ee];W[cc])"].concat();
        let (record, remarks) = read_all(file);
        assert_eq!(moves(&record), "bE5 wC7", "{charset}: {name:?}");
        (record.player_names[0].clone(), kinds(&remarks))
    };
    let sjis = b"\x95\x5c\x8e\x86\x83\x5c";
    for (charset, bytes, text, remark) in [
        (
            "UTF-8",
            &sjis[..],
            "\u{8868}\u{7d19}\u{30bd}",
            "not all text is UTF-8: read as Shift_JIS",
        ),
        (
            "GB2312",
            "Jos\u{e9} \u{56f4}".as_bytes(),
            "Jos\u{e9} \u{56f4}",
            "not all text is GB2312: read as UTF-8",
        ),
        ("UTF-8", b"Jos\xe9", "Jos\u{fffd}", "not all text is UTF-8: bytes are read as U+FFFD"),
        (
            "no such set",
            sjis,
            "\u{8868}\u{7d19}\u{30bd}",
            "unknown character set no such set, read as Shift_JIS",
        ),
        (
            "no such set",
            "\u{e9}".as_bytes(),
            "\u{e9}",
            "unknown character set no such set, read as UTF-8",
        ),
    ] {
        assert_eq!(read_name(charset, bytes), (text.to_owned(), vec![remark.to_owned()]));
    }
    let (record, remarks) = read_all(b"\xef\xbb\xbf(;SZ[9]PB[Jos\xe9];B[ee])");
    assert_eq!(record.player_names[0], "Jos\u{fffd}");
    assert_eq!(kinds(&remarks), ["not all text is UTF-8: bytes are read as U+FFFD"]);
    let utf_16 = b"\xff\xfe(\0;\0S\0Z\0[\x009\0]\0C\0[\0\0\xd8]\0)\0";
    let (record, remarks) = read_all(utf_16);
    assert_eq!(record.nodes[0].comment, "\u{fffd}");
    assert_eq!(kinds(&remarks), ["not all text is UTF-16LE: bytes are read as U+FFFD"]);
}

/// The guess looks at the beginning of a file, and the reader at each byte a few times.
#[test]
fn large_files_of_any_bytes_are_read() {
    testkit::inputs(4, |input| {
        for unit in [&b"\x83\x5c"[..], b"\xb3\x5c]", b"\xbc\xb1(", b"\xe9 [", b"\x1b$B%=\x1b(B"] {
            let mut file = b"(;SZ[9]C[".to_vec();
            file.extend(unit.iter().cycle().take(1 << 20));
            file.push(input.byte());
            let _ = Record::from_bytes(&file);
        }
    });
}

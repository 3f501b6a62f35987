//! Records that are written and read back, and texts of other programs.

use bitcore::Rng;
use go_mc::sgf::{
    Action, MAX_NODES, MAX_REMARKS, MAX_VALUES, Node, Property, Reading, Record, Remark, RemarkKind, Setup,
    SgfError,
};
use go_mc::{Color, IllegalMove, Ko, Move, Point, Points, Rules, Size, Suicide};

fn read(text: &str) -> Result<Record, SgfError> {
    text.parse()
}

/// Reads a text of a stranger: the record and the remarks.
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

/// The texts of remarks without their places.
fn kinds(remarks: &[Remark]) -> Vec<String> {
    remarks.iter().map(|remark| remark.kind.to_string()).collect()
}

#[test]
fn a_record_in_all_its_parts() {
    let text = "(;FF[4]GM[1]SZ[5]KM[0.5]PB[one]PW[two\\]]RE[B+3]HA[2]RU[NZ]AB[aa][bb]AW[cc]C[set up]\
                ;W[ee]C[a corner];B[]C[pass]LB[aa:x\\:y][bb:2];AE[aa]AW[ba]\
                (;W[ab];B[tt])(;W[ba]C[not the main line]))";
    let reading = Record::from_bytes(text.as_bytes()).unwrap();
    assert_eq!((reading.remarks.as_slice(), reading.has_variations), (&[][..], true));
    let record = reading.record;
    assert_eq!((record.size, record.komi), (Size::new(5, 5).unwrap(), Some(0.5)));
    assert_eq!((record.player_names[1].as_str(), record.result.as_str()), ("two]", "B+3"));
    let root = &record.nodes[0];
    let Action::Setup(setup) = &root.action else { panic!("{root:?}") };
    assert_eq!((setup.black, setup.white, setup.empty), (stones("A5 B4"), stones("C3"), Points::EMPTY));
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
        let mut game = record.new_game(Rules { ko: Ko::Simple, suicide: Suicide::Forbidden });
        for node in &record.nodes {
            assert_eq!(node.play(&mut game), None);
        }
        assert_eq!((record.first_to_move(), game.to_move()), (first, next), "{text}");
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
    let text =
        "(;SZ[5]SBKV[50];B[aa]SBKV[45.61];W[bb];B[cc]SBKV[101];W[]SBKV[x];B[dd]SBKV[nan];W[ee]SBKV[0])";
    let (record, remarks) = read_all(text);
    let percents: Vec<Option<f64>> = record.nodes.iter().map(|node| node.black_win_percent).collect();
    assert_eq!(percents, [Some(50.0), Some(45.61), None, None, None, None, Some(0.0)]);
    assert_eq!(remarks.len(), 3, "{remarks:?}");
    let written = record.to_string();
    assert!(written.contains("SBKV[50];B[aa]SBKV[45.61];W[bb];"), "{written}");
    assert_eq!(written.parse(), Ok(record));
}

/// Forms of public files: the text, the moves and the komi that are read, and what is said.
type Form = (&'static str, &'static str, Option<f64>, &'static [&'static str]);

const BRACKETS: [Form; 11] = [
    ("C[x];B[ee]C[Look [A] Very big];W[cc]", "bE5 wC7", None, &["C: a bracket is not escaped"]),
    ("C[x];B[ee]C[Look [A] and W[aa] too];W[cc]", "bE5 wC7", None, &["C: a bracket is not escaped"]),
    ("US[Bob [3d] KGS]AB[cc][gg];W[ee]", "wE5", None, &["US: a bracket is not escaped"]),
    ("EV[Cup [B] Final]KM[5.5];B[ee]", "bE5", Some(5.5), &["EV: a bracket is not escaped"]),
    ("C[bob: \\\\] Nice Move\n];W[cc]", "wC7", None, &["C: a bracket is not escaped"]),
    ("US[Bob[3d]];B[ee]", "bE5", None, &["US: a bracket is not escaped"]),
    ("GN[lostKM[5.5];B[ee]", "bE5", None, &["GN: a bracket is not escaped"]),
    ("C[see [here];B[ee]", "bE5", None, &[]),
    (";B[ee]]W[cc];B[gg]", "bE5 wC7 bG3", None, &["two moves in a node", "skipped: \"]\""]),
    (";[ee]B[ee]", "bE5", None, &["skipped: \"[ee]\""]),
    (";B[[ee]", "", None, &["skipped: B[[ee] is no valid value"]),
];

const PROPERTIES: [Form; 22] = [
    ("DT[2001]DT[2001]RU[a]RU[b]", "", None, &["skipped: a second value of RU"]),
    (";B[ee];W;B[cc]", "bE5 bC7", None, &["skipped: W has no value"]),
    (";LB B[ee];W[cc]", "bE5 wC7", None, &["skipped: LB has no value"]),
    (";B[ee]  GOOD MOVE ;W[cc]", "bE5 wC7", None, &["skipped: \"GOOD MOVE\""]),
    (";B[ee],;W[cc]", "bE5 wC7", None, &["skipped: \",\""]),
    (";b[ee];w[cc]", "bE5 wC7", None, &["b: a name in lower case", "w: a name in lower case"]),
    (";Black[ee];White[cc]", "bE5 wC7", None, &[]),
    (";Ab[ee];W[cc]", "wC7", None, &["Ab: a name in lower case"]),
    (";A[ee]", "", None, &["A is no property of SGF"]),
    (";B[ee]C[one]C[two]", "bE5", None, &["C is there twice in a node"]),
    (";B[ee]LB[aa:1]LB[bb:2]", "bE5", None, &["LB is there twice in a node"]),
    (";B[ee]B[ee]", "bE5", None, &[]),
    (
        ";B[ee]B[cc];W[gg][aa]",
        "bE5 wG3",
        None,
        &["skipped: a second value of B", "skipped: a second value of W"],
    ),
    ("GM[1]GM[1]GM[ 1 ]GM[]FF[4]FF[3]", "", None, &[]),
    ("GM[go]", "", None, &["skipped: GM[go] is no valid value"]),
    ("GM[1][9]", "", None, &["skipped: a second value of GM"]),
    ("PB[a]PB[a]PW[b]PW[c]", "", None, &["skipped: a second value of PW"]),
    ("HA[2];W[ee]", "wE5", None, &["HA[2]: a handicap without stones"]),
    ("HA[2];B[ee];B[cc]", "bE5 bC7", None, &[]),
    ("HA[2];AB[ee][cc];W[aa]", "wA9", None, &[]),
    ("HA[many]", "", None, &["skipped: HA[many] is no valid value"]),
    ("PL[red]", "", None, &["skipped: PL[red] is no valid value"]),
];

const KOMIS: [Form; 18] = [
    ("KM[325]", "", Some(6.5), &["KM[325] is read as 6.5"]),
    ("KM[350]", "", Some(7.0), &["KM[350] is read as 7"]),
    ("KM[275]", "", Some(5.5), &["KM[275] is read as 5.5"]),
    ("KM[375]", "", Some(7.5), &["KM[375] is read as 7.5"]),
    ("KM[650]", "", Some(6.5), &["KM[650] is read as 6.5"]),
    ("KM[50]HA[2]AB[cc][gg]", "", Some(0.5), &["KM[50] is read as 0.5"]),
    ("KM[50]", "", Some(50.0), &[]),
    ("KM[-200.5]", "", Some(-200.5), &[]),
    ("KM[6,5]", "", Some(6.5), &[]),
    ("KM[ +6.5 ]", "", Some(6.5), &[]),
    ("KM[.5]KM[0.50]", "", Some(0.5), &[]),
    ("KM[6.5 points]", "", Some(6.5), &["KM[6.5 points] is read as 6.5"]),
    ("KM[]", "", None, &["skipped: KM[] is no valid value"]),
    ("KM[half]", "", None, &["skipped: KM[half] is no valid value"]),
    (
        "KM[1e999]KM[nan]",
        "",
        None,
        &["skipped: KM[1e999] is no valid value", "skipped: KM[nan] is no valid value"],
    ),
    ("KM[6.5]KM[7.5]", "", Some(6.5), &["skipped: a second value of KM"]),
    ("KO[6.5]", "", Some(6.5), &["KO[6.5] is read as 6.5"]),
    (";B[ee]KO[]", "bE5", None, &[]),
];

const POINTS: [Form; 14] = [
    (";B[tt];W[];B[  ]", "bpass wpass bpass", None, &[]),
    (";B[pass];W[``]", "bpass wpass", None, &["B[pass] is read as pass", "W[``] is read as pass"]),
    (";B[TT];W[CC]", "bpass wC7", None, &["B[TT] is read as pass", "W[CC] is read as C7"]),
    (";B[E5];W[c c]", "bE5 wC7", None, &["B[E5] is read as E5", "W[c c] is read as C7"]),
    (";B[zz];W[ja]", "", None, &["skipped: B[zz] is off the board", "skipped: W[ja] is off the board"]),
    (";B[x];W[Z9]", "", None, &["skipped: B[x] is no valid value", "skipped: W[Z9] is no valid value"]),
    (";B[\u{e9}\u{e9}]", "", None, &["skipped: B[\u{e9}\u{e9}] is no valid value"]),
    ("AB[]AW[ee]", "", None, &["skipped: AB[] is no valid value"]),
    ("AB[ee][ee]AB[cc]", "", None, &[]),
    ("AW[ee]AB[ee]", "", None, &["AB[ee]: a point that is set up twice"]),
    ("AB[zz][ee]", "", None, &["skipped: AB[zz] is off the board"]),
    ("AB[cc:aa]AW[ii:jj]", "", None, &["AB[cc:aa] is read as 9 points", "AW[ii:jj] is read as 1 points"]),
    (
        "AB[jj:kk][a:b]",
        "",
        None,
        &["skipped: AB[jj:kk] is off the board", "skipped: AB[a:b] is no valid value"],
    ),
    ("AW[ab][ba]AB[aa]", "", None, &["1 stones without a liberty are taken off the board"]),
];

/// Every form that public files have is read, or is said not to be.
#[test]
fn forms_of_other_programs() {
    let all = BRACKETS.iter().chain(&PROPERTIES).chain(&KOMIS).chain(&POINTS);
    for &(text, read, komi, said) in all {
        let text = format!("(;SZ[9]{text})");
        let (record, remarks) = read_all(&text);
        assert_eq!((moves(&record).as_str(), record.komi), (read, komi), "{text}: {remarks:?}");
        assert_eq!(kinds(&remarks), said, "{text}");
        // What is written again needs no remark, but for what is kept as it is.
        for remark in kinds(&read_all(record.to_string()).1) {
            let kept = ["a handicap", "no property of SGF"];
            assert!(kept.iter().any(|kept| remark.contains(kept)), "{text}: {remark}");
        }
    }
    let (record, _) = read_all("(;SZ[3]AW[aa];AB[ab][ba])");
    assert_eq!(record.to_string(), "(;GM[1]FF[4]CA[UTF-8]SZ[3]AW[aa];AB[ab][ba]AE[aa])");
    // White's stone counts, whatever the order.
    for text in ["(;SZ[9]AB[ee]AW[ee]AE[ee])", "(;SZ[9]AE[ee]AW[ee]AB[ee])"] {
        assert_eq!(read_all(text).0.board().stones(Color::White), stones("E5"));
    }
}

#[test]
fn players_of_pl() {
    for (value, color) in [("B", 0), ("w", 1), ("black", 0), ("White", 1), ("1", 0), ("2", 1), (" W ", 1)] {
        let record = read(&format!("(;SZ[9]AB[ee]AW[cc]PL[{value}])")).unwrap();
        assert_eq!(record.first_to_move(), Color::ALL[color], "{value}");
    }
}

/// What stands around the nodes.
#[test]
fn structures_of_other_programs() {
    let open = ["W: the value ends without ]", "skipped: W[c] is no valid value", "the game ends without )"];
    let before = "text before the game: \"Notes (; see below ;)\"";
    for (text, read, said) in [
        ("(SZ[9];B[ee];W[cc])", "bE5 wC7", &["a sequence begins without ;"][..]),
        ("( ; SZ [9] ; B [ee] ; W [cc] )", "bE5 wC7", &[]),
        ("(;SZ[9]\u{a0};B[ee]\u{3000}\u{c};W[cc])\r\n\u{1a}\0", "bE5 wC7", &[]),
        ("(;;;SZ[9];;B[ee];;W[cc];)", "bE5 wC7", &[]),
        ("(;SZ[9];B[ee]()(;W[cc]))", "bE5 wC7", &[]),
        ("(;SZ[9];B[ee];W[cc]", "bE5 wC7", &["the game ends without )"]),
        ("(;SZ[9](;B[ee](;W[cc]))", "bE5 wC7", &["the game ends without )"]),
        ("(;SZ[9];B[ee];W[c", "bE5", &open),
        ("(;SZ[9];B[ee]);W[cc])", "bE5", &["text after the game: \";W[cc])\""]),
        ("(;SZ[9](;B[ee]);W[cc])", "bE5", &["skipped: \";W[cc])\""]),
        (";SZ[9];B[ee](;W[cc]))", "bE5 wC7", &["the game begins without ("]),
        ("(;SZ[9];B[ee])(;SZ[9];W[cc])", "bE5", &["only the first game is read"]),
        ("Notes (; see below ;)\n(;SZ[9];B[ee])", "bE5", &[before]),
        ("(;SZ[9];B[ee])\n-- \nregards", "bE5", &["text after the game: \"-- \\nregards\""]),
    ] {
        let (record, remarks) = read_all(text);
        assert_eq!(moves(&record), read, "{text}");
        assert_eq!(kinds(&remarks), said, "{text}");
        assert_eq!(record.size.width(), 9, "{text}");
    }
    let (_, remarks) = read_all("x(;SZ[9]\n;B[zz]\r\n;W[\u{56f4}]\r;B[ee],)");
    let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        [
            "line 1, column 1: text before the game: \"x\"",
            "line 2, column 4: skipped: B[zz] is off the board",
            "line 3, column 4: skipped: W[\u{56f4}] is no valid value",
            "line 4, column 7: skipped: \",\"",
        ]
    );
    // The first remark is the error of a text that is to be read whole.
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
        ("", (19, 19), true),
        ("five", (19, 19), true),
        ("0", (19, 19), true),
        ("-9", (19, 19), true),
    ] {
        let (record, remarks) = read_all(format!("(;SZ[{value}];B[aa])"));
        assert_eq!((record.size.width(), record.size.height()), sides, "{value}");
        assert_eq!(remarks.len(), usize::from(said), "{value}: {remarks:?}");
    }
    // A size before the first stone counts, a second one doesn't.
    let (record, remarks) = read_all("(;GM[1];SZ[9]SZ[9]SZ[13];B[ee];SZ[9])");
    assert_eq!((record.size.width(), moves(&record)), (9, "bE5".into()));
    assert_eq!(kinds(&remarks), ["skipped: a second value of SZ"]);
    for value in ["20", "25", "19:20", "52", "1000000000000"] {
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

/// Only the main line is read, so only it is bounded.
#[test]
fn long_records() {
    let long = format!("({})", ";B[]".repeat(MAX_NODES + 1));
    assert_eq!(read(&long), Err(SgfError::TooManyNodes));
    let most = format!("(;SZ[9]{})", ";B[]".repeat(MAX_NODES - 1));
    assert_eq!(read(&most).unwrap().moves().count(), MAX_NODES - 1);
    let variations = format!("(;SZ[9];B[ee](;W[cc]){})", "(;W[aa]C[;)(])".repeat(100_000));
    let reading = Record::from_bytes(variations.as_bytes()).unwrap();
    assert_eq!((moves(&reading.record), reading.has_variations), ("bE5 wC7".into(), true));
    assert_eq!(reading.remarks, []);
    assert_eq!(read_all(format!("(;SZ[9]{}", "(".repeat(1_000_000))).0.size.width(), 9);
    assert_eq!(read(&format!("(;SZ[9]LB{})", "[]".repeat(MAX_VALUES))), Err(SgfError::TooManyValues));
    let (record, _) = read_all(format!("(;SZ[9]AB{})", "[aa:hi]".repeat(100_000)));
    assert!(record.nodes[0].is_setup());
    let (_, remarks) = read_all(format!("(;SZ[9]AB{})", "[zz]".repeat(100_000)));
    assert_eq!(remarks.len(), MAX_REMARKS + 1);
    assert_eq!(kinds(&remarks[MAX_REMARKS..]), ["and 99900 more remarks"]);
    // Texts that could be looked at again and again.
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

/// SGF wants every move on the board, whether or not it is legal.
#[test]
fn illegal_moves_are_played() {
    let (record, remarks) = read_all("(;SZ[3]AW[ab][ba];B[aa];W[bb];B[bb];B[zz])");
    assert_eq!(
        kinds(&remarks),
        [
            "move 1: the move is suicide; it is played as written",
            "move 3: the point is occupied; it is played as written",
            "skipped: B[zz] is off the board",
        ]
    );
    assert_eq!(record.board().to_string(), ".O.\nOX.\n...\n");
    // A ko that is retaken at once.
    let (record, remarks) = read_all("(;SZ[4]AB[ba][bc][ab]AW[ca][db][cc][bb];B[cb];W[bb])");
    assert_eq!(kinds(&remarks), ["move 2: the ko may not be retaken at once; it is played as written"]);
    assert_eq!(record.board().to_string(), ".XO.\nXO.O\n.XO.\n....\n");
    let mut game = record.new_game(Rules { ko: Ko::Positional, suicide: Suicide::Forbidden });
    let broken: Vec<Option<IllegalMove>> = record.nodes.iter().map(|node| node.play(&mut game)).collect();
    assert_eq!(broken, [None, None, Some(IllegalMove::Superko)]);
    // From then on the rules hold.
    assert_eq!(game.play("C3".parse().unwrap()), Err(IllegalMove::Superko));
}

fn random_text(rng: &mut Rng) -> String {
    let texts = ["", "a \\ b] c: d\nnew line", "\u{56f4}\u{68cb} (;B[aa])", "x [y]"];
    texts[rng.below(4) as usize].to_owned()
}

fn random_node(rng: &mut Rng, size: Size) -> Node {
    let color = |rng: &mut Rng| Color::ALL[rng.below(2) as usize];
    let at = Point { x: rng.below(size.width() as u32) as u8, y: rng.below(size.height() as u32) as u8 };
    let mut node = Node { comment: random_text(rng), ..Node::default() };
    match rng.below(8) {
        0 => {
            let mut setup = Setup::default();
            for index in size.points() {
                let sets = [&mut setup.black, &mut setup.white, &mut setup.empty];
                if let Some(set) = sets.into_iter().nth(rng.below(20) as usize) {
                    set.insert(index);
                }
            }
            if setup != Setup::default() {
                node.action = Action::Setup(Box::new(setup));
            }
            node.to_move = (rng.below(2) == 0).then(|| color(rng));
        }
        1 => node.action = Action::Move(color(rng), Move::Pass),
        _ => node.action = Action::Move(color(rng), Move::Play(at)),
    }
    node.black_win_percent = (rng.below(3) == 0).then(|| f64::from(rng.below(100_001)) / 1000.0);
    if rng.below(4) == 0 {
        let values = ["", "aa:x\\:y", "\\]", "two\nlines"];
        let values = (0..=rng.below(3)).map(|_| values[rng.below(4) as usize].to_owned()).collect();
        node.properties.push(Property { name: ["RU", "LB", "XX"][rng.below(3) as usize].into(), values });
    }
    node
}

fn random_record(rng: &mut Rng) -> Record {
    let size = Size::new(1 + rng.below(19) as usize, 1 + rng.below(19) as usize).unwrap();
    let mut record = Record::new(size);
    record.komi = (rng.below(2) == 0).then(|| f64::from(rng.below(40)) / 2.0);
    record.player_names = [random_text(rng), random_text(rng)].map(|name| name.replace('\n', " "));
    record.nodes = vec![Node { action: Action::None, ..random_node(rng, size) }];
    let nodes: Vec<Node> = (0..rng.below(30)).map(|_| random_node(rng, size)).collect();
    record.nodes.extend(nodes.into_iter().filter(|node| *node != Node::default()));
    record
}

#[test]
fn records_round_trip() {
    testkit::seeds(200, |seed| {
        let record = random_record(&mut Rng::new(seed));
        let (again, remarks) = read_all(record.to_string());
        // Stones without a liberty are in no setup that was read.
        if remarks.iter().all(|remark| !matches!(remark.kind, RemarkKind::NoLiberty(_))) {
            assert_eq!(again, record);
        }
        assert_eq!(read_all(again.to_string()).0, again);
        // Random games are seldom legal.
        let allowed = |kind: &RemarkKind| {
            matches!(kind, RemarkKind::Illegal { .. } | RemarkKind::NoLiberty(_) | RemarkKind::More(_))
        };
        assert!(remarks.iter().all(|remark| allowed(&remark.kind)), "{remarks:?}");
        assert_eq!(again.board(), record.board());
    });
}

/// A record that lost or got a byte is read as it was, or with a remark, or refused.
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
            // A digit less is another value, a letter less another property.
            let byte = text.as_bytes()[at];
            let in_word = insert.is_empty() && (byte.is_ascii_alphanumeric() || byte == b'.');
            assert!(same || !reading.remarks.is_empty() || in_word, "{changed}");
        }
    }
}

#[test]
fn any_text_is_read_or_refused() {
    testkit::seeds(5000, |seed| {
        let mut rng = Rng::new(seed);
        let pieces = [
            "(", ")", ";", "B", "W", "AB", "SZ", "[", "]", "aa", "9", "\\", ":", " ", "\n", "\u{e9}", "C",
            "KM", "AE", "x", "PL",
        ];
        let text: String = (0..rng.below(60)).map(|_| pieces[rng.below(21) as usize]).collect();
        if let Ok(reading) = Record::from_bytes(text.as_bytes()) {
            let (again, _) = read_all(reading.record.to_string());
            assert_eq!(again, reading.record, "{text}");
            assert_eq!(again.board(), reading.record.board());
        }
        let mut bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
        let _ = read(&String::from_utf8_lossy(&bytes));
        let _ = Record::from_bytes(&bytes);
        bytes.splice(
            ..0,
            [&b"(;CA[Big5]C["[..], b"(;CA[", b"\xff\xfe(\0;\0"][rng.below(3) as usize].iter().copied(),
        );
        let _ = Record::from_bytes(&bytes);
    });
}

/// What a program makes by hand is written so that it can be read.
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
        Node { properties: ["", "lower", "B", "C", "GM", "LB"].map(property).to_vec(), ..Node::default() },
        Node { properties: vec![Property { name: "TR".into(), values: vec![] }], ..Node::default() },
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

/// Records of every character set that real files are in.
#[test]
fn files_are_decoded() {
    let name = |bytes: &[u8]| Record::from_bytes(bytes).map(|reading| reading.record.player_names[0].clone());
    let utf16 =
        |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let named =
        |charset: &str, name: &[u8]| [b"(;SZ[9]CA[", charset.as_bytes(), b"]PB[", name, b"])"].concat();
    let jose = "(;SZ[9]PB[Jos\u{e9}];B[ee])";
    // Without a name: UTF-8 with and without a mark, and Latin-1.
    for bytes in [jose.as_bytes().to_vec(), [&b"\xef\xbb\xbf"[..], jose.as_bytes()].concat()] {
        assert_eq!(name(&bytes).as_deref(), Ok("Jos\u{e9}"));
    }
    assert_eq!(name(b"(;SZ[9]PB[Jos\xe9];B[ee])").as_deref(), Ok("Jos\u{e9}"));
    assert_eq!(name(&utf16(&format!("\u{feff}{jose}"), u16::to_le_bytes)).as_deref(), Ok("Jos\u{e9}"));
    assert_eq!(name(&utf16(&format!("\u{feff}{jose}"), u16::to_be_bytes)).as_deref(), Ok("Jos\u{e9}"));
    // With a name. The second bytes of Shift_JIS and Big5 may be brackets and backslashes.
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
    ] {
        assert_eq!(name(&named(charset, bytes)).as_deref(), Ok(text), "{charset}");
    }
    // Names of other programs.
    for (charset, bytes, text) in [
        ("EUC-CN", &b"\xce\xa7"[..], "\u{56f4}"),
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
        let remark = Remark { line: 1, column: 1, kind: RemarkKind::Charset(shown.into()) };
        assert_eq!((record.player_names[0].as_str(), remarks), ("\u{e9}", vec![remark]));
    }
    // UTF-16 without a mark.
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        assert_eq!(name(&utf16(jose, bytes)).as_deref(), Ok("Jos\u{e9}"));
    }
    // The property, not a word in a text.
    for text in ["CA[Big5\\]", "x\\]CA[Big5\\]"] {
        let bytes = [b"(;SZ[9]C[", text.as_bytes(), b"]PB[Jos\xe9])"].concat();
        assert_eq!(name(&bytes).as_deref(), Ok("Jos\u{e9}"), "{text}");
    }
    assert_eq!(name(b"(;SZ[9]C[x\\\\] CA [Big5]PB[\xb3\x5c])").as_deref(), Ok("\u{8a31}"));
    // A record with letters beyond ASCII says what it is written in.
    let (record, _) = read_all(named("Big5", b"\xb3\x5c"));
    assert!(record.to_string().starts_with("(;GM[1]FF[4]CA[UTF-8]SZ[9]PB["), "{record}");
    assert_eq!(read_all(record.to_string()), (record, vec![]));
}

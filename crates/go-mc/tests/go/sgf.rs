//! Records that are written and read back, and invalid texts.

use bitcore::Rng;
use go_mc::sgf::{MAX_NODES, MAX_POINTS, MoveNode, Record, SgfError};
use go_mc::{Color, IllegalMove, Move, Point, Points, Size, Suicide};

fn read(text: &str) -> Result<Record, SgfError> {
    text.parse()
}

#[test]
fn a_record_in_all_its_parts() {
    let text = "(;FF[4]GM[1]SZ[5]KM[0.5]PB[one]PW[two\\]]RE[B+3]AB[aa][bb]AW[cc]C[set up]\
                ;W[ee]C[a corner];B[]C[pass](;W[ab];B[tt])(;W[ba]C[not the main line]))(;SZ[9];B[aa])";
    let record = read(text).unwrap();
    assert_eq!((record.size, record.komi), (Size::new(5, 5).unwrap(), Some(0.5)));
    assert_eq!((record.player_names[1].as_str(), record.result.as_str()), ("two]", "B+3"));
    let stones = |points: &str| -> Points<19> {
        points.split(' ').map(|p| Points::<19>::index(p.parse().unwrap()).unwrap()).collect()
    };
    assert_eq!(record.setup, [stones("A5 B4"), stones("C3")]);
    assert_eq!(record.comment, "set up");
    let turn = |color, mv: &str, comment: &str| MoveNode {
        color,
        mv: mv.parse().unwrap(),
        comment: comment.into(),
        black_win_percent: None,
    };
    let (black, white) = (Color::Black, Color::White);
    let moves = [
        turn(white, "E1", "a corner"),
        turn(black, "pass", "pass"),
        turn(white, "A4", ""),
        turn(black, "pass", ""),
    ];
    assert_eq!(record.moves, moves);
    assert_eq!(record.to_string().parse(), Ok(record.clone()));
    let board = record.board(Suicide::Forbidden).unwrap();
    assert_eq!(board.to_string(), "X....\nOX...\n..O..\n.....\n....O\n");
}

#[test]
fn first_to_move() {
    let (black, white) = (Some(Color::Black), Some(Color::White));
    for (text, said, first) in [
        ("(;SZ[5])", None, Color::Black),
        ("(;SZ[5]AB[aa])", None, Color::White),
        ("(;SZ[5]AB[aa]AW[bb])", None, Color::Black),
        ("(;SZ[5]AB[aa]PL[B])", black, Color::Black),
        ("(;SZ[5];PL[W])", white, Color::White),
        ("(;SZ[5]PL[W];B[aa])", white, Color::Black),
        ("(;SZ[5];B[aa];PL[W])", None, Color::Black),
    ] {
        let record = read(text).unwrap();
        assert_eq!((record.to_move, record.first_to_move()), (said, first), "{text}");
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
    let record = read(text).unwrap();
    let percents: Vec<Option<f64>> = record.moves.iter().map(|turn| turn.black_win_percent).collect();
    assert_eq!(
        (record.black_win_percent, percents),
        (Some(50.0), vec![Some(45.61), None, None, None, None, Some(0.0)])
    );
    let written = record.to_string();
    assert!(written.contains("SBKV[50];B[aa]SBKV[45.61];W[bb];"), "{written}");
    assert_eq!(written.parse(), Ok(record));
}

#[test]
fn errors_name_the_node() {
    let value = |node, property: &str| Err(SgfError::InvalidValue { node, property: property.into() });
    assert_eq!(read("(;SZ[0])"), value(0, "SZ"));
    assert_eq!(read("(;SZ[20])"), value(0, "SZ"));
    assert_eq!(read("(;SZ[five])"), value(0, "SZ"));
    assert_eq!(read("(;SZ[5]KM[1e999])"), value(0, "KM"));
    assert_eq!(read("(;SZ[5]KM[nan])"), value(0, "KM"));
    assert_eq!(read("(;SZ[5];B[aa];W[a])"), value(2, "W"));
    assert_eq!(read("(;SZ[5];B[fa])"), Err(SgfError::OffBoard { node: 1 }));
    assert_eq!(read("(;SZ[5]AB[af])"), Err(SgfError::OffBoard { node: 0 }));
    assert_eq!(read("(;SZ[5];B[aa];AB[bb])"), Err(SgfError::InvalidSetup { node: 2 }));
    let long = format!("({})", ";B[]".repeat(MAX_NODES + 1));
    assert_eq!(read(&long), Err(SgfError::TooManyNodes(MAX_NODES + 1)));
    assert_eq!(read(&format!("({})", ";B[]".repeat(MAX_NODES))).unwrap().moves.len(), MAX_NODES);
    for text in ["", "(", ")", "(;", "B[aa]", "(;GM[2])", "(;SZ[9", "((((", "(;C[\u{fffd}\\"] {
        assert!(matches!(read(text), Err(SgfError::Syntax(_))), "{text}");
    }
    let twice = read("(;SZ[2];B[aa];W[aa])").unwrap();
    let illegal = SgfError::IllegalMove { number: 2, error: IllegalMove::Occupied };
    assert_eq!(twice.board(Suicide::Forbidden), Err(illegal));
    let buried = read("(;SZ[2]AB[aa][ab][ba][bb])").unwrap();
    assert_eq!(buried.board(Suicide::Forbidden), Err(SgfError::InvalidSetup { node: 0 }));
}

#[test]
fn records_round_trip() {
    testkit::seeds(200, |seed| {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(19) as usize, 1 + rng.below(19) as usize);
        let mut record = Record::new(Size::new(width, height).unwrap());
        record.komi = (rng.below(2) == 0).then(|| f64::from(rng.below(40)) / 2.0);
        record.to_move = [None, Some(Color::Black), Some(Color::White)][rng.below(3) as usize];
        let texts = ["", "a \\ b] c: d\nnew line", "\u{56f4}\u{68cb} (;B[aa])", "x"];
        let mut text = || texts[rng.below(4) as usize].to_owned();
        record.comment = text();
        record.player_names = [text(), text()].map(|name| name.replace('\n', " "));
        for _ in 0..rng.below(30) {
            let at = Point { x: rng.below(width as u32) as u8, y: rng.below(height as u32) as u8 };
            let mv = if rng.below(5) == 0 { Move::Pass } else { Move::Play(at) };
            let comment = texts[rng.below(4) as usize].to_owned();
            let black_win_percent = (rng.below(3) == 0).then(|| f64::from(rng.below(100_001)) / 1000.0);
            record.moves.push(MoveNode {
                color: Color::ALL[rng.below(2) as usize],
                mv,
                comment,
                black_win_percent,
            });
        }
        for index in record.size.points() {
            let color = rng.below(9) as usize;
            if color < 2 {
                record.setup[color].insert(index);
            }
        }
        assert_eq!(record.to_string().parse(), Ok(record));
    });
}

#[test]
fn any_text_is_read_or_refused() {
    testkit::seeds(5000, |seed| {
        let mut rng = Rng::new(seed);
        let pieces = [
            "(", ")", ";", "B", "W", "AB", "SZ", "[", "]", "aa", "9", "\\", ":", " ", "\n", "\u{e9}", "C",
            "KM",
        ];
        let text: String = (0..rng.below(60)).map(|_| pieces[rng.below(18) as usize]).collect();
        if let Ok(record) = read(&text) {
            assert_eq!(record.to_string().parse(), Ok(record.clone()), "{text}");
            let _ = record.board(Suicide::All);
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

#[test]
fn the_stones_of_a_setup_are_written_in_point_order() {
    let text = "(;GM[1]FF[4]SZ[9]AB[ai][ci][ei][gi][ah][ch][eh][gh]AW[ba][da])";
    for _ in 0..20 {
        assert_eq!(read(text).unwrap().to_string(), text);
    }
}

/// Records of every character set that real files are in.
#[test]
fn files_are_decoded() {
    let name = |bytes: &[u8]| Record::from_bytes(bytes).map(|record| record.player_names[0].clone());
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
    let unknown = |name: &str| Err(SgfError::UnknownCharset(name.into()));
    assert_eq!(Record::from_bytes(&named("no such set", b"\xe9")), unknown("no such set"));
    assert_eq!(Record::from_bytes(&named("iso-2022-kr", b"\xe9")), unknown("iso-2022-kr"));
    assert_eq!(Record::from_bytes(&named(&"x".repeat(5000), b"\xe9")), unknown(&"x".repeat(40)));
    // The property, not a word in a text.
    for text in ["CA[Big5\\]", "x\\]CA[Big5\\]"] {
        let bytes = [b"(;SZ[9]C[", text.as_bytes(), b"]PB[Jos\xe9])"].concat();
        assert_eq!(name(&bytes).as_deref(), Ok("Jos\u{e9}"), "{text}");
    }
    assert_eq!(name(b"(;SZ[9]C[x\\\\] CA [Big5]PB[\xb3\x5c])").as_deref(), Ok("\u{8a31}"));
    // A record with letters beyond ASCII says what it is written in.
    let record = Record::from_bytes(&named("Big5", b"\xb3\x5c")).unwrap();
    assert!(record.to_string().starts_with("(;GM[1]FF[4]SZ[9]CA[UTF-8]PB["), "{record}");
    assert_eq!(Record::from_bytes(record.to_string().as_bytes()), Ok(record));
}

#[test]
fn text_around_the_game_is_skipped() {
    let game = "( ;SZ[9]C[;)(\\])];B[ee](;W[cc])(;W[dd]))";
    let record = read(game).unwrap();
    assert_eq!((record.comment.as_str(), record.moves.len()), (";)(])", 2));
    for text in [
        format!("Dear reader (of games),\n\n{game}\n"),
        format!("\u{feff}{game}\nregards\n-- \n;) [not a value"),
        format!("; ) ) {game}(;SZ[20])"),
    ] {
        assert_eq!(read(&text), Ok(record.clone()), "{text}");
    }
    let nodes = MAX_NODES - 4;
    let many = |count| format!("({}){}", ";B[]C[;;]".repeat(count), ";".repeat(MAX_NODES));
    assert_eq!(read(&many(nodes)).unwrap().moves.len(), nodes);
    assert_eq!(read(&many(MAX_NODES + 1)), Err(SgfError::TooManyNodes(MAX_NODES + 1)));
    for text in ["(".repeat(1_000_000), format!("(;{}", "(".repeat(999_999))] {
        assert_eq!(read(&text), Err(SgfError::TooManyNodes(1_000_000)));
    }
}

/// A text of a few megabytes would otherwise be a list of hundreds of millions of points.
#[test]
fn the_points_of_a_record_are_bounded() {
    let setup = |value: &str, count| read(&format!("(;SZ[19]AB{})", value.repeat(count)));
    let most = MAX_POINTS / 361;
    assert_eq!(setup("[aa:ss]", most).unwrap().setup[0].len(), 361);
    assert_eq!(setup("[aa:ss]", 1_000_000), Err(SgfError::TooManyPoints(1 + 361_000_000)));
    assert_eq!(setup("[aa]", MAX_POINTS - 1).unwrap().setup[0].len(), 1);
    assert_eq!(setup("[aa]", MAX_POINTS), Err(SgfError::TooManyPoints(MAX_POINTS + 1)));
    assert_eq!(
        setup("[aZ:ZZ]", MAX_POINTS / 52 + 1),
        Err(SgfError::TooManyPoints(52 * (MAX_POINTS / 52 + 1) + 1))
    );
    // No rectangle is empty, and no text is one.
    for value in ["[ss:aa]", "[a:b]", "[aa:\u{e9}]"] {
        let error = SgfError::InvalidValue { node: 0, property: "AB".into() };
        assert_eq!(setup(value, 1), Err(error), "{value}");
    }
}

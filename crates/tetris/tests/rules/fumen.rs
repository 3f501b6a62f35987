//! Fumens: round trips, compatibility with the crate `fumen`, and malformed texts.

use crate::pages::{has_quiz, is_inside, pages, shown, there_and_back, write_and_read};
use bitcore::Rng;
use tetris::fumen::{MAX_COMMENT, Page, ROWS, decode, encode};
use tetris::{Board, Error, Location, Orientation, Piece};

testkit::properties! {
    pages_there_and_back: there_and_back, 1_000;
}

fn assert_others_read(text: &str, pages: &[Page]) {
    let theirs = ::fumen::Fumen::decode(text).unwrap().pages;
    assert_eq!(pages.len(), theirs.len());
    for (ours, theirs) in pages.iter().zip(theirs) {
        if !has_quiz(pages) {
            assert_eq!(ours.comment, theirs.comment);
        }
        let piece = theirs.piece.map(|piece| (piece.x as i8, piece.y as i8));
        assert_eq!(ours.piece.map(|at| (at.x, at.y)), piece);
        for (x, y) in (0..10).flat_map(|x| (0..ROWS).map(move |y| (x, y))) {
            let filled = theirs.field[y][x] != ::fumen::CellColor::Empty;
            assert_eq!(ours.board.occupied(x as i32, y as i32), filled, "{text}");
        }
    }
}

fn inside(input: &testkit::Input) -> Vec<Page> {
    let mut pages = pages(input);
    for page in &mut pages {
        page.piece = page.piece.filter(|&at| is_inside(at));
    }
    pages
}

#[test]
fn what_others_read() {
    testkit::inputs(2_000, |input| {
        let mut pages = inside(input);
        // More unchanged pages than a single run can encode.
        if pages.len() == 1 {
            pages.resize(100, Page::default());
        }
        let text = write_and_read(&pages).expect("short comments");
        assert_others_read(&text, &pages);
        let link = format!("https://example.org/ä?{text}\n");
        assert_eq!(decode(&link), decode(&text));
    });
}

/// Pages of every kind written by the crate `fumen`, with colors, garbage, mirrors and missing
/// locks.
#[test]
fn what_others_wrote() {
    testkit::inputs(1_000, |input| {
        let pages = inside(input);
        let mut rng = Rng::new(input.byte().into());
        let mut fumen =
            ::fumen::Fumen { guideline: rng.below(2) == 0, ..::fumen::Fumen::default() };
        let colors = {
            use ::fumen::CellColor::{Empty, Grey, I, J, L, O, S, T, Z};
            [Empty, I, L, O, Z, T, J, S, Grey]
        };
        for source in pages {
            let copied = encode(std::slice::from_ref(&source)).unwrap();
            let piece = ::fumen::Fumen::decode(&copied).unwrap().pages[0].piece;
            let page = fumen.add_page();
            for row in page.field.iter_mut().take(rng.below(24) as usize) {
                *row = std::array::from_fn(|_| colors[rng.below(9) as usize]);
            }
            page.garbage_row = std::array::from_fn(|_| colors[rng.below(9) as usize]);
            page.piece = piece;
            page.comment = source.comment;
            page.lock = rng.below(2) == 0;
            // On the site, only pages with a lock rise and mirror; the crate differs.
            (page.rise, page.mirror) =
                (page.lock && rng.below(2) == 0, page.lock && rng.below(2) == 0);
        }
        let text = fumen.encode();
        assert_others_read(&text, &decode(&text).unwrap());
    });
}

/// Quiz comments page by page, as another program reads them.
#[test]
fn quizzes_as_others_read_them() {
    let mut fumens = 0;
    let mut own = 0;
    let data = include_str!("../data/quizzes.txt").trim_end().split("\n\n").collect::<Vec<_>>();
    for case in data {
        let mut lines = case.lines().filter(|line| !line.starts_with("# "));
        let text = lines.next().unwrap();
        let expected =
            lines.map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<String>>();
        let pages = decode(text).unwrap();
        assert_eq!(shown(&pages), expected, "{text}");
        // Advanced comments aren't written again, and readers agree on all of them.
        let written = encode(&pages).unwrap();
        assert_eq!(shown(&decode(&written).unwrap()), expected, "{text} {written}");
        let theirs = ::fumen::Fumen::decode(&written).unwrap().pages;
        own += theirs.iter().filter(|page| page.comment.is_some()).count();
        fumens += 1;
    }
    assert_eq!(fumens, 80);
    assert_eq!(own, 176);
}

/// Only the first comment is written.
#[test]
fn a_quiz_to_its_end() {
    let comments =
        ["#Q=[](T)IOL;done", "#Q=[T](O)L;done", "#Q=[O](L);done", "#Q=[](O);done", "done", "done"];
    let places = [Some(Piece::I), Some(Piece::T), Some(Piece::L), Some(Piece::O), None, None];
    let mut pages: Vec<Page> = comments
        .iter()
        .zip(places)
        .map(|(comment, piece)| {
            let piece = piece.map(Location::spawn);
            Page { piece, comment: Some(String::from(*comment)), ..Page::default() }
        })
        .collect();
    pages[5].comment = None;
    let text = encode(&pages).unwrap();
    assert_eq!(decode(&text), Ok(pages.clone()));
    let theirs = ::fumen::Fumen::decode(&text).unwrap().pages;
    assert_eq!(theirs.iter().filter(|page| page.comment.is_some()).count(), 1, "{text}");
    // A repeated comment is written; the next page's comment follows from it.
    pages[1].comment = None;
    pages[2].comment = None;
    let again = decode(&encode(&pages).unwrap()).unwrap();
    assert_eq!(shown(&again), shown(&pages));
    assert_eq!(shown(&again)[..4], [comments[0], comments[0], comments[0], comments[3]]);
}

/// Single steps, as in the package tetris-fumen 1.1.3.
#[test]
fn quizzes_step_by_step() {
    let steps = [
        ("#Q=[O]()T", Piece::T, "#Q=[](O)T"),
        ("#Q=[O]()TI", Piece::T, "#Q=[O](I)"),
        ("#Q=[](T)O;x", Piece::O, "#Q=[](T)O;x"),
        ("#Q=[](T);x", Piece::T, "x"),
        ("#Q=[](T);#Q=[O](I)S", Piece::T, "#Q=[O](I)S"),
        ("#Q=[]();#Q=[O](I)S", Piece::I, "#Q=[O](S)"),
        ("#Q=[](t)I", Piece::T, "#Q=[](t)I"),
        ("#Q=[ I ](T)\nO; a b", Piece::O, "#Q=[I](T)O;ab"),
        ("#Q=[I](T)O; a b", Piece::I, "#Q=[T](O);ab"),
        ("#Q=[](T)-", Piece::T, "#Q=[](T)-"),
        ("#Q=[]()", Piece::T, ""),
        ("#Q=[](T", Piece::T, "#Q=[](T"),
        ("#Q=[S](T)", Piece::T, "#Q=[](S)"),
    ];
    for (comment, piece, expected) in steps {
        let mut fumen = ::fumen::Fumen::default();
        fumen.add_page().comment = Some(String::from(comment));
        fumen.add_page();
        let mut pages = decode(&fumen.encode()).unwrap();
        pages[0].piece = Some(Location { y: 5, ..Location::spawn(piece) });
        pages[1].board = Board::EMPTY;
        pages[1].comment = (comment != expected).then(|| String::from(expected));
        // The second page needs no comment.
        let text = encode(&pages).unwrap();
        assert_eq!(::fumen::Fumen::decode(&text).unwrap().pages[1].comment, None, "{comment}");
        assert_eq!(shown(&decode(&text).unwrap()), [comment, expected]);
    }
}

/// Fumens as they are shared: from other viewers, in links and in texts.
#[test]
fn forms() {
    let codes = [
        "OgA8ceA8ceA8jezKJvhC7bBjMBr9A6fxSHexSHeAAIexSHexSH?eAAIexSHexSHeAAIexSHexSOeAAA",
        "khwhJeAAPHA?DHnGEF2+CA",
        "vhAAgWwAl/SSBzEEfEEFj6Al/SSBzEEfEkGpzBl/SS?BzEEfEkpv6Bl/SSBTGEfEEojHB",
    ];
    for code in codes {
        let plain = format!("v115@{code}");
        let pages = decode(&plain).unwrap();
        let forms = [
            format!("m115@{code}"),
            format!("d115@{code}"),
            format!("D115@{code}"),
            format!("V115@{code}\r\n"),
            format!("\u{FEFF}M115@{code}\u{FEFF}"),
            format!("https://fumen.example/#?d=v115@{code}&lang=en"),
            format!("https://fumen.example/?lang=en&d=v115@{code}"),
            format!("https://fumen.example/?v115@{code}#english.js"),
            format!(
                "https://fumen.example/?data=v115%40{}",
                code.replace('/', "%2F").replace('+', "%2b").replace('?', "%3f")
            ),
            format!("v115@{}", code.replace('?', " ? \n\t\u{3000}")),
            format!("[board](https://fumen.example/?v115@{code}) and more"),
            format!("<https://fumen.example/?v115@{code}>"),
            format!("<a href=\"https://fumen.example/?v115@{code}\">it</a>"),
            format!("see `v115@{code}`."),
        ];
        for form in forms {
            assert_eq!(decode(&form).as_ref(), Ok(&pages), "{form}");
        }
    }
    let empty = Ok(vec![Page::default()]);
    for form in
        include_str!("../data/fumen-forms.txt").lines().filter(|line| !line.starts_with("# "))
    {
        assert_eq!(decode(form), empty, "{form}");
    }
}

/// Version 110: a field of 21 rows, and a garbage row.
#[test]
fn the_version_before() {
    let pages = decode("v110@A3vegbI3gbVmB7eAxpG7eBAAAAgb").unwrap();
    // Matches the package tetris-fumen: the rising part also has 23 rows. The first page has the
    // garbage row.
    let rows = |lowest: &[&str]| lowest.join("\n").parse::<Board>().unwrap();
    let mut expected = [
        Board::EMPTY,
        rows(&["....#.....", "...###...."]),
        rows(&[".....#####", "....###...", ".#########"]),
        rows(&[".....#####", "....###...", ".#########"]),
    ];
    for (board, (x, y)) in expected.iter_mut().zip([(0, 20), (0, 20), (9, 21), (9, 21)]) {
        let mut columns = *board.columns();
        columns[x] |= 1 << y;
        *board = Board::try_from(columns).unwrap();
    }
    assert_eq!(pages.iter().map(|page| page.board).collect::<Vec<_>>(), expected);
    let at = |piece, x, y| Some(Location { piece, orientation: Orientation::North, x, y });
    let pieces: Vec<_> = pages.iter().map(|page| page.piece).collect();
    assert_eq!(pieces, [at(Piece::T, 4, 0), at(Piece::I, 1, 1), None, None]);
}

/// A page without a lock changes nothing: neither its garbage nor its mirror acts.
#[test]
fn a_page_without_a_lock() {
    let mut fumen = ::fumen::Fumen::default();
    let page = fumen.add_page();
    page.field[0][0] = ::fumen::CellColor::Grey;
    page.garbage_row[3] = ::fumen::CellColor::Grey;
    let text = fumen.encode();
    // The first page's flags by hand: rise, mirror, no lock. A second page without changes.
    let flags = 240 * 32 * (1 + 2 + 16);
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".as_bytes();
    let flags: String = (0..3).map(|i| digits[flags >> (6 * i) & 63] as char).collect();
    let text = format!("{}{flags}vhAAAA", &text[..text.len() - 3]);
    let pages = decode(&text).unwrap();
    assert_eq!(pages.len(), 2, "{text}");
    assert_eq!(pages[1].board, pages[0].board, "{text}");
}

/// Texts from the site itself, quoted in the tests of the crate `fumen`.
#[test]
fn texts_of_the_site() {
    let at = |piece, orientation, x, y| Some(Location { piece, orientation, x, y });
    let t = at(Piece::T, Orientation::North, 2, 0);
    // The second page removes its cells again.
    let pages = decode("v115@vhAVPJThQLHeSLPeAAA").unwrap();
    assert_eq!(pages, [Page { piece: t, ..Page::default() }, Page::default()]);
    let pages = decode("v115@vhBVPJAAA").unwrap();
    assert_eq!(pages[0].piece, t);
    assert_eq!(pages[1].board.to_string(), "..#.......\n.###......");
    let four =
        "v115@OgA8ceA8ceA8jezKJvhC7bBjMBr9A6fxSHexSHeAAIexSHexSHeAAIexSHexSHeAAIexSHexSOeAAA";
    let found: Vec<_> = decode(four).unwrap().iter().map(|page| page.piece).collect();
    let expected = [
        at(Piece::O, Orientation::North, 3, 0),
        at(Piece::O, Orientation::West, 4, 3),
        at(Piece::O, Orientation::South, 4, 7),
        at(Piece::O, Orientation::East, 3, 10),
        None,
    ];
    assert_eq!(found, expected);
    let comment = "v115@vhAAgWwAl/SSBzEEfEEFj6Al/SSBzEEfEkGpzBl/SSBzEEfEkpv6Bl/SSBTGEfEEojHB";
    assert_eq!(decode(comment).unwrap()[0].comment.as_deref(), Some("🂡🆛🏍😵"));
    assert_eq!(decode("v115@"), Ok(vec![]));
    // The site splits long texts.
    assert_eq!(decode("v115@vhBV?PJAAA?"), decode("v115@vhBVPJAAA"));
}

#[test]
fn errors_say_where() {
    let tall = Page { board: Board::try_from([1 << 23; 10]).unwrap(), ..Page::default() };
    let outside = Location { y: 22, ..Location::spawn(Piece::T) };
    let outside = Page { piece: Some(outside), ..Page::default() };
    let long = Page { comment: Some("世".repeat(682) + "abcd"), ..Page::default() };
    let fits = Page { comment: Some("世".repeat(682) + "abc"), ..Page::default() };
    assert_eq!(encode(&[fits.clone(), tall]), Err(Error::FumenHeight { page: 2, found: 24 }));
    assert_eq!(encode(&[outside]), Err(Error::FumenPiece { page: 1 }));
    assert_eq!(encode(&[long]), Err(Error::FumenComment { page: 1, found: 4096 }));
    assert_eq!(decode(&encode(std::slice::from_ref(&fits)).unwrap()), Ok(vec![fits]));
    assert_eq!(MAX_COMMENT, 4095);
    let texts = [
        ("", "expected `v115@` or `v110@`, or the same with m or d for v"),
        ("v109@7eAADJ", "expected `v115@` or `v110@`, or the same with m or d for v"),
        ("v110@7eADJ", "page 1: the text ends in it"),
        // A run of 23 rows in a field of 21.
        ("v110@vhAAgH", "page 1: its cells don't make up a field"),
        ("ä v115@vhAAgH\nv115@vhAAgH", "character 15: expected one fumen, found a second one"),
        ("(v115@vhAAgH) (m110%407eAAgH)", "character 16: expected one fumen, found a second one"),
        ("v115@vh%5FA", "character 8: expected a letter, a digit, `+` or `/`, found '_'"),
        ("v115@vh%zzA", "character 8: expected a letter, a digit, `+` or `/`, found '%'"),
        ("david115@example.com", "character 17: expected a letter, a digit, `+` or `/`, found '.'"),
        ("v115@vh_", "character 8: expected a letter, a digit, `+` or `/`, found '_'"),
        ("ä v115@vhAé", "character 11: expected a letter, a digit, `+` or `/`, found 'é'"),
        ("v115@vhAVP", "page 1: the text ends in it"),
        ("v115@vhBVPJ", "page 2: the text ends in it"),
        // A run past the end, and a color below the first.
        ("v115@uhvhAAAA", "page 1: its cells don't make up a field"),
        ("v115@AAAAAAAA", "page 1: its cells don't make up a field"),
    ];
    for (text, expected) in texts {
        assert_eq!(decode(text).unwrap_err().to_string(), expected, "{text}");
    }
    // A T at each of the 240 cells; the crate itself would panic on the ones that stick out.
    let mut outside = 0;
    for place in 0..240 {
        let number = 5 + 8 * 2 + 32 * place;
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".as_bytes();
        let page: String = (0..3).map(|i| digits[number >> (6 * i) & 63] as char).collect();
        match decode(&format!("v115@vhB{page}AAA")) {
            Ok(pages) => assert!(pages.len() == 2 && pages[0].piece.is_some_and(is_inside)),
            Err(error) => {
                assert_eq!(error, Error::FumenPiece { page: 1 });
                outside += 1;
            }
        }
    }
    // Two columns, the top row and the garbage row.
    assert_eq!(outside, 240 - 8 * 22);
}

#[test]
fn any_text_is_read_or_refused() {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".as_bytes();
    let mut rng = Rng::new(8);
    let mut read = 0;
    for _ in 0..testkit::cases(20_000) {
        let mut text = String::from("v115@");
        let digit = |rng: &mut Rng| digits[rng.below(64) as usize] as char;
        for _ in 0..=rng.below(3) {
            // A field without changes, a random piece with random flags, and a comment if the flags
            // ask for one.
            text.push_str("vhA");
            let number = rng.below(240 * 32 * 32);
            text.extend((0..3).map(|i| digits[(number >> (6 * i) & 63) as usize] as char));
            if (number / (240 * 32)) & 8 > 0 {
                text.push_str("FA");
                text.extend((0..10).map(|_| digit(&mut rng)));
            }
        }
        if rng.below(3) == 0 {
            let at = 5 + rng.below(text.len() as u32 - 5) as usize;
            match rng.below(3) {
                0 => text.truncate(at),
                1 => text.insert(at, digit(&mut rng)),
                _ => text.replace_range(at..=at, &digit(&mut rng).to_string()),
            }
        }
        // Decoded pages can be written and read back.
        read += u32::from(decode(&text).is_ok_and(|pages| write_and_read(&pages).is_some()));
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(read > 1_000, "{read} texts read");
    }
}

//! Game records derived from the input, and arbitrary files: what is read can be written and read
//! again.

use go_mc::sgf::{Action, Node, Place, Property, Record, RemarkKind, Variation};
use go_mc::{Color, Move, Point, Points, Setup, Size};
use testkit::Input;

/// Reads a file that may not be a record.
pub(crate) fn read(file: &[u8]) {
    match Record::from_bytes(file) {
        Ok(reading) => {
            for remark in &reading.remarks {
                assert!(remark.line > 0 && remark.column > 0 && !remark.to_string().is_empty());
            }
            written_and_read(&reading.record);
            // Reading up to a move gives the same moves as reading everything.
            let moves = reading.record.moves().count() / 2;
            let part = Record::from_bytes_to_move(file, moves).expect("a part").record;
            assert!(part.moves().zip(reading.record.moves()).all(|(a, b)| a == b));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn written_and_read(record: &Record) -> (Record, Vec<RemarkKind>) {
    let read = |record: &Record| {
        let text = record.to_string();
        let reading = Record::from_bytes(text.as_bytes());
        let reading = reading.unwrap_or_else(|error| panic!("{error}: {text}"));
        let remarks: Vec<RemarkKind> =
            reading.remarks.into_iter().map(|remark| remark.kind).collect();
        (reading.record, remarks)
    };
    let (again, remarks) = read(record);
    assert!(again.moves().eq(record.moves()), "{again}");
    assert_eq!(again.board(), record.board(), "{again}");
    // Every variation that was read branches from a node that was read.
    let sizes = again.variations.iter().map(|variation| variation.nodes.len());
    assert_eq!(nodes(&again).len(), again.nodes.len() + sizes.sum::<usize>());
    // A record that was read is already in the written form, unless the reader remarks on it.
    let (third, more_remarks) = read(&again);
    assert_eq!(third.first_to_move(), again.first_to_move());
    assert!(!more_remarks.is_empty() || third.to_string() == again.to_string(), "{again}\n{third}");
    (again, remarks)
}

/// Returns all nodes that can be reached from the root, in the order in which they are written,
/// each with its depth.
fn nodes(record: &Record) -> Vec<(usize, &Node)> {
    let mut found = Vec::new();
    let mut left = vec![(0, Place::default())];
    while let Some((depth, at)) = left.pop() {
        let Some(node) = record.node(at) else { continue };
        found.push((depth, node));
        let path = record.path(at);
        assert_eq!(path.len(), depth + 1);
        assert!(std::ptr::eq(path[depth], node));
        let children: Vec<Place> = record.children(at).collect();
        assert!(children.iter().all(|&child| record.parent(child) == Some(at)));
        left.extend(children.into_iter().rev().map(|child| (depth + 1, child)));
    }
    found
}

/// Moves each variation to a node that has a next one on its line; drops those for which there is
/// none.
fn attach(record: &mut Record) {
    let mut kept: Vec<Variation> = Vec::new();
    for mut variation in std::mem::take(&mut record.variations) {
        let line = variation.after.line % (kept.len() + 1);
        let length =
            line.checked_sub(1).map_or(record.nodes.len(), |number| kept[number].nodes.len());
        if length > 1 && !variation.nodes.is_empty() {
            variation.after = Place { line, node: variation.after.node % (length - 1) };
            kept.push(variation);
        }
    }
    record.variations = kept;
}

fn any_text(input: &Input) -> String {
    let letter = || match input.byte() {
        byte @ 0..0xe0 => char::from(byte),
        0xe0..0xf0 => *input.pick(&[']', '\\', '[', ':', '\n', '\r', '\u{85}', '\u{2028}']),
        _ => char::from_u32(input.u32() & 0x1f_ffff).unwrap_or('\u{fffd}'),
    };
    (0..input.below(12)).map(|_| letter()).collect()
}

/// Takes a text that round-trips unchanged.
fn plain_text(input: &Input) -> String {
    input.pick(&["", "a \\ b] c: d\nnew line", "\u{56f4}\u{68cb} (;B[aa])", "x [y]"]).to_string()
}

pub(crate) fn any_record(input: &Input) {
    let mut record = record(input, &any_text, &["RU", "HA", "LB", "B", "KM", "x"]);
    attach(&mut record);
    written_and_read(&record);
}

/// Checks a record that round-trips unchanged.
pub(crate) fn plain_record(input: &Input) {
    let mut record = record(input, &plain_text, &["RU", "LB", "XX"]);
    record.komi = record.komi.map(|komi| (2.0 * komi).clamp(-361.0, 361.0).round() / 2.0);
    record.player_names = record.player_names.map(|name| name.replace('\n', " "));
    record.result = record.result.replace('\n', " ");
    let variations = record.variations.iter_mut().flat_map(|variation| &mut variation.nodes);
    for node in record.nodes.iter_mut().chain(variations) {
        node.black_win_percent =
            node.black_win_percent.map(|percent| (1000.0 * percent).round() / 1000.0);
        node.properties.retain(|property| !property.values.is_empty());
        node.properties.truncate(1);
        // In the form between brackets.
        let values = node.properties.iter_mut().flat_map(|property| &mut property.values);
        values.for_each(|value| {
            *value = input.pick(&["", "aa:x\\:y", "\\]", "two\nlines"]).to_string();
        });
        let is_empty = matches!(&node.action, Action::Setup(setup) if **setup == Setup::default());
        if is_empty {
            node.action = Action::None;
        }
        if !matches!(node.action, Action::Setup(_)) {
            node.to_move = None;
        }
    }
    record.nodes.retain(|node| *node != Node::default());
    for variation in &mut record.variations {
        variation.nodes.retain(|node| *node != Node::default());
    }
    record.nodes.insert(0, Node { comment: plain_text(input), ..Node::default() });
    attach(&mut record);
    let (again, remarks) = written_and_read(&record);
    // The reader drops setup stones without a liberty.
    if !remarks.iter().any(|remark| matches!(remark, RemarkKind::NoLiberty(_))) {
        assert_eq!(nodes(&again), nodes(&record));
        let header = |record: &Record| Record { variations: Vec::new(), ..record.clone() };
        assert_eq!(header(&again), header(&record));
    }
    // Random games are rarely legal.
    let allowed = |kind: &RemarkKind| {
        matches!(kind, RemarkKind::Illegal { .. } | RemarkKind::NoLiberty(_) | RemarkKind::More(_))
    };
    assert!(remarks.iter().all(allowed), "{remarks:?}");
}

fn record(input: &Input, text: &dyn Fn(&Input) -> String, names: &[&str]) -> Record {
    let size = Size::new(1 + input.below(19), 1 + input.below(19)).expect("a size");
    let color = || *input.pick(&Color::ALL);
    let point =
        || Point { x: input.below(size.width()) as u8, y: input.below(size.height()) as u8 };
    // A percentage or `None`.
    let percent = || {
        let share = f64::from(input.u32()) / f64::from(u32::MAX);
        (share > 0.0).then_some(100.0 * share)
    };
    let mut record = Record::new(size);
    let number = || {
        if input.flag() { f64::from(input.byte() as i8) / 2.0 } else { f64::from_bits(input.u64()) }
    };
    record.komi = input.flag().then(number).filter(|komi| !komi.is_nan());
    record.player_names = [text(input), text(input)];
    record.result = text(input);
    let node = || Node {
        action: match input.below(8) {
            0 => Action::None,
            1 => {
                let points = || {
                    input.list(input.below(4), || {
                        Points::<19>::index(point()).expect("on the board")
                    })
                };
                let [black, white, empty]: [Points<19>; 3] =
                    [points(), points(), points()].map(|list| list.into_iter().collect());
                let black = black - white;
                Action::Setup(Box::new(Setup { black, white, empty: empty - black - white }))
            }
            2 => Action::Move(color(), Move::Pass),
            _ => Action::Move(color(), Move::Play(point())),
        },
        to_move: input.flag().then(color),
        comment: text(input),
        black_win_percent: percent(),
        properties: input.list(input.below(3), || Property {
            name: input.pick(names).to_string(),
            values: input.list(input.below(3), || text(input)),
        }),
    };
    record.nodes = input.list(input.below(10), node);
    let after = || Place { line: input.below(4), node: input.below(8) };
    record.variations = input.list(input.below(4), || Variation {
        after: after(),
        nodes: input.list(input.below(4), node),
    });
    record
}

//! Bot: edge cases of the search, protocol sessions, games between bots.

use bitcore::Rng;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use tetris::{Bag, Board, Game, Piece, Position, Rules};
use tetris_ai::Stopped;
use tetris_ai::bot::tbp::{
    BotMessage, FrontendMessage, Randomizer, RandomizerKind, Session, Start, TbpBoard, TbpMove,
};
use tetris_ai::bot::versus::{VersusGame, VersusResult, wilson_interval};
use tetris_ai::bot::{BotWeights, GameState, Search};

fn searched(state: &GameState, nodes: u64) -> Search {
    let mut search = Search::new(state, BotWeights::default());
    search.run(nodes);
    search
}

#[test]
fn stopped_and_without_pieces() {
    let state = GameState { queue: vec![Piece::T, Piece::I, Piece::O], ..GameState::default() };
    let mut search = Search::new(&state, BotWeights::default());
    assert!(search.best().is_none() && search.nodes() == 0);
    assert_eq!(search.run_until(u64::MAX, &|| true), Err(Stopped));
    // Stopped immediately: all root moves are known, none is expanded.
    assert_eq!(search.ranked().len(), 34 + 17);
    assert_eq!(search.depth(), 1);
    // A complete search has nothing left to expand.
    assert!(!search.run(u64::MAX));
    assert_eq!(search.depth(), 2);
    let blocked = "0,0,0,ffffffffff,ffffffffff,0,0,0,0,0".parse().expect("a board");
    for nothing in [GameState::default(), GameState { board: blocked, ..state }] {
        let mut search = Search::new(&nothing, BotWeights::default());
        assert!(!search.run(10) && search.best().is_none());
    }
    let last = GameState { queue: vec![Piece::S], ..GameState::default() };
    assert_eq!(searched(&last, 10).ranked().len(), 17);
}

/// Nineteen rows of garbage below the given rows.
fn high(rows: &str) -> Board {
    format!("{rows}\n{}", "#########.\n".repeat(19)).parse().unwrap()
}

#[test]
fn a_piece_whose_spawn_is_blocked_spawns_one_row_higher() {
    let board = high("....#.....");
    for piece in Piece::ALL {
        // Only the second spawn row lets the piece spawn.
        for second_spawn_row in [true, false] {
            let rules = Rules { next: 1, second_spawn_row, ..Rules::GUIDELINE };
            let position = Position { board, queue: &[piece, piece], ..Position::default() };
            let game = Game::from_position(rules, position, &mut Rng::new(1)).unwrap();
            let state = GameState::from(&game);
            assert_eq!(state.second_spawn_row, second_spawn_row);
            let best = searched(&state, 1).best().filter(|best| game.legal_moves().contains(best));
            assert_eq!(best.is_some(), second_spawn_row, "{piece}");
        }
    }
}

#[test]
fn locks_above_the_skyline_are_suggested_if_there_is_nothing_else() {
    // Nothing fits below row 20; the O can lock on the pillar and on the floor next to it.
    let full: Board = ".#########\n".repeat(20).parse().unwrap();
    let beside = high("....#.....");
    for (board, rows) in [(full, vec![20; 9]), (beside, vec![19; 7])] {
        let queue = vec![Piece::O, Piece::O];
        let search = searched(&GameState { board, queue, ..GameState::default() }, 100);
        let found: Vec<i8> = search.ranked().iter().map(|mv| mv.placement.at.y).collect();
        assert_eq!(found, rows);
    }
}

fn read<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

fn assert_refused<T: Debug>(read: impl Fn(&str) -> Result<T, String>, rows: &[(&str, &str)]) {
    for (text, error) in rows {
        let found = read(text).expect_err(text);
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

fn say(session: &mut Session, line: &str) -> Option<BotMessage> {
    session.receive(read(line).expect(line))
}

fn moves(message: Option<BotMessage>) -> Vec<TbpMove> {
    match message {
        Some(BotMessage::Suggestion { moves, .. }) => moves,
        other => panic!("expected a suggestion, found {other:?}"),
    }
}

/// The start of a game on the empty board.
fn start_of(queue: &[Piece]) -> Start {
    Start {
        hold: None,
        queue: queue.iter().map(|&piece| piece.into()).collect(),
        combo: 0,
        back_to_back: false,
        board: TbpBoard(Board::EMPTY),
        randomizer: Randomizer::Unknown,
    }
}

#[test]
fn a_conversation() {
    let mut session = Session::default();
    assert_eq!(say(&mut session, r#"{"type":"rules","more":[1]}"#), Some(BotMessage::Ready));
    assert_eq!(say(&mut session, r#"{"type":"new_kind","piece":7}"#), None);
    // Messages before a start are ignored.
    for line in [r#"{"type":"new_piece","piece":"T"}"#, r#"{"type":"stop"}"#] {
        assert_eq!(say(&mut session, line), None);
        assert!(!session.has_piece_in_play());
    }
    assert_eq!(session.suggestion(), None);
    let mut game = Game::new(Rules { next: 3, ..Rules::default() }, &mut Rng::new(2));
    let mut rng = Rng::new(9);
    let queue = [&[game.piece()], game.next()].concat();
    let start = Start { randomizer: Randomizer::from(game.bag()), ..start_of(&queue) };
    let line = serde_json::to_string(&FrontendMessage::Start(start)).expect("JSON");
    assert_eq!(say(&mut session, &line), None);
    for _ in 0..12 {
        session.think(500);
        let first = moves(session.suggestion())[0];
        let legal = game.legal_moves();
        let mv = legal.iter().find(|mv| mv.placement == first.into()).expect("a legal move");
        let used = if mv.hold && game.held().is_none() { 2 } else { 1 };
        game.play(*mv, &mut rng).expect("it is legal");
        let mv = serde_json::to_string(&first).expect("JSON");
        say(&mut session, &format!(r#"{{"type":"play","move":{mv},"time":1}}"#));
        for piece in &game.next()[3 - used..] {
            say(&mut session, &format!(r#"{{"type":"new_piece","piece":"{piece}"}}"#));
        }
    }
    // A move of a piece that is not in play ends the game, like `stop`.
    let far = r#"{"location":{"type":"I","orientation":"north","x":40,"y":-7},"spin":"none"}"#;
    assert!(session.has_piece_in_play());
    say(&mut session, &format!(r#"{{"type":"play","move":{far}}}"#));
    assert!(!session.has_piece_in_play());
    // After a start without pieces, the session waits for pieces.
    session.receive(FrontendMessage::Start(start_of(&[])));
    assert_eq!(session.suggestion(), None);
    say(&mut session, r#"{"type":"new_piece","piece":"S"}"#);
    assert_eq!(moves(session.suggestion()).len(), 17);
}

#[test]
fn boards_and_bags_of_the_protocol() {
    let mut rows = vec![vec![None; 10]; 40];
    (0..10).for_each(|x| rows[x][x] = Some("G"));
    rows[39][0] = Some("T");
    let of = |rows: &[Vec<Option<&str>>]| {
        read(&serde_json::to_string(rows).expect("JSON")).map(|TbpBoard(board)| board)
    };
    let board = "8000000001,2,4,8,10,20,40,80,100,200".parse().expect("a board");
    assert_eq!(of(&rows), Ok(board));
    assert_eq!(read(&serde_json::to_string(&TbpBoard(board)).expect("JSON")), Ok(TbpBoard(board)));
    let high = [vec![vec![Some("T"); 10]], rows.clone()].concat();
    let short: Vec<_> = rows.iter().map(|row| row[1..].to_vec()).collect();
    for (rows, error) in [
        (high, "row 40: expected empty cells: a board has 40 rows"),
        (short, "row 0: expected 10 cells, found 9"),
    ] {
        let found = of(&rows).expect_err(error);
        assert!(found.starts_with(error), "{found}");
    }
    for (json, pieces) in [
        (r#"{"type":"seven_bag","bag_state":[]}"#, &Piece::ALL[..]),
        (r#"{"type":"general_bag","current_bag":{}}"#, &Piece::ALL),
        (r#"{"type":"seven_bag","bag_state":["T","I"]}"#, &[Piece::I, Piece::T]),
    ] {
        let bag = read::<Randomizer>(json).expect(json).bag();
        assert!(
            bag.pieces().eq(pieces.iter().copied()) && (pieces.len() < 7 || bag == Bag::FULL),
            "{json}"
        );
    }
}

/// Field variations between frontends are accepted; the error for an invalid one names its
/// location.
#[test]
fn starts_are_read_leniently() {
    let row = format!("[{}]", ["null"; 10].join(","));
    let filled = row.replacen("null", r#""G""#, 1);
    // `@` is replaced by the required fields.
    let start = |fields: &str| {
        let fields = fields.replace('@', &format!(r#""queue":["T"],"board":[{filled}]"#));
        read(&format!(r#"{{"type":"start",{fields}}}"#)).map(|message| match message {
            FrontendMessage::Start(start) => start,
            other => panic!("{other:?}"),
        })
    };
    let board = TbpBoard("1,0,0,0,0,0,0,0,0,0".parse().expect("a board"));
    let plain = Start { board, ..start_of(&[Piece::T]) };
    for fields in [
        "@",
        r#"@,"hold":null"#,
        r#"@,"combo":null"#,
        r#"@,"combo":-1"#,
        r#"@,"combo":-1e300"#,
        r#"@,"combo":0.5"#,
        r#"@,"back_to_back":null"#,
        r#"@,"back_to_back":-1"#,
        r#"@,"back_to_back":0"#,
        r#"@,"back_to_back":0.0"#,
        r#"@,"randomizer":null"#,
        r#"@,"randomizer":"seven_bag""#,
        r#"@,"randomizer":{"type":"tgm3","history":["S"]}"#,
        r#"@,"randomizer":{"type":"seven_bag","bag_state":["X"]}"#,
        r#"@,"randomizer":{"type":"seven_bag"}"#,
    ] {
        assert_eq!(start(fields).as_ref(), Ok(&plain), "{fields}");
    }
    for rows in [
        &format!(",{row}").repeat(19),
        &format!(",{row}").repeat(39),
        &format!(",{row}").repeat(49),
        ",null",
    ] {
        assert_eq!(
            start(&format!(r#""queue":["T"],"board":[{filled}{rows}]"#)).as_ref(),
            Ok(&plain)
        );
    }
    for (combo, expected) in
        [("1.0", 1), ("7", 7), ("4294967296", u32::MAX), ("18446744073709551616", u32::MAX)]
    {
        assert_eq!(start(&format!(r#"@,"combo":{combo}"#)).expect(combo).combo, expected);
    }
    assert!(start(r#"@,"back_to_back":2.0"#).expect("a start").back_to_back);
    assert_refused(
        start,
        &[
            (r#"@,"hold":"X""#, "hold: unknown variant `X`"),
            (r#"@,"hold":7"#, "hold: "),
            (r#"@,"combo":"1""#, "combo: invalid type: string \"1\", expected a number or null"),
            (r#"@,"combo":true"#, "combo: expected a number or null, found true"),
            (r#"@,"back_to_back":"yes""#, "back_to_back: invalid type"),
            (r#""board":[]"#, "missing field `queue`"),
            (r#""queue":["T"]"#, "missing field `board`"),
            (r#""queue":["T","U"],"board":[]"#, "queue: piece 2: unknown variant `U`"),
            (r#""queue":"TI","board":[]"#, "queue: invalid type"),
            (r#""queue":["T"],"board":[[null]]"#, "board: row 0: expected 10 cells, found 1"),
            (r#""queue":["T"],"board":7"#, "board: invalid type"),
        ],
    );
}

#[test]
fn integers_may_be_written_as_floats() {
    let place = |x: &str, y: &str| {
        let location = format!(r#"{{"type":"T","orientation":"north","x":{x},"y":{y}}}"#);
        let mv = format!(r#"{{"location":{location},"spin":"none"}}"#);
        let played =
            read(&format!(r#"{{"type":"play","move":{mv}}}"#)).map(|message| match message {
                FrontendMessage::Play { mv } => mv,
                other => panic!("{other:?}"),
            });
        let suggested = read(&format!(r#"{{"type":"suggestion","moves":[{mv}]}}"#));
        assert_eq!(suggested.ok().map(|message| moves(Some(message))[0]), played.clone().ok());
        played.map(|mv| (mv.location.x, mv.location.y))
    };
    for (x, y) in [("4", "0"), ("4.0", "0.0"), ("4e0", "0"), ("4", "-0.0"), ("0.4e1", "0")] {
        assert_eq!(place(x, y), Ok((4, 0)), "{x} {y}");
    }
    assert_eq!(place("-128.0", "127.0"), Ok((-128, 127)));
    assert_refused(
        |x| place(x, "0"),
        &[
            ("4.5", "invalid type: floating point `4.5`, expected i8"),
            ("-0.1", "invalid type: floating point `-0.1`, expected i8"),
            ("128.0", "invalid type: floating point `128.0`, expected i8"),
            ("128", "invalid value: integer `128`, expected i8"),
            ("-129", "invalid value: integer `-129`, expected i8"),
            ("1e300", "invalid type: floating point"),
            ("\"4\"", "invalid type: string \"4\", expected i8"),
            ("null", "invalid type: null, expected i8"),
            ("true", "invalid type: boolean `true`, expected i8"),
        ],
    );
}

#[test]
fn messages_that_only_look_wrong() {
    let kind = |randomizer| FrontendMessage::Rules { randomizer };
    let seven_bag = r#"{"type":"rules","randomizer":"seven_bag"}"#;
    assert_eq!(read(seven_bag), Ok(kind(RandomizerKind::SevenBag)));
    assert_eq!(serde_json::to_string(&kind(RandomizerKind::SevenBag)).expect("JSON"), seven_bag);
    for unknown in ["", r#","randomizer":null"#, r#","randomizer":"tgm3""#, r#","randomizer":{}"#] {
        assert_eq!(
            read(&format!(r#"{{"type":"rules"{unknown}}}"#)),
            Ok(kind(RandomizerKind::Unknown))
        );
    }
    for (move_info, nodes) in [
        (r#"{"nodes":1e6,"nps":null,"depth":"7","extra":{}}"#, 1_000_000),
        (r#"{"nodes":18446744073709551615}"#, u64::MAX),
        (r#"{"nodes":1e300}"#, u64::MAX),
        ("null", 0),
        ("7", 0),
        (r#"{"nodes":-1}"#, 0),
    ] {
        let line = format!(r#"{{"type":"suggestion","moves":[],"move_info":{move_info}}}"#);
        let Ok(BotMessage::Suggestion { move_info, .. }) = read(&line) else { panic!("{line}") };
        assert_eq!(move_info.map_or(0, |info| info.nodes), nodes, "{line}");
    }
    assert_eq!(moves(Some(BotMessage::resignation())), []);
}

/// The bot plays against an opponent that takes the first legal move: its attack arrives and tops
/// them out.
#[test]
fn a_game_of_two_players() {
    let mut game = VersusGame::new(3);
    while game.result(200).is_none() {
        let [first, second] = game.sides();
        let best = searched(&GameState::from(first), 300).best().expect("a move");
        game.play([best, second.legal_moves()[0]]).expect("legal moves");
    }
    assert_eq!(game.result(200), Some(VersusResult::Wins(0)));
    assert!(game.turns() < 200 && game.sides()[1].is_over());
    assert_eq!(VersusGame::new(5).result(0), Some(VersusResult::Draw));
}

#[test]
fn intervals_of_any_numbers() {
    assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
    for (wins, games) in [(0, 1), (1, 1), (0, u64::MAX), (u64::MAX, u64::MAX)] {
        let (low, high) = wilson_interval(wins, games);
        assert!(
            (-1e-9..=high).contains(&low) && high <= 1.0 + 1e-9,
            "{wins} of {games}: {low} to {high}"
        );
    }
}

#[test]
#[should_panic(expected = "10 wins in 3 games")]
fn more_wins_than_games_have_no_interval() {
    wilson_interval(10, 3);
}

#[test]
fn weights_and_combos_of_any_size_are_searched() {
    let board: Board = "#########.\n#########.\n#.#######.\n##.######.".parse().unwrap();
    let queue = vec![Piece::I, Piece::T, Piece::O, Piece::I];
    let state = GameState { board, queue, combo: u32::MAX, ..GameState::default() };
    for weight in [i32::MIN, i32::MAX] {
        let of = |weight: i32| BotWeights {
            plain: [weight; 5],
            mini: [weight; 3],
            full: [weight; 4],
            wasted_t: weight,
            back_to_back: weight,
            combo: weight,
            t_slot: [weight; 3],
            covered: weight,
            hole_depth: weight,
            rows_with_holes: weight,
            row_transitions: weight,
            bumps: weight,
            well: weight,
            height: weight,
            height_above_10: weight,
            height_above_15: weight,
            pieces_to_dig: weight,
            i_columns: weight,
            dig: None,
            ..BotWeights::default()
        };
        let ranked = |weight| {
            let mut search = Search::new(&state, of(weight));
            search.run(2000);
            search.ranked()
        };
        assert_eq!(ranked(weight), ranked(weight.clamp(-BotWeights::MAX, BotWeights::MAX)));
    }
}

#[cfg(feature = "serde")]
#[test]
fn saved_states_are_read_again() {
    testkit::inputs(50, |input| {
        let state = crate::properties::bots::any_state(input);
        assert_eq!(read(&serde_json::to_string(&state).expect("JSON")), Ok(state));
    });
    assert_eq!(read("{}"), Ok(GameState::default()));
    assert_refused(
        read::<GameState>,
        &[
            (r#"{"bag": ""}"#, "expected a bag of one to seven pieces"),
            (r#"{"queue": ["T", "X"]}"#, "column 1: expected one of I O T S Z J L"),
            (r#"{"level": 2}"#, "unknown field `level`"),
        ],
    );
}

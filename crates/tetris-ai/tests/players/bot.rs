//! The bot: its moves and its state compared with the game's, its conversation, games between bots.

use crate::levels::game;
use bitcore::Rng;
use std::collections::BTreeSet;
use tetris::{Bag, Board, Game, Move, Piece, Position, Rules};
use tetris_ai::bot::{BotWeights, GameState, Search};
use tetris_ai::tbp::{
    BotMessage, FrontendMessage, Randomizer, RandomizerKind, Session, Start, TbpBoard, TbpMove,
};
use tetris_ai::versus::{IllegalMove, VersusGame, VersusResult, wilson_interval};

#[test]
fn the_search_knows_all_legal_moves() {
    testkit::seeds(200, |seed| {
        let game = game(&mut Rng::new(seed));
        let mut search = Search::new(&GameState::from(&game), BotWeights::default());
        search.run(1, &|| false);
        let found = search.ranked();
        let mut legal = game.legal_moves();
        assert!(found.iter().all(|mv| legal.contains(mv)));
        // A lock above the skyline ends the game: the search leaves it out if there is another move.
        let goes_on = |mv: &Move| mv.placement.at.cells().iter().any(|&(_, y)| y < 20);
        if legal.iter().any(goes_on) {
            legal.retain(goes_on);
        }
        let placements = |moves: &[Move]| moves.iter().map(|mv| mv.placement).collect::<BTreeSet<_>>();
        assert_eq!((placements(&found), found.len()), (placements(&legal), placements(&legal).len()));
    });
}

#[test]
fn states_follow_the_game() {
    testkit::seeds(300, |seed| {
        let mut rng = Rng::new(seed);
        let mut game = Game::new(Rules::default(), &mut rng);
        let mut state = GameState::from(&game);
        for _ in 0..20 {
            let legal = game.legal_moves();
            let Some(&mv) = legal.get(rng.below(legal.len() as u32) as usize) else { break };
            let result = game.step(mv, &mut rng).expect("a legal move");
            // A hold that brings the same piece looks like no hold and has the same effect on the board.
            let told = state.move_for(mv.placement);
            let clear = state.play(told).expect("the same move");
            assert_eq!((clear.lines, clear.combo, clear.perfect), {
                let clear = result.clear;
                (clear.lines, clear.combo, clear.perfect)
            });
            let now = GameState::from(&game);
            if told.hold != mv.hold {
                break;
            }
            let known = state.queue.len();
            assert_eq!(now.queue[..known], state.queue);
            state.queue.extend(&now.queue[known..]);
            state.bag = now.bag;
            assert_eq!(state, now);
        }
    });
}

#[test]
fn stopped_and_without_pieces() {
    let state = GameState { queue: vec![Piece::T, Piece::I, Piece::O], ..GameState::default() };
    let mut search = Search::new(&state, BotWeights::default());
    assert!(search.best().is_none() && search.nodes() == 0);
    assert!(search.run(u64::MAX, &|| true));
    // Stopped at once: all root moves are known, none is expanded.
    assert_eq!((search.ranked().len(), search.depth()), (34 + 17, 1));
    // A complete search has nothing left to expand.
    assert!(!search.run(u64::MAX, &|| false));
    assert_eq!(search.depth(), 2);
    let mut none = Search::new(&GameState::default(), BotWeights::default());
    assert!(!none.run(10, &|| false) && none.best().is_none());
    let blocked = "0,0,0,ffffffffff,ffffffffff,0,0,0,0,0".parse().expect("a board");
    let mut dead = Search::new(&GameState { board: blocked, ..state }, BotWeights::default());
    assert!(!dead.run(10, &|| false) && dead.best().is_none());
    let last = GameState { queue: vec![Piece::S], ..GameState::default() };
    let mut one = Search::new(&last, BotWeights::default());
    one.run(10, &|| false);
    assert_eq!(one.ranked().len(), 17);
}

/// Nineteen rows of garbage with these rows on them.
fn high(rows: &str) -> Board {
    format!("{rows}\n{}", "#########.\n".repeat(19)).parse().unwrap()
}

#[test]
fn a_piece_whose_spawn_is_blocked_spawns_one_row_higher() {
    let board = high("....#.....");
    for piece in Piece::ALL {
        let game = |second_spawn_row| {
            let rules = Rules { next: 1, second_spawn_row, ..Rules::GUIDELINE };
            let position = Position { board, queue: &[piece, piece], ..Position::default() };
            Game::from_position(rules, position, &mut Rng::new(1)).unwrap()
        };
        for (second_spawn_row, lives) in [(true, true), (false, false)] {
            let game = game(second_spawn_row);
            let state = GameState::from(&game);
            assert_eq!(state.second_spawn_row, second_spawn_row);
            let mut search = Search::new(&state, BotWeights::default());
            search.run(1, &|| false);
            let best = search.best().filter(|best| game.legal_moves().contains(best));
            assert_eq!(best.is_some(), lives, "{piece}");
        }
    }
}

#[test]
fn locks_above_the_skyline_are_suggested_if_there_is_nothing_else() {
    // Nothing fits below row 20; the O has places on the pillar and on the floor beside it.
    let full: Board = ".#########\n".repeat(20).parse().unwrap();
    let beside = high("....#.....");
    for (board, rows) in [(full, vec![20; 9]), (beside, vec![19; 7])] {
        let queue = vec![Piece::O, Piece::O];
        let mut search =
            Search::new(&GameState { board, queue, ..GameState::default() }, BotWeights::default());
        search.run(100, &|| false);
        let found: Vec<i8> = search.ranked().iter().map(|mv| mv.placement.at.y).collect();
        assert_eq!(found, rows);
    }
}

fn say(session: &mut Session, line: &str) -> Option<BotMessage> {
    session.receive(serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
}

fn moves(message: Option<BotMessage>) -> Vec<TbpMove> {
    match message {
        Some(BotMessage::Suggestion { moves, .. }) => moves,
        other => panic!("expected a suggestion, found {other:?}"),
    }
}

#[test]
fn a_conversation() {
    let mut session = Session::default();
    assert_eq!(say(&mut session, r#"{"type":"rules","more":[1]}"#), Some(BotMessage::Ready));
    assert_eq!(say(&mut session, r#"{"type":"new_kind","piece":7}"#), None);
    // Messages before a start are ignored.
    for line in [r#"{"type":"new_piece","piece":"T"}"#, r#"{"type":"stop"}"#] {
        assert_eq!((say(&mut session, line), session.has_piece_in_play()), (None, false));
    }
    assert_eq!(session.suggestion(), None);
    let mut game = Game::new(Rules { next: 3, ..Rules::default() }, &mut Rng::new(2));
    let mut rng = Rng::new(9);
    let queue = std::iter::once(game.piece()).chain(game.next().iter().copied());
    let start = Start {
        hold: None,
        queue: queue.map(Into::into).collect(),
        combo: 0,
        back_to_back: false,
        board: TbpBoard(Board::EMPTY),
        randomizer: Randomizer::from(game.bag()),
    };
    let line = serde_json::to_string(&FrontendMessage::Start(start)).expect("JSON");
    assert_eq!(say(&mut session, &line), None);
    for _ in 0..12 {
        session.think(500, &|| false);
        let first = moves(session.suggestion())[0];
        let legal = game.legal_moves();
        let mv = legal.iter().find(|mv| mv.placement == first.into()).expect("a legal move");
        let used = if mv.hold && game.held().is_none() { 2 } else { 1 };
        game.step(*mv, &mut rng).expect("it is legal");
        let mv = serde_json::to_string(&first).expect("JSON");
        say(&mut session, &format!(r#"{{"type":"play","move":{mv},"time":1}}"#));
        for piece in &game.next()[3 - used..] {
            say(&mut session, &format!(r#"{{"type":"new_piece","piece":"{piece}"}}"#));
        }
    }
    // A move of a piece that is not in play ends the game, as stop does.
    let far = r#"{"location":{"type":"I","orientation":"north","x":40,"y":-7},"spin":"none"}"#;
    assert!(session.has_piece_in_play());
    say(&mut session, &format!(r#"{{"type":"play","move":{far}}}"#));
    assert!(!session.has_piece_in_play());
    // After a start without pieces the session waits for pieces.
    let empty = FrontendMessage::Start(Start {
        hold: None,
        queue: Vec::new(),
        combo: 0,
        back_to_back: false,
        board: TbpBoard(Board::EMPTY),
        randomizer: Randomizer::Unknown,
    });
    session.receive(empty);
    assert_eq!(session.suggestion(), None);
    say(&mut session, r#"{"type":"new_piece","piece":"S"}"#);
    assert_eq!(moves(session.suggestion()).len(), 17);
}

#[test]
fn boards_and_bags_of_the_protocol() {
    let rows: Vec<Vec<Option<&str>>> = (0..40)
        .map(|y| (0..10).map(|x| (x == y).then_some("G").or((y == 39 && x == 0).then_some("T"))).collect())
        .collect();
    let json = serde_json::to_string(&rows).expect("JSON");
    let TbpBoard(board) = serde_json::from_str(&json).expect("a board");
    assert_eq!(board, "8000000001,2,4,8,10,20,40,80,100,200".parse().expect("a board"));
    let again: TbpBoard = serde_json::from_str(&serde_json::to_string(&TbpBoard(board)).unwrap()).unwrap();
    assert_eq!(again.0, board);
    let wrong = |rows: &[Vec<Option<&str>>]| {
        let json = serde_json::to_string(rows).expect("JSON");
        serde_json::from_str::<TbpBoard>(&json).expect_err("a wrong board").to_string()
    };
    let high: Vec<_> = std::iter::once(vec![Some("T"); 10]).chain(rows.clone()).collect();
    assert!(
        wrong(&high).starts_with("row 40: expected empty cells: a board has 40 rows"),
        "{}",
        wrong(&high)
    );
    let short: Vec<_> = rows.iter().map(|row| row[1..].to_vec()).collect();
    assert!(wrong(&short).starts_with("row 0: expected 10 cells, found 9"));
    let bag = |json: &str| serde_json::from_str::<Randomizer>(json).expect("a randomizer").bag();
    assert_eq!(bag(r#"{"type":"seven_bag","bag_state":[]}"#), Bag::FULL);
    assert_eq!(bag(r#"{"type":"general_bag","current_bag":{}}"#), Bag::FULL);
    assert_eq!(
        bag(r#"{"type":"seven_bag","bag_state":["T","I"]}"#).pieces().collect::<Vec<_>>(),
        [Piece::I, Piece::T]
    );
}

/// Fields that frontends write in different ways are read; the error for a bad one says where.
#[test]
fn starts_are_read_leniently() {
    let start = |fields: &str| {
        let line = format!(r#"{{"type":"start",{fields}}}"#);
        match serde_json::from_str::<FrontendMessage>(&line) {
            Ok(FrontendMessage::Start(start)) => Ok(start),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        }
    };
    let row = format!("[{}]", ["null"; 10].join(","));
    let filled = row.replacen("null", r#""G""#, 1);
    let game = |fields: &str| start(&format!(r#""queue":["T"],"board":[{filled}]{fields}"#));
    let plain = game("").expect("a start");
    let expected = Start {
        hold: None,
        queue: vec![Piece::T.into()],
        combo: 0,
        back_to_back: false,
        board: TbpBoard("1,0,0,0,0,0,0,0,0,0".parse().expect("a board")),
        randomizer: Randomizer::Unknown,
    };
    assert_eq!(plain, expected);
    for fields in [
        r#","hold":null"#,
        r#","combo":null"#,
        r#","combo":-1"#,
        r#","combo":-1e300"#,
        r#","combo":0.5"#,
        r#","back_to_back":null"#,
        r#","back_to_back":-1"#,
        r#","back_to_back":0"#,
        r#","randomizer":null"#,
        r#","randomizer":"seven_bag""#,
        r#","randomizer":{"type":"tgm3","history":["S"]}"#,
        r#","randomizer":{"type":"seven_bag","bag_state":["X"]}"#,
        r#","randomizer":{"type":"seven_bag"}"#,
    ] {
        assert_eq!(game(fields).as_ref(), Ok(&expected), "{fields}");
    }
    let combo = |number: &str| game(&format!(",\"combo\":{number}")).expect("a start").combo;
    let combos = ["1.0", "7", "4294967296", "18446744073709551616"].map(combo);
    assert_eq!(combos, [1, 7, u32::MAX, u32::MAX]);
    assert!(game(r#","back_to_back":2.0"#).expect("a start").back_to_back);
    for rows in [20, 40, 50] {
        let board = std::iter::once(&filled).chain(std::iter::repeat_n(&row, rows - 1));
        let board = board.map(String::as_str).collect::<Vec<_>>().join(",");
        assert_eq!(start(&format!(r#""queue":["T"],"board":[{board}]"#)).as_ref(), Ok(&expected));
    }
    assert_eq!(start(&format!(r#""queue":["T"],"board":[{filled},null]"#)).as_ref(), Ok(&expected));

    for (fields, error) in [
        (r#","hold":"X""#, "hold: unknown variant `X`"),
        (r#","hold":7"#, "hold: "),
        (r#","combo":"1""#, "combo: invalid type: string \"1\", expected a number or null"),
        (r#","combo":true"#, "combo: expected a number or null, found true"),
        (r#","back_to_back":"yes""#, "back_to_back: invalid type"),
    ] {
        let found = game(fields).expect_err(fields);
        assert!(found.starts_with(error), "{fields}: {found}");
    }
    for (fields, error) in [
        (r#""board":[]"#.to_owned(), "missing field `queue`"),
        (r#""queue":["T"]"#.to_owned(), "missing field `board`"),
        (r#""queue":["T","U"],"board":[]"#.to_owned(), "queue: piece 2: unknown variant `U`"),
        (r#""queue":"TI","board":[]"#.to_owned(), "queue: invalid type"),
        (r#""queue":["T"],"board":[[null]]"#.to_owned(), "board: row 0: expected 10 cells, found 1"),
        (r#""queue":["T"],"board":7"#.to_owned(), "board: invalid type"),
    ] {
        let found = start(&fields).expect_err(&fields);
        assert!(found.starts_with(error), "{fields}: {found}");
    }
}

#[test]
fn integers_may_be_written_as_floats() {
    let play = |x: &str, y: &str| {
        let location = format!(r#"{{"type":"T","orientation":"north","x":{x},"y":{y}}}"#);
        let line = format!(r#"{{"type":"play","move":{{"location":{location},"spin":"none"}}}}"#);
        let suggestion =
            format!(r#"{{"type":"suggestion","moves":[{{"location":{location},"spin":"none"}}]}}"#);
        let place = |mv: TbpMove| (mv.location.x, mv.location.y);
        let played = match serde_json::from_str(&line) {
            Ok(FrontendMessage::Play { mv }) => Ok(place(mv)),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        let suggested = serde_json::from_str(&suggestion).map(|message| place(moves(Some(message))[0]));
        assert_eq!(suggested.is_ok(), played.is_ok(), "{x} {y}");
        played
    };
    for (x, y) in [("4", "0"), ("4.0", "0.0"), ("4e0", "0"), ("4", "-0.0"), ("0.4e1", "0")] {
        assert_eq!(play(x, y), Ok((4, 0)), "{x} {y}");
    }
    assert_eq!(play("-128.0", "127.0"), Ok((-128, 127)));
    for (x, error) in [
        ("4.5", "invalid type: floating point `4.5`, expected i8"),
        ("-0.1", "invalid type: floating point `-0.1`, expected i8"),
        ("128.0", "invalid type: floating point `128.0`, expected i8"),
        ("128", "invalid value: integer `128`, expected i8"),
        ("-129", "invalid value: integer `-129`, expected i8"),
        ("1e300", "invalid type: floating point"),
        ("\"4\"", "invalid type: string \"4\", expected i8"),
        ("null", "invalid type: null, expected i8"),
        ("true", "invalid type: boolean `true`, expected i8"),
    ] {
        let found = play(x, "0").expect_err(x);
        assert!(found.starts_with(error), "{x}: {found}");
    }
}

#[test]
fn messages_that_only_look_wrong() {
    let rules = |line: &str| serde_json::from_str::<FrontendMessage>(line).expect(line);
    let kind = |randomizer| FrontendMessage::Rules { randomizer };
    assert_eq!(rules(r#"{"type":"rules","randomizer":"seven_bag"}"#), kind(RandomizerKind::SevenBag));
    for unknown in ["", r#","randomizer":null"#, r#","randomizer":"tgm3""#, r#","randomizer":{}"#] {
        assert_eq!(rules(&format!(r#"{{"type":"rules"{unknown}}}"#)), kind(RandomizerKind::Unknown));
    }
    let sent = serde_json::to_string(&kind(RandomizerKind::SevenBag)).expect("JSON");
    assert_eq!(sent, r#"{"type":"rules","randomizer":"seven_bag"}"#);

    let nodes = |move_info: &str| {
        let line = format!(r#"{{"type":"suggestion","moves":[],"move_info":{move_info}}}"#);
        match serde_json::from_str(&line).expect(&line) {
            BotMessage::Suggestion { move_info, .. } => move_info.map_or(0, |info| info.nodes),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(nodes(r#"{"nodes":1e6,"nps":null,"depth":"7","extra":{}}"#), 1_000_000);
    assert_eq!(nodes("{\"nodes\":18446744073709551615}"), u64::MAX);
    assert_eq!(nodes("{\"nodes\":1e300}"), u64::MAX);
    assert_eq!([nodes("null"), nodes("7"), nodes("{\"nodes\":-1}")], [0; 3]);
    assert_eq!(moves(Some(BotMessage::resignation())), []);
}

#[test]
fn games_of_two_players() {
    let mut game = VersusGame::new(3);
    let best = |game: &Game, nodes| {
        let mut search = Search::new(&GameState::from(game), BotWeights::default());
        search.run(nodes, &|| false);
        search.best().expect("a move")
    };
    assert_eq!(game.sides()[0], game.sides()[1]);
    // The bot plays against the first legal move: its attack arrives and the other side tops out.
    while game.result(200).is_none() {
        let before = game.clone();
        let [first, second] = game.sides();
        let moves = [best(first, 300), second.legal_moves()[0]];
        let wrong = Move {
            placement: tetris::Placement { at: moves[0].placement.at.moved(0, 1), ..moves[0].placement },
            ..moves[0]
        };
        let refused = game.step([moves[0], wrong]);
        assert!(matches!(refused, Err(IllegalMove { side: 1, .. })) && game == before);
        game.step(moves).expect("legal moves");
    }
    assert_eq!(game.result(200), Some(VersusResult::Wins(0)));
    assert!(game.turns() < 200 && game.sides()[1].over().is_some());
    // Two equal players play equal games.
    let mut even = VersusGame::new(5);
    for _ in 0..15 {
        let mv = best(&even.sides()[0], 300);
        let [first, second] = even.step([mv, best(&even.sides()[1], 300)]).expect("legal moves");
        // Only the columns of garbage holes differ between the sides.
        if first.garbage_rows > 0 || second.garbage_rows > 0 {
            break;
        }
        assert_eq!(first, second);
    }
    assert_eq!(VersusGame::new(5).result(0), Some(VersusResult::Draw));
    assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
    for (wins, games) in [(0, 1), (1, 1), (0, u64::MAX), (u64::MAX, u64::MAX)] {
        let (low, high) = wilson_interval(wins, games);
        assert!((-1e-9..=high).contains(&low) && high <= 1.0 + 1e-9, "{wins} of {games}: {low} to {high}");
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
            ..BotWeights::default()
        };
        let ranked = |weight| {
            let mut search = Search::new(&state, of(weight));
            search.run(2000, &|| false);
            search.ranked()
        };
        assert_eq!(ranked(weight), ranked(weight.clamp(-BotWeights::MAX, BotWeights::MAX)));
    }
}

#[cfg(feature = "serde")]
#[test]
fn saved_states_are_read_again() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let game = game(&mut rng);
        let queue = [&[game.piece()], game.next()].concat();
        let (hold, bag) = (game.held(), game.bag());
        let (board, second_spawn_row) = (*game.board(), rng.below(2) > 0);
        let state = GameState { board, queue, hold, bag, combo: 3, back_to_back: true, second_spawn_row };
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<GameState>(&text).unwrap(), state);
    }
    assert_eq!(serde_json::from_str::<GameState>("{}").unwrap(), GameState::default());
    for (text, expected) in [
        (r#"{"bag": ""}"#, "expected a bag of one to seven pieces"),
        (r#"{"queue": ["T", "X"]}"#, "expected one of I O T S Z J L"),
        (r#"{"level": 2}"#, "unknown field `level`"),
    ] {
        let error = serde_json::from_str::<GameState>(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

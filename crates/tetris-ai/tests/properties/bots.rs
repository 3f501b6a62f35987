//! Versus games, the bot's search, and the bot's view of a game.

use super::values::low_board;
use bitcore::Rng;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{Input, on_each_level};
use tetris::movegen::SpinMode;
use tetris::{
    Attack, Bag, Clear, Game, Location, Move, Orientation, Piece, Placement, Position,
    RotationSystem, Rules, Spin,
};
use tetris_ai::bot::versus::{VersusGame, VersusResult};
use tetris_ai::bot::{BotWeights, GameState, MAX_DEPTH, Search};
use tetris_ai::{Bot, Player, Stopped};

fn placement(input: &Input) -> Placement {
    let piece = *input.pick(&Piece::ALL);
    let orientation = *input.pick(&Orientation::ALL);
    let x = input.byte() as i8 % 12;
    let y = input.byte() as i8 % 42;
    let spin = *input.pick(&[Spin::None, Spin::None, Spin::Mini, Spin::Full]);
    Placement { at: Location { piece, orientation, x, y }, spin }
}

/// Draws a move, usually a legal one.
fn turn(input: &Input, game: &Game) -> Move {
    let moves = game.legal_moves();
    match moves.get(input.below(moves.len().max(1))) {
        Some(&legal) if input.below(16) > 0 => legal,
        _ => Move { hold: input.flag(), placement: placement(input) },
    }
}

pub(crate) fn versus(input: &Input) {
    let seed = input.u64();
    let mut game = VersusGame::new(seed);
    let mut rng = Rng::new(seed);
    let first = Game::new(VersusGame::rules(), &mut rng);
    let mut sides = [first.clone(), first];
    let mut pieces = [rng.clone(), rng];
    let mut columns = Rng::stream(seed, 1);
    let mut attack = [0; 2];
    let mut turns = 0;
    let limit = input.below(20) as u64;
    for _ in input.steps(64) {
        let played = [turn(input, &sides[0]), turn(input, &sides[1])];
        let mut after = (sides.clone(), pieces.clone());
        let results = [0, 1].map(|side| after.0[side].play(played[side], &mut after.1[side]));
        let before = game.clone();
        match (results, game.play(played)) {
            ([Ok(left), Ok(right)], Ok(found)) => {
                assert_eq!(found, [left, right]);
                (sides, pieces) = after;
                turns += 1;
                for (side, result) in found.iter().enumerate() {
                    attack[side] += u64::from(result.attack);
                    let column = columns.below(10) as u8;
                    // A finished game rejects garbage.
                    let _ = sides[1 - side].receive(Attack { lines: result.sent, column });
                }
            }
            (results, Err(error)) => {
                let side = results.iter().position(Result::is_err).expect("a refused turn");
                assert_eq!(error.side, side);
                assert_eq!(Err(error.error), results[side]);
                assert_eq!(game, before);
            }
            (results, found) => panic!("{results:?} {found:?}"),
        }
        assert_eq!(game.sides(), &sides);
        assert_eq!(game.turns(), turns);
        assert_eq!(game.attack(), attack);
        let alive = [!sides[0].is_over(), !sides[1].is_over()];
        let more = attack[0] != attack[1];
        let by_attack = if more {
            VersusResult::Wins((attack[1] > attack[0]).into())
        } else {
            VersusResult::Draw
        };
        let expected = match alive {
            [true, true] => (turns >= limit).then_some(by_attack),
            [false, false] => Some(by_attack),
            _ => Some(VersusResult::Wins(usize::from(alive[1]))),
        };
        assert_eq!(game.result(limit), expected);
    }
}

pub(crate) fn any_state(input: &Input) -> GameState {
    let board = low_board(input, input.below(24));
    let most = if input.below(8) == 0 { 40 } else { 5 };
    let piece = || *input.pick(&Piece::ALL);
    let queue = input.list(input.below(most), piece);
    let mut bag = Bag::FULL;
    input.list(input.below(7), || bag.take(piece()));
    let hold = input.flag().then(piece);
    let combo = if input.below(8) == 0 { input.u32() } else { input.below(5) as u32 };
    GameState {
        board,
        hold,
        queue,
        combo,
        back_to_back: input.flag(),
        bag,
        second_spawn_row: input.flag(),
        ..GameState::default()
    }
}

/// A search in portions, equal at every level to a single search.
pub(crate) fn search(input: &Input) {
    let mut state = any_state(input);
    let mut weights = BotWeights::default();
    if input.below(4) == 0 {
        weights.covered = input.u32() as i32;
        weights.combo = input.u32() as i32;
        weights.wasted_t = input.u32() as i32;
        weights.bumps = input.u32() as i32;
    }
    let portions = input.list(3, || input.below(400) as u64);
    state.can_hold = input.below(4) < 3;
    let most = portions.iter().copied().max().unwrap_or(0);
    let mut whole = Search::new(&state, weights.clone());
    let left = whole.run(most);
    let expected = (whole.nodes(), whole.depth(), whole.ranked());
    on_each_level(|| {
        let mut search = Search::new(&state, weights.clone());
        let mut last = left;
        for &portion in &portions {
            last = search.run(portion);
        }
        // Without known pieces, nothing is ever left to search.
        assert!(last || !left || portions.last() != Some(&most));
        assert_eq!((search.nodes(), search.depth(), search.ranked()), expected);
    });
    assert!(whole.depth() <= MAX_DEPTH);
    for mv in whole.ranked() {
        let mut after = state.clone();
        let clear = after.play(mv).expect("a legal move");
        assert!(clear.lines > 0 || after.back_to_back == state.back_to_back);
    }
    assert_eq!(whole.best(), whole.ranked().first().copied());
}

/// A search that goes on after a move, compared with a new one once nothing is left to search.
pub(crate) fn advance(input: &Input) {
    let mut state = any_state(input);
    state.queue = input.list(1 + input.below(3), || *input.pick(&Piece::ALL));
    let nodes = input.below(2_000) as u64;
    let mut search = Search::new(&state, BotWeights::default());
    search.run(nodes);
    let ranked = search.ranked();
    let Some(&mv) = ranked.get(input.below(ranked.len().max(1))) else { return };
    state.play(mv).expect("a move");
    if state.queue.len() < 2 {
        state.queue.push(*input.pick(&Piece::ALL));
    }
    // Searches that don't know the position, too.
    let moves = if input.below(8) > 0 { 1 } else { input.below(4) };
    on_each_level(|| {
        let mut whole = Search::new(&state, BotWeights::default());
        assert!(!whole.run(u64::MAX));
        let mut search = search.clone();
        search.advance(&state, moves);
        assert!(!search.run(u64::MAX));
        let best =
            |search: &Search| search.values().first().map(|&(_, depth, value)| (depth, value));
        assert_eq!(best(&search), best(&whole), "{state:?}");
    });
}

/// The bot's view of a game in progress, compared with the game.
pub(crate) fn state(input: &Input) {
    let mut rng = Rng::new(input.u64());
    let rules = Rules { next: 1 + input.below(6), hold: input.below(4) < 3, ..Rules::default() };
    let mut game = Game::new(rules, &mut rng);
    let mut state = GameState::from(&game);
    for _ in 0..12 {
        if input.is_empty() || game.is_over() {
            break;
        }
        assert_moves(&game, &state);
        let mv = turn(input, &game);
        let before = state.clone();
        let told = state.move_for(mv.placement);
        assert_eq!(told, Move { hold: game.piece() != mv.placement.at.piece, ..mv });
        let clear = state.play(mv);
        match game.play(mv, &mut rng) {
            Ok(result) => {
                let clear = clear.expect("a legal move");
                let parts = |clear: Clear| (clear.lines, clear.spin, clear.combo, clear.perfect);
                assert_eq!(parts(clear), parts(result.clear));
                // Swapping in the same piece looks like a plain move, with the same effect.
                let mut as_told = before;
                assert_eq!(as_told.play(told).map(parts), Some(parts(clear)));
                assert_eq!(as_told.board, state.board);
                let seen = GameState::from(&game);
                assert_eq!(state.board, seen.board);
                assert_eq!(state.hold, seen.hold);
                assert_eq!(state.combo, seen.combo);
                assert!(seen.queue.starts_with(&state.queue));
                assert_eq!(state.back_to_back, seen.back_to_back);
                state = seen;
            }
            // It doesn't check reachability.
            Err(_) => state = before,
        }
    }
}

/// The bot as a player under any rules, compared with its search.
pub(crate) fn player(input: &Input) {
    let mut rng = Rng::new(input.u64());
    let rules = Rules {
        next: input.below(6),
        hold: input.flag(),
        second_spawn_row: input.flag(),
        rotation_system: *input.pick(&RotationSystem::ALL),
        spin_mode: *input.pick(&SpinMode::ALL),
        ..Rules::default()
    };
    let board = low_board(input, input.below(24));
    let hold = input.flag().then(|| *input.pick(&Piece::ALL));
    let position = Position { board, hold, ..Position::default() };
    let mut game = Game::from_position(rules, position, &mut rng).expect("no queue");
    let mut bot = Bot { nodes: input.below(200) as u64, ..Bot::default() };
    for _ in 0..6 {
        let chosen = bot.choose(&game);
        if game.is_over() {
            assert_eq!(bot.choose_until(&game, &|| true), Ok(None));
            return assert_eq!(chosen, None);
        }
        assert_eq!(bot.choose_until(&game, &|| true), Err(Stopped));
        let mut search = Search::new(&GameState::from(&game), bot.weights.clone());
        search.run(bot.nodes);
        assert_eq!(chosen, search.best());
        // A later stop yields none.
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        let stopped = bot.choose_until(&game, &stop);
        assert_eq!(stopped, if asked.into_inner() < 3 { Ok(chosen) } else { Err(Stopped) });
        game.play(chosen.expect("a move"), &mut rng).expect("a legal move");
    }
}

/// Checks that the search lists the placements of all legal moves. It omits locks above the
/// skyline, which end the game, if there is another move.
fn assert_moves(game: &Game, state: &GameState) {
    let mut search = Search::new(state, BotWeights::default());
    search.run(1);
    let found = search.ranked();
    let mut legal = game.legal_moves();
    assert!(found.iter().all(|mv| legal.contains(mv)));
    let goes_on = |mv: &Move| mv.placement.at.cells().iter().any(|&(_, y)| y < 20);
    if legal.iter().any(goes_on) {
        legal.retain(goes_on);
    }
    let placements = |moves: &[Move]| moves.iter().map(|mv| mv.placement).collect::<BTreeSet<_>>();
    assert_eq!(placements(&found), placements(&legal));
    assert_eq!(found.len(), placements(&legal).len());
}

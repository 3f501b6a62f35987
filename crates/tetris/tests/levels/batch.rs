//! Batches: rejected settings, and action numbers. `properties::batch` covers play.

use std::array;
use std::num::NonZeroU8;
use tetris::batch::{ACTION_ROWS, Actions, BatchError, BatchSettings, DecodedAction, StepBuffers};
use tetris::keys::KeysSettings;
use tetris::real_time::{Handling, Key, RealTimeGame};
use tetris::{
    Batch, Board, Error, KeysBatch, Location, Move, Orientation, Piece, Placement, Rng, Rules, Spin,
};

#[test]
fn what_a_batch_refuses() {
    for actions in [Actions::Drops, Actions::Placements] {
        let settings = |rows| BatchSettings { actions, rows, ..BatchSettings::default() };
        let batch = |rows| Batch::new(2, settings(rows), 1);
        let batches = [20, 3].map(|rows| batch(rows).unwrap());
        testkit::check_refusals(batches, |n| Batch::new(n, settings(20), 1), Error::Games);
        for rows in [0, 41] {
            let error = Error::VisibleRows { found: rows };
            assert_eq!(batch(rows).map(|_| ()), Err(error));
        }
    }
}

#[test]
fn what_a_batch_of_keys_refuses() {
    let settings = |frames| KeysSettings { frames, ..KeysSettings::default() };
    let batch = |frames| KeysBatch::new(2, settings(frames), 1).unwrap();
    let batches = [NonZeroU8::MIN, NonZeroU8::MAX].map(batch);
    testkit::check_refusals(
        batches,
        |n| KeysBatch::new(n, KeysSettings::default(), 1),
        Error::Games,
    );
    for (rows, reason) in [(22, "not every piece can spawn"), (1, "full rows")] {
        let full = Board::try_from([(1 << rows) - 1; 10]).unwrap();
        let error =
            batch(NonZeroU8::MIN).with_starts(vec![Board::EMPTY, full]).map(|_| ()).unwrap_err();
        assert_eq!(error, BatchError::Start { index: 1, reason });
    }
}

#[test]
fn games_by_keys_are_real_time_games() {
    let keys_by_action: Vec<Option<Key>> = KeysSettings::default().keys().collect();
    let mut batch = KeysBatch::new(3, KeysSettings::default(), 8).expect("few games");
    let mut out = StepBuffers::new(batch.shape());
    let mut streams: Vec<Rng> = Rng::streams(8).take(3).collect();
    let start = |rng: &mut Rng| {
        RealTimeGame::new(KeysSettings::default().rules, Handling::default(), rng.next_u64())
    };
    let mut games: Vec<RealTimeGame> = streams.iter_mut().map(start).collect();
    let mut keys = Rng::new(5);
    let mut ends = 0;
    for _ in 0..6000 {
        let actions: [u32; 3] = array::from_fn(|_| keys.below(8));
        batch.step_into(&actions, out.out()).expect("legal keys");
        for (place, (game, rng)) in games.iter_mut().zip(&mut streams).enumerate() {
            let score = game.score();
            if let Some(key) = keys_by_action[actions[place] as usize] {
                game.tap(key);
            }
            game.tick(&mut Vec::new());
            assert_eq!(out.reward[place] as u64, game.score() - score);
            assert_eq!(out.terminated[place], game.end().is_some());
            if game.end().is_some() {
                *game = start(rng);
                ends += 1;
            }
            let found = batch.game(place).expect("a game").game();
            assert_eq!(found.game(), game.game());
            assert_eq!(found.falling(), game.falling());
            assert_eq!(found.score(), game.score());
        }
    }
    assert!(ends > 20, "{ends} ends");
    let others = Key::ALL.into_iter().filter(|&key| !keys_by_action.contains(&Some(key)));
    assert_eq!(others.collect::<Vec<_>>(), [Key::Half]);
}

#[test]
fn actions_are_numbers_both_ways() {
    let rules = |hold| Rules { hold, ..Rules::default() };
    let mv = |hold, at| Move { hold, placement: Placement { at, spin: Spin::None } };
    for (actions, rows) in [(Actions::Drops, 1), (Actions::Placements, ACTION_ROWS)] {
        for with_hold in [false, true] {
            let holds = &[false, true][..if with_hold { 2 } else { 1 }];
            let number = actions.count(&rules(with_hold));
            assert_eq!(number, holds.len() * 40 * rows);
            let mut all = holds.iter().flat_map(|&hold| {
                let ways = Orientation::ALL
                    .into_iter()
                    .flat_map(|way| (0..Board::WIDTH).map(move |x| (way, x)));
                ways.flat_map(move |way| (0..rows).map(move |row| (hold, way, row)))
            });
            for action in 0..number as u32 {
                let (hold, (orientation, column), row) =
                    all.next().expect("as many ways as actions");
                let row = (rows > 1).then_some(row);
                let slot = DecodedAction { hold, orientation, column, row };
                assert_eq!(actions.decode(action, &rules(with_hold)), Some(slot));
                // T has only one location per set of cells.
                let y = row.unwrap_or(7) as i8;
                let at = Location { piece: Piece::T, orientation, x: column as i8, y };
                assert_eq!(actions.encode(mv(hold, at), &rules(with_hold)), Some(action));
            }
            for action in [number as u32, u32::MAX] {
                assert_eq!(actions.decode(action, &rules(with_hold)), None);
            }
        }
        let at = |x, y| Location { piece: Piece::T, orientation: Orientation::North, x, y };
        assert_eq!(actions.encode(mv(true, at(4, 0)), &rules(false)), None, "no hold in this game");
        let with_hold = |at| actions.encode(mv(false, at), &rules(true));
        for (x, y) in [(-1, 0), (10, 0), (4, -1), (4, 40), (i8::MIN, i8::MIN), (i8::MAX, i8::MAX)] {
            assert_eq!(with_hold(at(x, y)), None, "{x} {y}");
        }
        assert_eq!(with_hold(at(4, 22)).is_some(), actions == Actions::Drops);
        // Equal cells of S are one action.
        let south = Location { piece: Piece::S, orientation: Orientation::South, x: 4, y: 1 };
        let north = Location { orientation: Orientation::North, y: 0, ..south };
        assert_eq!(with_hold(south), with_hold(north));
    }
}

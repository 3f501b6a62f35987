//! Beam: the move generator, layers at every level, and the text form.

use super::contests::{SEQUENCES, pressed};
use super::values::{board as any_board, grown, piece};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{Input, on_each_level};
use tetris_ai::Stopped;
use tetris_ai::contest::beam::{
    self, AdvanceResult, AdvanceSettings, Beam, BeamWeights, BoardEvaluator, Budget, Patterns,
    TimeManager, Widths, shortest_keys,
};
use tetris_ai::contest::{Board, FallingPiece, Game, reference, verify};

pub(crate) fn placements(input: &Input) {
    let mut board = any_board(input);
    for _ in 0..4 {
        let piece = piece(input);
        let expected = reference::placements(&board, piece);
        let found = beam::placements(&board, piece);
        assert_eq!(found, expected, "{piece}\n{board}");
        for place in &found {
            let keys = shortest_keys(&board, piece, *place).expect("a reachable place");
            let cells = |falling: FallingPiece| BTreeSet::from(falling.cells());
            assert_eq!(cells(pressed(&board, piece, &keys)), cells(*place));
        }
        let Some(chosen) = expected.get(input.below(expected.len().max(1))) else { break };
        board.place(*chosen);
        board.clear_full_rows();
    }
}

/// The value of a board and its children, often close enough to the end that the shape matters
/// less.
pub(crate) fn values(input: &Input) {
    let sequence = input.pick(&*SEQUENCES);
    let first = input.u16() as usize % 300;
    let goal = first + 2 + input.below(80);
    let pieces = &sequence.pieces()[..goal];
    let mut board = any_board(input);
    // Often close to a limit.
    let number = input.below(200);
    let patterns_after = if number < 50 { first + number % 3 } else { number };
    let least = if input.flag() { board.cells() + 3 } else { 100 };
    let weights = BeamWeights {
        min_clear_cells: least + input.below(3) as u32,
        patterns: (input.below(4) > 0).then_some(Patterns::FITTED),
        patterns_after,
        ..BeamWeights::FITTED
    };
    let evaluator = BoardEvaluator::new(&weights, pieces);
    for piece in [first, goal - 2] {
        if input.flag() {
            let placed = 12 * input.below(4);
            board = grown(input, Board::new(), &sequence.pieces()[piece..][..placed]);
        }
        let value = reference::beam_value(&weights, pieces, piece, &board);
        assert_eq!(evaluator.value(piece, &board), value, "\n{board}");
        let expected = reference::beam_children(&weights, pieces, piece + 1, &board);
        on_each_level(|| {
            assert_eq!(evaluator.children(piece + 1, &board), expected, "\n{board}");
        });
    }
}

/// Beams before their first piece, built once because a beam's tables take longer than several of
/// its layers.
static BEAMS: LazyLock<Vec<Beam>> = LazyLock::new(|| {
    let goals = [0, 1, 9, 40, 120, 10_000];
    let beam = |(sequence, goal)| Beam::new(sequence, goal, BeamWeights::FITTED);
    SEQUENCES.iter().cloned().cycle().zip(goals).map(beam).collect()
});

pub(crate) fn beam(input: &Input) {
    let mut beam = input.pick(&BEAMS).clone();
    for _ in 0..12 {
        if input.is_empty() && beam.pieces() > 0 {
            break;
        }
        let before = beam.clone();
        match input.below(10) {
            0 => beam.compact(),
            1 if input.below(4) == 0 => {
                let resumed: Beam = beam.to_string().parse().expect("what was written is read");
                assert_eq!(resumed.to_string(), beam.to_string());
                beam = resumed;
            }
            2 => {
                let budget = Budget { spent: input.u64(), allowed: input.u64() };
                beam.set_budget(budget);
                assert_eq!(beam.budget(), budget);
            }
            3 => {
                // Stopped once: at the start, or in the middle of a layer, which discards the
                // layer's work.
                let byte = usize::from(input.byte());
                let pieces = 1 + byte % 3;
                let at = byte / 3;
                let asked = AtomicUsize::new(0);
                let stop = || asked.fetch_add(1, Ordering::Relaxed) == at;
                beam.set_threads(2);
                let ended = beam.advance_until(AdvanceSettings { pieces, width: 2 }, &stop);
                let placed = beam.pieces() - before.pieces();
                let mut plain = before.clone();
                plain.advance(AdvanceSettings { pieces: placed, width: 2 });
                assert_eq!(beam, plain);
                assert_eq!(ended == Err(Stopped), asked.into_inner() > at);
                assert!(placed <= pieces);
            }
            _ => {
                let any = beam.goal() < 200 && input.below(8) == 0;
                let pieces = if any { input.size() } else { input.below(5) };
                let width = input.below(if input.below(8) == 0 { 700 } else { 20 });
                beam.set_threads(1);
                let ended = beam.advance(AdvanceSettings { pieces, width });
                on_each_level(|| {
                    let mut other = before.clone();
                    other.set_threads(input.below(3));
                    assert_eq!(other.advance(AdvanceSettings { pieces, width }), ended);
                    assert_eq!(other, beam);
                });
                let end = before.pieces().saturating_add(pieces).min(beam.goal());
                match ended {
                    AdvanceResult::Done => assert!(beam.pieces() == end && end < beam.goal()),
                    AdvanceResult::Finished => assert_eq!(beam.pieces(), beam.goal()),
                    AdvanceResult::Lost => assert!(beam.pieces() < end),
                    AdvanceResult::OutOfMemory => unreachable!(),
                }
            }
        }
        if beam.pieces() == 1 && before.pieces() == 0 {
            // All placements of the first piece lead to distinct boards.
            let first = beam.sequence().pieces()[0];
            let places = reference::placements(&Board::new(), first);
            assert_eq!(beam.generated() as usize, places.len());
        }
        let result = verify(&beam.record(), beam.sequence()).expect("legal turns");
        assert_eq!(result.score, beam.score());
        assert_eq!(result.pieces, beam.pieces());
        assert_eq!(result.cells_left, beam.board().cells());
        let mut game = Game::new(beam.sequence());
        for turn in beam.record().turns() {
            game.play(turn);
        }
        assert_eq!(*game.board(), beam.board());
    }
}

/// Plans for any share of a budget and any number of pieces.
pub(crate) fn time_manager(input: &Input) {
    let goal = if input.flag() { 10_000 } else { input.size() };
    let share = || {
        let byte = input.byte();
        match byte % 4 {
            0 => {
                let any = f64::from_bits(input.u64());
                *[f64::NAN, f64::INFINITY, -1.0, 2.0].get(usize::from(byte / 4 % 8)).unwrap_or(&any)
            }
            _ => f64::from(input.u16()) / 60_000.0,
        }
    };
    let before: Widths = match input.below(3) {
        0 => Widths::default(),
        1 => "800x5000".parse().expect("widths"),
        _ => format!("{}x{}", 1 + input.u32() % (1 << 28), input.size()).parse().expect("widths"),
    };
    let mut time_manager = TimeManager::new(goal, &before, share());
    let mut pieces = 0usize;
    for _ in input.steps(24) {
        let (stretch, width) = time_manager.plan(pieces, share());
        assert!(stretch > 0 && width > 0);
        pieces = if input.below(8) == 0 { input.size() } else { pieces.saturating_add(stretch) };
    }
}

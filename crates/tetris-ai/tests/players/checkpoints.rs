//! Checkpoints and records: damaged texts, a beam's weights, counts at their limits.

use bitcore::Rng;
use std::fmt::Debug;
use std::sync::LazyLock;
use tetris_ai::Stopped;
use tetris_ai::contest::beam::{
    AdvanceResult, AdvanceSettings, Beam, BeamWeights, Budget, Patterns,
};
use tetris_ai::contest::checksum::{self, ChecksumError};
use tetris_ai::contest::tree::{Settings, Solver, StepResult};
use tetris_ai::contest::{ParseCheckpointError, Record, Sequence};

fn solver() -> Solver {
    let mut solver = Solver::new(Sequence::contest(), Settings { depth: 3, ..Settings::default() });
    while solver.pieces() < 40 {
        assert_eq!(solver.step(), StepResult::Placed);
    }
    solver
}

fn beam(weights: BeamWeights) -> Beam {
    let mut beam = Beam::new(Sequence::contest(), 120, weights);
    assert_eq!(beam.advance(AdvanceSettings { pieces: 60, width: 30 }), AdvanceResult::Done);
    beam.compact();
    beam
}

/// Returns `None` if the result is not UTF-8.
fn damaged(text: &str, rng: &mut Rng) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let place = rng.below(bytes.len() as u32) as usize;
    match rng.below(8) {
        0..4 => bytes[place] ^= 1 << rng.below(8),
        4..6 => bytes.truncate(place),
        6 => {
            bytes.remove(place);
        }
        _ => {
            let mut lines: Vec<&str> = text.lines().collect();
            let line = rng.below(lines.len() as u32) as usize;
            lines.swap(0, line);
            return Some(lines.join("\n"));
        }
    }
    String::from_utf8(bytes).ok()
}

/// Damages a text many times and checks that `read` rejects it or returns the same value as before.
fn damage_is_found<T: Debug + PartialEq>(text: &str, seed: u64, read: impl Fn(&str) -> Option<T>) {
    let whole = read(text);
    assert!(whole.is_some(), "{text}");
    let mut rng = Rng::new(seed);
    let mut refused = 0;
    for i in 0..1_000 {
        let found = damaged(text, &mut rng).and_then(|text| read(&text));
        refused += usize::from(found.is_none());
        assert!(found.is_none() || found == whole, "damage {i} of seed {seed}");
    }
    assert!(refused > 900, "{refused}");
}

#[test]
fn damaged_checkpoints_are_refused() {
    damage_is_found(&beam(BeamWeights::FITTED).to_string(), 1, |text| text.parse::<Beam>().ok());
    damage_is_found(&solver().to_string(), 2, |text| text.parse::<Solver>().ok());
}

/// A damaged record with a checksum line is rejected, or the line itself is lost, which a reader
/// can detect.
#[test]
fn damaged_records_are_refused_or_have_no_checksum() {
    let text = checksum::with_checksum(&format!("{}\n# a remark\n", solver().record()));
    let read = |text: &str| {
        let record: Record = text.parse().ok()?;
        checksum::find(text.as_bytes()).expect("checked by parsing")?;
        Some(record)
    };
    damage_is_found(&text, 3, read);
}

/// A search repeatedly killed and resumed from its text equals an uninterrupted one.
#[test]
fn a_resumed_beam_is_the_same_beam() {
    static OTHER: LazyLock<Patterns> = LazyLock::new(|| {
        let mut patterns = Patterns::FITTED.clone();
        patterns.tops[10] = -77;
        patterns
    });
    let plain = BeamWeights { patterns: None, holes: -300, fade_pieces: 7, ..BeamWeights::FITTED };
    let with_patterns =
        BeamWeights { patterns: Some(&OTHER), patterns_after: 5, ..BeamWeights::FITTED };
    let mut records = vec![];
    for weights in [BeamWeights::FITTED, plain, with_patterns] {
        let new = || Beam::new(Sequence::contest(), 160, weights);
        let read = |text: &str| {
            Beam::parse_with(text, weights.patterns.unwrap_or(&OTHER))
                .expect("what was written is read")
        };
        let mut straight = new().with_threads(2);
        let mut resumed = new();
        assert_eq!(
            straight.advance(AdvanceSettings { pieces: 160, width: 150 }),
            AdvanceResult::Finished
        );
        resumed.set_budget(Budget { spent: 0, allowed: 1000 });
        while resumed.pieces() < 160 {
            // The work after this save is lost.
            resumed.compact();
            let saved = resumed.to_string();
            resumed.advance(AdvanceSettings { pieces: 11, width: 77 });
            resumed = read(&saved);
            assert!(*resumed.weights() == weights && resumed.to_string() == saved);
            resumed.advance(AdvanceSettings { pieces: 30, width: 150 });
            let Budget { spent, allowed } = resumed.budget();
            resumed.set_budget(Budget { spent: spent + 5, allowed });
        }
        assert_eq!(resumed.budget(), Budget { spent: 30, allowed: 1000 });
        resumed.set_budget(Budget::default());
        assert_eq!(resumed.to_string(), straight.to_string());
        let finished = read(&straight.to_string());
        assert_eq!(finished.record(), straight.record());
        assert_eq!(finished.score(), straight.score());
        assert_eq!(finished.generated(), straight.generated());
        records.push(straight.record());
    }
    records.dedup();
    assert_eq!(records.len(), 3, "the weights matter");
    let text = beam(with_patterns).to_string();
    assert!(matches!(text.parse::<Beam>(), Err(ParseCheckpointError::Patterns { .. })));
}

/// Replaces a word of a checkpoint and fixes its checksum.
fn with_word(text: &str, from: &str, to: &str) -> String {
    let end = checksum::find(text.as_bytes()).expect("a checksum").expect("a checksum");
    let changed = text[..end].replacen(from, to, 1);
    assert_ne!(changed, text[..end], "{from}");
    checksum::with_checksum(&changed)
}

/// The largest counts representable in a file do not overflow.
#[test]
fn counts_at_their_limits() {
    const MAX: &str = "18446744073709551615";
    let text = beam(BeamWeights::FITTED).to_string();
    let count =
        text.split(" placements ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a count");
    let text = with_word(&text, &format!("placements {count}"), &format!("placements {MAX}"));
    let text = with_word(&text, "spent 0 allowed 0", &format!("spent {MAX} allowed {MAX}"));
    let mut beam: Beam = text.parse().expect("a beam");
    assert_eq!(beam.advance(AdvanceSettings { pieces: 1, width: 30 }), AdvanceResult::Done);
    let most = Budget { spent: u64::MAX, allowed: u64::MAX };
    assert_eq!(beam.generated(), u64::MAX);
    assert_eq!(beam.budget(), most);
    assert_eq!(
        beam.advance(AdvanceSettings { pieces: usize::MAX, width: 30 }),
        AdvanceResult::Finished
    );

    let text = with_word(&solver().to_string(), "steps 40", &format!("steps {MAX}"));
    let text = with_word(&text, "early 0 at 0", &format!("early {MAX} at {MAX}"));
    let mut solver: Solver = text.parse().expect("a solver");
    // A full search at the maximum depth would take too long, so stop it immediately.
    assert_eq!(solver.step_until(&|| true), Err(Stopped));
    let text = with_word(&solver.to_string(), &format!("early {MAX} at {MAX}"), "early 0 at 0");
    let mut solver: Solver = text.parse().expect("a solver");
    assert_eq!(solver.step(), StepResult::Placed);
    assert_eq!(solver.steps(), u64::MAX);
}

/// Checkpoints of version 1 had no checksum: the error says so and names the line.
#[test]
fn old_checkpoints_are_refused() {
    let old = |text: &str| text[..text.rfind("# version").expect("a checksum line")].to_owned();
    let missing = |line| ChecksumError::Missing { line };
    assert_eq!(
        old(&solver().to_string()).parse::<Solver>(),
        Err(ParseCheckpointError::Checksum(missing(3)))
    );
    let expected = "line 3: expected a last line \"# version 2";
    assert!(missing(3).to_string().starts_with(expected), "{}", missing(3));
    let text = old(&beam(BeamWeights::FITTED).to_string());
    let line = 1 + text.lines().count();
    assert_eq!(text.parse::<Beam>(), Err(ParseCheckpointError::Checksum(missing(line))));
    // They are still valid records.
    assert!(text.parse::<Record>().is_ok_and(|record| record.turns().len() == 60));
}

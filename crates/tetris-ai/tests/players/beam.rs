//! Beam: patterns, records, text form, time manager.

use bitcore::Rng;
use tetris_ai::contest::beam::{
    AdvanceResult, AdvanceSettings, Beam, BeamWeights, ParseWidthsError, Patterns, TimeManager,
    Widths, placements,
};
use tetris_ai::contest::{PIECES, ParseCheckpointError, Record, Sequence, checksum, verify};

/// `patterns.txt`, parsed at run time, equals the patterns parsed by the compiler.
#[test]
fn patterns_are_what_their_file_says() {
    let Patterns { rows, skyline, holes, columns, runs, tops } = Patterns::FITTED;
    let mut seen = 0;
    let mut lengths = 0;
    for line in include_str!("../../src/contest/beam/patterns.txt").lines() {
        let (name, values) = line.split_once(' ').unwrap_or((line, ""));
        let values: Vec<i16> = if name == "#" {
            continue;
        } else {
            values.split(' ').map(|value| value.parse().unwrap()).collect()
        };
        if let Some(length) = name.strip_prefix('r') {
            assert_eq!(runs[length.parse::<usize>().unwrap()][..], values);
            lengths += 1;
        } else if name == "t" {
            assert_eq!(tops[..], values);
        } else {
            let image: String = name.chars().rev().collect();
            let row = |cells: &str| {
                (0..).zip(cells.chars()).map(|(x, cell)| usize::from(cell == '#') << x).sum()
            };
            for row in [row(name), row(&image)] as [usize; 2] {
                let found = [rows[row][0], rows[row][1], skyline[row], holes[row], columns[row]];
                assert_eq!(found[..], values, "{name}");
            }
            seen += if name == image { 1 } else { 2 };
        }
    }
    assert_eq!(seen, 1024);
    assert_eq!(lengths, 5);
}

fn beam(pieces: usize) -> Beam {
    Beam::new(Sequence::contest(), pieces, BeamWeights::FITTED)
}

fn finish(beam: &mut Beam, pieces: usize, width: usize, threads: usize) {
    beam.set_threads(threads);
    while beam.pieces() < beam.goal() {
        let ended = beam.advance(AdvanceSettings { pieces, width });
        assert!(matches!(ended, AdvanceResult::Done | AdvanceResult::Finished), "{ended:?}");
    }
}

#[test]
fn threads_levels_and_stretches_change_nothing() {
    let mut plain = beam(150);
    finish(&mut plain, 150, 700, 1);
    plain.compact();
    testkit::on_each_level(|| {
        for (threads, pieces) in [(1, 40), (2, 150), (3, 7)] {
            let mut other = beam(150);
            finish(&mut other, pieces, 700, threads);
            // Compactions happen at different times, but the compacted state is the same.
            other.compact();
            assert_eq!(other, plain, "{threads} threads");
        }
    });
}

/// Whole games, including the 10,000th piece, which never scores.
#[test]
fn a_record_scores_what_the_beam_says() {
    for seed in [12358, 1, 777] {
        let mut beam = Beam::new(Sequence::new(seed), PIECES + 1, BeamWeights::FITTED);
        assert_eq!(beam.goal(), PIECES);
        finish(&mut beam, PIECES, 130, 2);
        let record: Record = beam.record().to_string().parse().unwrap();
        let report = verify(&record, beam.sequence()).unwrap();
        assert_eq!(report.score, beam.score());
        assert_eq!(report.pieces, PIECES);
        assert_eq!(report.floating_locks, 0);
        assert!(report.ratio().is_some_and(|ratio| ratio > 0.88), "{report:?}");
        assert!(report.max_key_presses <= 100);
    }
}

/// A beam of width 1 soon runs out of placements; further calls change nothing.
#[test]
fn a_lost_beam_keeps_its_record() {
    let mut beam = beam(PIECES);
    assert_eq!(beam.advance(AdvanceSettings { pieces: PIECES, width: 1 }), AdvanceResult::Lost);
    let lost = beam.clone();
    assert_eq!(beam.advance(AdvanceSettings { pieces: PIECES, width: 1 }), AdvanceResult::Lost);
    assert_eq!(beam, lost);
    let report = verify(&beam.record(), beam.sequence()).unwrap();
    assert_eq!(report.score, beam.score());
    assert_eq!(report.pieces, beam.pieces());
    assert_eq!(report.over, None);
    let piece = beam.sequence().pieces()[beam.pieces()];
    assert_eq!(placements(&beam.board(), piece), []);
}

#[test]
fn bad_texts_are_refused_with_their_line() {
    let mut beam = beam(300);
    beam.advance(AdvanceSettings { pieces: 150, width: 20 });
    beam.compact();
    let text = beam.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let lines = &lines[..lines.len() - 1];
    assert!(lines.len() > 5, "{text}");
    let with = |line: usize, new: &str| {
        let mut lines = lines.to_vec();
        lines[line - 1] = new;
        checksum::with_checksum(&lines.join("\n")).parse::<Beam>().map(|beam| beam.pieces())
    };
    assert_eq!(with(1, lines[0]), Ok(150));
    let record = with(1, "N,Q").unwrap_err();
    assert!(record.to_string().starts_with("line 1, column 3"), "{record}");
    assert!(matches!(with(1, &format!("N,{}", lines[0])), Err(ParseCheckpointError::Rules(_))));
    let state = |from: &str, to: &str| lines[1].replace(from, to);
    let last = lines.len();
    let words = |line: usize| lines[line - 1].split(' ');
    let twice = format!("{} {}", lines[last - 1], words(last).nth(1).unwrap());
    for (line, new, error) in [
        (1, "", ParseCheckpointError::BeamNumbers),
        (2, "# beam: seed 1", ParseCheckpointError::BeamState),
        (2, &state("20x150", "20y30"), ParseCheckpointError::BeamState),
        (2, &state("20x150", "20x149"), ParseCheckpointError::BeamNumbers),
        (2, &state("pieces 300", "pieces 5"), ParseCheckpointError::BeamNumbers),
        (2, &state("pieces 300", "pieces 30001"), ParseCheckpointError::BeamNumbers),
        (3, lines[3], ParseCheckpointError::Weights),
        (4, lines[3].trim_start_matches('#'), ParseCheckpointError::Layer { line: 4 }),
        (4, "#", ParseCheckpointError::Layer { line: 4 }),
        (last, &twice, ParseCheckpointError::Layer { line: last }),
    ] {
        assert_eq!(with(line, new), Err(error), "{new}");
    }
    for word in ["0.x", "ffff.0", "0.0", "ff"] {
        let error = ParseCheckpointError::Link { line: 5, link: words(5).count() };
        assert_eq!(with(5, &format!("{} {word}", lines[4])), Err(error));
    }
    assert_eq!("900X50,500".parse::<Widths>(), "900x50,500".parse());
    for words in ["", "0", "5x", "x5", "5x3x2", "-1", "300000000", "1,,2"] {
        assert_eq!(words.parse::<Widths>(), Err(ParseWidthsError), "{words:?}");
    }
}

/// Even if the speed varies between stretches, nearly the whole budget is used and no stretch is
/// too narrow.
#[test]
fn the_time_manager_keeps_something_for_the_last_pieces() {
    testkit::seeds(300, |seed| {
        let mut rng = Rng::new(seed);
        let mut time_manager = TimeManager::new(PIECES, &Widths::default(), 0.0);
        let mut pieces = 0;
        let mut used = 0.0;
        let mut least = usize::MAX;
        while pieces < PIECES {
            let (stretch, width) = time_manager.plan(pieces, used);
            let boards = (stretch * width) as f64;
            used += boards / (1e8 + 1e6 * f64::from(rng.below(60)));
            pieces += stretch;
            least = least.min(width);
        }
        assert!((0.96..1.0).contains(&used) && least >= 500, "{used}, {least}");
    });
}

#[test]
fn a_time_manager_plans_for_any_numbers() {
    let widest: Widths = "268435456".parse().unwrap();
    for share in [f64::NAN, f64::INFINITY, -1.0, 0.5, 2.0] {
        let mut time_manager = TimeManager::new(usize::MAX, &widest, share);
        for pieces in [0, 1, usize::MAX / 2, usize::MAX] {
            let (stretch, width) = time_manager.plan(pieces, share);
            assert!(stretch > 0 && width > 0, "{share} {pieces}");
            time_manager.plan(pieces, share + 0.1);
        }
    }
}

#[test]
fn a_beam_takes_any_weights() {
    let all = |weight: i32, count: usize| BeamWeights {
        holes: weight,
        wells: weight,
        cell: weight,
        run: weight,
        potential_percent: weight,
        fade_pieces: count,
        ..BeamWeights::FITTED
    };
    for (weights, nearest) in [
        (all(i32::MAX, usize::MAX), BeamWeights { potential_percent: 100, ..all(10_000, 1_000) }),
        (all(i32::MIN, 0), BeamWeights { potential_percent: 0, ..all(-10_000, 0) }),
    ] {
        let mut beam = Beam::new(Sequence::contest(), 20, weights);
        assert_eq!(*beam.weights(), nearest);
        assert_eq!(beam.advance(AdvanceSettings { pieces: 12, width: 9 }), AdvanceResult::Done);
        // The saved state can be parsed.
        assert_eq!(beam.to_string().parse(), Ok(beam));
    }
}

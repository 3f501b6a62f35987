//! Numbers on which independent programs agree, from `tests/data`.

use bitcore::Level;
use std::fmt::Write;
use testkit::Cost;
use tetris::Piece::{I, J, L, O, S, T, Z};
use tetris_ai::Columns;
use tetris_ai::contest::tree::{Settings, Solver, StepResult, TreeSearch};
use tetris_ai::contest::{
    GameOver, GameResult, PIECES, Record, Sequence, VerifyError, bound, verify,
};

fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(" | ").collect())
}

fn number(arguments: &str, n: usize) -> u64 {
    let mut numbers = arguments.split([' ', ',']).filter_map(|word| word.parse().ok());
    numbers.nth(n).unwrap_or_else(|| panic!("{arguments:?} has no number {n}"))
}

fn whole_game() -> Record {
    include_str!("data/whole-game.txt").parse().unwrap()
}

fn words(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

fn end_of(record: &Record) -> String {
    let report = verify(record, &Sequence::contest()).unwrap();
    assert_eq!(report.pieces, PIECES);
    assert_eq!(report.over, Some(GameOver::PieceLimit));
    let [one, two, three, four] = report.clears.map(u64::from);
    words(&[report.score, report.lines.into(), one, two, three, four, report.cells_left.into()])
}

/// Computes the number requested by one row of `truth.txt`.
fn compute(what: &str, arguments: &str) -> String {
    let sequence = || Sequence::new(number(arguments, 0));
    let first = || number(arguments, 1) as usize;
    match what {
        "pieces" => sequence().pieces()[..first()]
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" "),
        "counts" => {
            let sequence = sequence();
            let count =
                |kind| sequence.pieces().iter().filter(|piece| piece.kind() == kind).count() as u64;
            words(&[I, L, J, T, O, S, Z].map(count))
        }
        "bound" => bound(&sequence().pieces()[..first()]).to_string(),
        "leaves" => {
            let search = TreeSearch { depth: number(arguments, 0) as usize, threads: 2 };
            let result = search.best(&Sequence::contest(), 0, &Columns::new()).unwrap();
            // The first piece is a Z, with 9 + 8 drops.
            assert_eq!(result.leaves % 17, 0);
            (result.leaves / 17).to_string()
        }
        "whole game" => end_of(&whole_game()),
        "another end" => {
            let end: Record = arguments.parse().unwrap();
            let mut record = whole_game();
            record.truncate(PIECES - end.turns().len());
            assert!(end.turns().iter().all(|turn| record.push(turn.clone())));
            end_of(&record)
        }
        "whole game by search" => {
            let settings = Settings { depth: number(arguments, 0) as usize, ..Settings::default() };
            let mut solver = Solver::new(Sequence::contest(), settings).with_threads(2);
            while solver.pieces() < PIECES {
                let step = solver.step();
                assert!(
                    matches!(step, StepResult::Placed | StepResult::Backtracked { .. }),
                    "{step:?}"
                );
            }
            assert_eq!(*solver.record(), whole_game());
            solver.score().to_string()
        }
        _ => panic!("no such truth: {what}"),
    }
}

#[test]
fn truth() {
    for row in rows(include_str!("data/truth.txt")) {
        let [what, arguments, cost, expected] = row[..] else { panic!("{row:?}") };
        let cost = match cost {
            "quick" => Cost::Quick,
            "slow" => Cost::Slow,
            _ => panic!("{row:?}"),
        };
        let heavy = ["leaves | depth 8, per root", "leaves | depth 7, per root"];
        if std::env::var_os(testkit::EMULATED).is_some()
            && heavy.contains(&&*format!("{what} | {arguments}"))
        {
            continue;
        }
        // Only the searches depend on the level.
        let searched = what == "leaves" || what == "whole game by search";
        let name = format!("{what}, {arguments}");
        let check = |level| {
            testkit::truth("contest", level, &name, cost, &expected.to_string(), || {
                compute(what, arguments)
            });
        };
        if searched {
            testkit::on_each_level(|| check(Level::active().name()));
        } else {
            check("-");
        }
    }
}

/// Returns the numbers of a report in the order of `records.txt`.
fn numbers(report: &GameResult) -> String {
    let GameResult {
        score,
        lines,
        pieces,
        clears,
        floating_locks,
        max_key_presses,
        cells_left,
        ..
    } = report;
    let mut text = format!("{score} {lines} {pieces}");
    for clears in clears {
        write!(text, " {clears}").unwrap();
    }
    text + &format!(" {floating_locks} {max_key_presses} {cells_left}")
}

#[test]
fn records() {
    for row in rows(include_str!("data/records.txt")) {
        let [name, seed, expected, over, text] = row[..] else { panic!("{row:?}") };
        let record: Record = text.parse().unwrap();
        assert_eq!(record.to_string(), text);
        let found = verify(&record, &Sequence::new(seed.parse().unwrap()));
        let row = match found {
            Ok(report) => {
                assert!(report.score <= report.bound, "{name}");
                let over = report.over.map_or("goes on".into(), |over| over.to_string());
                format!("{}, {over}", numbers(&report))
            }
            Err(error) => {
                assert!(matches!(error, VerifyError::KeyPressCount { .. }), "{name}: {error}");
                "-, refused".into()
            }
        };
        let expected = format!("{expected}, {over}");
        testkit::truth("contest", "-", &format!("record, {name}"), Cost::Quick, &expected, || row);
    }
}

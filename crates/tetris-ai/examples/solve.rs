//! Plays the contest's sequence by tree search and prints the record and its score:
//! `cargo run --release -p tetris-ai --example solve -- DEPTH PIECES`.

use tetris_ai::contest::tree::{Settings, Solver, StepResult};
use tetris_ai::contest::{Sequence, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let depth = numbers.next().unwrap_or(Ok(4))?;
    let pieces = numbers.next().unwrap_or(Ok(300))?;
    let mut solver = Solver::new(Sequence::contest(), Settings { depth, ..Settings::default() });
    let mut backtracks = 0;
    while solver.pieces() < pieces {
        match solver.step() {
            StepResult::Placed => {}
            StepResult::Backtracked { .. } => backtracks += 1,
            _ => break,
        }
    }
    let report = verify(solver.record(), solver.sequence())?;
    println!("{}", solver.record());
    eprintln!(
        "{backtracks} dead ends, {} steps, ratio {:.4}, {report:?}",
        solver.steps(),
        report.ratio().unwrap_or(f64::NAN)
    );
    Ok(())
}

//! Plays a sequence by beam search and prints the record and its score:
//! `cargo run --release -p tetris-ai --example beam -- WIDTH PIECES SEED THREADS`.

use std::time::Instant;
use tetris_ai::contest::beam::{AdvanceSettings, Beam, BeamWeights};
use tetris_ai::contest::{PIECES, Sequence, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let width = numbers.next().unwrap_or(Ok(300))?;
    let pieces = numbers.next().unwrap_or(Ok(PIECES))?;
    let seed = numbers.next().unwrap_or(Ok(12358))?;
    let threads = numbers.next().unwrap_or(Ok(1))?;
    let start = Instant::now();
    let mut beam =
        Beam::new(Sequence::new(seed as u64), pieces, BeamWeights::FITTED).with_threads(threads);
    let ended = beam.advance(AdvanceSettings { pieces, width });
    let searched = start.elapsed().as_secs_f64();
    let record = beam.record();
    let report = verify(&record, beam.sequence())?;
    println!("{record}");
    eprintln!(
        "{ended:?}, {} pieces, score {}, ratio {:.4}, {searched:.2} s, {:.1} ns per placement and thread",
        report.pieces,
        report.score,
        report.ratio().unwrap_or(f64::NAN),
        1e9 * searched / beam.generated() as f64
    );
    Ok(())
}

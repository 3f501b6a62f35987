//! Counts the legal positions of a board: `cargo run --release -p go-mc --example legal -- 4x4`

use go_mc::{Size, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size: Size = std::env::args().nth(1).as_deref().unwrap_or("3x3").parse()?;
    let points = size.points().len();
    if points > 16 {
        return Err(format!("3^{points} colorings are too many: expected at most 16 points").into());
    }
    println!("{size}: {} of {} colorings", perft::legal_positions(size), 3u64.pow(points));
    Ok(())
}

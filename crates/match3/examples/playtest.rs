//! Play-tests a level: 10,000 seeded games of the greedy player on a board with blocked cells, and how often
//! each score comes up. What a designer asks: how many players of this strength reach the goal?

use bitcore::Rng;
use match3::agent::{Agent, Greedy};
use match3::colors::RandomColors;
use match3::shuffle::redeal;
use match3::{Board, Board8, shuffle};

const LEVEL: &str = "
1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1
1 1 # 1 1 # 1 1
1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1
# 1 1 1 1 1 1 #
# # 1 1 1 1 # #
# # # 1 1 # # #";
const COLORS: u8 = 5;
const MOVES: u32 = 20;
const GOAL: u64 = 2000;
const GAMES: u64 = 10_000;

/// The points of one game. The pieces of the level get new colors; a board without a swap is shuffled.
fn game(level: &Board, seed: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let mut rng = Rng::new(seed);
    let mut start = level.clone();
    redeal(&mut start, COLORS, &mut rng)?;
    let mut colors = RandomColors::new(COLORS, rng)?;
    let mut board: Board8 = Board8::new(&start)?;
    let mut score = 0;
    for moves_left in (1..=MOVES).rev() {
        if !board.has_swap() {
            let mut cells = Board::from(board);
            shuffle(&mut cells, colors.rng())?;
            board = Board8::new(&cells)?;
        }
        let swap = Greedy.choose(&board.into(), moves_left).ok_or("a shuffled board has a swap")?;
        score += board.try_swap(swap, &mut colors)?.score;
    }
    Ok(score)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level: Board = LEVEL.parse()?;
    let mut histogram = [0u64; 16];
    let (mut reached, mut sum) = (0, 0);
    for seed in 0..GAMES {
        let score = game(&level, seed)?;
        histogram[(score / 250).min(15) as usize] += 1;
        reached += u64::from(score >= GOAL);
        sum += score;
    }
    println!(
        "{GAMES} games of {MOVES} moves, mean score {}, goal of {GOAL} reached in {reached}",
        sum / GAMES
    );
    for (i, &games) in histogram.iter().enumerate() {
        println!("{:>5} .. {games:>5} {}", 250 * i, "#".repeat((games / 50) as usize));
    }
    Ok(())
}

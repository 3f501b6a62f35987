//! Play-tests a level: runs 10,000 seeded games of the greedy player on a board with blocked cells
//! and prints a histogram of the scores. It answers a designer's question: how many players of this
//! strength reach the goal?

use match3::player::Greedy;
use match3::{Board, Game, Player, RandomColors, Rng, Rules, redeal};

const LEVEL: &str = "
1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1
1 1 # 1 1 # 1 1
1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1
# 1 1 1 1 1 1 #
# # 1 1 1 1 # #
# # # 1 1 # # #";
const RULES: Rules = Rules { width: 8, height: 8, colors: 5, moves: 20 };
const GOAL: u64 = 2000;
const GAMES: u64 = 10_000;

/// Plays one game and returns its score. The pieces of the level get new colors.
fn game(level: &Board, seed: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let mut rng = Rng::new(seed);
    let mut start = level.clone();
    redeal(&mut start, RULES.colors, &mut rng)?;
    let mut colors = RandomColors::new(RULES.colors, rng)?;
    let mut game = Game::with_board(RULES, &start)?;
    while let Some(swap) = Greedy.choose(&game) {
        game.play(swap, &mut colors)?;
    }
    Ok(game.score())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level: Board = LEVEL.parse()?;
    let mut histogram = [0u64; 16];
    let mut reached = 0;
    let mut sum = 0;
    for seed in 0..GAMES {
        let score = game(&level, seed)?;
        histogram[(score / 250).min(15) as usize] += 1;
        reached += u64::from(score >= GOAL);
        sum += score;
    }
    println!(
        "{GAMES} games of {} moves, mean score {}, goal of {GOAL} reached in {reached}",
        RULES.moves,
        sum / GAMES
    );
    for (i, &games) in histogram.iter().enumerate() {
        println!("{:>5} .. {games:>5} {}", 250 * i, "#".repeat((games / 50) as usize));
    }
    Ok(())
}

//! [`digest`]: a checksum of the crate's results.

use crate::board::Board;
use crate::game::{Game, Rules};
use crate::garbage::Attack;
use crate::location::Location;
use crate::movegen::{self, Placements};
use crate::perft;
use crate::piece::Piece;
use crate::placement::SpinMode;
use crate::playout::RandomGame;
use crate::simd_board::SimdBoard;
use bitcore::Rng;

/// Folds the results of a fixed workload into one number, equal on every level and platform.
///
/// The workload consists of random hard drops on [`Board`] and [`SimdBoard`] with line clears,
/// features, all placements and perft; random play; and a few whole games of random placements.
///
/// ```
/// use bitcore::Level;
/// let digest = tetris::digest();
/// Level::set_active(Level::PORTABLE);
/// assert_eq!(tetris::digest(), digest);
/// ```
pub fn digest() -> u64 {
    let mut rng = Rng::new(2024);
    let mut board = Board::EMPTY;
    let mut digest = 0u64;
    let mut placements = Placements::new();
    let mut fold =
        |number: u64| digest = digest.rotate_left(9) ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for turn in 0..2_000 {
        let piece = Piece::ALL[rng.below(7) as usize];
        let landings = movegen::hard_drops(&board, piece);
        let chosen = landings.iter().nth(rng.below(landings.len() as u32) as usize);
        let Some(next) = chosen.and_then(|at| board.place(at)) else {
            board = Board::EMPTY;
            continue;
        };
        board = next;
        // Fill a row now and then to get line clears.
        if turn % 3 == 0 {
            board = Board::from_columns(board.columns().map(|column| column | 1 << (turn % 5)))
                .unwrap_or(board);
        }
        if let Ok(mut simd_board) = SimdBoard::try_from(board) {
            fold(u64::from(simd_board.holes()) << 32 | u64::from(simd_board.clear_lines()));
            fold(u64::from(simd_board.place(0x4E00, (turn % 13 - 3) as i8, (turn % 20 - 2) as i8)));
            simd_board.columns().into_iter().for_each(|column| fold(column.into()));
        }
        let features = board.features();
        fold(u64::from(features.row_transitions) << 40 | u64::from(features.column_transitions));
        fold(u64::from(features.cumulative_wells) << 40 | u64::from(features.covered_cells));
        fold(board.clear_lines().into());
        board.columns().iter().for_each(|&column| fold(column));
        placements.fill(&board, piece, SpinMode::TSpins);
        fold(movegen::count(&board, piece, SpinMode::Ignore).into());
        placements.iter().for_each(|placement| {
            let Location { orientation, x, y, .. } = placement.at;
            fold(
                (x as u64) << 32
                    | (y as u64) << 16
                    | (orientation as u64) << 8
                    | placement.spin as u64,
            );
        });
        if turn % 100 == 0 {
            fold(perft::perft(&board, &[Piece::T, piece], SpinMode::TSpins));
            fold(perft::hard_drops(&board, &[Piece::T, Piece::I, piece]));
        }
    }
    let mut random = RandomGame::new(rng.clone());
    let stats = random.play(200);
    fold(stats.games << 32 | stats.lines);
    random.board().columns().iter().for_each(|&column| fold(column));
    for _ in 0..3 {
        let mut game = Game::new(Rules::default(), &mut rng);
        while let Some(result) = game.play_random(&mut rng) {
            fold(u64::from(result.sent) << 32 | u64::from(result.garbage_rows));
            game.board().columns().iter().for_each(|&column| fold(column));
            let attack = Attack { lines: rng.below(3), column: rng.below(10) as u8 };
            // Fails if the game is over; folded as 1.
            fold(game.receive(attack).map_or(1, u64::from));
        }
    }
    digest
}

//! [`Playouts`] and [`RandomGame`] in portions on every level, against the plain board of bytes, and the deals of
//! all layouts against deals cell by cell.

use super::plain::deal;
use bitcore::Rng;
use match3::colors::{Colors, RandomColors};
use match3::planes::{FourWords, PlaneBoard, PlaneLayout};
use match3::playout::{RandomGame, Stats};
use match3::reference::plain::ByteBoard;
use match3::{Board, Playouts};
use testkit::{Input, on_each_level};

pub(crate) fn run(input: &Input) {
    let games = match input.byte() {
        byte @ 240.. => usize::from(byte) % 16 * 9,
        byte => usize::from(byte) % 6,
    };
    let (count, seed) = (3 + input.below(13) as u8, u64::from(input.u16()));
    let portions = input.list(1 + input.below(3), || match input.byte() {
        byte @ 240.. => u64::from(byte) - 200,
        byte => u64::from(byte) % 8,
    });
    let moves = portions.iter().sum();
    let (mut stats, mut ends) = (Stats::default(), Vec::new());
    for rng in Rng::streams(seed).take(games) {
        let game = RandomGame::new(count, rng).expect("colors that fit");
        let mut colors = game.colors().clone();
        let mut plain = ByteBoard::new(&game.board()).expect("nothing blocked");
        for _ in 0..moves {
            let result = plain.random_step(&mut colors);
            stats += Stats { moves: 1, cleared: result.cleared, score: result.score };
        }
        ends.push((plain.board(), colors));
    }
    on_each_level(|| {
        let mut playouts = Playouts::new(games, count, seed).expect("colors that fit");
        assert_eq!((playouts.len(), playouts.is_empty()), (games, games == 0));
        let alone = playouts.games().to_vec();
        let mut together = Stats::default();
        for &moves in &portions {
            together += playouts.run(moves);
        }
        // One after the other, at once and step by step.
        let (mut at_once, mut by_steps) = (Stats::default(), Stats::default());
        for ((mut game, end), (board, colors)) in alone.into_iter().zip(playouts.games()).zip(&ends) {
            let mut steps = game.clone();
            for &moves in &portions {
                at_once += game.run(moves);
            }
            for _ in 0..moves {
                let result = steps.step();
                by_steps += Stats { moves: 1, cleared: result.cleared, score: result.score };
            }
            assert_eq!([&game, &steps], [end; 2]);
            assert_eq!(end.board(), *board);
            assert_eq!(end.colors(), colors);
        }
        assert_eq!([together, at_once, by_steps], [stats; 3], "{games} games of {count} colors");
    });
}

/// Deals boards in each layout.
pub(crate) fn deals(input: &Input) {
    let side = || 1 + usize::from(input.byte()) % 10;
    let size = (side(), side());
    let mut colors =
        RandomColors::new(1 + input.byte() % 15, Rng::new(input.u16().into())).expect("few colors");
    // A buffer that is used up at any cell.
    for _ in 0..input.byte() % 64 {
        colors.next();
    }
    dealt::<u64, 3>(size, &colors);
    dealt::<u64, 4>(size, &colors);
    dealt::<FourWords, 3>(size, &colors);
    dealt::<FourWords, 4>(size, &colors);
}

/// Deals a board, which is an error if it doesn't fit or no swap is found.
fn dealt<W: PlaneLayout<P>, const P: usize>((width, height): (usize, usize), colors: &RandomColors) {
    let (side, most) = (if W::SIDE == 8 { 8 } else { 16 }, if P == 3 { 7 } else { 15 });
    let fits = width.max(height) <= side && (3..=most).contains(&colors.count());
    let mut drawn = colors.clone();
    let expected = if fits { deal(width, height, &mut drawn) } else { None };
    on_each_level(|| {
        let mut colors = colors.clone();
        let found = PlaneBoard::<W, P>::deal(width, height, &mut colors);
        assert_eq!((found.map(Board::from).ok(), &colors), (expected.clone(), &drawn));
    });
}

//! [`Playouts`] and [`RandomGame`] in portions on every level, against the plain board of bytes.

use bitcore::{Level, Rng};
use match3::Playouts;
use match3::playout::{RandomGame, Stats};
use match3::reference::plain::ByteBoard;
use testkit::Input;

pub(crate) fn run(input: &Input) {
    let (games, colors, seed) = (input.below(6), 3 + input.below(13) as u8, u64::from(input.u16()));
    let portions = input.list(1 + input.below(3), || u64::from(input.byte() % 8));
    let moves = portions.iter().sum();
    let (mut stats, mut boards) = (Stats::default(), Vec::new());
    for rng in Rng::streams(seed).take(games) {
        let game = RandomGame::new(colors, rng).expect("colors that fit");
        let mut colors = game.colors().clone();
        let mut plain = ByteBoard::new(&game.board()).expect("nothing blocked");
        for _ in 0..moves {
            let result = plain.random_step(&mut colors);
            stats += Stats { moves: 1, cleared: result.cleared, score: result.score };
        }
        boards.push((plain.board(), colors));
    }
    for level in Level::all() {
        let mut playouts = Playouts::new(games, colors, seed).expect("colors that fit");
        let alone = playouts.games();
        let mut sum = Stats::default();
        for &moves in &portions {
            sum += playouts.run_on(level, moves);
        }
        assert_eq!(sum, stats, "{level}, {games} games of {colors} colors");
        let found = playouts.games();
        assert!(found.iter().map(RandomGame::board).eq(boards.iter().map(|(board, _)| board.clone())));
        for ((mut game, together), (_, colors)) in alone.into_iter().zip(found).zip(&boards) {
            let mut steps = game.clone();
            for &moves in &portions {
                game.run_on(level, moves);
            }
            for _ in 0..moves {
                steps.step_on(level);
            }
            assert_eq!((&game, &steps), (&together, &together), "{level}");
            // The same colors come next.
            let next = |mut colors: match3::colors::RandomColors| {
                let mut rng = colors.rng().clone();
                rng.next_u64()
            };
            assert_eq!(next(game.colors().clone()), next(colors.clone()), "{level}");
        }
    }
}

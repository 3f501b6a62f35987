//! All implementations of slides, random play, batches and learning, compared with the reference on
//! every ISA level.

mod batch;
pub(crate) mod learn;

use crate::properties;
use bitcore::Rng;
use g2048::reference::{naive_playout4x4_from, naive_slide_line, slide_board, slide_line};
use g2048::{
    Board, Direction, Game, Kernel, Perft, Playouts, Rules, Size, Slide, Stats, Stopped, ThreadPool,
};
use properties::boards::{all_slides, packed};
use testkit::on_each_level;

testkit::properties! {
    slides_spawns_and_images_of_boards: properties::boards::run, 4_000;
    batches_of_plain_games: properties::batch::run, 600;
    games_of_any_size_are_those_of_a_batch: properties::game::run, 600;
    random_play_is_the_naive_play: properties::playouts::run, 600;
    perft_is_the_naive_perft: properties::playouts::perft, 300;
    learners_of_all_levels_agree: properties::learner::run, 4;
}

/// Checks all 65,536 lines of four cells of ranks 0 to 15, in rows and in columns.
#[test]
fn all_lines_of_four() {
    let lines: Vec<[u8; 4]> =
        (0..1 << 16).map(|n: u32| [0, 4, 8, 12].map(|shift| (n >> shift & 15) as u8)).collect();
    let boards: Vec<Board> = lines
        .chunks(4)
        .map(|rows| Board::from_ranks(Size::CLASSIC, &rows.concat()).unwrap())
        .collect();
    for boards in boards.chunks(32) {
        let columns: Vec<Board> = boards.iter().map(Board::transpose).collect();
        for direction in Direction::ALL {
            all_slides(boards, direction);
            all_slides(&columns, direction);
        }
    }
    // Each line, in each row and column of the 64 bits.
    for board in boards {
        for by in [4, 8, 12] {
            let mut ranks = board.ranks().to_vec();
            ranks.rotate_left(by);
            let rotated = Board::from_ranks(Size::CLASSIC, &ranks).unwrap();
            for board in [rotated, rotated.transpose()] {
                for direction in Direction::ALL {
                    let (to, slid) = slide_board(&board, direction);
                    packed(
                        &board,
                        direction,
                        &Slide { board: to, gain: slid.gain, changed: slid.changed },
                    );
                }
            }
        }
    }
}

#[test]
fn two_pointers_are_the_rule_on_any_line() {
    testkit::seeds(200_000, |seed| {
        let mut rng = Rng::new(seed);
        let kinds = 2 + rng.below(5);
        let mut line: Vec<u64> = (0..rng.below(20)).map(|_| (1 << rng.below(kinds)) & !1).collect();
        let (expected, expected_slid) = naive_slide_line(&line);
        assert_eq!(slide_line(&mut line), expected_slid);
        assert_eq!(line, expected);
    });
}

/// 32768 + 32768 no longer fits in a four-bit rank; 65536 + 65536 is the largest tile on 4x4.
#[test]
fn large_tiles_merge_in_every_form() {
    for tile in [1u64 << 14, 1 << 15, 1 << 16, 1 << 49, 1 << 50] {
        let board: Board =
            format!("{tile} {tile} . .\n. . {tile} .\n. . . .\n. {tile} {tile} {tile}")
                .parse()
                .unwrap();
        for direction in Direction::ALL {
            all_slides(&[board], direction);
        }
        let slide = board.slide(Direction::Left);
        assert_eq!(slide.gain, 4 * tile);
        assert_eq!(slide.board.tiles().next(), Some(2 * tile));
    }
}

/// Every game on 2x2 ends, so the rows end; the last one has no paths.
#[test]
fn perft_ends_with_the_last_path() {
    let board: Board = "2 .\n. 2".parse().unwrap();
    let rows: Vec<_> = Perft::new(&board).map(Result::unwrap).collect();
    let last = rows[rows.len() - 1];
    let before = rows[rows.len() - 2];
    assert_eq!(last.nodes, 0);
    assert_eq!(last.distinct, 0);
    assert_eq!(last.gain, 0);
    assert_eq!(last.dead, before.nodes);
    assert!(rows[..rows.len() - 1].iter().all(|row| row.nodes > 0));
}

/// A board of nine distinct ranks has eight distinct images.
#[test]
fn nine_ranks_have_eight_images() {
    let board = Board::from_ranks(Size::new(3, 3).unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let mut images = board.symmetries().to_vec();
    images.sort_unstable();
    images.dedup();
    assert_eq!(images.len(), 8);
    assert_eq!(images[0], board.canonical());
}

#[test]
fn digests_are_equal() {
    testkit::digest("g2048", include_str!("data/digest.txt"), g2048::digest);
}

/// The last game of a block from a position is on its last stream; the next block begins on the
/// 33rd one.
#[test]
fn blocks_from_a_position() {
    let board: Board = "2 4 8 16\n32 64 128 256\n4 2 16 8\n64 32 256 .".parse().unwrap();
    let mut streams: Vec<Rng> = Rng::streams(1).take(64).collect();
    let mut rest = |stream: usize| naive_playout4x4_from(board, 0, &mut streams[stream]);
    let first: Vec<Game> = (0..8192).map(|number| rest(number % 32)).collect();
    let expected: Stats = first[8190..].iter().cloned().chain([rest(32)]).sum();
    on_each_level(|| {
        let mut playouts = Playouts::from_game(&Game::from(board), 1);
        assert_eq!(playouts.play(8190).games, 8190);
        assert_eq!(playouts.play(3), expected);
    });
}

/// An empty board has no move, and is full of empty cells.
#[test]
fn games_that_are_over_have_playouts_without_moves() {
    for text in
        ["2 4 2 4\n4 2 4 2\n2 4 2 4\n4 2 4 2", ". . . .\n. . . .\n. . . .\n. . . .", ". .\n. ."]
    {
        let board: Board = text.parse().unwrap();
        on_each_level(|| {
            let stats = Playouts::from_game(&Game::from(board), 1).play(40);
            assert_eq!(stats.games, 40);
            assert_eq!(stats.moves.sum, 0);
            assert_eq!(stats.score.sum, 0);
            assert_eq!(stats.largest[usize::from(board.max_rank())], 40);
        });
    }
}

#[test]
fn stopped_runs() {
    let one = ThreadPool::single();
    // A game on 8x8 takes seven million moves.
    let mut large = Playouts::new(Size::new(8, 8).unwrap(), 1);
    assert_eq!(large.play_until(&one, 32, &testkit::stop_at(2), |_| {}), Err(Stopped));
    for kernel in [Kernel::Lanes, Kernel::AnySize] {
        let new = || Playouts::with_kernel(Rules::default(), 1, kernel);
        assert_eq!(new().play_until(&one, 40, &|| false, |_| {}), Ok(new().play(40)));
    }
    // On 4x4, the last games of a block and the first one of the next.
    let mut classic = Playouts::new(Rules::default(), 1);
    let mut stats = classic.play(65_500);
    let mut visited = Stats::default();
    let stopped = classic.play_until(&one, 37, &testkit::stop_at(2), |so_far| visited = *so_far);
    assert_eq!(stopped, Err(Stopped));
    assert_eq!(visited.games, 36);
    stats += visited;
    stats += classic.play(1);
    assert_eq!(stats, Playouts::new(Rules::default(), 1).play(65_537));

    // A row with enough boards for several calls of `stop`.
    let mut perft = Perft::new(
        &"2 4 8 16
. 2 4 8
. . 2 2
. . . 4"
            .parse()
            .unwrap(),
    );
    assert_eq!(perft.nth(2).unwrap().unwrap().distinct, 18601);
    assert_eq!(perft.next_until(&one, &testkit::stop_at(2)), Err(Stopped));
}

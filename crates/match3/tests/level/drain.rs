//! Obstacles with diagonal falls: no cell below them stays empty, and games get stuck as rarely as
//! on an open board.

use bitcore::Rng;
use match3::level::{
    Content, Falls, GreedyByPoints, Ground, Level, LevelGame, LevelSpec, Limit, Outcome,
    ShuffleRule, Spawner,
};
use match3::{Player, RandomColors};
use std::sync::Arc;

/// Outlines with walls: shelves, blocks, and relatives of them.
const SHAPES: [(&str, &str); 8] = [
    ("open", "........ ........ ........ ........ ........ ........ ........ ........"),
    ("shelf8", "........ ........ ........ .######. ........ ........ ........ ........"),
    ("shelf4", "........ ........ ........ ..####.. ........ ........ ........ ........"),
    ("two-blocks", "........ ........ ........ .#....#. ........ ........ ........ ........"),
    ("shelves", "........ ........ #####... ........ ........ ...##### ........ ........"),
    ("roof", "#######. ........ ........ ........ ........ ........ ........ ........"),
    ("columns", "........ ........ .#.#.#.# .#.#.#.# ........ ........ ........ ........"),
    ("funnel", "........ ........ ##....## ###..### ........ ........ ........ ........"),
];

struct Counts {
    /// Empty cells after all moves.
    empty: usize,
    /// Games without a legal swap before the last move.
    stuck: u32,
}

fn play(shape: &str, falls: Falls, shuffle: ShuffleRule, feeds: bool) -> Counts {
    let mut spec = LevelSpec::new(8, 8);
    spec.colors = vec![1; 5];
    spec.falls = falls;
    spec.limit = Limit::Moves(30);
    spec.shuffle = shuffle;
    for (y, row) in shape.split(' ').enumerate() {
        for (x, cell) in row.bytes().enumerate() {
            if cell == b'#' {
                spec.cell((x, y)).ground = Ground::Wall;
            }
        }
    }
    if feeds {
        feed(&mut spec);
    }
    let level = Arc::new(Level::new(spec).expect("a level"));
    let mut counts = Counts { empty: 0, stuck: 0 };
    for seed in 0..200 {
        let mut colors = RandomColors::new(5, Rng::new(seed)).expect("colors");
        let mut game = LevelGame::new(level.clone(), &mut colors).expect("a game");
        while let Some(swap) = GreedyByPoints.choose(&game) {
            game.play(swap, &mut colors, &mut ()).expect("a legal swap");
            counts.empty += game
                .board()
                .cells()
                .filter(|cell| cell.ground == Ground::Open && cell.content == Content::Empty)
                .count();
        }
        counts.stuck += u32::from(game.outcome() == Some(Outcome::Dead));
    }
    counts
}

/// Names spawners: those at the edge, and the highest cells that they don't feed.
fn feed(spec: &mut LevelSpec) {
    let edge = (0..8).filter(|&x| spec.cells[x].ground == Ground::Open);
    let edge = edge.map(|x| Spawner::new((x, 0)));
    spec.spawners = Some(edge.collect());
    while let Some(&at) = Level::new(spec.clone()).expect("a level").unfed().first() {
        spec.spawners.as_mut().expect("spawners").push(Spawner::new(at));
    }
}

/// With spawners where nothing falls, no cell stays empty. Games without a legal swap before move
/// 30, of 200: walls leave fewer swaps to find, so they are more than on the open board, but a
/// shuffle helps all of them.
#[test]
fn nothing_stays_empty_below_obstacles() {
    let mut stuck = Vec::new();
    for (name, shape) in SHAPES {
        let found = play(shape, Falls::Diagonal, ShuffleRule::End, true);
        assert_eq!(found.empty, 0, "{name}");
        stuck.push((name, found.stuck));
        let shuffled = play(shape, Falls::Diagonal, ShuffleRule::Rearrange, true);
        assert_eq!(shuffled.empty, 0, "{name}");
        assert_eq!(shuffled.stuck, 0, "{name}");
    }
    let expected = [
        ("open", 0),
        ("shelf8", 13),
        ("shelf4", 6),
        ("two-blocks", 1),
        ("shelves", 75),
        ("roof", 0),
        ("columns", 12),
        ("funnel", 5),
    ];
    assert_eq!(stuck, expected);
}

/// The same obstacle by the old rules, which is what the new ones are for.
#[test]
fn straight_falls_leave_cells_empty() {
    let found = play(SHAPES[1].1, Falls::Straight, ShuffleRule::End, false);
    assert!(found.empty > 200 * 30 * 5 / 2, "{}", found.empty);
    assert!(found.stuck > 100, "{}", found.stuck);
}

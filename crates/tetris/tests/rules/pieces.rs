//! Pieces, their rotations and their kicks.

use std::collections::BTreeSet;
use tetris::RotationSystem::{self, Srs, SrsPlus, SrsX};
use tetris::reference::{self, FallingPiece};
use tetris::{Board, Location, Orientation, Piece, Rotation};

#[test]
fn the_delta_swaps_turn_as_the_guideline_does() {
    for piece in Piece::ALL {
        let mut falling = FallingPiece::new(piece);
        for orientation in Orientation::ALL {
            assert_eq!(falling.orientation, orientation);
            let (cx, cy) = falling.center();
            let in_box = (0..16).filter(|bit| falling.cells >> (15 - bit) & 1 == 1);
            let cells = in_box.map(|bit| (bit % 4 - i32::from(cx), 3 - bit / 4 - i32::from(cy)));
            assert_eq!(
                cells.collect::<BTreeSet<_>>(),
                BTreeSet::from(piece.cells(orientation)),
                "{piece} {orientation}"
            );
            assert_eq!(falling.cw().ccw(), falling);
            assert_eq!(falling.ccw().cw(), falling);
            assert_eq!(falling.cw().cw(), falling.ccw().ccw());
            falling = falling.cw();
        }
        assert_eq!(falling, FallingPiece::new(piece), "four turns");
    }
}

#[test]
fn the_box_turns_as_in_the_article() {
    let i = FallingPiece::new(Piece::I);
    assert_eq!(
        [i, i.cw(), i.cw().cw(), i.ccw()].map(|i| i.cells),
        [0x0F00, 0x2222, 0x00F0, 0x4444]
    );
}

#[test]
fn flips_move_the_bits_they_name() {
    testkit::seeds(20_000, |seed| {
        let cells = seed as u16;
        let bit = |cells: u16, row: u32, column: u32| cells >> (15 - (4 * row + column)) & 1;
        for (row, column) in (0..16).map(|i| (i / 4, i % 4)) {
            let was = bit(cells, row, column);
            assert_eq!(bit(reference::mirror_columns(cells), row, 3 - column), was);
            assert_eq!(bit(reference::mirror_rows(cells), 3 - row, column), was);
            assert_eq!(bit(reference::transpose(cells), column, row), was);
            assert_eq!(bit(reference::anti_transpose(cells), 3 - column, 3 - row), was);
            assert_eq!(bit(reference::rotate_cw_4x4(cells), column, 3 - row), was);
            assert_eq!(bit(reference::rotate_ccw_4x4(cells), 3 - column, row), was);
            // Bit 0 of a spread column is the bottom row.
            assert_eq!(
                (reference::spread_columns(cells) >> (16 * column + 3 - row)) as u16 & 1,
                was
            );
        }
    });
}

#[test]
fn turning_wraps_in_two_bits() {
    for orientation in Orientation::ALL {
        assert_eq!(orientation.cw() as usize, (orientation as usize + 1) % 4);
        assert_eq!(orientation.cw().ccw(), orientation);
        assert_eq!(orientation.rotated(Rotation::Ccw), orientation.cw().cw().cw());
    }
}

#[test]
fn equal_cells_have_one_canonical_location() {
    for piece in Piece::ALL {
        let locations = Orientation::ALL.into_iter().flat_map(|orientation| {
            (0..25).map(move |i| Location { piece, orientation, x: 3 + i % 5, y: 3 + i / 5 })
        });
        let mut shapes = BTreeSet::new();
        for at in locations.clone() {
            let cells = |at: Location| BTreeSet::from(at.cells());
            assert_eq!(cells(at.canonical()), cells(at), "{at}");
            assert_eq!(at.canonical().canonical(), at.canonical());
            for other in locations.clone() {
                assert_eq!(
                    at.canonical() == other.canonical(),
                    cells(at) == cells(other),
                    "{at}, {other}"
                );
            }
            shapes.insert(at.canonical().orientation);
        }
        let expected = match piece {
            Piece::O => 1,
            Piece::I | Piece::S | Piece::Z => 2,
            _ => 4,
        };
        assert_eq!(shapes.len(), expected, "{piece}");
    }
}

#[test]
fn a_turn_and_its_opposite_kick_opposite_ways() {
    for (piece, from) in
        Piece::ALL.into_iter().flat_map(|piece| Orientation::ALL.map(|from| (piece, from)))
    {
        let there = Srs.kicks(piece, from, Rotation::Cw);
        let back = Srs.kicks(piece, from.cw(), Rotation::Ccw);
        assert_eq!(there.len(), if piece == Piece::O { 1 } else { 5 });
        assert!(
            there.iter().zip(back).all(|(there, back)| *there == (-back.0, -back.1)),
            "{piece} {from}"
        );
    }
}

/// The kicks after the first as published on the Tetris wiki ("SRS", wall kicks), for rotations of
/// the bounding box: from each orientation clockwise, then counterclockwise.
const PUBLISHED_JLSTZ: [[[(i8, i8); 4]; 2]; 4] = [
    [[(-1, 0), (-1, 1), (0, -2), (-1, -2)], [(1, 0), (1, 1), (0, -2), (1, -2)]],
    [[(1, 0), (1, -1), (0, 2), (1, 2)], [(1, 0), (1, -1), (0, 2), (1, 2)]],
    [[(1, 0), (1, 1), (0, -2), (1, -2)], [(-1, 0), (-1, 1), (0, -2), (-1, -2)]],
    [[(-1, 0), (-1, -1), (0, 2), (-1, 2)], [(-1, 0), (-1, -1), (0, 2), (-1, 2)]],
];
const PUBLISHED_I: [[[(i8, i8); 4]; 2]; 4] = [
    [[(-2, 0), (1, 0), (-2, -1), (1, 2)], [(-1, 0), (2, 0), (-1, 2), (2, -1)]],
    [[(-1, 0), (2, 0), (-1, 2), (2, -1)], [(2, 0), (-1, 0), (2, 1), (-1, -2)]],
    [[(2, 0), (-1, 0), (2, 1), (-1, -2)], [(1, 0), (-2, 0), (1, -2), (-2, 1)]],
    [[(1, 0), (-2, 0), (1, -2), (-2, 1)], [(-2, 0), (1, 0), (-2, -1), (1, 2)]],
];

/// As printed in Triangle.js (`kicks/data.ts`), with y downward: `i_kicks` of `SRS+` by 90 degrees,
/// and `kicks` and `i_kicks` by 180 degrees (02, 13, 20, 31).
const DOWNWARD_I_PLUS: [[[(i8, i8); 4]; 2]; 4] = [
    [[(1, 0), (-2, 0), (-2, 1), (1, -2)], [(-1, 0), (2, 0), (2, 1), (-1, -2)]],
    [[(-1, 0), (2, 0), (-1, -2), (2, 1)], [(-1, 0), (2, 0), (-1, 2), (2, -1)]],
    [[(2, 0), (-1, 0), (2, -1), (-1, 2)], [(-2, 0), (1, 0), (-2, -1), (1, 2)]],
    [[(1, 0), (-2, 0), (1, 2), (-2, -1)], [(1, 0), (-2, 0), (1, -2), (-2, 1)]],
];
const DOWNWARD_HALF_PLUS: [[(i8, i8); 5]; 4] = [
    [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0)],
    [(1, 0), (1, -2), (1, -1), (0, -2), (0, -1)],
    [(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
    [(-1, 0), (-1, -2), (-1, -1), (0, -2), (0, -1)],
];
const DOWNWARD_HALF_PLUS_I: [[(i8, i8); 1]; 4] = [[(0, -1)], [(1, 0)], [(0, 1)], [(-1, 0)]];
#[rustfmt::skip]
const DOWNWARD_HALF_X: [[(i8, i8); 11]; 4] = [
    [(1, 0), (2, 0), (1, 1), (2, 1), (-1, 0), (-2, 0), (-1, 1), (-2, 1), (0, -1), (3, 0), (-3, 0)],
    [(0, 1), (0, 2), (-1, 1), (-1, 2), (0, -1), (0, -2), (-1, -1), (-1, -2), (1, 0), (0, 3), (0, -3)],
    [(-1, 0), (-2, 0), (-1, -1), (-2, -1), (1, 0), (2, 0), (1, -1), (2, -1), (0, 1), (-3, 0), (3, 0)],
    [(0, 1), (0, 2), (1, 1), (1, 2), (0, -1), (0, -2), (1, -1), (1, -2), (-1, 0), (0, 3), (0, -3)],
];
const DOWNWARD_HALF_X_I: [[(i8, i8); 5]; 4] = [
    [(-1, 0), (-2, 0), (1, 0), (2, 0), (0, 1)],
    [(0, 1), (0, 2), (0, -1), (0, -2), (-1, 0)],
    [(1, 0), (2, 0), (-1, 0), (-2, 0), (0, -1)],
    [(0, 1), (0, 2), (0, -1), (0, -2), (1, 0)],
];

/// Returns the kicks after the first, relative to it: the first moves the center to keep the
/// bounding box in place.
fn relative(
    system: RotationSystem,
    piece: Piece,
    from: Orientation,
    rotation: Rotation,
) -> Vec<(i8, i8)> {
    let [(dx, dy), rest @ ..] = system.kicks(piece, from, rotation) else { unreachable!() };
    rest.iter().map(|(x, y)| (x - dx, y - dy)).collect()
}

#[test]
fn kicks_are_the_published_ones() {
    for piece in Piece::ALL {
        for (i, from) in Orientation::ALL.into_iter().enumerate() {
            for (j, rotation) in [Rotation::Cw, Rotation::Ccw].into_iter().enumerate() {
                for system in RotationSystem::ALL {
                    let published: &[_] = match (piece, system) {
                        (Piece::O, _) => &[],
                        (Piece::I, SrsPlus) => &DOWNWARD_I_PLUS[i][j].map(|(x, y)| (x, -y)),
                        (Piece::I, _) => &PUBLISHED_I[i][j],
                        _ => &PUBLISHED_JLSTZ[i][j],
                    };
                    let relative = relative(system, piece, from, rotation);
                    assert_eq!(relative, published, "{system:?} {piece} {from} {rotation:?}");
                }
            }
            assert!(Srs.kicks(piece, from, Rotation::Half).is_empty());
            let half: [&[(i8, i8)]; 2] = match piece {
                Piece::O => [&[], &[]],
                Piece::I => [&DOWNWARD_HALF_PLUS_I[i], &DOWNWARD_HALF_X_I[i]],
                _ => [&DOWNWARD_HALF_PLUS[i], &DOWNWARD_HALF_X[i]],
            };
            for (system, downward) in [SrsPlus, SrsX].into_iter().zip(half) {
                let published: Vec<_> = downward.iter().map(|&(x, y)| (x, -y)).collect();
                let relative = relative(system, piece, from, Rotation::Half);
                assert_eq!(relative, published, "{system:?} {piece} {from}");
            }
        }
    }
    // An upright I is in the third column of its box; after two more turns, in the second.
    let columns = |from: Orientation| {
        let at = Location { piece: Piece::I, orientation: from, x: 4, y: 20 };
        let turned = Srs.rotate(&Board::EMPTY, at, Rotation::Cw).unwrap();
        turned.cells().map(|(x, _)| x)
    };
    assert_eq!(columns(Orientation::North), [5; 4]);
    assert_eq!(columns(Orientation::South), [3; 4]);
}

#[test]
fn o_keeps_its_cells_when_it_turns() {
    for (system, rotation) in
        RotationSystem::ALL.into_iter().flat_map(|system| Rotation::ALL.map(|to| (system, to)))
    {
        let mut at = Location::spawn(Piece::O);
        for _ in 0..4 {
            let turned = system.rotate(&Board::EMPTY, at, rotation);
            assert_eq!(turned.is_none(), system == Srs && rotation == Rotation::Half);
            at = turned.unwrap_or(at);
            assert_eq!(at.canonical(), Location::spawn(Piece::O), "{system:?} {rotation:?}");
        }
    }
}

#[test]
fn half_turns_kick_up_from_the_floor_and_down_from_a_roof() {
    // With the tables upside down, SRS+ wouldn't turn these pieces at all, and SRS-X would move
    // them sideways.
    let roof: Board = ".#########\n..........\n..........".parse().unwrap();
    for (orientation, board, y, kicked) in
        [(Orientation::North, Board::EMPTY, 0, 1), (Orientation::South, roof, 1, 0)]
    {
        let at = Location { piece: Piece::T, orientation, x: 5, y };
        for system in [SrsPlus, SrsX] {
            let turned = system.rotate(&board, at, Rotation::Half);
            let orientation = orientation.cw().cw();
            assert_eq!(turned, Some(Location { orientation, y: kicked, ..at }), "{system:?}");
        }
    }
    // An S that looks the same on the floor stays where it is.
    let at = Location { piece: Piece::S, orientation: Orientation::North, x: 5, y: 0 };
    let turned = SrsPlus.rotate(&Board::EMPTY, at, Rotation::Half).unwrap();
    assert_eq!(turned.canonical(), at);
}

#[test]
fn kicks_stop_at_the_ceiling() {
    // A field filled up to the ceiling except for a shaft with an upright I, which must not leave
    // the field.
    let board =
        Board::try_from([!0 >> 24, 0, !0 >> 24, !0 >> 24, !0 >> 24, 0, 0, 0, 0, 0]).unwrap();
    for y in 34..40 {
        let at = Location { piece: Piece::I, orientation: Orientation::East, x: 1, y };
        for rotation in Rotation::ALL {
            for system in RotationSystem::ALL {
                let rotated = system.rotate(&board, at, rotation);
                let below_ceiling = |(_, y)| y < Board::HEIGHT as i32;
                assert!(rotated.is_none_or(|at| at.cells().into_iter().all(below_ceiling)), "{at}");
            }
        }
    }
}

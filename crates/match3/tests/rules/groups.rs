//! Groups by hand. `properties::board` compares them with their definition.

use match3::groups::{Group, Shape, groups};
use match3::{Board, Cell};

#[test]
fn shapes_by_hand() {
    use Shape::{L, Line3, Line4, Line5, Plus, T};
    for (text, expected) in [
        ("111.2222.33333\n4444444.......", &[(Line3, 3), (Line4, 4), (Line5, 5), (Line5, 7)][..]),
        ("111\n1..\n1..", &[(L, 3)]),
        ("111\n.1.\n.1.", &[(T, 3)]),
        (".1.\n111\n.1.", &[(Plus, 3)]),
        // The longest run decides the shape only from five cells up.
        ("1111\n1...\n1...", &[(L, 4)]),
        ("11111\n1....\n1....", &[(Line5, 5)]),
        // Three runs: an L on the left, a T in the middle.
        ("1111\n1.1.\n1.1.", &[(T, 4)]),
        // A full block of 3 x 3: the middle cell is a crossing in the interior of both runs.
        ("111\n111\n111", &[(Plus, 3)]),
        // Two rows that touch don't share a cell.
        ("111\n111", &[(Line3, 3), (Line3, 3)]),
        ("1!11\n###", &[(Line3, 3)]),
    ] {
        let found = groups(&text.parse().expect("a board"));
        assert!(
            found.iter().map(|group| (group.shape(), group.longest())).eq(expected.iter().copied()),
            "{text}"
        );
    }
    // Groups are ordered by their first cells, whatever the direction of their runs.
    let found = groups(&"31.\n31.\n312\n222".parse().expect("a board"));
    assert_eq!(found.iter().map(Group::color).collect::<Vec<_>>(), [3, 1, 2]);
}

#[test]
fn what_is_no_group() {
    let line = [(0, 0), (1, 0), (2, 0)];
    assert!(Group::new(1, &line).is_some());
    let twice = [(0, 0), (1, 0), (2, 0), (1, 0)];
    let too_many = [(0, 0), (1, 0), (2, 0), (4, 0)];
    let beyond = [(64, 0), (65, 0), (66, 0)];
    let far = [(usize::MAX, 0), (0, usize::MAX), (0, 0)];
    for (color, cells) in [
        (0, &line[..]),
        (36, &line),
        (1, &[]),
        (1, &twice),
        (1, &too_many),
        (1, &beyond),
        (1, &far),
    ] {
        assert_eq!(Group::new(color, cells), None, "color {color}, {cells:?}");
    }
    let square = Group::new(35, &[(62, 62), (63, 62), (62, 63), (63, 63)]).unwrap();
    assert_eq!(square.shape(), Shape::Square);
    assert_eq!(square.color(), 35);
    for shape in
        [Shape::Line3, Shape::Line4, Shape::Line5, Shape::L, Shape::T, Shape::Plus, Shape::Square]
    {
        assert_eq!(shape.to_string().parse(), Ok(shape));
    }
    assert!("line6".parse::<Shape>().is_err());
    assert_eq!(groups(&Board::new(64, 64).unwrap()), []);
    let full = Board::from_cells(64, 64, vec![Cell::new(1).unwrap(); 4096]).unwrap();
    assert_eq!(groups(&full)[0].cells().len(), 4096);
}

//! Each entry of the attack table.

use tetris::{AttackTable, Clear, Spin};

const TABLE: AttackTable = AttackTable::GUIDELINE;

#[test]
fn base_attacks() {
    let rows = [
        (Spin::None, [0, 0, 1, 2, 4].as_slice()),
        (Spin::Mini, &[0, 0, 1]),
        (Spin::Full, &[0, 2, 4, 6]),
    ];
    for (spin, row) in rows {
        for (lines, &sent) in (0..).zip(row) {
            let first = Clear { lines, spin, combo: 1, back_to_back: 1, ..Clear::default() };
            assert_eq!(TABLE.attack(first), sent, "{lines} lines, {spin}");
            let chained = if lines > 0 { sent + 1 } else { 0 };
            assert_eq!(TABLE.attack(Clear { back_to_back: 2, ..first }), chained);
            assert_eq!(TABLE.attack(Clear { back_to_back: 99, ..first }), chained);
            let perfect = if lines > 0 { sent + 10 } else { 0 };
            assert_eq!(TABLE.attack(Clear { perfect: true, ..first }), perfect);
            let keeps = lines == 4 || lines > 0 && spin != Spin::None;
            assert_eq!(first.keeps_back_to_back(), keeps, "{lines} lines, {spin}");
        }
    }
    // Past the end of a row.
    assert_eq!(TABLE.attack(Clear { lines: 9, ..Clear::default() }), 4);
}

#[test]
fn combos() {
    let bonus = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5];
    for combo in 1..40u32 {
        let single = Clear { lines: 1, combo, ..Clear::default() };
        assert_eq!(
            TABLE.attack(single),
            bonus[combo.min(12) as usize - 1],
            "clear {combo} in a row"
        );
    }
    let last = Clear { lines: 1, combo: u32::MAX, ..Clear::default() };
    assert_eq!(TABLE.attack(last), 5);
}

#[test]
fn tables_are_data() {
    let mut combo = [0; 16];
    combo[1] = 7;
    let table =
        AttackTable { plain: [9, 8, 7, 6, 5], back_to_back: 3, combo, ..AttackTable::default() };
    assert_eq!(
        table.attack(Clear { lines: 4, combo: 2, back_to_back: 2, ..Clear::default() }),
        5 + 7 + 3
    );
    assert_eq!(table.attack(Clear::default()), 9);
}

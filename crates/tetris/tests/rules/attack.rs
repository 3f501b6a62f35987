//! Each entry of the attack table, and the presets of other games.

use tetris::{AttackTable, BackToBackBonus, Clear, ComboBonus, PerfectBonus, Spin};

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

/// Attacks filmed in TETR.IO, listed in `tetriodamcalc.js` of swng/tetriodamcalc: each lock of two
/// series of quads and T-spin doubles, the second one with a combo before the chain.
#[test]
fn tetrio_season_1_as_filmed() {
    for (first, expected) in
        [(1, vec![4, 6, 8, 11, 12, 14, 16, 18, 22]), (2, vec![5, 7, 9, 12, 14, 16, 18, 19, 23])]
    {
        for (chain, &sent) in (0..).zip(&expected) {
            let quad = Clear {
                lines: 4,
                combo: first + chain,
                back_to_back: 1 + chain,
                ..Clear::default()
            };
            let double = Clear { lines: 2, spin: Spin::Full, ..quad };
            assert_eq!(AttackTable::TETRIO_SEASON_1.attack(quad), sent, "{quad:?}");
            assert_eq!(AttackTable::TETRIO_SEASON_1.attack(double), sent, "{double:?}");
        }
    }
}

/// The rows of the game's published table for the first clears of a chain, by combo (same source).
#[test]
fn tetrio_combos() {
    let third_line = |combo| 2 + combo / 2;
    let rows: [(u32, Spin, u32, fn(u32) -> u32); 7] = [
        (2, Spin::None, 0, |combo| 1 + combo / 4),
        (3, Spin::None, 0, third_line),
        (4, Spin::None, 1, |combo| 4 + combo),
        (1, Spin::Full, 1, third_line),
        (3, Spin::Full, 1, |combo| 6 + 3 * combo / 2),
        (4, Spin::None, 2, |combo| 5 + 5 * combo / 4),
        (2, Spin::Mini, 2, third_line),
    ];
    for table in [AttackTable::TETRIO_SEASON_1, AttackTable::TETRIO_SEASON_2] {
        for (lines, spin, back_to_back, expected) in rows {
            for combo in 0..=20 {
                let clear =
                    Clear { lines, spin, combo: combo + 1, back_to_back, ..Clear::default() };
                assert_eq!(table.attack(clear), expected(combo), "{clear:?}");
            }
        }
        // A single sends 1, 2, 3, 4 lines from combos 2, 6, 16, 43 on.
        for combo in 0..60u32 {
            let expected = [2, 6, 16, 43].iter().filter(|&&from| combo >= from).count() as u32;
            let single = Clear { lines: 1, combo: combo + 1, ..Clear::default() };
            assert_eq!(table.attack(single), expected, "{combo}");
            assert_eq!(
                table.attack(Clear { spin: Spin::Mini, back_to_back: 1, ..single }),
                expected
            );
        }
    }
}

/// The lengths at which a chain's bonus rises by a line: `B2B_level` of the same source.
#[test]
fn tetrio_chains() {
    let table = AttackTable { combo_bonus: ComboBonus::Table, ..AttackTable::TETRIO_SEASON_1 };
    let rises = [1, 3, 8, 24, 67, 185, 504, 1370];
    for chain in 0..2000u32 {
        let level = rises.iter().filter(|&&from| chain >= from).count() as u32;
        let mini = Clear {
            lines: 1,
            spin: Spin::Mini,
            combo: 1,
            back_to_back: 1 + chain,
            ..Clear::default()
        };
        assert_eq!(table.attack(mini), level, "{chain}");
    }
}

/// Surges by the shown chain, which is 0 for the first clear (the preset `tetra league` and the
/// locks of halp1/triangle): none to 3, then as many lines as shown.
#[test]
fn tetrio_season_2_surges() {
    let table = AttackTable::TETRIO_SEASON_2;
    for shown in 0..50 {
        let double =
            Clear { lines: 2, combo: 1, broken_back_to_back: 1 + shown, ..Clear::default() };
        let surge = if shown < 4 { 0 } else { shown };
        assert_eq!(table.attack(double), 1 + surge, "{shown}");
        // Not multiplied.
        assert_eq!(table.attack(Clear { combo: 5, ..double }), 2 + surge, "{shown}");
        assert_eq!(AttackTable::TETRIO_SEASON_1.attack(double), 1, "{shown}");
    }
    // A long chain sends one line more, like the guideline's.
    let quad = Clear { lines: 4, combo: 1, back_to_back: 30, ..Clear::default() };
    assert_eq!(table.attack(quad), 5);
    // Four lines, five for the perfect clear.
    assert_eq!(table.attack(Clear { perfect: true, back_to_back: 1, ..quad }), 4 + 5);
    let double = Clear { lines: 2, perfect: true, ..Clear::default() };
    assert!(table.keeps_back_to_back(double));
    assert!(!AttackTable::TETRIO_SEASON_1.keeps_back_to_back(double));
    assert!(!table.keeps_back_to_back(Clear { perfect: false, ..double }));
}

/// A game's line clears in a row: lines, spin, perfect, expected attack.
#[test]
fn jstris_sequence() {
    let mut chain = 0;
    for (combo, (lines, spin, perfect, expected)) in (1..).zip([
        (4, Spin::None, false, 4),
        (1, Spin::Mini, false, 0),
        (2, Spin::Mini, false, 4 + 1 + 1),
        (3, Spin::Full, false, 6 + 1 + 1),
        (1, Spin::Full, false, 2 + 1 + 1),
        (4, Spin::None, true, 10 + 2),
        (1, Spin::None, false, 2),
        (4, Spin::None, false, 4 + 3),
        (2, Spin::Full, false, 4 + 1 + 3),
        (2, Spin::None, true, 10 + 4),
        (3, Spin::None, false, 2 + 4),
        (2, Spin::None, false, 1 + 4),
        (1, Spin::None, false, 5),
        (1, Spin::None, false, 5),
    ]) {
        let mut clear = Clear { lines, spin, perfect, combo, ..Clear::default() };
        chain = if AttackTable::JSTRIS.keeps_back_to_back(clear) { chain + 1 } else { 0 };
        clear.back_to_back = chain;
        assert_eq!(AttackTable::JSTRIS.attack(clear), expected, "{clear:?}");
    }
}

#[test]
fn extreme_attacks_are_capped() {
    let table = AttackTable {
        plain: [255; 5],
        back_to_back: 255,
        perfect: 255,
        ..AttackTable::TETRIO_SEASON_1
    };
    let clear = Clear {
        lines: 4,
        spin: Spin::None,
        perfect: true,
        combo: u32::MAX,
        back_to_back: u32::MAX,
        broken_back_to_back: u32::MAX,
    };
    assert_eq!(table.attack(clear), u32::MAX);
    let charging = BackToBackBonus::Charging { at: 0, base: 255 };
    assert_eq!(AttackTable { back_to_back_bonus: charging, ..table }.attack(clear), u32::MAX);
    let in_place = AttackTable { perfect_bonus: PerfectBonus::InPlace, ..table };
    assert_eq!(in_place.attack(Clear { combo: 1, ..clear }), 255);
}

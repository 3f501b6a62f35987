//! The faults of the classic trick, each with a witness that the published form gets wrong and ours
//! gets right.

use match3::reference::{ByteRows, ColorMasks, Pairs, naive};
use match3::{Axis, Board, Swap, swaps};

#[test]
fn swaps_by_hand() {
    for (text, expected) in [
        ("1112", &[][..]),
        ("1121", &["2 0 H"]),
        ("111121", &["4 0 H"]),
        ("11!21", &[]),
        ("112!1", &[]),
        ("1!121", &["2 0 H"]),
        // Gaps with the same color, or empty.
        ("1111", &[]),
        ("11.1", &[]),
        // Donor and cell mixed up. In column 0, a stone below the gap moves up; in row 0, a stone
        // to the right of the gap moves left. Each swap names its two cells.
        ("12\n13\n21\n14", &["0 2 H", "0 2 V"]),
        // One swap completes 1 1 1 above and 2 2 2 below: the published form finds it once per
        // color.
        ("112\n221", &["2 0 V"]),
        // Bytes 0 = 0: an unmasked comparison sees a pair of holes next to a hole.
        ("..1\n112\n1..", &["2 0 V"]),
        ("...\n.1.\n...", &[]),
    ] {
        let board: Board = text.parse().unwrap();
        let found: Vec<Swap> = swaps(&board).iter().collect();
        assert_eq!(found, naive::swaps(&board));
        assert_eq!(found, ColorMasks::from(&board).swaps());
        assert_eq!(ColorMasks::from(&board).count(), expected.len());
        let bytes = ByteRows::new(&board).unwrap();
        assert_eq!(found, bytes.swaps());
        assert_eq!(bytes.count(), expected.len());
        assert!(found.iter().map(ToString::to_string).eq(expected.iter().copied()), "{text}");
    }
    let swap = Swap::between((0, 2), (1, 2)).unwrap();
    assert_eq!(swap.cells(), [(0, 2), (1, 2)]);
    assert_eq!(swap.axis, Axis::Horizontal);
}

/// The examples of the article: its row of eight stones, with each mask that it prints, and its row
/// of bytes.
#[test]
fn the_worked_example() {
    let pairs = Pairs::new(0b0110_0101);
    let expected = Pairs { xox: 0x04, xx: 0x40, up: 0x80, down: 0x10, gaps: 0x92 };
    assert_eq!(pairs, expected);
    assert_eq!(0b0110_0101 & (pairs.up << 1), 0, "nothing further up");
    assert_eq!(0b0110_0101 & (pairs.down >> 1), 0, "nothing further down");
    // B R B R B R G Y from byte 7 down: the top four bytes of the XoX word are zero.
    let row = u64::from_le_bytes(*b"YGRBRBRB");
    assert_eq!((row ^ (row << 16)) >> 32, 0);
    assert_eq!(bitcore::bits::zero_byte_mask(row ^ (row << 16)) & 0xfc, 0xf0);
}

#[test]
fn fault_gap_not_tested() {
    // 1 1 1 1: the pair at 0 and 1 has its "gap" at 2, which is itself a 1, and a "donor" at 3. The
    // published form offers swaps of equal stones and fills empty gaps.
    for own in [0b1111, 0b1011] {
        assert_ne!(own & (Pairs::new(own).up << 1), 0);
    }
}

#[test]
fn fault_ctz_of_nothing() {
    assert_eq!(0u64.trailing_zeros(), 64, "the loop of the article ends on this");
    assert_eq!(bitcore::SetBits(0).next(), None);
}

#[test]
fn fault_narrow_words() {
    let own = 0b1100_0000_u8;
    let wide = Pairs::new(u64::from(own));
    assert_eq!(wide.up, 0x100);
    assert_eq!((own & (own << 1)) << 1, 0, "8 bits lose the gap above the pair");
}

#[test]
fn fault_zero_bytes_by_borrow() {
    // Rows that are equal in byte 0 and differ by 1 in byte 1: the borrow makes the classic haszero
    // trick flag both.
    let x = u64::from_le_bytes([0, 1, 5, 5, 5, 5, 5, 5]);
    let classic = x.wrapping_sub(0x0101_0101_0101_0101) & !x & 0x8080_8080_8080_8080;
    assert_eq!(classic, 0x8080);
    assert_eq!(bitcore::bits::zero_bytes(x), 0x80);
}

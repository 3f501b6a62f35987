//! 64-bit words: PEXT, PDEP, select, set bits and the functions of [`bits`]. Each result is the
//! next operand.

use bitcore::{Isa, SetBits, bits};
use testkit::Input;

pub(crate) fn run<S: Isa>(isa: S, input: &Input) {
    let mut x = input.u64();
    while !input.is_empty() {
        x = match input.below(8) {
            0 => {
                let mask = input.u64();
                let found = isa.pext(x, mask);
                assert_eq!(found, bits::pext(x, mask));
                assert_eq!(isa.pdep(found, mask), x & mask);
                found
            }
            1 => {
                let mask = input.u64();
                let found = isa.pdep(x, mask);
                assert_eq!(found, bits::pdep(x, mask));
                assert_eq!(found & !mask, 0);
                found
            }
            2 => {
                let k = if input.flag() { input.u32() } else { u32::from(input.byte()) };
                let found = isa.select(x, k);
                assert_eq!(found, bits::select(x, k));
                let by_list = SetBits(x).nth(k as usize);
                assert_eq!(found, by_list.unwrap_or(64));
                x.rotate_left(found) ^ u64::from(found)
            }
            3 => {
                let mut set = SetBits(x);
                let mut left = x.count_ones() as usize;
                for bit in (0..64).filter(|bit| x >> bit & 1 == 1) {
                    left -= 1;
                    assert_eq!(set.next(), Some(bit));
                    assert_eq!(set.len(), left);
                }
                assert_eq!(set.next(), None);
                assert_eq!(set.len(), 0);
                x ^ input.u64()
            }
            4 => {
                assert_zero_bytes(x);
                let low = bits::delta_swap_u16::<0x0a0a, 3>(x as u16);
                assert_eq!(u64::from(low), swap_bits(x & 0xffff, 0x0a0a, 3));
                let swapped = bits::delta_swap_u64::<0x00cc_00cc_00cc_00cc, 6>(x);
                assert_eq!(swapped, swap_bits(x, 0x00cc_00cc_00cc_00cc, 6));
                swapped
            }
            5 => x & input.u64(),
            6 => {
                // Bytes that a borrow or a carry could cross.
                let word = input.bytes().map(|byte| [0, 1, 0x80, 0xff][usize::from(byte % 4)]);
                let word = u64::from_le_bytes(word);
                assert_zero_bytes(word);
                word
            }
            _ => {
                let word = input.u64();
                let rotated = u128::from(x) << 5 | u128::from(x) >> 59;
                let product = u128::from(rotated as u64 ^ word) * 0x9e37_79b9_7f4a_7c15;
                assert_eq!(bits::fold(x, word), product as u64);
                product as u64
            }
        };
    }
}

fn assert_zero_bytes(word: u64) {
    let flags = word.to_le_bytes().map(|byte| byte == 0);
    let mask = bits::zero_byte_mask(word);
    assert!((0..8).all(|i| flags[i] == (mask >> i & 1 == 1)));
    assert_eq!(bits::zero_bytes(word).to_le_bytes(), flags.map(|zero| u8::from(zero) << 7));
}

/// Swaps each bit of a mask with the bit `shift` places above.
fn swap_bits(word: u64, mask: u64, shift: u32) -> u64 {
    (0..64).filter(|i| mask >> i & 1 == 1).fold(word, |word, i| {
        let low = word >> i & 1;
        let high = word >> (i + shift) & 1;
        let cleared = word & !(1 << i) & !(1 << (i + shift));
        cleared | high << i | low << (i + shift)
    })
}

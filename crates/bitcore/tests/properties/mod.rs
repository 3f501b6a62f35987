//! The properties of the crate: a program over registers, which a level runs beside plain arrays. The tests run
//! them by quickcheck, the fuzz target `bitcore/machines` by libFuzzer and by stored inputs.

pub(crate) mod lanes;
pub(crate) mod streams;

use bitcore::{Isa, SetBits, bits, dispatch};
use testkit::{Input, on_each_level};

/// Runs the program of the bytes on every level.
pub(crate) fn machines(data: &[u8]) {
    on_each_level(|level| {
        let input = Input::new(data);
        match input.below(6) {
            0 => dispatch!(level, isa => scalar(isa, &input)),
            1 => dispatch!(level, isa => lanes::bytes(isa, &input)),
            2 => dispatch!(level, isa => lanes::u16s(isa, &input)),
            3 => dispatch!(level, isa => lanes::u32s(isa, &input)),
            4 => dispatch!(level, isa => lanes::u64s(isa, &input)),
            _ => dispatch!(level, isa => streams::run(isa, &input)),
        }
    });
}

/// PEXT, PDEP, select and set bits, each result the operand of the next.
fn scalar<S: Isa>(isa: S, input: &Input) {
    let mut x = input.u64();
    while !input.is_empty() {
        x = match input.below(6) {
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
                for left in (0..x.count_ones() as usize).rev() {
                    let bit = set.next().expect("a bit");
                    assert!(x >> bit & 1 == 1 && set.len() == left);
                }
                assert_eq!((set.next(), set.len()), (None, 0));
                x ^ input.u64()
            }
            4 => {
                let flags = x.to_le_bytes().map(|byte| byte == 0);
                let mask = bits::zero_byte_mask(x);
                assert!((0..8).all(|i| flags[i] == (mask >> i & 1 == 1)));
                assert_eq!(bits::zero_bytes(x).to_le_bytes(), flags.map(|zero| u8::from(zero) << 7));
                bits::delta_swap_u64::<0x00CC_00CC_00CC_00CC, 6>(x)
            }
            _ => x & input.u64(),
        };
    }
}

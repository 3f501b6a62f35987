//! Lanes of each width: each operation of the program acts on two vectors and on two arrays.

use bitcore::{Bytes, Isa, Lanes, PextLanes, U16s, U32s, U64s, bits, pdep_lanes};
use std::array::from_fn;
use testkit::Input;

/// Defines the operations common to all lane types: `$a` and `$b` are arrays, `$va` and `$vb`
/// lanes. Evaluates to the result by the definition, as an array, and to the lanes.
macro_rules! shared {
    ($op:expr, $lane:ty, $isa:ident, $input:ident, $load:ident, $splat:ident, $a:ident, $b:ident, $va:ident, $vb:ident) => {
        match $op {
            0 => (from_fn(|i| $a[i] & $b[i]), $va & $vb),
            1 => (from_fn(|i| $a[i] | $b[i]), $va | $vb),
            2 => (from_fn(|i| $a[i] ^ $b[i]), $va ^ $vb),
            3 => (from_fn(|i| !$a[i]), !$va),
            4 => (from_fn(|i| $a[i].wrapping_add($b[i])), $va + $vb),
            5 => (from_fn(|i| $a[i].wrapping_sub($b[i])), $va - $vb),
            6 => (from_fn(|i| $a[i] & !$b[i]), $va.and_not($vb)),
            7 => (from_fn(|i| if $a[i] == $b[i] { !0 } else { 0 }), $va.cmp_eq($vb)),
            8 => {
                let by = $input.byte() as usize;
                let c = from_fn(|i| $a[(i + by) % $a.len()]);
                (from_fn(|i| ($a[i] & $b[i]) | (!$a[i] & c[i])), $va.bitselect($vb, $isa.$load(&c)))
            }
            9 => {
                let by = $input.byte() as usize;
                let c = from_fn(|i| $b[(i + by) % $b.len()]);
                let lanes = $va.cmp_eq($isa.$load(&c));
                (
                    from_fn(|i| if $a[i] == c[i] { $a[i] } else { $b[i] }),
                    lanes.blend_lanes($va, $vb),
                )
            }
            10 => {
                assert_eq!($va.is_zero(), $a.iter().all(|&a| a == 0));
                let byte = $input.byte();
                let place = usize::from(byte) % $a.len();
                let lane = $a[place];
                // `is_zero` must see every single bit.
                let mut bit = $a.map(|_| 0);
                bit[place] = lane & <$lane>::from(1u8).rotate_left(byte.into());
                assert_eq!($isa.$load(&bit).is_zero(), bit[place] == 0);
                (from_fn(|_| lane), $isa.$splat(lane))
            }
            // New lanes, mostly zero or equal.
            _ => {
                let bytes = [$input.byte(), $input.byte(), $input.byte()];
                let keep = $input.byte() as usize;
                let mut new = $a;
                for (i, lane) in new.iter_mut().enumerate() {
                    let turned = lane.rotate_left(u32::from(bytes[i % 3]));
                    *lane = if i % 8 == keep % 8 {
                        *lane
                    } else {
                        turned ^ <$lane>::from(bytes[(i + 1) % 3])
                    };
                }
                (new, $isa.$load(&new))
            }
        }
    };
}

/// Evaluates to one of the three kinds of shift, by the definition and as lanes.
macro_rules! shifts {
    ($op:expr, $bits:literal, $input:ident, $a:ident, $va:ident, $constants:tt) => {
        match $op {
            0 => {
                let n = count($input, $bits);
                ($a.map(|lane| lane.checked_shl(n).unwrap_or(0)), $va.shl_all(n))
            }
            1 => {
                let n = count($input, $bits);
                ($a.map(|lane| lane.checked_shr(n).unwrap_or(0)), $va.shr_all(n))
            }
            _ => constant!($input, N of $constants => {
                if $input.flag() { ($a.map(|lane| lane << N), $va.shl::<N>()) } else { ($a.map(|lane| lane >> N), $va.shr::<N>()) }
            }),
        }
    };
}

macro_rules! shifts_of_each {
    ($op:expr, $bits:literal, $isa:ident, $load:ident, $input:ident, $a:ident, $b:ident, $va:ident) => {{
        let counts = if $input.flag() { $b } else { $b.map(|lane| lane % ($bits + 2)) };
        let lanes = $isa.$load(&counts);
        let by = |i: usize| u32::try_from(counts[i]).unwrap_or(u32::MAX);
        match $op {
            0 => (from_fn(|i| $a[i].checked_shl(by(i)).unwrap_or(0)), $va.shl_each(lanes)),
            _ => (from_fn(|i| $a[i].checked_shr(by(i)).unwrap_or(0)), $va.shr_each(lanes)),
        }
    }};
}

/// Draws a shift count: usually near the lane width, sometimes any number.
fn count(input: &Input, bits: u8) -> u32 {
    if input.flag() { input.u32() } else { u32::from(input.byte() % (bits + 2)) }
}

/// Runs a program over two registers. `$own` are this type's own operations, numbered from 0.
macro_rules! program {
    ($name:ident, $lane:ty, $n:literal, $load:ident, $splat:ident, $ops:literal,
        |$isa:ident, $input:ident, $op:ident, $a:ident, $b:ident, $va:ident, $vb:ident| $own:expr) => {
        pub(crate) fn $name<S: Isa>($isa: S, $input: &Input) {
            let mut $a: [$lane; $n] = from_fn(|_| <$lane>::from_le_bytes($input.bytes()));
            let mut $b: [$lane; $n] = $a;
            let mut $va = $isa.$load(&$a);
            let mut $vb = $isa.$load(&$b);
            while !$input.is_empty() {
                let number = $input.below(12 + $ops);
                let (array, lanes): ([$lane; $n], _) = match number {
                    0..12 => shared!(number, $lane, $isa, $input, $load, $splat, $a, $b, $va, $vb),
                    _ => {
                        let $op = number - 12;
                        $own
                    }
                };
                let found = lanes.to_array();
                assert_eq!(
                    found,
                    array,
                    "{} operation {number} of {:x?} and {:x?}",
                    S::NAME,
                    $a,
                    $b
                );
                ($b, $vb) = ($a, $va);
                ($a, $va) = (array, lanes);
            }
        }
    };
}

macro_rules! constant {
    ($input:ident, $k:ident of [$($value:literal)*] => $result:expr) => {
        match *$input.pick(&[$($value),*]) {
            $($value => { const $k: i32 = $value; $result })*
            _ => unreachable!(),
        }
    };
}

program!(bytes, u8, 32, u8x32, splat_u8, 9, |isa, input, op, a, b, va, vb| match op {
    0 => (from_fn(|i| a[i].min(b[i])), va.min(vb)),
    1 => (from_fn(|i| a[i].max(b[i])), va.max(vb)),
    2 => {
        let looked_up =
            from_fn(|i| if b[i] >= 128 { 0 } else { a[i / 16 * 16 + usize::from(b[i]) % 16] });
        (looked_up, va.shuffle(vb))
    }
    3 => (from_fn(|i| a[(i + 16) % 32]), va.swap_halves()),
    4 => (a.map(|lane| lane.count_ones() as u8), va.count_ones()),
    5 => {
        let sums: [u64; 4] =
            from_fn(|i| a[8 * i..8 * i + 8].iter().map(|&lane| u64::from(lane)).sum());
        (from_fn(|i| sums[i / 8].to_le_bytes()[i % 8]), va.sums_of_8())
    }
    6 => {
        let mask = |f: &dyn Fn(usize) -> bool| (0..32).fold(0u32, |m, i| m | u32::from(f(i)) << i);
        assert_eq!(va.zero_bitmask(), mask(&|i| a[i] == 0));
        assert_eq!(va.eq_bitmask(vb), mask(&|i| a[i] == b[i]));
        assert_eq!(va.movemask(), mask(&|i| a[i] >= 128));
        let mut flags = [false; 32];
        va.write_flags(&mut flags);
        assert_eq!(flags, a.map(|lane| lane != 0));
        let words = isa.bitcast_u8_u64(va);
        assert_eq!(words.to_array(), from_fn(|i| u64::from_le_bytes(from_fn(|j| a[8 * i + j]))));
        (a, isa.bitcast_u64_u8(words))
    }
    7 => constant!(input, N of [0 1 2 3 4 5 6 7] => {
        (from_fn(|i| if i % 8 + (N as usize) < 8 { a[i + N as usize] } else { 0 }), va.slide_down_in_8::<N>())
    }),
    _ => constant!(input, N of [0 1 2 3 4 5 6 7] => {
        (from_fn(|i| if i % 8 >= N as usize { a[i - N as usize] } else { 0 }), va.slide_up_in_8::<N>())
    }),
});

program!(u16s, u16, 16, u16x16, splat_u16, 12, |isa, input, op, a, b, va, vb| match op {
    0 => (from_fn(|i| a[i].min(b[i])), va.min(vb)),
    1 => (from_fn(|i| a[i].max(b[i])), va.max(vb)),
    2 => (from_fn(|i| ((u64::from(a[i]) * u64::from(b[i])) >> 16) as u16), va.mul_high(vb)),
    3 => (a.map(|lane| lane.count_ones() as u16), va.count_ones()),
    4 => {
        let greater = from_fn(|i| if (a[i] as i16) > b[i] as i16 { u16::MAX } else { 0 });
        (greater, va.cmp_gt_signed(vb))
    }
    5 => {
        let pairs = from_fn(|i| u32::from(a[2 * i]) | u32::from(a[2 * i + 1]) << 16);
        let lanes = isa.bitcast_u16_u32(va);
        assert_eq!(lanes.to_array(), pairs);
        (a, isa.bitcast_u32_u16(lanes))
    }
    6 => (a, isa.bitcast_u64_u16(isa.bitcast_u16_u64(va))),
    7..10 => shifts!(op - 7, 16, input, a, va, [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]),
    10 => constant!(input, N of [0 1 2 3 4 5 6 7] => {
        (from_fn(|i| if i + (N as usize) < 16 { a[i + N as usize] } else { 0 }), va.slide_down::<N>())
    }),
    _ => constant!(input, N of [0 1 2 3 4 5 6 7] => {
        (from_fn(|i| if i >= N as usize { a[i - N as usize] } else { 0 }), va.slide_up::<N>())
    }),
});

program!(u32s, u32, 8, u32x8, splat_u32, 14, |isa, input, op, a, b, va, vb| match op {
    0 => (from_fn(|i| a[i].wrapping_mul(b[i])), va.wrapping_mul(vb)),
    1 => (from_fn(|i| ((u64::from(a[i]) * u64::from(b[i])) >> 32) as u32), va.mul_high(vb)),
    2 => (a.map(u32::count_ones), va.count_ones()),
    3 => {
        let greater = from_fn(|i| if (a[i] as i32) > b[i] as i32 { u32::MAX } else { 0 });
        (greater, va.cmp_gt_signed(vb))
    }
    4 => ([a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3]], va.swap_halves()),
    5 => ([a[2], a[3], a[0], a[1], a[6], a[7], a[4], a[5]], va.swap_pairs()),
    6 => ([a[1], a[0], a[3], a[2], a[5], a[4], a[7], a[6]], va.swap_neighbors()),
    7 => {
        let fields: [u16; 8] = from_fn(|i| a[i] as u16);
        let packed = (0..8).fold(0u128, |packed, i| packed | u128::from(fields[i]) << (16 * i));
        (fields.map(u32::from), isa.widen_u16x8(packed))
    }
    8 | 9 => shifts_of_each!(op - 8, 32, isa, u32x8, input, a, b, va),
    10 => {
        let bytes = a[0] & 0x7f7f_7f7f;
        let signed: [u8; 32] = from_fn(|i| b[i / 4].to_le_bytes()[i % 4]);
        let product = |i: usize, j: usize| {
            i32::from(bytes.to_le_bytes()[j]) * i32::from(signed[4 * i + j] as i8)
        };
        let sums = from_fn(|i| (0..4).fold(a[i], |sum, j| sum.wrapping_add(product(i, j) as u32)));
        (sums, isa.add_dot4(va, bytes, isa.u8x32(&signed)))
    }
    _ => shifts!(op - 11, 32, input, a, va, [0 1 5 7 16 31]),
});

program!(u64s, u64, 4, u64x4, splat_u64, 10, |isa, input, op, a, b, va, vb| match op {
    0 => {
        let low = |word: u64| u64::from(word as u32);
        (from_fn(|i| low(a[i]) * low(b[i])), va.mul_u32(vb))
    }
    1 | 2 => shifts_of_each!(op - 1, 64, isa, u64x4, input, a, b, va),
    3 => {
        let quarters = isa.bitcast_u64_u16(va);
        assert_eq!(quarters.to_array(), from_fn(|i| (a[i / 4] >> (16 * (i % 4))) as u16));
        (a, isa.bitcast_u16_u64(quarters))
    }
    4..7 => shifts!(op - 4, 64, input, a, va, [0 1 7 17 31 32 33 63]),
    7 => constant!(input, N of [1 2 3] => {
        (from_fn(|i| a[(i + 4 - N as usize) % 4]), isa.rotate_lanes_u64::<N>(va))
    }),
    8 => (from_fn(|i| bits::pext(a[i], b[i])), PextLanes::new(isa, vb).pext(va)),
    _ => {
        let spread = from_fn(|i| bits::pdep(a[i], b[i]));
        assert_eq!(pdep_lanes(isa, va, vb).to_array(), spread);
        (spread, PextLanes::new(isa, vb).pdep(va))
    }
});

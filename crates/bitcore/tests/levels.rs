//! Tests of every operation on every level against a definition that goes bit by bit or lane by lane.

use bitcore::bits;
use bitcore::{
    Bytes, Isa, Jump, Lanes, Level, Moments, ParseLevelError, PextLanes, Rng, Rng32, Streams, Streams32,
    U16s, U32s, U64s, dispatch, pdep_lanes,
};
use quickcheck::QuickCheck;
use rand_xoshiro::rand_core::{Rng as Generator, SeedableRng as _};
use rand_xoshiro::{SplitMix64, Xoroshiro64Star, Xoshiro256PlusPlus};
use std::array::from_fn;

#[test]
fn programs_over_registers() {
    testkit::inputs(2_000, |input| crate::properties::machines(input.rest()));
}

/// A generator of test cases. Words are dense, sparse, full or empty. Lanes are often
/// small or equal, so that every comparison has both results.
struct Cases(Rng);

impl Cases {
    fn word(&mut self) -> u64 {
        let (a, b, c) = (self.0.next_u64(), self.0.next_u64(), self.0.next_u64());
        match self.0.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => a & b & c,
            3 => a | b | c,
            4 => 1 << (a & 63),
            _ => a,
        }
    }
    fn bytes(&mut self) -> [u8; 32] {
        from_fn(|_| match self.0.below(6) {
            0 => 0,
            1 => 1,
            2 => 0x80,
            3 => 0xff,
            4 => (self.0.next_u64() & 3) as u8,
            _ => self.0.next_u64() as u8,
        })
    }
    fn u16s(&mut self) -> [u16; 16] {
        let bytes = self.bytes();
        from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
    }
    fn u32s(&mut self) -> [u32; 8] {
        let u16s = self.u16s();
        from_fn(|i| u32::from(u16s[2 * i]) | u32::from(u16s[2 * i + 1]) << 16)
    }
    fn u64s(&mut self) -> [u64; 4] {
        from_fn(|_| self.word())
    }
}

fn scalar<S: Isa>(isa: S, cases: &mut Cases) {
    let (x, mask) = (cases.word(), cases.word());
    assert_eq!(isa.pext(x, mask), bits::pext(x, mask), "pext {x:#x} {mask:#x}");
    assert_eq!(isa.pdep(x, mask), bits::pdep(x, mask), "pdep {x:#x} {mask:#x}");
    for k in (0..70).chain([128, 255, 256, u32::MAX]) {
        assert_eq!(isa.select(x, k), bits::select(x, k), "select {x:#x} {k}");
    }
}

fn pext_in_lanes<S: Isa>(isa: S, cases: &mut Cases) {
    let (words, masks) = (cases.u64s(), cases.u64s());
    let (va, vm) = (isa.u64x4(&words), isa.u64x4(&masks));
    let four = PextLanes::new(isa, vm);
    assert_eq!(four.pext(va).to_array(), from_fn(|i| bits::pext(words[i], masks[i])));
    let spread = from_fn(|i| bits::pdep(words[i], masks[i]));
    assert_eq!(four.pdep(va).to_array(), spread);
    assert_eq!(pdep_lanes(isa, va, vm).to_array(), spread);
}

macro_rules! common_lanes {
    ($isa:ident, $load:ident, $splat:ident, $a:ident, $b:ident, $c:ident) => {
        let (va, vb, vc) = ($isa.$load(&$a), $isa.$load(&$b), $isa.$load(&$c));
        let zip = |f: fn(_, _) -> _| from_fn(|i| f($a[i], $b[i]));
        assert_eq!(va.to_array(), $a);
        assert_eq!($isa.$splat($a[3]).to_array(), from_fn(|_| $a[3]));
        assert_eq!((va & vb).to_array(), zip(|a, b| a & b));
        assert_eq!((va | vb).to_array(), zip(|a, b| a | b));
        assert_eq!((va ^ vb).to_array(), zip(|a, b| a ^ b));
        assert_eq!((!va).to_array(), zip(|a, _| !a));
        assert_eq!(va.and_not(vb).to_array(), zip(|a, b| a & !b));
        assert_eq!((va + vb).to_array(), zip(|a, b| a.wrapping_add(b)));
        assert_eq!((va - vb).to_array(), zip(|a, b| a.wrapping_sub(b)));
        assert_eq!(va.cmp_eq(vb).to_array(), zip(|a, b| if a == b { !0 } else { 0 }));
        let picked = from_fn(|i| ($a[i] & $b[i]) | (!$a[i] & $c[i]));
        assert_eq!(va.bitselect(vb, vc).to_array(), picked);
        let lanes = va.cmp_eq(vb).to_array();
        let picked = from_fn(|i| if lanes[i] == 0 { $c[i] } else { $b[i] });
        assert_eq!(va.cmp_eq(vb).blend_lanes(vb, vc).to_array(), picked);
        assert_eq!(va.is_zero(), $a.iter().all(|&a| a == 0));
        assert!((va ^ va).is_zero());
        // A single set bit, or none: a test for zero must not miss it.
        let mut one = $c.map(|_| 0);
        one[$b[0] as usize % $a.len()] = $a[0] & ($a[1] & 1);
        assert_eq!($isa.$load(&one).is_zero(), one.iter().all(|&a| a == 0));
    };
}

fn byte_lanes<S: Isa>(isa: S, cases: &mut Cases) {
    let (a, b, c) = (cases.bytes(), cases.bytes(), cases.bytes());
    common_lanes!(isa, u8x32, splat_u8, a, b, c);
    let (va, vb) = (isa.u8x32(&a), isa.u8x32(&b));
    assert_eq!(va.swap_halves().to_array(), from_fn(|i| a[(i + 16) % 32]));
    let mask = |f: &dyn Fn(usize) -> bool| (0..32).fold(0u32, |m, i| m | u32::from(f(i)) << i);
    assert_eq!(va.zero_bitmask(), mask(&|i| a[i] == 0));
    assert_eq!(va.eq_bitmask(vb), mask(&|i| a[i] == b[i]));
    assert_eq!(va.movemask(), mask(&|i| a[i] >= 128));
    assert_eq!(va.min(vb).to_array(), from_fn(|i| a[i].min(b[i])));
    assert_eq!(va.max(vb).to_array(), from_fn(|i| a[i].max(b[i])));
    let looked_up = from_fn(|i| if b[i] >= 128 { 0 } else { a[i / 16 * 16 + usize::from(b[i]) % 16] });
    assert_eq!(va.shuffle(vb).to_array(), looked_up);
    macro_rules! shifts {
        ($($n:literal)*) => {$(
            let down = from_fn(|i| if i % 8 + $n < 8 { a[i + $n] } else { 0 });
            let up = from_fn(|i| if i % 8 + 1 > $n { a[i - $n] } else { 0 });
            assert_eq!(va.slide_down_in_8::<$n>().to_array(), down);
            assert_eq!(va.slide_up_in_8::<$n>().to_array(), up);
        )*};
    }
    shifts!(0 1 2 3 4 5 6 7);
    assert_eq!(va.count_ones().to_array(), a.map(|lane| lane.count_ones() as u8));
    let sums: [u64; 4] = from_fn(|i| a[8 * i..8 * i + 8].iter().map(|&lane| u64::from(lane)).sum());
    assert_eq!(isa.bitcast_u8_u64(va.sums_of_8()).to_array(), sums);
    let mut flags = [true; 32];
    (va & vb).write_flags(&mut flags);
    assert_eq!(flags, from_fn(|i| a[i] & b[i] != 0));
    isa.u8x32(&a.map(|lane| lane & 0x81)).write_flags(&mut flags);
    assert_eq!(flags, a.map(|lane| lane & 0x81 != 0));
}

fn u16_lanes<S: Isa>(isa: S, cases: &mut Cases) {
    let (a, b, c) = (cases.u16s(), cases.u16s(), cases.u16s());
    common_lanes!(isa, u16x16, splat_u16, a, b, c);
    let (va, vb) = (isa.u16x16(&a), isa.u16x16(&b));
    assert_eq!(va.mul_high(vb).to_array(), from_fn(|i| ((u64::from(a[i]) * u64::from(b[i])) >> 16) as u16));
    assert_eq!(va.min(vb).to_array(), from_fn(|i| a[i].min(b[i])));
    assert_eq!(va.max(vb).to_array(), from_fn(|i| a[i].max(b[i])));
    assert_eq!(va.count_ones().to_array(), a.map(|lane| lane.count_ones() as u16));
    let signed = |lane: u16| i32::from(lane as i16);
    let greater = from_fn(|i| if signed(a[i]) > signed(b[i]) { u16::MAX } else { 0 });
    assert_eq!(va.cmp_gt_signed(vb).to_array(), greater);
    let pairs = from_fn(|i| u32::from(a[2 * i]) | u32::from(a[2 * i + 1]) << 16);
    assert_eq!(isa.bitcast_u16_u32(va).to_array(), pairs);
    assert_eq!(isa.bitcast_u32_u16(isa.u32x8(&pairs)).to_array(), a);
    macro_rules! shifts {
        ($($n:literal)*) => {$(
            assert_eq!(va.shl::<$n>().to_array(), a.map(|lane| lane << $n));
            assert_eq!(va.shr::<$n>().to_array(), a.map(|lane| lane >> $n));
        )*};
    }
    shifts!(0 1 4 7 8 15);
    for n in [0, 1, 7, 15, 16, 17, 64, 255, 256, u32::MAX] {
        assert_eq!(va.shl_all(n).to_array(), a.map(|lane| (u64::from(lane) << n.min(32)) as u16), "{n}");
        assert_eq!(va.shr_all(n).to_array(), a.map(|lane| (u64::from(lane) >> n.min(32)) as u16), "{n}");
    }
    macro_rules! moves {
        ($($n:literal)*) => {$(
            let down = from_fn(|i| if i + $n < 16 { a[i + $n] } else { 0 });
            let up = from_fn(|i| if i + 1 > $n { a[i - $n] } else { 0 });
            assert_eq!(va.slide_down::<$n>().to_array(), down);
            assert_eq!(va.slide_up::<$n>().to_array(), up);
        )*};
    }
    moves!(0 1 2 3 4 5 6 7);
}

fn u32_lanes<S: Isa>(isa: S, cases: &mut Cases) {
    let (a, b, c) = (cases.u32s(), cases.u32s(), cases.u32s());
    common_lanes!(isa, u32x8, splat_u32, a, b, c);
    let (va, vb) = (isa.u32x8(&a), isa.u32x8(&b));
    let product = |i: usize| u64::from(a[i]) * u64::from(b[i]);
    assert_eq!(va.wrapping_mul(vb).to_array(), from_fn(|i| product(i) as u32));
    assert_eq!(va.mul_high(vb).to_array(), from_fn(|i| (product(i) >> 32) as u32));
    assert_eq!(va.count_ones().to_array(), a.map(u32::count_ones));
    let signed = |lane: u32| i64::from(lane as i32);
    let greater = from_fn(|i| if signed(a[i]) > signed(b[i]) { u32::MAX } else { 0 });
    assert_eq!(va.cmp_gt_signed(vb).to_array(), greater);
    macro_rules! shifts {
        ($($n:literal)*) => {$(
            assert_eq!(va.shl::<$n>().to_array(), a.map(|lane| lane << $n));
            assert_eq!(va.shr::<$n>().to_array(), a.map(|lane| lane >> $n));
        )*};
    }
    shifts!(0 1 5 16 31);
    // In 128 bits a shift by more than the word's width needs no case of its own.
    let left = |lane: u32, n: u32| (u128::from(lane) << n.min(64)) as u32;
    let right = |lane: u32, n: u32| (u128::from(lane) >> n.min(64)) as u32;
    for n in [0, 1, 7, 31, 32, 33, 64, 255, 256, u32::MAX] {
        assert_eq!(va.shl_all(n).to_array(), a.map(|lane| left(lane, n)), "{n}");
        assert_eq!(va.shr_all(n).to_array(), a.map(|lane| right(lane, n)), "{n}");
    }
    let counts = from_fn(|i| if i % 3 == 0 { b[i] } else { b[i] % 34 });
    assert_eq!(va.shl_each(isa.u32x8(&counts)).to_array(), from_fn(|i| left(a[i], counts[i])));
    assert_eq!(va.shr_each(isa.u32x8(&counts)).to_array(), from_fn(|i| right(a[i], counts[i])));
    assert_eq!(va.swap_halves().to_array(), [a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3]]);
    assert_eq!(va.swap_pairs().to_array(), [a[2], a[3], a[0], a[1], a[6], a[7], a[4], a[5]]);
    assert_eq!(va.swap_neighbors().to_array(), [a[1], a[0], a[3], a[2], a[5], a[4], a[7], a[6]]);
    let fields = cases.u16s();
    let packed = (0..8).fold(0u128, |packed, i| packed | u128::from(fields[i]) << (16 * i));
    assert_eq!(isa.widen_u16x8(packed).to_array(), from_fn(|i| u32::from(fields[i])));
}

fn u64_lanes<S: Isa>(isa: S, cases: &mut Cases) {
    let (a, b, c) = (cases.u64s(), cases.u64s(), cases.u64s());
    common_lanes!(isa, u64x4, splat_u64, a, b, c);
    let va = isa.u64x4(&a);
    macro_rules! shifts {
        ($($n:literal)*) => {$(
            assert_eq!(va.shl::<$n>().to_array(), a.map(|lane| lane << $n));
            assert_eq!(va.shr::<$n>().to_array(), a.map(|lane| lane >> $n));
        )*};
    }
    shifts!(0 1 17 32 63);
    for n in [0, 1, 31, 63, 64, 65, 127, 128, u32::MAX] {
        assert_eq!(va.shl_all(n).to_array(), a.map(|lane| (u128::from(lane) << n.min(64)) as u64), "{n}");
        assert_eq!(va.shr_all(n).to_array(), a.map(|lane| (u128::from(lane) >> n.min(64)) as u64), "{n}");
    }
    let counts: [u64; 4] = from_fn(|i| if i % 3 == 0 { b[i] } else { b[i] % 66 });
    let left = |i: usize| (u128::from(a[i]) << counts[i].min(64)) as u64;
    let right = |i: usize| (u128::from(a[i]) >> counts[i].min(64)) as u64;
    assert_eq!(va.shl_each(isa.u64x4(&counts)).to_array(), from_fn(left));
    assert_eq!(va.shr_each(isa.u64x4(&counts)).to_array(), from_fn(right));
    assert_eq!(isa.rotate_lanes_u64::<1>(va).to_array(), [a[3], a[0], a[1], a[2]]);
    assert_eq!(isa.rotate_lanes_u64::<2>(va).to_array(), [a[2], a[3], a[0], a[1]]);
    assert_eq!(isa.rotate_lanes_u64::<3>(va).to_array(), [a[1], a[2], a[3], a[0]]);
    let low = |word: u64| u64::from(word as u32);
    assert_eq!(va.mul_u32(isa.u64x4(&b)).to_array(), from_fn(|i| low(a[i]) * low(b[i])));

    let bytes: [u8; 32] = from_fn(|i| (a[i / 8] >> (8 * (i % 8))) as u8);
    let quarters: [u16; 16] = from_fn(|i| (a[i / 4] >> (16 * (i % 4))) as u16);
    assert_eq!(isa.bitcast_u64_u8(va).to_array(), bytes);
    assert_eq!(isa.bitcast_u8_u64(isa.u8x32(&bytes)).to_array(), a);
    assert_eq!(isa.bitcast_u64_u16(va).to_array(), quarters);
    assert_eq!(isa.bitcast_u16_u64(isa.u16x16(&quarters)).to_array(), a);
}

fn streams<S: Isa>(isa: S, cases: &mut Cases) {
    let (seed, first) = (cases.word(), u64::from(cases.0.below(4)));
    let mut lanes = Streams::new(isa, from_fn(|i| Rng::stream(seed, first + i as u64)));
    let mut plain: [Xoshiro256PlusPlus; 4] = from_fn(|i| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..first + i as u64).for_each(|_| rng.jump());
        rng
    });
    for _ in 0..40 {
        assert_eq!(lanes.next_u64s().to_array(), plain.each_mut().map(Generator::next_u64));
    }
    let mut lanes = Streams::from_words(isa, &lanes.words());
    for _ in 0..10 {
        let chosen: [bool; 4] = from_fn(|_| cases.0.below(2) == 1);
        let draw = lanes.next_u64s_masked(isa.u64x4(&chosen.map(|chosen| if chosen { u64::MAX } else { 0 })));
        for (i, plain) in plain.iter_mut().enumerate() {
            let mut next = plain.clone();
            assert_eq!(draw.to_array()[i], next.next_u64());
            if chosen[i] {
                *plain = next;
            }
        }
    }
    let mut resumed = lanes.into_generators();
    assert_eq!(resumed.each_mut().map(Rng::next_u64), plain.each_mut().map(Generator::next_u64));
}

fn small_streams<S: Isa>(isa: S, cases: &mut Cases) {
    let (seed, first) = (cases.word(), u64::from(cases.0.below(4)));
    let mut starts = SplitMix64::from_seed(seed.to_le_bytes());
    for _ in 0..first {
        let _ = starts.next_u64();
    }
    let mut plain: [_; 8] = from_fn(|_| Xoroshiro64Star::from_seed(starts.next_u64().to_le_bytes()));
    let mut generators = from_fn(|i| Rng32::stream(seed, first + i as u64));
    let mut lanes = Streams32::from_words(isa, &Streams32::<S>::words_of(&generators));
    for _ in 0..40 {
        let chosen: [bool; 8] = from_fn(|_| cases.0.below(2) == 1);
        let mask = isa.u32x8(&chosen.map(|chosen| if chosen { u32::MAX } else { 0 }));
        let draw = lanes.next_u32s_masked(isa, mask).to_array();
        for i in 0..8 {
            let mut next = plain[i].clone();
            assert_eq!(draw[i], next.next_u32());
            if chosen[i] {
                assert_eq!(generators[i].next_u32(), draw[i]);
                plain[i] = next;
            }
        }
        assert_eq!(lanes.words(), Streams32::<S>::words_of(&generators));
    }
}

/// Defines one test per property: the same random cases on every level of the machine.
macro_rules! on_every_level {
    ($($name:ident => $property:ident, $cases:literal;)*) => {$(
        #[test]
        fn $name() {
            let _ = testkit::levels();
            testkit::seeds($cases, |seed| {
                for level in Level::all() {
                    dispatch!(level, isa + slow_pext + v4 => $property(isa, &mut Cases(Rng::new(seed))));
                }
            });
        }
    )*};
}
on_every_level! {
    pext_pdep_select => scalar, 20_000;
    pext_and_pdep_of_four_words => pext_in_lanes, 20_000;
    lanes_of_8_bits => byte_lanes, 20_000;
    lanes_of_16_bits => u16_lanes, 20_000;
    lanes_of_32_bits => u32_lanes, 20_000;
    lanes_of_64_bits => u64_lanes, 20_000;
    streams_equal_rand_xoshiro_after_jumps => streams, 200;
    small_streams_equal_rand_xoshiro => small_streams, 500;
}

/// Folds PEXT, PDEP, select, byte masks and streams over fixed random words into one number.
fn digest<S: Isa>(isa: S) -> u64 {
    let mut streams = Streams::new(isa, from_fn(|i| Rng::stream(2026, i as u64)));
    let (mut digest, mut bytes) = (0u64, isa.splat_u8(0));
    for _ in 0..10_000 {
        let [a, b, c, d] = streams.next_u64s().to_array();
        let k = (d >> 58) as u32;
        let words = isa.pext(a, b) ^ isa.pdep(c, d) ^ u64::from(isa.select(a, k));
        bytes = bytes.slide_up_in_8::<1>() + isa.splat_u8(d as u8).shuffle(isa.splat_u8(c as u8));
        digest = digest.rotate_left(7) ^ words ^ u64::from(bytes.eq_bitmask(isa.splat_u8(a as u8 & 3)));
    }
    digest
}

#[test]
fn digests_are_equal() {
    testkit::digest(
        "bitcore",
        include_str!("data/digest.txt"),
        |level| dispatch!(level, isa + slow_pext + v4 => digest(isa)),
    );
}

#[test]
fn zero_bytes_are_exact() {
    testkit::seeds(20_000, |seed| {
        let mut cases = Cases(Rng::new(seed));
        let bytes = cases.bytes();
        let word = u64::from_le_bytes(bytes[..8].try_into().unwrap());
        let flags = (0..8).fold(0, |m, i| m | u64::from(bytes[i] == 0) << (8 * i + 7));
        let mask = (0..8).fold(0, |m, i| m | u8::from(bytes[i] == 0) << i);
        assert_eq!(bits::zero_bytes(word), flags);
        assert_eq!(bits::zero_byte_mask(word), mask);
    });
}

#[test]
fn set_bits_are_the_positions_of_ones() {
    testkit::seeds(20_000, |x| {
        let positions: Vec<u32> = (0..64).filter(|&i| x >> i & 1 == 1).collect();
        assert_eq!(bitcore::SetBits(x).len(), positions.len());
        assert!(bitcore::SetBits(x).eq(positions));
    });
}

#[test]
fn delta_swap_swaps_the_bits_it_names() {
    fn swap_bits(word: u64, mask: u64, shift: u32) -> u64 {
        (0..64).filter(|i| mask >> i & 1 == 1).fold(word, |w, i| {
            let (low, high) = (word >> i & 1, word >> (i + shift) & 1);
            let cleared = w & !(1 << i) & !(1 << (i + shift));
            cleared | high << i | low << (i + shift)
        })
    }
    testkit::seeds(20_000, |word| {
        assert_eq!(
            u64::from(bits::delta_swap_u16::<0x0A0A, 3>(word as u16)),
            swap_bits(word & 0xffff, 0x0A0A, 3)
        );
        assert_eq!(
            bits::delta_swap_u64::<0x00CC_00CC_00CC_00CC, 6>(word),
            swap_bits(word, 0x00CC_00CC_00CC_00CC, 6)
        );
    });
}

#[test]
fn moments_are_exact_sums() {
    let points = [2310, 40, 0, -7_777_777, 2310];
    let of = |points: &[i64]| {
        let mut moments = Moments::default();
        for &number in points {
            moments.add(number);
        }
        moments
    };
    let mut sums = of(&points[..2]);
    sums += of(&points[2..]);
    assert_eq!(sums, of(&points));
    let mean = points.iter().sum::<i64>() as f64 / 5.0;
    let variance = points.iter().map(|&p| (p as f64 - mean).powi(2)).sum::<f64>() / 4.0;
    assert!((sums.mean() - mean).abs() < 1e-6);
    assert!((sums.variance() / variance - 1.0).abs() < 1e-9);
    assert!((sums.variance_of_mean() * 5.0 / variance - 1.0).abs() < 1e-9);
    #[cfg(feature = "std")]
    {
        assert!((sums.standard_deviation().powi(2) / variance - 1.0).abs() < 1e-9);
        assert!((sums.standard_error().powi(2) * 5.0 / variance - 1.0).abs() < 1e-9);
        assert_eq!((of(&[3]).standard_deviation(), of(&[3]).standard_error()), (0.0, 0.0));
    }
    // Two numbers are the fewest that vary.
    assert_eq!((of(&[1, 3]).variance(), of(&[1, 3]).variance_of_mean()), (2.0, 1.0));
    assert_eq!((Moments::default().mean(), of(&[3]).variance(), of(&[3, 3]).variance()), (0.0, 0.0, 0.0));
}

#[test]
fn levels_are_named_printed_and_parsed() {
    for level in testkit::levels() {
        assert_eq!(level.to_string(), level.name());
        assert_eq!(format!("{level:>12}|{level:<12}|").matches(level.name()).count(), 2);
        assert_eq!(level.name().parse(), Ok(level));
        assert_eq!(dispatch!(level, isa + slow_pext + v4 => Into::<Level>::into(isa)), level);
    }
    assert_eq!(format!("{:<10}|{:>10}", Level::PORTABLE, Level::PORTABLE), "portable  |  portable");
    assert_eq!("auto".parse(), Ok(Level::detect()));
    assert_eq!(Level::all().next(), Some(Level::PORTABLE));
    assert_eq!(Level::all().last(), Some(Level::detect()));
    for wrong in ["", "Portable", "sse9", "x86-64-v5", "x86-64-v3-slow"] {
        assert_eq!(wrong.parse::<Level>(), Err(ParseLevelError::Unknown));
    }
    for name in ["x86-64-v3-slow-pext", "x86-64-v3", "x86-64-v4", "neon", "simd128"] {
        let found = Level::all().find(|level| level.name() == name);
        assert_eq!(name.parse::<Level>(), found.ok_or(ParseLevelError::Absent(name)));
    }
}

#[test]
fn an_entry_takes_up_to_eight_arguments() {
    for level in Level::all() {
        let one = |a: u32| dispatch!(level, _isa [a] => a);
        assert_eq!(one(7), 7);
        let (a, b, c, d, e, f, g, h) = (1u8, 2u16, 3u32, 4u64, 5i8, 6i16, 7i32, 8i64);
        let all = dispatch!(level, _isa [a, b, c, d, e, f, g, h] => (a, b, c, d, e, f, g, h));
        assert_eq!(all, (1, 2, 3, 4, 5, 6, 7, 8));
    }
}

#[test]
fn jumps_over_many_streams_equal_as_many_jumps() {
    let mut expected = Rng::new(9);
    for i in 0..(1 << 14) + 3 {
        if [0, 1, 2, 7, 64, 1000, 1 << 14, (1 << 14) + 1].contains(&i) {
            let mut rng = Rng::new(9);
            Jump::over(i).advance(&mut rng);
            assert_eq!(rng, expected, "{i}");
            assert_eq!(Rng::stream(9, i), expected, "{i}");
        }
        expected.jump();
    }
    // Far away: in one jump or in two.
    let mut rng = Rng::stream(9, 1 << 40);
    Jump::over(u64::MAX - (1 << 40)).advance(&mut rng);
    assert_eq!(rng, Rng::stream(9, u64::MAX));
}

#[test]
fn a_generator_keeps_its_stream_when_saved() {
    testkit::seeds(500, |seed| {
        let mut rng = Rng::new(seed);
        let mut plain = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..3 {
            assert_eq!(rng.next_u64(), plain.next_u64());
        }
        assert_eq!(Rng::from_state(rng.state()), Some(rng.clone()));
        let mut words = [[0; 4]; 4];
        rng.store_lane(&mut words, 2);
        assert_eq!(words.map(|word| word[2]), rng.state());
        assert_eq!(Rng::from_lane(&words, 2), Some(rng.clone()));
        assert_eq!(Rng::from_lane(&words, 0), None);
        assert_eq!(rng.clone().copy_and_jump(), rng);
        let mut jumped = rng.clone();
        let _ = jumped.copy_and_jump();
        rng.jump();
        plain.jump();
        assert_eq!(jumped, rng);
        assert_eq!(rng.next_u64(), plain.next_u64());
        let streams: Vec<Rng> = Rng::streams_from(seed, 2).take(2).collect();
        assert_eq!(streams, [Rng::stream(seed, 2), Rng::stream(seed, 3)]);
        assert_eq!(Rng::streams(seed).nth(2), Some(Rng::stream(seed, 2)));
    });
    assert_eq!(Rng::from_state([0; 4]), None);
    assert!(Rng::from_state([0, 0, 0, 1]).is_some());
}

#[test]
fn numbers_below_a_limit_are_the_high_bits_of_a_product() {
    fn case(seed: u64, n: u32) {
        let (mut rng, mut small) = (Rng::new(seed), Rng32::stream(seed, 0));
        let (draw, small_draw) = (rng.clone().next_u64(), small.clone().next_u32());
        assert_eq!(u128::from(rng.below(n)), (u128::from(draw) * u128::from(n)) >> 64);
        assert_eq!(u64::from(small.below(n)), (u64::from(small_draw) * u64::from(n)) >> 32);
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(case as fn(u64, u32));
    assert_eq!((Rng::new(1).below(0), Rng32::stream(1, 1).below(0)), (0, 0));
}

#[test]
fn a_digest_step_rotates_xors_and_multiplies() {
    fn case(hash: u64, word: u64) -> bool {
        let rotated = u128::from(hash) << 5 | u128::from(hash) >> 59;
        let product = u128::from(rotated as u64 ^ word) * 0x9e37_79b9_7f4a_7c15;
        bits::fold(hash, word) == product as u64
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(case as fn(u64, u64) -> bool);
}

#[test]
fn the_first_illegal_action_is_named() {
    use bitcore::batch::{BatchError, check_legal};
    let legal = |game: usize, action: u32| action < 4 && game < 3;
    assert_eq!(check_legal(&[0, 3, 2], legal), Ok(()));
    assert_eq!(check_legal(&[0, 4, 9], legal), Err(BatchError::Illegal { game: 1, action: 4 }));
    assert_eq!(check_legal(&[0, 1, 2, 3], legal), Err(BatchError::Illegal { game: 3, action: 3 }));
}

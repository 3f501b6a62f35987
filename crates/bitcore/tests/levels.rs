//! Every operation on every level, against a definition that works bit by bit or lane by lane.

use crate::properties;
use bitcore::{Bytes, Isa, Jump, Lanes, Level, ParseLevelError, Rng, Rng32, Streams, dispatch};
use std::array::from_fn;

testkit::properties! {
    pext_pdep_select_and_bits_of_words: properties::words, 6_000;
    lanes_of_8_bits: properties::bytes, 6_000;
    lanes_of_16_bits: properties::u16s, 6_000;
    lanes_of_32_bits: properties::u32s, 6_000;
    lanes_of_64_bits: properties::u64s, 6_000;
    streams_equal_rand_xoshiro: properties::streams, 500;
    generators_keep_their_state: properties::generators::run, 2_000;
}

/// Folds PEXT, PDEP, select, byte masks and streams over fixed random words into one number.
fn digest<S: Isa>(isa: S) -> u64 {
    let mut streams = Streams::new(isa, from_fn(|i| Rng::stream(2026, i as u64)));
    let mut digest = 0u64;
    let mut bytes = isa.splat_u8(0);
    for _ in 0..10_000 {
        let [a, b, c, d] = streams.next_u64s().to_array();
        let k = (d >> 58) as u32;
        let words = isa.pext(a, b) ^ isa.pdep(c, d) ^ u64::from(isa.select(a, k));
        bytes = bytes.slide_up_in_8::<1>() + isa.splat_u8(d as u8).shuffle(isa.splat_u8(c as u8));
        digest =
            digest.rotate_left(7) ^ words ^ u64::from(bytes.eq_bitmask(isa.splat_u8(a as u8 & 3)));
    }
    digest
}

#[test]
fn digests_are_equal() {
    testkit::digest(
        "bitcore",
        include_str!("data/digest.txt"),
        || dispatch!(isa + slow_pext + v4 => digest(isa)),
    );
}

#[test]
fn levels_are_named_printed_and_parsed() {
    let mut names = Vec::new();
    testkit::on_each_level(|| {
        let level = Level::active();
        assert_eq!(level.to_string(), level.name());
        assert_eq!(format!("{level:>12}|{level:<12}|").matches(level.name()).count(), 2);
        assert_eq!(level.name().parse(), Ok(level));
        assert_eq!(dispatch!(level, isa + slow_pext + v4 => Into::<Level>::into(isa)), level);
        assert_eq!(dispatch!(isa + slow_pext + v4 => Into::<Level>::into(isa)), level);
        names.push(level.name());
    });
    let one = std::env::var(testkit::LEVEL).unwrap_or_default();
    let visited = Level::all().map(Level::name).filter(|name| one.is_empty() || *name == one);
    assert!(visited.eq(names), "each level was active once");
    assert_eq!(format!("{:<10}|{:>10}", Level::PORTABLE, Level::PORTABLE), "portable  |  portable");
    assert_eq!("auto".parse(), Ok(Level::best()));
    assert_eq!(Level::all().next(), Some(Level::PORTABLE));
    assert_eq!(Level::all().last(), Some(Level::best()));
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
    testkit::on_each_level(|| {
        let one = |a: u32| dispatch!(_isa [a] => a);
        assert_eq!(one(7), 7);
        let a = 1u8;
        let b = 2u16;
        let c = 3u32;
        let d = 4u64;
        let e = 5i8;
        let f = 6i16;
        let g = 7i32;
        let h = 8i64;
        let all = dispatch!(_isa [a, b, c, d, e, f, g, h] => (a, b, c, d, e, f, g, h));
        assert_eq!(all, (1, 2, 3, 4, 5, 6, 7, 8));
    });
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
    // Far ahead: one jump equals two.
    let mut rng = Rng::stream(9, 1 << 40);
    Jump::over(u64::MAX - (1 << 40)).advance(&mut rng);
    assert_eq!(rng, Rng::stream(9, u64::MAX));
}

#[test]
fn one_bit_is_a_state_and_no_bit_is_none() {
    assert!(Rng::from_state([0, 0, 0, 1]).is_some() && Rng::from_state([0; 4]).is_none());
    assert_eq!(Rng::new(1).below(0), 0);
    assert_eq!(Rng32::stream(1, 1).below(0), 0);
}

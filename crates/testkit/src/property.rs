//! Properties: functions that draw their values from an [`Input`] and panic on a failure. In
//! `tests/` quickcheck drives them, through [`inputs`]; in `fuzz/` libFuzzer and the stored inputs
//! do.

use crate::{Input, cases};
use quickcheck::{Arbitrary, Gen};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Text to print if the test panics before this goes out of scope.
pub(crate) struct OnPanic<F: Fn() -> String>(pub(crate) F);

impl<F: Fn() -> String> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0());
        }
    }
}

/// Checks a property with random seeds; [`cases`] scales `native`, their number.
///
/// # Panics
///
/// If the property panics; prints the seed.
pub fn seeds(native: u64, mut property: impl FnMut(u64)) {
    let mut source = Gen::new(100);
    for _ in 0..cases(native) {
        let seed = u64::arbitrary(&mut source);
        let _printed = OnPanic(|| format!("the seed was {seed}"));
        property(seed);
    }
}

/// Checks a property with random inputs; [`cases`] scales `native`, their number.
///
/// # Panics
///
/// If the property panics; prints the shortest failing input that quickcheck's shrinking finds.
pub fn inputs(native: u64, property: impl Fn(&Input<'_>)) {
    let fails =
        |bytes: &Vec<u8>| catch_unwind(AssertUnwindSafe(|| property(&Input::new(bytes)))).is_err();
    // Most programs are short, some long.
    let mut sources = [64, 64, 512].map(Gen::new);
    for case in 0..cases(native) {
        let bytes = Vec::<u8>::arbitrary(&mut sources[case as usize % 3]);
        if fails(&bytes) {
            let mut shortest = bytes;
            // Each step prints its panic.
            for _ in 0..20 {
                let Some(shorter) = shortest.shrink().take(200).find(&fails) else { break };
                shortest = shorter;
            }
            let _printed = OnPanic(|| format!("the input was {shortest:?}"));
            property(&Input::new(&shortest));
            panic!("the property fails only sometimes");
        }
    }
}

/// Defines a test per property, with a number of cases for [`inputs`].
#[macro_export]
macro_rules! properties {
    ($($test:ident: $property:path, $cases:literal;)*) => {$(
        #[test]
        fn $test() {
            ::testkit::inputs($cases, $property);
        }
    )*};
}

#[test]
#[should_panic(expected = "the property fails only sometimes")]
fn a_property_that_fails_once_fails_its_test() {
    let calls = std::cell::Cell::new(0);
    inputs(1, |_| {
        calls.set(calls.get() + 1);
        assert!(calls.get() > 1);
    });
}

#[test]
fn the_shortest_input_that_fails_is_found() {
    let shortest = std::cell::RefCell::new(vec![0; 1000]);
    let check = |input: &Input<'_>| {
        let bytes = input.rest();
        if bytes.iter().any(|&byte| byte > 9) {
            shortest.borrow_mut().clear();
            shortest.borrow_mut().extend_from_slice(bytes);
            panic!("a byte above 9");
        }
    };
    assert!(catch_unwind(AssertUnwindSafe(|| inputs(50, check))).is_err());
    assert!(shortest.borrow().len() < 4, "{shortest:?}");
}

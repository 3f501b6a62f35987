//! Saved generators.

use bitcore::Rng;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Saved(#[serde(with = "bitcade_core::serde_rng")] Rng);

#[test]
fn a_saved_generator_draws_the_same_numbers() {
    let mut rng = Rng::stream(7, 3);
    let text = serde_json::to_string(&Saved(rng.clone())).unwrap();
    let mut read: Saved = serde_json::from_str(&text).unwrap();
    assert_eq!(read.0, rng);
    assert_eq!(read.0.next_u64(), rng.next_u64());
    let known = Saved(Rng::from_state([1, 2, 3, u64::MAX]).unwrap());
    assert_eq!(serde_json::to_string(&known).unwrap(), "[1,2,3,18446744073709551615]");
}

#[test]
fn no_generator_is_refused() {
    for (text, part) in [
        ("[0,0,0,0]", "not all zero"),
        ("[1,2,3]", "expected an array of length 4"),
        ("[1,2,3,4,5]", "trailing characters"),
        ("[1,2,3,-4]", "expected u64"),
        ("\"x\"", "expected an array of length 4"),
    ] {
        let error = serde_json::from_str::<Saved>(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

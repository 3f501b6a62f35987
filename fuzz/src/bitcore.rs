//! Lanes, bit arithmetic and streams: the bytes are a program over registers, which every level runs beside
//! plain arrays.

mod doors;
#[path = "../../crates/bitcore/tests/properties/mod.rs"]
mod properties;

pub(crate) use doors::doors;
pub(crate) use properties::machines;

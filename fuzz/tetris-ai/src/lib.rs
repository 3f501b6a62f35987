//! x
pub fn doors(_: &[u8]) {}
pub fn machines(_: &[u8]) {}

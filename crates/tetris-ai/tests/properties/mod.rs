//! The properties of the crate: each takes its values from an [`Input`](testkit::Input). The tests run them by
//! quickcheck, the fuzz targets by libFuzzer and by stored inputs.

pub(crate) mod beams;
pub(crate) mod bots;
pub(crate) mod contests;
pub(crate) mod controllers;
pub(crate) mod trees;
pub(crate) mod values;

//! The properties of the crate. Each draws its values from an [`Input`](testkit::Input). The tests
//! run them with quickcheck, the fuzz targets with libFuzzer and on stored inputs.

pub(crate) mod beams;
pub(crate) mod bots;
pub(crate) mod contests;
pub(crate) mod controllers;
pub(crate) mod trees;
pub(crate) mod values;

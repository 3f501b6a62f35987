//! The properties of the crate. Each takes its values from an [`Input`](testkit::Input). Tests run
//! them with quickcheck, fuzz targets with libFuzzer and stored inputs.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod game;
pub(crate) mod keys;
pub(crate) mod placements;
pub(crate) mod real_time;
pub(crate) mod texts;
pub(crate) mod values;
pub(crate) mod versus;

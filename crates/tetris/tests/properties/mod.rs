//! The properties of the crate: each takes its values from an [`Input`](testkit::Input). The tests run them by
//! quickcheck, the fuzz targets by libFuzzer and by stored inputs.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod game;
pub(crate) mod placements;
pub(crate) mod real_time;
pub(crate) mod texts;
pub(crate) mod values;

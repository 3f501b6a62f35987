//! The properties of the crate: each takes its values from an [`Input`](testkit::Input). The tests run them by
//! quickcheck, the fuzz target `g2048/machines` by libFuzzer and by stored inputs.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod game;
pub(crate) mod learner;
pub(crate) mod playouts;
pub(crate) mod values;

//! The properties of the crate. Each takes its values from an [`Input`](testkit::Input): from
//! quickcheck in the tests, from libFuzzer or stored inputs in the fuzz target `g2048/machines`.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod game;
pub(crate) mod learner;
pub(crate) mod playouts;
pub(crate) mod values;

//! Properties of the crate. Each takes its values from an [`Input`](testkit::Input): the tests
//! supply it from quickcheck, the fuzz targets from libFuzzer and from stored inputs.

pub(crate) mod arrangements;
pub(crate) mod batch;
pub(crate) mod board;
pub(crate) mod plain;
pub(crate) mod players;
pub(crate) mod playouts;
pub(crate) mod special;
pub(crate) mod values;

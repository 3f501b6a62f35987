//! The properties of the crate: each takes its values from an [`Input`](testkit::Input). The tests run them by
//! quickcheck, the fuzz targets by libFuzzer and by stored inputs.

pub(crate) mod arrangements;
pub(crate) mod batch;
pub(crate) mod board;
pub(crate) mod plain;
pub(crate) mod players;
pub(crate) mod playouts;
pub(crate) mod special;
pub(crate) mod values;

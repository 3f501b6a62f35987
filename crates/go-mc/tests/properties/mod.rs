//! The properties of the crate: each takes its values from an [`Input`](testkit::Input). The tests run them by
//! quickcheck, the fuzz targets by libFuzzer and by stored inputs. Those of
//! features, `records`, `searches` and `sessions`, are declared where the tests use them.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod chains;
pub(crate) mod plain;
pub(crate) mod playouts;
pub(crate) mod values;

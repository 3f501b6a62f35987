//! The properties of the crate, each taking its values from an [`Input`](testkit::Input). The tests
//! run them with quickcheck, the fuzz targets with libFuzzer and on stored inputs. The properties
//! of optional features, `records`, `searches` and `sessions`, are declared where the tests use
//! them.

pub(crate) mod batch;
pub(crate) mod boards;
pub(crate) mod bytes;
pub(crate) mod chains;
pub(crate) mod plain;
pub(crate) mod playouts;
pub(crate) mod values;

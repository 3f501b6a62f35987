//! The properties of the crate, each drawing its values from an [`Input`](testkit::Input). The
//! tests run them with quickcheck, the fuzz targets with libFuzzer and stored inputs.

pub(crate) mod moments;
pub(crate) mod shapes;

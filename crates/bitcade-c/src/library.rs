//! The functions that belong to no game.

use crate::border;
use std::ffi::c_char;

exports! {
    /// Makes room in the thread's buffer.
    fn bitcade_buffer(length: usize) -> *mut u8 {
        border::buffer(length)
    }

    /// Returns the error text of the thread's last failed call.
    fn bitcade_last_error() -> *const c_char {
        border::last_error()
    }

    /// Frees a handle.
    fn bitcade_free(handle: i64) -> i64 {
        border::free(handle)
    }

    /// Tells the running call of a handle to end.
    fn bitcade_stop(handle: i64) -> i64 {
        border::stop(handle)
    }

    /// Writes the version of the library.
    fn bitcade_version() -> i64 {
        border::write(env!("CARGO_PKG_VERSION").as_bytes())
    }

    /// Writes the name of the active instruction set level.
    fn bitcade_isa_level() -> i64 {
        border::write(bitcore::Level::active().name().as_bytes())
    }
}

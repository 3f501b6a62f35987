//! What all functions share: error texts, the buffer of each thread, and the handles.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The result of a call, before it is a C value.
pub(crate) type Reply<T = i64> = Result<T, Failure>;

/// The reason a call failed, for people.
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// A type of results, with its value for failures.
pub(crate) trait Answer {
    const FAILED: Self;
}

impl Answer for i64 {
    const FAILED: Self = -1;
}

impl Answer for f64 {
    const FAILED: Self = Self::NAN;
}

impl Answer for *mut u8 {
    const FAILED: Self = std::ptr::null_mut();
}

impl Answer for *const c_char {
    const FAILED: Self = c"".as_ptr();
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
    /// Cells, because C writes to them between two calls.
    static BUFFER: RefCell<Vec<Cell<u8>>> = RefCell::default();
}

/// Runs a call. No panic leaves it, in builds that unwind.
pub(crate) fn answer<T: Answer>(call: impl FnOnce() -> Reply<T>) -> T {
    // A panic poisons the handle that the call had locked, and nothing else is changed by halves.
    let caught = catch_unwind(AssertUnwindSafe(call));
    let reply = caught.unwrap_or_else(|_| Err(Failure::new("a bug in bitcade: the call panicked")));
    reply.unwrap_or_else(|Failure(text)| {
        let text = CString::new(text.replace('\0', "?")).unwrap_or_default();
        // Fails only while the thread ends.
        let _ = ERROR.try_with(|error| error.replace(text));
        T::FAILED
    })
}

/// Returns the error text of the thread's last failed call.
pub(crate) fn last_error() -> Reply<*const c_char> {
    Ok(ERROR.try_with(|error| error.borrow().as_ptr())?)
}

/// The most bytes that a caller may ask for.
const MAX_BUFFER: usize = 1 << 24;

/// Returns the thread's buffer, with room for `length` bytes and a zero.
pub(crate) fn buffer(length: usize) -> Reply<*mut u8> {
    if length > MAX_BUFFER {
        let text = format!("a buffer of {length} bytes: expected at most {MAX_BUFFER}");
        return Err(Failure::new(text));
    }
    BUFFER.try_with(|buffer| {
        let mut buffer = buffer.borrow_mut();
        grow(&mut buffer, length + 1)?;
        Ok(buffer.as_ptr().cast::<u8>().cast_mut())
    })?
}

fn grow(buffer: &mut Vec<Cell<u8>>, length: usize) -> Reply<()> {
    let more = length.saturating_sub(buffer.len());
    buffer.try_reserve(more)?;
    buffer.resize(buffer.len() + more, Cell::new(0));
    Ok(())
}

/// Writes bytes to the thread's buffer, with a zero after them, and returns their number.
pub(crate) fn write(bytes: &[u8]) -> Reply {
    BUFFER.try_with(|buffer| {
        let mut buffer = buffer.borrow_mut();
        grow(&mut buffer, bytes.len() + 1)?;
        for (cell, &byte) in buffer.iter().zip(bytes.iter().chain(&[0])) {
            cell.set(byte);
        }
        Ok(bytes.len() as i64)
    })?
}

/// Returns the first `length` bytes of the thread's buffer.
pub(crate) fn bytes(length: i64) -> Reply<Vec<u8>> {
    BUFFER.try_with(|buffer| {
        let buffer = buffer.borrow();
        let cells = usize::try_from(length).ok().and_then(|length| buffer.get(..length));
        let cells = cells.ok_or_else(|| {
            let held = buffer.len();
            Failure::new(format!("a text of {length} bytes: the thread's buffer has {held}"))
        })?;
        Ok(cells.iter().map(Cell::get).collect())
    })?
}

/// Returns the first `length` bytes of the thread's buffer as a text.
#[cfg(any(feature = "contest", feature = "g2048", feature = "match3", feature = "tetris"))]
pub(crate) fn text(length: i64) -> Reply<String> {
    Ok(String::from_utf8(bytes(length)?)?)
}

/// What a handle stands for.
pub(crate) trait Object: Any + Send {
    /// What error texts call it, with an article.
    const NAME: &str;
}

struct Slot<T: ?Sized = dyn Any + Send> {
    /// Whether the running call shall end.
    stop: AtomicBool,
    object: Mutex<T>,
}

struct Table {
    /// The newest handle. Numbers are never reused.
    last: i64,
    slots: BTreeMap<i64, Arc<Slot>>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { last: 0, slots: BTreeMap::new() });

/// Locks the table for a moment: calls with two handles don't wait for each other.
fn with_table<T>(use_it: impl FnOnce(&mut Table) -> T) -> T {
    use_it(&mut TABLE.lock().unwrap_or_else(PoisonError::into_inner))
}

fn stale(handle: i64) -> Failure {
    Failure::new(format!("handle {handle}: none of this number, or freed"))
}

fn slot(handle: i64) -> Reply<Arc<Slot>> {
    with_table(|table| table.slots.get(&handle).cloned()).ok_or_else(|| stale(handle))
}

/// Returns a new handle.
pub(crate) fn add(object: impl Object) -> Reply {
    let slot = Arc::new(Slot { stop: AtomicBool::new(false), object: Mutex::new(object) });
    with_table(|table| {
        table.last += 1;
        table.slots.insert(table.last, slot);
        Ok(table.last)
    })
}

/// Frees a handle. A call that another thread has begun with it keeps the object to its end.
pub(crate) fn free(handle: i64) -> Reply {
    let slot = with_table(|table| table.slots.remove(&handle));
    slot.map(|_| 0).ok_or_else(|| stale(handle))
}

/// Tells the running call of a handle to end.
pub(crate) fn stop(handle: i64) -> Reply {
    slot(handle)?.stop.store(true, Ordering::Relaxed);
    Ok(0)
}

/// Calls `use_it` with the object of a handle, and with what asks whether to stop.
pub(crate) fn with<T: Object, R>(
    handle: i64,
    use_it: impl FnOnce(&mut T, &(dyn Fn() -> bool + Sync)) -> Reply<R>,
) -> Reply<R> {
    let slot = slot(handle)?;
    let mut object = slot.object.lock().map_err(|_| {
        Failure::new(format!("handle {handle}: a call has panicked with it, so free it"))
    })?;
    let object = object.downcast_mut::<T>();
    let object = object.ok_or_else(|| Failure::new(format!("handle {handle}: not {}", T::NAME)))?;
    slot.stop.store(false, Ordering::Relaxed);
    use_it(object, &|| slot.stop.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Object for u8 {
        const NAME: &str = "a byte";
    }

    fn error() -> String {
        ERROR.with(|error| error.borrow().to_string_lossy().into_owned())
    }

    /// No C program can make a call panic.
    #[test]
    fn a_panic_is_an_error_and_ends_its_handle() {
        let handle = answer(|| add(1_u8));
        let other = answer(|| add(2_u8));
        let panicking = |byte: &mut u8, _: &(dyn Fn() -> bool + Sync)| -> Reply {
            *byte = 3;
            panic!("on purpose")
        };
        assert_eq!(answer(|| with(handle, panicking)), -1);
        assert_eq!(error(), "a bug in bitcade: the call panicked");
        let read = |handle| answer(|| with(handle, |byte: &mut u8, _| Ok(i64::from(*byte))));
        assert_eq!(read(handle), -1);
        assert_eq!(error(), format!("handle {handle}: a call has panicked with it, so free it"));
        assert_eq!(read(other), 2);
        assert_eq!(answer(|| free(handle)), 0);
    }
}

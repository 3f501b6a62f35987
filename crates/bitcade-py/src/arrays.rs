//! NumPy arrays that calls write to, checked and borrowed.

use crate::convert::value_error;
use bitcade_core::batch::Element;
use numpy::{
    BorrowError, Element as _, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use std::ops::Range;
use zerocopy::IntoBytes;

/// The caller's arrays for a step, unchecked: observations, rewards, terminated, truncated and
/// action masks.
pub(crate) struct OutArgument<'py>(pub(crate) [Bound<'py, PyAny>; 5]);

impl<'py> FromPyObject<'_, 'py> for OutArgument<'py> {
    type Error = PyErr;

    fn extract(out: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(tuple) = out.cast::<PyTuple>() else {
            let found = out.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "out: expected a tuple of 5 arrays, found {found}"
            )));
        };
        let arrays: Vec<Bound<'py, PyAny>> = tuple.iter().collect();
        let found = arrays.len();
        let arrays = arrays.try_into();
        arrays
            .map(Self)
            .map_err(|_| value_error(format!("out: expected a tuple of 5 arrays, found {found}")))
    }
}

/// A batch's own observations and action masks.
pub(crate) type OwnArrays<'py> = (ObsArray<'py>, Bound<'py, PyArrayDyn<bool>>);

/// The names of these arrays in error messages.
pub(crate) const NAMES: [&str; 5] = ["obs", "reward", "terminated", "truncated", "action_mask"];

/// The prefix of error messages about the caller's arrays.
pub(crate) const OUT: &str = "out: ";

/// Returns an array of zeros that begins at a multiple of 64 bytes, as JAX needs it to share
/// memory.
///
/// Goes through Python because the `numpy` crate can't report a `MemoryError`.
pub(crate) fn zeros<T: numpy::Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Py<PyAny>> {
    const ALIGNMENT: usize = 64;
    let numpy = py.import("numpy")?;
    let bytes = shape.iter().try_fold(size_of::<T>(), |product, &side| product.checked_mul(side));
    let bytes = bytes.and_then(|bytes| bytes.checked_add(ALIGNMENT));
    let bytes = bytes.ok_or_else(|| PyMemoryError::new_err("an array larger than memory"))?;
    let buffer = numpy.call_method1("zeros", (bytes, u8::get_dtype(py)))?;
    let address = buffer.cast::<PyArray1<u8>>()?.data() as usize;
    let start = address.next_multiple_of(ALIGNMENT) - address;
    let part = buffer.get_item(PySlice::new(
        py,
        start as isize,
        (start + bytes - ALIGNMENT) as isize,
        1,
    ))?;
    let shape = PyTuple::new(py, shape)?;
    Ok(part.call_method1("view", (T::get_dtype(py),))?.call_method1("reshape", (shape,))?.unbind())
}

pub(crate) fn zeroed<T: Clone + Default>(length: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    vector.resize(length, T::default());
    Ok(vector)
}

/// Checks that an array can be written by a call: its type and shape, C order, alignment. Error
/// messages begin with `whose` ([`OUT`] or nothing) and the array's name.
pub(crate) fn writable<'py, T: numpy::Element>(
    whose: &str,
    name: &str,
    array: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = array.py();
    let Ok(untyped) = array.cast::<PyUntypedArray>() else {
        let found = array.get_type().name()?;
        let expected = T::get_dtype(py);
        return Err(PyTypeError::new_err(format!(
            "{whose}{name}: expected an array of {expected}, found {found}"
        )));
    };
    if !untyped.dtype().is_equiv_to(&T::get_dtype(py)) {
        let expected = T::get_dtype(py);
        let found = untyped.dtype();
        return Err(PyTypeError::new_err(format!(
            "{whose}{name}: expected dtype {expected}, found {found}"
        )));
    }
    if untyped.shape() != shape {
        let expected = PyTuple::new(py, shape)?;
        let found = PyTuple::new(py, untyped.shape())?;
        return Err(value_error(format!(
            "{whose}{name}: expected shape {expected}, found {found}"
        )));
    }
    if !untyped.is_c_contiguous() {
        return Err(value_error(format!(
            "{whose}{name}: expected an array in C order without gaps"
        )));
    }
    if !untyped.is_aligned() {
        return Err(value_error(format!("{whose}{name}: expected an aligned array")));
    }
    Ok(array.cast::<PyArrayDyn<T>>()?.clone())
}

pub(crate) fn borrow<'py, T: numpy::Element>(
    whose: &str,
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| {
        value_error(match error {
            BorrowError::NotWriteable => format!("{whose}{name}: the array is read-only"),
            _ => format!("{whose}{name}: the array is in use by another call"),
        })
    })
}

/// Borrows arrays for writing and shadows their names with their slices.
macro_rules! slices {
    ($whose:expr; $($array:ident),*) => {$(
        let mut $array = crate::arrays::borrow($whose, stringify!($array), $array)?;
        let $array = $array.as_slice_mut().map_err(value_error)?;
    )*};
}

pub(crate) fn addresses<T: numpy::Element>(array: &Bound<'_, PyArrayDyn<T>>) -> Range<usize> {
    let first = array.data() as usize;
    first..first + array.len() * size_of::<T>()
}

pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// An array of observations.
pub(crate) enum ObsArray<'py> {
    Bytes(Bound<'py, PyArrayDyn<u8>>),
    Floats(Bound<'py, PyArrayDyn<f32>>),
}

impl<'py> ObsArray<'py> {
    /// Checks an array like [`writable`].
    pub(crate) fn new(
        element: Element,
        whose: &str,
        array: &Bound<'py, PyAny>,
        shape: &[usize],
    ) -> PyResult<Self> {
        Ok(match element {
            Element::U8 => Self::Bytes(writable(whose, "obs", array, shape)?),
            Element::F32 => Self::Floats(writable(whose, "obs", array, shape)?),
        })
    }

    /// Returns a new array, as [`zeros`].
    pub(crate) fn zeros(py: Python<'py>, element: Element, shape: &[usize]) -> PyResult<Py<PyAny>> {
        match element {
            Element::U8 => zeros::<u8>(py, shape),
            Element::F32 => zeros::<f32>(py, shape),
        }
    }

    pub(crate) fn as_any(&self) -> &Bound<'py, PyAny> {
        match self {
            Self::Bytes(array) => array.as_any(),
            Self::Floats(array) => array.as_any(),
        }
    }

    pub(crate) fn addresses(&self) -> Range<usize> {
        match self {
            Self::Bytes(array) => addresses(array),
            Self::Floats(array) => addresses(array),
        }
    }

    /// Calls `work` with the bytes of the elements.
    pub(crate) fn write<R>(&self, whose: &str, work: impl FnOnce(&mut [u8]) -> R) -> PyResult<R> {
        match self {
            Self::Bytes(array) => {
                Ok(work(borrow(whose, "obs", array)?.as_slice_mut().map_err(value_error)?))
            }
            Self::Floats(array) => {
                let mut floats = borrow(whose, "obs", array)?;
                Ok(work(floats.as_slice_mut().map_err(value_error)?.as_mut_bytes()))
            }
        }
    }
}

/// The checked arrays of one step.
pub(crate) struct StepArrays<'py> {
    /// The prefix of error messages: [`OUT`] for the caller's arrays.
    pub(crate) whose: &'static str,
    pub(crate) obs: ObsArray<'py>,
    pub(crate) reward: Bound<'py, PyArrayDyn<f32>>,
    pub(crate) terminated: Bound<'py, PyArrayDyn<bool>>,
    pub(crate) truncated: Bound<'py, PyArrayDyn<bool>>,
    pub(crate) action_mask: Bound<'py, PyArrayDyn<bool>>,
}

impl StepArrays<'_> {
    pub(crate) fn addresses(&self) -> [Range<usize>; 5] {
        let terminated = addresses(&self.terminated);
        let truncated = addresses(&self.truncated);
        [
            self.obs.addresses(),
            addresses(&self.reward),
            terminated,
            truncated,
            addresses(&self.action_mask),
        ]
    }
}

/// Rejects actions whose memory a step would overwrite.
pub(crate) fn check_apart(arrays: &StepArrays<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
    if !actions.is_instance_of::<PyUntypedArray>() {
        return Ok(());
    }
    let typed = [
        actions
            .cast::<PyArrayDyn<i32>>()
            .ok()
            .map(|array| (array.is_c_contiguous(), addresses(array))),
        actions
            .cast::<PyArrayDyn<i64>>()
            .ok()
            .map(|array| (array.is_c_contiguous(), addresses(array))),
    ];
    let shared = if let Some((true, actions)) = typed.into_iter().flatten().next() {
        arrays.addresses().iter().position(|array| overlap(array, &actions))
    } else {
        // For any other type or layout, ask NumPy.
        let py = actions.py();
        let share = py.import("numpy")?.getattr("may_share_memory")?;
        let StepArrays { obs, reward, terminated, truncated, action_mask, .. } = arrays;
        let arrays = [
            obs.as_any(),
            reward.as_any(),
            terminated.as_any(),
            truncated.as_any(),
            action_mask.as_any(),
        ];
        let mut shared = None;
        for (at, array) in arrays.into_iter().enumerate() {
            if share.call1((actions, array))?.extract()? {
                shared = shared.or(Some(at));
            }
        }
        shared
    };
    match shared {
        None => Ok(()),
        Some(at) => Err(value_error(format!("actions and {} share memory", NAMES[at]))),
    }
}

pub(crate) use slices;

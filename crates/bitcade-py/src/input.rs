//! Actions and boards, read from arrays or lists.

use crate::convert::value_error;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Returns an array of anything that NumPy makes one of. A list without values has the type that is
/// expected; NumPy takes it for floats.
pub(crate) fn array_of<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    empty: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let array = value.py().import("numpy")?.call_method1("asarray", (value,)).map_err(|error| {
        let is_ragged = error.is_instance_of::<PyValueError>(value.py());
        if is_ragged { value_error(format!("{name}: expected rows of one length")) } else { error }
    })?;
    if array.getattr("size")?.eq(0)? && !value.hasattr("dtype")? {
        return array.call_method1("astype", (empty,));
    }
    Ok(array)
}

/// Reads integers of some of NumPy's kinds; an array of objects (`O`) counts as the list of its
/// items. Numbers beyond int64 become its largest.
fn integers<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    kinds: &str,
) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let numpy = value.py().import("numpy")?;
    let mut array = array_of(name, value, "int64")?;
    if kinds.contains('O') && array.getattr("dtype")?.getattr("kind")?.eq("O")? {
        array = numpy.call_method1("asarray", (array.call_method0("tolist")?,))?;
    }
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind == "O" || !kinds.contains(&kind) {
        return Err(PyTypeError::new_err(format!("{name}: expected integers, found {dtype}")));
    }
    if kind == "u" && dtype.getattr("itemsize")?.eq(size_of::<u64>())? {
        array = numpy.call_method1("minimum", (array, i64::MAX))?;
    }
    Ok(array.call_method1("astype", ("int64",))?.cast_into()?)
}

/// Converts actions from a one-dimensional array or sequence of any integer type.
pub(crate) fn convert_actions(
    actions: &Bound<'_, PyAny>,
    converted: &mut Vec<u32>,
) -> PyResult<()> {
    let array = match actions.cast::<PyArray1<i64>>() {
        Ok(array) if array.is_aligned() => array.to_dyn().clone(),
        _ => integers("actions", actions, "iu")?,
    };
    if array.ndim() != 1 {
        return Err(value_error(format!("actions: expected 1 dimension, found {}", array.ndim())));
    }
    let array = array.try_readonly().map_err(value_error)?;
    converted
        .extend(array.as_array().iter().map(|&action| u32::try_from(action).unwrap_or(u32::MAX)));
    Ok(())
}

/// Returns the cells of boards in row-major order.
fn cells(name: &str, array: &Bound<'_, PyArrayDyn<i64>>) -> PyResult<Vec<u8>> {
    let array = array.try_readonly().map_err(value_error)?;
    let cells: Option<Vec<u8>> =
        array.as_array().iter().map(|&cell| u8::try_from(cell).ok()).collect();
    cells.ok_or_else(|| value_error(format!("{name}: a cell is not within 0 to 255")))
}

/// Reads the rows of one board: nested lists, or an array of any integer type or bool in any memory
/// layout.
pub(crate) fn board(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let array = integers("board", value, "biuO")?;
    match *array.shape() {
        [0] => Ok(Vec::new()),
        [rows, 0] => Ok(vec![Vec::new(); rows]),
        [_, width] => Ok(cells("board", &array)?.chunks(width).map(<[u8]>::to_vec).collect()),
        _ => Err(value_error(format!(
            "board: expected rows of cells, found {} dimensions",
            array.ndim()
        ))),
    }
}

/// Reads boards from an array of shape `(k, *shape)`, or from nested lists of that shape. Returns
/// each board's cells in row-major order.
pub(crate) fn boards_of(
    name: &str,
    boards: &Bound<'_, PyAny>,
    shape: &[usize],
) -> PyResult<Vec<Vec<u8>>> {
    let array = integers(name, boards, "biuO")?;
    let found = array.shape();
    if found[..] == [0] && name != "starts" {
        return Ok(Vec::new());
    }
    if found.len() != shape.len() + 1 || found[1..] != *shape {
        let [shape, found] = [shape, found].map(|sides| {
            let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
            sides.join(", ")
        });
        return Err(value_error(format!(
            "{name}: expected an array of shape (k, {shape}), found ({found})"
        )));
    }
    if found[0] == 0 && name == "starts" {
        return Err(value_error("starts: expected at least one board"));
    }
    let size = shape.iter().product();
    Ok(cells(name, &array)?.chunks(size).map(<[u8]>::to_vec).collect())
}

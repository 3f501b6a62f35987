//! Actions and boards, read from arrays or lists.

use crate::convert::value_error;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Converts actions from a one-dimensional array or sequence of any integer type.
pub(crate) fn convert_actions(actions: &Bound<'_, PyAny>, converted: &mut Vec<u32>) -> PyResult<()> {
    let narrow = |action: i64| u32::try_from(action).unwrap_or(u32::MAX);
    if let Ok(array) = actions.cast::<PyArray1<i64>>()
        && array.is_aligned()
    {
        let array = array.try_readonly().map_err(value_error)?;
        converted.extend(array.as_array().iter().map(|&action| narrow(action)));
        return Ok(());
    }
    let py = actions.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") {
        let kind = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("actions: expected integers, found {kind}")));
    }
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 {
        return Err(value_error(format!("actions: expected 1 dimension, found {dimensions}")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast::<PyArray1<i64>>().map_err(|_| value_error("actions: expected integers"))?;
    converted
        .extend(array.try_readonly().map_err(value_error)?.as_array().iter().map(|&action| narrow(action)));
    Ok(())
}

/// Reads boards from an array of shape `(k, *shape)`, or from nested lists of that shape. Returns each
/// board's cells in row-major order.
pub(crate) fn boards_of(name: &str, boards: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<Vec<u8>>> {
    let numpy = boards.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (boards,))?;
    if array.getattr("dtype")?.getattr("kind")?.eq("O")? {
        // Treat an object array like a list of its items.
        array = numpy.call_method1("asarray", (array.call_method0("tolist")?,))?;
    }
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    if found.len() != shape.len() + 1 || found[1..] != *shape {
        let [shape, found] = [shape, &found].map(|sides| {
            let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
            sides.join(", ")
        });
        return Err(value_error(format!("{name}: expected an array of shape (k, {shape}), found ({found})")));
    }
    if found[0] == 0 && name == "starts" {
        return Err(value_error("starts: expected at least one board"));
    }
    let flat = array.call_method1("reshape", (found[0], shape.iter().product::<usize>()))?;
    let kind: String = flat.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "b" | "i" | "u") {
        let found = flat.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name}: expected integers, found {found}")));
    }
    // Clamp uint64 before the cast to int64: 256 is too large for a cell already.
    let is_u64 = kind == "u" && flat.getattr("itemsize")?.extract::<usize>()? == 8;
    let flat = if is_u64 { numpy.call_method1("minimum", (flat, 256))? } else { flat };
    let flat = flat.call_method1("astype", ("int64",))?;
    let flat = flat.cast::<PyArray2<i64>>().map_err(|_| value_error(format!("{name}: expected integers")))?;
    let flat = flat.try_readonly().map_err(value_error)?;
    let mut rows = Vec::new();
    for row in flat.as_array().rows() {
        let bytes: Option<Vec<u8>> = row.iter().map(|&cell| u8::try_from(cell).ok()).collect();
        rows.push(bytes.ok_or_else(|| value_error(format!("{name}: a cell is not within 0 to 255")))?);
    }
    Ok(rows)
}

//! Legal actions as lists, and their afterstates, in arrays that grow.

use super::{Env, FEW};
use crate::arrays::{borrow, writable, zeros};
use crate::convert::value_error;
use crate::state::PythonGames;
use bitcade_core::ThreadPool;
use bitcade_core::batch::{Afterstates, AfterstatesOut};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use zerocopy::{FromBytes, IntoBytes};

/// The arrays of the last lists, which the next call overwrites.
#[derive(Default)]
pub(super) struct Lists {
    actions: Rows,
    boards: Rows,
    reward: Rows,
    lines: Rows,
    features: Rows,
}

/// An array that is replaced by a longer one when more rows are needed.
#[derive(Default)]
struct Rows(Option<Py<PyAny>>);

impl Rows {
    /// Returns the first rows of the array.
    fn first<'py, T: numpy::Element>(
        &mut self,
        py: Python<'py>,
        name: &str,
        rows: usize,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        let mut all = shape.to_vec();
        all.insert(0, rows);
        let first = |array: &Py<PyAny>| {
            let array = array.bind(py).get_item(PySlice::new(py, 0, rows as isize, 1))?;
            writable("", name, &array, &all)
        };
        // Python code has access to the array and may have changed it; then it isn't used again.
        if let Some(array) = self.0.as_ref().and_then(|array| first(array).ok()) {
            return Ok(array);
        }
        // Some more: the number changes with every step.
        let mut longer = all.clone();
        longer[0] = rows.saturating_add(rows / 8);
        first(self.0.insert(zeros::<T>(py, &longer)?))
    }
}

/// Borrows rows for writing, as a slice of all elements.
macro_rules! slices {
    ($($array:ident),*) => {$(
        let mut $array = borrow("", stringify!($array), &$array)?;
        let $array = $array.as_slice_mut().map_err(value_error)?;
    )*};
}

impl<G: PythonGames> Env<G> {
    /// Returns the offsets and the legal actions.
    pub(crate) fn legal_actions<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let batch = &self.batch;
        let single = ThreadPool::single();
        let pool = if batch.len() > FEW { self.threads.pool() } else { &single };
        let lists = py.detach(|| batch.legal_lists_parallel(pool));
        let actions = self.lists.actions.first::<i32>(py, "actions", lists.len(), &[])?;
        let found = actions.clone();
        slices!(actions);
        // Actions are far below 2^31, so int32 and `u32` agree.
        let actions = <[u32]>::mut_from_bytes(actions.as_mut_bytes()).map_err(value_error)?;
        py.detach(|| lists.actions_into(actions)).map_err(value_error)?;
        let offsets = lists.offsets().iter().map(|&offset| offset as i64).collect();
        Ok((PyArray1::from_vec(py, offsets).into_any(), found.into_any()))
    }

    /// Returns the fields of `Afterstates` in the Python module `module`, whose boards have this
    /// shape.
    pub(crate) fn afterstates<'py>(
        &mut self,
        py: Python<'py>,
        module: &str,
        board: [usize; 2],
        [with_boards, with_features]: [bool; 2],
    ) -> PyResult<Bound<'py, PyAny>>
    where
        G: Afterstates,
    {
        let (offsets, actions) = self.legal_actions(py)?;
        let shape = G::afterstate_shape(self.batch.rules());
        let batch = &self.batch;
        let single = ThreadPool::single();
        let pool = if batch.len() > FEW { self.threads.pool() } else { &single };
        let lists = py.detach(|| batch.legal_lists_parallel(pool));
        let rows = lists.len();
        let buffers = &mut self.lists;
        let boards =
            buffers.boards.first::<u8>(py, "boards", if with_boards { rows } else { 0 }, &board)?;
        let reward = buffers.reward.first::<f32>(py, "reward", rows, &[])?;
        let lines = buffers.lines.first::<u8>(py, "lines", rows * shape.lines, &[])?;
        let features = buffers.features.first::<f32>(
            py,
            "features",
            if with_features { rows } else { 0 },
            &[shape.features],
        )?;
        let mut fields =
            vec![offsets, actions, boards.clone().into_any(), reward.clone().into_any()];
        if shape.lines > 0 {
            fields.push(lines.clone().into_any());
        }
        if shape.features > 0 {
            fields.push(features.clone().into_any());
        }
        slices!(boards, reward, lines, features);
        py.detach(|| lists.afterstates_into(AfterstatesOut { boards, reward, lines, features }))
            .map_err(value_error)?;
        py.import(module)?.getattr("Afterstates")?.call1(PyTuple::new(py, fields)?)
    }
}

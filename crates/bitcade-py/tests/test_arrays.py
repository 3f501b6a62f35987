"""Boards as arrays: any array is equivalent to a list of the same values."""

import bitcade
import numpy as np
import pytest
from conftest import refused

LEARNER = bitcade.g2048.Learner(seed=2)
NETWORK = LEARNER.network()
ROWS, GO = [[0] * 10, [1] * 9 + [0]], [[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], *[[0] * 5] * 3]
RANKS = [[[1, 1, 0, 0], *[[0] * 4] * 3]]

#: Calls, each with the name of its argument for one or more boards, and boards whose cells fit into a bool.
CALLS = {
    "match3.hints": (bitcade.match3.hints, "board", [[1, 0, 1], [0, 1, 0]]),
    "tetris.placements": (lambda board: bitcade.tetris.placements(board, "T"), "board", ROWS),
    "go.ownership": (lambda board: bitcade.go.ownership(board, games=9).tolist(), "board", GO),
    "Network.actions": (NETWORK.actions, "boards", RANKS),
    "g2048.Batch": (lambda boards: bitcade.g2048.Batch(1, seed=0, starts=boards).obs.tolist(), "starts", RANKS),
    "tetris.Batch": (lambda boards: bitcade.tetris.Batch(1, seed=0, starts=boards).obs.tolist(), "starts", [ROWS]),
    "go.Batch": (lambda boards: bitcade.go.Batch(1, seed=0, size=5, starts=boards).obs.tolist(), "starts", [GO]),
}

TYPES = [np.bool_, *np.typecodes["AllInteger"], ">i2", ">u8", "<i4", object]


def forms(values):
    read_only = values.copy()
    read_only.flags.writeable = False
    return {
        "C order": values,
        "Fortran order": np.asfortranarray(values),
        "gaps": values.repeat(2, axis=-1)[..., ::2],
        "reversed": np.ascontiguousarray(values[..., ::-1])[..., ::-1],
        "read-only": read_only,
        "rows": list(values),
        # Of the last two axes only, to rows of NumPy's numbers.
        "scalars": [[*row] for row in values],
    }


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_an_array_counts_as_the_list_of_its_values(name, dtype):
    call, _, board = CALLS[name]
    expected = call(board)
    for form, values in forms(np.array(board, dtype)).items():
        assert call(values) == expected, form


@pytest.mark.parametrize("name", CALLS)
def test_what_a_list_may_not_hold_an_array_may_not_hold(name):
    call, argument, board = CALLS[name]
    good = np.array(board)
    unsigned = np.where(good == 0, np.uint64(2**64 - 1), good.astype(np.uint64))
    dtypes = [good.astype(dtype) for dtype in (float, complex, str, "M8[s]")]
    cells = [np.where(good == 0, cell, good) for cell in (None, 256, -1)]
    for wrong in (*dtypes, unsigned, *cells, np.array(1), np.array(True), good[0], good[None]):
        assert argument in refused(call, wrong), wrong
        refused(call, wrong.tolist())


BUFFERS = {
    **{form.__name__: form for form in (bytes, bytearray, memoryview)},
    "gaps": lambda content: np.frombuffer(content, np.uint8).repeat(2)[::2],
    "floats": lambda content: np.frombuffer(content, np.float32),
}


@pytest.mark.parametrize("form", BUFFERS)
def test_networks_are_loaded_from_any_buffer(form):
    for saved in (NETWORK, LEARNER):
        content = saved.save()
        if form != "floats" or len(content) % 4 == 0:
            assert type(saved).load(BUFFERS[form](content)).save() == content

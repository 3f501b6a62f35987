"""Boards as arrays: each that stands for a list of the same values counts as that list."""

from __future__ import annotations

import array
import mmap
from collections.abc import Callable
from typing import Any

import bitcade
import numpy as np
import pytest
from bitcade import _native

NETWORK = bitcade.g2048.Learner().network()

#: Calls that take one board, and a board with numbers that fit into a bool.
ONE: dict[str, tuple[Callable[[Any], object], list[list[int]]]] = {
    "match3.swaps": (bitcade.match3.swaps, [[1, 0, 1], [0, 1, 0]]),
    "match3.hints": (bitcade.match3.hints, [[1, 0, 1], [0, 1, 0]]),
    "tetris.placements": (lambda board: bitcade.tetris.placements(board, "T"), [[0] * 10, [1] * 9 + [0]]),
    "tetris.bot": (lambda board: bitcade.tetris.bot(board, "TIO", nodes=50), [[0] * 10, [1] * 9 + [0]]),
    "go.ownership": (lambda board: bitcade.go.ownership(board, games=9).tolist(), [[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], *[[0] * 5] * 3]),
    "go.best_move": (
        lambda board: bitcade.go.best_move(board, playouts=9),
        [[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], *[[0] * 5] * 3],
    ),
}


def of_batch(games: Any) -> object:
    """Return what the start positions of a batch of one game decide."""
    return games.obs.tolist()


#: Calls that take boards.
MANY: dict[str, tuple[Callable[[Any], object], list[list[list[int]]]]] = {
    "Network.actions": (NETWORK.actions, [[[1, 1, 0, 0], *[[0] * 4] * 3]]),
    "Game2048": (lambda boards: of_batch(bitcade.Game2048(1, starts=boards)), [[[1, 1, 0, 0], *[[0] * 4] * 3]]),
    "Tetris": (lambda boards: of_batch(bitcade.Tetris(1, starts=boards)), [[[0] * 10] * 11 + [[1] * 9 + [0]]]),
    "Go": (
        lambda boards: of_batch(bitcade.Go(1, size=5, starts=boards)),
        [[[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], *[[0] * 5] * 3]],
    ),
}

CALLS = {**ONE, **MANY}

TYPES = [np.bool_, *np.typecodes["AllInteger"], ">i2", ">u8", "<i4", object]


def forms(values: np.ndarray) -> dict[str, Any]:
    """Return arrays of the same values in all orders of memory."""
    read_only = values.copy()
    read_only.flags.writeable = False
    wide = np.zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
    wide[..., ::2] = values
    return {
        "C order": values,
        "Fortran order": np.asfortranarray(values),
        "gaps": wide[..., ::2],
        "reversed": np.ascontiguousarray(values[..., ::-1])[..., ::-1],
        "read-only": read_only,
        "rows": list(values),
        "scalars": [list(row) for row in values] if values.ndim == 2 else [[list(r) for r in b] for b in values],
    }


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_an_array_counts_as_the_list_of_its_values(name: str, dtype: Any) -> None:
    call, board = CALLS[name]
    expected = call(board)
    for form, values in forms(np.array(board, dtype)).items():
        assert call(values) == expected, form


def test_match3_takes_starts_of_every_type() -> None:
    start = _native.Match3(1, width=5, height=5, colors=4, seed=3).obs[:, 0]
    for dtype in TYPES[1:]:
        games = _native.Match3(1, width=5, height=5, colors=4, starts=start.astype(dtype))
        np.testing.assert_array_equal(games.obs[:, 0], start)


def refused(call: Callable[[Any], object], value: Any) -> str:
    """Return the error of a call as text: a `TypeError` or a `ValueError` on one line."""
    with pytest.raises((TypeError, ValueError)) as error:
        call(value)
    text = f"{error.type.__name__}: {error.value}"
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", CALLS)
def test_what_a_list_may_not_hold_an_array_may_not_hold(name: str) -> None:
    call, board = CALLS[name]
    argument = "board" if name in ONE else ("boards" if name == "Network.actions" else "starts")
    good = np.array(board)
    for wrong, value in [
        ("float", good.astype(float)),
        ("complex", good.astype(complex)),
        ("str", good.astype(str)),
        ("dates", good.astype("M8[s]")),
        ("objects", np.where(good == 0, None, good)),
        ("2^64 - 1", np.where(good == 0, np.uint64(2**64 - 1), good.astype(np.uint64))),
        ("256", np.where(good == 0, 256, good)),
        ("-1", np.where(good == 0, -1, good)),
        ("no dimension", np.array(1)),
        ("no dimension, bool", np.array(True)),
        ("too few dimensions", good[0]),
        ("too many dimensions", good[None]),
    ]:
        text = refused(call, value)
        assert argument in text, f"{wrong}: {text}"
        refused(call, value.tolist())


@pytest.mark.parametrize("form", ["bytes", "bytearray", "memoryview", "mmap", "array", "numpy", "gaps", "floats"])
def test_networks_are_loaded_from_any_buffer(form: str) -> None:
    learner = bitcade.g2048.Learner(seed=2)
    for cls, content in ((bitcade.g2048.Network, NETWORK.save()), (bitcade.g2048.Learner, learner.save())):
        padded = np.frombuffer(content, np.uint8).repeat(2)[::2]
        if form == "floats" and len(content) % 4:
            continue
        value: Any = {
            "bytes": lambda c=content: c,
            "bytearray": lambda c=content: bytearray(c),
            "memoryview": lambda c=content: memoryview(c),
            "mmap": lambda c=content: mapped(c),
            "array": lambda c=content: array.array("b", c),
            "numpy": lambda c=content: np.frombuffer(c, np.int8),
            "gaps": lambda p=padded: p,
            "floats": lambda c=content: np.frombuffer(c, np.float32),
        }[form]()
        assert cls.load(value).save() == content
        for wrong in ("text", 5, None, [1, 2], np.array([None])):
            with pytest.raises((TypeError, ValueError)):
                cls.load(wrong)


def mapped(content: bytes) -> mmap.mmap:
    """Return a map of memory with this content."""
    memory = mmap.mmap(-1, len(content))
    memory.write(content)
    return memory

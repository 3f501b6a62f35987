"""Every invalid argument raises a usual Python exception, never a panic or a crash."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import bitcade
import numpy as np
import pytest
from conftest import GAMES, arrays, make, refused, snapshot
from games import FACTS, NO_NUMBERS, WRONG, zeros

NO_NUMBERS = [value for value in NO_NUMBERS if value is not None]
SEEDS = [*NO_NUMBERS, -1, -(2**100), [1], [1, 2, 3], [1, -1], [1, -(2**70)], [1, None], ["a", "b"]]

#: Invalid values for each argument shared by all classes.
SHARED: dict[str, list] = {
    "num_envs": [*WRONG[int], 2**62, 10**15],
    "seed": SEEDS,
    "max_episode_steps": [*NO_NUMBERS, -1, 0, 2**32],
    "num_threads": [0, 2**20, 2**62],
    "unknown": [1],
}
COUNTS = [-1, 2**64, 1.5, None, "1"]
NO_BOARDS = [None, 1, "ab", [1]]
WRONG_CELLS = [[[cell]] for cell in (-1, 256, 1.5, "a", None)]
BOARDS = [*NO_BOARDS, [[]], [], [[1, 2], [1]], *WRONG_CELLS, np.zeros((2, 2)), [[255]], [[1] * 65]]
TETRIS_BOARDS = [*NO_BOARDS[:3], [[0] * 9], [[0] * 11], [[1] * 10] * 60, [[None] * 10], [["#"] * 10]]
GO_BOARDS = [*NO_BOARDS, [[]], [[3]], [[0] * 26] * 26, [[-1] * 5] * 5, [[1] * 5] * 5]
PIECES = ["", "X", None, 1]
NETWORK_BYTES = [b"", b"2048-net", bytes(1000), b"\xff" * 64, None, 1, "text", [1], np.array([None])]
WRONG_BOARDS = [None, 1, zeros(4, 4), zeros(1, 3, 4), *(zeros(1, 4, 4) + cell for cell in (0.0, 256, -1))]

LEARNER = bitcade.g2048.Learner()
NETWORK = LEARNER.network()
EMPTY, FIVE = [[0] * 10], [[0] * 5] * 5

#: Calls with valid arguments, and invalid values for some of them.
CALLS: list[tuple[Callable[..., object], dict[str, Any], dict[str, list]]] = [
    *((GAMES[name][0], {"num_envs": 2, **GAMES[name][1]}, SHARED | facts.wrong) for name, facts in FACTS.items()),
    (bitcade.go.Batch, {"num_envs": 1, "starts": zeros(1, 9, 9)}, {}),
    (bitcade.match3.swaps, {}, {"board": BOARDS}),
    (bitcade.match3.hints, {}, {"board": BOARDS}),
    (
        bitcade.match3.evaluate,
        {"games": 1},
        {"games": COUNTS, "colors": [0], "width": [17], "moves": [-1]},
    ),
    (bitcade.g2048.playouts, {"games": 1}, {"games": COUNTS, "width": [1]}),
    (bitcade.g2048.solve, {"width": 4, "height": 2}, {"width": [*COUNTS, 0, 1], "height": [9, 4]}),
    (bitcade.g2048.solve, {"width": 8}, {"height": [8]}),
    (bitcade.g2048.Network, {}, {"bytes": NETWORK_BYTES}),
    (bitcade.g2048.Network.load, {}, {"bytes": NETWORK_BYTES}),
    (bitcade.g2048.Learner.load, {}, {"bytes": NETWORK_BYTES}),
    (bitcade.g2048.Learner, {}, {"learning_rate": [0, -1, 2]}),
    (NETWORK.actions, {}, {"boards": WRONG_BOARDS}),
    (NETWORK.evaluate, {"games": 1}, {"games": [-1]}),
    (bitcade.State, {}, {"state": [1]}),
    (bitcade.tetris.placements, {"board": EMPTY, "piece": "T"}, {"board": TETRIS_BOARDS, "piece": [*PIECES, "TT"]}),
    (
        bitcade.tetris.bot,
        {"board": EMPTY, "queue": "TIO", "nodes": 10},
        {"board": TETRIS_BOARDS, "queue": [*PIECES, "TX"], "hold": ["X"], "combo": [-1], "nodes": [-1]},
    ),
    (bitcade.tetris.control, {"pieces": 10}, {"pieces": COUNTS}),
    (
        bitcade.go.best_move,
        {"board": FIVE, "playouts": 1},
        {
            "board": [*GO_BOARDS, [[0] * 5] * 4, [[0] * 20] * 20, [[0]]],
            "komi": [0.3],
        },
    ),
    (bitcade.go.ownership, {"games": 1}, {"board": GO_BOARDS}),
    (
        bitcade.go.playouts,
        {"games": 1},
        {"games": COUNTS, "size": [-1, 0, 1, 20, 2**40, None]},
    ),
    (
        bitcade.contest.solve,
        {"pieces": 2, "width": 1},
        {"pieces": [-1, 0, 10_001, 2**64, None, 1.5], "width": [-1, 0, None, 1.5]},
    ),
    (bitcade.contest.verify, {}, {"record": ["x", "\0", None, 1, b"x", "tetris\n1\n"]}),
]


@pytest.mark.parametrize(("call", "good", "wrong"), CALLS, ids=range(len(CALLS)))
def test_arguments(call, good, wrong):
    """Each argument refuses the values of its type that none takes, and those of the table."""
    defaults = {name: one.default for name, one in inspect.signature(call).parameters.items()}
    tried = [(name, value) for name, default in defaults.items() for value in WRONG.get(type(default), [])]
    tried += [(name, value) for name, values in wrong.items() for value in values]
    for name, value in tried:
        try:
            assert "unexpected keyword" not in refused(call, **{**good, name: value}) or name == "unknown"
        except BaseException as error:
            error.add_note(f"{name}={value!r}")
            raise


def test_positional_options_are_refused(game):
    cls, _ = GAMES[game]
    refused(cls)
    refused(cls, 1, 2)
    refused(bitcade.State)
    refused(bitcade.g2048.Network)


WRONG_PAIRS = [[1.0, 2.0], [math.nan, 1], [None, 1], ["1", "2"], [True, False], [2**70, 1], [-(2**40), 1]]
ACTIONS = [
    *(None, 1, "12", b"12", {}, ..., [], [1], [1, 2, 3], [[1, 2]], *WRONG_PAIRS),
    *(np.zeros(2, kind) for kind in (float, np.bool_, np.complex64, "U1", object, "M8[s]")),
    *(np.zeros(shape, np.int32) for shape in ((2, 1), (), 3)),
    *(np.full(2, np.iinfo(kind).max, kind) for kind in (np.uint64, np.uint32)),
    *(np.full(2, -1, kind) for kind in (np.int32, np.int8)),
]
WHICH = [*(None, True, [], "ab", [1, 0], [True]), *(np.ones(shape, bool) for shape in ((), 3, (2, 1))), np.ones(2)]
INDICES = [-1, 2, 2**40, 2**64, 1.5, math.nan, None, "0", []]


def test_arguments_of_methods(game):
    """They are named, and the games don't change."""
    games = make(game, 2)
    state = games.get_state(0)
    before = snapshot((games.obs, games.action_mask, games.steps))
    by_index = [games.get_state, games.render, lambda index: games.set_state(index, state), lambda i: games.final_obs([i])]
    calls: list[tuple[Callable[..., object], list]] = [
        (games.step, ACTIONS),
        (games.reset_some, WHICH),
        *((call, INDICES) for call in (*by_index, getattr(games, "lock_result", games.get_state))),
        (games.final_obs, INDICES[:-1]),
        (games.state_from_bytes, [b"x", None, "text"]),
    ]
    for call, values in calls:
        for value in values:
            try:
                refused(call, value)
            except BaseException as error:
                error.add_note(repr(value))
                raise
    for call in by_index:
        for index in (-1, 2):
            assert refused(call, index) == f"IndexError: game {index}: expected one of 2, from 0"
    for which, found in (([1, 0], "2 games, found int64"), ([True], "shape (2,), found (1,)")):
        assert refused(games.reset_some, which).endswith(f"which: expected a boolean mask of {found}")
    for option, values, expected in (
        ("num_envs", [-1, 2**63], "0 to 2**63 - 1"),
        ("max_episode_steps", [-1, 0, 2**32, -(2**70)], "1 to 4294967295"),
        ("num_threads", [-1, 0, 1025, 2**70], "1 to 1024"),
    ):
        for value in values:
            assert refused(make, game, **{option: value}) == f"ValueError: {option}={value}: expected {expected}"
    shape = {"tetris": (20, 10)}.get(game.split()[0], games.obs_shape[-2:])
    assert refused(make, game, 1, starts=zeros(0, *shape)) == "ValueError: starts: expected at least one board"
    assert snapshot((games.obs, games.action_mask, games.steps)) == before
    games.step(games.sample())


OUT = ("obs", "reward", "terminated", "truncated", "action_mask")


def wrong_outs(games: Any) -> list[tuple[str, object]]:
    """Return invalid values of `out`, each with the beginning of its message."""
    good, dtypes = arrays(games), [np.dtype(kind) for kind in ("f8", "i8", object, ">f4")]
    found: list[tuple[str, object]] = [
        *((f"expected a tuple of 5 arrays, found {kind}", out) for kind, out in (("int", 1), ("list", []), ("4", good[:4]))),
        *(("", out) for out in ((*good, good[0]), (1, 2, 3, 4, 5), (None,) * 5)),
    ]
    for i, (name, array) in enumerate(zip(OUT, good, strict=True)):
        frozen = array.copy()
        frozen.flags.writeable = False
        others = (array[None], array[:0], np.concatenate([array, array]))
        gaps = [np.repeat(array, 2, axis=0)[::2], array[::-1], *([np.asfortranarray(array)] if array.ndim > 1 else [])]
        wrong = [
            (f"expected an array of {array.dtype}, found list", array.tolist()),
            *((f"expected shape {array.shape}, found {other.shape}", other) for other in others),
            *((f"expected dtype {array.dtype}, found {other}", array.astype(other)) for other in dtypes),
            *(("expected an array in C order", other) for other in gaps),
            ("the array is read-only", frozen),
        ]
        found += [(f"{name}: {message}", (*good[:i], value, *good[i + 1 :])) for message, value in wrong]
    # Two arrays over one buffer, unknown to NumPy.
    buffer = bytearray(4 * games.num_envs)
    flags, points = np.frombuffer(buffer, np.bool_, games.num_envs), np.frombuffer(buffer, np.float32)
    shifted = np.frombuffer(bytearray(4 * games.num_envs + 1), np.float32, offset=1)
    return [
        *found,
        ("reward and truncated share memory", (*good[:1], points, good[2], flags, good[4])),
        ("terminated and truncated share memory", (*good[:2], flags, flags, good[4])),
        ("reward: expected an aligned array", (good[0], shifted, *good[2:])),
    ]


def test_wrong_out_arrays_are_named_and_nothing_is_written(game):
    for dtype in ("uint8", "float32"):
        games = make(game, 6, seed=4, dtype=dtype)
        before = snapshot((games.obs, games.steps))
        actions = games.sample().copy()
        for message, out in wrong_outs(games):
            written = [array for array in out if isinstance(array, np.ndarray)] if isinstance(out, tuple) else []
            given = snapshot(written)
            for text in (refused(games.step, actions, out), refused(games.random_step, out)):
                assert text.partition(": ")[2].startswith(f"out: {message}" if message else ""), message
            assert snapshot(written) == given, message
        assert snapshot((games.obs, games.steps)) == before
        games.step(actions)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16])
def test_actions_that_a_step_would_overwrite_are_refused(game, dtype):
    games = make(game, 6, seed=4)
    out = arrays(games)
    size = np.dtype(dtype).itemsize
    whole = np.zeros(6 * size * 4, np.float32)
    inside = whole.view(dtype)[:6]
    inside[:] = games.sample()
    given = (out[0], whole[:6], *out[2:])
    assert refused(games.step, inside, given) == "ValueError: actions and reward share memory"
    mask = games.action_mask.reshape(-1)
    of_mask = mask[: min(6, len(mask) // size) * size].view(dtype)
    assert refused(games.step, of_mask) == "ValueError: actions and action_mask share memory"
    assert (games.steps == 0).all()


BOARD = bitcade.match3.Batch(1, seed=3, colors=5).obs[:, 0]
RUN, COLOR = BOARD.copy(), BOARD.copy()
RUN[0, 0, :3] = 1
COLOR[0, 7, 7] = 6
DEAD = np.indices((1, 8, 8)).sum(axis=0) % 3 + 1
NO_ROOM = "starts: board 0: not every piece can spawn"

#: Exact error messages of calls.
SAID: list[tuple[Callable[..., object], tuple, dict[str, Any], str]] = [
    (bitcade.match3.hints, ([[300]],), {}, "board: a cell is not within 0 to 255"),
    (bitcade.match3.evaluate, (-1,), {}, "games=-1: expected 0 to 2**64 - 1"),
    # Values on either side of a range.
    *(
        (call, (1,), {"colors": colors}, f"colors={colors}: expected 3 to 15")
        for call in (bitcade.match3.Batch, bitcade.match3.evaluate)
        for colors in (-1, 2, 16)
    ),
    (bitcade.g2048.playouts, (1,), {"width": -1}, "width=-1: expected 2 to 8"),
    *((call, (1,), {"size": 8}, f"size=8: expected one of [{sizes}]") for call, sizes in (
        (bitcade.go.Batch, "5, 7, 9, 13, 19"),
        (bitcade.go.playouts, "5, 9, 13, 19"),
    )),
    (bitcade.go.ownership, ([[3]],), {}, "board: expected 0, 1 or 2, found 3"),
    (bitcade.go.ownership, ([[1] * 5] * 5,), {}, "board: line 1, column 1: expected a stone whose chain has a liberty"),
    (bitcade.match3.swaps, ([[99]],), {}, "board: 99 is no color of a cell"),
    (bitcade.tetris.placements, ([[0] * 9], "T"), {}, "board: line 1, column 10: expected 10 cells, found 9"),
    (bitcade.tetris.placements, (EMPTY, "X"), {}, 'piece="X": expected one of I O T S Z J L'),
    (bitcade.tetris.bot, (EMPTY, "T"), {"hold": "X"}, 'hold="X": expected one of I O T S Z J L'),
    (bitcade.tetris.control, (1,), {"weights": "x"}, 'weights: expected dellacherie or dt20, found "x"'),
    (bitcade.g2048.Learner, (), {"learning_rate": 2}, "learning_rate=2: expected a learning rate above 0 and at most 1"),
    (bitcade.contest.solve, (), {"pieces": 0}, "pieces=0: expected 1 to 10000"),
    (bitcade.go.ownership, (FIVE,), {"games": 2**32}, "games=4294967296: expected 0 to 4294967295"),
    (bitcade.tetris.Batch, (1,), {"garbage": (-1, 1)}, "garbage: pieces=-1: expected 1 to 4294967295"),
    (bitcade.tetris.Batch, (1,), {"rows": 0}, "rows=0: expected 1 to 40"),
    # Reasons why start boards can't be played.
    (bitcade.g2048.Batch, (1,), {"starts": zeros(1, 4, 4) + 64}, "starts: board 0: cell 0: expected a rank of at most 50"),
    (bitcade.match3.Batch, (1,), {"starts": zeros(1, 8, 8) + 99}, "starts: board 0: 99 is no color of a cell"),
    (bitcade.go.Batch, (1,), {"starts": zeros(1, 9, 9) + 1}, "starts: board 0: line 1, column 1: expected a stone"),
    (bitcade.match3.Batch, (1,), {"colors": 5, "starts": [*BOARD, *RUN]}, "starts: board 1: three or more pieces"),
    (bitcade.match3.Batch, (1,), {"colors": 5, "starts": COLOR}, "starts: board 0: a cell isn't a plain piece of one"),
    (bitcade.match3.Batch, (1,), {"starts": DEAD}, "starts: board 0: no swap is legal"),
    (
        bitcade.g2048.Batch,
        (1,),
        {"width": 2, "height": 2, "starts": [[[1, 2], [2, 1]]]},
        "starts: board 0: no move is legal",
    ),
    (bitcade.tetris.Batch, (1,), {"rows": 40, "starts": zeros(1, 40, 10) + 1}, NO_ROOM),
    (bitcade.tetris.Batch, (1,), {"starts": zeros(1, 20, 10) + 1, "second_spawn_row": False}, NO_ROOM),
]


@pytest.mark.parametrize(("call", "arguments", "options", "expected"), SAID, ids=range(len(SAID)))
def test_what_calls_say(call, arguments, options, expected):
    text = refused(call, *arguments, **options)
    assert text.startswith(f"ValueError: {expected}") and (text == f"ValueError: {expected}" or "starts" in expected)

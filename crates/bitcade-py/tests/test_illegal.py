"""Every invalid argument raises a usual Python exception, never a panic or a crash."""

import inspect
import math

import bitcade
import numpy as np
import pytest
from conftest import GAMES, arrays, make, noted, refused, snapshot
from games import FACTS, NO_NUMBERS, WRONG, zeros
from games.match3_level import TEXT

NO_NUMBERS = [value for value in NO_NUMBERS if value is not None]

#: Invalid values for each argument shared by all classes.
SHARED = {
    "num_envs": [*WRONG[int], 2**62, 10**15],
    "max_episode_steps": [*NO_NUMBERS, -1, 0, 2**32],
    "num_threads": [0, 2**20, 2**62],
    "unknown": [1],
}
COUNTS = [-1, 2**64, 1.5, None, "1"]
# Cells and dtypes are in `test_arrays.py`.
BOARDS = [None, 1, "ab", [1], [[]], [], [[1, 2], [1]], [[255]], [[1] * 65]]
TETRIS_BOARDS = [None, "ab", [[0] * 9], [[0] * 11], [[1] * 10] * 60]
GO_BOARDS = [None, "ab", [[]], [[3]], [[0] * 26] * 26, [[1] * 5] * 5]
PIECES = ["", "X", "TX", None, 1]
NO_FILES = [b"", b"2048-net", bytes(1000), None, 1, "text", [1], np.array([None])]

LEARNER = bitcade.g2048.Learner()
NETWORK = LEARNER.network()
EMPTY, FIVE = [[0] * 10], [[0] * 5] * 5

#: Calls with valid arguments, and invalid values for some of them.
CALLS = [
    *((GAMES[name][0], {"num_envs": 2, **GAMES[name][1]}, SHARED | facts.wrong) for name, facts in FACTS.items()),
    *((call, {"board": [[1]]}, {"board": BOARDS}) for call in (bitcade.match3.swaps, bitcade.match3.hints)),
    (bitcade.match3.evaluate, {"games": 1}, {"games": COUNTS, "colors": [0], "width": [17], "moves": [-1]}),
    (
        bitcade.match3.playtest,
        {"level": TEXT, "agent": "random", "games": 1},
        {"level": [None, 1, "x", b"x", {}], "agent": ["", "best", "human:0,1", None, 1, b"random"], "games": COUNTS, "first": [2**64 - 1]},
    ),
    (bitcade.match3.Level.parse, {"text": TEXT}, {"text": [None, 1, b"x", "", "x", TEXT + TEXT]}),
    (bitcade.match3.Level.load, {"path": "x"}, {"path": [None, 1, b"x", []]}),
    (bitcade.g2048.playouts, {"games": 1}, {"games": COUNTS, "width": [1]}),
    (bitcade.g2048.Batch(1).get_state(0).playouts, {"games": 1}, {"games": COUNTS}),
    (bitcade.g2048.solve, {"width": 4, "height": 2}, {"width": [*COUNTS, 0, 1], "height": [9]}),
    (bitcade.g2048.Network.load, {"bytes": NETWORK.save()}, {"bytes": NO_FILES}),
    (bitcade.g2048.Learner.load, {"bytes": LEARNER.save()}, {"bytes": NO_FILES}),
    (bitcade.g2048.Learner, {}, {"learning_rate": [0, -1, 2]}),
    (NETWORK.actions, {"boards": zeros(1, 4, 4)}, {"boards": [None, 1, zeros(4, 4), zeros(1, 3, 4)]}),
    (NETWORK.evaluate, {"games": 1}, {"games": COUNTS}),
    (bitcade.tetris.placements, {"board": EMPTY, "piece": "T"}, {"board": TETRIS_BOARDS, "piece": PIECES}),
    (
        bitcade.tetris.bot,
        {"board": EMPTY, "queue": "TIO", "nodes": 10},
        {"board": TETRIS_BOARDS, "queue": PIECES, "hold": ["X"], "combo": [-1], "nodes": [-1]},
    ),
    (bitcade.tetris.control, {"pieces": 10}, {"pieces": COUNTS}),
    (
        bitcade.go.best_move,
        {"board": FIVE, "playouts": 1},
        {"board": [*GO_BOARDS, [[0] * 20] * 20], "komi": [0.3]},
    ),
    (bitcade.go.ownership, {"board": FIVE}, {"board": GO_BOARDS, "games": [2**32]}),
    (bitcade.go.playouts, {"games": 1}, {"games": COUNTS, "size": [-1, 0, 1, 20, 2**40, None]}),
    (
        bitcade.contest.solve,
        {"pieces": 2, "width": 1},
        {"pieces": [-1, 0, 10_001, 2**64, None, 1.5], "width": [-1, 0, None, 1.5]},
    ),
    (bitcade.contest.verify, {"record": ""}, {"record": ["x", "\0", None, 1, b"x", "tetris\n1\n"]}),
]


@pytest.mark.parametrize(("call", "good", "wrong"), CALLS, ids=range(len(CALLS)))
def test_arguments(call, good, wrong):
    # Each argument refuses the values of its type that none takes, and those of the table, mostly by its name.
    defaults = {name: one.default for name, one in inspect.signature(call).parameters.items()}
    tried = [(name, value) for name, default in defaults.items() for value in WRONG.get(type(default), [])]
    tried += [(name, value) for name, values in wrong.items() for value in values]
    for name, value in tried:
        with noted(f"{name}={value!r}"):
            text = refused(call, **{**good, name: value})
            assert name in text or not text.startswith("ValueError") or name in ("bytes", "record", "text")
            assert "missing" not in text and ("unexpected keyword" not in text or name == "unknown")


ACTIONS = [
    *(None, 1, "12", b"12", {}, ..., [], [1], [1, 2, 3], [[1, 2]]),
    *([1.0, 2.0], [math.nan, 1], [None, 1], ["1", "2"], [True, False], [2**70, 1], [-(2**40), 1]),
    *(np.zeros(2, kind) for kind in (float, np.bool_, np.complex64, "U1", object, "M8[s]")),
    *(np.zeros(shape, np.int32) for shape in ((2, 1), (), 3)),
    *(np.full(2, value).astype(kind) for kind, value in (("u8", 2**64 - 1), ("u4", 2**32 - 1), ("i1", -1))),
]
WHICH = [*(None, True, [], "ab", [1, 0], [True]), *(np.ones(shape, bool) for shape in ((), 3, (2, 1))), np.ones(2)]
INDICES = [-1, 2, 2**40, 2**64, 1.5, math.nan, None, "0", []]


def test_arguments_of_methods(game):
    games = make(game, 2)
    state = games.get_state(0)
    by_index = [games.get_state, games.render, games.board, lambda i: games.set_state(i, state), lambda i: games.final_obs([i])]
    calls = [
        (games.step, ACTIONS),
        (games.reset_some, WHICH),
        *((call, INDICES) for call in (*by_index, getattr(games, "lock_result", games.get_state))),
        (games.state_from_bytes, [b"x", None, "text"]),
    ]
    for call, values in calls:
        for value in values:
            with noted(repr(value)):
                text = refused(call, value)
                if call in by_index and value in (-1, 2):
                    assert text == f"IndexError: game {value}: expected one of 2, from 0"
                assert call != games.reset_some or ": which: expected a boolean mask" in text
    assert refused(games.final_obs, [1]) == "ValueError: no game has ended at index 1"


OUT = ("obs", "reward", "terminated", "truncated", "action_mask")


def wrong_outs(games):
    # Return invalid values of `out`, each with the beginning of its message.
    good = arrays(games)
    found = [
        *((f"expected a tuple of 5 arrays, found {kind}", out) for kind, out in (("int", 1), ("list", []), ("4", good[:4]))),
        *(("", out) for out in ((*good, good[0]), (None,) * 5)),
    ]
    for i, (name, array) in enumerate(zip(OUT, good, strict=True)):
        frozen = array.copy()
        frozen.flags.writeable = False
        wrong = [
            (f"expected an array of {array.dtype}, found list", array.tolist()),
            (f"expected shape {array.shape}, found {array[None].shape}", array[None]),
            *((f"expected dtype {array.dtype}, found {kind}", array.astype(kind)) for kind in ("object", ">f4")),
            *(("expected an array in C order", other) for other in (np.repeat(array, 2, axis=0)[::2], array[::-1])),
            ("the array is read-only", frozen),
        ]
        found += [(f"{name}: {message}", (*good[:i], value, *good[i + 1 :])) for message, value in wrong]
    # Two arrays over one buffer, unknown to NumPy.
    buffer = bytearray(4 * games.num_envs + 1)
    flags, points, shifted = (
        np.frombuffer(buffer, dtype, games.num_envs, offset)
        for dtype, offset in ((np.bool_, 0), (np.float32, 0), (np.float32, 1))
    )
    return [
        *found,
        ("reward and truncated share memory", (good[0], points, good[2], flags, good[4])),
        ("terminated and truncated share memory", (*good[:2], flags, flags, good[4])),
        ("reward: expected an aligned array", (good[0], shifted, *good[2:])),
    ]


def test_wrong_out_arrays_are_named_and_nothing_is_written(game):
    for dtype in ("uint8", "float32"):
        games = make(game, 6, seed=4, dtype=dtype)
        actions = games.sample().copy()
        for message, out in wrong_outs(games):
            written = [array for array in out if isinstance(array, np.ndarray)] if isinstance(out, tuple) else []
            given = snapshot(written)
            for text in (refused(games.step, actions, out), refused(games.random_step, out)):
                assert text.partition(": ")[2].startswith(f"out: {message}" if message else ""), message
            assert snapshot(written) == given, message


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16])
def test_actions_that_a_step_would_overwrite_are_refused(game, dtype):
    games = make(game, 16, seed=4)
    obs, _, *rest = arrays(games)
    reward = np.zeros(64, np.float32)
    actions = reward.view(dtype)[:16]
    actions[:] = games.sample()
    assert refused(games.step, actions, (obs, reward[:16], *rest)) == "ValueError: actions and reward share memory"
    of_mask = games.action_mask.reshape(-1)[:128].view(dtype)[:16]
    assert refused(games.step, of_mask) == "ValueError: actions and action_mask share memory"


STUCK = np.arange(16).reshape(4, 4) + 1


def test_what_calls_say():
    for call, arguments, expected in (
        (bitcade.go.Batch, {"num_envs": 1, "size": 8}, "size=8: expected one of [5, 7, 9, 13, 19]"),
        (bitcade.tetris.Batch, {"num_envs": 1, "garbage": (-1, 1)}, "garbage: pieces=-1: expected 1 to 4294967295"),
        (bitcade.tetris.placements, {"board": [[0] * 9], "piece": "T"}, "board: line 1, column 10: expected 10 cells, found 9"),
        (bitcade.g2048.Batch, {"num_envs": 1, "starts": [STUCK // 2, STUCK]}, "starts: board 1: no move is legal"),
    ):
        assert refused(call, **arguments).startswith(f"ValueError: {expected}")

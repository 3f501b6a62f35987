"""Every wrong argument is a Python exception of a usual kind, never a panic or a crash."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

import bitcade
import numpy as np
import pytest
from conftest import GAMES, arrays, make

#: The exceptions that say what's wrong with an argument. A Rust panic is none of them.
USUAL = (TypeError, ValueError, OverflowError, IndexError, MemoryError)

NO_NUMBERS = [1.5, math.nan, "1", None, {}, ...]
NUMBERS = [*NO_NUMBERS, -1, -(2**63), 2**32, 2**63, 2**64, 2**100, math.inf, b"1", []]
#: Numbers that no argument takes; a seed may be any integer that isn't negative.
SEEDS = [*NO_NUMBERS, -1, -(2**64), -(2**100), [1], [1, 2, 3], [1, -1], [1, -(2**70)], [1, None], ["a", "b"]]
NAMES = ["", "Raise", "x", 1, None, b"raise", [], "same_step\0"]


def refused(call: Callable[[], object]) -> None:
    """Check that a call raises one of the usual exceptions."""
    with pytest.raises(USUAL) as caught:
        call()
    # PyO3's PanicException is no Exception, but a subclass may become one.
    assert type(caught.value).__name__ != "PanicException"
    assert str(caught.value)


@pytest.mark.parametrize("value", [v for v in NUMBERS if v != 2**32] + [2**62, 10**15], ids=repr)
def test_numbers_of_games(game: str, value: object) -> None:
    cls, options = GAMES[game]
    refused(lambda: cls(value, **options))


@pytest.mark.parametrize("value", SEEDS, ids=repr)
def test_seeds(game: str, value: object) -> None:
    refused(lambda: make(game, 2, seed=value))
    games = make(game, 2)
    if value is not None:
        refused(lambda: games.reset(value))


def zeros(*shape: int) -> np.ndarray:
    """Return integers in an array of a shape, all 0."""
    return np.zeros(shape, int)


NO_STARTS = [1, "x"]
OPTIONS: dict[str, dict[str, list]] = {
    "2048": {
        "width": [*NUMBERS, 0, 1, 9],
        "height": [*NUMBERS, 0, 1, 9],
        "one_hot": [1, "yes", None],
        "starts": [
            *NO_STARTS,
            [],
            *(np.zeros(shape) for shape in ((3, 3), (2, 3, 3))),
            *(zeros(1, 3, width) for width in (3, 4)),
            *(np.array([[[cell] * 3] * 3]) for cell in (math.nan, -1, 256, 200, "a", object())),
            np.arange(9).reshape(1, 3, 3) + 1,
        ],
    },
    "match3": {
        "width": [*NUMBERS, 0, 17, 255],
        "height": [*NUMBERS, 0, 17, 255],
        "colors": [*NUMBERS, 0, 1, 16, 255, 256],
        "moves": [-1, 0, 2**32, 1.5, None, "1"],
        "one_hot": [1, "yes", None],
        "starts": [*NO_STARTS, *(zeros(1, 6, 6) + cell for cell in (0, 1, 99, 256, 1.0)), zeros(1, 6, 5) + 1],
    },
    "tetris": {
        "actions": [*NAMES, "drop"],
        "reward": [*NAMES, "points"],
        "hold": [1, "yes", None],
        "next": [*NUMBERS, 1000],
        "rows": [*NUMBERS, 0, 1000],
        "garbage": [1, (0, 1), (1,), (1, 2, 3), (-1, 1), (1, 2**32), "ab", (None, 1)],
        "second_spawn_row": [1, "yes", None],
        "starts": [
            *NO_STARTS,
            *(zeros(*shape) for shape in ((1, 20, 9), (1, 20, 11), (20, 10))),
            zeros(1, 100, 10) + 1,
            np.zeros((1, 20, 10)),
        ],
    },
    "go": {
        "size": [*NUMBERS, 0, 1, 20, 255],
        "komi": [math.nan, math.inf, -math.inf, 0.3, 1e300, None, "7.5"],
        "ko": [*NAMES, "none"],
        "suicide": [*NAMES, "no"],
        "starts": [*NO_STARTS, zeros(1, 5, 6), *(zeros(1, 5, 5) + cell for cell in (3, 255, -1, 0.0, 1))],
    },
}
SHARED = {
    "max_steps": [-1, 0, 2**32, 1.5, math.nan, "1", []],
    "autoreset": [*NAMES, "SameStep"],
    "on_illegal": NAMES,
    "num_threads": [-1, 0, 2**20, 2**62, 2**64, 1.5, None, "2"],
    "level": [*NAMES, "x86-64"],
    "unknown": [1],
}


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in OPTIONS for option in (*OPTIONS[name], *SHARED)]
)
def test_options(name: str, option: str) -> None:
    for value in OPTIONS[name].get(option, []) + SHARED.get(option, []):
        try:
            refused(lambda value=value: make(name, 2, **{option: value}))
        except BaseException as error:
            error.add_note(f"{option}={value!r}")
            raise


def test_start_color_of_go() -> None:
    start = np.zeros((1, 9, 9), int)
    for value in ("grey", "", None, 1):
        refused(lambda value=value: bitcade.Go(1, starts=start, start_color=value))


def test_positional_options_are_refused(game: str) -> None:
    cls, _ = GAMES[game]
    refused(lambda: cls())
    refused(lambda: cls(1, 2))


NO_LISTS = [None, 1, "12", b"12", {}, ...]
WRONG_PAIRS = [[1.0, 2.0], [math.nan, 1], [None, 1], ["1", "2"], [True, False], [2**70, 1], [-(2**40), 1]]
ACTIONS = [
    *NO_LISTS,
    *([], [1], [1, 2, 3], [[1, 2]]),
    *WRONG_PAIRS,
    *(np.zeros(2, kind) for kind in (float, np.bool_, np.complex64, "U1", object, "M8[s]")),
    *(np.zeros(shape, np.int32) for shape in ((2, 1), (), 3)),
    *(np.full(2, np.iinfo(kind).max, kind) for kind in (np.uint64, np.uint32)),
    *(np.full(2, -1, kind) for kind in (np.int32, np.int8)),
]


@pytest.mark.parametrize("actions", ACTIONS, ids=repr)
def test_actions(game: str, actions: object) -> None:
    games = make(game, 2)
    before = games.obs.copy()
    refused(lambda: games.step(actions))
    assert (games.obs == before).all() and (games.steps == 0).all()
    games.step(games.sample())


def test_read_only_and_strange_action_arrays_are_taken(game: str) -> None:
    games, twin = make(game, 2), make(game, 2)
    actions = games.sample().copy()
    twin.sample()
    actions.flags.writeable = False
    reversed_twice = actions[::-1].copy()[::-1]
    assert (games.step(actions)[0] == twin.step(reversed_twice)[0]).all()
    actions = games.sample().astype(">i8")
    twin.sample()
    assert (games.step(actions)[0] == twin.step(actions.astype("<i4"))[0]).all()


NAMES_OF_OUT = ("obs", "reward", "terminated", "truncated", "mask")


def wrong_outs(games) -> list[tuple[str, object]]:
    """Return wrong values of `out`, each with the pattern of its message."""
    good = arrays(games)
    found: list[tuple[str, object]] = [
        *(("", out) for out in (1, (), good[:4], (*good, good[0]), (1, 2, 3, 4, 5), (None,) * 5)),
        ("out: terminated and truncated share memory$", (*good[:3], good[2], good[4])),
    ]
    for i, name in enumerate(NAMES_OF_OUT):
        array = good[i]

        def put(value: object, i: int = i) -> tuple:
            return (*good[:i], value, *good[i + 1 :])

        dtype = r"(uint8|float32|bool)"
        found += [
            (f"out: {name}: expected an array of {dtype}, found list$", put(array.tolist())),
            (f"out: {name}: expected dtype {dtype}, found float64$", put(array.astype(np.float64))),
            (f"out: {name}: expected shape {shown(array.shape)}, found ", put(array[None])),
            (f"out: {name}: expected shape .*, found {shown((array.size, 1))}$", put(array.reshape(-1, 1))),
            (f"out: {name}: expected an array in C order", put(np.repeat(array, 2, axis=0)[::2])),
            (f"out: {name}: expected an array in C order", put(array[::-1])),
            *((f"out: {name}: expected shape ", put(array[:n])) for n in (0, 1)),
            (f"out: {name}: expected shape ", put(np.concatenate([array, array]))),
            *((f"out: {name}: expected dtype ", put(array.astype(kind))) for kind in ("i8", object, ">f4")),
        ]
        if array.ndim > 1:
            swapped = np.zeros(array.shape, array.dtype, order="F")
            found.append((f"out: {name}: expected an array in C order", put(swapped)))
        frozen = array.copy()
        frozen.flags.writeable = False
        found.append((f"out: {name}: the array is read-only$", put(frozen)))
    # Two arrays over one buffer, which NumPy itself doesn't see.
    buffer = bytearray(4 * games.num_envs)
    flags = np.frombuffer(buffer, np.bool_, games.num_envs)
    points = np.frombuffer(buffer, np.float32)
    shifted = np.frombuffer(bytearray(4 * games.num_envs + 1), np.float32, offset=1)
    found += [
        ("out: reward and truncated share memory$", (*good[:1], points, good[2], flags, good[4])),
        ("out: terminated and truncated share memory$", (*good[:2], flags, flags, good[4])),
        ("out: reward: expected an aligned array$", (good[0], shifted, *good[2:])),
    ]
    return found


def shown(shape: tuple) -> str:
    """Return the pattern of a shape in a message."""
    return str(shape).replace("(", r"\(").replace(")", r"\)")


def test_wrong_out_arrays_are_named_and_nothing_is_written(game: str) -> None:
    games = make(game, 6, seed=4)
    before, state = games.obs.copy(), games.steps.copy()
    actions = games.sample().copy()
    for message, out in wrong_outs(games):
        written = [array for array in out if isinstance(array, np.ndarray)] if isinstance(out, tuple) else []
        given = [array.copy() for array in written]
        for call in (lambda out=out: games.step(actions, out), lambda out=out: games.random_step(out)):
            with pytest.raises((TypeError, ValueError), match=message) as caught:
                call()
            assert "\n" not in str(caught.value) and str(caught.value)
        assert all((a == b).all() for a, b in zip(given, written, strict=True)), message
    assert (games.obs == before).all() and (games.steps == state).all()
    games.step(actions)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16])
def test_actions_that_a_step_would_overwrite_are_refused(game: str, dtype: type) -> None:
    games = make(game, 6, seed=4)
    out = arrays(games)
    size = np.dtype(dtype).itemsize
    whole = np.zeros(6 * size * 4, np.float32)
    inside = whole.view(dtype)[:6]
    inside[:] = games.sample()
    given = (out[0], whole[:6], *out[2:])
    with pytest.raises(ValueError, match="^actions and reward share memory$"):
        games.step(inside, given)
    with pytest.raises(ValueError, match="^actions and mask share memory$"):
        games.step(games.mask.reshape(-1)[: 6 * size].view(dtype))
    assert (games.steps == 0).all()


def test_own_arrays_that_were_spoiled(game: str) -> None:
    """The batch's own arrays belong to Python: a caller may make them read-only."""
    games = make(game, 2)
    games.obs.flags.writeable = False
    for call in (games.random_step, games.reset, lambda: games.step(games.sample())):
        refused(call)
    games.obs.flags.writeable = True
    games.random_step()


@pytest.mark.parametrize("index", [-1, 2, 2**40, 2**64, 1.5, math.nan, None, "0", []], ids=repr)
def test_indices(game: str, index: object) -> None:
    games = make(game, 2)
    state = games.get_state(0)
    refused(lambda: games.get_state(index))
    refused(lambda: games.set_state(index, state))
    refused(lambda: games.render(index))
    refused(lambda: games.final_obs([index]))
    if index != []:
        refused(lambda: games.final_obs(index))
    if hasattr(games, "lock_result"):
        refused(lambda: games.lock_result(index))


@pytest.mark.parametrize("state", [None, 1, b"", "state", ..., bitcade.State], ids=repr)
def test_no_states(game: str, state: object) -> None:
    refused(lambda: make(game, 2).set_state(0, state))


WHICH = [
    *(None, True, [], "ab", np.zeros((), bool)),
    *(np.ones(shape, bool) for shape in (1, 3, (2, 1))),
    *(np.ones(2, kind) for kind in (np.uint8, float)),
]


@pytest.mark.parametrize("which", WHICH, ids=repr)
def test_flags_of_resets(game: str, which: object) -> None:
    refused(lambda: make(game, 2).reset_some(which))


def test_states_are_made_by_batches_alone() -> None:
    refused(bitcade.State)
    refused(bitcade.g2048.Network)


NO_BOARDS = [None, 1, "ab", [1]]
WRONG_CELLS = [[[cell]] for cell in (-1, 256, 1.5, "a", None)]
BOARDS = [*NO_BOARDS, [[]], [], [[1, 2], [1]], *WRONG_CELLS, np.zeros((2, 2))]
NETWORK_BYTES = [b"", b"2048-net", bytes(1000), b"\xff" * 64, None, 1, "text", [1]]


def calls() -> list[tuple[str, Callable[[], object]]]:
    """Return wrong calls of the functions."""
    found: list[tuple[str, Callable[[], object]]] = []

    def add(function: Callable, *args: object, **kwargs: object) -> None:
        found.append((f"{function.__name__}-{len(found)}", lambda: function(*args, **kwargs)))

    bad_counts = [-1, 2**64, 1.5, None, "1"]
    bad_threads = [0, -1, 2**62, 1.5, None]
    for board in [*BOARDS, [[255]], [[1] * 65]]:
        add(bitcade.match3.swaps, board)
        add(bitcade.match3.hints, board)
    for count in bad_counts:
        add(bitcade.match3.evaluate, count)
        add(bitcade.g2048.playouts, count)
        add(bitcade.tetris.control, count)
        add(bitcade.go.playouts, count)
        add(bitcade.g2048.solve, count, 2)
    for threads in bad_threads:
        add(bitcade.match3.evaluate, 1, num_threads=threads)
        add(bitcade.g2048.playouts, 1, num_threads=threads)
        add(bitcade.g2048.Learner, num_threads=threads)
        add(bitcade.go.playouts, 1, num_threads=threads)
        add(bitcade.tetris.control, 10, num_threads=threads)
        add(bitcade.contest.solve, pieces=2, width=1, num_threads=threads)
        add(bitcade.go.best_move, [[0] * 5] * 5, playouts=1, num_threads=threads)
    for agent in NAMES:
        add(bitcade.match3.evaluate, 1, agent=agent)
    add(bitcade.match3.evaluate, 1, colors=0)
    add(bitcade.match3.evaluate, 1, width=17)
    add(bitcade.match3.evaluate, 1, moves=-1)
    for width, height in ((1, 4), (4, 9), (0, 0), (4, 4), (8, 8)):
        add(bitcade.g2048.solve, width, height)
    add(bitcade.g2048.playouts, 1, width=1)
    for data in NETWORK_BYTES:
        add(bitcade.g2048.Network.load, data)
        add(bitcade.g2048.Learner.load, data)
    for rate in (0, -1, 2, math.nan, math.inf, None, "1"):
        add(bitcade.g2048.Learner, learning_rate=rate)
    for board in [*BOARDS[:3], [[0] * 9], [[0] * 11], [[1] * 10] * 60, [[None] * 10], [["#"] * 10]]:
        add(bitcade.tetris.placements, board, "T")
        add(bitcade.tetris.bot, board, "TIO", nodes=10)
    for piece in ("", "X", "TT", None, 1):
        add(bitcade.tetris.placements, [[0] * 10], piece)
        add(bitcade.tetris.bot, [[0] * 10], piece if piece != "TT" else "TX", nodes=10)
    add(bitcade.tetris.bot, [[0] * 10], "T", hold="X", nodes=10)
    add(bitcade.tetris.bot, [[0] * 10], "T", combo=-1, nodes=10)
    add(bitcade.tetris.bot, [[0] * 10], "T", nodes=-1)
    for weights in ("", "x", None, 1):
        add(bitcade.tetris.control, 10, weights=weights)
    full_boards = [[[-1] * 5] * 5, [[1] * 5] * 5]
    for board in [*NO_BOARDS, [[]], [[3]], [[0] * 5] * 4, [[0] * 20] * 20, [[0]], *full_boards]:
        add(bitcade.go.best_move, board, playouts=1)
    for board in [*NO_BOARDS, [[]], [[3]], [[0] * 26] * 26, *full_boards]:
        add(bitcade.go.ownership, board, games=1)
    five = [[0] * 5] * 5
    for color in ("", "grey", None, 1):
        add(bitcade.go.best_move, five, to_move=color, playouts=1)
    for komi in (math.nan, math.inf, -math.inf, 1e300, None, "7"):
        add(bitcade.go.best_move, five, komi=komi, playouts=1)
    for size in (-1, 0, 1, 20, 2**40, None):
        add(bitcade.go.playouts, 1, size=size)
    add(bitcade.go.playouts, 1, suicide="x")
    for pieces in (-1, 0, 10_001, 2**64, None, 1.5):
        add(bitcade.contest.solve, pieces=pieces, width=1)
    for width in (-1, 0, None, 1.5):
        add(bitcade.contest.solve, pieces=1, width=width)
    for record in ("x", "\0", None, 1, b"x", "tetris\n1\n"):
        add(bitcade.contest.verify, record)
    return found


@pytest.mark.parametrize("call", [pytest.param(call, id=name) for name, call in calls()])
def test_functions(call: Callable[[], object]) -> None:
    refused(call)


@pytest.fixture(scope="module")
def network() -> bitcade.g2048.Network:
    """A network that has learned nothing: making one takes a second."""
    return bitcade.g2048.Learner().network()


WRONG_BOARDS = [None, 1, zeros(4, 4), zeros(1, 3, 4), *(zeros(1, 4, 4) + cell for cell in (0.0, 256, -1))]


@pytest.mark.parametrize("boards", WRONG_BOARDS, ids=str)
def test_boards_of_networks(boards: object, network: bitcade.g2048.Network) -> None:
    refused(lambda: network.actions(boards))
    refused(lambda: network.evaluate(-1))
    refused(lambda: network.evaluate(1, depth=-1))
    refused(lambda: network.evaluate(1, num_threads=0))


def said(call: Callable[[], object]) -> str:
    """Return kind and text of the exception that a call raises."""
    with pytest.raises(Exception) as caught:
        call()
    return f"{type(caught.value).__name__}: {caught.value}"


def test_numbers_beyond_their_range_name_the_argument(game: str) -> None:
    cls, options = GAMES[game]
    games = make(game, 2)

    def made(**more: object) -> str:
        return said(lambda: make(game, 2, **more))

    assert said(lambda: cls(-1, **options)) == "ValueError: num_envs=-1: expected 0 to 2**63 - 1"
    assert said(lambda: cls(2**63, **options)) == f"ValueError: num_envs={2**63}: expected 0 to 2**63 - 1"
    for steps in (-1, 0, 2**32, -(2**70)):
        assert made(max_steps=steps) == f"ValueError: max_steps={steps}: expected 1 to 4294967295"
    for threads in (-1, 0, 1025, 2**70):
        assert made(num_threads=threads) == f"ValueError: num_threads={threads}: expected 1 to 1024"
    for index in (-1, 2):
        expected = f"IndexError: game {index}: expected one of 2, from 0"
        state = games.get_state(0)
        for call in (games.get_state, games.render, lambda index: games.final_obs([0, index])):
            games.random_step()
            if call.__name__ != "<lambda>":
                assert said(lambda call=call, index=index: call(index)) == expected
        assert said(lambda index=index: games.final_obs([index])) == expected
        assert said(lambda index=index, state=state: games.set_state(index, state)) == expected
    assert said(lambda: games.get_state(2**64)).startswith("ValueError: game=18446744073709551616: expected")


def test_numbers_of_functions_name_the_argument() -> None:
    cases = [
        (lambda: bitcade.match3.hints([[300]]), "board: a cell is not within 0 to 255"),
        (lambda: bitcade.match3.swaps([[-1]]), "board: a cell is not within 0 to 255"),
        (lambda: bitcade.match3.evaluate(-1), "games=-1: expected 0 to 2**64 - 1"),
        (lambda: bitcade.match3.evaluate(1, moves=-1), "moves=-1: expected 1 to 4294967295"),
        (lambda: bitcade.match3.evaluate(1, seed=-1), "seed=-1: expected 0 to 2**64 - 1"),
        (lambda: bitcade.g2048.playouts(1, width=-1), "width=-1: expected 2 to 8"),
        (lambda: bitcade.go.playouts(1, size=-1), "size=-1: expected 5 to 19"),
        (lambda: bitcade.go.ownership([[0] * 5] * 5, games=2**32), "games=4294967296: expected 0 to 4294967295"),
        (lambda: bitcade.tetris.bot([[0] * 10], "T", nodes=-1), "nodes=-1: expected 0 to 2**64 - 1"),
        (lambda: bitcade.contest.solve(seed=-1), "seed=-1: expected 0 to 2**64 - 1"),
        (lambda: bitcade.Tetris(1, garbage=(-1, 1)), "garbage: pieces=-1: expected 1 to 4294967295"),
        (lambda: bitcade.Tetris(1, next=-1), "next=-1: expected 0 to 15"),
        (lambda: bitcade.Tetris(1, rows=0), "rows=0: expected 1 to 40"),
    ]
    for call, expected in cases:
        assert said(call) == f"ValueError: {expected}"
    # One range, on either side of it.
    for colors in (-1, 1, 2, 16, 99, 256):
        expected = f"ValueError: colors={colors}: expected 3 to 15"
        assert said(lambda colors=colors: bitcade.Match3(1, colors=colors)) == expected
        assert said(lambda colors=colors: bitcade.match3.evaluate(1, colors=colors)) == expected


@pytest.mark.parametrize("action", [-1, -(2**40), 2**40, 2**31 - 1])
def test_an_illegal_action_is_named_as_it_was_given(game: str, action: int) -> None:
    games = make(game, 3)
    expected = f"ValueError: game 1: action {action} is no legal move"
    listed = games.sample().tolist()
    listed[1] = action
    for kind in (list, tuple, np.int64, np.int32):
        if kind is np.int32 and abs(action) >= 2**31:
            continue
        actions = kind(listed) if kind in (list, tuple) else np.array(listed, kind)
        assert said(lambda actions=actions: games.step(actions)) == expected


def test_masks_of_resets_say_what_they_expect(game: str) -> None:
    games, twin = make(game, 2, seed=1), make(game, 2, seed=1)
    kind = "expected a boolean mask"
    assert said(lambda: games.reset_some(np.array([0, 1]))) == f"TypeError: which: {kind} of 2 games, found int64"
    assert said(lambda: games.reset_some([1, 0])) == f"TypeError: which: {kind} of 2 games, found int64"
    assert said(lambda: games.reset_some([True])) == f"ValueError: which: {kind} of shape (2,), found (1,)"
    for batch in (games, twin):
        batch.random_step()
    assert (games.reset_some([True, False])[0] == twin.reset_some(np.array([True, False]))[0]).all()
    assert games.steps.tolist() == [0, 1]


def test_starts_say_why_they_cannot_be_played() -> None:
    board = bitcade.Match3(1, seed=3, colors=5).obs[:, 0]
    run, color, dead = board.copy(), board.copy(), np.indices((1, 8, 8)).sum(axis=0) % 3 + 1
    run[0, 0, :3] = 1
    color[0, 7, 7] = 6
    cases = [
        (lambda: bitcade.Match3(1, colors=5, starts=np.stack([board[0], run[0]])), "board 1: three or more pieces"),
        (lambda: bitcade.Match3(1, colors=5, starts=color), "board 0: a cell isn't a plain piece of one"),
        (lambda: bitcade.Match3(1, starts=dead), "board 0: no swap is legal"),
        (lambda: bitcade.Game2048(1, width=2, height=2, starts=[[[1, 2], [2, 1]]]), "board 0: no move is legal"),
        (lambda: bitcade.Tetris(1, rows=40, starts=np.ones((1, 40, 10), int)), "board 0: no room for every piece"),
        (
            lambda: bitcade.Tetris(1, starts=np.ones((1, 20, 10), int), second_spawn_row=False),
            "board 0: no room for every piece",
        ),
    ]
    for call, expected in cases:
        assert said(call).startswith(f"ValueError: starts: {expected}")


def test_no_starts_at_all_are_refused() -> None:
    shapes = {"2048": (3, 3), "match3": (6, 6), "tetris": (20, 10), "go": (5, 5)}
    for name, shape in shapes.items():
        call = lambda name=name, shape=shape: make(name, 1, starts=np.zeros((0, *shape), int))  # noqa: E731
        assert said(call) == "ValueError: starts: expected at least one board"


def test_two_threads_on_one_batch() -> None:
    games = bitcade.Game2048(300_000)
    expected = "this Game2048 is in use by another thread: one call at a time"
    found: list[str] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                games.random_step()
                assert games.num_envs == 300_000
            except RuntimeError as error:
                found.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    deadline = time.monotonic() + 60
    while not found and time.monotonic() < deadline:
        try:
            games.random_step()
        except RuntimeError as error:
            found.append(str(error))
    stop.set()
    thread.join()
    assert set(found) == {expected}
    games.random_step()


def test_out_arrays_that_another_batch_is_writing() -> None:
    one, two = bitcade.Game2048(300_000), bitcade.Game2048(300_000)
    out = arrays(one)
    found: list[str] = []
    stop = threading.Event()

    def work(games: bitcade.Game2048) -> None:
        deadline = time.monotonic() + 60
        while not stop.is_set() and time.monotonic() < deadline:
            try:
                games.random_step(out)
            except ValueError as error:
                found.append(str(error))
                stop.set()

    threads = [threading.Thread(target=work, args=(games,)) for games in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found and set(found) == {"out: obs: the array is in use by another call"}


def test_one_game_of_gymnasium(game: str) -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")
    from bitcade.vector import BitcadeEnv

    name, options = game.split()[0], GAMES[game][1]
    env, twin = BitcadeEnv(name, **options), BitcadeEnv(name, **options)
    assert said(lambda: env.reset(options={"b": 1, "a": 2})) == (
        "ValueError: reset: no option is called a, b: there are none"
    )
    for one in (env, twin):
        one.reset(seed=1, options={})
    action = int(np.flatnonzero(env.action_masks())[0])
    for given in (np.array([action]), np.array(action), np.int64(action)):
        first, second = env.step(given), twin.step(action)
        assert (first[0] == second[0]).all() and first[1:4] == second[1:4]
        env.reset(seed=1)
        twin.reset(seed=1)
    for wrong in (np.array([0, 1]), np.array([0.0]), np.zeros(0, int), [0]):
        assert said(lambda wrong=wrong: env.step(wrong)).startswith("TypeError: ")
    state = env.get_state()
    env.close()
    env.close()
    calls = (
        env.reset,
        lambda: env.step(action),
        env.sample,
        env.action_masks,
        env.get_state,
        lambda: env.set_state(state),
        env.render,
    )
    for call in calls:
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="^the environment is closed$"):
            call()

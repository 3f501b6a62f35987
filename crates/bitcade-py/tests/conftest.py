"""What all tests share: small games, and ways to play, to compare and to refuse."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bitcade
import numpy as np
import pytest
from bitcade import _games
from games import SMALL

#: The environment of a process with the packages of this one.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

#: The classes with small arguments under which games end soon.
GAMES = {name: values[:2] for name, values in SMALL.items()}
ONE_HOT = [name for name, game in _games.GAMES.items() if game.from_one_hot is not None]

MODES = ("SameStep", "NextStep", "Disabled")

#: Seeds that NumPy takes, too: beyond 64 bits they are entropy.
LARGE_SEEDS = [2**64 - 1, 2**64, 2**127 + 5, 2**200, np.random.SeedSequence().entropy]

#: The exceptions that say what's wrong with an argument. A Rust panic is none of them.
USUAL = (TypeError, ValueError, OverflowError, IndexError, MemoryError)


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> str:
    """Every game in turn."""
    return request.param


@pytest.fixture
def best_level() -> Iterator[str]:
    """Let a test set the level: afterwards the best one is active."""
    bitcade.set_level("auto")
    yield bitcade.level()
    bitcade.set_level("auto")


def make(name: str, num_envs: int = 8, **options: Any) -> Any:
    """Create a small batch by the name of its game."""
    cls, arguments = GAMES[name]
    return cls(num_envs, **{**arguments, **options})


def small(name: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """Return game and options of a small environment."""
    return name.split()[0], {**GAMES[name][1], **options}


def run_python(code: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, where warnings are errors."""
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=timeout
    )


def arrays(batch: Any) -> tuple[np.ndarray, ...]:
    """Return new arrays for the `out` argument of a step."""
    n = batch.num_envs
    return (
        np.zeros((n, *batch.obs_shape), np.uint8),
        np.zeros(n, np.float32),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros((n, batch.num_actions), np.bool_),
    )


def snapshot(result: Any) -> tuple[bytes, ...]:
    """Return the bytes of a tuple of arrays."""
    return tuple(array.tobytes() for array in result)


def all_same(values: list[Any]) -> bool:
    """Return whether all values equal the first one."""
    return all(value == values[0] for value in values)


def copies(value: Any) -> list[Any]:
    """Return copies of an object by all usual means."""
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    return [copy.copy(value), copy.deepcopy(value), *pickled]


def refused(call: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """Return the exception that a call raises, one of the usual kinds, as one line of text."""
    with pytest.raises(USUAL) as caught:
        call(*arguments, **options)
    # PyO3's PanicException is no Exception, but a subclass may become one.
    assert caught.type.__name__ != "PanicException"
    assert str(caught.value) and "\n" not in str(caught.value)
    return f"{caught.type.__name__}: {caught.value}"


def check_batch(batch: Any, fresh: Any, places: list[int] | None = None) -> None:
    """Compare a batch's own arrays and boards with games set into another batch, `fresh`, one by one."""
    for place in range(batch.num_envs) if places is None else places:
        fresh.set_state(0, batch.get_state(place))
        assert (batch.obs[place] == fresh.obs[0]).all() and (batch.action_mask[place] == fresh.action_mask[0]).all()
        assert batch.render(place) == fresh.render(0) and batch.steps[place] == fresh.steps[0]


needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer's signal on this system")


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raise `KeyboardInterrupt` in the block after some time, as Control-C does."""
    armed = True

    def stop(*_: object) -> None:
        if armed:
            raise KeyboardInterrupt

    if not hasattr(signal, "setitimer"):
        # Windows: the other calls are tested there, too.
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def interruptions(call: Callable[[], object]) -> list[float]:
    """Return times at which to interrupt a call, in seconds: from its beginning to its end."""
    starts = [time.perf_counter()]
    for _ in range(3):
        call()
        starts.append(time.perf_counter())
    # The shortest: a busy machine may have been late.
    seconds = min(np.diff(starts))
    return [seconds * (i + 0.5) / 15 for i in range(15)]

"""Shared by all tests: small games, and helpers to play, to compare and to expect errors."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bitcade
import numpy as np
import pytest
from games import SMALL

#: The environment for child processes, with the packages of this one.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

#: The batch classes, each with arguments for small games that end soon.
GAMES = {name: values[:2] for name, values in SMALL.items()}
ONE_HOT = ["2048", "match3"]

MODES = ("SameStep", "NextStep", "Disabled")

#: Seeds that NumPy accepts, too; those beyond 64 bits are entropy.
LARGE_SEEDS = [2**64 - 1, 2**64, 2**127 + 5, 2**200, np.random.SeedSequence().entropy]


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> str:
    """Run a test for every game."""
    return request.param


@pytest.fixture
def best_level() -> Iterator[str]:
    """Restore the best ISA level after a test that sets it."""
    bitcade.set_level("auto")
    yield bitcade.level()
    bitcade.set_level("auto")


def make(name: str, num_envs: int = 8, **options: Any) -> Any:
    """Create a small batch by game name."""
    cls, arguments = GAMES[name]
    return cls(num_envs, **{**arguments, **options})


def small(name: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """Return the game and options for a small environment."""
    return name.split()[0], {**GAMES[name][1], **options}


def run_python(code: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run Python code in a separate process, with warnings as errors."""
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=timeout
    )


def arrays(batch: Any) -> tuple[np.ndarray, ...]:
    """Return new arrays for the `out` argument of a step."""
    n = batch.num_envs
    return (
        np.zeros((n, *batch.obs_shape), batch.dtype),
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


def copies(value: Any, shallow: bool = True) -> list[Any]:
    """Copy an object in every usual way: `copy` if it is `shallow`, `deepcopy`, pickling."""
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    return [*([copy.copy(value)] if shallow else []), copy.deepcopy(value), *pickled]


def refused(call: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """Check that a call raises a usual exception, not a Rust panic; return its type and message on one line."""
    with pytest.raises((TypeError, ValueError, OverflowError, IndexError, MemoryError)) as caught:
        call(*arguments, **options)
    assert str(caught.value) and "\n" not in str(caught.value)
    return f"{caught.type.__name__}: {caught.value}"


def check_batch(batch: Any, fresh: Any, places: list[int] | None = None) -> None:
    """Compare a batch's arrays and boards with its games restored one by one into another batch, `fresh`."""
    for place in range(batch.num_envs) if places is None else places:
        fresh.set_state(0, state := batch.get_state(place))
        assert (batch.obs[place] == fresh.obs[0]).all() and (batch.action_mask[place] == fresh.action_mask[0]).all()
        assert batch.render(place) == fresh.render(0) and batch.steps[place] == fresh.steps[0] == state.steps
        assert (batch.board(place) == state.board).all()


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raise `KeyboardInterrupt` in the block after some time, like Ctrl-C."""
    if not hasattr(signal, "setitimer"):
        # Windows: run the rest of the test without interrupts.
        yield
        return
    armed = True

    def stop(*_: object) -> None:
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

"""Shared by all tests: small games, and helpers to play, to compare and to expect errors."""

import copy
import os
import pickle
import signal
import subprocess
import sys
from contextlib import contextmanager

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
def game(request):
    return request.param


def make(name, num_envs=8, **options):
    cls, arguments = GAMES[name]
    return cls(num_envs, **{**arguments, **options})


def small(name, **options):
    return name.split()[0], {**GAMES[name][1], **options}


def run_python(code, *arguments, timeout=60):
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=timeout
    )


def arrays(batch):
    n = batch.num_envs
    return (
        np.zeros((n, *batch.obs_shape), batch.dtype),
        np.zeros(n, np.float32),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros((n, batch.num_actions), np.bool_),
    )


def snapshot(result):
    return tuple(array.tobytes() for array in result)


def all_same(values):
    return all(value == values[0] for value in values)


def copies(value):
    # Copy an object in every usual way.
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    return [copy.copy(value), copy.deepcopy(value), *pickled]


def refused(call, *arguments, **options):
    # Check that a call raises a usual exception, not a Rust panic; return its type and message on one line.
    with pytest.raises((TypeError, ValueError, OverflowError, IndexError, MemoryError)) as caught:
        call(*arguments, **options)
    assert str(caught.value) and "\n" not in str(caught.value)
    return f"{caught.type.__name__}: {caught.value}"


def check_batch(batch, fresh, places=None):
    # Compare a batch's arrays and boards with its games restored one by one into another batch, `fresh`.
    for place in range(batch.num_envs) if places is None else places:
        fresh.set_state(0, state := batch.get_state(place))
        assert (batch.obs[place] == fresh.obs[0]).all() and (batch.action_mask[place] == fresh.action_mask[0]).all()
        assert batch.render(place) == fresh.render(0) and batch.steps[place] == fresh.steps[0] == state.steps
        assert (batch.board(place) == state.board).all()


@contextmanager
def noted(text):
    # Add a note to what fails in the block.
    try:
        yield
    except BaseException as error:
        error.add_note(text)
        raise


@contextmanager
def interrupted(seconds):
    if not hasattr(signal, "setitimer"):
        # Windows: run the rest of the test without interrupts.
        yield
        return
    armed = True

    def stop(*_):
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

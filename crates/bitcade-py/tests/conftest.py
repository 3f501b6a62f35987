"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys

import bitcade
import numpy as np
import pytest

#: The environment of a process with the packages of this one.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

#: The raw classes with small arguments under which games end soon.
GAMES = {
    "2048": (bitcade.Game2048, {"width": 3, "height": 3}),
    "match3": (bitcade.Match3, {"width": 6, "height": 6, "colors": 4, "moves": 7}),
    "tetris": (bitcade.Tetris, {}),
    "tetris drops": (bitcade.Tetris, {"actions": "drops", "rows": 12, "next": 2, "hold": False}),
    "go": (bitcade.Go, {"size": 5, "max_steps": 40}),
}


def make(name: str, num_envs: int = 8, **options):
    """Create a small batch by the name of its game."""
    cls, arguments = GAMES[name]
    return cls(num_envs, **{**arguments, **options})


def run_python(code: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, where warnings are errors."""
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=timeout
    )


def arrays(batch):
    """Return new arrays for the `out` argument of a step."""
    n = batch.num_envs
    return (
        np.zeros((n, *batch.obs_shape), np.uint8),
        np.zeros(n, np.float32),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros((n, batch.num_actions), np.bool_),
    )


def snapshot(result):
    """Return the bytes of a tuple of arrays."""
    return tuple(array.tobytes() for array in result)


@pytest.fixture(params=list(GAMES))
def game(request) -> str:
    """Every game in turn."""
    return request.param

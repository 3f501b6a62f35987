"""What an action of Tetris leads to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Afterstates(NamedTuple):
    """What each legal action of a batch leads to, one row per action: those of game i are `offsets[i]:offsets[i + 1]`."""

    offsets: NDArray[np.int64]
    """Where each game's rows begin, and finally their number k: of shape (num_envs + 1,)."""
    actions: NDArray[np.int32]
    """The actions, ascending in each game: of shape (k,)."""
    boards: NDArray[np.uint8]
    """The visible rows after the lock and the clear, before the next piece and any garbage: of shape (k, rows, 10)."""
    reward: NDArray[np.float32]
    """The rewards, lines or attack as the batch's: of shape (k,)."""
    lines: NDArray[np.uint8]
    """The lines cleared: of shape (k,)."""
    features: NDArray[np.float32]
    """The features in the order of `FEATURES`: of shape (k, 9)."""

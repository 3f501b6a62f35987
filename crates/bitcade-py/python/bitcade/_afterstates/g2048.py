"""What an action of 2048 leads to."""

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
    """The boards after the slide, before the new tile, in ranks: of shape (k, height, width)."""
    reward: NDArray[np.float32]
    """The sums of the merged tiles: of shape (k,)."""

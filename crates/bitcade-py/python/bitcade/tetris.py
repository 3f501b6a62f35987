"""Tetris: the batch, placements with their key sequences, a bot, and controllers for simplified Tetris.

Boards are rows of ten cells, 0 or 1, top row first; missing rows above are empty.

`Batch`:

- Observation: the cells of the visible rows, top row first, then the current piece, the hold piece, the preview, combo
  and back-to-back.
- Actions: all placements (1,760 with hold), or only hard drops (80 with hold).
- Reward: lines cleared, or the attack.
- Terminated on top out; truncated after `max_episode_steps`.
- Afterstates: the visible rows after the lock and the clear of each legal action, and their features (`FEATURES`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._native import TetrisBatch as Batch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["FEATURES", "Afterstates", "Batch", "bot", "control", "placements"]

FEATURES = (
    "landing_height",
    "eroded_cells",
    "row_transitions",
    "column_transitions",
    "holes",
    "cumulative_wells",
    "hole_depth",
    "rows_with_holes",
    "pattern_diversity",
)
"""The names of the features of an afterstate, in their order: those of the controllers Dellacherie and DT-20.

The landing height is that of the middle of the piece. Eroded cells are the lines cleared times the cells of the piece in
them. The others describe the board after the clear: transitions between filled and empty along the rows of the field and
along the columns, walls and floor filled; empty cells below a filled one; the depths 1 + 2 + .. + d of each well; filled
cells above holes; rows with a hole; and how many of the height steps -2 to 2 occur between neighboring columns.
"""


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

"""The engine of match-3: swaps, hints and players.

Boards are rows of colors from 1, the top row first, with 0 for an empty cell. A swap is `(x, y, "H")` with
the cell to the right or `(x, y, "V")` with the cell below.

In a `Batch` an observation is (2, height, width): the board, and in every cell the moves left, 255 if there are more.
The actions are the pairs of neighbors, horizontal ones row by row, then vertical ones. The reward is the points of the
cascade. A game is terminated when the level's `moves` are spent, illegal ones that were ignored included, and truncated
after `max_episode_steps`.
"""

from ._native import Match3Batch as Batch
from ._native import match3_evaluate as evaluate
from ._native import match3_hints as hints
from ._native import match3_swaps as swaps

__all__ = ["Batch", "evaluate", "hints", "swaps"]

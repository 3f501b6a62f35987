"""Match-3: the batch, legal swaps, hints, and automatic players.

Boards are rows of colors counted from 1, top row first, with 0 for an empty cell. A swap is `(x, y, "H")` with the cell
to the right, or `(x, y, "V")` with the cell below.

`Batch`:

- Observation: (2, height, width): the board, and a plane filled with the number of moves left (at most 255). With
  `one_hot`, (colors + 1, height, width): plane k is 1 where the color is k + 1, and 0 elsewhere; the last plane is the
  moves left. With `channels="last"`, the planes are the last dimension. `dtype` is `uint8` or `float32`.
- Actions: all swaps of adjacent cells, first horizontal ones row by row, then vertical ones.
- Reward: the points of the whole cascade.
- Terminated when the level's `moves` are used up; ignored illegal actions count as moves. Truncated after
  `max_episode_steps`.
"""

from ._native import Match3Batch as Batch
from ._native import match3_evaluate as evaluate
from ._native import match3_hints as hints
from ._native import match3_swaps as swaps

__all__ = ["Batch", "evaluate", "hints", "swaps"]

"""2048: the batch, random playouts, an exact solver, and n-tuple networks that learn by self-play.

Boards are arrays of ranks: 0 for an empty cell, 1 for the tile 2, 2 for the tile 4 and so on.

`Batch`:

- Observation: the board, (height, width), the rank of each cell. With `one_hot`, (18, height, width): plane k is 1 where
  the rank is k, from 0 (empty) to 17 (the tile 131072 and larger ones), and 0 elsewhere; with `channels="last"`,
  (height, width, 18). `dtype` is `uint8` or `float32`.
- Actions: 0 left, 1 right, 2 up, 3 down.
- Reward: the sum of the merged tiles.
- Terminated when no move is legal; truncated after `max_episode_steps`.
- Afterstates: the boards after the slide of each legal action, before the new tile.
"""

from __future__ import annotations

from ._afterstates.g2048 import Afterstates
from ._native import Batch2048 as Batch
from ._native import Learner2048 as Learner
from ._native import Network2048 as Network
from ._native import playouts_2048 as playouts
from ._native import solve_2048 as solve

__all__ = ["Afterstates", "Batch", "Learner", "Network", "playouts", "solve"]

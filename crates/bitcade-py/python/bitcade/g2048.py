"""The engine of 2048: random games, exact solutions, and networks that learn by self-play.

Boards are arrays of ranks: 0 for an empty cell, 1 for the tile 2, 2 for the tile 4 and so on.

In a `Batch` an observation is the board, (height, width). The four actions are left, right, up and down. The reward is
the sum of the merged tiles. A game is terminated when no move is legal, and truncated after `max_episode_steps`.
"""

from ._native import Batch2048 as Batch
from ._native import Learner2048 as Learner
from ._native import Network2048 as Network
from ._native import playouts_2048 as playouts
from ._native import solve_2048 as solve

__all__ = ["Batch", "Learner", "Network", "playouts", "solve"]

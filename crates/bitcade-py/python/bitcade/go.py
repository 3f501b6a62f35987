"""The engine of Go: random games, expected owners of points, and the search for the best move.

Boards are rows of points, the top row first: 0 empty, 1 black, 2 white.

In a `Batch` an observation is six planes of (size, size): the player's stones, the opponent's, the points that ko
forbids, the last move, the one before, and 1 everywhere if Black is to move. An action is row x size + column from the
top left; the last one is the pass. The player who ends the game has the reward 1, -1 or 0. A game is terminated when
both players pass, and truncated after `max_episode_steps`, by default 2 x size x size, with the reward 0: of random
games on 9 x 9 about one in seven.
"""

from ._native import GoBatch as Batch
from ._native import go_best_move as best_move
from ._native import go_ownership as ownership
from ._native import go_playouts as playouts

__all__ = ["Batch", "best_move", "ownership", "playouts"]

"""The engine of Go: random games, expected owners of points, and the search for the best move.

Boards are rows of points, the top row first: 0 empty, 1 black, 2 white.
"""

from ._native import GoBatch as Batch
from ._native import go_best_move as best_move
from ._native import go_ownership as ownership
from ._native import go_playouts as playouts

__all__ = ["Batch", "best_move", "ownership", "playouts"]

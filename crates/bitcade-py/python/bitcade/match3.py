"""The engine of match-3: swaps, hints and players.

Boards are rows of colors from 1, the top row first, with 0 for an empty cell. A swap is `(x, y, "H")` with
the cell to the right or `(x, y, "V")` with the cell below.
"""

from ._native import Match3Batch as Batch
from ._native import match3_evaluate as evaluate
from ._native import match3_hints as hints
from ._native import match3_swaps as swaps

__all__ = ["Batch", "evaluate", "hints", "swaps"]

"""The engine of Tetris: placements with their keys, the bot, and controllers of simplified Tetris.

Boards are rows of ten cells, 0 or 1, the top row first; rows above those given are empty.
"""

from ._native import TetrisBatch as Batch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["Batch", "bot", "control", "placements"]

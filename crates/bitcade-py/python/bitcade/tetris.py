"""The engine of Tetris: placements with their keys, the bot, and controllers of simplified Tetris.

Boards are rows of ten cells, 0 or 1, the top row first; rows above those given are empty.

In a `Batch` an observation is the cells of the rows, the top row first, then the piece, the one on hold, the preview,
combo and back-to-back. The actions are all placements, 1,760 with hold, or hard drops, 80. The reward is the lines, or
the attack. A game is terminated when the stack tops out, and truncated after `max_episode_steps`.
"""

from ._native import TetrisBatch as Batch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["Batch", "bot", "control", "placements"]

"""Tetris: the batch, placements with their key sequences, a bot, and controllers for simplified Tetris.

Boards are rows of ten cells, 0 or 1, top row first; missing rows above are empty.

`Batch`:

- Observation: the cells of the visible rows, top row first, then the current piece, the hold piece, the preview, combo
  and back-to-back.
- Actions: all placements (1,760 with hold), or only hard drops (80 with hold).
- Reward: lines cleared, or the attack.
- Terminated on top out; truncated after `max_episode_steps`.
"""

from ._native import TetrisBatch as Batch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["Batch", "bot", "control", "placements"]

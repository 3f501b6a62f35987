"""Tetris: the batch, placements with their key sequences, a bot, and controllers for simplified Tetris.

Boards are rows of ten cells, 0 or 1, top row first; missing rows above are empty.

`Batch`:

- Observation: the cells of the visible rows, top row first, then the current piece, the hold piece, the preview, combo
  and back-to-back (and with `garbage` the lines pending), each count at most 255.
- With `planes`, (planes, rows, 10): the board; the current piece; its ghost, the cells where it lands if it drops
  straight from its spawn; the hold piece; each piece of the preview; then combo, back-to-back and with `garbage` the
  pending lines, the same number in every cell. A piece is 1 in its cells, drawn in the top two rows in the columns where
  it spawns, so that a convolution sees its shape; no piece is all 0. Needs `rows` of at least 2. With `channels="last"`,
  (rows, 10, planes).
- `dtype` is `uint8` or `float32`.
- Actions: all placements (1,760 with hold), or only hard drops (80 with hold).
- Reward: lines cleared, or the attack.
- Terminated on top out; truncated after `max_episode_steps`.
"""

from ._native import TetrisBatch as Batch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["Batch", "bot", "control", "placements"]

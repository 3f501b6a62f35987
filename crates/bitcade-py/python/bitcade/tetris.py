"""Tetris: the batch, placements with their key sequences, a bot, and controllers for simplified Tetris.

Boards are rows of ten cells, 0 or 1, top row first; missing rows above are empty.

`Batch`:

- Observation: the cells of the visible rows, top row first, then the current piece, the hold piece, the preview, combo
  and back-to-back.
- Actions: all placements (1,760 with hold), or only hard drops (80 with hold).
- Reward: lines cleared, or the attack.
- Terminated on top out; truncated after `max_episode_steps`.

`KeysBatch` is played key by key, in real time: a step taps one key and runs `frames` ticks of 1/60 s.

- Observation: four planes of 24 x 10 cells, each 0 or 1: locked cells, the piece in play, its landing, and rows of
  pieces and counters.
- Actions: no key, left, right, clockwise, counter-clockwise, soft drop, hard drop, hold.
- Reward: the guideline's points, lines cleared, or the attack.
- Terminated on top out or after `goal` lines; truncated after `max_episode_steps`.
"""

from ._native import TetrisBatch as Batch
from ._native import TetrisKeysBatch as KeysBatch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = ["Batch", "KeysBatch", "bot", "control", "placements"]

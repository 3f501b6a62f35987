"""Go: the batch, random playouts, ownership estimates, and a search for the best move.

Boards are rows of points, top row first: 0 empty, 1 black, 2 white.

`Batch`:

- Observation: six planes of (size, size): own stones, the opponent's stones, points forbidden by ko, the last move, the
  move before it, and 1 everywhere if Black is to move. With `history=h` from 1 to 8, 2 h + 1 planes: the own stones in
  the current position, after one move less, and so on, h planes; the opponent's stones likewise; then 1 everywhere if
  Black is to move. `history=8` has the 17 planes of AlphaGo Zero. Positions before the start of a game are empty. With
  `channels="last"`, (size, size, planes). `dtype` is `uint8` or `float32`.
- Actions: row x size + column from the top left; the last action is the pass.
- Reward: 0 until the end; then 1, -1 or 0 for the player who made the last move.
- Terminated when both players pass. Truncated after `max_episode_steps` (default 2 x size x size) with reward 0, which
  happens to about one in seven random games on 9x9.
"""

from ._native import GoBatch as Batch
from ._native import go_best_move as best_move
from ._native import go_ownership as ownership
from ._native import go_playouts as playouts

__all__ = ["Batch", "best_move", "ownership", "playouts"]

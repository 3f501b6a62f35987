"""Match-3: the batch, legal swaps, hints, and automatic players.

Boards are rows of colors counted from 1, top row first, with 0 for an empty cell. A swap is `(x, y, "H")` with the cell
to the right, or `(x, y, "V")` with the cell below.

`Batch`:

- Observation: (2, height, width): the board, and a plane filled with the number of moves left (at most 255). With
  `one_hot`, (colors + 1, height, width): plane k is 1 where the color is k + 1, and 0 elsewhere; the last plane is the
  moves left. With `channels="last"`, the planes are the last dimension. `dtype` is `uint8` or `float32`.
- Actions: the swaps of two neighbors. First the horizontal ones, y x (width - 1) + x, then the vertical ones,
  (width - 1) x height + y x width + x. `decode_action` and `encode_action` translate them.
- Reward: the points of the whole cascade: 10 for each cleared piece, times the level of the cascade (1 for the swap, 2
  for what falls together after it, and so on).
- Terminated when the level's `moves` are used up; illegal actions that don't raise count as moves. Truncated after
  `max_episode_steps`.

`LevelBatch` is played on level files, which `Level.load` reads: everything that they can say, except a limit of time.

- Observation: (13 + colors + goals, height, width). Planes 0 to 4: 1 for row, column, bomb, color and square pieces; 5:
  locks; 6: layers of ice; 7: layers of a crate; 8: items; 9: layers of jelly; 10: walls; 11: voids; 12: the number of
  moves left in every cell (at most 255); one of 0 and 1 per color; one per goal, in every cell the part left, from 255
  down to 0.
- Actions: as for `Batch`.
- Reward: the points of the move, with the level's bonus for moves left, and `goal_reward` for each goal that it reaches.
- Terminated when the game is over: all goals reached (`won()` tells), no move left, or a dead board that no shuffle brings
  to life. Illegal actions that don't raise are no moves. Truncated after `max_episode_steps`.

`playtest` plays thousands of games of a level by a player of the package or by your own bot, and reports how hard it is.
"""

from typing import Literal

from ._native import Level, LevelBatch, LevelGame, PlaytestReport
from ._native import Match3Batch as Batch
from ._native import match3_evaluate as evaluate
from ._native import match3_hints as hints
from ._native import match3_playtest as playtest
from ._native import match3_swaps as swaps

__all__ = [
    "Batch",
    "Level",
    "LevelBatch",
    "LevelGame",
    "PlaytestReport",
    "decode_action",
    "encode_action",
    "evaluate",
    "hints",
    "playtest",
    "swaps",
]


def decode_action(action: int, *, width: int = 8, height: int = 8) -> tuple[int, int, Literal["H", "V"]]:
    """Return the swap `(x, y, "H" or "V")` of an action on boards of this size.

    Raises:
        ValueError: There is no such action.
    """
    across = (width - 1) * height
    count = across + width * (height - 1)
    if not 0 <= action < count:
        raise ValueError(f"action {action}: expected 0 to {count - 1}")
    if action < across:
        y, x = divmod(int(action), width - 1)
        return x, y, "H"
    y, x = divmod(int(action) - across, width)
    return x, y, "V"


def encode_action(x: int, y: int, axis: Literal["H", "V"], *, width: int = 8, height: int = 8) -> int:
    """Return the action of a swap with the cell to the right (`H`) or below (`V`) on boards of this size.

    Raises:
        ValueError: There is no such swap.
    """
    if axis not in ("H", "V"):
        raise ValueError(f"axis={axis!r}: expected H or V")
    columns, rows = (width - 1, height) if axis == "H" else (width, height - 1)
    if not (0 <= x < columns and 0 <= y < rows):
        raise ValueError(f"swap ({x}, {y}, {axis}): expected x from 0 to {columns - 1} and y from 0 to {rows - 1}")
    return y * columns + x + (0 if axis == "H" else (width - 1) * height)

"""Tetris: the batch, placements with their key sequences, a bot, and controllers for simplified Tetris.

Boards are rows of ten cells, 0 or 1, top row first; missing rows above are empty.

`Batch`:

- Observation: the cells of the visible rows, top row first, then the current piece, the held piece, the preview (1 to 7
  for I O T S Z J L, 0 for none), combo and back-to-back; with `garbage` also the pending lines; each count at most 255.
- With `planes`, (planes, rows, 10): the board; the current piece; its ghost, the cells where it lands if it drops
  straight from its spawn; the held piece; each piece of the preview; then combo, back-to-back and with `garbage` the
  pending lines, the same number in every cell. A piece is 1 in its cells, drawn in the top two rows in the columns where
  it spawns, so that a convolution sees its shape; no piece is all 0. Needs `rows` of at least 2. With `channels="last"`,
  (rows, 10, planes).
- `dtype` is `uint8` or `float32`.
- Actions: with `placements` (orientation x 10 + column) x 22 + row, with `drops` orientation x 10 + column. The
  orientations are 0 north (as spawned), 1 east, 2 south, 3 west; column and row are those of the piece's center, from
  the lower left. The second half of the numbers (from 880, or 40) holds the piece first. `decode_action` and
  `encode_action` translate them.
- Reward: lines cleared, the attack, or the guideline's score of the clear on level 1.
- Terminated on top out; truncated after `max_episode_steps`.
- Afterstates: the visible rows after the lock and the clear of each legal action, and their features (`FEATURES`).

`KeysBatch` is played key by key, in real time: a step taps one key and runs `frames` ticks of 1/60 s.

- Observation: four planes of 24 x 10 cells, each 0 or 1: locked cells, the piece in play, its landing, and rows of
  pieces and counters.
- Actions: no key, left, right, clockwise, counterclockwise, soft drop, hard drop, hold, and a half turn if `rotation` has
  it.
- Reward: the guideline's points, lines cleared, or the attack.
- Terminated on top out or after `goal` lines; truncated after `max_episode_steps`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from ._afterstates.tetris import Afterstates
from ._native import TetrisBatch as Batch
from ._native import TetrisKeysBatch as KeysBatch
from ._native import tetris_bot as bot
from ._native import tetris_control as control
from ._native import tetris_placements as placements

__all__ = [
    "FEATURES",
    "Action",
    "Afterstates",
    "Batch",
    "KeysBatch",
    "bot",
    "control",
    "decode_action",
    "encode_action",
    "placements",
]

FEATURES = (
    "landing_height",
    "eroded_cells",
    "row_transitions",
    "column_transitions",
    "holes",
    "cumulative_wells",
    "hole_depth",
    "rows_with_holes",
    "pattern_diversity",
)
"""The names of the features of an afterstate, in their order: those of the controllers Dellacherie and DT-20.

The landing height is that of the middle of the piece. Eroded cells are the lines cleared times the cells of the piece in
them. The others describe the board after the clear: transitions between filled and empty along the rows of the field and
along the columns, walls and floor filled; empty cells below a filled one; the depths 1 + 2 + .. + d of each well; filled
cells above holes; rows with a hole; and how many of the height steps -2 to 2 occur between neighboring columns.
"""

#: Orientations in the order of the actions.
_ORIENTATIONS: tuple[Literal["north", "east", "south", "west"], ...] = ("north", "east", "south", "west")
_WIDTH, _ROWS = 10, 22


class Action(TypedDict):
    """An action: whether to hold first, and the orientation and center of the piece (`y` is `None` for a drop)."""

    hold: bool
    orientation: Literal["north", "east", "south", "west"]
    x: int
    y: int | None


def _rows(actions: str) -> int:
    if actions not in ("placements", "drops"):
        raise ValueError(f"actions={actions!r}: expected placements or drops")
    return _ROWS if actions == "placements" else 1


def decode_action(action: int, *, actions: Literal["placements", "drops"] = "placements") -> Action:
    """Return what an action of a batch means, in the words of `placements`.

    Raises:
        ValueError: There is no such action.
    """
    rows = _rows(actions)
    count = len(_ORIENTATIONS) * _WIDTH * rows
    if not 0 <= action < 2 * count:
        raise ValueError(f"action {action}: expected 0 to {2 * count - 1}")
    hold, way = divmod(int(action), count)
    place, row = divmod(way, rows)
    orientation, x = divmod(place, _WIDTH)
    return {
        "hold": bool(hold),
        "orientation": _ORIENTATIONS[orientation],
        "x": x,
        "y": row if actions == "placements" else None,
    }


def encode_action(
    orientation: Literal["north", "east", "south", "west"], x: int, y: int | None = None, *, hold: bool = False
) -> int:
    """Return the number of an action: a placement, or without `y` a drop.

    Args:
        orientation: As in `placements`, which names each set of cells by one orientation only.
        x: The column of the piece's center, 0 to 9.
        y: The row of the piece's center, 0 to 21 from the floor.
        hold: Whether to hold first.

    Raises:
        ValueError: There is no such action.
    """
    if orientation not in _ORIENTATIONS:
        raise ValueError(f"orientation={orientation!r}: expected north, east, south or west")
    if not 0 <= x < _WIDTH:
        raise ValueError(f"x={x}: expected 0 to {_WIDTH - 1}")
    if y is not None and not 0 <= y < _ROWS:
        raise ValueError(f"y={y}: expected 0 to {_ROWS - 1}")
    rows, row = (1, 0) if y is None else (_ROWS, y)
    return ((hold * len(_ORIENTATIONS) + _ORIENTATIONS.index(orientation)) * _WIDTH + x) * rows + row

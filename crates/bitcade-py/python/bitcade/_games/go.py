"""Go: the board with its stones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import go
from .entry import Color, Game, channels_first, disc, expect, text_width, write

_BOARD: Color = (220, 179, 92)
_LINE: Color = (60, 45, 20)
_PLAYERS = ("White (O)", "Black (X)")
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


Parts = tuple[np.ndarray, np.ndarray, bool]


def _parts(planes: np.ndarray, rows: int, garbage: bool) -> Parts:
    """Return the points (0 empty, 1 black, 2 white), the place of the last stone, and whether Black is to move."""
    is_square = planes.ndim == 3 and planes.shape[1] == planes.shape[2]
    # All other layouts have an odd number of planes.
    expect(is_square and (len(planes) == 6 or len(planes) % 2 == 1), planes, "(6 or 2 history + 1, size, size)")
    history = len(planes) // 2 if len(planes) != 6 else 0
    own, opponent, black_moves = planes[0], planes[history or 1], bool(planes[-1].any())
    last = planes[3] if history == 0 else np.zeros_like(own)
    if history > 1:
        placed = opponent & ~planes[history + 1] & 1
        # The first of a game with a start board has no position before it.
        last = placed if placed.sum() == 1 else last
    black, white = (own, opponent) if black_moves else (opponent, own)
    return black + 2 * white, last, black_moves


def opponents_view(obs: np.ndarray, history: int, channels: str) -> np.ndarray:
    """Return the observation of the player not to move, for whom no point is forbidden by ko."""
    view = obs.copy()
    planes, new = channels_first(obs, channels), channels_first(view, channels)
    half = history or 1
    new[:half], new[half : 2 * half] = planes[half : 2 * half], planes[:half]
    if not history:
        new[2] = 0
    return view


def _text(parts: Parts, color: bool) -> str:
    points, last, black_moves = parts
    size = len(points)
    letters = "   " + " ".join(_COLUMNS[:size])
    lines = [letters]
    for y in range(size):
        line = f"{size - y:>2}"
        for x in range(size):
            # Parentheses in the gaps around a stone mark the last move.
            left = "(" if last[y, x] else ")" if x > 0 and last[y, x - 1] else " "
            line += left + ".XO"[points[y, x]]
        lines.append(line + (")" if last[y, size - 1] else " ") + f"{size - y}")
    lines += [letters, f"{_PLAYERS[black_moves]} to move"]
    return "\n".join(lines)


def _hoshi(size: int) -> list[int]:
    """Return the lines on which star points lie."""
    if size < 7:
        return [size // 2] if size % 2 else []
    edge = 2 if size < 13 else 3
    return sorted({edge, size - 1 - edge} | ({size // 2} if size % 2 else set()))


@cache
def _grid(size: int, side: int) -> np.ndarray:
    image = np.full((size * side, size * side, 3), _BOARD, np.uint8)
    first, last = side // 2, size * side - side + side // 2
    for line in range(size):
        at = first + line * side
        image[at, first : last + 1] = image[first : last + 1, at] = _LINE
    for y in _hoshi(size):
        for x in _hoshi(size):
            if size >= 13 or (y == size // 2) == (x == size // 2):
                image[y * side : (y + 1) * side, x * side : (x + 1) * side][disc(side, 2.6)] = _LINE
    return image


@cache
def _coordinates(size: int, side: int, edge: int) -> np.ndarray:
    """Return a board of coordinates, with an edge of `edge` pixels around the grid."""
    whole = size * side + 2 * edge
    image = np.full((whole, whole, 3), _BOARD, np.uint8)
    for line in range(size):
        middle = edge + line * side + side // 2
        for text, x, y in (
            *((_COLUMNS[line], middle, place) for place in (edge // 2, whole - edge // 2)),
            *((str(size - line), place, middle) for place in (edge // 2, whole - edge // 2)),
        ):
            write(image, text, x - text_width(text, 2) // 2, y - 5, _LINE)
    return image


def _rgb_array(parts: Parts) -> np.ndarray:
    points, last, _ = parts
    size, side, edge = len(points), 25, 20
    whole = _coordinates(size, side, edge).copy()
    image = whole[edge:-edge, edge:-edge]
    image[:] = _grid(size, side)
    stones: dict[int, tuple[Any, Any]] = {
        1: ((25, 25, 28), (250, 250, 250)),
        2: ((245, 245, 240), (30, 30, 30)),
    }
    for y, x in np.argwhere(points).tolist():
        stone, mark = stones[int(points[y, x])]
        square = image[y * side : (y + 1) * side, x * side : (x + 1) * side]
        square[disc(side, 11.5)] = (90, 70, 40)
        square[disc(side, 10.8)] = stone
        if last[y, x]:
            square[disc(side, 6) & ~disc(side, 4)] = mark
    return whole


GAME = Game(
    name="go",
    batch=go.Batch,
    envs={f"Go-{n}x{n}": {"size": n} for n in (5, 9, 13, 19)},
    parts=_parts,
    text=_text,
    rgb_array=_rgb_array,
    page=(246, 240, 228),
    status=lambda parts: f"{_PLAYERS[parts[2]].split()[0]} to move",
)

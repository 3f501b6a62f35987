"""Match-3 on level files: gems with marks for what else a cell has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import match3
from .entry import BACKGROUND, WHITE, Game, disc, expect, painted, pick, tiled
from .match3 import _GEMS, _gem_sprites

#: Planes of an observation; those of the kinds of special pieces come first, those of the colors and the goals last.
_LOCK, _ICE, _CRATE, _ITEM, _JELLY, _WALL, _VOID, _MOVES, _COLORS = range(5, 14)
_MARKS = " -|*@+"
#: Cells without a piece, by the number in `LevelBatch.board` divided by 16.
_THINGS = ".#_ci"

_LEVEL = """
version = 1
name = "Terrace"
colors = 5
moves = 25
falls = "diagonal"
goals = [{ jelly = "all" }, { color = 1, count = 25 }]
pieces = '''
????????
????????
???##???
????????
??????c?
?c??????
????????
_??????_
'''
jelly = '''
........
........
........
..1111..
..1221..
..1111..
........
........
'''
ice = '''
........
........
........
........
1......1
........
........
........
'''

[legend]
c = { crate = 1 }
"""


def _parts(obs: np.ndarray, rows: int, garbage: bool) -> tuple[np.ndarray, int, list[int], np.ndarray]:
    """Return the numbers of the cells, as `LevelBatch.board` does, the moves left, the goals, and the layers of jelly."""
    expect(obs.ndim == 3 and len(obs) > _COLORS, obs, "(13 + colors + goals, height, width)")
    planes = obs[_COLORS:]
    # The plane of a goal has one value. No color fills a board.
    is_goal = (planes == planes[:, :1, :1]).all(axis=(1, 2))
    colors = np.where(is_goal[:, None, None], 0, planes)
    cells = np.tensordot(np.arange(1, len(colors) + 1), colors, 1)
    cells += np.tensordot([16, 32, 48, 64, 80], obs[:_LOCK].astype(int), 1)
    cells += 128 * ((obs[_LOCK] > 0) | (obs[_ICE] > 0))
    cells += np.tensordot([16, 32, 48, 64], (obs[[_WALL, _VOID, _CRATE, _ITEM]] > 0).astype(int), 1)
    goals = planes[is_goal, 0, 0]
    return cells, int(obs[_MOVES, 0, 0]), goals[goals > 0].tolist(), obs[_JELLY]


def _text(parts: tuple[np.ndarray, int, list[int], np.ndarray], color: bool) -> str:
    lines = []
    for row in parts[0].tolist():
        cells = []
        for cell in row:
            gem, kind = cell & 15, cell >> 4 & 7
            piece = ".123456789ABCDEF"[gem] if gem else _THINGS[kind]
            text = f"{'!' if cell & 128 else ' '}{piece}{_MARKS[kind] if gem else ' '}"
            cells.append(painted(text, pick(_GEMS, gem), BACKGROUND) if color and gem else text)
        lines.append("".join(cells) if color else "".join(cells).rstrip())
    return "\n".join(lines)


@cache
def _sprites() -> np.ndarray:
    """Return the cell sprites by number."""
    gems = _gem_sprites()
    side = gems.shape[1]
    bars = np.zeros((2, side, side), bool)
    bars[0, side // 2 - 2 : side // 2 + 2] = bars[1, :, side // 2 - 2 : side // 2 + 2] = True
    square = np.zeros((side, side), bool)
    square[side // 2 - 5 : side // 2 + 5, side // 2 - 5 : side // 2 + 5] = True
    marks = [*bars, disc(side, 7) & ~disc(side, 4), bars[0] | bars[1] | disc(side, 5), square]
    sprites = np.zeros((256, side, side, 3), np.uint8)
    for number, sprite in enumerate(sprites):
        gem, kind = number & 15, number >> 4 & 7
        sprite[:] = gems[gem]
        if gem and 1 <= kind <= 5:
            sprite[marks[kind - 1] & disc(side, 11)] = BACKGROUND if gem in (4, 7) else WHITE
        if number & 128:
            sprite[2:-1, [2, 3, -3, -2]] = sprite[[2, 3, -3, -2], 2:-1] = WHITE
    # Walls, crates, items and voids.
    sprites[[16, 48, 64], 1:, 1:], sprites[32] = (110, 115, 128), BACKGROUND
    for number, fill in ((48, (133, 94, 66)), (64, (60, 64, 76))):
        sprites[number, 3:-2, 3:-2] = fill
    sprites[64, disc(side, 8)] = WHITE
    return sprites


def _image(parts: tuple[np.ndarray, int, list[int], np.ndarray]) -> np.ndarray:
    image, side = tiled(_sprites(), parts[0]), _sprites().shape[1]
    for y, x in zip(*np.nonzero(parts[3]), strict=True):
        cell = image[y * side : (y + 1) * side, x * side : (x + 1) * side]
        # A frame, thicker with more layers.
        width = min(1 + int(parts[3][y, x]), 4)
        cell[:width], cell[-width:] = (222, 110, 190), (222, 110, 190)
        cell[:, :width], cell[:, -width:] = (222, 110, 190), (222, 110, 190)
    return image


def _status(parts: tuple[np.ndarray, int, list[int], np.ndarray]) -> str:
    _, left, goals, _ = parts
    text = f"{left} move{'' if left == 1 else 's'} left"
    return text + "".join(f"  goal {100 - -(-100 * goal // 255)}%" for goal in goals)


def _bounds(_low: np.ndarray, high: np.ndarray, options: Mapping[str, Any]) -> None:
    level = options["level"]
    level = match3.Level.parse(level) if isinstance(level, str) else level
    high[[_ICE, _CRATE, _JELLY]] = 9
    high[_MOVES] = min(level.moves, 255)
    high[_COLORS + level.colors :] = 255


GAME = Game(
    name="match3-level",
    batch=match3.LevelBatch,
    envs={"Match3-Level": {"level": _LEVEL}},
    bounds=_bounds,
    parts=_parts,
    text=_text,
    rgb_array=_image,
    page=(16, 17, 22),
    status=_status,
)

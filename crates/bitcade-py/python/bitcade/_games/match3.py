"""Match-3: gems."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import match3
from .entry import BACKGROUND, Color, Game, disc, expect, painted, pick, tiled

#: Gem colors by cell value; 0 is an empty cell.
_GEMS: tuple[Color, ...] = (
    BACKGROUND, (231, 76, 60), (46, 204, 113), (52, 152, 219), (241, 196, 15), (155, 89, 182),
    (230, 126, 34), (236, 240, 241), (26, 188, 156), (233, 30, 140), (121, 85, 72), (139, 195, 74),
    (63, 81, 181), (255, 171, 145), (0, 131, 143), (158, 157, 36),
)  # fmt: skip


def _parts(obs: np.ndarray, rows: int, garbage: bool) -> tuple[np.ndarray, int | None]:
    """Return the board and the moves left, which a bare board doesn't say."""
    expect(obs.ndim == 2 or (obs.ndim == 3 and len(obs) not in (0, 1, 3)), obs, "(2, height, width) or (colors + 1, height, width)")
    if obs.ndim == 2:
        return obs, None
    return obs[0] if len(obs) == 2 else obs[:-1].argmax(axis=0) + 1, int(obs[-1, 0, 0])


def _text(parts: tuple[np.ndarray, int | None], color: bool) -> str:
    names = ".123456789ABCDEF"
    lines = []
    for row in parts[0].tolist():
        cells = [names[min(cell, 15)] for cell in row]
        if color:
            cells = [
                painted(f" {c} ", pick(_GEMS, i), BACKGROUND) for c, i in zip(cells, row, strict=True)
            ]
        lines.append("".join(cells))
    return "\n".join(lines)


@cache
def _gem_sprites() -> np.ndarray:
    side = 32
    sprites = np.full((len(_GEMS), side, side, 3), BACKGROUND, np.uint8)
    sprites[:, 0] = sprites[:, :, 0] = (45, 48, 58)
    for sprite, gem in zip(sprites[1:], _GEMS[1:], strict=True):
        sprite[disc(side, 12.5)] = [value // 2 for value in gem]
        sprite[disc(side, 11)] = gem
    return sprites


def _status(parts: tuple[np.ndarray, int | None]) -> str:
    moves = parts[1]
    return "" if moves is None else f"{moves} move{'' if moves == 1 else 's'} left"


def _bounds(low: np.ndarray, high: np.ndarray, options: Mapping[str, Any]) -> None:
    if not options.get("one_hot"):
        low[0] = 1
        high[0] = options.get("colors", 6)
    # Every cell of the last plane is the number of moves left.
    high[-1] = min(options.get("moves", 30), 255)


GAME = Game(
    name="match3",
    batch=match3.Batch,
    envs={"Match3-8x8-6c": {"width": 8, "height": 8, "colors": 6}},
    bounds=_bounds,
    parts=_parts,
    text=_text,
    rgb_array=lambda parts: tiled(_gem_sprites(), parts[0]),
    page=(16, 17, 22),
    status=_status,
)

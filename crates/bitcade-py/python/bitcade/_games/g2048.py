"""2048: tiles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import g2048
from .entry import DARK, WHITE, Color, Game, expect, painted, pick, text_width, tiled, write

#: Tile colors by rank; higher ranks use the last color.
_TILES: tuple[Color, ...] = (
    (205, 193, 180), (238, 228, 218), (237, 224, 200), (242, 177, 121), (245, 149, 99), (246, 124, 95),
    (246, 94, 59), (237, 207, 114), (237, 204, 97), (237, 200, 80), (237, 197, 63), (237, 194, 46),
    (60, 58, 50),
)  # fmt: skip


def _ranks(obs: np.ndarray, rows: int, garbage: bool) -> np.ndarray:
    """Return the board of an observation."""
    is_one_hot = obs.ndim == 3 and len(obs) == 18
    expect(obs.ndim == 2 or is_one_hot, obs, "(height, width) or (18, height, width)")
    return obs.argmax(axis=0) if is_one_hot else obs


def _text(ranks: np.ndarray, color: bool) -> str:
    width = max(len(str(2 ** int(ranks.max(initial=0)))), 4) + 1
    lines = []
    for row in ranks.tolist():
        cells = [(str(2**rank) if rank else ".").rjust(width) for rank in row]
        if color:
            cells = [
                painted(cell, pick(_TILES, rank), DARK if rank < 3 else WHITE)
                for cell, rank in zip(cells, row, strict=True)
            ]
        lines.append("".join(cells))
    return "\n".join(lines)


@cache
def _tile_sprites() -> np.ndarray:
    """Return the tile sprites for all 256 ranks."""
    side, gap = 44, 3
    sprites = np.full((256, side, side, 3), (187, 173, 160), np.uint8)
    for rank in range(256):
        sprites[rank, gap:-gap, gap:-gap] = pick(_TILES, rank)
        # Numbers from 2^18 up don't fit: show the exponent instead.
        digits = str(2**rank) if rank < 18 else str(rank)
        scale = max(1, min(4, (side - 2 * gap - 2) // (4 * len(digits) - 1)))
        x, y = (side - text_width(digits, scale)) // 2, (side - 5 * scale) // 2
        if rank:
            write(sprites[rank], digits, x, y, DARK if rank < 3 else WHITE, scale)
    return sprites


def _bounds(_low: np.ndarray, high: np.ndarray, options: Mapping[str, Any]) -> None:
    if not options.get("one_hot"):
        # From a regular start, ranks can't exceed cells + 1. A custom start board may have any tile.
        high[:] = 255 if options.get("starts") is not None else high.size + 1


GAME = Game(
    name="2048",
    batch=g2048.Batch,
    envs={f"2048-{n}x{n}": {"width": n, "height": n} for n in (3, 4, 5)},
    bounds=_bounds,
    parts=_ranks,
    text=_text,
    rgb_array=lambda ranks: tiled(_tile_sprites(), ranks),
    page=(250, 248, 239),
)

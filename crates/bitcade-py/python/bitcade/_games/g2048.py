"""2048: tiles."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import g2048
from .entry import DARK, WHITE, Color, Game, painted, pick, tiled

#: Tile colors by rank; higher ranks use the last color.
_TILES: tuple[Color, ...] = (
    (205, 193, 180), (238, 228, 218), (237, 224, 200), (242, 177, 121), (245, 149, 99), (246, 124, 95),
    (246, 94, 59), (237, 207, 114), (237, 204, 97), (237, 200, 80), (237, 197, 63), (237, 194, 46),
    (60, 58, 50),
)  # fmt: skip

#: A 3x5 pixel font for digits: five rows of three bits.
_DIGITS = (
    (7, 5, 5, 5, 7), (2, 6, 2, 2, 7), (7, 1, 7, 4, 7), (7, 1, 7, 1, 7), (5, 5, 7, 1, 1),
    (7, 4, 7, 1, 7), (7, 4, 7, 5, 7), (7, 1, 1, 1, 1), (7, 5, 7, 5, 7), (7, 5, 7, 1, 7),
)  # fmt: skip


def _text(ranks: np.ndarray, color: bool, rows: int) -> str:
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
        width, height = scale * (4 * len(digits) - 1), scale * 5
        x, y = (side - width) // 2, (side - height) // 2
        for digit in digits if rank else "":
            for row, bits in enumerate(_DIGITS[int(digit)]):
                for column in range(3):
                    if bits >> (2 - column) & 1:
                        top, left = y + row * scale, x + column * scale
                        front = DARK if rank < 3 else WHITE
                        sprites[rank, top : top + scale, left : left + scale] = front
            x += 4 * scale
    return sprites


def _bounds(_low: np.ndarray, high: np.ndarray, options: dict[str, Any]) -> None:
    if not options.get("one_hot"):
        # From a regular start, ranks can't exceed cells + 1. A custom start board may have any tile.
        high[:] = 255 if options.get("starts") is not None else high.size + 1


GAME = Game(
    name="2048",
    batch=g2048.Batch,
    envs={f"2048-{n}x{n}": {"width": n, "height": n} for n in (3, 4, 5)},
    bounds=_bounds,
    text=_text,
    rgb_array=lambda ranks, _rows: tiled(_tile_sprites(), ranks),
    from_one_hot=lambda planes: planes.argmax(axis=0).astype(np.uint8),
)

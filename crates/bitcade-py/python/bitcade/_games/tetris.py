"""Tetris: the board and the upcoming pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from .. import tetris
from .entry import BACKGROUND, DARK, WHITE, Color, Game, expect, painted, tiled, write

#: Piece colors in the order I, O, T, S, Z, J, L; index 0 is no piece.
_PIECE_COLORS: tuple[Color, ...] = (
    BACKGROUND, (0, 188, 212), (241, 196, 15), (155, 89, 182), (46, 204, 113), (231, 76, 60), (52, 104, 219),
    (230, 126, 34),
)  # fmt: skip
_PIECE_NAMES = "-IOTSZJL"
#: Each piece's cells in spawn orientation as (column, row) in a 4x2 box, top row first.
_PIECE_CELLS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 1), (1, 1), (2, 1), (3, 1)),
    ((1, 0), (2, 0), (1, 1), (2, 1)),
    ((1, 0), (0, 1), (1, 1), (2, 1)),
    ((1, 0), (2, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1), (2, 1)),
    ((0, 0), (0, 1), (1, 1), (2, 1)),
    ((2, 0), (0, 1), (1, 1), (2, 1)),
)
_LOCKED: Color = (150, 155, 165)
_PAGE: Color = (16, 17, 22)
_WALL: Color = (110, 115, 128)


Parts = tuple[np.ndarray, list[int], list[int]]


def _parts(obs: np.ndarray, rows: int, garbage: bool) -> Parts:
    """Split an observation into board, pieces (current, held, next ..), and combo, back-to-back and pending garbage."""
    counts = 3 if garbage else 2
    if obs.ndim == 3:
        expect(len(obs) >= 4 + counts and obs.shape[2] == 10, obs, "(planes, rows, 10)")
        # Plane 2 is the ghost.
        pieces = [_piece(obs[1]), *map(_piece, obs[3:-counts])]
        return obs[0], pieces, obs[-counts:, 0, 0].tolist()
    expect(obs.ndim == 1, obs, "(cells,) or (planes, rows, 10)")
    if len(obs) < rows * 10 + 2 + counts:
        raise ValueError(f"rows={rows}: the observation has {len(obs)} bytes")
    pieces = [min(piece, 7) for piece in obs[rows * 10 : -counts].tolist()]
    return obs[: rows * 10].reshape(rows, 10), pieces, obs[-counts:].tolist()


def _piece(plane: np.ndarray) -> int:
    """Return the number of the piece drawn in a plane, 0 for none."""
    cells = {(x - 3, y) for y, x in np.argwhere(plane).tolist()}
    return next((piece for piece, drawn in enumerate(_PIECE_CELLS) if set(drawn) == cells), 0)


def _status(parts: Parts) -> str:
    names = ("combo", "B2B", "garbage")
    return "  ".join(f"{name} {count}" for name, count in zip(names, parts[2], strict=False) if count)


def well(board: np.ndarray, cells: Sequence[str], pieces: list[int], counts: list[int], color: bool) -> str:
    """Return a game as text, given the text of each kind of cell."""
    names = [_PIECE_NAMES[piece] for piece in pieces]
    if color:
        names = [painted(f" {n} ", _PIECE_COLORS[p], WHITE) for n, p in zip(names, pieces, strict=True)]
    labels = ("combo", "back-to-back", "garbage")
    return "\n".join(
        [
            f"piece {names[0]}  hold {names[1]}  next {' '.join(names[2:]) or '-'}",
            "  ".join(f"{label} {count}" for label, count in zip(labels, counts, strict=False)),
            *("|" + "".join(cells[cell] for cell in row) + " |" for row in board.tolist()),
            "+" + "-" * 21 + "+",
        ]
    )


def _text(parts: Parts, color: bool) -> str:
    board, pieces, counts = parts
    cells = (painted(" .", BACKGROUND, DARK), painted("  ", _LOCKED, DARK)) if color else (" .", " #")
    return well(np.minimum(board, 1), cells, pieces, counts, color)


@cache
def _block_sprites() -> np.ndarray:
    """Return the cell sprites: empty, the seven pieces, locked, and outside the well."""
    side = 14
    colors = (*_PIECE_COLORS, _LOCKED, _PAGE)
    sprites = np.full((len(colors), side, side, 3), (45, 48, 58), np.uint8)
    for sprite, color in zip(sprites, colors, strict=True):
        sprite[1:, 1:] = color
    sprites[-1] = _PAGE
    return sprites


def _piece_image(piece: int, width: int, left: int) -> np.ndarray:
    """Return the image of two rows outside the well with a piece in spawn orientation, `left` columns from the left."""
    cells = np.full((2, width), 9, np.uint8)
    for x, y in _PIECE_CELLS[piece]:
        cells[y, left + x] = piece
    return tiled(_block_sprites(), cells)


def _rgb_array(parts: Parts) -> np.ndarray:
    board, pieces, _ = parts
    current, held, *following = pieces
    well = tiled(_block_sprites(), np.minimum(board, 1) * 8)
    spawn = _piece_image(current, 10, 3)
    wall, gap, label = 4, 10, 14
    # To the right of the well: the held piece and the next ones, each under its label.
    shown = [("hold", held), *zip(["next"] + [""] * len(following), following, strict=False)]
    panel = sum(len(spawn) + gap + (label if name else 0) for name, _ in shown)
    height = max(len(spawn) + len(well) + wall, panel)
    left, right = wall, wall + well.shape[1]
    image = np.full((height, right + wall + gap + 4 * 14, 3), _PAGE, np.uint8)
    floor = len(spawn) + len(well)
    image[len(spawn) : floor + wall, : right + wall] = _WALL
    image[: len(spawn), left:right] = spawn
    image[len(spawn) : floor, left:right] = well
    y, x = 0, right + wall + gap
    for name, piece in shown:
        if name:
            write(image, name, x, y, _LOCKED)
            y += label
        image[y : y + len(spawn), x:] = _piece_image(piece, 4, 0)
        y += len(spawn) + gap
    return image


def _bounds(_low: np.ndarray, high: np.ndarray, options: Mapping[str, Any]) -> None:
    counts = 2 if options.get("garbage") is None else 3
    if not options.get("planes"):
        high[options.get("rows", 20) * 10 : -counts] = 7
    high[-counts:] = 255


GAME = Game(
    name="tetris",
    batch=tetris.Batch,
    envs={"Tetris": {"actions": "placements"}, "Tetris-Drops": {"actions": "drops"}},
    bounds=_bounds,
    parts=_parts,
    text=_text,
    rgb_array=_rgb_array,
    page=_PAGE,
    status=_status,
)

"""Tetris: the board and the upcoming pieces."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import tetris
from .entry import BACKGROUND, DARK, WHITE, Color, Game, painted, tiled

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


def _parts(obs: np.ndarray, rows: int) -> tuple[np.ndarray, list[int], int, int]:
    """Split an observation into board, pieces (current, held, next ..), combo and back-to-back."""
    if len(obs) < rows * 10 + 4:
        raise ValueError(f"rows={rows}: the observation has {len(obs)} bytes")
    pieces = [min(piece, 7) for piece in obs[rows * 10 : -2].tolist()]
    return obs[: rows * 10].reshape(rows, 10), pieces, int(obs[-2]), int(obs[-1])


def _from_layout(planes: np.ndarray, options: dict[str, Any]) -> np.ndarray:
    """Return the vector of the same game."""
    if not options.get("planes"):
        return planes
    counts = _counts(options)
    return np.concatenate(
        [
            planes[0].ravel(),
            [_piece(planes[1]), *(_piece(plane) for plane in planes[3:-counts])],
            planes[-counts:, 0, 0],
        ]
    ).astype(np.uint8)


def _piece(plane: np.ndarray) -> int:
    """Return the number of the piece drawn in a plane, 0 for none."""
    cells = {(x - 3, y) for y, x in np.argwhere(plane).tolist()}
    return next((piece for piece, drawn in enumerate(_PIECE_CELLS) if set(drawn) == cells), 0)


def _counts(options: dict[str, Any]) -> int:
    """Return how many counts end an observation: combo, back-to-back, and garbage if there is any."""
    return 2 if options.get("garbage") is None else 3


def _text(obs: np.ndarray, color: bool, rows: int) -> str:
    board, pieces, combo, back_to_back = _parts(obs, rows)
    names = [_PIECE_NAMES[piece] for piece in pieces]
    if color:
        names = [painted(f" {n} ", _PIECE_COLORS[p], WHITE) for n, p in zip(names, pieces, strict=True)]
    cells = (painted(" .", BACKGROUND, DARK), painted("  ", _LOCKED, DARK)) if color else (" .", " #")
    lines = [f"piece {names[0]}  hold {names[1]}  next {' '.join(names[2:]) or '-'}"]
    lines.append(f"combo {combo}  back-to-back {back_to_back}")
    lines += ["|" + "".join(cells[min(cell, 1)] for cell in row) + " |" for row in board.tolist()]
    lines.append("+" + "-" * 21 + "+")
    return "\n".join(lines)


@cache
def _block_sprites() -> np.ndarray:
    """Return the cell sprites: empty, the seven pieces, and locked."""
    side = 14
    colors = (*_PIECE_COLORS, _LOCKED)
    sprites = np.full((len(colors), side, side, 3), (45, 48, 58), np.uint8)
    for sprite, color in zip(sprites, colors, strict=True):
        sprite[1:, 1:] = color
    return sprites


def _rgb_array(obs: np.ndarray, rows: int) -> np.ndarray:
    board, pieces, _, _ = _parts(obs, rows)
    # To the right of the board, top to bottom: the current piece, a gap, the held piece, a gap, the next pieces.
    tops = [1, 5] + [9 + 3 * i for i in range(len(pieces) - 2)]
    cells = np.zeros((max(rows, tops[-1] + 3), 16), np.uint8)
    cells[:rows, :10] = np.minimum(board, 1) * 8
    for piece, top in zip(pieces, tops, strict=True):
        for x, y in _PIECE_CELLS[piece]:
            cells[top + y, 11 + x] = piece
    sprites = _block_sprites()
    image = tiled(sprites, cells)
    side = sprites.shape[1]
    # Draw the grid only inside the board.
    outside = np.ones(image.shape[:2], bool)
    outside[: rows * side, : 10 * side + 1] = False
    image[outside & (image == sprites[0, 0, 0]).all(axis=2)] = BACKGROUND
    image[rows * side :, : 10 * side] = BACKGROUND
    return image


def _bounds(_low: np.ndarray, high: np.ndarray, options: dict[str, Any]) -> None:
    counts = _counts(options)
    if not options.get("planes"):
        high[options.get("rows", 20) * 10 : -counts] = 7
    high[-counts:] = 255


GAME = Game(
    name="tetris",
    batch=tetris.Batch,
    envs={"Tetris": {"actions": "placements"}, "Tetris-Drops": {"actions": "drops"}},
    bounds=_bounds,
    text=_text,
    rgb_array=_rgb_array,
    from_layout=_from_layout,
)

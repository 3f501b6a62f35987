"""Tetris key by key: the board with the piece in play and its ghost, and the upcoming pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import tetris
from .entry import BACKGROUND, DARK, WHITE, Color, Game, expect, painted, tiled
from .tetris import _PAGE, _PIECE_CELLS, _PIECE_COLORS, _PIECE_NAMES

_LOCKED: Color = (150, 155, 165)
_LINES: Color = (45, 48, 58)
#: The rows of a frame: the visible ones, and two above them where pieces spawn.
_ROWS = 22
#: The kinds of cells after empty and the seven pieces: locked, and the ghosts of the seven pieces.
_GHOST = 8


def _parts(obs: np.ndarray) -> tuple[np.ndarray, list[int], int]:
    """Return the cells of a frame, the pieces (in play, held, next ..) and the combo.

    Cells are 0 empty, 1 to 7 the piece in play, 8 locked, 9 to 15 its ghost.
    """
    expect(obs.shape == (4, 24, 10), obs, "(4, 24, 10)")
    locked, falling, ghost = obs[:3, 24 - _ROWS :]
    rows = obs[3]
    pieces = [int(row[:7].argmax()) + 1 if row[:7].any() else 0 for row in rows[:17]]
    while len(pieces) > 2 and pieces[-1] == 0:
        pieces.pop()
    cells = locked * 8
    cells[ghost > 0] = _GHOST + pieces[0]
    cells[falling > 0] = pieces[0]
    return cells, pieces, int(rows[18].sum())


def _text(obs: np.ndarray, color: bool, rows: int, garbage: bool) -> str:
    cells, pieces, combo = _parts(obs)
    names = [_PIECE_NAMES[piece] for piece in pieces]
    if color:
        names = [painted(f" {n} ", _PIECE_COLORS[p], WHITE) for n, p in zip(names, pieces, strict=True)]
    lines = [f"piece {names[0]}  hold {names[1]}  next {' '.join(names[2:]) or '-'}", f"combo {combo}"]
    kinds = [".", *_PIECE_NAMES[1:], "#", *("+" * 7)]
    texts = [f" {kind}" for kind in kinds]
    if color:
        backs = [*_PIECE_COLORS, _LOCKED, *[BACKGROUND] * 7]
        texts = [painted(text, back, DARK) for text, back in zip(texts, backs, strict=True)]
    lines += ["|" + "".join(texts[cell] for cell in row) + " |" for row in cells.tolist()]
    lines.append("+" + "-" * 21 + "+")
    return "\n".join(lines)


@cache
def _sprites() -> np.ndarray:
    """Return the cell sprites: empty, the seven pieces, locked, the seven ghosts, and the frame."""
    side = 14
    sprites = np.full((17, side, side, 3), _LINES, np.uint8)
    for sprite, color in zip(sprites, (*_PIECE_COLORS, _LOCKED), strict=False):
        sprite[1:, 1:] = color
    for sprite, color in zip(sprites[_GHOST + 1 :], _PIECE_COLORS[1:], strict=False):
        sprite[1:, 1:] = color
        sprite[3:-2, 3:-2] = BACKGROUND
    sprites[16] = DARK
    return sprites


def _rgb_array(obs: np.ndarray, rows: int, garbage: bool) -> np.ndarray:
    board, pieces, _ = _parts(obs)
    # To the right of the board, top to bottom: the held piece, a gap, the next pieces.
    tops = [1] + [5 + 3 * i for i in range(len(pieces) - 2)]
    height = max(_ROWS + 1, tops[-1] + 3)
    cells = np.full((height, 18), 16, np.uint8)
    cells[:_ROWS, 1:11] = board
    cells[:, 12:] = 0
    for piece, top in zip(pieces[1:], tops, strict=True):
        for x, y in _PIECE_CELLS[piece]:
            cells[top + y, 13 + x] = piece
    sprites = _sprites()
    image = tiled(sprites, cells)
    side = sprites.shape[1]
    # Draw the grid only in the visible rows of the board.
    outside = np.ones(image.shape[:2], bool)
    outside[2 * side : _ROWS * side, side : 11 * side + 1] = False
    image[outside & (image == _LINES).all(axis=2)] = BACKGROUND
    return image


def _status(obs: np.ndarray, rows: int, garbage: bool) -> str:
    combo = _parts(obs)[2]
    return f"combo {combo}" if combo else ""


def _bounds(_low: np.ndarray, _high: np.ndarray, _options: Mapping[str, Any]) -> None:
    """Leave the bounds: every cell is 0 or 1."""


GAME = Game(
    name="tetris-keys",
    batch=tetris.KeysBatch,
    envs={"Tetris-Keys": {}},
    bounds=_bounds,
    text=_text,
    rgb_array=_rgb_array,
    page=_PAGE,
    status=_status,
)

"""Tetris key by key: the board with the piece in play and its ghost, and the upcoming pieces."""

from __future__ import annotations

from functools import cache
import numpy as np

from .. import tetris
from .entry import BACKGROUND, DARK, Color, Game, expect, painted, tiled
from .tetris import _LOCKED, _PAGE, _PIECE_CELLS, _PIECE_COLORS, _PIECE_NAMES, Parts, _status, well

_LINES: Color = (45, 48, 58)
#: The rows of a frame: the visible ones, and two above them where pieces spawn.
_ROWS = 22
#: The kinds of cells after empty and the seven pieces: locked, and the ghosts of the seven pieces.
_GHOST = 8


def _parts(obs: np.ndarray, rows: int, garbage: bool) -> Parts:
    """Return the cells of a frame, the pieces (in play, held, next ..) and the combo as a list.

    Cells are 0 empty, 1 to 7 the piece in play, 8 locked, 9 to 15 its ghost.
    """
    expect(obs.shape == (4, 24, 10), obs, "(4, 24, 10)")
    locked, falling, ghost = obs[:3, 24 - _ROWS :]
    pieces = [int(row[:7].argmax()) + 1 if row[:7].any() else 0 for row in obs[3, :17]]
    while len(pieces) > 2 and pieces[-1] == 0:
        pieces.pop()
    cells = locked * 8
    cells[ghost > 0] = _GHOST + pieces[0]
    cells[falling > 0] = pieces[0]
    return cells, pieces, [int(obs[3, 18].sum())]


def _text(parts: Parts, color: bool) -> str:
    texts = [f" {kind}" for kind in (".", *_PIECE_NAMES[1:], "#", *("+" * 7))]
    if color:
        backs = [*_PIECE_COLORS, _LOCKED, *[BACKGROUND] * 7]
        texts = [painted(text, back, DARK) for text, back in zip(texts, backs, strict=True)]
    return well(parts[0], texts, *parts[1:], color)


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


def _rgb_array(parts: Parts) -> np.ndarray:
    board, pieces, _ = parts
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


GAME = Game(
    name="tetris-keys",
    batch=tetris.KeysBatch,
    envs={"Tetris-Keys": {}},
    parts=_parts,
    text=_text,
    rgb_array=_rgb_array,
    page=_PAGE,
    status=_status,
)

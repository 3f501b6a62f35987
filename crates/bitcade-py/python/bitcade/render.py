"""Boards as text and as images, drawn from observations with NumPy alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

__all__ = ["rgb_array", "text"]

Color = tuple[int, int, int]

_WHITE: Color = (249, 246, 242)
_DARK: Color = (119, 110, 101)
_BACKGROUND: Color = (30, 32, 40)

#: The tiles of 2048 by rank; larger ones have the last color.
_TILES: tuple[Color, ...] = (
    (205, 193, 180), (238, 228, 218), (237, 224, 200), (242, 177, 121), (245, 149, 99), (246, 124, 95),
    (246, 94, 59), (237, 207, 114), (237, 204, 97), (237, 200, 80), (237, 197, 63), (237, 194, 46),
    (60, 58, 50),
)  # fmt: skip

#: The gems of match-3 by color; 0 is an empty cell.
_GEMS: tuple[Color, ...] = (
    _BACKGROUND, (231, 76, 60), (46, 204, 113), (52, 152, 219), (241, 196, 15), (155, 89, 182),
    (230, 126, 34), (236, 240, 241), (26, 188, 156), (233, 30, 140), (121, 85, 72), (139, 195, 74),
    (63, 81, 181), (255, 171, 145), (0, 131, 143), (158, 157, 36),
)  # fmt: skip

#: The pieces of Tetris in the order I, O, T, S, Z, J, L; 0 is none.
_PIECE_COLORS: tuple[Color, ...] = (
    _BACKGROUND, (0, 188, 212), (241, 196, 15), (155, 89, 182), (46, 204, 113), (231, 76, 60), (52, 104, 219),
    (230, 126, 34),
)  # fmt: skip
_PIECE_NAMES = "-IOTSZJL"
#: The cells of the pieces at their spawn as (column, row) of a box of 4 x 2, the top row first.
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

_BOARD: Color = (220, 179, 92)
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

#: Digits of 3 x 5 pixels, a row in three bits.
_DIGITS = (
    (7, 5, 5, 5, 7), (2, 6, 2, 2, 7), (7, 1, 7, 4, 7), (7, 1, 7, 1, 7), (5, 5, 7, 1, 1),
    (7, 4, 7, 1, 7), (7, 4, 7, 5, 7), (7, 1, 1, 1, 1), (7, 5, 7, 5, 7), (7, 5, 7, 1, 7),
)  # fmt: skip


def text(game: str, obs: np.ndarray, *, color: bool = False, rows: int = 20) -> str:
    """Return one game's observation as text.

    Args:
        game: `2048`, `match3`, `tetris` or `go`.
        obs: The observation, not one-hot.
        color: Whether to use the colors of terminals with 24 bits.
        rows: The visible rows of Tetris.
    """
    if game == "2048":
        return _text_2048(obs, color)
    if game == "match3":
        return _text_match3(_colors(obs), color)
    if game == "tetris":
        return _text_tetris(obs, color, rows)
    if game == "go":
        return _text_go(obs)
    raise ValueError(f"game={game!r}: expected 2048, match3, tetris or go")


def rgb_array(game: str, obs: np.ndarray, *, rows: int = 20) -> np.ndarray:
    """Return one game's observation as an image: uint8 of shape (height, width, 3).

    Args:
        game: `2048`, `match3`, `tetris` or `go`.
        obs: The observation, not one-hot.
        rows: The visible rows of Tetris.
    """
    if game == "2048":
        return _tiled(_tile_sprites(), obs)
    if game == "match3":
        return _tiled(_gem_sprites(), _colors(obs))
    if game == "tetris":
        return _rgb_tetris(obs, rows)
    if game == "go":
        return _rgb_go(obs)
    raise ValueError(f"game={game!r}: expected 2048, match3, tetris or go")


def _painted(string: str, back: Color, front: Color) -> str:
    return f"\x1b[48;2;{back[0]};{back[1]};{back[2]};38;2;{front[0]};{front[1]};{front[2]}m{string}\x1b[0m"


def _pick(colors: tuple[Color, ...], index: int) -> Color:
    return colors[min(index, len(colors) - 1)]


def _text_2048(ranks: np.ndarray, color: bool) -> str:
    width = max(len(str(2 ** int(ranks.max(initial=0)))), 4) + 1
    lines = []
    for row in ranks.tolist():
        cells = [(str(2**rank) if rank else ".").rjust(width) for rank in row]
        if color:
            cells = [
                _painted(cell, _pick(_TILES, rank), _DARK if rank < 3 else _WHITE)
                for cell, rank in zip(cells, row, strict=True)
            ]
        lines.append("".join(cells))
    return "\n".join(lines)


def _colors(obs: np.ndarray) -> np.ndarray:
    """Return the colors of an observation of match-3, which may be a board alone."""
    return obs[0] if obs.ndim == 3 else obs


def _text_match3(colors: np.ndarray, color: bool) -> str:
    names = ".123456789ABCDEF"
    lines = []
    for row in colors.tolist():
        cells = [names[min(cell, 15)] for cell in row]
        if color:
            cells = [
                _painted(f" {c} ", _pick(_GEMS, i), _BACKGROUND) for c, i in zip(cells, row, strict=True)
            ]
        lines.append("".join(cells))
    return "\n".join(lines)


def _tetris_parts(obs: np.ndarray, rows: int) -> tuple[np.ndarray, list[int], int, int]:
    """Return the board, the pieces (in play, held, next ones), combo and back-to-back of an observation."""
    if len(obs) < rows * 10 + 4:
        raise ValueError(f"rows={rows}: the observation has {len(obs)} bytes")
    pieces = [min(piece, 7) for piece in obs[rows * 10 : -2].tolist()]
    return obs[: rows * 10].reshape(rows, 10), pieces, int(obs[-2]), int(obs[-1])


def _text_tetris(obs: np.ndarray, color: bool, rows: int) -> str:
    board, pieces, combo, back_to_back = _tetris_parts(obs, rows)
    names = [_PIECE_NAMES[piece] for piece in pieces]
    if color:
        names = [_painted(f" {n} ", _PIECE_COLORS[p], _WHITE) for n, p in zip(names, pieces, strict=True)]
    cells = (_painted(" .", _BACKGROUND, _DARK), _painted("  ", _LOCKED, _DARK)) if color else (" .", " #")
    lines = [f"piece {names[0]}  hold {names[1]}  next {' '.join(names[2:]) or '-'}"]
    lines.append(f"combo {combo}  back-to-back {back_to_back}")
    lines += ["|" + "".join(cells[min(cell, 1)] for cell in row) + " |" for row in board.tolist()]
    lines.append("+" + "-" * 21 + "+")
    return "\n".join(lines)


def _go_parts(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return the points (0 empty, 1 black, 2 white), the plane of the last move, and whether Black moves."""
    black_moves = bool(planes[5].any())
    black, white = (planes[0], planes[1]) if black_moves else (planes[1], planes[0])
    return black + 2 * white, planes[3], black_moves


def _text_go(planes: np.ndarray) -> str:
    points, last, black_moves = _go_parts(planes)
    size = len(points)
    letters = "   " + " ".join(_COLUMNS[:size])
    lines = [letters]
    for y in range(size):
        line = f"{size - y:>2}"
        for x in range(size):
            # The brackets stand in the gaps beside the last stone.
            left = "(" if last[y, x] else ")" if x > 0 and last[y, x - 1] else " "
            line += left + ".XO"[points[y, x]]
        lines.append(line + (")" if last[y, size - 1] else " ") + f"{size - y}")
    lines += [letters, f"{'Black (X)' if black_moves else 'White (O)'} to move"]
    return "\n".join(lines)


def _tiled(sprites: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the image of a board of cells, each drawn by the sprite of its value."""
    height, width = cells.shape
    side = sprites.shape[1]
    chosen = sprites[np.minimum(cells, len(sprites) - 1)]
    return chosen.transpose(0, 2, 1, 3, 4).reshape(height * side, width * side, 3)


@cache
def _tile_sprites() -> np.ndarray:
    """Return the tiles of 2048 for every rank of a byte."""
    side, gap = 44, 3
    sprites = np.full((256, side, side, 3), (187, 173, 160), np.uint8)
    for rank in range(256):
        sprites[rank, gap:-gap, gap:-gap] = _pick(_TILES, rank)
        # From 2^18 on the number doesn't fit: the exponent stands for it.
        digits = str(2**rank) if rank < 18 else str(rank)
        scale = max(1, min(4, (side - 2 * gap - 2) // (4 * len(digits) - 1)))
        width, height = scale * (4 * len(digits) - 1), scale * 5
        x, y = (side - width) // 2, (side - height) // 2
        for digit in digits if rank else "":
            for row, bits in enumerate(_DIGITS[int(digit)]):
                for column in range(3):
                    if bits >> (2 - column) & 1:
                        top, left = y + row * scale, x + column * scale
                        front = _DARK if rank < 3 else _WHITE
                        sprites[rank, top : top + scale, left : left + scale] = front
            x += 4 * scale
    return sprites


def _disc(side: int, radius: float) -> np.ndarray:
    """Return the mask of a disc in the middle of a square."""
    middle = (side - 1) / 2
    y, x = np.ogrid[:side, :side]
    return (x - middle) ** 2 + (y - middle) ** 2 <= radius**2


@cache
def _gem_sprites() -> np.ndarray:
    side = 32
    sprites = np.full((len(_GEMS), side, side, 3), _BACKGROUND, np.uint8)
    sprites[:, 0] = sprites[:, :, 0] = (45, 48, 58)
    for sprite, gem in zip(sprites[1:], _GEMS[1:], strict=True):
        sprite[_disc(side, 12.5)] = [value // 2 for value in gem]
        sprite[_disc(side, 11)] = gem
    return sprites


@cache
def _block_sprites() -> np.ndarray:
    """Return the cells of Tetris: empty, the seven pieces, and locked."""
    side = 14
    colors = (*_PIECE_COLORS, _LOCKED)
    sprites = np.full((len(colors), side, side, 3), (45, 48, 58), np.uint8)
    for sprite, color in zip(sprites, colors, strict=True):
        sprite[1:, 1:] = color
    return sprites


def _rgb_tetris(obs: np.ndarray, rows: int) -> np.ndarray:
    board, pieces, _, _ = _tetris_parts(obs, rows)
    # To the right of the board: the piece in play, the held one after a gap, the next ones after another.
    tops = [1, 5] + [9 + 3 * i for i in range(len(pieces) - 2)]
    cells = np.zeros((max(rows, tops[-1] + 3), 16), np.uint8)
    cells[:rows, :10] = np.minimum(board, 1) * 8
    for piece, top in zip(pieces, tops, strict=True):
        for x, y in _PIECE_CELLS[piece]:
            cells[top + y, 11 + x] = piece
    sprites = _block_sprites()
    image = _tiled(sprites, cells)
    side = sprites.shape[1]
    # Beside and below the board there is no grid.
    outside = np.ones(image.shape[:2], bool)
    outside[: rows * side, : 10 * side + 1] = False
    image[outside & (image == sprites[0, 0, 0]).all(axis=2)] = _BACKGROUND
    image[rows * side :, : 10 * side] = _BACKGROUND
    return image


def _hoshi(size: int) -> list[int]:
    """Return the lines whose crossings are marked."""
    if size < 7:
        return [size // 2] if size % 2 else []
    edge = 2 if size < 13 else 3
    return sorted({edge, size - 1 - edge} | ({size // 2} if size % 2 else set()))


@cache
def _go_grid(size: int, side: int) -> np.ndarray:
    image = np.full((size * side, size * side, 3), _BOARD, np.uint8)
    first, last = side // 2, size * side - side + side // 2
    for line in range(size):
        at = first + line * side
        image[at, first : last + 1] = image[first : last + 1, at] = (60, 45, 20)
    for y in _hoshi(size):
        for x in _hoshi(size):
            if size >= 13 or (y == size // 2) == (x == size // 2):
                image[y * side : (y + 1) * side, x * side : (x + 1) * side][_disc(side, 2.6)] = (60, 45, 20)
    return image


def _rgb_go(planes: np.ndarray) -> np.ndarray:
    points, last, _ = _go_parts(planes)
    size, side = len(points), 25
    image = _go_grid(size, side).copy()
    stones: dict[int, tuple[Any, Any]] = {
        1: ((25, 25, 28), (250, 250, 250)),
        2: ((245, 245, 240), (30, 30, 30)),
    }
    for y, x in np.argwhere(points).tolist():
        stone, mark = stones[int(points[y, x])]
        square = image[y * side : (y + 1) * side, x * side : (x + 1) * side]
        square[_disc(side, 11.5)] = (90, 70, 40)
        square[_disc(side, 10.8)] = stone
        if last[y, x]:
            square[_disc(side, 6) & ~_disc(side, 4)] = mark
    return image

"""Reference rules, written independently of the engines: slow, and short enough to check by reading."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Rows = list[list[int]]

# --- 2048: ranks, 0 for an empty cell; directions left, right, up, down


def merge(line: list[int]) -> tuple[list[int], int]:
    """Slide a line toward its start; return it and the score. Tiles merge once each, starting at the wall."""
    tiles = [rank for rank in line if rank]
    merged, gain = [], 0
    while tiles:
        rank = tiles.pop(0)
        if tiles and tiles[0] == rank:
            tiles.pop(0)
            rank += 1
            gain += 2**rank
        merged.append(rank)
    return merged + [0] * (len(line) - len(merged)), gain


def slide(board: Rows, direction: int) -> tuple[Rows, int]:
    """Return the afterstate of a move, before the spawn, and the score."""
    lines = (
        [list(column) for column in zip(*board, strict=True)]
        if direction >= 2
        else [list(row) for row in board]
    )
    results = [merge(line[::-1] if direction % 2 else line) for line in lines]
    lines = [line[::-1] if direction % 2 else line for line, _ in results]
    gain = sum(gain for _, gain in results)
    return ([list(row) for row in zip(*lines, strict=True)] if direction >= 2 else lines), gain


# --- match-3: boards of shape (..., height, width) of colors from 1, 0 for an empty cell, row 0 at the top

Pair = tuple[int, int, int, int]


def runs(boards: np.ndarray) -> np.ndarray:
    """Return a mask of all runs of three or more cells of one color."""
    found = np.zeros(boards.shape, bool)
    height, width = boards.shape[-2:]
    columns = [boards[..., i : width - 2 + i] for i in range(3)]
    rows = [boards[..., i : height - 2 + i, :] for i in range(3)]
    for i in range(3):
        found[..., i : width - 2 + i] |= (columns[0] == columns[1]) & (columns[1] == columns[2]) & (columns[0] != 0)
        found[..., i : height - 2 + i, :] |= (rows[0] == rows[1]) & (rows[1] == rows[2]) & (rows[0] != 0)
    return found


def pairs(height: int, width: int) -> list[Pair]:
    """Return the cells (y, x) and (b, a) of every action: the horizontal pairs row by row, then the vertical ones."""
    across = [(y, x, y, x + 1) for y in range(height) for x in range(width - 1)]
    return across + [(y, x, y + 1, x) for y in range(height - 1) for x in range(width)]


def exchange(boards: np.ndarray, pair: Pair) -> np.ndarray:
    """Return the boards after a swap, before any clear."""
    y, x, b, a = pair
    swapped = boards.copy()
    swapped[..., y, x], swapped[..., b, a] = boards[..., b, a], boards[..., y, x]
    return swapped


def legal_swaps(boards: np.ndarray) -> np.ndarray:
    """Return the action masks, by trying all swaps: different colors that make a run."""
    actions = pairs(*boards.shape[-2:])
    masks = [
        (boards[..., y, x] != boards[..., b, a])
        & (boards[..., y, x] != 0)
        & (boards[..., b, a] != 0)
        & runs(exchange(boards, (y, x, b, a))).any(axis=(-2, -1))
        for y, x, b, a in actions
    ]
    return np.stack(masks, axis=-1)


def fall(board: np.ndarray, cleared: np.ndarray) -> np.ndarray:
    """Return a board after a clear and the fall; 0 where new pieces will appear."""
    fallen = np.zeros_like(board)
    for x in range(board.shape[1]):
        left = board[~cleared[:, x], x]
        fallen[len(board) - len(left) :, x] = left
    return fallen


# --- Go: 0 empty, 1 black, 2 white

Points = tuple[tuple[int, ...], ...]


def neighbors(size: int, y: int, x: int) -> Iterator[tuple[int, int]]:
    """Yield the neighbors of a point."""
    for b, a in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
        if 0 <= b < size and 0 <= a < size:
            yield b, a


def region(points: Points | Rows, y: int, x: int) -> tuple[set[tuple[int, int]], set[int]]:
    """Return the connected points of the same color (or empty), and the colors adjacent to them."""
    color, found, border, todo = points[y][x], {(y, x)}, set(), [(y, x)]
    while todo:
        for b, a in neighbors(len(points), *todo.pop()):
            if points[b][a] != color:
                border.add(points[b][a])
            elif (b, a) not in found:
                found.add((b, a))
                todo.append((b, a))
    return found, border


class GoGame:
    """A game with positional superko and no suicide; two passes end it."""

    def __init__(self, size: int, komi: float) -> None:
        self.size, self.komi = size, komi
        self.points: Points = ((0,) * size,) * size
        self.to_move = 1
        self.seen = {self.points}
        self.passes = 0
        self.moves: list[int] = []

    def after(self, y: int, x: int) -> Points | None:
        """Return the board after a stone, or `None` if the point is occupied or the move is suicide."""
        if self.points[y][x]:
            return None
        board = [list(row) for row in self.points]
        board[y][x] = self.to_move
        for b, a in neighbors(self.size, y, x):
            if board[b][a] == 3 - self.to_move:
                stones, border = region(board, b, a)
                if 0 not in border:
                    for c, d in stones:
                        board[c][d] = 0
        if 0 not in region(board, y, x)[1]:
            return None
        return tuple(tuple(row) for row in board)

    def boards(self) -> list[Points | None]:
        """Return the board after a stone on each point; `None` if occupied or suicide."""
        return [self.after(y, x) for y in range(self.size) for x in range(self.size)]

    def legal(self) -> list[bool]:
        """Return the action mask: the points row by row, then the pass."""
        return [board is not None and board not in self.seen for board in self.boards()] + [True]

    def forbidden_by_ko(self) -> list[bool]:
        """Return the points forbidden only by superko."""
        return [board in self.seen for board in self.boards()]

    def play(self, action: int) -> None:
        """Play a legal action."""
        self.moves.append(action)
        if action == self.size**2:
            self.passes += 1
        else:
            board = self.after(*divmod(action, self.size))
            assert board is not None
            self.points, self.passes = board, 0
            self.seen.add(board)
        self.to_move = 3 - self.to_move

    def score(self) -> float:
        """Return the Tromp-Taylor score: Black's area minus White's, minus komi."""
        total, counted = -self.komi, set()
        for y in range(self.size):
            for x in range(self.size):
                if (y, x) in counted:
                    continue
                found, border = region(self.points, y, x)
                counted |= found
                owner = self.points[y][x] or (next(iter(border)) if len(border) == 1 else 0)
                total += {0: 0, 1: 1, 2: -1}[owner] * len(found)
        return total

"""The rules of the games, written from the pages in `docs` and the docstrings alone: slow, and short enough to read.

Each class plays one game in parallel with a game of a batch. It is created from the options and the first observation,
and has `mask()`, `observe()`, and `play(action, obs, reward)`, which returns the right reward and whether the game is
over. What is random is read from the next observation, and an assertion fails if the rules don't allow it. Planes come
first. `events` counts what rarely happens, for a test to say that it did; `favored` are actions that lead there.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

Rows = list[list[int]]


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
    """Return the afterstate of a move (left, right, up, down), before the new tile, and the score."""
    lines = [list(line) for line in (zip(*board, strict=True) if direction >= 2 else board)]
    results = [merge(line[::-1] if direction % 2 else line) for line in lines]
    lines = [line[::-1] if direction % 2 else line for line, _ in results]
    gain = sum(gain for _, gain in results)
    return ([list(row) for row in zip(*lines, strict=True)] if direction >= 2 else lines), gain


class Game2048:
    """2048: a board of ranks."""

    def __init__(self, options: dict[str, Any], obs: np.ndarray) -> None:
        self.one_hot, self.events = options.get("one_hot", False), Counter[str]()
        self.board = self.read(obs)
        assert sorted(np.ravel(self.board))[-3:] in ([0, 1, 1], [0, 1, 2], [0, 2, 2]), "two tiles, each 2 or 4"

    def read(self, obs: np.ndarray) -> Rows:
        return (obs.argmax(0) if self.one_hot else obs).astype(int).tolist()

    def observe(self) -> np.ndarray:
        board = np.array(self.board)
        return np.arange(18)[:, None, None] == board if self.one_hot else board

    def mask(self) -> list[bool]:
        return [slide(self.board, direction)[0] != self.board for direction in range(4)]

    def play(self, action: int, obs: np.ndarray, reward: float) -> tuple[float, bool]:
        moved, gain = slide(self.board, action)
        self.board = self.read(obs)
        ((y, x),) = np.argwhere(np.array(moved) != self.board)
        assert moved[y][x] == 0 and self.board[y][x] in (1, 2), "one new tile, a 2 or a 4"
        self.events[f"new {2 ** self.board[y][x]}"] += 1
        return gain, not any(self.mask())


#: The color of a piece that fell in, until the next observation shows it.
UNKNOWN = -1
ROW, COLUMN, BOMB, COLOR = 1, 2, 3, 4


def lines(colors: np.ndarray) -> list[frozenset[tuple[int, int]]]:
    """Return the cells (y, x) of each run of three or more of one color, the horizontal ones first."""
    found = []
    for axis, board in enumerate((colors, colors.T)):
        for i, line in enumerate(board.tolist()):
            start = 0
            for end in range(1, len(line) + 1):
                if end == len(line) or line[end] != line[start]:
                    if end - start >= 3 and line[start] > 0:
                        found.append(frozenset((j, i) if axis else (i, j) for j in range(start, end)))
                    start = end
    return found


def groups(colors: np.ndarray) -> list[list[frozenset[tuple[int, int]]]]:
    """Return the runs in groups that share cells."""
    found: list[list[frozenset[tuple[int, int]]]] = []
    for line in lines(colors):
        crossed = [group for group in found if any(line & other for other in group)]
        found = [group for group in found if group not in crossed] + [sum(crossed, [line])]
    return found


def has_run(boards: np.ndarray) -> np.ndarray:
    """Return for each board of a stack whether three neighbors in a line have one color."""
    turned = (boards, boards.swapaxes(-2, -1))
    found = [(a[..., :-2] == a[..., 1:-1]) & (a[..., 1:-1] == a[..., 2:]) & (a[..., 2:] > 0) for a in turned]
    return np.any([runs.any((-2, -1)) for runs in found], axis=0)


class Match3:
    """Match-3, plain or on a level with goals: colors, kinds of special pieces, locks, and blocked cells.

    Pieces that fall in are unknown within a move, and can only add to a level of the cascade. So if the points are
    those of at most two levels of the known pieces, all that these do is certain.
    """

    def __init__(self, options: dict[str, Any], obs: np.ndarray) -> None:
        rules = options.get("rules")
        self.plain, self.one_hot = rules is None, options.get("one_hot", False)
        rules = rules or options
        self.number, self.moves, self.bonus = rules.get("colors", 6), rules.get("moves", 30), rules.get("bonus", 10_000)
        self.creates = not self.plain and rules.get("special", True)
        goals = rules.get("goals", {})
        self.goals = [
            (name, color, count)
            for name, value in goals.items()
            for color, count in (value.items() if name == "color" else [(0, value)])
        ]
        self.left, self.total = [count for _, _, count in self.goals], 0
        self.events = Counter[str]()
        self.read(obs)
        height, width = self.colors.shape
        across = [((y, x), (y, x + 1)) for y in range(height) for x in range(width - 1)]
        self.pairs = across + [((y, x), (y + 1, x)) for y in range(height - 1) for x in range(width)]
        self.blocked = np.zeros((height, width), bool) if self.plain else obs[5] == 1
        if "board" in rules:
            # A lock stands before its piece.
            cells = np.array([list(row.replace("!1", "!")) for row in rules["board"]])
            assert ((cells == "#") == self.blocked).all() and ((cells == "!") == self.locked).all()
        assert not self.kinds.any() and ((self.colors > 0) != self.blocked).all()

    def read(self, obs: np.ndarray) -> None:
        """Take over the pieces of an observation."""
        first, last = (0, -1) if self.plain else (7, 7 + self.number)
        dealt = obs[first:last].astype(int)
        numbered = self.plain and not self.one_hot
        self.colors = dealt[0] if numbered else (dealt * np.arange(1, self.number + 1)[:, None, None]).sum(0)
        special = np.zeros((6, *self.colors.shape), int) if self.plain else obs[:6].astype(int)
        self.kinds, self.locked = (special[:4] * np.arange(1, 5)[:, None, None]).sum(0), special[4] == 1
        assert self.colors.max() <= self.number and not has_run(self.colors)

    def observe(self) -> np.ndarray:
        moves = np.full((1, *self.colors.shape), min(self.moves, 255))
        colors = np.arange(1, self.number + 1)[:, None, None] == self.colors
        if self.plain:
            return np.concatenate([colors if self.one_hot else self.colors[None], moves])
        special = np.concatenate([np.arange(1, 5)[:, None, None] == self.kinds, [self.locked, self.blocked]])
        left = [-(-255 * left // count) for left, (_, _, count) in zip(self.left, self.goals, strict=True)]
        return np.concatenate([special, moves, colors, *(np.full_like(moves, part) for part in left)])

    def mask(self) -> np.ndarray:
        (y, x), (b, a) = np.array(self.pairs).transpose(1, 2, 0)
        each = np.arange(len(self.pairs))
        swapped = np.repeat(self.colors[None], len(each), axis=0)
        swapped[each, y, x], swapped[each, b, a] = self.colors[b, a], self.colors[y, x]
        movable = (self.colors != 0) & ~self.locked
        wild = (self.kinds[y, x] == COLOR) | (self.kinds[b, a] == COLOR)
        differ = self.colors[y, x] != self.colors[b, a]
        return movable[y, x] & movable[b, a] & (wild | differ & has_run(swapped))

    def cascade(self, action: int, new: int) -> tuple[int, bool, Counter[Any]]:
        """Play a swap; new pieces are `UNKNOWN`, or 0 for none. Return the points, their certainty, and the counts."""
        swap = self.pairs[action]
        for cells in (self.colors, self.kinds):
            cells[swap[0]], cells[swap[1]] = cells[swap[1]], cells[swap[0]]
        # A swapped color piece clears the color of the other piece.
        wild = {
            cell: self.colors[other] for cell, other in (swap, swap[::-1]) if self.kinds[cell] == COLOR
        }
        points, level, counts = 0, 0, Counter[Any]()
        while True:
            level += 1
            matched = groups(self.colors)
            hit = np.zeros(self.colors.shape, bool)
            for cell in [cell for group in matched for line in group for cell in line] + list(wild):
                hit[cell] = True
            if not hit.any():
                return points, True, counts
            if new and level > 2:
                return points, False, counts
            done: set[tuple[int, int]] = set()
            while todo := {(y, x) for y, x in np.argwhere(hit & (self.kinds > 0)).tolist()} - done:
                y, x = cell = todo.pop()
                done.add(cell)
                rows, columns = np.ogrid[: hit.shape[0], : hit.shape[1]]
                reach = {
                    ROW: (rows == y) & (columns >= 0),
                    COLUMN: (columns == x) & (rows >= 0),
                    BOMB: (abs(rows - y) <= 1) & (abs(columns - x) <= 1),
                    COLOR: self.colors == wild.get(cell, self.colors[cell]),
                }[self.kinds[cell]]
                hit |= reach & (self.colors != 0)
            points += 10 * level * int(hit.sum())
            counts.update({"locked": int((hit & self.locked).sum()), "special": len(done)})
            counts.update(self.colors[hit].tolist())
            born = [self.born(group, swap if level == 1 else ()) for group in matched] if self.creates else []
            created = [(cell, kind, self.colors[cell]) for cell, kind in born if kind]
            for cells in (self.colors, self.kinds, self.locked):
                cells[hit] = 0
            for cell, kind, color in created:
                self.kinds[cell], self.colors[cell] = kind, color
            self.fall(new)
            wild = {}
            if new and counts[UNKNOWN]:
                return points, False, counts

    def born(self, group: list[frozenset[tuple[int, int]]], swap: Any) -> tuple[tuple[int, int], int]:
        """Return the cell and the kind of the special piece that a group creates, 0 for none."""
        cells, longest = sorted(frozenset().union(*group)), max(map(len, group))
        cell = next((cell for cell in sorted(swap) if cell in cells), cells[len(cells) // 2])
        single = {3: 0, 4: ROW if cells[0][0] == cells[1][0] else COLUMN}
        return cell, COLOR if longest >= 5 else BOMB if len(group) > 1 else single[longest]

    def fall(self, new: int) -> None:
        """Let all pieces fall, down to a blocked cell, and fill the columns from above."""
        for x in range(self.colors.shape[1]):
            bottom = len(self.colors)
            for top in [*np.flatnonzero(self.blocked[:, x])[::-1], -1]:
                part = np.s_[top + 1 : bottom, x]
                order = np.argsort(self.colors[part] != 0, kind="stable")
                for cells in (self.colors, self.kinds, self.locked):
                    cells[part] = cells[part][order]
                if top < 0:
                    self.colors[part] = np.where(self.colors[part], self.colors[part], new)
                bottom = top

    def hints(self) -> list[int]:
        """Return the points of each legal swap without new pieces, 0 for the others."""
        before, points = (self.colors, self.kinds, self.locked), []
        for action, legal in enumerate(self.mask()):
            self.colors, self.kinds, self.locked = (cells.copy() for cells in before)
            points.append(self.cascade(action, 0)[0] if legal else 0)
        self.colors, self.kinds, self.locked = before
        return points

    def score(self) -> int:
        return self.total

    def pass_by(self) -> bool:
        """Use up a move; return whether the game is over."""
        self.moves -= 1
        return self.moves == 0

    def play(self, action: int, obs: np.ndarray, reward: float) -> tuple[float, bool]:
        before = self.kinds.copy()
        least, certain, counts = self.cascade(action, UNKNOWN)
        planes = obs[len(obs) - len(self.left) :].max((1, 2)).astype(int) if self.left else []
        bonus = self.bonus * sum(left > 0 and plane == 0 for left, plane in zip(self.left, planes, strict=True))
        points = int(reward) - bonus
        self.total += points
        certain &= points == least
        assert points >= least > 0 and points % 10 == 0
        for i, (name, color, count) in enumerate(self.goals):
            most = max(0, self.left[i] - (points if name == "score" else counts[color or name]))
            self.left[i] = most if certain or name == "score" else min(most, planes[i] * count // 255)
        colors, kinds, locked = self.colors, self.kinds, self.locked
        dead = not self.mask().any()
        self.read(obs)
        if certain:
            same = (colors == self.colors) | (colors == UNKNOWN) & (self.colors > 0)
            assert same.all() or dead, "a board without a legal swap is dealt anew"
            assert (kinds == self.kinds).all() and (locked == self.locked).all()
            self.events.update({"dealt": int(not same.all()), "specials": counts["special"], "locks": counts["locked"]})
            self.events.update(f"created{kind}" for kind in kinds[kinds > before])
        self.events["certain" if certain else "uncertain"] += 1
        won = bool(self.goals) and not any(self.left)
        return points + bonus, self.pass_by() or won or not (self.plain or self.mask().any())


#: The cells (x, y) of the pieces as spawned, from their centers, in the order I O T S Z J L.
NORTH = [
    [(-1, 0), (0, 0), (1, 0), (2, 0)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (1, 0), (0, 1)],
    [(-1, 0), (0, 0), (0, 1), (1, 1)],
    [(-1, 1), (0, 1), (0, 0), (1, 0)],
    [(-1, 0), (0, 0), (1, 0), (-1, 1)],
    [(-1, 0), (0, 0), (1, 0), (1, 1)],
]
#: The offsets of the super rotation system: a kick is the offset of the old orientation minus that of the new one.
OFFSETS = {
    "I": [
        [(0, 0), (-1, 0), (2, 0), (-1, 0), (2, 0)],
        [(-1, 0), (0, 0), (0, 0), (0, 1), (0, -2)],
        [(-1, 1), (1, 1), (-2, 1), (1, 0), (-2, 0)],
        [(0, 1), (0, 1), (0, 1), (0, -1), (0, 2)],
    ],
    "O": [[(0, 0)], [(0, -1)], [(-1, -1)], [(-1, 0)]],
    "other": [
        [(0, 0)] * 5,
        [(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)],
        [(0, 0)] * 5,
        [(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)],
    ],
}
T = 2
ATTACK = {"none": [0, 0, 1, 2, 4], "mini": [0, 0, 1], "full": [0, 2, 4, 6]}
COMBO = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5]
SCORE = {"none": [0, 100, 300, 500, 800], "mini": [100, 200, 400], "full": [400, 800, 1200, 1600]}
PERFECT = [0, 800, 1200, 1800, 2000]


@cache
def turned(piece: int, orientation: int) -> list[tuple[int, int]]:
    """Return the cells of a piece after quarter turns clockwise."""
    cells = NORTH[piece]
    for _ in range(orientation):
        cells = [(y, -x) for x, y in cells]
    return cells


@cache
def kicks(piece: int, old: int, new: int) -> list[tuple[int, int]]:
    offsets = OFFSETS["IO"[piece] if piece < 2 else "other"]
    return [(a - c, b - d) for (a, b), (c, d) in zip(offsets[old], offsets[new], strict=True)]


@cache
def same_cells(piece: int, orientation: int) -> tuple[int, int, int]:
    """Return the first orientation with the same cells, and the way from the center to its center."""
    cells = set(turned(piece, orientation))
    return next(
        (first, x, y)
        for first in range(orientation + 1)
        for x in (0, -1, 1)
        for y in (0, -1, 1)
        if cells == {(x + a, y + b) for a, b in turned(piece, first)}
    )


# Sets of cells are integers: 16 bits for each row, from four rows below the floor on; the field begins at bit 3.
def at(x: int, y: int) -> int:
    return 16 * (y + 4) + x + 3


def places(bits: int) -> list[tuple[int, int]]:
    return [(i % 16 - 3, i // 16 - 4) for i, bit in enumerate(bin(bits)[:1:-1]) if bit == "1"]


def moved(bits: int, x: int, y: int) -> int:
    return bits << 16 * y + x if 16 * y + x >= 0 else bits >> -(16 * y + x)


class Tetris:
    """Tetris, piece by piece: rows of cells from the floor, the pieces in play, held and to come, and the counters."""

    def __init__(self, options: dict[str, Any], obs: np.ndarray) -> None:
        self.options, self.rows, self.next = options, options.get("rows", 20), options.get("next", 5)
        self.drops, self.hold = options.get("actions") == "drops", options.get("hold", True)
        start = options.get("starts", np.zeros((1, 0, 10)))[0][::-1] == 1
        self.board = np.concatenate([start, np.zeros((40 - len(start), 10), bool)])
        self.piece, *self.queue = self.drawn = self.read(obs)
        self.events, self.favored, self.result = Counter[str](), list[int](), dict[str, Any]()
        self.held: int | None = None
        self.combo = self.chain = self.pieces = 0
        self.pending: list[int] = []

    def read(self, obs: np.ndarray) -> list[int]:
        """Return the piece in play and the preview."""
        if self.options.get("planes"):
            shapes = [self.drawing(piece).tolist() for piece in range(7)]
            return [shapes.index(plane.tolist()) for plane in (obs[1], *obs[4 : 4 + self.next])]
        first = 10 * self.rows
        return [int(number) - 1 for number in (obs[first], *obs[first + 2 : first + 2 + self.next])]

    def drawing(self, piece: int | None) -> np.ndarray:
        """Return the plane of a piece: its cells in the top two rows."""
        plane = np.zeros((self.rows, 10), int)
        for x, y in NORTH[piece] if piece is not None else ():
            plane[1 - y, 4 + x] = 1
        return plane

    def observe(self) -> np.ndarray:
        board = self.board[: self.rows][::-1].astype(int)
        counts = [self.combo, self.chain] + ([sum(self.pending)] if self.options.get("garbage") is not None else [])
        if not self.options.get("planes"):
            held = 0 if self.held is None else self.held + 1
            pieces = [self.piece + 1, held, *(piece + 1 for piece in self.queue)]
            return np.concatenate([board.ravel(), pieces, np.minimum(counts, 255)])
        ghost = np.zeros((40, 10), int)
        spawn = self.spawn(self.piece)
        if spawn is not None:
            y = next(y for y in range(spawn, -2, -1) if not self.free(self.piece, 0) >> at(4, y - 1) & 1)
            for a, b in NORTH[self.piece]:
                ghost[y + b, 4 + a] = 1
        pieces = [self.drawing(piece) for piece in (self.held, *self.queue)]
        filled = [np.full_like(board, min(count, 255)) for count in counts]
        return np.stack([board, self.drawing(self.piece), ghost[: self.rows][::-1], *pieces, *filled])

    def free(self, piece: int, orientation: int) -> int:
        """Return the centers, one bit each, at which the piece touches no filled cell and no wall."""
        cells = np.zeros((48, 16), bool)
        cells[4:44, 3:13] = ~self.board
        field = empty = int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")
        for x, y in turned(piece, orientation):
            field &= moved(empty, -x, -y)
        return field

    def spawn(self, piece: int) -> int | None:
        """Return the row in which a piece spawns, or `None` if it is blocked."""
        free = self.free(piece, 0)
        rows = (19, 20) if self.options.get("second_spawn_row", True) else (19,)
        return next((row for row in rows if free >> at(4, row) & 1), None)

    def landings(self, piece: int) -> dict[int, tuple[int, int, int, str]]:
        """Return the orientation, center and spin that each action without hold leads to."""
        row = self.spawn(piece)
        if row is None:
            return {}
        free = [self.free(piece, orientation) for orientation in range(4)]
        reached, kicked = [1 << at(4, row), 0, 0, 0], [[0, 0] for _ in range(4)]

        def flood(turns: tuple[int, ...], ways: tuple[tuple[int, int], ...]) -> None:
            before = None
            while before != reached:
                before = list(reached)
                for old in range(4):
                    for x, y in ways:
                        reached[old] |= moved(reached[old], x, y) & free[old]
                    for new in [(old + turn) % 4 for turn in turns]:
                        trying = reached[old]
                        for i, (x, y) in enumerate(kicks(piece, old, new)):
                            fits = moved(trying, x, y) & free[new]
                            trying &= ~moved(fits, -x, -y)
                            reached[new] |= fits
                            kicked[new][i == 4] |= fits

        if self.drops:
            flood((1, 3), ())
            flood((), ((1, 0), (-1, 0)))
        else:
            flood((1, 3), ((1, 0), (-1, 0), (0, -1)))
        found, lowest = dict[int, tuple[int, int, int, str]](), dict[int, int]()
        for orientation in range(4):
            first, dx, dy = same_cells(piece, orientation)
            below = moved(free[orientation], 0, 1)
            for x, y in places(reached[orientation] & (~below if not self.drops else -1)):
                while below >> at(x, y) & 1:
                    y -= 1
                spin = self.spin(orientation, x, y, kicked[orientation]) if piece == T and not self.drops else "none"
                way = first * 10 + x + dx
                if not self.drops and y + dy < 22:
                    found[way * 22 + y + dy] = (orientation, x, y, spin)
                # Turns at a blocked spawn may kick to several rows; the lowest place counts.
                elif self.drops and y + dy < lowest.get(way, 40):
                    found[way], lowest[way] = (orientation, x, y, spin), y + dy
        return found

    def spin(self, orientation: int, x: int, y: int, kicked: list[int]) -> str:
        """Return the best spin of a T: a turn into a place with three filled corners, walls and floor included."""
        corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
        filled = [
            not (0 <= x + a < 10 and 0 <= y + b < 40) or bool(self.board[y + b, x + a])
            for a, b in corners[orientation:] + corners[:orientation]
        ]
        turns, last = (bool(bits >> at(x, y) & 1) for bits in kicked)
        if sum(filled) < 3 or not (turns or last):
            return "none"
        return "full" if last or all(filled[:2]) else "mini"

    def mask(self) -> np.ndarray:
        half = 40 if self.drops else 880
        mask, self.favored = np.zeros(half * (1 + self.hold), bool), []
        held = self.queue[0] if self.held is None else self.held
        for first, piece in [(0, self.piece), (half, held)][: 1 + self.hold]:
            for way, (orientation, x, y, spin) in self.landings(piece).items():
                mask[first + way] = True
                rows = Counter(y + b for _, b in turned(piece, orientation))
                if spin != "none" or any(self.board[row].sum() + count == 10 for row, count in rows.items()):
                    self.favored.append(first + way)
        return mask

    def play(self, action: int, obs: np.ndarray, reward: float) -> tuple[float, bool]:
        hold, way = divmod(action, 40 if self.drops else 880)
        if hold:
            piece = self.queue.pop(0) if self.held is None else self.held
            self.held, self.piece = self.piece, piece
        orientation, x, y, spin = self.landings(self.piece)[way]
        cells = [(y + b, x + a) for a, b in turned(self.piece, orientation)]
        self.board[tuple(np.transpose(cells))] = True
        full = self.board.all(axis=1)
        number = int(full.sum())
        self.board = np.concatenate([self.board[~full], np.zeros((number, 10), bool)])
        self.pieces += 1
        # The counters, the attack and the points.
        self.combo = self.combo + 1 if number else 0
        if number:
            self.chain = self.chain + 1 if number == 4 or spin != "none" else 0
        chained = number > 0 and self.chain > 1
        perfect = number > 0 and not self.board.any()
        attack = ATTACK[spin][number] + chained + 10 * perfect + COMBO[min(self.combo, len(COMBO)) - 1] * (number > 0)
        self.result = {"lines": number, "spin": spin, "perfect_clear": perfect, "combo": self.combo, "attack": attack}
        points = SCORE[spin][number] + chained * (SCORE[spin][number] // 2) + 50 * max(0, self.combo - 1)
        points += perfect * (3200 if chained and number == 4 else PERFECT[number])
        self.events.update({"chained": chained, "perfect": perfect, "combo": self.combo > 1, "quad": number == 4})
        self.events.update({spin: number > 0, "held": hold, "cancelled": bool(self.pending and attack)})
        # Garbage: an attack cancels what is pending, which otherwise enters after a lock without a clear.
        over = min(b for b, _ in cells) >= 20
        cancelled = attack
        while self.pending and cancelled:
            part = min(cancelled, self.pending[0])
            cancelled, self.pending[0] = cancelled - part, self.pending[0] - part
            self.pending = [lines for lines in self.pending if lines]
        if not number and not over and self.pending:
            over = self.garbage(obs)
        # The next pieces, from bags of seven.
        self.piece = self.queue.pop(0)
        shown = self.read(obs)
        new = shown[1 + len(self.queue) :]
        self.drawn = [*self.drawn, *new]
        self.queue += new
        bags = [self.drawn[i : i + 7] for i in range(0, len(self.drawn), 7)]
        assert all(len(set(bag)) == len(bag) for bag in bags)
        over |= self.spawn(self.piece) is None
        every, lines = self.options.get("garbage", (1, 0))
        if lines and not over and self.pieces % every == 0:
            self.pending.append(lines)
        return {"lines": number, "attack": attack, "score": points}[self.options.get("reward", "lines")], over

    def garbage(self, obs: np.ndarray) -> bool:
        """Push the stack up by the pending lines; return whether a cell would pass the ceiling."""
        cells = obs[0] if self.options.get("planes") else obs[: 10 * self.rows].reshape(self.rows, 10)
        entered = cells[::-1][: sum(self.pending)] == 1
        last = len(entered)
        for lines in self.pending:
            part = entered[last - lines : last]
            last -= lines
            assert (part == part[0]).all() and part[0].sum() == 9, "the lines of an arrival share their hole"
        over = bool(self.board[40 - len(entered) :].any())
        self.board = np.concatenate([entered, self.board[: 40 - len(entered)]])
        self.events["garbage"] += len(self.pending)
        self.pending = []
        return over


class Go:
    """Go: points row by row as one string, `.XO`, with a border of spaces."""

    def __init__(self, options: dict[str, Any], obs: np.ndarray) -> None:
        self.options, self.size, self.komi = options, options.get("size", 9), options.get("komi", 7.5)
        self.ko, self.suicide = options.get("ko", "positional"), options.get("suicide", "forbidden")
        self.width = self.size + 1
        self.mine, self.other = "XO" if options.get("start_color", "black") == "black" else "OX"
        history = options.get("history", 0)
        own, others = (obs[0], obs[history or 1]) == np.ones(1)
        rows = ["".join(".123"[a + 2 * b] for a, b in zip(*row, strict=True)) for row in zip(own, others, strict=True)]
        start = "".join(row + " " for row in rows).replace("1", self.mine).replace("2", self.other)
        self.border = " " * self.width
        self.positions = [self.border + start + self.border]
        self.seen = {self.situation(self.positions[0], self.mine)}
        self.moves: list[int] = []
        self.events = Counter[str]()

    def situation(self, board: str, to_move: str) -> str:
        return board + to_move if self.ko == "situational" else board

    def chain(self, board: str, point: int) -> tuple[set[int], set[str]]:
        """Return the connected points of one color (or empty), and what is around them."""
        color, found, around, todo = board[point], {point}, set(), [point]
        while todo:
            at = todo.pop()
            for near in (at - self.width, at - 1, at + 1, at + self.width):
                if board[near] != color:
                    around.add(board[near])
                elif near not in found:
                    found.add(near)
                    todo.append(near)
        return found, around

    def after(self, action: int) -> str | None:
        """Return the board after a stone, or `None` if the point is occupied or the move is a forbidden suicide."""
        point = self.width * (1 + action // self.size) + action % self.size
        board = self.positions[-1]
        if board[point] != ".":
            return None
        board = board[:point] + self.mine + board[point + 1 :]
        taken: set[int] = set()
        for near in (point - self.width, point - 1, point + 1, point + self.width):
            if board[near] == self.other and near not in taken:
                stones, around = self.chain(board, near)
                taken |= stones if "." not in around else set()
        if not taken:
            stones, around = self.chain(board, point)
            if "." not in around:
                if self.suicide == "forbidden" or self.suicide == "multi" and len(stones) == 1:
                    return None
                taken = stones
        return "".join("." if i in taken else stone for i, stone in enumerate(board)) if taken else board

    def repeats(self, board: str | None) -> bool:
        if self.ko == "simple":
            return len(self.positions) > 1 and board == self.positions[-2] != self.positions[-1]
        return board is not None and self.situation(board, self.other) in self.seen

    def mask(self) -> list[bool]:
        boards = [self.after(action) for action in range(self.size**2)]
        legal = [board is not None and not self.repeats(board) for board in boards]
        self.events["ko"] += len(legal) - boards.count(None) - sum(legal)
        return [*legal, True]

    def forbidden(self) -> list[bool]:
        """Return for each point whether a stone there would repeat a position."""
        return [self.repeats(self.after(action)) for action in range(self.size**2)]

    def stones(self, board: str, color: str) -> list[list[bool]]:
        rows = [board[self.width * (y + 1) :][: self.size] for y in range(self.size)]
        return [[stone == color for stone in row] for row in rows]

    def observe(self) -> np.ndarray:
        black, history = np.full((self.size, self.size), self.mine == "X"), self.options.get("history", 0)
        if history:
            nothing = " " * len(self.positions[0])
            boards = (self.positions[::-1] + [nothing] * history)[:history]
            both = [self.stones(board, color) for color in (self.mine, self.other) for board in boards]
            return np.stack([*both, black])
        last = np.zeros((2, self.size**2 + 1))
        for plane, action in zip(last, self.moves[:-3:-1], strict=False):
            plane[action] = 1
        both = [self.stones(self.positions[-1], color) for color in (self.mine, self.other)]
        square = (-1, self.size, self.size)
        return np.concatenate([both, np.reshape(self.forbidden(), square), last[:, :-1].reshape(square), black[None]])

    def play(self, action: int, obs: np.ndarray, reward: float) -> tuple[float, bool]:
        self.moves.append(action)
        board = self.positions[-1] if action == self.size**2 else self.after(action)
        assert board is not None
        mine, other = (board.count(color) - self.positions[-1].count(color) for color in (self.mine, self.other))
        self.events.update({"taken": other < 0, "suicide": mine <= 0 and action < self.size**2})
        self.positions.append(board)
        self.mine, self.other = self.other, self.mine
        self.seen.add(self.situation(board, self.mine))
        over = self.moves[-2:] == [self.size**2] * 2
        return float(over and np.sign(self.score()) * (1 if self.other == "X" else -1)), over

    def score(self) -> float:
        """Return the Tromp-Taylor score: Black's area minus White's, minus komi."""
        board, total, counted = self.positions[-1], -self.komi, set[int]()
        for point in (i for i, stone in enumerate(board) if stone != " "):
            if point not in counted:
                found, around = self.chain(board, point)
                counted |= found
                around = around - {" "} if board[point] == "." else {board[point]}
                total += len(found) * {"X": 1, "O": -1}.get("".join(around), 0)
        return total

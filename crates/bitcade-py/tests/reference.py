"""The rules of the games, written from the pages in `docs` and the docstrings alone: slow, and short enough to read.

Each class plays one game in parallel with a game of a batch. It is created from the options and the first observation,
and has `mask()`, `observe()`, and `play(action, obs, reward)`, which returns the right reward and whether the game is
over. What is random is read from the next observation, in the layout of the default, and an assertion fails if the
rules don't allow it. `events` counts what rarely happens, for a test to say that it did; `favored` are actions that
lead there.
"""

import tomllib
from collections import Counter
from functools import cache
from itertools import groupby

import numpy as np


def one_hot(board, count, first=1):
    return np.arange(first, first + count)[:, None, None] == board


def merge(line):
    # Slide a line toward its start; return it and the score. Tiles merge once each, starting at the wall.
    merged = []
    gain, is_new = 0, True
    for rank in filter(None, line):
        if not is_new and merged[-1] == rank:
            merged[-1] += 1
            gain += 2 ** merged[-1]
            is_new = True
        else:
            merged.append(rank)
            is_new = False
    return merged + [0] * (len(line) - len(merged)), gain


def slide(board, direction):
    turns = (0, 2, 1, 3)[direction]
    lines, gains = zip(*map(merge, np.rot90(board, turns).tolist()), strict=True)
    return np.rot90(lines, -turns), sum(gains)


class Game2048:
    def __init__(self, options, obs):
        self.one_hot, self.events = False, Counter()
        self.board = obs.copy()
        assert sorted(obs.flat)[-3:] in ([0, 1, 1], [0, 1, 2], [0, 2, 2]), "two tiles, each 2 or 4"

    def observe(self):
        board = np.array(self.board)
        return one_hot(board, 18, 0) if self.one_hot else board

    def mask(self):
        return [(slide(self.board, direction)[0] != self.board).any() for direction in range(4)]

    def play(self, action, obs, reward):
        before, gain = slide(self.board, action)
        self.board = obs.copy()
        ((y, x),) = np.argwhere(before != obs)
        assert before[y, x] == 0 and obs[y, x] in (1, 2), "one new tile, a 2 or a 4"
        self.events[f"new {2 ** obs[y, x]}"] += 1
        return gain, not any(self.mask())


#: The color of a piece that fell in, until the next observation shows it.
UNKNOWN = -1
ROW, COLUMN, BOMB, COLOR = 1, 2, 3, 4


def lines(colors):
    found = []
    for axis, board in enumerate((colors, colors.T)):
        for i, line in enumerate(board.tolist()):
            end = 0
            for color, run in groupby(line):
                start, end = end, end + len(list(run))
                if end - start >= 3 and color > 0:
                    found.append(frozenset((j, i) if axis else (i, j) for j in range(start, end)))
    return found


def groups(colors):
    found = []
    for line in lines(colors):
        crossed = [group for group in found if any(line & other for other in group)]
        found = [group for group in found if group not in crossed] + [sum(crossed, [line])]
    return found


class Match3:
    # Match-3, plain or on a level: colors, kinds of special pieces, locks and walls.
    #
    # Pieces that fall in are unknown within a move, and can only add to a level of the cascade. So if the points are
    # those of at most two levels of the known pieces, all that these do is certain.

    def __init__(self, options, obs):
        self.plain, self.one_hot = "level" not in options, False
        rules = options if self.plain else tomllib.loads(options["level"])
        self.number, self.moves, self.goal_reward = rules.get("colors", 6), rules.get("moves", 30), options.get("goal_reward", 10_000)
        self.bonus, self.creates = rules.get("bonus", 0), rules.get("specials", False)
        self.goals = [
            (name, goal.get("color"), goal.get("count") or goal[name])
            for goal in rules.get("goals", [])
            for name in list(goal)[:1]
        ]
        self.left, self.total = [count for _, _, count in self.goals], 0
        self.events = Counter()
        _, height, width = obs.shape
        self.cells = np.zeros((3, height, width), int)
        self.colors, self.kinds, self.locked = self.cells
        self.read(obs)
        across = [((y, x), (y, x + 1)) for y in range(height) for x in range(width - 1)]
        self.pairs = across + [((y, x), (y + 1, x)) for y in range(height - 1) for x in range(width)]
        self.blocked = np.zeros((height, width), bool) if self.plain else obs[10] == 1
        if not self.plain:
            pieces, locks = (np.array(list(map(list, rules[name].split()))) for name in ("pieces", "locks"))
            assert ((pieces == "#") == self.blocked).all() and ((locks == "x") == self.locked).all()
            assert not obs[6:10].any() and not obs[11].any()
        assert not self.kinds.any() and ((self.colors > 0) != self.blocked).all()

    def read(self, obs):
        if self.plain:
            self.colors[:] = obs[0]
        else:
            for cells, planes in ((self.colors, obs[13 : 13 + self.number]), (self.kinds, obs[:4])):
                cells[:] = np.tensordot(np.arange(1, len(planes) + 1), planes, 1)
            self.locked[:] = obs[5]
        assert self.colors.max() <= self.number and not lines(self.colors)

    def observe(self):
        moves = np.full((1, *self.colors.shape), min(self.moves, 255))
        colors = one_hot(self.colors, self.number)
        if self.plain:
            return np.concatenate([colors if self.one_hot else self.colors[None], moves])
        nothing = np.zeros_like(self.locked)
        special = [*one_hot(self.kinds, 4), nothing, self.locked, *[nothing] * 4, self.blocked, nothing]
        left = [-(-255 * left // count) for left, (_, _, count) in zip(self.left, self.goals, strict=True)]
        return np.concatenate([special, moves, colors, *(np.full_like(moves, part) for part in left)])

    def swap(self, action):
        one, other = self.pairs[action]
        for cells in self.cells:
            cells[one], cells[other] = cells[other], cells[one]
        return one, other

    def mask(self):
        return list(map(self.is_legal, range(len(self.pairs))))

    def is_legal(self, action):
        pair = self.pairs[action]
        if not all(self.colors[cell] and not self.locked[cell] for cell in pair):
            return False
        if any(self.kinds[cell] == COLOR for cell in pair):
            return True
        self.swap(action)
        is_legal = bool(lines(self.colors))
        self.swap(action)
        return is_legal

    def cascade(self, action, new):
        # Play a swap; new pieces are `UNKNOWN`, or 0 for none. Return the points, their certainty, and the counts.
        swap = self.swap(action)
        # A swapped color piece clears the color of the other piece.
        wild = {cell: self.colors[other] for cell, other in (swap, swap[::-1]) if self.kinds[cell] == COLOR}
        points, level, counts = 0, 0, Counter()
        while True:
            level += 1
            matched = groups(self.colors)
            hit = np.zeros(self.colors.shape, bool)
            for cell in [*wild, *(cell for group in matched for line in group for cell in line)]:
                hit[cell] = True
            if not hit.any():
                return points, True, counts
            if new and level > 2:
                return points, False, counts
            done = set()
            while todo := {(y, x) for y, x in np.argwhere(hit & (self.kinds > 0)).tolist()} - done:
                y, x = cell = todo.pop()
                done.add(cell)
                rows, columns = np.indices(hit.shape)
                reach = {
                    ROW: rows == y,
                    COLUMN: columns == x,
                    BOMB: (abs(rows - y) <= 1) & (abs(columns - x) <= 1),
                    COLOR: self.colors == wild.get(cell, self.colors[cell]),
                }[self.kinds[cell]]
                hit |= reach & (self.colors != 0)
            points += 10 * level * int(hit.sum())
            counts.update({"locks": int(self.locked[hit].sum()), "set_off": len(done)})
            counts.update(self.colors[hit].tolist())
            born = [self.born(group, swap if level == 1 else ()) for group in matched] if self.creates else []
            created = [(cell, kind, self.colors[cell]) for cell, kind in born if kind]
            self.cells[:, hit] = 0
            for cell, kind, color in created:
                self.kinds[cell], self.colors[cell] = kind, color
            self.fall(new)
            wild = {}
            if new and counts[UNKNOWN]:
                return points, False, counts

    def born(self, group, swap):
        # Return the cell and the kind of the special piece that a group creates, 0 for none.
        cells, longest = sorted(frozenset().union(*group)), max(map(len, group))
        cell = next((cell for cell in sorted(swap) if cell in cells), cells[len(cells) // 2])
        single = {3: 0, 4: ROW if cells[0][0] == cells[1][0] else COLUMN}
        return cell, COLOR if longest >= 5 else BOMB if len(group) > 1 else single[longest]

    def fall(self, new):
        for x, blocked in enumerate(self.blocked.T):
            bottom = len(blocked)
            for top in [*np.flatnonzero(blocked)[::-1], -1]:
                part = self.cells[:, top + 1 : bottom, x]
                part[:] = part[:, np.argsort(part[0] != 0, kind="stable")]
                bottom = top
            part[0, part[0] == 0] = new

    def hints(self):
        before, points = self.cells.copy(), []
        for action, is_legal in enumerate(self.mask()):
            points.append(self.cascade(action, 0)[0] if is_legal else 0)
            self.cells[:] = before
        return points

    def score(self):
        return self.total

    def pass_by(self):
        self.moves -= 1
        return self.moves == 0

    def play(self, action, obs, reward):
        before = self.kinds.copy()
        least, certain, counts = self.cascade(action, UNKNOWN)
        planes = obs[len(obs) - len(self.left) :].max((1, 2)).astype(int) if self.left else []
        bonus = self.goal_reward * sum(left > 0 and plane == 0 for left, plane in zip(self.left, planes, strict=True))
        left_over = 0 if self.plain or any(planes) or not self.left else self.bonus * (self.moves - 1)
        points = int(reward) - bonus - left_over
        self.total += points + left_over
        certain &= points == least
        assert points >= least > 0 and points % 10 == 0
        for i, (name, color, count) in enumerate(self.goals):
            most = max(0, self.left[i] - (points if name == "score" else counts[color or name]))
            self.left[i] = most if certain or name == "score" else min(most, planes[i] * count // 255)
        colors, kinds, locked = self.cells.copy()
        is_dead = not any(self.mask())
        self.read(obs)
        if certain:
            same = (colors == self.colors) | (colors == UNKNOWN) & (self.colors > 0)
            assert same.all() or is_dead, "a board without a legal swap is dealt anew"
            assert (kinds == self.kinds).all() and (locked == self.locked).all()
            self.events.update({"dealt": int(not same.all()), "specials": counts["set_off"], "locks": counts["locks"]})
            self.events.update(f"created{kind}" for kind in kinds[kinds > before])
        self.events["certain" if certain else "uncertain"] += 1
        won = bool(self.goals) and not any(self.left)
        return int(reward), self.pass_by() or won or not self.plain and not any(self.mask())


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
def turned(piece, orientation):
    cells = NORTH[piece]
    for _ in range(orientation):
        cells = [(y, -x) for x, y in cells]
    return cells


@cache
def kicks(piece, old, new):
    offsets = OFFSETS["IO"[piece] if piece < 2 else "other"]
    return [(a - c, b - d) for (a, b), (c, d) in zip(offsets[old], offsets[new], strict=True)]


@cache
def same_cells(piece, orientation):
    # Return the first orientation with the same cells, and the way from the center to its center.
    cells = set(turned(piece, orientation))
    return next(
        (first, x, y)
        for first in range(orientation + 1)
        for x in (0, -1, 1)
        for y in (0, -1, 1)
        if cells == {(x + a, y + b) for a, b in turned(piece, first)}
    )


class Tetris:
    # Tetris, piece by piece: rows of cells from the floor, the pieces in play, held and to come, and the counters.

    def __init__(self, options, obs):
        self.options, self.rows = options, options.get("rows", 20)
        self.drops, self.hold = options.get("actions") == "drops", options.get("hold", True)
        start = options.get("starts", np.zeros((1, 0, 10)))[0][::-1] == 1
        self.board = np.concatenate([start, np.zeros((40 - len(start), 10), bool)])
        self.piece, *self.queue = self.drawn = self.read(obs)
        self.events, self.favored, self.result = Counter(), [], {}
        self.held = None
        self.combo = self.chain = self.pieces = 0
        self.pending = []

    def read(self, obs):
        piece, _, *preview = (obs[10 * self.rows :][: 2 + self.options.get("next", 5)].astype(int) - 1).tolist()
        return [piece, *preview]

    def observe(self):
        board = self.board[: self.rows][::-1].astype(int)
        counts = [self.combo, self.chain] + ([sum(self.pending)] if self.options.get("garbage") is not None else [])
        pieces = [self.piece, -1 if self.held is None else self.held, *self.queue]
        if not self.options.get("planes"):
            return np.concatenate([board.ravel(), np.add(pieces, 1), np.minimum(counts, 255)])
        # The cells of each piece in the top two rows, after the first one the ghost.
        drawn = np.zeros((len(pieces), self.rows, 10), int)
        for plane, piece in zip(drawn, pieces, strict=True):
            for x, y in NORTH[piece] if piece >= 0 else ():
                plane[1 - y, 4 + x] = 1
        ghost = np.zeros((40, 10), int)
        row = self.spawn(self.piece)
        if row is not None:
            while self.fits(self.piece, row - 1):
                row -= 1
            for x, y in NORTH[self.piece]:
                ghost[row + y, 4 + x] = 1
        filled = [np.full_like(board, min(count, 255)) for count in counts]
        return np.stack([board, drawn[0], ghost[: self.rows][::-1], *drawn[1:], *filled])

    def fits(self, piece, row):
        return all(row + y >= 0 and not self.board[row + y, 4 + x] for x, y in NORTH[piece])

    def spawn(self, piece):
        rows = (19, 20) if self.options.get("second_spawn_row", True) else (19,)
        return next((row for row in rows if self.fits(piece, row)), None)

    def landings(self, piece):
        # Return the orientation, center and spin that each action without hold leads to.
        row = self.spawn(piece)
        if row is None:
            return {}
        empty = {(x, y) for y, x in np.argwhere(~self.board).tolist()}
        # All places: the orientations and centers at which the piece touches no filled cell and no wall.
        free = {
            (orientation, *center)
            for orientation in range(4)
            for center in set.intersection(
                *({(x - a, y - b) for x, y in empty} for a, b in turned(piece, orientation))
            )
        }
        #: The places that are reached, and whether turns into them took the last kick.
        reached = {(0, 4, row): set()}

        def flood(turns, ways):
            todo = list(reached)
            while todo:
                old, x, y = todo.pop()
                near = [((old, x + a, y + b), set()) for a, b in ways]
                for new in [(old + turn) % 4 for turn in turns]:
                    tries = [(new, x + a, y + b) for a, b in kicks(piece, old, new)]
                    near += [(place, {i == 4}) for i, place in enumerate(tries) if place in free][:1]
                for place, kicked in near:
                    if place in free and place not in reached:
                        reached[place] = set()
                        todo.append(place)
                    if place in free:
                        reached[place] |= kicked

        if self.drops:
            flood((1, 3), ())
            flood((), ((1, 0), (-1, 0)))
        else:
            flood((1, 3), ((1, 0), (-1, 0), (0, -1)))
        found, lowest = {}, {}
        for (orientation, x, y), kicked in reached.items():
            first, dx, dy = same_cells(piece, orientation)
            way = first * 10 + x + dx
            if self.drops:
                while (orientation, x, y - 1) in free:
                    y -= 1
                # Turns at a blocked spawn may kick to several rows; the lowest place counts.
                if y + dy < lowest.get(way, 40):
                    found[way], lowest[way] = (orientation, x, y, "none"), y + dy
            elif (orientation, x, y - 1) not in free and y + dy < 22:
                spin = self.spin(orientation, x, y, kicked) if piece == T else "none"
                found[way * 22 + y + dy] = (orientation, x, y, spin)
        return found

    def spin(self, orientation, x, y, kicked):
        # Return the best spin of a T: a turn into a place with three filled corners, walls and floor included.
        corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
        filled = [
            not (0 <= x + a < 10 and 0 <= y + b < 40) or bool(self.board[y + b, x + a])
            for a, b in corners[orientation:] + corners[:orientation]
        ]
        if sum(filled) < 3 or not kicked:
            return "none"
        return "full" if True in kicked or all(filled[:2]) else "mini"

    def mask(self):
        half = 40 if self.drops else 880
        held = self.queue[0] if self.held is None else self.held
        #: For each legal action its piece and where that lands.
        self.ways = {
            first + way: (piece, *landing)
            for first, piece in [(0, self.piece), (half, held)][: 1 + self.hold]
            for way, landing in self.landings(piece).items()
        }
        self.favored = []
        for action, (piece, orientation, _, y, spin) in self.ways.items():
            rows = Counter(y + b for _, b in turned(piece, orientation))
            if spin != "none" or any(self.board[row].sum() + count == 10 for row, count in rows.items()):
                self.favored.append(action)
        return np.isin(np.arange(half * (1 + self.hold)), list(self.ways))

    def play(self, action, obs, reward):
        piece, orientation, x, y, spin = self.ways[action]
        held = action >= (40 if self.drops else 880)
        if held:
            self.queue = self.queue[self.held is None :]
            self.held = self.piece
        cells = [(y + b, x + a) for a, b in turned(piece, orientation)]
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
        rewards = {"lines": number, "attack": attack, "score": points}
        self.events.update({"chained": chained, "perfect": perfect, "combo": self.combo > 1, "quad": number == 4})
        self.events.update({spin: number > 0, "held": held, "cancelled": bool(self.pending and attack)})
        # Garbage: an attack cancels what is pending, which otherwise enters after a lock without a clear.
        over = min(b for b, _ in cells) >= 20
        while self.pending and attack:
            part = min(attack, self.pending[0])
            attack -= part
            self.pending[:1] = [self.pending[0] - part] if self.pending[0] > part else []
        if not number and not over:
            # The stack is pushed up; no cell may pass the ceiling.
            first = count = sum(self.pending)
            entered = obs[: 10 * self.rows].reshape(self.rows, 10)[::-1][:count] == 1
            for lines in self.pending:
                first -= lines
                part = entered[first : first + lines]
                assert (part == part[0]).all() and part[0].sum() == 9, "the lines of an arrival share their hole"
            over = bool(self.board[40 - count :].any())
            self.board = np.concatenate([entered, self.board[: 40 - count]])
            self.events["garbage"] += count
            self.pending = []
        # The next pieces, from bags of seven.
        self.piece = self.queue.pop(0)
        new = self.read(obs)[1 + len(self.queue) :]
        self.drawn = [*self.drawn, *new]
        self.queue += new
        bags = [self.drawn[i : i + 7] for i in range(0, len(self.drawn), 7)]
        assert all(len(set(bag)) == len(bag) for bag in bags)
        over |= self.spawn(self.piece) is None
        every, lines = self.options.get("garbage", (1, 0))
        if lines and not over and self.pieces % every == 0:
            self.pending.append(lines)
        return rewards[self.options.get("reward", "lines")], over


class Go:
    # Go: points row by row as one string, `.XO`, with a border of spaces.

    def __init__(self, options, obs):
        self.options, self.size, self.komi = options, options.get("size", 9), options.get("komi", 7.5)
        self.ko, self.suicide = options.get("ko", "positional"), options.get("suicide", "forbidden")
        self.width = self.size + 1
        self.mine, self.other = "XO" if options.get("start_color", "black") == "black" else "OX"
        stones = np.array([".", self.mine, self.other])[(obs[0] + 2 * obs[1]).astype(int)]
        border = " " * self.width
        self.positions = [border + "".join("".join(row) + " " for row in stones) + border]
        self.seen = {self.situation(self.positions[0], self.mine)}
        self.moves = []
        self.events = Counter()

    def situation(self, board, to_move):
        return board + to_move if self.ko == "situational" else board

    def near(self, point):
        return point - self.width, point - 1, point + 1, point + self.width

    def chain(self, board, point):
        found, around, todo = {point}, set(), [point]
        while todo:
            for near in self.near(todo.pop()):
                if board[near] != board[point]:
                    around.add(board[near])
                elif near not in found:
                    found.add(near)
                    todo.append(near)
        return found, around

    def after(self, action):
        point = self.width * (1 + action // self.size) + action % self.size
        board = self.positions[-1]
        if board[point] != ".":
            return None
        board = board[:point] + self.mine + board[point + 1 :]
        taken = set()
        for near in self.near(point):
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

    def repeats(self, board):
        if self.ko == "simple":
            return len(self.positions) > 1 and board == self.positions[-2] != self.positions[-1]
        return board is not None and self.situation(board, self.other) in self.seen

    def mask(self):
        boards = [self.after(action) for action in range(self.size**2)]
        legal = [board is not None and not self.repeats(board) for board in boards]
        self.events["ko"] += len(legal) - boards.count(None) - sum(legal)
        return [*legal, True]

    def forbidden(self):
        # Return for each point whether a stone there would repeat a position.
        return [self.repeats(self.after(action)) for action in range(self.size**2)]

    def observe(self):
        square, history = (-1, self.size, self.size), self.options.get("history", 0)
        boards = self.positions[: -1 - history : -1] if history else self.positions[-1:]
        boards = boards + ["." * self.size**2] * (history - len(boards))
        points = np.reshape(list("".join(boards).replace(" ", "")), square)
        planes = [points == self.mine, points == self.other]
        if not history:
            last = np.zeros((2, self.size**2 + 1))
            for plane, action in zip(last, self.moves[:-3:-1], strict=False):
                plane[action] = 1
            planes += [np.reshape(self.forbidden(), square), last[:, :-1].reshape(square)]
        return np.concatenate([*planes, np.full((1, self.size, self.size), self.mine == "X")])

    def play(self, action, obs, reward):
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

    def score(self):
        # Return the Tromp-Taylor score: Black's area minus White's, minus komi.
        board, total, counted = self.positions[-1], -self.komi, set()
        for point in (i for i, stone in enumerate(board) if stone != " "):
            if point not in counted:
                found, around = self.chain(board, point)
                counted |= found
                around = around - {" "} if board[point] == "." else {board[point]}
                total += len(found) * {"X": 1, "O": -1}.get("".join(around), 0)
        return total

"""What an observation must show, built from the text of the game's state rather than from other observations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

#: The cells of each piece facing north as (x, y) from its center, in the order I O T S Z J L.
NORTH = [
    [(-1, 0), (0, 0), (1, 0), (2, 0)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (1, 0), (0, 1)],
    [(-1, 0), (0, 0), (0, 1), (1, 1)],
    [(-1, 1), (0, 1), (0, 0), (1, 0)],
    [(-1, 0), (0, 0), (1, 0), (-1, 1)],
    [(-1, 0), (0, 0), (1, 0), (1, 1)],
]
PIECES = "IOTSZJL"
ORIENTATIONS = ("north", "east", "south", "west")


def one_hot(board: np.ndarray, values: range) -> np.ndarray:
    return (board == np.array(values)[:, None, None]).astype(np.uint8)


def filled(value: int, shape: Any) -> np.ndarray:
    return np.full((1, *shape), min(value, 255), np.uint8)


def g2048(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    tiles = [line.split() for line in text["game"]["board"].splitlines()]
    ranks = np.array([[0 if tile == "." else int(tile).bit_length() - 1 for tile in row] for row in tiles], np.uint8)
    return one_hot(ranks, range(18)) if options.get("one_hot") else ranks


def match3(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    board = np.array([[int(cell, 16) for cell in line] for line in text["game"]["board"].split()], np.uint8)
    rules = text["rules"]
    planes = one_hot(board, range(1, rules["colors"] + 1)) if options.get("one_hot") else board[None]
    return np.concatenate([planes, filled(rules["moves"] - text["steps"], board.shape)])


def match3_goals(text: dict[str, Any], options: dict[str, Any], board: np.ndarray) -> np.ndarray:
    rules = text["rules"]
    colors, kinds, is_locked = board & 15, board >> 4 & 7, board >> 7
    is_blocked = (kinds == 4) & (colors == 0)
    marks = one_hot(np.where(is_blocked, 0, kinds), range(1, 5))
    goals = [
        filled(-(-255 * left // goal["count"]), board.shape)
        for left, goal in zip(text["game"]["left"], rules["goals"], strict=True)
    ]
    moves = filled(rules["moves"] - text["steps"], board.shape)
    return np.concatenate(
        [marks, is_locked[None], is_blocked[None], moves, one_hot(colors, range(1, rules["colors"] + 1)), *goals]
    )


def rows_of(board: str, count: int) -> np.ndarray:
    """Return the lowest rows of a board of Tetris as 0 and 1."""
    lines = board.splitlines()
    lines = [*["." * 10] * (count - len(lines)), *lines][-count:]
    return np.array([[cell != "." for cell in line] for line in lines], np.uint8)


def landing(board: np.ndarray, cells: list[tuple[int, int]], x: int, bottoms: list[int]) -> np.ndarray:
    """Return the cells where a piece lands that drops from the first height where it fits."""
    drawn, height = np.zeros_like(board), len(board)

    def fits(bottom: int) -> bool:
        return all(y + bottom >= 0 and not board[height - 1 - y - bottom, dx + x] for dx, y in cells)

    bottom = next((bottom for bottom in bottoms if fits(bottom)), None)
    if bottom is None:
        return drawn
    while fits(bottom - 1):
        bottom -= 1
    for dx, y in cells:
        drawn[height - 1 - y - bottom, dx + x] = 1
    return drawn


def tetris(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    game = text["game"]["game"]
    rows, queue = options.get("rows", 20), game["queue"]
    board = rows_of(game["board"], 44)
    pieces = [queue[0], game["hold"] or "-", *queue[1 : 1 + options.get("next", 5)]]
    numbers = [PIECES.find(piece) + 1 for piece in pieces]
    counts = [game["combo"], game["back_to_back"]]
    if options.get("garbage") is not None:
        counts.append(sum(attack["lines"] for attack in game["garbage"]))
    counts = [min(count, 255) for count in counts]
    if not options.get("planes"):
        return np.concatenate([board[-rows:].ravel(), numbers, counts]).astype(np.uint8)
    drawn = [board[-rows:]]
    for place, piece in enumerate(numbers):
        plane = np.zeros((rows, 10), np.uint8)
        for x, y in NORTH[piece - 1] if piece else ():
            plane[1 - y, x + 4] = 1
        drawn.append(plane)
        if place == 0:
            spawns = [19, 20] if options.get("second_spawn_row", True) else [19]
            drawn.append(landing(board, NORTH[piece - 1], 4, spawns)[-rows:])
    return np.concatenate([drawn, *(filled(count, (rows, 10)) for count in counts)])


def tetris_keys(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    game = text["game"]["game"]
    rules, inner = game["rules"], game["game"]
    board = rows_of(inner["board"], 44)
    falling, lines = np.zeros_like(board), np.zeros((24, 10), np.uint8)
    # The first piece of a game enters with the first tick.
    entering = {"at": {"piece": inner["queue"][0], "orientation": "north", "x": 4, "y": 19}}
    phase = game["phase"].get("Falling", entering)
    at = phase["at"]
    turns, cells = ORIENTATIONS.index(at["orientation"]), NORTH[PIECES.index(at["piece"])]
    for _ in range(turns):
        cells = [(y, -x) for x, y in cells]
    for x, y in cells:
        falling[43 - y - at["y"], x + at["x"]] = 1
    lines[0, PIECES.index(at["piece"])] = lines[17, turns] = 1
    # A held piece leaves the queue when the piece in play locks.
    held = inner["queue"][0] if game["hold_used"] else inner["hold"]
    if held:
        lines[1, PIECES.index(held)] = 1
    lines[1, 9] = options.get("hold", True) and not game["hold_used"] and phase is not entering
    following = inner["queue"][2 if game["hold_used"] and not inner["hold"] else 1 :]
    for row, piece in enumerate(following[: options.get("next", 5)]):
        lines[2 + row, PIECES.index(piece)] = 1
    level = options.get("level", 1)
    level += game["lines"] // rules["lines_per_level"] if rules["lines_per_level"] else 0
    for row, count in ((18, inner["combo"]), (19, inner["back_to_back"]), (23, -(-level // 2))):
        lines[row, :count] = 1
    timing = rules["timing"]
    row = options.get("gravity")
    if row is None:
        # The guideline's time, in parts of a tick.
        row = (0.8 - 0.007 * (level - 1)) ** (level - 1) * 60 * 10**9
    wholes = timing["lock_delay"], timing["lock_resets"], row
    for row, part, whole in zip((20, 21, 22), ("rested", "resets", "fallen"), wholes, strict=True):
        lines[row, : int(10 * phase.get(part, 0) // max(whole, 1))] = 1
    ghost = landing(board, cells, at["x"], [at["y"]])
    return np.stack([board[-24:], falling[-24:], ghost[-24:], lines])


def without_dead(board: np.ndarray, color: int) -> np.ndarray:
    """Remove the chains of a color without liberties."""
    alive = board == 0
    while True:
        edge = np.pad(alive, 1)
        near = edge[2:, 1:-1] | edge[:-2, 1:-1] | edge[1:-1, 2:] | edge[1:-1, :-2]
        grown = alive | (near & (board == color))
        if (grown == alive).all():
            return np.where((board == color) & ~alive, 0, board)
        alive = grown


def after(board: np.ndarray, point: tuple[int, int], color: int) -> np.ndarray:
    """Return the board after a stone, which may be suicide."""
    board = board.copy()
    board[point] = color
    return without_dead(without_dead(board, 3 - color), color)


@cache
def stones(text: str) -> np.ndarray:
    """Return a board of Go: 0 empty, 1 black, 2 white."""
    return np.array([[".XO".index(cell) for cell in line] for line in text.split()])


@cache
def boards(start: str, color: int, moves: tuple[str, ...]) -> list[np.ndarray]:
    """Return the boards of a game of Go from the start on."""
    if not moves:
        return [stones(start)]
    *earlier, move = moves
    before = boards(start, color, tuple(earlier))
    mover = color if len(earlier) % 2 == 0 else 3 - color
    return [*before, before[-1] if move == "pass" else after(before[-1], point_of(move, len(before[0])), mover)]


def point_of(move: str, size: int) -> tuple[int, int]:
    return size - int(move[1:]), "ABCDEFGHJKLMNOPQRST".index(move[0])


def go(text: dict[str, Any], options: dict[str, Any], mask: np.ndarray | None, player: int | None = None) -> np.ndarray:
    """Build the planes for a player, by default for the one to move, whose legal moves are given."""
    (game,) = text["game"].values()
    start, mover = game["board"]["stones"], 1 if game["to_move"] == "black" else 2
    if game["played"] is None:
        # Of a game without superko, the state has the last boards.
        moves = [move or "pass" for move in game["last"][::-1]]
        played = [*(stones(board["stones"]) for board in game.get("earlier", [])[::-1]), stones(start)]
    else:
        moves = game["played"]
        played = boards(start, mover, tuple(moves))
        mover = mover if len(moves) % 2 == 0 else 3 - mover
    own = player or mover
    shape, history = played[0].shape, options.get("history", 0)
    black_moves = filled(mover == 1, shape)
    if history:
        shown = [*played[::-1], *[np.zeros(shape)] * history][:history]
        return np.concatenate([[board == own for board in shown], [board == 3 - own for board in shown], black_moves])
    last = np.zeros((2, *shape), np.uint8)
    for plane, move in zip(last, moves[::-1], strict=False):
        if move != "pass":
            plane[point_of(move, len(plane))] = 1
    ko = np.zeros(shape, np.uint8)
    if own == mover and mask is not None:
        illegal = ~mask[:-1].reshape(shape) & (played[-1] == 0)
        for point in zip(*np.nonzero(illegal), strict=True):
            result = after(played[-1], point, mover)
            lost = np.count_nonzero(played[-1] == mover) + 1 - np.count_nonzero(result == mover)
            allowed = {"forbidden": 0, "multi": np.inf, "all": np.inf}[options.get("suicide", "forbidden")]
            ko[point] = lost <= allowed and not (lost == 1 and options.get("suicide") == "multi")
    return np.concatenate([[played[-1] == own, played[-1] == 3 - own, ko], last, black_moves])


SHOWN: dict[str, Callable[..., np.ndarray]] = {
    "2048": g2048,
    "match3": match3,
    "match3-goals": match3_goals,
    "tetris": tetris,
    "tetris-keys": tetris_keys,
    "go": go,
}

"""What an observation must show: the text of the game's state, shown by the rules of `reference`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from reference import NORTH, Game2048, Go, Match3, Tetris

PIECES = "IOTSZJL"
ORIENTATIONS = ("north", "east", "south", "west")


def game_of(cls: type, **attributes: Any) -> Any:
    """Return a game of the rules written anew that shows what its attributes say."""
    game = object.__new__(cls)
    vars(game).update(attributes)
    return game


def g2048(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    tiles = [line.split() for line in text["game"]["board"].splitlines()]
    ranks = [[0 if tile == "." else int(tile).bit_length() - 1 for tile in row] for row in tiles]
    return game_of(Game2048, board=ranks, one_hot=options.get("one_hot")).observe()


def match3(text: dict[str, Any], options: dict[str, Any], board: np.ndarray | None = None) -> np.ndarray:
    """Build the planes; for a game with goals, from its board of colors and marks."""
    rules, game, is_plain = text["rules"], text["game"], board is None
    if board is None:
        board = np.array([[int(cell, 16) for cell in line] for line in game["board"].split()])
    colors, kinds = board & 15, board >> 4 & 7
    blocked = (kinds == 4) & (colors == 0)
    return game_of(
        Match3,
        plain=is_plain,
        one_hot=options.get("one_hot"),
        number=rules["colors"],
        moves=rules["moves"] - text["steps"],
        colors=colors,
        kinds=np.where(blocked, 0, kinds),
        locked=board >> 7,
        blocked=blocked,
        left=game.get("left", []),
        goals=[("", 0, goal["count"]) for goal in rules.get("goals", [])],
    ).observe()


def rows_of(board: str, count: int) -> np.ndarray:
    """Return the lowest rows of a board of Tetris as 0 and 1."""
    lines = board.splitlines()
    lines = [*["." * 10] * (count - len(lines)), *lines][-count:]
    return np.array([[cell != "." for cell in line] for line in lines], np.uint8)


def tetris(text: dict[str, Any], options: dict[str, Any]) -> np.ndarray:
    game = text["game"]["game"]
    piece, *following = map(PIECES.index, game["queue"])
    return game_of(
        Tetris,
        options=options,
        rows=options.get("rows", 20),
        board=rows_of(game["board"], 40)[::-1] == 1,
        piece=piece,
        held=PIECES.index(game["hold"]) if game["hold"] else None,
        queue=following[: options.get("next", 5)],
        combo=game["combo"],
        chain=game["back_to_back"],
        pending=[attack["lines"] for attack in game["garbage"]],
    ).observe()


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
    ghost, x, y = np.zeros_like(board), at["x"], at["y"]

    def fits(y: int) -> bool:
        return all(b + y >= 0 and not board[43 - b - y, a + x] for a, b in cells)

    while fits(y) and fits(y - 1):
        y -= 1
    for a, b in cells:
        ghost[43 - b - y, a + x] = fits(y)
    return np.stack([board[-24:], falling[-24:], ghost[-24:], lines])


def go_game(positions: list[str], mine: str, **attributes: Any) -> Go:
    width = len(positions[0].split()[0]) + 1
    other = "XO".replace(mine, "")
    return game_of(Go, positions=positions, mine=mine, other=other, width=width, size=width - 1, **attributes)


def board_of(stones: str) -> str:
    border = " " * (len(stones.split()[0]) + 1)
    return border + "".join(row + " " for row in stones.split()) + border


def number_of(move: str, size: int) -> int:
    """Return the action of a move like A1, or a pass."""
    return size**2 if move == "pass" else (size - int(move[1:])) * size + "ABCDEFGHJKLMNOPQRST".index(move[0])


@cache
def boards(start: str, color: str, moves: tuple[str, ...]) -> list[str]:
    """Return the boards of a game of Go from the start on."""
    if not moves:
        return [start]
    before = boards(start, color, moves[:-1])
    game = go_game(before, color if len(moves) % 2 else "XO".replace(color, ""), suicide="all")
    return [*before, before[-1] if moves[-1] == "pass" else game.after(number_of(moves[-1], game.size))]


def go(text: dict[str, Any], options: dict[str, Any], mask: np.ndarray | None, player: int | None = None) -> np.ndarray:
    """Build the planes for a player, by default for the one to move, whose legal moves are given."""
    (game,) = text["game"].values()
    mover, positions = "XO"[game["to_move"] == "white"], [board_of(game["board"]["stones"])]
    if game["played"] is None:
        # Of a game without superko, the state has the last boards.
        moves = [move or "pass" for move in game["last"][::-1]]
        positions = [*(board_of(board["stones"]) for board in game.get("earlier", [])[::-1]), *positions]
    else:
        moves = game["played"]
        positions = boards(positions[0], mover, tuple(moves))
        mover = mover if len(moves) % 2 == 0 else "XO".replace(mover, "")
    own = "XO"[player - 1] if player else mover
    one = go_game(positions, own, options=options, suicide=options.get("suicide", "forbidden"))
    one.moves = [number_of(move, one.size) for move in moves]
    ko = [own == mover and mask is not None and not mask[i] and one.after(i) is not None for i in range(one.size**2)]
    one.forbidden = lambda: ko
    planes = one.observe()
    planes[-1] = mover == "X"
    return planes


SHOWN: dict[str, Callable[..., np.ndarray]] = {
    "2048": g2048,
    "match3": match3,
    "match3-goals": match3,
    "tetris": tetris,
    "tetris-keys": tetris_keys,
    "go": go,
}

"""What an observation must show: the text of the game's state, shown by the rules of `reference`."""

import math
import re
import tomllib
from functools import cache

import numpy as np
from reference import Game2048, Go, Match3, Tetris

PIECES = "IOTSZJL"


def game_of(cls, **attributes):
    # Return a game of the rules written anew that shows what its attributes say.
    game = object.__new__(cls)
    vars(game).update(attributes)
    return game


def g2048(text, options):
    tiles = [line.split() for line in text["game"]["board"].splitlines()]
    ranks = [[0 if tile == "." else int(tile).bit_length() - 1 for tile in row] for row in tiles]
    return game_of(Game2048, board=ranks, one_hot=options.get("one_hot")).observe()


def match3(text, options):
    rules = text["rules"]
    return game_of(
        Match3,
        plain=True,
        one_hot=options.get("one_hot"),
        number=rules["colors"],
        moves=rules["moves"] - text["steps"],
        colors=np.array([[int(cell, 16) for cell in line] for line in text["game"]["board"].split()]),
    ).observe()


def match3_level(text, options):
    # Build the planes from the save of the game and the text of the level.
    game, level = text["game"]["game"], tomllib.loads(text["rules"]["level"])
    cells = [re.findall("![0-9A-Z]|.", line) for line in game["board"].splitlines()]
    width, height = len(cells[0]), len(cells)
    outline = [list(line) for line in level["pieces"].splitlines() if line]
    colors = len(level["colors"]) if isinstance(level["colors"], list) else level["colors"]

    def plane(places):
        found = np.zeros((height, width), np.uint8)
        for (x, y), value in places:
            found[y, x] = value
        return found

    def each(wanted):
        return plane([((x, y), 1) for y in range(height) for x in range(width) if wanted(x, y)])

    ice = {tuple(at) for at, _ in game["ice"]}
    kinds = ("row", "column", "bomb", "color", "square")
    counts = [goal.get("count") or level_count(level, goal) for goal in level.get("goals", [])]
    return np.stack(
        [
            *(plane([(at, 1) for at, kind in game["specials"] if kind == wanted]) for wanted in kinds),
            each(lambda x, y: cells[y][x][0] == "!" and (x, y) not in ice),
            plane(game["ice"]),
            plane(game["crates"]),
            plane([(at, 1) for at in game["items"]]),
            plane(game["jelly"]),
            each(lambda x, y: outline[y][x] == "#"),
            each(lambda x, y: outline[y][x] == "_"),
            np.full((height, width), min(game["limit_left"], 255), np.uint8),
            *(each(lambda x, y, n=n: cells[y][x][-1] == "0123456789ABCDEF"[n]) for n in range(1, colors + 1)),
            *(
                np.full((height, width), math.ceil(255 * left / count), np.uint8)
                for left, count in zip(game["left"], counts, strict=True)
            ),
        ]
    )


def level_count(level, goal):
    # Return the count of a goal that isn't for a color; "all" of the jelly.
    (count,) = goal.values()
    return sum(cell.isdigit() for cell in level["jelly"]) if count == "all" else count


def tetris(text, options):
    game = text["game"]["game"]
    lines = game["board"].splitlines()
    board = [["." != cell for cell in line] for line in [*["." * 10] * (40 - len(lines)), *lines]]
    piece, *following = map(PIECES.index, game["queue"])
    return game_of(
        Tetris,
        options=options,
        rows=options.get("rows", 20),
        board=np.array(board[::-1]),
        piece=piece,
        held=PIECES.index(game["hold"]) if game["hold"] else None,
        queue=following[: options.get("next", 5)],
        combo=game["combo"],
        chain=game["back_to_back"],
        pending=[attack["lines"] for attack in game["garbage"]],
    ).observe()


def go_game(positions, mine, **attributes):
    width = len(positions[0].split()[0]) + 1
    other = "XO".replace(mine, "")
    return game_of(Go, positions=positions, mine=mine, other=other, width=width, size=width - 1, **attributes)


def board_of(stones):
    border = " " * (len(stones.split()[0]) + 1)
    return border + "".join(row + " " for row in stones.split()) + border


def number_of(move, size):
    return size**2 if move == "pass" else (size - int(move[1:])) * size + "ABCDEFGHJKLMNOPQRST".index(move[0])


@cache
def boards(start, color, moves):
    if not moves:
        return [start]
    before = boards(start, color, moves[:-1])
    game = go_game(before, color if len(moves) % 2 else "XO".replace(color, ""), suicide="all")
    return [*before, before[-1] if moves[-1] == "pass" else game.after(number_of(moves[-1], game.size))]


def go(text, options, mask, player=None):
    # Build the planes for a player, by default for the one to move, whose legal moves are given.
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


SHOWN = {
    "2048": g2048,
    "match3": match3,
    "match3-level": match3_level,
    "tetris": tetris,
    "go": go,
}

"""What an observation must show: the text of the game's state, shown by the rules of `reference`."""

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


def match3(text, options, board=None):
    # Build the planes; for a game with goals, from its board of colors and marks.
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
    "match3-goals": match3,
    "tetris": tetris,
    "go": go,
}

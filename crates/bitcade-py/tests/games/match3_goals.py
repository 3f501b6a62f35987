"""Match-3 levels with goals."""

from games import NO_NUMBERS, NO_STARTS, Facts, zeros

BOARD = ["#11111", "111111", "11!1!111", "111111", "111111", "11111#"]
#: The first goal is soon reached, all of them before the moves are used up in some of the games.
LEVEL = {"board": BOARD, "colors": 4, "moves": 7, "goals": {"score": 60, "color": {2: 9}, "special": 1}, "bonus": 500}
CHECKED = {
    "board": ["111111", "!111111", "11#111", "111111", "1!11111", "111111"],
    "colors": 4,
    "moves": 9,
    "goals": {"color": {2: 12}, "locked": 2, "score": 600},
    "bonus": 700,
}
SIZES = [[], [""], ["1" * 17] * 5, ["11", "1"], ["11", 1], ["111", "11!"], "1?", 1]

FACTS = Facts(
    small={"rules": LEVEL},
    other_rules={"rules": {**LEVEL, "moves": 8}},
    values={"rules": [CHECKED]},
    wrong={
        "rules": [
            *(1, "x", b"x", [1], ("moves", 1), {1: 2}, {"x": 1}, {None: 1}),
            *({"board": board} for board in [*SIZES, None, ["!1!1!1!1"] * 4]),
            *({"colors": value} for value in [*NO_NUMBERS, 3, 16, -1, 2**70]),
            *({"moves": value} for value in [*NO_NUMBERS, 0, -1, 2**32]),
            *({"special": value} for value in [1, "yes", None]),
            *({"bonus": value} for value in [*NO_NUMBERS, -1, 2**32]),
            *({"goals": value} for value in [1, None, "x", [], {"x": 1}, {1: 1}]),
            *({"goals": {key: value}} for key in ("score", "locked", "special") for value in [*NO_NUMBERS, 0, 2**32]),
            *({"goals": {"color": value}} for value in [1, [], {0: 1}, {7: 1}, {"x": 1}, {1: 0}, {1: 1.5}, {1: 1, "1": 2}]),
            {"goals": {"locked": 1}},
            {"goals": {"special": 1}, "special": False},
        ],
        "starts": [*NO_STARTS, *(zeros(1, 6, 6) + cell for cell in (0, 1, 64, 80, 81, 99, 255, 256, 1.0)), zeros(1, 6, 5) + 1],
    },
    large=('rules={"board": ["1" * 16] * 16, "colors": 15}', "", 10**5, 10**4),
    long_calls=[],
)

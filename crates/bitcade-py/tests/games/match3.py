"""Match-3."""

from games import NO_STARTS, Facts, zeros

LARGE = "width=16, height=16, colors=15"

FACTS = Facts(
    small={"width": 6, "height": 6, "colors": 4, "moves": 7},
    other_rules={"colors": 5},
    values={"width": [5], "height": [7], "colors": [5], "moves": [3], "one_hot": [True]},
    wrong={
        "width": [0, 17, 255],
        "height": [0, 17, 255],
        "colors": [0, 1, 16, 255, 256],
        "moves": [0, 2**32],
        "starts": [*NO_STARTS, *(zeros(1, 6, 6) + cell for cell in (0, 1, 99, 256, 1.0)), zeros(1, 6, 5) + 1],
    },
    large=(LARGE, "", 10**6, 2 * 10**5),
    long_calls=[
        f"match3_evaluate(10**7, agent='rollout', {LARGE}, moves=2**32 - 1, num_threads=1024)",
        f"match3_evaluate(1, agent='rollout', budget=2**32 - 1, {LARGE})",
        f"match3_evaluate(1, {LARGE}, moves=2**32 - 1)",
    ],
)

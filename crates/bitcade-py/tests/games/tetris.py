"""Tetris."""

import numpy as np
from games import NO_STARTS, Facts, zeros

NO_WELLS = [
    *NO_STARTS,
    *(zeros(*shape) for shape in ((1, 20, 9), (1, 20, 11), (20, 10))),
    zeros(1, 100, 10) + 1,
    np.zeros((1, 20, 10)),
]

FACTS = Facts(
    small={},
    other_rules={"next": 3},
    values={
        "actions": ["drops"],
        "reward": ["attack", "score"],
        "hold": [False],
        "next": [0, 12],
        "rows": [3, 40],
        "garbage": [(1, 2), [2, 3]],
        "second_spawn_row": [False],
        "rotation": ["srs-plus", "srs-x"],
        "spins": ["none", "all-mini"],
        "planes": [True],
    },
    wrong={
        "next": [16, 1000],
        "rows": [0, 41],
        "garbage": [1, (0, 1), (1,), (1, 2, 3), (-1, 1), (1, 2**32), "ab", (None, 1)],
        "channels": ["last"],
        "starts": NO_WELLS,
    },
    large=("rows=40", "starts=[[[0] * 10] * 20]", 3 * 10**6, 4 * 10**5),
    long_calls=[
        "contest_solve(width=3000)",
        "contest_solve(width=10**6, num_threads=1024)",
        "tetris_bot([[0] * 10], 'TIOSZ' * 40, nodes=2**64 - 1)",
        "tetris_control(2**64 - 1, num_threads=1024)",
    ],
    variants={"drops": ({"actions": "drops", "rows": 12, "next": 2, "hold": False}, {"hold": True})},
)

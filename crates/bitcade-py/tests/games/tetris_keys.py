"""Tetris key by key."""

from __future__ import annotations

import numpy as np
from games import NAMES, NO_FLAGS, NO_STARTS, NUMBERS, Facts, zeros

FACTS = Facts(
    # Two seconds per step: every step shows, since the piece falls, and games end soon.
    small={"frames": 120, "level": 3},
    image=(23 * 14 + 34, 18 * 14 + 16, 3),
    other_rules={"next": 3},
    values={
        "frames": [7],
        "reward": ["lines", "attack"],
        "gravity": [0, 20],
        "level": [15],
        "lines_per_level": [0, 1],
        "lock_delay": [5],
        "lock_resets": [0],
        "goal": [1],
        "hold": [False],
        "next": [0, 12],
        "second_spawn_row": [False],
    },
    wrong={
        "frames": [*NUMBERS, 0, 256],
        "reward": [*NAMES, "points"],
        "gravity": [value for value in NUMBERS if value is not None],
        "level": [*NUMBERS, 0],
        "lines_per_level": NUMBERS,
        "lock_delay": NUMBERS,
        "lock_resets": NUMBERS,
        "goal": [*(value for value in NUMBERS if value is not None), 0],
        "hold": NO_FLAGS,
        "next": [*NUMBERS, 1000],
        "second_spawn_row": NO_FLAGS,
        "starts": [
            *NO_STARTS,
            *(zeros(*shape) for shape in ((1, 20, 9), (1, 20, 11), (20, 10))),
            zeros(1, 100, 10) + 1,
            np.zeros((1, 20, 10)),
        ],
    },
    large=("next=15", "starts=[[[0] * 10] * 20]", 3 * 10**6, 4 * 10**5),
    long_calls=[],
    checksums=[({}, 0xc99cd5db), ({"frames": 4, "level": 8, "gravity": 5, "reward": "attack", "hold": False}, 0x07157fdd)],
)

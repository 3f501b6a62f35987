"""Tetris key by key."""

from games import WRONG, Facts
from games.tetris import NO_WELLS

FACTS = Facts(
    # Two seconds per step: every step shows, since the piece falls, and games end soon.
    small={"frames": 120, "level": 3},
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
        "rotation": ["srs-plus"],
        "spins": ["all-mini"],
    },
    wrong={
        "frames": [0, 256],
        "gravity": [value for value in WRONG[int] if value is not None],
        "level": [0],
        "lock_delay": [2**32],
        "goal": [*(value for value in WRONG[int] if value is not None), 0],
        "next": [16],
        "starts": NO_WELLS,
    },
    large=("next=15", "starts=[[[0] * 10] * 20]", 3 * 10**6, 4 * 10**5),
    long_calls=[],
)

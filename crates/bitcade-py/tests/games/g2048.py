"""2048."""

import math

import numpy as np
from games import NO_STARTS, Facts, zeros

FACTS = Facts(
    small={"width": 3, "height": 3},
    other_rules={"width": 4},
    values={"width": [4], "height": [2], "one_hot": [True]},
    wrong={
        "width": [0, 1, 9],
        "height": [0, 1, 9],
        "channels": ["last"],
        "starts": [
            *NO_STARTS,
            [],
            *(np.zeros(shape) for shape in ((3, 3), (2, 3, 3))),
            *(zeros(1, 3, width) for width in (3, 4)),
            *(np.array([[[cell] * 3] * 3]) for cell in (math.nan, -1, 256, 200, "a", object())),
            np.arange(9).reshape(1, 3, 3) + 1,
        ],
    },
    large=("width=8, height=8", "", 10**7, 10**6),
    long_calls=[
        "playouts_2048(20_000, width=8, height=8)",
        "playouts_2048(1, width=8, height=8)",
        "playouts_2048(2**64 - 1)",
        "playouts_2048(10**9, num_threads=1024)",
        "playouts_2048(10**9, width=8, height=8, num_threads=1024)",
        "solve_2048(3, 3)",
    ],
)

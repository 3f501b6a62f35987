"""Go."""

from games import NO_STARTS, Facts, zeros

FACTS = Facts(
    small={"size": 5, "max_episode_steps": 40},
    other_rules={"komi": 6.5},
    values={
        "size": [7],
        "komi": [0.5],
        "ko": ["simple", "situational"],
        "suicide": ["multi", "all"],
        "start_color": ["white"],
        "history": [1, 2, 8],
    },
    wrong={
        "size": [0, 1, 20, 255],
        "komi": [0.3],
        "history": [9, 255],
        "starts": [*NO_STARTS, zeros(1, 5, 6), *(zeros(1, 5, 5) + cell for cell in (3, 255, -1, 0.0, 1))],
    },
    large=("size=19", "", 3 * 10**6, 4 * 10**5),
    long_calls=[
        "go_best_move([[0] * 19] * 19, playouts=10**9, num_threads=1024)",
        "go_ownership([[0] * 19] * 19, games=2**32 - 1)",
        # Runs in vector lanes.
        "go_ownership([[0] * 9] * 9, games=2**32 - 1)",
        "go_playouts(2**64 - 1, size=19)",
        "go_playouts(2**64 - 1, size=9, num_threads=1024)",
    ],
)

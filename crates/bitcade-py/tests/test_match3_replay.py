"""Whole games of match-3 replayed by rules of this file alone: every mask, every end, the moves left.

The rules, from the README: colors from 1, row 0 at the top. An action is a pair of neighbors, the horizontal
pairs row by row and then the vertical ones. A swap is legal if its two colors differ and it makes a run of three
or more. A game ends (`terminated`) when its moves are spent, and is cut off (`truncated`) by `max_steps` alone.
"""

from __future__ import annotations

import bitcade
import numpy as np
import pytest


def has_run(boards: np.ndarray) -> np.ndarray:
    """Return for boards of shape (..., height, width) whether there is a run of three."""
    across = (boards[..., :-2] == boards[..., 1:-1]) & (boards[..., 1:-1] == boards[..., 2:])
    down = (boards[..., :-2, :] == boards[..., 1:-1, :]) & (boards[..., 1:-1, :] == boards[..., 2:, :])
    return across.any(axis=(-2, -1)) | down.any(axis=(-2, -1))


def pairs(height: int, width: int) -> list[tuple[int, int, int, int]]:
    """Return the cells (y, x) and (b, a) of every action."""
    across = [(y, x, y, x + 1) for y in range(height) for x in range(width - 1)]
    return across + [(y, x, y + 1, x) for y in range(height - 1) for x in range(width)]


def legal_actions(boards: np.ndarray) -> np.ndarray:
    """Return the masks of boards of shape (n, height, width), by trying each swap."""
    n, height, width = boards.shape
    actions = pairs(height, width)
    mask = np.zeros((n, len(actions)), bool)
    for action, (y, x, b, a) in enumerate(actions):
        swapped = boards.copy()
        swapped[:, y, x], swapped[:, b, a] = boards[:, b, a], boards[:, y, x]
        mask[:, action] = (boards[:, y, x] != boards[:, b, a]) & has_run(swapped)
    return mask


#: Number of games, arguments of the class, mode of restart, number of steps.
CASES = [
    (1000, {"moves": 30}, "next_step", 31),
    (60, {"moves": 30}, "same_step", 61),
    (60, {"moves": 1}, "disabled", 5),
    (60, {"moves": 5, "width": 6, "height": 9, "colors": 4}, "same_step", 23),
    (60, {"moves": 12, "max_steps": 7}, "disabled", 22),
    (60, {"moves": 7, "max_steps": 7, "width": 16, "height": 3, "colors": 3}, "next_step", 20),
    (60, {"moves": 6, "max_steps": 50, "colors": 7}, "next_step", 20),
    (20, {"moves": 300, "max_steps": 48}, "same_step", 60),
    (60, {"moves": 9, "on_illegal": "noop"}, "disabled", 30),
    (60, {"moves": 9, "max_steps": 4, "on_illegal": "noop"}, "same_step", 30),
]


@pytest.mark.parametrize(("n", "options", "autoreset", "steps"), CASES)
def test_masks_ends_and_moves_left(n: int, options: dict, autoreset: str, steps: int) -> None:
    draws = np.random.default_rng(17)
    games = bitcade.Match3(n, seed=5, autoreset=autoreset, **options)
    moves, limit = options["moves"], options.get("max_steps") or 1 << 40
    played = np.zeros(n, int)
    over = np.zeros(n, bool)
    legal = np.zeros((n, games.num_actions), bool)
    ends = {"terminated": 0, "truncated": 0}

    def check(obs: np.ndarray, mask: np.ndarray) -> None:
        boards = obs[:, 0]
        assert boards.min() >= 1 and boards.max() <= options.get("colors", 6) and not has_run(boards).any()
        left = np.minimum(moves - played, 255)
        assert (obs[:, 1] == left[:, None, None]).all()
        legal[:] = legal_actions(boards) & ~over[:, None]
        assert (mask == legal).all()
        assert legal.any(axis=1)[~over].all(), "a board without a legal swap is replaced"

    check(games.obs, games.mask)
    for _ in range(steps):
        before = games.obs[:, 0].copy()
        # Any legal action, and any action at all where an illegal one is ignored.
        wanted = legal if "on_illegal" not in options else np.ones_like(legal)
        actions = (draws.random(legal.shape) * wanted).argmax(axis=1)
        stays = ~legal[np.arange(n), actions]
        waiting = over.copy()
        obs, reward, terminated, truncated, mask = games.step(actions)
        played[waiting] = 0
        played[~waiting] += 1
        assert (terminated == (~waiting & (played == moves))).all()
        assert (truncated == (~waiting & (played == limit) & (played < moves))).all()
        assert ((reward > 0) == (~waiting & ~stays)).all()
        ended = terminated | truncated
        assert (obs[:, 0] == before)[stays & ~waiting & ~(ended & (autoreset == "same_step"))].all()
        ends["terminated"] += int(terminated.sum())
        ends["truncated"] += int(truncated.sum())
        if autoreset == "same_step":
            if ended.any():
                final = games.final_obs(np.flatnonzero(ended))
                assert (final[:, 1] == np.minimum(moves - played[ended], 255)[:, None, None]).all()
                assert not has_run(final[:, 0]).any()
            played[ended] = 0
        else:
            over = ended.copy()
        check(obs, mask)
        if autoreset == "disabled" and over.any():
            played[over] = 0
            which, over = over, np.zeros(n, bool)
            check(*games.reset_some(which))
    assert ends["terminated" if moves <= limit else "truncated"] >= n
    assert ends["truncated" if moves <= limit else "terminated"] == 0

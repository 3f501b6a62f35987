"""PettingZoo's own requirements, in addition to the shared ones of `test_environments.py`."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("pettingzoo")

from bitcade.pettingzoo import env, raw_env
from pettingzoo.test import api_test, seed_test


@pytest.mark.parametrize("size", [5, 9])
def test_pettingzoos_checks(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Dictionaries with a mask are like PettingZoo's own board games. The agent not to move has
        # no legal action, and after a pass on the empty board White sees zeros only.
        warnings.filterwarnings(
            "ignore", message="Observation is not a NumPy array|Observation space for each agent"
        )
        warnings.filterwarnings("ignore", message=".* numpy array is all zeros")
        api_test(env(size=size), num_cycles=200)
        api_test(raw_env(size=size), num_cycles=200)
        seed_test(lambda: env(size=size), num_cycles=100)


def test_an_illegal_move_loses_in_the_wrappers():
    """By the action mask of the board that was set."""
    game = env(size=5)
    game.reset(seed=1)
    empty = game.get_state()
    game.step(3)
    game.last()
    game.set_state(empty)
    game.step(3)
    assert game.last()[2:4] == (False, False) and not game.last()[0]["action_mask"][3]
    stone = game.get_state()
    game.step(3)
    assert game.terminations == {"black_0": True, "white_0": True} and game.rewards["white_0"] == -1
    game.set_state(stone)
    assert game.terminations == {"black_0": False, "white_0": False}
    game.step(4)
    assert game.last()[2:4] == (False, False)

"""PettingZoo's own requirements, in addition to the shared ones of `test_environments.py`."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import refused
from players import PettingZoo

import bitcade
from bitcade.pettingzoo import env, raw_env
from pettingzoo.test import api_test, seed_test

AGENTS = ("black_0", "white_0")


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


@pytest.mark.parametrize("limit", [500, 3])
def test_both_agents_learn_how_a_game_ended(limit):
    rules = {"size": 5, "komi": 0.5, "max_episode_steps": limit}
    game, batch = raw_env(**rules), bitcade.go.Batch(1, autoreset_mode="Disabled", **rules)
    outcomes = set()
    for seed in range(25):
        game.reset(seed=seed)
        batch.reset(seed)
        told = []
        for turn, agent in enumerate(game.agent_iter()):
            obs, reward, terminated, truncated, _ = game.last()
            if terminated or truncated:
                # At the end each agent gets one more turn, to receive its reward.
                told.append(agent)
                won = np.sign(float(batch.scores()[0])) * (1 if agent == "black_0" else -1)
                assert (terminated, truncated) == (limit == 500, limit == 3)
                assert reward == (won if terminated else 0) and (reward or not np.signbit(reward))
                outcomes.add((agent, reward))
                game.step(None)
                continue
            assert agent == AGENTS[turn % 2] and reward == 0
            assert (obs["observation"] == batch.obs[0]).all() and (obs["action_mask"] == batch.action_mask[0]).all()
            action = batch.sample()
            game.step(int(action[0]))
            batch.step(action)
        assert sorted(told) == sorted(AGENTS)
    assert outcomes == {(agent, reward) for agent in AGENTS for reward in ((1.0, -1.0) if limit == 500 else (0.0,))}


def test_an_illegal_move_loses_in_the_wrappers():
    game = env(size=5)
    game.reset(seed=1)
    game.step(3)
    game.step(3)
    assert game.terminations == {"black_0": True, "white_0": True}
    assert game.rewards["white_0"] == -1


def test_a_state_is_set_through_the_wrappers():
    """The wrapper that ends games on illegal moves uses the new board's action mask."""
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
    assert game.terminations == {"black_0": True, "white_0": True}
    game.set_state(stone)
    assert game.terminations == {"black_0": False, "white_0": False}
    game.step(4)
    assert game.last()[2:4] == (False, False)

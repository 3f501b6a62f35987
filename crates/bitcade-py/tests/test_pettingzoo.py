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


def test_the_view_of_both_agents():
    game = raw_env(size=5)
    game.reset(seed=1)
    game.step(7)
    white, black = game.observe("white_0"), game.observe("black_0")
    assert game.agent_selection == "white_0"
    assert black["observation"][0, 1, 2] == 1 and white["observation"][1, 1, 2] == 1
    assert not black["action_mask"].any()
    assert white["action_mask"].sum() == 25 and white["action_mask"][7] == 0
    assert white["observation"][5].sum() == black["observation"][5].sum() == 0
    for agent in game.agents:
        assert game.observe(agent) in game.observation_space(agent)
    assert game.action_space("white_0").sample(white["action_mask"].astype(bool)) != 7


def test_an_illegal_move_loses_in_the_wrappers():
    game = env(size=5)
    game.reset(seed=1)
    game.step(3)
    game.step(3)
    assert game.terminations == {"black_0": True, "white_0": True}
    assert game.rewards["white_0"] == -1
    for name in ("on_illegal", "autoreset_mode", "num_envs"):
        assert refused(raw_env, **{name: "noop"}).startswith(f"TypeError: {name}")


def test_frames():
    game = raw_env(size=7, render_mode="ansi")
    game.reset(seed=1)
    game.step(0)
    assert "(X)" in game.render() and "White (O) to move" in game.render()
    picture = raw_env(size=7, render_mode="rgb_array")
    picture.reset()
    assert picture.render().shape == (175 + 40 + 34, 175 + 40 + 16, 3)
    assert raw_env().render() is None
    assert "render_mode" in refused(raw_env, render_mode="human")
    game.close()


@pytest.mark.parametrize(
    ("limit", "moves", "rewards"),
    [
        (9, [7, 25, 25], [1.0, -1.0]),
        (2, [7, 25], [0.0, 0.0]),
        (2, [25, 25], [-1.0, 1.0]),
        (4, [0, 1, 2, 3], [0.0, 0.0]),
    ],
)
def test_states_of_games_that_are_over(limit, moves, rewards):
    """Ended by two passes, by the step limit, and by both in the same step."""
    game, other = (PettingZoo.make("go", max_episode_steps=limit, komi=0.5) for _ in range(2))
    for action in moves:
        game.step([action])
    other.env.set_state(game.env.get_state())
    for one in (game.env, other.env):
        assert [one.rewards[agent] for agent in AGENTS] == rewards
        assert not any(np.signbit(value) and value == 0 for value in one.rewards.values())
        assert set(one.terminations.values()) == {any(rewards)}
        assert set(one.truncations.values()) == {not any(rewards)}
    assert other.notes() == game.notes()


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

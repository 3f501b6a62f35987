"""Go as PettingZoo has it."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo isn't installed")

import bitcade
from bitcade.pettingzoo import env, raw_env
from pettingzoo.test import api_test, seed_test


@pytest.mark.parametrize("size", [5, 9])
def test_pettingzoos_checks(size: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A dictionary with a mask is what PettingZoo's own board games have; the agent that isn't to move has
        # no legal action, and after a pass on the empty board White sees zeros only.
        warnings.filterwarnings(
            "ignore", message="Observation is not a NumPy array|Observation space for each agent"
        )
        warnings.filterwarnings("ignore", message=".* numpy array is all zeros")
        api_test(env(size=size), num_cycles=200)
        api_test(raw_env(size=size), num_cycles=200)
        seed_test(lambda: env(size=size), num_cycles=100)


def play(game, seed: int) -> list[tuple]:
    """Play random moves to the end and return what happened."""
    game.reset(seed=seed)
    rng, history = np.random.default_rng(seed), []
    for agent in game.agent_iter():
        obs, reward, terminated, truncated, _ = game.last()
        over = terminated or truncated
        action = None if over else int(rng.choice(np.flatnonzero(obs["action_mask"])))
        history.append((agent, action, reward, terminated, truncated, obs["observation"].copy()))
        game.step(action)
    return history


def test_the_same_game_as_the_batch() -> None:
    rules = {"size": 5, "komi": 0.5, "max_steps": 500}
    game, batch = raw_env(**rules), bitcade.Go(1, autoreset="disabled", **rules)
    outcomes = set()
    for seed in range(25):
        batch.reset(seed)
        for turn, (agent, action, reward, terminated, truncated, obs) in enumerate(play(game, seed)):
            if terminated or truncated:
                # At the end both agents are asked once more, and learn their rewards.
                score = float(batch.scores()[0])
                won = np.sign(score) * (1 if agent == "black_0" else -1)
                assert terminated and reward == won
                outcomes.add((agent, reward))
                continue
            assert agent == ("black_0", "white_0")[turn % 2]
            assert reward == 0
            assert (obs == batch.obs[0]).all()
            batch.step(np.array([action]))
    assert outcomes == {(agent, reward) for agent in ("black_0", "white_0") for reward in (1.0, -1.0)}


def test_the_view_of_both_agents() -> None:
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


def test_a_limit_truncates_both() -> None:
    game = raw_env(size=5, max_steps=3)
    last = play(game, 1)[-2:]
    assert {entry[0] for entry in last} == {"black_0", "white_0"}
    assert all(entry[4] and not entry[3] and entry[2] == 0 for entry in last)


def test_illegal_moves() -> None:
    game = env(size=5)
    game.reset(seed=1)
    game.step(3)
    game.step(3)
    assert game.terminations == {"black_0": True, "white_0": True}
    assert game.rewards["white_0"] == -1
    raw = raw_env(size=5)
    raw.reset(seed=1)
    raw.step(3)
    for bad in (3, -1, 26):
        with pytest.raises(ValueError, match=r"game 0: action .* is no legal move"):
            raw.step(bad)
    with pytest.raises(TypeError, match="on_illegal"):
        raw_env(on_illegal="noop")


def test_frames_and_pickles() -> None:
    game = raw_env(size=7, render_mode="ansi")
    game.reset(seed=1)
    game.step(0)
    assert "(X)" in game.render() and "White (O) to move" in game.render()
    again = pickle.loads(pickle.dumps(game))
    again.reset(seed=1)
    assert again.batch.obs_shape == (6, 7, 7) and again.render_mode == "ansi"
    picture = raw_env(size=7, render_mode="rgb_array")
    picture.reset()
    assert picture.render().shape == (175, 175, 3)
    assert raw_env().render() is None
    with pytest.raises(ValueError, match="render_mode"):
        raw_env(render_mode="human")
    game.close()

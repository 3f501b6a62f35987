"""Go as PettingZoo has it."""

from __future__ import annotations

import copy
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
    assert again.render() == game.render()
    again.reset(seed=1)
    assert again.batch.obs_shape == (6, 7, 7) and again.render_mode == "ansi"
    picture = raw_env(size=7, render_mode="rgb_array")
    picture.reset()
    assert picture.render().shape == (175, 175, 3)
    assert raw_env().render() is None
    with pytest.raises(ValueError, match="render_mode"):
        raw_env(render_mode="human")
    game.close()


def moves(game, rng, steps: int) -> list[tuple]:
    """Play random moves and return what happened."""
    history = []
    for _ in range(steps):
        if not game.agents:
            break
        obs, reward, terminated, truncated, info = game.last()
        over = terminated or truncated
        legal = np.flatnonzero(obs["action_mask"])
        action = None if over else int(rng.choice(legal))
        history.append((game.agent_selection, action, str(reward), terminated, truncated, str(info)))
        history.append((obs["observation"].tobytes(), obs["action_mask"].tobytes(), game.unwrapped.render()))
        game.step(action)
        history.append((str(game.rewards), str(game.terminations), tuple(game.agents)))
    return history


@pytest.mark.parametrize("make", [env, raw_env])
def test_copies_play_on(make) -> None:
    played = 0
    for seed in range(12):
        game = make(size=5, max_steps=30, render_mode="ansi")
        game.reset(seed=seed)
        moves(game, np.random.default_rng(seed), 3 * seed)
        copied = [copy.deepcopy(game), *(pickle.loads(pickle.dumps(game, p)) for p in (2, 5))]
        if make is raw_env:
            # A shallow copy of a wrapper has the same game inside.
            copied.append(copy.copy(game))
        histories = [moves(one, np.random.default_rng(1), 40) for one in [game, *copied]]
        assert histories.count(histories[0]) == len(histories)
        played += bool(histories[0])
        for one in [game, *copied]:
            one.reset()
        boards = [one.observe("black_0")["observation"].tobytes() for one in [game, *copied]]
        assert boards.count(boards[0]) == len(boards)
    assert played > 5


def test_states_play_on_elsewhere() -> None:
    for limit in (2, 30, 60):
        for seed in range(10):
            game, other = raw_env(size=5, max_steps=limit), raw_env(size=5, max_steps=limit)
            game.reset(seed=seed)
            moves(game, np.random.default_rng(seed), 5 * seed)
            if len(game.agents) < 2:
                continue
            other.set_state(pickle.loads(pickle.dumps(game.get_state())))
            assert moves(other, np.random.default_rng(1), 80) == moves(game, np.random.default_rng(1), 80)
    # The end of a game, by two passes and by its limit.
    for limit, last in ((9, ["1.0", "-1.0"]), (2, ["0.0", "0.0"])):
        game, other = raw_env(size=5, max_steps=limit, komi=0.5), raw_env(size=5, max_steps=limit, komi=0.5)
        game.reset(seed=1)
        for action in [7, 25, 25][: limit + 1 if limit == 2 else 3][:limit]:
            game.step(action)
        other.set_state(game.get_state())
        for one in (game, other):
            assert [str(one.rewards[agent]) for agent in one.agents] == last
            assert set(one.terminations.values()) == {limit == 9}
            assert set(one.truncations.values()) == {limit == 2}
            assert one.agent_selection == game.agent_selection
    with pytest.raises(ValueError, match="other rules"):
        raw_env(size=5, komi=2.5).set_state(game.get_state())


def test_no_reward_is_minus_zero() -> None:
    game = raw_env(size=5, max_steps=4)
    game.reset(seed=1)
    for action in range(4):
        game.step(action)
        assert not any(np.signbit(list(game.rewards.values())))
        assert not np.signbit(game.last()[1])
    assert game.truncations["black_0"]


def test_seeds_of_any_size() -> None:
    game, again = raw_env(size=5), raw_env(size=5)
    for seed in (np.random.SeedSequence().entropy, 2**200, np.int64(3), np.uint64(2**64 - 1), True):
        game.reset(seed=seed)
        again.reset(seed=seed)
        assert game.batch.sample() == again.batch.sample()
    state = game.batch.obs.tobytes()
    for bad in (-1, 1.5, "1", -(2**70)):
        with pytest.raises((TypeError, ValueError), match="seed"):
            game.reset(seed=bad)
        assert game.batch.obs.tobytes() == state
        assert game.batch.sample() == again.batch.sample(), "a refused seed changes nothing"


def test_a_state_is_set_through_the_wrappers() -> None:
    """The wrapper that ends the game at an illegal move knows the legal ones of the new board."""
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

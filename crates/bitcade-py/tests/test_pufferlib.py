"""PufferLib's own requirements, in addition to the shared ones of `test_environments.py`."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
from conftest import GAMES, make, refused
from players import BUFFERS, Puffer


def test_steps_write_the_given_buffers(game):
    raw = make(game, 6, seed=3, on_illegal="noop")
    # A slice of larger buffers, as in PufferLib's workers.
    buf = {name: np.zeros(20, dtype)[7:13] for name, dtype in BUFFERS.items()}
    buf |= {"observations": np.zeros((20, *raw.obs_shape), np.uint8)[7:13], "masks": np.ones(20, bool)[7:13]}
    env = Puffer.make(game, 6, buf=buf, seed=3).env
    assert env.reset(seed=3)[0] is buf["observations"]
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = rng.integers(0, env.single_action_space.n, 6)
        result, expected = env.step(actions), raw.step(actions)
        for found, name, wanted in zip(result[:4], BUFFERS, expected[:4], strict=False):
            assert found is buf[name] and (found == wanted).all()
        assert (env.action_masks == expected[4]).all()
        assert (buf["actions"] == actions).all()
        assert all(one in env.single_observation_space for one in result[0])
    assert not any(buf[name].base[[*range(7), *range(13, 20)]].any() for name in BUFFERS if name != "masks")


def test_actions_that_cannot_be_cast(game):
    env = Puffer.make(game, 3, seed=1, on_illegal="raise").env
    good = env.sample().copy()
    env.step(good)
    before = env.batch.obs.tobytes(), env.actions.tolist()
    for bad in (env.sample().astype(float), env.sample().astype(np.int64) + 2**32, np.array([0, -1, 0])):
        refused(env.step, bad)
        assert (env.batch.obs.tobytes(), env.actions.tolist()) == before


@pytest.mark.parametrize("form", [list, np.array])
def test_ignored_actions_beyond_the_buffer(game, form):
    env = Puffer.make(game, 3, seed=1, on_illegal="noop").env
    actions = env.sample().tolist()
    actions[0], actions[2] = 2**40, -(2**40)
    rewards = env.step(form(actions))[1].tolist()
    assert rewards[0] == rewards[2] == 0
    assert env.actions.tolist() == [2**31 - 1, actions[1], -(2**31)]


def test_infos_have_the_means_of_ended_games():
    env = Puffer.make("2048", 4, seed=1, report_interval=50).env
    env.reset(seed=1)
    returns, lengths = np.zeros(4), np.zeros(4, int)
    ended: list[tuple[float, int]] = []
    reports = 0
    for step in range(1, 201):
        _, reward, terminals, truncations, infos = env.step(env.sample())
        returns += reward
        lengths += 1
        for i in np.flatnonzero(terminals | truncations):
            ended.append((returns[i], lengths[i]))
            returns[i] = lengths[i] = 0
        assert bool(infos) == (step % 50 == 0)
        if infos:
            mean = np.mean(ended, axis=0)
            assert infos == [{"episode_return": mean[0], "episode_length": mean[1], "n": float(len(ended))}]
            ended.clear()
            reports += 1
    assert reports == 4


def test_options(game):
    puffer = Puffer.make(game, 2, seed=None)
    assert type(puffer.batch) is GAMES[game][0]
    puffer.env.reset()
    assert isinstance(puffer.env.render(), str)
    puffer.env.close()
    assert "unknown option autoreset_mode" in refused(Puffer.make, game, 2, autoreset_mode="Disabled")


def test_absence_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pufferlib", None)
    monkeypatch.delitem(sys.modules, "bitcade.pufferlib", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'bitcade\[pufferlib\]'"):
        importlib.import_module("bitcade.pufferlib")

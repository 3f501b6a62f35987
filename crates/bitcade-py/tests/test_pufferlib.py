"""The environments of PufferLib. Where it isn't installed, a stand-in of its base class takes its place."""

from __future__ import annotations

import importlib
import sys
import types

import bitcade
import numpy as np
import pytest
from conftest import GAMES

spaces = pytest.importorskip("gymnasium.spaces", reason="Gymnasium isn't installed")


class PufferEnv:
    """What PufferLib 3.0.0's class of this name does with the buffers of a native environment."""

    def __init__(self, buf: dict[str, np.ndarray] | None = None) -> None:
        n, obs = self.num_agents, self.single_observation_space
        assert isinstance(obs, spaces.Box) and isinstance(self.single_action_space, spaces.Discrete)
        if buf is None:
            buf = {
                "observations": np.zeros((n, *obs.shape), obs.dtype),
                "rewards": np.zeros(n, np.float32),
                "terminals": np.zeros(n, bool),
                "truncations": np.zeros(n, bool),
                "masks": np.ones(n, bool),
                "actions": np.zeros(n, np.int32),
            }
        for name in ("observations", "rewards", "terminals", "truncations", "masks", "actions"):
            setattr(self, name, buf[name])
        self.action_space = spaces.MultiDiscrete([self.single_action_space.n] * n)
        self.agent_ids = np.arange(n)


@pytest.fixture(scope="module")
def binding():
    """The module `bitcade.pufferlib` over PufferLib, or else over the stand-in."""
    try:
        importlib.import_module("pufferlib")
    except ImportError:
        stand_in = types.ModuleType("pufferlib")
        stand_in.PufferEnv = PufferEnv
        sys.modules["pufferlib"] = stand_in
        yield importlib.import_module("bitcade.pufferlib")
        del sys.modules["pufferlib"], sys.modules["bitcade.pufferlib"]
    else:
        yield importlib.import_module("bitcade.pufferlib")


NAMES = {"2048": "Game2048", "match3": "Match3", "tetris": "Tetris", "go": "Go"}


def make(binding, game: str, num_envs: int = 6, **options):
    """Create a small environment."""
    return getattr(binding, NAMES[game.split()[0]])(num_envs, **{**GAMES[game][1], **options})


def test_steps_write_the_given_buffers(binding, game: str) -> None:
    cls, small = GAMES[game]
    raw = cls(6, seed=3, on_illegal="noop", **small)
    shape = raw.obs_shape
    # A slice of larger buffers, as PufferLib's workers have it.
    buf = {
        "observations": np.zeros((20, *shape), np.uint8)[7:13],
        "rewards": np.zeros(20, np.float32)[7:13],
        "terminals": np.zeros(20, bool)[7:13],
        "truncations": np.zeros(20, bool)[7:13],
        "masks": np.ones(20, bool)[7:13],
        "actions": np.zeros(20, np.int32)[7:13],
    }
    env = make(binding, game, buf=buf, seed=3)
    obs, infos = env.reset(seed=3)
    assert obs is buf["observations"] and infos == [] and (obs == raw.obs).all()
    assert (env.action_masks == raw.mask).all()
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = rng.integers(0, env.single_action_space.n, 6)
        result, expected = env.step(actions), raw.step(actions)
        for found, name, wanted in zip(
            result[:4], ("observations", "rewards", "terminals", "truncations"), expected[:4], strict=True
        ):
            assert found is buf[name] and (found == wanted).all()
        assert (env.action_masks == expected[4]).all()
        assert (buf["actions"] == actions).all()
        assert all(one in env.single_observation_space for one in result[0])
    assert buf["observations"].base[0].sum() == 0


def test_infos_have_the_means_of_ended_games(binding) -> None:
    env = make(binding, "2048", 4, seed=1, report_interval=50)
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


def test_states(binding, game: str) -> None:
    env, other = make(binding, game, 3, seed=1), make(binding, game, 2, seed=2)
    for _ in range(5):
        env.step(env.sample())
    other.set_state(1, env.get_state(2))
    assert (other.observations[1] == env.observations[2]).all()
    assert (other.action_masks[1] == env.action_masks[2]).all()
    for _ in range(20):
        actions = env.sample().copy()
        other.sample()
        one, two = env.step(actions), other.step(actions[[0, 2]])
        assert (one[0][2] == two[0][1]).all() and one[1][2] == two[1][1]
        if one[2][2] or one[3][2]:
            break
    with pytest.raises((TypeError, ValueError, IndexError)):
        other.set_state(2, env.get_state(0))


def test_options(binding, game: str) -> None:
    env = make(binding, game, 2, render_mode="ansi", seed=None)
    env.reset()
    assert isinstance(env.render(), str)
    env.close()
    with pytest.raises(ValueError, match="no legal move"):
        make(binding, game, 2, on_illegal="raise").step(np.array([0, -1]))
    with pytest.raises(TypeError, match="autoreset"):
        make(binding, game, 2, autoreset="disabled")


def test_absence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pufferlib", None)
    monkeypatch.delitem(sys.modules, "bitcade.pufferlib", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'bitcade\[pufferlib\]'"):
        importlib.import_module("bitcade.pufferlib")


def test_the_game_is_the_raw_class(binding) -> None:
    assert type(make(binding, "go").batch) is bitcade.Go

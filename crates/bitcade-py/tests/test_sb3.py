"""Stable-Baselines3's environments against its `DummyVecEnv` of single games."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 isn't installed")

from bitcade.sb3 import BitcadeVecEnv  # noqa: E402
from bitcade.vector import BitcadeEnv  # noqa: E402
from conftest import all_same, copies, refused, small  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor  # noqa: E402


def pair(name, num_envs=5, **options):
    game, options = small(name, **options)
    return BitcadeVecEnv(game, num_envs, **options), DummyVecEnv([lambda: BitcadeEnv(game, **options)] * num_envs)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return (value.dtype, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def play(envs):
    # Play legal moves and others; return all results, which the algorithms hold while they play on.
    rng, history, ends = np.random.default_rng(1), [], 0
    assert list(envs.seed(7)) == [7, 8, 9, 10, 11]
    for _ in range(2):
        history.append(envs.reset())
        for _ in range(100):
            masks = np.stack(envs.env_method("action_masks"))
            # One game in eight plays any move.
            scores = rng.random(masks.shape) + (masks | (rng.random((len(masks), 1)) < 1 / 8))
            obs, reward, done, infos = envs.step(scores.argmax(1))
            for info in infos:
                # The masks are in `env_method`.
                info.pop("action_mask", None)
            ends += done.sum()
            history.append((obs, reward, done, infos, masks))
    assert ends > 5
    return plain(history)


OPTIONS = [
    {"seed": 3},
    {"max_episode_steps": 9},
    {"dict_observation": True, "render_mode": "rgb_array"},
    {"on_illegal": "terminate", "dtype": "float32"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_as_single_games(game, options):
    ours, single = pair(game, **options)
    assert ours.observation_space == single.observation_space and ours.action_space == single.action_space
    assert play(ours) == play(single)


def test_single_games_are_addressed(game):
    ours, _ = pair(game, render_mode="rgb_array")
    ours.seed(1)
    ours.reset()
    (state,) = ours.env_method("get_state", indices=3)
    ours.env_method("set_state", state, indices=[0, 4])
    states = ours.env_method("get_state")
    assert states[0] == states[3] == states[4] == state != states[1]
    ours.set_attr("note", "here", indices=[1, 2])
    assert ours.get_attr("note", indices=(2, 1)) == ["here"] * 2 and not ours.has_attr("note")
    assert ours.has_attr("action_masks") and ours.get_attr("render_mode") == ["rgb_array"] * 5
    images = ours.get_images()
    assert len(images) == 5 and (images[0] == images[3]).all() and (images[0] == ours.env_method("render")[0]).all()
    # Stable-Baselines3 tiles them: three rows of two.
    assert ours.render().shape == (3 * images[0].shape[0], 2 * images[0].shape[1], 3)
    assert ours.env_is_wrapped(VecMonitor) == [False] * 5
    # Copies play on.
    both = [ours, *copies(ours)]
    actions = ours.batch.action_mask.argmax(axis=1)
    assert all_same([plain(each.step(actions)) for each in both])
    ours.close()


def test_wrong_arguments():
    assert refused(BitcadeVecEnv, "2048", 0) == "ValueError: num_envs=0: expected at least 1"
    assert refused(BitcadeVecEnv, "2048", 2, autoreset_mode="NextStep").startswith("TypeError: autoreset_mode: ")
    ours, _ = pair("2048", on_illegal="raise")
    ours.reset()
    before = ours.batch.obs.tobytes()
    refused(ours.step, ours.batch.action_mask.argmin(1))
    ours.set_options({"start": 1})
    assert "unknown option start" in refused(ours.reset)
    ours.set_options()
    ours.seed(-9)
    assert "at least 0" in refused(ours.reset)
    assert ours.batch.obs.tobytes() == before
    with pytest.warns(UserWarning, match="rgb_array"):
        assert ours.get_images() == [None] * 5

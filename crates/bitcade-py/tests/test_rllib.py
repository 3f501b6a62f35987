"""RLlib's environments: RLlib itself is needed only to train."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")

from bitcade.rllib import make_env  # noqa: E402
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv  # noqa: E402
from conftest import refused, small  # noqa: E402


def plain(obs: dict[str, np.ndarray], count: int | None) -> Any:
    """Return the observations that RLlib's should equal: flat, and float32."""
    boards = obs["observations"].astype(np.float32)
    return boards.ravel() if count is None else boards.reshape(count, -1)


@pytest.mark.parametrize("count", [None, 5])
def test_observations_are_flat_numbers(game, count):
    name, options = small(game, dict_observation=True, seed=1)
    config = {"game": name, **options, **({} if count is None else {"num_envs": count})}
    found = make_env({key: value for key, value in config.items() if key != "dict_observation"})
    expected = BitcadeEnv(**config) if count is None else BitcadeVectorEnv(**config)
    assert type(found.unwrapped) is type(expected) and found.action_space == expected.action_space
    one = getattr(found, "single_observation_space", found.observation_space)
    assert one["observations"].dtype == np.float32 and len(one["observations"].shape) == 1
    obs, twin = found.reset(seed=3)[0], expected.reset(seed=3)[0]
    ends = 0
    for _ in range(100):
        assert obs in found.observation_space and obs["observations"].dtype == np.float32
        assert (obs["observations"] == plain(twin, count)).all() and (obs["action_mask"] == twin["action_mask"]).all()
        actions = expected.sample()
        assert np.array_equal(actions, found.unwrapped.sample())
        obs, *rest, _ = found.step(actions)
        twin, *others, _ = expected.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(rest, others, strict=True))
        if count is None and (rest[1] or rest[2]):
            obs, twin = found.reset()[0], expected.reset()[0]
        ends += np.sum(rest[1]) + np.sum(rest[2])
    assert ends > 0


def test_wrong_arguments():
    assert refused(make_env, {"game": "chess"}).startswith("ValueError: game='chess': ")
    refused(make_env, {"game": "2048", "num_envs": 2, "size": 3})
    refused(make_env, {})


@pytest.mark.slow
def test_ppo_with_masks():
    """A remote worker plays 8 games in one batch, and raises an exception at an illegal action."""
    pytest.importorskip("torch", reason="PyTorch isn't installed")
    ray = pytest.importorskip("ray", reason="Ray isn't installed")
    pytest.importorskip("ray.rllib", reason="RLlib isn't installed")
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune import register_env

    register_env("bitcade", make_env)
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        algorithm = (
            PPOConfig()
            .environment("bitcade", env_config={"game": "2048", "one_hot": True, "on_illegal": "raise"})
            .env_runners(
                num_env_runners=1,
                num_envs_per_env_runner=8,
                gym_env_vectorize_mode="vector_entry_point",
                rollout_fragment_length=64,
            )
            .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
            .training(train_batch_size=512, minibatch_size=256, num_epochs=1)
            .build_algo()
        )
        results = [algorithm.train() for _ in range(2)]
        algorithm.stop()
    finally:
        ray.shutdown()
    assert results[1]["env_runners"]["num_env_steps_sampled_lifetime"] >= 1024
    assert results[1]["env_runners"]["episode_return_mean"] > 100

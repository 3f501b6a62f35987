"""RLlib: an environment creator for its new API stack, with action masks.

::

    import bitcade.rllib
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune import register_env

    register_env("bitcade", bitcade.rllib.make_env)
    config = (
        PPOConfig()
        .environment("bitcade", env_config={"game": "2048", "one_hot": True})
        .env_runners(num_envs_per_env_runner=64, gym_env_vectorize_mode="vector_entry_point")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    )
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .vector import BitcadeEnv, BitcadeVectorEnv

# After `vector`, which says what to install if Gymnasium is missing.
from gymnasium import Env, spaces, wrappers  # isort: skip
from gymnasium.vector import VectorEnv  # isort: skip

__all__ = ["make_env"]


def _flat(obs: Any, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    return {**obs, "observations": obs["observations"].reshape(shape).astype(np.float32)}


def make_env(config: Mapping[str, Any]) -> Env | VectorEnv:
    """Create an environment for RLlib's default networks and `ActionMaskingTorchRLModule`.

    Observations are dictionaries of `observations`, flat and float32, and `action_mask` (int8). With RLlib's
    `gym_env_vectorize_mode="vector_entry_point"`, one batch plays all games of an environment runner; with others, each
    game is an environment of its own.

    Args:
        config: RLlib's `env_config`: `game`, the name of a game such as `2048` or `match3`, and further arguments of
            `BitcadeVectorEnv` or `BitcadeEnv`.
    """
    options = {**config, "dict_observation": True}
    vector = "num_envs" in options
    env: Any = BitcadeVectorEnv(**options) if vector else BitcadeEnv(**options)
    space = env.single_observation_space if vector else env.observation_space
    box = space["observations"]
    flat = spaces.Dict(
        {
            **space,
            "observations": spaces.Box(box.low.ravel().astype(np.float32), box.high.ravel().astype(np.float32)),
        }
    )
    if vector:
        shape = (env.num_envs, -1)
        return wrappers.vector.TransformObservation(env, lambda obs: _flat(obs, shape), single_observation_space=flat)
    return wrappers.TransformObservation(env, lambda obs: _flat(obs, (-1,)), flat)

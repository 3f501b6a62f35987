"""Stable-Baselines3: a `VecEnv` over one batch, in place of a `DummyVecEnv` of single environments.

::

    from bitcade.sb3 import BitcadeVecEnv
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor

    envs = VecMonitor(BitcadeVecEnv("2048", num_envs=64, one_hot=True))
    MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=1024).learn(1_000_000)
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("bitcade.sb3 needs stable-baselines3 2: pip install 'bitcade[sb3]'") from error

from ._native import State
from ._options import GameName, OnIllegal, Options, RenderMode
from ._spaces import Copied, check_reset_options
from .vector import BitcadeVectorEnv

if TYPE_CHECKING:
    from ._games.entry import Batch

__all__ = ["BitcadeVecEnv"]


class _Game:
    """One game of a `BitcadeVecEnv`, for its methods that address single environments."""

    def __init__(self, envs: BitcadeVectorEnv, game: int) -> None:
        self._envs, self._game = envs, game
        self.render_mode = envs.render_mode

    def action_masks(self) -> np.ndarray:
        return self._envs.batch.action_mask[self._game].copy()

    def get_state(self) -> State:
        return self._envs.get_state(self._game)

    def set_state(self, state: State) -> None:
        self._envs.set_state(self._game, state)

    def render(self) -> Any:
        batch, game = self._envs.batch, self._game
        return self._envs._renderer.frame(batch.obs[game], f"step {batch.steps[game]}")


class BitcadeVecEnv(Copied, VecEnv):
    """Many games of one kind as a Stable-Baselines3 vector environment.

    Plays the same games as a `DummyVecEnv` of `BitcadeEnv`s: `seed(s)` gives game i the seed `s + i` at the next
    `reset`. The infos contain `TimeLimit.truncated`, and those of ended games `terminal_observation`; the action masks
    are in `env_method("action_masks")`, where sb3-contrib's MaskablePPO reads them. `env_method` also has `get_state`,
    `set_state` and `render`. Stable-Baselines3 logs scores only if you wrap the environment in its `VecMonitor`.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        num_envs: The number of games.
        on_illegal: `noop`, because most of Stable-Baselines3's algorithms have no action masks, or `raise` or
            `terminate`.
        max_episode_steps: The number of steps after which a game is truncated; -1 for the game's own limit only.
        render_mode: `ansi` or `rgb_array`.
        dict_observation: Whether observations are dictionaries, for `MultiInputPolicy`.
        seed: The seed of the first games, or a list with one per game; `None` for fresh entropy.
        options: Further options of the game's `Batch`, such as `one_hot` or `num_threads`.

    Raises:
        TypeError: `autoreset_mode` or `copy`: Stable-Baselines3 needs `SameStep` and copies.
        ValueError: No games, or an option out of range.
    """

    def __init__(
        self,
        game: GameName,
        num_envs: int = 1,
        *,
        on_illegal: OnIllegal = "noop",
        max_episode_steps: int | None = None,
        render_mode: RenderMode | None = None,
        dict_observation: bool = False,
        seed: int | Sequence[int | None] | None = None,
        **options: Unpack[Options],
    ) -> None:
        for name in ("autoreset_mode", "copy"):
            if name in options:
                raise TypeError(f"{name}: no option, because Stable-Baselines3 needs `SameStep` and copies")
        if num_envs == 0:
            raise ValueError("num_envs=0: expected at least 1")
        self._envs: BitcadeVectorEnv[Any] = BitcadeVectorEnv(
            game,
            num_envs,
            autoreset_mode="SameStep",
            max_episode_steps=max_episode_steps,
            render_mode=render_mode,
            dict_observation=dict_observation,
            seed=seed,
            on_illegal=on_illegal,
            **options,
        )
        self._games = [_Game(self._envs, place) for place in range(num_envs)]
        self._actions: Any = None
        super().__init__(num_envs, self._envs.single_observation_space, self._envs.single_action_space)

    @property
    def batch(self) -> Batch:
        """The underlying batch."""
        return self._envs.batch

    def reset(self) -> Any:
        """Restart all games, with the seeds from `seed` if it was called since the last reset; return observations.

        Raises:
            ValueError: An invalid seed, or an option: there are none. Nothing has changed.
        """
        for options in self._options:
            check_reset_options(options)
        unseeded = all(seed is None for seed in self._seeds)
        obs, _ = self._envs.reset(seed=None if unseeded else self._seeds)
        self._reset_seeds()
        self._reset_options()
        return obs

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play one action in each game.

        Returns:
            Observations, rewards (float32), whether games ended, and infos. The observations of ended games are those
            of their next games.

        Raises:
            ValueError: An action is illegal and `on_illegal` is `raise`. Nothing has changed.
        """
        obs, reward, terminated, truncated, info = self._envs.step(self._actions)
        done = terminated | truncated
        # Wrappers add to the infos, so every game has its own.
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in self._games]
        for game in np.flatnonzero(done).tolist():
            infos[game] = {
                "TimeLimit.truncated": not terminated[game],
                "terminal_observation": info["final_obs"][game],
            }
        return obs, reward, done, infos

    def close(self) -> None:
        """Free the games and their threads."""
        self._envs.close()

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return an image of each game if the render mode is `rgb_array`."""
        if self.render_mode != "rgb_array":
            warnings.warn(f"get_images needs render_mode='rgb_array', not {self.render_mode!r}", stacklevel=2)
            return [None] * self.num_envs
        return list(self._envs.render() or ())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each game: `render_mode`, or one from `set_attr`."""
        return [getattr(self._games[game], attr_name) for game in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Attach a value to each game. It doesn't change the game."""
        for game in self._get_indices(indices):
            setattr(self._games[game], attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call `action_masks`, `get_state`, `set_state` or `render` of each game."""
        return [
            getattr(self._games[game], method_name)(*method_args, **method_kwargs)
            for game in self._get_indices(indices)
        ]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each game: they have no wrappers of their own."""
        return [False for _ in self._get_indices(indices)]

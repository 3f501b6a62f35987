"""Gymnasium environments: the vector environment `BitcadeVectorEnv`, and `BitcadeEnv` for a single game.

`import bitcade` registers both. Create them with `gymnasium.make_vec("bitcade/2048-4x4-v0", num_envs=4096)` and
`gymnasium.make("bitcade/2048-4x4-v0")`; further keyword arguments are passed to `Batch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import Env, spaces
    from gymnasium.error import ClosedEnvironmentError
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError(
        "bitcade.vector needs gymnasium 1.1 or later: pip install 'bitcade[gymnasium]'"
    ) from error

from ._native import State
from ._options import BatchOptions, GameName, OnIllegal, Options, RenderMode
from ._spaces import (
    ActionSpace,
    BatchActionSpace,
    Copied,
    Renderer,
    SeededGames,
    check_reset_options,
    checked_seed,
    copied,
    empty,
    make_batch,
    observation_space,
    single_action,
)

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from ._games.entry import Batch

    ObsT = TypeVar("ObsT", default=NDArray[Any])
else:
    from typing import TypeVar

    ObsT = TypeVar("ObsT")

__all__ = ["BitcadeEnv", "BitcadeVectorEnv", "DictObservation"]


class DictObservation(TypedDict):
    """An observation with `dict_observation=True`."""

    observations: NDArray[Any]
    action_mask: NDArray[np.int8]


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(known.value for known in AutoresetMode)
        raise ValueError(f"autoreset_mode={mode!r}: expected one of {names}") from None


def _step_limit(max_episode_steps: int | None) -> int | None:
    """Return the limit of the batch; Gymnasium's -1 means no limit besides the game's own."""
    return None if max_episode_steps == -1 else max_episode_steps


def _dict_space(space: spaces.Box, actions: int) -> spaces.Dict:
    return spaces.Dict({"observations": space, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


class BitcadeVectorEnv(Copied, SeededGames, VectorEnv[ObsT, Any, NDArray[Any]]):
    """Many games of one kind as a Gymnasium vector environment.

    `info["action_mask"]` contains the action masks of the observations: bool, of shape `(num_envs, actions)`. In
    autoreset mode `NEXT_STEP` the mask of a game that has just ended is empty, and its next action is ignored. In mode
    `SAME_STEP` the final observations of ended games are in `info["final_obs"]`.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        num_envs: The number of games.
        autoreset_mode: An `AutoresetMode` or its value.
        max_episode_steps: The number of steps after which a game is truncated; -1 for the game's own limit only.
        render_mode: `ansi` or `rgb_array`; `render` then returns frames of all games, images with their step.
        dict_observation: Whether observations are dictionaries with the keys `observations` and `action_mask`, as
            expected by RLlib's action masking.
        copy: Whether each call returns new arrays, which begin at multiples of 64 bytes. Without copies, the next call
            overwrites them, which is faster.
        seed: The seed of the first games, or a list with one per game; `None` for fresh entropy.
        options: Further options of the game's `Batch`, such as `width` or `num_threads`.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(Renderer.MODES),
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: GameName,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | Literal["NextStep", "SameStep", "Disabled"] = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: RenderMode | None = None,
        dict_observation: bool = False,
        copy: bool = True,
        seed: int | Sequence[int | None] | None = None,
        **options: Unpack[BatchOptions],
    ) -> None:
        super().__init__()
        mode = _autoreset_mode(autoreset_mode)
        self._renderer = Renderer(game, render_mode, options)
        self.game = game
        self._options = options
        self._own = {"max_episode_steps": _step_limit(max_episode_steps), "autoreset_mode": mode.value}
        seeds = self._seeds(seed, num_envs)
        self._batch: Batch | None = make_batch(game, num_envs, options, seed=seeds, **self._own)
        self._seed(seeds)
        self.num_envs = self._batch.num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.autoreset_mode = mode
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._dict = dict_observation
        # The first reset without a seed keeps the constructor's games unless they have been played.
        self._untouched = True

        actions = self._batch.num_actions
        single = observation_space(game, self._batch, options)
        self.single_observation_space = _dict_space(single, actions) if dict_observation else single
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = ActionSpace(actions)
        self.action_space = BatchActionSpace([actions] * self.num_envs)

    @property
    def batch(self) -> Batch:
        """The underlying batch."""
        if self._batch is None:
            raise ClosedEnvironmentError("the environment is closed")
        return self._batch

    @staticmethod
    def _seeds(seed: int | Sequence[int | None] | None, num_envs: int) -> int | list[int]:
        """Validate seeds, and replace each `None` by fresh entropy."""
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str) or np.ndim(seed) == 0:
            return checked_seed(seed)
        if len(seed) != num_envs:
            raise ValueError(f"seed: expected {num_envs} seeds, found {len(seed)}")
        return [checked_seed(one) for one in seed]

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[ObsT, dict[str, Any]]:
        """Restart games and return observations and info.

        Args:
            seed: One seed for all games (any nonnegative integer), or a list with one per game. Without a seed, each
                game's stream continues with its next game: a new one at each call, but the same sequence after the
                same seed. Pass `np_random_seed`, the last seed, to start the same games again.
            options: The only option is `reset_mask`, a bool array that selects the games to restart; the others go on.
                With a seed, `np_random_seed` then is a tuple with the seed of each game, or -1 for one that shares a
                seed with the games before it.

        Raises:
            TypeError: A seed or mask of the wrong type. Nothing has changed.
            ValueError: An invalid seed or mask, or an unknown option. Nothing has changed.
        """
        batch = self.batch
        check_reset_options(options, ("reset_mask",))
        which = None if options is None else options.get("reset_mask")
        if which is not None:
            self._check_reset_mask(which)
        seeds = None if seed is None else self._seeds(seed, self.num_envs)
        untouched = self._untouched and not batch.steps.any()
        # Before the reset, because Ctrl-C may interrupt it.
        self._untouched = False
        if which is None:
            if seeds is not None:
                batch.reset(seeds)
            elif not untouched:
                batch.reset()
        elif seeds is None:
            batch.reset_some(which)
        else:
            seeded = make_batch(self.game, self.num_envs, self._options, seed=seeds, **self._own)
            games = np.flatnonzero(which)
            batch.set_states(games, seeded.get_states(games))
            each_seed = map(self._each_seed, (seeds, self._np_random_seed))
            seeds = tuple(np.where(which, *each_seed).tolist())
        if seeds is not None:
            self._seed(seeds)
        return self._observed()

    def _each_seed(self, seed: int | Sequence[int]) -> np.ndarray:
        """Return the seed of each game, of dtype object; -1 for all games after the first that share a seed."""
        seeds = np.full(self.num_envs, -1, object)
        seeds[: 1 if isinstance(seed, int) else None] = seed
        return seeds

    def _check_reset_mask(self, which: Any) -> None:
        if getattr(which, "dtype", None) != np.bool_:
            found = getattr(which, "dtype", type(which).__name__)
            raise TypeError(f"options['reset_mask']: expected a NumPy array of bool, found {found}")
        if which.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask']: expected shape ({self.num_envs},), found {which.shape}")
        if not which.any():
            raise ValueError("options['reset_mask']: expected a game to reset")

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        """Return observations and info from the batch's own arrays."""
        obs, mask = self.batch.obs, self.batch.action_mask
        if self.copy:
            obs, mask = copied(obs), copied(mask)
        return self._observation(obs, mask), self._info(mask)

    def _observation(self, obs: np.ndarray, mask: np.ndarray) -> Any:
        return {"observations": obs, "action_mask": mask.view(np.int8)} if self._dict else obs

    def _info(self, mask: np.ndarray) -> dict[str, Any]:
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def step(
        self, actions: Any
    ) -> tuple[ObsT, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in each game.

        Args:
            actions: An array of integers, of shape `(num_envs,)`, or a list.

        Returns:
            Observations (uint8, of shape `(num_envs, *single_observation_space.shape)`), rewards (float32), terminated
            and truncated (bool), each of shape `(num_envs,)`, and info.

        Raises:
            ValueError: An action is illegal and `on_illegal` is `raise`, or a game is over in autoreset mode
                `DISABLED`. Nothing has changed.
        """
        batch = self.batch
        out = None
        if self.copy:
            n = self.num_envs
            out = (
                empty((n, *batch.obs_shape), batch.dtype),
                empty((n,), np.float32),
                empty((n,), np.bool_),
                empty((n,), np.bool_),
                empty((n, batch.num_actions), np.bool_),
            )
        obs, reward, terminated, truncated, mask = batch.step(actions, out)
        info = self._info(mask)
        if self._same_step:
            self._add_final(info, terminated | truncated)
        return self._observation(obs, mask), reward, terminated, truncated, info

    def _add_final(self, info: dict[str, Any], ended: np.ndarray) -> None:
        """Add the final observations and infos that Gymnasium requires in autoreset mode `SAME_STEP`."""
        games = np.flatnonzero(ended).tolist()
        if not games:
            return
        final = np.full(self.num_envs, None, dtype=object)
        for game, obs in zip(games, self.batch.final_obs(games), strict=True):
            final[game] = obs
        if self._dict:
            # A finished game has no legal actions.
            none = np.zeros(self.batch.num_actions, np.bool_)
            for game in games:
                final[game] = self._observation(final[game], none.copy())
        info["final_obs"] = final
        info["_final_obs"] = ended
        none = np.zeros((self.num_envs, self.batch.num_actions), np.bool_)
        info["final_info"] = {"action_mask": none, "_action_mask": ended.copy()}
        info["_final_info"] = ended.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the current action masks: bool, of shape `(num_envs, actions)`."""
        mask = self.batch.action_mask
        return mask.copy() if self.copy else mask

    def sample(self) -> NDArray[np.int32]:
        """Draw a uniformly random legal action for each game from the game's own random stream: int32."""
        actions = self.batch.sample()
        return actions.copy() if self.copy else actions

    def get_state(self, game: int) -> State:
        """Return a snapshot of one game: its position, random stream and step count."""
        return self.batch.get_state(game)

    def set_state(self, game: int, state: State) -> tuple[ObsT, dict[str, Any]]:
        """Restore one game from a snapshot of an environment with the same rules; return what `reset` returns."""
        self.batch.set_state(game, state)
        self._untouched = False
        return self._observed()

    def render(self) -> tuple[Any, ...] | None:
        """Return frames of all games in the render mode, or `None` without one."""
        if self.render_mode is None:
            return None
        steps = self.batch.steps.tolist()
        return tuple(
            self._renderer.frame(obs, f"step {step}") for obs, step in zip(self.batch.obs, steps, strict=True)
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Free the games and their threads."""
        self._batch = None


class BitcadeEnv(Copied, SeededGames, Env[ObsT, Any]):
    """One game as a Gymnasium environment, backed by a batch of one.

    `info["action_mask"]` contains the action mask. By default an illegal action leaves the board unchanged, because
    agents and environment checkers sample from the whole action space; it still counts as a step, and in match-3 as a
    move. `on_illegal="raise"` rejects it and `"terminate"` ends the game. Actions out of range are always rejected.

    Args:
        game, render_mode, dict_observation, max_episode_steps, options: As for `BitcadeVectorEnv`.
        on_illegal: `noop`, `raise` or `terminate`.
        seed: The seed of the first game; `None` for fresh entropy.
    """

    metadata: dict[str, Any] = {"render_modes": list(Renderer.MODES), "render_fps": 4}

    def __init__(
        self,
        game: GameName,
        *,
        render_mode: RenderMode | None = None,
        dict_observation: bool = False,
        max_episode_steps: int | None = None,
        on_illegal: OnIllegal = "noop",
        seed: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        self._renderer = Renderer(game, render_mode, options)
        seed, limit = checked_seed(seed), _step_limit(max_episode_steps)
        own = {"seed": seed, "max_episode_steps": limit, "on_illegal": on_illegal, "autoreset_mode": "Disabled"}
        self._batch: Batch = make_batch(game, 1, options, **own)
        self._seed(seed)
        self.game = game
        self.render_mode = render_mode
        self._dict = dict_observation
        self._action = np.zeros(1, np.int32)
        self._untouched = True
        self._closed = False
        # The sum of the rewards; `None` after a state of unknown past.
        self._return: float | None = 0.0
        single: Any = observation_space(game, self.batch, options)
        self.observation_space = _dict_space(single, self.batch.num_actions) if dict_observation else single
        self.action_space = ActionSpace(self.batch.num_actions)

    @property
    def batch(self) -> Batch:
        """The underlying batch of one game."""
        if self._closed:
            raise ClosedEnvironmentError("the environment is closed")
        return self._batch

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        obs, mask = self.batch.obs[0].copy(), self.batch.action_mask[0].copy()
        info = {"action_mask": mask}
        return ({"observations": obs, "action_mask": mask.astype(np.int8)} if self._dict else obs), info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsT, dict[str, Any]]:
        """Start the first game of a seed, or without a seed the next game. There are no `options`.

        A seed is any nonnegative integer. Pass `np_random_seed`, the last seed, to repeat its episode.

        Raises:
            TypeError: The seed isn't an integer. Nothing has changed.
            ValueError: The seed is negative, or an option is unknown. Nothing has changed.
        """
        batch = self.batch
        check_reset_options(options)
        if seed is not None:
            seed = checked_seed(seed)
            batch.reset(seed)
            self._seed(seed)
        elif not self._untouched or batch.steps[0]:
            batch.reset()
        self._untouched = False
        self._return = 0.0
        return self._observed()

    def step(self, action: Any) -> tuple[ObsT, float, bool, bool, dict[str, Any]]:
        """Play one action, an integer or a one-element array.

        Returns:
            Observation, reward, terminated, truncated and info.

        Raises:
            ValueError: The action is out of range, illegal with `on_illegal="raise"`, or the game is over.
        """
        batch = self.batch
        self._action[0] = single_action(action, batch.num_actions)
        _, reward, terminated, truncated, _ = batch.step(self._action)
        if self._return is not None:
            self._return += float(reward[0])
        obs, info = self._observed()
        return obs, float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask: bool, of shape `(actions,)`."""
        return self.batch.action_mask[0].copy()

    def sample(self) -> int:
        """Draw a uniformly random legal action from the game's own random stream."""
        return int(self.batch.sample()[0])

    def get_state(self) -> State:
        """Return a snapshot of the game."""
        return self.batch.get_state(0)

    def set_state(self, state: State) -> tuple[ObsT, dict[str, Any]]:
        """Restore the game from a snapshot of an environment with the same rules; return what `reset` returns."""
        self.batch.set_state(0, state)
        self._untouched = False
        self._return = None
        return self._observed()

    def render(self) -> Any:
        """Return a frame in the render mode, or `None` without one. An image shows step and return."""
        caption = f"step {self.batch.steps[0]}"
        if self._return is not None:
            caption += f"  return {self._return:g}"
        return self._renderer.frame(self.batch.obs[0], caption)

    def close(self) -> None:
        """Close the environment; closing it again does nothing."""
        self._closed = True

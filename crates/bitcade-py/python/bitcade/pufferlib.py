"""PufferLib 3 environments: native `PufferEnv`s that write into PufferLib's buffers.

::

    import bitcade.pufferlib, pufferlib.vector
    envs = pufferlib.vector.make(bitcade.pufferlib.Game2048, env_kwargs={"num_envs": 4096})
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

try:
    import pufferlib
    from gymnasium import spaces
except ImportError as error:
    raise ImportError("bitcade.pufferlib needs pufferlib 3: pip install 'bitcade[pufferlib]'") from error

from ._games import GAMES
from ._native import State
from ._options import OnIllegal, Options
from ._spaces import Copied, Renderer, checked_seed, integer, make_batch, observation_space

_INT32 = np.iinfo(np.int32)


class _BitcadeEnv(Copied, pufferlib.PufferEnv):
    """Many games of one kind; each game is an agent.

    PufferLib has no action masking, so by default an illegal action is a no-op (`on_illegal`); custom policies can read
    the masks from `action_masks`. Games restart in the step that ends them, as in PufferLib's own environments. The
    underlying batch is `batch`; calling it directly doesn't update PufferLib's buffers.

    Args:
        num_envs: The number of games.
        render_mode: `ansi` or `rgb_array`; `render` then returns a frame of the first game.
        report_interval: The number of steps between infos, which report the mean return and length of the episodes
            finished since the last one.
        buf: PufferLib's buffers.
        seed: The seed of the first games; `None` for fresh entropy.
        on_illegal: `noop`, `raise` or `terminate`.
        max_episode_steps: The number of steps after which a game is truncated.
        options: Further options of the game's `Batch`.
    """

    game: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        report_interval: int = 128,
        buf: dict[str, np.ndarray] | None = None,
        seed: int | None = 0,
        on_illegal: OnIllegal = "noop",
        max_episode_steps: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._renderer = Renderer(self.game, render_mode, options)
        self.render_mode = render_mode
        self.report_interval = integer("report_interval", report_interval, 1)
        own = {"seed": checked_seed(seed), "on_illegal": on_illegal, "max_episode_steps": max_episode_steps}
        self.batch = make_batch(self.game, num_envs, options, autoreset_mode="SameStep", **own)
        self.single_observation_space = observation_space(self.game, self.batch, options)
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.num_agents = num_envs
        super().__init__(buf)
        self.action_masks = np.empty((num_envs, self.batch.num_actions), np.bool_)
        self._start()

    def _show(self) -> None:
        """Copy observations and action masks into PufferLib's buffers."""
        self.observations[:] = self.batch.obs
        self.action_masks[:] = self.batch.action_mask

    def _start(self) -> None:
        """Show the current games, and reset the statistics."""
        self._show()
        self.rewards[:] = 0
        self.terminals[:] = False
        self.truncations[:] = False
        self._ticks = 0
        self._returns = np.zeros(self.num_agents, np.float64)
        self._lengths = np.zeros(self.num_agents, np.int64)
        self._ended: list[np.ndarray] = []

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, float]]]:
        """Restart all games: with a seed, its first games; without one, the next game of each stream."""
        seed = None if seed is None else checked_seed(seed)
        try:
            self.batch.reset(seed)
            self._start()
        except BaseException:
            # Ctrl-C may have interrupted the reset after some games.
            self._start()
            raise
        return self.observations, []

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, float]]]:
        """Play one action in each game."""
        out = (self.observations, self.rewards, self.terminals, self.truncations, self.action_masks)
        self.batch.step(actions, out)
        # After the step, which sees the original numbers: a cast to int32 may make an illegal action legal.
        if getattr(actions, "dtype", None) != self.actions.dtype:
            actions = np.clip(actions, _INT32.min, _INT32.max)
        self.actions[:] = actions
        self._ticks += 1
        self._returns += self.rewards
        self._lengths += 1
        ended = np.flatnonzero(self.terminals | self.truncations)
        if len(ended):
            self._ended.append(np.stack([self._returns[ended], self._lengths[ended]]))
            self._returns[ended] = 0
            self._lengths[ended] = 0
        infos = []
        if self._ended and self._ticks % self.report_interval == 0:
            games = np.concatenate(self._ended, axis=1)
            returns, lengths = games.mean(axis=1).tolist()
            infos.append({"episode_return": returns, "episode_length": lengths, "n": float(games.shape[1])})
            self._ended.clear()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def sample(self) -> np.ndarray:
        """Draw a random legal action for each game. The next call overwrites the array."""
        return self.batch.sample()

    def get_state(self, game: int) -> State:
        """Return a snapshot of one game: its position, random stream and step count."""
        return self.batch.get_state(game)

    def set_state(self, game: int, state: State) -> None:
        """Restore one game from a snapshot with the same rules. Its return and length count from here."""
        try:
            self.batch.set_state(game, state)
            self._returns[game] = self._lengths[game] = 0
            self._show()
        except BaseException:
            # Ctrl-C may have arrived after `set_state`.
            self._show()
            raise

    def render(self) -> Any:
        """Return a frame of the first game in the render mode, or `None` without one."""
        return self._renderer.frame(self.observations[0])

    def close(self) -> None:
        """Do nothing: the games are freed with the environment."""


def _class(game: str) -> type[_BitcadeEnv]:
    """Create the class of a game, such as `Match3` or `Game2048`."""
    name = "".join(word.capitalize() for word in game.split("-"))
    name = name if name.isidentifier() else f"Game{name}"
    batch = f"{GAMES[game].batch.__module__}.{GAMES[game].batch.__name__}"
    doc = f"Many games of `{game}`. See `{batch}` for their options."
    return type(name, (_BitcadeEnv,), {"game": game, "__doc__": doc, "__module__": __name__})


_CLASSES = {cls.__name__: cls for cls in map(_class, GAMES)}
globals().update(_CLASSES)
__all__ = sorted(_CLASSES)

if TYPE_CHECKING:

    def __getattr__(name: str) -> type[_BitcadeEnv]: ...

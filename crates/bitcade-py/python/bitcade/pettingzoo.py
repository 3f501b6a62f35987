"""Go for two agents as an AEC environment of PettingZoo: `env()` with its usual wrappers, or `raw_env()`."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("bitcade.pettingzoo needs pettingzoo: pip install 'bitcade[pettingzoo]'") from error

from ._native import Go, State
from ._spaces import ActionSpace, Renderer, single_action

__all__ = ["env", "raw_env"]


def env(**options: Any) -> AECEnv:
    """Return the environment in PettingZoo's wrappers: an illegal move loses the game for who makes it."""
    wrapped = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):
    """One game of Go between the agents `black_0` and `white_0`.

    An observation is a dictionary: `observation` has the six planes of `bitcade.Go` from the agent's own side
    (own stones, the opponent's, points that ko forbids, last move, the one before, all 1 if Black is to
    move), and `action_mask` the legal actions, none for the agent that isn't to move. At the end each agent
    gets 1, -1 or 0 for a win, a loss or a draw.

    Args:
        size: The number of lines.
        render_mode: `ansi` or `rgb_array`.
        options: Further arguments of `bitcade.Go`: `komi`, `ko`, `suicide`, `max_steps` ..
    """

    metadata: dict[str, Any] = {
        "render_modes": list(Renderer.MODES),
        "name": "bitcade_go_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, size: int = 9, *, render_mode: str | None = None, **options: Any) -> None:
        EzPickle.__init__(self, size, render_mode=render_mode, **options)
        super().__init__()
        for name in ("autoreset", "on_illegal", "num_envs"):
            if name in options:
                raise TypeError(f"{name}: a game of two agents has no such argument")
        self._renderer = Renderer("go", render_mode, {})
        self.render_mode = render_mode
        options = {"seed": secrets.randbits(64), **options}
        self._batch = Go(1, size=size, autoreset="disabled", **options)
        self.possible_agents = ["black_0", "white_0"]
        self.agents: list[str] = []
        actions = self._batch.num_actions
        space: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, 1, tuple(self._batch.obs_shape), np.uint8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self._observation_spaces = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self._action_spaces = {agent: ActionSpace(actions) for agent in self.possible_agents}

    @property
    def batch(self) -> Go:
        """The raw batch of one game."""
        return self._batch

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def _to_move(self) -> str:
        return self.possible_agents[int(self._batch.to_move()[0])]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. `options` are ignored, as PettingZoo's own tests demand."""
        self._batch.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._to_move()

    def step(self, action: Any) -> None:
        """Play the move of the agent in turn; `None` for an agent whose game is over."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        _, reward, terminated, truncated, _ = self._batch.step(np.array([single_action(action)], np.int64))
        self._cumulative_rewards[mover] = 0
        for agent in self.agents:
            self.rewards[agent] = float(reward[0]) * (1 if agent == mover else -1)
            self.terminations[agent] = bool(terminated[0])
            self.truncations[agent] = bool(truncated[0])
        self._accumulate_rewards()
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent sees."""
        obs, mask = self._batch.obs[0].copy(), self._batch.mask[0].astype(np.int8)
        if agent != self._to_move():
            obs[[0, 1]] = obs[[1, 0]]
            # No point is forbidden or legal for who isn't to move.
            obs[2] = 0
            mask[:] = 0
        return {"observation": obs, "action_mask": mask}

    def get_state(self) -> State:
        """Return the game as a value."""
        return self._batch.get_state(0)

    def render(self) -> Any:
        """Return the frame in the render mode, or `None` without one."""
        return self._renderer.frame(self._batch.obs[0])

    def close(self) -> None:
        """Do nothing: the game is freed with this object."""

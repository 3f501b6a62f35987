"""PettingZoo environments for two agents.

Go is an AEC environment: `env()` with the usual wrappers, or `raw_env()`. Tetris, in which the players send each other
garbage, is a parallel environment: `tetris_parallel_env()`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("bitcade.pettingzoo needs pettingzoo: pip install 'bitcade[pettingzoo]'") from error

from ._games.go import opponents_view
from ._native import State, _TetrisVersus
from ._options import GoEnvOptions
from ._spaces import (
    ActionSpace,
    Copied,
    Renderer,
    checked_seed,
    integer,
    make_batch,
    observation_space,
    single_action,
)
from .go import Batch

__all__ = ["TetrisState", "env", "raw_env", "tetris_parallel_env"]


def env(**options: Unpack[GoEnvOptions]) -> AECEnv:
    """Return `raw_env` in PettingZoo's standard wrappers: a player who makes an illegal move loses."""
    wrapped = raw_env(**options)
    wrapped = _TerminateIllegal(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class _TerminateIllegal(wrappers.TerminateIllegalWrapper):
    """PettingZoo's wrapper, with `set_state`: it caches the last observation, whose action mask would be stale."""

    def set_state(self, state: State) -> None:
        self.env.set_state(state)
        self._prev_obs = None
        self._terminated = False


class _Agents(Copied):
    """Agents with the same spaces."""

    possible_agents: list[str]

    def _set_spaces(self, observation: spaces.Box, actions: int) -> None:
        self.state_space = observation
        mask = spaces.Box(0, 1, (actions,), np.int8)
        space: dict[str, spaces.Space[Any]] = {"observation": observation, "action_mask": mask}
        self.observation_spaces = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return an agent's action space."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing: the games are freed with the environment."""


class raw_env(_Agents, AECEnv):
    """One game of Go between the agents `black_0` and `white_0`.

    Observations are dictionaries. `observation` is that of `bitcade.go.Batch` from the agent's perspective: the agent's
    stones come first, even if the other one is to move; by default six planes (own stones, the opponent's stones, points
    forbidden by ko, last move, the move before it, all 1 if Black is to move). `action_mask` marks the legal actions; it is
    all 0 for the agent not to move. At the end each agent receives 1, -1 or 0 for a win, loss or draw.

    Args:
        options: `render_mode` (`ansi` or `rgb_array`), and those of `bitcade.go.Batch` but `num_envs`, `autoreset_mode` and
            `on_illegal`: `size`, `komi`, `ko`, `history`, `channels`, `seed`, `max_episode_steps` ..
    """

    metadata: dict[str, Any] = {
        "render_modes": list(Renderer.MODES),
        "name": "bitcade_go_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Unpack[GoEnvOptions]) -> None:
        super().__init__()
        self.render_mode = options.pop("render_mode", None)
        self._renderer = Renderer("go", self.render_mode, options)
        options["seed"] = checked_seed(options.get("seed"))
        own = {"autoreset_mode": "Disabled", "on_illegal": "raise"}
        self._batch: Batch = make_batch("go", 1, options, **own)  # type: ignore[assignment]
        self._layout = options.get("history", 0), options.get("channels", "first")
        self.possible_agents = ["black_0", "white_0"]
        self.agents: list[str] = []
        self._set_spaces(observation_space("go", self._batch, options), self._batch.num_actions)

    @property
    def batch(self) -> Batch:
        """The underlying batch of one game."""
        return self._batch

    def _to_move(self) -> str:
        return self.possible_agents[int(self._batch.to_move()[0])]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. `options` are ignored, as PettingZoo's API tests require."""
        seed = None if seed is None else checked_seed(seed)
        self._change(lambda: self._batch.reset(seed))

    def _present(self) -> dict[str, Any]:
        """Return the attributes that describe the game."""
        batch, agents = self._batch, self.possible_agents
        is_over = not batch.action_mask[0].any()
        is_scored = is_over and bool(batch.passes()[0] == 2)
        black = float(np.sign(batch.scores()[0])) if is_scored else 0.0
        # A subtraction: `-black` would be -0.0 if there is no reward.
        rewards = {"black_0": black, "white_0": 0.0 - black}
        return {
            "rewards": rewards,
            "_cumulative_rewards": rewards.copy(),
            "terminations": dict.fromkeys(agents, is_scored),
            "truncations": dict.fromkeys(agents, is_over and not is_scored),
            "agent_selection": self._to_move(),
        }

    def _change(self, change: Callable[[], object]) -> None:
        """Change the board together with the attributes that describe it: if Ctrl-C interrupts, change neither.

        Both agents join.
        """
        before, agents = self._batch.get_state(0), self.possible_agents
        shown: dict[str, Any] = {}
        try:
            change()
            infos: dict[str, Any] = {agent: {} for agent in agents}
            shown = self._present() | {"agents": agents[:], "infos": infos, "_skip_agent_selection": None}
            vars(self).update(shown)
        except BaseException:
            if vars(self).get("rewards") is not shown.get("rewards", before):
                self._batch.set_state(0, before)
            raise

    def step(self, action: Any) -> None:
        """Play a move for the selected agent; pass `None` if its game is over."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        chosen = np.array([single_action(action, self._batch.num_actions)], np.int64)
        try:
            self._batch.step(chosen)
            vars(self).update(self._present())
        except BaseException:
            # Ctrl-C may have arrived after the move was played.
            vars(self).update(self._present())
            raise

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return an agent's observation."""
        obs, mask = self._batch.obs[0].copy(), self._batch.action_mask[0].astype(np.int8)
        if agent != self._to_move():
            obs = opponents_view(obs, *self._layout)
            mask[:] = 0
        return {"observation": obs, "action_mask": mask}

    def state(self) -> np.ndarray:
        """Return the observation of the agent to move, which shows everything."""
        return self._batch.obs[0].copy()

    def get_state(self) -> State:
        """Return a snapshot of the game."""
        return self._batch.get_state(0)

    def set_state(self, state: State) -> None:
        """Restore the game from a snapshot of an environment with the same rules.

        Both agents rejoin, even if the game is over, and their cumulative rewards start over.
        """
        self._change(lambda: self._batch.set_state(0, state))

    def render(self) -> Any:
        """Return a frame in the render mode, or `None` without one."""
        return self._renderer.frame(self._batch.obs[0])


@dataclass(frozen=True)
class TetrisState:
    """A snapshot of a match of `tetris_parallel_env`."""

    match: str
    steps: int
    is_over: bool


class tetris_parallel_env(_Agents, ParallelEnv):
    """Two games of guideline Tetris between the agents `player_0` and `player_1`, who send each other garbage.

    In each step both agents place a piece. Then each receives the lines that the other's attack sent. They wait: the
    agent's own attacks cancel them first, and what is left rises after its next placement that clears no line, with the
    hole of each attack in one random column.

    Observations are dictionaries. `observation` is uint8, of shape `(cells,)`: first the agent's own game as in
    `bitcade.tetris.Batch` with garbage (the cells of the visible rows, top row first, the piece in play, the held piece,
    the preview, combo, back-to-back chain, pending lines), then the opponent's in the same layout. `action_mask` marks
    the legal actions, int8. Actions are those of `bitcade.tetris.Batch`.

    The match ends when a player tops out: 1 for the other one, -1 for this one, 0 if both do in the same step. Each
    agent's `infos` have the `lines` it cleared, its `attack`, the lines `sent` after cancelling, and the
    `garbage_rows` that entered.

    Args:
        actions: `drops` or `placements`.
        same_pieces: Whether both players get the same pieces in the same order.
        hold: Whether players can hold a piece.
        next: The number of pieces in the preview, up to 15.
        rows: The number of rows in an observation, 1 to 40.
        max_episode_steps: The number of steps after which the match is truncated, or `None`.
        on_illegal: `raise`, or `terminate`: an agent that chooses an illegal action loses the match.
        seed: The seed of the first matches; `None` for fresh entropy.
        render_mode: `ansi` or `rgb_array`.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(Renderer.MODES),
        "name": "bitcade_tetris_v0",
        "is_parallelizable": True,
        "render_fps": 4,
    }

    def __init__(
        self,
        *,
        actions: Literal["placements", "drops"] = "drops",
        same_pieces: bool = True,
        hold: bool = True,
        next: int = 5,
        rows: int = 20,
        max_episode_steps: int | None = None,
        on_illegal: Literal["raise", "terminate"] = "raise",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if on_illegal not in ("raise", "terminate"):
            raise ValueError(f"on_illegal={on_illegal!r}: expected raise or terminate")
        self._limit = None if max_episode_steps is None else integer("max_episode_steps", max_episode_steps, 1)
        self._raises = on_illegal == "raise"
        self._renderer = Renderer("tetris", render_mode, {"rows": rows, "garbage": True})
        self.render_mode = render_mode
        self._versus = _TetrisVersus(
            seed=checked_seed(seed), actions=actions, same_pieces=same_pieces, hold=hold, next=next, rows=rows
        )
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._steps = 0
        self._untouched, self._is_over = True, False
        own = len(self._versus.obs(0))
        high = np.ones(own, np.uint8)
        high[rows * 10 : -3] = 7
        high[-3:] = 255
        high = np.tile(high, 2)
        self._actions = len(self._versus.action_mask(0))
        self._set_spaces(spaces.Box(np.zeros_like(high), high, high.shape, np.uint8), self._actions)

    def _show(self, versus: _TetrisVersus, steps: int, *, is_over: bool) -> dict[str, dict[str, np.ndarray]]:
        """Replace the match at once, even if Ctrl-C interrupts; return the observations."""
        agents = [] if is_over else self.possible_agents[:]
        vars(self).update(_versus=versus, _steps=steps, agents=agents, _is_over=is_over, _untouched=False)
        return self._observations()

    def _observations(self) -> dict[str, dict[str, np.ndarray]]:
        both = [np.frombuffer(self._versus.obs(player), np.uint8) for player in (0, 1)]
        masks = [np.frombuffer(self._versus.action_mask(player), np.int8).copy() for player in (0, 1)]
        return {
            agent: {"observation": np.concatenate([both[i], both[1 - i]]), "action_mask": masks[i]}
            for i, agent in enumerate(self.possible_agents)
        }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        """Start the first match of a seed, or without a seed the next one. `options` are ignored.

        Returns:
            Observations and infos by agent.
        """
        versus = copy.copy(self._versus)
        if seed is not None:
            versus.reset(checked_seed(seed))
        elif not self._untouched:
            versus.reset()
        return self._show(versus, 0, is_over=False), {agent: {} for agent in self.possible_agents}

    def step(self, actions: dict[str, Any]) -> tuple[
        dict[str, dict[str, np.ndarray]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Place a piece for each agent.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent; empty once the match is over.

        Raises:
            ValueError: An agent's action is missing, out of range, or illegal with `on_illegal="raise"`. Nothing has
                changed.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        chosen = []
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"{agent}: expected an action")
            try:
                chosen.append(single_action(actions[agent], self._actions))
            except (TypeError, ValueError) as error:
                raise type(error)(f"{agent}: {error}") from None
        illegal = [not self._versus.action_mask(player)[action] for player, action in enumerate(chosen)]
        versus, steps = copy.copy(self._versus), self._steps + 1
        if any(illegal) and not self._raises:
            results, over = [[0, 0, 0, 0]] * 2, illegal
        else:
            results = versus.step(chosen)
            over = versus.over
        ended = any(over)
        cut = not ended and self._limit is not None and steps >= self._limit
        agents, names = self.agents, ("lines", "attack", "sent", "garbage_rows")
        rewards = {agent: float(over[1 - i]) - float(over[i]) for i, agent in enumerate(agents)}
        infos = {agent: dict(zip(names, result, strict=True)) for agent, result in zip(agents, results, strict=True)}
        obs = self._show(versus, steps, is_over=ended or cut)
        return obs, rewards, dict.fromkeys(agents, ended), dict.fromkeys(agents, cut), infos

    def state(self) -> np.ndarray:
        """Return the observation of `player_0`, which shows both games."""
        return self._observations()["player_0"]["observation"]

    def get_state(self) -> TetrisState:
        """Return a snapshot of the match, from which it plays on identically."""
        return TetrisState(self._versus.save(), self._steps, self._is_over)

    def set_state(self, state: TetrisState) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        """Restore the match from a snapshot of an environment with the same rules; return what `reset` returns."""
        if not isinstance(state, TetrisState):
            raise TypeError(f"state: expected a TetrisState, found {type(state).__name__}")
        versus = copy.copy(self._versus)
        versus.restore(state.match)
        return self._show(versus, state.steps, is_over=state.is_over), {agent: {} for agent in self.possible_agents}

    def render(self) -> Any:
        """Return a frame with both games, `player_0` on the left, or `None` without a render mode."""
        both = [np.frombuffer(self._versus.obs(player), np.uint8) for player in (0, 1)]
        left, right = map(self._renderer.frame, both)
        if self.render_mode != "ansi":
            return left if left is None else np.concatenate([left, right], axis=1)
        lines, others = left.splitlines(), right.splitlines()
        width = max(map(len, lines)) + 4
        return "\n".join(line.ljust(width) + other for line, other in zip(lines, others, strict=True))

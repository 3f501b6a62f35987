"""One interface to the raw classes and to the environments of each library, to test shared behavior once."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from conftest import GAMES, MODES, small, snapshot

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")
pytest.importorskip("pettingzoo", reason="PettingZoo isn't installed")

from bitcade import _games, pettingzoo  # noqa: E402
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402


class Player:
    """A player of a game's raw class. The subclasses play the environments."""

    #: The autoreset modes to choose from, default first.
    modes = MODES
    #: Whether the environment is wrapped: `copy.copy` of a wrapper shares the environment inside, and may close it.
    wrapped = False
    #: Whether `on_illegal` is an option.
    chooses = True
    #: Whether results are copies that the caller may modify.
    copied = False
    defaults: dict[str, Any] = {}

    def __init__(self, env: Any, mode: str) -> None:
        self.env, self.mode = env, mode

    @classmethod
    def make(cls, name: str, num_envs: int = 5, mode: str | None = None, **options: Any) -> Player:
        """Create small games in an autoreset mode."""
        mode = mode or cls.modes[0]
        game, options = small(name, **{**cls.defaults, **options})
        return cls(cls.create(game, num_envs, mode, options), mode)

    @staticmethod
    def create(game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        return GAMES[game][0](num_envs, autoreset_mode=mode, **options)

    def like(self, env: Any) -> Player:
        """Return a player for a copy of the environment."""
        copied = copy.copy(self)
        copied.env = env
        return copied

    @property
    def batch(self) -> Any:
        """The underlying batch."""
        return self.env

    @property
    def num_envs(self) -> int:
        return self.batch.num_envs

    def reset(self, seed: Any = None) -> Any:
        """Reset; return observations and action masks."""
        return self.env.reset(seed)

    def restart(self, ended: np.ndarray) -> None:
        """Restart the selected games."""
        self.env.reset_some(ended)

    def step(self, actions: Any) -> Any:
        """Step; return observations, rewards, terminated, truncated and action masks."""
        return self.env.step(actions)

    def sample(self) -> np.ndarray:
        return self.env.sample().copy()

    def seen(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the current observations and action masks."""
        return self.env.obs, self.env.action_mask

    def frames(self) -> list[str]:
        return [self.env.render(place) for place in range(self.num_envs)]

    def notes(self) -> Any:
        """Return any other state that the environment exposes."""
        return None

    def get_state(self, place: int) -> Any:
        return self.env.get_state(place)

    def set_state(self, place: int, state: Any) -> None:
        self.env.set_state(place, state)

    def advance(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """Play a step, restart ended games if there is no autoreset, and return copies of the step's results."""
        result = tuple(array.copy() for array in self.step(actions))
        ended = result[2] | result[3]
        if self.mode == "Disabled" and ended.any():
            self.restart(ended)
        return result

    def play(self, steps: int) -> list[tuple]:
        """Play random actions from the games' own streams; return the history."""
        history = []
        for _ in range(steps):
            result = self.advance(self.sample())
            history.append((snapshot(result), snapshot(self.seen()), self.frames(), str(self.notes())))
        return history


def boards(obs: Any) -> np.ndarray:
    """Return the plain observations, also from dictionary observations."""
    return obs["observations"] if isinstance(obs, dict) else obs


class Vector(Player):
    """Gymnasium vector environments."""

    modes = ("NextStep", "SameStep", "Disabled")
    copied = True
    defaults = {"render_mode": "ansi"}

    @staticmethod
    def create(game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        return BitcadeVectorEnv(game, num_envs, autoreset_mode=AutoresetMode(mode), **options)

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    @property
    def batch(self) -> Any:
        return self.unwrapped.batch

    def reset(self, seed: Any = None, **options: Any) -> Any:
        obs, info = self.env.reset(seed=seed, **options)
        return boards(obs), info["action_mask"]

    def restart(self, ended: np.ndarray) -> None:
        self.env.reset(options={"reset_mask": ended})

    def step(self, actions: Any) -> Any:
        obs, *result, info = self.env.step(actions)
        return boards(obs), *result, info["action_mask"]

    def sample(self) -> np.ndarray:
        return np.atleast_1d(self.unwrapped.sample()).copy()

    def seen(self) -> tuple[np.ndarray, np.ndarray]:
        return self.batch.obs, np.atleast_2d(self.unwrapped.action_masks())

    def frames(self) -> list[str]:
        return list(self.unwrapped.render())

    def notes(self) -> Any:
        return self.unwrapped.np_random.bit_generator.state

    def set_state(self, place: int, state: Any) -> None:
        obs, info = self.env.set_state(*self.places(place), state)
        assert snapshot((boards(obs), info["action_mask"])) == snapshot(self.seen())

    def get_state(self, place: int) -> Any:
        return self.env.get_state(*self.places(place))

    def places(self, place: int) -> tuple[int, ...]:
        """Return the arguments that select a game."""
        return (place,)


class Single(Vector):
    """Gymnasium environments."""

    modes = ("Disabled",)

    @staticmethod
    def create(game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        return BitcadeEnv(game, **options)

    def reset(self, seed: Any = None, **options: Any) -> Any:
        obs, mask = super().reset(seed, **options)
        return obs[None], mask[None]

    def restart(self, ended: np.ndarray) -> None:
        self.env.reset()

    def step(self, actions: Any) -> Any:
        obs, reward, *ends, mask = super().step(actions[0])
        assert isinstance(reward, float) and all(isinstance(end, bool) for end in ends)
        return obs[None], np.array([reward], np.float32), *(np.array([end]) for end in ends), mask[None]

    def frames(self) -> list[str]:
        return [self.unwrapped.render()]

    def places(self, place: int) -> tuple[int, ...]:
        return ()


#: The first registered environment of each game.
IDS = {name: f"bitcade/{next(iter(game.envs))}-v0" for name, game in _games.GAMES.items()}


class WrappedVector(Vector):
    """Registered vector environments in a wrapper."""

    modes = ("NextStep",)
    wrapped = True

    @staticmethod
    def create(game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        env = gymnasium.make_vec(IDS[game], num_envs=num_envs, **options)
        return gymnasium.wrappers.vector.RecordEpisodeStatistics(env)


class WrappedSingle(Single):
    """Registered environments in wrappers."""

    wrapped = True

    @staticmethod
    def create(game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        env = gymnasium.make(IDS[game], **{**options, "max_episode_steps": 30})
        return gymnasium.wrappers.RecordEpisodeStatistics(env)


class PettingZoo(Single):
    """The PettingZoo environment of Go, from the perspective of the agent to move."""

    chooses = False
    class_ = staticmethod(pettingzoo.raw_env)

    @classmethod
    def create(cls, game: str, num_envs: int, mode: str, options: dict[str, Any]) -> Any:
        env = cls.class_(**options)
        env.reset()
        return env

    def reset(self, seed: Any = None) -> Any:
        self.env.reset(seed=seed)
        return self.seen()

    def step(self, actions: Any) -> Any:
        mover = self.env.agent_selection
        self.env.step(actions[0])
        found = (values[mover] for values in (self.env.rewards, self.env.terminations, self.env.truncations))
        reward, terminated, truncated = (np.array([value]) for value in found)
        obs, mask = self.seen()
        return obs, reward.astype(np.float32), terminated, truncated, mask

    def sample(self) -> np.ndarray:
        return self.batch.sample().copy()

    def set_state(self, place: int, state: Any) -> None:
        self.env.set_state(state)

    def seen(self) -> tuple[np.ndarray, np.ndarray]:
        view = self.env.observe(self.env.possible_agents[int(self.batch.to_move()[0])])
        return view["observation"][None], view["action_mask"][None].astype(bool)

    def notes(self) -> Any:
        env = self.unwrapped
        shown = (env.agents, env.rewards, env.terminations, env.truncations, env._cumulative_rewards)
        return env.agent_selection, env.infos, *shown


class WrappedPettingZoo(PettingZoo):
    """The same environment in PettingZoo's wrappers."""

    wrapped = True
    class_ = staticmethod(pettingzoo.env)


#: The kinds of environments, each with its games.
KINDS: dict[type[Player], list[str]] = {
    **{kind: list(GAMES) for kind in (Player, Vector, Single)},
    PettingZoo: ["go"],
}
WRAPPED: dict[type[Player], list[str]] = {
    WrappedVector: list(GAMES),
    WrappedSingle: list(GAMES),
    WrappedPettingZoo: ["go"],
}


def each(kinds: dict[type[Player], list[str]]) -> pytest.MarkDecorator:
    """Parametrize a test by kind of environment and game."""
    pairs = [pytest.param(kind, game, id=f"{kind.__name__}-{game}") for kind in kinds for game in kinds[kind]]
    return pytest.mark.parametrize(("kind", "game"), pairs)

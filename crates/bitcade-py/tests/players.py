"""One interface to the raw classes and to the environments of each library, to test shared behavior once."""

import copy

import numpy as np
import pytest
from conftest import GAMES, MODES, small, snapshot

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")
pytest.importorskip("pettingzoo", reason="PettingZoo isn't installed")

from bitcade import pettingzoo  # noqa: E402
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402


class Player:
    # A player of a game's raw class. The subclasses play the environments.

    #: The autoreset modes to choose from, default first.
    modes = MODES
    #: Whether `on_illegal` is an option.
    chooses = True
    #: Whether results are copies that the caller may modify.
    copied = False
    defaults = {}

    def __init__(self, env, mode):
        self.env, self.mode = env, mode

    @classmethod
    def make(cls, name, num_envs=5, mode=None, **options):
        mode = mode or cls.modes[0]
        game, options = small(name, **{**cls.defaults, **options})
        return cls(cls.create(game, num_envs, mode, options), mode)

    @staticmethod
    def create(game, num_envs, mode, options):
        return GAMES[game][0](num_envs, autoreset_mode=mode, **options)

    def like(self, env):
        copied = copy.copy(self)
        copied.env = env
        return copied

    @property
    def batch(self):
        return self.env

    @property
    def num_envs(self):
        return self.batch.num_envs

    def reset(self, seed=None):
        return self.env.reset(seed)

    def restart(self, ended):
        self.env.reset_some(ended)

    def step(self, actions):
        # Step; return observations, rewards, terminated, truncated and action masks.
        return self.env.step(actions)

    def sample(self):
        return self.env.sample().copy()

    def seen(self):
        return self.env.obs, self.env.action_mask

    def frames(self):
        return [self.env.render(place) for place in range(self.num_envs)]

    def notes(self):
        return None

    def get_state(self, place):
        return self.env.get_state(place)

    def set_state(self, place, state):
        self.env.set_state(place, state)

    def play(self, steps):
        # Play random actions, and restart ended games if there is no autoreset; return what was seen.
        history = []
        for _ in range(steps):
            result = self.step(self.sample())
            history.append((snapshot(result), self.frames(), str(self.notes())))
            ended = result[2] | result[3]
            if self.mode == "Disabled" and ended.any():
                self.restart(ended)
            history.append(snapshot(self.seen()))
        return history


def boards(obs):
    return obs["observations"] if isinstance(obs, dict) else obs


class Vector(Player):
    modes = ("NextStep", "SameStep", "Disabled")
    copied = True
    defaults = {"render_mode": "ansi"}

    @staticmethod
    def create(game, num_envs, mode, options):
        return BitcadeVectorEnv(game, num_envs, autoreset_mode=AutoresetMode(mode), **options)

    @property
    def batch(self):
        return self.env.batch

    def reset(self, seed=None, **options):
        obs, info = self.env.reset(seed=seed, **options)
        return boards(obs), info["action_mask"]

    def restart(self, ended):
        self.env.reset(options={"reset_mask": ended})

    def step(self, actions):
        obs, *result, info = self.env.step(actions)
        return boards(obs), *result, info["action_mask"]

    def sample(self):
        return np.atleast_1d(self.env.sample()).copy()

    def seen(self):
        return self.batch.obs, np.atleast_2d(self.env.action_masks())

    def frames(self):
        return list(self.env.render())

    def notes(self):
        return self.env.np_random_seed, self.env.np_random.bit_generator.state

    def set_state(self, place, state):
        obs, info = self.env.set_state(*self.places(place), state)
        assert snapshot((boards(obs), info["action_mask"])) == snapshot(self.seen())

    def get_state(self, place):
        return self.env.get_state(*self.places(place))

    def places(self, place):
        return (place,)


class Single(Vector):
    modes = ("Disabled",)

    @staticmethod
    def create(game, num_envs, mode, options):
        return BitcadeEnv(game, **options)

    def reset(self, seed=None, **options):
        obs, mask = super().reset(seed, **options)
        return obs[None], mask[None]

    def restart(self, ended):
        self.env.reset()

    def step(self, actions):
        obs, reward, *ends, mask = super().step(actions[0])
        assert isinstance(reward, float) and all(isinstance(end, bool) for end in ends)
        return obs[None], np.array([reward], np.float32), *(np.array([end]) for end in ends), mask[None]

    def frames(self):
        return [self.env.render()]

    def places(self, place):
        return ()


class PettingZoo(Single):
    # The PettingZoo environment of Go, from the perspective of the agent to move.

    chooses = False

    @classmethod
    def create(cls, game, num_envs, mode, options):
        env = pettingzoo.raw_env(**options)
        env.reset()
        return env

    def reset(self, seed=None):
        self.env.reset(seed=seed)
        return self.seen()

    def step(self, actions):
        mover = self.env.agent_selection
        self.env.step(actions[0])
        found = (values[mover] for values in (self.env.rewards, self.env.terminations, self.env.truncations))
        reward, terminated, truncated = (np.array([value]) for value in found)
        obs, mask = self.seen()
        return obs, reward.astype(np.float32), terminated, truncated, mask

    def sample(self):
        return self.batch.sample().copy()

    def set_state(self, place, state):
        self.env.set_state(state)

    def seen(self):
        view = self.env.observe(self.env.possible_agents[int(self.batch.to_move()[0])])
        return view["observation"][None], view["action_mask"][None].astype(bool)

    def notes(self):
        env = self.env
        shown = (env.agents, env.rewards, env.terminations, env.truncations, env._cumulative_rewards)
        return env.agent_selection, env.infos, *shown


#: The kinds of environments, each with its games.
KINDS = {
    **{kind: list(GAMES) for kind in (Player, Vector, Single)},
    PettingZoo: ["go"],
}


def each(*kinds):
    pairs = [pytest.param(kind, game, id=f"{kind.__name__}-{game}") for kind in kinds or KINDS for game in KINDS[kind]]
    return pytest.mark.parametrize(("kind", "game"), pairs)

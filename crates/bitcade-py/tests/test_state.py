"""Observations, masks and frames are those of the present games, after a call that raised, too; copies."""

from __future__ import annotations

import copy
import os
import pickle
import random
import signal
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bitcade
import numpy as np
import pytest
from conftest import GAMES, arrays, make, snapshot

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")

from bitcade.vector import BitcadeEnv, BitcadeVectorEnv  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from test_pufferlib import binding  # noqa: E402, F401
from test_pufferlib import make as make_puffer  # noqa: E402

SEQUENCES = int(os.environ.get("BITCADE_SEQUENCES", "200"))
"""The number of random sequences of calls: 1,000 take some ten seconds."""


needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer's signal on this system")


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raise `KeyboardInterrupt` in the block after some time, as Control-C does."""
    armed = True

    def stop(*_: object) -> None:
        if armed:
            raise KeyboardInterrupt

    if not hasattr(signal, "setitimer"):
        # Windows: the other calls are tested there, too.
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def options_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return game and options of a small environment."""
    return name.split()[0], dict(GAMES[name][1])


def vector_env(name: str, num_envs: int = 5, **options: Any) -> BitcadeVectorEnv:
    """Create a small vector environment."""
    game, small = options_of(name)
    return BitcadeVectorEnv(game, num_envs, **{**small, **options})


def single_env(name: str, **options: Any) -> BitcadeEnv:
    """Create a small environment of one game."""
    game, small = options_of(name)
    return BitcadeEnv(game, **{**small, **options})


def check_batch(batch, fresh, places: list[int] | None = None) -> None:
    """Compare a batch's own arrays and boards with games set into another batch, `fresh`, one by one."""
    for game in range(batch.num_envs) if places is None else places:
        fresh.set_state(0, batch.get_state(game))
        assert (batch.obs[game] == fresh.obs[0]).all() and (batch.mask[game] == fresh.mask[0]).all()
        assert batch.render(game) == fresh.render(0) and batch.steps[game] == fresh.steps[0]


def test_steps_into_other_arrays(game: str) -> None:
    games, fresh = make(game, 5, seed=1), make(game, 1)
    for _ in range(12):
        out = games.step(games.sample(), arrays(games))
        assert (games.obs == out[0]).all() and (games.mask == out[4]).all()
        check_batch(games, fresh)
        out = games.random_step(arrays(games))
        assert (games.mask == out[4]).all() and (games.obs == out[0]).all()


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_batch_of_a_vector_environment(game: str, mode: AutoresetMode, copy: bool) -> None:
    envs = vector_env(game, autoreset_mode=mode, copy=copy, render_mode="ansi")
    fresh, one = make(game, 1), single_env(game, render_mode="ansi")
    envs.reset(seed=3)
    for _ in range(25):
        obs, _, terminated, truncated, info = envs.step(envs.sample())
        assert (envs.batch.obs == obs).all() and (envs.batch.mask == info["action_mask"]).all()
        check_batch(envs.batch, fresh)
        for i, frame in enumerate(envs.render()):
            one.set_state(envs.get_state(i))
            assert frame == one.render()
        if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
            envs.reset(options={"reset_mask": terminated | truncated})
            check_batch(envs.batch, fresh)


def test_arrays_that_the_caller_changes(game: str) -> None:
    """An agent may write into what it got, such as a mask without the pass; the frames stay the games'."""
    envs = vector_env(game, render_mode="ansi")
    for call in (lambda: envs.reset(seed=1), lambda: envs.step(envs.sample())):
        result = call()
        frames, masks = envs.render(), envs.action_masks()
        result[0][:] = 0
        result[-1]["action_mask"][:] = False
        assert envs.render() == frames and (envs.action_masks() == masks).all() and masks.any()


def test_calls_on_the_batch_itself(game: str) -> None:
    """The batch of an environment may be stepped and reset on its own."""
    envs = vector_env(game, render_mode="ansi")
    envs.reset(seed=1)
    envs.step(envs.sample())
    envs.batch.random_step()
    assert (envs.action_masks() == envs.batch.mask).all()
    frames = envs.render()
    envs.batch.reset(5)
    assert envs.render() != frames


def interrupting_times(call: Callable[[], object]) -> list[float]:
    """Return times at which to interrupt a call, in seconds: from its beginning to its end."""
    start = time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    return [seconds * (i + 0.5) / 15 for i in range(15)]


@needs_timer
def test_a_reset_that_is_interrupted(game: str) -> None:
    n = 20_000 if game == "2048" else 3000
    games, fresh = make(game, n, seed=1), make(game, 1)
    stopped = 0
    for seed, seconds in enumerate(interrupting_times(lambda: games.reset(7))):
        games.random_step()
        try:
            with interrupted(seconds):
                games.reset(seed)
        except KeyboardInterrupt:
            stopped += 1
            new = games.steps == 0
            check_batch(games, fresh, [0, n // 2, n - 1, int(new.argmin()), int(new.argmax())])
            again = copy.copy(games)
            assert snapshot((games.obs, games.mask)) == snapshot((again.obs, again.mask))
    assert stopped


@needs_timer
def test_an_interrupted_first_reset_does_not_count_as_untouched() -> None:
    """Else the next reset would hand out games of two seeds."""
    envs = vector_env("2048", 20_000, seed=1)
    first = envs.batch.obs.copy()
    mixed = 0
    for seconds in interrupting_times(lambda: copy.copy(envs).reset(seed=2)):
        one = copy.copy(envs)
        try:
            with interrupted(seconds):
                one.reset(seed=2)
        except KeyboardInterrupt:
            before = one.batch.obs.copy()
            if not (before == first).all():
                mixed += 1
                assert not (one.reset()[0] == before).all()
    assert mixed


def test_a_state_that_is_set_while_the_arrays_are_read_only(game: str) -> None:
    games, fresh = make(game, 2, seed=1), make(game, 1)
    games.random_step()
    state, own = games.get_state(0), games.obs
    own.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        games.set_state(1, state)
    with pytest.raises(ValueError, match="read-only"):
        games.obs  # noqa: B018
    own.flags.writeable = True
    check_batch(games, fresh)
    for call in (games.random_step, lambda: games.reset(5), games.reset):
        own.flags.writeable = False
        before = games.steps.tolist(), games.render(0), games.render(1)
        with pytest.raises(ValueError, match="read-only"):
            call()
        assert (games.steps.tolist(), games.render(0), games.render(1)) == before
        own.flags.writeable = True
        check_batch(games, fresh)


def test_actions_that_pufferlib_cannot_cast(binding, game: str) -> None:  # noqa: F811
    env = make_puffer(binding, game, 3, seed=1, on_illegal="raise")
    good = env.sample().copy()
    env.step(good)
    before = env.batch.obs.tobytes(), env.actions.tolist()
    for bad in (good.astype(float), good.astype(np.int64) + 2**32):
        with pytest.raises((TypeError, ValueError)):
            env.step(bad)
        assert (env.batch.obs.tobytes(), env.actions.tolist()) == before


def test_a_batch_that_was_played_before_the_first_reset(game: str) -> None:
    for envs in (vector_env(game, seed=1), single_env(game, seed=1)):
        untouched = copy.copy(envs).reset()[0]
        assert (
            untouched == (envs.batch.obs if isinstance(envs, BitcadeVectorEnv) else envs.batch.obs[0])
        ).all()
        envs.batch.random_step()
        envs.reset()
        assert not envs.batch.steps.any()


def test_masks_of_pufferlib_before_the_first_reset(binding, game: str) -> None:  # noqa: F811
    env = make_puffer(binding, game, seed=3)
    assert (env.action_masks == env.batch.mask).all() and (env.observations == env.batch.obs).all()


@needs_timer
def test_an_interrupted_reset_of_pufferlib(binding) -> None:  # noqa: F811
    env = make_puffer(binding, "2048", 20_000, seed=1)
    stopped = 0
    for seed, seconds in enumerate(interrupting_times(lambda: env.reset(7))):
        env.step(env.sample())
        try:
            with interrupted(seconds):
                env.reset(seed)
        except KeyboardInterrupt:
            stopped += 1
        assert (env.observations == env.batch.obs).all() and (env.action_masks == env.batch.mask).all()
    assert stopped


def copies(value: Any) -> list[Any]:
    """Return copies of an object by all usual means."""
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    return [copy.copy(value), copy.deepcopy(value), *pickled]


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_copies_of_batches_play_on(game: str, mode: str) -> None:
    games = make(game, 35, seed=4, autoreset=mode, on_illegal="noop", num_threads=2)
    for played in range(3):
        for _ in range(17):
            ended = games.random_step()
            if mode == "disabled":
                games.reset_some(ended[2] | ended[3])
        copied = copies(games)
        state = [(one.obs.tobytes(), one.mask.tobytes(), one.steps.tolist()) for one in [games, *copied]]
        assert state.count(state[0]) == len(state)
        for one in copied:
            assert (one.num_envs, one.num_threads, one.autoreset) == (35, 2, mode)
            assert one.obs is not games.obs
        if mode == "same_step":
            has_ended = [i for i in range(35) if ended[2][i] or ended[3][i]]
            for one in copied:
                assert (one.final_obs(has_ended) == games.final_obs(has_ended)).all()
        originals = [games, *copied]
        for _ in range(12):
            results = [snapshot(one.step(one.sample())) for one in originals]
            assert results.count(results[0]) == len(results)
            if mode == "disabled":
                for one in originals:
                    one.reset_some(~one.mask.any(axis=1))
        resets = [snapshot(one.reset()) for one in originals] if played else []
        assert resets.count(resets[0] if resets else None) == len(resets)


@pytest.mark.parametrize("one_hot", [True, False])
@pytest.mark.parametrize("name", ["2048", "match3"])
def test_copies_keep_starts_and_planes(name: str, one_hot: bool) -> None:
    starts = make(name, 5, seed=2).obs
    starts = starts[:, 0] if name == "match3" else starts
    games = make(name, 9, seed=1, starts=starts.copy(), one_hot=one_hot, max_steps=5)
    games.random_step()
    for one in copies(games):
        twin = copy.copy(games)
        for _ in range(12):
            assert snapshot(one.random_step()) == snapshot(twin.random_step())


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", ["forbidden", "multi", "all"])
def test_copies_of_go_know_what_ko_forbids(ko: str, suicide: str) -> None:
    games = bitcade.Go(8, size=5, ko=ko, suicide=suicide, max_steps=400, seed=1)
    forbidden = 0
    for _ in range(30):
        for _ in range(7):
            forbidden += int(games.random_step()[0][:, 2].sum())
        again = pickle.loads(pickle.dumps(games))
        assert snapshot((again.obs, again.mask)) == snapshot((games.obs, games.mask))
        assert [again.render(i) for i in range(8)] == [games.render(i) for i in range(8)]
        twin = copy.copy(games)
        for _ in range(9):
            assert snapshot(again.random_step()) == snapshot(twin.random_step())
    assert forbidden


def test_copies_of_states(game: str) -> None:
    games, other = make(game, 3, seed=1), make(game, 3, seed=2)
    for _ in range(6):
        games.random_step()
    for state in copies(games.get_state(1)):
        other.set_state(0, state)
        assert (other.obs[0] == games.obs[1]).all() and (other.mask[0] == games.mask[1]).all()
        twin = copy.copy(games)
        twin.set_state(0, games.get_state(1))
        assert (twin.random_step()[0][0] == other.random_step()[0][0]).all()
    with pytest.raises((TypeError, ValueError)):
        make("go" if game != "go" else "2048", 1).set_state(0, pickle.loads(pickle.dumps(games.get_state(0))))


def test_spoiled_pickles_are_refused(game: str) -> None:
    """Every text is an error or a batch that plays, never a panic."""
    games = make(game, 2, seed=1)
    for _ in range(9):
        games.random_step()
    cls = type(games)
    rng = random.Random(1)
    for read, (_, (text,)) in (
        (cls._read, games.__reduce__()),
        (cls._read_state, games.get_state(0).__reduce__()),
    ):
        for _ in range(300):
            at, digit = rng.randrange(len(text)), rng.choice('0123456789,"{}[]-.XO')
            spoiled = text[:at] + digit + text[at + rng.choice([0, 1, 1, 5]) :]
            try:
                value = read(spoiled)
            except ValueError as error:
                assert str(error)
                continue
            if isinstance(value, cls):
                for _ in range(3):
                    value.reset_some(~value.mask.any(axis=1))
                    value.random_step()
            else:
                twin = make(game, 1)
                try:
                    twin.set_state(0, value)
                except ValueError:
                    continue
                twin.reset_some(~twin.mask.any(axis=1))
                twin.random_step()


def play(env: Any, steps: int) -> list[tuple]:
    """Play an environment of Gymnasium by its own random stream and return what happened."""
    history = []
    for _ in range(steps):
        obs, reward, terminated, truncated, info = env.step(env.unwrapped.sample())
        history.append((obs.tobytes(), np.asarray(reward).tobytes(), info["action_mask"].tobytes()))
        history.append((np.asarray(terminated).tobytes(), np.asarray(truncated).tobytes()))
        history.append(
            (env.unwrapped.render(), float(env.unwrapped.np_random.bit_generator.state["state"]["state"]))
        )
        if np.ndim(terminated) == 0 and (terminated or truncated):
            history.append(env.reset()[0].tobytes())
    return history


@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_of_environments_play_on(game: str, wrapped: bool) -> None:
    name, small = options_of(game)
    ids = {"2048": "2048-3x3", "match3": "Match3-8x8-6c", "tetris": "Tetris", "go": "Go-5x5"}
    if wrapped:
        env_id = f"bitcade/{ids[name]}-v0"
        env: Any = gymnasium.make(env_id, max_episode_steps=30, render_mode="ansi", **small)
        envs: Any = gymnasium.make_vec(env_id, num_envs=4, render_mode="ansi", **small)
        env = gymnasium.wrappers.RecordEpisodeStatistics(env)
        envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    else:
        env, envs = single_env(game, render_mode="ansi"), vector_env(game, render_mode="ansi")
    for one in (env, envs):
        # A shallow copy of a wrapper has the same environment inside.
        copied = copies(one)[1 if wrapped else 0 :]
        firsts = [each.reset()[0].tobytes() for each in [one, *copied]]
        assert firsts.count(firsts[0]) == len(firsts), "copies of untouched environments"
        one.reset(seed=5)
        play(one, 13)
        copied = copies(one)[1 if wrapped else 0 :]
        histories = [play(each, 25) for each in [one, *copied]]
        assert histories.count(histories[0]) == len(histories)
        again = [each.reset(seed=5)[0].tobytes() for each in [one, *copied]]
        assert again.count(again[0]) == len(again)


def test_copies_of_pufferlibs_environments_play_on(binding, game: str) -> None:  # noqa: F811
    env = make_puffer(binding, game, seed=3, report_interval=7)
    env.reset(3)
    for _ in range(11):
        env.step(env.sample())

    copied = [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(30):
        results = [each.step(each.sample()) for each in [env, *copied]]
        assert all(snapshot(result[:4]) == snapshot(results[0][:4]) for result in results)
        assert all(result[4] == results[0][4] for result in results)


def test_weak_references(game: str) -> None:
    games = make(game, 1)
    for value in (games, games.get_state(0), bitcade.g2048.Learner()):
        reference = weakref.ref(value)
        assert reference() is value
        del value
    del games
    assert weakref.WeakValueDictionary({1: (kept := make(game, 1))})[1] is kept


class Raising:
    """An argument whose conversion raises, as a callback of the caller's may."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise RuntimeError("not today")

    __index__ = __len__ = __iter__ = __array__


BAD_SEEDS = [-1, -(2**80), 1.5, "1", [], [1, -1], Raising()]
BAD_STATES = [None, 1, Raising()]


class Sequence:
    """A random sequence of calls on one kind of environment, many of which raise."""

    #: The longest time until an interrupt, in seconds.
    longest = 0.0004

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.name = rng.choice(list(GAMES))

    def calls(self) -> list[Callable[[], object]]:
        """Return the calls to choose from."""
        raise NotImplementedError

    def check(self) -> None:
        """Check that all that is seen belongs to the same games."""
        raise NotImplementedError

    def seed(self) -> Any:
        """Return a seed that is taken."""
        return self.rng.choice([1, 2**64 - 1, 2**100, self.rng.getrandbits(64)])

    def bad_actions(self, good: np.ndarray) -> Any:
        """Return actions that are refused, most of them for one game alone."""
        rng, bad = self.rng, good.astype(np.int64)
        if len(bad):
            bad[rng.randrange(len(bad))] = rng.choice([-1, 10**6, 2**62, 0, 1, 2, 3])
        return rng.choice(
            [bad, bad, bad, bad.tolist(), bad[:-1], bad.astype(float), bad[None], None, Raising()]
        )

    def run(self, calls: int) -> tuple[int, int]:
        """Make the calls. Return how many raised an error and how many were interrupted."""
        errors = interrupts = 0
        for _ in range(calls):
            call = self.rng.choice(self.calls())
            seconds = self.longest * self.rng.random() ** 3 + 1e-6 if self.rng.random() < 0.4 else 0
            try:
                with interrupted(seconds):
                    call()
            except KeyboardInterrupt:
                interrupts += 1
            except Exception:
                errors += 1
            self.check()
        return errors, interrupts


class RawSequence(Sequence):
    """The raw classes."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        n = rng.choice([0, 1, 3, 35, 35, 2100])
        if n > 2048:
            self.longest = 0.006
        options = {"one_hot": rng.random() < 0.5} if self.name in ("2048", "match3") else {}
        self.games = make(
            self.name,
            n,
            seed=self.seed(),
            autoreset=rng.choice(["same_step", "next_step", "disabled"]),
            on_illegal=rng.choice(["raise", "noop", "terminate"]),
            num_threads=rng.choice([1, 1, 2]),
            **options,
        )
        self.fresh = make(self.name, 1, **options)
        self.last: tuple[np.ndarray, ...] = ()

    def out(self) -> tuple | None:
        """Return arrays for a step, good ones and bad ones."""
        good = arrays(self.games)
        at = self.rng.randrange(5)
        bad = list(good)
        bad[at] = self.rng.choice(
            [good[at][:-1], good[at].astype(np.int64), good[at][..., None], None, Raising()]
        )
        read_only = list(arrays(self.games))
        read_only[at].flags.writeable = False
        shared = (*good[:3], good[2], good[4])
        own = (self.games.obs, *good[1:4], self.games.mask)
        half = (self.games.obs, *good[1:])
        return self.rng.choice(
            [None, good, good, good, tuple(bad), tuple(read_only), shared, own, half, good[:4]]
        )

    def step(self) -> None:
        self.last = self.games.step(self.games.sample(), self.out())

    def calls(self) -> list[Callable[[], object]]:
        rng, games = self.rng, self.games
        n = games.num_envs
        which = np.array([rng.random() < 0.5 for _ in range(n)], bool)
        place = rng.randrange(n) if n else 0
        return [
            self.step,
            self.step,
            lambda: games.random_step(self.out()),
            lambda: games.step(self.bad_actions(games.sample()), self.out()),
            lambda: games.reset(self.seed()),
            lambda: games.reset(rng.choice([*BAD_SEEDS, [1] * (n + 1), [1] * n])),
            lambda: games.reset(),
            lambda: games.reset_some(which),
            lambda: games.reset_some(rng.choice([which[:-1], which.astype(int), None, Raising()])),
            lambda: games.reset_some(~games.mask.any(axis=1)),
            lambda: games.set_state(place, games.get_state(rng.randrange(n))),
            lambda: games.set_state(rng.choice([-1, n, place]), rng.choice(BAD_STATES)),
            lambda: games.set_state(place, make("go", 1, komi=0.5).get_state(0)),
            lambda: games.render(rng.choice([-1, place, n])),
            lambda: games.final_obs(rng.choice([[place], [n], [-1], Raising()])),
            lambda: setattr(self, "games", rng.choice(copies(games))),
        ]

    def check(self) -> None:
        n = self.games.num_envs
        check_batch(self.games, self.fresh, self.rng.sample(range(n), min(n, 4)))
        again = copy.copy(self.games)
        assert snapshot((self.games.obs, self.games.mask)) == snapshot((again.obs, again.mask))


class VectorSequence(Sequence):
    """Gymnasium's vector environments."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.envs = vector_env(
            self.name,
            rng.choice([1, 2, 6]),
            autoreset_mode=rng.choice(list(AutoresetMode)),
            dict_observation=rng.random() < 0.3,
            copy=rng.random() < 0.7,
            on_illegal=rng.choice(["raise", "noop", "terminate"]),
            render_mode="ansi",
        )
        self.fresh, self.one = make(self.name, 1), single_env(self.name, render_mode="ansi")

    def spoil(self) -> None:
        """Write into what the caller got."""
        obs, *_, info = self.envs.step(self.envs.sample())
        if self.envs.copy:
            (obs["observations"] if isinstance(obs, dict) else obs)[:] = 0
            info["action_mask"][:] = False

    def calls(self) -> list[Callable[[], object]]:
        rng, envs = self.rng, self.envs
        n = envs.num_envs
        which = np.array([rng.random() < 0.5 for _ in range(n)], bool)
        bad_mask = rng.choice([which[:-1], which.astype(int), which.tolist(), which & False])
        return [
            lambda: envs.step(envs.sample()),
            lambda: envs.step(envs.sample()),
            self.spoil,
            lambda: envs.step(self.bad_actions(envs.sample())),
            lambda: envs.reset(seed=self.seed()),
            lambda: envs.reset(seed=rng.choice([*BAD_SEEDS, [1] * (n + 1), [None] * n])),
            lambda: envs.reset(),
            lambda: envs.reset(options={"reset_mask": which}),
            lambda: envs.reset(options={"reset_mask": ~envs.action_masks().any(axis=1)}),
            lambda: envs.reset(seed=self.seed(), options={"reset_mask": which}),
            lambda: envs.reset(seed=self.seed(), options={"reset_mask": bad_mask}),
            lambda: envs.reset(options={"nonsense": 1}),
            lambda: envs.set_state(rng.choice([0, n]), envs.get_state(n - 1)),
            lambda: envs.set_state(0, rng.choice(BAD_STATES)),
            lambda: envs.batch.step(envs.sample(), arrays(envs.batch)),
            lambda: envs.batch.random_step(),
            lambda: setattr(self, "envs", rng.choice(copies(envs))),
        ]

    def check(self) -> None:
        envs = self.envs
        check_batch(envs.batch, self.fresh)
        if self.rng.random() < 0.1:
            again = copy.copy(envs)
            again.reset()
            assert not again.batch.steps.any(), "a reset starts every game"
        assert (envs.action_masks() == envs.batch.mask).all()
        for i, frame in enumerate(envs.render()):
            self.one.set_state(envs.get_state(i))
            assert frame == self.one.render()


class SingleSequence(Sequence):
    """Gymnasium's environments of one game."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.env = single_env(self.name, render_mode="ansi", on_illegal=rng.choice(["raise", "noop"]))
        self.fresh, self.one = make(self.name, 1), single_env(self.name, render_mode="ansi")

    def calls(self) -> list[Callable[[], object]]:
        rng, env = self.rng, self.env
        return [
            lambda: env.step(env.sample()),
            lambda: env.step(env.sample()),
            lambda: env.step(rng.choice([-1, 10**6, 0, 1, 2, None, 1.5, [1], Raising()])),
            lambda: env.reset(seed=self.seed()),
            lambda: env.reset(seed=rng.choice(BAD_SEEDS)),
            lambda: env.reset(),
            lambda: env.reset(options={"nonsense": 1}),
            lambda: env.set_state(rng.choice([*BAD_STATES, env.get_state(), self.one.get_state()])),
            lambda: setattr(self, "env", rng.choice(copies(env))),
        ]

    def check(self) -> None:
        check_batch(self.env.batch, self.fresh)
        if self.rng.random() < 0.1:
            again = copy.copy(self.env)
            again.reset()
            assert again.batch.steps[0] == 0
        self.one.set_state(self.env.get_state())
        assert (self.env.action_masks() == self.one.action_masks()).all()
        assert self.env.render() == self.one.render()


class PettingZooSequence(Sequence):
    """PettingZoo's game of Go."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.name = "go"
        pettingzoo = pytest.importorskip("bitcade.pettingzoo")
        limit = rng.choice([1, 2, 7, 40])
        self.env, self.one = (
            pettingzoo.raw_env(size=5, max_steps=limit, render_mode="ansi") for _ in range(2)
        )
        self.env.reset(seed=self.seed())
        self.fresh = bitcade.Go(1, size=5)

    def step(self) -> None:
        env = self.env
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            return env.reset()
        return env.step(self.rng.choice([int(env.batch.sample()[0]), 25]))

    def calls(self) -> list[Callable[[], object]]:
        rng, env = self.rng, self.env
        return [
            self.step,
            self.step,
            self.step,
            # `None` is the step of an agent that is out.
            lambda: env.step(rng.choice([-1, 26, 0, 1, 2, 1.5, "1", Raising()])),
            lambda: env.reset(seed=self.seed()),
            lambda: env.reset(seed=rng.choice(BAD_SEEDS)),
            lambda: env.set_state(rng.choice([*BAD_STATES, env.get_state(), self.one.get_state()])),
            lambda: setattr(self, "env", rng.choice(copies(env))),
        ]

    def check(self) -> None:
        env, fresh = self.env, self.fresh
        check_batch(env.batch, fresh)
        self.one.set_state(env.get_state())
        assert env.render() == self.one.render()
        for name in ("agent_selection", "rewards", "terminations", "truncations", "_cumulative_rewards"):
            assert getattr(env, name) == getattr(self.one, name), name
        mover = env.possible_agents[int(fresh.to_move()[0])]
        assert env.agent_selection == mover and env.agents == env.possible_agents
        assert (env.observe(mover)["observation"] == fresh.obs[0]).all()
        assert (env.observe(mover)["action_mask"] == fresh.mask[0]).all()


class PufferSequence(Sequence):
    """PufferLib's environments."""

    def __init__(self, rng: random.Random, binding: Any) -> None:
        super().__init__(rng)
        mode = rng.choice(["raise", "noop", "terminate"])
        self.env = make_puffer(binding, self.name, rng.choice([1, 6]), on_illegal=mode, render_mode="ansi")
        self.fresh = make(self.name, 1)

    def calls(self) -> list[Callable[[], object]]:
        rng, env = self.rng, self.env
        return [
            lambda: env.step(env.sample()),
            lambda: env.step(env.sample()),
            lambda: env.step(self.bad_actions(env.sample())),
            lambda: env.reset(self.seed()),
            lambda: env.reset(rng.choice(BAD_SEEDS)),
            lambda: env.reset(),
            lambda: env.set_state(rng.choice([0, -1]), env.get_state(env.num_agents - 1)),
            lambda: env.set_state(0, rng.choice([*BAD_STATES, self.fresh.get_state(0)])),
            lambda: setattr(self, "env", rng.choice(copies(env))),
        ]

    def check(self) -> None:
        check_batch(self.env.batch, self.fresh)
        batch = self.env.batch
        assert (self.env.observations == batch.obs).all() and (self.env.action_masks == batch.mask).all()


# Where an error's message is being written, Control-C is lost.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_seen_is_the_game_after_any_call(binding) -> None:  # noqa: F811
    kinds: list[Callable[[random.Random], Sequence]] = [
        RawSequence,
        VectorSequence,
        SingleSequence,
        PettingZooSequence,
        lambda rng: PufferSequence(rng, binding),
    ]
    errors = interrupts = 0
    for number in range(SEQUENCES):
        sequence = kinds[number % len(kinds)](random.Random(number))
        try:
            counts = sequence.run(20)
        except AssertionError as error:
            raise AssertionError(f"sequence {number}, {type(sequence).__name__}, {sequence.name}") from error
        errors, interrupts = errors + counts[0], interrupts + counts[1]
    print(f"{SEQUENCES} sequences of 20 calls: {errors} errors, {interrupts} interrupts")
    assert errors > SEQUENCES
    assert interrupts > SEQUENCES // 3 or not hasattr(signal, "setitimer")

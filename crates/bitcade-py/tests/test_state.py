"""The visible arrays match the games, even after a call that raised or was interrupted."""

from __future__ import annotations

import copy
import os
import random
import signal
import weakref
from collections.abc import Callable
from typing import Any

import bitcade
import numpy as np
import pytest
from conftest import ONE_HOT, arrays, check_batch, copies, interrupted, make, refused, snapshot
from games import SMALL
from players import KINDS, PettingZoo, Player, Vector

SEQUENCES = int(os.environ.get("BITCADE_SEQUENCES", "200"))
"""The number of random call sequences: 1,000 take about ten seconds."""


def test_a_state_that_is_set_while_the_arrays_are_read_only(game):
    """The batch's own arrays belong to Python: a caller may make them read-only."""
    games, fresh = make(game, 2, seed=1), make(game, 1)
    games.random_step()
    state, own = games.get_state(0), games.obs
    own.flags.writeable = False
    assert "read-only" in refused(games.set_state, 1, state)
    assert "read-only" in refused(lambda: games.obs)
    own.flags.writeable = True
    check_batch(games, fresh)
    for call in (games.random_step, lambda: games.step(games.sample()), lambda: games.reset(5), games.reset):
        own.flags.writeable = False
        before = games.steps.tolist(), games.render(0), games.render(1)
        assert "read-only" in refused(call)
        assert (games.steps.tolist(), games.render(0), games.render(1)) == before
        own.flags.writeable = True
        check_batch(games, fresh)
    games.random_step()


def test_spoiled_pickles_are_refused(game):
    """Any text yields an error or a batch that plays, never a panic."""
    games = make(game, 2, seed=1)
    for _ in range(9):
        games.random_step()
    cls = type(games)
    rng = random.Random(1)
    state = bytes(games.get_state(0)).decode()
    for read, text in (
        (cls._read, games.__reduce__()[1][0]),
        (lambda spoiled: cls.state_from_bytes(spoiled.encode()), state),
    ):
        for _ in range(300):
            at, digit = rng.randrange(len(text)), rng.choice('0123456789,"{}[]-.XO')
            spoiled = text[:at] + digit + text[at + rng.choice([0, 1, 1, 5]) :]
            try:
                value = read(spoiled)
                if not isinstance(value, cls):
                    state, value = value, make(game, 1)
                    value.set_state(0, state)
            except ValueError as error:
                assert str(error)
                continue
            for _ in range(3):
                value.reset_some(~value.action_mask.any(axis=1))
                value.random_step()


def test_weak_references(game):
    games = make(game, 1)
    for value in (games, games.get_state(0), bitcade.g2048.Learner()):
        assert weakref.ref(value)() is value
    assert weakref.WeakValueDictionary({1: games})[1] is games


def test_states_are_values(game):
    games, other = make(game, 40, seed=1), make(game, 3, seed=1)
    states = games.get_states(range(40))
    assert states == [games.get_state(place) for place in range(40)] and len(set(states)) == 40
    assert states[:3] == other.get_states(np.arange(3)), "a state doesn't depend on its batch"
    for state in states[:3]:
        again = type(games).state_from_bytes(bytearray(bytes(state)))
        assert again == state == copies(state)[-1] and hash(again) == hash(state) and again.steps == 0
        assert repr(state).startswith(f"<State of {type(games).__module__}: a board of ")
    games.random_step()
    for before, now in zip(states, games.get_states(range(40)), strict=True):
        assert now != before and not now == before and now != bytes(now)
        assert now.steps == games.steps[0] or now.steps == 0
    assert games.get_states([]) == [] and set(states) == set(copies(states)[-1])
    foreign = make("go" if game.startswith("2048") else "2048", 1).get_state(0)
    assert foreign not in states


def test_a_board_can_be_a_start(game):
    games = make(game, 8, seed=1, autoreset_mode="Disabled")
    for _ in range(3):
        games.random_step()
        games.reset_some(~games.action_mask.any(axis=1))
    for place in range(8):
        board = games.board(place)
        assert board.dtype == np.uint8 and (board == games.get_state(place).board).all()
        again = make(game, 1, starts=board[None])
        assert (again.board(0) == board).all() and again.render(0) == games.render(place)


def test_many_states(game):
    """Setting or copying some games leaves the others alone, and updates the arrays of all; an error changes nothing."""
    rng = random.Random(1)
    games, saved, fresh = make(game, 150, seed=1), make(game, 70, seed=2), make(game, 1)
    for _ in range(4):
        games.random_step()
        expected, others = games.get_states(range(150)), saved.get_states(range(70))
        places = rng.sample(range(150), 70)
        games.set_states(np.array(places), others)
        # All sources are read before any target changes.
        sources = rng.sample(range(150), 20)
        games.copy_games(sources, sources[::-1])
        for place, state in zip(places, others, strict=True):
            expected[place] = state
        copied = [expected[source] for source in sources]
        for place, state in zip(sources[::-1], copied, strict=True):
            expected[place] = state
        assert games.get_states(range(150)) == expected
        check_batch(games, fresh)
        saved.random_step(arrays(saved))
        saved.copy_games([3], [4])
        check_batch(saved, fresh)
    ours, foreign = games.get_state(0), make("go" if game.startswith("2048") else "2048", 1).get_state(0)
    other = SMALL[game][0](1, **SMALL[game][3]).get_state(0)
    for call, arguments, message in (
        (games.set_states, ([1, 2], [ours]), "expected one state per game, found 1 for 2 games"),
        *((games.set_states, ([1, place], [ours] * 2), f"game {place}: expected one of") for place in (150, -1)),
        (games.set_states, ([1, 2], [ours, foreign]), "the state of a different game"),
        (games.set_states, ([1, 2], [ours, other]), "other rules"),
        (games.set_states, ([1, 2], [ours, None]), "State"),
        (games.set_states, ([1.5], [ours]), "float"),
        (games.set_states, (1, [ours]), "int"),
        (games.copy_games, ([0], [1, 2]), "expected one target per source, found 2 for 1"),
        (games.copy_games, ([0, 150], [1, 2]), "game 150: expected one of"),
        (games.get_states, ([150],), "game 150: expected one of"),
    ):
        assert message in refused(call, *arguments), message
    assert games.get_states(range(150)) == expected
    check_batch(games, fresh)


class Raising:
    """An argument whose conversion raises, like a callback of the caller might."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise RuntimeError("not today")

    __index__ = __len__ = __iter__ = __array__


BAD_SEEDS = [-1, -(2**80), 1.5, "1", [], [1, -1], Raising()]
BAD_STATES = [None, 1, Raising()]


class Sequence:
    """A random sequence of calls, many of which raise, on one kind of environment."""

    def __init__(self, kind: type[Player], rng: random.Random) -> None:
        self.rng = rng
        self.game = rng.choice(KINDS[kind])
        n = rng.choice([0, 1, 3, 35, 35, 2100] if kind is Player else [1, 2, 6])
        #: The longest delay before an interrupt, in seconds.
        self.longest = 0.006 if n > 2048 else 0.0004
        rules, options = {}, {}
        if kind.chooses:
            options["on_illegal"] = rng.choice(["raise", "noop", "terminate"])
        if kind is Player:
            rules = {"one_hot": rng.random() < 0.5} if self.game in ONE_HOT else {}
            options["num_threads"] = rng.choice([1, 1, 2])
        elif kind is PettingZoo:
            rules["max_episode_steps"] = rng.choice([1, 2, 7, 40])
        elif issubclass(kind, Vector):
            options["dict_observation"] = rng.random() < 0.3
        seed = None if issubclass(kind, Vector) and kind is not PettingZoo else self.seed()
        self.ours = kind.make(self.game, n, rng.choice(kind.modes), seed=seed, **rules, **options)
        self.one, self.fresh = kind.make(self.game, 1, **rules), make(self.game, 1, **rules)

    def seed(self) -> Any:
        """Return a valid seed."""
        return self.rng.choice([1, 2**64 - 1, 2**100, self.rng.getrandbits(64)])

    def bad_actions(self) -> Any:
        """Return invalid actions, mostly because of a single game."""
        rng, bad = self.rng, self.ours.sample().astype(np.int64)
        if len(bad):
            bad[rng.randrange(len(bad))] = rng.choice([-1, 10**6, 2**62, 0, 1, 2, 3])
        others = [bad.tolist(), bad[:-1], bad.astype(float), bad[None], [Raising()] * len(bad)]
        if type(self.ours) is not PettingZoo:
            # There it is the step of an agent whose game is over.
            others.append([None] * len(bad))
        return rng.choice([bad, bad, bad, *others])

    def out(self) -> tuple | None:
        """Return valid or invalid output arrays for a step of the raw batch."""
        batch, rng = self.ours.batch, self.rng
        good, read_only, at = arrays(batch), arrays(batch), rng.randrange(5)
        read_only[at].flags.writeable = False
        bad = [good[at][:-1], good[at].astype(np.int64), good[at][..., None], None, Raising()]
        return rng.choice(
            [
                *(None, good, good, good, good[:4], read_only),
                (*good[:at], rng.choice(bad), *good[at + 1 :]),
                (*good[:3], good[2], good[4]),
                (batch.obs, *good[1:4], batch.action_mask),
                (batch.obs, *good[1:]),
            ]
        )

    def spoil(self) -> None:
        """Overwrite the arrays that a call returned."""
        obs, *_, mask = self.ours.step(self.ours.sample())
        if self.ours.copied:
            obs[:] = 0
            mask[:] = False

    def calls(self) -> list[Callable[[], object]]:
        """Return the calls to choose from."""
        rng, ours, batch, kind = self.rng, self.ours, self.ours.batch, type(self.ours)
        n = ours.num_envs
        place = rng.randrange(n) if n else 0
        which = np.array([rng.random() < 0.5 for _ in range(n)], bool)
        bad_which = rng.choice([which[:-1], which.astype(int), which.tolist(), which & False, None, Raising()])
        calls: list[Callable[[], object]] = [
            *([lambda: ours.step(ours.sample())] * 3),
            lambda: ours.step(self.bad_actions()),
            lambda: ours.reset(self.seed()),
            lambda: ours.reset(rng.choice([*BAD_SEEDS, [1] * (n + 1), [1] * n, [None] * n])),
            ours.reset,
            lambda: ours.restart(~ours.batch.action_mask.any(axis=1)),
            lambda: ours.set_state(place, ours.get_state(rng.randrange(n))),
            lambda: ours.set_state(rng.choice([-1, n, place]), rng.choice([*BAD_STATES, self.one.get_state(0)])),
            lambda: ours.set_state(place, make("go", 1, komi=0.5).get_state(0)),
            lambda: setattr(self, "ours", ours.like(rng.choice(copies(ours.env)))),
        ]
        if kind is Player:
            calls += [
                lambda: ours.env.step(ours.sample(), self.out()),
                lambda: ours.env.random_step(self.out()),
                lambda: ours.env.step(self.bad_actions(), self.out()),
                lambda: ours.env.reset_some(rng.choice([which, bad_which])),
                lambda: ours.env.set_states([place, place], ours.env.get_states([0, n // 2])),
                lambda: ours.env.set_states([place, 0], [ours.get_state(0), rng.choice(BAD_STATES)]),
                lambda: ours.env.copy_games([place, 0], [rng.choice([0, n]), place]),
                lambda: ours.env.board(rng.choice([-1, place, n])),
                lambda: ours.env.render(rng.choice([-1, place, n])),
                lambda: ours.env.final_obs(rng.choice([[place], [n], [-1], Raising()])),
            ]
        elif kind is PettingZoo:
            # A pass; the end of a game; something that isn't a move.
            over = ours.env.terminations[ours.env.agent_selection] or ours.env.truncations[ours.env.agent_selection]
            calls = [ours.reset] if over and rng.random() < 0.5 else calls
            calls += [lambda: over or ours.step([25]), lambda: ours.step([rng.choice([-1, 26, 1.5, "1", Raising()])])]
        else:
            calls += [self.spoil, lambda: ours.reset(options={"nonsense": 1}), lambda: batch.random_step()]
            calls += [lambda: batch.step(batch.sample(), arrays(batch)), lambda: batch.reset(self.seed())]
        if kind is Vector:
            calls += [
                lambda: ours.restart(which),
                lambda: ours.reset(self.seed(), options={"reset_mask": which}),
                lambda: ours.reset(self.seed(), options={"reset_mask": bad_which}),
            ]
        return calls

    def check(self) -> None:
        """Check that everything visible belongs to the same games."""
        ours, rng = self.ours, self.rng
        batch, n = ours.batch, ours.num_envs
        check_batch(batch, self.fresh, rng.sample(range(n), min(n, 4)))
        again = copy.copy(batch)
        if not rng.random() < 0.1:
            assert snapshot(ours.seen()) == snapshot((batch.obs, batch.action_mask)) == snapshot((again.obs, again.action_mask))
        else:
            again = ours.like(copy.copy(ours.env))
            again.reset()
            assert not again.batch.steps.any(), "a reset starts every game"
        if type(ours) is not Player:
            for place, frame in enumerate(ours.frames()):
                self.one.set_state(0, ours.get_state(place))
                assert self.one.frames() == [frame]
        if type(ours) is PettingZoo:
            assert ours.notes() == self.one.notes()
            mover = ours.env.possible_agents[int(self.fresh.to_move()[0])]
            assert ours.env.agent_selection == mover and ours.env.agents == ours.env.possible_agents

    def run(self, calls: int) -> tuple[int, int]:
        """Make calls; return how many raised an error and how many were interrupted."""
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


# Ctrl-C is lost while an error's message is being formatted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_seen_is_the_game_after_any_call():
    kinds = list(KINDS)
    errors = interrupts = 0
    for number in range(SEQUENCES):
        sequence = Sequence(kinds[number % len(kinds)], random.Random(number))
        try:
            counts = sequence.run(20)
        except AssertionError as error:
            raise AssertionError(f"sequence {number}, {type(sequence.ours).__name__}, {sequence.game}") from error
        errors, interrupts = errors + counts[0], interrupts + counts[1]
    print(f"{SEQUENCES} sequences of 20 calls: {errors} errors, {interrupts} interrupts")
    assert errors > SEQUENCES
    assert interrupts > SEQUENCES // 3 or not hasattr(signal, "setitimer")

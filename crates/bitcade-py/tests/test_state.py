"""The visible arrays match the games, even after a call that raised or was interrupted."""

import copy
import itertools
import os
import random
import signal

import numpy as np
import pytest
from conftest import ONE_HOT, all_same, arrays, check_batch, copies, interrupted, make, refused, snapshot
from games import SMALL
from players import KINDS, PettingZoo, Player
from test_illegal import ACTIONS, WHICH, wrong_outs

#: The number of random call sequences: 1,000 take about ten seconds.
SEQUENCES = int(os.environ.get("BITCADE_SEQUENCES", "200"))


def test_arrays_that_are_read_only(game):
    # They belong to Python.
    games, fresh = make(game, 2, seed=1), make(game, 1)
    games.random_step()
    state, own, legal = games.get_state(0), games.obs, games.action_mask.argmax(axis=1)
    own.flags.writeable = False
    # The games change, and the arrays when they can.
    assert "read-only" in refused(games.set_state, 1, state) and "read-only" in refused(lambda: games.obs)
    for call in (games.random_step, lambda: games.step(legal), lambda: games.reset(5), games.reset):
        own.flags.writeable = True
        check_batch(games, fresh)
        before = games.get_states([0, 1])
        own.flags.writeable = False
        assert "read-only" in refused(call) and games.get_states([0, 1]) == before
    own.flags.writeable = True
    games.random_step()


def test_spoiled_pickles_are_refused(game):
    games = make(game, 2, seed=1)
    for _ in range(9):
        games.random_step()
    cls, rng = type(games), random.Random(1)

    def with_state(text):
        fresh = make(game, 1)
        fresh.set_state(0, cls.state_from_bytes(text.encode()))
        return fresh

    for read, text in ((cls._read, games.__reduce__()[1][0]), (with_state, bytes(games.get_state(0)).decode())):
        for _ in range(300):
            at, digit = rng.randrange(len(text)), rng.choice('0123456789,"{}[]-.XO')
            try:
                value = read(text[:at] + digit + text[at + rng.choice([0, 1, 1, 5]) :])
            except ValueError as error:
                assert str(error)
                continue
            for _ in range(3):
                value.reset_some(~value.action_mask.any(axis=1))
                value.random_step()


def test_states_are_values(game):
    games = make(game, 40, seed=1)
    states = games.get_states(range(40))
    assert len(set(states)) == 40 and states[:3] == make(game, 3, seed=1).get_states(np.arange(3)), "of any batch"
    for state in states[:3]:
        again = type(games).state_from_bytes(bytearray(bytes(state)))
        assert again == state == copies(state)[-1] and hash(again) == hash(state)
        assert repr(state).startswith(f"<State of {type(games).__module__}: a board of ")
    games.random_step()
    now = games.get_state(0)
    assert now != states[0] and not now == states[0] and now != bytes(now)


def test_states_that_are_refused(game):
    games = make(game, 2)
    ours, foreign = games.get_state(0), make("go" if game.startswith("2048") else "2048", 1).get_state(0)
    other = SMALL[game][0](1, **SMALL[game][2]).get_state(0)
    for call, arguments, message in (
        (games.set_states, ([0, 1], [ours]), "expected one state per game, found 1 for 2 games"),
        (games.set_states, ([0, 1], [ours, foreign]), "the state of a different game"),
        (games.set_states, ([0, 1], [ours, other]), "other rules"),
        (games.copy_games, ([0], [0, 1]), "expected one target per source, found 2 for 1"),
    ):
        assert message in refused(call, *arguments), message


class Raising:
    # An argument whose conversion raises, like a callback of the caller might.

    def __array__(self, *_, **__):
        raise RuntimeError("not today")

    __index__ = __len__ = __iter__ = __array__


BAD_STATES = [None, 1, Raising(), make("go", 1, komi=0.5).get_state(0)]


def outcome(call, *arguments):
    try:
        return call(*arguments).tobytes()
    except ValueError as error:
        return str(error)


def future(one):
    # Return all that decides how an environment goes on, and what it shows.
    batch, n = one.batch, one.num_envs
    some = range(min(n, 40))
    again = one.like(copy.deepcopy(one.env))
    again.reset()
    assert not again.batch.steps.any(), "a reset starts every game"
    return [
        (n, batch.num_threads, batch.autoreset_mode, batch.seed, one.frames() if n < 40 else None, str(one.notes())),
        [outcome(batch.final_obs, [place]) for place in some],
        [each.get_states(range(n)) for each in (batch, again.batch)],
        [snapshot(each.seen()) for each in (one, again)],
    ]


class Sequence:
    # A random sequence of calls, many of which raise, on one kind of environment.

    def __init__(self, kind, rng):
        self.rng = rng
        self.game = rng.choice(KINDS[kind])
        n = rng.choice([0, 1, 3, 35, 35, 2100] if kind is Player else [1, 2, 6])
        #: The longest delay before an interrupt, in seconds.
        self.longest = 0.006 if n > 2048 else 0.0004
        rules, options = {}, {"on_illegal": rng.choice(["raise", "noop", "terminate"])} if kind.chooses else {}
        if kind is Player:
            rules = {"one_hot": rng.random() < 0.5} if self.game in ONE_HOT else {}
            options["num_threads"] = rng.choice([1, 1, 2])
        elif kind is PettingZoo:
            rules["max_episode_steps"] = rng.choice([1, 2, 7, 40])
        else:
            options["dict_observation"] = rng.random() < 0.3
        self.ours = kind.make(self.game, n, rng.choice(kind.modes), seed=self.seed(), **rules, **options)
        self.one, self.fresh = kind.make(self.game, 1, **rules), make(self.game, 1, **rules)

    def seed(self):
        return self.rng.choice([1, 2**64 - 1, 2**100])

    def bad_actions(self, actions):
        # Return invalid actions, mostly because of a single game.
        rng, bad = self.rng, actions.astype(np.int64)
        if len(bad):
            bad[rng.randrange(len(bad))] = rng.choice([-1, 10**6, 2**62, 0, 1, 2, 3])
        # None is a step of PettingZoo's, by an agent whose game is over.
        others = [bad, bad[None], [Raising()] * len(bad), *([] if type(self.ours) is PettingZoo else ACTIONS)]
        return rng.choice([bad, bad.tolist(), rng.choice(others)])

    def out(self):
        # Return valid or invalid output arrays for a step of the raw batch.
        batch, rng = self.ours.batch, self.rng
        good = arrays(batch)
        return rng.choice([None, good, (batch.obs, *good[1:4], batch.action_mask), rng.choice(wrong_outs(batch))[1]])

    def spoil(self, actions):
        ours = self.ours
        obs, *_, mask = self.rng.choice([ours.reset, lambda: ours.step(actions)])()
        for array in (obs, mask, ours.seen()[1]) if ours.copied else ():
            array[:] = 0

    def calls(self):
        # Return the calls to choose from. They draw nothing from the games, so that one that raises changes nothing.
        rng, ours, batch, kind = self.rng, self.ours, self.ours.batch, type(self.ours)
        n = ours.num_envs
        place = rng.randrange(n) if n else 0
        actions = ours.sample()
        bad = self.bad_actions(actions)
        which = np.array([rng.random() < 0.5 for _ in range(n)], bool)
        bad_which = rng.choice([which.tolist(), which & False, Raising(), *WHICH])
        calls = [
            *([lambda: ours.step(actions)] * 3),
            lambda: ours.step(bad),
            lambda: self.spoil(actions),
            lambda: ours.reset(self.seed()),
            lambda: ours.reset(rng.choice([-1, 1.5, "1", [], Raising(), [1] * (n + 1), [1] * n, [None] * n])),
            ours.reset,
            lambda: ours.restart(~ours.batch.action_mask.any(axis=1)),
            lambda: ours.set_state(place, ours.get_state(rng.randrange(n))),
            lambda: ours.set_state(rng.choice([-1, n, place]), rng.choice([*BAD_STATES, self.one.get_state(0)])),
            self.copy,
        ]
        if kind is Player:
            calls += [
                lambda: ours.env.step(actions, self.out()),
                lambda: ours.env.random_step(self.out()),
                lambda: ours.env.step(bad, self.out()),
                lambda: ours.env.reset_some(rng.choice([which, bad_which])),
                self.put,
                lambda: ours.env.set_states([place, 0], [ours.get_state(0), rng.choice(BAD_STATES)]),
                lambda: ours.env.copy_games([place, 0], [rng.choice([0, n]), place]),
                lambda: ours.env.final_obs(rng.choice([[place], [n], [-1], Raising()])),
            ]
        elif kind is PettingZoo:
            # The end of a game; a pass; something that isn't a move.
            over = ours.env.terminations[ours.env.agent_selection] or ours.env.truncations[ours.env.agent_selection]
            calls = [ours.reset] if over and rng.random() < 0.5 else calls
            calls.append(lambda: over or ours.step([rng.choice([25, 25, -1, 26, 1.5, "1", Raising()])]))
        else:
            masks = [None, {"nonsense": 1}, *({"reset_mask": mask} for mask in (which, which, bad_which))]
            calls += [
                lambda: ours.reset(rng.choice([None, self.seed(), -1]), options=rng.choice(masks)),
                batch.random_step,
                lambda: batch.step(actions, arrays(batch)),
                lambda: batch.reset(self.seed()),
            ]
        return calls

    def put(self):
        # Set or copy some games; the others stay, and all sources are read before any target changes.
        env, n = self.ours.env, self.ours.num_envs
        expected, places, sources = env.get_states(range(n)), *(self.rng.sample(range(n), n // 2) for _ in range(2))
        moved = env.get_states(sources)
        call, given = self.rng.choice([(env.copy_games, (sources, places)), (env.set_states, (places, moved))])
        call(*given)
        for place, state in zip(places, moved, strict=True):
            expected[place] = state
        assert env.get_states(range(n)) == expected

    def copy(self):
        # Go on with a copy, in the same way as with any other and with the original.
        copied = [*map(self.ours.like, copies(self.ours.env)), self.ours]
        assert all_same(list(map(future, copied)))
        self.ours = self.rng.choice(copied)

    def check(self):
        # Check that everything visible belongs to the same games.
        ours, rng = self.ours, self.rng
        batch, n = ours.batch, ours.num_envs
        check_batch(batch, self.fresh, rng.sample(range(n), min(n, 4)))
        assert snapshot(ours.seen()) == snapshot((batch.obs, batch.action_mask))
        if type(ours) is not Player:
            for place, frame in enumerate(ours.frames()):
                self.one.set_state(0, ours.get_state(place))
                assert self.one.frames() == [frame]
        if type(ours) is PettingZoo:
            assert ours.notes() == self.one.notes()
            mover = ours.env.possible_agents[int(self.fresh.to_move()[0])]
            assert ours.env.agent_selection == mover and ours.env.agents == ours.env.possible_agents


# Ctrl-C is lost while an error's message is being formatted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_seen_is_the_game_after_any_call():
    # In random sequences of calls, many of which raise and change nothing, or are interrupted.
    errors = interrupts = 0
    for number, kind in zip(range(SEQUENCES), itertools.cycle(KINDS)):
        rng = random.Random(number)
        sequence = Sequence(kind, rng)
        for _ in range(20):
            call = rng.choice(sequence.calls())
            seconds = sequence.longest * rng.random() ** 3 + 1e-6 if rng.random() < 0.4 else 0
            before, raised = future(sequence.ours), False
            try:
                with interrupted(seconds):
                    call()
            except KeyboardInterrupt:
                interrupts += 1
            except Exception as error:
                assert not isinstance(error, AssertionError)
                errors += 1
                raised = True
            assert not raised or future(sequence.ours) == before, f"sequence {number}, {kind.__name__}, {sequence.game}"
            sequence.check()
    print(f"{SEQUENCES} sequences of 20 calls: {errors} errors, {interrupts} interrupts")
    assert errors > SEQUENCES
    assert interrupts > SEQUENCES // 3 or not hasattr(signal, "setitimer")

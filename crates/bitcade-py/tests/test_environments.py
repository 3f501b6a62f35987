"""Behavior shared by the raw classes and the environments of every library; `test_options.py` has what they show."""

from __future__ import annotations

import copy
import itertools
import signal
from typing import Any

import numpy as np
import pytest
from conftest import (
    LARGE_SEEDS,
    all_same,
    copies,
    interrupted,
    make,
    refused,
    snapshot,
)
from players import KINDS, WRAPPED, PettingZoo, Player, Single, Vector, each


@each(KINDS | WRAPPED)
def test_seeds(kind, game):
    ours = kind.make(game, 3, seed=5)

    def played(seed: Any) -> list[tuple]:
        return [snapshot(ours.reset(seed)), *ours.play(10)]

    # The constructor's seed applies before the first reset and to it.
    shown = snapshot(ours.seen())
    first, following = played(5), played(None)
    assert first[0] == shown and following != first, "without a seed other games follow"
    assert played(5) == first and played(None) == following, "the same ones after the same seed"
    histories = set()
    for seed in (0, 7, *LARGE_SEEDS):
        histories.add(str(played(seed)))
        ours.reset(seed)
        drawn = [ours.sample()[0] for _ in range(8)]
        # Game i of a seed doesn't depend on the number of games, and a list has a seed of each game.
        for raw, place in ((make(game, 3, seed=seed), 0), (make(game, 2, seed=[1, seed]), 1)):
            assert drawn == [raw.sample()[place] for _ in range(8)]
    assert len(histories) == 2 + len(LARGE_SEEDS), "large seeds are other games"
    for form, seed in ((np.int64(7), 7), (np.array(7), 7), (np.uint64(2**64 - 1), 2**64 - 1), (True, 1)):
        assert played(form) == played(seed)
    if kind is not Player and not issubclass(kind, PettingZoo):
        lists = [] if isinstance(ours, Single) else [[1, 2, 3], np.array([1, 2, 3]), [None, 5, None], [2**100, 1, 1]]
        for seed in (*LARGE_SEEDS, *lists, None):
            ours = kind.make(game, 3)
            env = ours.env.unwrapped
            history, number = played(seed), env.np_random.random()
            assert played(env.np_random_seed) == history and env.np_random.random() == number
            assert played(None) != history
        if lists:
            made, raw = kind.make(game, 3, seed=lists[1]), make(game, 3, seed=lists[0])
            assert played(lists[0])[0] == snapshot(made.seen()) == snapshot((raw.obs, raw.action_mask))


BAD_SEEDS = [-1, -(2**70), 1.5, float("nan"), "1", {}, ..., np.array(1.5), [1, 2], [1, 2, -3], [1, 2, "3"], [1, 2, 3, 4]]


@each(KINDS)
def test_a_refused_seed_changes_nothing(kind, game):
    for bad in BAD_SEEDS:
        ours = kind.make(game, 3, seed=2)
        # Before the first reset, and after it.
        for _ in range(2):
            twin = ours.like(copy.deepcopy(ours.env))
            assert "seed" in refused(ours.reset, bad), bad
            if kind is Vector:
                some = {"reset_mask": np.array([True, False, True])}
                assert "seed" in refused(ours.reset, bad, options=some)
                refused(ours.reset, 3, options={"reset_mask": [True]})
                assert ours.env.np_random_seed == twin.env.np_random_seed
            assert snapshot(ours.seen()) == snapshot(twin.seen()) and ours.play(2) == twin.play(2)
            assert snapshot(ours.reset()) == snapshot(twin.reset())
        assert "seed" in refused(kind.make, game, 3, seed=bad)


@each(KINDS | WRAPPED)
def test_copies_play_on(kind, game):
    for mode in kind.modes:
        options = {"on_illegal": "noop"} if kind.chooses else {}
        ours = kind.make(game, 35 if kind is Player else 5, mode, seed=4, num_threads=2, **options)

        def with_copies(ours: Player = ours) -> list[Player]:
            return [ours, *map(ours.like, copies(ours.env, shallow=not kind.wrapped))]

        assert all_same([snapshot(each.reset()) for each in with_copies()]), "copies of untouched environments"
        for _ in range(3):
            ours.play(16)
            _, _, terminated, truncated, _ = ours.advance(ours.sample())
            both = with_copies()
            batches = [each.batch for each in both]
            assert all_same([(batch.num_envs, batch.num_threads, batch.autoreset_mode) for batch in batches])
            assert all_same([snapshot((batch.obs, batch.action_mask, batch.steps)) for batch in batches])
            if mode == "SameStep":
                ended = np.flatnonzero(terminated | truncated).tolist()
                assert all_same([batch.final_obs(ended).tobytes() for batch in batches])
            assert all_same([(each.frames(), each.play(25)) for each in both])
            for seed in (None, 5):
                assert all_same([(snapshot(each.reset(seed)), each.play(2)) for each in both])


@each(KINDS)
def test_states_play_on_elsewhere(kind, game):
    """A state can be restored in another environment; the games next to it don't change."""
    for seed in range(8):
        one, two = kind.make(game, 3, seed=seed), kind.make(game, 4, kind.modes[-1], seed=seed + 2)
        one.play(2 * seed)
        place = one.num_envs - 1
        if not one.batch.action_mask[place].any():
            continue
        state, others = one.get_state(place), snapshot(array[1:] for array in two.seen())
        for each_state in copies(state):
            two.set_state(0, each_state)
            assert snapshot(array[0] for array in two.seen()) == snapshot(array[place] for array in one.seen())
            assert snapshot(array[1:] for array in two.seen()) == others and two.get_state(0) == state
        ended = False
        while not ended:
            actions, twins = one.sample(), two.sample()
            assert actions[place] == twins[0]
            first, second = one.advance(actions), two.advance(twins)
            ended = first[2][place] or first[3][place]
            # If the next game has begun, its board differs.
            same = slice(1, 4) if ended else slice(None)
            assert snapshot(array[place] for array in first[same]) == snapshot(array[0] for array in second[same])


@each({kind: games for kind, games in KINDS.items() if kind in (Vector, Single)})
def test_what_was_played_or_set_is_no_first_game(kind, game):
    ours = kind.make(game, seed=1)
    first, state = snapshot(ours.seen()), ours.get_state(0)
    # Not where the start position isn't random, as in Go.
    is_alike = snapshot(kind.make(game, seed=2).seen()) == first
    assert snapshot(ours.like(copy.copy(ours.env)).reset()) == first, "untouched"
    for change in (lambda one: one.batch.random_step(), lambda one: one.set_state(0, state)):
        one = kind.make(game, seed=1)
        change(one)
        assert (snapshot(one.reset()) != first or is_alike) and not one.batch.steps.any()


@each(KINDS)
def test_rewards_and_limits(kind, game):
    """No reward is -0.0, and `max_episode_steps` truncates; a game that is over must be reset."""
    for limit in (1, 2, 6):
        ours = kind.make(game, 9, kind.modes[-1], seed=1, max_episode_steps=limit)
        results = [ours.advance(ours.sample())[1:4] for _ in range(limit)]
        assert not any(np.signbit(reward[reward == 0]).any() for reward, _, _ in results)
        if limit < 6:
            assert not np.any([ends for _, *ends in results[:-1]])
            assert np.logical_or(*results[-1][1:]).all() and results[-1][2].any()
    ours = kind.make(game, 2, "Disabled", seed=1, max_episode_steps=1)
    actions = ours.sample()
    ours.step(actions)
    assert kind is PettingZoo or "game 0 is over" in refused(ours.step, actions)
    ours.restart(np.ones(ours.num_envs, bool))
    assert ours.seen()[1].any(axis=1).all()


@pytest.mark.parametrize("bad", ["illegal", "beyond the last", -1, 2**31 - 1, -(2**40), 2**62])
@each(KINDS)
def test_illegal_actions(kind, game, bad):
    if game == "tetris-keys" and bad == "illegal":
        assert kind.make(game).batch.action_mask.all(), "every key is legal"
        return

    def made(treatment: str) -> tuple[Player, np.ndarray, int]:
        """Return a player, actions with a single invalid one, and its index."""
        ours = kind.make(game, 6, kind.modes[-1], seed=1, **({"on_illegal": treatment} if kind.chooses else {}))
        place = min(ours.num_envs - 1, 3)
        while bad == "illegal" and ours.batch.action_mask[place].all():
            ours.play(1)
        actions = ours.sample().astype(np.int64)
        illegal = int(np.argmin(ours.batch.action_mask[place]))
        actions[place] = {"illegal": illegal, "beyond the last": ours.batch.num_actions}.get(bad, bad)
        return ours, actions, place

    ours, actions, place = made("raise")
    twin = ours.like(copy.copy(ours.env))
    expected = f"ValueError: game {place}: action {actions[place]} is not a legal move"
    if issubclass(kind, Single) and bad != "illegal":
        expected = f"ValueError: action {actions[0]}: expected 0 to {ours.batch.num_actions - 1}"
    for form in (actions, actions.tolist(), tuple(actions.tolist())):
        assert refused(ours.step, form) == expected
    assert ours.play(3) == twin.play(3), "nothing has changed"
    if not kind.chooses or (kind is Single and bad != "illegal"):
        return
    for form, treatment in itertools.product((np.asarray, np.ndarray.tolist), ("noop", "terminate")):
        ours, actions, place = made(treatment)
        before = ours.batch.obs.copy()
        _, reward, terminated, _, mask = ours.step(form(actions))
        assert reward[place] == 0 and not terminated[:place].any() and terminated[place] == (treatment == "terminate")
        assert mask[place].any() != terminated[place]
        if treatment == "noop":
            if game.startswith("match3"):
                # An ignored swap uses up a move.
                before[:, 1 if game == "match3" else 6] -= 1
            assert (ours.batch.obs[place] == before[place]).all()
            assert place == 0 or not (ours.batch.obs[2] == before[2]).all()


def test_an_interrupted_first_reset_does_not_count_as_untouched():
    """Otherwise the next reset would mix games of two seeds."""
    ours = Vector.make("2048", 20_000, seed=1)
    first = ours.batch.obs.copy()
    mixed = 0
    for number in range(60):
        one = copy.copy(ours.env)
        try:
            with interrupted(5e-5 * number + 1e-6):
                one.reset(seed=2)
        except KeyboardInterrupt:
            before = one.batch.obs.copy()
            if not (before == first).all():
                mixed += 1
                assert not (one.reset()[0] == before).all()
    assert mixed or not hasattr(signal, "setitimer")

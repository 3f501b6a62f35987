"""Behavior shared by the raw classes and the environments of every library; `test_options.py` has what they show."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from conftest import (
    GAMES,
    LARGE_SEEDS,
    all_same,
    copies,
    interrupted,
    interruptions,
    make,
    needs_timer,
    refused,
    snapshot,
)
from games import SMALL
from players import KINDS, WRAPPED, PettingZoo, Player, Single, Vector, each


@each({kind: games for kind, games in KINDS.items() if kind.copied})
def test_arrays_that_the_caller_changes(kind, game):
    """An agent may modify results, such as removing the pass from a mask, without affecting the games."""
    ours = kind.make(game, seed=1)
    for call in (lambda: ours.reset(1), lambda: ours.step(ours.sample())):
        result = call()
        before = ours.frames(), snapshot((ours.batch.obs, ours.seen()[1]))
        for array in (result[0], result[-1], ours.seen()[1]):
            array[:] = 0
        assert (ours.frames(), snapshot((ours.batch.obs, ours.seen()[1]))) == before


@each(KINDS | WRAPPED)
def test_seeds(kind, game):
    ours = kind.make(game, 3, seed=5)

    def played(seed: Any) -> list[tuple]:
        return [snapshot(ours.reset(seed)), *ours.play(10)]

    # The constructor's seed applies before the first reset and to it.
    shown = snapshot(ours.seen())
    first = played(5)
    assert first[0] == shown and played(5) == first
    following = played(None)
    assert following != first, "without a seed other games follow"
    assert played(5) == first and played(None) == following, "the same ones after the same seed"
    histories = []
    for seed in (0, 7, *LARGE_SEEDS):
        histories.append(str(played(seed)))
        ours.reset(seed)
        drawn = [ours.sample()[0] for _ in range(8)]
        # Game i of a seed doesn't depend on the number of games.
        for raw in (make(game, 3, seed=seed), make(game, 2, seed=[seed, 1])):
            assert drawn == [raw.sample()[0] for _ in range(8)]
    assert len(set(histories)) == len(histories), "large seeds are other games"
    for form, seed in ((np.int64(7), 7), (np.array(7), 7), (np.uint64(2**64 - 1), 2**64 - 1), (True, 1)):
        assert played(form) == played(seed)
    if isinstance(ours, Vector) and not isinstance(ours, PettingZoo):
        lists = [] if isinstance(ours, Single) else [[1, 2, 3], np.array([1, 2, 3]), [None, 5, None], [2**100, 1, 1]]
        for seed in (*LARGE_SEEDS, *lists, None):
            env = ours.env.unwrapped
            history, number = played(seed), env.np_random.random()
            assert played(env.np_random_seed) == history and env.np_random.random() == number
            assert played(None) != history
            ours = kind.make(game, 3)
        unseeded = [kind.make(game, 3) for _ in range(4)]
        assert len({str((snapshot(each.reset()), each.play(9))) for each in unseeded}) == 4, "fresh games"


@each({kind: games for kind, games in KINDS.items() if kind in (Player, Vector)})
def test_a_list_has_a_seed_of_each_game(kind, game):
    ours = kind.make(game, 4)
    for seeds in ([7, 8, 9, 7], np.array([7, 8, 9, 7])):
        listed, drawn = [array.copy() for array in ours.reset(seeds)], ours.sample()
        for place, seed in enumerate(seeds):
            one = kind.make(game, 1)
            assert (one.reset([seed])[0][0] == listed[0][place]).all() and one.sample()[0] == drawn[place]
        assert snapshot(kind.make(game, 4, seed=seeds).seen()) == snapshot(listed)


BAD_SEEDS = [
    *(-1, -(2**70), 1.5, float("nan"), "1", b"1", {}, ..., np.array(1.5)),
    *([1, 2], [1, 2, -3], [1, 2, "3"], [1, 2, 2.5], [1, 2, 3, 4]),
]


@each(KINDS)
def test_a_refused_seed_changes_nothing(kind, game):
    for bad in BAD_SEEDS:
        ours = kind.make(game, 3, seed=2)
        for prepare in (lambda: None, lambda ours=ours: ours.reset(5)):
            prepare()
            twin = ours.like(copy.deepcopy(ours.env))
            assert "seed" in refused(ours.reset, bad), bad
            if kind is Vector:
                some = {"reset_mask": np.array([True, False, True])}
                assert "seed" in refused(ours.reset, bad, options=some)
                refused(ours.reset, 3, options={"reset_mask": [True]})
                assert ours.env.np_random_seed == twin.env.np_random_seed
            assert str(ours.notes()) == str(twin.notes()) and snapshot(ours.seen()) == snapshot(twin.seen())
            assert snapshot(ours.like(copy.copy(ours.env)).reset()) == snapshot(twin.like(copy.copy(twin.env)).reset())
            assert ours.play(2) == twin.play(2)
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
            assert len({id(batch.obs) for batch in batches}) == len(both)
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
        for _ in range(300):
            actions, twins = one.sample(), two.sample()
            assert actions[place] == twins[0]
            first, second = one.advance(actions), two.advance(twins)
            ended = first[2][place] or first[3][place]
            # If the next game has begun, its board differs.
            same = slice(1, 4) if ended else slice(None)
            assert snapshot(array[place] for array in first[same]) == snapshot(array[0] for array in second[same])
            if ended:
                break
        two.set_state(0, state)
        assert two.get_state(0) == state == copies(state)[-1], "the value itself hasn't changed"


@each(KINDS)
def test_states_fit_their_rules_only(kind, game):
    ours = kind.make(game, 2)
    before = snapshot(ours.seen())
    wrong = [None, 1, b"", "state", ..., type(ours.get_state(0)), make(game, 1, **SMALL[game][3]).get_state(0)]
    wrong += [make(other, 1).get_state(0) for other in GAMES if other != game]
    for state in wrong:
        refused(ours.set_state, 0, state)
    assert "other rules" in refused(ours.set_state, 0, wrong[6])
    if not isinstance(ours, Single):
        assert "IndexError" in refused(ours.set_state, ours.num_envs, ours.get_state(0))
    assert snapshot(ours.seen()) == before


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
    """No reward is -0.0, and `max_episode_steps` truncates."""
    for limit in (1, 2, 6):
        ours = kind.make(game, 9, kind.modes[-1], seed=1, max_episode_steps=limit)
        results = [ours.advance(ours.sample())[1:4] for _ in range(limit)]
        assert not any(np.signbit(reward[reward == 0]).any() for reward, _, _ in results)
        if limit < 6:
            assert not np.any([ends for _, *ends in results[:-1]])
            assert np.logical_or(*results[-1][1:]).all() and results[-1][2].any()


@pytest.mark.parametrize("bad", ["illegal", "beyond the last", -1, -(2**40), 2**31 - 1, 2**32, 2**62])
@each(KINDS)
def test_illegal_actions(kind, game, bad):
    if game == "tetris-keys" and bad == "illegal":
        assert kind.make(game).batch.action_mask.all(), "every key is legal"
        return

    def made(treatment: str) -> tuple[Player, np.ndarray, int]:
        """Return a player, actions with a single invalid one, and its index."""
        options = {"on_illegal": treatment} if kind.chooses else {}
        ours = kind.make(game, 6, kind.modes[-1], seed=1, **options)
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
    fits = [actions.astype(np.int32)] if abs(actions[place]) < 2**31 else []
    for form in (actions, actions.tolist(), tuple(actions.tolist()), *fits):
        assert refused(ours.step, form) == expected
    assert ours.play(3) == twin.play(3), "nothing has changed"
    if not kind.chooses or (kind is Single and bad != "illegal"):
        return
    for form in (np.asarray, np.ndarray.tolist):
        ours, actions, place = made("noop")
        before = ours.batch.obs.copy()
        _, reward, terminated, _, mask = ours.step(form(actions))
        if game.startswith("match3"):
            # An ignored swap uses up a move.
            before[:, 1 if game == "match3" else 6] -= 1
        assert (ours.batch.obs[place] == before[place]).all() and reward[place] == 0
        assert not terminated[place] and mask[place].any()
        assert place == 0 or not (ours.batch.obs[2] == before[2]).all()
        ours, actions, place = made("terminate")
        _, reward, terminated, _, mask = ours.step(form(actions))
        assert terminated[place] and reward[place] == 0 and not terminated[:place].any()
        assert not mask[place].any() or ours.mode == "SameStep"


@each({kind: games for kind, games in KINDS.items() if "Disabled" in kind.modes})
def test_a_game_that_is_over_must_be_reset(kind, game):
    ours = kind.make(game, 2, "Disabled", seed=1, max_episode_steps=1)
    actions = ours.sample()
    ours.step(actions)
    assert not ours.seen()[1].any()
    if kind is not PettingZoo:
        assert "game 0 is over" in refused(ours.step, actions)
    ours.restart(np.ones(ours.num_envs, bool))
    assert ours.seen()[1].any(axis=1).all()


@needs_timer
def test_an_interrupted_first_reset_does_not_count_as_untouched():
    """Otherwise the next reset would mix games of two seeds."""
    ours = Vector.make("2048", 20_000, seed=1)
    first = ours.batch.obs.copy()
    mixed = 0
    for seconds in interruptions(lambda: copy.copy(ours.env).reset(seed=2)):
        one = copy.copy(ours.env)
        try:
            with interrupted(seconds):
                one.reset(seed=2)
        except KeyboardInterrupt:
            before = one.batch.obs.copy()
            if not (before == first).all():
                mixed += 1
                assert not (one.reset()[0] == before).all()
    assert mixed

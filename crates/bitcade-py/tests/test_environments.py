"""Behavior shared by the raw classes and the environments of every library."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from conftest import (
    GAMES,
    LARGE_SEEDS,
    ONE_HOT,
    all_same,
    check_batch,
    copies,
    interrupted,
    interruptions,
    make,
    needs_timer,
    refused,
    snapshot,
)
from games import SMALL
from players import KINDS, WRAPPED, PettingZoo, Player, Single, Vector, VectorWithoutCopies, each


@each(KINDS)
def test_the_games_are_those_of_the_raw_class(kind, game):
    """The visible arrays always belong to the current games, for any number of threads."""
    for mode in kind.modes:
        ours = kind.make(game, 6, mode, num_threads=3)
        raw = make(game, ours.num_envs, autoreset_mode=mode)
        fresh, one = make(game, 1), kind.make(game, 1)
        assert snapshot(ours.reset(7)) == snapshot(raw.reset(7))
        ends = 0
        for step in range(100):
            actions = ours.sample()
            assert (actions == raw.sample()).all()
            found, expected = ours.step(actions), raw.step(actions)
            for mine, theirs in zip(found, expected, strict=True):
                assert mine.dtype == theirs.dtype and mine.tobytes() == theirs.tobytes()
            ended = found[2] | found[3]
            if mode == "Disabled" and ended.any():
                ours.restart(ended.copy())
                raw.reset_some(ended.copy())
            assert snapshot(ours.seen()) == snapshot((raw.obs, raw.action_mask))
            ends += int(ended.sum())
            if step % 6 == 0:
                check_batch(ours.batch, fresh)
                for place, frame in enumerate(ours.frames()):
                    one.set_state(0, ours.get_state(place))
                    assert one.frames() == [frame]
        assert ends > 0


@each({kind: games for kind, games in KINDS.items() if kind.copied})
def test_arrays_that_the_caller_changes(kind, game):
    """An agent may modify results, such as removing the pass from a mask, without affecting the games."""
    ours = kind.make(game, seed=1)
    for call in (lambda: ours.reset(1), lambda: ours.step(ours.sample()), ours.seen):
        result = call()
        before = ours.frames(), ours.batch.obs.copy(), ours.seen()[1].copy()
        if call != ours.seen:
            result[0][:] = 0
        result[-1][:] = False
        assert ours.frames() == before[0] and (ours.batch.obs == before[1]).all()
        assert (ours.seen()[1] == before[2]).all() and before[2].any()


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
        histories.append(played(seed))
        ours.reset(seed)
        drawn = [ours.sample().tolist() for _ in range(8)]
        cls, arguments = GAMES[game]
        for raw in (make(game, 3, seed=seed), make(game, 2, seed=[seed, 1])):
            assert [row[0] for row in drawn] == [int(raw.sample()[0]) for _ in range(8)]
    assert len({str(history) for history in histories}) == len(histories), "large seeds are other games"
    for form, seed in ((np.int64(7), 7), (np.uint64(2**64 - 1), 2**64 - 1), (True, 1)):
        assert played(form) == played(seed)
    if isinstance(ours, Vector) and not isinstance(ours, PettingZoo):
        env = ours.env.unwrapped
        lists = [] if isinstance(ours, Single) else [[1, 2, 3], np.array([1, 2, 3]), [None, 5, None], [2**100, 1, 1]]
        for seed in (None, *LARGE_SEEDS, *lists):
            if seed is None:
                # Games with fresh entropy.
                ours = kind.make(game, 3)
                env = ours.env.unwrapped
            history, number = played(seed), env.np_random.random()
            assert played(env.np_random_seed) == history and env.np_random.random() == number
            assert played(None) != history
        unseeded = [kind.make(game, 3) for _ in range(4)]
        fresh = {str((snapshot(each.reset()), each.play(9))) for each in unseeded}
        assert len(fresh) == 4, "without a seed games are fresh"


@each({kind: games for kind, games in KINDS.items() if kind in (Player, Vector)})
def test_a_list_has_a_seed_of_each_game(kind, game):
    ours = kind.make(game, 4)
    listed = [array.copy() for array in ours.reset([7, 8, 9, 7])]
    drawn = ours.sample()
    assert (listed[0][0] == listed[0][3]).all() and drawn[0] == drawn[3]
    for place, seed in enumerate([7, 8, 9, 7]):
        one = kind.make(game, 1)
        assert (one.reset([seed])[0][0] == listed[0][place]).all() and one.sample()[0] == drawn[place]
    for seeds in (np.array([7, 8, 9, 7]), np.array([7, 8, 9, 7]).tolist()):
        assert snapshot(ours.reset(seeds)) == snapshot(listed) and (ours.sample() == drawn).all()
    assert snapshot(kind.make(game, 4, seed=[7, 8, 9, 7]).reset([7, 8, 9, 7])) == snapshot(listed)
    # Game i of a seed doesn't depend on the number of games.
    assert (kind.make(game, 9).reset(3)[0][:4] == ours.reset(3)[0]).all()


BAD_SEEDS = [
    *(-1, -(2**64), -(2**70), 1.5, float("nan"), "1", b"1", {}, ...),
    *([1, 2], [1, 2, -3], [1, 2, "3"], [1, 2, 2.5], [1, 2, 3, 4]),
]


@pytest.mark.parametrize("bad", BAD_SEEDS, ids=repr)
@each(KINDS)
def test_a_refused_seed_changes_nothing(kind, game, bad):
    ours = kind.make(game, 3, seed=2)
    for prepare in (lambda: None, lambda: ours.reset(5), lambda: ours.play(1)):
        prepare()
        twin = ours.like(copy.deepcopy(ours.env))
        assert "seed" in refused(ours.reset, bad)
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
            assert all_same([each.frames() for each in both])
            if mode == "SameStep":
                ended = np.flatnonzero(terminated | truncated).tolist()
                assert all_same([batch.final_obs(ended).tobytes() for batch in batches])
            assert all_same([each.play(25) for each in both])
            for seed in (None, 5):
                assert all_same([snapshot(each.reset(seed)) for each in both])
            assert all_same([each.play(2) for each in both])


@pytest.mark.parametrize("one_hot", [False, True])
@pytest.mark.parametrize("game", ONE_HOT)
def test_copies_keep_starts_and_planes(game, one_hot):
    starts = make(game, 5, seed=2).obs
    starts = starts[:, 0] if game == "match3" else starts
    games = Player.make(game, 9, "SameStep", seed=1, starts=starts.copy(), one_hot=one_hot, max_episode_steps=5)
    games.play(1)
    copied = [games, *map(games.like, copies(games.env))]
    assert all_same([each.play(12) for each in copied])


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
        seen = snapshot(array[place] for array in one.seen())
        for each_state in copies(state):
            two.set_state(0, each_state)
            assert snapshot(array[0] for array in two.seen()) == seen
            assert snapshot(array[1:] for array in two.seen()) == others
            assert two.batch.steps[0] == one.batch.steps[place]
            assert two.batch.render(0) == one.batch.render(place)
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
        two.reset(9)
        two.set_state(0, state)
        assert snapshot(array[0] for array in two.seen()) == seen, "the value itself hasn't changed"


@each(KINDS)
def test_states_fit_their_rules_only(kind, game):
    ours = kind.make(game, 2)
    place = ours.num_envs
    before = snapshot(ours.seen())
    for other in GAMES:
        if other != game:
            for state in copies(make(other, 1).get_state(0)):
                refused(ours.set_state, 0, state)
    assert "other rules" in refused(ours.set_state, 0, make(game, 1, **SMALL[game][3]).get_state(0))
    if not isinstance(ours, Single):
        assert "IndexError" in refused(ours.set_state, place, ours.get_state(0))
    for state in (None, 1, b"", "state", ..., type(ours.get_state(0))):
        refused(ours.set_state, 0, state)
    assert snapshot(ours.seen()) == before


@each({kind: games for kind, games in KINDS.items() if kind in (Vector, Single)})
def test_what_was_played_or_set_is_no_first_game(kind, game):
    ours = kind.make(game, seed=1)
    # Not where the start position isn't random, as in Go.
    is_alike = snapshot(kind.make(game, seed=2).seen()) == snapshot(ours.seen())
    assert snapshot(ours.like(copy.copy(ours.env)).reset()) == snapshot(ours.seen()), "untouched"
    state = ours.get_state(0)
    ours.play(1)
    played = ours.get_state(0)
    for change in (
        lambda one: one.batch.random_step(),
        lambda one: one.set_state(0, state),
        lambda one: one.set_state(0, played),
    ):
        one = kind.make(game, seed=1)
        change(one)
        first = one.reset()
        assert not one.batch.steps.any()
        assert is_alike or snapshot(first) != snapshot(kind.make(game, seed=1).seen())


@each(KINDS)
def test_rewards_and_limits(kind, game):
    """No reward is -0.0, and `max_episode_steps` truncates."""
    ours = kind.make(game, 9, kind.modes[-1], seed=1, max_episode_steps=6)
    truncated = 0
    for _ in range(40):
        _, reward, _, cut, _ = ours.advance(ours.sample())
        assert not np.signbit(reward[reward == 0]).any()
        truncated += int(cut.sum())
    assert truncated > 0
    for limit in (1, 2):
        ours = kind.make(game, 3, seed=2, max_episode_steps=limit)
        ends = [ours.advance(ours.sample())[2:4] for _ in range(limit)]
        assert not np.any(ends[:-1]) and np.logical_or(*ends[-1]).all() and ends[-1][1].any()


@pytest.mark.parametrize("bad", ["illegal", "beyond the last", -1, -(2**40), 2**31 - 1, 2**32, 2**62])
@each(KINDS)
def test_illegal_actions(kind, game, bad):
    def broken(ours: Player) -> tuple[np.ndarray, int]:
        """Return actions with a single invalid one, and its index."""
        place = min(ours.num_envs - 1, 3)
        while bad == "illegal" and ours.batch.action_mask[place].all():
            ours.play(1)
        actions = ours.sample().astype(np.int64)
        illegal = int(np.argmin(ours.batch.action_mask[place]))
        actions[place] = {"illegal": illegal, "beyond the last": ours.batch.num_actions}.get(bad, bad)
        return actions, place

    def made(treatment: str) -> Player:
        options = {"on_illegal": treatment} if kind.chooses else {}
        return kind.make(game, 6, kind.modes[-1], seed=1, **options)

    ours = made("raise")
    if game == "tetris-keys" and bad == "illegal":
        for _ in range(20):
            assert ours.batch.action_mask.all(), "every key is legal"
            ours.play(1)
        return
    actions, place = broken(ours)
    twin = ours.like(copy.copy(ours.env))
    expected = f"ValueError: game {place}: action {actions[place]} is not a legal move"
    if kind is Single and bad != "illegal":
        expected = f"ValueError: action {actions[0]}: expected 0 to {ours.batch.num_actions - 1}"
    fits = [actions.astype(np.int32)] if abs(actions[place]) < 2**31 else []
    for form in (actions, actions.tolist(), tuple(actions.tolist()), *fits):
        assert refused(ours.step, form) == expected
    assert snapshot(ours.seen()) == snapshot(twin.seen()) and (ours.batch.steps == twin.batch.steps).all()
    assert ours.play(3) == twin.play(3), "nothing has changed"
    if not kind.chooses or (kind is Single and bad != "illegal"):
        return
    for form in (np.asarray, np.ndarray.tolist):
        ours = made("noop")
        actions, place = broken(ours)
        before = ours.batch.obs.copy()
        _, reward, terminated, _, mask = ours.step(form(actions))
        if game.startswith("match3"):
            # An ignored swap uses up a move.
            before[:, 1 if game == "match3" else 6] -= 1
        assert (ours.batch.obs[place] == before[place]).all() and reward[place] == 0
        assert not terminated[place] and mask[place].any()
        assert place == 0 or not (ours.batch.obs[2] == before[2]).all()
        ours = made("terminate")
        actions, place = broken(ours)
        _, reward, terminated, _, mask = ours.step(form(actions))
        assert terminated[place] and reward[place] == 0 and not terminated[:place].any()
        assert not mask[place].any() or ours.mode == "SameStep"


@each(KINDS)
def test_a_game_that_is_over_must_be_reset(kind, game):
    if "Disabled" not in kind.modes:
        return
    ours = kind.make(game, 2, "Disabled", seed=1, max_episode_steps=1)
    actions = ours.sample()
    ended = np.logical_or(*ours.step(actions)[2:4])
    assert ended.all() and not ours.seen()[1].any()
    if kind is not PettingZoo:
        assert "game 0 is over" in refused(ours.step, actions)
    ours.restart(ended)
    assert ours.seen()[1].any(axis=1).all()
    ours.step(ours.sample())


@needs_timer
@each({Player: list(GAMES), **dict.fromkeys((Vector, VectorWithoutCopies), ["2048"])})
def test_a_reset_that_is_interrupted(kind, game):
    """The visible arrays match the games, some of which are new; the next reset restarts all of them."""
    n = 20_000 if game == "2048" else 3000
    ours, fresh = kind.make(game, n, seed=1), make(game, 1)
    stopped = 0
    for seed, seconds in enumerate(interruptions(lambda: ours.reset(7))):
        ours.step(ours.sample())
        try:
            with interrupted(seconds):
                ours.reset(seed)
        except KeyboardInterrupt:
            stopped += 1
            new = ours.batch.steps == 0
            check_batch(ours.batch, fresh, [0, n // 2, n - 1, int(new.argmin()), int(new.argmax())])
        assert snapshot(ours.seen()) == snapshot((ours.batch.obs, ours.batch.action_mask))
        again = copy.copy(ours.batch)
        assert snapshot(ours.seen()) == snapshot((again.obs, again.action_mask))
    assert stopped


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

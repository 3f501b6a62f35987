"""Seeds, first games and illegal actions of the raw classes and of the environments of every library.

`test_options.py` has what they show, and `test_state.py` random calls.
"""

import copy
import signal

import numpy as np
from conftest import LARGE_SEEDS, interrupted, make, refused, snapshot
from players import PettingZoo, Player, Single, Vector, each

BAD_SEEDS = [
    *(-1, -(2**70), 1.5, float("nan"), "1", {}, ..., np.array(1.5)),
    *([1, 2], [1, 2, -3], [1, 2, "3"], [1, 2, -(2**70)], [1, 2, 3, 4]),
]


@each()
def test_seeds(kind, game):
    ours = kind.make(game, 3, seed=5)

    def played(seed):
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
    for bad in BAD_SEEDS:
        assert "seed" in refused(ours.reset, bad) and "seed" in refused(kind.make, game, 3, seed=bad)
    if kind is Player or kind is PettingZoo:
        return
    lists = [] if kind is Single else [[1, 2, 3], np.array([1, 2, 3]), [None, 5, None], [2**100, 1, 1]]
    for seed in (*LARGE_SEEDS, *lists, None):
        ours = kind.make(game, 3)
        history, number = played(seed), ours.env.np_random.random()
        assert played(ours.env.np_random_seed) == history and ours.env.np_random.random() == number
        assert played(None) != history
    if lists:
        made, raw = kind.make(game, 3, seed=lists[1]), make(game, 3, seed=lists[0])
        assert played(lists[0])[0] == snapshot(made.seen()) == snapshot((raw.obs, raw.action_mask))


@each(Vector, Single)
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


@each()
def test_illegal_actions(kind, game):
    for bad in ("illegal", "beyond the last", -1, 2**31 - 1, -(2**40), 2**62):
        ours = kind.make(game, 6, kind.modes[-1], seed=1, **({"on_illegal": "raise"} if kind.chooses else {}))
        place = min(ours.num_envs - 1, 3)
        if bad == "illegal" and game == "tetris-keys":
            continue
        while bad == "illegal" and ours.batch.action_mask[place].all():
            ours.play(1)
        actions = ours.sample().astype(np.int64)
        illegal = int(np.argmin(ours.batch.action_mask[place]))
        actions[place] = {"illegal": illegal, "beyond the last": ours.batch.num_actions}.get(bad, bad)
        expected = f"ValueError: game {place}: action {actions[place]} is not a legal move"
        if issubclass(kind, Single) and bad != "illegal":
            expected = f"ValueError: action {actions[0]}: expected 0 to {ours.batch.num_actions - 1}"
        for form in (actions, actions.tolist(), tuple(actions.tolist())):
            assert refused(ours.step, form) == expected


def test_an_interrupted_first_reset_does_not_count_as_untouched():
    # Otherwise the next reset would mix games of two seeds.
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

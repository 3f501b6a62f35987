"""Legal actions as lists, and afterstates, beside the masks and copies of the games that play each action."""

import bitcade
import numpy as np
import pytest
from bitcade.tetris import FEATURES
from conftest import make


def lists(games):
    offsets, actions = games.legal_actions()
    assert (offsets.dtype, actions.dtype) == (np.int64, np.int32)
    assert offsets.shape == (games.num_envs + 1,) and offsets[0] == 0 and offsets[-1] == len(actions)
    return [actions[first:end].tolist() for first, end in zip(offsets[:-1], offsets[1:])]


@pytest.mark.parametrize("num_envs", [0, 70])
def test_lists_are_the_masks(game, num_envs):
    games = make(game, num_envs, seed=1, autoreset_mode="NextStep", max_episode_steps=3)
    for _ in range(9):
        games.random_step()
        assert lists(games) == [np.flatnonzero(row).tolist() for row in games.action_mask]


@pytest.mark.parametrize(
    ("cls", "options"),
    [
        (bitcade.g2048.Batch, {"width": 2, "height": 5}),
        (bitcade.tetris.Batch, {"hold": False, "rows": 12}),
        (bitcade.tetris.Batch, {"actions": "drops", "reward": "attack"}),
    ],
)
def test_afterstates_are_what_each_action_leads_to(cls, options):
    # So many use both threads.
    games, alone = (cls(3000, seed=2, num_threads=threads, **options) for threads in (2, 1))
    for _ in range(12):
        after = games.afterstates()
        assert all((one == other).all() for one, other in zip(after, alone.afterstates(), strict=True))
        assert (after.actions == games.legal_actions()[1]).all()
        k = after.offsets[6]
        copies = cls(k, autoreset_mode="Disabled", **options)
        copies.set_states(range(k), games.get_states(np.repeat(np.arange(6), np.diff(after.offsets[:7]))))
        assert (copies.step(after.actions[:k])[1] == after.reward[:k]).all()
        boards, found = np.array([copies.board(place) for place in range(k)]), after.boards[:k]
        if cls is bitcade.g2048.Batch:
            # One new tile has appeared since.
            assert ((boards != found).sum(axis=(1, 2)) == 1).all() and (found[boards != found] == 0).all()
        else:
            assert (found == boards[:, 40 - found.shape[1] :]).all()
            assert after.lines[:k].tolist() == [copies.lock_result(place)["lines"] for place in range(k)]
            holes = (boards == 0) & (boards.cumsum(axis=1) > 0)
            assert (after.features[:k, FEATURES.index("holes")] == holes.sum(axis=(1, 2))).all()
        games.random_step()
        alone.random_step()
    assert (after.boards.dtype, after.reward.dtype) == (np.uint8, np.float32)
    assert all(len(array) == (name == "offsets") for name, array in cls(0, **options).afterstates()._asdict().items())


def test_parts_are_left_out():
    games, twin = (bitcade.tetris.Batch(9, seed=1) for _ in range(2))
    full, none = games.afterstates(), twin.afterstates(boards=False, features=False)
    assert none.boards.shape == (0, 20, 10) and none.features.shape == (0, 9)
    assert (full.actions == none.actions).all() and (full.reward == none.reward).all()
    assert (twin.afterstates(boards=False).features == full.features).all()
    assert (twin.afterstates(features=False).boards == full.boards).all()
    # The arrays are used again, whatever Python does to the memory that it sees.
    used, again = ([array.ctypes.data for array in games.afterstates()[1:]] for _ in range(2))
    assert used == again
    base = games.afterstates().actions.base
    base.shape = (1, base.size)
    assert (games.legal_actions()[1] == twin.legal_actions()[1]).all()

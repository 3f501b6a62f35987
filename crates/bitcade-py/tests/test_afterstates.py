"""Legal actions as lists, and afterstates, against the masks and against copies of the games that play each action."""

from __future__ import annotations

from typing import Any

import bitcade
import numpy as np
import pytest
from bitcade.tetris import FEATURES
from conftest import MODES, make

#: Batches with afterstates: moves, rewards, sides and rows of all kinds.
CASES: list[tuple[Any, dict[str, Any]]] = [
    *((bitcade.g2048.Batch, {"width": width, "height": height}) for width, height in ((4, 4), (3, 3), (2, 5), (8, 8))),
    (bitcade.tetris.Batch, {}),
    (bitcade.tetris.Batch, {"hold": False, "rows": 12}),
    (bitcade.tetris.Batch, {"actions": "drops", "reward": "attack"}),
    (bitcade.tetris.Batch, {"actions": "drops", "hold": False, "rows": 40}),
]


def lists(games: Any) -> list[list[int]]:
    """Return the legal actions of each game."""
    offsets, actions = games.legal_actions()
    assert (offsets.dtype, actions.dtype) == (np.int64, np.int32)
    assert offsets.shape == (games.num_envs + 1,) and offsets[0] == 0 and offsets[-1] == len(actions)
    return [actions[first:end].tolist() for first, end in zip(offsets[:-1], offsets[1:])]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_envs", [0, 70])
def test_lists_are_the_masks(game, mode, num_envs, best_level):
    games = make(game, num_envs, seed=1, autoreset_mode=mode, max_episode_steps=30)
    for step in range(70):
        bitcade.set_level(bitcade.levels()[step % len(bitcade.levels())])
        for change in (games.random_step, lambda: games.reset_some(~games.action_mask.any(axis=1))):
            change()
            assert lists(games) == [np.flatnonzero(row).tolist() for row in games.action_mask]


@pytest.mark.parametrize(("cls", "options"), CASES)
def test_afterstates_are_what_each_action_leads_to(cls, options, best_level):
    games = cls(6, seed=2, autoreset_mode="Disabled", **options)
    rewards = 0.0
    for step in range(40):
        bitcade.set_level(bitcade.levels()[step % len(bitcade.levels())])
        after = games.afterstates()
        k = len(after.actions)
        assert (after.boards.dtype, after.reward.dtype) == (np.uint8, np.float32)
        assert [after.actions[a:b].tolist() for a, b in zip(after.offsets[:-1], after.offsets[1:])] == lists(games)
        owners = np.repeat(np.arange(6), np.diff(after.offsets))
        copies = cls(k, seed=9, autoreset_mode="Disabled", **options)
        copies.set_states(range(k), games.get_states(owners))
        actions = after.actions.copy()
        reward = copies.step(actions)[1]
        assert (after.reward == reward).all()
        boards = np.array([copies.board(place) for place in range(k)])
        if cls is bitcade.g2048.Batch:
            # One new tile has appeared since.
            new = boards != after.boards
            assert (new.sum(axis=(1, 2)) == 1).all() and (after.boards[new] == 0).all()
            best = after.offsets[:-1]
        else:
            assert (after.boards == boards[:, 40 - after.boards.shape[1] :]).all()
            assert after.lines.tolist() == [copies.lock_result(place)["lines"] for place in range(k)]
            holes = (boards == 0) & (boards.cumsum(axis=1) > 0)
            assert (after.features[:, FEATURES.index("holes")] == holes.sum(axis=(1, 2))).all()
            # The fewest holes first, so that lines are cleared.
            best = [a + int(after.features[a:b, 4].argmin()) for a, b in zip(after.offsets[:-1], after.offsets[1:])]
        rewards += float(reward.sum())
        games.reset_some(np.logical_or(*games.step(actions[best])[2:4]))
    assert rewards > 0


@pytest.mark.parametrize(("cls", "options"), CASES[::3])
def test_afterstates_on_threads_and_alone(cls, options):
    one, two = (cls(3000, seed=1, num_threads=threads, **options) for threads in (1, 2))
    for games in (one, two):
        games.random_step()
    for alone, shared in zip(one.afterstates(), two.afterstates(), strict=True):
        assert (alone == shared).all()
    after = cls(0, **options).afterstates()
    assert after.offsets.tolist() == [0] and all(len(array) == 0 for array in after[1:])


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
    actions = games.legal_actions()[1]
    assert (actions == twin.legal_actions()[1]).all() and actions.dtype == np.int32


def test_garbage_and_the_next_piece_come_later():
    games = bitcade.tetris.Batch(30, seed=1, actions="drops", garbage=(1, 2))
    assert (games.afterstates().boards.sum(axis=(1, 2)) == 4).all()
    games.random_step()
    games.random_step()
    assert (games.afterstates().features[:, 4] > 0).any(), "garbage that has entered"

"""Legal actions as lists, and afterstates, against the masks, plain rules and the games themselves."""

from __future__ import annotations

from typing import Any

import bitcade
import numpy as np
import pytest
import reference
from bitcade.tetris import FEATURES
from conftest import MODES, make

#: Options of Tetris batches without garbage: moves, rewards and rows of all kinds.
TETRIS: list[dict[str, Any]] = [
    {},
    {"hold": False, "rows": 12},
    {"actions": "drops", "reward": "attack"},
    {"actions": "drops", "hold": False, "rows": 40},
]


def lists(games: Any) -> list[list[int]]:
    """Return the legal actions of each game."""
    offsets, actions = games.legal_actions()
    assert (offsets.dtype, actions.dtype) == (np.int64, np.int32)
    assert offsets.shape == (games.num_envs + 1,) and offsets[0] == 0 and offsets[-1] == len(actions)
    return [actions[first:end].tolist() for first, end in zip(offsets[:-1], offsets[1:])]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_envs", [0, 1, 33, 70])
def test_lists_are_the_masks(game, mode, num_envs, best_level):
    games = make(game, num_envs, seed=1, autoreset_mode=mode, max_episode_steps=30)
    waited = 0
    for step in range(70):
        bitcade.set_level(bitcade.levels()[step % len(bitcade.levels())])
        assert lists(games) == [np.flatnonzero(row).tolist() for row in games.action_mask]
        ended = np.logical_or(*games.random_step()[2:4])
        waited += int(ended.sum())
        assert lists(games) == [np.flatnonzero(row).tolist() for row in games.action_mask]
        if mode == "Disabled" and ended.any():
            games.reset_some(ended)
    assert waited > 0 or num_envs == 0


def test_a_draw_from_the_lists_is_uniform_and_legal(game):
    """The draw that the README shows."""
    games, rng = make(game, 50, seed=1), np.random.default_rng(1)
    for _ in range(300):
        offsets, actions = games.legal_actions()
        games.step(actions[offsets[:-1] + (rng.random(50) * np.diff(offsets)).astype(int)])
    one = make(game, 1, seed=3)
    offsets, actions = one.legal_actions()
    drawn = offsets[0] + (rng.random(20_000) * np.diff(offsets)).astype(np.int64)
    counts = np.bincount(drawn, minlength=len(actions))
    expected = 20_000 / len(actions)
    assert len(counts) == len(actions) and (abs(counts - expected) < 6 * expected**0.5).all()


def test_2048_afterstates_are_those_of_plain_rules(best_level):
    for width, height, num_envs in ((4, 4, 33), (3, 3, 5), (2, 5, 64), (8, 8, 2), (2, 2, 40)):
        games = bitcade.g2048.Batch(num_envs, seed=2, width=width, height=height, autoreset_mode="NextStep")
        for step in range(100):
            bitcade.set_level(bitcade.levels()[step % len(bitcade.levels())])
            after = games.afterstates()
            assert (after.boards.dtype, after.reward.dtype) == (np.uint8, np.float32)
            assert after.boards.shape == (len(after.actions), height, width) and after.reward.shape == after.actions.shape
            expected = lists(games)
            assert [after.actions[a:b].tolist() for a, b in zip(after.offsets[:-1], after.offsets[1:])] == expected
            pairs = [(board.tolist(), action) for board, legal in zip(games.obs, expected) for action in legal]
            slides = [reference.slide(board, action) for board, action in pairs]
            assert after.boards.tolist() == [board for board, _ in slides]
            assert after.reward.tolist() == [gain for _, gain in slides]
            games.random_step()


def features(board: np.ndarray) -> list[int]:
    """Return the features of a board of 40 rows, from the third on, cell by cell."""
    # Walls and floor are filled, the sky is empty.
    filled = np.ones((42, 12), bool)
    filled[1:-1, 1:-1], filled[0, 1:-1] = board, False
    holes = ~filled[1:-1, 1:-1] & (np.cumsum(filled[:-2, 1:-1], axis=0) > 0)
    heights = [40 - min([*np.flatnonzero(column), 40]) for column in board.T]
    wells = depth = 0
    for x in range(1, 11):
        run = 0
        for y in range(1, 41):
            # The lengths of the empty runs from each well cell down.
            if not filled[y, x] and filled[y, x - 1] and filled[y, x + 1]:
                wells += next(run for run in range(1, 41) if filled[y + run, x])
            # A filled cell counts if an empty one is below the run it is in.
            run = y
            while filled[run, x] and run < 41:
                run += 1
            depth += bool(filled[y, x] and run < 41)
    steps = set(np.diff(heights).tolist())
    return [
        int((filled[1:-1, 1:] != filled[1:-1, :-1]).sum()) - 40,
        int((filled[1:, 1:-1] != filled[:-1, 1:-1]).sum()),
        int(holes.sum()),
        wells,
        depth,
        int(holes.any(axis=1).sum()),
        sum(step in steps for step in range(-2, 3)),
    ]


def test_tetris_afterstates_are_the_boards_of_the_next_step(best_level):
    """Each action is played on a copy of its game."""
    for number, options in enumerate(TETRIS):
        games = bitcade.tetris.Batch(6, seed=number, autoreset_mode="Disabled", **options)
        cleared = 0
        for step in range(40):
            bitcade.set_level(bitcade.levels()[step % len(bitcade.levels())])
            after = games.afterstates()
            k, rows = len(after.actions), options.get("rows", 20)
            assert after.boards.shape == (k, rows, 10) and after.features.shape == (k, len(FEATURES))
            assert after.reward.shape == after.lines.shape == (k,)
            copies = bitcade.tetris.Batch(k, seed=9, autoreset_mode="Disabled", **options)
            owners = np.repeat(np.arange(games.num_envs), np.diff(after.offsets))
            copies.set_states(range(k), games.get_states(owners))
            actions = after.actions.copy()
            boards, reward, _, _, _ = copies.step(actions)
            assert (after.boards == boards[:, : rows * 10].reshape(k, rows, 10)).all()
            assert (after.reward == reward).all()
            results = [copies.lock_result(i) for i in range(k)]
            assert after.lines.tolist() == [result["lines"] for result in results]
            cleared += int(after.lines.sum())
            for i in range(step % 7, k, 7):
                assert after.features[i, 2:].tolist() == features(copies.board(i))
                if not after.lines[i]:
                    ys = np.nonzero(copies.board(i) != games.board(int(owners[i])))[0]
                    assert after.features[i, :2].tolist() == [39 - (ys.min() + ys.max()) / 2, 0]
            # The lowest holes first, so that lines are cleared.
            best = [a + int(after.features[a:b, 4].argmin()) for a, b in zip(after.offsets[:-1], after.offsets[1:])]
            ended = np.logical_or(*games.step(actions[best])[2:4])
            games.reset_some(ended)
        assert cleared > 20


@pytest.mark.parametrize(("cls", "options"), [(bitcade.g2048.Batch, {}), *((bitcade.tetris.Batch, o) for o in TETRIS)])
def test_afterstates_on_threads_and_alone(cls, options):
    one, two = (cls(5000, seed=1, num_threads=threads, **options) for threads in (1, 2))
    for _ in range(9):
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


def test_the_arrays_are_used_again():
    """Whatever Python does to the memory that it sees."""
    games, twin = (bitcade.tetris.Batch(20, seed=1) for _ in range(2))
    first = games.afterstates()
    addresses = [array.ctypes.data for array in first[1:]]
    assert [array.ctypes.data for array in games.afterstates()[1:]] == addresses
    games.random_step()
    twin.random_step()
    assert games.legal_actions()[1].ctypes.data == addresses[0]
    base = first.actions.base
    base.shape = (1, base.size)
    actions = games.legal_actions()[1]
    assert (actions == twin.legal_actions()[1]).all() and actions.dtype == np.int32
    twin.random_step()


def test_garbage_and_the_next_piece_come_later():
    games = bitcade.tetris.Batch(30, seed=1, actions="drops", garbage=(1, 2))
    after = games.afterstates()
    assert (after.boards.sum(axis=(1, 2)) == 4).all()
    games.random_step()
    games.random_step()
    assert (games.afterstates().features[:, 4] > 0).any(), "garbage that has entered"

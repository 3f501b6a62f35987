"""The raw classes: modes of restart, seeds, states, threads, buffers, and what a process does with them."""

from __future__ import annotations

import os
import signal
import time

import bitcade
import numpy as np
import pytest
from conftest import GAMES, arrays, make, run_python, snapshot


def test_shapes_and_attributes(game: str) -> None:
    games = make(game, 5)
    assert len(games) == games.num_envs == 5
    assert games.num_threads == 1
    assert games.autoreset == "same_step"
    assert games.obs.shape == (5, *games.obs_shape) and games.obs.dtype == np.uint8
    assert games.mask.shape == (5, games.num_actions) and games.mask.dtype == np.bool_
    assert games.mask.any(axis=1).all()
    assert games.steps.dtype == np.uint32 and (games.steps == 0).all()
    obs, reward, terminated, truncated, mask = games.step(games.sample())
    assert obs is games.obs and mask is games.mask
    assert reward.dtype == np.float32 and reward.shape == (5,)
    assert terminated.dtype == truncated.dtype == np.bool_
    assert terminated.shape == truncated.shape == (5,)
    assert (games.steps == 1).all()
    assert isinstance(games.render(0), str) and games.render(0)


def test_no_games_are_a_batch_too(game: str) -> None:
    games = make(game, 0)
    assert len(games) == 0
    assert games.step(games.sample())[0].shape == (0, *games.obs_shape)
    assert games.random_step()[4].shape == (0, games.num_actions)
    assert games.reset(3)[0].size == 0


def test_sample_draws_legal_actions_only(game: str) -> None:
    games = make(game, 33, seed=5, on_illegal="raise")
    for _ in range(200):
        mask, actions = games.mask, games.sample()
        assert actions.dtype == np.int32
        assert mask[np.arange(33), actions].all()
        games.step(actions)


def test_sample_draws_all_legal_actions(game: str) -> None:
    games = make(game, 1, seed=2)
    found = {int(games.sample()[0]) for _ in range(100 * int(games.mask.sum()))}
    assert found == set(np.flatnonzero(games.mask[0]).tolist())


def test_random_step_is_sample_and_step(game: str) -> None:
    one, two = make(game, 9, seed=8), make(game, 9, seed=8)
    for _ in range(150):
        assert snapshot(one.random_step()) == snapshot(two.step(two.sample()))


def test_the_three_modes_play_the_same_games(game: str) -> None:
    """The steps of each place are the same, byte by byte, whenever the next game begins."""
    n, steps = 6, 120
    same, late, never = (
        make(game, n, seed=4, autoreset=mode) for mode in ("same_step", "next_step", "disabled")
    )
    histories: list[list[list[tuple]]] = []
    for games in (same, late, never):
        history: list[list[tuple]] = [[] for _ in range(n)]
        waiting = np.zeros(n, bool)
        ends = 0
        while min(map(len, history)) < steps:
            before, masks, actions = games.obs.copy(), games.mask.copy(), games.sample().copy()
            obs, reward, terminated, truncated, mask = games.step(actions)
            ended = terminated | truncated
            ends += int(ended.sum())
            final = obs.copy()
            if games is same and ended.any():
                final[ended] = games.final_obs(np.flatnonzero(ended).tolist())
            for i in range(n):
                if waiting[i]:
                    # The step after an end restarts the game and does nothing else.
                    assert not masks[i].any() and mask[i].any()
                    assert reward[i] == 0 and not ended[i] and games.steps[i] == 0
                    continue
                assert masks[i, actions[i]]
                history[i].append(
                    (before[i].tobytes(), masks[i].tobytes(), int(actions[i]), float(reward[i]))
                    + (bool(terminated[i]), bool(truncated[i]), final[i].tobytes())
                )
            if games is late:
                assert (mask.any(axis=1) == ~ended).all()
                waiting = ended.copy()
            elif games is never and ended.any():
                assert not mask[ended].any()
                with pytest.raises(ValueError, match=rf"game {np.flatnonzero(ended)[0]} is over"):
                    games.step(actions)
                with pytest.raises(ValueError, match="is over"):
                    games.random_step()
                games.reset_some(ended.copy())
        assert ends > 0
        histories.append([place[:steps] for place in history])
    assert histories[0] == histories[1] == histories[2]


def test_final_obs_needs_an_ended_game(game: str) -> None:
    games = make(game, 2)
    with pytest.raises(ValueError, match="no game has ended in place 1"):
        games.final_obs([1])
    assert games.final_obs([]).shape == (0, *games.obs_shape)


def test_seeds(game: str) -> None:
    def play(games, steps=40):
        return [snapshot(games.random_step()) for _ in range(steps)]

    games = make(game, 4, seed=3)
    first = games.obs.copy()
    history = play(games)
    assert (games.reset(3)[0] == first).all()
    assert play(games) == history, "a seed starts the same games again"
    assert play(make(game, 4, seed=4)) != history
    games.reset()
    assert play(games) != history, "without a seed other games follow"
    # Game i of a seed doesn't depend on the number of games.
    assert (make(game, 9, seed=3).obs[:4] == first).all()
    # A list has one seed of each game, wherever it stands.
    listed = make(game, 4, seed=[7, 8, 9, 7])
    assert (listed.obs[0] == listed.obs[3]).all()
    assert (listed.obs[1] == make(game, 1, seed=8).obs[0]).all()
    assert (listed.reset([9, 7, 7, 8])[0][0] == make(game, 1, seed=9).obs[0]).all()
    assert (listed.reset(np.array([7, 8, 9, 7]).tolist())[0] == make(game, 4, seed=[7, 8, 9, 7]).obs).all()


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in GAMES), ("2048", {"one_hot": True}), ("match3", {"one_hot": True})],
)
def test_threads_and_levels_do_not_change_the_games(name: str, options: dict) -> None:
    # More than one share of each thread.
    n = 300 if name in ("2048", "match3") else 70
    batches = [make(name, n, seed=1, num_threads=threads, **options) for threads in (1, 2, 3)]
    batches += [make(name, n, seed=1, level=level, **options) for level in bitcade.levels()]
    assert [batch.num_threads for batch in batches[:3]] == [1, 2, 3]
    for _ in range(40):
        results = {snapshot(batch.step(batch.sample())) for batch in batches}
        assert len(results) == 1


@pytest.mark.parametrize("name", ["2048", "match3"])
def test_one_hot_planes_are_the_observation(name: str) -> None:
    flat, planes = make(name, 7, seed=6), make(name, 7, seed=6, one_hot=True)
    first = 0 if name == "2048" else 1
    # The last plane of match-3 has the moves left.
    assert planes.obs_shape == ((18,) if name == "2048" else (4 + 1,)) + flat.obs_shape[-2:]
    for _ in range(60):
        obs = flat.random_step()[0]
        hot = planes.random_step()[0]
        if name == "match3":
            assert (hot[:, -1] == obs[:, 1]).all()
            obs, hot = obs[:, 0], hot[:, :-1]
        assert (hot.sum(axis=1) == 1).all() and (hot.argmax(axis=1) + first == obs).all()


def test_out_arrays_get_everything(game: str) -> None:
    own, given = make(game, 6, seed=2), make(game, 6, seed=2)
    for _ in range(60):
        out = arrays(given)
        result = given.step(given.sample(), out)
        assert all(array is expected for array, expected in zip(result, out, strict=True))
        assert snapshot(own.random_step()) == snapshot(out)
        again = arrays(given)
        assert snapshot(given.random_step(again)) == snapshot(own.step(own.sample()))


def test_actions_of_all_integer_types(game: str) -> None:
    one, two = make(game, 5, seed=9), make(game, 5, seed=9)
    for code in "bhilqBHILQ" * 3:
        dtype = np.dtype(code)
        if one.num_actions > np.iinfo(dtype).max:
            continue
        actions = one.sample().copy()
        expected = snapshot(one.step(actions))
        two.sample()
        spread = np.zeros((5, 2), dtype)
        spread[:, 0] = actions
        assert snapshot(two.step(spread[:, 0])) == expected
        actions = one.sample().copy()
        expected = snapshot(one.step(actions))
        two.sample()
        assert snapshot(two.step(actions.tolist())) == expected


def test_states_continue_elsewhere(game: str) -> None:
    one, two = make(game, 4, seed=1), make(game, 7, seed=2, autoreset="next_step")
    for _ in range(9):
        one.random_step()
    saved = one.get_state(2)
    steps = int(one.steps[2])
    two.set_state(5, saved)
    assert (two.obs[5] == one.obs[2]).all() and (two.mask[5] == one.mask[2]).all()
    assert two.steps[5] == steps
    for _ in range(5):
        first, second = one.random_step(), two.random_step()
        if first[2][2] or first[3][2]:
            break
        assert (first[0][2] == second[0][5]).all() and first[1][2] == second[1][5]
    # The value itself hasn't changed.
    one.set_state(0, saved)
    two.set_state(0, saved)
    assert (one.obs[0] == two.obs[0]).all()


def test_states_fit_their_rules_only(game: str) -> None:
    games = make(game, 1)
    for other in GAMES:
        if other != game:
            with pytest.raises((TypeError, ValueError)):
                games.set_state(0, make(other, 1).get_state(0))
    rules = {
        "2048": {"width": 4},
        "match3": {"colors": 5},
        "tetris": {"next": 3},
        "tetris drops": {"hold": True},
        "go": {"komi": 6.5},
    }
    with pytest.raises(ValueError, match="other rules"):
        games.set_state(0, make(game, 1, **rules[game]).get_state(0))


def test_start_boards() -> None:
    boards = np.zeros((2, 4, 4), np.int64)
    boards[0, 0, :2] = 10
    boards[1, 3, 3] = 3
    games = bitcade.Game2048(200, starts=boards, seed=1)
    found = {obs.tobytes() for obs in games.obs}
    assert found == {board.astype(np.uint8).tobytes() for board in boards}
    assert games.step(np.where(games.obs[:, 0, 0] == 10, 0, 2))[1].max() == 2048
    level = bitcade.Match3(1, seed=3).obs[:, 0].copy()
    assert (bitcade.Match3(5, starts=level).obs[:, 0] == level).all()
    stones = np.zeros((1, 9, 9), np.uint8)
    stones[0, 2, 3], stones[0, 4, 4] = 1, 2
    go = bitcade.Go(2, starts=stones, start_color="white")
    assert go.to_move().tolist() == [1, 1]
    assert go.obs[0, 0, 4, 4] == 1 and go.obs[0, 1, 2, 3] == 1 and go.obs[0, 5].sum() == 0
    rows = np.zeros((1, 20, 10), np.uint8)
    rows[0, 19, :9] = 1
    assert (bitcade.Tetris(2, starts=rows).obs[:, :200].reshape(2, 20, 10) == rows).all()


def test_step_limit_truncates(game: str) -> None:
    games = make(game, 3, max_steps=2, autoreset="disabled")
    assert not games.random_step()[3].any()
    _, _, terminated, truncated, _ = games.random_step()
    assert (terminated | truncated).all() and truncated.any()


@pytest.mark.parametrize("kind", ["illegal", "out of range", "negative", "huge"])
def test_illegal_actions(game: str, kind: str) -> None:
    def broken(games):
        actions = games.sample().astype(np.int64)
        bad = {"illegal": None, "out of range": games.num_actions, "negative": -1, "huge": 2**62}[kind]
        if bad is None:
            while games.mask[3].all():
                games.random_step()
                actions = games.sample().astype(np.int64)
            bad = int(np.flatnonzero(~games.mask[3])[0])
        actions[3] = bad
        return actions

    games = make(game, 6, seed=1, on_illegal="raise")
    actions = broken(games)
    before, steps = games.obs.copy(), games.steps.copy()
    with pytest.raises(ValueError, match=r"game 3\b.*action .* is no legal move"):
        games.step(actions)
    assert (games.obs == before).all() and (games.steps == steps).all(), "nothing has changed"
    games = make(game, 6, seed=1, on_illegal="noop", autoreset="disabled")
    actions = broken(games)
    before = games.obs.copy()
    obs, reward, terminated, _, mask = games.step(actions)
    if game == "match3":
        # An ignored swap spends a move.
        before[:, 1] -= 1
    assert (obs[3] == before[3]).all() and reward[3] == 0 and not terminated[3] and mask[3].any()
    assert not (obs[2] == before[2]).all()
    games = make(game, 6, seed=1, on_illegal="terminate", autoreset="disabled")
    _, reward, terminated, _, mask = games.step(broken(games))
    assert terminated[3] and reward[3] == 0 and not mask[3].any()
    assert not terminated[:3].any()


def _end(child: int, seconds: float) -> int:
    """Return how a child process ended; one that hangs is killed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_forked_child_steps_on_threads_of_its_own(game: str) -> None:
    games, twin = make(game, 200, seed=1, num_threads=2), make(game, 200, seed=1)
    games.random_step()
    twin.random_step()
    expected = [snapshot(twin.random_step()) for _ in range(5)]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if [snapshot(games.random_step()) for _ in range(5)] == expected else 2
            del games
        finally:
            os._exit(code)
    assert _end(child, 30) == 0
    assert [snapshot(games.random_step()) for _ in range(5)] == expected, "the parent goes on"


def test_memory_stays_over_a_million_steps() -> None:
    """Steps, resets, states and errors in a process of its own, whose memory must not grow."""
    code = """
import numpy as np, bitcade, sys
sys.path.insert(0, sys.argv[1])
from conftest import GAMES, make, arrays
import psutil
process = psutil.Process()
batches = [make(name, 2, seed=1) for name in GAMES]
# Steps of Tetris and Go cost more.
batches = batches[:2] * 6 + batches[2:]
def work(steps):
    for step in range(steps):
        batch = batches[step % len(batches)]
        batch.step(batch.sample())
        if step % 75 < len(batches):
            batch.step(batch.sample().tolist(), arrays(batch))
            batch.set_state(0, batch.get_state(1))
            try:
                batch.step([-1, -1])
            except ValueError:
                pass
            if step % 750 < len(batches):
                batch.reset(step)
                batch.render(0)
    return process.memory_info().rss
before = work(200_000)
after = work(800_000)
print(after - before)
"""
    done = run_python(code, os.path.dirname(__file__), timeout=300)
    assert done.returncode == 0, done.stderr
    # One leaked object of 56 bytes in each of the 800,000 steps would be 45 MB.
    assert int(done.stdout) < 4 << 20


def test_steps_do_not_hold_the_lock() -> None:
    """Another Python thread runs while a step works."""
    import threading

    games = bitcade.Game2048(200_000, seed=1)
    ticks, stop = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.0002)

    thread = threading.Thread(target=count)
    thread.start()
    before = ticks
    for _ in range(20):
        games.random_step()
    passed = ticks - before
    stop.set()
    thread.join()
    assert passed > 5

"""The raw classes: ways to step, autoreset modes, threads, start positions, forks and memory."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import bitcade
import numpy as np
import pytest
from conftest import GAMES, MODES, ONE_HOT, all_same, arrays, make, refused, run_python, snapshot


def test_shapes_and_attributes(game):
    for n in (5, 0):
        games = make(game, n)
        assert len(games) == games.num_envs == n
        assert games.num_threads == 1 and games.autoreset_mode == "SameStep"
        for _ in range(2):
            assert games.obs.shape == (n, *games.obs_shape) and games.obs.dtype == np.uint8
            assert games.action_mask.shape == (n, games.num_actions) and games.action_mask.dtype == np.bool_
            assert games.action_mask.any(axis=1).all()
            assert games.steps.shape == (n,) and games.steps.dtype == np.uint32 and (games.steps == 0).all()
            obs, reward, *ends, mask = games.step(games.sample())
            assert obs is games.obs and mask is games.action_mask
            assert reward.dtype == np.float32 and reward.shape == (n,)
            assert all(end.dtype == np.bool_ and end.shape == (n,) for end in ends)
            assert (games.steps == 1).all()
            assert snapshot(games.reset(3)) == snapshot((games.obs, games.action_mask))
        assert all(isinstance(games.render(place), str) and games.render(place) for place in range(n))


def test_sample_draws_the_legal_actions(game):
    games = make(game, 33, seed=5, on_illegal="raise")
    for _ in range(200):
        mask, actions = games.action_mask, games.sample()
        assert actions.dtype == np.int32
        assert mask[np.arange(33), actions].all()
        games.step(actions)
    games = make(game, 1, seed=2)
    found = {int(games.sample()[0]) for _ in range(100 * int(games.action_mask.sum()))}
    assert found == set(np.flatnonzero(games.action_mask[0]).tolist())


def spread(actions: np.ndarray, dtype: Any) -> np.ndarray:
    """Return the actions as a strided array of an integer type, or of their own type if they don't fit."""
    wide = np.zeros((len(actions), 2), dtype if actions.max(initial=0) <= np.iinfo(dtype).max else actions.dtype)
    wide[:, 0] = actions
    return wide[:, 0]


def read_only(actions: np.ndarray) -> np.ndarray:
    actions = actions.copy()
    actions.flags.writeable = False
    return actions


#: Equivalent forms of the same actions.
FORMS: list[Callable[[np.ndarray], Any]] = [
    lambda actions: actions,
    np.ndarray.tolist,
    lambda actions: tuple(actions.tolist()),
    lambda actions: actions[::-1].copy()[::-1],
    lambda actions: actions.astype(">i8"),
    read_only,
    *(lambda actions, code=code: spread(actions, code) for code in "bhilqBHILQ"),
]


def test_all_ways_to_step_are_the_same(game):
    def stepped(form: Callable[[np.ndarray], Any]) -> Callable[[Any], Any]:
        return lambda batch: batch.step(form(batch.sample()))

    def written(batch: Any, step: Callable[[Any], Any]) -> Any:
        out = arrays(batch)
        assert all(found is given for found, given in zip(step(out), out, strict=True))
        return out

    ways = [
        lambda batch: batch.random_step(),
        lambda batch: written(batch, batch.random_step),
        lambda batch: written(batch, lambda out: batch.step(batch.sample(), out)),
        *map(stepped, FORMS),
    ]
    batches = [make(game, 5, seed=9) for _ in ways]
    for step in range(150):
        results = [snapshot(way(batch)) for way, batch in zip(ways, batches, strict=True)]
        assert all_same(results)
        if step % 10 == 0:
            # Rotate, so every batch is stepped in every way.
            batches = [*batches[1:], batches[0]]


def test_the_three_modes_play_the_same_games(game):
    """Every game's steps are the same, byte by byte, no matter when the next game begins."""
    n, steps = 6, 120
    histories: list[list[list[tuple]]] = []
    for mode in MODES:
        games = make(game, n, seed=4, autoreset_mode=mode)
        assert games.autoreset_mode == mode
        history: list[list[tuple]] = [[] for _ in range(n)]
        waiting = np.zeros(n, bool)
        ends = 0
        assert refused(games.final_obs, [1]) == "ValueError: no game has ended at index 1"
        assert games.final_obs([]).shape == (0, *games.obs_shape)
        while min(map(len, history)) < steps:
            before, masks, actions = games.obs.copy(), games.action_mask.copy(), games.sample().copy()
            obs, reward, terminated, truncated, mask = games.step(actions)
            ended = terminated | truncated
            ends += int(ended.sum())
            final = obs.copy()
            if mode == "SameStep" and ended.any():
                final[ended] = games.final_obs(np.flatnonzero(ended).tolist())
            for i in range(n):
                if waiting[i]:
                    # The step after an end only restarts the game.
                    assert not masks[i].any() and mask[i].any()
                    assert reward[i] == 0 and not ended[i] and games.steps[i] == 0
                    continue
                assert masks[i, actions[i]]
                history[i].append(
                    (before[i].tobytes(), masks[i].tobytes(), int(actions[i]), float(reward[i]))
                    + (bool(terminated[i]), bool(truncated[i]), final[i].tobytes())
                )
            if mode == "NextStep":
                assert (mask.any(axis=1) == ~ended).all()
                waiting = ended.copy()
            elif mode == "Disabled" and ended.any():
                assert not mask[ended].any()
                over = f"game {np.flatnonzero(ended)[0]} is over"
                assert over in refused(games.step, actions) and over in refused(games.random_step)
                games.reset_some(ended.copy())
        assert ends > 0
        histories.append([place[:steps] for place in history])
    assert all_same(histories)


@pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in GAMES), *((name, {"one_hot": True}) for name in ONE_HOT)]
)
def test_threads_and_levels_do_not_change_the_games(name, options, best_level):
    # Enough for more than one chunk per thread.
    n = 300 if name in ONE_HOT else 70
    batches = [make(name, n, seed=1, num_threads=threads, **options) for threads in (1, 2, 3)]
    batches += [make(name, n, seed=1, **options) for _ in bitcade.levels()]
    assert [batch.num_threads for batch in batches[:3]] == [1, 2, 3]
    levels = itertools.cycle(bitcade.levels())
    for _ in range(40):
        played = []
        for batch in batches:
            bitcade.set_level(next(levels))
            played.append(snapshot(batch.step(batch.sample())))
        assert all_same(played)


@pytest.mark.parametrize("name", ONE_HOT)
def test_one_hot_planes_are_the_observation(name):
    flat, planes = make(name, 7, seed=6), make(name, 7, seed=6, one_hot=True)
    first = 0 if name == "2048" else 1
    # The last plane of match-3 contains the moves left.
    assert planes.obs_shape == ((18,) if name == "2048" else (4 + 1,)) + flat.obs_shape[-2:]
    for _ in range(60):
        obs = flat.random_step()[0]
        hot = planes.random_step()[0]
        if name == "match3":
            assert (hot[:, -1] == obs[:, 1]).all()
            obs, hot = obs[:, 0], hot[:, :-1]
        assert (hot.sum(axis=1) == 1).all() and (hot.argmax(axis=1) + first == obs).all()


def test_start_boards():
    boards = np.zeros((2, 4, 4), np.int64)
    boards[0, 0, :2] = 10
    boards[1, 3, 3] = 3
    games = bitcade.g2048.Batch(200, starts=boards, seed=1)
    found = {obs.tobytes() for obs in games.obs}
    assert found == {board.astype(np.uint8).tobytes() for board in boards}
    assert games.step(np.where(games.obs[:, 0, 0] == 10, 0, 2))[1].max() == 2048
    level = bitcade.match3.Batch(1, seed=3).obs[:, 0].copy()
    assert (bitcade.match3.Batch(5, starts=level).obs[:, 0] == level).all()
    stones = np.zeros((1, 9, 9), np.uint8)
    stones[0, 2, 3], stones[0, 4, 4] = 1, 2
    go = bitcade.go.Batch(2, starts=stones, start_color="white")
    assert go.to_move().tolist() == [1, 1]
    assert go.obs[0, 0, 4, 4] == 1 and go.obs[0, 1, 2, 3] == 1 and go.obs[0, 5].sum() == 0
    rows = np.zeros((1, 20, 10), np.uint8)
    rows[0, 19, :9] = 1
    assert (bitcade.tetris.Batch(2, starts=rows).obs[:, :200].reshape(2, 20, 10) == rows).all()


def test_rewards_are_exact_up_to_2_to_the_24():
    """Rewards are float32, like those of Gymnasium's vector environments; larger ones are rounded."""
    start = np.zeros((1, 4, 4), np.uint8)
    for rank, exact in ((22, 2**23 + 4), (25, 2**26 + 4)):
        start[0, 0, :2], start[0, 1, :2] = rank, 1
        reward = bitcade.g2048.Batch(1, starts=start).step([0])[1][0]
        assert reward == np.float32(exact) and abs(float(reward) - exact) <= (exact > 2**24) * exact * 2**-24


def test_a_batch_without_a_seed_tells_its_own(game):
    cls, arguments = GAMES[game]
    one, two = cls(70, **arguments), cls(70, **arguments)
    assert one.seed != two.seed and 0 <= one.seed < 2**64
    again = cls(70, seed=one.seed, **arguments)
    for _ in range(9):
        assert snapshot(one.random_step()) == snapshot(again.random_step())
    one.reset(5)
    assert one.seed == 5
    two.reset(range(70))
    assert two.seed == list(range(70))


def test_known_seeds_play_known_games():
    assert bitcade.g2048.Batch(1, seed=5).obs.ravel().tolist() == [0, 2, *[0] * 2, 1, *[0] * 11]


def _end(child: int, seconds: float) -> int:
    """Wait for a child process and return its status; kill it if it hangs."""
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
def test_a_forked_child_steps_on_threads_of_its_own(game):
    games, twin = make(game, 200, seed=1, num_threads=2), make(game, 200, seed=1)
    games.random_step()
    twin.random_step()
    # The first eight steps run on one thread, the next eight on all.
    expected = [snapshot(twin.random_step()) for _ in range(20)]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if [snapshot(games.random_step()) for _ in range(20)] == expected else 2
            del games
        finally:
            os._exit(code)
    assert _end(child, 30) == 0
    assert [snapshot(games.random_step()) for _ in range(20)] == expected, "the parent goes on"


def test_memory_stays_over_a_million_steps():
    """Steps, resets, states and errors must not grow the memory of a process."""
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


def work_beside(work: Callable[[], object], main: Callable[[], object], until: Callable[[], object]) -> None:
    """Repeat work on a second thread and on this one, for at most a minute."""
    deadline = time.monotonic() + 60

    def loop(call: Callable[[], object]) -> None:
        while not until() and time.monotonic() < deadline:
            call()

    thread = threading.Thread(target=loop, args=(work,))
    thread.start()
    loop(main)
    thread.join()


def test_steps_do_not_hold_the_lock():
    """Another Python thread runs while a step works."""
    games, ticks, steps = bitcade.g2048.Batch(200_000, seed=1), [], []

    def tick() -> None:
        ticks.append(len(steps))
        time.sleep(0.0002)

    work_beside(tick, lambda: steps.append(games.random_step()), lambda: len(steps) == 20)
    assert len(ticks) > 5


def test_calls_of_two_threads():
    """Sharing a batch, or output arrays between batches, is an error, after which the games go on."""
    one, two = bitcade.g2048.Batch(300_000), bitcade.g2048.Batch(300_000)
    out = arrays(one)
    shared = [lambda: one.random_step(out), lambda: two.random_step(out)]
    for calls, expected in (
        ([one.random_step] * 2, "RuntimeError: this Batch is in use by another thread: one call at a time"),
        (shared, "ValueError: out: obs: the array is in use by another call"),
    ):
        found: list[str] = []

        def step(call: Callable[[], object], found: list[str] = found) -> None:
            try:
                call()
                assert one.num_envs == 300_000
            except (RuntimeError, ValueError) as error:
                found.append(f"{type(error).__name__}: {error}")

        work_beside(lambda: step(calls[0]), lambda: step(calls[1]), lambda found=found: found)
        assert set(found) == {expected}
        one.random_step()

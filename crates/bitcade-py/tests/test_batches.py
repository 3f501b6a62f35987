"""The raw classes: shapes, ways to step, start positions, forks, memory and locks."""

import multiprocessing
import os
import threading
import time

import bitcade
import numpy as np
import pytest
from conftest import all_same, arrays, make, refused, run_python, snapshot


@pytest.mark.parametrize("n", [5, 0])
def test_shapes_and_attributes(game, n):
    games = make(game, n, seed=1)
    assert len(games) == games.num_envs == n and games.num_threads == 1 and games.autoreset_mode == "SameStep"
    for _ in range(2):
        assert games.action_mask.any(axis=1).all() and (games.steps == 0).all() and games.steps.dtype == np.uint32
        played = games.step(games.sample())
        for found, expected in zip(played, arrays(games), strict=True):
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        assert played[0] is games.obs and played[4] is games.action_mask and (games.steps == 1).all()
        assert snapshot(games.reset(3)) == snapshot((games.obs, games.action_mask))


def test_lists_without_values_count_as_any_array(game):
    none = make(game, 0)
    assert none.step([])[1].shape == (0,) and none.get_states([]) == []
    assert none.final_obs([]).shape == (0, *none.obs_shape)
    assert len(none.reset_some([])[0]) == len(none.reset([])[0]) == 0
    assert refused(none.step, np.zeros(0)) == "TypeError: actions: expected integers, found float64"


def spread(actions, dtype):
    # Of their own type if they don't fit.
    fits = actions.max(initial=0) <= np.iinfo(dtype).max
    return np.repeat(actions.astype(dtype) if fits else actions, 2)[::2]


def written(step, out, *actions):
    step(*actions, out)
    return out


#: Equivalent ways to step.
WAYS = [
    lambda batch: batch.random_step(),
    lambda batch: written(batch.random_step, arrays(batch)),
    lambda batch: written(batch.step, arrays(batch), batch.sample()),
    lambda batch: batch.step(batch.sample()),
    lambda batch: batch.step(batch.sample().tolist()),
    lambda batch: batch.step(tuple(batch.sample().tolist())),
    *(lambda batch, code=code: batch.step(spread(batch.sample(), code)) for code in [*"bhilqBHILQ", ">i8"]),
]


def test_all_ways_to_step_are_the_same(game):
    batches = [make(game, 5, seed=9) for _ in WAYS]
    for step in range(150):
        assert all_same([snapshot(way(batch)) for way, batch in zip(WAYS, batches, strict=True)])
        if step % 10 == 0:
            # Rotate, so every batch is stepped in every way.
            batches = [*batches[1:], batches[0]]


def test_games_begin_on_the_start_boards(game):
    played = make(game, 2, seed=3, autoreset_mode="Disabled")
    # A level begins with everything in its place but other pieces.
    if game != "match3-level":
        played.random_step()
    boards = [played.board(place) for place in range(2)]
    games = make(game, 99, seed=1, starts=boards, **({"start_color": "white"} if game.startswith("go") else {}))
    assert {games.board(place).tobytes() for place in range(99)} == {board.tobytes() for board in boards}
    assert not game.startswith("go") or (games.to_move() == 1).all()


def test_a_batch_without_a_seed_tells_its_own(game):
    one, two = make(game, 70), make(game, 70)
    assert one.seed != two.seed
    assert snapshot(one.random_step()) == snapshot(make(game, 70, seed=one.seed).random_step())
    two.reset(range(70))
    assert two.seed == list(range(70))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_forked_child_steps_on_threads_of_its_own(game):
    games, twin = make(game, 200, seed=1, num_threads=2), make(game, 200, seed=1)
    games.random_step()
    twin.random_step()
    # The first eight steps run on one thread, the next eight on all.
    expected = [snapshot(twin.random_step()) for _ in range(20)]

    def play():
        played = [snapshot(games.random_step()) for _ in range(20)]
        os._exit(0 if played == expected else 2)

    child = multiprocessing.get_context("fork").Process(target=play)
    child.start()
    child.join(30)
    child.kill()
    assert child.exitcode == 0
    assert [snapshot(games.random_step()) for _ in range(20)] == expected


def test_memory_stays_over_a_million_steps():
    code = """
import sys
import psutil
sys.path.insert(0, sys.argv[1])
from conftest import GAMES, arrays, make
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
            batch.reset(step)
            try:
                batch.step([-1, -1])
            except ValueError:
                pass
    return psutil.Process().memory_info().rss
before = work(200_000)
print(work(800_000) - before)
"""
    done = run_python(code, os.path.dirname(__file__), timeout=300)
    assert done.returncode == 0, done.stderr
    # One leaked object of 56 bytes in each of the 800,000 steps would be 45 MB.
    assert int(done.stdout) < 4 << 20


def work_beside(work, main, until):
    # Repeat work on a second thread and on this one, for at most a minute.
    deadline = time.monotonic() + 60

    def loop(call):
        while not until() and time.monotonic() < deadline:
            call()

    thread = threading.Thread(target=loop, args=(work,))
    thread.start()
    loop(main)
    thread.join()


def test_steps_do_not_hold_the_lock():
    games, ticks, steps = bitcade.g2048.Batch(200_000, seed=1), [], []

    def tick():
        ticks.append(len(steps))
        time.sleep(0.0002)

    work_beside(tick, lambda: steps.append(games.random_step()), lambda: len(steps) == 20)
    assert len(ticks) > 5


def test_calls_of_two_threads():
    # Sharing a batch, or output arrays between batches, is an error, after which the games go on.
    one, two = bitcade.g2048.Batch(300_000), bitcade.g2048.Batch(300_000)
    out = arrays(one)
    for calls, expected in (
        ([one.random_step] * 2, "this Batch is in use by another thread: one call at a time"),
        ([lambda: one.random_step(out), lambda: two.random_step(out)], "out: obs: the array is in use by another call"),
    ):
        found = set()

        def step(call, found=found):
            try:
                call()
            except (RuntimeError, ValueError) as error:
                found.add(str(error))

        work_beside(lambda: step(calls[0]), lambda: step(calls[1]), lambda found=found: found)
        assert found == {expected}
        one.random_step()

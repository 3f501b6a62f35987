"""Tests of `bitcade.shards` that don't need Ray."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitcade import _native
from bitcade.ray import run
from bitcade.shards import (
    Case,
    CheckpointError,
    Driver,
    Job,
    Progress,
    Shard,
    ShardError,
    ShardResult,
    TextProgress,
    run_local,
    run_shard,
)
from conftest import refused, run_python

LEVEL = {"width": 5, "height": 5, "colors": 4, "moves": 8}
GREEDY = Job("evaluate", {"game": "match3", "agents": ["greedy"], **LEVEL}, games=100, shard_games=7)


@pytest.fixture(scope="module")
def network() -> _native.Network2048:
    learner = _native.Learner2048(seed=1)
    learner.learn(20)
    return learner.network()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a checkpoint in a separate folder."""
    return tmp_path / "c.json"


def self_play(game: str, games: int, shard_games: int = 25, **options: Any) -> Case:
    """Return the totals of a self-play job."""
    network, num_envs = options.pop("network", None), options.pop("num_envs", 8)
    params = {"game": game, "num_envs": num_envs, **options}
    (case,) = run_local(Job("self_play", params, games=games, shard_games=shard_games, network=network)).cases
    assert case.games == games
    return case


def saved(path: Path) -> dict[str, Any]:
    """Return the shards in a checkpoint."""
    return json.loads(path.read_text())["shards"]


@pytest.mark.parametrize("shard_games", [1, 7, 99, 100, 1000])
def test_shards_cover_every_game_once(shard_games):
    agents = {"game": "match3", "agents": ["random", "greedy"]}
    job = Job("evaluate", agents, games=100, shard_games=shard_games)
    shards = job.shards()
    assert [shard.number for shard in shards] == list(range(len(shards)))
    for case in (0, 1):
        games = [g for s in shards if s.case == case for g in range(s.first, s.first + s.games)]
        assert games == list(range(100))


def test_an_evaluation_does_not_depend_on_the_shards(network):
    scores = _native.match3_evaluate(100, agent="greedy", seed=1, **LEVEL)
    expected = {"games": 100, "score": sum(scores), "score_squares": sum(s * s for s in scores)}
    for shard_games in (7, 100):
        job = Job("evaluate", GREEDY.params, games=100, shard_games=shard_games)
        (case,) = run_local(job).cases
        assert case.sums == expected
    assert case.mean("score") == pytest.approx(np.mean(scores))
    assert case.stderr("score") == pytest.approx(np.std(scores, ddof=1) / 10)
    played = network.evaluate(20, seed=1)
    (case,) = run_local(Job("evaluate", {"game": "2048"}, games=20, shard_games=3, network=network)).cases
    assert case.sums["score"] == sum(score for score, _ in played)
    assert case.sums[f"tile_{played[0][1]}"] == sum(tile == played[0][1] for _, tile in played)


def test_results_add_up_in_any_order():
    results = [(shard, run_shard(GREEDY, shard)) for shard in GREEDY.shards()]
    expected = run_local(GREEDY)
    for seed in range(5):
        random.Random(seed).shuffle(results)
        driver = Driver(GREEDY)
        for shard, result in results:
            driver.done(shard, result)
            driver.done(shard, result)
        assert driver.result().cases == expected.cases


def test_a_level_test_counts_who_passes():
    levels = [{**LEVEL, "target": 1690}, {**LEVEL, "moves": 12}]
    job = Job("level_test", {"levels": levels, "agents": ["random", "greedy"]}, games=50, shard_games=20)
    result = run_local(job)
    assert [case.name for case in result.cases] == [
        f"level {n}, {a}" for n in (0, 1) for a in ("random", "greedy")
    ]
    scores = _native.match3_evaluate(50, agent="greedy", seed=1, **LEVEL)
    # A score of exactly the target is enough.
    assert 1690 in scores
    assert result.cases[1].sums["passed"] == sum(score >= 1690 for score in scores)
    assert 0 < result.cases[1].sums["passed"] < 50
    assert "passed" not in result.cases[3].sums
    assert "passed" in str(result)


def test_self_play_counts_whole_games():
    case = self_play("match3", 101, 33, num_envs=16, **LEVEL)
    assert case.sums["steps"] == 101 * LEVEL["moves"]
    # 4 games in sequence in each of 4 slots, by hand.
    params = {"game": "match3", "num_envs": 4, **LEVEL}
    job = Job("self_play", params, seed=5, games=32, shard_games=16)
    (second,) = job.shards()[1:]
    base = int(np.random.SeedSequence(5).generate_state(1, np.uint64)[0])
    seeds = [(base + 16 + place) % 2**64 for place in range(4)]
    batch = _native.Match3Batch(4, seed=seeds, **LEVEL)
    rewards = np.array([batch.random_step()[1].astype(int) for _ in range(4 * LEVEL["moves"])])
    games = rewards.reshape(4, LEVEL["moves"], 4).sum(axis=1)
    sums = run_shard(job, second).sums
    assert (sums["return"], sums["return_squares"]) == (games.sum(), (games**2).sum())
    assert 0 < self_play("tetris", 60, max_episode_steps=15).sums["steps"] <= 60 * 15


def test_self_play_of_2048(network):
    case, learned = self_play("2048", 40), self_play("2048", 40, network=network)
    assert sum(count for key, count in case.sums.items() if key.startswith("tile_")) == 40
    assert learned.mean("return") > 1.5 * case.mean("return")


def test_self_play_of_go_counts_wins():
    # Black moves first, and the komi is small. If White moves first from the same boards, every game's winner is the
    # other color.
    start = {"starts": [[[0] * 5] * 5], "start_color": "white"}
    for first, second, options in (("black", "white", {"komi": 0.5}), ("white", "black", {"komi": -0.5, **start})):
        sums = self_play("go", 200, 50, num_envs=64, size=5, **options).sums
        assert sums["black_wins"] + sums["white_wins"] + sums["draws"] + sums["truncated"] == 200
        assert sums[f"{first}_wins"] > sums[f"{second}_wins"] > 0


def test_a_contest_keeps_its_records():
    result = run_local(Job("contest", {"pieces": 30, "width": 5}, seed=3, games=4, shard_games=3))
    assert list(result.records) == ["3", "4", "5", "6"]
    scores = [_native.contest_solve(seed=int(seed), pieces=30, width=5)["score"] for seed in result.records]
    assert result.cases[0].sums["score"] == sum(scores)
    for seed, record in result.records.items():
        assert _native.contest_verify(record, seed=int(seed))["score"] == scores[int(seed) - 3]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"kind": "dance"}, "kind"),
        ({"games": 0}, "games=0"),
        ({"shard_games": 0}, "shard_games=0"),
        ({"seed": -1}, "seed=-1"),
        ({"params": {"game": "chess"}}, "chess"),
        ({"params": {"game": "2048"}}, "network"),
        ({"params": {"game": "match3", "agents": ["best"]}}, "best"),
        ({"params": {"game": "match3", "agents": []}}, "agent"),
        ({"params": {"game": "match3", "deep": 1}}, "deep"),
        ({"kind": "level_test", "params": {"levels": []}}, "level"),
        ({"kind": "level_test", "params": {"levels": [{"size": 3}]}}, "size"),
        ({"kind": "contest", "params": {"game": "tetris"}}, "game"),
        ({"kind": "self_play", "params": {"game": "poker"}}, "poker"),
        ({"kind": "self_play", "params": {"game": "2048", "width": 99}}, "width"),
        ({"kind": "self_play", "params": {"game": "2048", "num_envs": 0}}, "num_envs"),
        ({"kind": "contest", "params": {"pieces": 0}}, "pieces=0"),
        ({"kind": "self_play", "params": {"game": "2048", "autoreset_mode": "Disabled"}}, "autoreset_mode"),
        ({"kind": "self_play", "params": {"game": "2048", "wings": 2}}, "wings"),
        ({"params": {"game": "match3", "budget": object()}}, "JSON"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments, reason):
    job = {"kind": "evaluate", "params": {"game": "match3"}, **arguments}
    assert reason in refused(lambda: Job(**job).description())


def test_a_network_plays_nothing_but_2048(network):
    assert "network" in refused(Job, "self_play", {"game": "match3"}, network=network)


def test_a_checkpoint_is_resumed(path):
    expected = run_local(GREEDY)

    def stop(progress: Progress) -> None:
        if progress.done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(GREEDY, executor="local", checkpoint=path, progress=stop)
    assert len(saved(path)) == 6
    seen: list[Progress] = []
    result = run(GREEDY, executor="local", checkpoint=path, progress=seen.append)
    assert (result.resumed, result.cases) == (6, expected.cases)
    assert [progress.done for progress in seen] == list(range(7, 16))
    assert seen[-1].games_done == seen[-1].games == 100
    # Shards from the checkpoint took no time, and don't count in the rate.
    assert seen[-1].games_per_second * seen[-1].seconds == pytest.approx(100 - 6 * 7)
    assert set(saved(path)) == {str(shard.number) for shard in GREEDY.shards()}
    assert os.listdir(path.parent) == ["c.json"]


def not_taken(path: Path, job: Job = GREEDY) -> str:
    """Return why a checkpoint is rejected, and check that the file is unchanged."""
    before = path.read_bytes()
    with pytest.raises(CheckpointError) as error:
        run_local(job, checkpoint=path)
    assert path.read_bytes() == before
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    return str(error.value)


def test_the_checkpoint_of_another_job_is_refused(path, network, monkeypatch):
    run_local(GREEDY, checkpoint=path)
    for job, reason in [
        (Job("evaluate", GREEDY.params, seed=2, games=100, shard_games=7), "seed is 1 there, 2 here"),
        (Job("evaluate", GREEDY.params, games=100, shard_games=8), "shard_games is 7"),
        (Job("evaluate", {**GREEDY.params, "moves": 9}, games=100, shard_games=7), "params is"),
        (Job("evaluate", {"game": "2048"}, games=100, shard_games=7, network=network), "network is None"),
    ]:
        assert reason in not_taken(path, job)
    assert _native._SOURCES in GREEDY.description()["bitcade"]
    monkeypatch.setattr(_native, "_SOURCES", "0123456789abcdef")
    assert re.search("bitcade is .* there, .*0123456789abcdef.* here", not_taken(path))


def spoiled(content: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield broken checkpoints, each with a pattern for the reason."""
    for text in ("", "{", "[]", "{}", '{"format": "bitcade shards 1"}', '{"format": "bitcade shards 2", "job": 3}'):
        yield text.encode(), ""
    lines = content.split(b"\n")
    starts = np.cumsum([0, *(len(line) + 1 for line in lines[:-1])])
    random_places = random.Random(1).sample(range(len(content)), 200)
    for place in (*random_places, 0, 1, len(content) - 1, len(content) - 2):
        line = int(np.searchsorted(starts, place, side="right"))
        for change in (1, 0x20, 0x80):
            damaged = bytearray(content)
            damaged[place] ^= change
            known = 1 < line < len(lines) - 1 and damaged[place] != 10 and content[place] != 10
            yield bytes(damaged), f"damaged in line {line}, or" if known else ""
    for length in [*range(60), *range(60, len(content), 37), len(content) - 2, len(content) - 1]:
        cut = f"cut off in line {1 + content[:length].count(10)}, after {length} bytes"
        yield content[:length], cut if length > 500 else "not a checkpoint|line 1|cut off in line|damaged"
    for more in (b"\n", b"x", b" ", content):
        yield content + more, ""
    # Lines lost, duplicated, or reordered.
    for changed in (lines[:5] + lines[6:], lines[:6] + lines[5:], [*lines[:5], lines[6], lines[5], *lines[7:]]):
        yield b"\n".join(changed), "damaged"


def test_a_file_that_is_no_whole_checkpoint_is_refused(path):
    run_local(GREEDY, checkpoint=path)
    for content, reason in spoiled(path.read_bytes()):
        path.write_bytes(content)
        assert re.search(reason, not_taken(path))


def test_a_shard_that_the_job_does_not_have_is_refused(path):
    with Driver(GREEDY, checkpoint=path) as driver:
        driver.done(Shard(15, 0, 0, 7), ShardResult({"games": 7}))
    assert "shard" in not_taken(path)


def test_a_save_touches_no_file_of_the_user(path):
    names = ("c.json.new", "c.json.tmp", ".c.json.new")
    for name in names:
        path.with_name(name).write_text("mine")
    run_local(GREEDY, checkpoint=path)
    assert [path.with_name(name).read_text() for name in names] == ["mine"] * 3
    assert len(os.listdir(path.parent)) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("exists", [True, False])
def test_a_save_follows_links(path, exists):
    target = path.parent / "far" / "target.json"
    target.parent.mkdir()
    if exists:
        with Driver(GREEDY, checkpoint=target):
            pass
    path.symlink_to(Path("far") / "target.json")
    run_local(GREEDY, checkpoint=path)
    assert path.is_symlink() and len(saved(target)) == 15
    assert sorted(os.listdir(path.parent)) == ["c.json", "far"] and os.listdir(target.parent) == ["target.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_save_keeps_the_mode(path, mode):
    with Driver(GREEDY, checkpoint=path):
        pass
    path.chmod(mode)
    run_local(GREEDY, checkpoint=path)
    assert path.stat().st_mode & 0o777 == mode


def test_what_is_no_file_is_no_checkpoint(tmp_path):
    with pytest.raises(OSError, match="is a directory"):
        Driver(GREEDY, checkpoint=tmp_path)
    with pytest.raises(OSError, match="expected a file name in an existing folder"):
        Driver(GREEDY, checkpoint=tmp_path / "none" / "c.json")
    if sys.platform != "win32":
        with pytest.raises(ValueError, match="expected a regular file"):
            Driver(GREEDY, checkpoint="/dev/null")


def test_a_checkpoint_has_one_driver(path):
    with Driver(GREEDY, checkpoint=path):
        with pytest.raises(OSError, match=str(path)):
            Driver(GREEDY, checkpoint=path)
        code = "import sys; from bitcade.shards import *; Driver(Job('evaluate', {'game': 'match3'}), checkpoint=sys.argv[1])"
        assert "OSError: " + str(path) + ": another program is writing it" in run_python(code, str(path)).stderr
    run_local(GREEDY, checkpoint=path)


def test_a_file_that_another_program_writes_is_kept(path):
    first, second = GREEDY.shards()[:2]
    with pytest.raises(OSError, match="another program has written it in the meantime"), Driver(GREEDY, checkpoint=path) as driver:
        driver.done(first, ShardResult({"games": 7}))
        driver.save()
        path.write_text("of another program")
        driver.done(second, ShardResult({"games": 7}))
    assert path.read_text() == "of another program"
    (beside,) = (name for name in os.listdir(path.parent) if name != "c.json")
    assert len(saved(path.with_name(beside))) == 2


#: Programs that receive the checkpoint's name, each with the number of shards in it afterwards.
PROGRAMS = {
    "a forked child leaves the checkpoint alone": """
with Driver(job, checkpoint=path) as driver:
    before = os.listdir(os.path.dirname(path))
    child = os.fork()
    if child == 0:
        try:
            driver.save()
        except ValueError:
            driver.close()
            os._exit(7)
    assert os.waitpid(child, 0)[1] == 7 << 8
    assert os.listdir(os.path.dirname(path)) == before
    for shard in driver.left():
        driver.done(shard, run_shard(job, shard))
""",
    "a write that fails leaves the old file, and the job goes on": """
driver = Driver(job, checkpoint=path, save_seconds=0)
first, second = driver.left()
driver.done(first, ShardResult({"games": 5}))
before = open(path).read()
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    driver.done(second, ShardResult({"games": 5}))
    driver.failed(second, "lost")
assert [str(one.message).endswith("; the job goes on") for one in said] == [True], said
try:
    driver.save()
except OSError as error:
    assert path in str(error)
else:
    raise SystemExit("saved")
assert open(path).read() == before
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
driver.save()
assert len(open(path).read()) > len(before)
""",
}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork and no such limit")
@pytest.mark.parametrize("name", PROGRAMS)
def test_in_a_program(path, name):
    code = """
import os, resource, sys, warnings
from bitcade.shards import *
job, path = Job('evaluate', {'game': 'match3'}, games=10, shard_games=5), sys.argv[1]
"""
    done = run_python(code + PROGRAMS[name], str(path))
    assert done.returncode == 0, done.stderr
    assert len(saved(path)) == 2 and os.listdir(path.parent) == ["c.json"]


#: A search this narrow loses the games of some of these seeds, late in the game.
NARROW = Job("contest", {"pieces": 200, "width": 20}, seed=1, games=8, shard_games=1)


def test_a_shard_that_fails_is_reported_and_the_others_count(path):
    scores, errors = {}, {}
    for seed in range(1, 9):
        try:
            scores[seed] = _native.contest_solve(seed=seed, **NARROW.params)["score"]
        except ValueError as error:
            errors[seed] = str(error)
    assert scores and errors
    seen: list[Progress] = []
    result = run(NARROW, executor="local", checkpoint=path, progress=seen.append)
    assert (result.shards, result.cases[0].games) == (8, len(scores))
    assert result.cases[0].sums["score"] == sum(scores.values())
    assert set(result.records) == set(map(str, scores))
    assert {failure.seed: failure.error for failure in result.failures} == {
        seed: f"ValueError: seed {seed}: {error}" for seed, error in errors.items()
    }
    first = result.failures[0]
    assert (first.shard, first.name) == (first.seed - 1, f"contest, games {first.shard} to {first.shard}")
    assert str(result).splitlines()[1] == str(first) and str(first).startswith(f"shard {first.shard} (")
    assert (seen[-1].done, seen[-1].failed, seen[-1].games_done) == (8, len(errors), 8)
    assert str(seen[-1]).endswith(f", {len(errors)} failed")
    # The checkpoint records what failed, and the next run replays only that.
    assert {int(number) + 1 for number in json.loads(path.read_text())["failures"]} == set(errors)
    again: list[Progress] = []
    resumed = run(NARROW, executor="local", checkpoint=path, progress=again.append)
    assert (resumed.resumed, len(again)) == (len(scores), len(errors))
    assert (resumed.cases, resumed.failures) == (result.cases, result.failures)


def test_a_job_of_which_every_shard_fails_raises():
    level = {"game": "match3", "width": 1, "height": 1}
    with pytest.raises(ShardError, match=r"^all 3 shards failed; shard 0 \(greedy, games 0 to 1, seed 1\)") as error:
        run_local(Job("evaluate", level, games=5, shard_games=2))
    assert "\n" not in str(error.value)


def test_a_case_without_a_game_has_no_mean():
    driver = Driver(Job("evaluate", {"game": "match3", "agents": ["random", "greedy"], **LEVEL}, games=4))
    random, greedy = driver.shards
    driver.failed(random, MemoryError("none\nleft"))
    driver.done(greedy, run_shard(driver.job, greedy))
    result = driver.result()
    assert np.isnan(result.cases[0].mean("score")) and result.cases[1].games == 4
    assert result.failures[0].error == "MemoryError: none left"
    assert "random: 0 games" in str(result)
    assert isinstance(random, Shard) and not driver.left()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_driver_and_keeps_its_state(path, name):
    code = (
        "import sys; from bitcade.shards import *\n"
        "job = Job('evaluate', {'game': 'match3'}, games=400000, shard_games=500)\n"
        "run_local(job, checkpoint=sys.argv[1], progress=lambda now: print(now.done, flush=True))\n"
    )
    driver = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert driver.stdout is not None
    for line in driver.stdout:
        if int(line) == 5:
            break
    number = getattr(signal, name)
    driver.send_signal(number)
    start = time.monotonic()
    _, errors = driver.communicate()
    assert time.monotonic() - start < 20
    # After an uncaught KeyboardInterrupt Python kills itself with the signal.
    expected = -number if name == "SIGINT" else 128 + number
    assert driver.returncode == expected, errors
    assert len(saved(path)) >= 5


def test_handlers_are_put_back():
    before = [signal.getsignal(number) for number in Driver.SIGNALS]
    run_local(GREEDY)
    assert [signal.getsignal(number) for number in Driver.SIGNALS] == before


def test_progress_as_text():
    out = io.StringIO()
    text = TextProgress(out, every=10.0)
    for done in range(1, 4):
        text(Progress(done, 3, done * 10, 30, 2.0 * done, 5.0, done - 1))
    assert out.getvalue().splitlines() == [
        "1/3 shards, 10/30 games, 5.0 games/s, 4 s left",
        "3/3 shards, 30/30 games, 5.0 games/s, 0 s left, 2 lost and run again",
    ]


def test_a_description_holds_arrays():
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0, :2] = 1
    job = Job("self_play", {"game": "2048", "starts": start}, games=3)
    assert job.description()["params"]["starts"] == start.tolist()
    assert run_local(job).cases[0].games == 3

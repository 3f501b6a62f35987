"""Tests `bitcade.shards`: what needs no Ray."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitcade import _native
from bitcade.ray import run
from bitcade.shards import (
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

LEVEL = {"width": 5, "height": 5, "colors": 4, "moves": 8}
GREEDY = Job("evaluate", {"game": "match3", "agents": ["greedy"], **LEVEL}, games=100, shard_games=7)


@pytest.fixture(scope="module")
def network() -> _native.Network2048:
    learner = _native.Learner2048(seed=1)
    learner.learn(20)
    return learner.network()


@pytest.mark.parametrize("shard_games", [1, 7, 99, 100, 1000])
def test_shards_cover_every_game_once(shard_games: int) -> None:
    agents = {"game": "match3", "agents": ["random", "greedy"]}
    job = Job("evaluate", agents, games=100, shard_games=shard_games)
    shards = job.shards()
    assert [shard.number for shard in shards] == list(range(len(shards)))
    for case in (0, 1):
        games = [g for s in shards if s.case == case for g in range(s.first, s.first + s.games)]
        assert games == list(range(100))


def test_an_evaluation_does_not_depend_on_the_shards(network: _native.Network2048) -> None:
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


def test_results_add_up_in_any_order() -> None:
    results = [(shard, run_shard(GREEDY, shard)) for shard in GREEDY.shards()]
    expected = run_local(GREEDY)
    for seed in range(5):
        random.Random(seed).shuffle(results)
        driver = Driver(GREEDY)
        for shard, result in results:
            driver.done(shard, result)
            driver.done(shard, result)
        assert driver.result().cases == expected.cases


def test_a_level_test_counts_who_passes() -> None:
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


def test_self_play_counts_whole_games() -> None:
    params = {"game": "match3", "num_envs": 16, **LEVEL}
    (case,) = run_local(Job("self_play", params, games=101, shard_games=33)).cases
    assert case.games == 101
    assert case.sums["steps"] == 101 * LEVEL["moves"]
    # 4 games in a row in each of 4 places, by hand.
    job = Job("self_play", {**params, "num_envs": 4}, seed=5, games=32, shard_games=16)
    (second,) = job.shards()[1:]
    base = int(np.random.SeedSequence(5).generate_state(1, np.uint64)[0])
    seeds = [(base + 16 + place) % 2**64 for place in range(4)]
    batch = _native.Match3(4, seed=seeds, **LEVEL)
    rewards = np.array([batch.random_step()[1].astype(int) for _ in range(4 * LEVEL["moves"])])
    games = rewards.reshape(4, LEVEL["moves"], 4).sum(axis=1)
    sums = run_shard(job, second).sums
    assert (sums["return"], sums["return_squares"]) == (games.sum(), (games**2).sum())


def test_self_play_of_2048(network: _native.Network2048) -> None:
    params = {"game": "2048", "num_envs": 8}
    (case,) = run_local(Job("self_play", params, games=40, shard_games=20)).cases
    tiles = {key: count for key, count in case.sums.items() if key.startswith("tile_")}
    assert sum(tiles.values()) == 40
    (learned,) = run_local(Job("self_play", params, games=40, shard_games=20, network=network)).cases
    assert learned.mean("return") > 1.5 * case.mean("return")


def test_self_play_of_go_counts_wins() -> None:
    job = Job("self_play", {"game": "go", "size": 5, "komi": 0.5}, games=200, shard_games=50)
    (case,) = run_local(job).cases
    ended = case.sums["black_wins"] + case.sums["white_wins"] + case.sums["draws"]
    assert ended + case.sums["truncated"] == 200
    # Black has the first move, and the komi is small.
    assert case.sums["black_wins"] > case.sums["white_wins"] > 0
    # From White's side the same boards: every winner is the other one's.
    start = [[[0] * 5] * 5]
    turned = Job(
        "self_play", {**job.params, "komi": -0.5, "starts": start, "start_color": "white"}, games=200
    )
    (other,) = run_local(turned).cases
    assert other.sums["white_wins"] > other.sums["black_wins"] > 0


def test_self_play_of_tetris() -> None:
    (case,) = run_local(Job("self_play", {"game": "tetris", "max_steps": 15}, games=60, shard_games=25)).cases
    assert case.games == 60
    assert 0 < case.sums["steps"] <= 60 * 15


def test_a_contest_keeps_its_records() -> None:
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
        ({"kind": "self_play", "params": {"game": "2048", "autoreset": "disabled"}}, "autoreset"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Job(**{"kind": "evaluate", "params": {"game": "match3"}, **arguments})


def test_an_unknown_argument_of_a_class_is_refused() -> None:
    with pytest.raises(TypeError, match="wings"):
        Job("self_play", {"game": "2048", "wings": 2})


def test_a_network_plays_nothing_but_2048(network: _native.Network2048) -> None:
    with pytest.raises(ValueError, match="network"):
        Job("self_play", {"game": "match3"}, network=network)


def test_a_checkpoint_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    expected = run_local(GREEDY)

    def stop(progress: Progress) -> None:
        if progress.done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(GREEDY, executor="local", checkpoint=path, progress=stop)
    assert len(json.loads(path.read_text())["shards"]) == 6
    seen: list[Progress] = []
    result = run(GREEDY, executor="local", checkpoint=path, progress=seen.append)
    assert (result.resumed, result.cases) == (6, expected.cases)
    assert [progress.done for progress in seen] == list(range(7, 16))
    assert seen[-1].games_done == seen[-1].games == 100
    # What the checkpoint had cost no time, and is not in the rate.
    assert seen[-1].games_per_second * seen[-1].seconds == pytest.approx(100 - 6 * 7)
    assert os.listdir(tmp_path) == ["checkpoint.json"]


def test_the_checkpoint_of_another_job_is_refused(tmp_path: Path, network: _native.Network2048) -> None:
    path = tmp_path / "checkpoint.json"
    run_local(GREEDY, checkpoint=path)
    before = path.read_bytes()
    others = [
        (Job("evaluate", GREEDY.params, seed=2, games=100, shard_games=7), "seed is 1 there, 2 here"),
        (Job("evaluate", GREEDY.params, games=100, shard_games=8), "shard_games is 7"),
        (Job("evaluate", {**GREEDY.params, "moves": 9}, games=100, shard_games=7), "params is"),
        (Job("evaluate", {"game": "2048"}, games=100, shard_games=7, network=network), "network is None"),
    ]
    for job, reason in others:
        with pytest.raises(CheckpointError, match=reason):
            run_local(job, checkpoint=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "bitcade shards 0"}', '{"format": "bitcade shards 1", "job": 3}'],
)
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "checkpoint.json"
    path.write_text(text)
    with pytest.raises(CheckpointError):
        run_local(GREEDY, checkpoint=path)
    assert path.read_text() == text


def test_a_shard_that_the_job_does_not_have_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    run_local(GREEDY, checkpoint=path)
    saved = json.loads(path.read_text())
    saved["shards"]["15"] = saved["shards"]["14"]
    path.write_text(json.dumps(saved))
    with pytest.raises(CheckpointError, match="shard"):
        run_local(GREEDY, checkpoint=path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "checkpoint.json"
    driver = Driver(GREEDY, checkpoint=path)
    first, second = GREEDY.shards()[:2]
    driver.done(first, ShardResult({"games": 7}))
    driver.save()
    before = path.read_bytes()

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    driver.done(second, ShardResult({"games": 7}))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        driver.save()
    assert path.read_bytes() == before


#: A search this narrow loses the games of some of these seeds, as the contest engine finds out late.
NARROW = Job("contest", {"pieces": 200, "width": 20}, seed=1, games=8, shard_games=1)


def test_a_shard_that_fails_is_reported_and_the_others_count(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
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
    # The checkpoint says what failed, and the next run plays that again and nothing else.
    saved = json.loads(path.read_text())
    assert {int(number) + 1 for number in saved["failures"]} == set(errors)
    again: list[Progress] = []
    resumed = run(NARROW, executor="local", checkpoint=path, progress=again.append)
    assert (resumed.resumed, len(again)) == (len(scores), len(errors))
    assert (resumed.cases, resumed.failures) == (result.cases, result.failures)


def test_a_job_of_which_every_shard_fails_raises() -> None:
    level = {"game": "match3", "width": 1, "height": 1}
    with pytest.raises(ShardError, match=r"^all 3 shards failed; shard 0 \(greedy, games 0 to 1, seed 1\)") as error:
        run_local(Job("evaluate", level, games=5, shard_games=2))
    assert "\n" not in str(error.value)


def test_a_case_without_a_game_has_no_mean() -> None:
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
def test_a_signal_ends_the_driver_and_keeps_its_state(tmp_path: Path, name: str) -> None:
    path = tmp_path / "checkpoint.json"
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
    # Python itself dies of the signal after an interrupt that nobody caught.
    expected = -number if name == "SIGINT" else 128 + number
    assert driver.returncode == expected, errors
    assert len(json.loads(path.read_text())["shards"]) >= 5


def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in Driver.SIGNALS]
    run_local(GREEDY)
    assert [signal.getsignal(number) for number in Driver.SIGNALS] == before


def test_progress_as_text() -> None:
    out = io.StringIO()
    text = TextProgress(out, every=10.0)
    for done in range(1, 4):
        text(Progress(done, 3, done * 10, 30, 2.0 * done, 5.0, done - 1))
    assert out.getvalue().splitlines() == [
        "1/3 shards, 10/30 games, 5.0 games/s, 4 s left",
        "3/3 shards, 30/30 games, 5.0 games/s, 0 s left, 2 lost and run again",
    ]


def test_a_description_holds_arrays() -> None:
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0, :2] = 1
    job = Job("self_play", {"game": "2048", "starts": start}, games=3)
    assert job.description()["params"]["starts"] == start.tolist()
    assert run_local(job).cases[0].games == 3
    with pytest.raises(ValueError, match="JSON"):
        Job("evaluate", {"game": "match3", "budget": object()}).description()

"""`bitcade.jobs` without Ray: what it plays, where, and what is left after an error."""

from __future__ import annotations

import functools
import inspect
import itertools
import json
import os
import random
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from bitcade import _executors, _native, jobs
from bitcade._files import write_file
from bitcade._games import GAMES
from bitcade._play import game_seed
from bitcade._policy import draws, random_actions
from bitcade.jobs import FolderError, Job, JobError, Policy, Result, Sprt, read_trajectories, run
from conftest import ENVIRONMENT, refused, run_python

#: Small games that end soon.
SMALL: dict[str, dict[str, Any]] = {
    "2048": {"width": 3, "height": 3},
    "match3": {"width": 5, "height": 5, "colors": 4, "moves": 6},
    "match3-goals": {"rules": {"board": ["11111"] * 5, "colors": 4, "moves": 6, "goals": {"color": {1: 6}}}},
    "tetris": {"actions": "drops", "max_episode_steps": 30},
    "tetris-keys": {"level": 15, "frames": 20, "max_episode_steps": 40},
    "go": {"size": 5, "komi": 0.5},
}


def last_legal(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
    """Play the legal action with the largest number."""
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def by_content(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
    """Play an action that depends on every byte of the observation."""
    weights = np.arange(1, obs[0].size + 1, dtype=np.uint64)
    return random_actions(action_mask, draws(obs.reshape(len(obs), -1) @ weights, np.zeros(len(obs))))


class Fragile:
    """A policy that fails in about 1 % of the shards, the same ones anywhere."""

    def seed(self, seed: int) -> None:
        """Decide whether the next shard fails."""
        self.fails = seed % 100 == 0

    def __call__(self, obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Play the last legal action."""
        if self.fails:
            raise RuntimeError("no idea\nfor this board")
        return last_legal(obs, action_mask)


class Deadly:
    """A policy whose process is killed in the first shard, at most `times`: it counts in a file."""

    def __init__(self, path: Path, times: int) -> None:
        self.path, self.times, self.first = path, times, True

    def seed(self, seed: int) -> None:
        """Remember whether this is the first shard."""
        self.first = seed == int(draws(np.array([game_seed(1, 0)], np.uint64), np.zeros(1))[0]) >> 32

    def __call__(self, obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Play the last legal action, or die."""
        if self.first and len(self.path.read_bytes()) < self.times:
            self.path.write_bytes(self.path.read_bytes() + b"x")
            os.kill(os.getpid(), signal.SIGKILL)
        return last_legal(obs, action_mask)


def small(game: str, policy: Any = by_content, kind: Any = "evaluate", games: int = 20, **more: Any) -> Job:
    """Create a job of small games; `options` are added to the game's."""
    options = {**SMALL[game], **more.pop("options", {})}
    return Job(kind, game, policy, options=options, games=games, **{"shard_games": 10, **more})


def same(one: Result, other: Result) -> None:
    """Check that two results have the same games and failures."""
    assert list(one.columns) == list(other.columns)
    assert (one.failures, one.sprt) == (other.failures, other.sprt)
    for name, column in one.columns.items():
        assert column.tolist() == other[name].tolist(), name


def by_hand(game: str, number: int, players: Any, opening: int = 4) -> tuple[int, int, bool]:
    """Play a game of a job with seed 1 alone: return, length and whether it was truncated."""
    pair = len(players) == 2
    seed = game_seed(1, number // 2 if pair else number)
    batch, total = GAMES[game].batch(1, seed=[seed], **SMALL[game]), 0
    for step in itertools.count():
        black = game != "go" or batch.to_move()[0] == 0
        if pair and step < opening:
            word = draws(np.array([seed], np.uint64), np.array([3 * step + 2]))
            action = random_actions(batch.action_mask, word)
        else:
            mover = players[int(black != (number % 2 == 0))] if pair else players[0]
            action = mover(batch.obs.copy(), batch.action_mask.copy())
        _, reward, terminated, truncated, _ = batch.step(action)
        total += int(reward[0]) * (1 if black == (not pair or number % 2 == 0) else -1)
        if terminated[0] or truncated[0]:
            return total, step + 1, bool(truncated[0] and not terminated[0])
    raise AssertionError


@pytest.mark.parametrize("game", GAMES)
def test_results_are_games_by_hand_in_any_shards_slots_and_processes(game):
    against = {"opponent": last_legal} if game == "go" else {}
    expected = run(small(game, **against))
    players = [by_content, *against.values()]
    found = zip(*(expected[name].tolist() for name in ("return", "length", "truncated")), strict=True)
    assert list(found) == [by_hand(game, number, players) for number in range(20)]
    assert len(set(expected["length"].tolist()) | set(expected["return"].tolist())) > 3
    for shard_games, num_envs, executor in ((20, 64, None), (20, 3, None), (6, 1, None), (4, 64, 2)):
        same(run(small(game, **against, shard_games=shard_games, num_envs=num_envs), executor=executor), expected)


def test_extra_columns():
    largest = run(small("2048", last_legal, games=50))["largest"]
    assert all(tile & (tile - 1) == 0 for tile in largest.tolist()) and 4 <= largest.min() < largest.max() <= 512
    goals = run(small("match3-goals", games=50))
    assert 0 < goals["won"].sum() < 50 and (goals["length"][~goals["won"]] == 6).all()


def test_go_swaps_the_colors_of_every_pair():
    # Black passes, and White passes: White wins by the komi.
    passes = run(small("go", last_legal, "match", opponent=last_legal, games=40, opening_moves=0))
    assert passes["return"].tolist() == [-1, 1] * 20 and passes["black"].tolist() == [True, False] * 20
    # Players that are the same play both games of a pair alike; the package's random moves don't.
    for opponent, alike in ((by_content, True), ("random", False)):
        result = run(small("go", kind="match", opponent=opponent, games=40))
        assert (result["return"].reshape(-1, 2).sum(axis=1) == 0).all() == alike
    same(run(small("go", games=40)), result)
    # Alone, a policy plays both sides, and Black's results count.
    alone = run(small("go", last_legal, "self_play", games=4))
    assert alone["return"].tolist() == [-1] * 4 and alone["length"].tolist() == [2] * 4


def test_a_match_compares_the_same_seeds():
    result = run(small("match3", "greedy", "match", opponent=by_content, games=40))
    for name, player in (("return", "greedy"), ("opponent_return", by_content)):
        assert (result[name] == run(small("match3", player, games=40))["return"]).all()
    assert (result["difference"] == result["return"] - result["opponent_return"]).all()
    assert result.mean("difference") > 2 * result.stderr("difference") > 0
    assert str(result).startswith("match of match3 by greedy against by_content: 40 games, return ")


def network() -> _native.Network2048:
    """Learn from some games of 2048."""
    learner = _native.Learner2048(seed=1)
    learner.learn(100)
    return learner.network()


FORMATS = {"dtype": "float32", "channels": "last"}
#: The players of the package, and options that change what observations look like, but not the games.
LAYOUTS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "match3": ("greedy", {"moves": 6}, {"one_hot": True, **FORMATS}),
    "2048": (network, {"max_episode_steps": 300}, {"one_hot": True, **FORMATS}),
    "tetris": (
        functools.partial(Policy, "bot", nodes=200),
        {"max_episode_steps": 40, "actions": "placements"},
        {"planes": True, "rows": 12, **FORMATS},
    ),
    "go": (functools.partial(Policy, "search", playouts=30), {"size": 5}, {"history": 3, **FORMATS}),
}


@pytest.mark.parametrize("game", LAYOUTS)
def test_players_of_the_package_ask_the_batch(game):
    player, options, layouts = LAYOUTS[game]
    policy = player() if callable(player) else player
    expected = run(Job("evaluate", game, policy, options=options, games=4))
    assert expected.mean("return") > run(Job("evaluate", game, "random", options=options, games=20)).mean("return")
    pairs = [{**one, **other} for one, other in itertools.product([{k: v} for k, v in layouts.items()], repeat=2)]
    played = 0
    for layout in pairs:
        try:
            GAMES[game].batch(1, **options, **layout)
        except ValueError:
            assert "channels" in refused(Job, "evaluate", game, policy, options={**options, **layout})
            continue
        same_games = run(Job("evaluate", game, policy, options={**options, **layout}, games=4))
        for name, column in expected.columns.items():
            assert (same_games[name] == column).all(), layout
        played += 1
    assert played >= 6


@pytest.mark.parametrize(
    "options", [{}, {"hold": False, "next": 2, "garbage": (3, 1)}, {"second_spawn_row": False, "next": 1}]
)
def test_the_bot_hears_what_the_observation_says(options):
    batch = _native.TetrisBatch(4, seed=3, max_episode_steps=60, **options)
    rows, preview = 200, options.get("next", 5)
    combos, holds = 0, 0
    for _ in range(60):
        actions = []
        for slot in range(4):
            said, obs = batch.bot_arguments(slot), batch.obs[slot, rows:].tolist()
            names = "-IOTSZJL"
            assert said["queue"] == "".join(names[piece] for piece in (obs[0], *obs[2 : 2 + preview]))
            assert (said["hold"] or "-") == names[obs[1]] and said["combo"] == obs[2 + preview]
            assert said["back_to_back"] == (obs[3 + preview] > 0)
            assert said["second_spawn_row"] == options.get("second_spawn_row", True)
            combos += said["combo"] > 0
            # Its best moves are actions of the batch.
            moves = _native.tetris_bot(batch.board(slot), nodes=100, **said)
            actions.append(Policy("bot", nodes=100)._bot(batch, slot, batch.action_mask[slot]))
            best = next(move for move in moves if options.get("hold", True) or not move["hold"])
            assert batch.action_mask[slot, actions[-1]] and (actions[-1] >= 880) == best["hold"]
            holds += best["hold"]
        batch.step(actions)
    assert combos > 5 and (holds > 20) == options.get("hold", True)
    assert "IndexError" in refused(batch.bot_arguments, 4)


#: Two values of each argument of a job, in a job for which they matter, and whether its results differ.
VALUES: dict[str, tuple[dict[str, Any], Any, Any, bool]] = {
    "kind": ({"game": "go", "opponent": "random"}, "match", "evaluate", False),
    "game": ({}, "match3", "2048", True),
    "policy": ({}, "random", Policy(last_legal, name="last"), True),
    "opponent": ({"kind": "match"}, "random", Policy(last_legal, name="last"), True),
    "options": ({}, {"moves": np.int64(6)}, {"moves": 7}, True),
    "levels": ({"kind": "level_test"}, [{"moves": 6}], [{"moves": 6}, {"moves": 7}], True),
    "games": ({}, 12, 14, True),
    "seed": ({}, 1, 2**64 - 1, True),
    "shard_games": ({}, 4, 6, False),
    "num_envs": ({}, 64, 1, False),
    "opening_moves": ({"game": "go", "opponent": "random"}, 4, 2, True),
    "gamma": ({"kind": "trajectories"}, 1.0, 0.5, False),
}


def test_every_argument_is_in_a_table():
    assert list(VALUES) == [field.name for field in fields(Job)]
    tested = Path(__file__).read_text() + Path(__file__).with_name("test_ray.py").read_text()
    for entry in (run, Policy, Sprt, Policy.__init__):
        for name in inspect.signature(entry).parameters:
            assert f"{name}=" in tested or name in ("self", "source", "job"), name


@pytest.mark.parametrize("name", VALUES)
def test_an_argument_matters_and_its_folder_is_refused(name, tmp_path):
    more, one, other, differs = VALUES[name]
    common = {"kind": "evaluate", "game": "match3", "policy": "random", "games": 12, "shard_games": 4, **more}
    jobs_ = [Job(**{**common, name: value}) for value in (one, other)]
    first = run(jobs_[0], folder=tmp_path / "job")
    assert run(jobs_[0], folder=tmp_path / "job").resumed == len(list(jobs_[0].shards()))
    second = run(jobs_[1])
    lists = [{key: column.tolist() for key, column in result.columns.items()} for result in (first, second)]
    assert differs == (lists[0] != lists[1])
    before = contents(tmp_path / "job")
    if name == "num_envs":
        assert run(jobs_[1], folder=tmp_path / "job").resumed == 3
    else:
        with pytest.raises(FolderError, match=r"the folder of another job: .* there, .* here") as error:
            run(jobs_[1], folder=tmp_path / "job")
        assert {"policy": "policies", "opponent": "policies", "options": "levels"}.get(name, name) in str(error.value)
    assert contents(tmp_path / "job") == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"kind": "dance"}, "kind"),
        *(({name: value}, name) for name in ("games", "shard_games", "num_envs") for value in (0, -1, 2.5, True, "3")),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed="),
        ({"gamma": 2}, "gamma=2"),
        ({"opening_moves": -1}, "opening_moves=-1"),
        ({"game": "chess"}, "chess"),
        ({"game": None}, "None"),
        ({"policy": None}, "a policy"),
        ({"policy": 5}, "int"),
        ({"policy": "best"}, "random, greedy, bot, search"),
        ({"policy": "greedy", "game": "2048"}, "plays match3, not 2048"),
        ({"policy": "bot", "game": "tetris", "options": {"actions": "drops"}}, "placements"),
        ({"policy": network, "game": "2048", "options": {"width": 5}}, "board"),
        ({"opponent": "random"}, "no opponent"),
        ({"kind": "match"}, "an opponent"),
        ({"kind": "self_play", "opponent": "random"}, "no opponent"),
        ({"game": "go", "games": 3}, "even"),
        ({"game": "go", "shard_games": 3}, "even"),
        ({"options": {"wings": 3}}, "wings"),
        ({"options": {"width": 99}}, "width"),
        *(({"options": {name: 1}}, f"{name} can't be set") for name in ("seed", "autoreset_mode", "num_threads")),
        ({"levels": [{}]}, "levels"),
        ({"kind": "level_test"}, "levels"),
        ({"kind": "level_test", "levels": []}, "levels"),
        ({"kind": "level_test", "levels": [{}, {"width": 99}]}, "width"),
        ({"kind": "contest"}, "no game"),
        ({"kind": "contest", "game": None, "policy": None, "options": {"moves": 3}}, "moves"),
        ({"kind": "contest", "game": None, "policy": None, "options": {"pieces": 0}}, "pieces"),
        ({"kind": "contest", "game": None, "policy": None, "options": {"pieces": 10**5}}, "pieces"),
        ({"kind": "contest", "game": None, "policy": None, "options": {"width": 0}}, "width"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments, reason):
    job: dict[str, Any] = {"kind": "evaluate", "game": "match3", "policy": "random", **arguments}
    if job["policy"] is network:
        job["policy"] = network()
    assert reason in refused(lambda: Job(**job))


def test_wrong_arguments_of_a_run_and_of_policies_are_refused(tmp_path):
    job = small("match3", "random")
    for executor in (0, -1, "threads", 1.5, True):
        assert f"executor={executor!r}" in refused(run, job, executor=executor)
    assert "ray_options" in refused(run, job, ray_options={"num_cpus": 1})
    assert "match" in refused(run, job, sprt=Sprt())
    assert "a name in a folder" in refused(run, small("match3"), folder=tmp_path)
    lock = {"lock": os.scandir(tmp_path)}
    assert "can't be sent" in refused(run, small("match3", lambda obs, mask: lock), executor=2)
    for arguments in ({"depth": 1}, {"nodes": 5}, {"playouts": 0}, {"playouts": 1.5}):
        assert next(iter(arguments)) in refused(Policy, "search", **arguments)
    assert "not an ONNX model" in refused(Policy, b"model")
    with pytest.raises(FileNotFoundError, match="none.onnx"):
        Policy("none.onnx")
    for name, value in (("elo1", 0), ("alpha", 0), ("beta", 0.5)):
        assert name in refused(Sprt, **{name: value})


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (lambda obs, mask: mask.argmax(axis=1)[:-1], "expected 10 integers"),
        (lambda obs, mask: mask.argmax(axis=1)[:, None], "expected 10 integers"),
        (lambda obs, mask: mask.argmax(axis=1).astype(float), "float64 of shape (10,)"),
        (lambda obs, mask: None, "expected 10 integers"),
        (lambda obs, mask: np.full(len(obs), 10**6), "1000000"),
        (lambda obs, mask: (~mask).argmax(axis=1), "legal"),
        (lambda obs, mask: sys.exit(3), "SystemExit: 3"),
    ],
)
def test_a_job_of_which_every_shard_fails_raises(policy, reason):
    with pytest.raises(JobError, match=r"^all 2 shards failed; shard 0 \(games 0 to 9, first seed \d+\)") as error:
        run(small("2048", policy, options={"width": 4}))
    assert reason in str(error.value) and "\n" not in str(error.value)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def stop_after(count: int) -> Any:
    """Return a `progress` that interrupts a run."""

    def stop(done: int, shards: int) -> None:
        assert done <= shards
        if done == count:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize("executor", [None, 2])
@pytest.mark.parametrize("kind", ["evaluate", "trajectories"])
def test_an_interrupted_job_is_resumed(tmp_path, kind, executor):
    job = small("match3", Policy(by_content, name="1"), kind, games=50, shard_games=4)
    expected = run(job, folder=tmp_path / "whole")
    folder = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        run(job, folder=folder, executor=executor, progress=stop_after(5))
    assert len(contents(folder)) == 1 + 5
    seen: list[tuple[int, int]] = []
    result = run(job, folder=folder, executor=executor, progress=lambda *done: seen.append(done))
    same(result, expected)
    assert (result.resumed, seen) == (5, [(done, 13) for done in range(6, 14)])
    # Files are the same wherever they were written, and one that was lost is written again.
    (folder / ("000003.parquet" if kind == "trajectories" else "000003.npz")).unlink()
    assert run(job, folder=folder).resumed == 12
    assert contents(folder) == contents(tmp_path / "whole")


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    for kind, suffix in (("evaluate", "npz"), ("trajectories", "parquet")):
        folder, job = tmp_path / kind, small("match3", "random", kind)
        run(job, folder=folder)
        path, other = folder / f"000000.{suffix}", folder / f"000001.{suffix}"
        whole = path.read_bytes()
        middle = bytearray(whole)
        middle[len(whole) // 2 if kind == "evaluate" else -len(whole) // 8] ^= 1
        for content in (b"", b"x", whole[:-1], whole[: len(whole) // 2], bytes(middle), other.read_bytes()):
            if kind == "trajectories" and content == bytes(middle):
                continue
            path.write_bytes(content)
            with pytest.raises(FolderError, match=f"{path}: .*delete it") as error:
                run(job, folder=folder)
            assert "\n" not in str(error.value) and path.read_bytes() == content
        path.unlink()
        assert run(job, folder=folder).resumed == 1 and path.read_bytes() == whole
        (folder / "_job.json").write_text("[1]")
        assert "not the description" in refused(run, job, folder=folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "000000.npz").write_text("mine")
    assert "not the folder of a job: has 000000.npz" in refused(run, job, folder=tmp_path / "mine")
    assert contents(tmp_path / "mine") == {"000000.npz": b"mine"}


PROGRAM = """
import os, resource, sys
from bitcade.jobs import Job, run
folder, shards = sys.argv[1], []
job = Job("contest", options={"pieces": 30, "width": 5}, games=6, shard_games=1)
def progress(done, total):
    shards.append(done)
    if done == 2 and sys.argv[2] == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (50, resource.RLIM_INFINITY))
if sys.argv[2] == "read-only":
    os.chmod(folder, 0o555)
    if os.getuid() == 0:
        os.setgid(54321)
        os.setuid(54321)
try:
    run(job, folder=folder, progress=progress)
except OSError as error:
    print(error, shards)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits and modes")
@pytest.mark.parametrize(("trouble", "shards"), [("full", 2), ("read-only", 0)])
def test_a_folder_that_cannot_be_written(tmp_path, trouble, shards):
    tmp_path.chmod(0o755)
    tmp_path.parent.chmod(0o755)
    folder = tmp_path / "job"
    folder.mkdir()
    done = run_python(PROGRAM, str(folder), trouble)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(folder) in done.stdout and done.stdout.endswith(f" {list(range(1, shards + 1))}\n")
    folder.chmod(0o755)
    # Nothing is lost or half written.
    job = Job("contest", options={"pieces": 30, "width": 5}, games=6, shard_games=1)
    assert len(contents(folder)) == (shards + 1 if shards else 0)
    assert run(job, folder=folder).resumed == shards


def test_a_file_is_replaced_whole(tmp_path):
    far, link = tmp_path / "far", tmp_path / "link"
    write_file(far, b"1")
    far.chmod(0o640)
    link.symlink_to(far)
    write_file(link, b"2")
    assert link.is_symlink() and far.read_bytes() == b"2" and far.stat().st_mode & 0o777 == 0o640
    assert "regular" in refused(write_file, tmp_path, b"") and "regular" in refused(write_file, os.devnull, b"")
    assert sorted(os.listdir(tmp_path)) == ["far", "link"]


@pytest.mark.parametrize("executor", [None, 2])
def test_a_policy_that_fails_in_some_shards_loses_only_these(tmp_path, executor):
    job = small("match3", Policy(Fragile(), name="1"), games=400, shard_games=2, options={"moves": 1})
    seen: list[int] = []
    result = run(job, folder=tmp_path, executor=executor, progress=lambda done, _: seen.append(done))
    again = run(job, folder=tmp_path)
    same(again, result)
    failed = {number for failure in result.failures for number in failure.games}
    assert 0 < len(failed) < 16 and result["game"].tolist() == [n for n in range(400) if n not in failed]
    assert (len(seen), again.resumed) == (200, 200 - len(result.failures))
    first = result.failures[0]
    assert (first.seed, first.error) == (game_seed(1, first.games[0]), "RuntimeError: no idea for this board")
    games = f"games {first.games[0]} to {first.games[-1]}"
    assert f"shard {first.shard} ({games}, first seed {first.seed}) failed" in str(result)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("times", [2, 100])
def test_a_killed_worker_loses_nothing(tmp_path, times):
    marks = tmp_path / "marks"
    marks.write_bytes(b"")
    result = run(small("match3", Deadly(marks, times), games=60, shard_games=5), executor=2)
    expected = run(small("match3", last_legal, games=60, shard_games=5))
    killed = min(times, jobs.ATTEMPTS)
    assert result.lost == killed == len(marks.read_bytes())
    if times == 2:
        same(result, expected)
    else:
        assert [(failure.shard, failure.error) for failure in result.failures] == [(0, "lost with its process 5 times")]
        assert result["return"].tolist() == expected["return"].tolist()[5:]


DRIVER = """
import sys
from bitcade.jobs import Job, run
if __name__ == "__main__":
    job = Job("evaluate", "match3", "greedy", games=10**6, shard_games=1000)
    run(job, executor=2, folder=sys.argv[1], progress=lambda done, _: print(done, flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_driver_that_ends_leaves_files_and_no_processes(tmp_path, name):
    (tmp_path / "driver.py").write_text(DRIVER)
    folder, command = tmp_path / "job", [sys.executable, str(tmp_path / "driver.py"), str(tmp_path / "job")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT) as driver:
        assert driver.stdout is not None
        while driver.stdout.readline() != "3\n":
            assert driver.poll() is None
        children = psutil.Process(driver.pid).children(recursive=True)
        driver.send_signal(getattr(signal, name))
        assert driver.wait(20) == -getattr(signal, name)
    assert len(children) >= 2 and psutil.wait_procs(children, timeout=10)[1] == []
    files = [file for file in contents(folder) if not file.startswith(".")]
    assert len(files) >= 4 and json.loads((folder / "_job.json").read_text())["policies"] == ["greedy"]


def shuffled(generator: random.Random) -> _executors.Executor:
    """Return an executor that plays in any order, and loses shards."""

    def play(job: Job, queue: deque[jobs.Shard]) -> Iterator[tuple[jobs.Shard, _executors.Outcome]]:
        while queue:
            generator.shuffle(queue)
            shard = queue.popleft()
            yield shard, _executors.LOST if generator.random() < 0.1 else _executors.play(job, shard)

    return play


def test_a_sequential_test_ends_the_same_in_any_order(tmp_path, monkeypatch):
    job = small("match3", "greedy", "match", opponent=Fragile(), games=400, shard_games=5)
    test = Sprt(elo0=0, elo1=60)
    expected = run(job, sprt=test)
    assert expected.sprt is not None and expected.sprt.accepted == "H1" and "H1 accepted" in str(expected)
    assert 5 <= expected.games < 100 and expected["game"].tolist() == list(range(expected.games))
    for seed in range(5):
        monkeypatch.setattr(jobs, "choose", lambda *_, seed=seed: shuffled(random.Random(seed)))
        result = run(job, sprt=test)
        same(result, expected)
        same(run(small("go", kind="self_play")), run(small("go", kind="self_play")))
    monkeypatch.undo()
    # Go counts pairs; a stricter test continues from the folder; games that end first leave it undecided.
    go = small("go", Policy(last_legal, name="1"), "match", opponent="random", games=200, shard_games=4)
    first = run(go, sprt=Sprt(0, 100, alpha=0.2, beta=0.2), folder=tmp_path, executor=2)
    strict = run(go, sprt=Sprt(0, 100, alpha=1e-3, beta=1e-3), folder=tmp_path)
    assert first.sprt is not None and first.sprt.accepted == "H0" and strict.games > first.games
    assert strict.resumed >= first.games // 4
    open_ = run(small("go", kind="match", opponent=by_content), sprt=test)
    assert open_.sprt is not None and open_.sprt.accepted is None and open_.games == 20


def test_the_likelihoods_of_a_sequential_test():
    # Against the maximum of the likelihood over a grid of trinomial distributions with the given mean.
    counts, test = [20, 31, 30], Sprt(-10, 30)
    likely = []
    for elo in (test.elo0, test.elo1):
        mean = 1 / (1 + 10 ** (-elo / 400))
        middle = np.linspace(1e-6, 2 * min(mean, 1 - mean) - 1e-6, 2_000_000)
        wins, losses = mean - middle / 2, 1 - mean - middle / 2
        likely.append((20 * np.log(losses) + 31 * np.log(middle) + 30 * np.log(wins)).max())
    assert test.llr(counts) == pytest.approx(likely[1] - likely[0], abs=1e-4)
    # Pairs that are won, drawn or lost twice are trinomial, too.
    assert test.llr([20, 0, 31, 0, 30]) == pytest.approx(test.llr(counts), abs=0.01)
    assert Sprt(0, 5).test([0, 0, 0]).bounds == pytest.approx((-np.log(19), np.log(19)))
    assert Sprt().llr([0, 0, 0]) == 0 and np.isnan(Sprt().test([0, 0, 0]).elo).all()
    elo, low, high = Sprt().test([10, 0, 30]).elo
    assert elo == pytest.approx(400 * np.log10(3)) and low < elo < high


@pytest.mark.parametrize("true_elo", [0, 60])
def test_the_error_rates_of_a_sequential_test(true_elo):
    # Pairs of games that tend to end alike, as after an unbalanced opening.
    generator, wrong, runs = random.Random(1), 0, 300
    test = Sprt(0, 60, alpha=0.05, beta=0.05)
    win = 1 / (1 + 10 ** (-true_elo / 400))
    shift = 1 - win if win > 0.5 else win
    for _ in range(runs):
        counts = [0] * 5
        state = test.test(counts)
        while state.accepted is None:
            for _ in range(8):
                tilt = generator.choice((-0.8, 0.8)) * shift
                counts[2 * ((generator.random() < win + tilt) + (generator.random() < win - tilt))] += 1
            state = test.test(counts)
        wrong += state.accepted != ("H1" if true_elo else "H0")
    # At most 5 %, give or take three standard deviations.
    assert wrong / runs < 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5


def test_levels_are_evaluations():
    levels = [{"moves": 12}, {"colors": 5}]
    result = run(small("match3", "greedy", "level_test", levels=levels, games=30))
    for number, level in enumerate(levels):
        expected = run(small("match3", "greedy", options=level, games=30))
        rows = result["level"] == number
        assert all((result[name][rows] == column).all() for name, column in expected.columns.items())
    assert [line.partition(", return")[0] for line in str(result).splitlines()] == [
        f"level_test of match3 by greedy, level {number}: 30 games" for number in (0, 1)
    ]


def test_a_contest_keeps_its_records_and_names_lost_games():
    # A search this narrow loses the games of some of these seeds, late in the game.
    options = {"pieces": 200, "width": 20}
    result = run(Job("contest", options=options, seed=1, games=8, shard_games=1))
    solved, errors = {}, {}
    for seed in range(1, 9):
        try:
            solved[seed] = _native.contest_solve(seed=seed, **options)
        except ValueError as error:
            errors[seed] = f"ValueError: seed {seed}: {error}"
    assert solved and {failure.seed: failure.error for failure in result.failures} == errors != {}
    assert result["seed"].tolist() == list(solved)
    for name in ("score", "bound", "lines", "pieces", "record"):
        assert result[name].tolist() == [game[name] for game in solved.values()]


@pytest.mark.parametrize("game", GAMES)
def test_trajectories_equal_the_run(tmp_path, game):
    pytest.importorskip("pyarrow")
    gamma = 0.9
    job = small(game, Policy(by_content, name="1"), "trajectories", games=15, num_envs=4, gamma=gamma)
    result = run(job, folder=tmp_path)
    same(result, run(small(game, kind="self_play", games=15)))
    played = {}
    for file in ("000000.parquet", "000001.parquet"):
        columns, metadata = read_trajectories(tmp_path / file)
        assert (metadata["game"], metadata["policy"]) == (game, "1")
        assert (np.lexsort((columns["step"], columns["game"])) == np.arange(len(columns["step"]))).all()
        for number, seed in zip(metadata["games"]["game"], metadata["seeds"], strict=True):
            rows = {name: column[columns["game"] == number] for name, column in columns.items()}
            assert rows["step"].tolist() == list(range(len(rows["step"]))) and seed == job.seed_of(number)
            # Replay the actions from the game's seed.
            batch = GAMES[game].batch(1, seed=[seed], **metadata["options"])
            for t, action in enumerate(rows["action"].tolist()):
                assert (rows["obs"][t] == batch.obs[0]).all() and (rows["action_mask"][t] == batch.action_mask[0]).all()
                assert action == by_content(batch.obs, batch.action_mask)[0]
                _, *outcome, _ = batch.step([action])
                found = [rows[name][t] for name in ("reward", "terminated", "truncated")]
                assert found == [each[0] for each in outcome]
            assert outcome[1][0] or outcome[2][0]
            sign, expected = (-1 if game == "go" else 1), 0.0
            for reward, to_go in zip(rows["reward"][::-1], rows["return_to_go"][::-1], strict=True):
                expected = float(reward) + sign * gamma * expected
                assert to_go == np.float32(expected)
            played[number] = len(rows["step"])
    assert list(played) == list(range(15)) and list(played.values()) == result["length"].tolist()


def test_a_file_without_trajectories_is_refused(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), path)
    assert f"{path}: expected" in refused(read_trajectories, path)


def model(kind: str, masked: bool, actions: bool) -> bytes:
    """Make an ONNX model of 2048: the logit of an action is a weighted sum of the board, or the smallest if masked."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from onnx import parser

    chosen = "Where(action_mask, sums, least)" if masked else "Identity(sums)"
    result = "int64[n] actions" if actions else "float[n, 4] logits"
    text = f"""<ir_version: 8, opset_import: ["" : 13]>
    policy ({kind}[n, 4, 4] obs {", bool[n, 4] action_mask" if masked else ""}) => ({result})
    <float[16, 4] weights = {{{", ".join(map(str, WEIGHTS.ravel()))}}},
     int64[2] flat = {{-1, 16}}, float least = {{-1e9}}>
    {{ numbers = Cast<to = 1>(obs) rows = Reshape(numbers, flat) sums = MatMul(rows, weights) logits = {chosen}
       {"actions = ArgMax<axis = 1, keepdims = 0>(logits)" if actions else ""} }}"""
    made = parser.parse_model(text)
    onnx.checker.check_model(made)
    return bytes(made.SerializeToString())


WEIGHTS = np.random.default_rng(1).normal(size=(16, 4)).astype(np.float32)


def test_an_onnx_model_plays(tmp_path):
    path, board = tmp_path / "net.onnx", {"width": 4, "height": 4}

    def same_sums(obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask, obs.reshape(-1, 16).astype(np.float32) @ WEIGHTS, -np.inf).argmax(axis=1)

    expected = run(small("2048", same_sums, options=board))
    for kind, masked, actions in (("float", False, False), ("uint8", True, False), ("int64", True, True)):
        path.write_bytes(model(kind, masked, actions))
        same(run(small("2048", path, options=board), executor=2 if masked else None), expected)
        assert Policy(path).id == Policy(path.read_bytes()).id != Policy(path, name="best").id == "best"
    # The model chooses among all actions if it doesn't see the masks.
    with pytest.raises(JobError, match="legal"):
        run(small("2048", model("float", False, True), options=board))
    assert "the model failed" in refused(small, "2048", path)


def test_random_actions_are_uniform():
    mask = np.random.default_rng(1).random((5, 7)) < 0.5
    mask[:, 3] = True
    words = draws(np.arange(20_000), np.zeros(20_000))
    for row in mask:
        actions = random_actions(np.repeat(row[None], 20_000, 0), words)
        shares = np.bincount(actions, minlength=7) / 20_000
        assert (shares[~row] == 0).all() and np.allclose(shares[row], 1 / row.sum(), atol=0.015)


def test_a_network_is_known_by_its_depth_and_weights():
    networks = (network(), _native.Learner2048().network())
    ids = {Policy(source, depth=depth).id for source in networks for depth in (1, 2)}
    assert len(ids) == 4 and Policy(network()).id in ids

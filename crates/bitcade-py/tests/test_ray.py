"""Tests `bitcade.ray` on real clusters of several nodes, each cluster in a separate network namespace.

Run as a program, this file is the body of one test. It runs inside the namespace, where Ray finds only the loopback
address.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from bitcade._native import Learner2048
from bitcade.ray import Job, Progress, ShardError, Sprt, learn_2048, run
from bitcade.shards import Result

pytestmark = pytest.mark.slow
SHARDS = 40
NODES = 3
CORES = 2
MEGABYTES = 100 << 20


def job(seed: int = 7) -> Job:
    """Create a job of 40 shards, about a quarter of a second each."""
    return Job(
        "evaluate", {"game": "match3", "agents": ["greedy"]}, seed, games=3000 * SHARDS, shard_games=3000
    )


@functools.cache
def namespace() -> tuple[str, ...] | str:
    """Return a command prefix that isolates the network, or the reason why that is impossible."""
    if importlib.util.find_spec("ray") is None:
        return "Ray is not installed"
    if not (shutil.which("unshare") and shutil.which("ip")):
        return "no network namespaces here: unshare or ip is missing"
    for flags in ("-n", "-rn"):
        # `exec`, because signals must reach the command and not the shell.
        command = ("unshare", flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return "no network namespaces here: unshare is not allowed"


def environment(temporary: str) -> dict[str, str]:
    """Return an environment that isolates Ray: no usage reports, and a separate folder for its files."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    own = {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_TMPDIR": temporary,
        # The namespace is private, and a token would be written to the user's home.
        "RAY_AUTH_MODE": "Disabled",
        # By default Ray's workers have a low priority and would starve on a busy machine.
        "RAY_worker_niceness": "0",
        "PYTHONUNBUFFERED": "1",
    }
    return {**kept, **own}


def stop(process: subprocess.Popen[str]) -> None:
    """End a body and all processes that it started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
    process.wait()


def run_body(body: str, folder: Path, timeout: float = 240.0) -> None:
    """Run a body of this file in a namespace, and fail with its output if it fails."""
    command = namespace()
    if isinstance(command, str):
        pytest.skip(command)
    log = folder / "log"
    # A short path, because socket names contain it.
    with open(log, "w", encoding="utf-8") as out, tempfile.TemporaryDirectory(prefix="ray") as temporary:
        process = subprocess.Popen(
            [*command, sys.executable, __file__, body, str(folder)],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment(temporary),
            start_new_session=True,
            text=True,
        )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            stop(process)
    text = log.read_text(encoding="utf-8", errors="replace")
    assert code == 0, f"{body} ended with {code}:\n{text[-6000:]}"


@pytest.mark.parametrize("body", ["body_kills", "body_resume", "body_errors", "body_kinds", "body_policies", "body_learning"])
def test_on_clusters(tmp_path, body):
    run_body(body, tmp_path)


def test_arguments_are_checked_before_ray_starts():
    for arguments in ({"executor": "threads"}, {"workers": 0}, {"attempts": 0}):
        with pytest.raises(ValueError, match=next(iter(arguments))):
            run(job(), **arguments)  # type: ignore[arg-type]


@contextlib.contextmanager
def cluster(nodes: int = NODES, cores: int = CORES) -> Iterator[Any]:
    """Start a cluster: a head node without cores for the driver, and nodes with cores."""
    from ray.cluster_utils import Cluster

    common = {"node_ip_address": "127.0.0.1", "object_store_memory": MEGABYTES, "include_dashboard": False}
    started = Cluster(initialize_head=True, head_node_args={**common, "num_cpus": 0})
    try:
        for _ in range(nodes):
            started.add_node(num_cpus=cores, node_ip_address="127.0.0.1", object_store_memory=MEGABYTES)
        started.wait_for_nodes()
        yield started
    finally:
        import ray

        ray.shutdown()
        started.shutdown()


def raylets(started: Any) -> list[psutil.Process]:
    """Return the raylet processes of the nodes with cores."""
    return [psutil.Process(node.all_processes["raylet"][0].process.pid) for node in started.worker_nodes]


def playing(raylet: psutil.Process) -> list[psutil.Process]:
    """Return the workers of a node that are playing a shard right now."""
    found = []
    for child in raylet.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "bitcade shard" in " ".join(child.cmdline()):
                found.append(child)
    return found


def same(first: Result, second: Result) -> None:
    """Check that two runs of a job have the same totals."""
    assert first.cases == second.cases
    assert first.records == second.records


def body_kills(_folder: Path) -> None:
    """Kill two workers and then a whole node while they play."""
    import ray

    expected = run(job(), executor="local")
    with cluster() as started:
        ray.init(address=started.address, log_to_driver=False)
        nodes = raylets(started)
        killed: list[str] = []

        def progress(now: Progress) -> None:
            print(now, flush=True)
            if (now.done >= 6 and not killed) or (now.done >= 12 and len(killed) == 1):
                victims = playing(nodes[len(killed)])
                if victims:
                    victims[0].kill()
                    killed.append("worker")
            elif now.done >= 18 and len(killed) == 2:
                workers = playing(nodes[2])
                if workers:
                    members = [nodes[2], *nodes[2].children(recursive=True)]
                    for member in members:
                        with contextlib.suppress(psutil.NoSuchProcess):
                            member.kill()
                    killed.append("node")

        result = run(job(), progress=progress)
        assert killed == ["worker", "worker", "node"]
        assert result.shards == SHARDS
        assert result.lost >= 3, result
        deadline = time.monotonic() + 60
        while sum(node["Alive"] for node in ray.nodes()) > NODES and time.monotonic() < deadline:
            time.sleep(0.2)
        assert sum(node["Alive"] for node in ray.nodes()) == NODES, "the head and two of three nodes"
        same(result, expected)
        print(result, result.lost)


def body_resume(folder: Path) -> None:
    """Stop a driver by SIGTERM, another by SIGKILL, and let a third one finish."""
    expected = run(job(), executor="local")
    checkpoint = folder / "checkpoint.json"
    with cluster() as started:

        def start() -> subprocess.Popen[str]:
            arguments = [sys.executable, __file__, "driver", str(folder), started.address]
            return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)

        def until(driver: subprocess.Popen[str], done: int) -> None:
            assert driver.stdout is not None
            for line in driver.stdout:
                if int(line) >= done:
                    return
            raise AssertionError(f"the driver ended by {driver.wait()} before {done} shards")

        def saved() -> int:
            return len(json.loads(checkpoint.read_text(encoding="utf-8"))["shards"])

        driver = start()
        until(driver, 8)
        driver.send_signal(signal.SIGTERM)
        driver.communicate()
        assert driver.returncode == 128 + signal.SIGTERM, driver.returncode
        first = saved()
        assert 8 <= first < SHARDS
        driver = start()
        until(driver, 20)
        driver.kill()
        driver.communicate()
        second = saved()
        assert first < second < SHARDS
        driver = start()
        until(driver, SHARDS)
        assert driver.wait() == 0
        assert saved() == SHARDS
    # The checkpoint is complete: nothing is left to play.
    start_time = time.monotonic()
    result = run(job(), executor="local", checkpoint=checkpoint)
    assert (result.resumed, result.shards) == (SHARDS, SHARDS)
    assert time.monotonic() - start_time < 1.0
    same(result, expected)
    print(f"stopped at {first}, killed at {second}: {result}")


def driver(folder: Path, address: str) -> None:
    """Run the job as a separate program, and print how many shards are done."""

    def progress(now: Progress) -> None:
        print(now.done, flush=True)

    run(job(), address=address, checkpoint=folder / "checkpoint.json", progress=progress, save_seconds=0.5)


def body_errors(folder: Path) -> None:
    """Make some shards, then all shards, raise an exception."""
    import ray

    with cluster(1) as started:
        ray.init(address=started.address, log_to_driver=False)
        bad = Job("evaluate", {"game": "match3", "width": 0}, games=3, shard_games=1)
        try:
            run(bad)
        except ShardError as error:
            assert "ValueError" in str(error), error
        else:
            raise AssertionError("no error")
        assert ray.is_initialized(), "a cluster of the caller's stays"
        narrow = Job("contest", {"pieces": 200, "width": 20}, games=8, shard_games=1)
        expected = run(narrow, executor="local")
        for _ in range(2):
            result = run(narrow, checkpoint=folder / "narrow.json")
            same(result, expected)
            assert result.failures == expected.failures and 0 < len(result.failures) < 8
        assert result.resumed == 8 - len(result.failures)


def body_kinds(folder: Path) -> None:
    """Run one small job of each kind."""
    import ray

    from bitcade import _native

    learner = _native.Learner2048(seed=1)
    learner.learn(20)
    network = learner.network()
    level = {"width": 5, "height": 5, "colors": 4, "moves": 10, "target": 900}
    jobs = [
        Job("self_play", {"game": "2048", "num_envs": 16}, games=200, shard_games=30),
        Job("self_play", {"game": "2048", "num_envs": 16}, games=60, shard_games=7, network=network),
        Job("self_play", {"game": "match3", "moves": 12}, games=100, shard_games=30),
        Job("self_play", {"game": "tetris", "max_episode_steps": 20}, games=100, shard_games=30),
        Job("self_play", {"game": "go", "size": 5}, games=100, shard_games=30),
        Job("evaluate", {"game": "2048"}, games=20, shard_games=3, network=network),
        Job("evaluate", {"game": "match3", "agents": ["random", "greedy"]}, games=90, shard_games=20),
        Job(
            "level_test",
            {"levels": [level], "agents": ["greedy", "rollout"], "budget": 5},
            games=30,
            shard_games=8,
        ),
        Job("contest", {"pieces": 20, "width": 5}, games=5, shard_games=2),
        Job("evaluate", {"game": "tetris", "max_episode_steps": 20}, games=20, shard_games=4, policy="bot"),
        Job("evaluate", {"game": "go", "size": 5}, games=20, shard_games=4, policy=lambda obs, mask: mask.argmax(axis=1)),
        Job("match", {"game": "2048"}, games=20, shard_games=3, policy=network, opponent="random"),
        Job("trajectories", {"game": "2048", "out": str(folder / "data")}, games=20, shard_games=3, policy="random"),
    ]
    with cluster(2) as started:
        ray.init(address=started.address, log_to_driver=False)
        for each in jobs:
            result = run(each, workers=3)
            same(result, run(each, executor="local"))
            print(result, flush=True)
        match = Job("match", {"game": "go", "size": 5}, games=400, shard_games=2, policy="search", opponent="random")
        result = run(match, sprt=Sprt(0, 100))
        same(result, run(match, executor="local", sprt=Sprt(0, 100)))
        assert result.sprt is not None and result.sprt.accepted == "H1" and result.cases[0].games < 400


class Fragile:
    """A policy that raises in about 1 % of the shards: the same ones anywhere."""

    def seed(self, seed: int) -> None:
        """Decide whether the next shard fails."""
        self.fails = seed % 100 == 0

    def __call__(self, obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Play the first legal action."""
        if self.fails:
            raise RuntimeError("no action")
        return action_mask.argmax(axis=1)


def body_policies(_folder: Path) -> None:
    """Kill one of two nodes with one core each, while a policy raises in some shards."""
    import ray

    job = Job("evaluate", {"game": "match3"}, games=200 * 200, shard_games=200, policy=Fragile())
    expected = run(job, executor="local")
    assert 0 < len(expected.failures) <= 6, expected
    with cluster(2, cores=1) as started:
        ray.init(address=started.address, log_to_driver=False)
        nodes = raylets(started)
        killed: list[psutil.Process] = []

        def progress(now: Progress) -> None:
            if now.done >= 40 and not killed and playing(nodes[1]):
                killed.extend([nodes[1], *nodes[1].children(recursive=True)])
                for member in killed:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        member.kill()

        result = run(job, progress=progress)
        assert killed and result.lost >= 1 and result.shards == 200
        same(result, expected)
        assert result.failures == expected.failures
        assert {failure.error for failure in result.failures} == {"RuntimeError: no action"}
        print(result, result.lost)


def body_learning(_folder: Path) -> None:
    """Kill one of two nodes with one core each while 2048 is learned."""
    import ray

    expected = learn_2048(1500, workers=2, executor="local").save()
    with cluster(2, cores=1) as started:
        ray.init(address=started.address, log_to_driver=False)
        node = raylets(started)[1]
        killed: list[int] = []

        def progress(learner: Learner2048) -> None:
            if learner.games >= 600 and not killed:
                for member in (*node.children(recursive=True), node):
                    with contextlib.suppress(psutil.NoSuchProcess):
                        member.kill()
                killed.append(learner.games)

        assert learn_2048(1500, workers=2, progress=progress).save() == expected
        assert killed
        bad = {"num_cpus": 1, "runtime_env": {"env_vars": {"BITCADE_LEVEL": "none"}}}
        try:
            learn_2048(200, ray_remote_args=bad, attempts=1)
        except ShardError as error:
            assert "200 games of seed" in str(error), error
        else:
            raise AssertionError("no error")


if __name__ == "__main__":
    if sys.argv[1] == "driver":
        driver(Path(sys.argv[2]), sys.argv[3])
    else:
        globals()[sys.argv[1]](Path(sys.argv[2]))

"""Distributed jobs on Ray: shards of games, played wherever the cluster has a free core.

    import bitcade.ray

    level = {"game": "match3", "width": 8, "height": 8, "agents": ["greedy"]}
    job = bitcade.ray.Job("evaluate", level, games=1_000_000, shard_games=5000)
    result = bitcade.ray.run(job, address="auto", checkpoint="greedy.json", progress=True)
    print(result)

Ray starts the worker processes, distributes the work and detects failures. A shard lost with its worker or node is
played again and yields the same integers, so the totals equal a single-process run (`executor="local"`) whatever died.
The driver's only state is its checkpoint, a file that is replaced atomically: a driver stopped by a signal, or killed,
resumes from there. This package must be installed on every machine.

`bitcade.shards` describes jobs and shards.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bitcade import shards
from bitcade._learn import Learning, play_part
from bitcade._native import Learner2048, Network2048
from bitcade.shards import *  # noqa: F403
from bitcade.shards import Driver, Job, ProgressCallback, Result, Shard, ShardError, ShardResult, Sprt, run_local, run_shard

if TYPE_CHECKING:
    from ray import ObjectRef

__all__ = ["learn_2048", "run", *shards.__all__]

WAIT_SECONDS = 0.25
"""How often signals are polled while no shard finishes."""

CLUSTER_SECONDS = 5.0
"""How often the size of the cluster is polled."""


def run(
    job: Job,
    *,
    executor: str = "ray",
    workers: int | None = None,
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: ProgressCallback | bool | None = None,
    attempts: int = 10,
    save_seconds: float = 5.0,
    sprt: Sprt | None = None,
    ray_remote_args: Mapping[str, Any] | None = None,
) -> Result:
    """Play all shards of a job and return the totals.

    `executor="local"` plays all shards in this process. A shard lost with its worker is run again, up to `attempts` times
    in total. A shard that raises an exception, or is lost that often, is reported in the result's `failures`; with a
    checkpoint, the next call runs it again.

    Args:
        job: The job.
        executor: `ray` or `local`.
        workers: The number of shards to run at a time; by default the cluster's cores are kept busy.
        address: The cluster's address, as in `ray.init`. Without one, and unless Ray is already initialized, a local
            cluster is started for the job.
        checkpoint: A file for the results, from which the job resumes.
        progress: A function called with a `Progress` after every shard, or `True` to print text.
        attempts: The number of times that a shard may be lost before it fails.
        save_seconds: The time between two writes of the checkpoint.
        sprt: A sequential test that ends a match as soon as it is decided, with the same result on any cluster.
        ray_remote_args: Options of Ray's tasks, such as `{"num_gpus": 0.25}`; by default a shard takes one core.

    Raises:
        ShardError: Every shard failed.
    """
    if executor == "local":
        return run_local(job, checkpoint=checkpoint, progress=progress, save_seconds=save_seconds, sprt=sprt)
    if executor != "ray":
        raise ValueError(f"executor={executor!r}: expected ray or local")
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers}: expected at least 1")
    if attempts < 1:
        raise ValueError(f"attempts={attempts}: expected at least 1")
    import ray

    # Before Ray starts, to fail early on a checkpoint of another job.
    driver = Driver(job, checkpoint=checkpoint, progress=progress, save_seconds=save_seconds, sprt=sprt)
    own = not ray.is_initialized()
    try:
        if own:
            _init(address, workers)
        # Only now: `ray.init` installs a signal handler, too.
        with driver:
            _run(driver, workers, attempts, ray_remote_args or {})
            return driver.result()
    finally:
        driver.close()
        if own:
            ray.shutdown()


def _run(driver: Driver, workers: int | None, attempts: int, remote_args: Mapping[str, Any]) -> None:
    import ray
    from ray.exceptions import RayError, RayTaskError

    # No retries by Ray: lost shards return to this loop, which counts them.
    options = {"num_cpus": 1, **remote_args, "max_retries": 0, "name": "bitcade shard"}
    remote = ray.remote(run_shard).options(**options)
    job = ray.put(driver.job)
    queue = deque(driver.left())
    lost: Counter[Shard] = Counter()
    running: dict[ObjectRef[ShardResult], Shard] = {}
    limit, next_look = workers or 1, 0.0
    try:
        while (queue or running) and not driver.decided():
            driver.check()
            if workers is None and time.monotonic() >= next_look:
                # Two shards per core, so none waits for the driver. Nodes come and go.
                limit = max(2 * int(ray.cluster_resources().get("CPU", 1)), 2)
                next_look = time.monotonic() + CLUSTER_SECONDS
            while queue and len(running) < limit:
                shard = queue.popleft()
                running[remote.remote(job, shard)] = shard
            ended, _ = ray.wait(list(running), timeout=WAIT_SECONDS)
            for reference in ended:
                shard = running.pop(reference)
                try:
                    result: Any = ray.get(reference)
                except RayTaskError as error:
                    driver.failed(shard, error.cause or error)
                except RayError as error:
                    # The worker, its node or the result was lost, through no fault of the shard.
                    lost[shard] += 1
                    if lost[shard] >= attempts:
                        driver.failed(shard, f"lost {lost[shard]} times, the last time by {error!r}")
                    else:
                        driver.lost += 1
                        queue.appendleft(shard)
                else:
                    driver.done(shard, result)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def learn_2048(
    games: int,
    *,
    workers: int = 1,
    seed: int = 1,
    learning_rate: float = 1.0,
    coherence: bool = True,
    executor: str = "ray",
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[Learner2048], object] | None = None,
    attempts: int = 10,
    ray_remote_args: Mapping[str, Any] | None = None,
) -> Learner2048:
    """Train a 2048 network by self-play on several machines, and return its learner.

    Workers play with recent networks, each on one core of the cluster. This process, on a core of its own, learns from
    their games, from the end of each to its start, while they play the next ones. Without a resumption the result
    depends on the arguments only, `workers` included, not on the machines or on what died.

    One worker plays about as fast as the learner learns, so a third one is of little use.

    Args:
        games: The number of games to learn from, including those in the checkpoint.
        workers: The number of workers.
        seed: The seed of the games.
        learning_rate: The learning rate, as in `g2048.Learner`.
        coherence: Whether to scale steps by coherence, as in `g2048.Learner`.
        executor: `ray`, or `local` to play all games in this process, too.
        address: The cluster's address, as in `run`.
        checkpoint: A file for the learner after each batch of games, from which the training resumes. Games that were
            being played are played again, by a later network.
        progress: A function called with the learner after each batch.
        attempts: The number of times that a worker may be lost in one part of a batch before the call fails.
        ray_remote_args: Options of Ray's tasks, as in `run`.

    Raises:
        ValueError: An argument is wrong, or the checkpoint belongs to another learner.
        ShardError: A part of a batch failed or was lost too often. The checkpoint has all earlier ones.
    """
    if executor not in ("ray", "local"):
        raise ValueError(f"executor={executor!r}: expected ray or local")
    if attempts < 1:
        raise ValueError(f"attempts={attempts}: expected at least 1")
    settings = {"workers": workers, "seed": seed, "learning_rate": learning_rate, "coherence": coherence}
    learning = Learning(settings, checkpoint, games)
    try:
        if executor == "local":
            learning.run(
                lambda network, parts: [play_part(network, *part) for part in parts], lambda played: played, progress
            )
        else:
            _learn(learning, workers, address, progress, attempts, ray_remote_args or {})
        return learning.learner
    finally:
        learning.close()


def _learn(
    learning: Learning,
    workers: int,
    address: str | None,
    progress: Callable[[Learner2048], object] | None,
    attempts: int,
    remote_args: Mapping[str, Any],
) -> None:
    import ray
    from ray.exceptions import RayError, RayTaskError

    own = not ray.is_initialized()
    if own:
        _init(address, workers)
    # No retries by Ray, as for shards.
    options = {"num_cpus": 1, **remote_args, "max_retries": 0, "name": "bitcade actor"}
    remote = ray.remote(play_part).options(**options)
    running: set[ObjectRef[bytes]] = set()

    def submit(network: ObjectRef[Any], part: tuple[int, int]) -> ObjectRef[bytes]:
        running.add(reference := remote.remote(network, *part))
        return reference

    def start(network: Network2048, parts: list[tuple[int, int]]) -> list[Any]:
        common = ray.put(network)
        return [(common, part, submit(common, part)) for part in parts]

    def finish(batch: list[Any]) -> list[bytes]:
        played = []
        for common, part, reference in batch:
            for attempt in range(attempts):
                # Signals arrive between two waits.
                while not ray.wait([reference], timeout=WAIT_SECONDS)[0]:
                    pass
                running.discard(reference)
                try:
                    played.append(ray.get(reference))
                    break
                except RayTaskError as error:
                    raise ShardError(f"{part[0]} games of seed {part[1]} failed: {error.cause or error!r}") from None
                except RayError as error:
                    if attempt + 1 == attempts:
                        lost = f"{part[0]} games of seed {part[1]} were lost {attempts} times"
                        raise ShardError(f"{lost}, the last time by {error!r}") from None
                    reference = submit(common, part)
        return played

    try:
        learning.run(start, finish, progress)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if own:
            ray.shutdown()


def _init(address: str | None, workers: int | None) -> None:
    """Connect to a cluster, or start a local one: only that takes a number of cores."""
    import ray

    cores: dict[str, Any] = {"num_cpus": workers} if address is None and "RAY_ADDRESS" not in os.environ else {}
    ray.init(address=address, log_to_driver=False, **cores)

"""Jobs on many machines by Ray: shards of seeds, played wherever the cluster has a free core.

    import bitcade.ray

    level = {"game": "match3", "width": 8, "height": 8, "agents": ["greedy"]}
    job = bitcade.ray.Job("evaluate", level, games=1_000_000, shard_games=5000)
    result = bitcade.ray.run(job, address="auto", checkpoint="greedy.json", progress=True)
    print(result)

Ray starts the machines' processes, sends the work out and notices what dies. A shard that was lost with its
worker or node is played again, and gives the same integers again: totals equal those of one process
(`executor="local"`), whatever died. The driver's own state is its checkpoint, a file that is always whole: a
driver that was stopped by a signal, or killed, goes on from there. Every machine needs this package
installed.

Jobs and shards are described in `bitcade.shards`.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from bitcade import shards
from bitcade.shards import *  # noqa: F403
from bitcade.shards import Driver, Job, ProgressCallback, Result, Shard, ShardResult, run_local, run_shard

if TYPE_CHECKING:
    from ray import ObjectRef

__all__ = ["run", *shards.__all__]

WAIT_SECONDS = 0.25
"""The time between two looks at signals while no shard ends."""

CLUSTER_SECONDS = 5.0
"""The time between two looks at the cluster's size."""


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
) -> Result:
    """Play all shards of a job and return the totals.

    `workers` is the number of shards that run at a time, by default as many as the cluster has cores.
    `address` is the cluster's, as `ray.init` takes it; without one, and unless Ray is initialized already, a
    cluster of this machine is started for the job. `checkpoint` is a file to go on from and to keep results
    in. `progress` is called with a `Progress` after every shard, or `True` for text. A shard that is lost
    with its worker is run again, up to `attempts` times in all. A shard that raises an exception, or is lost
    that often, is in the result's `failures`, and with a checkpoint is run again by the next call; if every
    shard fails, `ShardError` is raised. `executor="local"` plays all in this process.
    """
    if executor == "local":
        return run_local(job, checkpoint=checkpoint, progress=progress, save_seconds=save_seconds)
    if executor != "ray":
        raise ValueError(f"executor={executor!r}: expected ray or local")
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers}: expected at least 1")
    if attempts < 1:
        raise ValueError(f"attempts={attempts}: expected at least 1")
    import ray

    # Before anything is started: a checkpoint of another job ends here.
    driver = Driver(job, checkpoint=checkpoint, progress=progress, save_seconds=save_seconds)
    own = not ray.is_initialized()
    try:
        if own:
            # A cluster that is there has its own number of cores.
            cores = {"num_cpus": workers} if address is None and "RAY_ADDRESS" not in os.environ else {}
            ray.init(address=address, log_to_driver=False, **cores)
        # Handlers after `init`, which sets its own one.
        with driver:
            _run(driver, workers, attempts)
            return driver.result()
    finally:
        driver.close()
        if own:
            ray.shutdown()


def _run(driver: Driver, workers: int | None, attempts: int) -> None:
    import ray
    from ray.exceptions import RayError, RayTaskError

    # Lost shards come back here instead of being retried by Ray, so that they are counted.
    remote = ray.remote(run_shard).options(num_cpus=1, max_retries=0, name="bitcade shard")
    job = ray.put(driver.job)
    queue = deque(driver.left())
    lost: Counter[Shard] = Counter()
    running: dict[ObjectRef[ShardResult], Shard] = {}
    limit, next_look = workers or 1, 0.0
    try:
        while queue or running:
            driver.check()
            if workers is None and time.monotonic() >= next_look:
                # Two for each core: the next one is there when one ends. Nodes come and go.
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
                    # The worker, its node or the result is gone: losses that are no fault of the shard.
                    lost[shard] += 1
                    if lost[shard] >= attempts:
                        driver.failed(shard, f"lost {lost[shard]} times, at last by {error!r}")
                    else:
                        driver.lost += 1
                        queue.appendleft(shard)
                else:
                    driver.done(shard, result)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)

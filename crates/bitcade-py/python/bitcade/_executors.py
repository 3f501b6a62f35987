"""Where the shards of a job are played: in this process, in several, or on a Ray cluster.

Each executor takes shards from a queue until it is empty, and yields each with the bytes of its result, the text of an
error, or `LOST` if the process that played it has died. The consumer may put lost shards back into the queue.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .jobs import Job, Shard

LOST = None
Outcome = bytes | str | None
Outcomes = Generator[tuple["Shard", Outcome], None, None]
Executor = Callable[["Job", "deque[Shard]"], Outcomes]

#: The time in seconds between two looks at the size of a cluster.
CLUSTER_SECONDS = 5.0


def choose(executor: int | str | None, ray_options: Mapping[str, Any] | None) -> Executor:
    """Return the executor for an argument of `run`."""
    if ray_options is not None and executor != "ray":
        raise ValueError("ray_options: expected executor='ray', too")
    if executor is None:
        return in_process
    if executor == "ray":
        return lambda job, queue: on_ray(job, queue, ray_options or {})
    if not isinstance(executor, int) or isinstance(executor, bool) or executor < 1:
        raise ValueError(f"executor={executor!r}: expected a number of processes, 'ray' or None")
    return lambda job, queue: in_processes(job, queue, executor)


def one_line(error: BaseException) -> str:
    """Return the type and the message of an exception."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def play(job: Job, shard: Shard) -> Outcome:
    """Play a shard; return its result or its error."""
    try:
        return job.play(shard)
    # A policy that exits must not end the job.
    except (Exception, SystemExit) as error:
        return one_line(error)


def in_process(job: Job, queue: deque[Shard]) -> Outcomes:
    """Play in this process."""
    while queue:
        shard = queue.popleft()
        yield shard, play(job, shard)


def serialized(job: Job, dumps: Callable[[Job], Any]) -> Any:
    """Serialize a job for other processes, or raise a `ValueError`."""
    try:
        return dumps(job)
    except Exception as error:
        hint = "functions of a script need the package cloudpickle"
        raise ValueError(f"policy: it can't be sent to other processes ({hint}): {one_line(error)}") from None


#: In a worker process: the serialized job, which the first shard reads.
_content = b""


def _begin(content: bytes) -> None:
    """Prepare a worker process."""
    global _content
    _content = content
    # Ctrl-C reaches all processes of a terminal: the parent ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@cache
def _job_here() -> Job:
    job: Job = pickle.loads(_content)
    return job


def _play_here(shard: Shard) -> Outcome:
    try:
        return play(_job_here(), shard)
    except Exception as error:
        return one_line(error)


def in_processes(job: Job, queue: deque[Shard], count: int) -> Outcomes:
    """Play in other processes."""
    try:
        from cloudpickle import dumps
    except ImportError:
        from pickle import dumps
    content = serialized(job, dumps)
    context = multiprocessing.get_context("spawn")
    # A process that dies breaks its whole pool: in a pool of its own, it loses one shard, and one knows which.
    pools: dict[ProcessPoolExecutor, Future[int]] = {}
    idle: list[ProcessPoolExecutor] = []
    running: dict[Future[Outcome], tuple[Shard, ProcessPoolExecutor]] = {}
    try:
        while queue or running:
            while queue and len(running) < count:
                if not idle:
                    pool = ProcessPoolExecutor(1, context, _begin, (content,))
                    pools[pool] = pool.submit(os.getpid)
                    idle.append(pool)
                pool = idle.pop()
                try:
                    future = pool.submit(_play_here, queue[0])
                except BrokenProcessPool:
                    del pools[pool]
                else:
                    running[future] = queue.popleft(), pool
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                shard, pool = running.pop(future)
                outcome: Outcome
                try:
                    outcome = future.result()
                    idle.append(pool)
                except BrokenProcessPool:
                    outcome = LOST
                    del pools[pool]
                yield shard, outcome
    finally:
        # Don't wait for the end of shards that nobody needs.
        for _, pool in running.values():
            with contextlib.suppress(BrokenProcessPool, ProcessLookupError):
                os.kill(pools[pool].result(), signal.SIGTERM)
        for pool in pools:
            pool.shutdown(wait=False)


def on_ray(job: Job, queue: deque[Shard], options: Mapping[str, Any]) -> Outcomes:
    """Play on the cluster to which this process is connected; otherwise on the one that `ray.init` finds or starts."""
    try:
        import ray
        from ray.exceptions import RayError
    except ImportError as error:
        raise ImportError("executor='ray' needs Ray: pip install 'bitcade[ray]'") from error
    own = not ray.is_initialized()
    if own:
        ray.init(log_to_driver=False)
    running: dict[Any, Shard] = {}
    try:
        # No retries by Ray: the consumer counts lost shards.
        task = ray.remote(play).options(**{"num_cpus": 1, **options, "max_retries": 0, "name": "bitcade shard"})
        shared = serialized(job, ray.put)
        limit, next_look = 1, 0.0
        while queue or running:
            if time.monotonic() >= next_look:
                # Two shards per core, so none waits for the driver. Nodes come and go.
                limit = max(2 * int(ray.cluster_resources().get("CPU", 1)), 2)
                next_look = time.monotonic() + CLUSTER_SECONDS
            while queue and len(running) < limit:
                shard = queue.popleft()
                running[task.remote(shared, shard)] = shard
            for reference in ray.wait(list(running), timeout=CLUSTER_SECONDS)[0]:
                shard = running.pop(reference)
                try:
                    outcome = ray.get(reference)
                except RayError:
                    # The worker, its node or the result was lost, through no fault of the shard.
                    outcome = LOST
                yield shard, outcome
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if own:
            ray.shutdown()

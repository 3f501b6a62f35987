"""Where the shards of a job are played: in this process, in several, or on a Ray cluster.

Each executor takes shards from a queue until it is empty, calls a function with each, and yields it with the bytes that
the function returned, the text of an error, or `LOST` if the process that played it has died. The consumer may put lost
shards back into the queue.
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
from typing import Any

LOST = None
Outcome = bytes | str | None
#: Plays a shard; both are the caller's.
Play = Callable[[Any], bytes]
Outcomes = Generator[tuple[Any, Outcome], None, None]
Executor = Callable[[Play, deque[Any]], Outcomes]

#: The time in seconds between two looks at the size of a cluster.
CLUSTER_SECONDS = 5.0


def choose(executor: int | str | None, ray_options: Mapping[str, Any] | None) -> Executor:
    """Return the executor for an argument of `run`."""
    if ray_options is not None and executor != "ray":
        raise ValueError("ray_options: expected executor='ray', too")
    if executor is None:
        return in_process
    if executor == "ray":
        return lambda play, queue: on_ray(play, queue, ray_options or {})
    if not isinstance(executor, int) or isinstance(executor, bool) or executor < 1:
        raise ValueError(f"executor={executor!r}: expected a number of processes, 'ray' or None")
    return lambda play, queue: in_processes(play, queue, executor)


def one_line(error: BaseException) -> str:
    """Return the type and the message of an exception."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def outcome(play: Play, shard: Any) -> Outcome:
    """Play a shard; return its result or its error."""
    try:
        return play(shard)
    # A policy that exits must not end the job.
    except (Exception, SystemExit) as error:
        return one_line(error)


def in_process(play: Play, queue: deque[Any]) -> Outcomes:
    """Play in this process."""
    while queue:
        shard = queue.popleft()
        yield shard, outcome(play, shard)


def serialized(play: Play, dumps: Callable[[Play], Any]) -> Any:
    """Serialize a function for other processes, or raise a `ValueError`."""
    try:
        return dumps(play)
    except Exception as error:
        hint = "functions of a script need the package cloudpickle"
        raise ValueError(f"policy: it can't be sent to other processes ({hint}): {one_line(error)}") from None


#: In a worker process: the serialized function, which the first shard reads.
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
def _function_here() -> Play:
    play: Play = pickle.loads(_content)
    return play


def _play_here(shard: Any) -> Outcome:
    try:
        return outcome(_function_here(), shard)
    except Exception as error:
        return one_line(error)


def in_processes(play: Play, queue: deque[Any], count: int) -> Outcomes:
    """Play in other processes."""
    try:
        from cloudpickle import dumps
    except ImportError:
        from pickle import dumps
    content = serialized(play, dumps)
    context = multiprocessing.get_context("spawn")
    # A process that dies breaks its whole pool: in a pool of its own, it loses one shard, and one knows which.
    pools: dict[ProcessPoolExecutor, Future[int]] = {}
    idle: list[ProcessPoolExecutor] = []
    running: dict[Future[Outcome], tuple[Any, ProcessPoolExecutor]] = {}
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
                found: Outcome
                try:
                    found = future.result()
                    idle.append(pool)
                except BrokenProcessPool:
                    found = LOST
                    del pools[pool]
                yield shard, found
    finally:
        # Don't wait for the end of shards that nobody needs.
        for _, pool in running.values():
            with contextlib.suppress(BrokenProcessPool, ProcessLookupError):
                os.kill(pools[pool].result(), signal.SIGTERM)
        for pool in pools:
            pool.shutdown(wait=False)


def on_ray(play: Play, queue: deque[Any], options: Mapping[str, Any]) -> Outcomes:
    """Play on the cluster to which this process is connected; otherwise on the one that `ray.init` finds or starts."""
    try:
        import ray
        from ray.exceptions import RayError
    except ImportError as error:
        raise ImportError("executor='ray' needs Ray: pip install 'bitcade[ray]'") from error
    own = not ray.is_initialized()
    if own:
        ray.init(log_to_driver=False)
    running: dict[Any, Any] = {}
    try:
        # No retries by Ray: the consumer counts lost shards.
        task = ray.remote(outcome).options(**{"num_cpus": 1, **options, "max_retries": 0, "name": "bitcade shard"})
        shared = serialized(play, ray.put)
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
                    found = ray.get(reference)
                except RayError:
                    # The worker, its node or the result was lost, through no fault of the shard.
                    found = LOST
                yield shard, found
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if own:
            ray.shutdown()

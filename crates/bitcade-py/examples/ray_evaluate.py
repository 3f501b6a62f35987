"""Evaluate random and greedy play on a match-3 level, on all machines of a Ray cluster.

    python examples/ray_evaluate.py --games 1000000 --checkpoint greedy.json   # this machine
    python examples/ray_evaluate.py --address auto --games 1000000000   # the cluster this machine belongs to
    python examples/ray_evaluate.py --local --games 10000   # one process, without Ray
    python examples/ray_evaluate.py --measure   # the overhead of Ray

Stop it with Ctrl-C at any time: with a checkpoint, the same command resumes from there. `--measure` plays 40 shards
of about a second on two workers, alternating between Ray and plain processes, and compares the times.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import time
from concurrent.futures import ProcessPoolExecutor

from bitcade.ray import Job, run, run_shard
from bitcade.shards import Driver, Result

SHARDS = 40
WORKERS = 2


def timed_by_processes(job: Job, pool: ProcessPoolExecutor) -> tuple[float, Result]:
    """Play a job with plain processes, as a lower bound on the time."""
    driver = Driver(job)
    start = time.perf_counter()
    futures = [(shard, pool.submit(run_shard, job, shard)) for shard in driver.shards]
    for shard, future in futures:
        driver.done(shard, future.result())
    return time.perf_counter() - start, driver.result()


def timed_by_ray(job: Job) -> tuple[float, Result]:
    """Play a job with Ray, on the cluster that is already running."""
    start = time.perf_counter()
    result = run(job, workers=WORKERS)
    return time.perf_counter() - start, result


def measure(turns: int, seconds: float) -> None:
    """Compare Ray with plain processes."""
    # By default Ray lowers its workers' priority; plain processes keep theirs.
    os.environ["RAY_worker_niceness"] = "0"
    import ray

    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        # Start both sides' processes, let them import everything, and find the number of games that takes `seconds`.
        games, took = 1000, 0.0
        while took < seconds / 2:
            games = round(games * min(4.0, seconds / took)) if took else games
            job = Job("evaluate", {"game": "match3"}, games=WORKERS * games, shard_games=games)
            timed_by_ray(job)
            took, _ = timed_by_processes(job, pool)
        games = round(games * seconds / took)
        job = Job("evaluate", {"game": "match3"}, games=SHARDS * games, shard_games=games)
        print(f"{SHARDS} shards of {games} games, {WORKERS} workers")
        overheads = []
        for turn in range(turns):
            # Alternate, and reverse the order each turn, because other programs also use the machine.
            if turn % 2 == 0:
                (plain, expected), (by_ray, result) = timed_by_processes(job, pool), timed_by_ray(job)
            else:
                (by_ray, result), (plain, expected) = timed_by_ray(job), timed_by_processes(job, pool)
            if result.cases != expected.cases:
                raise SystemExit(f"different totals: {result} and {expected}")
            overheads.append(by_ray / plain - 1)
            print(f"processes {plain:.2f} s, Ray {by_ray:.2f} s: {overheads[-1]:+.2%}", flush=True)
        print(f"median overhead {statistics.median(overheads):+.2%} of {turns} turns")
    ray.shutdown()


def main() -> None:
    """Run the evaluation, or the measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--shard-games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", nargs="+", default=["random", "greedy"])
    parser.add_argument("--address", help="address of the cluster, or auto; default: a local cluster")
    parser.add_argument("--workers", type=int, help="shards to run at a time; default: by the cluster's cores")
    parser.add_argument("--checkpoint", help="file to save results to and resume from")
    parser.add_argument("--local", action="store_true", help="play in this process, without Ray")
    parser.add_argument("--measure", action="store_true", help="compare Ray with plain processes")
    parser.add_argument("--turns", type=int, default=5, help="turns of --measure")
    parser.add_argument("--seconds", type=float, default=1.0, help="duration of a shard of --measure")
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.turns, arguments.seconds)
        return
    level = {"width": 8, "height": 8, "colors": 6, "moves": 30}
    job = Job(
        "evaluate",
        {"game": "match3", "agents": arguments.agents, **level},
        seed=arguments.seed,
        games=arguments.games,
        shard_games=arguments.shard_games,
    )
    result = run(
        job,
        executor="local" if arguments.local else "ray",
        workers=arguments.workers,
        address=arguments.address,
        checkpoint=arguments.checkpoint,
        progress=True,
    )
    for case in result.cases:
        print(
            f"{case.name}: {case.mean('score'):.2f} ± {case.stderr('score'):.2f} points, {case.games} games"
        )
    print(
        f"{result.seconds:.1f} s, {result.resumed} of {result.shards} shards resumed, {result.lost} lost"
    )


if __name__ == "__main__":
    main()

"""`bitcade.jobs` on real Ray clusters of several nodes, each cluster in a separate network namespace.

Run as a program, this file is the body of one test. It runs inside the namespace, where Ray finds only the loopback
address.
"""

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from bitcade import _native
from bitcade.jobs import Job, JobError, Policy, Sprt, run
from test_jobs import Fragile, contents, same

pytestmark = pytest.mark.slow
SHARDS = 40
#: Shards of about a quarter of a second each.
JOB = Job("evaluate", "match3", "greedy", seed=7, games=2000 * SHARDS, shard_games=2000)


def namespace():
    # Return a command prefix that isolates the network, if possible.
    for flags in ("-n", "-rn"):
        # `exec`, because signals must reach the command and not the shell.
        command = ("unshare", flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
        with contextlib.suppress(FileNotFoundError):
            if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
                return command
    return None


def kill(number):
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(number)
        for member in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()


@pytest.mark.parametrize("body", ["body_kills", "body_resume", "body_kinds"])
def test_on_clusters(tmp_path, body):
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    command = namespace()
    if command is None:
        pytest.skip("no network namespaces here")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("RAY_")},
        "RAY_USAGE_STATS_ENABLED": "0",
        # The namespace is private, and a token would be written to the user's home.
        "RAY_AUTH_MODE": "Disabled",
        # By default Ray's workers have a low priority and would starve on a busy machine.
        "RAY_worker_niceness": "0",
        "PYTHONUNBUFFERED": "1",
    }
    arguments = [*command, sys.executable, __file__, body, str(tmp_path)]
    # A short path, because socket names contain it.
    with (tmp_path / "log").open("w+") as log, tempfile.TemporaryDirectory(prefix="ray") as temporary:
        environment["RAY_TMPDIR"] = temporary
        process = subprocess.Popen(arguments, stdout=log, stderr=log, env=environment, start_new_session=True)
        try:
            code = process.wait(240)
        finally:
            kill(process.pid)
            process.wait()
            print((tmp_path / "log").read_text(errors="replace")[-6000:])
    assert code == 0


@contextlib.contextmanager
def cluster(nodes, cores):
    import ray
    from ray.cluster_utils import Cluster

    common = {"node_ip_address": "127.0.0.1", "object_store_memory": 100 << 20}
    started = Cluster(initialize_head=True, head_node_args={**common, "include_dashboard": False, "num_cpus": 0})
    try:
        for _ in range(nodes):
            started.add_node(num_cpus=cores, **common)
        started.wait_for_nodes()
        yield started
    finally:
        ray.shutdown()
        started.shutdown()


def playing(raylet):
    found = []
    for child in raylet.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "bitcade shard" in " ".join(child.cmdline()):
                found.append(child)
    return found


def body_kills(_folder):
    # Kill two workers and then a whole node, while a policy raises in some shards.
    import ray

    fragile = Job("evaluate", "match3", Fragile(), games=150 * 200, shard_games=200)
    with cluster(3, cores=2) as started:
        ray.init(address=started.address, log_to_driver=False)
        nodes = [psutil.Process(node.all_processes["raylet"][0].process.pid) for node in started.worker_nodes]
        # After some shards, kill a playing worker of a node, or the whole node.
        turns = []

        def progress(done, shards):
            print(done, shards)
            if turns and done >= turns[0][0] and (workers := playing(nodes[turns[0][1]])):
                _, node, whole = turns.pop(0)
                kill((nodes[node] if whole else workers[0]).pid)

        for played, options, kills in (
            (JOB, {}, [(6, 0, False), (12, 1, False), (18, 2, True)]),
            (fragile, {"num_cpus": 0.5}, [(20, 0, False), (40, 1, True)]),
        ):
            turns[:] = kills
            result, expected = run(played, executor="ray", progress=progress, ray_options=options), run(played)
            same(result, expected)
            assert not turns and result.lost >= len(kills)
            assert (played is fragile) == (len(expected.failures) > 0)
        assert ray.is_initialized(), "a cluster of the caller's stays"


def body_resume(folder):
    # Stop a driver by SIGTERM, another by SIGKILL, and let a third one finish.
    files, before = folder / "job", 0
    with cluster(3, cores=2) as started:
        os.environ["RAY_ADDRESS"] = started.address
        for done, number in ((8, signal.SIGTERM), (20, signal.SIGKILL), (SHARDS, None)):
            arguments = [sys.executable, __file__, "driver", str(files)]
            with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as driver:
                assert driver.stdout is not None
                while (line := driver.stdout.readline()) and int(line) < done:
                    pass
                if number:
                    driver.send_signal(number)
                assert driver.wait() == 0 or number
            count = len(list(files.glob("*.npz")))
            assert max(done, before + 1) <= count and (number is None) == (count == SHARDS)
            before = count
    result = run(JOB, folder=files)
    assert result.resumed == SHARDS
    same(result, run(JOB))


def driver(folder):
    run(JOB, executor="ray", folder=folder, progress=lambda done, _: print(done, flush=True))


def body_kinds(folder):
    # Run jobs with functions and networks, with a test that ends early, with a folder, and one that fails.
    import ray

    small = {"games": 20, "shard_games": 4}
    network = Policy(_native.Learner2048(seed=1).network(), depth=1)
    files = Job("trajectories", "2048", Policy("random", name="anyone"), **small)
    tests = [
        (Job("evaluate", "go", lambda obs, mask: mask.argmax(axis=1), options={"size": 5}, **small), {}),
        (Job("match", "2048", network, "random", **small), {}),
        (Job("match", "go", "search", "random", options={"size": 5}, games=400, shard_games=2), {"sprt": Sprt(0, 100)}),
        (files, {"folder": folder / "files"}),
    ]
    with cluster(2, cores=1) as started:
        ray.init(address=started.address, log_to_driver=False)
        for each, options in tests:
            result = run(each, executor="ray", **options)
            same(result, run(each, **options))
        run(files, folder=folder / "here")
        assert contents(folder / "files") == contents(folder / "here")
        with pytest.raises(JobError, match=r"all 5 shards failed; shard 0 \(games 0 to 3, "):
            run(Job("evaluate", "2048", lambda obs, mask: None, **small), executor="ray")


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))

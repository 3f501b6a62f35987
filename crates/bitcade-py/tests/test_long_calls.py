"""Control-C ends every call: a table of the package's whole surface."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import time
from pathlib import Path

import bitcade
import pytest
from bitcade import _native
from conftest import ENVIRONMENT

#: The time in which a call ends.
SECONDS = 0.5

BOARD = "[[1, 2, 3, 4]] + [[0] * 4] * 3"
BATCHES = ("Game2048", "Go", "Match3", "Tetris")
NETWORK = "network = _native.Learner2048().network()"
MATCH3 = "width=16, height=16, colors=15"

#: Public names, and a statement that works long at the largest size and number of threads, after others that prepare
#: it. Calls that all games make together, or none, work on 30,000 games again and again.
LONG = {
    "_native.Game2048": ("", "_native.Game2048(10**7, width=8, height=8, num_threads=1024)"),
    "_native.Game2048.reset": ("games = _native.Game2048(2 * 10**6)", "while True: games.reset(1)"),
    "_native.Game2048.reset_some": (
        "games = _native.Game2048(10**6, width=8, height=8); which = np.ones(10**6, bool)",
        "while True: games.reset_some(which)",
    ),
    "_native.Game2048.step": (
        "games = _native.Game2048(3 * 10**4, width=8, height=8)",
        "while True: games.step(games.sample())",
    ),
    "_native.Match3": ("", f"_native.Match3(10**6, {MATCH3}, num_threads=1024)"),
    "_native.Match3.hints": (f"games = _native.Match3(10**5, {MATCH3})", "games.hints()"),
    "_native.Match3.reset": (f"games = _native.Match3(2 * 10**5, {MATCH3})", "while True: games.reset()"),
    "_native.Match3.reset_some": (
        f"games = _native.Match3(2 * 10**5, {MATCH3}); which = np.ones(2 * 10**5, bool)",
        "while True: games.reset_some(which)",
    ),
    "_native.Match3.step": (f"games = _native.Match3(3 * 10**4, {MATCH3})", "while True: games.step(games.sample())"),
    "_native.Tetris": ("", "_native.Tetris(3 * 10**6, rows=40, starts=[[[0] * 10] * 20], num_threads=1024)"),
    "_native.Tetris.reset": ("games = _native.Tetris(4 * 10**5)", "while True: games.reset()"),
    "_native.Tetris.reset_some": (
        "games = _native.Tetris(4 * 10**5); which = np.ones(4 * 10**5, bool)",
        "while True: games.reset_some(which)",
    ),
    "_native.Tetris.step": ("games = _native.Tetris(3 * 10**4)", "while True: games.step(games.sample())"),
    "_native.Go": ("", "_native.Go(3 * 10**6, size=19, num_threads=1024)"),
    "_native.Go.reset": ("games = _native.Go(4 * 10**5, size=19)", "while True: games.reset()"),
    "_native.Go.reset_some": (
        "games = _native.Go(4 * 10**5, size=19); which = np.ones(4 * 10**5, bool)",
        "while True: games.reset_some(which)",
    ),
    "_native.Go.scores": ("games = _native.Go(10**6, size=5)", "while True: games.scores()"),
    "_native.Go.step": ("games = _native.Go(3 * 10**4, size=19)", "while True: games.step(games.sample())"),
    "_native.Go.to_move": ("games = _native.Go(10**6, size=5)", "while True: games.to_move()"),
    "_native.Learner2048.learn": (
        "learner = _native.Learner2048(num_threads=1024)",
        "learner.learn(10**9)",
    ),
    "_native.Network2048.actions": (NETWORK, f"network.actions([{BOARD}], 12)"),
    "_native.Network2048.actions, many boards": (NETWORK, f"network.actions([{BOARD}] * 10**5, 2)"),
    "_native.Network2048.evaluate": (NETWORK, "network.evaluate(10**9, depth=6, num_threads=1024)"),
    "_native.contest_solve": ("", "_native.contest_solve(width=3000)"),
    "_native.contest_solve, wide": ("", "_native.contest_solve(width=10**6, num_threads=1024)"),
    "_native.go_best_move": ("", "_native.go_best_move([[0] * 19] * 19, playouts=10**9, num_threads=1024)"),
    "_native.go_ownership": ("", "_native.go_ownership([[0] * 19] * 19, games=2**32 - 1)"),
    "_native.go_ownership, in lanes": ("", "_native.go_ownership([[0] * 9] * 9, games=2**32 - 1)"),
    "_native.go_playouts": ("", "_native.go_playouts(2**64 - 1, size=19)"),
    "_native.go_playouts, threads": ("", "_native.go_playouts(2**64 - 1, size=9, num_threads=1024)"),
    "_native.match3_evaluate": (
        "",
        f"_native.match3_evaluate(10**7, agent='rollout', {MATCH3}, moves=2**32 - 1, num_threads=1024)",
    ),
    "_native.match3_evaluate, one game": (
        "",
        f"_native.match3_evaluate(1, agent='rollout', budget=2**32 - 1, {MATCH3})",
    ),
    "_native.match3_evaluate, one long game": ("", f"_native.match3_evaluate(1, {MATCH3}, moves=2**32 - 1)"),
    "_native.playouts_2048": ("", "_native.playouts_2048(20_000, width=8, height=8)"),
    "_native.playouts_2048, one game": ("", "_native.playouts_2048(1, width=8, height=8)"),
    "_native.playouts_2048, 4x4": ("", "_native.playouts_2048(2**64 - 1)"),
    "_native.playouts_2048, threads": ("", "_native.playouts_2048(10**9, num_threads=1024)"),
    "_native.playouts_2048, 8x8, threads": (
        "",
        "_native.playouts_2048(10**9, width=8, height=8, num_threads=1024)",
    ),
    "_native.solve_2048": ("", "_native.solve_2048(3, 3)"),
    "_native.tetris_bot": ("", "_native.tetris_bot([[0] * 10], 'TIOSZ' * 40, nodes=2**64 - 1)"),
    "_native.tetris_control": ("", "_native.tetris_control(2**64 - 1, num_threads=1024)"),
    "shards.Job.shards": (
        "job = shards.Job('evaluate', {'game': 'match3'}, games=10**12, shard_games=1)",
        "job.shards()",
    ),
    "shards.run_local": (
        "job = shards.Job('evaluate', {'game': 'match3'}, games=10**9, shard_games=10**8)",
        "shards.run_local(job)",
    ),
    "shards.run_shard": (
        "job = shards.Job('self_play', {'game': 'tetris', 'num_envs': 3 * 10**4}, games=10**6, shard_games=10**6)",
        "shards.run_shard(job, job.shards()[0])",
    ),
    "vector.BitcadeVectorEnv": (
        "from bitcade import vector",
        "vector.BitcadeVectorEnv('go', 3 * 10**6, size=19, num_threads=1024)",
    ),
    "vector.BitcadeVectorEnv.reset": (
        "from bitcade import vector; envs = vector.BitcadeVectorEnv('2048', 10**6)",
        "while True: envs.reset(seed=1)",
    ),
    "vector.BitcadeVectorEnv.step": (
        "from bitcade import vector; envs = vector.BitcadeVectorEnv('tetris', 3 * 10**4); envs.reset()",
        "while True: envs.step(envs.sample())",
    ),
}

#: The other public names by why they end soon, each by its full name.
BOUNDED = {
    "one game of a batch, or one board": [
        *(f"_native.{cls}.{name}" for cls in BATCHES for name in ("get_state", "render")),
        *(f"_native.match3_{name}" for name in ("hints", "swaps")),
        *("_native.Tetris.lock_result", "_native.tetris_placements", "render.rgb_array", "render.text"),
    ],
    "a value, an array that is there, or a copy": [
        *(f"_native.{cls}.{name}" for cls in BATCHES for name in ("autoreset", "final_obs", "mask", "obs", "steps")),
        *(f"_native.{cls}.{name}" for cls in BATCHES for name in ("num_actions", "num_envs", "num_threads", "obs_shape")),
        *(f"_native.Learner2048.{name}" for name in ("curve", "games", "moves")),
        *(f"vector.BitcadeVectorEnv.{name}" for name in ("action_masks", "batch", "close_extras", "get_state")),
        "_native.levels",
    ],
    "part of what `step` does in the table": [
        *(f"_native.{cls}.{name}" for cls in BATCHES for name in ("random_step", "sample", "set_state")),
        *(f"vector.BitcadeVectorEnv.{name}" for name in ("sample", "set_state")),
    ],
    "some threads, or 60 MB": [
        *("_native.Learner2048", "_native.Learner2048.load", "_native.Learner2048.network", "_native.Learner2048.save"),
        *("_native.Network2048.load", "_native.Network2048.save"),
    ],
    "has no constructor": ["_native.Network2048", "_native.State"],
    "at most 10,000 pieces": ["_native.contest_verify"],
    "one game": [
        *("vector.BitcadeEnv", "pettingzoo.env", "pettingzoo.raw_env"),
        *(f"vector.BitcadeEnv.{name}" for name in ("action_masks", "batch", "close", "get_state", "render", "reset")),
        *(f"vector.BitcadeEnv.{name}" for name in ("sample", "set_state", "step")),
        *(f"pettingzoo.raw_env.{name}" for name in ("action_space", "batch", "close", "get_state", "observation_space")),
        *(f"pettingzoo.raw_env.{name}" for name in ("observe", "render", "reset", "set_state", "step")),
    ],
    "calls of a batch that are in the table": [f"pufferlib.{cls}" for cls in BATCHES],
    "loops in Python, as `run_local` in the table; `test_ray.py` ends it by signals": ["ray.run"],
    "a loop in Python over games": ["vector.BitcadeVectorEnv.render"],
    "values, and one file that holds them": [
        *("shards.Case", "shards.Case.games", "shards.Case.mean", "shards.Case.stderr", "shards.CheckpointError"),
        *("shards.Driver", *(f"shards.Driver.{name}" for name in ("check", "close", "done", "failed", "left"))),
        *(f"shards.Driver.{name}" for name in ("progress", "result", "save")),
        *("shards.Failure", "shards.Job", *(f"shards.Job.{name}" for name in ("case_names", "cases", "description"))),
        *("shards.Job.failure", "shards.Progress", "shards.Progress.seconds_left", "shards.Result", "shards.Shard"),
        *("shards.ShardError", "shards.ShardResult", "shards.TextProgress"),
    ],
}


def public(names: object) -> list[str]:
    """Return the names that don't begin with an underscore."""
    return [name for name in names if not name.startswith("_")]  # type: ignore[attr-defined]


def surface() -> set[str]:
    """Return every public function, class and method of the package, those of absent libraries' modules too."""
    names = set()
    for name in public(dir(_native)):
        value = getattr(_native, name)
        names.add(f"_native.{name}")
        if isinstance(value, type):
            names |= {f"_native.{name}.{member}" for member in public(vars(value))}
    for file in Path(bitcade.__file__).parent.glob("[!_]*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                names.add(f"{file.stem}.{node.name}")
                methods = [n.name for n in getattr(node, "body", []) if isinstance(n, ast.FunctionDef)]
                if isinstance(node, ast.ClassDef):
                    names |= {f"{file.stem}.{node.name}.{method}" for method in public(methods)}
    return names


def test_every_call_is_in_a_table() -> None:
    names, long = surface(), {name.partition(",")[0] for name in LONG}
    bounded = [name for group in BOUNDED.values() for name in group]
    assert sorted(names - long - set(bounded)) == [], "say whether these may take long"
    assert sorted((long | set(bounded)) - names) == [], "there are none of these"
    assert len(bounded) == len(set(bounded)) and not long & set(bounded)


CODE = """
import os, time
import numpy as np
from bitcade import _native, shards
{}
print("ready", flush=True)
try:
    # Python 3.11 takes an interrupt at the end of a loop for one before its first line.
    in_try = True
    {}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
else:
    print("ended by itself", flush=True)
os._exit(0)
"""


def interrupted(prepare: str, call: str) -> float:
    """Return the seconds from SIGINT to the end of a call. Clocks are the system's, the same in all processes."""
    command, pipe = [sys.executable, "-c", CODE.format(prepare, call)], subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.3)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert errors == "" and out != "ended by itself\n", out + errors
    return float(out) - start


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a process")
@pytest.mark.parametrize("name", LONG)
def test_control_c_ends_a_call(name: str) -> None:
    # A busy machine may be late, but not three times.
    times: list[float] = []
    while len(times) < 3 and min(times, default=SECONDS) >= SECONDS:
        times.append(interrupted(*LONG[name]))
    print(f"{name}: {min(times):.3f} s")
    assert min(times) < SECONDS, times

"""Ctrl-C ends every call: a table of the package's whole API."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

import bitcade
import pytest
from bitcade import _native
from bitcade._games import GAMES
from conftest import ENVIRONMENT
from games import FACTS

#: The time within which an interrupted call must end.
SECONDS = 0.5

BOARD = "[[1, 2, 3, 4]] + [[0] * 4] * 3"
NETWORK = "network = _native.Learner2048().network()"
MATCH3 = "width=16, height=16, colors=15"
JOB = "shards.Job('evaluate', {'game': 'match3'}"

#: The native class names, each with arguments for large games.
BATCHES = {
    name: FACTS[game].large for name, cls in vars(_native).items() for game in GAMES if GAMES[game].batch is cls
}

#: Statements that run long, at the largest size and number of threads, each with statements to prepare it. Atomic calls
#: (all games or none) are repeated on 30,000 games instead.
LONG: dict[str, tuple[str, str]] = {}
for cls, (options, more, many, some) in BATCHES.items():
    name = f"_native.{cls}"
    games = f"games = {name}({some}, {options})"
    LONG |= {
        name: ("", f"{name}({many}, {options}, num_threads=1024, {more})"),
        f"{name}.reset": (games, "while True: games.reset(1); games.reset()"),
        f"{name}.reset_some": (f"{games}; which = np.ones({some}, bool)", "while True: games.reset_some(which)"),
        f"{name}.step": (f"games = {name}(3 * 10**4, {options})", "while True: games.step(games.sample())"),
        f"{name}.legal_actions": (f"games = {name}(3 * 10**4, {options})", "while True: games.legal_actions()"),
    }
    if hasattr(getattr(_native, cls), "afterstates"):
        # Dozens of boards per game.
        LONG[f"{name}.afterstates"] = (f"games = {name}(5000, {options})", "while True: games.afterstates()")
ENVS = "from bitcade import vector; envs = vector.BitcadeVectorEnv"
LONG |= {
    "_native.Match3Batch.hints": (f"games = _native.Match3Batch(10**5, {MATCH3})", "games.hints()"),
    "_native.Match3GoalsBatch.hints": ("games = _native.Match3GoalsBatch(10**5)", "games.hints()"),
    "_native.Match3GoalsBatch.scores": ("games = _native.Match3GoalsBatch(10**5)", "while True: games.scores()"),
    "_native.Match3GoalsBatch.won": ("games = _native.Match3GoalsBatch(10**5)", "while True: games.won()"),
    "_native.Match3GoalsBatch.goals_left": ("games = _native.Match3GoalsBatch(10**5)", "while True: games.goals_left()"),
    "_native.GoBatch.scores": ("games = _native.GoBatch(10**6, size=5)", "while True: games.scores()"),
    "_native.GoBatch.to_move": ("games = _native.GoBatch(10**6, size=5)", "while True: games.to_move()"),
    "_native.TetrisKeysBatch.scores": ("games = _native.TetrisKeysBatch(10**5)", "while True: games.scores()"),
    "_native.TetrisKeysBatch.lines": ("games = _native.TetrisKeysBatch(10**5)", "while True: games.lines()"),
    "_native.Learner2048.learn": ("learner = _native.Learner2048(num_threads=1024)", "learner.learn(10**9)"),
    "_native.Network2048.actions": (NETWORK, f"network.actions([{BOARD}], 12)"),
    "_native.Network2048.actions(many boards)": (NETWORK, f"network.actions([{BOARD}] * 10**5, 3)"),
    "_native.Network2048.evaluate": (NETWORK, "network.evaluate(10**9, depth=6, num_threads=1024)"),
    "shards.Job.shards": (f"job = {JOB}, games=10**12, shard_games=1)", "job.shards()"),
    "shards.run_local": (f"job = {JOB}, games=10**9, shard_games=10**8)", "shards.run_local(job)"),
    "shards.run_shard": (
        "job = shards.Job('self_play', {'game': 'tetris', 'num_envs': 3 * 10**4}, games=10**6, shard_games=10**6)",
        "shards.run_shard(job, job.shards()[0])",
    ),
    "_native.Learner2048.replay": (
        "learner = _native.Learner2048(); games = learner.network().self_play(30_000)",
        "while True: learner.replay(games)",
    ),
    "_native.Network2048.self_play": (NETWORK, "network.self_play(10**9)"),
    "ray.learn_2048": ("from bitcade import ray", "ray.learn_2048(10**9, executor='local')"),
    "shards.run_shard(policy)": (
        "job = shards.Job('match', {'game': 'go'}, games=10**6, shard_games=10**6, policy='search', opponent='random')",
        "shards.run_shard(job, job.shards()[0])",
    ),
    "vector.BitcadeVectorEnv": (
        "from bitcade import vector",
        "vector.BitcadeVectorEnv('go', 3 * 10**6, size=19, num_threads=1024)",
    ),
    "vector.BitcadeVectorEnv.reset": (f"{ENVS}('2048', 10**6)", "while True: envs.reset(seed=1)"),
    "vector.BitcadeVectorEnv.step": (
        f"{ENVS}('tetris', 3 * 10**4); envs.reset()",
        "while True: envs.step(envs.sample())",
    ),
}
for call in (call for facts in FACTS.values() for call in facts.long_calls):
    LONG[f"_native.{call}"] = ("", f"_native.{call}")

#: Patterns for all other public names, by the reason why they end soon.
BOUNDED = {
    "one game of a batch, or one board": "_native.*.get_state _native.*.render _native.match3_hints"
    " _native.match3_swaps _native.*.board _native.*.state_from_bytes _native.TetrisBatch.lock_result"
    " _native.tetris_placements render.rgb_array render.text",
    "a loop in Python over frames": "render.video",
    "a value, an array that is there, or a copy": "_native.*.autoreset_mode _native.*.final_obs _native.*.action_mask"
    " _native.*.obs _native.*.dtype _native.*.seed _native.*.steps _native.*.num_actions _native.*.num_envs _native.*.num_threads"
    " _native.*.obs_shape _native.Learner2048.curve _native.Learner2048.games _native.Learner2048.moves"
    " vector.BitcadeVectorEnv.action_masks vector.BitcadeVectorEnv.batch vector.BitcadeVectorEnv.close_extras"
    " vector.BitcadeVectorEnv.get_state _native.level _native.levels _native.set_level",
    "part of what `step` does in the table": "*.random_step _native.*.sample _native.*.set_state"
    " vector.BitcadeVectorEnv.sample vector.BitcadeVectorEnv.set_state",
    "all or none, and less per game than `step`": "_native.*.copy_games _native.*.get_states _native.*.set_states",
    "some threads, or 60 MB": "_native.Learner2048 _native.*.load _native.*.save _native.Learner2048.network",
    "has no constructor": "_native.Network2048 _native.State",
    "at most 10,000 pieces": "_native.contest_verify",
    "plain arithmetic, or a type": "*.decode_action *.encode_action tetris.Action vector.DictObservation",
    "one game": "vector.BitcadeEnv vector.BitcadeEnv.* pettingzoo.env pettingzoo.raw_env pettingzoo.raw_env.*"
    " pettingzoo.tetris_parallel_env pettingzoo.tetris_parallel_env.*",
    "loops in Python, as `run_local` in the table; `test_ray.py` ends it by signals": "ray.run",
    "a loop in Python over games": "vector.BitcadeVectorEnv.render",
    "the calls of a batch or `BitcadeVectorEnv` in the table": "sb3.*",
    "plain values, and one file": "g2048.Afterstates tetris.Afterstates shards.Case shards.Case.* shards.CheckpointError shards.Driver"
    " shards.Driver.* shards.Failure shards.Job shards.Job.case_names shards.Job.cases shards.Job.description"
    " shards.Job.failure shards.Progress shards.Progress.* shards.Result shards.Shard shards.ShardError"
    " shards.ShardResult shards.TextProgress",
}


def public(names: object) -> list[str]:
    """Return the names that don't begin with an underscore."""
    return [name for name in names if not name.startswith("_")]  # type: ignore[attr-defined]


def surface() -> set[str]:
    """Return every public function, class and method of the package, even in modules whose library is missing."""
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


def test_every_call_is_in_a_table():
    names, long = surface(), {name.partition("(")[0] for name in LONG}
    patterns = [pattern for group in BOUNDED.values() for pattern in group.split()]
    found = {name: [pattern for pattern in patterns if fnmatchcase(name, pattern)] for name in names}
    assert [name for name in sorted(names - long) if not found[name]] == [], "say whether these may take long"
    assert [name for name in sorted(names) if len(found[name]) + (name in long) > 1] == []
    used = {pattern for hits in found.values() for pattern in hits}
    assert sorted(long - names) + sorted(set(patterns) - used) == [], "there are none of these"


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
    """Return the seconds from SIGINT to the end of a call, by the system clock shared by all processes."""
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
def test_control_c_ends_a_call(name):
    # Three attempts, in case the machine is busy.
    times: list[float] = []
    while len(times) < 3 and min(times, default=SECONDS) >= SECONDS:
        times.append(interrupted(*LONG[name]))
    print(f"{name}: {min(times):.3f} s")
    assert min(times) < SECONDS, times

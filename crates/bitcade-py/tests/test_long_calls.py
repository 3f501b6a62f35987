"""Ctrl-C ends every call: a table of the native module, and of loops in Python."""

import signal
import subprocess
import sys
import time

import pytest
from bitcade import _native
from bitcade._games import GAMES
from conftest import ENVIRONMENT
from games import FACTS

#: The time within which an interrupted call must end.
SECONDS = 0.5

NETWORK = "network = _native.Learner2048().network()"

#: Statements that run long, at the largest size and number of threads, each with statements to prepare it. Atomic calls
#: (all games or none) are repeated on 30,000 games instead.
LONG = {}
for game, facts in FACTS.items():
    name = next(f"_native.{name}" for name, cls in vars(_native).items() if cls is GAMES[game].batch)
    options, more, many, some = facts.large
    # A step of a level, cell by cell, takes a hundred times as long as most.
    games, fewer = (f"games = {name}({n}, {options})" for n in (some, min(some, 3000) if game == "match3-level" else 3 * 10**4))
    LONG |= {
        name: ("", f"{name}({many}, {options}, num_threads=1024, {more})"),
        f"{name}.reset": (games, "while True: games.reset(1); games.reset()"),
        f"{name}.reset_some": (f"{games}; which = np.ones({some}, bool)", "while True: games.reset_some(which)"),
        f"{name}.step": (fewer, "while True: games.step(games.sample())"),
        f"{name}.legal_actions": (fewer, "while True: games.legal_actions()"),
    }
    each = {"hints", "scores", "lines", "won", "goals_left", "to_move", "passes", "afterstates"}
    for call in sorted(each & set(vars(GAMES[game].batch))):
        # Afterstates are dozens of boards per game, hints hundreds of numbers.
        number = {"afterstates": 5000, "hints": min(some, 10**5)}.get(call, some)
        first = f"games = {name}({number}, {options})"
        LONG[f"{name}.{call}"] = (first, f"while True: games.{call}()")
    LONG |= {f"_native.{call}": ("", f"_native.{call}") for call in facts.long_calls}
LONG |= {
    f"_native.State.playouts({name})": (f"state = _native.{name}(1, {size}).get_state(0)", "state.playouts(10**12, num_threads=4)")
    for name, size in {"Batch2048": "width=8, height=8", "Match3Batch": "", "TetrisBatch": "", "GoBatch": "size=19"}.items()
}
LONG |= {
    "_native.Learner2048.learn": ("learner = _native.Learner2048(num_threads=1024)", "learner.learn(10**9)"),
    "_native.Network2048.actions": (NETWORK, "network.actions(np.eye(4, dtype=int)[None], 12)"),
    "_native.Network2048.actions(many boards)": (NETWORK, "network.actions(np.eye(4, dtype=int)[None].repeat(10**5, 0), 3)"),
    "_native.match3_playtest": ("from games.match3_level import TEXT", "_native.match3_playtest(TEXT, 'careful', games=10**9, num_threads=1024)"),
    "_native.match3_playtest(a bot)": (
        "from games.match3_level import TEXT",
        "_native.match3_playtest(TEXT, lambda game: game.swaps[0], games=10**9)",
    ),
    "_native.Network2048.evaluate": (NETWORK, "network.evaluate(10**9, depth=6, num_threads=1024)"),
}

#: Loops in Python, as far as they do more than to call these.
LONG |= {
    "jobs.Job.shards": ("", "for shard in jobs.Job('contest', games=10**12, shard_games=1).shards(): pass"),
    "jobs.Job.play": (
        "job = jobs.Job('evaluate', 'tetris', 'random', num_envs=3 * 10**4, games=10**6, shard_games=10**6)",
        "job.play(next(job.shards()))",
    ),
    "jobs.run": ("", "jobs.run(jobs.Job('match', 'go', 'search', 'random', games=10**6, shard_games=10**6))"),
    "vector.BitcadeVectorEnv.reset": (
        "from bitcade import vector; envs = vector.BitcadeVectorEnv('2048', 10**6)",
        "while True: envs.reset(seed=1)",
    ),
}

#: All other native names, by the reason why they end soon.
BOUNDED = {
    "one game of a batch, or one board": "board bot_arguments foresee get_state layers render state_from_bytes lock_result match3_hints match3_swaps tetris_placements",
    "a number or a text of a level, one of its games or a report": "cascade_levels choices cleared colors dead from_json"
    " goals goals_left height lacked left left_at_win limited longest_cascade lost_at moves_needed moves_of_best name near_misses"
    " parse pass_rate score score_at scores shuffles swaps to_json to_toml width won",
    "a value, an array that is there, or a copy": "action_mask autoreset_mode curve dtype final_obs games level levels moves num_actions"
    " num_envs num_threads obs obs_shape seed set_level steps",
    "part of what `step` does in the table": "copy_games get_states random_step sample set_state set_states",
    "some threads, or 60 MB": "Learner2048 builtin load network save",
    "has no constructor": "Level LevelGame Network2048 PlaytestReport State",
    "at most 10,000 pieces": "contest_verify",
}


def public(value):
    return {name for name in vars(value) if not name.startswith("_")}


def test_every_call_is_in_a_table():
    names = public(_native)
    for name in public(_native):
        if isinstance(cls := getattr(_native, name), type):
            names |= {f"{name}.{member}" for member in public(cls)}
    long = {name.partition("(")[0].removeprefix("_native.") for name in LONG if name.startswith("_native.")}
    bounded = " ".join(BOUNDED.values()).split()
    rest = {name.rpartition(".")[2] for name in names - long}
    assert rest == set(bounded) and len(rest) == len(bounded), "say whether these may take long"
    assert long <= names, "there are none of these"


CODE = """
import os, time
import numpy as np
from bitcade import _native, jobs
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


def interrupted(prepare, call):
    # Return the seconds from SIGINT to the end of a call, by the system clock shared by all processes.
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
    times = []
    while len(times) < 3 and min(times, default=SECONDS) >= SECONDS:
        times.append(interrupted(*LONG[name]))
    print(f"{name}: {min(times):.3f} s")
    assert min(times) < SECONDS, times

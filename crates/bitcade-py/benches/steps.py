"""Measures steps per second of the package's batches, and of any other packages that are installed.

    python benches/steps.py                      # everything, half an hour
    python benches/steps.py --quick              # a few minutes
    python benches/steps.py --games 2048 match3 --sides bitcade pgx --sizes 4096 --json steps.json

Every side plays uniformly random legal actions on one core, fills observations and action masks, and restarts
finished games. Drawing the actions is part of the time: by the side's own sampler (`sample()` here; in JAX a draw in
the jitted scan of the steps; NumPy for a package without one), and by NumPy from the mask with the same function for
all sides. For this package's Tetris, whose 1,760 actions have 47 legal ones on average, NumPy draws from
`legal_actions()`.

Every side runs in its own process, pinned to the same core, with its libraries limited to one thread. The sides of a
game alternate in turns of a fraction of a second; the table shows medians and quartiles over the turns, in wall-clock
time and in CPU time of the process. `pip install envpool pgx jumanji open_spiel pettingzoo pygame` installs the other
packages; one that can't be imported is left out, with the reason.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
SPAWN = multiprocessing.get_context("spawn")
SIZES = (1, 64, 4096, 65536)
WARM_STEPS = 400
"""Warm-up steps, enough to mix games of all ages; the time limit of the warm-up may end it earlier."""


Play = Callable[[int], None]
"""Plays a number of steps."""
Players = tuple[Play, Play, bool]
"""Plays with the side's own sampler, plays with NumPy's, and whether the side has a sampler."""


@dataclass(frozen=True)
class Side:
    """One package's way to play a game."""

    game: str
    name: str
    package: str
    rules: str
    make: dict[str, Any]
    """The key in `MAKERS` (`kind`) and the arguments."""
    largest: int = SIZES[-1]
    """The largest number of games worth measuring."""


def draw(rng: np.random.Generator, mask: Any) -> Any:
    """Draw a uniformly random true column of each row; column 0 if the row is empty."""
    sums = np.cumsum(mask, axis=1, dtype=np.uint16)
    chosen = (rng.random(len(mask), dtype=np.float32) * sums[:, -1]).astype(np.uint16)
    return (sums > chosen[:, None]).argmax(axis=1)


def draw_listed(rng: np.random.Generator, offsets: Any, actions: Any) -> Any:
    """Draw a uniformly random action of each list."""
    index = offsets[:-1] + (rng.random(len(offsets) - 1) * np.diff(offsets)).astype(np.int64)
    return actions[index]


def ours(n: int, *, module: str, lists: bool = False, **options: Any) -> Players:
    """Play this package: `sample`, then `step`. With `lists`, NumPy draws from the legal actions."""
    import bitcade

    games = getattr(bitcade, module).Batch(n, seed=1, **options)
    rng = np.random.default_rng(1)

    def own(steps: int) -> None:
        for _ in range(steps):
            games.step(games.sample())

    def by_numpy(steps: int) -> None:
        mask = games.action_mask
        for _ in range(steps):
            games.step(draw(rng, mask).astype(np.int32))

    def by_lists(steps: int) -> None:
        for _ in range(steps):
            games.step(draw_listed(rng, *games.legal_actions()))

    return own, by_lists if lists else by_numpy, True


def envpool_side(n: int, *, task: str, mask: str, columns: int = 0, **options: Any) -> Players:
    """Play EnvPool: one thread, all games in each batch.

    `mask` says whether the masks are in observations (`observed`) or in infos; `columns` is the number of values
    of the second component of a two-component action.
    """
    import envpool

    def mask_of(observation: Any, info: Any) -> Any:
        return observation["action_mask"] if mask == "observed" else info["legal_action_mask"]

    env = envpool.make(task, env_type="gymnasium", num_envs=n, batch_size=n, num_threads=1, seed=1, **options)
    rng = np.random.default_rng(1)
    last = [mask_of(*env.reset())]

    def by_numpy(steps: int) -> None:
        for _ in range(steps):
            actions = draw(rng, last[0].reshape(n, -1)).astype(np.int32)
            if columns:
                actions = np.stack(np.divmod(actions, columns), axis=1)
            observation, _, _, _, info = env.step(actions)
            last[0] = mask_of(observation, info)

    return by_numpy, by_numpy, False


def jax_side(n: int, init: Any, step: Any, mask: Any) -> Players:
    """Play in JAX: `init(key)`, `step(state, actions, key)`, `mask(state)`."""
    import functools

    import jax
    import jax.numpy as jnp

    rng = np.random.default_rng(1)

    def drawn(key: Any, allowed: Any) -> Any:
        sums = jnp.cumsum(allowed.reshape(n, -1), axis=1, dtype=jnp.int32)
        chosen = jax.random.uniform(key, (n, 1)) * sums[:, -1:]
        return (sums > chosen.astype(jnp.int32)).argmax(axis=1)

    def played(state_key: Any, _: Any) -> tuple[Any, None]:
        state, key = state_key
        key, for_action, for_step = jax.random.split(key, 3)
        return (step(state, drawn(for_action, mask(state)), for_step), key), None

    @functools.partial(jax.jit, static_argnums=1, donate_argnums=0)
    def scan(state_key: Any, steps: int) -> Any:
        return jax.lax.scan(played, state_key, None, length=steps)[0]

    one, look = jax.jit(step, donate_argnums=0), jax.jit(mask)
    split = jax.jit(lambda key: jax.random.split(key))
    current = [(jax.jit(init)(jax.random.PRNGKey(1)), jax.random.PRNGKey(2))]

    def own(steps: int) -> None:
        # Few fixed lengths, because each one is compiled.
        while steps > 0:
            length = next(length for length in (64, 8, 1) if length <= steps)
            current[0] = scan(current[0], length)
            steps -= length
        jax.block_until_ready(current[0])

    def by_numpy(steps: int) -> None:
        state, key = current[0]
        for _ in range(steps):
            key, for_step = split(key)
            actions = draw(rng, np.asarray(look(state)).reshape(n, -1)).astype(np.int32)
            state = one(state, actions, for_step)
        current[0] = jax.block_until_ready((state, key))

    own(64 + 8 + 1)
    by_numpy(1)
    return own, by_numpy, True


def pgx_side(n: int, *, task: str) -> Players:
    """Play a game of Pgx, with its own autoreset wrapper."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(task)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def split_step(state: Any, actions: Any, key: Any) -> Any:
        return step(state, actions, jax.random.split(key, n))

    return jax_side(n, lambda key: init(jax.random.split(key, n)), split_step, lambda state: state.legal_action_mask)


def jumanji_side(n: int, *, task: str, columns: int = 0) -> Players:
    """Play a game of Jumanji, with its own autoreset wrapper."""
    import jax
    import jax.numpy as jnp
    import jumanji
    from jumanji.wrappers import AutoResetWrapper, VmapWrapper

    env = VmapWrapper(AutoResetWrapper(jumanji.make(task)))

    def step(state: Any, actions: Any, _key: Any) -> Any:
        if columns:
            actions = jnp.stack(jnp.divmod(actions, columns), axis=1)
        # Carry the observation through the scan; otherwise the compiler would eliminate it.
        return env.step(state[0], actions)

    def mask(state: Any) -> Any:
        return state[1].observation.action_mask

    return jax_side(n, lambda key: env.reset(jax.random.split(key, n)), step, mask)


def pettingzoo_go(n: int) -> Players:
    """Play Go of PettingZoo: one game in Python."""
    from pettingzoo.classic import go_v5

    env = go_v5.env(board_size=9, komi=7.5)
    env.reset(seed=1)
    rng = np.random.default_rng(1)

    def play(steps: int, choose: Callable[[Any], int]) -> None:
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            env.step(choose(observation["action_mask"]))

    def by_numpy(steps: int) -> None:
        play(steps, lambda mask: int(draw(rng, mask[None] != 0)[0]))

    def own(steps: int) -> None:
        play(steps, lambda mask: env.action_space(env.agent_selection).sample(mask))

    return own, by_numpy, True


def open_spiel_side(n: int, *, task: str) -> Players:
    """Play OpenSpiel: a Python loop over games in C++, with an observation and a mask after each step."""
    import random

    import pyspiel

    game = pyspiel.load_game(task)
    rng, draws = random.Random(1), np.random.default_rng(1)

    def settled(state: Any) -> Any:
        """Play the chance moves, and start a new game if this one is over."""
        while state.is_terminal() or state.is_chance_node():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
        return state

    states = [settled(game.new_initial_state()) for _ in range(n)]

    def play(steps: int, choose: Callable[[Any], int]) -> None:
        for _ in range(steps):
            for i, state in enumerate(states):
                state.apply_action(choose(state))
                states[i] = state = settled(state)
                state.observation_tensor(0)

    def by_numpy(steps: int) -> None:
        play(steps, lambda state: int(draw(draws, np.array([state.legal_actions_mask()], bool))[0]))

    def own(steps: int) -> None:
        play(steps, lambda state: rng.choice(state.legal_actions()))

    return own, by_numpy, True


MAKERS: dict[str, Callable[..., Players]] = {
    "ours": ours,
    "envpool": envpool_side,
    "pgx": pgx_side,
    "jumanji": jumanji_side,
    "pettingzoo": pettingzoo_go,
    "open_spiel": open_spiel_side,
}
SIDES = [Side(**side) for side in tomllib.loads(Path(__file__).with_name("steps.toml").read_text())["side"]]


def worker(pipe: Connection, side: Side, n: int, core: int, warm_seconds: float) -> None:
    """Play one side at one size: for each message, play for some time and answer with the steps and times."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    # What libraries print.
    for output in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    try:
        arguments = dict(side.make)
        own, by_numpy, has_own = MAKERS[arguments.pop("kind")](n, **arguments)
        steps_of: dict[str, int] = {}
        for sampler, play in (("own", own), ("numpy", by_numpy)):
            # Double the steps until a block is long enough to time; this is also the warm-up.
            steps, played, start = 1, 0, time.perf_counter()
            while True:
                before = time.perf_counter()
                play(steps)
                now = time.perf_counter()
                played += steps
                steps_of[sampler] = max(1, round(steps * 0.1 / max(now - before, 1e-9)))
                if now - start > warm_seconds or (played >= WARM_STEPS and now - before > 0.05):
                    break
                if now - before < 0.05:
                    steps *= 2
    except Exception as error:  # any failure of a package is the reason for leaving it out
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send(has_own)
    while message := pipe.recv():
        sampler, seconds = message
        play, steps, elapsed = own if sampler == "own" else by_numpy, 0, 0.0
        wall, cpu = time.perf_counter(), time.process_time()
        while elapsed < seconds:
            play(steps_of[sampler])
            steps += steps_of[sampler]
            elapsed = time.perf_counter() - wall
        pipe.send({"steps": steps * n, "wall": elapsed, "cpu": time.process_time() - cpu})


class Worker:
    """The process of one side at one size. `ready` is whether the side has a sampler, or why it can't be played."""

    def __init__(self, side: Side, n: int, core: int, warm_seconds: float) -> None:
        self.side = side
        self._pipe, other = SPAWN.Pipe()
        self._process = SPAWN.Process(target=worker, args=(other, side, n, core, warm_seconds))
        self._process.start()
        other.close()
        self.rates: dict[str, dict[str, list[float]]] = {}
        self.ready: bool | str = self._answer()

    def _answer(self) -> Any:
        try:
            return self._pipe.recv()
        except EOFError:
            self._process.join()
            return f"ended by {self._process.exitcode}"

    def turn(self, sampler: str, seconds: float) -> None:
        """Play for some time and record the rates."""
        self._pipe.send((sampler, seconds))
        answer = self._answer()
        if isinstance(answer, str):
            raise RuntimeError(f"{self.side.name}: {answer}")
        rates = self.rates.setdefault(sampler, {"wall": [], "cpu": []})
        for clock in ("wall", "cpu"):
            rates[clock].append(answer["steps"] / max(answer[clock], 1e-9))

    def close(self) -> None:
        """End the process."""
        if self._process.is_alive():
            self._pipe.send(None)
        self._process.join()


def measure(game: str, n: int, arguments: argparse.Namespace) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure the sides of a game at one size, in alternating turns."""
    left_out: dict[str, str] = {}
    workers: list[Worker] = []
    rows: list[dict[str, Any]] = []
    try:
        for side in SIDES:
            wanted = not arguments.sides or any(side.name.startswith(prefix) for prefix in arguments.sides)
            if side.game != game or not wanted:
                continue
            if n > side.largest:
                left_out[side.name] = f"not beyond {side.largest} games"
                continue
            new = Worker(side, n, arguments.core, arguments.warm)
            if isinstance(new.ready, str):
                left_out[side.name] = new.ready
            else:
                workers.append(new)
        for turn in range(arguments.turns):
            # Reverse the order each turn, so no side always runs after the same one.
            for each in workers if turn % 2 == 0 else reversed(workers):
                for sampler in ("own", "numpy"):
                    each.turn(sampler, arguments.seconds)
    finally:
        for each in workers:
            each.close()
    for each in workers:
        row: dict[str, Any] = {
            "game": game,
            "side": each.side.name,
            "version": version(each.side.package),
            "games": n,
            "own_sampler": each.ready,
        }
        for sampler, clocks in each.rates.items():
            for clock, values in clocks.items():
                low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
                row[f"{sampler}_{clock}"] = {"median": middle, "low": low, "high": high, "turns": values}
        rows.append(row)
    return rows, left_out


def version(package: str) -> str:
    """Return the installed version of a package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(source)"


def short(rate: float) -> str:
    """Format a rate with three digits."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


def table(rows: list[dict[str, Any]]) -> str:
    """Format rows as Markdown tables, one per game."""
    lines: list[str] = []
    for game in dict.fromkeys(row["game"] for row in rows):
        lines += [
            f"### {game}: steps per second",
            "",
            "| side | games | own sampler, wall | own, CPU | NumPy draws, wall | NumPy, CPU | ours / it |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for row in (row for row in rows if row["game"] == game):
            rates = [row[column] for column in ("own_wall", "own_cpu", "numpy_wall", "numpy_cpu")]
            cells = [f"{short(rate['median'])} ({short(rate['low'])} .. {short(rate['high'])})" for rate in rates]
            base = [o for o in rows if (o["game"], o["side"], o["games"]) == (game, "bitcade", row["games"])]
            ratio = f"{base[0]['own_cpu']['median'] / row['own_cpu']['median']:.3g}" if base else ""
            lines.append(f"| {row['side']} {row['version']} | {row['games']} | {' | '.join(cells)} | {ratio} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Measure the games, sides and sizes given on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", choices=list(dict.fromkeys(side.game for side in SIDES)))
    parser.add_argument("--sides", nargs="+", help="prefixes of sides to measure; default: all")
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of a turn")
    parser.add_argument("--warm", type=float, default=20.0, help="at most this many seconds of warm-up")
    parser.add_argument("--core", type=int, default=None, help="core to pin to; default: the last one")
    parser.add_argument(
        "--quick", action="store_true", help="3 turns of 0.2 s, 3 s of warm-up, up to 4096 games"
    )
    parser.add_argument("--json", help="write all figures to this file")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.turns, arguments.seconds, arguments.warm = 3, 0.2, 3.0
        arguments.sizes = [n for n in arguments.sizes if n <= 4096]
    if arguments.core is None:
        arguments.core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    rows: list[dict[str, Any]] = []
    left_out: dict[str, str] = {}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    for game in arguments.games or dict.fromkeys(side.game for side in SIDES):
        for n in arguments.sizes:
            print(f"{game}, {n} games ..", file=sys.stderr, flush=True)
            new, reasons = measure(game, n, arguments)
            rows += new
            left_out.update({f"{game}, {name}, {n} games": reason for name, reason in reasons.items()})
            if arguments.json:
                described = {
                    "machine": platform.processor() or platform.machine(),
                    "python": platform.python_version(),
                    "load_before": load,
                    "turns": arguments.turns,
                    "seconds": arguments.seconds,
                    "left_out": left_out,
                    "rows": rows,
                }
                with open(arguments.json, "w", encoding="utf-8") as file:
                    json.dump(described, file, indent=1)
    print(table(rows))
    print("Medians of the turns with quartiles; `ours / it` by own sampler and CPU time. What each plays:\n")
    for side in SIDES:
        if any((row["game"], row["side"]) == (side.game, side.name) for row in rows):
            print(f"- {side.game}, {side.name}: {side.rules}.")
    if left_out:
        print("\nLeft out:\n")
        for what, reason in left_out.items():
            print(f"- {what}: {reason}")
    print(f"\nTaken on one core; the machine's load before was {load}.")


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    main()

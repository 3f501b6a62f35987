"""Large jobs split into shards: defining a job, playing its shards, and adding up the results.

A `Job` plays games numbered from 0. A `Shard` is a range of these numbers that takes one core between a second and a
minute. Its games are the same in every process and on every machine, and its result consists of integers, so totals
don't depend on where, how often or in which order shards were played. A shard that raises an exception is reported as
a `Failure`; the result contains the totals of the others:

    job = Job("evaluate", {"game": "match3", "agents": ["greedy"]}, games=10_000, shard_games=500)
    result = run_local(job)
    print(result)

This module has no further dependencies; `bitcade.ray` runs the same jobs on many machines.

| kind | plays | params |
|---|---|---|
| `self_play` | random moves, or 2048 with a network | `game`, `num_envs`, `depth`, the game's arguments |
| `evaluate` | any game with a policy; Go against `opponent`, by default `random` | `game`, `num_envs`, the game's arguments |
| `match` | `policy` against `opponent`: Go with colors swapped in every pair of games, other games on the same seeds | as above; in Go `opening_moves` (4), random moves at the start, the same in both games of a pair |
| `trajectories` | any game with a policy, in Go on both sides, and writes every step to Parquet files | as above; `out`, a folder that all machines share, and `gamma` (1.0) |
| `evaluate` | match-3 with each agent | `game`, `agents`, `budget`, `width`, `height`, `colors`, `moves` |
| `evaluate` | 2048 with a network | `game`, `depth` |
| `level_test` | match-3 levels with each agent | `levels`, `agents`, `budget` |
| `contest` | Tetris contest games, with consecutive seeds starting at `Job.seed` | `pieces`, `width` |

A policy is a function of batches of observations and action masks, an ONNX model, a 2048 network, or one of the
package's players; see `Policy`. Its games have seeds of their own, so their totals don't depend on `shard_games` and
`num_envs` either. An `Sprt` ends a match as soon as it is decided. In a match, `return` is the sum of the policy's
results: 1, 0 or -1 per game in Go. `pairs_0` to `pairs_4` count pairs of Go games by the policy's half points.

A level of `level_test` is a dictionary of `width`, `height`, `colors`, `moves` and `target`, the score needed to pass.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.resources
import json
import math
import os
import signal
import sys
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TextIO

import numpy as np

from bitcade import _native, _play
from bitcade._games import find
from bitcade._play import read_trajectories
from bitcade._policy import OTHER_PARAMS, Policy, new_batch
from bitcade._sprt import Sprt, SprtState

__all__ = [
    "CheckpointError",
    "Case",
    "Driver",
    "Failure",
    "Job",
    "Policy",
    "Progress",
    "Result",
    "Shard",
    "ShardError",
    "ShardResult",
    "Sprt",
    "SprtState",
    "TextProgress",
    "read_trajectories",
    "run_local",
    "run_shard",
]

AGENTS = ("random", "greedy", "rollout")
LEVEL = ("width", "height", "colors", "moves")
PARAMS = {
    "evaluate": {"match3": {"game", "agents", "budget", *LEVEL}, "2048": {"game", "depth"}},
    "level_test": {"match3": {"levels", "agents", "budget"}},
    "contest": {"tetris": {"pieces", "width"}},
}


class CheckpointError(ValueError):
    """A checkpoint is unreadable or belongs to another job."""


class ShardError(RuntimeError):
    """Every shard of a job failed."""


@dataclass(frozen=True)
class Shard:
    """The games `first` to `first + games - 1` of one case of a job."""

    number: int
    case: int
    first: int
    games: int


@dataclass(frozen=True)
class ShardResult:
    """The sums over the games of a shard, and records to keep, each under a unique key."""

    sums: dict[str, int]
    records: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """A shard that raised an exception or was lost too often: its number, its games, and the error.

    In a contest, `seed` is the seed of the shard's first game; otherwise it is the job's.
    """

    shard: int
    name: str
    seed: int
    error: str

    def __str__(self) -> str:
        return f"shard {self.shard} ({self.name}, seed {self.seed}) failed: {self.error}"


@dataclass(frozen=True)
class Job:
    """Games to play, and how to split them into shards. `games` is the number of games per case.

    `policy` and `opponent` are anything that `Policy` takes. A case of a match in Go has an even number of games per
    shard, because they come in pairs.
    """

    kind: str
    params: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    games: int = 1000
    shard_games: int = 100
    network: _native.Network2048 | None = field(default=None, repr=False, compare=False)
    policy: Any = field(default=None, repr=False, compare=False)
    opponent: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.games < 1 or self.shard_games < 1:
            raise ValueError(f"games={self.games}, shard_games={self.shard_games}: expected at least 1")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"seed={self.seed}: expected 0 to 2^64 - 1")
        game = {"level_test": "match3", "contest": "tetris"}.get(self.kind, self.params.get("game"))
        if self.policy is not None or self.kind in ("match", "trajectories"):
            self._check_policies()
            return
        if self.opponent is not None:
            raise ValueError("opponent: expected a policy, too")
        if self.kind == "self_play":
            find(game)
            if self.network is not None and game != "2048":
                raise ValueError(f"game={game!r}: the network plays 2048")
            if self.params.get("num_envs", 1) < 1:
                raise ValueError(f"num_envs={self.params['num_envs']}: expected at least 1")
            # Let the class check its arguments now rather than in the first shard.
            _batch(self, 1, [0])
        elif self.kind not in PARAMS:
            kinds = ("self_play", "match", "trajectories", *PARAMS)
            raise ValueError(f"kind={self.kind!r}: expected {', '.join(kinds)}")
        elif game not in PARAMS[self.kind]:
            raise ValueError(f"game={game!r}: expected one of {', '.join(PARAMS[self.kind])}")
        elif unknown := set(self.params) - PARAMS[self.kind][game]:
            raise ValueError(f"{self.kind}: unknown parameter {', '.join(sorted(unknown))}")
        elif self.kind == "evaluate" and game == "2048" and self.network is None:
            raise ValueError("evaluate of 2048: expected a network")
        elif self.kind == "contest":
            for name in ("pieces", "width"):
                if (value := self.params.get(name, 1)) < 1:
                    raise ValueError(f"{name}={value}: expected at least 1")
        for case in self.cases():
            if case.get("agent", "greedy") not in AGENTS:
                raise ValueError(f"agents: {case['agent']!r}: expected some of {', '.join(AGENTS)}")
            if unknown := set(case.get("level", {})) - {*LEVEL, "target"}:
                raise ValueError(f"levels: unknown parameter {', '.join(sorted(unknown))}")
        if not self.cases():
            raise ValueError("expected at least one agent, and at least one level")

    def _check_policies(self) -> None:
        """Check a job of policies, and let everything that may be wrong show here rather than in the first shard."""
        if self.kind not in ("evaluate", "match", "trajectories"):
            raise ValueError(f"kind={self.kind!r}: expected evaluate, match or trajectories for a policy")
        game = find(self.params.get("game")).name
        if self.network is not None:
            raise ValueError("network: expected it as the policy")
        names = {"policy": self.policy, "opponent": self.opponent}
        if self.kind == "evaluate" and game == "go" and self.opponent is None:
            names["opponent"] = "random"
        against = self.kind == "match" or game == "go" and self.kind == "evaluate"
        if names["policy"] is None or against == (names["opponent"] is None):
            expected = "a policy and an opponent" if against else "a policy and no opponent"
            raise ValueError(f"{self.kind} of {game}: expected {expected}")
        for name, value in names.items():
            if value is not None:
                policy = value if isinstance(value, Policy) else Policy(value)
                policy.check(game, dict(self.params))
                object.__setattr__(self, name, policy)
        own = {"evaluate": set(), "match": set(), "trajectories": {"gamma", "out"}}[self.kind]
        own |= {"opening_moves"} if against and game == "go" else set()
        if unknown := set(self.params) & (set(OTHER_PARAMS) - {"game", "num_envs"} - own):
            raise ValueError(f"{self.kind}: unknown parameter {', '.join(sorted(unknown))}")
        for name, least in (("num_envs", 1), ("opening_moves", 0)):
            value = self.params.get(name, least)
            if not isinstance(value, int) or value < least:
                raise ValueError(f"{name}={value!r}: expected at least {least}")
        if against and game == "go" and (self.games % 2 or self.shard_games % 2):
            raise ValueError(f"games={self.games}, shard_games={self.shard_games}: expected even numbers")
        if self.kind == "trajectories":
            gamma = self.params.get("gamma", 1.0)
            if not isinstance(gamma, int | float) or not 0 <= gamma <= 1:
                raise ValueError(f"gamma={gamma!r}: expected 0 to 1")
            if not isinstance(self.params.get("out"), str):
                raise ValueError("out: expected the path of a folder")
            _play.import_pyarrow()
        _batch(self, 1, [0])

    def cases(self) -> list[dict[str, Any]]:
        """Return the cases, each with its own total: agents, or levels x agents. Most jobs have one case."""
        agents = self.params.get("agents", ["greedy"])
        if self.kind == "level_test":
            return [
                {"level": dict(level), "number": number, "agent": agent}
                for number, level in enumerate(self.params.get("levels", []))
                for agent in agents
            ]
        if self.kind == "evaluate" and self.params.get("game") == "match3":
            level = {key: self.params[key] for key in LEVEL if key in self.params}
            return [{"level": level, "agent": agent} for agent in agents]
        return [{}]

    def case_names(self) -> list[str]:
        """Return a name for each case."""
        if self.opponent is not None:
            return [f"{self.policy} against {self.opponent}"]
        if self.policy is not None:
            return [f"{self.kind} of {self.policy}"]
        names = []
        for case in self.cases():
            level = f"level {case['number']}, " if "number" in case else ""
            names.append(level + case.get("agent", self.kind))
        return names

    def shards(self) -> list[Shard]:
        """Return all shards of the job."""
        starts = range(0, self.games, self.shard_games)
        ranges = [(first, min(self.shard_games, self.games - first)) for first in starts]
        cases = range(len(self.cases()))
        return [
            Shard(number, case, first, games)
            for number, (case, (first, games)) in enumerate((case, part) for case in cases for part in ranges)
        ]

    def failure(self, shard: Shard, error: BaseException | str) -> Failure:
        """Create a shard's `Failure`, with the text of the exception on one line."""
        first, last = shard.first, shard.first + shard.games - 1
        seed = (self.seed + first) % (1 << 64) if self.kind == "contest" else self.seed
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        name = f"{self.case_names()[shard.case]}, games {first} to {last}"
        return Failure(shard.number, name, seed, " ".join(text.split()))

    def description(self) -> dict[str, Any]:
        """Return everything that the results depend on, as JSON values."""
        network = hashlib.sha256(self.network.save()).hexdigest() if self.network is not None else None
        described = {
            "kind": self.kind,
            "params": dict(self.params),
            "seed": self.seed,
            "games": self.games,
            "shard_games": self.shard_games,
            "network": network,
            "policy": self.policy.id if self.policy is not None else None,
            "opponent": self.opponent.id if self.opponent is not None else None,
            "bitcade": _version(),
        }
        try:
            return json.loads(json.dumps(described, default=_listed))
        except TypeError as error:
            raise ValueError(f"params: expected JSON values: {error}") from None


def _version() -> str:
    """Return the version and a hash of the sources, because any change to them may change the results."""
    try:
        version = importlib.metadata.version("bitcade")
    except importlib.metadata.PackageNotFoundError:
        version = "not installed"
    folder = importlib.resources.files("bitcade")
    own = b"".join((folder / name).read_bytes() for name in ("shards.py", "_play.py", "_policy.py"))
    crc32 = zlib.crc32(own.replace(b"\r", b""))
    return f"{version}, sources {_native._SOURCES}-{crc32:08x}"


def _listed(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} in the description of a job")


def run_shard(job: Job, shard: Shard) -> ShardResult:
    """Play the games of one shard on one core."""
    if job.policy is not None:
        return ShardResult(*_play.run(job, shard))
    if job.kind == "self_play":
        return ShardResult(_self_play(job, shard))
    if job.kind == "contest":
        return _contest(job, shard)
    if job.kind == "evaluate" and job.params["game"] == "2048":
        assert job.network is not None
        depth = job.params.get("depth", 1)
        games = job.network.evaluate(shard.games, depth=depth, seed=job.seed, first=shard.first)
        sums = _moments("score", [score for score, _ in games])
        for _, tile in games:
            _add(sums, {f"tile_{tile}": 1})
        return ShardResult(sums)
    case = job.cases()[shard.case]
    level = {key: case["level"][key] for key in LEVEL if key in case["level"]}
    scores = _native.match3_evaluate(
        shard.games,
        agent=case["agent"],
        budget=job.params.get("budget", 100),
        seed=job.seed,
        first=shard.first,
        **level,
    )
    sums = _moments("score", scores)
    if "target" in case["level"]:
        sums["passed"] = sum(score >= case["level"]["target"] for score in scores)
    return ShardResult(sums)


def _moments(name: str, values: list[int]) -> dict[str, int]:
    squares = sum(value * value for value in values)
    return {"games": len(values), name: sum(values), f"{name}_squares": squares}


def _add(sums: dict[str, int], more: Mapping[str, int]) -> None:
    for key, value in more.items():
        sums[key] = sums.get(key, 0) + value


def _contest(job: Job, shard: Shard) -> ShardResult:
    sums: dict[str, int] = {}
    records = {}
    for game in range(shard.first, shard.first + shard.games):
        seed = (job.seed + game) % (1 << 64)
        try:
            solved = _native.contest_solve(seed=seed, **job.params)
        except ValueError as error:
            raise ValueError(f"seed {seed}: {error}") from None
        _add(sums, _moments("score", [solved["score"]]))
        _add(sums, {key: solved[key] for key in ("bound", "lines", "pieces")})
        records[str(seed)] = solved["record"]
    return ShardResult(sums, records)


def _batch(job: Job, places: int, seeds: list[int]) -> Any:
    params = dict(job.params)
    formats = {"one_hot", "history", "planes", "dtype", "channels"}
    if job.kind == "self_play" and (clash := sorted(set(params) & formats)):
        raise ValueError(f"self_play: {', '.join(clash)} can't be set")
    return new_batch(params, places, seeds)


def _self_play(job: Job, shard: Shard) -> dict[str, int]:
    """Play a shard's games in parallel slots, each of which plays a fixed number of games in sequence.

    The number is fixed in advance: counting whichever games finish first would favor short ones.
    """
    places = min(job.params.get("num_envs", 64), shard.games)
    base = int(np.random.SeedSequence(job.seed).generate_state(1, np.uint64)[0])
    seeds = [(base + shard.first + place) % (1 << 64) for place in range(places)]
    batch = _batch(job, places, seeds)
    left = np.full(places, shard.games // places)
    left[: shard.games % places] += 1
    returned = np.zeros(places, np.int64)
    length = np.zeros(places, np.int64)
    game, depth = job.params["game"], job.params.get("depth", 1)
    white_first = job.params.get("start_color") == "white"
    sums: dict[str, int] = {}
    returns: list[int] = []
    while (live := left > 0).any():
        if job.network is None:
            _, reward, terminated, truncated, _ = batch.random_step()
        else:
            actions = batch.sample()
            actions[live] = job.network.actions(batch.obs[live], depth=depth)
            _, reward, terminated, truncated, _ = batch.step(actions)
        returned += reward.astype(np.int64)
        length += 1
        ended = np.flatnonzero((terminated | truncated) & live)
        if not ended.size:
            continue
        returns.extend(returned[ended].tolist())
        cut = int((truncated & ~terminated)[ended].sum())
        _add(sums, {"steps": int(length[ended].sum()), "truncated": cut})
        if game == "2048":
            largest = batch.final_obs(ended.tolist()).reshape(ended.size, -1).max(axis=1)
            for rank, count in zip(*np.unique(largest, return_counts=True), strict=True):
                _add(sums, {f"tile_{1 << int(rank)}": int(count)})
        elif game == "go":
            # The reward is for the color that moved last.
            black = np.where((length[ended] % 2 == 1) != white_first, 1, -1) * reward[ended].astype(np.int64)
            for sign, name in ((1, "black_wins"), (-1, "white_wins"), (0, "draws")):
                _add(sums, {name: int((black[terminated[ended]] == sign).sum())})
        left[ended] -= 1
        # Slots that have played their games go on, uncounted; the others start their next game.
        over = terminated | truncated
        returned[over] = 0
        length[over] = 0
    return {**_moments("return", returns), **sums}


@dataclass(frozen=True)
class Case:
    """The totals of one case of a job."""

    name: str
    sums: Mapping[str, int]

    @property
    def games(self) -> int:
        """The number of games."""
        return self.sums.get("games", 0)

    def mean(self, name: str) -> float:
        """Return the mean of a sum per game; `nan` without games."""
        return self.sums.get(name, 0) / self.games if self.games else math.nan

    def stderr(self, name: str) -> float:
        """Return the standard error of the mean of `score` or `return`; `nan` for fewer than two games."""
        n, total, squares = self.games, self.sums.get(name, 0), self.sums.get(f"{name}_squares", 0)
        # In integers, because the difference is much smaller than its terms.
        return math.sqrt((n * squares - total * total) / (n - 1)) / n if n > 1 else math.nan

    def __str__(self) -> str:
        parts = [f"{self.name}: {self.games} games"]
        for name in self.sums:
            if f"{name}_squares" in self.sums:
                parts.append(f"{name} {self.mean(name):.2f} ± {self.stderr(name):.2f}")
        shown = {"games", *(key for key in self.sums if key.endswith("_squares"))}
        shown |= {name for name in self.sums if f"{name}_squares" in self.sums}
        tiles = sorted((key for key in self.sums if key.startswith("tile_")), key=lambda key: int(key[5:]))
        for name in [name for name in self.sums if name not in shown and name not in tiles] + tiles:
            parts.append(f"{name} {self.sums[name]}")
        return ", ".join(parts)


@dataclass(frozen=True)
class Result:
    """The totals of a finished job, and how it went. Totals don't include the shards in `failures`."""

    cases: list[Case]
    records: Mapping[str, str]
    shards: int
    resumed: int
    lost: int
    seconds: float
    failures: tuple[Failure, ...] = ()
    sprt: SprtState | None = None

    def __str__(self) -> str:
        test = [self.sprt] if self.sprt is not None else []
        return "\n".join(map(str, [*self.cases, *test, *self.failures]))


@dataclass(frozen=True)
class Progress:
    """The progress of a job. Failed shards count as done."""

    done: int
    shards: int
    games_done: int
    games: int
    seconds: float
    games_per_second: float
    lost: int
    failed: int = 0

    @property
    def seconds_left(self) -> float:
        """The estimated time left at the current rate."""
        left = self.games - self.games_done
        return left / self.games_per_second if self.games_per_second else (math.inf if left else 0.0)

    def __str__(self) -> str:
        lost = f", {self.lost} lost and run again" if self.lost else ""
        lost += f", {self.failed} failed" if self.failed else ""
        left = f"{self.seconds_left:.0f} s left" if math.isfinite(self.seconds_left) else "?"
        return (
            f"{self.done}/{self.shards} shards, {self.games_done}/{self.games} games, "
            f"{self.games_per_second:.1f} games/s, {left}{lost}"
        )


class TextProgress:
    """Prints progress: on a terminal as one line that updates, elsewhere as a line every 10 seconds."""

    def __init__(self, stream: TextIO | None = None, every: float | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._terminal = self._stream.isatty()
        self._every = every if every is not None else (0.2 if self._terminal else 10.0)
        self._next = -math.inf

    def __call__(self, progress: Progress) -> None:
        """Print a line, unless the last one is recent and the job isn't finished."""
        last = progress.done == progress.shards
        if progress.seconds < self._next and not last:
            return
        self._next = progress.seconds + self._every
        start, end = ("\r\x1b[K", "\n" if last else "") if self._terminal else ("", "\n")
        self._stream.write(f"{start}{progress}{end}")
        self._stream.flush()


ProgressCallback = Callable[[Progress], None]


FORMAT = "bitcade shards 2"


def _entries(values: Mapping[int, Any]) -> list[str]:
    """Format the entries of a JSON object, one per line."""
    lines = [f'"{number}": {json.dumps(value)},' for number, value in values.items()]
    return [*lines[:-1], lines[-1].removesuffix(",")] if lines else []


def _checked(content: bytes) -> dict[str, Any]:
    """Parse a checkpoint, after comparing every line with its CRC-32 in the last line.

    Raises:
        CheckpointError: The checkpoint is damaged or truncated; the message says where.
        ValueError: The content isn't JSON.
    """
    lines = content.split(b"\n")
    if not lines[0].startswith(b'{"format": "bitcade shards '):
        raise CheckpointError("not a checkpoint of shards")
    if lines[0] != f'{{"format": "{FORMAT}",'.encode():
        shown = lines[0][:40].decode(errors="replace")
        raise CheckpointError(f"written in another format, or damaged, in line 1: {shown}, expected {FORMAT}")
    if len(lines) < 3 or lines[-1] or not lines[-2].startswith(b'"crc32": ['):
        raise CheckpointError(f"cut off in line {len(lines)}, after {len(content)} bytes")
    checks = [check.strip(b' "') for check in lines[-2][len(b'"crc32": [') : -2].split(b",")]
    if len(checks) != len(lines) - 2:
        raise CheckpointError(f"damaged: {len(lines) - 2} lines, and checksums of {len(checks)}")
    for number, (line, check) in enumerate(zip(lines, checks, strict=False), 1):
        if f"{zlib.crc32(line):08x}".encode() != check:
            raise CheckpointError(f"damaged in line {number}, or in its checksum in line {len(lines) - 1}")
    return dict(json.loads(content))


class Driver:
    """Collects the results of a job's shards, old ones from a checkpoint and new ones.

    A driver locks its checkpoint, like the `bitcade` program its outputs: no other driver can open it before this one's
    `with` block ends or it is deleted. If something else has modified the file meanwhile, it is left alone, and the
    results go to a new file next to it. Failing to write the checkpoint in the middle of a job is only a warning.

    Use it in a `with` block, which writes the checkpoint at the end no matter how the block ends. SIGINT, SIGTERM and
    SIGHUP raise `KeyboardInterrupt` or `SystemExit`: immediately with `interrupt`, otherwise in the next `check`.

    With `sprt`, the job ends after the first shard at which the test is decided, in the order of their numbers. Shards
    that ended early don't count before all earlier ones have ended, so the result is the same however they were played.
    """

    SIGNALS = tuple(
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    )

    def __init__(
        self,
        job: Job,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: ProgressCallback | bool | None = None,
        save_seconds: float = 5.0,
        interrupt: bool = False,
        sprt: Sprt | None = None,
    ) -> None:
        if sprt is not None and (job.opponent is None or len(job.cases()) != 1):
            raise ValueError("sprt: expected a job with a policy and an opponent")
        self.job = job
        self.shards = job.shards()
        self.lost = 0
        self._results: dict[int, ShardResult] = {}
        self._failures: dict[int, Failure] = {}
        self._sprt = sprt
        #: The state of the test after the first `_counted` shards, with their sums.
        self._state: SprtState | None = sprt.test({}) if sprt is not None else None
        self._counted = 0
        self._sums: dict[str, int] = {}
        self._path = Path(checkpoint) if checkpoint is not None else None
        self._description = job.description() if self._path is not None else None
        self._progress = TextProgress() if progress is True else progress or None
        self._save_seconds = save_seconds
        self._interrupt = interrupt
        self._signal: int | None = None
        self._closing = False
        self._handlers: dict[int, Any] = {}
        self._start = self._saved = time.monotonic()
        self._file = None
        self._said = ""
        if self._path is not None:
            # An absolute path is never taken for standard output.
            self._file = _native._OutputFile(self._path.absolute())
            try:
                if self._path.exists():
                    self._load(self._path, self._path.read_bytes())
            except BaseException:
                self.close()
                raise
        self._resumed = len(self._results)
        self._resumed_games = self._games_done()

    def left(self) -> list[Shard]:
        """Return the shards that have neither a result nor a failure in this run; none if the test is decided."""
        if self.decided():
            return []
        over = self._results.keys() | self._failures.keys()
        return [shard for shard in self.shards if shard.number not in over]

    def decided(self) -> bool:
        """Return whether the sequential test has accepted a hypothesis, which ends the job."""
        while self._sprt is not None and self._state is not None and self._state.accepted is None:
            if self._counted in self._results:
                _add(self._sums, self._results[self._counted].sums)
                self._state = self._sprt.test(self._sums)
            elif self._counted not in self._failures:
                return False
            self._counted += 1
        return self._state is not None

    def done(self, shard: Shard, result: ShardResult) -> None:
        """Record the result of a shard, write the checkpoint if it is old, and report the progress."""
        self._results[shard.number] = result
        self._ended()

    def failed(self, shard: Shard, error: BaseException | str) -> None:
        """Record the failure of a shard, like `done`. A run that resumes from the checkpoint plays it again."""
        self._failures[shard.number] = self.job.failure(shard, error)
        self._ended()

    def _ended(self) -> None:
        if time.monotonic() - self._saved >= self._save_seconds:
            try:
                self.save()
            except OSError as error:
                # Nothing is lost: the results are in memory, and the next save may succeed.
                if str(error) != self._said:
                    warnings.warn(f"{error}; the job goes on", RuntimeWarning, stacklevel=2)
                self._said = str(error)
            else:
                self._said = ""
        if self._progress is not None:
            self._progress(self.progress())

    def progress(self) -> Progress:
        """Return the progress. Shards from the checkpoint count as done, but not in the rate."""
        seconds = time.monotonic() - self._start
        done = self._games_done()
        rate = (done - self._resumed_games) / seconds if seconds > 0 else 0.0
        games = sum(shard.games for shard in self.shards)
        shards, failed = len(self._results) + len(self._failures), len(self._failures)
        return Progress(shards, len(self.shards), done, games, seconds, rate, self.lost, failed)

    def _games_done(self) -> int:
        return sum(self.shards[number].games for number in (*self._results, *self._failures))

    def result(self) -> Result:
        """Return the totals. Every shard must have a result or have failed, unless a sequential test is decided.

        Raises:
            ShardError: Every shard failed.
            RuntimeError: Shards are left.
        """
        if left := self.left():
            raise RuntimeError(f"{len(left)} of {len(self.shards)} shards have no result")
        counted = self._counted if self._sprt is not None else len(self.shards)
        failures = tuple(self._failures[number] for number in sorted(self._failures) if number < counted)
        if not self._results:
            raise ShardError(f"all {len(failures)} shards failed; {failures[0]}")
        sums: list[dict[str, int]] = [{} for _ in self.job.cases()]
        records: dict[str, str] = {}
        for number in sorted(number for number in self._results if number < counted):
            _add(sums[self.shards[number].case], self._results[number].sums)
            records.update(self._results[number].records)
        cases = [Case(name, total) for name, total in zip(self.job.case_names(), sums, strict=True)]
        seconds = time.monotonic() - self._start
        return Result(cases, records, len(self.shards), self._resumed, self.lost, seconds, failures, self._state)

    def save(self) -> None:
        """Write the checkpoint atomically.

        Raises:
            OSError: The checkpoint can't be written and is unchanged.
        """
        self._saved = time.monotonic()
        if self._file is None:
            return
        lines = [f'{{"format": {json.dumps(FORMAT)},', f'"job": {json.dumps(self._description)},', '"shards": {']
        lines += _entries({number: asdict(self._results[number]) for number in sorted(self._results)})
        lines += ['}, "failures": {']
        lines += _entries({number: self._failures[number].error for number in sorted(self._failures)})
        lines += ["},"]
        checks = [f"{zlib.crc32(line.encode()):08x}" for line in lines]
        lines += [f'"crc32": {json.dumps(checks)}}}', ""]
        self._file.write("\n".join(lines).encode())

    def _load(self, path: Path, content: bytes) -> None:
        try:
            saved = _checked(content)
            job, shards = dict(saved["job"]), dict(saved["shards"])
            results = {int(number): ShardResult(**result) for number, result in shards.items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, CheckpointError) else f"not a checkpoint of shards: {error!r}"
            raise CheckpointError(f"{path}: {reason}") from None
        assert self._description is not None
        differing = [
            f"{key} is {job.get(key)!r} there, {value!r} here"
            for key, value in self._description.items()
            if job.get(key) != value
        ]
        if differing:
            raise CheckpointError(f"{path}: the checkpoint of another job: {'; '.join(differing)}")
        if not set(results) <= {shard.number for shard in self.shards}:
            raise CheckpointError(f"{path}: has a shard that the job doesn't have")
        if self.job.kind == "trajectories":
            out = Path(self.job.params["out"])
            results = {n: each for n, each in results.items() if all((out / name).exists() for name in each.records.values())}
        self._results = results

    def close(self) -> None:
        """Release the checkpoint to other drivers; the end of the `with` block does so, too."""
        if self._file is not None:
            self._file.close()

    def check(self) -> None:
        """Raise `KeyboardInterrupt` or `SystemExit` if a signal has arrived."""
        if self._signal == signal.SIGINT:
            raise KeyboardInterrupt
        if self._signal is not None:
            raise SystemExit(128 + self._signal)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self._signal = number
        if self._interrupt and not self._closing:
            self.check()

    def __enter__(self) -> Driver:
        # Only the main thread can set handlers; elsewhere, signals are up to the caller.
        if threading.current_thread() is threading.main_thread():
            for number in self.SIGNALS:
                self._handlers[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        try:
            self.save()
        finally:
            self.close()
            for number, handler in self._handlers.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        # A signal may have surfaced from native code as another exception.
        if kind is not None:
            self.check()


def run_local(
    job: Job,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: ProgressCallback | bool | None = None,
    save_seconds: float = 5.0,
    sprt: Sprt | None = None,
) -> Result:
    """Play all shards of a job in this process, sequentially, or until the sequential test `sprt` is decided.

    Raises:
        ShardError: Every shard failed.
    """
    with Driver(
        job, checkpoint=checkpoint, progress=progress, save_seconds=save_seconds, interrupt=True, sprt=sprt
    ) as driver:
        for shard in driver.left():
            if driver.decided():
                break
            try:
                result = run_shard(job, shard)
            except Exception as error:
                driver.check()
                driver.failed(shard, error)
            else:
                driver.done(shard, result)
        return driver.result()

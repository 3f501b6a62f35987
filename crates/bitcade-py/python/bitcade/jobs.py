"""Jobs: many games with a policy, in this process, in several, or on a Ray cluster.

A `Job` plays games numbered from 0, each from its own seed. `run` splits them into shards, plays each on one core, and
joins their results, which don't depend on where, how often or in which order shards were played:

    from bitcade.jobs import Job, run
    print(run(Job("evaluate", "match3", "greedy", games=1000)))

With a `folder`, each finished shard is a file in it, and the same call resumes: it plays the shards without one.

| kind | plays | columns of the result besides `game` |
|---|---|---|
| `evaluate` | a policy; in Go against `opponent`, by default `random` | `return`, `length`, `truncated`, 2048: `largest`, match-3 levels: `won`, Go: as `match` |
| `match` | `policy` against `opponent`: in Go with colors swapped in every pair of games, otherwise both on the same seeds | as above, and `opponent_return`, `difference`; in Go `black` (the policy's color), and results of 1, 0 or -1 |
| `self_play` | as `evaluate`, in Go the policy on both sides | as `evaluate`; in Go Black's results |
| `trajectories` | as `self_play`, and its files are Parquet with every step (`read_trajectories`) | as `self_play` |
| `level_test` | as `evaluate`, on each of some `levels` | and `level`, the index |
| `playtest` | each of some `levels` in files, by an agent of `match3.playtest`, with its games: `reports` has the sums | `return`, `length`, `won` and `level`, the index |
| `contest` | the Tetris contest, with `options` of `contest.solve`; game i has the seed `seed + i` | `seed`, `score`, `bound`, `lines`, `pieces`, `record` |

A game of a shard that raised an exception, or whose process was lost too often, is missing from the result, which names
the shard in `failures`. The next run with the same folder plays it again.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from . import _native
from ._executors import LOST, choose
from ._files import write_file
from ._games import find
from ._options import GameName
from ._native import Level, PlaytestReport, match3_playtest
from ._play import (
    Columns,
    game_seed,
    import_pyarrow,
    listed,
    new_batch,
    play_games,
    read_metadata,
    read_trajectories,
    trajectories,
)
from ._policy import Policy, draws
from ._sprt import Sprt, SprtState

__all__ = [
    "Failure",
    "FolderError",
    "Job",
    "JobError",
    "Policy",
    "Result",
    "Shard",
    "Sprt",
    "SprtState",
    "read_trajectories",
    "run",
]

Kind = Literal["evaluate", "match", "self_play", "trajectories", "level_test", "playtest", "contest"]

#: How often a shard may be lost with its process before it counts as failed.
ATTEMPTS = 5


class FolderError(ValueError):
    """A folder belongs to another job, or has a damaged file."""


class JobError(RuntimeError):
    """Every shard of a job failed."""


@dataclass(frozen=True)
class Shard:
    """Some games of a job, of one of its levels, that are played together."""

    number: int
    numbers: range
    level: int = 0


@dataclass(frozen=True)
class Failure:
    """A shard without a result: its number, its games, the seed of the first one, and the error."""

    shard: int
    games: range
    seed: int
    error: str

    def __str__(self) -> str:
        games = f"games {self.games[0]} to {self.games[-1]}"
        return f"shard {self.shard} ({games}, first seed {self.seed}) failed: {self.error}"


@dataclass(frozen=True)
class Job:
    """Games to play, and how to split them into shards.

    Args:
        kind: What to play: see the table of the module.
        game: The game; none for a contest or a playtest.
        policy: A `Policy`, or anything that it takes; in a playtest an agent of `match3.playtest`.
        opponent: The other policy of a match.
        options: Keyword arguments of the game's batch, such as `{"size": 9}`; of a contest those of `contest.solve`.
        levels: The options of each level of a level test; of a playtest each `match3.Level`, or the text of its file.
        games: The number of games; of a level test or a playtest, for each level.
        seed: The seed of the games, 0 to 2**64 - 1.
        shard_games: The games per shard: so many that it takes between a second and a minute.
        num_envs: The largest number of games that a shard plays at a time.
        opening_moves: The random moves at the start of a game between two players of Go, the same in both games of a
            pair.
        gamma: The discount of `return_to_go` in trajectories.

    Raises:
        ValueError: An argument is wrong, or the policy doesn't play these games.
    """

    kind: Kind
    game: GameName | None = None
    policy: Any = None
    opponent: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    levels: Sequence[Any] | None = None
    games: int = 1000
    seed: int = 1
    shard_games: int = 100
    num_envs: int = 64
    opening_moves: int = 4
    gamma: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind={self.kind!r}: expected {', '.join(get_args(Kind))}")
        for name, least in (("games", 1), ("shard_games", 1), ("num_envs", 1), ("opening_moves", 0), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 1 << 64:
                raise ValueError(f"{name}={value!r}: expected an integer of at least {least}")
        if not isinstance(self.gamma, int | float) or not 0 <= self.gamma <= 1:
            raise ValueError(f"gamma={self.gamma!r}: expected 0 to 1")
        if (self.levels is None) == (self.kind in ("level_test", "playtest")):
            raise ValueError(f"levels: expected {'each level' if self.levels is None else 'level_test or playtest'}")
        if self.levels is not None and not self.levels:
            raise ValueError("levels: expected at least one")
        if self.kind == "contest":
            self._check_contest()
            return
        if self.kind == "playtest":
            self._check_playtest()
            return
        game = find(self.game).name
        if self.kind == "evaluate" and game == "go" and self.opponent is None:
            object.__setattr__(self, "opponent", "random")
        against = self.kind == "match" or game == "go" and self.kind in ("evaluate", "level_test")
        if self.policy is None or against == (self.opponent is None):
            raise ValueError(f"{self.kind} of {game}: expected a policy and {'an' if against else 'no'} opponent")
        if self._pairs and (self.games % 2 or self.shard_games % 2):
            raise ValueError(f"games={self.games}, shard_games={self.shard_games}: expected even numbers, for pairs")
        if self.kind == "trajectories":
            import_pyarrow()
        for name in ("policy", "opponent"):
            if (value := getattr(self, name)) is not None and not isinstance(value, Policy):
                object.__setattr__(self, name, Policy(value))
        for options in self._levels:
            # Whatever may be wrong shows here rather than in the first shard.
            batch = new_batch(game, options, [0])
            for policy in self._players:
                policy.check(game, options, batch)

    def _check_contest(self) -> None:
        if (self.game, self.policy, self.opponent) != (None, None, None):
            raise ValueError("contest: expected no game, policy or opponent")
        if unknown := sorted(set(self.options) - {"pieces", "width"}):
            raise ValueError(f"options: unknown {', '.join(unknown)}")
        for name, most in (("pieces", 10_000), ("width", 1 << 32)):
            value = self.options.get(name, 1)
            if not isinstance(value, int) or not 1 <= value <= most:
                raise ValueError(f"{name}={value!r}: expected an integer from 1 to {most}")

    def _check_playtest(self) -> None:
        if (self.game, self.opponent, dict(self.options)) != (None, None, {}):
            raise ValueError("playtest: expected no game, opponent or options")
        if callable(self.policy):
            object.__setattr__(self, "policy", Policy(self.policy))
        for level in self.levels or ():
            match3_playtest(level, self._agent, games=0)
        levels = [Level.parse(level) if isinstance(level, str) else level for level in self.levels or ()]
        object.__setattr__(self, "levels", levels)

    @property
    def _agent(self) -> Any:
        return self.policy.source if isinstance(self.policy, Policy) else self.policy

    @property
    def _levels(self) -> Sequence[Mapping[str, Any]]:
        if self.kind == "playtest":
            return [{"level": level} for level in self.levels or ()]
        return [self.options] if self.levels is None else [{**self.options, **level} for level in self.levels]

    @property
    def _players(self) -> list[Policy]:
        return [policy for policy in (self.policy, self.opponent) if isinstance(policy, Policy)]

    @property
    def _pairs(self) -> bool:
        return self.game == "go" and self.opponent is not None

    def __str__(self) -> str:
        players = self.policy if isinstance(self.policy, str) else " against ".join(map(str, self._players))
        return " ".join(filter(None, [self.kind, self.game and f"of {self.game}", players and f"by {players}"]))

    def seed_of(self, game: int) -> int:
        """Return the seed of a game: a batch with `seed=[seed]` and the job's options begins with it.

        In a playtest, all games have the job's, and `first` is their number.
        """
        if self.kind == "playtest":
            return self.seed
        if self.kind == "contest":
            return (self.seed + game) % (1 << 64)
        return game_seed(self.seed, game // 2 if self._pairs else game)

    def shards(self) -> Iterator[Shard]:
        """Yield all shards."""
        starts = range(0, self.games, self.shard_games)
        for level in range(len(self._levels)):
            for number, first in enumerate(starts, len(starts) * level):
                yield Shard(number, range(first, min(first + self.shard_games, self.games)), level)

    def play(self, shard: Shard) -> bytes:
        """Play a shard on one core; return the content of its result file."""
        numbers, options = shard.numbers, self._levels[shard.level]
        if self.kind == "contest":
            return _packed(self._contest(numbers))
        if self.kind == "playtest":
            return _packed(self._playtest(options["level"], shard))
        for i, player in enumerate(self._players):
            first = np.array([game_seed(self.seed, numbers[0])], np.uint64)
            player.seed(int(draws(first, np.array([i]))[0]) >> 32)
        assert self.game is not None
        if self.kind == "trajectories":
            return trajectories(self.game, options, self.policy, self.seed, numbers, self.num_envs, self.gamma)
        sides = [self._players] if self._pairs else [[player] for player in self._players]
        columns, *others = (
            play_games(self.game, options, side, self.seed, numbers, self.num_envs, self.opening_moves)
            for side in sides
        )
        for other in others:
            columns["opponent_return"] = other["return"]
            columns["difference"] = columns["return"] - other["return"]
        if self.levels is not None:
            columns["level"] = np.full(len(numbers), shard.level)
        return _packed(columns)

    def _contest(self, numbers: range) -> Columns:
        rows = []
        for number in numbers:
            try:
                solved = _native.contest_solve(seed=self.seed_of(number), **self.options)
            except ValueError as error:
                raise ValueError(f"seed {self.seed_of(number)}: {error}") from None
            rows.append({"game": number, "seed": self.seed_of(number), **solved})
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def _playtest(self, level: Level, shard: Shard) -> Columns:
        numbers = shard.numbers
        # Game by game: a report has no rows. Its games don't depend on it.
        reports = [match3_playtest(level, self._agent, games=1, seed=self.seed, first=number) for number in numbers]
        report = sum(reports[1:], reports[0])
        return {
            "game": np.array(numbers),
            "return": np.array([next(iter(one.scores)) for one in reports], np.int64),
            "length": np.array([one.moves for one in reports]),
            "won": np.array([one.won > 0 for one in reports]),
            "level": np.full(len(numbers), shard.level),
            "report": np.array([report.to_json()]),
            "report_level": np.array([shard.level]),
        }

    def _description(self) -> dict[str, Any]:
        """Return everything that results depend on, as JSON values."""
        if any(policy.id is None for policy in self._players):
            raise ValueError("policy: a function needs a name in a folder: Policy(function, name='first version')")
        values: dict[str, Any] = {"bitcade": _native.__version__}
        for name in ("kind", "game", "games", "seed", "shard_games", "opening_moves", "gamma"):
            values[name] = getattr(self, name)
        policies = [self.policy] if isinstance(self.policy, str) else [policy.id for policy in self._players]
        values |= {"levels": self._levels, "policies": policies}
        try:
            return dict(json.loads(json.dumps(values, default=listed)))
        except TypeError as error:
            raise ValueError(f"options: {error}") from None


def _packed(columns: Columns) -> bytes:
    content = BytesIO()
    np.savez_compressed(content, allow_pickle=False, **columns)
    return content.getvalue()


def _unpacked(content: bytes, parquet: bool) -> Columns:
    if parquet:
        return {name: np.array(values) for name, values in read_metadata(BytesIO(content))["games"].items()}
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


#: Columns of a playtest with an element per shard.
_OF_SHARDS = {"report", "report_level"}


@dataclass(frozen=True, eq=False)
class Result:
    """The games of a job that have a result, in the order of their numbers, and how it went.

    Attributes:
        columns: Arrays with an element per game; `result["return"]` is short for `result.columns["return"]`. A playtest
            has a `report` (JSON) and its `report_level` per shard, too.
        failures: The shards without a result.
        sprt: The sequential test, if there is one; later games don't count.
        resumed: The number of shards whose result was in the folder.
        lost: How often a process or node was lost with a shard.
    """

    job: Job
    columns: Columns
    failures: tuple[Failure, ...] = ()
    sprt: SprtState | None = None
    resumed: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.columns["game"])

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def reports(self) -> list[PlaytestReport]:
        """Return the report of each level of a playtest."""
        reports = [match3_playtest(options["level"], "random", games=0) for options in self.job._levels]
        for level, text in zip(self["report_level"].tolist(), self["report"].tolist(), strict=True):
            reports[level] += PlaytestReport.from_json(text)
        return reports

    def mean(self, name: str) -> float:
        """Return the mean of a column."""
        return float(self.columns[name].mean())

    def stderr(self, name: str) -> float:
        """Return the standard error of the mean of a column; `nan` for fewer than two games."""
        return float(self.columns[name].std(ddof=1)) / math.sqrt(self.games) if self.games > 1 else math.nan

    def __str__(self) -> str:
        lines = []
        for level in range(len(self.job._levels)):
            rows = np.ones(self.games, bool) if self.job.levels is None else self.columns["level"] == level
            columns = {name: column for name, column in self.columns.items() if name not in _OF_SHARDS}
            part = Result(self.job, {name: column[rows] for name, column in columns.items()})
            shown = [name for name in columns if part.games and name not in ("game", "level", "seed", "record")]
            title = f"{self.job}" if self.job.levels is None else f"{self.job}, level {level}"
            means = (f", {name} {part.mean(name):.2f} ± {part.stderr(name):.2f}" for name in shown)
            lines.append(f"{title}: {part.games} games{''.join(means)}")
        return "\n".join(map(str, [*lines, *([self.sprt] if self.sprt else []), *self.failures]))


class _Folder:
    """The result files of a job."""

    def __init__(self, path: str | os.PathLike[str], job: Job) -> None:
        self.path, self.parquet = Path(path), job.kind == "trajectories"
        # Readers of Parquet folders skip names that begin so.
        self.head, described = self.path / "_job.json", job._description()
        self.text = json.dumps(described, indent=1)
        self.path.mkdir(parents=True, exist_ok=True)
        if self.head.exists():
            try:
                found = dict(json.loads(self.head.read_bytes()))
            except (ValueError, TypeError):
                raise FolderError(f"{self.head}: not the description of a job") from None
            keys = [key for key in {**described, **found} if described.get(key) != found.get(key)]
            if differing := [f"{key} is {found.get(key)!r} there, {described.get(key)!r} here" for key in keys]:
                raise FolderError(f"{self.path}: the folder of another job: {'; '.join(differing)}")
        elif others := [name for name in os.listdir(self.path) if not name.startswith(".")]:
            raise FolderError(f"{self.path}: not the folder of a job: has {others[0]}")

    def file(self, shard: Shard) -> Path:
        """Return the path of the result of a shard."""
        return self.path / f"{shard.number:06}.{'parquet' if self.parquet else 'npz'}"

    def load(self, shard: Shard) -> Columns | None:
        """Return the result of a shard, or `None` if it has no file."""
        path = self.file(shard)
        if not path.exists():
            return None
        try:
            columns = _unpacked(path.read_bytes(), self.parquet)
        # Whatever NumPy and PyArrow raise for a damaged file.
        except Exception as error:
            raise FolderError(f"{path}: damaged; delete it to play the shard again: {type(error).__name__}") from None
        if columns["game"].tolist() != list(shard.numbers):
            raise FolderError(f"{path}: has other games; delete it to play the shard again")
        return columns


def _counts(job: Job, columns: Columns) -> np.ndarray:
    """Count the results of a match as an `Sprt` takes them: pairs of Go games, or wins on the same seeds."""
    if job._pairs:
        return np.bincount(columns["return"].reshape(-1, 2).sum(axis=1) + 2, minlength=5)
    return np.bincount(np.sign(columns["difference"]) + 1, minlength=3)


def run(
    job: Job,
    *,
    executor: int | Literal["ray"] | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
    sprt: Sprt | None = None,
    ray_options: Mapping[str, Any] | None = None,
) -> Result:
    """Play all shards of a job that have no result yet, and return the results of all.

    A shard that is lost with its process or node is played again, up to five times. One that raises an exception is
    reported in the result's `failures`. After any exception of this call, Ctrl-C included, the folder has all finished
    shards.

    Args:
        job: The job.
        executor: `None` plays in this process, a number in as many processes, and `"ray"` on the cluster to which
            `ray.init` has connected this process. Processes import the main script again: it needs the usual
            `if __name__ == "__main__":`.
        folder: A folder for a file per shard, from which a later call resumes, on this machine. Without one, results
            are only returned.
        progress: A function called after each shard: `(shards done, shards)`.
        sprt: A sequential test that ends a match as soon as it is decided, in the order of the shards: the result is
            the same however they are played.
        ray_options: Options of Ray's tasks, such as `{"num_gpus": 0.25}`; by default a shard takes one core.

    Raises:
        FolderError: The folder belongs to another job, or has a damaged file.
        JobError: Every shard failed.
        OSError: The folder can't be written.
    """
    if sprt is not None and job.kind != "match":
        raise ValueError("sprt: expected a match")
    play = choose(executor, ray_options)
    store = _Folder(folder, job) if folder is not None else None
    shards = list(job.shards())
    results: dict[int, Columns] = {}
    if store is not None:
        results = {shard.number: found for shard in shards if (found := store.load(shard)) is not None}
    resumed, failures, lost = len(results), dict[int, Failure](), Counter[int]()
    #: The state of the test after the first `counted` shards.
    counts, counted = np.zeros(5 if job._pairs else 3, np.int64), 0
    state = sprt.test(counts.tolist()) if sprt is not None else None

    def decided() -> bool:
        nonlocal state, counts, counted
        while sprt is not None and state is not None and state.accepted is None and counted < len(shards):
            if counted in results:
                counts += _counts(job, results[counted])
                state = sprt.test(counts.tolist())
            elif counted not in failures:
                return False
            counted += 1
        return state is not None

    queue = deque(shard for shard in shards if shard.number not in results)
    if not decided() and queue:
        if store is not None:
            # Show now whether files can be written.
            write_file(store.head, store.text.encode())
        with contextlib.closing(play(job.play, queue)) as outcomes:
            for shard, outcome in outcomes:
                if outcome is LOST:
                    lost[shard.number] += 1
                    if lost[shard.number] < ATTEMPTS:
                        queue.appendleft(shard)
                        continue
                    outcome = f"lost with its process {ATTEMPTS} times"
                if isinstance(outcome, str):
                    games = shard.numbers
                    failures[shard.number] = Failure(shard.number, games, job.seed_of(games[0]), outcome)
                elif outcome is not None:
                    if store is not None:
                        write_file(store.file(shard), outcome)
                    results[shard.number] = _unpacked(outcome, job.kind == "trajectories")
                if progress is not None:
                    progress(len(results) + len(failures), len(shards))
                if decided():
                    break
    last = counted if state is not None else len(shards)
    failed = tuple(failures[number] for number in sorted(failures) if number < last)
    played = [results[number] for number in sorted(results) if number < last]
    if not played:
        raise JobError(f"all {len(failed)} shards failed; {failed[0]}")
    columns = {name: np.concatenate([part[name] for part in played]) for name in played[0]}
    return Result(job, columns, failed, state, resumed, sum(lost.values()))

"""Games played by policies: evaluations, matches and trajectories of a shard."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._policy import Policy, draws, new_batch, random_actions

if TYPE_CHECKING:
    from .shards import Job, Shard

#: A step of some games: their slots, games and step numbers, observations, actions, masks, rewards, terminated, truncated.
Step = tuple[np.ndarray, ...]


def game_seed(job_seed: int, game: int) -> int:
    """Return the seed of a game: the same in every shard."""
    base = int(np.random.SeedSequence(job_seed).generate_state(1, np.uint64)[0])
    return (base + game) % (1 << 64)


@dataclass
class Games:
    """The results of a shard's games, in the order of their numbers."""

    returns: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray
    #: In Go, 1 if the player who made the last move is Black, otherwise 0. In 2048, the rank of the largest tile.
    extra: np.ndarray


def play_games(
    job: Job, first: int, games: int, players: tuple[Policy, ...], record: Callable[[Step], None] | None = None
) -> Games:
    """Play games, each from its own seed, in slots that take the next game when one ends.

    With two players, the first one is Black in even games, and both games of a pair have the same seed and opening.
    """
    params = dict(job.params)
    game, pairs = params["game"], len(players) == 2
    opening = params.get("opening_moves", 4) if pairs else 0
    places = min(params.get("num_envs", 64), games)
    seeds = [game_seed(job.seed, number // 2 if pairs else number) for number in range(first, first + games)]
    batch = new_batch(params, places, seeds[:places])
    keys = np.array(seeds, np.uint64)
    number = np.arange(places)
    total, length = np.zeros(places, np.int64), np.zeros(places, np.int64)
    result = Games(*(np.zeros(games, np.int64) for _ in range(4)))
    following = places
    while (live := np.flatnonzero(number >= 0)).size:
        # Slots that have no game left play on, uncounted.
        actions = batch.action_mask.argmax(axis=1)
        shown = (batch.obs[live], batch.action_mask[live]) if record is not None else ()
        # The third random number of a step is the opening's; a policy that plays itself uses the first.
        words = np.array([draws(keys[number[live]], 3 * length[live] + i) for i in range(3)])
        side = np.zeros(live.size, np.int64)
        if pairs:
            black = batch.to_move()[live] == 0
            side = (black != ((first + number[live]) % 2 == 0)).astype(np.int64)
            side[length[live] < opening] = 2
        for i, player in enumerate(players):
            if (moving := np.flatnonzero(side == i)).size:
                # The games of a pair share a seed, so the number of the game goes in, too.
                word = words[i, moving] ^ draws(first + number[live[moving]], np.zeros(moving.size))
                actions[live[moving]] = player.actions(batch, live[moving], word, params)
        if (moving := np.flatnonzero(side == 2)).size:
            actions[live[moving]] = random_actions(batch.action_mask[live[moving]], words[2, moving])
        moved_by_black = batch.to_move() == 0 if game == "go" else None
        _, reward, terminated, truncated, _ = batch.step(actions)
        if record is not None:
            outcome = (reward[live], terminated[live], truncated[live])
            record((live, first + number[live], length[live].copy(), *shown, actions[live], *outcome))
        total += reward.astype(np.int64)
        length += 1
        ended = live[(terminated | truncated)[live]]
        if not ended.size:
            continue
        done = number[ended]
        result.returns[done], result.lengths[done] = total[ended], length[ended]
        result.truncated[done] = (truncated & ~terminated)[ended]
        if moved_by_black is not None:
            result.returns[done], result.extra[done] = reward[ended], moved_by_black[ended]
        elif game == "2048":
            result.extra[done] = _largest(batch.final_obs(ended.tolist()), params)
        number[ended] = -1
        filled = ended[: games - following]
        if filled.size:
            fresh = new_batch(params, filled.size, seeds[following : following + filled.size])
            batch.set_states(filled.tolist(), fresh.get_states(list(range(filled.size))))
            number[filled] = np.arange(following, following + filled.size)
            total[filled] = length[filled] = 0
            following += filled.size
    return result


def _largest(boards: np.ndarray, params: dict[str, Any]) -> np.ndarray:
    if params.get("one_hot"):
        boards = boards.argmax(axis=-1 if params.get("channels") == "last" else 1)
    return boards.reshape(len(boards), -1).max(axis=1)


def _moments(name: str, values: np.ndarray) -> dict[str, int]:
    values = [int(value) for value in values]
    return {"games": len(values), name: sum(values), f"{name}_squares": sum(value * value for value in values)}


def _sums(job: Job, games: Games) -> dict[str, int]:
    """Return the sums of games of one player."""
    sums = _moments("return", games.returns)
    sums |= {"steps": int(games.lengths.sum()), "truncated": int(games.truncated.sum())}
    if job.params["game"] == "2048":
        for rank, count in zip(*np.unique(games.extra, return_counts=True), strict=True):
            sums[f"tile_{1 << int(rank)}"] = int(count)
    return sums


def _outcomes(scores: np.ndarray) -> dict[str, int]:
    """Count wins, draws and losses, given 1, 0 and -1."""
    return {name: int((np.sign(scores) == sign).sum()) for sign, name in ((1, "wins"), (0, "draws"), (-1, "losses"))}


def run(job: Job, shard: Shard) -> tuple[dict[str, int], dict[str, str]]:
    """Play a shard with the job's policies; return its sums and records."""
    policy, opponent = job.policy, job.opponent
    assert policy is not None
    for i, each in enumerate((policy, opponent)):
        if each is not None:
            each.seed(int(draws(np.array([game_seed(job.seed, shard.first)]), np.array([i]))[0]) >> 32)
    if job.kind == "trajectories":
        return _trajectories(job, shard)
    if job.params["game"] == "go":
        assert opponent is not None
        games = play_games(job, shard.first, shard.games, (policy, opponent))
        even = (shard.first + np.arange(shard.games)) % 2 == 0
        black = np.where(games.extra == 1, 1, -1) * games.returns
        scores = np.where(even, 1, -1) * black
        sums = _moments("return", scores) | _outcomes(scores)
        sums |= {"black_wins": int((black > 0).sum()), "white_wins": int((black < 0).sum())}
        sums |= {"steps": int(games.lengths.sum()), "truncated": int(games.truncated.sum())}
        halves = scores.reshape(-1, 2).sum(axis=1) + 2
        return sums | {f"pairs_{i}": int((halves == i).sum()) for i in range(5)}, {}
    games = play_games(job, shard.first, shard.games, (policy,))
    sums = _sums(job, games)
    if job.kind == "match":
        assert opponent is not None
        others = play_games(job, shard.first, shard.games, (opponent,))
        difference = games.returns - others.returns
        sums |= _moments("opponent_return", others.returns) | _moments("difference", difference)
        sums |= _outcomes(difference)
    return sums, {}


def file_name(shard: Shard) -> str:
    """Return the name of the file with a shard's trajectories."""
    return f"shard-{shard.number:06}.parquet"


def import_pyarrow() -> Any:
    """Import pyarrow with its Parquet module."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("trajectories need pyarrow: pip install 'bitcade[parquet]'") from error
    return pyarrow


def _trajectories(job: Job, shard: Shard) -> tuple[dict[str, int], dict[str, str]]:
    pyarrow = import_pyarrow()
    assert job.policy is not None
    steps: list[Step] = []

    def record(step: Step) -> None:
        slots, games, numbers, obs, mask, *rest = step
        bits = np.packbits(mask, axis=1, bitorder="little")
        steps.append((slots, games, numbers, obs, bits, *rest))

    games = play_games(job, shard.first, shard.games, (job.policy,), record)
    # From the last step back. In Go the next step is the opponent's.
    gamma = job.params.get("gamma", 1.0) * (-1 if job.params["game"] == "go" else 1)
    after = np.zeros(job.params.get("num_envs", 64))
    returns_to_go = []
    for slots, *_, reward, terminated, truncated in reversed(steps):
        after[slots] = reward + gamma * np.where(terminated | truncated, 0.0, after[slots])
        returns_to_go.append(after[slots].astype(np.float32))
    columns = [np.concatenate(parts) for parts in zip(*steps, strict=True)][1:]
    order = np.lexsort((columns[1], columns[0]))
    number, step, obs, mask, action, reward, terminated, truncated = (column[order] for column in columns)
    to_go = np.concatenate(returns_to_go[::-1])[order]
    shape = new_batch(dict(job.params), 1, [0])
    metadata = {
        "format": "bitcade trajectories 1",
        "game": job.params["game"],
        "options": {key: value for key, value in job.params.items() if key not in ("game", "num_envs", "gamma", "out")},
        "obs_shape": list(shape.obs_shape),
        "obs_dtype": shape.dtype,
        "num_actions": shape.num_actions,
        "gamma": job.params.get("gamma", 1.0),
        "job_seed": job.seed,
        "first_game": shard.first,
        "first_seed": game_seed(job.seed, shard.first),
        "policy": str(job.policy),
    }

    def lists(rows: np.ndarray) -> Any:
        values = pyarrow.array(np.ascontiguousarray(rows).reshape(-1))
        return pyarrow.FixedSizeListArray.from_arrays(values, rows[0].size)

    arrays = {
        "game": number.astype(np.int64),
        "step": step.astype(np.int32),
        "obs": lists(obs),
        "action_mask": lists(mask),
        "action": action.astype(np.int32),
        "reward": reward,
        "terminated": terminated,
        "truncated": truncated,
        "return_to_go": to_go,
    }
    table = pyarrow.table({name: pyarrow.array(column) if isinstance(column, np.ndarray) else column for name, column in arrays.items()})
    table = table.replace_schema_metadata({"bitcade": json.dumps(metadata, default=np.ndarray.tolist, sort_keys=True)})
    folder = Path(job.params["out"])
    folder.mkdir(parents=True, exist_ok=True)
    # A worker that was given up may still write the same shard, so each writer has a file of its own.
    own = folder / f".{file_name(shard)}.{uuid.uuid4().hex}"
    try:
        pyarrow.parquet.write_table(table, own, compression="zstd")
        os.replace(own, folder / file_name(shard))
    finally:
        own.unlink(missing_ok=True)
    return _sums(job, games), {f"{shard.number:06}": file_name(shard)}


def read_trajectories(path: str | os.PathLike[str]) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read a file of trajectories: its columns as arrays, and its metadata.

    `obs` has the shape `(steps, *obs_shape)`, and `action_mask` `(steps, num_actions)`, as in a batch.

    Raises:
        ValueError: The file has no trajectories.
    """
    pyarrow = import_pyarrow()
    table = pyarrow.parquet.read_table(path)
    content = (table.schema.metadata or {}).get(b"bitcade")
    if content is None:
        raise ValueError(f"{os.fspath(path)}: expected a Parquet file written by a job of kind trajectories")
    metadata = json.loads(content)
    columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if pyarrow.types.is_fixed_size_list(column.type):
            column = column.flatten()
        columns[name] = column.to_numpy(zero_copy_only=False)
    columns["obs"] = columns["obs"].reshape(-1, *metadata["obs_shape"])
    bits = columns["action_mask"].reshape(len(columns["game"]), -1)
    mask = np.unpackbits(bits, axis=1, count=metadata["num_actions"], bitorder="little")
    columns["action_mask"] = mask.view(np.bool_)
    return columns, metadata

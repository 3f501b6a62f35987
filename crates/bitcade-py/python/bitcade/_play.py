"""The games of jobs: one loop plays them all, and Parquet files keep their steps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np

from ._games import find
from ._native import Level
from ._policy import Policy, draws, random_actions

#: Arrays with an element per game.
Columns = dict[str, np.ndarray]
#: A step of some games: slots, games and step numbers, observations, packed masks, actions, rewards, terminated,
#: truncated.
Step = tuple[np.ndarray, ...]

#: The slots of `Games` restart by states of other batches, so nothing resets them.
FIXED = {"autoreset_mode": "Disabled", "on_illegal": "raise", "num_threads": 1}


def game_seed(job_seed: int, game: int) -> int:
    """Return the seed of a game: the same in every shard."""
    base = int(np.random.SeedSequence(job_seed).generate_state(1, np.uint64)[0])
    return (base + game) % (1 << 64)


def new_batch(game: str, options: Mapping[str, Any], seeds: Sequence[int]) -> Any:
    """Create a batch with one game per seed."""
    if clash := sorted(set(options) & {*FIXED, "seed"}):
        raise ValueError(f"options: {', '.join(clash)} can't be set")
    return find(game).batch(len(seeds), **options, **FIXED, seed=list(seeds))


def play_games(
    game: str,
    options: Mapping[str, Any],
    players: Sequence[Policy],
    seed: int,
    numbers: range,
    num_envs: int,
    opening_moves: int = 0,
    record: Callable[[Step], None] | None = None,
) -> Columns:
    """Play games of a job, each from its own seed, in slots that take the next game when one ends.

    With two players, the first one is Black in even games, and both games of a pair have the same seed and opening.

    Returns:
        The columns `game`, `return`, `length` and `truncated`; in 2048 `largest` (tile), on match-3 levels `won`,
        in Go with two players `black` (whether the first one is). In Go, returns are results of the first player, or
        Black's if there is only one.
    """
    pairs, places = len(players) == 2, min(num_envs, len(numbers))
    seeds = [game_seed(seed, number // 2 if pairs else number) for number in numbers]
    batch, keys = new_batch(game, options, seeds[:places]), np.array(seeds, np.uint64)
    types: dict[str, type] = {"return": np.int64, "length": np.int64, "truncated": bool}
    if game == "2048":
        types["largest"] = np.int64
    elif hasattr(batch, "won"):
        types["won"] = bool
    columns = {"game": np.array(numbers), **{name: np.zeros(len(numbers), kind) for name, kind in types.items()}}
    if pairs:
        columns["black"] = columns["game"] % 2 == 0
    #: The index of each slot's game; -1 in a slot without one, which plays on uncounted.
    index = np.arange(places)
    total, length = np.zeros(places, np.int64), np.zeros(places, np.int64)
    following = places
    while (live := np.flatnonzero(index >= 0)).size:
        actions = batch.action_mask.argmax(axis=1)
        shown: Step = ()
        if record is not None:
            shown = batch.obs[live], np.packbits(batch.action_mask[live], axis=1, bitorder="little")
        # The third random number of a step is the opening's; a policy that plays alone uses the first.
        words = np.array([draws(keys[index[live]], 3 * length[live] + i) for i in range(3)])
        black = batch.to_move() == 0 if game == "go" else np.ones(places, bool)
        side = np.zeros(live.size, np.int64)
        if pairs:
            side = (black[live] != columns["black"][index[live]]).astype(np.int64)
            side[length[live] < opening_moves] = 2
        for i, player in enumerate(players):
            if (moving := np.flatnonzero(side == i)).size:
                # The games of a pair share a seed, so the number of the game goes in, too.
                word = words[i, moving] ^ draws(columns["game"][index[live[moving]]], np.zeros(moving.size))
                actions[live[moving]] = player.actions(batch, live[moving], word, options)
        if (moving := np.flatnonzero(side == 2)).size:
            actions[live[moving]] = random_actions(batch.action_mask[live[moving]], words[2, moving])
        _, reward, terminated, truncated, _ = batch.step(actions)
        if record is not None:
            outcome = (reward[live], terminated[live], truncated[live])
            record((live, columns["game"][index[live]], length[live].copy(), *shown, actions[live], *outcome))
        # In Go, the reward is that of the color that moved.
        total += reward.astype(np.int64) * np.where(black, 1, -1)
        length += 1
        over = np.flatnonzero(terminated | truncated)
        if not over.size:
            continue
        ended = over[index[over] >= 0]
        done = index[ended]
        columns["return"][done], columns["length"][done] = total[ended], length[ended]
        columns["truncated"][done] = (truncated & ~terminated)[ended]
        if game == "2048":
            columns["largest"][done] = [1 << int(batch.board(slot).max()) for slot in ended.tolist()]
        elif "won" in columns:
            columns["won"][done] = batch.won()[ended]
        index[ended] = -1
        filled = over[: len(numbers) - following]
        restarts = seeds[following : following + filled.size] + [0] * (over.size - filled.size)
        fresh = new_batch(game, options, restarts)
        batch.set_states(over.tolist(), fresh.get_states(list(range(over.size))))
        index[filled] = np.arange(following, following + filled.size)
        total[over] = length[over] = 0
        following += filled.size
    if pairs:
        columns["return"] *= np.where(columns["black"], 1, -1)
    return columns


def listed(value: object) -> object:
    """Return what JSON writes instead of an array, a number of NumPy, a mapping or a level."""
    if isinstance(value, Level):
        return value.to_toml()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a folder can't record {type(value).__name__}")


def import_pyarrow() -> Any:
    """Import pyarrow with its Parquet module."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("trajectories need pyarrow: pip install 'bitcade[parquet]'") from error
    return pyarrow


def trajectories(
    game: str, options: Mapping[str, Any], policy: Policy, seed: int, numbers: range, num_envs: int, gamma: float
) -> bytes:
    """Play games of a job, and return the Parquet file with their steps."""
    pyarrow, steps = import_pyarrow(), list[Step]()
    columns = play_games(game, options, [policy], seed, numbers, num_envs, record=steps.append)
    # From the last step back. In Go the next step is the opponent's.
    factor = gamma * (-1 if game == "go" else 1)
    after = np.zeros(num_envs)
    returns_to_go = []
    for slots, *_, reward, terminated, truncated in reversed(steps):
        after[slots] = reward + factor * np.where(terminated | truncated, 0.0, after[slots])
        returns_to_go.append(after[slots].astype(np.float32))
    joined = [np.concatenate(parts) for parts in zip(*steps, strict=True)][1:]
    order = np.lexsort((joined[1], joined[0]))
    number, step, obs, mask, action, reward, terminated, truncated = (column[order] for column in joined)
    batch = new_batch(game, options, [0])
    metadata = {
        "game": game,
        "options": dict(options),
        "obs_shape": batch.obs_shape,
        "obs_dtype": batch.dtype,
        "num_actions": batch.num_actions,
        "gamma": gamma,
        "seed": seed,
        "seeds": [game_seed(seed, each) for each in numbers],
        "policy": str(policy),
        "games": columns,
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
        "return_to_go": np.concatenate(returns_to_go[::-1])[order],
    }
    table = pyarrow.table({name: pyarrow.array(values) for name, values in arrays.items()})
    content = BytesIO()
    described = json.dumps(metadata, default=listed)
    pyarrow.parquet.write_table(table.replace_schema_metadata({"bitcade": described}), content, compression="zstd")
    return content.getvalue()


def read_metadata(source: str | os.PathLike[str] | BytesIO) -> dict[str, Any]:
    """Return the metadata of a file of trajectories; `games` has the columns of its games."""
    content = (import_pyarrow().parquet.read_schema(source).metadata or {}).get(b"bitcade")
    if content is None:
        raise ValueError("expected a Parquet file written by a job of kind trajectories")
    return dict(json.loads(content))


def read_trajectories(path: str | os.PathLike[str]) -> tuple[Columns, dict[str, Any]]:
    """Read a file of trajectories: its columns as arrays, and its metadata.

    `obs` has the shape `(steps, *obs_shape)`, and `action_mask` `(steps, num_actions)`, as in a batch.

    Raises:
        ValueError: The file has no trajectories.
    """
    pyarrow = import_pyarrow()
    try:
        metadata = read_metadata(path)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None
    columns = {}
    table = pyarrow.parquet.read_table(path)
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

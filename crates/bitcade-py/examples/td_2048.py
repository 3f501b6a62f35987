"""Learn 2048 by temporal differences of afterstates, with an n-tuple network in NumPy: one file.

    pip install bitcade
    python td_2048.py --minutes 10 --out curve.json

The value of an afterstate, the board after a slide and before the new tile, is the sum of 32 weights: each of four
patterns of six cells, in all eight symmetries of the board, looks up one weight by the tiles in its cells. A thousand
games play at the same time, always the move with the highest reward plus value. After each move, the value of the
afterstate before it is moved toward the reward plus the value of the afterstate that follows, or toward 0 at the end of
a game. The step size of each weight is that of temporal coherence learning (Beal and Smith 1999; Jaskowski 2018): it
decreases when the weight's errors have different signs.

Every 10 seconds a line shows CPU seconds, moves, finished games, and the mean score of the last 1,000 of them. Finally
the network plays new games to the end:

     100.1 CPU s    30.1 M moves    12345 games  mean score    45678
    learned: 61234 +- 890, 1000 games; 2048: 97.1 %, 4096: 78.5 %, 8192: 5.0 %

`--out` writes the curve and the result as JSON. Ctrl-C ends the training and goes on with the evaluation. `--check`
fails below 60,000. `ntuple.py` trains such a network with the engine's own learner, which is several times faster; this
program can be changed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from pathlib import Path

import numpy as np

import bitcade

PATTERNS = [(0, 1, 2, 4, 5, 6), (1, 2, 5, 6, 9, 13), (0, 1, 2, 3, 4, 5), (0, 1, 5, 6, 7, 10)]
"""The cells of the patterns, numbered row by row: those of Matsuzaki (2016)."""
SIZE = 16**6


def symmetries() -> np.ndarray:
    """Return the cells of the board in its eight symmetries: of shape (8, 16)."""
    board = np.arange(16).reshape(4, 4)
    return np.array([np.rot90(b, turns).ravel() for b in (board, board.T) for turns in range(4)])


class Network:
    """The weights of all patterns, and the sums of temporal coherence."""

    def __init__(self) -> None:
        # Pages of zeros take no memory until they are written.
        self.weights, self.errors, self.absolute = (np.zeros(len(PATTERNS) * SIZE, np.float32) for _ in range(3))
        self.cells = [(number, turned[list(cells)]) for number, cells in enumerate(PATTERNS) for turned in symmetries()]

    def indices(self, boards: np.ndarray) -> np.ndarray:
        """Return the indices of the weights of boards of shape (k, 4, 4): of shape (32, k)."""
        ranks = np.ascontiguousarray(boards.reshape(-1, 16).T).astype(np.int32)
        np.minimum(ranks, 15, out=ranks)
        found = np.empty((len(self.cells), ranks.shape[1]), np.int32)
        for index, (number, cells) in zip(found, self.cells):
            index[:] = number
            for cell in cells:
                np.left_shift(index, 4, out=index)
                np.bitwise_or(index, ranks[cell], out=index)
        return found

    def values(self, indices: np.ndarray) -> np.ndarray:
        """Return the values of boards by their indices."""
        sums = np.zeros(indices.shape[1], np.float32)
        for index in indices:
            sums += self.weights.take(index)
        return sums

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Move values by their errors. Of boards that share a weight, the last one moves it."""
        step = errors / len(indices)
        size = np.abs(errors)
        for index in indices:
            sums, absolute = self.errors.take(index), self.absolute.take(index)
            rate = np.divide(np.abs(sums), absolute, out=np.ones_like(sums), where=absolute > 0)
            self.weights[index] += rate * step
            self.errors[index] = sums + errors
            self.absolute[index] = absolute + size


def choose(network: Network, games: bitcade.g2048.Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the best action of each game, with its reward, the value and the indices of its afterstate."""
    after = games.afterstates()
    indices = network.indices(after.boards)
    values = network.values(indices)
    # One row per game with a place for each direction.
    owners = np.repeat(np.arange(len(games)), np.diff(after.offsets))
    table = np.full((len(games), 4), -np.inf, np.float32)
    table[owners, after.actions] = after.reward + values
    rows = np.zeros((len(games), 4), np.int64)
    rows[owners, after.actions] = np.arange(len(owners))
    actions = table.argmax(axis=1)
    row = rows[np.arange(len(games)), actions]
    return actions, after.reward[row], values[row], indices[:, row]


def learn(network: Network, args: argparse.Namespace) -> list[dict[str, float]]:
    """Play and learn until the time is over, and return the curve."""
    games = bitcade.g2048.Batch(args.games, seed=args.seed)
    scores, last = np.zeros(args.games), deque[float](maxlen=1000)
    # The afterstates before the current positions, except in new games.
    goes_on = np.zeros(args.games, bool)
    indices, values = np.zeros((len(network.cells), args.games), np.int32), np.zeros(args.games, np.float32)
    moves = finished = 0
    curve: list[dict[str, float]] = []
    start, printed = time.process_time(), 0.0
    try:
        while (cpu := time.process_time() - start) < 60 * args.minutes:
            actions, reward, next_values, next_indices = choose(network, games)
            network.update(indices[:, goes_on], (reward + next_values - values)[goes_on])
            _, _, terminated, _, _ = games.step(actions)
            scores += reward
            if terminated.any():
                network.update(next_indices[:, terminated], -next_values[terminated])
                last.extend(scores[terminated])
                scores[terminated] = 0
                finished += int(terminated.sum())
            goes_on, indices, values = ~terminated, next_indices, next_values
            moves += args.games
            if cpu - printed >= 10 and last:
                printed = cpu
                mean = float(np.mean(last))
                curve.append({"cpu_s": round(cpu, 1), "moves": moves, "games": finished, "mean_score": round(mean)})
                print(f"{cpu:8.1f} CPU s {moves / 1e6:7.1f} M moves {finished:8d} games  mean score {mean:8.0f}", flush=True)
    except KeyboardInterrupt:
        print("stopped")
    return curve


def evaluate(network: Network, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Play new games to the end; return their scores and largest ranks."""
    games = bitcade.g2048.Batch(n, seed=seed)
    scores, largest, over = np.zeros(n), np.zeros(n, int), np.zeros(n, bool)
    while not over.all():
        actions, reward, _, _ = choose(network, games)
        largest = np.where(over, largest, np.maximum(largest, games.obs.max(axis=(1, 2))))
        scores += np.where(over, 0, reward)
        over |= games.step(actions)[2]
    return scores, largest


def main() -> None:
    """Learn and evaluate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes to learn (default 10)")
    parser.add_argument("--games", type=int, default=1024, help="games played at the same time (default 1024)")
    parser.add_argument("--evaluate", type=int, default=1000, help="games to evaluate on (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default 1)")
    parser.add_argument("--out", type=Path, help="file for the curve and the result (JSON)")
    parser.add_argument("--check", action="store_true", help="fail below a mean score of 60,000")
    args = parser.parse_args()

    network = Network()
    curve = learn(network, args)
    # Not the training seed: these games were never seen.
    scores, largest = evaluate(network, args.evaluate, args.seed + 1_000_000)
    error = scores.std(ddof=1) / len(scores) ** 0.5 if len(scores) > 1 else float("nan")
    reached = {2**rank: float((largest >= rank).mean()) for rank in range(11, int(largest.max()) + 1)}
    shares = ", ".join(f"{tile}: {100 * share:.1f} %" for tile, share in reached.items())
    print(f"learned: {scores.mean():.0f} +- {error:.0f}, {len(scores)} games; {shares}")
    if args.out:
        result = {"mean": float(scores.mean()), "standard_error": float(error), "reached": reached}
        args.out.write_text(json.dumps({"curve": curve, "result": result}, indent=1) + "\n")
    if args.check and scores.mean() < 60_000:
        raise SystemExit("the goal is a mean score of 60,000")


if __name__ == "__main__":
    main()

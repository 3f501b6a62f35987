"""Learn to play Tetris from afterstates, by the cross-entropy method: one file, NumPy alone.

    pip install bitcade
    python tetris_afterstates.py --minutes 0.5

The games are guideline Tetris with straight drops and without hold. A player values every afterstate, the board after a
drop, by a weighted sum of its features (`bitcade.tetris.FEATURES`), and plays the drop with the highest value; there is
no lookahead. The weights are learned by the noisy cross-entropy method of Szita and Lorincz (2006): each generation
draws players from a normal distribution, lets all of them play at the same time in one batch, and fits the distribution
to the best. A player's result is the number of lines it clears before its game ends, or in `--pieces` pieces. Once most
of the best reach that limit, it is doubled.

After each generation a line shows CPU seconds, the limit, and the lines of the mean and the best player. Finally the
mean of the distribution plays new games of up to `--evaluate-pieces` pieces, and the program prints their mean:

    generation   5     1.3 CPU s  limit  2000 pieces  mean   560.1 lines  best   799
    learned: 3998.1 +- 0.1 lines, 100 games, 0 of them over before 10000 pieces

`--check` fails below 1,000 lines.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import bitcade
from bitcade.tetris import FEATURES


def batch(games: int, seed: int) -> bitcade.tetris.Batch:
    """Create games of straight drops without hold; a row of the observation is never looked at."""
    return bitcade.tetris.Batch(games, seed=seed, actions="drops", hold=False, next=1, rows=1)


def best(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the index of the first highest value of each list; no list is empty."""
    highest = np.maximum.reduceat(values, offsets[:-1])
    found = np.flatnonzero(values == np.repeat(highest, np.diff(offsets)))
    return found[np.searchsorted(found, offsets[:-1])]


def play(games: bitcade.tetris.Batch, weights: np.ndarray, pieces: int) -> tuple[np.ndarray, np.ndarray]:
    """Play each game with its row of weights until it is over, up to some pieces.

    Returns the lines cleared, and whether the game is over.
    """
    lines, over = np.zeros(len(games)), np.zeros(len(games), bool)
    for _ in range(pieces):
        after = games.afterstates(boards=False)
        owners = np.repeat(np.arange(len(games)), np.diff(after.offsets))
        values = np.einsum("ij,ij->i", after.features, weights[owners])
        _, reward, terminated, _, _ = games.step(after.actions[best(values, after.offsets)])
        # A place goes on with its next game, which doesn't count.
        lines += np.where(over, 0, reward)
        over |= terminated
        if over.all():
            break
    return lines, over


def learn(args: argparse.Namespace) -> np.ndarray:
    """Fit the distribution of weights generation by generation, and return its mean."""
    rng = np.random.default_rng(args.seed)
    mean, deviation = np.zeros(len(FEATURES)), np.full(len(FEATURES), 10.0)
    start, cpu, pieces, generation = time.process_time(), 0.0, args.pieces, 0
    while cpu < 60 * args.minutes:
        generation += 1
        weights = mean + deviation * rng.standard_normal((args.players, len(FEATURES)))
        # Only the direction matters.
        weights /= np.linalg.norm(weights, axis=1, keepdims=True) / 10
        lines, over = play(batch(args.players, args.seed + generation), weights.astype(np.float32), pieces)
        elite = np.argsort(-lines, kind="stable")[: max(2, args.players // 10)]
        mean = weights[elite].mean(axis=0)
        # Noise that decreases keeps the distribution from collapsing early.
        deviation = np.sqrt(weights[elite].var(axis=0) + max(0.0, 2 - generation / 10))
        cpu = time.process_time() - start
        print(
            f"generation {generation:3d}  {cpu:6.1f} CPU s  limit {pieces:5d} pieces"
            f"  mean {lines.mean():7.1f} lines  best {lines.max():5.0f}",
            flush=True,
        )
        if over[elite].mean() < 0.5:
            pieces = max(pieces, min(2 * pieces, args.evaluate_pieces))
    return mean


def main() -> None:
    """Learn and evaluate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=0.5, help="CPU minutes to learn (default 0.5)")
    parser.add_argument("--players", type=int, default=100, help="players in a generation (default 100)")
    parser.add_argument("--pieces", type=int, default=250, help="pieces of a game at first (default 250)")
    parser.add_argument("--evaluate", type=int, default=100, help="games to evaluate on (default 100)")
    parser.add_argument(
        "--evaluate-pieces", type=int, default=10_000, help="pieces of these games, at most (default 10000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    parser.add_argument("--check", action="store_true", help="fail below 1,000 lines")
    args = parser.parse_args()

    weights = learn(args)
    for name, weight in zip(FEATURES, weights):
        print(f"  {name:18s} {weight:7.2f}")
    # Not the seeds of the training.
    games = batch(args.evaluate, args.seed + 1_000_000)
    each = np.tile(weights.astype(np.float32), (args.evaluate, 1))
    lines, over = play(games, each, args.evaluate_pieces)
    error = lines.std(ddof=1) / len(lines) ** 0.5 if len(lines) > 1 else float("nan")
    print(
        f"learned: {lines.mean():.1f} +- {error:.1f} lines, {len(lines)} games,"
        f" {over.sum()} of them over before {args.evaluate_pieces} pieces"
    )
    if args.check and lines.mean() < 1000:
        raise SystemExit("the goal is 1,000 lines")


if __name__ == "__main__":
    main()

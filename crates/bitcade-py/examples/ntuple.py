"""Train an n-tuple network for 2048 by self-play, and measure its strength.

    pip install bitcade
    python ntuple.py --games 100000 --threads 2

The network learns from its own games by temporal differences. Every 1,000 games it prints the number of games and
moves, and for the last 1,000 games the mean score and the share that reached the 2048 tile:

    1009 games     0.8 M moves  mean score    12194   2048: 6.6 %

The trained network then plays new games, looking `--depth` moves ahead. The program prints the mean score with its
standard error, and the share of games that reached each tile.

Every `--save-every` seconds and at the end, also after Ctrl-C, the learner is saved to `--file`. The file is replaced
atomically, so a crash can't damage it. Run again with the same file, the program resumes training. `--network` saves
the finished network, which is smaller and can only play; `--curve` saves the learning curve as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path

import numpy as np

from bitcade.g2048 import Learner, Network


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file atomically: after a crash it has either the old content or the new."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def learn(learner: Learner, games: int, file: Path | None, save_every: float) -> None:
    """Train until `games` games are finished in total, and print the learning curve."""
    saved = time.monotonic()
    try:
        while learner.games < games:
            learner.learn(min(games, (learner.games // 1000 + 1) * 1000))
            if learner.curve:
                score, reached = learner.curve[-1]
                print(
                    f"{learner.games:8d} games  {learner.moves / 1e6:6.1f} M moves"
                    f"  mean score {score:8.0f}   2048: {100 * reached:.1f} %",
                    flush=True,
                )
            if file and time.monotonic() - saved >= save_every:
                write_whole(file, learner.save())
                saved = time.monotonic()
    except KeyboardInterrupt:
        print("stopped")
    if file:
        write_whole(file, learner.save())
        print(f"saved {file}: {learner.games} games")


def evaluate(network: Network, games: int, depth: int, seed: int, threads: int) -> None:
    """Play new games and print their scores and largest tiles."""
    start = time.monotonic()
    results = network.evaluate(games, depth=depth, seed=seed, num_threads=threads)
    seconds = time.monotonic() - start
    scores = np.array([score for score, _ in results])
    error = scores.std(ddof=1) / len(scores) ** 0.5 if games > 1 else float("nan")
    print(f"{games} games at depth {depth} in {seconds:.1f} s: mean score {scores.mean():.0f} +- {error:.0f}")
    largest = Counter(tile for _, tile in results)
    reached = 0
    for tile in sorted(largest, reverse=True):
        reached += largest[tile]
        print(f"  {tile:6d} reached by {100 * reached / games:5.1f} %")


def main() -> None:
    """Train, save and evaluate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000, help="games to train on (default 100000)")
    parser.add_argument("--threads", type=int, default=1, help="with more than one, runs differ (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the training games (default 1)")
    parser.add_argument("--file", type=Path, help="file to save the learner to and resume from")
    parser.add_argument("--save-every", type=float, default=60, help="seconds between saves (default 60)")
    parser.add_argument("--network", type=Path, help="file for the finished network")
    parser.add_argument("--curve", type=Path, help="file for the learning curve, JSON")
    parser.add_argument("--evaluate", type=int, default=1000, help="games to evaluate on (default 1000)")
    parser.add_argument("--depth", type=int, default=1, help="moves to look ahead in the evaluation (default 1)")
    args = parser.parse_args()

    if args.file and args.file.exists():
        learner = Learner.load(args.file.read_bytes(), num_threads=args.threads)
        print(f"resuming from {args.file}: {learner.games} games")
    else:
        learner = Learner(seed=args.seed, num_threads=args.threads)
    learn(learner, args.games, args.file, args.save_every)
    if args.curve:
        points = [
            {"games": 1000 * number, "mean_score": score, "reached_2048": reached}
            for number, (score, reached) in enumerate(learner.curve, 1)
        ]
        write_whole(args.curve, (json.dumps(points, indent=1) + "\n").encode())
    network = learner.network()
    if args.network:
        write_whole(args.network, network.save())
    if args.evaluate:
        # Not the training seed: these games were never seen.
        evaluate(network, args.evaluate, args.depth, args.seed + 1_000_000, args.threads)


if __name__ == "__main__":
    main()

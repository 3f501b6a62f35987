"""Learn 2048 from afterstates by temporal differences, with an n-tuple network: one file, NumPy alone.

    pip install bitcade
    python td_2048.py --minutes 5

The value of an afterstate, the board after a slide and before the new tile, estimates the score that is still to come.
It is the sum of 32 weights: four patterns of six cells look up one weight each, by the tiles in these cells, in all
eight symmetries of the board. Hundreds of games play at the same time, always the move with the highest reward plus
value, without lookahead. Each move then changes the value of the afterstate before it toward that sum, or toward 0 if
the game was over (TD(0); Szubert and Jaskowski 2014). The step of each weight is smaller where errors of both signs
have canceled, as in temporal coherence learning (Beal and Smith 1999; Jaskowski 2018).

Every ten CPU seconds a line shows the number of moves and of finished games, and the mean score of the last 1,000 of
them. Finally the network plays new games to the end:

       290.0 CPU s    91.3 M moves    33928 games  mean score    81419
    learned: 80783 +- 1259, 1000 games; 2048: 93.9 %, 4096: 76.1 %, 8192: 26.2 %, 16384: 0.1 %

`--check` fails below 60,000. `bitcade.g2048.Learner` trains the same network several times faster; here the network and
the rule of learning are yours to change.
"""

from __future__ import annotations

import argparse
import time
from collections import deque

import numpy as np
from numpy.typing import NDArray

import bitcade

PATTERNS = [[(0, 6)], [(4, 6)], [(0, 3), (4, 3)], [(4, 3), (8, 3)]]
"""The patterns: runs of cells, each as the first cell and the number of cells. Cells are numbered row by row."""
CELLS = 6
SYMMETRIES = [
    ((48, 0xFFFF), (16, 0xFFFF0000)),
    ((12, 0x000F000F000F000F), (4, 0x00F000F000F000F0)),
    ((12, 0x0000F0F00000F0F0), (24, 0xFF00FF00)),
]
"""Up and down, left and right, rows and columns exchanged, each by two swaps of cells in packed boards."""


def pack(boards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Pack boards of shape (k, 4, 4) into 64 bits each: four bits per cell, the first cell in the lowest ones."""
    # Four bits end at 15, the tile 32768.
    halves = np.minimum(boards, 15).reshape(-1, 16).view(np.uint64)
    for shift, mask in ((4, 0x00FF00FF00FF00FF), (8, 0x0000FFFF0000FFFF), (16, 0xFFFFFFFF)):
        halves = (halves | halves >> np.uint64(shift)) & np.uint64(mask)
    return halves[:, 0] | halves[:, 1] << np.uint64(32)


def swap(packed: NDArray[np.uint64], shift: int, mask: int) -> NDArray[np.uint64]:
    """Swap the cells of the mask with those `shift` bits above them."""
    different: NDArray[np.uint64] = (packed ^ packed >> np.uint64(shift)) & np.uint64(mask)
    return packed ^ different ^ different << np.uint64(shift)


class Network:
    """The weights of all patterns, and what temporal coherence needs to know of their past errors: some 800 MB."""

    def __init__(self) -> None:
        size = len(PATTERNS) << 4 * CELLS
        self.weights = np.zeros(size, np.float32)
        # The sum of a weight's errors is the real part, the sum of their sizes the imaginary part: one lookup for both.
        self.errors = np.zeros(size, np.complex64)

    @staticmethod
    def indices(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the indices of the weights of boards of shape (k, 4, 4): of shape (32, k)."""
        images = pack(boards)[None]
        for first, second in SYMMETRIES:
            images = np.concatenate([images, swap(swap(images, *first), *second)])
        indices = np.empty((len(PATTERNS), *images.shape), np.uint64)
        for number, (pattern, index) in enumerate(zip(PATTERNS, indices, strict=True)):
            index[:] = number
            for cell, count in pattern:
                np.left_shift(index, np.uint64(4 * count), out=index)
                np.bitwise_or(index, images >> np.uint64(4 * cell) & np.uint64((1 << 4 * count) - 1), out=index)
        return indices.reshape(-1, len(boards)).view(np.int64)

    def values(self, indices: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the values of boards by their indices."""
        values: NDArray[np.float32] = self.weights.take(indices).sum(axis=0)
        return values

    def update(self, indices: NDArray[np.int64], targets: NDArray[np.float32]) -> None:
        """Move the values of boards toward their targets.

        A weight that several boards share moves once, by the error of the last of them: moving it by each of their
        errors would overshoot, because all of them are relative to the same old value.
        """
        # Not the values by which the moves were chosen: an update has changed them since.
        weights = self.weights.take(indices)
        errors = targets - weights.sum(axis=0)
        past = self.errors.take(indices)
        rates = np.divide(np.abs(past.real), past.imag, out=np.ones_like(weights), where=past.imag > 0)
        self.weights[indices] = weights + rates * (errors / len(indices))
        self.errors[indices] = past + (errors + 1j * np.abs(errors)).astype(np.complex64)


def choose(
    network: Network, games: bitcade.g2048.Batch
) -> tuple[bitcade.g2048.Afterstates, NDArray[np.intp], NDArray[np.int64], NDArray[np.float32]]:
    """Return the afterstates, and of the best one of each game its row, its indices, and its reward plus value."""
    after = games.afterstates()
    indices = network.indices(after.boards)
    totals = after.reward + network.values(indices)
    first = after.offsets[:-1]
    highest = np.maximum.reduceat(totals, first)
    found = np.flatnonzero(totals == np.repeat(highest, np.diff(after.offsets)))
    rows = found[np.searchsorted(found, first)]
    return after, rows, indices.take(rows, axis=1), highest


def learn(network: Network, args: argparse.Namespace) -> None:
    """Play and learn until the time is over."""
    games = bitcade.g2048.Batch(args.games, seed=args.seed)
    scores, last = np.zeros(args.games), deque[float](maxlen=1000)
    moves = finished = 0
    start, printed = time.process_time(), 0.0
    terminated, previous = np.zeros(args.games, bool), None
    while (cpu := time.process_time() - start) < 60 * args.minutes:
        after, rows, indices, targets = choose(network, games)
        if previous is not None:
            # Where a game ended, the next one has begun.
            network.update(previous, np.where(terminated, np.float32(0), targets))
        scores += after.reward[rows]
        terminated, previous = games.step(after.actions[rows])[2], indices
        moves += args.games
        last.extend(scores[terminated])
        scores[terminated] = 0
        finished += int(terminated.sum())
        if cpu - printed >= args.every and last:
            printed = cpu
            print(
                f"{cpu:8.1f} CPU s {moves / 1e6:7.1f} M moves {finished:8d} games  mean score {np.mean(last):8.0f}",
                flush=True,
            )


def evaluate(network: Network, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Play new games to the end; return their scores and largest tiles, as powers of two."""
    games = bitcade.g2048.Batch(n, seed=seed)
    scores, largest, over = np.zeros(n), np.zeros(n, int), np.zeros(n, bool)
    while not over.all():
        after, rows, _, _ = choose(network, games)
        # A place goes on with its next game, which doesn't count.
        scores += np.where(over, 0, after.reward[rows])
        largest = np.where(over, largest, np.maximum(largest, after.boards[rows].max(axis=(1, 2))))
        over |= games.step(after.actions[rows])[2]
    return scores, largest


def main() -> None:
    """Learn and evaluate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="CPU minutes to learn (default 5)")
    parser.add_argument("--games", type=int, default=256, help="games played at the same time (default 256)")
    parser.add_argument("--every", type=float, default=10, help="CPU seconds from line to line (default 10)")
    parser.add_argument("--evaluate", type=int, default=1000, help="games to evaluate on (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default 1)")
    parser.add_argument("--check", action="store_true", help="fail below a mean score of 60,000")
    args = parser.parse_args()

    network = Network()
    learn(network, args)
    # Not the training seed: these games were never seen.
    scores, largest = evaluate(network, args.evaluate, args.seed + 1_000_000)
    error = scores.std(ddof=1) / len(scores) ** 0.5 if len(scores) > 1 else float("nan")
    ranks = range(11, int(largest.max()) + 1)
    shares = ", ".join(f"{2**rank}: {100 * (largest >= rank).mean():.1f} %" for rank in ranks)
    print(f"learned: {scores.mean():.0f} +- {error:.0f}, {len(scores)} games; {shares}")
    if args.check and scores.mean() < 60_000:
        raise SystemExit("the goal is a mean score of 60,000")


if __name__ == "__main__":
    main()

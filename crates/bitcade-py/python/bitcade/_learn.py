"""2048 learning by actors and a learner: actors play with recent networks, and the learner learns from their games."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import _native

FORMAT = "bitcade learning 1"

#: The games of the first batches, of the largest ones, and of the last one. To copy the network takes as long as to play
#: 200 games.
LEAST, MOST, LAST = 500, 2000, 500


def play_part(network: _native.Network2048, games: int, seed: int) -> bytes:
    """Play a part of a batch."""
    return network.self_play(games, seed=seed)


class Learning:
    """A learner, the schedule of its batches, and its checkpoint.

    A batch has half as many games as have been played before, or are left, within limits, in one part per actor. While
    a batch is learned, the next one is being played, with the network of the moment before.
    """

    def __init__(
        self, settings: dict[str, Any], checkpoint: str | os.PathLike[str] | None, games: int
    ) -> None:
        for name, value in {**settings, "games": games}.items():
            if name in ("workers", "games") and value < 1:
                raise ValueError(f"{name}={value}: expected at least 1")
        self.settings, self.games = settings, games
        arguments = {key: settings[key] for key in ("seed", "learning_rate", "coherence")}
        self.learner = _native.Learner2048(**arguments)
        self._head = json.dumps({"format": FORMAT, **settings}).encode()
        self._file = None
        if checkpoint is not None:
            path = Path(checkpoint)
            self._file = _native._OutputFile(path.absolute())
            try:
                if path.exists():
                    self._load(path, path.read_bytes())
            except BaseException:
                self.close()
                raise

    def _load(self, path: Path, content: bytes) -> None:
        line, _, state = content.partition(b"\n")
        if line != self._head:
            found = line[:200].decode(errors="replace")
            raise ValueError(f"{path}: the checkpoint of another learner: {found}, expected {self._head.decode()}")
        try:
            self.learner = _native.Learner2048.load(state)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def run(
        self,
        start: Callable[[_native.Network2048, list[tuple[int, int]]], Any],
        finish: Callable[[Any], list[bytes]],
        progress: Callable[[_native.Learner2048], object] | None,
    ) -> None:
        """Learn until the last game. `start` starts playing parts of some games and seeds; `finish` returns the games."""
        batches = self._batches()
        playing: list[Any] = []
        while True:
            if (parts := next(batches, None)) is not None:
                playing.append(start(self.learner.network(), parts))
            if not playing:
                return
            if len(playing) < 2 and parts is not None:
                continue
            for games in finish(playing.pop(0)):
                self.learner.replay(games)
            if self._file is not None:
                self._file.write(self._head + b"\n" + self.learner.save())
            if progress is not None:
                progress(self.learner)

    def _batches(self) -> Iterator[list[tuple[int, int]]]:
        played, workers = self.learner.games, self.settings["workers"]
        while played < self.games:
            left = self.games - played
            # Nothing is played while the last batch is learned.
            batch = min(max(played // 2, LEAST), MOST, max(left // 2, LAST), left)
            words = np.random.SeedSequence([self.settings["seed"], played]).generate_state(workers, np.uint64)
            shares = [(batch + part) // workers for part in range(workers)]
            yield [(share, int(word)) for share, word in zip(shares, words, strict=True) if share]
            played += batch

    def close(self) -> None:
        """Release the checkpoint."""
        if self._file is not None:
            self._file.close()

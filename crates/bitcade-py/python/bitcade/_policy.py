"""Players for jobs: a function, an ONNX model, a 2048 network, or a player of the package by name."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native, tetris

if TYPE_CHECKING:
    from ._native import _Games as Batch

#: A function of a user: observations and action masks of n games in, n actions out.
Function = Callable[[np.ndarray, np.ndarray], Any]

#: The players by name, each with its game and options; `random` plays all games.
PLAYERS: dict[str, tuple[str | None, dict[str, int]]] = {
    "random": (None, {}),
    "greedy": ("match3", {}),
    "bot": ("tetris", {"nodes": 2000}),
    "search": ("go", {"playouts": 1000}),
}


def draws(seeds: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return a pseudorandom 64-bit number for each pair of a seed and a step (SplitMix64)."""
    word = seeds.astype(np.uint64) + (steps.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ (word >> np.uint64(shift))) * np.uint64(factor)
    return word ^ (word >> np.uint64(31))


def random_actions(mask: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return a legal action for each row of action masks, chosen by a 64-bit number."""
    chosen = words % mask.sum(axis=1, dtype=np.uint64)
    return (mask.cumsum(axis=1, dtype=np.int64) > chosen.astype(np.int64)[:, None]).argmax(axis=1)


class Policy:
    """A player of one's own for a `Job`: a function, an ONNX model, a 2048 network, or a player by name.

    A function receives observations `(n, ...)` and action masks `(n, num_actions)` of `n` games as new arrays and
    returns `n` legal actions: `(obs, action_mask) -> actions`. Its action must depend on the game's observation and
    mask only, or results vary with the shards; a random policy can have a method `seed(seed)`, which is called before
    each shard. A function of a script or notebook, or one with a closure, needs cloudpickle for other processes.

    An ONNX model takes the observations, in any number type, and optionally the action masks as its second input. Its
    first output is the actions, or a row of logits per game, of which the largest legal one counts. It runs on one
    thread of the CPU.

    The players by name are `random` (all games), `greedy` (match-3), `bot` (Tetris placements) and `search` (Go).

    Args:
        source: A function, the path of an `.onnx` file or its bytes, a `g2048.Network`, or a player's name.
        name: A name that changes whenever the policy does: it identifies a function in the folder of a job. Models,
            networks and named players need none.
        depth: The search depth of a network, by default 1.
        nodes: The positions searched by `bot` per move, by default 2000.
        playouts: The playouts of `search` per move, by default 1000.
    """

    def __init__(
        self,
        source: Function | bytes | str | os.PathLike[str] | _native.Network2048,
        *,
        name: str | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        playouts: int | None = None,
    ) -> None:
        self.name = name
        self._session: Any = None
        self.plays: str | None = None
        self.options: dict[str, int] = {}
        if isinstance(source, _native.Network2048):
            self.plays, self.options = "2048", {"depth": 1}
        elif isinstance(source, str) and source in PLAYERS:
            self.plays, self.options = PLAYERS[source]
        elif isinstance(source, str | os.PathLike):
            if not os.fspath(source).endswith(".onnx"):
                expected = ", ".join(PLAYERS)
                raise ValueError(f"policy={os.fspath(source)!r}: expected {expected}, or the path of an .onnx file")
            source = Path(source).read_bytes()
        elif not callable(source) and not isinstance(source, bytes):
            raise TypeError(f"policy: expected a function, ONNX model, network or name, not {type(source).__name__}")
        self.source: Any = source
        options = {"depth": depth, "nodes": nodes, "playouts": playouts}
        given = {key: value for key, value in options.items() if value is not None}
        for key, value in given.items():
            if key not in self.options:
                raise ValueError(f"policy={self}: {key} can't be set")
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{key}={value!r}: expected an integer of at least 1")
        self.options = self.options | given
        if isinstance(source, bytes):
            self._load()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_session": None}

    def __str__(self) -> str:
        return self.id or str(getattr(self.source, "__name__", type(self.source).__name__))

    @property
    def id(self) -> str | None:
        """The text that identifies the policy in a job's folder, or `None` for a function without a name."""
        if self.name is not None or callable(self.source):
            return self.name
        if isinstance(self.source, bytes):
            kind = f"ONNX model {hashlib.sha256(self.source).hexdigest()[:16]}"
        elif isinstance(self.source, _native.Network2048):
            kind = f"network {hashlib.sha256(self.source.save()).hexdigest()[:16]}"
        else:
            kind = str(self.source)
        options = ", ".join(f"{key}={value}" for key, value in self.options.items())
        return f"{kind}({options})" if options else kind

    def check(self, game: str, options: Mapping[str, Any], batch: Batch) -> None:
        """Raise a `ValueError` if the policy doesn't play the games of a batch."""
        if self.plays not in (None, game):
            raise ValueError(f"policy={self}: it plays {self.plays}, not {game}")
        if self.source == "bot" and options.get("actions", "placements") != "placements":
            raise ValueError("policy=bot: expected actions='placements'")
        if isinstance(self.source, bytes | _native.Network2048):
            # Boards and models of other shapes show now rather than in the first shard.
            self.actions(batch, np.zeros(1, int), np.zeros(1, np.uint64), options)

    def seed(self, seed: int) -> None:
        """Seed a policy that has a method `seed`."""
        if not isinstance(self.source, str | bytes) and hasattr(self.source, "seed"):
            self.source.seed(seed)

    def actions(self, batch: Batch, slots: np.ndarray, words: np.ndarray, options: Mapping[str, Any]) -> np.ndarray:
        """Return the actions of some games of a batch made with options. `words` has a random number for each.

        Players of the package ask the batch and never read observations, which have many layouts.
        """
        source, mask = self.source, batch.action_mask[slots]
        if source == "random":
            return random_actions(mask, words)
        if source == "greedy":
            assert isinstance(batch, _native.Match3Batch)
            return np.where(mask, batch.hints()[slots], -np.inf).argmax(axis=1)
        if source == "bot":
            assert isinstance(batch, _native.TetrisBatch)
            return np.array([self._bot(batch, slot, row) for slot, row in zip(slots.tolist(), mask, strict=True)])
        if source == "search":
            assert isinstance(batch, _native.GoBatch)
            white, komi = batch.to_move(), options.get("komi", 7.5)
            return np.array(
                [
                    self._search(batch.board(slot), row, "white" if white[slot] else "black", komi, word)
                    for slot, row, word in zip(slots.tolist(), mask, words.tolist(), strict=True)
                ]
            )
        if isinstance(source, _native.Network2048):
            return np.array(source.actions(np.array([batch.board(slot) for slot in slots.tolist()]), **self.options))
        obs = batch.obs[slots]
        output = self._onnx(obs, mask) if isinstance(source, bytes) else np.asarray(self.source(obs, mask))
        if isinstance(source, bytes) and np.issubdtype(output.dtype, np.floating):
            if output.shape != mask.shape:
                raise ValueError(f"policy: the model returned logits of shape {output.shape}: expected {mask.shape}")
            return np.where(mask, output, -np.inf).argmax(axis=1)
        if output.shape != (len(obs),) or not np.issubdtype(output.dtype, np.integer):
            raise ValueError(f"policy: returned {output.dtype} of shape {output.shape}: expected {len(obs)} integers")
        return output

    def _bot(self, batch: _native.TetrisBatch, slot: int, mask: np.ndarray) -> int:
        for move in _native.tetris_bot(batch.board(slot), **batch.bot_arguments(slot), **self.options):
            if move["y"] < tetris._ROWS:
                action = tetris.encode_action(move["orientation"], move["x"], move["y"], hold=move["hold"])
                if action < len(mask) and mask[action]:
                    return action
        # The bot gave up, or its moves aren't numbered.
        return int(mask.argmax())

    def _search(self, board: np.ndarray, mask: np.ndarray, to_move: Any, komi: float, word: int) -> int:
        best = _native.go_best_move(board, to_move=to_move, komi=komi, seed=word, **self.options)
        # The search doesn't know earlier positions, so its best moves may be forbidden by superko.
        return next((action for action, _, _ in best["candidates"] if mask[action]), len(mask) - 1)

    def _load(self) -> Any:
        try:
            import onnxruntime
        except ImportError as error:
            raise ImportError("an ONNX policy needs onnxruntime: pip install 'bitcade[onnx]'") from error
        if self._session is None:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            try:
                session = onnxruntime.InferenceSession(self.source, options, providers=["CPUExecutionProvider"])
            except Exception as error:
                raise ValueError(f"policy: not an ONNX model: {' '.join(str(error).split())}") from None
            inputs = session.get_inputs()
            if len(inputs) not in (1, 2) or not session.get_outputs():
                raise ValueError(f"policy: the model has {len(inputs)} inputs: expected observations and action masks")
            self._session = session
        return self._session

    def _onnx(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        session = self._load()
        # The types of ONNX and NumPy differ in these names only.
        names = {"float": "float32", "double": "float64"}
        feed = {}
        for value, array in zip(session.get_inputs(), (obs, mask), strict=False):
            kind = value.type.removeprefix("tensor(").removesuffix(")")
            feed[value.name] = array.astype(names.get(kind, kind))
        try:
            output = np.asarray(session.run([session.get_outputs()[0].name], feed)[0])
        except Exception as error:
            raise ValueError(f"policy: the model failed: {' '.join(str(error).split())}") from None
        return output if np.issubdtype(output.dtype, np.floating) else output.reshape(-1)

"""Players for jobs: a function, an ONNX model, a 2048 network, or a player of the package by name."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._games import find

if TYPE_CHECKING:
    from ._games.entry import Batch

#: The players by name, each with its games (`None` for all) and the default values of its options.
PLAYERS: dict[str, tuple[str | None, dict[str, int]]] = {
    "random": (None, {}),
    "greedy": ("match3", {}),
    "bot": ("tetris", {"nodes": 2000}),
    "search": ("go", {"playouts": 1000}),
}
_PIECES = "-IOTSZJL"
_ORIENTATIONS = ("north", "east", "south", "west")


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
    """A player of one's own for `Job`: a function, an ONNX model, a 2048 network, or a player by name.

    A function receives observations `(n, ...)` and action masks `(n, num_actions)` of `n` games as new arrays and
    returns `n` legal actions: `(obs, action_mask) -> actions`. It travels to other machines by cloudpickle, so closures
    and torch modules work. Its action must depend on the game's observation and mask only, or totals vary with the
    shards; a random policy can have a method `seed(seed)`, which is called before each shard.

    An ONNX model takes the observations, in any number type, and optionally the action masks as its second input. Its
    first output is the actions, or a row of logits per game, of which the largest legal one counts. It runs on one
    thread of the CPU.

    The players by name are `random` (all games), `greedy` (match-3), `bot` (Tetris placements, with `nodes=2000` per
    move) and `search` (Go, with `playouts=1000` per move). A `g2048.Network` plays with a search of `depth=1`.

    Args:
        source: A function, the path of an `.onnx` file or its bytes, a `g2048.Network`, or a player's name.
        name: A name that changes whenever the policy does. It identifies the policy in a checkpoint. Without one, the
            hash of an ONNX model or network does so reliably; a function's hash covers its code, closure and weights
            but not the modules it imports, and may differ between Python versions.
        options: Options of the network or of the player by name.
    """

    def __init__(self, source: Any, *, name: str | None = None, **options: int) -> None:
        self.name, self.options = name, options
        self._session: Any = None
        known: dict[str, int] = {}
        if isinstance(source, str) and source in PLAYERS:
            known = PLAYERS[source][1]
        elif isinstance(source, _native.Network2048):
            known = {"depth": 1}
        elif isinstance(source, str | os.PathLike):
            if not os.fspath(source).endswith(".onnx"):
                expected = ", ".join(PLAYERS)
                raise ValueError(f"policy={os.fspath(source)!r}: expected {expected}, or the path of an .onnx file")
            self.name = name or Path(source).name
            source = Path(source).read_bytes()
        elif not callable(source) and not isinstance(source, bytes):
            raise TypeError(f"policy: expected a function, ONNX model, network or name, not {type(source).__name__}")
        if wrong := sorted(set(options) - set(known)):
            raise ValueError(f"policy: unknown option {', '.join(wrong)}")
        self.options = {**known, **options}
        if low := [key for key, value in self.options.items() if value < 1]:
            raise ValueError(f"policy: {low[0]}={self.options[low[0]]}: expected at least 1")
        self.source = source
        # The file's name is for messages only: the content identifies a model.
        self._named = name is not None
        if isinstance(source, bytes):
            self._load()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_session": None}

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        options = ", ".join(f"{key}={value}" for key, value in self.options.items())
        if isinstance(self.source, str):
            return f"{self.source}({options})" if options else self.source
        kind = getattr(self.source, "__name__", type(self.source).__name__)
        return "ONNX model" if isinstance(self.source, bytes) else f"{kind}({options})" if options else kind

    @property
    def id(self) -> str:
        """The text that identifies the policy in a checkpoint: its name, or a hash.

        Raises:
            ValueError: The policy has no name and can't be pickled.
        """
        if self._named:
            return f"named {self.name}"
        if isinstance(self.source, str):
            return str(self)
        if isinstance(self.source, bytes):
            return f"onnx {hashlib.sha256(self.source).hexdigest()}"
        if isinstance(self.source, _native.Network2048):
            return f"network {self.options['depth']} {hashlib.sha256(self.source.save()).hexdigest()}"
        try:
            return f"pickle {hashlib.sha256(_pickled(self.source)).hexdigest()}"
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            text = " ".join(str(error).split())
            raise ValueError(f"policy: it can't be pickled, so give it a name with Policy(..., name=...): {text}") from None

    def check(self, game: str, params: dict[str, Any]) -> None:
        """Raise a `ValueError` if the policy doesn't play a game."""
        plays = PLAYERS[self.source][0] if isinstance(self.source, str) else None
        if isinstance(self.source, _native.Network2048):
            plays = "2048"
        if plays not in (None, game):
            raise ValueError(f"policy={str(self)!r}: it plays {plays}, not {game}")
        formats = sorted({"channels", "dtype", "one_hot", "planes"} & set(params))
        if formats and (self.source == "bot" or isinstance(self.source, _native.Network2048)):
            raise ValueError(f"policy={str(self)!r}: {', '.join(formats)} can't be set")
        if self.source == "bot" and params.get("actions", "placements") != "placements":
            raise ValueError("policy='bot': expected actions='placements'")

    def seed(self, seed: int) -> None:
        """Seed a policy that has a method `seed`."""
        if not isinstance(self.source, str | bytes) and hasattr(self.source, "seed"):
            self.source.seed(seed)

    def actions(
        self, batch: Batch, slots: np.ndarray, words: np.ndarray, params: dict[str, Any]
    ) -> np.ndarray:
        """Return the actions of some games of a batch. `words` has a random 64-bit number for each."""
        source, mask = self.source, batch.action_mask[slots]
        if source == "random":
            return random_actions(mask, words)
        if source == "greedy":
            assert isinstance(batch, _native.Match3Batch)
            return np.where(mask, batch.hints()[slots], -np.inf).argmax(axis=1)
        if source == "bot":
            return np.array([self._bot(batch, slot, row, params) for slot, row in zip(slots.tolist(), mask, strict=True)])
        if source == "search":
            assert isinstance(batch, _native.GoBatch)
            colors = batch.to_move()[slots].tolist()
            found = []
            for slot, row, color, word in zip(slots.tolist(), mask, colors, words.tolist(), strict=True):
                best = _native.go_best_move(
                    batch.board(slot),
                    to_move="white" if color else "black",
                    komi=params.get("komi", 7.5),
                    seed=word,
                    **self.options,
                )
                # The search doesn't know earlier positions, so its best moves may be forbidden by superko.
                candidates = (action for action, _, _ in best["candidates"] if row[action])
                found.append(next(candidates, len(row) - 1))
            return np.array(found)
        obs = batch.obs[slots]
        if isinstance(source, _native.Network2048):
            return np.array(source.actions(obs, **self.options))
        if isinstance(source, bytes):
            return self._onnx(obs, mask)
        return _checked("policy", source(obs, mask), len(slots))

    def _bot(self, batch: Batch, slot: int, mask: np.ndarray, params: dict[str, Any]) -> int:
        obs = batch.obs[slot]
        rows, preview = params.get("rows", 20), params.get("next", 5)
        pieces = [_PIECES[piece] for piece in obs[rows * 10 : rows * 10 + 2 + preview]]
        moves = _native.tetris_bot(
            batch.board(slot),
            "".join([pieces[0], *pieces[2:]]),
            hold=None if pieces[1] == "-" else pieces[1],
            combo=int(obs[rows * 10 + 2 + preview]),
            back_to_back=bool(obs[rows * 10 + 3 + preview]),
            second_spawn_row=params.get("second_spawn_row", True),
            **self.options,
        )
        for move in moves:
            way = (_ORIENTATIONS.index(move["orientation"].lower()) * 10 + move["x"]) * 22 + move["y"]
            action = way + 880 * move["hold"]
            if move["y"] < 22 and action < len(mask) and mask[action]:
                return action
        # The bot gave up, or its moves aren't numbered.
        return int(mask.argmax())

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
        feed = {
            value.name: array.astype(_ONNX_TYPES.get(value.type, np.float32))
            for value, array in zip(session.get_inputs(), (obs, mask), strict=False)
        }
        output = np.asarray(session.run([session.get_outputs()[0].name], feed)[0])
        if np.issubdtype(output.dtype, np.floating):
            if output.shape != mask.shape:
                raise ValueError(f"policy: the model returned logits of shape {output.shape}: expected {mask.shape}")
            return np.where(mask, output, -np.inf).argmax(axis=1)
        return _checked("policy", output.reshape(-1), len(obs))


_ONNX_TYPES: dict[str, Any] = {
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(bool)": np.bool_,
    **{f"tensor({kind})": np.dtype(kind) for kind in ("uint8", "int8", "int32", "int64")},
}


def _checked(name: str, actions: Any, n: int) -> np.ndarray:
    actions = np.asarray(actions)
    if actions.shape != (n,) or not np.issubdtype(actions.dtype, np.integer):
        raise ValueError(f"{name}: returned {actions.dtype} of shape {actions.shape}: expected {n} integers")
    return actions


def _pickled(value: Any) -> bytes:
    """Pickle a value such that equal values give equal bytes in every process, as far as possible."""
    try:
        import cloudpickle
    except ImportError:
        try:
            from ray import cloudpickle
        except ImportError:
            return pickle.dumps(value, 4)

    seen: set[int] = set()

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def persistent_id(self, value: Any) -> Any:
            torch = sys.modules.get("torch")
            if torch is not None and isinstance(value, torch.Tensor):
                # torch pickles the address of a tensor, too.
                flat = value.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
                return "tensor", str(value.dtype), tuple(value.shape), flat.numpy().tobytes()
            if isinstance(value, type) and (value.__module__ == "__main__" or "<locals>" in value.__qualname__):
                # cloudpickle gives such a class a random number.
                if id(value) in seen:
                    return "class", value.__qualname__
                seen.add(id(value))
                hidden = ("__dict__", "__weakref__", "__module__")
                members = {key: member for key, member in vars(value).items() if key not in hidden}
                return "class", value.__qualname__, value.__bases__, members
            return None

    buffer = io.BytesIO()
    Pickler(buffer, protocol=4).dump(value)
    return buffer.getvalue()


def new_batch(params: dict[str, Any], places: int, seeds: list[int]) -> Any:
    """Create a batch of one of a job's games. `params` has the game's name, and the arguments of its class."""
    options = {key: value for key, value in params.items() if key not in OTHER_PARAMS}
    # Same-step autoreset leaves no slot idle, and an illegal action would be a bug of the player.
    fixed = {"seed": seeds, "autoreset_mode": "SameStep", "on_illegal": "raise", "num_threads": 1}
    if clash := sorted(set(options) & set(fixed)):
        raise ValueError(f"params: {', '.join(clash)} can't be set")
    return find(params["game"]).batch(places, **options, **fixed)


#: The parameters of jobs that aren't arguments of a game's class.
OTHER_PARAMS = ("game", "num_envs", "depth", "opening_moves", "gamma", "out")



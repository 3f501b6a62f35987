"""Spaces, seeding and rendering shared by the environments of all libraries."""

from __future__ import annotations

import copy
import math
import operator
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from gymnasium import spaces

from . import render
from ._games import find
from ._games.entry import channels_first

if TYPE_CHECKING:
    from ._games.entry import Batch


@cache
def _options(game: str) -> frozenset[str]:
    """Return the options of a game's batch."""
    return frozenset(signature(find(game).batch).parameters) - {"num_envs"}


def make_batch(game: str, num_envs: int, options: Mapping[str, Any], **own: Any) -> Batch:
    """Create a batch of a game from the caller's options and those that the environment sets itself (`own`).

    Raises:
        TypeError: An option that the game doesn't have, or that the environment sets itself.
    """
    batch = find(game).batch
    known = _options(game) - own.keys()
    if unknown := sorted(options.keys() - known):
        raise TypeError(f"{game}: unknown option {', '.join(unknown)}: expected {', '.join(sorted(known))}")
    return batch(num_envs, **options, **own)


def observation_space(game: str, batch: Batch, options: Mapping[str, Any]) -> spaces.Box:
    """Return one game's observation space, with the tightest bounds that every observation satisfies."""
    low, high = np.zeros(batch.obs_shape, batch.dtype), np.ones(batch.obs_shape, batch.dtype)
    channels = options.get("channels", "first")
    find(game).bounds(channels_first(low, channels), channels_first(high, channels), options)
    return spaces.Box(low, high, low.shape, low.dtype.type)


def empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return an uninitialized array that begins at a multiple of 64 bytes, as JAX needs it to share memory."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    buffer = np.empty(size + 64, np.uint8)
    start = -buffer.__array_interface__["data"][0] % 64
    return buffer[start : start + size].view(dtype).reshape(shape)


def copied(array: np.ndarray) -> np.ndarray:
    """Return a copy that begins at a multiple of 64 bytes."""
    new = empty(array.shape, array.dtype)
    new[...] = array
    return new


def integer(name: str, value: Any, least: float) -> int:
    """Validate an integer of at least `least`."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, found {type(value).__name__}") from None
    if value < least:
        raise ValueError(f"{name}={value}: expected an integer of at least {least}")
    return value


def single_action(action: Any, count: int) -> int:
    """Read the action of one game, less than `count`, from an integer or a one-element array."""
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.reshape(())
    action = integer("action", action, -math.inf)
    if not 0 <= action < count:
        raise ValueError(f"action {action}: expected 0 to {count - 1}")
    return action


def checked_seed(seed: Any) -> int:
    """Validate a seed, any nonnegative integer; draw fresh entropy for `None`."""
    return secrets.randbits(64) if seed is None else integer("seed", seed, 0)


class Copied:
    """Makes `copy.copy` deep: two environments that share their games would interfere with each other."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


class SeededGames:
    """Gymnasium's `np_random_seed` and `np_random` for an environment.

    `np_random_seed` is the seed of the games, which draw from their own streams; `np_random` is for the caller. If
    there is a list of seeds, the first one seeds `np_random`.
    """

    _np_random: np.random.Generator | None
    _np_random_seed: Any

    def _seed(self, seed: int | Sequence[int]) -> None:
        first = seed if isinstance(seed, int) else next(iter(seed), 0)
        sequence = np.random.SeedSequence(max(first, 0))
        self._np_random = np.random.Generator(np.random.PCG64(sequence))
        self._np_random_seed = seed


def check_reset_options(options: dict[str, Any] | None, known: tuple[str, ...] = ()) -> None:
    """Reject unknown `options` of a reset."""
    if unknown := sorted(map(str, set(options or ()) - set(known))):
        expected = f"expected {', '.join(known)}" if known else "expected none"
        raise ValueError(f"reset: unknown option {', '.join(unknown)}: {expected}")


class ActionSpace(spaces.Discrete):
    """The action space of one game. `sample` accepts action masks of dtype bool as well as int8."""

    def sample(self, mask: np.ndarray | None = None, probability: np.ndarray | None = None) -> np.int64:
        """Draw a random action; with a mask, a legal one."""
        if mask is not None and np.asarray(mask).dtype == bool:
            mask = np.asarray(mask).astype(np.int8)
        if probability is None:
            return super().sample(mask)
        return super().sample(mask, probability)


class BatchActionSpace(spaces.MultiDiscrete):
    """The action space of all games. `sample` also accepts all action masks as one array (games, actions)."""

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw a random action for each game; with masks, a legal one, or 0 if none is legal."""
        if isinstance(mask, np.ndarray) and mask.ndim == 2 and probability is None:
            if mask.shape != (len(self.nvec), self.nvec[0]):
                raise ValueError(f"mask: expected shape {(len(self.nvec), self.nvec[0])}, found {mask.shape}")
            counts = np.count_nonzero(mask, axis=1)
            drawn = self.np_random.integers(0, np.maximum(counts, 1))
            legal = np.append(np.flatnonzero(mask) % mask.shape[1], 0)
            chosen = legal[np.minimum(np.cumsum(counts) - counts + drawn, len(legal) - 1)]
            return np.where(counts > 0, chosen, 0).astype(self.dtype)
        if probability is None:
            return super().sample(mask)
        return super().sample(mask, probability)


class Renderer:
    """Renders the games of a batch in one of Gymnasium's render modes."""

    MODES = ("ansi", "rgb_array")

    def __init__(self, game: str, mode: str | None, options: Mapping[str, Any]) -> None:
        if mode is not None and mode not in self.MODES:
            raise ValueError(f"render_mode={mode!r}: expected {' or '.join(self.MODES)}")
        self.game, self.mode = game, mode
        self.layout: dict[str, Any] = {
            "rows": options.get("rows", 20),
            "garbage": options.get("garbage") is not None,
            "channels": options.get("channels", "first"),
        }

    def frame(self, obs: np.ndarray, caption: str | None = None) -> str | np.ndarray | None:
        """Render one observation, an image with a caption; return `None` without a render mode."""
        if self.mode is None:
            return None
        if self.mode == "ansi":
            return render.text(self.game, obs, **self.layout)
        return render.rgb_array(self.game, obs, caption=caption, **self.layout)

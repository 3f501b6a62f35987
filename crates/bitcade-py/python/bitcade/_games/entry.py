"""The description of a game, and drawing helpers shared by all games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .._native import _Games as Batch

Color = tuple[int, int, int]

WHITE: Color = (249, 246, 242)
DARK: Color = (119, 110, 101)
BACKGROUND: Color = (30, 32, 40)


@dataclass(frozen=True)
class Game:
    """Everything that environments, registration, jobs and rendering need to know about a game."""

    #: The name used by environments and jobs.
    name: str
    batch: Callable[..., Batch]
    #: The options of each registered environment, by name without namespace and version.
    envs: dict[str, dict[str, Any]]
    #: Sets the observation bounds that differ from 0 and 1: `(low, high, options)`.
    bounds: Callable[[np.ndarray, np.ndarray, dict[str, Any]], None]
    #: Renders an observation as text: `(obs, color, rows)`.
    text: Callable[[np.ndarray, bool, int], str]
    #: Renders an observation as an image: `(obs, rows)`.
    rgb_array: Callable[[np.ndarray, int], np.ndarray]
    #: Recovers an observation from its one-hot planes; `None` if the batch has no `one_hot` option.
    from_one_hot: Callable[[np.ndarray], np.ndarray] | None = None
    #: Recovers the standard observation from that of a batch with these options, except for `one_hot`, `dtype` and
    #: `channels`: `(obs, options)`; `None` if there is no other layout.
    from_layout: Callable[[np.ndarray, dict[str, Any]], np.ndarray] | None = None


def painted(string: str, back: Color, front: Color) -> str:
    return f"\x1b[48;2;{back[0]};{back[1]};{back[2]};38;2;{front[0]};{front[1]};{front[2]}m{string}\x1b[0m"


def pick(colors: tuple[Color, ...], index: int) -> Color:
    return colors[min(index, len(colors) - 1)]


def tiled(sprites: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the image of a board: for each cell, the sprite of its value."""
    height, width = cells.shape
    side = sprites.shape[1]
    chosen = sprites[np.minimum(cells, len(sprites) - 1)]
    return chosen.transpose(0, 2, 1, 3, 4).reshape(height * side, width * side, 3)


def disc(side: int, radius: float) -> np.ndarray:
    """Return the mask of a disc centered in a square."""
    middle = (side - 1) / 2
    y, x = np.ogrid[:side, :side]
    return (x - middle) ** 2 + (y - middle) ** 2 <= radius**2

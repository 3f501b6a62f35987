"""What the tests know of each game: a module of each game in the package's table, with its `FACTS`."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bitcade._games import GAMES

NO_NUMBERS = [1.5, math.nan, "1", None, {}, ...]
NUMBERS = [*NO_NUMBERS, -1, -(2**63), 2**32, 2**63, 2**64, 2**100, math.inf, b"1", []]
NAMES = ["", "Raise", "x", 1, None, b"raise", [], "SameStep\0"]
NO_FLAGS = [1, "yes", None]
NO_STARTS = [1, "x"]


def zeros(*shape: int) -> np.ndarray:
    """Return integers in an array of a shape, all 0."""
    return np.zeros(shape, int)


@dataclass(frozen=True)
class Facts:
    """The facts of one game."""

    #: Options under which games end soon, and the shape of a frame under them.
    small: dict[str, Any]
    image: tuple[int, ...]
    #: Options that make the rules others.
    other_rules: dict[str, Any]
    #: Wrong values of options.
    wrong: dict[str, list]
    #: Options as code: of large games, and more of the constructor's; the games to make and to reset in a second.
    large: tuple[str, str, int, int]
    #: Calls of native functions that work long at the largest size and number of threads.
    long_calls: list[str]
    #: Options with the checksums of `test_same_as_rust.py`.
    checksums: list[tuple[dict[str, Any], int]]
    #: Further small games, by a word behind the name: the same facts as above.
    variants: dict[str, tuple[dict[str, Any], tuple[int, ...], dict[str, Any]]] = field(default_factory=dict)


FACTS: dict[str, Facts] = {
    name: importlib.import_module(f"games.{game.batch.__module__.rpartition('.')[2]}").FACTS
    for name, game in GAMES.items()
}

#: Name, class, small options, shape of a frame, and options of other rules, of all games and their variants.
SMALL = {
    f"{name} {word}".strip(): (GAMES[name].batch, *values)
    for name, facts in FACTS.items()
    for word, values in {"": (facts.small, facts.image, facts.other_rules), **facts.variants}.items()
}

"""Test data per game: one module with `FACTS` for each game in the package's table."""

import importlib
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bitcade import _games
from bitcade._games import GAMES

NO_NUMBERS = [1.5, math.nan, "1", None, {}, ...]
NO_STARTS = [1, "x"]
#: Values that no argument takes, by the type of its default.
WRONG = {
    bool: [1, "yes", None],
    int: [*NO_NUMBERS, -1, -(2**63), 2**64, 2**100, math.inf, b"1", []],
    float: [math.nan, math.inf, -math.inf, 1e300, None, "7.5"],
    str: ["", "Raise", "x", 1, None, b"raise", [], "SameStep\0"],
    type(None): [],
}


def zeros(*shape):
    return np.zeros(shape, int)


@dataclass(frozen=True)
class Facts:
    # Test data for one game.

    #: Options for games that end soon.
    small: dict[str, Any]
    #: Options for different rules.
    other_rules: dict[str, Any]
    #: Values that aren't the default, for each option that not all games have.
    values: dict[str, list]
    #: More invalid values per option, besides those of the option's type.
    wrong: dict[str, list]
    #: Options of large games and further constructor options, as code; how many games take a second to create and to reset.
    large: tuple[str, str, int, int]
    #: Calls of native functions that run long, at the largest size and number of threads.
    long_calls: list[str]
    #: More small games, by a suffix of the name: options, other rules.
    variants: dict[str, tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=dict)


FACTS = {
    module.GAME.name: importlib.import_module(f"games.{module.__name__.rpartition('.')[2]}").FACTS
    for module in _games._MODULES
    if hasattr(module, "GAME")
}

#: For all games and variants by name: class, small options, options for other rules.
SMALL = {
    f"{name} {word}".strip(): (GAMES[name].batch, *values)
    for name, facts in FACTS.items()
    for word, values in {"": (facts.small, facts.other_rules), **facts.variants}.items()
}

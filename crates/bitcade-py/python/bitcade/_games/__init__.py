"""The table of games, `GAMES`: environments, their registry, jobs, drawings and tests are made from it.

Each other module of this folder with a `GAME` is one. Nothing here needs more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .entry import Game

_MODULES = [import_module(f".{info.name}", __name__) for info in iter_modules(__path__)]

#: The games by their names.
GAMES: dict[str, Game] = {module.GAME.name: module.GAME for module in _MODULES if hasattr(module, "GAME")}


def find(name: Any) -> Game:
    """Return the game of a name, or raise a `ValueError` that lists all."""
    if name not in GAMES:
        raise ValueError(f"game={name!r}: expected one of {', '.join(GAMES)}")
    return GAMES[name]

"""The table of games, `GAMES`, from which environments, registration, jobs, rendering and tests are generated.

Every module of this folder that defines a `GAME` adds an entry. Nothing here needs more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .entry import Game

_MODULES = [import_module(f".{info.name}", __name__) for info in iter_modules(__path__)]

#: The games by name.
GAMES: dict[str, Game] = {module.GAME.name: module.GAME for module in _MODULES if hasattr(module, "GAME")}


def find(name: Any) -> Game:
    """Look up a game by name, or raise a `ValueError` that lists all names."""
    if name not in GAMES:
        raise ValueError(f"game={name!r}: expected one of {', '.join(GAMES)}")
    return GAMES[name]

"""The names of the environments in Gymnasium's registry.

A process that doesn't import bitcade, such as a worker of RLlib, gets them by a module before the name:
`gymnasium.make("bitcade:bitcade/2048-4x4-v0")`. Gymnasium 1 has no entry points for this.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from ._games import GAMES

#: The environments by their names without namespace and version: the arguments of `bitcade.vector`'s classes.
ENVS: dict[str, dict[str, Any]] = {
    name: {"game": game.name, **options} for game in GAMES.values() for name, options in game.envs.items()
}


def register_envs() -> None:
    """Register the environments, unless Gymnasium is absent or they are registered already."""
    if find_spec("gymnasium") is None:
        return
    from gymnasium.envs.registration import register, registry

    for name, kwargs in ENVS.items():
        env_id = f"bitcade/{name}-v0"
        if env_id not in registry:
            register(
                id=env_id,
                entry_point="bitcade.vector:BitcadeEnv",
                vector_entry_point="bitcade.vector:BitcadeVectorEnv",
                kwargs=kwargs,
            )

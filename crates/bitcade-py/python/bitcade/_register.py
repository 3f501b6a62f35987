"""Registration of the environments with Gymnasium.

A process that doesn't import bitcade, such as an RLlib worker, can prefix the name with the module to import:
`gymnasium.make("bitcade:bitcade/2048-4x4-v0")`. Gymnasium 1 has no plugin entry points.
"""

from __future__ import annotations

import warnings
from typing import Any

from ._games import GAMES

#: Arguments for the classes of `bitcade.vector`, by environment name without namespace and version.
ENVS: dict[str, dict[str, Any]] = {
    name: {"game": game.name, **options} for game in GAMES.values() for name, options in game.envs.items()
}


def register_envs() -> None:
    """Register the environments if Gymnasium is installed; those already registered are skipped.

    If Gymnasium is there but broken, this only warns: the batches need no more than NumPy.
    """
    try:
        import gymnasium

        registration = gymnasium.envs.registration
        for name, kwargs in ENVS.items():
            env_id = f"bitcade/{name}-v0"
            if env_id not in registration.registry:
                registration.register(
                    id=env_id,
                    entry_point="bitcade.vector:BitcadeEnv",
                    vector_entry_point="bitcade.vector:BitcadeVectorEnv",
                    kwargs=kwargs,
                )
    except Exception as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == "gymnasium"):
            text = f"bitcade's environments aren't registered, because Gymnasium is broken: {error!r}"
            warnings.warn(text, RuntimeWarning, stacklevel=2)

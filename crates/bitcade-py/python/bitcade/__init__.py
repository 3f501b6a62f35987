"""Batched 2048, match-3, Tetris and Go environments for reinforcement learning, and their engines.

Each game's module has a class `Batch`, which steps many games together and needs only NumPy::

    import bitcade
    games = bitcade.g2048.Batch(4096, seed=1)
    for _ in range(1000):
        obs, reward, terminated, truncated, mask = games.step(games.sample())

If Gymnasium is installed, the same games are registered as environments and vector environments::

    import gymnasium
    envs = gymnasium.make_vec("bitcade/2048-4x4-v0", num_envs=4096)

All games use the best instruction set that the CPU supports. `level` returns its name, and `levels` lists all that
are supported. `set_level` or the environment variable `BITCADE_LEVEL` selects another one for the whole process; the
results don't change.

| module | contents |
|---|---|
| `bitcade.match3`, `g2048`, `tetris`, `go` | batches, and engines: random playouts, analysis, players |
| `bitcade.vector` | Gymnasium environments |
| `bitcade.pettingzoo` | Go and Tetris for two agents, as PettingZoo environments |
| `bitcade.sb3` | a Stable-Baselines3 `VecEnv` |
| `bitcade.jobs` | many games with a policy: in one process, in several, or on many machines with Ray |
| `bitcade.render` | boards as text, images and videos |
| `bitcade.contest` | the Tetris contest |
"""

from __future__ import annotations

from . import contest, g2048, go, match3, render, tetris
from ._native import State, __version__, level, levels, set_level
from ._register import register_envs

__all__ = [
    "State",
    "__version__",
    "contest",
    "g2048",
    "go",
    "level",
    "levels",
    "match3",
    "register_envs",
    "render",
    "set_level",
    "tetris",
]

register_envs()

"""Batches of 2048, match-3, Tetris and Go for reinforcement learning, and their engines.

The module of each game has a class `Batch`, which steps many games together and needs only NumPy::

    import bitcade
    games = bitcade.g2048.Batch(4096, seed=1)
    for _ in range(1000):
        obs, reward, terminated, truncated, mask = games.step(games.sample())

With Gymnasium installed the same games are registered as vector and single environments::

    import gymnasium
    envs = gymnasium.make_vec("bitcade/2048-4x4-v0", num_envs=4096)

Everything runs on the best instruction set of the machine. `level` returns its name, `levels` lists the others,
and `set_level`, or the environment variable `BITCADE_LEVEL`, chooses one for the whole process. The results are
the same.

| module | holds |
|---|---|
| `bitcade.vector` | the environments of Gymnasium |
| `bitcade.pettingzoo` | Go for two agents, as PettingZoo has it |
| `bitcade.pufferlib` | the environments of PufferLib |
| `bitcade.render` | boards as text and as images |
| `bitcade.match3`, `g2048`, `tetris`, `go` | the batches, and the engines: random playouts, analysis, players |
| `bitcade.contest` | the Tetris contest |
"""

from __future__ import annotations

from . import contest, g2048, go, match3, render, tetris
from ._native import State, level, levels, set_level
from ._register import register_envs

__all__ = [
    "State",
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

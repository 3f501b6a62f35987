"""Rendering of observations as text or images; needs only NumPy."""

from __future__ import annotations

import numpy as np

from ._games import find

__all__ = ["rgb_array", "text"]


def text(game: str, obs: np.ndarray, *, color: bool = False, rows: int = 20) -> str:
    """Render one game's observation as text.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        obs: One observation, not one-hot.
        color: Whether to use 24-bit terminal colors.
        rows: The number of visible rows (Tetris only).
    """
    return find(game).text(obs, color, rows)


def rgb_array(game: str, obs: np.ndarray, *, rows: int = 20) -> np.ndarray:
    """Render one game's observation as an image: uint8, of shape (height, width, 3).

    Args:
        game: The name of a game, such as `2048` or `match3`.
        obs: One observation, not one-hot.
        rows: The number of visible rows (Tetris only).
    """
    return find(game).rgb_array(obs, rows)

"""Rendering of observations as text, images and videos. Text and images need only NumPy, videos Pillow."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._games import find
from ._games.entry import framed
from ._files import write_file
from ._options import GameName

__all__ = ["rgb_array", "text", "video"]


def text(game: GameName, obs: ArrayLike, *, color: bool = False, rows: int = 20, garbage: bool = False) -> str:
    """Render one game's observation as text.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        obs: One observation, not one-hot.
        color: Whether to use 24-bit terminal colors.
        rows: The number of visible rows (Tetris only).
        garbage: Whether the observation ends with the pending garbage (Tetris only).

    Raises:
        TypeError: The observation isn't an array of integers.
        ValueError: An unknown game, or an observation of another shape.
    """
    return find(game).text(_numbers(obs), color, rows, garbage)


def rgb_array(
    game: GameName, obs: ArrayLike, *, rows: int = 20, garbage: bool = False, caption: str | None = None
) -> NDArray[np.uint8]:
    """Render one game's observation as an image: uint8, of shape (height, width, 3).

    A margin keeps tiled images apart. Below the board is what the observation says besides: moves left, the player to
    move, combos.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        obs: One observation, not one-hot.
        rows: The number of visible rows (Tetris only).
        garbage: Whether the observation ends with the pending garbage (Tetris only).
        caption: Text to add to the line below the board, such as a score. It is written in capitals.

    Raises:
        TypeError: The observation isn't an array of integers.
        ValueError: An unknown game, or an observation of another shape.
    """
    described, obs = find(game), _numbers(obs)
    image = described.rgb_array(obs, rows, garbage)
    lines = [] if described.status is None else [described.status(obs, rows, garbage)]
    lines += [] if caption is None else [caption]
    return framed(image, described.page, "  ".join(filter(None, lines)) if lines else None)


def _numbers(obs: ArrayLike) -> np.ndarray:
    obs = np.asarray(obs)
    if obs.dtype.kind not in "biu":
        raise TypeError(f"obs: expected integers, found {obs.dtype}")
    return obs


def video(
    path: str | os.PathLike[str],
    game: GameName | None,
    frames: Iterable[ArrayLike],
    *,
    fps: float = 4,
    rows: int = 20,
    garbage: bool = False,
    captions: Sequence[str] | None = None,
) -> None:
    """Write an animated GIF, or with the suffix `.png` an animated PNG, by Pillow. The file is replaced atomically.

    Args:
        path: The name of the file, which ends with `.gif` or `.png`.
        game: The name of a game, or `None` if the frames are images.
        frames: Observations as for `rgb_array`, or images: uint8, of shape (height, width, 3), all of one size.
        fps: The number of frames per second, at most 50.
        rows: The number of visible rows (Tetris only).
        garbage: Whether the observations end with the pending garbage (Tetris only).
        captions: A caption per frame, if the frames are observations.

    Raises:
        ImportError: Pillow isn't installed.
        OSError: The file can't be written.
        TypeError: A frame isn't an array of integers.
        ValueError: An unknown suffix or game, no frames, frames of another shape, or another number of captions.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("bitcade.render.video needs Pillow: pip install 'bitcade[video]'") from error

    path = Path(path)
    formats = {".gif": "GIF", ".png": "PNG"}
    if path.suffix.lower() not in formats:
        raise ValueError(f"path={str(path)!r}: expected a name that ends with .gif or .png")
    if not 0 < fps <= 50:
        raise ValueError(f"fps={fps}: expected above 0 and at most 50")
    images = [_numbers(frame) for frame in frames]
    if not images:
        raise ValueError("frames: expected at least one")
    if captions is not None and (game is None or len(captions) != len(images)):
        expected = "none without a game" if game is None else f"{len(images)}, one per frame"
        raise ValueError(f"captions: expected {expected}, found {len(captions)}")
    if game is not None:
        texts = captions if captions is not None else [None] * len(images)
        images = [
            rgb_array(game, obs, rows=rows, garbage=garbage, caption=caption)
            for obs, caption in zip(images, texts, strict=True)
        ]
    for number, image in enumerate(images):
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.shape != images[0].shape:
            expected = "(height, width, 3)" if number == 0 else images[0].shape
            raise ValueError(
                f"frames: frame {number}: expected uint8 of shape {expected}, found {image.dtype} of shape {image.shape}"
            )
    first, *rest = [Image.fromarray(image) for image in images]
    content = BytesIO()
    # GIFs count in hundredths of a second.
    duration = max(20, round(100 / fps) * 10)
    first.save(
        content, formats[path.suffix.lower()], save_all=True, append_images=rest, duration=duration, loop=0
    )
    write_file(path, content.getvalue())

"""Rendering of observations as text, images and videos. Text and images need only NumPy, videos Pillow."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._games import find
from ._files import write_file
from ._games.entry import channels_first, framed
from ._options import GameName

__all__ = ["rgb_array", "text", "video"]


def text(
    game: GameName,
    obs: ArrayLike,
    *,
    color: bool = False,
    rows: int = 20,
    garbage: bool = False,
    channels: Literal["first", "last"] = "first",
) -> str:
    """Render one game's observation as text.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        obs: One observation in any layout of the game's batch: integers or whole floats from 0 to 255.
        color: Whether to use 24-bit terminal colors.
        rows: The number of visible rows (Tetris without planes only).
        garbage: Whether the observation ends with the pending garbage (Tetris only).
        channels: Where the planes of the observation are.

    Raises:
        TypeError: The observation isn't an array of numbers.
        ValueError: An unknown game, an observation of another shape, or a number that isn't whole.
    """
    found = find(game)
    return found.text(found.parts(_plain(obs, channels), rows, garbage), color)


def rgb_array(
    game: GameName,
    obs: ArrayLike,
    *,
    rows: int = 20,
    garbage: bool = False,
    channels: Literal["first", "last"] = "first",
    caption: str | None = None,
) -> NDArray[np.uint8]:
    """Render one game's observation as an image: uint8, of shape (height, width, 3).

    A margin keeps tiled images apart. Below the board is what the observation says besides: moves left, the player to
    move, combos.

    Args:
        game, obs, rows, garbage, channels: As for `text`.
        caption: Text to add to the line below the board, such as a score. It is written in capitals.

    Raises:
        TypeError, ValueError: As for `text`.
    """
    found = find(game)
    parts = found.parts(_plain(obs, channels), rows, garbage)
    lines = [] if found.status is None else [found.status(parts)]
    lines += [] if caption is None else [caption]
    return framed(found.rgb_array(parts), found.page, "  ".join(filter(None, lines)) if lines else None)


def _plain(obs: ArrayLike, channels: str) -> np.ndarray:
    """Return an observation as uint8 with the planes first."""
    obs = np.asarray(obs)
    if obs.dtype.kind not in "biuf":
        raise TypeError(f"obs: expected numbers, found {obs.dtype}")
    whole = obs if obs.dtype == np.uint8 else np.clip(np.nan_to_num(obs), 0, 255).astype(np.uint8)
    if (whole != obs).any():
        raise ValueError("obs: expected whole numbers from 0 to 255")
    if channels not in ("first", "last"):
        raise ValueError(f"channels={channels!r}: expected first or last")
    return channels_first(whole, channels)


def video(
    path: str | os.PathLike[str],
    game: GameName | None,
    frames: Iterable[ArrayLike],
    *,
    fps: float = 4,
    rows: int = 20,
    garbage: bool = False,
    channels: Literal["first", "last"] = "first",
    captions: Sequence[str] | None = None,
) -> None:
    """Write an animated GIF, or with the suffix `.png` an animated PNG, by Pillow. The file is replaced atomically.

    Args:
        path: The name of the file, which ends with `.gif` or `.png`.
        game: The name of a game, or `None` if the frames are images.
        frames: Observations as for `rgb_array`, or images: uint8, of shape (height, width, 3), all of one size.
        fps: The number of frames per second, at most 50.
        rows, garbage, channels: As for `text`.
        captions: A caption per frame, if the frames are observations.

    Raises:
        ImportError: Pillow isn't installed.
        OSError: The file can't be written.
        TypeError: A frame isn't an array of numbers.
        ValueError: An unknown suffix or game, no frames, a wrong frame, or another number of captions.
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
    images = [np.asarray(frame) for frame in frames]
    if not images:
        raise ValueError("frames: expected at least one")
    if captions is not None and (game is None or len(captions) != len(images)):
        expected = "none without a game" if game is None else f"{len(images)}, one per frame"
        raise ValueError(f"captions: expected {expected}, found {len(captions)}")
    if game is not None:
        texts = captions if captions is not None else [None] * len(images)
        images = [
            rgb_array(game, obs, rows=rows, garbage=garbage, channels=channels, caption=caption)
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

"""The description of a game, and drawing helpers shared by all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .._native import _Games as Batch

Color = tuple[int, int, int]

WHITE: Color = (249, 246, 242)
DARK: Color = (119, 110, 101)
BACKGROUND: Color = (30, 32, 40)

#: A 3x5 pixel font: each character's five rows of three bits, as octal digits.
_GLYPHS = {
    "0": 0o75557, "1": 0o26227, "2": 0o71747, "3": 0o71717, "4": 0o55711, "5": 0o74717, "6": 0o74757, "7": 0o71111,
    "8": 0o75757, "9": 0o75717, "A": 0o25755, "B": 0o65656, "C": 0o34443, "D": 0o65556, "E": 0o74647, "F": 0o74644,
    "G": 0o34553, "H": 0o55755, "I": 0o72227, "J": 0o11152, "K": 0o55655, "L": 0o44447, "M": 0o57755, "N": 0o65555,
    "O": 0o25552, "P": 0o65644, "Q": 0o25563, "R": 0o65655, "S": 0o34216, "T": 0o72222, "U": 0o55557, "V": 0o55552,
    "W": 0o55775, "X": 0o55255, "Y": 0o55222, "Z": 0o71247, " ": 0o00000, "-": 0o00700, "+": 0o02720, ".": 0o00002,
    ",": 0o00024, ":": 0o02020, "/": 0o11244, "(": 0o12221, ")": 0o42224, "%": 0o51245, "=": 0o07070, "?": 0o71202,
}  # fmt: skip


@dataclass(frozen=True)
class Game:
    """Everything that environments, registration, jobs and rendering need to know about a game."""

    #: The name used by environments and jobs.
    name: str
    batch: Callable[..., Batch]
    #: The options of each registered environment, by name without namespace and version.
    envs: dict[str, dict[str, Any]]
    #: Takes apart an observation of any layout, uint8 with the planes first: `(obs, rows, garbage)`.
    parts: Callable[[np.ndarray, int, bool], Any]
    #: Renders the parts as text: `(parts, color)`.
    text: Callable[[Any, bool], str]
    #: Renders the parts as an image.
    rgb_array: Callable[[Any], np.ndarray]
    #: The line below an image; without a function there is none.
    status: Callable[[Any], str] | None = None
    #: The color around an image.
    page: Color = BACKGROUND
    #: Sets the observation bounds that differ from 0 and 1: `(low, high, options)`.
    bounds: Callable[[np.ndarray, np.ndarray, Mapping[str, Any]], None] = lambda low, high, options: None


def channels_first(obs: np.ndarray, channels: str) -> np.ndarray:
    """Return a view of one observation with the planes first."""
    return np.moveaxis(obs, -1, 0) if channels == "last" else obs


def expect(condition: bool, obs: np.ndarray, shape: str) -> None:
    """Check the shape of an observation."""
    if not condition:
        raise ValueError(f"obs: expected shape {shape}, found {obs.shape}")


def text_width(text: str, scale: int) -> int:
    """Return the width in pixels of a line written by `write`."""
    return scale * (4 * len(text) - 1)


def write(image: np.ndarray, text: str, x: int, y: int, color: Color, scale: int = 2) -> None:
    """Write a line in capitals, 5 x scale pixels high, on an image; what lies outside is cut off."""
    for place, character in enumerate(text.upper()):
        glyph = _GLYPHS.get(character, _GLYPHS["?"])
        for row in range(5):
            for column in range(3):
                if glyph >> (14 - 3 * row - column) & 1:
                    top, left = y + scale * row, x + scale * (4 * place + column)
                    image[top : top + scale, left : left + scale] = color


def framed(image: np.ndarray, page: Color, line: str | None) -> np.ndarray:
    """Return an image with a margin, in which a line of text has room below."""
    margin, height = 8, 18 if line is not None else 0
    page_image = np.full((image.shape[0] + 2 * margin + height, image.shape[1] + 2 * margin, 3), page, np.uint8)
    page_image[margin : margin + image.shape[0], margin : margin + image.shape[1]] = image
    if line:
        scale = 2 if text_width(line, 2) <= image.shape[1] else 1
        front = WHITE if sum(page) < 384 else DARK
        write(page_image, line, margin, image.shape[0] + 2 * margin, front, scale)
    return page_image


def painted(string: str, back: Color, front: Color) -> str:
    return f"\x1b[48;2;{back[0]};{back[1]};{back[2]};38;2;{front[0]};{front[1]};{front[2]}m{string}\x1b[0m"


def pick(colors: tuple[Color, ...], index: int) -> Color:
    return colors[min(index, len(colors) - 1)]


def tiled(sprites: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the image of a board: for each cell, the sprite of its value."""
    height, width = cells.shape
    side = sprites.shape[1]
    chosen = sprites[np.minimum(cells, len(sprites) - 1)]
    return chosen.transpose(0, 2, 1, 3, 4).reshape(height * side, width * side, 3)


def disc(side: int, radius: float) -> np.ndarray:
    """Return the mask of a disc centered in a square."""
    middle = (side - 1) / 2
    y, x = np.ogrid[:side, :side]
    return (x - middle) ** 2 + (y - middle) ** 2 <= radius**2

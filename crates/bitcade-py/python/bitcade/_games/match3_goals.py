"""Match-3 levels with goals: gems with marks for special, locked and blocked ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import match3
from .entry import BACKGROUND, WHITE, Game, disc, expect, painted, pick, tiled
from .match3 import _GEMS, _gem_sprites

#: Planes of an observation; those of the kinds of special pieces come first, those of the colors and the goals last.
_LOCKED, _BLOCKED, _MOVES, _COLORS = range(4, 8)
_MARKS = " -|*@"


def _parts(obs: np.ndarray, rows: int, garbage: bool) -> tuple[np.ndarray, int, list[int]]:
    """Return the numbers of the cells, as `GoalsBatch.board` does, the moves left and the goals that lack something."""
    expect(obs.ndim == 3 and len(obs) > _COLORS, obs, "(7 + colors + goals, height, width)")
    planes = obs[_COLORS:]
    # The plane of a goal has one value. No color fills a board.
    is_goal = (planes == planes[:, :1, :1]).all(axis=(1, 2))
    colors = np.where(is_goal[:, None, None], 0, planes)
    cells = np.tensordot(np.arange(1, len(colors) + 1), colors, 1)
    cells += np.tensordot([16, 32, 48, 64, 128, 64], obs[:_MOVES].astype(int), 1)
    goals = planes[is_goal, 0, 0]
    return cells, int(obs[_MOVES, 0, 0]), goals[goals > 0].tolist()


def _text(parts: tuple[np.ndarray, int, list[int]], color: bool) -> str:
    lines = []
    for row in parts[0].tolist():
        cells = []
        for cell in row:
            gem, kind = cell & 15, cell >> 4 & 7
            piece = ".123456789ABCDEF"[gem] if gem or not kind else "#"
            text = f"{'!' if cell & 128 else ' '}{piece}{_MARKS[kind] if gem else ' '}"
            cells.append(painted(text, pick(_GEMS, gem), BACKGROUND) if color and gem else text)
        lines.append("".join(cells) if color else "".join(cells).rstrip())
    return "\n".join(lines)


@cache
def _sprites() -> np.ndarray:
    """Return the cell sprites by number."""
    gems = _gem_sprites()
    side = gems.shape[1]
    bars = np.zeros((2, side, side), bool)
    bars[0, side // 2 - 2 : side // 2 + 2] = bars[1, :, side // 2 - 2 : side // 2 + 2] = True
    marks = [*bars, disc(side, 7) & ~disc(side, 4), bars[0] | bars[1] | disc(side, 5)]
    sprites = np.zeros((256, side, side, 3), np.uint8)
    for number, sprite in enumerate(sprites):
        gem, kind = number & 15, number >> 4 & 7
        sprite[:] = gems[gem]
        if gem and 1 <= kind <= 4:
            sprite[marks[kind - 1] & disc(side, 11)] = BACKGROUND if gem in (4, 7) else WHITE
        elif kind:
            sprite[1:, 1:] = (110, 115, 128)
        if number & 128:
            sprite[2:-1, [2, 3, -3, -2]] = sprite[[2, 3, -3, -2], 2:-1] = WHITE
    return sprites


def _status(parts: tuple[np.ndarray, int, list[int]]) -> str:
    _, left, goals = parts
    text = f"{left} move{'' if left == 1 else 's'} left"
    return text + "".join(f"  goal {100 - -(-100 * goal // 255)}%" for goal in goals)


def _bounds(_low: np.ndarray, high: np.ndarray, options: Mapping[str, Any]) -> None:
    rules = options.get("rules") or {}
    high[_MOVES] = min(rules.get("moves", 30), 255)
    high[_COLORS + rules.get("colors", 6) :] = 255


GAME = Game(
    name="match3-goals",
    batch=match3.GoalsBatch,
    envs={
        "Match3-Goals": {
            "rules": {
                "board": [*["1" * 8] * 3, *["111!1!1111"] * 2, "1" * 8, "#111111#", "##1111##"],
                "colors": 6,
                "moves": 30,
                "goals": {"score": 2500, "color": {1: 20}, "locked": 4},
            }
        }
    },
    bounds=_bounds,
    parts=_parts,
    text=_text,
    rgb_array=lambda parts: tiled(_sprites(), parts[0]),
    page=(16, 17, 22),
    status=_status,
)

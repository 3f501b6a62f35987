"""The types of the arguments that environments pass on to the games' batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._native import Level

GameName: TypeAlias = Literal["2048", "go", "match3", "match3-level", "tetris", "tetris-keys"]
GoSize: TypeAlias = Literal[5, 7, 9, 13, 19]
OnIllegal: TypeAlias = Literal["raise", "noop", "terminate"]
RenderMode: TypeAlias = Literal["ansi", "rgb_array"]


class SharedOptions(TypedDict, total=False):
    """The options of every batch that no environment has itself."""

    num_threads: int
    starts: ArrayLike | None
    dtype: Literal["uint8", "float32"]
    channels: Literal["first", "last"]


class GoOptions(SharedOptions, total=False):
    """Those of Go."""

    size: GoSize
    komi: float
    ko: Literal["simple", "positional", "situational"]
    suicide: Literal["forbidden", "multi", "all"]
    start_color: Literal["black", "white"]
    history: int


class GoEnvOptions(GoOptions, total=False):
    """Those of PettingZoo's environment of Go."""

    max_episode_steps: int | None
    seed: int | None
    render_mode: RenderMode | None


class Options(GoOptions, total=False):
    """Those of all games; an environment refuses those that its game doesn't have."""

    # 2048 and match-3.
    width: int
    height: int
    one_hot: bool
    # Match-3.
    colors: int
    moves: int
    # Match-3 on a level file; the level of Tetris, key by key, is a number.
    level: Level | str | int
    goal_reward: int
    # Tetris.
    actions: Literal["placements", "drops"]
    reward: Literal["lines", "attack", "score"]
    hold: bool
    next: int
    rows: int
    garbage: Sequence[int] | None
    second_spawn_row: bool
    rotation: Literal["srs", "srs-plus", "srs-x"]
    spins: Literal["none", "t-spins", "all-mini"]
    planes: bool
    # Tetris, key by key.
    frames: int
    gravity: int | None
    lines_per_level: int
    lock_delay: int
    lock_resets: int
    goal: int | None


class BatchOptions(Options, total=False):
    """Those but the ones that `BitcadeVectorEnv` has itself."""

    on_illegal: OnIllegal

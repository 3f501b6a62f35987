"""Types of the native module. `stub.py` writes all but the types at the top."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Literal, Self, TypedDict, final

import numpy as np
from _typeshed import ReadableBuffer
from numpy.typing import ArrayLike, NDArray

from ._afterstates import g2048, tetris

_Obs = NDArray[np.uint8 | np.float32]
_Mask = NDArray[np.bool_]
_Step = tuple[_Obs, NDArray[np.float32], _Mask, _Mask, _Mask]
_Indices = Sequence[int] | NDArray[np.integer]
_Board = Sequence[Sequence[int]] | NDArray[np.integer | np.bool_]

class _LockResult(TypedDict):
    lines: int
    spin: str
    perfect_clear: bool
    combo: int
    back_to_back: int
    attack: int
    sent: int
    garbage_rows: int
    over: str | None

class _BotArguments(TypedDict):
    queue: str
    hold: str | None
    combo: int
    back_to_back: bool
    second_spawn_row: bool
    rotation: Literal["srs", "srs-plus", "srs-x"]
    spins: Literal["none", "t-spins", "all-mini"]

class _Playouts2048(TypedDict):
    games: int
    mean_score: float
    stderr_score: float
    mean_moves: float
    largest: dict[int, int]

class _Playouts(TypedDict, total=False):
    games: int
    mean_score: float
    stderr_score: float
    mean_moves: float
    largest: dict[int, int]
    mean_cleared: float
    mean_pieces: float
    mean_lines: float
    mean_stones: float
    mean_plies: float
    black_wins: int

class _Solve2048(TypedDict):
    states: int
    canonical: int
    expected_score: float
    random_score: float

class _TetrisPlacements(TypedDict):
    orientation: str
    x: int
    y: int
    spin: str
    lines: int
    keys: list[str]

class _TetrisBot(TypedDict):
    hold: bool
    piece: str
    orientation: str
    x: int
    y: int
    spin: str

class _TetrisControl(TypedDict):
    games: int
    lines: int
    unfinished_games: int
    unfinished_lines: int
    pieces: int

class _GoPlayouts(TypedDict):
    games: int
    mean_stones: float
    mean_plies: float
    mean_score: float
    stderr_score: float
    black_wins: int

class _GoBestMove(TypedDict):
    action: int | None
    win_rate: float | None
    to_move: Literal["black", "white"]
    candidates: list[tuple[int, int, float]]

class _ContestVerify(TypedDict):
    score: int
    bound: int
    lines: int
    pieces: int

class _ContestSolve(_ContestVerify):
    record: str

# Written by stub.py from here on.
__all__ = [
    "Batch2048",
    "GoBatch",
    "Learner2048",
    "Level",
    "LevelBatch",
    "LevelGame",
    "Match3Batch",
    "Network2048",
    "PlaytestReport",
    "State",
    "TetrisBatch",
    "TetrisKeysBatch",
    "_TetrisVersus",
    "__version__",
    "contest_solve",
    "contest_verify",
    "go_best_move",
    "go_ownership",
    "go_playouts",
    "level",
    "levels",
    "match3_evaluate",
    "match3_hints",
    "match3_playtest",
    "match3_swaps",
    "playouts_2048",
    "set_level",
    "solve_2048",
    "tetris_bot",
    "tetris_control",
    "tetris_placements",
]

class _Games:
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __len__(self) -> int: ...
    @property
    def action_mask(self) -> _Mask: ...
    @property
    def autoreset_mode(self) -> Literal["SameStep", "NextStep", "Disabled"]: ...
    def board(self, game: int) -> NDArray[np.uint8]: ...
    def copy_games(self, source: _Indices, target: _Indices) -> None: ...
    @property
    def dtype(self) -> Literal["uint8", "float32"]: ...
    def final_obs(self, games: _Indices) -> _Obs: ...
    def get_state(self, game: int) -> State: ...
    def get_states(self, games: _Indices) -> list[State]: ...
    def legal_actions(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    @property
    def num_actions(self) -> int: ...
    @property
    def num_envs(self) -> int: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def obs(self) -> _Obs: ...
    @property
    def obs_shape(self) -> tuple[int, ...]: ...
    def random_step(self, out: _Step | None = None) -> _Step: ...
    def render(self, game: int) -> str: ...
    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[_Obs, _Mask]: ...
    def reset_some(self, which: _Mask | Sequence[bool]) -> tuple[_Obs, _Mask]: ...
    def sample(self) -> NDArray[np.int32]: ...
    @property
    def seed(self) -> int | list[int]: ...
    def set_state(self, game: int, state: State) -> None: ...
    def set_states(self, games: _Indices, states: Sequence[State]) -> None: ...
    @classmethod
    def state_from_bytes(cls, bytes: ReadableBuffer) -> State: ...
    def step(self, actions: ArrayLike, out: _Step | None = None) -> _Step: ...
    @property
    def steps(self) -> NDArray[np.uint32]: ...

@final
class Batch2048(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        width: int = 4,
        height: int = 4,
        one_hot: bool = False,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def afterstates(self) -> g2048.Afterstates: ...

@final
class GoBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        size: Literal[5, 7, 9, 13, 19] = 9,
        komi: float = 7.5,
        ko: Literal["simple", "positional", "situational"] = "positional",
        suicide: Literal["forbidden", "multi", "all"] = "forbidden",
        start_color: Literal["black", "white"] = "black",
        history: int = 0,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def passes(self) -> NDArray[np.uint8]: ...
    def scores(self) -> NDArray[np.float32]: ...
    def to_move(self) -> NDArray[np.uint8]: ...

@final
class Learner2048:
    def __new__(
        cls,
        *,
        seed: int = 1,
        learning_rate: float = 1.0,
        coherence: bool = True,
        num_threads: int = 1,
    ) -> Self: ...
    @property
    def curve(self) -> list[tuple[float, float]]: ...
    @property
    def games(self) -> int: ...
    def learn(self, games: int) -> None: ...
    @staticmethod
    def load(bytes: ReadableBuffer, *, num_threads: int = 1) -> Learner2048: ...
    @property
    def moves(self) -> int: ...
    def network(self) -> Network2048: ...
    def save(self) -> bytes: ...

@final
class Level:
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def colors(self) -> int: ...
    @property
    def goals(self) -> Mapping[str, int]: ...
    @property
    def height(self) -> int: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Level: ...
    @property
    def moves(self) -> int | None: ...
    @property
    def name(self) -> str: ...
    @staticmethod
    def parse(text: str) -> Level: ...
    def to_toml(self) -> str: ...
    @property
    def width(self) -> int: ...

@final
class LevelBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        level: Level | str,
        *,
        seed: int | Sequence[int] | None = None,
        goal_reward: int = 10000,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def goals_left(self) -> NDArray[np.uint32]: ...
    def hints(self) -> NDArray[np.float32]: ...
    def scores(self) -> NDArray[np.uint64]: ...
    def won(self) -> NDArray[np.bool_]: ...

@final
class LevelGame:
    def foresee(self, swap: tuple[int, int, str]) -> tuple[int, Mapping[str, int]]: ...
    @property
    def goals_left(self) -> Mapping[str, int]: ...
    @property
    def layers(self) -> Mapping[str, NDArray[np.uint8]]: ...
    @property
    def left(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def score(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def swaps(self) -> list[tuple[int, int, Literal["H", "V"]]]: ...

@final
class Match3Batch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        width: int = 8,
        height: int = 8,
        colors: int = 6,
        moves: int = 30,
        one_hot: bool = False,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def hints(self) -> NDArray[np.float32]: ...

@final
class Network2048:
    def actions(self, boards: ArrayLike, depth: int = 1) -> list[int]: ...
    @staticmethod
    def builtin() -> Network2048: ...
    def evaluate(
        self,
        games: int,
        *,
        depth: int = 1,
        seed: int = 1,
        first: int = 0,
        num_threads: int = 1,
    ) -> list[tuple[int, int]]: ...
    @staticmethod
    def load(bytes: ReadableBuffer) -> Network2048: ...
    def save(self) -> bytes: ...

@final
class PlaytestReport:
    def __add__(self, other: Self, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __radd__(self, other: int, /) -> Self: ...
    @property
    def cascade_levels(self) -> int: ...
    @property
    def choices(self) -> int: ...
    @property
    def cleared(self) -> NDArray[np.uint64]: ...
    @property
    def dead(self) -> int: ...
    @staticmethod
    def from_json(text: str) -> PlaytestReport: ...
    @property
    def games(self) -> int: ...
    @property
    def lacked(self) -> Mapping[str, int]: ...
    @property
    def left_at_win(self) -> Mapping[int, int]: ...
    @property
    def limited(self) -> int: ...
    @property
    def longest_cascade(self) -> int: ...
    @property
    def lost_at(self) -> NDArray[np.uint64]: ...
    @property
    def moves(self) -> int: ...
    @property
    def moves_needed(self) -> Mapping[int, int]: ...
    @property
    def moves_of_best(self) -> int | None: ...
    @property
    def near_misses(self) -> int: ...
    @property
    def pass_rate(self) -> tuple[float, float, float]: ...
    def score_at(self, share: float) -> int | None: ...
    @property
    def scores(self) -> Mapping[int, int]: ...
    @property
    def shuffles(self) -> int: ...
    def to_json(self) -> str: ...
    @property
    def won(self) -> int: ...

@final
class State:
    def __bytes__(self) -> bytes: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def board(self) -> NDArray[np.uint8]: ...
    def playouts(self, games: int, *, seed: int = 0, num_threads: int = 1) -> _Playouts: ...
    @property
    def steps(self) -> int: ...

@final
class TetrisBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        actions: Literal["placements", "drops"] = "placements",
        reward: Literal["lines", "attack", "score"] = "lines",
        hold: bool = True,
        next: int = 5,
        rows: int = 20,
        garbage: Sequence[int] | NDArray[np.integer] | None = None,
        second_spawn_row: bool = True,
        rotation: Literal["srs", "srs-plus", "srs-x"] = "srs",
        spins: Literal["none", "t-spins", "all-mini"] = "t-spins",
        planes: bool = False,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def afterstates(self, *, boards: bool = True, features: bool = True) -> tetris.Afterstates: ...
    def bot_arguments(self, game: int) -> _BotArguments: ...
    def lock_result(self, game: int) -> _LockResult | None: ...

@final
class TetrisKeysBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        frames: int = 1,
        reward: Literal["lines", "attack", "score"] = "score",
        gravity: int | None = None,
        level: int = 1,
        lines_per_level: int = 10,
        lock_delay: int = 30,
        lock_resets: int = 15,
        goal: int | None = None,
        hold: bool = True,
        next: int = 5,
        second_spawn_row: bool = True,
        rotation: Literal["srs", "srs-plus", "srs-x"] = "srs",
        spins: Literal["none", "t-spins", "all-mini"] = "t-spins",
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
        channels: Literal["first", "last"] = "first",
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] = "SameStep",
        on_illegal: Literal["raise", "noop", "terminate"] = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def lines(self) -> NDArray[np.uint64]: ...
    def scores(self) -> NDArray[np.uint64]: ...

@final
class _TetrisVersus:
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __new__(
        cls,
        *,
        seed: int,
        actions: Literal["placements", "drops"] = "drops",
        same_pieces: bool = True,
        hold: bool = True,
        next: int = 5,
        rows: int = 20,
    ) -> Self: ...
    def action_mask(self, player: int) -> bytes: ...
    def obs(self, player: int) -> bytes: ...
    @property
    def over(self) -> list[bool]: ...
    def reset(self, seed: int | None = None) -> None: ...
    def restore(self, text: str) -> None: ...
    def save(self) -> str: ...
    def step(self, actions: Sequence[int]) -> list[list[int]]: ...

__version__: str
def contest_solve(
    *,
    seed: int | None = None,
    pieces: int = 10000,
    width: int = 100,
    num_threads: int = 1,
) -> _ContestSolve: ...
def contest_verify(record: str, *, seed: int | None = None) -> _ContestVerify: ...
def go_best_move(
    board: _Board,
    *,
    to_move: Literal["black", "white"] = "black",
    komi: float = 7.5,
    playouts: int = 10000,
    num_threads: int = 1,
    seed: int = 1,
) -> _GoBestMove: ...
def go_ownership(board: _Board, *, games: int = 1000, seed: int = 1) -> NDArray[np.float32]: ...
def go_playouts(
    games: int,
    *,
    size: Literal[5, 9, 13, 19] = 9,
    suicide: Literal["forbidden", "multi", "all"] = "forbidden",
    seed: int = 1,
    num_threads: int = 1,
) -> _GoPlayouts: ...
def level() -> str: ...
def levels() -> list[str]: ...
def match3_evaluate(
    games: int,
    *,
    agent: Literal["random", "greedy", "rollout"] = "greedy",
    budget: int = 100,
    width: int = 8,
    height: int = 8,
    colors: int = 6,
    moves: int = 30,
    seed: int = 1,
    first: int = 0,
    num_threads: int = 1,
) -> list[int]: ...
def match3_hints(board: _Board) -> list[tuple[int, int, Literal["H", "V"], int]]: ...
def match3_playtest(
    level: Level | str,
    agent: str | Callable[[LevelGame], tuple[int, int, str]],
    *,
    games: int = 1000,
    seed: int = 1,
    first: int = 0,
    num_threads: int = 1,
) -> PlaytestReport: ...
def match3_swaps(board: _Board) -> list[tuple[int, int, Literal["H", "V"]]]: ...
def playouts_2048(
    games: int,
    *,
    width: int = 4,
    height: int = 4,
    seed: int = 0,
    num_threads: int = 1,
) -> _Playouts2048: ...
def set_level(name: str) -> None: ...
def solve_2048(width: int, height: int) -> _Solve2048: ...
def tetris_bot(
    board: _Board,
    queue: str,
    *,
    hold: str | None = None,
    combo: int = 0,
    back_to_back: bool = False,
    nodes: int = 20000,
    second_spawn_row: bool = True,
    rotation: Literal["srs", "srs-plus", "srs-x"] = "srs",
    spins: Literal["none", "t-spins", "all-mini"] = "t-spins",
) -> list[_TetrisBot]: ...
def tetris_control(
    pieces: int,
    *,
    weights: Literal["dt20", "dellacherie"] = "dt20",
    seed: int = 1,
    num_threads: int = 1,
) -> _TetrisControl: ...
def tetris_placements(
    board: _Board,
    piece: str,
    *,
    spins: Literal["none", "t-spins", "all-mini"] = "t-spins",
    second_spawn_row: bool = True,
    rotation: Literal["srs", "srs-plus", "srs-x"] = "srs",
) -> list[_TetrisPlacements]: ...

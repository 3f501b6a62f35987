"""Type stubs for the native module of bitcade."""

from collections.abc import Sequence
from typing import Literal, Self, TypedDict, final

import numpy as np
from _typeshed import ReadableBuffer, StrPath
from numpy.typing import ArrayLike, NDArray

from . import g2048, tetris
from ._options import GoalsRules, GoSize

__all__ = [
    "Batch2048",
    "GoBatch",
    "Learner2048",
    "Match3Batch",
    "Match3GoalsBatch",
    "Network2048",
    "State",
    "TetrisBatch",
    "TetrisKeysBatch",
    "_OutputFile",
    "_SOURCES",
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
    "match3_swaps",
    "playouts_2048",
    "set_level",
    "solve_2048",
    "tetris_bot",
    "tetris_control",
    "tetris_placements",
]

_Board8 = NDArray[np.uint8]
_Obs = NDArray[np.uint8 | np.float32]
_Mask = NDArray[np.bool_]
_Step = tuple[_Obs, NDArray[np.float32], _Mask, _Mask, _Mask]
_Seed = int | Sequence[int]
_AutoresetMode = Literal["SameStep", "NextStep", "Disabled"]
_OnIllegal = Literal["raise", "noop", "terminate"]
_Pair = Sequence[int] | NDArray[np.integer]
_Indices = Sequence[int] | NDArray[np.integer]
_Board = Sequence[Sequence[int]] | NDArray[np.integer | np.bool_]
_Color = Literal["black", "white"]
_Dtype = Literal["uint8", "float32"]
_Channels = Literal["first", "last"]
_Suicide = Literal["forbidden", "multi", "all"]

class _Games:
    @property
    def num_envs(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def obs_shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> _Dtype: ...
    @property
    def autoreset_mode(self) -> _AutoresetMode: ...
    @property
    def obs(self) -> _Obs: ...
    @property
    def action_mask(self) -> _Mask: ...
    @property
    def seed(self) -> int | list[int]: ...
    @property
    def steps(self) -> NDArray[np.uint32]: ...
    def reset(self, seed: _Seed | None = None) -> tuple[_Obs, _Mask]: ...
    def reset_some(self, which: _Mask | Sequence[bool]) -> tuple[_Obs, _Mask]: ...
    def sample(self) -> NDArray[np.int32]: ...
    def legal_actions(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def step(self, actions: ArrayLike, out: _Step | None = None) -> _Step: ...
    def random_step(self, out: _Step | None = None) -> _Step: ...
    def final_obs(self, games: _Indices) -> _Obs: ...
    def get_state(self, game: int) -> State: ...
    def get_states(self, games: _Indices) -> list[State]: ...
    def set_state(self, game: int, state: State) -> None: ...
    def set_states(self, games: _Indices, states: Sequence[State]) -> None: ...
    def copy_games(
        self, source: _Indices, target: _Indices
    ) -> None: ...
    @classmethod
    def state_from_bytes(cls, bytes: ReadableBuffer) -> State: ...
    def board(self, game: int) -> _Board8: ...
    def render(self, game: int) -> str: ...
    def __len__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class State:
    @property
    def board(self) -> _Board8: ...
    @property
    def steps(self) -> int: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class Batch2048(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: _Seed | None = None,
        width: int = 4,
        height: int = 4,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        one_hot: bool = False,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def afterstates(self) -> g2048.Afterstates: ...

@final
class Match3Batch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: _Seed | None = None,
        width: int = 8,
        height: int = 8,
        colors: int = 6,
        moves: int = 30,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        one_hot: bool = False,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def hints(self) -> NDArray[np.float32]: ...

@final
class Match3GoalsBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        rules: GoalsRules | None = None,
        *,
        seed: _Seed | None = None,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def scores(self) -> NDArray[np.uint64]: ...
    def won(self) -> NDArray[np.bool_]: ...
    def goals_left(self) -> NDArray[np.uint32]: ...
    def hints(self) -> NDArray[np.float32]: ...

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

@final
class TetrisBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: _Seed | None = None,
        actions: Literal["placements", "drops"] = "placements",
        reward: Literal["lines", "attack", "score"] = "lines",
        hold: bool = True,
        next: int = 5,
        rows: int = 20,
        garbage: _Pair | None = None,
        second_spawn_row: bool = True,
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        planes: bool = False,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def afterstates(self, *, boards: bool = True, features: bool = True) -> tetris.Afterstates: ...
    def lock_result(self, game: int) -> _LockResult | None: ...

@final
class TetrisKeysBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: _Seed | None = None,
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
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def scores(self) -> NDArray[np.uint64]: ...
    def lines(self) -> NDArray[np.uint64]: ...

@final
class GoBatch(_Games):
    def __new__(
        cls,
        num_envs: int,
        *,
        seed: _Seed | None = None,
        size: GoSize = 9,
        komi: float = 7.5,
        ko: Literal["simple", "positional", "situational"] = "positional",
        suicide: _Suicide = "forbidden",
        max_episode_steps: int | None = None,
        starts: ArrayLike | None = None,
        start_color: _Color = "black",
        history: int = 0,
        dtype: _Dtype = "uint8",
        channels: _Channels = "first",
        autoreset_mode: _AutoresetMode = "SameStep",
        on_illegal: _OnIllegal = "raise",
        num_threads: int = 1,
    ) -> Self: ...
    def to_move(self) -> NDArray[np.uint8]: ...
    def scores(self) -> NDArray[np.float32]: ...
    def passes(self) -> NDArray[np.uint8]: ...

def level() -> str: ...
def levels() -> list[str]: ...
def set_level(name: str) -> None: ...
def match3_swaps(board: _Board) -> list[tuple[int, int, Literal["H", "V"]]]: ...
def match3_hints(board: _Board) -> list[tuple[int, int, Literal["H", "V"], int]]: ...
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

class _Playouts2048(TypedDict):
    games: int
    mean_score: float
    stderr_score: float
    mean_moves: float
    largest: dict[int, int]

class _Solution2048(TypedDict):
    states: int
    canonical: int
    expected_score: float
    random_score: float

def playouts_2048(
    games: int, *, width: int = 4, height: int = 4, seed: int = 0, num_threads: int = 1
) -> _Playouts2048: ...
def solve_2048(width: int, height: int) -> _Solution2048: ...

@final
class Network2048:
    @staticmethod
    def load(bytes: ReadableBuffer) -> Network2048: ...
    def save(self) -> bytes: ...
    def actions(self, boards: ArrayLike, depth: int = 1) -> list[int]: ...
    def evaluate(
        self, games: int, *, depth: int = 1, seed: int = 1, first: int = 0, num_threads: int = 1
    ) -> list[tuple[int, int]]: ...
    def self_play(self, games: int, *, seed: int = 1) -> bytes: ...

@final
class Learner2048:
    def __new__(
        cls, *, seed: int = 1, learning_rate: float = 1.0, coherence: bool = True, num_threads: int = 1
    ) -> Self: ...
    @staticmethod
    def load(bytes: ReadableBuffer, *, num_threads: int = 1) -> Learner2048: ...
    def save(self) -> bytes: ...
    def learn(self, games: int) -> None: ...
    def replay(self, games: ReadableBuffer) -> None: ...
    @property
    def games(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def curve(self) -> list[tuple[float, float]]: ...
    def network(self) -> Network2048: ...

_SOURCES: str
__version__: str

@final
class _OutputFile:
    def __new__(cls, path: StrPath) -> Self: ...
    def write(self, content: bytes) -> None: ...
    def close(self) -> None: ...

@final
class _TetrisVersus:
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
    def reset(self, seed: int | None = None) -> None: ...
    def step(self, actions: Sequence[int]) -> list[list[int]]: ...
    def obs(self, player: int) -> bytes: ...
    def action_mask(self, player: int) -> bytes: ...
    @property
    def over(self) -> list[bool]: ...
    def save(self) -> str: ...
    def restore(self, text: str) -> None: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

class _Placement(TypedDict):
    orientation: str
    x: int
    y: int
    spin: str
    lines: int
    keys: list[str]

class _BotMove(TypedDict):
    hold: bool
    piece: str
    orientation: str
    x: int
    y: int
    spin: str

class _Controlled(TypedDict):
    games: int
    lines: int
    unfinished_games: int
    unfinished_lines: int
    pieces: int

def tetris_placements(
    board: _Board, piece: str, *, spins: bool = True, second_spawn_row: bool = True
) -> list[_Placement]: ...
def tetris_bot(
    board: _Board,
    queue: str,
    *,
    hold: str | None = None,
    combo: int = 0,
    back_to_back: bool = False,
    nodes: int = 20_000,
    second_spawn_row: bool = True,
) -> list[_BotMove]: ...
def tetris_control(
    pieces: int, *, weights: Literal["dt20", "dellacherie"] = "dt20", seed: int = 1, num_threads: int = 1
) -> _Controlled: ...

class _PlayoutsGo(TypedDict):
    games: int
    mean_stones: float
    mean_plies: float
    mean_score: float
    stderr_score: float
    black_wins_k7_5: int

class _BestMove(TypedDict):
    action: int | None
    win_rate: float | None
    to_move: _Color
    candidates: list[tuple[int, int, float]]

def go_playouts(
    games: int, *, size: Literal[5, 9, 13, 19] = 9, suicide: _Suicide = "forbidden", seed: int = 1, num_threads: int = 1
) -> _PlayoutsGo: ...
def go_ownership(board: _Board, *, games: int = 1000, seed: int = 1) -> NDArray[np.float32]: ...
def go_best_move(
    board: _Board,
    *,
    to_move: _Color = "black",
    komi: float = 7.5,
    playouts: int = 10_000,
    num_threads: int = 1,
    seed: int = 1,
) -> _BestMove: ...

class _Contest(TypedDict):
    score: int
    bound: int
    lines: int
    pieces: int

class _ContestSolved(_Contest):
    record: str

def contest_solve(
    *, seed: int | None = None, pieces: int = 10_000, width: int = 100, num_threads: int = 1
) -> _ContestSolved: ...
def contest_verify(record: str, *, seed: int | None = None) -> _Contest: ...

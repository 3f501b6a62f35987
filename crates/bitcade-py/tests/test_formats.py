"""The formats of observations against constructions in NumPy from the standard observations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import bitcade
import numpy as np
import pytest
from conftest import MODES, arrays, copies, refused, run_python
from gymnasium.utils.env_checker import check_env

BATCHES: dict[str, Any] = {
    "2048": bitcade.g2048.Batch,
    "match3": bitcade.match3.Batch,
    "go": bitcade.go.Batch,
    "tetris": bitcade.tetris.Batch,
}

#: Games, the options of the format, and those of both batches.
FORMATS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    *(
        ("2048", format, {"width": width, "height": height, "max_episode_steps": 40})
        for format in ({}, {"one_hot": True})
        for width, height in ((4, 4), (3, 3), (2, 2), (5, 3), (8, 7))
    ),
    *(
        ("match3", format, {"width": width, "height": height, "colors": colors, "moves": 9})
        for format in ({}, {"one_hot": True})
        for width, height, colors in ((8, 8, 6), (5, 4, 3), (16, 16, 15), (4, 3, 3))
    ),
    *(
        ("go", {"history": history}, {"size": size, "ko": ko, "max_episode_steps": 40})
        for history, size, ko in (
            (0, 5, "positional"),
            (1, 5, "positional"),
            (8, 5, "simple"),
            (3, 7, "situational"),
            (8, 9, "positional"),
            (8, 13, "simple"),
            (8, 19, "positional"),
        )
    ),
    *(
        ("tetris", {**format, "rows": rows}, {**options, "max_episode_steps": 60})
        for format in ({}, {"planes": True})
        for rows, options in (
            (20, {}),
            (40, {"garbage": (2, 3), "second_spawn_row": False}),
            (2, {"next": 0, "hold": False, "actions": "drops", "garbage": (3, 4)}),
            (21, {"next": 12, "reward": "attack"}),
        )
    ),
]
IDS = ["-".join(map(str, (name, *format.values(), *options.values()))) for name, format, options in FORMATS]

#: Each piece's cells at its spawn, as column and row above the lower of two rows, in the order I, O, T, S, Z, J, L.
SHAPES = (
    ((3, 0), (4, 0), (5, 0), (6, 0)),
    ((4, 1), (5, 1), (4, 0), (5, 0)),
    ((4, 1), (3, 0), (4, 0), (5, 0)),
    ((4, 1), (5, 1), (3, 0), (4, 0)),
    ((3, 1), (4, 1), (4, 0), (5, 0)),
    ((3, 1), (3, 0), (4, 0), (5, 0)),
    ((5, 1), (3, 0), (4, 0), (5, 0)),
)


def make(name: str, num_envs: int, **options: Any) -> Any:
    return BATCHES[name](num_envs, **options)


def standard(name: str, num_envs: int, **options: Any) -> Any:
    """Create a batch of the standard format, for Tetris with all rows."""
    return make(name, num_envs, **{**options, **({"rows": 40} if name == "tetris" else {})})


class Expected:
    """Constructs observations of a format from standard ones, one step after the other."""

    def __init__(self, name: str, format: dict[str, Any], options: dict[str, Any]) -> None:
        self.name, self.format, self.options = name, format, options
        #: The positions of each game of Go, newest first.
        self.boards: dict[int, list[np.ndarray]] = {}

    def observation(self, game: int, obs: np.ndarray, is_new: bool, is_final: bool = False) -> np.ndarray:
        """Return an observation with planes first, uint8. A final one is followed by that of the next game."""
        one_hot = self.format.get("one_hot")
        if self.name == "2048" and one_hot:
            return (np.minimum(obs, 17) == np.arange(18)[:, None, None]).astype(np.uint8)
        if self.name == "match3" and one_hot:
            colors = np.arange(1, self.options["colors"] + 1)[:, None, None]
            return np.concatenate([obs[0] == colors, obs[1:]]).astype(np.uint8)
        if self.name == "go" and self.format["history"]:
            return self._history(game, obs, is_new)
        if self.name == "tetris":
            return self._tetris(obs)
        return obs

    def _history(self, game: int, obs: np.ndarray, is_new: bool) -> np.ndarray:
        black = obs[5].any()
        colors = (obs[:2] if black else obs[1::-1]).copy()
        earlier = [] if is_new else self.boards[game]
        self.boards[game] = boards = [colors, *earlier][:8]
        boards = [*boards, *[np.zeros_like(colors)] * 8][: self.format["history"]]
        own, opponent = (0, 1) if black else (1, 0)
        return np.stack([*(board[own] for board in boards), *(board[opponent] for board in boards), obs[5]])

    def _tetris(self, obs: np.ndarray) -> np.ndarray:
        rows, next_pieces = self.format["rows"], self.options.get("next", 5)
        board, rest = obs[:400].reshape(40, 10), obs[400:]
        pieces, counts = rest[: 2 + next_pieces].tolist(), rest[2 + next_pieces :]
        assert len(counts) == 2 + ("garbage" in self.options)
        if not self.format.get("planes"):
            return np.concatenate([board[40 - rows :].ravel(), rest])
        drawn = [board[40 - rows :]]
        for number, piece in enumerate(pieces):
            plane = np.zeros((rows, 10), np.uint8)
            for x, y in SHAPES[piece - 1] if piece else ():
                plane[1 - y, x] = 1
            drawn.append(plane)
            if number == 0:
                drawn.append(self._ghost(board, SHAPES[piece - 1])[40 - rows :])
        drawn += [np.full((rows, 10), count, np.uint8) for count in counts]
        return np.stack(drawn)

    def _ghost(self, board: np.ndarray, shape: Any) -> np.ndarray:
        ghost = np.zeros((40, 10), np.uint8)

        def fits(bottom: int) -> bool:
            return all(y + bottom >= 0 and not board[39 - y - bottom, x] for x, y in shape)

        spawns = [19, 20] if self.options.get("second_spawn_row", True) else [19]
        bottom = next((bottom for bottom in spawns if fits(bottom)), None)
        if bottom is None:
            return ghost
        while fits(bottom - 1):
            bottom -= 1
        for x, y in shape:
            ghost[39 - y - bottom, x] = 1
        return ghost


def in_format(obs: np.ndarray, dtype: str, channels: str) -> np.ndarray:
    """Convert an observation from uint8 with planes first."""
    return (np.moveaxis(obs, 0, -1) if channels == "last" else obs).astype(dtype)


def layouts(planes: bool) -> Iterator[tuple[str, str]]:
    """Return every type and order of channels."""
    return itertools.product(("uint8", "float32"), ("first", "last") if planes else ("first",))


def has_planes(name: str, format: dict[str, Any]) -> bool:
    return name in ("match3", "go") or bool(format.get("one_hot") or format.get("planes"))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "format", "options"), FORMATS, ids=IDS)
def test_formats_equal_the_standard_observations(name, format, options, mode):
    n = 35 if max(options.get("size", 0), options.get("width", 0)) < 13 else 5
    options = {**options, "autoreset_mode": mode}
    plain = standard(name, n, seed=4, **options)
    kinds = list(layouts(has_planes(name, format)))
    batches = [
        make(name, n, seed=4, **{**options, **format}, dtype=dtype, channels=channels, num_threads=1 + i % 2)
        for i, (dtype, channels) in enumerate(kinds)
    ]
    expected = Expected(name, format, options)

    def compare(obs: list[np.ndarray], games: Any, wanted: list[np.ndarray]) -> None:
        for found, (dtype, channels) in zip(obs, kinds, strict=True):
            assert found.dtype == dtype
            assert (found[games] == np.stack([in_format(one, dtype, channels) for one in wanted])).all()

    fresh = np.ones(n, bool)
    ends = 0
    for step in range(90 if n > 5 else 50):
        wanted = [expected.observation(i, plain.obs[i], bool(fresh[i])) for i in range(n)]
        compare([batch.obs for batch in batches], slice(None), wanted)
        for batch, (dtype, _) in zip(batches, kinds, strict=True):
            assert batch.dtype == dtype and batch.obs.shape == (n, *batch.obs_shape)
            assert (batch.action_mask == plain.action_mask).all()
        actions = plain.sample().copy()
        _, _, terminated, truncated, _ = plain.step(actions)
        for i, batch in enumerate(batches):
            batch.sample()
            out = arrays(batch) if (step + i) % 3 == 0 else None
            batch.step(actions, out)
        ended = terminated | truncated
        ends += int(ended.sum())
        if mode == "SameStep":
            games = np.flatnonzero(ended).tolist()
            if games:
                finals = plain.final_obs(games)
                wanted = [
                    expected.observation(game, obs, False) for game, obs in zip(games, finals, strict=True)
                ]
                compare([batch.final_obs(games) for batch in batches], slice(None), wanted)
            fresh = ended.copy()
        elif mode == "NextStep":
            fresh, waiting = (waiting if step else np.zeros(n, bool)), ended.copy()
        else:
            if ended.any():
                wanted = [expected.observation(i, plain.obs[i], False) for i in np.flatnonzero(ended)]
                compare([batch.obs for batch in batches], ended, wanted)
                for batch in (plain, *batches):
                    batch.reset_some(ended.copy())
            fresh = ended.copy()
    assert ends > 0


@pytest.mark.parametrize(("name", "format", "options"), FORMATS, ids=IDS)
def test_states_move_between_formats(name, format, options):
    for dtype, channels in layouts(has_planes(name, format)):
        more = {**format, "dtype": dtype, "channels": channels}
        one = make(name, 6, seed=1, **{**options, **more})
        # The rows are part of the rules.
        plain = make(name, 6, seed=2, **options, **{key: value for key, value in format.items() if key == "rows"})
        for _ in range(11):
            one.random_step()
            plain.random_step()
        # A state shows the same game in any batch, even if it came from one of another format and as bytes.
        other = make(name, 6, seed=3, **{**options, **more})
        states = [type(one).state_from_bytes(bytes(state)) for state in one.get_states(range(6))]
        plain.set_states(range(6), states)
        assert plain.get_states(range(6)) == one.get_states(range(6))
        other.obs  # noqa: B018  (not stale: only some rows are written)
        other.set_states([3, 1, 4], plain.get_states([0, 1, 2]))
        assert (other.obs[[3, 1, 4]] == one.obs[:3]).all() and (other.action_mask[3] == one.action_mask[0]).all()
        other.copy_games([3], [5])
        assert (other.obs[5] == one.obs[0]).all()
        for _ in range(9):
            one.random_step()
            plain.random_step()
        other.set_states(range(6), plain.get_states(range(6)))
        assert (other.obs == one.obs).all()
        for copied in copies(one):
            assert copied.obs.dtype == dtype and copied.obs_shape == one.obs_shape
            assert (copied.obs == one.obs).all()
            later = [batch.random_step()[0].copy() for batch in (copied, make_again(one))]
            assert (later[0] == later[1]).all()


def make_again(batch: Any) -> Any:
    return copies(batch)[0]


@pytest.mark.parametrize(("name", "format", "options"), FORMATS[::3], ids=IDS[::3])
def test_threads_do_not_change_formats(name, format, options):
    for dtype, channels in layouts(has_planes(name, format)):
        more = {**options, **format, "dtype": dtype, "channels": channels}
        batches = [make(name, 100, seed=1, num_threads=threads, **more) for threads in (1, 2, 7)]
        for _ in range(20):
            obs = [batch.random_step()[0].tobytes() for batch in batches]
            assert obs[0] == obs[1] == obs[2]


@pytest.mark.parametrize(("name", "format", "options"), FORMATS, ids=IDS)
def test_spaces_contain_the_formats(name, format, options):
    from bitcade.vector import BitcadeEnv, BitcadeVectorEnv

    for dtype, channels in layouts(has_planes(name, format)):
        more = {**options, **format, "dtype": dtype, "channels": channels}
        envs = BitcadeVectorEnv(name, 4, autoreset_mode="SameStep", render_mode="ansi", seed=3, **more)
        plain = BitcadeVectorEnv(name, 4, autoreset_mode="SameStep", render_mode="ansi", seed=3, **{**options, **{
            key: value for key, value in format.items() if key == "rows"}})
        obs, _ = envs.reset()
        assert envs.single_observation_space.dtype == dtype
        for _ in range(30):
            assert obs in envs.observation_space
            actions = envs.sample()
            plain.sample()
            obs, reward, terminated, truncated, info = envs.step(actions)
            plain.step(actions)
            for array in (obs, reward, terminated, truncated, info["action_mask"], envs.batch.obs):
                assert array.__array_interface__["data"][0] % 64 == 0
            for final in info.get("final_obs", ()):
                assert final is None or final in envs.single_observation_space
            if name != "go" or not format["history"]:
                assert envs.render() == plain.render()
        if dtype == "float32" or channels == "last":
            check_env(BitcadeEnv(name, **more), skip_render_check=True)


@pytest.mark.parametrize("name", BATCHES)
def test_arrays_of_another_type_are_refused(name):
    for dtype in ("uint8", "float32"):
        batch = make(name, 3, seed=1, dtype=dtype)
        for wrong in ("uint8", "float32", "float64", "int8"):
            obs, *others = arrays(batch)
            before = batch.obs.copy()
            if wrong != dtype:
                message = refused(batch.random_step, (obs.astype(wrong), *others))
                assert message == f"TypeError: out: obs: expected dtype {dtype}, found {wrong}"
                assert (batch.obs == before).all() and not batch.steps.any()
    assert refused(make, name, 1, dtype="float64") == (
        'ValueError: dtype="float64": expected uint8 or float32'
    )
    assert refused(make, name, 1, channels="middle") == (
        'ValueError: channels="middle": expected first or last'
    )


def test_formats_without_planes_have_no_channels():
    for name in ("2048", "tetris"):
        message = 'ValueError: channels="last": the observations have no planes'
        assert refused(make, name, 1, channels="last") == message
    assert "rows" in refused(make, "tetris", 1, planes=True, rows=1)


def test_go_starts_have_no_earlier_positions():
    starts = np.zeros((1, 5, 5), np.int64)
    starts[0, 2, 2], starts[0, 1, 1] = 1, 2
    games = bitcade.go.Batch(1, size=5, starts=starts, start_color="white", history=8, seed=1)
    assert games.obs[0, 0, 1, 1] == games.obs[0, 8, 2, 2] == 1 and games.obs.sum() == 2
    pass_ = 25
    games.step([pass_])
    obs = games.obs[0]
    # Black is to move now; a pass repeats the position.
    assert obs[16].all() and (obs[0] == obs[1]).all() and (obs[8] == obs[9]).all()
    assert obs[:16].sum() == 4


def test_after_a_fork_threads_start_again():
    code = """
import os, bitcade
games = bitcade.g2048.Batch(70000, num_threads=2, seed=1, one_hot=True)
other = bitcade.g2048.Batch(70000, seed=1, one_hot=True)
for _ in range(30):
    games.random_step()
    other.random_step()
child = os.fork()
for _ in range(30):
    same = (games.random_step()[0] == other.random_step()[0]).all()
if child == 0:
    os._exit(0 if same else 1)
assert os.waitpid(child, 0)[1] == 0 and same
print("same")
"""
    if hasattr(__import__("os"), "fork"):
        done = run_python(f"import warnings; warnings.simplefilter('ignore')\n{code}")
        assert done.stdout == "same\n", done.stderr

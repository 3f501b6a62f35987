"""The environments of Gymnasium."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium isn't installed")

import bitcade  # noqa: E402
from bitcade._register import ENVS  # noqa: E402
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv  # noqa: E402
from conftest import GAMES, run_python  # noqa: E402
from gymnasium.error import ClosedEnvironmentError  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

IDS = [f"bitcade/{name}-v0" for name in ENVS]


def options_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return game and options of a small environment."""
    return name.split()[0], dict(GAMES[name][1])


def vector_env(name: str, num_envs: int = 6, **options: Any) -> BitcadeVectorEnv:
    """Create a small vector environment."""
    game, small = options_of(name)
    return BitcadeVectorEnv(game, num_envs, **{**small, **options})


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("dict_observation", [False, True])
def test_single_environments_pass_the_check(env_id: str, dict_observation: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id, dict_observation=dict_observation)
        check_env(env.unwrapped)
        # The passive checks of every step.
        env.reset(seed=3)
        for _ in range(60):
            _, _, terminated, truncated, _ = env.step(env.unwrapped.sample())
            if terminated or truncated:
                env.reset()
        env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_registered_vector_environments(env_id: str) -> None:
    envs = gymnasium.make_vec(env_id, num_envs=3)
    assert isinstance(envs, BitcadeVectorEnv)
    assert envs.spec is not None and envs.spec.id == env_id
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.num_envs == 3 and not envs.closed
    obs, info = envs.reset(seed=1)
    assert obs in envs.observation_space and info["action_mask"].shape == (3, envs.single_action_space.n)
    assert isinstance(envs.single_action_space, gymnasium.spaces.Discrete)
    assert isinstance(envs.single_observation_space, gymnasium.spaces.Box)
    assert isinstance(envs.action_space, gymnasium.spaces.MultiDiscrete)
    one = gymnasium.make(env_id)
    assert one.observation_space == envs.single_observation_space
    assert one.action_space == envs.single_action_space
    sync = gymnasium.make_vec(env_id, num_envs=3, vectorization_mode="sync")
    assert sync.observation_space == envs.observation_space and sync.action_space == envs.action_space


def test_registering_again_changes_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bitcade.register_envs()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("dict_observation", [False, True])
def test_as_gymnasiums_own_vector_environment(game: str, mode: AutoresetMode, dict_observation: bool) -> None:
    """All results equal those of `SyncVectorEnv` over single environments, infos included."""
    name, small = options_of(game)
    n, seed = 4, 20
    ours = vector_env(game, n, autoreset_mode=mode, dict_observation=dict_observation)
    singles = [lambda: BitcadeEnv(name, dict_observation=dict_observation, **small) for _ in range(n)]
    sync = SyncVectorEnv(singles, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == sync.observation_space
    assert data_equivalence(ours.reset(seed=[seed + i for i in range(n)]), sync.reset(seed=seed), exact=True)
    ends = 0
    for _ in range(130):
        actions = np.where(ours.action_masks().any(axis=1), ours.sample(), 0)
        # Each single environment draws the same action from its own stream.
        for env, legal in zip(sync.envs, ours.action_masks().any(axis=1), strict=True):
            if legal:
                env.unwrapped.sample()
        found, expected = ours.step(actions), sync.step(actions)
        assert found[1].dtype == np.float32
        assert (found[1] == expected[1]).all()
        ended = found[2] | found[3]
        ends += int(ended.sum())
        assert data_equivalence((found[0], *found[2:]), (expected[0], *expected[2:]), exact=True)
        assert ("final_obs" in found[4]) == (mode is AutoresetMode.SAME_STEP and bool(ended.any()))
        if mode is AutoresetMode.DISABLED and ended.any():
            reset = ours.reset(options={"reset_mask": ended.copy()})
            again = sync.reset(options={"reset_mask": ended.copy()})
            assert data_equivalence(reset[0], again[0], exact=True)
            assert (reset[1]["action_mask"][ended] == again[1]["action_mask"][ended]).all()
    assert ends > 0


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("copy", [True, False])
def test_as_the_raw_class(game: str, mode: AutoresetMode, copy: bool) -> None:
    cls, small = GAMES[game]
    names = {"NextStep": "next_step", "SameStep": "same_step", "Disabled": "disabled"}
    raw = cls(6, seed=7, autoreset=names[mode.value], **small)
    envs = vector_env(game, 6, autoreset_mode=mode, copy=copy)
    obs, info = envs.reset(seed=7)
    assert (obs == raw.obs).all() and (info["action_mask"] == raw.mask).all()
    for _ in range(100):
        assert (envs.sample() == raw.sample()).all()
        actions = raw.sample().copy()
        envs.sample()
        found, expected = envs.step(actions), raw.step(actions)
        for mine, theirs in zip((*found[:4], found[4]["action_mask"]), expected, strict=True):
            assert mine.dtype == theirs.dtype and mine.tobytes() == theirs.tobytes()
        assert (envs.action_masks() == raw.mask).all()
        ended = found[2] | found[3]
        if mode is AutoresetMode.SAME_STEP and ended.any():
            games = np.flatnonzero(ended).tolist()
            final = raw.final_obs(games)
            assert all((found[4]["final_obs"][i] == obs).all() for i, obs in zip(games, final, strict=True))
            assert found[4]["final_obs"][~ended].tolist() == [None] * int((~ended).sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            mine, info = envs.reset(options={"reset_mask": ended.copy()})
            theirs, mask = raw.reset_some(ended.copy())
            assert (mine == theirs).all() and (info["action_mask"] == mask).all()


def test_spaces_hold_all_observations(game: str) -> None:
    for more in ({}, {"dict_observation": True}, {"one_hot": True}):
        if "one_hot" in more and game not in ("2048", "match3"):
            continue
        envs = vector_env(game, 5, autoreset_mode="SameStep", **more)
        obs, _ = envs.reset(seed=2)
        for _ in range(150):
            assert envs.observation_space.contains(obs)
            actions = envs.sample()
            assert envs.action_space.contains(actions)
            obs, _, _, _, info = envs.step(actions)
            for final in info.get("final_obs", []):
                assert final is None or envs.single_observation_space.contains(final)


def test_a_start_with_large_tiles_is_in_the_space() -> None:
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0] = 40
    envs = BitcadeVectorEnv("2048", 2, starts=start)
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_action_spaces_sample_by_mask(game: str) -> None:
    envs = vector_env(game, 7)
    _, info = envs.reset(seed=1)
    mask = info["action_mask"]
    envs.action_space.seed(5)
    drawn = [envs.action_space.sample(mask) for _ in range(50)]
    assert all(mask[np.arange(7), actions].all() for actions in drawn)
    assert all(actions in envs.action_space for actions in drawn)
    envs.action_space.seed(5)
    assert (envs.action_space.sample(mask.astype(np.int8)) == drawn[0]).all()
    # All legal actions of a game are drawn.
    few = np.zeros_like(mask)
    few[:, [0, 2, mask.shape[1] - 1]] = True
    few[3] = False
    found = np.stack([envs.action_space.sample(few) for _ in range(200)])
    assert set(found[:, 0].tolist()) == {0, 2, mask.shape[1] - 1}
    assert (found[:, 3] == 0).all()
    # Gymnasium's own form, and no mask at all.
    assert envs.action_space.sample(tuple(mask.astype(np.int8))) in envs.action_space
    assert envs.action_space.sample() in envs.action_space
    with pytest.raises(ValueError, match="mask: expected shape"):
        envs.action_space.sample(mask[:3])
    single = envs.single_action_space
    assert all(mask[0, single.sample(mask[0])] for _ in range(30))
    assert single.sample(mask[0].astype(np.int8)) in single


def test_seeds(game: str) -> None:
    envs = vector_env(game, 3)
    first, _ = envs.reset(seed=5)
    second, _ = envs.reset()
    again, _ = envs.reset(seed=5)
    assert (first == again).all()
    # Every game of Go begins with the empty board.
    assert (first == second).all() == (game == "go")
    assert (envs.reset()[0] == second).all(), "the same games follow the same seed"
    listed, _ = envs.reset(seed=[9, 5, 9])
    assert (listed[0] == listed[2]).all()
    assert (listed[:1] == vector_env(game, 1).reset(seed=[9])[0]).all()
    assert (envs.reset(seed=np.array([9, 5, 9]))[0] == listed).all()
    envs.reset(seed=[1, None, 2])
    assert envs.reset(seed=np.int64(5))[0].tobytes() == first.tobytes()
    for wrong in ([1], [1, 2, 3, 4], -1, 1.5, "1", [1, 2, "3"], -(2**64)):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            envs.reset(seed=wrong)
    # The constructor's seed counts for the first reset.
    assert (vector_env(game, 3, seed=5).reset()[0] == first).all()
    if game != "go":
        unseeded = {vector_env(game, 3).reset()[0].tobytes() for _ in range(4)}
        assert len(unseeded) == 4 or game == "tetris"
        assert len(unseeded) > 1, "without a seed games are fresh"


def test_a_partial_reset_with_a_seed(game: str) -> None:
    envs, twin = vector_env(game, 3), vector_env(game, 3)
    envs.reset(seed=1)
    twin.reset(seed=4)
    for _ in range(5):
        envs.step(envs.sample())
    before = envs.reset(options={"reset_mask": np.array([False, True, False])}, seed=4)[0]
    for _ in range(5):
        mine, theirs = envs.sample(), twin.sample()
        assert mine[1] == theirs[1]
        obs, expected = envs.step(mine)[0], twin.step(theirs)[0]
        assert (obs[1] == expected[1]).all()
        assert not (obs[0] == before[0]).all()


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ([True] * 6, TypeError),
        (np.ones(6, np.int8), TypeError),
        (np.ones(5, bool), ValueError),
        (np.ones((6, 1), bool), ValueError),
        (np.zeros(6, bool), ValueError),
    ],
)
def test_wrong_reset_masks(mask: object, error: type[Exception]) -> None:
    envs = vector_env("2048")
    with pytest.raises(error, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="no option is called something: expected reset_mask"):
        envs.reset(options={"something": 1})
    envs.reset(options={})


@pytest.mark.parametrize("copy", [True, False])
def test_copies(game: str, copy: bool) -> None:
    envs = vector_env(game, 4, copy=copy, autoreset_mode="SameStep")
    results = [envs.reset(seed=1)]
    for _ in range(3):
        results.append(envs.step(envs.sample()))
    first, last = results[1], results[3]
    for a, b in zip((*first[:4], first[4]["action_mask"]), (*last[:4], last[4]["action_mask"]), strict=True):
        assert np.shares_memory(a, b) != copy
    assert np.shares_memory(envs.sample(), envs.sample()) != copy
    assert np.shares_memory(envs.action_masks(), envs.action_masks()) != copy


def test_illegal_actions_name_their_game(game: str) -> None:
    envs = vector_env(game, 5)
    _, info = envs.reset(seed=3)
    actions = envs.sample()
    for bad in (-1, envs.single_action_space.n, 10**9):
        wrong = actions.copy()
        wrong[2] = bad
        with pytest.raises(ValueError, match=r"game 2\b"):
            envs.step(wrong)
    envs.step(actions)
    noop = vector_env(game, 5, on_illegal="noop")
    noop.reset(seed=3)
    noop.step(np.full(5, -1))
    # One environment takes illegal actions, but none that is out of range.
    name, small = options_of(game)
    one = BitcadeEnv(name, **small)
    before, info = one.reset(seed=3)
    illegal = np.flatnonzero(~info["action_mask"])
    if len(illegal):
        obs, reward, terminated, _, _ = one.step(illegal[0])
        if name == "match3":
            # An ignored swap spends a move.
            before[1] -= 1
        assert (obs == before).all() and reward == 0 and not terminated
        with pytest.raises(ValueError, match="no legal move"):
            strict = BitcadeEnv(name, on_illegal="raise", **small)
            strict.reset(seed=3)
            strict.step(illegal[0])
    for bad in (-1, one.action_space.n):
        with pytest.raises(ValueError, match=f"action {bad} is none of 0 to"):
            one.step(bad)
    for bad in (None, 1.5, "1", [1, 2]):
        with pytest.raises(TypeError):
            one.step(bad)
    assert isinstance(one.step(np.int64(one.sample()))[1], float)


def test_step_limits(game: str) -> None:
    for more in ({"max_episode_steps": 3}, {"max_steps": 3}):
        envs = vector_env(game, 4, **{**more, **({"max_steps": None} if "max_episode_steps" in more else {})})
        envs.reset(seed=1)
        ends = [envs.step(envs.sample())[2:4] for _ in range(3)]
        assert not np.any(ends[:2])
        assert np.logical_or(*ends[2]).all() and ends[2][1].any()
    with pytest.raises(ValueError, match="max_episode_steps and max_steps"):
        vector_env(game, 4, max_episode_steps=3, max_steps=4)


def test_make_takes_a_step_limit() -> None:
    envs = gymnasium.make_vec("bitcade/2048-4x4-v0", num_envs=2, max_episode_steps=2)
    envs.reset(seed=1)
    envs.step(envs.sample())
    assert envs.step(envs.sample())[3].all()
    one = gymnasium.make("bitcade/2048-4x4-v0", max_episode_steps=2)
    one.reset(seed=1)
    one.step(one.unwrapped.sample())
    assert one.step(one.unwrapped.sample())[3] is True


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_gymnasiums_wrappers(game: str, mode: AutoresetMode) -> None:
    envs: Any = vector_env(game, 4, autoreset_mode=mode)
    envs = wrappers.RecordEpisodeStatistics(envs)
    envs = wrappers.NormalizeReward(envs)
    envs = wrappers.ClipReward(envs, -1, 1)
    if mode is not AutoresetMode.SAME_STEP:
        # Gymnasium refuses to transform observations in the other mode, for the final ones' sake.
        envs = wrappers.DtypeObservation(envs, np.float32)
    envs = wrappers.DictInfoToList(envs)
    envs.reset(seed=1)
    for _ in range(80):
        obs, reward, terminated, truncated, info = envs.step(envs.unwrapped.sample())
        assert obs.dtype == (np.uint8 if mode is AutoresetMode.SAME_STEP else np.float32)
        assert len(info) == 4 and all("action_mask" in one for one in info)
        assert reward.shape == (4,) and np.isfinite(reward).all()
        ended = terminated | truncated
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_episode_statistics_are_right(game: str, mode: AutoresetMode) -> None:
    envs = wrappers.RecordEpisodeStatistics(vector_env(game, 3, autoreset_mode=mode), buffer_length=1000)
    plain = vector_env(game, 3, autoreset_mode="SameStep")
    envs.reset(seed=8)
    plain.reset(seed=8)
    returns, lengths, expected = np.zeros(3), np.zeros(3, int), []
    for _ in range(150):
        _, reward, terminated, truncated, _ = plain.step(plain.sample())
        returns += reward
        lengths += 1
        for i in np.flatnonzero(terminated | truncated):
            expected.append((i, returns[i], lengths[i]))
            returns[i] = lengths[i] = 0
    found = []
    for _ in range(170):
        _, _, terminated, truncated, info = envs.step(envs.unwrapped.sample())
        ended = terminated | truncated
        for i in np.flatnonzero(ended):
            found.append((i, info["episode"]["r"][i], info["episode"]["l"][i]))
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
    for i in range(3):
        mine, theirs = ([x for x in games if x[0] == i] for games in (found, expected))
        assert theirs and mine[: len(theirs) - 2] == theirs[: len(theirs) - 2]


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_frames_of_all_games(game: str, render_mode: str) -> None:
    envs = vector_env(game, 3, render_mode=render_mode)
    envs.reset(seed=1)
    envs.step(envs.sample())
    frames = envs.render()
    assert isinstance(frames, tuple) and len(frames) == 3
    if render_mode == "ansi":
        assert all(isinstance(frame, str) for frame in frames)
    else:
        assert all(f.dtype == np.uint8 and f.ndim == 3 and f.shape[2] == 3 for f in frames)
    assert vector_env(game, 1).render() is None
    with pytest.raises(ValueError, match="render_mode='human'"):
        vector_env(game, 1, render_mode="human")
    name, small = options_of(game)
    with pytest.raises(ValueError, match="render_mode='human'"):
        BitcadeEnv(name, render_mode="human", **small)


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize("name", ["2048", "match3"])
def test_frames_of_one_hot_observations(name: str, render_mode: str) -> None:
    flat, planes = (
        vector_env(name, 3, render_mode=render_mode, one_hot=one_hot) for one_hot in (False, True)
    )
    flat.reset(seed=1)
    planes.reset(seed=1)
    assert all(np.array_equal(a, b) for a, b in zip(flat.render(), planes.render(), strict=True))


def test_close_is_for_good_and_may_come_twice(game: str) -> None:
    envs = vector_env(game, 2, render_mode="ansi")
    envs.reset(seed=1)
    envs.close()
    envs.close()
    assert envs.closed
    for call in (envs.reset, envs.sample, envs.render, lambda: envs.step([0, 0]), lambda: envs.get_state(0)):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_states(game: str) -> None:
    envs = vector_env(game, 3)
    envs.reset(seed=1)
    envs.step(envs.sample())
    saved, obs = envs.get_state(1), envs.step(np.where(envs.action_masks().any(1), envs.sample(), 0))[0]
    back, info = envs.set_state(1, saved)
    assert (back[[0, 2]] == obs[[0, 2]]).all()
    assert (info["action_mask"] == envs.action_masks()).all()
    other = vector_env(game, 1)
    assert (other.set_state(0, saved)[0][0] == back[1]).all()
    name, small = options_of(game)
    one = BitcadeEnv(name, **small)
    one.reset(seed=2)
    assert (one.set_state(saved)[0] == back[1]).all()
    assert (one.action_masks() == info["action_mask"][1]).all()
    one.step(one.sample())
    assert one.get_state() is not saved


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="game='chess': expected one of"):
        BitcadeVectorEnv("chess", 2)
    with pytest.raises(ValueError):
        BitcadeVectorEnv("2048", 2, autoreset_mode="never")
    with pytest.raises(TypeError, match="autoreset_mode"):
        BitcadeVectorEnv("2048", 2, autoreset="disabled")
    with pytest.raises(TypeError):
        BitcadeVectorEnv("2048", 2, colors=3)
    for name in ("autoreset", "num_envs"):
        with pytest.raises(TypeError, match=name):
            BitcadeEnv("2048", **{name: 1})


def test_a_game_that_is_over_must_be_reset() -> None:
    one = BitcadeEnv("match3", moves=1)
    one.reset(seed=1)
    assert one.step(one.sample())[2:4] == (True, False)
    with pytest.raises(ValueError, match="game 0 is over"):
        one.step(0)
    one.reset()
    one.step(one.sample())


def test_threads_play_the_same_games() -> None:
    one, three = (vector_env("2048", 500, num_threads=threads) for threads in (1, 3))
    one.reset(seed=1)
    three.reset(seed=1)
    assert three.batch.num_threads == 3
    for _ in range(20):
        assert (one.step(one.sample())[0] == three.step(three.sample())[0]).all()


def test_names_with_a_module_work_where_bitcade_is_not_imported() -> None:
    """What workers of RLlib and others do: Gymnasium 1 has no entry points."""
    code = """
import gymnasium, sys
assert "bitcade" not in sys.modules
one = gymnasium.make("bitcade:bitcade/2048-4x4-v0", dict_observation=True)
many = gymnasium.make_vec("bitcade:bitcade/Match3-8x8-6c-v0", num_envs=2)
print(one.reset(seed=1)[0]["observations"].shape, many.reset(seed=1)[0].shape)
"""
    done = run_python(code)
    assert done.stdout == "(4, 4) (2, 2, 8, 8)\n", done.stderr


def test_dictionaries_have_the_keys_of_rllib() -> None:
    """Its action masking takes `observations` and `action_mask`."""
    one = BitcadeEnv("match3", moves=2, dict_observation=True)
    many = BitcadeVectorEnv("match3", 3, moves=2, dict_observation=True, autoreset_mode="SameStep")
    for envs in (one, many):
        obs, info = envs.reset(seed=1)
        assert set(obs) == {"observations", "action_mask"} == set(envs.observation_space.keys())
        assert obs["action_mask"].dtype == np.int8 and (obs["action_mask"] == info["action_mask"]).all()
        envs.step(envs.sample())
    final = many.step(many.sample())[4]["final_obs"]
    assert all(set(one) == {"observations", "action_mask"} for one in final)
    assert final[0]["observations"][1].max() == 0 and not final[0]["action_mask"].any()


@pytest.mark.parametrize("one_hot", [False, True])
def test_match3_ends_by_its_moves_and_shows_them(one_hot: bool) -> None:
    """A budget of moves terminates; only a limit of steps truncates, also through Gymnasium's wrapper."""
    envs = BitcadeVectorEnv("match3", 3, moves=4, one_hot=one_hot, autoreset_mode="Disabled")
    obs, _ = envs.reset(seed=1)
    assert envs.single_observation_space.shape == ((7 if one_hot else 2), 8, 8)
    assert (envs.single_observation_space.high[-1] == 4).all() and (obs[:, -1] == 4).all()
    for left in (3, 2, 1, 0):
        obs, _, terminated, truncated, info = envs.step(envs.sample())
        assert (obs[:, -1] == left).all() and not truncated.any()
        assert (terminated == (left == 0)).all() and info["action_mask"].any() == (left > 0)
    one = gymnasium.make("bitcade/Match3-8x8-6c-v0", max_episode_steps=3, one_hot=one_hot)
    one.reset(seed=1)
    ends = [one.step(one.unwrapped.sample())[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    frame = BitcadeEnv("match3", render_mode="rgb_array", one_hot=one_hot)
    frame.reset(seed=1)
    assert frame.render().shape == (8 * 32, 8 * 32, 3)


#: Seeds that any of Gymnasium's environments takes: up to 128 bits are the entropy of NumPy.
LARGE_SEEDS = [2**64 - 1, 2**64, 2**127 + 5, 2**200, np.random.SeedSequence().entropy]


@pytest.mark.parametrize("wrapped", [False, True])
def test_np_random_seed_repeats_the_episode(game: str, wrapped: bool) -> None:
    name, small = options_of(game)
    if wrapped:
        env: Any = gymnasium.make("bitcade/2048-4x4-v0")
        envs: Any = gymnasium.make_vec("bitcade/2048-4x4-v0", num_envs=3)
    else:
        env, envs = BitcadeEnv(name, **small), vector_env(game, 3)
    for one in (env, envs):

        def episode(seed, one=one) -> list[bytes]:
            obs, info = one.reset(seed=seed)
            seen = [obs.tobytes(), info["action_mask"].tobytes()]
            for _ in range(10):
                obs, _, terminated, truncated, _ = one.step(one.unwrapped.sample())
                seen.append(obs.tobytes())
                if np.any(terminated | truncated):
                    break
            return seen

        first = episode(None)
        assert episode(one.unwrapped.np_random_seed) == first, "the games of fresh entropy"
        seeds = [0, 7, np.int64(7), *LARGE_SEEDS]
        if one is envs:
            seeds += [[1, 2, 3], np.array([1, 2, 3]), [None, 5, None], [2**100, 1, 1]]
        for seed in seeds:
            first = episode(seed)
            drawn = one.unwrapped.np_random.random()
            assert episode(one.unwrapped.np_random_seed) == first
            assert one.unwrapped.np_random.random() == drawn
            assert episode(None) != first


def test_large_seeds_are_other_games(game: str) -> None:
    name, small = options_of(game)
    env, envs = BitcadeEnv(name, **small), vector_env(game, 3)
    cls, _ = GAMES[game]
    actions = []
    for seed in LARGE_SEEDS:
        env.reset(seed=seed)
        envs.reset(seed=seed)
        drawn = [env.sample() for _ in range(8)]
        assert drawn == [int(envs.sample()[0]) for _ in range(8)]
        for raw in (cls(1, seed=seed, **small), cls(2, seed=[seed, 1], **small)):
            assert drawn == [int(raw.sample()[0]) for _ in range(8)]
        actions.append(tuple(drawn))
    assert len(set(actions)) == len(actions)


@pytest.mark.parametrize(
    "bad", [-1, -(2**70), 1.5, "1", b"1", [1, 2], [1, 2, -3], [1, 2, "3"], [1, 2, 2.5], {}]
)
def test_a_refused_seed_changes_nothing(game: str, bad: Any) -> None:
    name, small = options_of(game)
    env, envs = BitcadeEnv(name, **small), vector_env(game, 3)
    for one in (env, envs):
        for prepare in (
            lambda: None,
            lambda one=one: one.reset(seed=5),
            lambda one=one: one.step(one.sample()),
        ):
            prepare()
            twin = copy.deepcopy(one)
            with pytest.raises((TypeError, ValueError), match="seed"):
                one.reset(seed=bad)
            if one is envs:
                with pytest.raises((TypeError, ValueError), match="seed"):
                    one.reset(seed=bad, options={"reset_mask": np.array([True, False, True])})
            with pytest.raises((TypeError, ValueError)):
                one.reset(seed=3, options={"reset_mask": [True]})
            assert one.np_random_seed == twin.np_random_seed
            assert one.np_random.bit_generator.state == twin.np_random.bit_generator.state
            assert (one.batch.obs == twin.batch.obs).all() and np.all(one.sample() == twin.sample())
            assert data_equivalence(one.reset(), twin.reset(), exact=True)
        with pytest.raises((TypeError, ValueError)):
            type(one)(name, seed=bad, **({"num_envs": 3} if one is envs else {}), **small)


def test_known_seeds_play_known_games() -> None:
    """Seeds of 64 bits are those of the raw class, as they always were."""
    for seed in (0, 5, 2**63, 2**64 - 1):
        env, envs = BitcadeEnv("2048"), BitcadeVectorEnv("2048", 2)
        raw = bitcade.Game2048(2, seed=seed)
        assert (env.reset(seed=seed)[0] == raw.obs[0]).all() and (envs.reset(seed=seed)[0] == raw.obs).all()
    assert bitcade.Game2048(1, seed=5).obs.ravel().tolist() == [0, 2, *[0] * 2, 1, *[0] * 11]


@pytest.mark.parametrize("env_id", IDS)
def test_minus_one_sets_no_limit(env_id: str) -> None:
    for limit in (-1, np.int64(-1)):
        env = gymnasium.make(env_id, max_episode_steps=limit)
        for envs in (
            gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit),
            gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit, vectorization_mode="sync"),
        ):
            # What a wrapped single environment does, the limit of the rules included.
            env.reset(seed=1)
            envs.reset(seed=1)
            for _ in range(60):
                action = env.unwrapped.sample()
                ends = env.step(action)[2:4]
                both = np.array([action, action])
                # A draw of an action is one from the game's own stream.
                if isinstance(envs.unwrapped, BitcadeVectorEnv):
                    both[1] = envs.unwrapped.sample()[1]
                else:
                    both[1] = [one.unwrapped.sample() for one in envs.envs][1]
                found = envs.step(both)
                assert (bool(found[2][0]), bool(found[3][0])) == ends
                if any(ends):
                    break
    assert BitcadeVectorEnv("2048", 1, max_episode_steps=-1, max_steps=3).reset()[0].shape == (1, 4, 4)
    for limit in (0, -2):
        with pytest.raises(ValueError, match="max_steps"):
            gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit)


def test_no_reward_is_minus_zero(game: str) -> None:
    envs = vector_env(game, 9, max_steps=None, max_episode_steps=6)
    name, small = options_of(game)
    env = BitcadeEnv(name, **{**small, "max_steps": 6})
    envs.reset(seed=1)
    env.reset(seed=1)
    for _ in range(40):
        reward = envs.step(envs.sample())[1]
        assert not np.signbit(reward[reward == 0]).any()
        _, one, terminated, truncated, _ = env.step(env.sample())
        assert one != 0 or not np.signbit(one)
        if terminated or truncated:
            env.reset()


def test_rewards_are_exact_up_to_2_to_the_24() -> None:
    """Rewards are float32, as Gymnasium's vector environments have them: larger ones are rounded."""
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0, :2], start[0, 1, :2] = 22, 1
    assert bitcade.Game2048(1, starts=start).step([0])[1][0] == 2**23 + 4
    start[0, 0, :2] = 25
    exact = 2**26 + 4
    reward = bitcade.Game2048(1, starts=start).step([0])[1][0]
    assert reward == np.float32(exact) and abs(float(reward) - exact) <= exact * 2**-24

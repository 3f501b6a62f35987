"""Gymnasium's own requirements, in addition to the shared ones of `test_environments.py`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import ONE_HOT, refused, run_python, small
from players import Single, Vector, gymnasium

import bitcade
from bitcade._register import ENVS
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv
from gymnasium.error import ClosedEnvironmentError
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

IDS = [f"bitcade/{name}-v0" for name in ENVS]
each_mode = pytest.mark.parametrize("mode", list(AutoresetMode))


def vector_env(name: str, num_envs: int = 6, **options: Any) -> BitcadeVectorEnv:
    """Create a small vector environment."""
    game, options = small(name, **options)
    return BitcadeVectorEnv(game, num_envs, **options)


def single_env(name: str, **options: Any) -> BitcadeEnv:
    """Create a small environment."""
    game, options = small(name, **options)
    return BitcadeEnv(game, **options)


@pytest.mark.parametrize("env_id", IDS)
def test_registered_environments(env_id):
    for dict_observation in (False, True):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(env_id, dict_observation=dict_observation)
            check_env(env.unwrapped)
            # Enable the passive checker for every step.
            env.reset(seed=3)
            for _ in range(60):
                if any(env.step(env.unwrapped.sample())[2:4]):
                    env.reset()
            env.close()
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
    # The name contains the size.
    for size in (int(part) for part in env_id.replace("-", "x").split("x") if part.isdigit()):
        assert size in obs.shape


def test_registering_again_changes_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bitcade.register_envs()


@each_mode
@pytest.mark.parametrize("dict_observation", [False, True])
def test_as_gymnasiums_own_vector_environment(game, mode, dict_observation):
    """All results, infos included, are the same as from `SyncVectorEnv` over single environments."""
    n, seed = 4, 20
    ours = vector_env(game, n, autoreset_mode=mode, dict_observation=dict_observation)
    singles = [lambda: single_env(game, dict_observation=dict_observation) for _ in range(n)]
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


def test_spaces_hold_all_observations(game):
    for more in ({}, {"dict_observation": True}, *([{"one_hot": True}] if game in ONE_HOT else [])):
        envs = vector_env(game, 5, autoreset_mode="SameStep", **more)
        obs, _ = envs.reset(seed=2)
        for _ in range(150):
            assert envs.observation_space.contains(obs)
            actions = envs.sample()
            assert envs.action_space.contains(actions)
            obs, _, _, _, info = envs.step(actions)
            for final in info.get("final_obs", []):
                assert final is None or envs.single_observation_space.contains(final)


def test_a_start_with_large_tiles_is_in_the_space():
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0] = 40
    envs = BitcadeVectorEnv("2048", 2, starts=start)
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_action_spaces_sample_by_mask(game):
    envs = vector_env(game, 7)
    _, info = envs.reset(seed=1)
    mask = info["action_mask"]
    envs.action_space.seed(5)
    drawn = [envs.action_space.sample(mask) for _ in range(50)]
    assert all(mask[np.arange(7), actions].all() for actions in drawn)
    assert all(actions in envs.action_space for actions in drawn)
    envs.action_space.seed(5)
    assert (envs.action_space.sample(mask.astype(np.int8)) == drawn[0]).all()
    # Every legal action of a game is drawn.
    few = np.zeros_like(mask)
    few[:, [0, 2, mask.shape[1] - 1]] = True
    few[3] = False
    found = np.stack([envs.action_space.sample(few) for _ in range(200)])
    assert set(found[:, 0].tolist()) == {0, 2, mask.shape[1] - 1}
    assert (found[:, 3] == 0).all()
    # Gymnasium's own form of masks, and no mask at all.
    assert envs.action_space.sample(tuple(mask.astype(np.int8))) in envs.action_space
    assert envs.action_space.sample() in envs.action_space
    assert "mask: expected shape" in refused(envs.action_space.sample, mask[:3])
    single = envs.single_action_space
    assert all(mask[0, single.sample(mask[0])] for _ in range(30))
    assert single.sample(mask[0].astype(np.int8)) in single


def test_a_partial_reset_with_a_seed(game):
    ours, twin, other = (Vector.make(game, 3, seed=seed) for seed in (1, 4, 1))
    ours.play(5)
    other.play(5)
    ours.reset(4, options={"reset_mask": np.array([False, True, False])})
    for _ in range(5):
        obs, seeded, rest = (each.step(each.sample())[0] for each in (ours, twin, other))
        assert (obs[1] == seeded[1]).all() and (obs[[0, 2]] == rest[[0, 2]]).all()


@pytest.mark.parametrize("copy", [True, False])
def test_copies(game, copy):
    envs = vector_env(game, 4, copy=copy, autoreset_mode="SameStep")
    results = [envs.reset(seed=1)]
    for _ in range(3):
        results.append(envs.step(envs.sample()))
    first, last = results[1], results[3]
    for a, b in zip((*first[:4], first[4]["action_mask"]), (*last[:4], last[4]["action_mask"]), strict=True):
        assert np.shares_memory(a, b) != copy
    assert np.shares_memory(envs.sample(), envs.sample()) != copy
    assert np.shares_memory(envs.action_masks(), envs.action_masks()) != copy


def test_actions_of_one_game(game):
    ours, twin = (Single.make(game, seed=1) for _ in range(2))
    for form in (lambda action: np.array([action]), np.array, np.int64, int):
        action = int(ours.sample()[0])
        assert action == twin.sample()[0]
        first, second = ours.env.step(form(action)), twin.env.step(action)
        assert (first[0] == second[0]).all() and first[1:4] == second[1:4]
    for wrong in (None, 1.5, "1", [0], [1, 2], np.array([0, 1]), np.array([0.0]), np.zeros(0, int)):
        assert refused(ours.env.step, wrong).startswith("TypeError: ")


@pytest.mark.parametrize("env_id", IDS)
def test_step_limits_by_gymnasiums_name(env_id):
    """-1 sets no limit besides the rules' own, like `make` for a single environment."""
    for limit in (-1, np.int64(-1), 3):
        env = gymnasium.make(env_id, max_episode_steps=limit)
        for mode in ("vector_entry_point", "sync"):
            envs = gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit, vectorization_mode=mode)
            env.reset(seed=1)
            envs.reset(seed=1)
            for step in range(1, 61):
                action = env.unwrapped.sample()
                ends = env.step(action)[2:4]
                both = np.array([action, action])
                # Drawing an action advances the game's own stream.
                drawn = [one.unwrapped.sample() for one in envs.envs] if mode == "sync" else envs.unwrapped.sample()
                both[1] = drawn[1]
                found = envs.step(both)
                assert (bool(found[2][0]), bool(found[3][0])) == ends
                if any(ends):
                    break
            assert limit < 0 or step <= limit
    assert BitcadeVectorEnv("2048", 1, max_episode_steps=-1).reset()[0].shape == (1, 4, 4)
    for limit in (0, -2):
        with pytest.raises(ValueError, match="max_episode_steps"):
            gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit)


@each_mode
def test_gymnasiums_wrappers(game, mode):
    envs: Any = wrappers.RecordEpisodeStatistics(vector_env(game, 4, autoreset_mode=mode), buffer_length=1000)
    plain = vector_env(game, 4, autoreset_mode="SameStep")
    envs = wrappers.ClipReward(wrappers.NormalizeReward(envs), -1, 1)
    if mode is not AutoresetMode.SAME_STEP:
        # In the other mode Gymnasium refuses to transform observations, because of the final ones.
        envs = wrappers.DtypeObservation(envs, np.float32)
    # In Gymnasium 1.1, this wrapper can't list the statistics of any environment.
    if listed := not gymnasium.__version__.startswith("1.1."):
        envs = wrappers.DictInfoToList(envs)
    envs.reset(seed=8)
    plain.reset(seed=8)
    returns, lengths = np.zeros(4), np.zeros(4, int)
    expected: list[list[tuple]] = [[] for _ in range(4)]
    for _ in range(150):
        _, reward, terminated, truncated, _ = plain.step(plain.sample())
        returns += reward
        lengths += 1
        for i in np.flatnonzero(terminated | truncated):
            expected[i].append((returns[i], lengths[i]))
            returns[i] = lengths[i] = 0
    found: list[list[tuple]] = [[] for _ in range(4)]
    for _ in range(170):
        obs, reward, terminated, truncated, info = envs.step(envs.unwrapped.sample())
        assert obs.dtype == (np.uint8 if mode is AutoresetMode.SAME_STEP else np.float32)
        assert not listed or len(info) == 4 and all("action_mask" in one for one in info)
        assert reward.shape == (4,) and np.isfinite(reward).all()
        ended = terminated | truncated
        for i in np.flatnonzero(ended):
            found[i].append(tuple(info[i]["episode"][key] if listed else info["episode"][key][i] for key in "rl"))
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
    # Until 1.4, Gymnasium's statistics miss the first step of each game that begins in the step that ended another.
    exact = mode is not AutoresetMode.SAME_STEP or not gymnasium.__version__.startswith(("1.1.", "1.2.", "1.3."))
    for mine, theirs in zip(found, expected, strict=True):
        count = len(theirs) - 2 if exact else 1
        assert theirs and mine[:count] == theirs[:count]


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_frames(game, render_mode):
    envs = vector_env(game, 3, render_mode=render_mode)
    envs.reset(seed=1)
    frames = envs.render()
    assert isinstance(frames, tuple) and len(frames) == 3
    if render_mode == "ansi":
        assert all(isinstance(frame, str) for frame in frames)
    else:
        assert all(f.dtype == np.uint8 and f.ndim == 3 and f.shape[2] == 3 for f in frames)
    if game in ONE_HOT:
        planes = vector_env(game, 3, render_mode=render_mode, one_hot=True)
        planes.reset(seed=1)
        assert all(np.array_equal(a, b) for a, b in zip(frames, planes.render(), strict=True))
    assert vector_env(game, 1).render() is None and single_env(game).render() is None
    for make in (vector_env, single_env):
        assert "render_mode='human'" in refused(make, game, render_mode="human")


@pytest.mark.parametrize("make", [vector_env, single_env])
def test_close_is_for_good_and_may_come_twice(game, make):
    env = make(game, render_mode="ansi")
    env.reset(seed=1)
    place = [0] if make is vector_env else []
    state = env.get_state(*place)
    env.close()
    env.close()
    assert make is single_env or env.closed
    for call in (
        *(env.reset, env.sample, env.action_masks, env.render, lambda: env.step([0] * 6 if place else 0)),
        *(lambda: env.get_state(*place), lambda: env.set_state(*place, state)),
    ):
        with pytest.raises(ClosedEnvironmentError, match="^the environment is closed$"):
            call()


def reset_by(mask: object) -> Callable[[], object]:
    return lambda: vector_env("2048").reset(options={"reset_mask": mask})


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: BitcadeVectorEnv("chess", 2), "ValueError: game='chess': expected one of"),
    (lambda: BitcadeVectorEnv("2048", 2, autoreset_mode="never"), "ValueError: autoreset_mode='never': expected one of"),
    (lambda: BitcadeVectorEnv("2048", 2, colors=3), "TypeError: "),
    (lambda: BitcadeEnv("2048", autoreset_mode=1), "TypeError: autoreset_mode"),
    (lambda: BitcadeEnv("2048", num_envs=1), "TypeError: num_envs"),
    (
        lambda: vector_env("2048").reset(options={"something": 1}),
        "ValueError: reset: unknown option something: expected reset_mask",
    ),
    (
        lambda: single_env("2048").reset(options={"b": 1, "a": 2}),
        "ValueError: reset: unknown option a, b: expected none",
    ),
    (reset_by([True] * 6), "TypeError: options['reset_mask']"),
    (reset_by(np.ones(6, np.int8)), "TypeError: options['reset_mask']"),
    (reset_by(np.ones(5, bool)), "ValueError: options['reset_mask']"),
    (reset_by(np.ones((6, 1), bool)), "ValueError: options['reset_mask']"),
    (reset_by(np.zeros(6, bool)), "ValueError: options['reset_mask']"),
]


@pytest.mark.parametrize(("call", "expected"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments(call, expected):
    assert refused(call).startswith(expected)


def test_no_options_are_options():
    vector_env("2048").reset(options={})
    single_env("2048").reset(options={})


def test_names_with_a_module_work_where_bitcade_is_not_imported():
    """RLlib workers, for example, need this, because Gymnasium 1 has no plugin entry points."""
    code = """
import gymnasium, sys
assert "bitcade" not in sys.modules
one = gymnasium.make("bitcade:bitcade/2048-4x4-v0", dict_observation=True)
many = gymnasium.make_vec("bitcade:bitcade/Match3-8x8-6c-v0", num_envs=2)
print(one.reset(seed=1)[0]["observations"].shape, many.reset(seed=1)[0].shape)
"""
    done = run_python(code)
    assert done.stdout == "(4, 4) (2, 2, 8, 8)\n", done.stderr


def test_dictionaries_have_the_keys_of_rllib():
    """RLlib's action masking expects the keys `observations` and `action_mask`."""
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
def test_match3_ends_by_its_moves_and_shows_them(one_hot):
    """Using up the moves terminates; only `max_episode_steps` truncates, also in Gymnasium's wrapper."""
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
    assert frame.render().shape == (8 * 32 + 34, 8 * 32 + 16, 3)

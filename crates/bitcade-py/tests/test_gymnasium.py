"""Gymnasium's own requirements, in addition to the shared ones of `test_environments.py`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import refused, run_python, small
from players import Single, Vector, gymnasium

import bitcade
from bitcade._register import ENVS
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv
from gymnasium.envs.registration import EnvSpec
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
    for options in ({}, {"dict_observation": True}, {"dtype": "float32"}, *LAYOUTS.get(env_id, [])):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(env_id, **options)
            check_env(env.unwrapped)
            # Enable the passive checker for every step.
            obs, _ = env.reset(seed=3)
            for _ in range(60):
                if any(env.step(env.unwrapped.sample())[2:4]):
                    env.reset()
            env.close()
        again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
        assert again.observation_space == env.observation_space
        assert data_equivalence(again.reset(seed=3)[0], obs), "as its specification in JSON"
        envs = gymnasium.make_vec(env_id, num_envs=3, **options)
        sync = gymnasium.make_vec(env_id, num_envs=3, vectorization_mode="sync", **options)
        assert isinstance(envs, BitcadeVectorEnv) and envs.spec is not None and envs.spec.id == env_id
        assert sync.observation_space == envs.observation_space and sync.action_space == envs.action_space
        assert env.observation_space == envs.single_observation_space and env.action_space == envs.single_action_space
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP and envs.num_envs == 3
    # The name contains the size.
    for size in (int(part) for part in env_id.replace("-", "x").split("x") if part.isdigit()):
        assert size in envs.observation_space.shape


#: More layouts.
LAYOUTS: dict[str, list[dict[str, Any]]] = {
    "bitcade/2048-4x4-v0": [{"one_hot": True, "channels": "last"}],
    "bitcade/Match3-Goals-v0": [{"channels": "last"}],
    "bitcade/Tetris-Drops-v0": [{"garbage": (5, 1), "planes": True}, {"garbage": [5, 1]}],
    "bitcade/Go-9x9-v0": [{"history": 3, "channels": "last", "dtype": "float32"}],
}


def test_registering_again_changes_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bitcade.register_envs()


@pytest.mark.parametrize(
    ("module", "warns"),
    [
        (None, False),
        ("", True),
        ("raise RuntimeError('broken')", True),
        ("raise ModuleNotFoundError('cloudpickle', name='cloudpickle')", True),
    ],
)
def test_a_missing_or_broken_gymnasium(module, warns, tmp_path):
    """The batches need no more than NumPy; a Gymnasium that can't be imported is worth a warning, none isn't."""
    if module is not None:
        (tmp_path / "gymnasium.py").write_text(module)
    code = f"""
import sys, warnings
sys.path.insert(0, {str(tmp_path)!r})
{"sys.modules['gymnasium'] = None" if module is None else ""}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import bitcade
print([str(one.message)[:55] for one in caught], bitcade.g2048.Batch(1).step([0] * 1)[0].shape)
"""
    expected = ["bitcade's environments aren't registered, because Gymna"] if warns else []
    done = run_python(code.replace("step([0] * 1)", "random_step()"))
    assert done.stdout == f"{expected} (1, 4, 4)\n", done.stderr


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


def test_a_start_with_large_tiles_is_in_the_space():
    start = np.zeros((1, 4, 4), np.uint8)
    start[0, 0] = 40
    envs = BitcadeVectorEnv("2048", 2, starts=start)
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_action_spaces_sample_by_mask(game):
    envs = vector_env(game, 7)
    _, info = envs.reset(seed=1)
    mask, space, single = info["action_mask"], envs.action_space, envs.single_action_space
    last = mask.shape[1] - 1
    # Every legal action of a game is drawn.
    few = np.zeros_like(mask)
    few[:, [0, 2, last]] = True
    few[3] = False
    space.seed(5)
    found = np.stack([space.sample(few) for _ in range(200)])
    assert set(found[:, 0].tolist()) == {0, 2, last} and (found[:, 3] == 0).all()
    space.seed(5)
    assert (space.sample(few.astype(np.int8)) == found[0]).all()
    for actions in (space.sample(mask), space.sample(tuple(mask.astype(np.int8))), space.sample()):
        assert actions in space
    assert mask[np.arange(7), space.sample(mask)].all() and "mask: expected shape" in refused(space.sample, mask[:3])
    assert all(mask[0, single.sample(form)] for form in (mask[0], mask[0].astype(np.int8)) for _ in range(30))


def test_a_partial_reset_with_a_seed(game):
    ours, twin, other = (Vector.make(game, 3, seed=seed) for seed in (1, 4, 1))
    ours.play(5)
    other.play(5)
    ours.reset(4, options={"reset_mask": np.array([False, True, False])})
    for _ in range(5):
        obs, seeded, rest = (each.step(each.sample())[0] for each in (ours, twin, other))
        assert (obs[1] == seeded[1]).all() and (obs[[0, 2]] == rest[[0, 2]]).all()


def test_the_seeds_after_a_partial_reset():
    """As Gymnasium's own vector environment has them."""
    some = {"reset_mask": np.array([True, False, False])}
    ours = BitcadeVectorEnv("2048", 3, autoreset_mode="Disabled")
    sync = SyncVectorEnv([lambda: BitcadeEnv("2048")] * 3, autoreset_mode="Disabled")
    for envs in (ours, sync):
        envs.reset(seed=[1, 2, 3])
        envs.reset(seed=[7, 8, 9], options=some)
        assert envs.np_random_seed == (7, 2, 3)
    obs = ours.batch.obs.copy()
    number = ours.np_random.random()
    assert (ours.reset(seed=ours.np_random_seed)[0] == obs).all() and ours.np_random.random() == number
    # One seed for all games isn't a seed for each.
    ours.reset(seed=5)
    ours.reset(seed=[6, 7, 8], options={"reset_mask": np.array([False, True, False])})
    assert ours.np_random_seed == (5, 7, -1) and "seed=-1" in refused(ours.reset, seed=ours.np_random_seed)


@pytest.mark.parametrize("copy", [True, False])
def test_copies(game, copy):
    envs = vector_env(game, 4, copy=copy, autoreset_mode="SameStep")
    envs.reset(seed=1)
    first, _, last = [envs.step(envs.sample()) for _ in range(3)]
    pairs = [*zip((*first[:4], first[4]["action_mask"]), (*last[:4], last[4]["action_mask"]), strict=True)]
    for a, b in [*pairs, (envs.sample(), envs.sample()), (envs.action_masks(), envs.action_masks())]:
        assert np.shares_memory(a, b) != copy
    # As JAX needs arrays to share their memory.
    assert all(a.__array_interface__["data"][0] % 64 == 0 for a, _ in pairs)


def test_actions_of_one_game(game):
    ours, twin = (Single.make(game, seed=1) for _ in range(2))
    for form in (lambda action: np.array([action]), np.array, np.int64, int):
        action = int(ours.sample()[0])
        assert action == twin.sample()[0]
        assert data_equivalence(ours.env.step(form(action)), twin.env.step(action))
    for wrong in (None, 1.5, "1", [0], [1, 2], np.array([0, 1]), np.array([0.0]), np.zeros(0, int)):
        assert refused(ours.env.step, wrong).startswith("TypeError: ")


@pytest.mark.parametrize("env_id", IDS)
def test_step_limits_by_gymnasiums_name(env_id):
    """-1 sets no limit besides the rules' own, like `make` for a single environment."""
    for limit in (-1, np.int64(-1), 3):
        env = gymnasium.make(env_id, max_episode_steps=limit)
        envs = gymnasium.make_vec(env_id, num_envs=1, max_episode_steps=limit)
        env.reset(seed=1)
        envs.reset(seed=1)
        for step in range(1, 61):
            action = env.unwrapped.sample()
            assert envs.unwrapped.sample() == [action]
            ends = env.step(action)[2:4]
            assert tuple(end.item() for end in envs.step([action])[2:4]) == ends
            if any(ends):
                break
        assert limit < 0 or step <= limit
    for limit in (0, -2):
        with pytest.raises(ValueError, match="max_episode_steps"):
            gymnasium.make_vec(env_id, num_envs=2, max_episode_steps=limit)


@each_mode
def test_gymnasiums_wrappers(game, mode):
    """The statistics of episodes are those of the same games played without a wrapper."""
    envs: Any = wrappers.RecordEpisodeStatistics(vector_env(game, 4, autoreset_mode=mode), buffer_length=1000)
    envs = wrappers.ClipReward(wrappers.NormalizeReward(envs), -1, 1)
    if mode is not AutoresetMode.SAME_STEP:
        # In the other mode Gymnasium refuses to transform observations, because of the final ones.
        envs = wrappers.DtypeObservation(envs, np.float32)
    plain = vector_env(game, 4, autoreset_mode="SameStep")
    envs.reset(seed=8)
    plain.reset(seed=8)
    totals, expected, found = np.zeros((2, 4)), [[] for _ in range(4)], [[] for _ in range(4)]
    for _ in range(170):
        _, reward, terminated, truncated, _ = plain.step(plain.sample())
        totals += reward, np.ones(4)
        for i in np.flatnonzero(terminated | truncated):
            expected[i].append(tuple(totals[:, i]))
            totals[:, i] = 0
        obs, reward, terminated, truncated, info = envs.step(envs.unwrapped.sample())
        assert obs.dtype == (np.uint8 if mode is AutoresetMode.SAME_STEP else np.float32) and np.isfinite(reward).all()
        for i in np.flatnonzero(ended := terminated | truncated):
            found[i].append(tuple(info["episode"][key][i] for key in "rl"))
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
    # Until 1.4, Gymnasium's statistics miss the first step of each game that begins in the step that ended another.
    exact = mode is not AutoresetMode.SAME_STEP or not gymnasium.__version__.startswith(("1.1.", "1.2.", "1.3."))
    for mine, theirs in zip(found, expected, strict=True):
        count = min(len(mine), len(theirs)) if exact else 1
        assert count and mine[:count] == theirs[:count]


@pytest.mark.parametrize("make", [vector_env, single_env])
def test_close_is_for_good_and_may_come_twice(game, make):
    env = make(game, render_mode="ansi")
    env.reset(seed=1)
    place = [0] if make is vector_env else []
    state, action = env.get_state(*place), env.sample()
    env.close()
    env.close()
    assert make is single_env or env.closed
    states = [lambda: env.get_state(*place), lambda: env.set_state(*place, state)]
    for call in (env.reset, env.sample, env.action_masks, env.render, lambda: env.step(action), *states):
        with pytest.raises(ClosedEnvironmentError, match="^the environment is closed$"):
            call()


def reset_by(mask: object) -> Callable[[], object]:
    return lambda: vector_env("2048").reset(options={"reset_mask": mask})


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: BitcadeVectorEnv("chess", 2), "ValueError: game='chess': expected one of"),
    (lambda: BitcadeVectorEnv("2048", 2, autoreset_mode="never"), "ValueError: autoreset_mode='never': expected one of"),
    (lambda: BitcadeEnv("2048", colors=3), "TypeError: 2048: unknown option colors: expected channels, dtype, height,"),
    *(
        (lambda make=make: make("2048", render_mode="human"), "ValueError: render_mode='human': expected ansi or")
        for make in (vector_env, single_env)
    ),
    (lambda: vector_env("2048").reset(options={"x": 1}), "ValueError: reset: unknown option x: expected reset_mask"),
    (lambda: single_env("2048").reset(options={"b": 1, "a": 2}), "ValueError: reset: unknown option a, b: expected none"),
    *((reset_by(mask), "TypeError: options['reset_mask']") for mask in ([True] * 6, np.ones(6, np.int8))),
    *(
        (reset_by(mask), "ValueError: options['reset_mask']")
        for mask in (np.ones(5, bool), np.ones((6, 1), bool), np.zeros(6, bool))
    ),
]


@pytest.mark.parametrize(("call", "expected"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments(call, expected):
    assert refused(call).startswith(expected)


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
    """RLlib's action masking expects the keys `observations` and `action_mask`, in the last observations too."""
    envs = BitcadeVectorEnv("match3", 3, moves=1, dict_observation=True, autoreset_mode="SameStep", seed=1)
    obs, _ = envs.reset()
    final = envs.step(envs.sample())[4]["final_obs"]
    assert obs in envs.observation_space and all(one in envs.single_observation_space for one in final)
    assert set(obs) == set(final[0]) == {"observations", "action_mask"} and not final[0]["action_mask"].any()

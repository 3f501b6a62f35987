"""Gymnasium's own requirements, in addition to the shared ones of `test_environments.py`."""

import itertools
import warnings

import numpy as np
import pytest
from conftest import refused, run_python
from players import Single, Vector, gymnasium

from bitcade._register import ENVS
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ClosedEnvironmentError
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

IDS = [f"bitcade/{name}-v0" for name in ENVS]


@pytest.mark.parametrize("env_id", IDS)
def test_registered_environments(env_id):
    for options in ({"dict_observation": True, "dtype": "float32"}, {}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(env_id, **options)
            check_env(env.unwrapped)
            # Enable the passive checker.
            obs, _ = env.reset(seed=3)
            env.step(env.unwrapped.sample())
        again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
        assert data_equivalence(again.reset(seed=3)[0], obs), "as its specification in JSON"
        envs = gymnasium.make_vec(env_id, num_envs=3, **options)
        assert isinstance(envs, BitcadeVectorEnv) and envs.spec.id == env_id and envs.num_envs == 3
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert env.observation_space == envs.single_observation_space and env.action_space == envs.single_action_space
    # The name contains the size.
    for size in (int(part) for part in env_id.replace("-", "x").split("x") if part.isdigit()):
        assert size in envs.observation_space.shape


@pytest.mark.parametrize("module", [None, "raise RuntimeError('broken')", "raise ModuleNotFoundError(name='cloudpickle')"])
def test_a_missing_or_broken_gymnasium(module, tmp_path):
    if module is not None:
        (tmp_path / "gymnasium.py").write_text(module)
    code = f"""
import sys, warnings
sys.path.insert(0, {str(tmp_path)!r})
{"sys.modules['gymnasium'] = None" if module is None else ""}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import bitcade
print([str(one.message)[:55] for one in caught], bitcade.g2048.Batch(1).random_step()[0].shape)
"""
    expected = ["bitcade's environments aren't registered, because Gymna"] if module else []
    assert run_python(code).stdout == f"{expected} (1, 4, 4)\n"


def wrapped(envs):
    return wrappers.RecordEpisodeStatistics(wrappers.ClipReward(envs, -1, 1))


# Not wrapped where games are reset by a mask, which `SyncVectorEnv` takes out of the options before the wrapper.
@pytest.mark.parametrize(
    ("mode", "wrap"),
    [*((mode, None) for mode in AutoresetMode), *((AutoresetMode(mode), wrapped) for mode in ("NextStep", "SameStep"))],
)
@pytest.mark.parametrize("dict_observation", [False, True])
def test_as_gymnasiums_own_vector_environment(game, mode, wrap, dict_observation):
    # All results, infos and the statistics of wrappers included, are the same as from `SyncVectorEnv`.
    options = {"dict_observation": dict_observation}
    singles = [lambda: Single.make(game, **options).env] * 4
    bare = Vector.make(game, 4, mode, **options).env, SyncVectorEnv(singles, autoreset_mode=mode)
    ours, sync = map(wrap, bare) if wrap else bare
    assert ours.metadata["autoreset_mode"] is mode and ours.observation_space == sync.observation_space
    assert data_equivalence(ours.reset(seed=[20, 21, 22, 23]), sync.reset(seed=20), exact=True)
    ends = 0
    for _ in range(130):
        is_on = bare[0].action_masks().any(axis=1)
        actions = np.where(is_on, bare[0].sample(), 0)
        # Each single environment draws the same action from its own stream.
        for env in itertools.compress(bare[1].envs, is_on):
            env.unwrapped.sample()
        found, expected = ours.step(actions), sync.step(actions)
        for info in (found[4], expected[4]):
            info.get("episode", {}).pop("t", None)
        assert found[1].dtype == np.float32 and (found[1] == expected[1]).all()
        assert data_equivalence((found[0], *found[2:]), (expected[0], *expected[2:]), exact=True)
        ended = found[2] | found[3]
        ends += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            seed = [1, 2, 3, 4] if ends % 2 else None
            reset, again = (envs.reset(seed=seed, options={"reset_mask": ended.copy()}) for envs in (ours, sync))
            assert tuple(ours.np_random_seed) == sync.np_random_seed
            assert data_equivalence(reset[0], again[0], exact=True)
            assert (reset[1]["action_mask"][ended] == again[1]["action_mask"][ended]).all()
    assert ends > 0


def test_one_seed_for_all_games_is_no_seed_for_each():
    envs = Vector.make("2048", 3).env
    envs.reset(seed=5)
    envs.reset(seed=[6, 7, 8], options={"reset_mask": np.array([True, False, False])})
    assert envs.np_random_seed == (6, -1, -1) and "seed=-1" in refused(envs.reset, seed=envs.np_random_seed)


def test_a_start_with_large_tiles_is_in_the_space():
    envs = BitcadeVectorEnv("2048", 2, starts=np.full((1, 4, 4), 40) * np.eye(4, dtype=int))
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_action_spaces_sample_by_mask(game):
    envs = Vector.make(game, 7).env
    mask, space, single = envs.reset(seed=1)[1]["action_mask"], envs.action_space, envs.single_action_space
    # Every legal action of a game is drawn.
    few = np.zeros_like(mask)
    few[:, [0, 2, -1]] = True
    few[3] = False
    found = np.stack([space.sample(few) for _ in range(200)])
    assert set(found[:, 0].tolist()) == {0, 2, mask.shape[1] - 1} and (found[:, 3] == 0).all()
    for form in (mask, mask.astype(np.int8), tuple(mask.astype(np.int8))):
        assert mask[np.arange(7), space.sample(form)].all()
    assert space.sample() in space and "mask: expected shape" in refused(space.sample, mask[:3])
    assert all(mask[0, single.sample(mask[0])] for _ in range(30))


@pytest.mark.parametrize("copy", [True, False])
def test_copies(game, copy):
    envs = Vector.make(game, 4, "SameStep", copy=copy).env
    envs.reset(seed=1)
    first, last = [envs.step(envs.sample()) for _ in range(3)][::2]
    for a, b in zip((*first[:4], first[4]["action_mask"]), (*last[:4], last[4]["action_mask"]), strict=True):
        assert np.shares_memory(a, b) != copy
        assert a.ctypes.data % 64 == 0, "as JAX needs arrays to share their memory"


def test_step_limits_by_gymnasiums_name():
    for limit in (-1, np.int64(-1), 3):
        envs = gymnasium.make_vec(IDS[0], num_envs=1, max_episode_steps=limit)
        envs.reset(seed=1)
        assert [envs.step(envs.unwrapped.sample())[3] for _ in range(3)] == [False, False, limit == 3]
    for limit in (0, -2):
        assert "max_episode_steps" in refused(gymnasium.make_vec, IDS[0], num_envs=2, max_episode_steps=limit)


@pytest.mark.parametrize("kind", [Vector, Single])
def test_close_is_for_good_and_may_come_twice(kind):
    ours = kind.make("2048")
    env, state, actions = ours.env, ours.get_state(0), ours.sample()
    env.close()
    env.close()
    states = [lambda: ours.get_state(0), lambda: ours.set_state(0, state)]
    for call in (env.reset, env.sample, env.action_masks, env.render, lambda: ours.step(actions), *states):
        with pytest.raises(ClosedEnvironmentError, match="^the environment is closed$"):
            call()


def reset_by(mask):
    return lambda: Vector.make("2048").env.reset(options={"reset_mask": mask})


WRONG = [
    (lambda: BitcadeVectorEnv("chess", 2), "ValueError: game='chess': expected one of"),
    (lambda: BitcadeVectorEnv("2048", 2, autoreset_mode="never"), "ValueError: autoreset_mode='never': expected one of"),
    (lambda: BitcadeEnv("2048", render_mode="human"), "ValueError: render_mode='human': expected ansi or"),
    (lambda: BitcadeEnv("2048").reset(options={"b": 1, "a": 2}), "ValueError: reset: unknown option a, b: expected none"),
    *((lambda action=action: BitcadeEnv("2048").step(action), "TypeError: ") for action in (None, 1.5, [1, 2])),
    *((reset_by(mask), "TypeError: options['reset_mask']") for mask in ([True] * 5, np.ones(5, np.int8))),
    *((reset_by(mask), "ValueError: options['reset_mask']") for mask in (np.ones((5, 1), bool), np.zeros(5, bool))),
]


def test_wrong_arguments():
    for call, expected in WRONG:
        assert refused(call).startswith(expected)

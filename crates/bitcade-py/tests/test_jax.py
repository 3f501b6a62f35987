"""JAX's steps against the batches that take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX isn't installed")

from bitcade.jax import Env  # noqa: E402
from conftest import LARGE_SEEDS, make, refused, small, snapshot  # noqa: E402
from jax import numpy as jnp  # noqa: E402

NAMES = ("obs", "reward", "terminated", "truncated", "mask")


def env(name: str, num_envs: int = 5, **options: Any) -> Env:
    game, options = small(name, **options)
    return Env(game, num_envs, **options)


def arrays(values: Any) -> list[np.ndarray]:
    return [np.asarray(value) for value in values]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_a_scan_is_that_of_the_batch(game, mode):
    games, twin = env(game, seed=1, autoreset_mode=mode), make(game, 5, seed=1, autoreset_mode=mode)

    def step(mask: Any, key: Any) -> Any:
        # An ended game in mode `NextStep` has no legal action, and takes any.
        actions = jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf))
        actions = jnp.where(mask.any(1), actions, 0)
        result = games.step(actions)
        return result[-1], (actions, *result)

    @jax.jit
    def rollout(seed: Any) -> Any:
        obs, mask = games.reset(seed)
        keys = jax.random.split(jax.random.key(3), 60)
        return obs, mask, jax.lax.scan(step, mask, keys)[1]

    for seed in (4, 5):
        obs, mask, history = rollout(seed)
        assert snapshot(arrays((obs, mask))) == snapshot(twin.reset(seed))
        actions, *results = arrays(history)
        ended = 0
        for at in range(60):
            expected = twin.step(actions[at])
            found = [result[at] for result in results]
            assert [one.dtype for one in found] == [one.dtype for one in expected]
            assert snapshot(found) == snapshot(expected), (at, NAMES)
            ended += (expected[2] | expected[3]).sum()
        assert ended > 3
    assert games.batch.get_states(range(5)) == twin.get_states(range(5))


def test_steps_outside_of_jit(game):
    """The results of a step outlive the next one, which overwrites the batch's arrays."""
    games, twin = env(game, seed=1), make(game, 5, seed=1)
    found, expected = [games.reset()], [tuple(array.copy() for array in twin.reset())]
    for _ in range(20):
        found.append(games.step(games.sample()))
        expected.append(tuple(array.copy() for array in twin.random_step()))
    assert [snapshot(arrays(one)) for one in found] == [snapshot(one) for one in expected]


def test_seeds():
    games, twin = env("2048"), make("2048", 5)
    for seed in (0, 1, 2**32 - 1, 2**32, *LARGE_SEEDS):
        assert snapshot(arrays(games.reset(seed))) == snapshot(twin.reset(seed)), seed
        assert snapshot(arrays(games.reset())) == snapshot(twin.reset())
        if seed < 2**31:
            assert snapshot(arrays(games.reset(jnp.asarray(seed)))) == snapshot(twin.reset(seed))


def test_wrong_arguments():
    games = env("2048", seed=1, on_illegal="raise")
    before = games.batch.obs.tobytes()
    assert refused(games.step, jnp.zeros(5)).startswith("TypeError: actions: expected integers, found float32")
    assert refused(games.step, jnp.zeros(4, int)) == "ValueError: actions: expected shape (5,), found (4,)"
    assert refused(games.reset, -1) == "ValueError: seed=-1: expected an integer of at least 0"
    assert refused(games.reset, "1") == "TypeError: seed: expected an integer, found str"
    assert "found int32 of shape (2,)" in refused(games.reset, jnp.zeros(2, int))
    assert "vmap" in refused(jax.vmap(games.step), jnp.zeros((2, 5), int))
    with pytest.raises(jax.errors.JaxRuntimeError, match="game 0: action 4"):
        jax.block_until_ready(games.step(jnp.full(5, 4)))
    assert games.batch.obs.tobytes() == before
    # The error ends one computation only.
    jax.block_until_ready(games.step(games.sample()))
    assert games.batch.steps.tolist() == [1] * 5

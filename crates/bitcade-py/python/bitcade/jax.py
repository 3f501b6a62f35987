"""JAX: steps of a batch inside jitted functions, `lax.scan` included, by ordered callbacks to the host.

::

    import bitcade.jax, jax

    env = bitcade.jax.Env("2048", num_envs=4096)

    def step(carry, key):
        obs, mask = carry
        actions = jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf))
        obs, reward, terminated, truncated, mask = env.step(actions)
        return (obs, mask), reward

    @jax.jit
    def rollout(carry, key):
        return jax.lax.scan(step, carry, jax.random.split(key, 100))

    carry, rewards = rollout(env.reset(seed=1), jax.random.key(1))

The games aren't JAX values. An `Env` has one state, like a generator of NumPy, which `reset` and `step` advance in
program order: a jitted function continues the games of the one before. So a step can't be mapped by `vmap` (use
`num_envs`), repeated by `jax.checkpoint`, or sharded over devices, and no gradient flows through it. Arrays are copied
between the host and the device: the CPU or one accelerator.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import jax
    from jax import numpy as jnp
    from jax.experimental import io_callback
except ImportError as error:
    raise ImportError("bitcade.jax needs jax: pip install 'bitcade[jax]'") from error

from ._games import find

if TYPE_CHECKING:
    from ._games.entry import Batch

__all__ = ["Env"]


class Env:
    """Many games of one kind, stepped from JAX.

    Its methods can be called inside and outside of `jax.jit` and JAX's loops.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        num_envs: The number of games.
        options: Further arguments of `Batch`. With the default `autoreset_mode`, `SameStep`, a game that ends shows its
            next game's observation; with `NextStep`, the final one, and the next action starts the next game.
    """

    def __init__(self, game: str, num_envs: int = 1, **options: Any) -> None:
        #: The underlying batch.
        self.batch: Batch = find(game).batch(num_envs, **options)
        self.num_envs = self.batch.num_envs
        self.num_actions = self.batch.num_actions
        self.obs_shape = tuple(self.batch.obs_shape)
        shapes = {
            "obs": (self.num_envs, *self.obs_shape),
            "mask": (self.num_envs, self.num_actions),
            "one": (self.num_envs,),
        }
        obs = jax.ShapeDtypeStruct(shapes["obs"], self.batch.obs.dtype)
        reward = jax.ShapeDtypeStruct(shapes["one"], np.float32)
        ended = jax.ShapeDtypeStruct(shapes["one"], np.bool_)
        mask = jax.ShapeDtypeStruct(shapes["mask"], np.bool_)
        self._reset_results = (obs, mask)
        self._step_results = (obs, reward, ended, ended, mask)

    def reset(self, seed: int | jax.Array | None = None) -> tuple[jax.Array, jax.Array]:
        """Restart all games.

        Args:
            seed: Any nonnegative integer, or a JAX integer; without a seed, each game's stream goes on with its next
                game.

        Returns:
            Observations (uint8, `(num_envs, *obs_shape)`) and action masks (bool, `(num_envs, num_actions)`).

        Raises:
            TypeError: The seed isn't an integer.
            ValueError: The seed is negative.
        """
        if seed is None:
            return io_callback(self._reset, self._reset_results, ordered=True)
        if isinstance(seed, jax.Array):
            if seed.shape != () or not jnp.issubdtype(seed.dtype, jnp.integer):
                raise TypeError(f"seed: expected an integer, found {seed.dtype} of shape {seed.shape}")
            words = seed[None]
        else:
            try:
                seed = operator.index(seed)
            except TypeError:
                raise TypeError(f"seed: expected an integer, found {type(seed).__name__}") from None
            if seed < 0:
                raise ValueError(f"seed={seed}: expected an integer of at least 0")
            # An argument of the callback, which JAX would compile for every seed if it were a part of it.
            words = jnp.asarray([seed >> at & 0xFFFFFFFF for at in range(0, max(seed.bit_length(), 1), 32)], jnp.uint32)
        return io_callback(self._reset, self._reset_results, words, ordered=True)

    def _reset(self, words: jax.Array | None = None) -> tuple[np.ndarray, np.ndarray]:
        if words is None:
            return self.batch.reset()
        return self.batch.reset(sum(word << 32 * at for at, word in enumerate(np.asarray(words).tolist())))

    def step(self, actions: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]:
        """Play one action in each game.

        Args:
            actions: Integers of shape `(num_envs,)`.

        Returns:
            Observations, rewards (float32), terminated, truncated (bool, `(num_envs,)`) and action masks.

        Raises:
            TypeError: The actions aren't integers.
            ValueError: The actions don't have the shape `(num_envs,)`.
            jax.errors.JaxRuntimeError: An action is illegal, when the computation runs. No game has taken a step.
        """
        actions = jnp.asarray(actions)
        if not jnp.issubdtype(actions.dtype, jnp.integer):
            raise TypeError(f"actions: expected integers, found {actions.dtype}")
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions: expected shape ({self.num_envs},), found {actions.shape}")
        return io_callback(self._step, self._step_results, actions, ordered=True)

    def _step(self, actions: jax.Array) -> tuple[np.ndarray, ...]:
        return self.batch.step(np.asarray(actions))

    def sample(self) -> jax.Array:
        """Draw a random legal action (int32) for each game from the game's own random stream."""
        result = jax.ShapeDtypeStruct((self.num_envs,), np.int32)
        return io_callback(self.batch.sample, result, ordered=True)

"""What PyTorch and JAX share with a batch, and what copies, as `docs/frameworks.md` says."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import make, snapshot


def kept(convert, name):
    """Return whether a framework's arrays stay as they were while the games go on, for those that change."""
    games = make(name, 300, seed=1)
    for array in (games.obs, games.action_mask):
        before, converted = array.copy(), convert(array)
        games.random_step()
        if not (array == before).all():
            yield bool((np.asarray(converted) == before).all())


@pytest.mark.parametrize("way", ["from_numpy", "as_tensor", "from_dlpack", "tensor"])
def test_pytorch(game, way):
    torch = pytest.importorskip("torch")
    assert set(kept(getattr(torch, way), game)) == {way == "tensor"}


def test_steps_write_into_tensors(game):
    """Tensors are arrays of `out=` and of actions; masked logits choose legal ones."""
    torch = pytest.importorskip("torch")
    games, twin = make(game, 5, seed=1), make(game, 5, seed=1)
    tensors = tuple(torch.from_numpy(array.copy()) for array in games.random_step())
    twin.random_step()
    for _ in range(30):
        mask = tensors[-1]
        actions = torch.distributions.Categorical(logits=torch.randn(mask.shape).masked_fill(~mask, -torch.inf)).sample()
        games.step(actions, tuple(tensor.numpy() for tensor in tensors))
        assert snapshot(twin.step(actions.numpy())) == snapshot(tensor.numpy() for tensor in tensors)


@pytest.mark.parametrize(("way", "copies"), [("device_put", False), ("from_dlpack", False), ("copied", True)])
def test_jax_is_given_copies(game, way, copies):
    """A copy by NumPy is kept even while the device is busy and reads it later."""
    jax = pytest.importorskip("jax")
    ways = {
        "device_put": jax.device_put,
        "from_dlpack": jax.numpy.from_dlpack,
        "copied": lambda array: jax.numpy.asarray(array.copy()),
    }
    square = jax.numpy.ones((1000, 1000))
    jax.jit(lambda a: a @ a @ a @ a)(square)
    assert set(kept(ways[way], game)) == {copies}

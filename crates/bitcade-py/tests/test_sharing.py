"""What PyTorch and JAX share with a batch, and what copies, as `docs/frameworks.md` says."""

import numpy as np
import pytest
from conftest import make

#: Ways to convert an array, and whether they copy it.
WAYS = {
    "torch.from_numpy": False,
    "torch.as_tensor": False,
    "torch.from_dlpack": False,
    "torch.tensor": True,
    "jax.device_put": False,
    "jax.numpy.from_dlpack": False,
    "jax.numpy.asarray": True,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_stays_while_the_games_go_on(game, way):
    module, _, name = way.rpartition(".")
    framework, games, kept = pytest.importorskip(module), make(game, 300, seed=1), set()
    if name == "asarray":
        # A copy by NumPy is kept even while the device is busy and reads it later.
        square = framework.ones((1000, 1000))
        square = square @ square @ square
    for array in (games.obs, games.action_mask):
        before = array.copy()
        converted = getattr(framework, name)(array.copy() if name == "asarray" else array)
        games.random_step()
        if not (array == before).all():
            kept.add(bool((np.asarray(converted) == before).all()))
    assert kept == {WAYS[way]}

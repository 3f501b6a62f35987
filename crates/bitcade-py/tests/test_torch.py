"""PyTorch tensors that share memory with the batches' arrays."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch isn't installed")

from conftest import make, snapshot  # noqa: E402


def test_tensors_share_the_games_arrays(game):
    games = make(game, 5, seed=1)
    for convert in (torch.from_dlpack, torch.from_numpy):
        obs, mask = convert(games.obs), convert(games.action_mask)
        assert obs.dtype == torch.uint8 and mask.dtype == torch.bool
        assert obs.data_ptr() == games.obs.ctypes.data and mask.data_ptr() == games.action_mask.ctypes.data
        for _ in range(3):
            games.random_step()
            assert (obs.numpy() == games.obs).all() and (mask.numpy() == games.action_mask).all()


def test_steps_write_into_tensors(game):
    games, twin = make(game, 5, seed=1), make(game, 5, seed=1)
    tensors = (
        torch.zeros((5, *games.obs_shape), dtype=torch.uint8),
        torch.zeros(5),
        torch.zeros(5, dtype=torch.bool),
        torch.zeros(5, dtype=torch.bool),
        torch.zeros((5, games.num_actions), dtype=torch.bool),
    )
    out = tuple(tensor.numpy() for tensor in tensors)
    for _ in range(30):
        games.random_step(out)
        assert snapshot(twin.random_step()) == snapshot(tuple(tensor.numpy() for tensor in tensors))


def test_a_tensor_of_actions(game):
    games, twin = make(game, 5, seed=1), make(game, 5, seed=1)
    for dtype in (torch.int64, torch.int32):
        actions = torch.from_numpy(games.sample().copy()).to(dtype)
        twin.sample()
        assert snapshot(games.step(actions)) == snapshot(twin.step(actions.numpy()))


def test_masked_logits_choose_legal_actions(game):
    games = make(game, 5, seed=1)
    mask = torch.from_dlpack(games.action_mask)
    for _ in range(20):
        logits = torch.randn(5, games.num_actions).masked_fill(~mask, -torch.inf)
        games.step(torch.distributions.Categorical(logits=logits).sample())


def test_maskable_ppo_learns_a_few_steps():
    sb3_contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib isn't installed")
    from bitcade.vector import BitcadeEnv
    from stable_baselines3.common.vec_env import DummyVecEnv

    def one() -> BitcadeEnv:
        return BitcadeEnv("2048", width=3, height=3, on_illegal="raise")

    for envs in (one(), DummyVecEnv([one, one])):
        model = sb3_contrib.MaskablePPO(
            "MlpPolicy", envs, n_steps=32, batch_size=16, n_epochs=1, seed=1, device="cpu"
        )
        # Raises on an illegal action.
        model.learn(96)


def test_frames_of_arrays_are_free(game):
    """An array of a batch outlives it."""
    obs = make(game, 5, seed=1).obs
    before = obs.copy()
    assert (np.asarray(torch.from_dlpack(obs)) == before).all()

"""TorchRL's environments against the batches they step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch isn't installed")
pytest.importorskip("torchrl", reason="TorchRL isn't installed")

from bitcade.torchrl import BitcadeEnv  # noqa: E402
from conftest import copies, make, refused, small  # noqa: E402
from tensordict import TensorDictBase  # noqa: E402
from tensordict.nn import TensorDictModule  # noqa: E402
from torchrl.collectors import Collector  # noqa: E402
from torchrl.envs import ActionMask, RewardSum, TransformedEnv, check_env_specs  # noqa: E402
from torchrl.modules import MaskedCategorical, ProbabilisticActor  # noqa: E402


def envs(name: str, num_envs: int = 5, **options: Any) -> BitcadeEnv:
    game, options = small(name, **options)
    return BitcadeEnv(game, num_envs, **options)


def actor(env: BitcadeEnv) -> ProbabilisticActor:
    """Return a policy that plays every legal move equally often."""

    def logits(observation: torch.Tensor) -> torch.Tensor:
        return torch.zeros(*observation.shape[:1], env.batch.num_actions)

    module = TensorDictModule(logits, ["observation"], ["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    return ProbabilisticActor(module, in_keys=keys, distribution_class=MaskedCategorical)


def check(data: TensorDictBase, twin: Any) -> int:
    """Play a rollout's actions in a batch, and compare each step; return the number of ended games."""
    ended, done = 0, np.zeros(len(data), bool)
    for step in data.unbind(1):
        if done.any():
            twin.reset_some(done)
        assert (step["observation"].numpy() == twin.obs).all()
        assert (step["action_mask"].numpy() == twin.action_mask).all()
        obs, reward, terminated, truncated, mask = twin.step(step["action"].numpy())
        following, done = step["next"], terminated | truncated
        mask = mask | done[:, None]
        assert (following["observation"].numpy() == obs).all() and (following["action_mask"].numpy() == mask).all()
        for name, expected in (
            ("reward", reward),
            ("done", done),
            ("terminated", terminated),
            ("truncated", truncated),
        ):
            assert following[name].dtype == torch.from_numpy(expected).dtype
            assert following[name].tolist() == [[value] for value in expected.tolist()]
        ended += done.sum()
    return ended


def test_the_specs_are_those_of_the_data(game):
    check_env_specs(envs(game), break_when_any_done="both")
    check_env_specs(TransformedEnv(envs(game), ActionMask()), break_when_any_done="both")
    check_env_specs(envs(game, num_envs=1), seed=3)


@pytest.mark.parametrize("options", [{}, {"max_episode_steps": 9}], ids=str)
def test_a_rollout_is_that_of_the_batch(game, options):
    torch.manual_seed(1)
    env = envs(game, seed=4, on_illegal="raise", **options)
    twin = make(game, 5, seed=4, autoreset_mode="Disabled", **options)
    data = env.rollout(120, actor(env), break_when_any_done=False)
    assert check(data, twin) > 5
    # The next rollout starts with the streams' next games.
    twin.reset()
    check(env.rollout(20, actor(env), break_when_any_done=False), twin)
    env.set_seed(9)
    twin.reset(9)
    check(env.rollout(20, actor(env), break_when_any_done=False), twin)


def test_random_actions_are_legal_behind_the_masks(game):
    torch.manual_seed(1)
    env = TransformedEnv(envs(game, seed=4, on_illegal="raise"), ActionMask())
    assert env.rollout(100, break_when_any_done=False)["next", "done"].sum() > 3
    assert env.rollout(1000, break_when_any_done=False, break_when_all_done=True)["next", "done"][:, -1].all()


def test_ended_games_wait_for_the_others(game):
    torch.manual_seed(1)
    env = envs(game, seed=4, on_illegal="raise")
    data = env.rollout(1000, actor(env), break_when_any_done=False, break_when_all_done=True)
    # Its ended games begin others at once; their actions mean nothing there.
    twin, live = make(game, 5, seed=4, on_illegal="noop"), np.ones(5, bool)
    for step in data.unbind(1):
        assert (step["observation"].numpy() == twin.obs)[live].all()
        assert (step["action_mask"].numpy() == twin.action_mask)[live].all()
        _, reward, terminated, truncated, _ = twin.step(step["action"].numpy())
        for name, expected in (("reward", reward), ("terminated", terminated), ("truncated", truncated)):
            assert (step["next", name].numpy()[:, 0] == expected)[live].all()
        live &= ~(terminated | truncated)
    assert data["next", "done"][:, -1].all() and not live.any() and data["next", "action_mask"].any(-1).all()
    # Waiting draws nothing from a game's stream: its next game is that of a game that didn't wait.
    first = int(data["next", "done"][0].int().argmax())
    alone = make(game, 1, seed=4, autoreset_mode="Disabled")
    for action in data["action"][0, : first + 1].tolist():
        alone.step([action])
    assert (env.reset()["observation"][0].numpy() == alone.reset()[0][0]).all()


def test_a_step_of_some_games(game):
    env = envs(game, seed=4, on_illegal="raise")
    data = env.reset().set("action", torch.from_numpy(env.batch.action_mask.argmax(1)))
    before, which = [env.get_state(place) for place in range(5)], torch.tensor([True, False, True, False, False])
    twin = make(game, 5, seed=4)
    reward, obs = twin.step(data["action"].numpy())[1], env.batch.obs.copy()
    after = env.step(data.clone().set("_step", which))["next"]
    moved = [env.get_state(place) != before[place] for place in range(5)]
    assert moved == which.tolist() and (after["reward"][:, 0].numpy() == np.where(which, reward, 0)).all()
    assert (after["observation"].numpy()[which] == twin.obs[which]).all()
    assert (after["observation"].numpy()[~which] == obs[~which]).all() and not after["done"][~which].any()
    # An error changes nothing, and the action of a game that waits may be anything.
    states = env.batch.get_states(list(range(5)))
    refused(env.step, data.clone().set("_step", which).set("action", torch.tensor([env.batch.num_actions] * 5)))
    assert env.batch.get_states(list(range(5))) == states
    env.step(data.clone().set("_step", ~which).set("action", torch.where(which, 9999, data["action"])))


def test_a_collector(game):
    torch.manual_seed(1)
    base = envs(game, seed=4, on_illegal="raise")
    twin = make(game, 5, seed=4, autoreset_mode="Disabled")
    env = TransformedEnv(base, RewardSum())
    collector = Collector(env, actor(base), frames_per_batch=5 * 40, total_frames=5 * 80)
    assert check(torch.cat([data.clone() for data in collector], 1), twin) > 3
    collector.shutdown()


def test_a_collector_of_random_legal_play(game):
    torch.manual_seed(1)
    env = TransformedEnv(envs(game, seed=4, on_illegal="raise"), ActionMask())
    collector = Collector(env, env.rand_action, frames_per_batch=5 * 40, total_frames=5 * 80)
    played = torch.cat([data.clone() for data in collector], 1)
    assert played["action_mask"].gather(2, played["action"].unsqueeze(2)).all() and played["next", "done"].any()
    collector.shutdown()


def test_copies_play_on(game):
    env = envs(game, seed=2)
    env.reset()
    actions = [int(one.argmax()) for one in env.batch.action_mask]
    for twin in copies(env):
        assert twin.batch is not env.batch and twin.get_state(3) == env.get_state(3)
        data = twin.step(twin.fake_tensordict().set("action", torch.tensor(actions)))
        assert twin.get_state(3) != env.get_state(3) and (data["next", "observation"].numpy() == twin.batch.obs).all()


def test_wrong_arguments():
    assert refused(BitcadeEnv, "2048", autoreset_mode="NextStep").startswith("TypeError: autoreset_mode: ")
    env = envs("2048", seed=1, on_illegal="raise")
    refused(env.set_seed, -1)
    data = env.reset()
    before = env.batch.obs.tobytes()
    refused(env.step, data.clone().set("action", torch.tensor([0, 1, 2, 3, 4])))
    assert env.batch.obs.tobytes() == before and data["observation"].numpy().tobytes() == before

"""TorchRL: an `EnvBase` over one batch, whose steps are written into the tensors of a `TensorDict`.

::

    from bitcade.torchrl import BitcadeEnv
    from torchrl.envs import ActionMask, TransformedEnv

    envs = TransformedEnv(BitcadeEnv("2048", num_envs=64, seed=1), ActionMask())
    data = envs.rollout(200, break_when_any_done=False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise ImportError("bitcade.torchrl needs torchrl: pip install 'bitcade[torchrl]'") from error

from ._native import State
from ._spaces import Copied, checked_seed, make_batch, observation_space

if TYPE_CHECKING:
    from ._games.entry import Batch

__all__ = ["BitcadeEnv"]


def _never_empty(mask: torch.Tensor) -> torch.Tensor:
    # A distribution without any action fails.
    return mask.logical_or_(~mask.any(1, keepdim=True))


class BitcadeEnv(Copied, EnvBase):
    """Many games of one kind as a batch-locked TorchRL environment.

    Entries: `observation` and `action_mask` (bool), `action` (int64), `reward` (float32), `done`, `terminated` and
    `truncated` (bool). Ended games wait for `maybe_reset` or `step_and_maybe_reset`, which
    `rollout(break_when_any_done=False)` and the collectors call; so `("next", "observation")` is always the result of
    the action. With `rollout(break_when_all_done=True)` they wait for the others: TorchRL asks for their actions, too, so
    all actions of an ended game are True in `action_mask`, and the game ignores them.

    `set_seed(s)` makes the next `reset` start the games of seed `s`. In TorchRL's transform `ActionMask`, the actions of
    `rand_action` are legal; so are those of a `MaskedCategorical` with the mask. A collector without a policy doesn't look
    at the mask: give it the transformed environment's `rand_action` as its policy to collect random legal play.

    Args:
        game: The name of a game, such as `2048` or `match3`.
        num_envs: The number of games, the environment's batch size.
        seed: The seed of the first games, or a list with one per game; `None` for fresh entropy.
        device: The device of the tensors. The games themselves stay on the CPU.
        on_illegal: `noop`, because random actions without `ActionMask` may be illegal, or `raise` or `terminate`.
        options: Further arguments of `Batch`, except `autoreset_mode`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seed: int | list[int] | None = None,
        device: torch.device | str = "cpu",
        on_illegal: str = "noop",
        **options: Any,
    ) -> None:
        if "autoreset_mode" in options:
            raise TypeError("autoreset_mode: no option, because TorchRL restarts the games that have ended")
        options |= {"seed": seed, "on_illegal": on_illegal, "autoreset_mode": "Disabled"}
        batch = make_batch(game, num_envs, options)
        super().__init__(device=device, batch_size=(num_envs,))
        self.game = game
        self.batch: Batch = batch
        # For the next reset of all games.
        self._games_seed: int | list[int] | None = batch.seed
        space, n, actions = observation_space(game, batch, options), num_envs, batch.num_actions
        low, high = (torch.from_numpy(bound).expand(n, *space.shape).clone() for bound in (space.low, space.high))
        self.observation_spec = Composite(
            observation=Bounded(low, high, shape=low.shape, dtype=low.dtype, device=device),
            action_mask=Binary(actions, shape=(n, actions), dtype=torch.bool, device=device),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, shape=(n,), device=device)
        self.reward_spec = Unbounded((n, 1), device=device)
        ends = {
            name: Categorical(2, shape=(n, 1), dtype=torch.bool, device=device)
            for name in ("done", "terminated", "truncated")
        }
        self.done_spec = Composite(ends, shape=(n,))

    def _set_seed(self, seed: int | None) -> None:
        self._games_seed = checked_seed(seed)

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDict:
        which = None if tensordict is None else tensordict.get("_reset", None)
        if which is None:
            self.batch.reset(self._games_seed)
            self._games_seed = None
        else:
            self.batch.reset_some(which.view(-1).cpu().numpy())
        obs, mask = torch.from_numpy(self.batch.obs.copy()), torch.from_numpy(self.batch.action_mask.copy())
        return self._result({"observation": obs, "action_mask": _never_empty(mask)})

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        batch, n = self.batch, self.num_envs
        reward = torch.empty((n, 1), dtype=torch.float32)
        terminated, truncated = (torch.empty((n, 1), dtype=torch.bool) for _ in range(2))
        obs = torch.from_numpy(np.empty_like(batch.obs))
        mask = torch.empty((n, batch.num_actions), dtype=torch.bool)
        flat = (reward.view(n), terminated.view(n), truncated.view(n))
        out: Any = tuple(tensor.numpy() for tensor in (obs, *flat, mask))
        actions, which = tensordict["action"].cpu().numpy(), tensordict.get("_step", None)
        if which is None:
            batch.step(actions, out)
        else:
            which = which.view(n, 1).cpu()
            self._step_some(actions, which.view(n).numpy(), out)
            for name, flag in (("terminated", terminated), ("truncated", truncated)):
                flag[~which] = tensordict[name].cpu()[~which]
        return self._result(
            {
                "observation": obs,
                "action_mask": _never_empty(mask),
                "reward": reward,
                "done": terminated | truncated,
                "terminated": terminated,
                "truncated": truncated,
            }
        )

    def _step_some(self, actions: np.ndarray, which: np.ndarray, out: Any) -> None:
        # The others play any step, too, and then get their states back.
        batch, others = self.batch, np.flatnonzero(~which)
        states = batch.get_states(others.tolist())
        batch.reset_some(~which)
        try:
            batch.step(np.where(which, actions, batch.action_mask.argmax(1)), out)
        finally:
            batch.set_states(others.tolist(), states)
        obs, reward, _, _, mask = out
        obs[others], reward[others], mask[others] = batch.obs[others], 0, batch.action_mask[others]

    def _result(self, entries: dict[str, torch.Tensor]) -> TensorDict:
        return TensorDict(entries, self.batch_size).to(self.device)

    @property
    def num_envs(self) -> int:
        """The number of games."""
        return self.batch.num_envs

    def get_state(self, game: int) -> State:
        """Return a snapshot of one game: its position, random stream and step count."""
        return self.batch.get_state(game)

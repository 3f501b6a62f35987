"""Train a 2048 player with Tianshou's PPO and a masked actor, on 64 single environments.

    pip install 'bitcade[gymnasium]' tianshou
    python train_tianshou.py

Tianshou's collector resets and steps environments one by one, so they are the Gymnasium ones in a `DummyVectorEnv`,
not a batch. Prints the mean score of new games by the trained player, which samples its moves, and of random legal
moves, and the environments' share of the CPU time:

    learned 4789 in 1000 new games, random 1102; 400000 steps in 81 CPU s, 9.6 % of them in the environment

That was seed 1 on one core of an AMD EPYC (Zen 4) shared with other programs; seeds 2 and 3 reached 4920
and 4610.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import Tensor, nn
from torch.nn import functional as F

import bitcade
from bitcade.shards import Job, run_local
from bitcade.vector import BitcadeEnv

GAMES, STEPS, MINIBATCH, EPOCHS = 64, 64, 1024, 3
GOAL = 3500
"""For `--check`."""


class Timed(DummyVectorEnv):
    """Adds up the CPU seconds of the steps."""

    seconds = 0.0

    def step(self, *arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        result = super().step(*arguments, **options)
        self.seconds += time.process_time() - start
        return result


class Network(nn.Sequential):
    """Maps dictionary observations to logits of the legal moves, or to a value."""

    def __init__(self, outputs: int) -> None:
        super().__init__(nn.Linear(16 * 16, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, outputs))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        ranks = torch.as_tensor(np.asarray(obs["observations"])).clamp(max=15).long()
        out = super().forward(F.one_hot(ranks, 16).flatten(1).float())
        if out.shape[1] == 1:
            return out
        mask = torch.as_tensor(np.asarray(obs["action_mask"]), dtype=torch.bool)
        return out.masked_fill(~mask, -1e9), state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="fail if the mean score is below GOAL")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)

    def make() -> BitcadeEnv:
        return BitcadeEnv("2048", dict_observation=True)

    def categorical(logits: Tensor) -> torch.distributions.Categorical:
        return torch.distributions.Categorical(logits=logits)

    envs = Timed([make] * GAMES)
    player = PPO(
        policy=ProbabilisticActorPolicy(
            actor=Network(4), dist_fn=categorical, action_space=make().action_space, action_scaling=False
        ),
        critic=Network(1),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.99,
        gae_lambda=0.9,
        max_grad_norm=1.0,
        return_scaling=True,
    )
    collector = Collector(player, envs, VectorReplayBuffer(GAMES * STEPS, GAMES))
    collector.reset(gym_reset_kwargs={"seed": options.seed})
    ended: list[float] = []
    start = time.process_time()
    for number in range(options.steps // (GAMES * STEPS)):
        with policy_within_training_step(player.policy):
            ended += collector.collect(n_step=GAMES * STEPS).returns.tolist()
            player.update(collector.buffer, batch_size=MINIBATCH, repeat=EPOCHS)
        collector.reset_buffer(keep_statistics=True)
        if number % 20 == 19:
            print(f"{(number + 1) * GAMES * STEPS:8} steps  mean score {np.mean(ended[-1000:]):.0f}", flush=True)
    seconds = time.process_time() - start

    @torch.no_grad()
    def sampled(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        logits, _ = player.policy.actor({"observations": obs, "action_mask": action_mask})
        return categorical(logits).sample().numpy()

    rules = {"game": "2048", "num_envs": 500}
    new = run_local(Job("evaluate", rules, games=1000, shard_games=1000, policy=sampled)).cases[0]
    score, random = new.mean("return"), bitcade.g2048.playouts(10_000)["mean_score"]
    print(
        f"learned {score:.0f} in {new.games} new games, random {random:.0f};"
        f" {options.steps} steps in {seconds:.0f} CPU s, {100 * envs.seconds / seconds:.1f} % of them in the environment"
    )
    if options.check and score < GOAL:
        raise SystemExit(f"the goal is {GOAL}")


if __name__ == "__main__":
    main()

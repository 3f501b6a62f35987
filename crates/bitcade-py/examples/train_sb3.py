"""Train a 2048 player with sb3-contrib's MaskablePPO, on a `VecEnv` of 64 games.

    pip install 'bitcade[sb3]'
    python train_sb3.py

Prints the environment's share of the CPU time, and the mean score of new games by the trained player, which samples its
moves, and by random legal moves:

    1000000 steps in 101 CPU s; the environment's share is 2.5 %
    learned 4868, random 1102

That was seed 1 on one core of an AMD EPYC (Zen 4) shared with other programs.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

import bitcade
from bitcade.sb3 import BitcadeVecEnv


class Timed(VecMonitor):
    """Adds up the CPU seconds of the steps."""

    seconds = 0.0

    def step_wait(self) -> Any:
        start = time.process_time()
        result = super().step_wait()
        self.seconds += time.process_time() - start
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)

    games = Timed(BitcadeVecEnv("2048", 64, one_hot=True, on_illegal="raise"))
    # Rewards are the points; only their scale in training is changed.
    player = MaskablePPO(
        "MlpPolicy",
        VecNormalize(games, norm_obs=False, gamma=0.99),
        n_steps=64,
        batch_size=1024,
        n_epochs=3,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 128]},
        seed=options.seed,
        device="cpu",
    )
    start = time.process_time()
    player.learn(options.steps)
    seconds = time.process_time() - start
    share = games.seconds / seconds
    print(f"{options.steps} steps in {seconds:.0f} CPU s; the environment's share is {100 * share:.1f} %")

    new = VecMonitor(BitcadeVecEnv("2048", 64, one_hot=True, on_illegal="raise"))
    new.seed(10**6)
    score, _ = evaluate_policy(player, new, 256, deterministic=False)
    print(f"learned {score:.0f}, random {bitcade.g2048.playouts(10_000)['mean_score']:.0f}")


if __name__ == "__main__":
    main()

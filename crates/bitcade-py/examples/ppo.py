"""Learn 2048 by PPO with action masks: one file, PyTorch on the CPU.

    pip install bitcade torch
    python ppo.py --minutes 2

The structure follows CleanRL's ppo.py: hundreds of games are stepped together in one batch, and the loop over their
steps is here, not in a library. A move is valued on the board rotated so that it becomes a move to the left, so what is
learned for one direction applies to all four.

Every ten CPU seconds a line shows steps and the mean score of the last 1,000 finished games, whose moves were drawn from
the policy. Finally the policy plays new games, always with its most probable legal move, and its mean score stands beside
that of random moves. `--check` fails below four times the latter.
"""

from __future__ import annotations

import argparse
import time
from collections import deque

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import bitcade

GAMES, STEPS, EPOCHS, MINIBATCH = 256, 32, 2, 512
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, LEARNING_RATE = 0.99, 0.9, 0.2, 0.02, 0.1, 1e-3


class Net(nn.Module):
    """Policy and value, equivariant under rotation: rotating the board permutes the logits."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(256, 2 * hidden), nn.ReLU(), nn.Linear(2 * hidden, hidden), nn.ReLU())
        self.head = nn.Linear(hidden, 2)
        # All legal actions are equally likely at first, and all values 0.
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, boards: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Map ranks (n, 4, 4) and action masks (n, 4) to log-probabilities (n, 4) and values (n,)."""
        # For left, right, up, down in this order: the board rotated to make the move a move to the left.
        turned = torch.stack([boards.clamp(max=15).long().rot90(turns, (1, 2)) for turns in (0, 2, 1, 3)], 1)
        logits, values = self.head(self.body(F.one_hot(turned, 16).flatten(2).float())).unbind(2)
        return torch.log_softmax(logits.masked_fill(~mask, -1e9), 1), values.mean(1)


def learn(net: Net, minutes: float, seed: int) -> None:
    """Play and learn for some minutes of CPU time."""
    optimizer = torch.optim.Adam(net.parameters(), lr=LEARNING_RATE, eps=1e-5)
    games = bitcade.g2048.Batch(GAMES, seed=seed)
    scores, finished = np.zeros(GAMES), deque[float](maxlen=1000)
    boards = torch.zeros((STEPS, GAMES, 4, 4), dtype=torch.uint8)
    masks = torch.zeros((STEPS, GAMES, 4), dtype=torch.bool)
    actions = torch.zeros((STEPS, GAMES), dtype=torch.long)
    old, values, rewards, going_on, advantages = (torch.zeros((STEPS, GAMES)) for _ in range(5))
    start, printed, steps, done = time.process_time(), 0.0, 0, 0.0
    obs, mask = games.obs, games.action_mask
    while done < 1:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * max(1 - done, 0.02)
        for step in range(STEPS):
            # Copies: the next step overwrites the batch's arrays.
            boards[step], masks[step] = torch.from_numpy(obs), torch.from_numpy(mask)
            with torch.no_grad():
                logs, values[step] = net(boards[step], masks[step])
            drawn = torch.multinomial(logs.exp(), 1)
            actions[step], old[step] = drawn[:, 0], logs.gather(1, drawn)[:, 0]
            obs, points, terminated, _, mask = games.step(actions[step].numpy())
            # Square roots: otherwise rare merges of large tiles would dominate.
            rewards[step], going_on[step] = torch.from_numpy(np.sqrt(points) / 10), torch.from_numpy(~terminated)
            scores += points
            finished.extend(scores[terminated])
            scores[terminated] = 0

        # Generalized advantage estimation, backward from the last step.
        with torch.no_grad():
            _, following = net(torch.from_numpy(obs), torch.from_numpy(mask))
        advantage = torch.zeros(GAMES)
        for step in reversed(range(STEPS)):
            error = rewards[step] + GAMMA * following * going_on[step] - values[step]
            advantage = error + GAMMA * LAMBDA * going_on[step] * advantage
            advantages[step], following = advantage, values[step]
        data = [part.flatten(0, 1) for part in (boards, masks, actions, old, advantages, advantages + values)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * GAMES).split(MINIBATCH):
                board, legal, action, before, advantage, target = (part[rows] for part in data)
                logs, value = net(board, legal)
                ratio = (logs.gather(1, action[:, None])[:, 0] - before).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                policy_loss = -torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
                entropy = -(logs.exp() * logs).sum(1).mean()
                loss = policy_loss + VALUE * F.mse_loss(value, target) / 2 - ENTROPY * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 10)
                optimizer.step()

        steps += STEPS * GAMES
        cpu = time.process_time() - start
        done = cpu / (60 * minutes)
        if finished and (cpu - printed >= 10 or done >= 1):
            printed = cpu
            print(f"{cpu:6.0f} CPU s {steps:9d} steps  mean score {np.mean(finished):6.0f}", flush=True)


@torch.no_grad()
def evaluate(net: Net, n: int, seed: int) -> np.ndarray:
    """Play new games to the end, always the most probable legal move; return their scores."""
    games = bitcade.g2048.Batch(n, seed=seed)
    scores, over = np.zeros(n), np.zeros(n, bool)
    while not over.all():
        logs, _ = net(torch.from_numpy(games.obs), torch.from_numpy(games.action_mask))
        _, points, terminated, _, _ = games.step(logs.argmax(1).numpy())
        # A place goes on with its next game, which doesn't count.
        scores += np.where(over, 0, points)
        over |= terminated
    return scores


def main() -> None:
    """Learn, and compare with random play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2, help="CPU minutes to learn (default 2)")
    parser.add_argument("--games", type=int, default=2000, help="games to evaluate on (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network (default 1)")
    parser.add_argument("--check", action="store_true", help="fail below four times the random score")
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    net = Net()
    learn(net, args.minutes, args.seed)
    # A seed never used in training: a batch's games depend only on its seed.
    scores = evaluate(net, args.games, args.seed + 1_000_000)
    mean, random = scores.mean(), bitcade.g2048.playouts(10_000)["mean_score"]
    error = scores.std(ddof=1) / len(scores) ** 0.5
    print(
        f"learned {mean:.0f} +- {error:.0f} in {len(scores)} new games, random {random:.0f}:"
        f" {mean / random:.1f} times as many points"
    )
    if args.check and mean < 4 * random:
        raise SystemExit(f"the goal is {4 * random:.0f}")


if __name__ == "__main__":
    main()

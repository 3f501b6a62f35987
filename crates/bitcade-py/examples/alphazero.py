"""Train a Go player on a small board by self-play with tree search, as AlphaZero does: one file, PyTorch on the CPU.

    pip install bitcade torch
    python alphazero.py --size 5 --minutes 5

Hundreds of games are searched together. Every node of their search trees keeps a `State`. To expand a leaf of each
tree, `set_states` puts the leaves' parents into a second batch, one step plays the moves that lead to the leaves,
`get_states` takes the new positions out, and the network values all of them in one call. The visits of the root's
moves become the policy's target, and the result of the game the value's.

After each round of self-play a line shows CPU seconds, the number of games and positions, and the losses of policy and
value. Finally the network plays against random legal moves, half of the games with each color, and the program prints
the share that it won:

    against random: won 100.0 % of 200 games

`--check` fails below 95 %.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections import deque

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import bitcade

Example = tuple[np.ndarray, np.ndarray, float]
"""An observation, the policy's target, and the result for the player to move."""


class Net(nn.Module):
    """Policy and value: convolutions with residual connections."""

    def __init__(self, size: int, planes: int, channels: int = 48, blocks: int = 3) -> None:
        super().__init__()
        self.first = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.passing = nn.Linear(channels, 1)
        self.value = nn.Sequential(nn.Linear(channels * size * size, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Map observations of shape (n, planes, size, size) to logits (n, size * size + 1) and values (n,)."""
        x = F.relu(self.first(obs.float()))
        for block in self.blocks:
            x = F.relu(x + block(x))
        logits = torch.cat([self.policy(x).flatten(1), self.passing(x.mean((2, 3)))], 1)
        return logits, self.value(x.flatten(1)).squeeze(1)

    @torch.inference_mode()
    def evaluate(self, obs: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the probabilities of the legal actions, and the values for the players to move."""
        logits, value = self(torch.from_numpy(obs))
        logits = logits.masked_fill(~torch.from_numpy(mask), -1e9)
        return torch.softmax(logits, 1).numpy(), value.numpy()


class Node:
    """A position in a search tree, with the statistics of its legal actions."""

    __slots__ = ("actions", "children", "end", "prior", "state", "total", "visits")

    def __init__(self, state: bitcade.State, prior: np.ndarray, mask: np.ndarray, end: float | None = None) -> None:
        #: The result for the player to move if the game is over.
        self.end = end
        self.state = state
        self.actions = np.flatnonzero(mask)
        self.prior = prior[self.actions]
        self.visits = np.zeros(len(self.actions))
        self.total = np.zeros(len(self.actions))
        self.children: list[Node | None] = [None] * len(self.actions)

    def best(self) -> int:
        """Return the index of the action with the largest upper confidence bound (PUCT)."""
        visits = self.visits
        # An action that was never tried counts as a loss by a little.
        value = np.divide(self.total, visits, out=np.full(len(visits), -0.2), where=visits > 0)
        return int(np.argmax(value + 1.5 * np.sqrt(visits.sum() + 1) * self.prior / (1 + visits)))


class Search:
    """Search trees of many games, grown together."""

    def __init__(self, net: Net, games: bitcade.go.Batch, rng: np.random.Generator) -> None:
        self.net, self.rng = net, rng
        self.expanded = copy.copy(games)

    def visits(self, games: bitcade.go.Batch, places: np.ndarray, simulations: int, noise: float) -> np.ndarray:
        """Search the positions of these games; return their visits per action: (places, actions)."""
        mask = games.action_mask[places]
        prior, _ = self.net.evaluate(games.obs[places], mask)
        roots = [Node(*root) for root in zip(games.get_states(places), prior, mask, strict=True)]
        for root in roots:
            random = self.rng.dirichlet(np.full(len(root.actions), 10 / len(root.actions)))
            root.prior = (1 - noise) * root.prior + noise * random
        for _ in range(simulations):
            self.simulate(roots)
        visits = np.zeros(mask.shape)
        for root, row in zip(roots, visits, strict=True):
            row[root.actions] = root.visits
        return visits

    def simulate(self, roots: list[Node]) -> None:
        """Grow each tree by one leaf."""
        leaves = []
        for path in map(self.descend, roots):
            parent, at = path[-1]
            if (child := parent.children[at]) is None:
                leaves.append(path)
            else:
                self.back_up(path, child.end)
        if not leaves:
            return
        places, games = np.arange(len(leaves)), self.expanded
        games.set_states(places, [path[-1][0].state for path in leaves])
        # The other games pass: their positions don't matter.
        actions = np.full(games.num_envs, games.num_actions - 1, np.int32)
        actions[places] = [parent.actions[at] for (parent, at) in (path[-1] for path in leaves)]
        obs, reward, terminated, truncated, mask = games.step(actions)
        prior, value = self.net.evaluate(obs[places], mask[places])
        for i, (path, state) in enumerate(zip(leaves, games.get_states(places), strict=True)):
            # The reward is that of the player who moved, the value that of the next one.
            end = -float(reward[i]) if terminated[i] or truncated[i] else None
            parent, at = path[-1]
            parent.children[at] = Node(state, prior[i], mask[i], end)
            self.back_up(path, float(value[i]) if end is None else end)

    @staticmethod
    def descend(root: Node) -> list[tuple[Node, int]]:
        """Return the nodes and actions from the root to a leaf to expand, or to the end of a game."""
        path, node = [], root
        while node and node.end is None:
            at = node.best()
            path.append((node, at))
            node = node.children[at]
        return path

    @staticmethod
    def back_up(path: list[tuple[Node, int]], value: float) -> None:
        """Add a leaf's value, for the player to move there, to the actions that led to it."""
        for node, at in reversed(path):
            value = -value
            node.visits[at] += 1
            node.total[at] += value


def batch(size: int, games: int, rng: np.random.Generator) -> bitcade.go.Batch:
    """Return games for both colors."""
    # Search.simulate passes in games that are over, too.
    return bitcade.go.Batch(
        games, size=size, seed=int(rng.integers(2**63)), autoreset_mode="NextStep", on_illegal="noop"
    )


def self_play(net: Net, size: int, games: int, simulations: int, rng: np.random.Generator) -> list[Example]:
    """Play games to their ends; return an example for each of their positions."""
    envs = batch(size, games, rng)
    search, playing = Search(net, envs, rng), np.ones(games, dtype=bool)
    histories: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(games)]
    examples: list[Example] = []
    while playing.any():
        places = np.flatnonzero(playing)
        policies = search.visits(envs, places, simulations, noise=0.25) / simulations
        actions = envs.sample().copy()
        for place, policy in zip(places, policies, strict=True):
            in_opening = len(histories[place]) < size * size // 3
            actions[place] = rng.choice(len(policy), p=policy) if in_opening else policy.argmax()
            histories[place].append((envs.obs[place].copy(), policy.astype(np.float32)))
        _, reward, terminated, truncated, _ = envs.step(actions)
        for place in np.flatnonzero(playing & (terminated | truncated)):
            result = float(reward[place])
            for obs, policy in reversed(histories[place]):
                examples.append((obs, policy, result))
                result = -result
            playing[place] = False
    return examples


def turned(size: int, obs: Tensor, policy: Tensor, symmetry: int) -> tuple[Tensor, Tensor]:
    """Rotate, and perhaps mirror, observations and policies."""
    board = policy[:, :-1].unflatten(1, (size, size)).rot90(symmetry % 4, (1, 2))
    obs = obs.rot90(symmetry % 4, (2, 3))
    if symmetry >= 4:
        obs, board = obs.flip(3), board.flip(2)
    return obs, torch.cat([board.flatten(1), policy[:, -1:]], 1)


def learn(
    net: Net, optimizer: torch.optim.Optimizer, size: int, examples: list[Example], steps: int, rng: np.random.Generator
) -> np.ndarray:
    """Train on random examples; return the mean losses of policy and value."""
    losses = []
    for _ in range(steps):
        chosen = [examples[i] for i in rng.integers(len(examples), size=256)]
        obs, policy, result = (torch.from_numpy(np.stack(part)) for part in zip(*chosen, strict=True))
        obs, policy = turned(size, obs, policy, int(rng.integers(8)))
        logits, value = net(obs)
        policy_loss = -(policy * torch.log_softmax(logits, 1)).sum(1).mean()
        value_loss = F.mse_loss(value, result.float())
        optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        optimizer.step()
        losses.append((policy_loss.item(), value_loss.item()))
    return np.mean(losses, axis=0)


def against_random(net: Net, size: int, games: int, simulations: int, rng: np.random.Generator) -> float:
    """Return the share of games won against random legal moves, with Black in the first half of the games."""
    envs = batch(size, games, rng)
    search, playing, wins = Search(net, envs, rng), np.ones(games, dtype=bool), 0
    black = np.arange(games) < games // 2
    while playing.any():
        ours = (envs.to_move() == 0) == black
        actions = envs.sample().copy()
        places = np.flatnonzero(playing & ours)
        actions[places] = search.visits(envs, places, simulations, noise=0).argmax(1)
        _, reward, terminated, truncated, _ = envs.step(actions)
        ended = playing & (terminated | truncated)
        wins += int((np.where(ours, reward, -reward)[ended] > 0).sum())
        playing &= ~ended
    return wins / games


def main() -> None:
    """Train, and play against random moves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, choices=(5, 7, 9), default=5, help="size of the board (default 5)")
    parser.add_argument("--minutes", type=float, default=5, help="CPU minutes of training (default 5)")
    parser.add_argument("--games", type=int, default=128, help="games per round of self-play (default 128)")
    parser.add_argument("--simulations", type=int, default=32, help="leaves per move (default 32)")
    parser.add_argument("--evaluate", type=int, default=200, help="games against random moves (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network (default 1)")
    parser.add_argument("--check", action="store_true", help="fail below 95 %% against random moves")
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    net = Net(args.size, bitcade.go.Batch(1, size=args.size).obs_shape[0])
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    rng = np.random.default_rng(args.seed)
    rounds: deque[list[Example]] = deque(maxlen=12)
    start, cpu, games = time.process_time(), 0.0, 0
    while cpu < 60 * args.minutes:
        rounds.append(self_play(net, args.size, args.games, args.simulations, rng))
        examples = [example for played in rounds for example in played]
        # Each position is used about four times while it is kept.
        policy, value = learn(net, optimizer, args.size, examples, max(1, 4 * len(rounds[-1]) // 256), rng)
        games += args.games
        cpu = time.process_time() - start
        print(
            f"{cpu:6.0f} CPU s  {games:6d} games  {len(examples):6d} positions"
            f"  policy {policy:.3f}  value {value:.3f}",
            flush=True,
        )
    # A seed never used in training.
    rng = np.random.default_rng(args.seed + 1_000_000)
    share = against_random(net, args.size, args.evaluate, args.simulations, rng)
    print(f"against random: won {100 * share:.1f} % of {args.evaluate} games")
    if args.check and share < 0.95:
        raise SystemExit("the goal is 95 %")


if __name__ == "__main__":
    main()

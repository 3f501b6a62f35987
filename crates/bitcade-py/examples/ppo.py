"""Train a player for 2048 or match-3 by PPO with action masks: one file, PyTorch on the CPU.

    pip install bitcade torch
    python ppo.py --game 2048 --minutes 5 --out curve.json --plot curve.svg
    python ppo.py --game match3-8x8 --minutes 5
    python ppo.py --game match3-5x5 --minutes 5

The games are 2048 on 4x4, and match-3 with 6 colors and 30 moves on 8x8 and on 5x5, where points are scarcer. On 5x5
the network sees not only the board but also the points of each swap before the refill (`hints`), like the greedy
player. It has to learn what the refill adds and which boards are good to leave. `--hints` and `--no-hints` override
this. During training, a line every 10 seconds shows wall-clock and CPU seconds, steps, the mean score of the last
1,000 finished games (moves sampled from the policy), the policy's entropy, and the value function's explained variance
of the returns; then one shows the environment's share of the CPU time. Finally the policy plays new games, always with
its most probable legal move. It is compared with random legal play and, in match-3, with the greedy player, which makes
the swap with the most points. Means come with their standard errors:

    random     1585.2 +- 6.9
    greedy     2054.6 +- 9.0
    learned     2160.3 +- 9.8    1.36 x random, 1.05 x greedy

That was match-3 on 5x5 after 3.6 CPU minutes on one thread.

`--out` writes the learning curve and these results as JSON; `--plot` draws the curve as an SVG, or as a PNG with
matplotlib.

The structure follows CleanRL's ppo.py. Three things make it fast enough for a CPU:
- The networks build in the games' symmetries. A 2048 move is evaluated on the board rotated to make it a move to the
  left; a swap is evaluated by convolutions over "which nearby cells have my color", whichever color that is.
- Hundreds of games are stepped together, at a small cost compared with the network's.
- Match-3 uses a strong discount, because a swap scores immediately.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import bitcade

Games = bitcade.g2048.Batch | bitcade.match3.Batch
Point = dict[str, float | None]
"""A point of the learning curve."""


class Net2048(nn.Module):
    """Policy and value for 2048, equivariant under rotation: rotating the board permutes the logits."""

    RANKS = 16

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(16 * self.RANKS, 2 * hidden), nn.ReLU(), nn.Linear(2 * hidden, hidden), nn.ReLU()
        )
        self.head = layer_of_zeros(nn.Linear(hidden, 2))

    def forward(self, obs: Tensor, hints: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Map ranks of shape (n, 4, 4) to logits of shape (n, 4) and values of shape (n,)."""
        ranks = obs.clamp(max=self.RANKS - 1).long()
        # For left, right, up, down in this order: the board rotated to make the move a move to the left.
        turned = [ranks.rot90(turns, (1, 2)) for turns in (0, 2, 1, 3)]
        planes = F.one_hot(torch.stack(turned, 1), self.RANKS).flatten(2).float()
        logit, value = self.head(self.body(planes)).unbind(2)
        return logit, value.mean(1)


class NetMatch3(nn.Module):
    """Policy and value for match-3, invariant under permutations of the colors.

    Plane k is 1 where a cell has the same color as the cell at offset k from it. Convolutions over these planes end in
    two maps, the logits of swaps to the right and of swaps down, so what is learned at one position applies to all. The
    value also sees the moves left, which limit the points still to come.
    """

    REACH = 3
    OFFSETS = [(y, x) for y in range(4) for x in range(-3, 4) if (y or x > 0) and y + abs(x) <= 3]

    def __init__(self, channels: int, layers: int, hints: bool = False) -> None:
        super().__init__()
        self.hints = hints
        widths = [len(self.OFFSETS) + 1 + 2 * hints] + [channels] * layers
        convolutions: list[nn.Module] = []
        for inputs, outputs in zip(widths, widths[1:]):
            convolutions += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]
        self.body = nn.Sequential(*convolutions)
        self.policy = layer_of_zeros(nn.Conv2d(channels, 2, 1))
        self.value = nn.Sequential(nn.Linear(channels + 1, 64), nn.ReLU(), layer_of_zeros(nn.Linear(64, 1)))
        self.trust = nn.Parameter(torch.tensor(1.0))
        """The weight of a swap's points in its logit. Initially 1, so an untrained policy prefers them."""

    def forward(self, obs: Tensor, hints: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Map observations of shape (n, 2, height, width) to logits (n, actions) and values (n,).

        `hints` (n, actions) are the points of each swap; they form two more input planes, and add to the logits.
        """
        colors, left = obs[:, 0], obs[:, 1, 0, :1].float()
        planes = self.planes(colors)
        if self.hints:
            # Zero if they are unknown.
            hints = torch.zeros(1, 1) if hints is None else hints / 50
            planes = torch.cat([planes, self.maps(hints, colors)], 1)
        features = self.body(planes)
        right, down = self.policy(features).unbind(1)
        logits = self.actions(right, down)
        if self.hints:
            logits = logits + self.trust * hints
        # With the strong discount, only the last few moves matter: hence the exponential.
        board = torch.cat([features.mean((2, 3)), (-left / 3).exp()], 1)
        return logits, self.value(board).squeeze(1)

    @staticmethod
    def maps(actions: Tensor, colors: Tensor) -> Tensor:
        """Scatter values per action to two maps (n, 2, height, width): swaps to the right, and swaps down."""
        (n, height, width) = colors.shape
        border = height * (width - 1)
        actions = actions.expand(n, 2 * height * width - height - width)
        right = F.pad(actions[:, :border].reshape(n, height, width - 1), (0, 1))
        down = F.pad(actions[:, border:].reshape(n, height - 1, width), (0, 0, 0, 1))
        return torch.stack([right, down], 1)

    def planes(self, colors: Tensor) -> Tensor:
        """Return the input planes: (n, planes, height, width)."""
        (height, width), reach = colors.shape[1:], self.REACH
        padded = F.pad(colors, (reach, reach, 0, reach))
        planes = [
            padded[:, y : y + height, reach + x : reach + x + width] == colors for y, x in self.OFFSETS
        ]
        # The last plane is 1 on the board, to distinguish it from the convolutions' zero padding.
        planes.append(torch.ones_like(planes[0]))
        return torch.stack(planes, 3).float().permute(0, 3, 1, 2)

    @staticmethod
    def actions(right: Tensor, down: Tensor) -> Tensor:
        """Flatten two maps in the order of the actions: swaps to the right row by row, then swaps down."""
        return torch.cat([right[:, :, :-1].flatten(1), down[:, :-1].flatten(1)], 1)


def layer_of_zeros(layer: nn.Linear | nn.Conv2d) -> nn.Module:
    """Zero a last layer, so initially all legal actions are equally likely and all values 0."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


@dataclass(frozen=True)
class Setup:
    """A game and its training settings."""

    games: type[Games]
    rules: dict[str, int]
    net: Callable[[], nn.Module]
    num_envs: int
    """Games stepped together."""
    rollout: int
    """Steps per game between two updates."""
    gamma: float
    hints: bool = False
    """Whether the network sees the points of each swap."""
    learning_rate: float = 1e-3
    gae_lambda: float = 0.9
    epochs: int = 2
    minibatch: int = 512
    clip: float = 0.2
    entropy: float = 0.02
    value: float = 0.1
    max_grad_norm: float = 10


def match3(side: int, hints: bool) -> Setup:
    """Return the settings for match-3 on a square board."""
    return Setup(
        games=bitcade.match3.Batch,
        rules={"width": side, "height": side, "colors": 6, "moves": 30},
        net=lambda: NetMatch3(32, 3, hints=hints),
        hints=hints,
        num_envs=512,
        rollout=8,
        gamma=0.7,
        gae_lambda=0.2,
    )


SETUPS = {
    "2048": Setup(bitcade.g2048.Batch, {}, lambda: Net2048(128), num_envs=256, rollout=32, gamma=0.99),
    "match3-8x8": match3(8, hints=False),
    "match3-5x5": match3(5, hints=True),
}

GOALS = {"2048": ("random", 2.0), "match3-8x8": ("random", 1.5), "match3-5x5": ("greedy", 1.0)}
"""Per game, a player and a factor: training must beat factor x its mean by two standard errors."""


def log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Return the log-probabilities of the actions; illegal ones get practically zero probability."""
    return torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)


@torch.no_grad()
def evaluate(net: nn.Module, setup: Setup, games: int, seed: int) -> np.ndarray:
    """Return the scores of complete games that always play the most probable legal move."""
    envs = setup.games(games, seed=seed, **setup.rules)
    obs, mask = envs.obs, envs.action_mask
    scores, playing = np.zeros(games), np.ones(games, dtype=bool)
    while playing.any():
        # Games that are over restart and play on at random, uncounted.
        actions = envs.sample()
        places = np.flatnonzero(playing)
        hints = torch.from_numpy(envs.hints()[places]) if setup.hints else None
        logits, _ = net(torch.from_numpy(obs[places]), hints)
        best = log_probabilities(logits, torch.from_numpy(mask[places])).argmax(1)
        actions[places] = best.numpy()
        obs, reward, terminated, truncated, mask = envs.step(actions)
        scores[playing] += reward[playing]
        playing &= ~(terminated | truncated)
    return scores


def baselines(game: str, games: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the mean score and standard error of each baseline player."""
    if game == "2048":
        stats = bitcade.g2048.playouts(games, seed=seed)
        return {"random": (stats["mean_score"], stats["stderr_score"])}
    rules = SETUPS[game].rules
    scores = {p: bitcade.match3.evaluate(games, agent=p, seed=seed, **rules) for p in ("random", "greedy")}
    return {player: mean_and_error(np.array(points)) for player, points in scores.items()}


def mean_and_error(scores: np.ndarray) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(scores.mean()), float(scores.std(ddof=1) / len(scores) ** 0.5)


class Ppo:
    """The running games, the network that plays them, and its training."""

    def __init__(self, setup: Setup, seed: int) -> None:
        torch.manual_seed(seed)
        self.setup = setup
        self.net = setup.net().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=setup.learning_rate, eps=1e-5)
        self.envs = setup.games(setup.num_envs, seed=seed, **setup.rules)
        self.score_so_far = np.zeros(setup.num_envs)
        self.finished: deque[float] = deque(maxlen=1000)
        """Scores of the last finished games."""
        self.steps = 0
        self.env_seconds = 0.0
        """CPU seconds of the games."""
        shape = (setup.rollout, setup.num_envs)
        self.obs = torch.zeros((*shape, *self.envs.obs_shape), dtype=torch.uint8)
        self.mask = torch.zeros((*shape, self.envs.num_actions), dtype=torch.bool)
        self.hints = torch.zeros((*shape, self.envs.num_actions if setup.hints else 0))
        self.action = torch.zeros(shape, dtype=torch.long)
        self.log_prob = torch.zeros(shape)
        self.value = torch.zeros(shape)
        self.reward = torch.zeros(shape)
        self.ended = torch.zeros(shape, dtype=torch.bool)

    @torch.no_grad()
    def play(self) -> tuple[Tensor, Tensor]:
        """Play a rollout and return its advantages and returns."""
        setup, envs = self.setup, self.envs
        obs, mask = envs.obs, envs.action_mask
        for step in range(setup.rollout):
            # Copies, because the next step overwrites the batch's arrays.
            self.obs[step] = torch.from_numpy(obs)
            self.mask[step] = torch.from_numpy(mask)
            if setup.hints:
                self.hints[step] = torch.from_numpy(envs.hints())
            logits, self.value[step] = self.net(self.obs[step], self.hints[step])
            log_probs = log_probabilities(logits, self.mask[step])
            action = torch.multinomial(log_probs.exp(), 1)
            self.action[step] = action.squeeze(1)
            self.log_prob[step] = log_probs.gather(1, action).squeeze(1)
            start = time.process_time()
            obs, points, terminated, truncated, mask = envs.step(self.action[step].numpy())
            self.env_seconds += time.process_time() - start
            # Square roots: otherwise rare merges of large tiles and long cascades would dominate.
            self.reward[step] = torch.from_numpy(np.sqrt(points) / 10)
            # Both games end only by termination, never by truncation, so no value is bootstrapped at the end.
            ended = terminated | truncated
            self.ended[step] = torch.from_numpy(ended)
            self.score_so_far += points
            self.finished += self.score_so_far[ended].tolist()
            self.score_so_far[ended] = 0
        self.steps += setup.rollout * setup.num_envs
        _, next_value = self.net(torch.from_numpy(obs), torch.from_numpy(envs.hints()) if setup.hints else None)
        # Generalized advantage estimation, backward from the last step.
        advantages, advantage = torch.zeros_like(self.value), torch.zeros(setup.num_envs)
        for step in reversed(range(setup.rollout)):
            goes_on = (~self.ended[step]).float()
            error = self.reward[step] + setup.gamma * next_value * goes_on - self.value[step]
            advantage = error + setup.gamma * setup.gae_lambda * goes_on * advantage
            advantages[step], next_value = advantage, self.value[step]
        return advantages, advantages + self.value

    def learn(self, advantages: Tensor, returns: Tensor, learning_rate: float) -> dict[str, float]:
        """Update the policy and value on the last rollout. Returns statistics."""
        setup, figures = self.setup, {}
        self.optimizer.param_groups[0]["lr"] = learning_rate
        obs, mask, hints, action, old = (
            tensor.flatten(0, 1)
            for tensor in (self.obs, self.mask, self.hints, self.action, self.log_prob)
        )
        advantages, returns = advantages.flatten(), returns.flatten()
        for _ in range(setup.epochs):
            for batch in torch.randperm(len(obs)).split(setup.minibatch):
                logits, value = self.net(obs[batch], hints[batch])
                log_probs = log_probabilities(logits, mask[batch])
                log_prob = log_probs.gather(1, action[batch, None]).squeeze(1)
                ratio = (log_prob - old[batch]).exp()
                advantage = advantages[batch]
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - setup.clip, 1 + setup.clip)
                policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
                value_loss = F.mse_loss(value, returns[batch]) / 2
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                loss = policy_loss + setup.value * value_loss - setup.entropy * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), setup.max_grad_norm)
                self.optimizer.step()
        explained = 1 - ((returns - self.value.flatten()).var() / returns.var().clamp(min=1e-12)).item()
        figures["entropy"], figures["explained_variance"] = entropy.item(), explained
        return figures


def train(setup: Setup, minutes: float, seed: int, every: float = 10) -> tuple[nn.Module, list[Point]]:
    """Train for some minutes of CPU time. Returns the network and the learning curve."""
    ppo = Ppo(setup, seed)
    curve: list[Point] = []
    start, start_cpu = time.monotonic(), time.process_time()
    next_point, done = min(every, minutes * 60), 0.0
    while done < 1:
        figures = ppo.learn(*ppo.play(), setup.learning_rate * max(1 - done, 0.02))
        wall, cpu = time.monotonic() - start, time.process_time() - start_cpu
        done = cpu / (minutes * 60)
        if wall >= next_point or done >= 1:
            next_point = wall + every
            point = {
                "wall_s": round(wall, 1),
                "cpu_s": round(cpu, 1),
                "steps": ppo.steps,
                "mean_score": round(float(np.mean(ppo.finished)), 1) if ppo.finished else None,
                **{name: round(figure, 3) for name, figure in figures.items()},
            }
            curve.append(point)
            print(
                f"{point['wall_s']:6.0f} s  {point['cpu_s']:6.0f} CPU s  {point['steps']:9d} steps"
                f"  score {point['mean_score'] or '-':>8}  entropy {point['entropy']:.3f}"
                f"  explained {point['explained_variance']:5.2f}",
                flush=True,
            )
    seconds = time.process_time() - start_cpu
    share = 100 * ppo.env_seconds / seconds
    print(f"{ppo.steps} steps in {seconds:.0f} CPU s, {share:.1f} % of them in the environment")
    return ppo.net, curve


def plot(path: Path, title: str, curve: list[Point], levels: dict[str, float]) -> None:
    """Plot the mean score over wall-clock time, with the baseline scores as horizontal lines."""
    points = [
        (point["wall_s"] or 0.0, point["mean_score"]) for point in curve if point["mean_score"] is not None
    ]
    if path.suffix != ".svg":
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        axes.plot(*zip(*points), label="PPO")
        for name, level in levels.items():
            axes.axhline(level, linestyle="--", color="gray")
            axes.annotate(name, (0, level), va="bottom")
        axes.set(title=title, xlabel="seconds", ylabel="mean score", ylim=(0, None))
        figure.savefig(path)
        return
    width, height, left, bottom = 640, 400, 70, 350
    most_seconds = max([seconds for seconds, _ in points], default=1.0) or 1.0
    most = 1.05 * max([score for _, score in points] + list(levels.values()))

    def x(seconds: float) -> float:
        return round(left + seconds / most_seconds * (width - left - 20), 1)

    def y(score: float) -> float:
        return round(bottom - score / most * (bottom - 40), 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        ' font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{width / 2}" y="24" text-anchor="middle" font-size="15">{title}</text>',
        f'<path d="M{left} 40V{bottom}H{width - 20}" fill="none" stroke="black"/>',
        f'<text x="{width / 2}" y="{bottom + 40}" text-anchor="middle">seconds</text>',
    ]
    for part in range(5):
        seconds, score = most_seconds * part / 4, most * part / 4
        lines.append(f'<text x="{x(seconds)}" y="{bottom + 18}" text-anchor="middle">{seconds:.0f}</text>')
        lines.append(f'<text x="{left - 8}" y="{y(score) + 4}" text-anchor="end">{score:.0f}</text>')
    for name, level in levels.items():
        lines.append(f'<path d="M{left} {y(level)}H{width - 20}" stroke="gray" stroke-dasharray="6 4"/>')
        lines.append(f'<text x="{width - 24}" y="{y(level) - 4}" text-anchor="end" fill="#444">{name}</text>')
    drawn = " ".join(f"{x(seconds)},{y(score)}" for seconds, score in points)
    lines.append(f'<polyline points="{drawn}" fill="none" stroke="#1667c0" stroke-width="2"/></svg>')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Train, compare with the baselines, and write the requested files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=SETUPS, default="2048")
    parser.add_argument("--minutes", type=float, default=5, help="CPU minutes of training (default 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed for games and network (default 1)")
    parser.add_argument("--threads", type=int, default=2, help="PyTorch threads (default 2)")
    parser.add_argument(
        "--hints", action=argparse.BooleanOptionalAction, help="show the network the points of each swap (match-3)"
    )
    parser.add_argument("--check", action="store_true", help="fail if the game's goal is missed")
    parser.add_argument("--games", type=int, default=2000, help="games per player in the comparison (default 2000)")
    parser.add_argument("--out", type=Path, help="file for the curve and the results (JSON)")
    parser.add_argument("--plot", type=Path, help="file for a plot of the curve (SVG or PNG)")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    setup = SETUPS[args.game]
    if args.hints is not None and setup.games is bitcade.match3.Batch:
        setup = match3(setup.rules["width"], args.hints)
    net, curve = train(setup, args.minutes, args.seed)

    # A seed never used in training: a batch's games depend only on its seed.
    seed = args.seed + 1_000_000
    results = baselines(args.game, args.games, seed)
    results["learned"] = mean_and_error(evaluate(net, setup, args.games, seed))
    for player, (mean, error) in results.items():
        ratios = [
            f"{mean / results[other][0]:.2f} x {other}" for other in ("random", "greedy") if other in results
        ]
        compared = "    " + ", ".join(ratios) if player == "learned" else ""
        print(f"{player:8} {mean:8.1f} +- {error:.1f}{compared}")

    if args.out:
        report: dict[str, Any] = {
            "game": args.game,
            "rules": setup.rules,
            "seed": args.seed,
            "threads": args.threads,
            "evaluated_games": args.games,
            "results": {
                name: {"mean": mean, "standard_error": error} for name, (mean, error) in results.items()
            },
            "curve": curve,
        }
        args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if args.plot:
        levels = {player: mean for player, (mean, _) in results.items() if player != "learned"}
        plot(args.plot, f"PPO learns {args.game}", curve, levels)
    if args.check:
        mean, error = results["learned"]
        other, factor = GOALS[args.game]
        goal = factor * results[other][0] + 2 * error
        if mean < goal:
            raise SystemExit(f"{mean:.1f} points: the goal is {goal:.1f}, {factor} x {other}")


if __name__ == "__main__":
    main()

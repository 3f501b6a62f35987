# %% [markdown]
"""Playtest a match-3 level: can players reach its goal, and which ones?

    pip install bitcade
    python playtest_level.py

Run it as a program, or cell by cell in an editor that supports `# %%`. Set `LEVEL` and `GOAL` to your own level. Three
players play it: `random` makes any legal swap, `greedy` takes the most points, and `rollout` tries every swap in
simulated games. Human players usually fall between the first and the last. The output:

- a table of each player's mean score with its standard error, deciles, and share of games that reach the goal;
- a histogram of each player's scores;
- the goals reached by given shares of greedy games;
- the number of legal swaps after each move, and how often a player has at most two to choose from.
"""

# %%
from __future__ import annotations

import argparse
import sys

import numpy as np

import bitcade

LEVEL = {"width": 7, "height": 7, "colors": 5, "moves": 25}
GOAL = 6000
GAMES = 300
BUDGET = 50
"""Simulated games per move of the rollout player."""
SEED = 1

# Command-line options, except in a notebook.
if __name__ == "__main__" and "ipykernel" not in sys.modules:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"games per player (default {GAMES})")
    parser.add_argument("--goal", type=int, default=GOAL, help=f"points to reach (default {GOAL})")
    parser.add_argument("--budget", type=int, default=BUDGET, help=f"games per move of `rollout` (default {BUDGET})")
    arguments = parser.parse_args()
    GAMES, GOAL, BUDGET = arguments.games, arguments.goal, arguments.budget

# %% Play the games.
PLAYERS = ("random", "greedy", "rollout")
scores = {
    player: np.array(bitcade.match3.evaluate(GAMES, agent=player, budget=BUDGET, seed=SEED, **LEVEL))
    for player in PLAYERS
}

# %% Compare the players.
print(f"level {LEVEL['width']}x{LEVEL['height']}, {LEVEL['colors']} colors, {LEVEL['moves']} moves; ", end="")
print(f"{GAMES} games each; goal {GOAL}\n")
print("player       mean  +-     10 %    50 %    90 %   reach the goal")
for player, points in scores.items():
    error = points.std(ddof=1) / GAMES**0.5
    low, middle, high = np.percentile(points, [10, 50, 90])
    reached = 100 * (points >= GOAL).mean()
    print(f"{player:8} {points.mean():8.0f}  {error:3.0f}", end=" ")
    print(f"{low:7.0f} {middle:7.0f} {high:7.0f} {reached:10.1f} %")

# %% Show the distributions, on the same scale.
WIDTH, BINS = 50, 16
everything = np.concatenate(list(scores.values()))
edges = np.linspace(everything.min(), everything.max() + 1, BINS + 1)
for player, points in scores.items():
    print(f"\n{player}: games by score, the goal's row marked *")
    counts, _ = np.histogram(points, edges)
    for count, low, high in zip(counts, edges, edges[1:]):
        marker = "*" if low <= GOAL < high else " "
        bar = "#" * round(WIDTH * count / counts.max())
        print(f"{low:8.0f} {marker} {bar}{f' {count}' if count else ''}")

# %% Which goal would be easy, fair, hard?
print("\ngoal that this share of greedy games reaches:")
for share in (90, 75, 50, 25, 10):
    print(f"{share:4d} %  {np.percentile(scores['greedy'], 100 - share):7.0f}")

# %% Count the legal swaps after each move of random games.
games = bitcade.match3.Batch(GAMES, seed=SEED, **LEVEL)
swaps = []
for _ in range(LEVEL["moves"]):
    swaps.append(games.action_mask.sum(axis=1))
    games.random_step()
legal = np.array(swaps)
print("\nmove   legal swaps, mean (fewest - most)   games with at most 2")
for move in range(0, LEVEL["moves"], max(1, LEVEL["moves"] // 8)):
    row = legal[move]
    few = 100 * (row <= 2).mean()
    print(f"{move + 1:4d}   {row.mean():6.2f}   ({row.min():2d} - {row.max():2d})   {few:17.1f} %")

# %% Show a board and its best swaps.
games.reset(seed=SEED)
print(f"\nthe first board of the first game:\n{games.render(0)}")
print("\nthe best swaps without new pieces: column, row, direction, points")
for x, y, axis, points in bitcade.match3.hints(games.obs[0, 0])[:5]:
    print(f"  {x} {y} {axis}  {points}")

"""A sequential probability ratio test of match results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def elo_score(elo: float) -> float:
    """Return the expected score, from 0 to 1, at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_elo(score: float) -> float:
    """Return the Elo difference of an expected score; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def tilted(scores: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """Return the maximum-likelihood distribution with a given mean, for observed shares of scores."""
    # The shares are divided by 1 + t (score - mean), with the t between the poles at which the sum is 0.
    low, high = -1 / (max(scores) - mean), 1 / (mean - min(scores))
    for _ in range(100):
        t = (low + high) / 2
        slope = sum(p * (a - mean) / (1 + t * (a - mean)) for a, p in zip(scores, shares, strict=True))
        low, high = (t, high) if slope > 0 else (low, t)
    return [p / (1 + t * (a - mean)) for a, p in zip(scores, shares, strict=True)]


@dataclass(frozen=True)
class SprtState:
    """A sequential test after some games.

    Attributes:
        accepted: `H0` or `H1`; `None` if the games ended first.
        llr: The log-likelihood ratio.
        bounds: The ratios at which H0 and H1 are accepted.
        elo: The difference estimated from the games, and its 95 % interval. Because the test stops on extreme results,
            the estimate is biased away from 0.
    """

    accepted: str | None
    llr: float
    bounds: tuple[float, float]
    elo: tuple[float, float, float]

    def __str__(self) -> str:
        verdict = f"{self.accepted} accepted" if self.accepted else "undecided"
        (lower, upper), (elo, low, high) = self.bounds, self.elo
        return f"SPRT: {verdict}, LLR {self.llr:.2f} [{lower:.2f}, {upper:.2f}], Elo {elo:.1f} [{low:.1f}, {high:.1f}]"


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test: is the policy stronger by `elo1` (H1), or only by `elo0` (H0)?

    Elo is logistic. The log-likelihood ratio is the generalized one (GSPRT), of the pairs of games in Go (pentanomial)
    and of wins, draws and losses on the same seeds in the other games (trinomial). The test ends with H1 when it
    reaches log((1 - beta) / alpha), and with H0 when it falls to log(beta / (1 - alpha)).

    Args:
        elo0: The difference under H0.
        elo1: The difference under H1, larger than `elo0`.
        alpha: The probability of accepting H1 at `elo0`.
        beta: The probability of accepting H0 at `elo1`.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0={self.elo0}, elo1={self.elo1}: expected elo0 < elo1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name}={value}: expected more than 0 and less than 0.5")

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of counts of results, from the worst result to the best."""
        if sum(counts) == 0:
            return 0.0
        # As in other implementations, an outcome not seen yet counts a little: otherwise it could never be seen.
        regular = [max(count, 1e-3) for count in counts]
        total = sum(regular)
        scores = [i / (len(regular) - 1) for i in range(len(regular))]
        shares = [count / total for count in regular]
        under0, under1 = (tilted(scores, shares, elo_score(elo)) for elo in (self.elo0, self.elo1))
        return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(shares, under0, under1, strict=True))

    def test(self, counts: Sequence[int]) -> SprtState:
        """Return the state of the test: of losses, draws and wins, or of pairs of games by half points."""
        llr, total = self.llr(counts), sum(counts)
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        accepted = "H1" if llr >= upper else "H0" if llr <= lower else None
        if total == 0:
            return SprtState(accepted, llr, (lower, upper), (math.nan, math.nan, math.nan))
        scores = [i / (len(counts) - 1) for i in range(len(counts))]
        mean = sum(a * n for a, n in zip(scores, counts, strict=True)) / total
        variance = sum(n * (a - mean) ** 2 for a, n in zip(scores, counts, strict=True)) / total
        margin = 1.96 * math.sqrt(variance / total)
        elo = (score_elo(mean), score_elo(mean - margin), score_elo(mean + margin))
        return SprtState(accepted, llr, (lower, upper), elo)

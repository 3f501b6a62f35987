"""Games beside the rules of `reference`: boards, masks, rewards, ends and scores after every step, under many options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import reference
from bitcade._games import GAMES

LAST = {"autoreset_mode": "NextStep", "channels": "last", "dtype": "float32"}
MANUAL = {"autoreset_mode": "Disabled"}
SHELF = {"board": ["#....#", ".!..!.", "......", "..##..", "......", "#....#"], "colors": 5, "moves": 12}
GOALS = {"score": 1500, "color": {2: 25}, "locked": 2, "special": 3}


def start(*rows: str) -> np.ndarray:
    return np.array([[[int(cell == "#") for cell in row] for row in rows]])


SLOT = start("##........", "#...######", "##.#######", "#.########")
WELL = start(*["#########."] * 8)
SPECIALS = {"certain", "specials", "created 1", "created 2", "created 3"}

#: The batch, options, the games of the ordinary run, and the events that must occur.
CASES: list[tuple[str, dict[str, Any], int, set[str]]] = [
    ("g2048", {}, 40, set()),
    ("g2048", {"width": 5, "height": 3, "one_hot": True, **LAST}, 40, set()),
    ("g2048", {"width": 3, "height": 2, "on_illegal": "noop", "max_episode_steps": 20, **MANUAL}, 200, set()),
    ("match3", {"moves": 12}, 60, {"certain"}),
    ("match3", {"width": 6, "height": 9, "colors": 5, "moves": 9, "one_hot": True, **LAST}, 60, {"certain"}),
    (
        "match3",
        {"width": 16, "height": 3, "moves": 9, "on_illegal": "noop", "max_episode_steps": 7, **MANUAL},
        60,
        {"certain", "dealt anew"},
    ),
    ("match3-goals", {"rules": {"moves": 20, "colors": 5}}, 60, {*SPECIALS, "created 4"}),
    ("match3-goals", {"rules": {**SHELF, "goals": GOALS, "bonus": 77}, **LAST}, 60, {*SPECIALS, "locks"}),
    ("match3-goals", {"rules": {**SHELF, "special": False}, "on_illegal": "terminate", **MANUAL}, 60, {"certain", "locks"}),
    ("tetris", {"actions": "drops"}, 20, {"held"}),
    (
        "tetris",
        {"actions": "drops", "hold": False, "next": 1, "rows": 12, "garbage": (3, 2), "starts": WELL[:, 4:], "reward": "attack", **MANUAL},
        20,
        {"garbage", "cancelled", "perfect"},
    ),
    (
        "tetris",
        {"actions": "drops", "planes": True, "reward": "score", "starts": WELL, "second_spawn_row": False, **LAST},
        40,
        {"quad", "chained", "combo"},
    ),
    ("tetris", {}, 10, {"held"}),
    ("tetris", {"next": 2, "garbage": (2, 1), "starts": SLOT, "reward": "attack", "planes": True, **LAST}, 10, {"garbage", "full"}),
    ("tetris", {"hold": False, "reward": "score", "starts": SLOT, "max_episode_steps": 9, **MANUAL}, 40, {"full", "mini"}),
    ("go", {"size": 5, "komi": 0.5}, 40, {"taken", "ko"}),
    ("go", {"size": 7, "ko": "situational", "suicide": "multi", "history": 8, **LAST}, 10, {"taken", "ko", "suicide"}),
    (
        "go",
        {"size": 5, "ko": "simple", "suicide": "all", "komi": -3, "max_episode_steps": 70, **MANUAL},
        40,
        {"taken", "ko", "suicide"},
    ),
    ("go", {}, 2, {"taken"}),
    ("go", {"size": 19, "ko": "situational", "max_episode_steps": 40}, 1, set()),
]
PLAIN = {
    "g2048": reference.Game2048,
    "match3": reference.Match3,
    "match3-goals": reference.Match3,
    "tetris": reference.Tetris,
    "go": reference.Go,
}


@pytest.mark.parametrize(
    ("game", "options", "n", "events"),
    [pytest.param(*case, id=f"{case[0]}-{number}") for number, case in enumerate(CASES)]
    + [
        pytest.param(game, options, 200, events, id=f"{game}-{number}-200", marks=pytest.mark.slow)
        for number, (game, options, n, events) in enumerate(CASES)
        if n < 200
    ],
)
def test_games_as_by_the_rules(game, options, n, events):
    cls, plain = GAMES["2048" if game == "g2048" else game].batch, PLAIN[game]
    mode, illegal = options.get("autoreset_mode", "SameStep"), options.get("on_illegal", "raise")
    batch = cls(n, seed=3, **options)
    draws = np.random.default_rng(5)
    limit = options.get("max_episode_steps") or (2 * batch.obs_shape[-2] ** 2 if plain is reference.Go else 1 << 40)

    def planes(obs: np.ndarray) -> np.ndarray:
        assert obs.dtype == options.get("dtype", "uint8")
        return np.moveaxis(obs, -1, 1) if options.get("channels") == "last" and obs.ndim == 4 else obs

    games = [plain(options, obs) for obs in planes(batch.obs)]
    steps, ended, finished, happened = np.zeros(n, int), np.zeros(n, bool), np.zeros(n, int), Counter[str]()
    while finished.min() == 0:
        # A game that has ended and not been restarted has no legal action.
        masks = np.array([np.array(game.mask()) & ~over for game, over in zip(games, ended, strict=True)])
        assert (batch.action_mask == masks).all()
        if hasattr(batch, "scores"):
            assert (batch.scores() == [game.score() for game in games])[~ended].all()
        if hasattr(batch, "hints") and not ended[0]:
            assert batch.hints()[0].tolist() == games[0].hints()
        wanted = masks.astype(float)
        for i, each in enumerate(games):
            wanted[i, getattr(each, "favored", [])] *= 4
        if illegal != "raise":
            wanted[draws.random(n) < 0.1] = 1
        actions = (draws.random(masks.shape) * wanted).argmax(axis=1)
        obs, rewards, terminated, truncated, _ = batch.step(actions)
        obs = planes(obs).copy()
        restarted, ended = ended, terminated | truncated
        # With `SameStep`, `obs` has the next game's first observation.
        last = np.flatnonzero(ended if mode == "SameStep" else [])
        final = dict(zip(last.tolist(), planes(batch.final_obs(last)), strict=True))
        for i, game in enumerate(games):
            if restarted[i]:
                assert rewards[i] == 0 and not ended[i]
                continue
            seen = final.get(i, obs[i])
            steps[i] += 1
            if masks[i, actions[i]]:
                reward, over = game.play(int(actions[i]), seen, rewards[i])
            else:
                reward, over = 0.0, plain is reference.Match3 and game.pass_by() or illegal == "terminate"
            assert (rewards[i], terminated[i], truncated[i]) == (reward, over, not over and steps[i] == limit)
            assert (seen == game.observe()).all()
        finished += ended
        happened.update(sum((games[i].events for i in np.flatnonzero(ended)), Counter()))
        if mode == "Disabled" and ended.any():
            obs = planes(batch.reset_some(ended)[0])
        for i in np.flatnonzero(restarted if mode == "NextStep" else ended):
            games[i], steps[i] = plain(options, obs[i]), 0
        ended &= mode == "NextStep"
        assert all((shown == game.observe()).all() for shown, game, over in zip(obs, games, ended, strict=True) if not over)
    assert events <= set(+happened), happened
    assert happened["certain"] >= happened["uncertain"]

"""Games beside the rules of `reference`: boards, masks, rewards, ends and scores after every step, by many options."""

from collections import Counter

import numpy as np
import pytest
import reference
from bitcade._games import GAMES
from conftest import refused

OPEN, PLAIN_CELLS = "\n".join(["?" * 8] * 8), "\n".join(["." * 8] * 8)
SHELF, LOCKS = "#????#\n??????\n??????\n??##??\n??????\n#????#", "......\n.x..x.\n......\n......\n......\n......"
GOALS = '[{ score = 1500 }, { color = 2, count = 25 }, { locks = 2 }, { set_off = 3 }]'
SPECIALS = "certain specials created1 created2 created3"


def level(pieces, locks, **rules):
    lines = [f"{name} = {value}" for name, value in {"version": 1, "colors": 5, "shuffle": '"recolor"', **rules}.items()]
    return "\n".join([*lines, f"pieces = '''\n{pieces}\n'''", f"locks = '''\n{locks}\n'''"])


def start(*rows):
    return np.array([[[int(cell == "#") for cell in row] for row in rows]])


SLOT = start("##........", "#...######", "##.#######", "#.########")
# A T can only turn into the hole by the fifth kick, which makes its mini spin a full one.
KICK = start("##........", "#.........", "#.########", "#..#######", "#..#######")
WELL = start(*["#########."] * 8)
STONES = start("#........", *["........."] * 8) + 2 * start(*["........."] * 8, "##.......")
PLAIN = {
    "2048": reference.Game2048,
    "match3": reference.Match3,
    "match3-level": reference.Match3,
    "tetris": reference.Tetris,
    "go": reference.Go,
}
#: The games of each case in the ordinary run; with `slow`, they are 200.
CASES = []


def case(game, n, events="", **options):
    # Add a case, in which certain events must occur.
    name = f"{game}-{len(CASES) // 2}"
    CASES.append(pytest.param(game, n, events, options, id=f"{name}-{n}"))
    CASES.append(pytest.param(game, 200, events, options, id=f"{name}-full", marks=pytest.mark.slow))


DROPS = {"actions": "drops"}
GARBAGE = {"garbage": (3, 2), "reward": "attack", "starts": WELL[:, 4:]}
case("2048", 16)
case("2048", 16, width=5, height=3)
case("2048", 60, width=3, height=2, on_illegal="noop", max_episode_steps=20)
case("match3", 24, "certain", moves=12)
case("match3", 24, "certain", width=6, height=9, colors=5, moves=9, max_episode_steps=9)
case("match3", 60, "certain dealt", width=16, height=3, moves=300, on_illegal="noop", max_episode_steps=7)
NO_PAIRS = "{ pairs = false }"
case("match3-level", 32, f"{SPECIALS} created4", level=level(OPEN, PLAIN_CELLS, moves=20, specials=NO_PAIRS))
SHELVES = level(SHELF, LOCKS, moves=12, bonus=20, goals=GOALS, specials=NO_PAIRS)
case("match3-level", 60, f"{SPECIALS} locks", level=SHELVES, goal_reward=77)
case("match3-level", 24, "certain locks", level=level(SHELF, LOCKS, moves=12, specials="false"), on_illegal="terminate")
case("tetris", 8, "held", **DROPS)
case("tetris", 20, "garbage cancelled perfect", hold=False, next=1, rows=12, **DROPS, **GARBAGE)
case("tetris", 40, "quad chained combo", reward="score", starts=WELL, second_spawn_row=False, **DROPS)
case("tetris", 6, "held", rows=40)
case("tetris", 10, "garbage full", next=2, garbage=(2, 1), starts=SLOT, reward="attack")
case("tetris", 40, "full mini", hold=False, reward="score", starts=SLOT, max_episode_steps=9)
case("tetris", 30, "full", reward="score", starts=KICK, max_episode_steps=7)
case("go", 16, "taken ko", size=5, komi=0.5)
case("go", 6, "taken ko suicide", size=7, ko="situational", suicide="multi")
case("go", 20, "taken ko suicide", size=5, ko="simple", suicide="all", komi=-3, max_episode_steps=70)
case("go", 2, "taken", starts=STONES, start_color="white")
case("go", 1, size=19, ko="situational", max_episode_steps=40)


@pytest.mark.parametrize(("game", "n", "events", "options"), CASES)
def test_games_as_by_the_rules(game, n, events, options):
    batch, plain = GAMES[game].batch(n, seed=3, autoreset_mode="Disabled", **options), PLAIN[game]
    illegal = options.get("on_illegal", "raise")
    draws = np.random.default_rng(5)
    limit = options.get("max_episode_steps") or (2 * batch.obs_shape[-2] ** 2 if game == "go" else 1 << 40)
    games = [plain(options, obs) for obs in batch.obs]
    steps, finished, happened = np.zeros(n, int), np.zeros(n, int), Counter()
    while finished.min() == 0:
        masks = np.array([game.mask() for game in games])
        assert (batch.action_mask == masks).all()
        assert all((obs == game.observe()).all() for obs, game in zip(batch.obs, games, strict=True))
        if hasattr(batch, "scores"):
            assert batch.scores().tolist() == [game.score() for game in games]
        if hasattr(batch, "hints"):
            assert batch.hints()[0].tolist() == games[0].hints()
        wanted = masks.astype(float)
        for i, each in enumerate(games):
            wanted[i, getattr(each, "favored", [])] *= 4
        if illegal != "raise":
            wanted[draws.random(n) < 0.1] = 1
        actions = (draws.random(masks.shape) * wanted).argmax(axis=1)
        obs, rewards, terminated, truncated, _ = batch.step(actions)
        steps += 1
        for i, game in enumerate(games):
            if masks[i, actions[i]]:
                reward, over = game.play(int(actions[i]), obs[i], rewards[i])
            else:
                reward, over = 0.0, getattr(game, "plain", False) and game.pass_by() or illegal == "terminate"
            assert (rewards[i], terminated[i], truncated[i]) == (reward, over, not over and steps[i] == limit)
            assert (obs[i] == game.observe()).all()
            if plain is reference.Tetris:
                assert game.result.items() <= batch.lock_result(i).items()
        assert not np.signbit(rewards[rewards == 0]).any()
        if hasattr(batch, "won"):
            assert batch.goals_left().tolist() == [game.left for game in games]
            assert batch.won().tolist() == [bool(game.goals) and not any(game.left) for game in games]
        ended = terminated | truncated
        finished += ended
        if ended.any():
            assert f"game {ended.argmax()} is over" in refused(batch.step, actions)
            obs, _ = batch.reset_some(ended)
        for i in np.flatnonzero(ended):
            happened += games[i].events
            games[i], steps[i] = plain(options, obs[i]), 0
    assert set(events.split()) <= set(happened), happened
    assert happened["certain"] >= happened["uncertain"]
    twos, fours = happened["new 2"], happened["new 4"]
    assert 0.85 * (twos + fours) <= twos <= 0.95 * (twos + fours), "nine of ten new tiles are a 2"

"""Tetris for two agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import copies, interrupted, refused
from shown import NORTH

pytest.importorskip("pettingzoo")

from bitcade.pettingzoo import TetrisState, raw_env, tetris_parallel_env
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

AGENTS = ["player_0", "player_1"]


def play(env: Any, choose: Any, steps: int = 10**6) -> Any:
    """Play until the match ends; yield each step with the observations before it."""
    obs = env._observations()
    for _ in range(steps):
        played = env.step({agent: choose(agent, obs[agent]) for agent in env.agents})
        yield obs, played
        obs = played[0]
        if not env.agents:
            return


def chooser(seed: int) -> Any:
    """Choose legal actions at random."""
    rng = np.random.default_rng(seed)
    return lambda _agent, obs: int(rng.choice(np.flatnonzero(obs["action_mask"])))


def greedy(_agent: str, obs: dict[str, np.ndarray]) -> int:
    """Choose the drop that leaves a low stack with few holes, preferring to clear several lines at once."""
    rows = obs["observation"][:200].reshape(20, 10)[::-1]
    board = np.vstack([rows, np.zeros((6, 10), np.uint8)])
    best = (np.inf, 0)
    for action in np.flatnonzero(obs["action_mask"][:40]).tolist():
        cells = NORTH[obs["observation"][200] - 1]
        for _ in range(action // 10):
            cells = [(y, -x) for x, y in cells]
        xs = [x + action % 10 for x, _ in cells]
        heights = [np.flatnonzero(board[:, x]).max(initial=-1) + 1 for x in xs]
        y = max(height - dy for height, (_, dy) in zip(heights, cells, strict=True))
        after = board.copy()
        for x, (_, dy) in zip(xs, cells, strict=True):
            after[min(y + dy, 25), x] = 1
        lines = int((after.sum(axis=1) == 10).sum())
        after = after[after.sum(axis=1) < 10]
        tops = np.array([np.flatnonzero(column).max(initial=-1) + 1 for column in after.T])
        holes = int(tops.sum()) - int(after.sum())
        cost = 8 * holes + tops.sum() + np.abs(np.diff(tops)).sum() + 2 * tops.max() - 10 * max(lines - 1, 0)
        best = min(best, (cost, action))
    return best[1]


@pytest.mark.parametrize("options", [{}, {"actions": "placements", "hold": False, "next": 0, "rows": 22}])
def test_api(options):
    parallel_api_test(tetris_parallel_env(**options), num_cycles=300)
    # Its actions are drawn without a mask.
    parallel_seed_test(lambda: tetris_parallel_env(on_illegal="terminate", **options), num_cycles=60)
    check_state_space(tetris_parallel_env(**options))


def test_every_line_sent_arrives_or_is_cancelled():
    total = np.zeros(4, int)
    for seed in range(8):
        env = tetris_parallel_env(seed=seed, same_pieces=bool(seed % 2))
        env.reset()
        random = chooser(seed)
        pending = dict.fromkeys(AGENTS, 0)
        choose = lambda agent, obs: greedy(agent, obs) if agent == "player_0" or seed % 3 else random(agent, obs)
        for _, (obs, _, terminations, _, infos) in play(env, choose, 150):
            for i, agent in enumerate(AGENTS):
                info, other = infos[agent], infos[AGENTS[1 - i]]
                cancelled = info["attack"] - info["sent"]
                assert cancelled == min(info["attack"], pending[agent]), "an attack cancels what is pending first"
                left = pending[agent] - cancelled
                if info["lines"]:
                    assert info["garbage_rows"] == 0, "a clear holds the garbage back"
                elif not terminations[agent]:
                    assert info["garbage_rows"] == left
                pending[agent] = left - info["garbage_rows"] + other["sent"]
                total += [other["sent"], info["garbage_rows"], cancelled, info["attack"]]
                if not terminations[agent]:
                    observation = obs[agent]["observation"]
                    own = observation[: len(observation) // 2]
                    assert own[-1] == pending[agent]
                    # Garbage is at the bottom: rows with one hole, in one column per attack.
                    rows = own[:200].reshape(20, 10)[20 - min(info["garbage_rows"], 20) :]
                    assert (rows.sum(axis=1) == 9).all()
    assert (total > 10).all(), total.tolist()


def test_equal_play_stays_equal():
    ends = 0
    for seed in range(12):
        env = tetris_parallel_env(seed=seed)
        env.reset()
        random = chooser(seed)
        chosen: dict[str, int] = {}

        def choose(agent: str, obs: dict[str, np.ndarray]) -> int:
            if agent == "player_0":
                chosen["both"] = greedy(agent, obs) if seed % 2 else random(agent, obs)
            return chosen["both"]

        for before, (obs, rewards, terminations, _, infos) in play(env, choose, 60):
            for pair in (before, obs):
                for key in ("observation", "action_mask"):
                    assert (pair["player_0"][key] == pair["player_1"][key]).all()
            assert infos["player_0"] == infos["player_1"] and set(rewards.values()) == {0.0}
        ends += terminations["player_0"]
    assert ends > 4, "matches end in a draw"


def test_the_one_left_wins():
    wins = {1.0: 0, -1.0: 0, 0.0: 0}
    for seed in range(30):
        env = tetris_parallel_env(seed=seed)
        env.reset()
        rewards, terminations = list(play(env, chooser(seed)))[-1][1][1:3]
        over = env._versus.over
        assert list(rewards.values()) == [over[1] - over[0], over[0] - over[1]] and all(terminations.values())
        assert env.agents == [] and env.step({}) == ({}, {}, {}, {}, {})
        wins[rewards["player_0"]] += 1
    assert wins[1.0] > 3 and wins[-1.0] > 3


def test_seeds_copies_and_states_play_on():
    env, again = tetris_parallel_env(seed=2), tetris_parallel_env()
    runs = [repr(env.reset()) for _ in range(20)]
    assert len(set(runs)) > 15, "a reset without a seed starts the next match"
    assert [repr(again.reset(2)), *(repr(again.reset()) for _ in range(19))] == runs
    assert repr(env.reset(2**100)) == repr(again.reset(2**100))
    list(play(env, greedy, 12))
    state = env.get_state()
    again.set_state(copies(state)[-1])
    both = [*copies(env), again]
    # The same match from here on, and then the next match of the seed.
    histories = [repr((list(play(one, chooser(7), 60)), one.reset())) for one in both]
    assert len(set(histories)) == 1 and env.get_state() == state and len({state, again.get_state()}) == 2


def test_what_is_refused():
    for name, values in {
        "actions": ["keys"],
        "next": [-1, 16],
        "rows": [0, 41],
        "max_episode_steps": [0, -1, 2.5],
        "on_illegal": ["noop", None],
        "seed": [-1, 1.5],
        "render_mode": ["human"],
    }.items():
        for value in values:
            assert name in refused(tetris_parallel_env, **{name: value})
    env = tetris_parallel_env(seed=1)
    obs, _ = env.reset()
    legal = [int(obs[agent]["action_mask"].argmax()) for agent in AGENTS]
    illegal = int(obs["player_1"]["action_mask"].argmin())
    state = env.get_state()
    for actions, message in (
        ({"player_0": legal[0]}, "player_1: expected an action"),
        ({"player_0": legal[0], "player_1": illegal}, f"player_1: action {illegal} is not a legal move"),
        ({"player_0": 80, "player_1": legal[1]}, "player_0: action 80: expected 0 to 79"),
    ):
        assert refused(env.step, actions) == f"ValueError: {message}"
    other = tetris_parallel_env(hold=False).get_state()
    for wrong in (None, "x", raw_env().get_state(), other, TetrisState("{}", 1, False)):
        refused(env.set_state, wrong)
    assert "other rules" in refused(env.set_state, other)
    assert env.get_state() == state, "an error changes nothing"


def test_an_interrupt_leaves_a_whole_match():
    """A step has been played by both the games and the environment, or by neither."""
    stopped = 0
    for number in range(300):
        env, twin = (tetris_parallel_env(seed=1, max_episode_steps=2) for _ in range(2))
        actions = {agent: int(view["action_mask"].argmax()) for agent, view in env.reset()[0].items()}
        twin.reset()
        states = [twin.get_state()]
        twin.step(actions)
        try:
            with interrupted(1e-6 * number):
                env.step(actions)
        except KeyboardInterrupt:
            stopped += 1
        assert env.get_state() in [*states, twin.get_state()]
    assert stopped

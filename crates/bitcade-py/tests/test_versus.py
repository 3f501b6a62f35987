"""Tetris for two agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import copies, interrupted, refused
from reference import NORTH

pytest.importorskip("pettingzoo")

from bitcade.pettingzoo import TetrisState, raw_env, tetris_parallel_env
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

AGENTS = ["player_0", "player_1"]


def play(env: Any, choose: Any, steps: int = 10**6) -> Any:
    """Play until the match ends; yield each step."""
    obs = env._observations()
    for _ in range(steps):
        played = env.step({agent: choose(agent, obs[agent]) for agent in env.agents})
        yield played
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
        cost = 9 * tops.sum() - 8 * after.sum() + np.abs(np.diff(tops)).sum() - 10 * max(lines - 1, 0)
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
        env, random = tetris_parallel_env(seed=seed, same_pieces=bool(seed % 2)), chooser(seed)
        env.reset()
        pending = dict.fromkeys(AGENTS, 0)
        choose = lambda agent, obs: greedy(agent, obs) if agent == "player_0" or seed % 3 else random(agent, obs)
        for obs, _, terminations, _, infos in play(env, choose, 150):
            for agent, other in (AGENTS, AGENTS[::-1]):
                info, sent = infos[agent], infos[other]["sent"]
                cancelled = info["attack"] - info["sent"]
                assert cancelled == min(info["attack"], pending[agent]), "an attack cancels what is pending first"
                left, rows = pending[agent] - cancelled, info["garbage_rows"]
                pending[agent] = left - rows + sent
                total += [sent, rows, cancelled, info["attack"]]
                assert not (info["lines"] and rows), "a clear holds the garbage back"
                if not terminations[agent]:
                    assert info["lines"] or rows == left
                    own = np.split(obs[agent]["observation"], 2)[0]
                    assert own[-1] == pending[agent]
                    # Garbage is at the bottom: rows with one hole.
                    assert (own[:200].reshape(20, 10)[20 - min(rows, 20) :].sum(axis=1) == 9).all()
    assert (total > 10).all(), total.tolist()


def test_equal_play_stays_equal():
    def alike(_agent: str, obs: dict[str, np.ndarray]) -> int:
        legal = np.flatnonzero(obs["action_mask"])
        return int(legal[obs["observation"].sum() % len(legal)])

    ends = 0
    for seed in range(12):
        env = tetris_parallel_env(seed=seed)
        env.reset()
        for obs, rewards, terminations, _, infos in play(env, greedy if seed % 2 else alike, 60):
            assert repr(obs["player_0"]) == repr(obs["player_1"])
            assert infos["player_0"] == infos["player_1"] and set(rewards.values()) == {0.0}
        ends += terminations["player_0"]
    assert ends > 4, "matches end in a draw"


def test_the_one_left_wins():
    wins = {1.0: 0, -1.0: 0, 0.0: 0}
    for seed in range(30):
        env = tetris_parallel_env(seed=seed)
        env.reset()
        _, rewards, terminations, _, _ = list(play(env, chooser(seed)))[-1]
        first, second = env._versus.over
        assert rewards == {"player_0": second - first, "player_1": first - second} and all(terminations.values())
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
    wrong = {"actions": "keys", "next": 16, "rows": 0, "max_episode_steps": 0, "on_illegal": "noop", "seed": -1}
    for name, value in (wrong | {"render_mode": "human"}).items():
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
    for wrong, message in ((None, ""), (raw_env().get_state(), ""), (other, "other rules"), (TetrisState("{}", 1, False), "")):
        assert message in refused(env.set_state, wrong)
    assert env.get_state() == state, "an error changes nothing"


def test_an_interrupt_leaves_a_whole_match():
    """A step has been played by both the games and the environment, or by neither."""
    stopped = 0
    for number in range(300):
        env = tetris_parallel_env(seed=1, max_episode_steps=2)
        actions = {agent: int(view["action_mask"].argmax()) for agent, view in env.reset()[0].items()}
        twin = copies(env)[0]
        states = [twin.get_state()]
        twin.step(actions)
        states.append(twin.get_state())
        try:
            with interrupted(1e-6 * number):
                env.step(actions)
        except KeyboardInterrupt:
            stopped += 1
        assert env.get_state() in states
    assert stopped

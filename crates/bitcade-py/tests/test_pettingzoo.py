"""PettingZoo's own requirements, and Tetris for two agents."""

import json
import warnings
from collections import Counter

import numpy as np
import pytest
from conftest import copies, interrupted, refused

pytest.importorskip("pettingzoo")

from bitcade.pettingzoo import TetrisState, env as go_env, raw_env, tetris_parallel_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

AGENTS = ["player_0", "player_1"]


def place(obs, number):
    # Return a legal action by a number: if possible an I into the last column, which other pieces leave open.
    legal = np.flatnonzero(obs["action_mask"])
    good = (legal < 40) & (legal % 10 == 9) if obs["observation"][200] == 1 else legal % 10 < 7
    legal = legal[good] if good.any() else legal
    return int(legal[number % len(legal)])


@pytest.mark.parametrize("size", [5, 9])
def test_checks_of_go(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Dictionaries with a mask are like PettingZoo's own board games. The agent not to move has
        # no legal action, and after a pass on the empty board White sees zeros only.
        said = "Observation is not a NumPy array|Observation space for each agent|.* numpy array is all zeros"
        warnings.filterwarnings("ignore", message=said)
        api_test(go_env(size=size), num_cycles=200)
        api_test(raw_env(size=size), num_cycles=200)
        seed_test(lambda: go_env(size=size), num_cycles=100)


def test_an_illegal_move_loses_in_the_wrappers():
    # By the action mask of the board that was set.
    game = go_env(size=5)
    game.reset(seed=1)
    empty = game.get_state()
    game.step(3)
    game.last()
    game.set_state(empty)
    game.step(3)
    assert game.last()[2:4] == (False, False) and not game.last()[0]["action_mask"][3]
    stone = game.get_state()
    game.step(3)
    assert game.terminations == {"black_0": True, "white_0": True} and game.rewards["white_0"] == -1
    game.set_state(stone)
    assert game.terminations == {"black_0": False, "white_0": False}
    game.step(4)
    assert game.last()[2:4] == (False, False)


def played(env, steps):
    shown, obs = [], env._observations()
    for number in range(steps):
        if env.agents:
            shown.append(env.step({agent: place(obs[agent], number) for agent in AGENTS}))
            obs = shown[-1][0]
    return repr(shown)


@pytest.mark.parametrize("options", [{}, {"actions": "placements", "hold": False, "next": 0, "rows": 22}])
def test_checks_of_tetris(options):
    parallel_api_test(tetris_parallel_env(**options), num_cycles=300)
    # Its actions are drawn without a mask.
    parallel_seed_test(lambda: tetris_parallel_env(on_illegal="terminate", **options), num_cycles=60)
    check_state_space(tetris_parallel_env(**options))


def test_matches():
    # What one player sends the other one cancels or gets, equal play stays equal, and the one left wins.
    total, ends = np.zeros(4, int), Counter()
    for seed in range(24):
        alike, rng = seed % 3 == 0, np.random.default_rng(seed)
        env = tetris_parallel_env(seed=seed, same_pieces=alike)
        env.reset()
        match = json.loads(env.get_state().match)
        for game in match["games"]:
            game["board"] = "#########.\n" * 12
        obs, _ = env.set_state(TetrisState(json.dumps(match), 0, False))
        pieces = [obs[agent]["observation"][200:207].tolist() for agent in AGENTS]
        assert (pieces[0] == pieces[1]) == alike
        pending = dict.fromkeys(AGENTS, 0)
        while env.agents:
            numbers = {agent: view["observation"].sum() if alike else rng.integers(99) for agent, view in obs.items()}
            obs, rewards, terminations, _, infos = env.step({agent: place(obs[agent], numbers[agent]) for agent in AGENTS})
            for agent, other in (AGENTS, AGENTS[::-1]):
                _, attack, sent, rows = infos[agent].values()
                pending[agent] += infos[other]["sent"] - (attack - sent) - rows
                total += [sent, rows, attack - sent, attack]
                assert terminations[agent] or np.split(obs[agent]["observation"], 2)[0][-1] == pending[agent]
            assert not alike or repr(obs["player_0"]) == repr(obs["player_1"]) and infos["player_0"] == infos["player_1"]
        first, second = env._versus.over
        assert rewards == {"player_0": second - first, "player_1": first - second} and all(terminations.values())
        assert env.step({}) == ({}, {}, {}, {}, {})
        ends[rewards["player_0"]] += 1
    assert (total > 10).all() and min(ends[1.0], ends[-1.0], ends[0.0]) > 3, (total, ends)


def test_seeds_copies_and_states_play_on():
    env, again = tetris_parallel_env(seed=2), tetris_parallel_env()
    runs = [repr(env.reset()) for _ in range(20)]
    assert len(set(runs)) > 15, "a reset without a seed starts the next match"
    assert [repr(again.reset(2)), *(repr(again.reset()) for _ in range(19))] == runs
    assert repr(env.reset(2**100)) == repr(again.reset(2**100))
    played(env, 12)
    state = env.get_state()
    again.set_state(copies(state)[-1])
    both = [*copies(env), again]
    # The same match from here on, and then the next match of the seed.
    histories = [(played(one, 60), repr(one.reset())) for one in both]
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
    stopped = 0
    for number in range(300):
        env = tetris_parallel_env(seed=1, max_episode_steps=2)
        actions = {agent: int(view["action_mask"].argmax()) for agent, view in env.reset()[0].items()}
        twin, states = copies(env)[0], [env.get_state()]
        twin.step(actions)
        states.append(twin.get_state())
        try:
            with interrupted(1e-6 * number):
                env.step(actions)
        except KeyboardInterrupt:
            stopped += 1
        assert env.get_state() in states
    assert stopped

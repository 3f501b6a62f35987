"""Match-3 levels with goals: what a dictionary of rules means, and what the games show and count."""

from __future__ import annotations

import json

import numpy as np
import pytest
from bitcade.match3 import GoalsBatch
from conftest import refused

BOARD = ["#1111", "1!1111", "11111", "11111"]
LEVEL = {"board": BOARD, "colors": 4, "moves": 6, "goals": {"color": {3: 5, 1: 2}, "locked": 1, "score": 400}, "bonus": 1000}


@pytest.mark.parametrize("special", [True, False])
def test_rewards_and_ends_are_those_of_the_goals(special):
    games = GoalsBatch(256, {**LEVEL, "special": special}, seed=1, autoreset_mode="Disabled")
    full, ended, won, early = np.array([5, 2, 1, 400]), 0, 0, 0
    for _ in range(12):
        left, scores = games.goals_left(), games.scores()
        _, reward, terminated, truncated, _ = games.step(games.sample())
        after = games.goals_left()
        reached = ((left > 0) & (after == 0)).sum(axis=1)
        assert (reward == games.scores() - scores + 1000 * reached).all() and not truncated.any()
        # The last goal counts the points.
        assert (after[:, 3] == np.maximum(400 - games.scores().astype(int), 0)).all()
        assert (after <= left).all() and (games.won() == (after == 0).all(axis=1)).all()
        assert (terminated == (games.won() | (games.steps == 6))).all()
        assert ((games.hints() > 0) == games.action_mask)[~terminated].all()
        ended, won, early = ended + terminated.sum(), won + games.won().sum(), early + (terminated & (games.steps < 6)).sum()
        if terminated.any():
            games.reset_some(terminated)
            assert not games.won()[terminated].any() and (games.goals_left()[terminated] == full).all()
    assert 20 < won < ended and early > 0


def test_a_game_that_is_won_is_told_after_its_restart():
    options = {**LEVEL, "goals": {"score": 30}}
    for mode, steps in (("SameStep", 0), ("NextStep", 1), ("Disabled", 1)):
        games = GoalsBatch(4, options, seed=1, autoreset_mode=mode)
        reward, terminated = games.random_step()[1:3]
        assert terminated.all() and games.won().all() and (reward >= 1030).all() and (games.steps == steps).all()
        games.reset()
        assert not games.won().any()


def test_rules_survive_json_and_repr():
    games = GoalsBatch(3, LEVEL, seed=4)
    assert repr(games) == (
        "<bitcade.match3.GoalsBatch: 3 games, rules={'board': ['#1111', '1!1111', '11111', '11111'], 'colors': 4, "
        "'moves': 6, 'special': True, 'goals': {'color': {3: 5, 1: 2}, 'locked': 1, 'score': 400}, 'bonus': 1000}, seed=4>"
    )
    state = games.get_state(1)
    for rules in (json.loads(json.dumps(LEVEL)), {**LEVEL, "board": tuple(BOARD)}, {**LEVEL, "board": "\n".join(BOARD)}):
        GoalsBatch(1, rules).set_state(0, state)
    goals = dict(reversed(LEVEL["goals"].items()))
    assert refused(GoalsBatch(1, {**LEVEL, "goals": goals}).set_state, 0, state).startswith("ValueError")
    assert repr(GoalsBatch(1, seed=1)) == repr(GoalsBatch(1, {}, seed=1)) == repr(GoalsBatch(1, None, seed=1))


SAID = [
    (["moves"], "TypeError: rules: expected a dictionary, found list"),
    ({"move": 1}, "ValueError: rules: unknown key 'move': expected board, colors, moves, special, goals or bonus"),
    ({"special": 1}, "TypeError: rules: special: expected a bool, found int"),
    ({"board": ["11", "1!"]}, "ValueError: rules: board: line 2, column 3: expected a color (1-9, a-z) after !"),
    ({"board": ["...."]}, "ValueError: rules: board: no arrangement of the pieces is stable and has a legal swap"),
    ({"goals": {"color": {6: 0}}}, "ValueError: rules: goals: color 6=0: expected 1 to 4294967295"),
    ({"goals": {"locked": 1}}, "ValueError: rules: goals: locked=1: more locked pieces than the board has"),
]


@pytest.mark.parametrize(("rules", "expected"), SAID, ids=range(len(SAID)))
def test_what_wrong_rules_say(rules, expected):
    assert refused(GoalsBatch, 1, rules) == expected

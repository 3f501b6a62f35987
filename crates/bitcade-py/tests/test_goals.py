"""Match-3 levels with goals: what a dictionary of rules means, and when a game is won."""

import json

from bitcade.match3 import GoalsBatch
from conftest import refused

BOARD = ["#1111", "1!1111", "11111", "11111"]
LEVEL = {"board": BOARD, "colors": 4, "moves": 6, "goals": {"color": {3: 5, 1: 2}, "locked": 1, "score": 400}, "bonus": 1000}


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
    ({"move": 1}, "unknown key 'move': expected board, colors, moves, special, goals or bonus"),
    ({"board": ["11", "1!"]}, "board: line 2, column 3: expected a color (1-9, a-z) after !"),
    ({"board": ["...."]}, "board: no arrangement of the pieces is stable and has a legal swap"),
    ({"goals": {"color": {6: 0}}}, "goals: color 6=0: expected 1 to 4294967295"),
    ({"goals": {"locked": 1}}, "goals: locked=1: more locked pieces than the board has"),
]


def test_what_wrong_rules_say():
    for rules, expected in SAID:
        assert refused(GoalsBatch, 1, rules) == f"ValueError: rules: {expected}"

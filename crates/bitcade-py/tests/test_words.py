"""What objects and actions say about themselves: `repr`, versions, decoded actions."""

import re
from pathlib import Path

import bitcade
import numpy as np
import pytest
from conftest import make, refused


def test_repr_names_arguments_that_the_class_takes(game):
    text = repr(make(game, 3, seed=7))
    arguments = re.fullmatch(r"<(bitcade\.\w+\.\w+): 3 games, (.*), seed=7>", text)
    assert arguments, text
    same = eval(f"{arguments[1]}(3, {arguments[2]}, seed=7)", {"bitcade": bitcade})
    assert repr(same) == text
    # A state fits only a batch with the same rules, up to those that `repr` leaves out.
    same.set_state(0, make(game, 3, seed=7).get_state(0))
    assert repr(make(game, 1, seed=[5])).partition(":")[2] == f" 1 game, {arguments[2]}, a seed each>"


def test_the_version_is_that_of_the_package():
    manifest = (Path(__file__).parents[3] / "Cargo.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{bitcade.__version__}"\n' in manifest


@pytest.mark.parametrize("actions", ["placements", "drops"])
def test_tetris_actions_mean_placements(actions):
    games = bitcade.tetris.Batch(1, seed=3, actions=actions)
    for _ in range(60):
        legal = np.flatnonzero(games.action_mask[0]).tolist()
        decoded = [bitcade.tetris.decode_action(action, actions=actions) for action in legal]
        assert [bitcade.tetris.encode_action(**action) for action in decoded] == legal
        places = bitcade.tetris.placements(games.board(0), "-IOTSZJL"[games.obs[0, 200]])
        places = {(p["orientation"], p["x"], p["y"]) for p in places if p["y"] < 22}
        now = {(way["orientation"], way["x"], way["y"]) for way in decoded if not way["hold"]}
        assert now == places if actions == "placements" else now <= {(*place[:2], None) for place in places}
        games.step([legal[0]] if len(legal) % 2 else games.sample())


def test_match3_actions_mean_swaps():
    size = {"width": 7, "height": 5}
    games = bitcade.match3.Batch(1, seed=1, **size)
    swaps = [bitcade.match3.decode_action(action, **size) for action in range(games.num_actions)]
    assert [bitcade.match3.encode_action(*swap, **size) for swap in swaps] == list(range(games.num_actions))
    for _ in range(20):
        legal = [swaps[action] for action in np.flatnonzero(games.action_mask[0])]
        assert sorted(legal) == sorted(bitcade.match3.swaps(games.board(0)))
        games.random_step()


def test_actions_that_there_are_not():
    tetris, match3 = bitcade.tetris, bitcade.match3
    for call, arguments, expected in (
        (tetris.decode_action, {"action": 880 * 2}, "action 1760: expected 0 to 1759"),
        (tetris.decode_action, {"action": 0, "actions": "x"}, "actions='x': expected placements or drops"),
        (tetris.encode_action, {"orientation": "up", "x": 0}, "orientation='up': expected north, east, south or west"),
        (tetris.encode_action, {"orientation": "north", "x": 0, "y": 22}, "y=22: expected 0 to 21"),
        (match3.decode_action, {"action": -1}, "action -1: expected 0 to 111"),
        (match3.encode_action, {"x": 7, "y": 0, "axis": "H"}, "swap (7, 0, H): expected x from 0 to 6 and y from 0 to 7"),
    ):
        assert refused(call, **arguments) == f"ValueError: {expected}"

"""What objects and actions say about themselves: `repr`, `help`, versions, decoded actions."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import bitcade
import numpy as np
import pytest
from bitcade import _native
from conftest import make, refused


def test_repr():
    batch = bitcade.g2048.Batch(4096, seed=1)
    assert repr(batch) == "<bitcade.g2048.Batch: 4096 games, width=4, height=4, seed=1>"
    assert repr(bitcade.g2048.Batch(1, width=3, seed=[5])) == (
        "<bitcade.g2048.Batch: 1 game, width=3, height=4, a seed each>"
    )
    assert repr(bitcade.match3.Batch(2, colors=5, moves=9, seed=0)) == (
        "<bitcade.match3.Batch: 2 games, width=8, height=8, colors=5, moves=9, seed=0>"
    )


def test_repr_names_arguments_that_the_class_takes(game):
    text = repr(make(game, 3, seed=7))
    arguments = re.fullmatch(r"<(bitcade\.\w+\.\w+): 3 games, (.*), seed=7>", text)
    assert arguments, text
    same = eval(f"{arguments[1]}(3, {arguments[2]}, seed=7)", {"bitcade": bitcade})
    assert repr(same) == text
    # A state fits only a batch with the same rules, up to those that `repr` leaves out.
    same.set_state(0, make(game, 3, seed=7).get_state(0))


def test_the_version_is_that_of_the_package():
    manifest = (Path(__file__).parents[3] / "Cargo.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{bitcade.__version__}"\n' in manifest


def native_calls():
    """Return all native functions, classes with a constructor, and methods by name."""
    found = {}
    for name, value in vars(_native).items():
        if callable(value) and not name.startswith("_"):
            if value not in (_native.State, _native.Network2048):
                found[name] = value
            if isinstance(value, type):
                members = {f"{name}.{m}": getattr(value, m) for m in vars(value) if not m.startswith("_")}
                found |= {name: member for name, member in members.items() if callable(member)}
    return found


CALLS = native_calls()
#: Arguments that need no words: the receiver, and one that the first line explains.
PLAIN = {"self", "game", "games", "bytes", "state", "states", "source", "target"}


@pytest.mark.parametrize("name", CALLS)
def test_help_names_every_argument_and_its_default(name):
    text, parameters = CALLS[name].__doc__, inspect.signature(CALLS[name]).parameters
    for argument, parameter in parameters.items():
        assert parameter.default is not ..., argument
        assert argument in PLAIN or re.search(rf"^    {argument}: ", text, re.MULTILINE) or f"`{argument}`" in text, argument
    described = re.findall(r"^    (\w+): ", text.partition("Args:\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert set(described) <= set(parameters), "there is no such argument"


def test_tetris_actions_mean_placements():
    games = bitcade.tetris.Batch(1, seed=3, second_spawn_row=True)
    for _ in range(60):
        legal = np.flatnonzero(games.action_mask[0]).tolist()
        decoded = [bitcade.tetris.decode_action(action) for action in legal]
        assert [bitcade.tetris.encode_action(**action) for action in decoded] == legal
        now = {(way["orientation"], way["x"], way["y"]) for way in decoded if not way["hold"]}
        piece = "-IOTSZJL"[games.obs[0, 200]]
        places = bitcade.tetris.placements(games.board(0), piece)
        assert now == {(p["orientation"], p["x"], p["y"]) for p in places if p["y"] < 22}
        games.step([legal[0]] if len(legal) % 2 else games.sample())


def test_tetris_drops_are_among_the_placements():
    drops = bitcade.tetris.Batch(1, seed=3, actions="drops", hold=False)
    decoded = [
        bitcade.tetris.decode_action(action, actions="drops") for action in np.flatnonzero(drops.action_mask[0]).tolist()
    ]
    assert [bitcade.tetris.encode_action(**action) for action in decoded] == np.flatnonzero(drops.action_mask[0]).tolist()
    piece = "-IOTSZJL"[drops.obs[0, 200]]
    places = bitcade.tetris.placements(drops.board(0), piece)
    assert {(way["orientation"], way["x"]) for way in decoded} == {(p["orientation"], p["x"]) for p in places}
    assert all(way["y"] is None and not way["hold"] for way in decoded)


def test_match3_actions_mean_swaps():
    games = bitcade.match3.Batch(1, width=7, height=5, seed=1)
    size = {"width": 7, "height": 5}
    for _ in range(20):
        legal = np.flatnonzero(games.action_mask[0]).tolist()
        swaps = [bitcade.match3.decode_action(action, **size) for action in legal]
        assert sorted(swaps) == sorted(bitcade.match3.swaps(games.board(0)))
        games.random_step()
    for action in range(games.num_actions):
        assert bitcade.match3.encode_action(*bitcade.match3.decode_action(action, **size), **size) == action


def test_actions_that_there_are_not():
    decode, encode = bitcade.tetris.decode_action, bitcade.tetris.encode_action
    assert refused(decode, 1760) == "ValueError: action 1760: expected 0 to 1759"
    assert refused(decode, 80, actions="drops") == "ValueError: action 80: expected 0 to 79"
    assert refused(decode, 0, actions="x") == "ValueError: actions='x': expected placements or drops"
    assert refused(encode, "up", 0) == "ValueError: orientation='up': expected north, east, south or west"
    assert refused(encode, "north", 10) == "ValueError: x=10: expected 0 to 9"
    assert refused(encode, "north", 0, 22) == "ValueError: y=22: expected 0 to 21"
    decode, encode = bitcade.match3.decode_action, bitcade.match3.encode_action
    assert refused(decode, 112) == "ValueError: action 112: expected 0 to 111"
    assert refused(decode, -1) == "ValueError: action -1: expected 0 to 111"
    assert refused(encode, 0, 0, "x") == "ValueError: axis='x': expected H or V"
    assert refused(encode, 7, 0, "H") == "ValueError: swap (7, 0, H): expected x from 0 to 6 and y from 0 to 7"

"""Rendering as text and images."""

from __future__ import annotations

import re

import bitcade
import numpy as np
import pytest
from bitcade.render import rgb_array, text
from conftest import make
from games import SMALL


def test_text_of_2048():
    board = np.array([[0, 1, 2], [3, 17, 0]], np.uint8)
    assert text("2048", board) == "      .      2      4\n      8 131072      ."
    games = make("2048", 1, seed=3)
    for _ in range(20):
        games.random_step()
    assert text("2048", games.obs[0]).split() == games.render(0).split()


def test_text_of_match3():
    games = make("match3", 1, seed=3)
    assert text("match3", games.obs[0]) == games.render(0).strip()
    assert text("match3", np.array([[0, 9, 10, 15]], np.uint8)) == ".9AF"


def test_text_of_tetris():
    games = bitcade.tetris.Batch(1, seed=3, rows=4, next=3)
    obs = games.obs[0].copy()
    obs[30:39] = 1
    obs[-2:] = 3, 1
    lines = text("tetris", obs, rows=4).splitlines()
    names = ["-IOTSZJL"[piece] for piece in obs[40:45]]
    assert lines[0] == f"piece {names[0]}  hold -  next {' '.join(names[2:])}"
    assert lines[1] == "combo 3  back-to-back 1"
    assert lines[2:] == ["| . . . . . . . . . . |"] * 3 + [
        "| # # # # # # # # # . |",
        "+---------------------+",
    ]
    with pytest.raises(ValueError, match="rows=20"):
        text("tetris", obs)


def test_text_of_go():
    games = bitcade.go.Batch(1, size=5)
    for action in (0, 24, 7):
        games.step([action])
    assert text("go", games.obs[0]) == (
        "   A B C D E\n"
        " 5 X . . . . 5\n"
        " 4 . .(X). . 4\n"
        " 3 . . . . . 3\n"
        " 2 . . . . . 2\n"
        " 1 . . . . O 1\n"
        "   A B C D E\n"
        "White (O) to move"
    )


def test_colors_only_paint(game):
    name = game.split()[0]
    games = make(game, 1, seed=1)
    rows = 12 if game == "tetris drops" else 20
    for _ in range(10):
        games.random_step()
    plain, painted = (text(name, games.obs[0], color=color, rows=rows) for color in (False, True))
    assert "\x1b" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    if name == "2048":
        assert bare == plain
    assert ("\x1b" in painted) == (name != "go")
    assert bare.count("\n") == plain.count("\n")


def test_images(game):
    name = game.split()[0]
    games = make(game, 2, seed=1)
    rows = 12 if game == "tetris drops" else 20
    seen = set()
    for _ in range(5):
        image = rgb_array(name, games.obs[0], rows=rows)
        assert image.dtype == np.uint8 and image.shape == SMALL[game][2] and image.flags.c_contiguous
        seen.add(image.tobytes())
        assert (rgb_array(name, games.obs[0], rows=rows) == image).all()
        games.random_step()
    assert len(seen) == 5, "each position has an image of its own"


def test_images_show_the_cells():
    board = np.array([[1, 1, 2]], np.uint8)
    image = rgb_array("2048", board)
    first, second, third = (image[:, 44 * i : 44 * (i + 1)] for i in range(3))
    assert (first == second).all() and not (second == third).all()
    assert len({rgb_array("2048", np.array([[rank]], np.uint8)).tobytes() for rank in range(30)}) == 30
    gems = {rgb_array("match3", np.array([[color]], np.uint8)).tobytes() for color in range(16)}
    assert len(gems) == 16
    games = bitcade.go.Batch(1, size=9)
    empty = rgb_array("go", games.obs[0])
    games.step([2 * 9 + 3])
    changed = (rgb_array("go", games.obs[0]) != empty).any(axis=2)
    ys, xs = np.nonzero(changed)
    assert 50 <= ys.min() and ys.max() < 75 and 75 <= xs.min() and xs.max() < 100
    middle = rgb_array("go", games.obs[0])[62, 87]
    games.step([81])
    assert (rgb_array("go", games.obs[0])[62, 87] == middle).all(), "a stone keeps its color when White moves"


def test_other_names():
    for draw in (text, rgb_array):
        with pytest.raises(ValueError, match="game='chess'"):
            draw("chess", np.zeros((3, 3), np.uint8))

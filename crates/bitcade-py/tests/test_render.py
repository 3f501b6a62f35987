"""Rendering as text and images."""

from __future__ import annotations

import re
from typing import Any

import bitcade
import numpy as np
import pytest
from bitcade.render import rgb_array, text, video
from conftest import make, refused, run_python
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


def frames_of(game: str) -> tuple[str, Any, dict[str, int]]:
    """Return the name of a game, small games, and the arguments of their frames."""
    return game.split()[0], make(game, 1, seed=1), {"rows": 12 if game == "tetris drops" else 20}


def test_colors_only_paint(game):
    name, games, rows = frames_of(game)
    for _ in range(10):
        games.random_step()
    plain, painted = (text(name, games.obs[0], color=color, **rows) for color in (False, True))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert "\x1b" not in plain and ("\x1b" in painted) == (name != "go")
    assert bare == plain or name != "2048" and bare.count("\n") == plain.count("\n")


def test_images(game):
    name, games, rows = frames_of(game)
    seen = set()
    for _ in range(5):
        image, captioned = (rgb_array(name, games.obs[0], caption=caption, **rows) for caption in (None, "a1"))
        assert image.dtype == np.uint8 and image.shape == SMALL[game][2] and image.flags.c_contiguous
        assert (rgb_array(name, games.obs[0], **rows) == image).all()
        for edge in (image[:8], image[-3:], image[:, :8], captioned[:, -8:]):
            assert (edge == image[0, 0]).all(), "tiled images are apart"
        assert (len(captioned) > len(image)) == (name == "2048"), "the other games have a line already"
        assert (captioned[-18:] != captioned[0, 0]).any()
        assert rgb_array(name, games.obs[0], caption="x" * 1000, **rows).shape == captioned.shape
        seen.add(image.tobytes())
        games.random_step()
    assert len(seen) == 5, "each position has an image of its own"


def test_images_show_the_cells():
    board = np.array([[1, 1, 2]], np.uint8)
    image = rgb_array("2048", board)[8:, 8:]
    first, second, third = (image[:, 44 * i : 44 * (i + 1)] for i in range(3))
    assert (first == second).all() and not (second == third).all()
    assert len({rgb_array("2048", np.array([[rank]], np.uint8)).tobytes() for rank in range(30)}) == 30
    gems = {rgb_array("match3", np.array([[color]], np.uint8)).tobytes() for color in range(16)}
    assert len(gems) == 16
    games = bitcade.go.Batch(1, size=9)

    def points() -> np.ndarray:
        """Return the image within margin and coordinates, above the line that says who moves."""
        return rgb_array("go", games.obs[0])[28 : 28 + 225, 28 : 28 + 225]

    empty = points()
    games.step([2 * 9 + 3])
    ys, xs = np.nonzero((points() != empty).any(axis=2))
    assert 50 <= ys.min() and ys.max() < 75 and 75 <= xs.min() and xs.max() < 100
    middle = points()[62, 87]
    games.step([81])
    assert (points()[62, 87] == middle).all(), "a stone keeps its color when White moves"


def test_pictures_of_tetris_have_walls_and_the_current_piece_above():
    games = bitcade.tetris.Batch(1, seed=3)
    image = rgb_array("tetris", games.obs[0])[8:-26, 8:-8]
    wall = image[-1, 0]
    for part in (image[28:, :4], image[28:, 144:148], image[-4:, :148]):
        assert (part == wall).all()
    above = image[:28, 4:144]
    colors = {tuple(color) for color in above.reshape(-1, 3).tolist()}
    assert len(colors) == 3, "page, grid and the piece"
    # Piece 1 is an I, in the lower row of the spawn; the others take both rows.
    assert (above[:14] != image[0, 0]).any() == (games.obs[0, 200] != 1)


def test_garbage_is_no_piece():
    games = bitcade.tetris.Batch(1, seed=1, garbage=(2, 3), next=2)
    for _ in range(6):
        games.random_step()
    obs = games.obs[0].copy()
    obs[-3:] = 4, 2, 7
    lines = text("tetris", obs, garbage=True).splitlines()
    assert len(lines[0].split("next")[1].split()) == 2 and lines[1] == "combo 4  back-to-back 2  garbage 7"
    assert rgb_array("tetris", obs, garbage=True).shape == rgb_array("tetris", obs[:-1]).shape


def test_observations_that_are_none():
    for draw in (text, rgb_array):
        for game, obs, found in (
            ("2048", np.zeros(3), "shape (height, width) or (18, height, width), found (3,)"),
            ("match3", np.zeros((1, 4, 4)), "shape (2, height, width) or (colors + 1, height, width), found (1, 4, 4)"),
            ("match3-goals", np.zeros((7, 4, 4)), "shape (7 + colors + goals, height, width), found (7, 4, 4)"),
            ("go", np.zeros((4, 4)), "shape (6 or 2 history + 1, size, size), found (4, 4)"),
            ("go", np.zeros((8, 5, 5)), "shape (6 or 2 history + 1, size, size), found (8, 5, 5)"),
            ("tetris", np.zeros((4, 4)), "shape (cells,) or (planes, rows, 10), found (4, 4)"),
            ("tetris-keys", np.zeros((4, 4)), "shape (4, 24, 10), found (4, 4)"),
            *(("2048", [[1, cell]], "whole numbers from 0 to 255") for cell in (0.5, -1, 256, np.nan, np.inf)),
        ):
            assert refused(draw, game, obs) == f"ValueError: obs: expected {found}"
        assert refused(draw, "2048", [["a"]]) == "TypeError: obs: expected numbers, found <U1"
        assert "game='chess'" in refused(draw, "chess", np.zeros((3, 3)))
        assert "channels='middle'" in refused(draw, "2048", np.zeros((3, 3)), channels="middle")


def test_what_a_training_run_has_is_rendered():
    assert text("2048", [[1, 0]]) == text("2048", np.float32([[1, 0]])) == "    2    ."
    one_hot = bitcade.match3.Batch(1, seed=1, one_hot=True, dtype="float32", channels="last").obs[0]
    plain = bitcade.match3.Batch(1, seed=1).obs[0]
    assert text("match3", one_hot, channels="last") == text("match3", plain)
    assert (rgb_array("match3", one_hot, channels="last") == rgb_array("match3", plain)).all()


def play(frames: int) -> list[np.ndarray]:
    games = bitcade.g2048.Batch(1, seed=1)
    found = []
    for _ in range(frames):
        found.append(games.obs[0].copy())
        games.random_step()
    return found


@pytest.mark.parametrize("suffix", [".gif", ".png", ".GIF"])
def test_videos(suffix, tmp_path):
    image = pytest.importorskip("PIL.Image")
    path, boards = tmp_path / f"game{suffix}", play(5)
    video(path, "2048", boards, fps=10, captions=[f"step {step}" for step in range(5)])
    with image.open(path) as shown:
        assert shown.n_frames == 5 and shown.info["duration"] == 100
        expected = rgb_array("2048", boards[0], caption="step 0")
        assert shown.size == expected.shape[1::-1]
        if suffix == ".png":
            assert (np.asarray(shown.convert("RGB")) == expected).all()
    before = path.read_bytes()
    video(str(path), None, (rgb_array("2048", board) for board in boards[:2]))
    assert path.read_bytes() != before and [file.name for file in tmp_path.iterdir()] == [path.name]


def test_videos_that_are_none(tmp_path):
    pytest.importorskip("PIL")
    path, boards = tmp_path / "game.gif", play(2)
    for arguments, options, expected in (
        ((tmp_path / "game.mp4", "2048", boards), {}, "expected a name that ends with .gif or .png"),
        ((path, "2048", []), {}, "frames: expected at least one"),
        ((path, "chess", boards), {}, "game='chess': expected one of"),
        ((path, "2048", boards), {"fps": 0}, "fps=0: expected above 0 and at most 50"),
        ((path, "2048", boards), {"fps": float("nan")}, "fps=nan"),
        ((path, "2048", boards), {"captions": ["x"]}, "captions: expected 2, one per frame, found 1"),
        ((path, None, boards), {}, "frames: frame 0: expected uint8 of shape (height, width, 3)"),
        ((path, "2048", [boards[0], boards[1][:2]]), {}, "frames: frame 1: expected uint8 of shape"),
        ((tmp_path, "2048", boards), {}, "expected a name"),
    ):
        assert expected in refused(video, *arguments, **options)
    with pytest.raises(OSError, match="nowhere"):
        video(tmp_path / "nowhere" / "game.gif", "2048", boards)
    assert list(tmp_path.iterdir()) == []


def test_videos_need_pillow():
    done = run_python("import sys; sys.modules['PIL'] = None\nimport bitcade\nbitcade.render.video('a.gif', '2048', [])")
    assert "pip install 'bitcade[video]'" in done.stderr.splitlines()[-1]

"""Rendering as text and images."""

import re

import bitcade
import numpy as np
import pytest
from bitcade._games.match3_level import _sprites
from bitcade.render import rgb_array, text, video
from conftest import make, refused


def test_text_of_2048_and_match3():
    assert text("2048", [[0, 1, 2], [3, 17, 0]]) == "      .      2      4\n      8 131072      ."
    assert text("match3", np.array([[0, 9, 10, 15]], np.uint8)) == ".9AF"


def test_text_of_tetris():
    games = bitcade.tetris.Batch(1, seed=3, rows=4, next=3, garbage=(2, 3))
    obs = games.obs[0].copy()
    obs[30:39] = 1
    obs[-3:] = 3, 1, 7
    names = ["-IOTSZJL"[piece] for piece in obs[40:45]]
    assert text("tetris", obs, rows=4, garbage=True).splitlines() == [
        f"piece {names[0]}  hold -  next {' '.join(names[2:])}",
        "combo 3  back-to-back 1  garbage 7",
        *["| . . . . . . . . . . |"] * 3,
        "| # # # # # # # # # . |",
        "+---------------------+",
    ]
    assert "rows=20" in refused(text, "tetris", obs)


def test_images(game):
    # Each position has an image of its own, with a margin; colors only paint the text.
    name, rows = game.split()[0], {"rows": 12 if game == "tetris drops" else 20}
    games, seen = make(game, 1, seed=1, dtype="float32"), set()
    for _ in range(5):
        image, captioned = (rgb_array(name, games.obs[0], caption=caption, **rows) for caption in (None, "a1"))
        assert image.dtype == np.uint8 and image.shape[2:] == (3,) and image.flags.c_contiguous
        for edge in (image[:8], image[-3:], image[:, :8], captioned[:, -8:]):
            assert (edge == image[0, 0]).all()
        assert rgb_array(name, games.obs[0], caption="x" * 1000, **rows).shape == captioned.shape
        seen.add(image.tobytes())
        games.random_step()
    assert len(seen) == 5
    plain, painted = (text(name, games.obs[0], color=color, **rows) for color in (False, True))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert "\x1b" not in plain and ("\x1b" in painted) == (name != "go")
    assert bare == plain or name != "2048" and bare.count("\n") == plain.count("\n")


def test_images_show_the_cells():
    image = rgb_array("2048", [[1, 1, 2]])[8:, 8:]
    first, second, third = (image[:, 44 * i : 44 * (i + 1)] for i in range(3))
    assert (first == second).all() and not (second == third).all()
    for game, count in (("2048", 30), ("match3", 16)):
        assert len({rgb_array(game, [[cell]]).tobytes() for cell in range(count)}) == count
    assert len({*map(bytes, _sprites()[:96])}) == 95
    games = bitcade.go.Batch(1, size=9)
    images = []
    for action in (2 * 9 + 3, 81, 81):
        # Within margin and coordinates, above the line that says who moves.
        images.append(rgb_array("go", games.obs[0])[28 : 28 + 225, 28 : 28 + 225])
        games.step([action])
    ys, xs = np.nonzero((images[0] != images[1]).any(axis=2))
    assert 50 <= ys.min() and ys.max() < 75 and 75 <= xs.min() and xs.max() < 100
    assert (images[1][62, 87] == images[2][62, 87]).all()


def test_observations_that_are_none():
    for draw in (text, rgb_array):
        for game, shape, expected in (
            ("2048", (3,), "(height, width) or (18, height, width)"),
            ("match3", (1, 4, 4), "(2, height, width) or (colors + 1, height, width)"),
            ("match3-level", (13, 4, 4), "(13 + colors + goals, height, width)"),
            ("go", (8, 5, 5), "(6 or 2 history + 1, size, size)"),
            ("tetris", (4, 4), "(cells,) or (planes, rows, 10)"),
            ("tetris-keys", (4, 4), "(4, 24, 10)"),
        ):
            assert refused(draw, game, np.zeros(shape)) == f"ValueError: obs: expected shape {expected}, found {shape}"
        for cell in (0.5, -1, 256, np.nan):
            assert refused(draw, "2048", [[1, cell]]) == "ValueError: obs: expected whole numbers from 0 to 255"
        assert refused(draw, "2048", [["a"]]) == "TypeError: obs: expected numbers, found <U1"
        assert "game='chess'" in refused(draw, "chess", np.zeros((3, 3)))
        assert "channels='middle'" in refused(draw, "2048", np.zeros((3, 3)), channels="middle")


BOARDS = [np.eye(4, k=k, dtype=np.uint8) for k in range(5)]


@pytest.mark.parametrize("suffix", [".gif", ".png", ".GIF"])
def test_videos(suffix, tmp_path):
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / f"game{suffix}"
    video(path, "2048", BOARDS, fps=10, captions=[f"step {step}" for step in range(5)])
    with image.open(path) as shown:
        assert shown.n_frames == 5 and shown.info["duration"] == 100
        expected = rgb_array("2048", BOARDS[0], caption="step 0")
        assert shown.size == expected.shape[1::-1]
        assert suffix != ".png" or (np.asarray(shown.convert("RGB")) == expected).all()
    before = path.read_bytes()
    video(str(path), None, (rgb_array("2048", board) for board in BOARDS[:2]))
    assert path.read_bytes() != before and [file.name for file in tmp_path.iterdir()] == [path.name]


def test_videos_that_are_none(tmp_path):
    pytest.importorskip("PIL")
    path = tmp_path / "game.gif"
    for arguments, options, expected in (
        ((tmp_path / "game.mp4", "2048", BOARDS), {}, "expected a name that ends with .gif or .png"),
        ((path, "2048", []), {}, "frames: expected at least one"),
        ((path, "2048", BOARDS), {"fps": 0}, "fps=0: expected above 0 and at most 50"),
        ((path, "2048", BOARDS), {"captions": ["x"]}, "captions: expected 5, one per frame, found 1"),
        ((path, None, BOARDS), {}, "frames: frame 0: expected uint8 of shape (height, width, 3)"),
        ((path, "2048", [BOARDS[0], BOARDS[1][:2]]), {}, "frames: frame 1: expected uint8 of shape"),
    ):
        assert expected in refused(video, *arguments, **options)
    with pytest.raises(OSError, match="nowhere"):
        video(tmp_path / "nowhere" / "game.gif", "2048", BOARDS)
    assert list(tmp_path.iterdir()) == []

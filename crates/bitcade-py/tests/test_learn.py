"""Learning 2048 from games played elsewhere: `Learner.replay`, and `bitcade.ray.learn_2048` without Ray."""

from __future__ import annotations

import numpy as np
import pytest
from bitcade._learn import Learning
from bitcade._native import Learner2048, Network2048
from bitcade.ray import learn_2048
from conftest import refused

MOVE = np.dtype([("board", "<u8"), ("gain", "<u4")])


@pytest.fixture(scope="module")
def network() -> Network2048:
    learner = Learner2048(seed=1)
    learner.learn(30)
    return learner.network()


def transcripts(played: bytes) -> list[np.ndarray]:
    """Read the games of `self_play`."""
    found = []
    while played:
        end = 4 + MOVE.itemsize * int.from_bytes(played[:4], "little")
        found.append(np.frombuffer(played[4:end], MOVE))
        played = played[end:]
    return found


def ranks(board: int) -> np.ndarray:
    """Return the ranks of a packed board."""
    return np.array([board >> (4 * cell) & 15 for cell in range(16)], np.uint8).reshape(4, 4)


def test_self_play_follows_the_network_and_the_rules(network):
    games = transcripts(network.self_play(20, seed=3))
    assert len(games) == 20 and min(map(len, games)) > 50
    assert network.self_play(20, seed=3) == network.self_play(20, seed=3) != network.self_play(20, seed=4)
    for game in games[:5]:
        boards = [ranks(int(board)) for board in game["board"]]
        for i in range(len(game) - 1):
            # Some spawn, and then the network's move, leads to the next afterstate.
            starts = []
            for cell in np.argwhere(boards[i] == 0):
                for rank in (1, 2):
                    starts.append(boards[i].copy())
                    starts[-1][tuple(cell)] = rank
            moves = network.actions(np.array(starts))
            reached = [slide(start, move) for start, move in zip(starts, moves, strict=True) if move >= 0]
            assert any((board == boards[i + 1]).all() and gain == game["gain"][i + 1] for board, gain in reached)


def slide(board: np.ndarray, action: int) -> tuple[np.ndarray, int]:
    """Slide a board by the rules; return the afterstate and the gain."""
    turned = [board, board[:, ::-1], board.T, board[::-1].T][action]
    rows, gain = [], 0
    for row in turned.tolist():
        tiles, merged = [rank for rank in row if rank], []
        while tiles:
            if len(tiles) > 1 and tiles[0] == tiles[1]:
                merged.append(tiles[0] + 1)
                gain += 2 << tiles[0]
                tiles = tiles[2:]
            else:
                merged.append(tiles.pop(0))
        rows.append(merged + [0] * (4 - len(merged)))
    result = np.array(rows, np.uint8)
    return [result, result[:, ::-1], result.T, result.T[::-1]][action], gain


def test_replay_counts_and_learns(network):
    played = network.self_play(1200, seed=5)
    games = transcripts(played)
    learner = Learner2048(seed=1)
    learner.replay(played)
    assert (learner.games, learner.moves) == (1200, sum(map(len, games)))
    scores = [int(game["gain"].sum()) for game in games]
    assert learner.curve[0][0] == pytest.approx(np.mean(scores[:1000]))
    again = Learner2048.load(learner.save())
    assert again.games == 1200 and again.save() == learner.save()
    # It has learned as much as by games of its own, or more.
    own = Learner2048(seed=1)
    own.learn(1200)
    means = [np.mean([score for score, _ in each.network().evaluate(300)]) for each in (learner, own, Learner2048())]
    assert means[0] > 0.6 * means[1] > 2 * means[2]


def test_replay_goes_from_the_end_to_the_start():
    # One game of two moves: the last afterstate learns 0, and stays; the first one its successor's gain.
    boards = np.zeros(2, MOVE)
    boards["board"], boards["gain"] = [0x0000_0000_0000_0021, 0x0000_0000_0000_0302], [4, 64]
    game = (2).to_bytes(4, "little") + boards.tobytes()
    learner = Learner2048(learning_rate=1.0)
    learner.replay(game)
    one, two = (learner.network(), Learner2048(learning_rate=1.0).network())
    assert one.save() != two.save()
    assert (learner.games, learner.moves) == (1, 2)
    # Parts give the same result as all at once.
    whole, parts = Learner2048(), Learner2048()
    whole.replay(game * 3)
    for _ in range(3):
        parts.replay(game)
    assert whole.save() == parts.save()


def test_bytes_that_are_no_games_are_refused(network):
    learner, played = Learner2048(), network.self_play(2)
    before = learner.save()
    for wrong in (played[:-1], played + b"\0", b"\xff" * 4, played[4:]):
        assert "games: expected bytes" in refused(learner.replay, wrong)
        assert learner.save() == before
    learner.replay(b"")
    assert learner.save() == before and network.self_play(0) == b""
    # Any board is taken.
    learner.replay((3).to_bytes(4, "little") + b"\xff" * 36)
    assert Learner2048.load(learner.save()).games == 1


def test_batches_grow_and_have_seeds_of_their_own():
    settings = {"workers": 3, "seed": 1, "learning_rate": 1.0, "coherence": True}
    batches = list(Learning(settings, None, 9000)._batches())
    games = [sum(games for games, _ in batch) for batch in batches]
    assert games == [500, 500, 500, 750, 1125, 1687, 1969, 984, 500, 485] and sum(games) == 9000
    seeds = [seed for batch in batches for _, seed in batch]
    assert len(set(seeds)) == len(seeds) == 3 * len(batches)


def test_learning_is_resumed(tmp_path):
    whole = learn_2048(600, workers=2, executor="local")
    assert whole.games == 600
    assert learn_2048(600, workers=2, executor="local").save() == whole.save()
    path, seen = tmp_path / "learner", []

    def stop(learner: Learner2048) -> None:
        if learner.games >= 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_2048(600, workers=2, executor="local", checkpoint=path, progress=stop)
    resumed = learn_2048(600, workers=2, executor="local", checkpoint=path, progress=lambda each: seen.append(each.games))
    assert seen == [600] and resumed.games == 600
    assert learn_2048(600, workers=2, executor="local", checkpoint=path).save() == resumed.save()
    assert "another learner" in refused(learn_2048, 600, workers=3, executor="local", checkpoint=path)
    path.write_bytes(path.read_bytes()[:-100])
    assert str(path) in refused(learn_2048, 600, workers=2, executor="local", checkpoint=path)


def test_wrong_arguments_are_named():
    for arguments in ({"workers": 0}, {"attempts": 0}, {"executor": "threads"}, {"learning_rate": 2.0}):
        name = next(iter(arguments)).replace("_", " ")
        assert name in refused(learn_2048, 10, **{"executor": "local", **arguments}).replace("_", " ")
    assert "games=0" in refused(learn_2048, 0, executor="local")

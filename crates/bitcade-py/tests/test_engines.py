"""Engine functions against known results."""

from __future__ import annotations

import math
import pickle

import bitcade
import numpy as np
import pytest
import reference


LEVEL = {"width": 8, "height": 8, "colors": 6, "moves": 10}
LEARNER = bitcade.g2048.Learner(seed=3, num_threads=2)
LEARNER.learn(60)
NETWORK = LEARNER.network()


@pytest.mark.parametrize(
    "call",
    [
        lambda **options: bitcade.g2048.playouts(2000, **options),
        lambda **options: bitcade.go.playouts(500, **options),
        lambda **options: NETWORK.evaluate(6, **options),
        lambda **options: bitcade.match3.evaluate(300, **LEVEL, **options),
        lambda **options: bitcade.contest.solve(pieces=40, width=20, **options),
    ],
)
def test_a_seed_gives_a_result_on_any_number_of_threads(call):
    assert call(seed=1) == call(seed=1) == call(seed=1, num_threads=2) != call(seed=2)


def test_playouts():
    played = bitcade.g2048.playouts(2000, seed=1)
    assert played["games"] == sum(played["largest"].values()) == 2000
    assert all(tile & (tile - 1) == 0 for tile in played["largest"])
    assert 1000 < played["mean_score"] < 1200 and 0 < played["stderr_score"] < 30
    assert 110 < played["mean_moves"] < 130
    played = bitcade.go.playouts(500, size=9, seed=1)
    assert played["games"] == 500 and 90 < played["mean_plies"] < 130
    assert 90 < played["mean_stones"] < played["mean_plies"]


def exact(board: reference.Rows, seen: dict[str, tuple[float, float]]) -> tuple[float, float]:
    """Return the expected scores of optimal and of random play from a board, by plain recursion."""
    key = str(board)
    if key not in seen:
        values = []
        for direction in range(4):
            moved, gain = reference.slide(board, direction)
            if moved != board:
                best, random = spawned(moved, seen)
                values.append((gain + best, gain + random))
        mean = sum(value[1] for value in values) / len(values) if values else 0.0
        seen[key] = (max((value[0] for value in values), default=0.0), mean)
    return seen[key]


def spawned(board: reference.Rows, seen: dict[str, tuple[float, float]]) -> tuple[float, float]:
    """Return the expected scores after a tile has appeared."""
    empty = [(y, x) for y, row in enumerate(board) for x, rank in enumerate(row) if not rank]
    totals = [0.0, 0.0]
    for y, x in empty:
        for rank, chance in ((1, 0.9), (2, 0.1)):
            board[y][x] = rank
            for i, value in enumerate(exact(board, seen)):
                totals[i] += chance * value / len(empty)
            board[y][x] = 0
    return totals[0], totals[1]


def test_2048_solution_by_plain_recursion():
    seen: dict[str, tuple[float, float]] = {}
    totals = [0.0, 0.0]
    for y in range(2):
        for x in range(2):
            for rank, chance in ((1, 0.9), (2, 0.1)):
                board = [[0, 0], [0, 0]]
                board[y][x] = rank
                for i, value in enumerate(spawned(board, seen)):
                    totals[i] += chance * value / 4
    solution = bitcade.g2048.solve(2, 2)
    assert solution["expected_score"] == pytest.approx(totals[0], rel=1e-12)
    assert solution["random_score"] == pytest.approx(totals[1], rel=1e-12)
    assert solution["canonical"] <= solution["states"]
    assert bitcade.g2048.playouts(40_000, width=2, height=2)["mean_score"] == pytest.approx(
        totals[1], rel=0.02
    )


def test_2048_learner_and_network():
    assert LEARNER.games >= 60 and LEARNER.moves > 60 and LEARNER.curve == []
    board = np.zeros((3, 4, 4), np.uint8)
    board[0, 0, :2] = 1
    board[1, 3, 0] = 2
    board[2] = np.arange(16).reshape(4, 4) % 7 + 1
    actions = NETWORK.actions(board)
    assert actions[2] == -1 == NETWORK.actions(board, depth=2)[2], "no move is legal"
    for rows, action in zip(board[:2].tolist(), actions, strict=False):
        assert reference.slide(rows, action)[0] != rows
    results = NETWORK.evaluate(6, seed=4)
    assert results[2:] == NETWORK.evaluate(4, seed=4, first=2)
    assert all(score > 0 and tile & (tile - 1) == 0 for score, tile in results)
    again = pickle.loads(pickle.dumps(NETWORK))
    assert again.save() == NETWORK.save() and again.evaluate(3) == NETWORK.evaluate(3)
    resumed = bitcade.g2048.Learner.load(LEARNER.save())
    assert resumed.games == LEARNER.games and resumed.network().save() == NETWORK.save()


def test_match3_players():
    greedy, random = (bitcade.match3.evaluate(300, agent=agent, **LEVEL) for agent in ("greedy", "random"))
    assert greedy[100:110] == bitcade.match3.evaluate(10, agent="greedy", first=100, **LEVEL)
    assert len(greedy) == 300 and np.mean(greedy) > 1.2 * np.mean(random)
    rollout = bitcade.match3.evaluate(8, agent="rollout", budget=200, **LEVEL)
    assert np.mean(rollout) > np.mean(random)
    assert bitcade.match3.evaluate(0) == []


def test_match3_hints_of_boards_of_any_size_and_holes():
    board = [[1, 1, 2, 0], [3, 4, 1, 0]]
    assert bitcade.match3.swaps(board) == [(2, 0, "V")] and bitcade.match3.hints(board) == [(2, 0, "V", 30)]
    # After the one run of three, worth thirty points, no other run can form.
    hints = bitcade.match3.hints([[1, 2, 1, 1], [2, 1, 2, 3], [3, 3, 1, 2]])
    assert (1, 0, "V") in {hint[:3] for hint in hints} and all(points >= 30 for *_, points in hints)


def test_tetris_placements_of_the_empty_board():
    empty = [[0] * 10]
    counts = {piece: len(bitcade.tetris.placements(empty, piece)) for piece in "IOTSZJL"}
    assert counts == {"I": 17, "O": 9, "T": 34, "S": 17, "Z": 17, "J": 34, "L": 34}
    for placement in bitcade.tetris.placements(empty, "T"):
        assert placement["lines"] == 0 and placement["keys"] and 0 <= placement["x"] < 10


def test_tetris_spins():
    board = [[0] * 10 for _ in range(2)]
    # A slot under an overhang that only a T-spin can fill.
    board += [[1, 1, 1, 1, 0, 0, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1, 1]]
    board[1][5] = board[2][5] = 0
    board[2][3] = 1
    board[1][3] = 1
    spins = [p for p in bitcade.tetris.placements(board, "T") if p["lines"] == 2]
    assert spins
    assert {p["spin"] for p in bitcade.tetris.placements(board, "T", spins=False)} == {
        p["spin"] for p in bitcade.tetris.placements([[0] * 10], "O")
    }


def test_tetris_bot_and_controllers():
    ranked = bitcade.tetris.bot([[0] * 10], "TIOS", hold="L", nodes=2000)
    assert ranked and {move["piece"] for move in ranked} <= {"T", "L"}
    assert all(move["hold"] == (move["piece"] == "L") for move in ranked)
    played = bitcade.tetris.control(3000, weights="dellacherie")
    assert played["pieces"] == 3000 and played["games"] == 0
    assert played["unfinished_games"] == 3 and played["unfinished_lines"] > 1000
    assert bitcade.tetris.control(500, seed=3) == bitcade.tetris.control(500, seed=3)


def test_go_functions():
    board = [[0] * 9 for _ in range(9)]
    for x in range(9):
        board[2][x], board[6][x] = 1, 2
    owners = bitcade.go.ownership(board, games=200)
    assert owners.shape == (9, 9) and owners.dtype == np.float32
    assert owners[:3].min() > 0.5 and owners[6:].max() < -0.5
    # The middle is the best first move on 5 x 5.
    board = [[0] * 5 for _ in range(5)]
    best = bitcade.go.best_move(board, komi=0.5, playouts=3000)
    assert best["action"] == 12 and best["to_move"] == "black"
    assert best["candidates"][0][0] == 12 and 0 <= best["win_rate"] <= 1
    assert best == bitcade.go.best_move(board, komi=0.5, playouts=3000)


def test_contest():
    solved = bitcade.contest.solve(pieces=40, width=20)
    assert solved["pieces"] == 40 and 0 <= solved["score"] <= solved["bound"]
    checked = bitcade.contest.verify(solved["record"])
    assert checked == {key: value for key, value in solved.items() if key != "record"}
    other = bitcade.contest.solve(seed=7, pieces=40, width=20)
    assert bitcade.contest.verify(other["record"], seed=7)["score"] == other["score"]


def test_means_of_nothing_are_no_numbers():
    """As in NumPy, the mean of no games is NaN, and so is the standard error of fewer than two."""
    for playouts in (bitcade.g2048.playouts, bitcade.go.playouts):
        none, one, two = (playouts(games, seed=1) for games in (0, 1, 2))
        means = [name for name in none if name.startswith("mean_")]
        assert means and none["games"] == 0
        assert all(math.isnan(none[name]) and one[name] != 0 for name in means)
        assert (
            math.isnan(none["stderr_score"]) and math.isnan(one["stderr_score"]) and two["stderr_score"] >= 0
        )
    assert np.isnan(bitcade.go.ownership([[0] * 5] * 5, games=0)).all()
    assert bitcade.go.best_move([[0] * 5] * 5, playouts=0)["win_rate"] is None
    values = [*bitcade.go.ownership([[0] * 5] * 5, games=2).ravel(), *bitcade.go.Batch(3, komi=0).scores()]
    assert not any(value == 0 and np.signbit(value) for value in values)

"""The examples run to the end on small workloads, and match their docstrings."""

from __future__ import annotations

import importlib.util
import json
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest

import bitcade

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(monkeypatch: pytest.MonkeyPatch, name: str, *arguments: object) -> dict[str, object]:
    """Run an example as a program with arguments; return its globals."""
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    return runpy.run_path(str(EXAMPLES / name), run_name="__main__")


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    """The example `ppo.py` as a module."""
    pytest.importorskip("torch", reason="the example ppo.py needs PyTorch")
    spec = importlib.util.spec_from_file_location("ppo_example", EXAMPLES / "ppo.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", ["2048", "match3-8x8", "match3-5x5"])
def test_ppo_writes_curve_and_plot(ppo, game, tmp_path, monkeypatch, capsys):
    """A very short run prints and saves its results, whatever it has learned."""
    curve, plot = tmp_path / "curve.json", tmp_path / "curve.svg"
    arguments = ["--game", game, "--minutes", "0.005", "--games", "20", "--threads", "1"]
    monkeypatch.setattr(sys, "argv", ["ppo.py", *arguments, "--out", str(curve), "--plot", str(plot)])
    ppo.main()
    report = json.loads(curve.read_text())
    results, points = report["results"], report["curve"]
    assert set(results) == {"random", "learned"} | ({"greedy"} if game != "2048" else set())
    assert all(result["mean"] > 0 and result["standard_error"] > 0 for result in results.values())
    setup = ppo.SETUPS[game]
    assert points and points[-1]["steps"] % (setup.num_envs * setup.rollout) == 0
    picture = ElementTree.parse(plot).getroot()
    assert picture.tag.endswith("svg")
    printed = capsys.readouterr().out
    assert re.search(r"^learned +[0-9.]+ \+- [0-9.]+ +[0-9.]+ x random", printed, re.MULTILINE)


def randomize(net: object) -> object:
    """Randomize all weights, because the last layers start from zero."""
    import torch

    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(0, 0.3)
    return net


def test_net_2048_turns_with_the_board(ppo):
    """Rotating a board permutes the logits of its moves and preserves its value."""
    import torch

    net = randomize(ppo.Net2048(8))
    boards = torch.from_numpy(np.random.default_rng(1).integers(0, 6, (5, 4, 4), dtype=np.uint8))
    with torch.no_grad():
        logits, value = net(boards)
        # Counterclockwise: up becomes left, down right, right up, and left down.
        turned_logits, turned_value = net(boards.rot90(1, (1, 2)))
    assert logits.std() > 0.01
    assert torch.allclose(turned_logits, logits[:, [2, 3, 1, 0]], atol=1e-4)
    assert torch.allclose(turned_value, value, atol=1e-4)


def test_net_match3_orders_actions_as_the_games_do(ppo):
    """The maps of swaps to the right and down flatten to the order of the games' actions."""
    import torch

    games = bitcade.match3.Batch(64, seed=5, width=7, height=6, colors=5)
    names = torch.tensor([[[100 * y + 10 * x + axis for x in range(7)] for y in range(6)] for axis in (0, 1)])
    actions = ppo.NetMatch3.actions(*names[:, None]).squeeze(0).numpy()
    assert actions.shape == (games.num_actions,)
    for board, mask in zip(games.obs[:, 0], games.action_mask):
        swaps = {100 * y + 10 * x + "HV".index(axis) for x, y, axis in bitcade.match3.swaps(board.tolist())}
        assert set(actions[mask].tolist()) == swaps


def test_net_match3_planes_are_equal_neighbors(ppo):
    """Plane k is 1 where the cell at offset k is on the board and has the same color."""
    import torch

    board = bitcade.match3.Batch(1, seed=5, width=7, height=6, colors=3).obs[0, 0]
    planes = ppo.NetMatch3(4, 1).planes(torch.from_numpy(board[None]))[0].numpy()
    assert planes.shape == (len(ppo.NetMatch3.OFFSETS) + 1, 6, 7) and (planes[-1] == 1).all()
    for plane, (y, x) in zip(planes, ppo.NetMatch3.OFFSETS):
        for row, column in np.ndindex(6, 7):
            inside = row + y < 6 and 0 <= column + x < 7
            assert plane[row, column] == (inside and board[row, column] == board[row + y, column + x])


def test_net_match3_is_blind_to_names_of_colors(ppo):
    """Permuting the colors changes nothing, and the map of logits follows the order of the actions."""
    import torch

    games = bitcade.match3.Batch(16, seed=5, width=7, height=6, colors=5)
    net = randomize(ppo.NetMatch3(4, 2))
    renamed = games.obs.copy()
    renamed[:, 0] = np.array([0, 3, 5, 1, 2, 4], dtype=np.uint8)[games.obs[:, 0]]
    with torch.no_grad():
        logits, value = net(torch.from_numpy(games.obs))
        others, other_value = net(torch.from_numpy(renamed))
    assert logits.shape == games.action_mask.shape and logits.std() > 0.01
    assert torch.allclose(logits, others, atol=1e-4) and torch.allclose(value, other_value, atol=1e-4)


def test_net_match3_values_the_moves_left(ppo):
    """The value depends on the moves left."""
    import torch

    obs = torch.from_numpy(bitcade.match3.Batch(4, seed=5, width=7, height=6, colors=5).obs.copy())
    net = randomize(ppo.NetMatch3(4, 2))
    last = obs.clone()
    last[:, 1] = 1
    with torch.no_grad():
        (logits, value), (others, other_value) = net(obs), net(last)
    assert torch.equal(logits, others) and not torch.isclose(value, other_value).any()


def test_net_match3_puts_hints_where_their_swaps_are(ppo):
    """Flattening the maps of hints gives back the hints; with `hints` they add to the logits."""
    import torch

    games = bitcade.match3.Batch(16, seed=5, width=7, height=6, colors=5)
    obs, hints = torch.from_numpy(games.obs), torch.from_numpy(games.hints())
    maps = ppo.NetMatch3.maps(hints, obs[:, 0])
    assert torch.equal(ppo.NetMatch3.actions(*maps.unbind(1)), hints)
    net = ppo.NetMatch3(4, 2, hints=True)
    with torch.no_grad():
        logits, _ = net(obs, hints)
    # Before training, the most probable legal swap is the greedy player's.
    best = logits.masked_fill(~torch.from_numpy(games.action_mask), -1e9).argmax(1, keepdim=True)
    assert torch.equal(hints.gather(1, best).squeeze(1), hints.max(1).values)


def test_ntuple_goes_on_from_its_file(tmp_path, monkeypatch, capsys):
    """A second run resumes from the file of the first, and its output files can be read back."""
    file, network, curve = tmp_path / "learner", tmp_path / "network", tmp_path / "curve.json"
    run(monkeypatch, "ntuple.py", "--games", 300, "--file", file, "--evaluate", 0)
    assert re.search(r"^saved .*: 3\d\d games", capsys.readouterr().out, re.MULTILINE)
    arguments = ["--games", 1000, "--file", file, "--network", network, "--curve", curve]
    run(monkeypatch, "ntuple.py", *arguments, "--evaluate", 10)
    printed = capsys.readouterr().out
    assert re.search(r"^resuming from .*: 3\d\d games", printed, re.MULTILINE)
    assert re.search(r"^10 games at depth 1 .*: mean score \d+ \+- \d+", printed, re.MULTILINE)
    points = json.loads(curve.read_text())
    # Random play scores about 1,100 points; the first 1,000 games of training score several times that.
    assert [point["games"] for point in points] == [1000] and points[0]["mean_score"] > 2000
    learned = bitcade.g2048.Network.load(network.read_bytes())
    assert len(learned.evaluate(2, seed=4)) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"learner", "network", "curve.json"}


def test_alphazero_goes_on_from_its_file(tmp_path, monkeypatch, capsys):
    """A round of self-play is learned from and saved; a second run resumes, and plays against random moves."""
    pytest.importorskip("torch", reason="the example alphazero.py needs PyTorch")
    file = tmp_path / "net.pt"
    arguments = ["--games", 6, "--simulations", 8, "--evaluate", 6, "--file", file]
    names = run(monkeypatch, "alphazero.py", *arguments, "--minutes", 0.0001)
    assert re.search(r"^ +\d+ CPU s +6 games +\d+ positions  policy [23]\.\d+  value ", capsys.readouterr().out, re.MULTILINE)
    run(monkeypatch, "alphazero.py", *arguments, "--minutes", 0)
    printed = capsys.readouterr().out
    assert re.search(rf"^resuming from {re.escape(str(file))}: 6 games\nagainst random: won [0-9.]+ % of 6 games$", printed)
    assert [path.name for path in tmp_path.iterdir()] == ["net.pt"]
    # The results of a game alternate from the last move back, and a policy is the share of the visits.
    net, rng = names["Net"](5, 6), np.random.default_rng(1)
    for obs, policy, result in names["self_play"](net, 5, 3, 8, rng):
        assert obs.shape == (6, 5, 5) and policy.sum() == pytest.approx(1) and result in (-1, 0, 1)
        assert not policy[:25][(obs[0] | obs[1]).ravel() > 0].any(), "only empty points are searched"


def test_alphazero_sees_a_win(monkeypatch):
    """A search finds the pass that wins at once, and a tree's visits add up, without any learning."""
    torch = pytest.importorskip("torch", reason="the example alphazero.py needs PyTorch")
    names = runpy.run_path(str(EXAMPLES / "alphazero.py"))
    torch.manual_seed(1)
    net, games = names["Net"](5, 6), names["batch"](5, 2, 1)
    # Black has the only stones, and White has passed: a pass ends the game.
    for action in (2, 25, 7, 25, 12, 25, 17, 25):
        games.step([action, action])
    visits = names["Search"](net, games, np.random.default_rng(1)).visits(games, np.array([1, 0]), 200, noise=0)
    assert visits.shape == (2, 26) and (visits.sum(1) == 200).all()
    assert (visits[:, 25] > 100).all()


def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    for package in ("gymnasium", "PIL"):
        pytest.importorskip(package)
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8 and not any(cell.get("outputs") for cell in notebook["cells"]), "it is stored without outputs"
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "notebook"}
    for cell in cells:
        exec(compile(cell, "tour.ipynb", "exec"), names)
    learned = re.search(r"random: (\d+) learned: (\d+)", capsys.readouterr().out)
    assert learned and int(learned[2]) > 2 * int(learned[1])
    assert [file.name for file in tmp_path.iterdir()] == ["tour.gif"]


def test_tetris_is_learned_from_afterstates(tmp_path, monkeypatch, capsys):
    """A few generations learn to clear lines, and the weights are saved."""
    out = tmp_path / "curve.json"
    arguments = ["--minutes", 0.01, "--players", 40, "--pieces", 100, "--evaluate", 10, "--evaluate-pieces", 200]
    names = run(monkeypatch, "tetris_afterstates.py", *arguments, "--out", out)
    report = json.loads(out.read_text())
    assert list(report["weights"]) == list(bitcade.tetris.FEATURES)
    assert report["curve"][0]["generation"] == 1 and report["curve"][0]["best"] <= 40
    printed = capsys.readouterr().out
    mean = re.search(r"^learned: ([0-9.]+) \+- [0-9.]+ lines, 10 games, \d+ of them over", printed, re.MULTILINE)
    # Random drops clear almost no line.
    assert mean and float(mean[1]) > 10
    best = names["best"](np.array([1, 3, 3, -2, -1, 5]), np.array([0, 3, 5, 6]))
    assert best.tolist() == [1, 4, 5]


def test_dt20_plays_by_afterstates(monkeypatch):
    """The published weights of DT-20 never lose here: the features are the controller's."""
    names = runpy.run_path(str(EXAMPLES / "tetris_afterstates.py"))
    dt20 = np.array([-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89], np.float32)
    lines, over = names["play"](names["batch"](10, 1), np.tile(dt20, (10, 1)), 500)
    assert not over.any() and (lines > 190).all()


def test_2048_is_learned_from_afterstates(tmp_path, monkeypatch, capsys):
    """Seconds of training play better than the highest reward; the curve and the result are saved."""
    out = tmp_path / "curve.json"
    arguments = ["--minutes", 0.03, "--games", 64, "--every", 0.4, "--evaluate", 20]
    run(monkeypatch, "td_2048.py", *arguments, "--out", out)
    report, printed = json.loads(out.read_text()), capsys.readouterr().out
    assert len(report["curve"]) == printed.count("CPU s") >= 2
    assert all(point["moves"] % 64 == 0 and point["games"] > 0 for point in report["curve"])
    result = re.search(r"^learned: (\d+) \+- \d+, 20 games(; 2048: [0-9.]+ %|; )", printed, re.MULTILINE)
    # Random moves score about 1,100 points, those with the highest reward 3,000.
    assert result and int(result[1]) == round(report["result"]["mean"]) > 5000


def test_td_2048_looks_up_all_symmetries():
    """The indices are those of the board's rotations and reflections, and the largest tiles share the last rank."""
    names = runpy.run_path(str(EXAMPLES / "td_2048.py"))
    boards = np.random.default_rng(1).integers(0, 18, (20, 4, 4), dtype=np.uint8)
    indices = names["Network"].indices(boards)
    assert indices.shape == (32, 20)
    for board, found in zip(boards, indices.T, strict=True):
        images = [np.rot90(turned, turns).ravel() for turned in (board, board.T) for turns in range(4)]
        for number, pattern in enumerate(names["PATTERNS"]):
            expected = set()
            for image in images:
                index = number
                for first, count in pattern:
                    for cell in range(first + count - 1, first - 1, -1):
                        index = 16 * index + min(15, int(image[cell]))
                expected.add(index)
            assert set(found[8 * number :][:8].tolist()) == expected


def test_td_2048_steps_by_coherence():
    """The first errors count in full, canceled ones stop a weight, and boards that share weights move once."""
    network = runpy.run_path(str(EXAMPLES / "td_2048.py"))["Network"]()
    boards = np.arange(16, dtype=np.uint8).reshape(1, 4, 4).repeat(2, axis=0)
    indices = network.indices(boards)
    assert len(set(indices[:, 0].tolist())) == 32

    def learn(*targets: float) -> float:
        network.update(indices, np.array(targets, np.float32))
        one, other = network.values(indices)
        assert one == other
        return float(one)

    assert learn(7, 64) == 64
    assert learn(5, 0) == 0
    # Their sum is 0 now.
    assert learn(32, 32) == 0
    # The sum is 32, the sizes are 64, 64 and 32.
    assert learn(100, 100) == pytest.approx(100 * 32 / 160)


def test_td_2048_plays_the_best_afterstate():
    names = runpy.run_path(str(EXAMPLES / "td_2048.py"))
    network, games = names["Network"](), bitcade.g2048.Batch(33, seed=2)
    for _ in range(50):
        games.random_step()
    used = network.indices(games.afterstates().boards)
    network.weights[used] = np.random.default_rng(1).normal(0, 4, used.shape)
    after, rows, indices, totals = names["choose"](network, games)
    for game, (first, end) in enumerate(zip(after.offsets[:-1], after.offsets[1:], strict=True)):
        values = [after.reward[row] + network.values(network.indices(after.boards[[row]]))[0] for row in range(first, end)]
        assert rows[game] == first + int(np.argmax(values))
        assert totals[game] == pytest.approx(max(values), abs=1e-3)
        assert (indices[:, game] == network.indices(after.boards[rows[[game]]])[:, 0]).all()

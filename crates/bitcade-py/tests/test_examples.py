"""The examples run to the end on small workloads, and learn something; `.ci/python --full` holds them to their goals."""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "arguments", "result", "least"),
    [
        ("ppo.py", "--minutes 0.005 --games 20", r"^learned (\d+) \+- \d+ in 20 new games, random 1099:", 300),
        # A round of self-play, and games against random moves.
        ("alphazero.py", "--minutes 0.0001 --games 6 --simulations 8 --evaluate 6", r"^against random: won ([0-9.]+) %", 0),
        # Random moves score about 1,100 points, those with the highest reward 3,000.
        ("td_2048.py", "--minutes 0.03 --games 64 --every 0.4 --evaluate 20", r"^learned: (\d+) \+- \d+, 20 games", 5000),
        # Random drops clear almost no line.
        (
            "tetris_afterstates.py",
            "--minutes 0.01 --players 40 --pieces 100 --evaluate 10 --evaluate-pieces 200",
            r"^learned: ([0-9.]+) \+- [0-9.]+ lines, 10 games",
            10,
        ),
    ],
)
def test_learning(monkeypatch, capsys, name, arguments, result, least):
    if name in ("ppo.py", "alphazero.py"):
        pytest.importorskip("torch", reason=f"the example {name} needs PyTorch")
    monkeypatch.setattr(sys, "argv", [name, *arguments.split()])
    main = runpy.run_path(str(EXAMPLES / name))["main"]
    main()
    found = re.search(result, capsys.readouterr().out, re.MULTILINE)
    assert found and float(found[1]) >= least
    # Such short training misses the goal.
    sys.argv.append("--check")
    with pytest.raises(SystemExit, match="the goal is"):
        main()


def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    for package in ("gymnasium", "PIL"):
        pytest.importorskip(package)
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8 and not any(cell.get("outputs") for cell in notebook["cells"]), "it is stored without outputs"
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "notebook"}
    for cell in cells:
        exec(compile(cell, "tour.ipynb", "exec"), names)
    learned = re.search(r"random: (\d+) learned: (\d+)", capsys.readouterr().out)
    assert learned and int(learned[2]) > 2 * int(learned[1])
    assert [file.name for file in tmp_path.iterdir()] == ["tour.gif"]

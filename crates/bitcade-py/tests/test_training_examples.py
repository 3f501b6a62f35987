"""The examples that train with other libraries' algorithms run to the end, whatever they learn in so few steps."""

from __future__ import annotations

import re
import runpy
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "libraries", "steps"),
    [
        ("train_jax", ["jax", "optax"], 50 * 8192),
        ("train_rllib", ["torch", "ray.rllib"], 32768),
        ("train_sb3", ["stable_baselines3", "sb3_contrib"], 2 * 4096),
        ("train_tianshou", ["torch", "tianshou"], 4 * 4096),
        ("train_torchrl", ["torch", "torchrl"], 4 * 8192),
    ],
)
def test_training(monkeypatch, capsys, name, libraries, steps):
    for library in libraries:
        pytest.importorskip(library, reason=f"the example {name}.py needs {library}")
    monkeypatch.setattr(sys, "argv", [name, "--steps", str(steps)])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    scores = re.search(
        r"^learned (\d+) in 1000 new games, random (\d+);"
        r" \d+ steps in \d+ CPU s, \d+\.\d % of (?:them|the time) in the environment\n\Z",
        printed,
        re.MULTILINE,
    )
    assert scores is not None
    learned, random = map(int, scores.groups())
    assert 300 < learned and 1000 < random < 1200
    if name == "train_jax":
        # Long enough to learn something.
        assert learned > 1.3 * random


@pytest.mark.parametrize(("goal", "fails"), [(300, False), (100_000, True)])
def test_check_fails_below_the_goal(monkeypatch, goal, fails):
    for library in ("torch", "torchrl"):
        pytest.importorskip(library, reason=f"the example train_torchrl.py needs {library}")
    example = runpy.run_path(str(EXAMPLES / "train_torchrl.py"))["main"]
    monkeypatch.setitem(example.__globals__, "GOAL", goal)
    monkeypatch.setattr(sys, "argv", ["train_torchrl", "--steps", "8192", "--check"])
    with pytest.raises(SystemExit, match=str(goal)) if fails else nullcontext():
        example()

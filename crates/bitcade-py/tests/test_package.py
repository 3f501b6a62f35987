"""What `import bitcade` provides and requires."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import bitcade
import pytest
from bitcade import _games, _native
from conftest import run_python as run
PACKAGE = Path(__file__).parent.parent
BLOCK = """
import sys
for name in ('gymnasium', 'onnxruntime', 'pettingzoo', 'pyarrow', 'ray', 'stable_baselines3', 'torch'):
    sys.modules[name] = None
"""


def test_numpy_alone_is_needed():
    done = run(
        BLOCK
        + """
import bitcade
for game in bitcade._games.GAMES.values():
    games = game.batch(3, seed=1)
    games.step(games.sample())
bitcade.render.rgb_array("2048", bitcade.g2048.Batch(1).obs[0])
third = {name.partition(".")[0] for name, module in sys.modules.items() if module} - sys.stdlib_module_names
print(sorted(name for name in third if not name.startswith("_")))
"""
    )
    assert done.returncode == 0, done.stderr
    assert {"bitcade", "numpy"} <= set(eval(done.stdout)) and "gymnasium" not in done.stdout


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("vector", "gymnasium"),
        ("pettingzoo", "pettingzoo"),
        ("sb3", "sb3"),
    ],
)
def test_an_absent_package_is_named(module, package):
    done = run(BLOCK + f"import bitcade.{module}")
    assert done.returncode == 1
    assert f"pip install 'bitcade[{package}]'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ("Policy(b'model')", "onnx"),
        ("read_trajectories('x.parquet')", "parquet"),
        ("run(Job('evaluate', '2048', 'random'), executor='ray')", "ray"),
        ("Job('trajectories', '2048', 'random')", "parquet"),
    ],
)
def test_an_absent_package_of_jobs_is_named(call, extra):
    done = run(BLOCK + f"from bitcade.jobs import *; {call}")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ") and f"pip install 'bitcade[{extra}]'" in last


def test_importing_bitcade_imports_nothing_heavy():
    done = run(
        """
import sys, bitcade
heavy = ("torch", "ray", "pettingzoo", "pygame", "stable_baselines3")
print([name for name in heavy if name in sys.modules], "bitcade.vector" in sys.modules)
"""
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[] False"


def test_all_names_are_there():
    assert sorted(bitcade.__all__) == bitcade.__all__
    for name in bitcade.__all__:
        assert hasattr(bitcade, name)
    modules = [importlib.import_module(game.batch.__module__) for game in _games.GAMES.values()]
    assert {module.__name__.rpartition(".")[2] for module in modules} <= set(bitcade.__all__)
    spaces = (*modules, bitcade.contest)
    exported = {id(getattr(space, name)) for space in spaces for name in space.__all__}
    exported |= {id(getattr(bitcade, name)) for name in bitcade.__all__}
    missing = [name for name in dir(_native) if name[0] != "_" and id(getattr(_native, name)) not in exported]
    assert missing == [], "everything native has a public name"


def test_the_level_is_one_of_the_machine(best_level):
    assert bitcade.levels()[0] == "portable" and bitcade.levels()[-1] == best_level
    for level in bitcade.levels():
        bitcade.set_level(level)
        assert bitcade.level() == level
    bitcade.set_level("portable")
    lacking = "neon" if "neon" not in bitcade.levels() else "x86-64-v3"
    for name, message in (("sse9", "unknown level"), ("", "unknown level"), (lacking, f"lacks the level {lacking}")):
        with pytest.raises(ValueError, match=message):
            bitcade.set_level(name)
        assert bitcade.level() == "portable"
    bitcade.set_level("auto")
    assert bitcade.level() == best_level


def test_the_environment_chooses_the_level():
    def level(name):
        return run(f"import os; os.environ['BITCADE_LEVEL'] = {name!r}; import bitcade; print(bitcade.level())")

    assert level("portable").stdout == "portable\n"
    assert level("auto").stdout == level("").stdout == f"{bitcade.levels()[-1]}\n"
    wrong = level("sse9")
    assert wrong.returncode == 1 and "ValueError: BITCADE_LEVEL=sse9: unknown level" in wrong.stderr


def test_an_index_page_has_links_that_lead_somewhere():
    """An index shows the README without the files beside it."""
    page = metadata.metadata("bitcade")
    links = re.findall(r"\]\((\S+?)\)|^\[.*\]: (\S+)$", page["Description"], re.MULTILINE)
    (workspace,) = re.findall('^repository = "(.*)"', (PACKAGE.parent.parent / "Cargo.toml").read_text(), re.MULTILINE)
    assert len(links) > 10 and all("".join(link).startswith("https://") for link in links)
    assert all(url.partition(", ")[2].startswith(workspace) for url in page.get_all("Project-URL"))
    assert page.get_all("License-File") == ["LICENSE-APACHE", "LICENSE-MIT"]


@pytest.mark.parametrize("hook", ["wheel", "editable", "sdist"])
def test_a_build_without_rust_ends_with_one_line(hook, tmp_path):
    def requirements(path):
        code = f"import build_backend; print(build_backend.get_requires_for_build_{hook}())"
        environment = {**os.environ, "PATH": str(path), "PYTHONPATH": str(PACKAGE)}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    without = requirements(tmp_path)
    assert without.returncode == 1 and without.stdout == ""
    assert without.stderr.startswith("bitcade is compiled from Rust") and without.stderr.count("\n") == 1
    cargo = tmp_path / ("cargo.exe" if sys.platform == "win32" else "cargo")
    cargo.touch(0o755)
    assert requirements(tmp_path).stdout == "['maturin>=1.9,<2']\n"

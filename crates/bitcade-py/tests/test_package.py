"""What `import bitcade` provides and requires."""

import re
import sys
from importlib import metadata
from pathlib import Path

import bitcade
import pytest
from bitcade import _games, _native
from conftest import refused
from conftest import run_python as run

PACKAGE = Path(__file__).parent.parent
BLOCK = """
import sys
for name in ('PIL', 'gymnasium', 'onnxruntime', 'pettingzoo', 'pyarrow', 'ray', 'stable_baselines3', 'torch'):
    sys.modules[name] = None
"""
USE = """
import sys, bitcade
for game in bitcade._games.GAMES.values():
    games = game.batch(3, seed=1, **next(iter(game.envs.values())))
    games.step(games.sample())
bitcade.render.rgb_array("2048", bitcade.g2048.Batch(1).obs[0])
print(*(name for name, module in sys.modules.items() if module))
"""


def test_numpy_alone_is_needed_and_nothing_heavy_imported():
    assert {"bitcade", "numpy"} <= set(run(BLOCK + USE).stdout.split())
    heavy = {"torch", "ray", "pettingzoo", "pygame", "stable_baselines3", "bitcade.vector"}
    assert not heavy & set(run(USE).stdout.split())


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("import bitcade.vector", "gymnasium"),
        ("import bitcade.pettingzoo", "pettingzoo"),
        ("import bitcade.sb3", "sb3"),
        ("bitcade.render.video('a.gif', '2048', [])", "video"),
        ("Policy(b'model')", "onnx"),
        ("read_trajectories('x.parquet')", "parquet"),
        ("Job('trajectories', '2048', 'random')", "parquet"),
        ("run(Job('evaluate', '2048', 'random'), executor='ray')", "ray"),
    ],
)
def test_an_absent_package_is_named(code, extra):
    last = run(f"{BLOCK}import bitcade\nfrom bitcade.jobs import *; {code}").stderr.splitlines()[-1]
    assert last.startswith("ImportError: ") and f"pip install 'bitcade[{extra}]'" in last


def test_all_names_are_there():
    assert sorted(bitcade.__all__) == bitcade.__all__
    spaces = [bitcade, bitcade.contest, *(sys.modules[game.batch.__module__] for game in _games.GAMES.values())]
    assert {space.__name__.rpartition(".")[2] for space in spaces[1:]} <= set(bitcade.__all__)
    exported = {id(getattr(space, name)) for space in spaces for name in space.__all__}
    missing = [name for name in dir(_native) if name[0] != "_" and id(getattr(_native, name)) not in exported]
    assert missing == [], "everything native has a public name"


def test_the_level_is_one_of_the_machine():
    levels = bitcade.levels()
    best_level = levels[-1]
    assert levels[0] == "portable"
    code = "import os; os.environ['BITCADE_LEVEL'] = '%s'; import bitcade; print(bitcade.level())"
    for level, expected in (("portable", "portable"), ("auto", best_level)):
        bitcade.set_level(level)
        assert bitcade.level() == expected and run(code % level).stdout == f"{expected}\n"
    lacking = "neon" if "neon" not in levels else "x86-64-v3"
    for name, message in (("sse9", "unknown level"), (lacking, f"lacks the level {lacking}")):
        assert message in refused(bitcade.set_level, name) and bitcade.level() == best_level
    assert "ValueError: BITCADE_LEVEL=sse9: unknown level" in run(code % "sse9").stderr


def test_an_index_page_has_links_that_lead_somewhere():
    page = metadata.metadata("bitcade")
    links = re.findall(r"\]\((\S+?)\)|^\[.*\]: (\S+)$", page["Description"], re.MULTILINE)
    (workspace,) = re.findall('^repository = "(.*)"', (PACKAGE.parent.parent / "Cargo.toml").read_text(), re.MULTILINE)
    assert len(links) > 10 and all("".join(link).startswith("https://") for link in links)
    assert all(url.partition(", ")[2].startswith(workspace) for url in page.get_all("Project-URL"))
    assert page.get_all("License-File") == ["LICENSE-APACHE", "LICENSE-MIT"]


def test_a_build_without_rust_ends_with_one_line(tmp_path):
    code = f"import os, sys; os.environ['PATH'] = {str(tmp_path)!r}; sys.path.insert(0, {str(PACKAGE)!r}); "
    code += "import build_backend; print(build_backend.get_requires_for_build_wheel())"
    without = run(code)
    assert without.returncode == 1 and without.stdout == ""
    assert without.stderr.startswith("bitcade is compiled from Rust") and without.stderr.count("\n") == 1
    (tmp_path / ("cargo.exe" if sys.platform == "win32" else "cargo")).touch(0o755)
    assert run(code).stdout == "['maturin>=1.9,<2']\n"

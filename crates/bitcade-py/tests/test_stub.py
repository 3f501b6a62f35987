"""Types as mypy sees them: the stubs in `_native.pyi`, and programs with and without mistakes; docstrings."""

import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import bitcade
import pytest
from bitcade import _native
from bitcade._games import GAMES
from bitcade._options import BatchOptions, Options
from conftest import ENVIRONMENT
from test_readme import DOCS, PROGRAMS, imported

SETTINGS = Path(__file__).parent.parent / "pyproject.toml"


def test_the_stub_is_that_of_the_module():
    pytest.importorskip("mypy", reason="mypy isn't installed")
    options = ["--concise", "--mypy-config-file", str(SETTINGS)]
    command = [sys.executable, "-m", "mypy.stubtest", *options, "bitcade._native"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0), done.stdout


def test_the_stub_is_written_from_the_docstrings():
    script = Path(__file__).parents[1] / "stub.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert (done.stderr, done.returncode) == ("", 0)


TYPED = Path(__file__).with_name("typed.py")
FRAMEWORKS = f"{DOCS}frameworks.md"
#: Programs with frameworks are written as their users write.
UNTYPED = "# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=False\n"


@pytest.fixture(scope="module")
def type_errors(tmp_path_factory):
    # Return mypy's errors in `typed.py` and in the programs of the pages, as file, line and code.
    pytest.importorskip("mypy", reason="mypy isn't installed")
    pytest.importorskip("pettingzoo")
    folder = tmp_path_factory.mktemp("typing")
    files = [folder / TYPED.name]
    files[0].write_text(TYPED.read_text())
    for number, (page, program, _) in enumerate(each.values for each in PROGRAMS):
        if all(find_spec(module.partition(".")[0]) for module in imported(program)):
            files.append(folder / f"page_{number}.py")
            files[-1].write_text(program if page != FRAMEWORKS else UNTYPED + program)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=ENVIRONMENT)
    assert done.stderr == "" and done.returncode in (0, 1)
    found = re.findall(r"^([^:]*):(\d+): error: .*\[([^]]+)\]$", done.stdout, re.MULTILINE)
    return [(Path(file).name, int(line), code) for file, line, code in found]


def test_mypy_finds_every_planted_mistake(type_errors):
    planted = re.compile(r"# error: ([a-z-]+)$")
    lines = enumerate(TYPED.read_text().splitlines(), 1)
    expected = [(number, found[1]) for number, line in lines if (found := planted.search(line))]
    assert len(expected) >= 11
    assert [(line, code) for file, line, code in type_errors if file == TYPED.name] == expected


def test_correct_programs_have_no_type_errors(type_errors):
    assert Path(_native.__file__).with_name("py.typed").is_file()
    assert [error for error in type_errors if error[0] != TYPED.name] == []


def test_environments_take_the_arguments_of_all_batches():
    names = set().union(*(inspect.signature(game.batch).parameters for game in GAMES.values()))
    own = {"num_envs", "seed", "autoreset_mode", "max_episode_steps"}
    assert set(BatchOptions.__annotations__) == names - own
    assert set(Options.__annotations__) == names - own - {"on_illegal"}


def test_everything_public_has_a_docstring():
    for value in [getattr(bitcade, name) for name in bitcade.__all__]:
        assert value.__doc__, value
        if isinstance(value, type):
            for member in dir(value):
                assert member.startswith("_") or getattr(value, member).__doc__, f"{value}.{member}"

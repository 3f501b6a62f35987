"""The programs of all pages run unchanged and print what stands below them; a framework's need the framework."""

import importlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bitcade._games import GAMES

PACKAGE = Path(__file__).parent.parent
REPOSITORY = PACKAGE.parent.parent
DESIGN = REPOSITORY / "docs/level-design.md"
FILES = [PACKAGE / "README.md", REPOSITORY / "README.md", DESIGN, *sorted((PACKAGE / "docs").glob("*.md"))]
PAGES = {str(file.relative_to(PACKAGE.parent.parent)): file.read_text(encoding="utf-8") for file in FILES}
DOCS = "crates/bitcade-py/docs/"
PROGRAM = re.compile(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
#: Each program with the text that it prints, if the page shows it.
PROGRAMS = [
    pytest.param(page, *found.groups(), id=f"{page.removeprefix('crates/bitcade-py/')}-{number}")
    for page, text in PAGES.items()
    for number, found in enumerate(PROGRAM.finditer(text))
]


def imported(program):
    found = re.findall(r"^ *(?:import|from) (.*?)(?: import .*)?$", program, re.MULTILINE)
    return [module.split()[0] for modules in found for module in modules.split(", ")]


@pytest.mark.parametrize(("page", "program", "printed"), PROGRAMS)
def test_a_program(page, program, printed, capsys, monkeypatch, tmp_path):
    # The level that the page on level files begins with.
    first = re.search("^```toml\n(.*?)^```", (REPOSITORY / "docs/level-files.md").read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "first.toml").write_text(first[1])
    monkeypatch.chdir(tmp_path)
    for module in imported(program):
        if not module.startswith("bitcade"):
            pytest.importorskip(module, exc_type=ImportError)
    exec(compile(program, page, "exec"), {"__name__": "program"})
    if printed is not None:
        assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


def test_the_programs_are_found():
    assert sum(text.count("```python") for text in PAGES.values()) == len(PROGRAMS) > 20
    # All programs of the games' pages show what they print.
    for page in {f"{DOCS}{name.partition('-')[0]}.md" for name in GAMES}:
        printed = [program.values[2] for program in PROGRAMS if program.values[0] == page]
        assert printed and all(printed)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page_with_the_definitions_of_its_module(name):
    page, game = PAGES[f"{DOCS}{name.partition('-')[0]}.md"], GAMES[name]
    module = importlib.import_module(game.batch.__module__)
    definitions = module.__doc__.partition("`Batch`:\n\n")[2].strip()
    shown = re.search(rf"<!-- from help\({module.__name__}\) -->\n\n(.*?)\n\n<!-- end -->", page, re.DOTALL)
    assert definitions and shown and shown[1] == definitions
    assert all(f"`bitcade/{env}-v0`" in page for env in game.envs)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't installed")
def test_the_scripts_of_the_page_on_clusters_can_be_parsed():
    scripts = re.findall(r"^```sh\n(.*?)^```", PAGES[f"{DOCS}clusters.md"], re.MULTILINE | re.DOTALL)
    for script in scripts:
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

"""The programs of the package's README and the workspace's run unchanged; those of `docs` print what is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from bitcade._games import GAMES

PACKAGE = Path(__file__).parent.parent
PAGES = [(folder / "README.md").read_text(encoding="utf-8") for folder in (PACKAGE, PACKAGE.parent.parent)]
PROGRAMS = [re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL) for page in PAGES]


@pytest.mark.parametrize("program", sum(PROGRAMS, []))
def test_program(program):
    if "gymnasium" in program:
        pytest.importorskip("gymnasium")
    exec(compile(program, "README.md", "exec"), {"__name__": "readme"})


def test_the_programs_are_found():
    assert [len(programs) for programs in PROGRAMS] == [6, 1]


DOCS = {page.stem: page.read_text(encoding="utf-8") for page in (PACKAGE / "docs").glob("*.md") if page.stem in GAMES}
#: Each program with the text that it prints.
PRINTED = [
    pytest.param(*found, id=f"{name}-{number}")
    for name, page in DOCS.items()
    for number, found in enumerate(re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize(("program", "printed"), PRINTED)
def test_the_pages_show_what_their_programs_print(program, printed, capsys):
    exec(compile(program, "docs", "exec"), {"__name__": "docs"})
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


def test_every_game_has_a_page_with_the_definitions_of_its_module():
    assert set(DOCS) == {name.partition("-")[0] for name in GAMES}
    assert len(PRINTED) == sum(page.count("```python") for page in DOCS.values()) >= 8
    for name, game in GAMES.items():
        page = DOCS[name.partition("-")[0]]
        module = importlib.import_module(game.batch.__module__)
        definitions = module.__doc__.partition("`Batch`:\n\n")[2].strip()
        shown = re.search(rf"<!-- from help\({module.__name__}\) -->\n\n(.*?)\n\n<!-- end -->", page, re.DOTALL)
        assert definitions and shown and shown[1] == definitions, name
        for env in game.envs:
            assert f"`bitcade/{env}-v0`" in page

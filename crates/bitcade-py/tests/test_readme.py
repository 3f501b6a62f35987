"""The programs of the package's README and the workspace's run unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent
PAGES = [(folder / "README.md").read_text(encoding="utf-8") for folder in (PACKAGE, PACKAGE.parent.parent)]
PROGRAMS = [re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL) for page in PAGES]


@pytest.mark.parametrize("program", sum(PROGRAMS, []))
def test_program(program):
    if "gymnasium" in program:
        pytest.importorskip("gymnasium")
    exec(compile(program, "README.md", "exec"), {"__name__": "readme"})


def test_the_programs_are_found():
    assert [len(programs) for programs in PROGRAMS] == [4, 1]

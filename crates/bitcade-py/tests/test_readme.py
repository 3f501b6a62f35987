"""The programs in the README run unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_program(program):
    if "gymnasium" in program:
        pytest.importorskip("gymnasium")
    exec(compile(program, README.name, "exec"), {"__name__": "readme"})


def test_the_programs_are_found():
    assert len(PROGRAMS) >= 3

"""The stubs in `_native.pyi` against the native module, by mypy's stubtest; docstrings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bitcade
import pytest
from bitcade import _native

SETTINGS = Path(__file__).parent.parent / "pyproject.toml"


def test_the_stub_is_that_of_the_module():
    pytest.importorskip("mypy", reason="mypy isn't installed")
    options = ["--concise", "--mypy-config-file", str(SETTINGS)]
    command = [sys.executable, "-m", "mypy.stubtest", *options, "bitcade._native"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # The native module can't show some defaults; those may have any value in the stubs.
    errors = [line for line in done.stdout.splitlines() if "has a default value of Ellipsis" not in line]
    assert errors == [], done.stderr
    assert done.stderr == "" and done.returncode == (1 if done.stdout else 0)


def test_everything_public_has_a_docstring():
    for value in [getattr(bitcade, name) for name in bitcade.__all__]:
        assert value.__doc__, value
        if isinstance(value, type):
            for member in dir(value):
                assert member.startswith("_") or getattr(value, member).__doc__, f"{value}.{member}"


def test_the_package_is_typed():
    assert Path(_native.__file__).with_name("py.typed").is_file()

"""The build backend of the package: maturin, after a check for Rust.

Without Rust, maturin itself would download a toolchain, and offline wait for a minute or more. So nothing is required for the
build until cargo is found; otherwise the build ends with one line.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import Any


def _requirements(config_settings: object = None) -> list[str]:
    if shutil.which("cargo") is None:
        sys.exit("bitcade is compiled from Rust, and cargo isn't on PATH: install Rust (https://rustup.rs) first")
    return ["maturin>=1.9,<2"]


def _maturin(hook: str) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        import maturin

        return getattr(maturin, hook)(*arguments, **options)

    return call


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel = _requirements
build_editable = _maturin("build_editable")
build_sdist = _maturin("build_sdist")
build_wheel = _maturin("build_wheel")
prepare_metadata_for_build_editable = _maturin("prepare_metadata_for_build_editable")
prepare_metadata_for_build_wheel = _maturin("prepare_metadata_for_build_wheel")

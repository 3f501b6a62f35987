"""Output files that are replaced completely or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from pathlib import Path


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the content of a file, or create it. Whatever happens, the file has its old content or the new one.

    Raises:
        OSError: The file can't be written, and is unchanged; the message names it.
        ValueError: There is something else than a regular file, such as a folder or a device.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise ValueError(f"{os.fspath(path)}: expected a regular file")
    # In the same folder, because only there a replacement is atomic.
    own = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        with open(own, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, own)
        os.replace(own, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        own.unlink(missing_ok=True)

"""Write the types of the native module, `python/bitcade/_native.pyi`, from its signatures and docstrings.

    python stub.py          # writes what follows the marked line
    python stub.py --check  # fails if the file is out of date

A docstring has the type of an argument in parentheses after its name, and that of a result at the start of "Returns".
Literals stand alone (`'first' | 'last'`), element types without `np`. A `dict` has the fields of the class above the
marked line that is called like the function.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ClassMethodDescriptorType

from bitcade import _native

FILE = Path(__file__).parent / "python/bitcade/_native.pyi"
MARK = "# Written by stub.py from here on.\n"

#: Arguments that mean the same in all methods and need no line of their own.
COMMON = {
    "bytes": "ReadableBuffer",
    "game": "int",
    "games": "Indices",
    "player": "int",
    "source": "Indices",
    "state": "State",
    "states": "Sequence[State]",
    "target": "Indices",
}
SPECIAL = {
    "__add__": "(self, other: Self, /) -> Self",
    "__bytes__": "(self) -> bytes",
    "__copy__": "(self) -> Self",
    "__deepcopy__": "(self, _memo: object) -> Self",
    "__eq__": "(self, other: object, /) -> bool",
    "__hash__": "(self) -> int",
    "__len__": "(self) -> int",
    # What `sum` begins with.
    "__radd__": "(self, other: int, /) -> Self",
}


def annotation(text: str, owner: str) -> str:
    """Return a type in a docstring as the stub writes it."""
    literals = r"'[\w-]+'(?: \| '[\w-]+')*|(?<!\w)\d+(?: \| \d+)*"
    text = re.sub(literals, lambda found: f"Literal[{found[0].replace(' | ', ', ')}]", text).replace("'", '"')
    text = re.sub(r"(?<=NDArray\[)[^]]+", lambda found: re.sub(r"\w+", r"np.\g<0>", found[0]), text)
    text = re.sub(r"\b(Board|Indices|Mask|Obs|Step)\b", r"_\1", text)
    title = "".join(word.capitalize() for word in owner.split("_"))
    return re.sub(r"\bdict\b", f"_{title}", text).replace("bitcade.", "")


def section(value: object, title: str) -> str:
    """Return a section of a docstring, without its title."""
    found = re.search(rf"^{title}:\n(.*?)(?:\n\n|\Z)", inspect.getdoc(value) or "", re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def result(value: object, name: str) -> str:
    """Return the type of what a function returns, or of a property."""
    return annotation(section(value, "Returns").strip().partition(": ")[0] or "None", name)


def function(value: Callable[..., object], name: str, receiver: str | None = None, returned: str | None = None) -> str:
    """Return the stub of a function."""
    described = dict(re.findall(r"^    (\w+) \((.*?)\): ", section(value, "Args"), re.MULTILINE))
    types = COMMON | described
    arguments = inspect.signature(value).parameters
    if unknown := set(described) - set(arguments):
        raise SystemExit(f"{name}: there is no argument {unknown.pop()}")
    shown = [receiver] if receiver else []
    for argument in arguments.values():
        if argument.kind == argument.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        if argument.name == "self":
            shown.append("self")
            continue
        if argument.name not in types or argument.default is ...:
            raise SystemExit(f"{name}: the docstring has no type of {argument.name}, or the signature no default")
        text = f"{argument.name}: {annotation(types[argument.name], name)}"
        default = argument.default
        if default is not argument.empty:
            text += f" = {json.dumps(default) if isinstance(default, str) else default}"
        shown.append(text)
    returned = returned or result(value, name)
    line = f"def {name}({', '.join(shown)}) -> {returned}: ..."
    return line if len(line) <= 112 else "\n".join([f"def {name}(", *(f"    {each}," for each in shown), f") -> {returned}: ..."])


def member(cls: type, name: str) -> str:
    """Return the stub of a method or a property."""
    value = vars(cls)[name]
    if name == "__new__":
        return function(cls, name, "cls", "Self")
    if name in SPECIAL:
        return f"def {name}{SPECIAL[name]}: ..."
    if inspect.isgetsetdescriptor(value):
        return f"@property\ndef {name}(self) -> {result(value, name)}: ..."
    if isinstance(value, ClassMethodDescriptorType):
        return "@classmethod\n" + function(getattr(cls, name), name, "cls")
    text = function(getattr(cls, name), name)
    return f"@staticmethod\n{text}" if isinstance(value, staticmethod) else text


def members(cls: type) -> list[str]:
    """Return the stubs of a class."""
    known = {"__new__", *SPECIAL}
    names = sorted(name for name in vars(cls) if name in known or not name.startswith("_"))
    return [member(cls, name) for name in names if name != "__hash__" or "__eq__" in vars(cls)]


def class_stub(heading: str, stubs: list[str]) -> str:
    """Return the stub of a class with these members."""
    return f"{heading}\n{textwrap.indent(chr(10).join(stubs), '    ')}\n"


def module() -> str:
    """Return the stub of the module. What all batches have in common is that of their base class, for types only."""
    names = sorted(_native.__all__)
    values = {name: getattr(_native, name) for name in names}
    classes = {name: members(value) for name, value in values.items() if isinstance(value, type)}
    batches = [stubs for name, stubs in classes.items() if "Batch" in name]
    common = [stub for stub in batches[0] if all(stub in stubs for stubs in batches)]
    parts = [f"__all__ = {json.dumps(names, indent=4)}".replace('"\n]', '",\n]'), class_stub("class _Games:", common)]
    for name, value in values.items():
        if "Batch" in name:
            own = [stub for stub in classes[name] if stub not in common]
            parts.append(class_stub(f"@final\nclass {name}(_Games):", own))
        elif isinstance(value, type):
            parts.append(class_stub(f"@final\nclass {name}:", classes[name]))
        else:
            parts.append(function(value, name) if callable(value) else f"{name}: {type(value).__name__}")
    return "\n".join(parts).replace("]\nclass", "]\n\nclass") + "\n"


def main() -> None:
    """Write the file, or compare it."""
    found = FILE.read_text(encoding="utf-8")
    written = found.partition(MARK)[0] + MARK + module()
    if sys.argv[1:] == ["--check"]:
        if found != written:
            raise SystemExit(f"{FILE.name} is out of date: run stub.py")
    else:
        FILE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Builds the documentation site, by pdoc from the pages and the docstrings of the installed package.

    python docs/make_site.py OUT

An undocumented public name, a broken link, or the name of something in `bitcade` that doesn't exist is an error.
"""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import re
import sys
import warnings
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import bitcade
import pdoc.doc
import pdoc.render
from bitcade._games import GAMES

DOCS = Path(__file__).parent
CHECKOUT = DOCS.parent.parent.parent
URLS = dict(url.split(", ") for url in metadata.metadata("bitcade").get_all("Project-URL"))
SOURCE = URLS["Repository"] + "/blob/main/"
#: The page that stands above a module's names.
PAGES = {
    "bitcade": DOCS.parent / "README.md",
    **{game.batch.__module__: DOCS / f"{name.partition('-')[0]}.md" for name, game in GAMES.items()},
    "bitcade.vector": DOCS / "frameworks.md",
    "bitcade.jobs": DOCS / "clusters.md",
}

#: What modules of the package import, installed or not.
LIBRARIES = {"gymnasium", "pettingzoo", "ray", "stable_baselines3", "torch"}
errors: list[str] = []


class Absent(ModuleType):
    """A library that isn't installed: each of its names is an empty class, enough to import what inherits from it."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__class_getitem__": classmethod(lambda cls, item: cls)})


class Absence:
    """An importer of libraries that aren't installed, for those that modules of the package name."""

    def __init__(self, names: set[str]) -> None:
        self.names = {name for name in names if importlib.util.find_spec(name) is None}

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.partition(".")[0] in self.names else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def page(path: Path) -> str:
    """Return a page, with links to other pages as the site has them, and to other files in the repository."""

    def link(match: re.Match[str]) -> str:
        before, (place, hash_, part), after = match[1], match[2].partition("#"), match[3]
        if not place or "://" in place and not place.startswith(SOURCE):
            return match[0]
        file = CHECKOUT / place.removeprefix(SOURCE) if "://" in place else (path.parent / place).resolve()
        if not file.exists() or part and part not in headings(file):
            errors.append(f"{path.name}: broken link {match[2]}")
        target = SOURCE + file.relative_to(CHECKOUT).as_posix()
        for name in (name for name, other in PAGES.items() if other == file):
            target = f"{prefix}{name.replace('.', '/')}.html"
        return f"{before}{target}{hash_}{part}{after}"

    prefix = "" if path.name == "README.md" else "../"
    text = re.sub(r"<!--.*?-->\n*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"(\]\()([^)\s]+)(\))", link, re.sub(r"^(\[.*\]: )(\S+)()$", link, text, flags=re.MULTILINE))


def headings(file: Path) -> list[str]:
    """Return the anchors of a page's headings."""
    found = re.findall("^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found]


def resolve(name: str) -> Any:
    try:
        return pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return None


def check_names(place: str, text: str) -> None:
    """Check that what a text names in the package exists."""
    for name in re.findall(r"`(bitcade\.[\w.]*\w)(?:\(.*?\))?`", text):
        if resolve(name) is None:
            errors.append(f"{place}: {name} doesn't exist")


def check(documented: pdoc.doc.Doc[Any]) -> None:
    """Check that a public name has a docstring, and what it names; show the constructor of a native class."""
    name = f"{documented.modulename}.{documented.qualname}".rstrip(".")
    if not documented.docstring and not isinstance(documented, pdoc.doc.Variable):
        errors.append(f"{name}: no docstring")
    check_names(name, documented.docstring)
    if isinstance(documented, pdoc.doc.Class):
        if documented.obj.__text_signature__:
            constructor = f"{documented.name}{inspect.signature(documented.obj)}"
            documented.docstring = f"```python\n{constructor}\n```\n\n{documented.docstring}"
        for member in documented.own_members:
            if not member.name.startswith("_") and documented.obj.__module__.startswith("bitcade"):
                check(member)


def main() -> None:
    """Write the site."""
    out = Path(sys.argv[1]).resolve()
    sys.meta_path.append(Absence(LIBRARIES))
    names = [f"bitcade.{info.name}" for info in pkgutil.iter_modules(bitcade.__path__) if not info.name.startswith("_")]
    modules = {name: pdoc.doc.Module(importlib.import_module(name)) for name in ["bitcade", *names]}
    warnings.simplefilter("error")
    # Annotations that only type checkers can evaluate are shown as they are written.
    warnings.filterwarnings("ignore", module="pdoc.doc_types")
    pdoc.render.configure(docformat="google", show_source=False)
    for name, module in modules.items():
        for member in (module, *module.own_members):
            if member is module or not isinstance(member, pdoc.doc.Module):
                check(member)
        if name in PAGES and PAGES[name].exists():
            module.docstring = page(PAGES[name])
            check_names(PAGES[name].name, module.docstring)
    placed = {path for name, path in PAGES.items() if name in modules}
    errors.extend(f"{path.name}: no place on the site" for path in set(DOCS.glob("*.md")) - placed)
    for name, module in modules.items():
        file = out / f"{name.replace('.', '/')}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(pdoc.render.html_module(module, modules), encoding="utf-8")
    (out / "index.html").write_text('<meta http-equiv="refresh" content="0; url=bitcade.html">', encoding="utf-8")
    written = {file: file.read_text(encoding="utf-8") for file in out.rglob("*.html")}
    for file, text in written.items():
        for link in re.findall(r'<a [^>]*href="([^":$]+)"', text):
            place, _, part = link.partition("#")
            target = (file.parent / place).resolve() if place else file
            # pdoc also links to inherited members and private base classes, which it doesn't show.
            name = ".".join(target.relative_to(out).with_suffix("").parts) + "." + part
            shown = part[:1] in ("", "_") or f'id="{part}"' in written.get(target, "") or resolve(name) is not None
            if target not in written or not shown:
                errors.append(f"{file.relative_to(out)}: broken link {link}")
    sys.exit("\n".join(sorted(set(errors))) or 0)


if __name__ == "__main__":
    main()

"""The types in `_native.pyi` against the native module itself."""

from __future__ import annotations

import ast
import types
from pathlib import Path

import bitcade
from bitcade import _native

STUB = ast.parse(Path(_native.__file__).with_name("_native.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}


def public(names) -> set[str]:
    """Return the names that don't begin with an underscore."""
    return {name for name in names if not name.startswith("_")}


def members(name: str) -> dict[str, ast.FunctionDef]:
    """Return the functions of a class in the stub, those of its bases included."""
    found: dict[str, ast.FunctionDef] = {}
    for base in CLASSES[name].bases:
        found |= members(base.id)
    return found | {node.name: node for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}


def parameters(arguments: ast.arguments, skip: int) -> list[tuple[str, str, object]]:
    """Return name, kind and default (`...` for any) of each parameter after the first `skip`."""

    def default(node: ast.expr | None) -> object:
        return "none" if node is None else ast.literal_eval(node)

    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = [(arg.arg, "plain", default(node)) for arg, node in zip(plain, defaults, strict=True)]
    for arg, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append((arg.arg, "keyword", default(node)))
    assert arguments.vararg is None and arguments.kwarg is None
    return found[skip:]


def signature(text: str) -> list[tuple[str, str, object]]:
    """Return the parameters of a `__text_signature__`, without `self`."""
    text = text.replace("($self, /", "(").replace("($self", "(").replace("(, ", "(")
    (function,) = ast.parse(f"def f{text}: ...").body
    assert isinstance(function, ast.FunctionDef)
    return parameters(function.args, 0)


def same(stub: list[tuple[str, str, object]], native: list[tuple[str, str, object]], what: str) -> None:
    """Check two lists of parameters; a default that the native one can't show may be any."""
    assert [entry[:2] for entry in stub] == [entry[:2] for entry in native], what
    for (name, _, mine), (_, _, theirs) in zip(stub, native, strict=True):
        if theirs is not ...:
            assert mine == theirs and type(mine) is type(theirs), f"{what}: default of {name}"
        else:
            assert mine != "none", f"{what}: {name} has a default"


def test_every_name_stands_in_the_stub() -> None:
    assert public(CLASSES) | set(FUNCTIONS) == public(dir(_native))


def test_signatures_of_functions() -> None:
    for name, node in FUNCTIONS.items():
        native = getattr(_native, name)
        assert isinstance(native, types.BuiltinFunctionType)
        same(parameters(node.args, 0), signature(native.__text_signature__), name)
        assert node.returns is not None and all(
            arg.annotation for arg in node.args.args + node.args.kwonlyargs
        )


def test_classes() -> None:
    for name in public(CLASSES):
        native, stub = getattr(_native, name), members(name)
        assert isinstance(native, type)
        assert any(isinstance(d, ast.Name) and d.id == "final" for d in CLASSES[name].decorator_list)
        assert public(stub) == public(dir(native)), name
        for member in public(stub):
            node, what = stub[member], f"{name}.{member}"
            decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
            found = native.__dict__[member]
            assert ("property" in decorators) == isinstance(found, types.GetSetDescriptorType), what
            assert ("staticmethod" in decorators) == isinstance(found, staticmethod), what
            assert node.returns is not None, what
            if "property" not in decorators:
                skip = 0 if "staticmethod" in decorators else 1
                same(parameters(node.args, skip), signature(getattr(native, member).__text_signature__), what)
        if "__new__" in stub:
            same(parameters(stub["__new__"].args, 1), signature(native.__text_signature__), name)
        else:
            assert native.__text_signature__ is None, f"{name} can be made, but the stub doesn't say so"
        assert ("__len__" in stub) == hasattr(native, "__len__")


def test_everything_public_has_a_docstring() -> None:
    for name in bitcade.__all__:
        value = getattr(bitcade, name)
        assert value.__doc__, name
        if isinstance(value, type):
            for member in public(dir(value)):
                assert getattr(value, member).__doc__, f"{name}.{member}"


def test_the_package_is_typed() -> None:
    assert Path(bitcade.__file__).with_name("py.typed").is_file()

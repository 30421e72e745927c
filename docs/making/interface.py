"""The page of the Python interface, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from typing import Any

import batt
from making.markdown import code

HEAD = """# The Python interface

<!-- Generated from signatures and docstrings by `make docs`; a test compares. -->

`help(batt.evaluate)` shows the same text. Each name is imported on first use, so `import batt` is fast.

Not on this page: the functions of `batt.dsl` ([The primitives](primitives.md)), of `batt.lazy`
([Lazy batches and `async`](lazy.md)), and of `batt.compat` ([Legacy names](compat.md)).
"""

MODULES = {
    "batt": [name for name in batt.__all__ if name != "__version__"],
    "batt.tasks": ["original", "Transform"],
    "batt.tasks.packing": ["pack_tasks"],
    "batt.store": ["find_runs", "merge_runs", "Session"],
    "batt.cache": ["ResultCache"],
    "batt.differs": ["differs_named", "score_results"],
    "batt.variants": ["infer_variants", "Variants", "Variant"],
    "batt.solving": ["TaskSolution", "Answer", "Layer"],
    "batt.own": ["op", "load_ops"],
}
"""What the page lists, by the module to import it from."""


def interface_page() -> str:
    """Return the page."""
    lines = [HEAD]
    for module, names in MODULES.items():
        lines.append(f"## {module}\n")
        found = {name: getattr(import_module(module), name) for name in names}
        kinds = {"functions": _is_function, "classes": inspect.isclass}
        ordered = [(name, each) for chosen in kinds.values() for name, each in found.items() if chosen(each)]
        assert len(ordered) == len(found), f"neither functions nor classes: {found.keys() - dict(ordered).keys()}"
        for name, each in ordered:
            lines += _class(f"{module}.{name}", each) if inspect.isclass(each) else _function(f"{module}.{name}", each)
    return "\n".join(lines).rstrip() + "\n"


def _is_function(value: object) -> bool:
    return callable(value) and not inspect.isclass(value)


def _function(name: str, function: Callable[..., Any]) -> Iterator[str]:
    yield f"### {name}\n\n```text\n{_call(name, function, 100)}\n```\n\n{_doc(function)}\n"


def _class(name: str, made: type) -> Iterator[str]:
    yield f"### {name}\n"
    if "__init__" in vars(made) and not is_dataclass(made) and not issubclass(made, Exception):
        yield f"```text\n{_call(name, made, 100)}\n```\n"
    yield f"{_doc(made)}\n"
    found = [*_fields(made)]
    if found:
        yield f"Fields: {', '.join(map(code, found))}.\n"
    rows = [*_members(made)]
    if rows:
        yield "| member | what it is |\n|---|---|"
        yield from [f"| {code(written)} | {text} |" for written, text in rows]
        yield ""


def _fields(made: type) -> Iterator[str]:
    """Yield the fields of a dataclass that a user may read."""
    if is_dataclass(made):
        for each in fields(made):
            if not each.name.startswith("_"):
                default = "" if each.default is MISSING else f" = {_shown(each.default)}"
                yield f"{each.name}: {each.type}{default}"


def _members(made: type) -> Iterator[tuple[str, str]]:
    """Yield the public properties and methods that the class itself defines."""
    for name, member in vars(made).items():
        if name.startswith("_"):
            continue
        if isinstance(member, (property, cached_property)):
            getter = member.fget if isinstance(member, property) else member.func
            result = inspect.signature(getter).return_annotation
            yield f"{name}: {result}", _first(_doc(getter))
        elif isinstance(member, (classmethod, staticmethod)) or inspect.isfunction(member):
            yield _call(name, getattr(made, name)), _first(_doc(member))


def _call(name: str, function: Callable[..., Any], columns: int = 1_000) -> str:
    """Return the call with its parameters; one of more than `columns` characters has a line for each."""
    signature = inspect.signature(function)
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    texts: list[str] = []
    for at, each in enumerate(parameters):
        before = parameters[at - 1].kind if at else None
        keyword = inspect.Parameter.KEYWORD_ONLY
        if each.kind is keyword and before not in (keyword, inspect.Parameter.VAR_POSITIONAL):
            texts.append("*")
        kind = "" if each.annotation is inspect.Parameter.empty else f": {each.annotation}"
        default = "" if each.default is inspect.Parameter.empty else f" = {_shown(each.default)}"
        texts.append(f"{stars.get(each.kind, '')}{each.name}{kind}{default}")
    result = "" if signature.return_annotation is inspect.Signature.empty else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(texts)}){result}"
    if len(line) <= columns:
        return line
    return "\n".join([f"{name}(", *[f"    {text}," for text in texts], f"){result}"])


def _shown(value: object) -> str:
    """Return a default as source text would have it."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    return re.sub(r" at 0x\w+", "", repr(value)) if not callable(value) else getattr(value, "__name__", repr(value))


def _doc(value: object) -> str:
    """Return the docstring, its sessions as blocks of code."""
    text = inspect.getdoc(value) or ""
    assert text, f"no docstring: {value}"
    return re.sub(r"((?:^>>> .*\n(?:.+\n?)*)+)", r"```python\n\1```\n", text + "\n", flags=re.MULTILINE).strip()


def _first(text: str) -> str:
    """Return the first paragraph for a cell of a table."""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "&#124;")

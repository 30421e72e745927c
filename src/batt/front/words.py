"""Words for messages: Python's syntax in plain words, and a word of the language for an unknown name."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache

from batt.front import dialect
from batt.ops import CONSTANTS, OPS

_WORDS = {
    name: words
    for words, names in {
        "a loop": "For AsyncFor While",
        "break": "Break",
        "continue": "Continue",
        "an if statement": "If",
        "a match statement": "Match",
        "a with statement": "With AsyncWith",
        "a try statement": "Try TryStar",
        "raise": "Raise",
        "return": "Return",
        "an assertion": "Assert",
        "del": "Delete",
        "pass": "Pass",
        "global": "Global",
        "nonlocal": "Nonlocal",
        "an import": "Import ImportFrom",
        "a definition inside a definition": "FunctionDef",
        "an async definition": "AsyncFunctionDef",
        "a class": "ClassDef",
        "a type alias": "TypeAlias",
        "an assignment to more than one name": "Assign",
        "an augmented assignment": "AugAssign",
        "a name without a value": "AnnAssign",
        "a name": "Name",
        "a call": "Call",
        "a tuple": "Tuple",
        "an attribute": "Attribute",
        "a subscript": "Subscript",
        "a slice": "Slice",
        "a lambda": "Lambda",
        "an operator": "BinOp BoolOp UnaryOp",
        "a comparison": "Compare",
        "a conditional expression": "IfExp",
        "an assignment inside an expression": "NamedExpr",
        "a comprehension": "ListComp SetComp DictComp GeneratorExp",
        "a list": "List",
        "a set display": "Set",
        "a dictionary": "Dict",
        "a string": "JoinedStr FormattedValue TemplateStr Interpolation",
        "await": "Await",
        "yield": "Yield YieldFrom",
        "a starred argument": "Starred",
    }.items()
    for name in names.split()
}


def what(node: ast.AST) -> str:
    """Return a syntax node in plain words."""
    if not isinstance(node, ast.Constant):
        name = type(node).__name__
        return _WORDS.get(name, f"this ({name})")
    match node.value:
        case str() | bytes():
            return "a string"
        case int():
            return "an integer"
        case float() | complex():
            return "a non-integer number"
        case _:
            return repr(node.value)


@cache
def _language() -> Mapping[str, list[str]]:
    """Return the names of the language by their first letter."""
    found: dict[str, list[str]] = {}
    for name in (*OPS, *CONSTANTS, *dialect.WORDS):
        found.setdefault(name[0], []).append(name)
    return found


@lru_cache(maxsize=4096)
def suggestion(name: str) -> str:
    """Return the end of a message about the undefined `name`: a similar name of the language, or nothing."""
    near = _language().get(name[0], [])
    if name.endswith(dialect.SUFFIXES):
        # `sfitler_f` is close to `sfilter_f`, which is in no list.
        close = get_close_matches(name[:-2], [each for each in near if each in OPS], n=1, cutoff=0.75)
        if close:
            return f"; did you mean {close[0] + name[-2:]!r}?"
    close = get_close_matches(name, near, n=1, cutoff=0.75)
    return f"; did you mean {close[0]!r}?" if close else ""

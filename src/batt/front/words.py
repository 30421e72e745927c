"""Name Python's syntax in plain words, for messages."""

from __future__ import annotations

import ast

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

"""Remove annotations from source text: batt does not use them, and Python would evaluate them on import."""

from __future__ import annotations

import ast
import warnings
from itertools import accumulate

_BLANK = b" \t\n\f\\"


def without_annotations(text: str) -> str:
    """Return the text of a valid definition without the annotations of its parameters, result and variables."""
    # An annotation is written with another colon than that of the definition, or with an arrow.
    if text.count(":") == 1 and "->" not in text:
        return text
    definition = _definition(text)
    lines = [each for each in definition.body if isinstance(each, ast.AnnAssign)]
    annotations = [param.annotation for param in definition.args.args] + [definition.returns]
    found = [each for each in (*annotations, *[line.annotation for line in lines]) if each is not None]
    if not found:
        return text
    data = text.encode()
    starts = [0, *accumulate([len(line) + 1 for line in data.split(b"\n")])]
    pieces, kept_to = list[bytes](), 0
    for node in found:
        begin = starts[node.lineno - 1] + node.col_offset
        begin, end = _span(data, begin, starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0))
        pieces.append(data[kept_to:begin])
        kept_to = end
    shorter = b"".join([*pieces, data[kept_to:]]).decode()
    _strip(definition)
    try:
        is_same = ast.dump(_definition(shorter)) == ast.dump(definition)
    except SyntaxError:
        is_same = False
    return shorter if is_same else ast.unparse(definition)


def _definition(text: str) -> ast.FunctionDef:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def _span(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """Return the range of an annotation with the brackets around it, its `:` or `->`, and the blanks before that."""
    opened = 0
    while data[begin - 1] in _BLANK + b"(":
        begin -= 1
        opened += data[begin] == ord("(")
    for _ in range(opened):
        end = data.index(b")", end) + 1
    begin -= 2 if data[begin - 1] == ord(">") else 1
    while data[begin - 1] in _BLANK:
        begin -= 1
    return begin, end


def _strip(definition: ast.FunctionDef) -> None:
    """Remove the annotations from a tree."""
    definition.returns = None
    for param in definition.args.args:
        param.annotation = None
    for place, statement in enumerate(definition.body):
        if isinstance(statement, ast.AnnAssign):
            assert statement.value is not None, "a name without a value is refused"
            assignment = ast.Assign(targets=[statement.target], value=statement.value)
            definition.body[place] = ast.copy_location(assignment, statement)

"""Remove annotations from source text: batt does not use them, and Python would evaluate them on import."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple


class _Position(NamedTuple):
    """A line, from 1, and a column in characters, from 0."""

    line: int
    column: int


def without_annotations(text: str) -> str:
    """Return the text of a valid definition without the annotations of its parameters, result and variables."""
    definition = _definition(text)
    lines = text.split("\n")
    found = list(_annotated(definition, lines))
    if not found:
        return text
    tokens = [each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type != tokenize.COMMENT]
    starts = [0, *accumulate([len(line) + 1 for line in lines])]
    shorter = text
    for mark, after, end in sorted(found, key=lambda each: each[2], reverse=True):
        begin, end = _span(tokens, mark, after, end)
        shorter = shorter[: starts[begin.line - 1] + begin.column] + shorter[starts[end.line - 1] + end.column :]
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


def _annotated(definition: ast.FunctionDef, lines: list[str]) -> Iterator[tuple[str, _Position, _Position]]:
    """Yield for each annotation: the mark before it, a position before that mark, and the position of its end."""
    for param in definition.args.args:
        if param.annotation:
            yield ":", _start(param, lines), _end(param.annotation, lines)
    if definition.returns:
        yield "->", _start(definition, lines), _end(definition.returns, lines)
    for statement in definition.body:
        if isinstance(statement, ast.AnnAssign):
            yield ":", _end(statement.target, lines), _end(statement.annotation, lines)


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


def _start(node: ast.arg | ast.stmt, lines: list[str]) -> _Position:
    return _position(node.lineno, node.col_offset, lines)


def _end(node: ast.expr, lines: list[str]) -> _Position:
    return _position(node.end_lineno or 1, node.end_col_offset or 0, lines)


def _position(line: int, offset: int, lines: list[str]) -> _Position:
    """Return the position of `offset`, which counts bytes as trees do."""
    return _Position(line, len(lines[line - 1].encode()[:offset].decode()))


def _span(
    tokens: list[tokenize.TokenInfo], mark: str, after: _Position, annotation_end: _Position
) -> tuple[_Position, _Position]:
    """Return where an annotation begins and ends, including its mark and the brackets around it."""
    first = next(n for n, each in enumerate(tokens) if each.start >= after and each.string == mark)
    depth = 0
    for token in tokens[first:]:
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        if token.end >= annotation_end and depth == 0:
            return _Position(*tokens[first - 1].end), _Position(*token.end)
    return _Position(*tokens[first - 1].end), annotation_end

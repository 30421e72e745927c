"""Parse source text piece by piece, within limits for untrusted text.

A deck can hold a hundred thousand definitions, and a syntax tree is a hundred times larger than its text. So a text is
cut before each top-level `def`, and each piece is parsed alone and forgotten.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from batt.errors import SourceError
from batt.source import Place

INT_BITS = 64
TOO_WIDE = f"the integer does not fit in {INT_BITS} bits"
MAX_LINE_CHARS = 10_000
MAX_STATEMENT_CHARS = 100_000
"""Python 3.10 crashes on an expression of some 100,000 links, such as `f(x)(x)(x)…` over many lines."""
MAX_PIECE_CHARS = 2_000_000
MAX_PIECE_LINES = 20_000
MAX_BATT_LINES = 100_000
"""The limit for one definition that holds many solvers, some of them with four lines for each step."""

_OPENING = r"\"{3}|'{3}|[\"'#]"
_CUT = re.compile(rf"{_OPENING}|^(?=def\b|async\b|class\b|@)", re.MULTILINE)
_BREAK = re.compile(rf"{_OPENING}|[()\[\]{{}}]|\\\n|\n")
_CLOSING = {
    opening: re.compile(rf"\\.|{closing}", re.DOTALL)
    for opening, closing in {'"""': '"""', "'''": "'''", '"': '["\n]', "'": "['\n]", "#": "\n"}.items()
}
_BATT = re.compile(r"^def batt(?:_batch)?\b", re.MULTILINE)
_NOT_TEXT = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that control a terminal or reorder text on display: a deck's text is printed and saved."""
_MANY_DIGITS = re.compile(r"\b[0-9_]{640,}")
"""640 is the least that Python's own limit on digits can be set to."""
_LINE_NUMBER = re.compile(r"(?<=\b(?:on|at) line )\d+")


@dataclass(frozen=True)
class Piece:
    """A part of a file that begins at a top-level definition, and the number of the line before it."""

    file: str
    text: str
    lines_before: int

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, without their ends."""
        return self.text.split("\n")

    def only(self, node: ast.FunctionDef) -> Piece:
        """Return the piece that holds only the definition `node`."""
        first = min([node.lineno, *[each.lineno for each in node.decorator_list]])
        return Piece(self.file, "\n".join(self.lines[first - 1 : node.end_lineno]), self.lines_before + first - 1)

    def place_of(self, node: ast.AST) -> Place:
        """Return the place of a node of this piece's tree; trees count columns in bytes, people in characters."""
        number, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        line = self.lines[number - 1]
        column = offset if line.isascii() else len(line.encode()[:offset].decode())
        return Place(self.file, self.lines_before + number, column + 1)

    def source_of(self, node: ast.expr) -> str:
        """Return the source of an expression as written."""
        lines = [line.encode() for line in self.lines[node.lineno - 1 : node.end_lineno]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode()

    def mistake(self, message: str, line: int, column: int) -> SourceError:
        """Return a mistake at a line and column within the piece, both from 1."""
        return SourceError(message, Place(self.file, self.lines_before + line, column), self.lines[line - 1])

    def mistake_at(self, message: str, node: ast.AST) -> SourceError:
        """Return a mistake at a node of this piece's tree."""
        place = self.place_of(node)
        return SourceError(message, place, self.lines[place.line - self.lines_before - 1])


def cut(text: str, file: str) -> Iterator[Piece]:
    """Yield the pieces of a text, in order; together they are the whole text."""
    line = begin = 0
    for start, end in pairwise([0, *_definition_starts(text), len(text)]):
        # A decorator belongs to the definition that follows it.
        if start < end and (text[start] != "@" or end == len(text)):
            yield Piece(file, text[begin:end], line)
            line += text.count("\n", begin, end)
            begin = end


def parse(piece: Piece) -> list[ast.stmt] | SourceError:
    """Return the statements of a piece, or the mistake that prevents parsing."""
    refused = _beyond_limits(piece)
    if refused:
        return refused
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(piece.text).body
    except SyntaxError as error:
        return _syntax_mistake(piece, error)
    except (RecursionError, MemoryError):
        longest = max(piece.lines, key=len)
        return piece.mistake("expressions are nested too deeply", 1 + piece.lines.index(longest), 1)


def parse_all(text: str, file: str) -> Iterator[tuple[Piece, list[ast.stmt] | SourceError]]:
    """Yield every piece of a text with its statements or its mistake."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for piece in cut(text, file):
        yield piece, parse(piece)


def _definition_starts(text: str) -> Iterator[int]:
    """Yield where lines begin a top-level definition, outside strings and comments."""
    position = 0
    while found := _CUT.search(text, position):
        if found.group():
            position = _closed(text, found)
        else:
            yield found.start()
            position = found.start() + 1


def _closed(text: str, opening: re.Match[str]) -> int:
    """Return the end of a string or comment; at most one line if it is not triple-quoted."""
    for found in _CLOSING[opening.group()].finditer(text, opening.end()):
        if found.group() == "\n":
            return found.start()
        if not found.group().startswith("\\"):
            return found.end()
    return len(text)


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each line begins and ends, including its continuation lines."""
    start = position = depth = 0
    while found := _BREAK.search(text, position):
        position = found.end()
        match found.group():
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth -= 1
            case "\n":
                if depth <= 0:
                    yield start, found.start()
                    start, depth = position, 0
            case "\\\n":
                continue
            case _:
                position = _closed(text, found)
    yield start, len(text)


def _beyond_limits(piece: Piece) -> SourceError | None:
    text = piece.text
    if odd := _NOT_TEXT.search(text):
        return _mistake_in_text(piece, f"the character {odd.group()!a} is not text", odd.start())
    if len(text) > MAX_LINE_CHARS:
        for number, line in enumerate(piece.lines, 1):
            if len(line) > MAX_LINE_CHARS:
                return piece.mistake(f"line of {len(line):,} characters; the limit is {MAX_LINE_CHARS:,}", number, 1)
    lines = MAX_BATT_LINES if _BATT.search(text) else MAX_PIECE_LINES
    if len(text) > MAX_PIECE_CHARS or text.count("\n") > lines:
        hint = "; is a string left open?" if '"""' in text or "'''" in text else ""
        limit = f"{lines:,} lines or {MAX_PIECE_CHARS:,} characters"
        return piece.mistake(f"definition larger than {limit}{hint}", 1, 1)
    if len(text) > MAX_STATEMENT_CHARS:
        for start, end in _statements(text):
            if end - start > MAX_STATEMENT_CHARS:
                message = f"statement of {end - start:,} characters; the limit is {MAX_STATEMENT_CHARS:,}"
                return _mistake_in_text(piece, message, start)
    return None


def _mistake_in_text(piece: Piece, message: str, position: int) -> SourceError:
    line_start = piece.text.rfind("\n", 0, position) + 1
    return piece.mistake(message, 1 + piece.text.count("\n", 0, position), position - line_start + 1)


def _syntax_mistake(piece: Piece, error: SyntaxError) -> SourceError:
    """Return Python's own message, at the place where a person would look for it."""
    if "integer string conversion" in error.msg:
        digits = _MANY_DIGITS.search(piece.text)
        return _mistake_in_text(piece, TOO_WIDE, digits.start() if digits else 0)
    message = _LINE_NUMBER.sub(lambda number: str(piece.lines_before + int(number.group())), error.msg)
    line, column = min(error.lineno or 1, len(piece.lines)), max(error.offset or 1, 1)
    while line > 1 and not piece.lines[line - 1].strip():
        # Python names the end of the text, which may be just the end of the piece.
        line -= 1
        column = len(piece.lines[line - 1]) + 1
    return piece.mistake(message, line, min(column, len(piece.lines[line - 1]) + 1))

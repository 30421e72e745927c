"""Source text to Python syntax trees, piece by piece. Owns the limits on untrusted text; knows nothing of the language.

A deck can hold a hundred thousand definitions, and a syntax tree is a hundred times larger than its text. So a text is
cut before each top-level `def`, and each piece is parsed alone and forgotten.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from batt.errors import SourceError
from batt.source import Place

MAX_LINE_CHARS = 10_000
MAX_PIECE_CHARS = 2_000_000
MAX_PIECE_LINES = 20_000

_CUT = re.compile(r"^(?=def\b|async\b|class\b|@)", re.MULTILINE)
_OPEN_STRING = "triple-quoted"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file that begins at a top-level definition, and the number of the line before it."""

    file: str
    text: str
    lines_before: int

    def line(self, number: int) -> str:
        """The text of a line, by its number within the piece, from 1."""
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def mistake(self, message: str, line: int, column: int) -> SourceError:
        """A mistake at a line and column within the piece, both from 1."""
        return SourceError(message, Place(self.file, self.lines_before + line, column), self.line(line))

    def mistake_at(self, message: str, node: ast.AST) -> SourceError:
        """A mistake at a node of this piece's tree; trees count columns in bytes, people in characters."""
        number, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        before = self.line(number).encode()[:offset].decode(errors="replace")
        return self.mistake(message, number, len(before) + 1)


def cut(text: str, file: str) -> Iterator[Piece]:
    """The pieces of a text, in order; together they are the whole of it."""
    starts = [match.start() for match in _CUT.finditer(text)]
    edges = sorted({0, *starts, len(text)})
    line, held = 0, 0
    for start, end in pairwise(edges):
        piece = text[start:end]
        if piece.startswith("@") and end < len(text):
            # A decorator belongs to the definition that follows it.
            held += end - start
            continue
        piece, held = text[start - held : end], 0
        yield Piece(file, piece, line)
        line += piece.count("\n")


def parse(piece: Piece) -> list[ast.stmt] | SourceError:
    """The statements of a piece, or the mistake that keeps it from being Python at all."""
    refused = _beyond_limits(piece)
    if refused:
        return refused
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(piece.text).body
    except SyntaxError as error:
        return piece.mistake(error.msg, error.lineno or 1, error.offset or 1)
    except (RecursionError, MemoryError):
        lines = piece.text.split("\n")
        return piece.mistake("expressions are nested too deeply", 1 + lines.index(max(lines, key=len)), 1)
    except ValueError as error:
        return piece.mistake(str(error), 1, 1)


def parse_all(text: str, file: str) -> Iterator[tuple[Piece, list[ast.stmt] | SourceError]]:
    """Every piece of a text with its statements; a piece that ends inside a string is joined with what follows."""
    pieces = cut(text, file)
    for piece in pieces:
        parsed = parse(piece)
        while isinstance(parsed, SourceError) and _OPEN_STRING in parsed.message:
            following = next(pieces, None)
            if following is None or len(piece.text) > MAX_PIECE_CHARS:
                break
            piece = Piece(file, piece.text + following.text, piece.lines_before)
            if _closes_string(following.text):
                parsed = parse(piece)
        yield piece, parsed


def _closes_string(text: str) -> bool:
    return '"""' in text or "'''" in text


def _beyond_limits(piece: Piece) -> SourceError | None:
    if len(piece.text) > MAX_LINE_CHARS:
        for number, line in enumerate(piece.text.split("\n"), 1):
            if len(line) > MAX_LINE_CHARS:
                return piece.mistake(f"line of {len(line):,} characters; the limit is {MAX_LINE_CHARS:,}", number, 1)
        if len(piece.text) > MAX_PIECE_CHARS or piece.text.count("\n") > MAX_PIECE_LINES:
            limit = f"{MAX_PIECE_LINES:,} lines or {MAX_PIECE_CHARS:,} characters"
            return piece.mistake(f"definition larger than {limit}", 1, 1)
    return None

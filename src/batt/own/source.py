"""A file of ops: its text, places in it, and the ops that it declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from linecache import getlines
from types import TracebackType
from typing import TYPE_CHECKING, Any

from batt.errors import SourceError
from batt.source import Place

if TYPE_CHECKING:
    from batt.own.declaring import OwnOp


@dataclass(frozen=True, slots=True, eq=False)
class OpsFile:
    """A file of ops: its path as given, its text, and the ops that it has declared so far."""

    path: str
    text: str
    ops: dict[str, OwnOp] = field(default_factory=dict)

    def mistake(self, message: str, line: int, column: int | None = None) -> SourceError:
        """Return the error for a mistake in a line of the file, by default at the first character."""
        lines = self.text.splitlines()
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        place = Place(self.path, line, column or 1 + len(text) - len(text.lstrip()))
        return SourceError(message, place, text)

    def line_in(self, trace: TracebackType | None) -> int | None:
        """Return the last line of the file in a traceback, or None."""
        found = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.path:
                found = trace.tb_lineno
            trace = trace.tb_next
        return found

    def declare(self, op: OwnOp) -> None:
        """Add an op. Refuse a second one of the same name."""
        first = self.ops.setdefault(op.name, op)
        if first is not op:
            raise op.fault(f"a second op {op.name!r}; the first is in line {first.code.co_firstlineno}")


_under_way: ContextVar[OpsFile | None] = ContextVar("_under_way", default=None)


@contextmanager
def running(file: OpsFile) -> Iterator[None]:
    """Let `file` own the ops that are declared meanwhile."""
    token = _under_way.set(file)
    try:
        yield
    finally:
        _under_way.reset(token)


def declared_in(body: Callable[..., Any]) -> OpsFile:
    """Return the file of ops that is being run, or the file of `body` if Python imports it as a module."""
    file = _under_way.get()
    if file is None:
        path = body.__code__.co_filename
        file = OpsFile(path, "".join(getlines(path)))
    return file

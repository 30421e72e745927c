"""Read and run files of ops, the only code of others that batt ever runs.

A process runs a file once for each of its texts. Worker processes get the text and run it in turn, so that all
processes of a run use the same text even if the file changes meanwhile.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType, ModuleType, TracebackType

from batt.errors import BattError, UsageError
from batt.ir import Helper, Literal, Program
from batt.ops import Op
from batt.own.declaring import Ops, OwnOp, running, told
from batt.types import Function, Made, unordered

MAX_BYTES = 16 << 20
LOAD_S = 30.0
"""The most seconds for running a file. It only declares ops."""

_loaded: dict[tuple[str, str], Ops] = {}


def load_ops(source: str | os.PathLike[str] | Ops) -> Ops:
    """Return the ops that a Python file declares. The file is run, so name only files that you trust."""
    if isinstance(source, Ops):
        return source
    path = Path(source)
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; --ops names a Python file that declares ops") from None
    if data is None:
        raise UsageError(f"{path}: larger than {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text: the byte {data[error.start]:#04x}") from None
    ops = ops_of(str(path), text)
    for each in ops.values():
        header_text(each)
    return ops


def header_text(op: OwnOp) -> str | None:
    """Return the text of the header with the C++ body of `op`; None if it has none."""
    if op.native is None:
        return None
    path = Path(op.file.path).parent / op.native
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise op.fault(f"the C++ body of {op.name}: {path}: {why}") from None
    if any(line.lstrip().startswith("#") and "include" in line for line in text.splitlines()):
        raise op.fault(f"the C++ body of {op.name}: {path} includes a file; all of batt's headers are there already")
    return text


def op_of(path: str, text: str, name: str) -> OwnOp:
    """Return the op `name` of a file with this text. Pickled ops are read by this call."""
    return ops_of(path, text)[name]


_PLAIN = frozenset({int, bool, Op})


def own_ops(programs: Iterable[Program]) -> tuple[OwnOp, ...]:
    """Return the own ops that programs use, sorted by name. Raise UsageError if two different ones share a name."""
    found: dict[str, OwnOp] = {}
    for each in _functions(programs):
        if isinstance(each, OwnOp) and found.setdefault(each.name, each) is not each:
            files = f"{found[each.name].file.path} and {each.file.path}"
            raise UsageError(f"two different ops {each.name!r} in one deck, of {files}; load its solvers with one file")
    return tuple([found[name] for name in sorted(found)])


def _functions(programs: Iterable[Program]) -> Iterator[Function]:
    """Yield all functions in programs but ops of the language, also those within helpers and functions, each once."""
    seen: set[int] = set()
    values = [value for program in programs for value in _literals(program)]
    while values:
        top = values.pop()
        if not isinstance(top, Function | tuple | frozenset) or id(top) in seen:
            continue
        seen.add(id(top))
        if isinstance(top, Function):
            yield top
        if isinstance(top, Helper):
            values += _literals(top.program)
        elif isinstance(top, Made):
            values += top.args
        elif isinstance(top, tuple | frozenset):
            values += unordered(top)


def _literals(program: Program) -> list[object]:
    """Return the values in a program that can be or hold a function which is no op of the language."""
    operands = [each for step in program.steps for each in (step.callee, *step.args)]
    found = [each.value for each in (*operands, program.result) if isinstance(each, Literal)]
    return [value for value in found if type(value) not in _PLAIN]


def ops_of(path: str, text: str) -> Ops:
    """Return the ops of a file with this text. Run it if this process has not."""
    if (path, text) not in _loaded:
        file = Ops(path, text)
        _run(file)
        if not file:
            raise UsageError(f"{path}: no op found; an op is a function under `@op(…)` of batt.own")
        _loaded[path, text] = file
    return _loaded[path, text]


def _run(file: Ops) -> None:
    """Run a file as a new module."""
    try:
        code = compile(file.text, file.path, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise file.mistake(f"not Python: {error.msg}", error.lineno or 1, error.offset) from None
    except ValueError as error:
        raise UsageError(f"{file.path}: not Python: {error}") from None
    name = f"batt_ops_{sha256(file.text.encode()).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = os.path.abspath(file.path)
    # Some libraries, such as dataclasses, look up the module of a class here.
    sys.modules[name] = module
    with running(file), _FileErrors(file), _stopped_after(LOAD_S):
        exec(code, module.__dict__)


class _TooLong(BaseException):
    """A file has run too long. It is no Exception, so that no file catches it by mistake."""


@contextmanager
def _stopped_after(limit_s: float) -> Iterator[None]:
    """Raise _TooLong after `limit_s` seconds. This works in the main thread only, and between two steps of Python."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLong

    started_s = time.monotonic()
    handler = signal.signal(signal.SIGALRM, stop)
    left_s, interval_s = signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if handler is None else handler)
        if left_s:
            # Set the alarm of the caller again.
            remaining_s = max(left_s - (time.monotonic() - started_s), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, remaining_s, interval_s)


class _FileErrors(AbstractContextManager[None]):
    """Turns every error of a file into a mistake of the file, at the line that raised it."""

    def __init__(self, file: Ops) -> None:
        self.file = file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and not issubclass(kind, BattError | KeyboardInterrupt):
            line = self.file.line_in(trace) or 1
            if issubclass(kind, _TooLong):
                message = f"the file was stopped here after {LOAD_S:g} s; it is run to declare ops, and must end"
                raise self.file.mistake(message, line) from None
            raise self.file.mistake(f"the file raised {told(kind, error)}", line) from None

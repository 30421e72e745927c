"""Trials of C++ bodies, each in a process of its own: foreign code may crash or never end. Owns their life.

The process tells every call of a body before it makes it, so that it is known what was under way when it ended.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO

from batt.bytecode.table import Table
from batt.own.bodies import arguments_of, shown
from batt.own.declaring import OwnOp
from batt.runtime.options import Options

PATIENCE_S = 15.0
"""How long one call of a body may take."""
MAX_LINE = 1 << 20

_PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
_CODE = "import sys; sys.path[:] = {path!r}; from batt.own.bodies import main; main()"


def tried(table: Table, ops: Sequence[OwnOp], options: Options, patience_s: float = PATIENCE_S) -> dict[str, str]:
    """By name, why the C++ bodies of ops are not trusted; those that are trusted are left out."""
    found = {each.name: _tried_alone(table, each, options, patience_s) for each in ops}
    return {name: why for name, why in found.items() if why}


def _tried_alone(table: Table, op: OwnOp, options: Options, patience_s: float) -> str:
    """What a process of its own finds: what differs first, or nothing."""
    code = _CODE.format(path=[*filter(None, sys.path), _PACKAGE_ROOT])
    request = pickle.dumps((table.own, table.folder, table.salt, op.name, options))
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        try:
            with suppress(BrokenPipeError), child.stdin:
                child.stdin.write(request)
            last, is_over = _last_line(child.stdout, patience_s)
        finally:
            child.kill()
    if last.startswith("{"):
        return str(json.loads(last)["told"])
    why = f"ends the process (exit code {child.returncode})" if is_over else f"does not end within {patience_s:g} s"
    which, _, number = last.partition(" ")
    where = f" for {op.name}{shown(arguments_of(op)[int(number)])}" if number.isdigit() else ""
    return f"its {'Python' if which == 'python' else 'C++'} body {why}{where}"


def _last_line(stream: IO[bytes], patience_s: float) -> tuple[str, bool]:
    """The last whole line of a stream, and whether the stream ended; else nothing came for so long."""
    tail, is_over = b"", False
    with DefaultSelector() as selector:
        selector.register(stream, EVENT_READ)
        while not is_over and selector.select(patience_s):
            data = os.read(stream.fileno(), 1 << 16)
            tail = (tail + data)[-MAX_LINE:]
            is_over = not data
    lines = tail.decode(errors="replace").split("\n")
    return (lines[-2] if len(lines) > 1 else ""), is_over

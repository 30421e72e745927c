"""Trials of C++ bodies, each in a process of its own: foreign code may crash or never end.

The process writes every call of a body to shared memory before it makes it, so that it is known what was under way when
it ended.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from batt.bytecode.table import Table
from batt.own.bodies import PYTHON, SHARED_BYTES, arguments_of, shown
from batt.own.declaring import OwnOp
from batt.runtime.child import ChildProcess
from batt.runtime.options import Options

PATIENCE_S = 15.0
"""How long one call of a body may take."""
POLL_S = 0.1


def tried(table: Table, ops: Sequence[OwnOp], options: Options, patience_s: float = PATIENCE_S) -> dict[str, str]:
    """Return by name why the C++ bodies of ops are not trusted; those that are trusted are left out."""
    found = {each.name: _tried_alone(table, each, options, patience_s) for each in ops}
    return {name: why for name, why in found.items() if why}


def _tried_alone(table: Table, op: OwnOp, options: Options, patience_s: float) -> str:
    """Return what a process of its own finds: what differs first, or nothing."""
    child = ChildProcess("batt.own.bodies", SHARED_BYTES)
    seen, since_s = -1, 0.0

    def is_stuck() -> bool:
        nonlocal seen, since_s
        calls, now_s = child.word(2), time.monotonic()
        if calls != seen:
            seen, since_s = calls, now_s
        return now_s - since_s > patience_s

    try:
        child.send((table.own, table.folder, table.salt, op.name, options))
        if child.answers(POLL_S, is_stuck):
            return str(child.receive())
        why = f"does not end within {patience_s:g} s"
    except EOFError:
        why = f"ends the process (exit code {child.process.wait()})"
    finally:
        which, number = child.word(0), child.word(1)
        child.close()
    where = f" for {op.name}{shown(arguments_of(op)[number])}" if which else ""
    return f"its {'Python' if which == PYTHON else 'C++'} body {why}{where}"

"""Decide which C++ bodies of own ops are used.

A C++ body is used if it compiles and equals the Python body on generated arguments. The results of this trial are kept
beside the library. Otherwise the Python body is used, and one line says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from batt.bytecode.table import STANDARD, Table
from batt.ir import Program
from batt.own.declaring import OwnOp
from batt.own.loading import own_ops
from batt.private import read_private, write_private
from batt.runtime.options import Options

GPU_PATIENCE_S = 900.0
"""The most seconds for a trial on a GPU: its kernel is compiled first."""


def native_table(
    programs: Iterable[Program], options: Options | None = None, tell: Callable[[str], object] | None = None
) -> Table:
    """Return the table of the ops of the language and of those own ops of `programs` that native code may run.

    Of `options`, only the engine and the settings of GPUs matter.
    """
    options = options or Options()
    used = own_ops(programs)
    if not any(each.native for each in used):
        return STANDARD
    # Only programs with such ops need the compiler, so it is imported here.
    from batt.own.building import CannotBuild, build, sources

    say = tell or (lambda line: None)
    try:
        made = sources(_with_bodies(used))
        folder = build(made, say)
    except CannotBuild as why:
        say(str(why))
        return STANDARD
    refused = _refused(made.table(folder), folder, replace(options, engine="cpu"), say)
    if options.engine == "cuda":
        refused |= _refused(made.table(folder, refused), folder, options, say)
    for each in used:
        if each.name in refused:
            say(f"{each.name}: {refused[each.name]}; the Python body is used")
    return made.table(folder, refused)


def _with_bodies(used: Sequence[OwnOp]) -> list[OwnOp]:
    """Return all ops with C++ bodies in the files of `used`, so that one library serves every deck."""
    found = {each.name: each for one in used for each in one.file.values()} | {each.name: each for each in used}
    return [found[name] for name in sorted(found) if found[name].native]


def _refused(table: Table, folder: Path, options: Options, say: Callable[[str], object]) -> dict[str, str]:
    """Return by name why own ops of `table` are not trusted. There is one trial for each text of their files."""
    from batt.own.trial import PATIENCE_S, untrusted

    own = [each for each in table.own if isinstance(each, OwnOp) and each in table.numbers]
    if not own:
        return {}
    texts = sha256("\0".join([each.file.text for each in own]).encode()).hexdigest()
    path = folder / f"trial-{options.engine}-{texts[:32]}.json"
    with suppress(OSError, ValueError):
        kept = json.loads(read_private(path))
        if isinstance(kept, dict):
            return {str(name): str(why) for name, why in kept.items()}
    say(f"comparing the C++ bodies of {', '.join([each.name for each in own])} with their Python bodies")
    found = untrusted(table, own, options, PATIENCE_S if options.engine == "cpu" else GPU_PATIENCE_S)
    with suppress(OSError):
        write_private(path, json.dumps(found).encode())
    return found

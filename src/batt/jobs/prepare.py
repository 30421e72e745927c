"""Prepare programs for an engine: compile and encode them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import is_

import numpy as np

from batt.bytecode.image import Encoded
from batt.bytecode.table import Table
from batt.codegen.plan import plan
from batt.compiler import compile_programs, encode_programs
from batt.ir import Program
from batt.jobs.images import keeps_image, kept_image
from batt.own.native import native_table
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.options import Options

FEW = 64
"""Programs of which the image is kept until others are encoded: few programs often run again, on other samples."""


@dataclass(frozen=True, slots=True)
class _Direct:
    """Programs that were encoded without compiling them."""

    programs: Mapping[str, Program]
    table: Table
    verify: bool | None
    encoded: Encoded

    def is_of(self, programs: Mapping[str, Program], table: Table, verify: bool | None) -> bool:
        """Tell whether these are the same objects: to compare the steps of programs takes longer."""
        return (
            self.table is table
            and self.verify is verify
            and list(self.programs) == list(programs)
            and all(map(is_, self.programs.values(), programs.values()))
        )


_last: _Direct | None = None


def prepare(
    programs: Mapping[str, Program],
    options: Options,
    *,
    table: Table | None = None,
    tell: Callable[[str], None] | None = None,
    keep: bool = False,
) -> Job:
    """Prepare programs, given by name, for native code; `Job.on` adds the evaluations.

    Compile them unless `options.compiled` is False, and stage shared values if `options.share` is True. Without a
    `table`, compile the C++ bodies of the user's own ops for the engine; `tell` gets a line if that takes a while.
    With `keep`, take the image of a kept deck from the cache folder, or put it there.
    """
    found = native_table(programs.values(), options, tell) if table is None else table
    make = partial(_encode, programs, options, found)
    if keep and keeps_image(programs, options, found):
        return Job.of(programs, kept_image(programs, options, make))
    return Job.of(programs, make())


def _encode(programs: Mapping[str, Program], options: Options, table: Table) -> Encoded:
    if options.compiled is False:
        return _encode_each(programs, table, options.verify)
    # Only people and the verifier read hints.
    graph = compile_programs(programs.items(), hints=options.verify is True, verify=options.verify).graph
    staged = plan(graph) if options.share else None
    return encode_programs(programs, table, options.verify, graph, staged)


def _encode_each(programs: Mapping[str, Program], table: Table, verify: bool | None) -> Encoded:
    """Encode programs without compiling them, or return what was made last if these are the same objects."""
    global _last
    last = _last
    if last is not None and last.is_of(programs, table, verify):
        return last.encoded
    made = encode_programs(programs, table, verify)
    _last = _Direct(dict(programs), table, verify, made) if len(programs) <= FEW else None
    return made


def prepare_some(programs: Mapping[str, Program], chosen: Integers, options: Options, table: Table | None) -> Job:
    """Prepare only the programs at the positions `chosen`; the job has no evaluations of the others."""
    names = list(programs)
    some = {names[place]: programs[names[place]] for place in chosen.tolist()}
    job = prepare(some, options, table=table, keep=len(some) == len(programs))
    slice_of = np.full(len(programs), -1, np.int64)
    slice_of[chosen] = job.slice_of
    refused = {int(chosen[place]): reason for place, reason in job.refused.items()}
    return replace(
        job,
        programs=list(programs.values()),
        slice_of=slice_of,
        refused=refused,
        evaluations=Evaluations((), len(programs)),
    )

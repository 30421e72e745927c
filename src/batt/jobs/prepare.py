"""Prepare programs for an engine: compile and encode them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

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
        return encode_programs(programs, table, options.verify)
    # Only people and the verifier read hints.
    graph = compile_programs(programs.items(), hints=options.verify is True, verify=options.verify).graph
    staged = plan(graph) if options.share else None
    return encode_programs(programs, table, options.verify, graph, staged)


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

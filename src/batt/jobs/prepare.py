"""Prepare programs for an engine: choose what the options leave open, compile, encode."""

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
from batt.jobs.choice import choose_beside_cluster, choose_engine, work_of
from batt.jobs.images import has_image, keeps_image, kept_image
from batt.own.native import native_table
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.options import Options

SHARED_ON = frozenset({"cpu"})
"""Engines that compute shared steps once per sample by default."""

COMPILE_FROM = 45
"""Evaluations of each solver and thread from which compiling saves more time than it takes.

Compiling takes 0.3 ms for a solver of the built-in deck and saves 6 µs per evaluation; for re-arc's longer verifiers it
takes 0.9 ms and saves 20 µs. One thread compiles, but all threads save time.
"""

KEPT_RUNS = 2
"""Runs over which compiling has to pay if the image is kept: who keeps a deck runs it more than once."""


def pays_to_compile(evaluations: int, solvers: int, threads: int) -> bool:
    """Tell whether compiling the solvers saves more time than it takes in a run of `evaluations` evaluations."""
    return evaluations >= COMPILE_FROM * solvers * threads


def settle(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> tuple[Options, str]:
    """Choose the engine and the form of the programs if `options` leave them open.

    Return the complete options, and why a faster engine is not used, or an empty text.
    """
    work = work_of(list(programs.values()), evaluations.total)
    if options.cluster is None:
        choice = choose_engine(options.engine, options.devices, work, options.workers)
    else:
        choice = choose_beside_cluster(options.engine)
    compiled, share = options.compiled, options.share
    if share is None:
        # Staging saves time if all solvers run on every sample.
        share = choice.engine in SHARED_ON and evaluations.is_product and options.engine != "cuda"
    settled = replace(options, engine=choice.engine, compiled=True if compiled is None else compiled, share=share)
    if compiled is None and not _pays(programs, evaluations.total, settled):
        settled = replace(settled, compiled=False)
    return settled, choice.note


def _pays(programs: Mapping[str, Program], evaluations: int, options: Options) -> bool:
    """Tell whether to compile for a run with these `options`: if it saves time, or if it was done before."""
    runs = 1
    if options.engine != "reference" and keeps_image(programs, options):
        if has_image(programs, options):
            return True
        runs = KEPT_RUNS
    return pays_to_compile(runs * evaluations, len(programs), options.workers)


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

"""Programs made ready for an engine: choose what the options leave open, compile, encode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from batt.bytecode.table import Table
from batt.codegen.plan import plan
from batt.compiler import compile_programs, encode_programs
from batt.ir import Program
from batt.jobs.choice import choose_engine, work_of
from batt.own.native import native_table
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options

SHARED_ON = frozenset({"cpu"})
"""Engines on which what programs share is computed once per sample where nobody says whether to."""

COMPILE_FROM = 45
"""Evaluations of each solver, for each thread, from which compiling takes less time than it saves.

Compiling takes 0.3 ms a solver of the built-in deck and saves 6 µs an evaluation; re-arc's verifiers are longer, 0.9 ms
and 20 µs. All threads save at once, while one compiles.
"""


def pays_to_compile(evaluations: int, solvers: int, threads: int) -> bool:
    """Whether compiling the solvers saves more time than it takes in a run of this many evaluations."""
    return evaluations >= COMPILE_FROM * solvers * threads


def settle(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> tuple[Options, str]:
    """Choose the engine and the form of the programs where `options` leave them open.

    Return the options without anything open, and why a faster engine is not used, or an empty text.
    """
    work = work_of(list(programs.values()), evaluations.total)
    choice = choose_engine(options.engine, options.devices, work, options.workers)
    compiled, share = options.compiled, options.share
    if compiled is None:
        compiled = pays_to_compile(evaluations.total, len(programs), options.workers)
    if share is None:
        # It pays where all of them meet every sample.
        share = choice.engine in SHARED_ON and evaluations.is_product
    return replace(options, engine=choice.engine, compiled=compiled, share=share), choice.note


def prepare(
    programs: Mapping[str, Program],
    options: Options,
    *,
    table: Table | None = None,
    tell: Callable[[str], None] | None = None,
) -> Job:
    """Make programs, given by name, ready for native code; `Job.on` adds the evaluations.

    They are compiled unless `options.compiled` is False, with what they share staged where `options.share` is True.
    Where no `table` is given, the C++ bodies of a user's own ops are compiled for the engine; `tell` gets a line if
    that takes a while.
    """
    if table is None:
        table = native_table(programs.values(), options, tell)
    if options.compiled is False:
        return Job.of(programs, encode_programs(programs, table, options.verify))
    # Only people read hints, and whoever verifies them.
    graph = compile_programs(programs.items(), hints=options.verify is True, verify=options.verify).graph
    staged = plan(graph) if options.share else None
    return Job.of(programs, encode_programs(programs, table, options.verify, graph, staged))

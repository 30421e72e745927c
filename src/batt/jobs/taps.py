"""Taps: the values of the inner steps of a deck's solvers, as hashes, from one pass over the samples.

A tap is the slice of a solver at one of its slots. All slices are one graph, in which a step that several of them have
exists once. Its value is staged once per sample, and each slice that reads it is charged its steps, so the outcome of a
tap is that of its slice alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.codegen.plan import plan
from batt.compiler import compile_programs, encode_programs
from batt.front import Deck, DeckSource, Solver, as_deck
from batt.ir import Program, slice_program
from batt.jobs.evaluation import Gathering
from batt.jobs.samples import all_samples
from batt.jobs.settling import settle
from batt.own.native import native_table
from batt.runtime import Limits, Sample, Status
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.memory import MEMORY
from batt.runtime.options import Options, read_options
from batt.tasks import TaskSource, load_tasks
from batt.types import Kind

STAGE_BYTES = 64 << 20
"""The memory of a CPU thread for staged values: enough for all steps of a large deck on one sample."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A slot of a solver, and the slice at it. `name` is that of the solver and the slot's target: `solve_a.x3`."""

    solver: str
    slot: int
    name: str
    program: Program


@dataclass(frozen=True, eq=False)
class Taps:
    """The outcomes of taps on samples: the records of tap k on sample n are `records[k, n]`."""

    taps: tuple[Tap, ...]
    evaluations: Evaluations
    records: npt.NDArray[Any]
    engine: str

    def __len__(self) -> int:
        return len(self.taps)

    def __repr__(self) -> str:
        return f"<Taps | {len(self):,} taps | {len(self.evaluations.samples):,} samples | {self.engine}>"

    @property
    def is_grid(self) -> npt.NDArray[np.bool_]:
        """Return bool[tap, sample]: the tap has a value there, which is a grid."""
        found: npt.NDArray[np.bool_] = (self.records["status"] == Status.OK) & (self.records["height"] > 0)
        return found

    @property
    def hashes(self) -> npt.NDArray[np.uint64]:
        """Return uint64[tap, sample]: the hash of the value, equal for equal values; 0 if there is none."""
        found: npt.NDArray[np.uint64] = self.records["hash"]
        return found

    def first_of_each(self) -> npt.NDArray[np.int64]:
        """Return the numbers of the taps with distinct hashes: of those with the same on all samples, the shortest."""
        lengths = np.array([len(tap.program.steps) for tap in self.taps], np.int64)
        order = np.argsort(lengths, kind="stable")
        _, firsts = np.unique(np.ascontiguousarray(self.hashes[order]), axis=0, return_index=True)
        return np.sort(order[firsts])


def taps_of(solvers: Iterable[Solver], kinds: Collection[Kind] = (Kind.GRID,)) -> tuple[Tap, ...]:
    """Return a tap for each step of the solvers whose value likely has one of these kinds; equal slices once."""
    # It needs the passes, which take long to import.
    from batt.compiler.slots import slot_kinds

    found: dict[Program, Tap] = {}
    for solver in solvers:
        program = solver.program
        for slot, kind in enumerate(slot_kinds(program)):
            if slot >= program.arity and kind.likely in kinds:
                name = f"{solver.name}.{program.steps[slot - program.arity].target}"
                sliced = slice_program(program, slot)
                found.setdefault(sliced, Tap(solver.name, slot, name, sliced))
    return tuple(found.values())


def taps(
    deck: DeckSource,
    tasks: TaskSource,
    *,
    kinds: Collection[Kind] = (Kind.GRID,),
    engine: str = "auto",
    limits: Limits | None = None,
    workers: int | None = None,
) -> Taps:
    """Return the outcomes of all inner steps of a deck whose values likely have one of these `kinds`.

    Every tap runs on every sample of the tasks, within the limits of an evaluation. Raise KeyboardInterrupt if an
    interrupt ended the run.
    """
    given: Deck = as_deck(deck)
    options = read_options(engine=engine, limits=limits, workers=workers, compiled=True, share=True)
    return run_taps(taps_of(given, kinds), tuple(all_samples(load_tasks(tasks))), options)


def run_taps(taps: tuple[Tap, ...], samples: tuple[Sample, ...], options: Options) -> Taps:
    """Return the outcomes of taps on samples."""
    programs = {str(number): tap.program for number, tap in enumerate(taps)}
    evaluations = Evaluations(samples, len(taps))
    options = replace(options, memory=replace(MEMORY, stage_bytes=STAGE_BYTES))
    options, _ = settle(programs, evaluations, options)
    job = None if options.engine == "reference" else _job(programs, options)
    run = Gathering(programs, evaluations, options, job).gather()
    if run.interrupted:
        raise KeyboardInterrupt
    return Taps(taps, evaluations, run.records.reshape(len(taps), len(samples)), options.engine)


def _job(programs: dict[str, Program], options: Options) -> Job:
    """Return the job of all programs, every step that several of them have staged."""
    table = native_table(programs.values(), options, None)
    graph = compile_programs(programs.items(), hints=options.verify is True, verify=options.verify).graph
    staged = plan(graph, STAGE_BYTES)
    return Job.of(programs, encode_programs(programs, table, options.verify, graph, staged))

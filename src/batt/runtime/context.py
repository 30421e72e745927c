"""The data that the tiers of a run share: the job, the options, and the loaded program and samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from batt.runtime.batch import PackedSamples, pack_samples
from batt.runtime.evaluations import Block
from batt.runtime.job import Job
from batt.runtime.native import Budget, NativeBatch, NativeProgram, library
from batt.runtime.options import Options
from batt.runtime.outcome import Outcome, Status
from batt.runtime.outputs import Functions, PackedOutputs
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE
from batt.runtime.scores import score_type
from batt.runtime.tallies import Counted, Counting
from batt.runtime.tier import Observer, Part, TierName
from batt.types import Function

MOST = 2**62
"""The largest budget for native code. No evaluation can use up a larger one."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program and its samples, loaded by native code; `refused` marks the samples that it does not support."""

    program: NativeProgram
    batch: NativeBatch
    packed: PackedSamples
    refused: npt.NDArray[np.bool_]
    functions: Functions | None

    @classmethod
    def of(cls, job: Job, outputs: bool, packed: PackedSamples | None = None) -> Loaded:
        """Load the program and the samples of a job, which may be `packed` already."""
        found = library(job.image.table)
        packed = packed or pack_samples(job.evaluations.samples, found)
        program = NativeProgram(found, job.image.words, job.image.pool)
        batch = NativeBatch(found, packed.data, packed.ends, packed.rows, packed.assignments)
        refused = np.zeros(len(packed.rows), bool)
        refused[list(packed.refused)] = True
        functions = Functions(by_routine(job.image.helpers), job.image.table) if outputs else None
        return cls(program, batch, packed, refused, functions)

    def refusals(self, job: Job, block: Block) -> tuple[npt.NDArray[np.bool_], Mapping[str, Block]]:
        """Return which evaluations of a block native code refuses, and these by the reason."""
        refused = (job.slice_of[block.solvers] < 0) | self.refused[block.samples]
        if not refused.any():
            return refused, {}
        found = block[refused]
        reasons = np.array(
            [
                job.refused.get(solver) or self.packed.refused[sample]
                for solver, sample in zip(found.solvers.tolist(), found.samples.tolist(), strict=True)
            ]
        )
        return refused, {reason: found[reasons == reason] for reason in np.unique(reasons).tolist()}

    def close(self) -> None:
        """Free both; no tier may be using them."""
        self.program.close()
        self.batch.close()


@dataclass(slots=True)
class Context:
    """The data that the tiers of a run share.

    `loaded` is set once the samples are packed, or cancelled if the run ends before. Any thread may call `tell` with a
    line for people. `is_there` tells whether the run has a tier, `is_any_new` whether new evaluations are left. With
    `counting`, the CPU counts, and `counted` is set after the run.
    """

    job: Job
    options: Options
    tiers: tuple[TierName, ...]
    tell: Callable[[str], None]
    is_there: Callable[[TierName], bool]
    is_any_new: Callable[[], bool]
    observer: Observer
    counting: Counting | None = None
    counted: Counted | None = None
    loaded: Future[Loaded] = field(default_factory=Future)

    @property
    def budget(self) -> Budget:
        """Return the budget of one evaluation for native code."""
        limits = self.options.limits
        return Budget(min(limits.steps, MOST), min(limits.max_items, MOST), self.options.work, self.options.scores)


def timed_out(tier: TierName, job: Job, options: Options, block: Block) -> Part:
    """Return the part of a block whose evaluations timed out on `tier`, or are not tried any more."""
    samples = job.evaluations.samples
    packed = b"".join([pack(Outcome(Status.TIMED_OUT), samples[at]) for at in block.samples.tolist()])
    return Part(
        tier,
        block,
        np.frombuffer(packed, RECORD_TYPE),
        np.zeros(len(block), np.int64),
        outputs=PackedOutputs.none(len(block)) if options.outputs else None,
        scores=np.zeros(len(block), score_type()) if options.scores else None,
    )


def by_routine(helpers: Mapping[int, Function]) -> Sequence[Function]:
    """Return a list in which the number of a routine finds its helper; any helper fills the gaps."""
    some = next(iter(helpers.values()), None)
    return [] if some is None else [helpers.get(number, some) for number in range(max(helpers) + 1)]

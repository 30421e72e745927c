"""Programs and samples that an open engine keeps: each is made ready for native code once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.table import STANDARD
from batt.errors import UsageError
from batt.front import Deck, Solver
from batt.ir import Program
from batt.jobs.prepare import prepare
from batt.jobs.samples import samples_of
from batt.jobs.settling import pays_to_compile
from batt.runtime import Sample
from batt.runtime.batch import PackedSamples, pack_samples
from batt.runtime.context import by_routine
from batt.runtime.job import Job
from batt.runtime.native import NativeBatch, NativeProgram, library
from batt.runtime.options import Options
from batt.runtime.outputs import Functions
from batt.tasks import Task, Tasks

ProgramSource: TypeAlias = "Deck | Sequence[Program | Solver]"
SampleSource: TypeAlias = "Tasks | Task | Sequence[Sample]"


def programs_of(given: ProgramSource) -> list[Program]:
    """Return the programs of a deck, or of a sequence of programs and solvers."""
    found = [each.program if isinstance(each, Solver) else each for each in given]
    for each in found:
        if not isinstance(each, Program):
            raise UsageError(f"not a program: {each!r} ({type(each).__name__})")
    return found


def samples_in(given: SampleSource) -> Sequence[Sample]:
    """Return the samples of tasks, or the samples themselves."""
    if isinstance(given, Task):
        given = Tasks((given,), "")
    return samples_of(given) if isinstance(given, Tasks) else given


@dataclass(frozen=True, slots=True, eq=False)
class KeptImage:
    """Programs that were compiled together: their slices, -1 if native code refuses one, and their functions."""

    native: NativeProgram
    slices: npt.NDArray[np.int64]
    functions: Functions


@dataclass(frozen=True, slots=True, eq=False)
class KeptBatch:
    """Samples that were loaded together."""

    native: NativeBatch
    packed: PackedSamples
    refused: npt.NDArray[np.bool_]


class KeptPrograms:
    """The programs of an engine by their place: an image, and a slice of it. Only new ones are compiled."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.images: list[KeptImage] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._by_program: dict[Program, tuple[int, int]] = {}
        # `id` is unique only among living objects.
        self._alive: list[Program] = []

    def __len__(self) -> int:
        return len(self._places)

    def places(self, programs: Sequence[Program], evaluations: int) -> list[tuple[int, int]]:
        """Return the image and the slice of each program; compile the new ones for a run of `evaluations`."""
        places = self._places
        if any(id(each) not in places for each in programs):
            self._add([each for each in programs if id(each) not in places], evaluations)
        return [places[id(each)] for each in programs]

    def together(self, programs: Sequence[Program], evaluations: int) -> tuple[int, list[int]]:
        """Return one image that holds all these programs, and the slice of each."""
        places = self.places(programs, evaluations)
        images = {image for image, _ in places}
        if len(images) == 1:
            return places[0][0], [place for _, place in places]
        distinct = list(dict.fromkeys(programs))
        image = self._compile(distinct, evaluations)
        slices = dict(zip(distinct, self.images[image].slices.tolist(), strict=True))
        for each in programs:
            self._places[id(each)] = self._by_program[each] = image, slices[each]
        return image, [slices[each] for each in programs]

    def close(self) -> None:
        """Free all programs."""
        for each in self.images:
            each.native.close()
        self.images.clear()
        self._places.clear()
        self._by_program.clear()
        self._alive.clear()

    def _add(self, programs: Sequence[Program], evaluations: int) -> None:
        new = [each for each in dict.fromkeys(programs) if each not in self._by_program]
        if new:
            image = self._compile(new, evaluations)
            for program, place in zip(new, self.images[image].slices.tolist(), strict=True):
                self._by_program[program] = image, place
        for each in programs:
            if id(each) not in self._places:
                self._places[id(each)] = self._by_program[each]
                self._alive.append(each)

    def _compile(self, programs: Sequence[Program], evaluations: int) -> int:
        compiled = self.options.compiled
        if compiled is None:
            compiled = pays_to_compile(evaluations, len(programs), self.options.workers)
        named = {f"program_{number}": program for number, program in enumerate(programs)}
        job: Job = prepare(named, replace(self.options, compiled=compiled, share=False), table=STANDARD)
        native = NativeProgram(library(), job.image.words, job.image.pool)
        self.images.append(KeptImage(native, job.slice_of, Functions(by_routine(job.image.helpers), STANDARD)))
        return len(self.images) - 1


class KeptSamples:
    """The samples of an engine by their place: a batch, and a row of it. Only new ones are loaded."""

    def __init__(self) -> None:
        self.batches: list[KeptBatch] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._alive: list[Sample] = []

    def __len__(self) -> int:
        return len(self._places)

    def places(self, samples: Iterable[Sample]) -> list[tuple[int, int]]:
        """Return the batch and the row of each sample."""
        places = self._places
        new = [each for each in samples if id(each) not in places]
        if new:
            self._add(list({id(each): each for each in new}.values()))
        return [places[id(each)] for each in samples]

    def close(self) -> None:
        """Free all samples."""
        for each in self.batches:
            each.native.close()
        self.batches.clear()
        self._places.clear()
        self._alive.clear()

    def _add(self, samples: Sequence[Sample]) -> None:
        packed = pack_samples(samples)
        native = NativeBatch(library(), packed.data, packed.ends, packed.rows, packed.assignments)
        refused = np.isin(np.arange(len(packed.rows)), list(packed.refused))
        for row, each in enumerate(samples):
            self._places[id(each)] = len(self.batches), row
        self.batches.append(KeptBatch(native, packed, refused))
        self._alive += samples

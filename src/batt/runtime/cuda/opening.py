"""Devices made ready for a job. Owns what is opened on each, in which order, and what a card does without.

It is begun while the samples are still being packed. The kernel comes first, which may have to be compiled, and that
for lanes together where it need not be; then the programs and the samples, then places for launches in lanes, and what
memory is left for those with lanes together.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

from batt.runtime.cuda import kernels
from batt.runtime.cuda.contract import Function
from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import CompileFailed, OutOfMemory, RefusedCubin
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.heavy import GPU_FROM
from batt.runtime.cuda.launch import LANES, TOGETHER, Prepared, Slot
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.selection import Card
from batt.runtime.cuda.stages import Staging
from batt.runtime.evaluations import Integers
from batt.runtime.job import Job
from batt.runtime.native import Budget, NativeBatch, NativeProgram
from batt.runtime.options import Options

SWITCH_S = 0.0002
"""How long a thread keeps the interpreter while devices are opened: a 25th of what is usual."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program and samples that are loaded, with the sizes of the samples' inputs."""

    program: NativeProgram
    batch: NativeBatch
    sizes: Integers


@dataclass(frozen=True, slots=True)
class Opener:
    """Makes cards ready for a job. `loaded` is set later; once it is cancelled, no card becomes ready any more.

    `devices` are all that were opened; `is_any_left` says, once it is loaded, whether there is anything that a device
    could still take.
    """

    job: Job
    budget: Budget
    options: Options
    is_any_left: Callable[[], bool]
    tell: Callable[[str], None]
    loaded: Future[Loaded] = field(default_factory=Future)
    devices: list[Device] = field(default_factory=list)

    def open(self, card: Card, source: kernels.Source) -> list[Slot]:
        """What a thread does to make a card's workers ready; meanwhile others work.

        None of them launches before all are ready, so that each finds its part of the memory.
        """
        slots: list[Slot] = []
        for worker in range(card.workers):
            try:
                slots += self._open_worker(card, worker, source)
            except (OutOfMemory, NoRoom) as error:
                if not slots:
                    raise
                self.tell(f"{error}; continuing with {worker} of {card.workers} workers on GPU {card.number}")
                break
        return slots

    def close(self) -> None:
        """Let go of all devices."""
        for device in self.devices:
            device.close()
        self.devices.clear()

    def _open_worker(self, card: Card, worker: int, source: kernels.Source) -> list[Slot]:
        device = Device(card.number, worker, card.workers)
        # From here on it is closed with the engine, whatever happens.
        self.devices.append(device)
        own = kernels.own_options(self.job.image.table)
        options = (*TOGETHER.options, *own)
        kernel = kernels.load(device, own, self.tell, found=source)
        entries, stage, together = self.job.image.stage_entries, None, None
        if entries:
            stage = kernels.load(device, options, self.tell, kernels.STAGE_ENTRY, source)
        is_kept = kernels.is_kept(device, options, source)
        if is_kept:
            together = self._load_together(device, options, source)
        evaluations, loaded = self.job.evaluations, self.loaded.result()
        rows = evaluations.total + GROUP * min(evaluations.solvers, evaluations.total)
        staging = Staging(stage, entries, loaded.sizes) if stage else None
        prepared = Prepared(device, kernel, loaded.program, loaded.batch, self.budget, self.options, staging)
        slots = prepared.slots(rows // GROUP * GROUP)
        # Where all was handed out while the first kernel was compiled, nobody waits for the second.
        if not is_kept and self.is_any_left():
            together = self._load_together(device, options, source)
        return [*slots, *self._open_together(prepared, slots, together)]

    def _load_together(self, device: Device, options: tuple[str, ...], source: kernels.Source) -> Function | None:
        """The kernel for heavy evaluations, where there are enough for them to be there at all."""
        if self.job.evaluations.total < GPU_FROM or self.budget.steps <= LANES.steps:
            return None
        try:
            return kernels.load(device, options, self.tell, found=source)
        except (OutOfMemory, CompileFailed, RefusedCubin) as error:
            self._do_without(error)
            return None

    def _open_together(self, prepared: Prepared, beside: list[Slot], kernel: Function | None) -> list[Slot]:
        """Places for heavy evaluations, where there is room."""
        try:
            return [] if kernel is None else prepared.together(kernel, beside)
        except (OutOfMemory, NoRoom) as error:
            self._do_without(error)
            return []

    def _do_without(self, error: Exception) -> None:
        self.tell(f"{error}; heavy evaluations run on the CPU")


@contextmanager
def soon_switching() -> Iterator[None]:
    """Let threads hand the interpreter to one another sooner: one that opens a device asks for it again and again."""
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)

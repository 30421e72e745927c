"""Devices made ready for a job. Owns what is opened on each, in which order, and what a card does without.

It is begun while the samples are still being loaded. The kernel comes first, which may have to be compiled, then the
programs and the samples, then places for launches in lanes, and what memory is left for those with lanes together.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeAlias

from batt.runtime.blocks import Integers
from batt.runtime.cpu import Job
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import CompileFailed, OutOfMemory, RefusedCubin
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.heavy import GPU_FROM
from batt.runtime.cuda.launch import LANES, TOGETHER, Prepared, Slot
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.selection import Card
from batt.runtime.cuda.stages import Staging
from batt.runtime.native import Budget, NativeBatch, NativeProgram

Loaded: TypeAlias = tuple[NativeProgram, NativeBatch]


@dataclass(frozen=True, slots=True)
class Opener:
    """Makes cards ready for a job. `loaded` is set later; once it is cancelled, no card becomes ready any more.

    `sizes` are those of the inputs of samples, `devices` all that were opened; `is_any_left` says whether there is
    anything that a device could still take.
    """

    job: Job
    budget: Budget
    outputs: bool
    sizes: Integers
    is_any_left: Callable[[], bool]
    tell: Callable[[str], None]
    loaded: Future[Loaded] = field(default_factory=Future)
    devices: list[Device] = field(default_factory=list)

    def open(self, card: Card) -> list[Slot]:
        """What a thread does to make a card's workers ready; meanwhile others work.

        None of them launches before all are ready, so that each finds its part of the memory.
        """
        slots: list[Slot] = []
        for worker in range(card.workers):
            try:
                slots += self._open_worker(card, worker)
            except (OutOfMemory, NoRoom) as error:
                if not slots:
                    raise
                self.tell(f"{error}; going on with {worker} of {card.workers} workers on GPU {card.number}")
                break
        return slots

    def close(self) -> None:
        """Let go of all devices."""
        for device in self.devices:
            device.close()
        self.devices.clear()

    def _open_worker(self, card: Card, worker: int) -> list[Slot]:
        device = Device(card.number, worker, card.workers)
        # From here on it is closed with the engine, whatever happens.
        self.devices.append(device)
        own = kernels.own_options(self.job.image.table)
        kernel = kernels.load(device, own, self.tell)
        staging = None
        if entries := self.job.image.stage_entries:
            function = kernels.load(device, (*TOGETHER.options, *own), self.tell, kernels.STAGE_ENTRY)
            staging = Staging(function, entries, self.sizes)
        order = self.job.order
        rows = order.total + GROUP * min(order.solvers, order.total)
        prepared = Prepared(device, kernel, *self.loaded.result(), self.budget, self.outputs, staging)
        slots = prepared.slots(rows // GROUP * GROUP)
        return [*slots, *self._open_together(prepared, slots)]

    def _open_together(self, prepared: Prepared, beside: list[Slot]) -> list[Slot]:
        """Places for heavy evaluations, where there are enough for them to be there at all, and room."""
        # Where all was handed out while the first kernel was compiled, nobody waits for the second.
        if self.job.order.total < GPU_FROM or self.budget.steps <= LANES.steps or not self.is_any_left():
            return []
        options = (*TOGETHER.options, *kernels.own_options(self.job.image.table))
        try:
            return prepared.together(kernels.load(prepared.device, options, self.tell), beside)
        except (OutOfMemory, NoRoom, CompileFailed, RefusedCubin) as error:
            self.tell(f"{error}; heavy evaluations are left to the CPU")
            return []

"""Open the GPUs of a run, while the samples are still being packed.

On each card, in this order: load the kernel for threads, which may have to be compiled, and the kernel for warps if it
is compiled already; upload the programs and the samples; make slots for launches of threads, and slots for launches of
warps in the remaining memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from batt.errors import UsageError
from batt.runtime.context import Context
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import Device, count
from batt.runtime.cuda.faults import CompileFailed, NoGpu, OutOfMemory, RefusedCubin, ending
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.launch import SLOTS, THREAD_SLOTS, Prepared
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS
from batt.runtime.cuda.resources import Kernel
from batt.runtime.cuda.selection import Card, cards
from batt.runtime.cuda.staging import Staging
from batt.runtime.cuda.tier import LOST, CudaTier
from batt.runtime.cuda_threads import CudaThreadsTier
from batt.runtime.cuda_warps import CudaWarpsTier
from batt.runtime.cuda_warps.tier import GPU_FROM
from batt.runtime.evaluations import Block
from batt.runtime.tier import CPU, CUDA_WARPS, Leaving, Tier
from batt.runtime.waiting import Waiting

PREPARE_FROM = 1 << 16
"""Evaluations of a run that will use all slots for launches: their memory is allocated when a card opens."""


class Cards:
    """The GPUs of a run, their tiers and their threads. `opening` are those that are being opened.

    `missing` says why there is no GPU, if there is none.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.opening: dict[Future[list[Tier]], Card] = {}
        self.missing = Leaving()
        self._devices: list[Device] = []
        self._launchers: ThreadPoolExecutor | None = None

    def begin(self) -> None:
        """Begin to open the GPUs; after an interrupt, `close` ends what has begun."""
        try:
            chosen = cards(self.context.options.devices, count())
        except NoGpu as error:
            self.missing = Leaving(reason=str(error), line=f"no GPU is used: {error}")
            return
        try:
            source = kernels.source()
        except UsageError as error:
            self.missing = Leaving(reason=str(error), line=f"{error}; continuing without it")
            return
        workers = sum(card.workers for card in chosen)
        self._launchers = ThreadPoolExecutor((THREAD_SLOTS + SLOTS) * workers, thread_name_prefix="batt-gpu")
        for card in chosen:
            self.opening[self._launchers.submit(self._open, self._launchers, card, source)] = card

    @property
    def workers_opening(self) -> int:
        """Count the workers that are being opened."""
        return sum([card.workers for card in self.opening.values()])

    def next_opened(self) -> tuple[list[Tier], Leaving] | None:
        """Return the tiers of a card that was opened, or why it could not be opened; None if no other card is ready."""
        future = next((each for each in self.opening if each.done()), None)
        if future is None:
            return None
        number = self.opening.pop(future).number
        error = future.exception()
        if isinstance(error, (*LOST, UsageError)):
            reason = ending(error, f"GPU {number}")
            return [], Leaving(reason=reason, line=f"{reason}; continuing without it")
        return future.result(), Leaving()

    def needed(self, tiers: list[Tier], under_way: Sequence[tuple[Tier, Block]], waiting: Waiting) -> list[Tier]:
        """Return the tiers that go on: all, or while the CPU runs the last evaluations of a large run, the others.

        Then the cards begin to give their memory back, in a thread.
        """
        on_cards = [tier for tier in tiers if isinstance(tier, CudaTier)]
        if not on_cards or self.opening or not self._is_large or {tier.name for tier, _ in under_way} != {CPU}:
            return tiers
        on_cpu = [block for _, block in under_way]
        if self._launchers is None or not all(tier.is_done(waiting, on_cpu) for tier in on_cards):
            return tiers
        self._launchers.submit(self._give_back)
        return [tier for tier in tiers if tier not in on_cards]

    def close(self) -> None:
        """Wait for the launches that are running, and give all memory back."""
        if self._launchers is not None:
            self._launchers.shutdown(cancel_futures=True)
        self._give_back()
        self._devices.clear()
        self.opening.clear()

    @property
    def _is_large(self) -> bool:
        """Tell whether launches have so much memory that allocating it and giving it back takes long."""
        return self.context.job.evaluations.total >= PREPARE_FROM

    def _give_back(self) -> None:
        for device in self._devices:
            device.close()

    def _open(self, launchers: ThreadPoolExecutor, card: Card, source: kernels.Source) -> list[Tier]:
        """Open the workers of a card, in a thread.

        None of them launches before all are open, so that each finds its part of the memory.
        """
        tiers: list[Tier] = []
        for worker in range(card.workers):
            try:
                tiers += self._open_worker(launchers, card, worker, source)
            except (OutOfMemory, NoRoom) as error:
                if not tiers:
                    raise
                told = f"{error}; continuing with {worker} of {card.workers} workers on GPU {card.number}"
                self.context.tell(told)
                break
        return tiers

    def _open_worker(
        self, launchers: ThreadPoolExecutor, card: Card, worker: int, source: kernels.Source
    ) -> list[CudaTier]:
        context, job = self.context, self.context.job
        device = Device(card.number, worker, card.workers)
        # From here on it is closed with the run in any case.
        self._devices.append(device)
        of_ops = kernels.op_options(job.image)
        light, heavy = [(*mode.options, *of_ops) for mode in (LIGHT_WARPS, WARPS)]
        kernel = kernels.load(device, of_ops, context.tell, found=source)
        entries, stage, for_warps = job.image.stage_entries, None, tuple[Kernel, ...]()
        if entries:
            stage = kernels.load(device, heavy, context.tell, kernels.STAGE_ENTRY, source)
        is_kept = all(kernels.is_kept(device, each, source) for each in (light, heavy))
        if is_kept:
            for_warps = self._load_for_warps(device, (light, heavy), source)
        evaluations, loaded = job.evaluations, context.loaded.result()
        rows = evaluations.total + GROUP * min(evaluations.solvers, evaluations.total)
        staging = Staging(stage, entries, loaded.packed.input_bytes) if stage else None
        prepared = Prepared(device, kernel, loaded.program, loaded.batch, context.budget, context.options, staging)
        slots = prepared.slots(rows // GROUP * GROUP)
        # If all evaluations were taken while the first kernel was compiled, the second is not needed.
        if not is_kept and context.is_any_new():
            for_warps = self._load_for_warps(device, (light, heavy), source)
        tiers: list[CudaTier] = [CudaThreadsTier(job, prepared, slots, launchers)]
        if for_warps:
            for slot in slots:
                slot.second = for_warps[0]
            with self._warps_may_fail():
                tiers.append(CudaWarpsTier(job, prepared, prepared.warp_slots(for_warps[1], slots), launchers))
        if self._is_large:
            for tier in tiers:
                for slot in tier.free:
                    slot.prepare(-(-rows // len(tier.free)))
        return tiers

    def _load_for_warps(
        self, device: Device, options: Sequence[tuple[str, ...]], source: kernels.Source
    ) -> tuple[Kernel, ...]:
        """Load the kernels for warps, if there are enough evaluations that some may be heavy."""
        context = self.context
        is_needed = context.job.evaluations.total >= GPU_FROM and context.budget.steps > THREADS.steps
        if CUDA_WARPS not in context.tiers or not is_needed:
            return ()
        with self._warps_may_fail():
            return tuple([kernels.load(device, each, context.tell, found=source) for each in options])
        return ()

    @contextmanager
    def _warps_may_fail(self) -> Iterator[None]:
        """Tell what is missing for warps, and go on without them."""
        try:
            yield
        except (OutOfMemory, NoRoom, CompileFailed, RefusedCubin) as error:
            self.context.tell(f"{error}; heavy evaluations run on the CPU")

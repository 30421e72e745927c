"""The cuda engine: GPUs, and the cpu engine's threads beside them. Owns who runs what, and which device is left out.

GPUs take large blocks from the end of the order, threads small ones from its front and all that GPUs leave over, until
they meet: neither waits for the other. What takes a thread long is put aside, for GPUs that run it with lanes together,
and for threads that have nothing else to do. A worker has a device to itself, or shares it with others; one that fails
gives its blocks back, and the others go on. Records go by number, so that it does not matter who made them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.runtime.blocks import Block, Integers
from batt.runtime.cpu import ARENA_BYTES, CpuEngine, Done, Job, Observer
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import Device, count
from batt.runtime.cuda.faults import CompileFailed, DeviceError, DeviceFailed, NoGpu, OutOfMemory, RefusedCubin
from batt.runtime.cuda.heavy import GPU_FROM, HEAVY_STEPS, Aside, Heavy
from batt.runtime.cuda.launch import GROUP, LEFT_OVER, SLOTS, TOGETHER, Prepared, Slot
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.selection import Card, Numbers, cards
from batt.runtime.native import CAUSES, UNSUPPORTED, Budget, NativeBatch, NativeProgram
from batt.runtime.outcome import Limits, Status
from batt.runtime.thread import Call

THREAD_BLOCK = 1 << 12
"""Evaluations that a thread takes at most: what threads hold while a GPU gets ready, it cannot take."""

LAUNCH_LIMIT = "the steps or the time of a launch"
TOGETHER_LIMIT = "the time of a launch with lanes together"
FAILED_TWICE = "two launches that failed"
NO_STAGE = "what is worked out ahead is not on GPUs: this run is on the CPU alone"

LOST = (DeviceError, NoRoom, MemoryError, SystemExit)
"""What ends a worker and not the run: its device fails, memory is short, its thread is told to end."""


class CudaEngine(CpuEngine):
    """The evaluations of one job; closing it waits for launches under way, and gives all memory back.

    `devices` names a GPU for each worker; without, every GPU has one. `on_device` counts what GPUs finished,
    `by_worker` which of them, `left_over` by cause what they left to the threads; `notes` keep what `tell` was told,
    `without` why anybody was left out. Without `beside` the threads do only what GPUs left over, unless no GPU is left.
    `on_left` is handed what GPUs left to the threads.
    """

    on_left: Callable[[Block], None] | None = None

    def __init__(
        self,
        job: Job,
        limits: Limits,
        outputs: bool,
        workers: int,
        arena_bytes: int = ARENA_BYTES,
        *,
        observe: Observer | None = None,
        tell: Callable[[str], None] | None = None,
        beside: bool = True,
        devices: Numbers | None = None,
    ) -> None:
        super().__init__(job, limits, outputs, workers, arena_bytes, observe=observe)
        self.tell = tell
        self.beside = beside
        self.devices = devices
        self.notes: list[str] = []
        self.without: list[str] = []
        self.on_device = 0
        self.by_worker: Counter[str] = Counter()
        self.left_over: Counter[str] = Counter()
        self._devices: list[Device] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._launchers: ThreadPoolExecutor | None = None
        self._opening: dict[Future[list[Slot]], Card] = {}
        self._ready: list[Slot] = []
        self._flying: dict[Future[Call], tuple[Slot, Block]] = {}
        self._left_out: set[Prepared] = set()
        self._failed_once: Integers = np.empty(0, np.int64)
        self._blocks.largest = THREAD_BLOCK
        self._first = Budget(HEAVY_STEPS, self._budget.max_items, self._budget.work)
        self._heavy = Aside()
        self._together: list[Slot] = []
        # Threads look whether there is any: a slot on its way from one list to another must not be missed.
        self._heavy_at: set[Prepared] = set()

    def close(self) -> None:
        """Wait for launches and threads, and free their memory; what they had done is in `remains`."""
        if self._launchers is not None:
            self._launchers.shutdown(cancel_futures=True)
            self._launchers = None
        ended = [each for each in self._flying if not each.cancelled() and each.exception() is None]
        whole = [(self._flying[each][0], each.result()) for each in ended]
        self._opening.clear()
        self._flying.clear()
        self._ready.clear()
        self._together.clear()
        self.remains += [done for slot, part in whole if len((done := self._kept(slot, part)).numbers)]
        for device in self._devices:
            device.close()
        self._devices.clear()
        super().close()
        self._pass_on()

    def _start(self) -> tuple[NativeProgram, NativeBatch]:
        loaded = super()._start()
        if self.job.image.stage_entries:
            self._note(NO_STAGE)
            return loaded
        try:
            chosen = cards(self.devices, count())
        except NoGpu as error:
            self.without.append(str(error))
            self._note(f"no GPU is used: {error}")
            return loaded
        workers = sum(card.workers for card in chosen)
        self._launchers = ThreadPoolExecutor((SLOTS + 1) * workers, thread_name_prefix="batt-gpu")
        self._opening = {self._launchers.submit(self._open, card, *loaded): card for card in chosen}
        return loaded

    def _open(self, card: Card, program: NativeProgram, batch: NativeBatch) -> list[Slot]:
        """What a thread does to make a card's workers ready; meanwhile others work.

        None of them launches before all are ready, so that each finds its part of the memory.
        """
        slots: list[Slot] = []
        for worker in range(card.workers):
            try:
                slots += self._open_worker(card, worker, program, batch)
            except (OutOfMemory, NoRoom) as error:
                if not slots:
                    raise
                self._lines.put(f"{error}; going on with {worker} of {card.workers} workers on GPU {card.number}")
                break
        return slots

    def _open_worker(self, card: Card, worker: int, program: NativeProgram, batch: NativeBatch) -> list[Slot]:
        device = Device(card.number, worker, card.workers)
        # From here on it is closed with the engine, whatever happens.
        self._devices.append(device)
        kernel = kernels.load(device, kernels.own_options(self.job.image.table), self._lines.put)
        order = self.job.order
        rows = order.total + GROUP * min(order.solvers, order.total)
        prepared = Prepared(device, kernel, program, batch, self._budget, self.outputs)
        slots = prepared.slots(rows // GROUP * GROUP)
        return [*slots, *self._open_together(prepared, slots)]

    def _open_together(self, prepared: Prepared, beside: list[Slot]) -> list[Slot]:
        """A place for heavy evaluations, where there are enough for them to be there at all, and room."""
        # Where all was handed out while the first kernel was compiled, nobody waits for the second.
        if self.job.order.total < GPU_FROM or self._budget.steps <= HEAVY_STEPS or not self._blocks.left:
            return []
        options = (*TOGETHER.options, *kernels.own_options(self.job.image.table))
        try:
            return [prepared.together(kernels.load(prepared.device, options, self._lines.put), beside)]
        except (OutOfMemory, NoRoom, CompileFailed, RefusedCubin) as error:
            self._lines.put(f"{error}; heavy evaluations are left to the CPU")
            return []

    def _under_way(self) -> set[Future[Any]]:
        waited = {*self._running, *self._flying}
        # A device that becomes ready when nothing is left is not waited for.
        return {*waited, *self._opening} if self._blocks.left else waited

    def _run_block(self, block: Block, slices: npt.NDArray[np.uint32], budget: Budget | None = None) -> Call:
        """What a thread does: where GPUs take heavy evaluations, it finds out which they are."""
        if isinstance(block, Heavy) or not self._heavy_at:
            return super()._run_block(block, slices, budget)
        part = super()._run_block(block, slices, self._first)
        over = part.results["status"] == Status.OVER_BUDGET
        if not over.any():
            return part
        self._heavy.put(part.ran[over])
        return part.only(~over)

    def _hand_out_heavy(self) -> None:
        is_last = not self._blocks.left and not self._blocks.small
        while self._together:
            block = self._heavy.for_gpu(self._together[-1].room.evaluations, is_last)
            if block is None:
                return
            self._launch(self._together.pop(), block)

    def _launch(self, slot: Slot, block: Block) -> None:
        if self._launchers is not None:
            future = self._launchers.submit(slot.run, block, self.job.slice_of[block.solvers])
            self._flying[future] = slot, block

    def _hand_out(self) -> Generator[Done, None, None]:
        self._pass_on()
        self._hand_out_heavy()
        while self._ready:
            slot = self._idlest()
            block = self._blocks.last(self._share(slot))
            if block is None:
                break
            block = self._without_refused(block)
            if len(block):
                self._ready.remove(slot)
                self._launch(slot, block)
        yield from super()._hand_out()

    def _idlest(self) -> Slot:
        """A slot of the worker with the fewest launches under way: few blocks go to different workers."""
        busy = Counter([slot.prepared for slot, _ in self._flying.values()])
        return min(self._ready, key=lambda slot: busy[slot.prepared])

    def _share(self, slot: Slot) -> int:
        """The size of a slot's next block: shrinking towards the end, so that all finish together."""
        at_work = {each.prepared for each in self._slots()}
        workers = len(at_work) + sum(card.workers for card in self._opening.values())
        fair = self._blocks.left // (2 * workers)
        return min(max(fair, slot.room.lanes), slot.room.evaluations)

    def _slots(self) -> list[Slot]:
        """All that are in use."""
        return [*self._ready, *self._together, *[slot for slot, _ in self._flying.values()]]

    def _next(self) -> Block | None:
        gpus = bool(self._opening or self._ready or self._flying)
        block = self._blocks.next(returned_only=gpus and not self.beside)
        return self._heavy.for_threads(self._most) if block is None else block

    def _ended(self, future: Future[Any]) -> Generator[Done, None, None]:
        if future in self._opening:
            self._opened(future)
        elif future in self._flying:
            yield from self._landed(future)
        else:
            yield from super()._ended(future)

    def _opened(self, future: Future[list[Slot]]) -> None:
        number = self._opening.pop(future).number
        self._pass_on()
        error = future.exception()
        if isinstance(error, (*LOST, UsageError)):
            self._without(_told(error, f"GPU {number}"))
        else:
            slots = future.result()
            self._ready += [slot for slot in slots if slot.way is not TOGETHER]
            self._together += [slot for slot in slots if slot.way is TOGETHER]
            self._heavy_at |= {slot.prepared for slot in slots if slot.way is TOGETHER}

    def _landed(self, future: Future[Call]) -> Generator[Done, None, None]:
        slot, block = self._flying[future]
        # Not by what `result` raises: this thread may be told to end too.
        error = future.exception()
        if isinstance(error, LOST):
            del self._flying[future]
            if slot.way is TOGETHER:
                self._heavy_at.discard(slot.prepared)
            self._give_back(block, error)
            self._leave_out(slot, error)
            return
        part = future.result()
        # Only now is it forgotten: an interrupt before this line leaves it to `close`.
        del self._flying[future]
        if slot.prepared not in self._left_out:
            (self._together if slot.way is TOGETHER else self._ready).append(slot)
        if len(part.rest) and slot.way is TOGETHER:
            self._heavy.put(part.rest)
        elif len(part.rest):
            self._blocks.large.append(part.rest)
        done = self._kept(slot, part)
        if len(done.numbers):
            yield done

    def _kept(self, slot: Slot, part: Call) -> Done:
        """The evaluations that a GPU has finished; the threads get the others."""
        left = part.results["status"] >= UNSUPPORTED
        if left.any():
            self._leave(part.ran[left])
            why = zip(part.results["status"][left].tolist(), part.results["cause"][left].tolist(), strict=True)
            limit = TOGETHER_LIMIT if slot.way is TOGETHER else LAUNCH_LIMIT
            self.left_over.update([limit if status == LEFT_OVER else CAUSES[cause] for status, cause in why])
        finished = part.only(~left)
        self.on_device += len(finished.ran)
        self.by_worker[str(slot.prepared.device.info)] += len(finished.ran)
        return self._finished(finished)

    def _give_back(self, block: Block, error: BaseException) -> None:
        """Hand a block out again; what was there when two devices failed may be the cause, and goes to the threads."""
        again = np.zeros(len(block), bool)
        if isinstance(error, DeviceFailed):
            again = np.isin(block.numbers, self._failed_once)
            self._failed_once = np.concatenate([self._failed_once, block.numbers])
        if again.any():
            self._leave(block[again])
            self.left_over[FAILED_TWICE] += int(again.sum())
        if not again.all():
            # Heavy ones are for threads now.
            (self._blocks.small if isinstance(block, Heavy) else self._blocks.large).append(block[~again])

    def _leave(self, block: Block) -> None:
        self._blocks.small.append(block)
        if self.on_left:
            self.on_left(block)

    def _leave_out(self, slot: Slot, error: BaseException) -> None:
        """Go on without a slot, where it alone had no room, without its worker, or without all of a failed device."""
        mates = [each for each in self._slots() if each.prepared is slot.prepared and each.way is not TOGETHER]
        if slot.prepared in self._left_out or (isinstance(error, NoRoom) and mates):
            return
        info = slot.prepared.device.info
        lost = {slot.prepared}
        if isinstance(error, DeviceFailed):
            lost |= {each.prepared for each in self._slots() if each.prepared.device.info.number == info.number}
        self._left_out |= lost
        self._heavy_at -= lost
        self._ready = [each for each in self._ready if each.prepared not in lost]
        self._together = [each for each in self._together if each.prepared not in lost]
        others = f" and {len(lost) - 1} more on this card" if len(lost) > 1 else ""
        self._without(_told(error, str(info)), others)

    def _without(self, why: str, others: str = "") -> None:
        self.without.append(why)
        self._note(f"{why}; going on without it{others}")

    def _note(self, line: str) -> None:
        """Keep a line, and tell it."""
        self.notes.append(line)
        if self.tell:
            self.tell(line)

    def _pass_on(self) -> None:
        """Tell what threads had to say: only the thread that collects talks to the caller."""
        while not self._lines.empty():
            self._note(self._lines.get())


def _told(error: BaseException, worker: str) -> str:
    """What ended a worker, in words."""
    match error:
        case DeviceError():
            return str(error)
        case MemoryError():
            return f"{worker}: the host's memory is short"
        case SystemExit():
            return f"{worker}: its thread was ended"
        case _:
            return f"{worker}: {error}"

"""The cuda engine: GPUs, and the cpu engine's threads beside them. Owns who runs what, and which device is left out.

GPUs take large blocks from the end of the order, threads small ones from its front and all that GPUs leave over, until
they meet: neither waits for the other. What takes a thread long, and what lanes leave for their limits, is put aside
for GPUs that run it with lanes together, and for threads that have nothing else to do. A worker has a device to itself,
or shares it with others; one that fails gives its blocks back, and the others go on. Records go by number, so that it
does not matter who made them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.errors import UsageError
from batt.runtime.blocks import parted
from batt.runtime.cpu import CpuEngine, Observer
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import count
from batt.runtime.cuda.faults import DeviceError, DeviceFailed, NoGpu, ending
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.heavy import GPU_FROM, GPU_SHARE, HEAVY_STEPS, Aside, Heavy, Left
from batt.runtime.cuda.launch import SLOTS, TOGETHER, Prepared, Slot
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.opening import Loaded, Opener, soon_switching
from batt.runtime.cuda.selection import Card, cards
from batt.runtime.evaluations import Block, Integers
from batt.runtime.job import Job
from batt.runtime.native import Budget, NativeBatch, NativeProgram
from batt.runtime.options import Options
from batt.runtime.outcome import Status
from batt.runtime.records import Done
from batt.runtime.thread import Call

MAX_TILE = 1 << 22
"""Evaluations that are taken from the order at once, though a launch holds fewer."""
THREAD_BLOCK = 1 << 12
"""Evaluations that a thread takes at most: what threads hold while a GPU gets ready, it cannot take."""

LAUNCH_LIMIT = "the steps, the time or the memory of a launch"
TOGETHER_LIMIT = "the time of a launch with lanes together"
FAILED = "a launch with lanes together that failed"
FAILED_TWICE = "two launches that failed"

NO_ROOM = (Cause.ARENA_FULL, Cause.STACK_FULL)
"""Causes that are of a launch: one with more memory may do."""

LOST = (DeviceError, NoRoom, MemoryError, SystemExit)
"""What ends a worker and not the run: its device fails, memory is short, its thread is told to end."""


class CudaEngine(CpuEngine):
    """The evaluations of one job; closing it waits for launches under way, and gives all memory back.

    The options name a GPU for each worker; without, every GPU has one. `on_device` counts what GPUs finished,
    `by_worker` which of them, `left_over` by cause what they left to the threads; `notes` keep what `tell` was told,
    `without` why anybody was left out. Without `beside` the threads do only what GPUs left over, unless no GPU is left.
    `on_left` is handed what GPUs left to the threads.
    """

    on_left: Callable[[Block], None] | None = None

    def __init__(
        self,
        job: Job,
        options: Options,
        *,
        observe: Observer | None = None,
        tell: Callable[[str], None] | None = None,
        beside: bool = True,
    ) -> None:
        super().__init__(job, options, observe=observe)
        self.tell = tell
        self.beside = beside
        self.notes: list[str] = []
        self.without: list[str] = []
        self.on_device = 0
        self.by_worker: Counter[str] = Counter()
        self.left_over: Counter[str] = Counter()
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._opener = Opener(job, self._budget, options, lambda: bool(self._blocks.left), self._lines.put)
        self._launchers: ThreadPoolExecutor | None = None
        self._opening: dict[Future[list[Slot]], Card] = {}
        self._ready: list[Slot] = []
        self._flying: dict[Future[Call], tuple[Slot, Block]] = {}
        self._left_out: set[Prepared] = set()
        self._failed_once: Integers = np.empty(0, np.int64)
        self._first = Budget(HEAVY_STEPS, self._budget.max_items, self._budget.work)
        self._heavy = Aside()
        self._together: list[Slot] = []
        # Threads look whether there is any: a slot on its way from one list to another must not be missed.
        self._heavy_at: set[Prepared] = set()

    def close(self) -> None:
        """Wait for launches and threads, and free their memory; what they had done is in `remains`."""
        # Where the samples were not loaded to the end, nobody waits for them.
        self._opener.loaded.cancel()
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
        self._opener.close()
        super().close()
        self._pass_on()

    def _start(self) -> tuple[NativeProgram, NativeBatch]:
        with soon_switching():
            self._begin_opening()
            program, batch = super()._start()
        self._blocks.largest = THREAD_BLOCK
        self._opener.loaded.set_result(Loaded(program, batch, self._batch.input_bytes))
        return program, batch

    def _begin_opening(self) -> None:
        """Let devices be made ready while the samples are packed and loaded."""
        try:
            chosen = cards(self.options.devices, count())
        except NoGpu as error:
            self.without.append(str(error))
            self._note(f"no GPU is used: {error}")
            return
        try:
            source = kernels.source()
        except UsageError as error:
            self._without(str(error))
            return
        workers = sum(card.workers for card in chosen)
        self._launchers = ThreadPoolExecutor(2 * SLOTS * workers, thread_name_prefix="batt-gpu")
        self._opening = {self._launchers.submit(self._opener.open, card, source): card for card in chosen}

    def _under_way(self) -> set[Future[Any]]:
        waited = {*self._running, *self._flying}
        # A device that becomes ready when nothing is left is not waited for.
        return {*waited, *self._opening} if self._blocks.left else waited

    def _run_block(self, block: Block, slices: npt.NDArray[np.uint32], budget: Budget | None = None) -> Call:
        """What a thread does: where GPUs take heavy evaluations, it finds out which they are."""
        if isinstance(block, Heavy) or not self._heavy_at or self._budget.steps <= self._first.steps:
            return super()._run_block(block, slices, budget)
        part = super()._run_block(block, slices, self._first)
        over = part.results["status"] == Status.OVER_BUDGET
        if not over.any():
            return part
        self._heavy.put(part.ran[over])
        return part.only(~over)

    def _hand_out_heavy(self) -> None:
        in_lanes = any(slot.way is not TOGETHER for slot, _ in self._flying.values())
        share = 1.0 if self._blocks.left or self._blocks.small or self._heavy.is_any_late else GPU_SHARE
        while self._together:
            room = self._together[-1].room
            least = room.evaluations if self._blocks.left or in_lanes else GPU_FROM
            block = self._heavy.for_gpu(room.evaluations, least, share)
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
            if len(block) > slot.room.evaluations:
                block, others = parted(block, slot.room.evaluations)
                self._blocks.large.appendleft(others)
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
        wanted = min(max(fair, slot.room.lanes), slot.room.evaluations)
        if not self._blocks.evaluations.is_by_sample:
            return wanted
        # Whole groups of samples fill the rows that all solvers' evaluations of them stand in.
        solvers, samples = self.job.evaluations.solvers, slot.room.samples
        tile = min(min(GROUP, samples) * solvers, MAX_TILE)
        return max(tile, min(wanted, samples * solvers) // tile * tile)

    def _slots(self) -> list[Slot]:
        """All that are in use."""
        return [*self._ready, *self._together, *[slot for slot, _ in self._flying.values()]]

    def _next(self) -> Block | None:
        gpus = bool(self._opening or self._ready or self._flying)
        block = self._heavy.late(self._most) or self._blocks.next(returned_only=gpus and not self.beside)
        if block is None:
            block = self._heavy.for_threads(self._most)
            if isinstance(block, Left):
                self._count_left(block, {LAUNCH_LIMIT: len(block)})
        return block

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
            self._without(ending(error, f"GPU {number}"))
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
            if not any(each.prepared is slot.prepared and each.way is TOGETHER for each in self._slots()):
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
        status, cause = part.results["status"], part.results["cause"]
        left = status >= Ended.UNSUPPORTED
        # With lanes together it has more steps, time and memory.
        again = left & ((status == Ended.LAUNCH_LIMIT) | np.isin(cause, NO_ROOM))
        if slot.way is not TOGETHER and self._heavy_at and again.any():
            self._heavy.leave(part.ran[again])
        else:
            again[:] = False
        over = left & ~again
        if over.any():
            limit = TOGETHER_LIMIT if slot.way is TOGETHER else LAUNCH_LIMIT
            why = zip(status[over].tolist(), cause[over].tolist(), strict=True)
            causes = [limit if each == Ended.LAUNCH_LIMIT else Cause(number).text for each, number in why]
            self._leave(part.ran[over], Counter(causes))
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
            self._leave(block[again], {FAILED_TWICE: int(again.sum())})
        rest = block[~again]
        if len(rest) and isinstance(block, Heavy):
            self._leave(rest, {FAILED: len(rest)})
        elif len(rest):
            self._blocks.large.append(rest)

    def _leave(self, block: Block, causes: Mapping[str, int]) -> None:
        """Leave a block to the threads, with how many of it for which cause."""
        if isinstance(block, Heavy):
            self._heavy.give_up(block)
        else:
            self._blocks.small.append(block)
        self._count_left(block, causes)

    def _count_left(self, block: Block, causes: Mapping[str, int]) -> None:
        self.left_over.update(causes)
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
        self._without(ending(error, str(info)), others)

    def _without(self, why: str, others: str = "") -> None:
        self.without.append(why)
        self._note(f"{why}; continuing without it{others}")

    def _note(self, line: str) -> None:
        """Keep a line, and tell it."""
        self.notes.append(line)
        if self.tell:
            self.tell(line)

    def _pass_on(self) -> None:
        """Tell what threads had to say: only the thread that collects talks to the caller."""
        while not self._lines.empty():
            self._note(self._lines.get())

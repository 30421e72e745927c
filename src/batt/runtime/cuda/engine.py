"""The cuda engine: GPUs, and the cpu engine's threads beside them. Owns who runs what, and which device is left out.

GPUs take large blocks from the end of the order, threads small ones from its front and all that GPUs leave over, until
they meet: neither waits for the other. A device that fails gives its block back, and the others go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from batt.errors import UsageError
from batt.runtime.blocks import Block
from batt.runtime.cpu import ARENA_BYTES, CpuEngine, Done, Job, Observer
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import Device, count
from batt.runtime.cuda.faults import DeviceError, NoGpu
from batt.runtime.cuda.launch import GROUP, LEFT_OVER, SLOTS, Prepared, Slot, picked
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.native import CAUSES, UNSUPPORTED, NativeBatch, NativeProgram
from batt.runtime.outcome import Limits
from batt.runtime.thread import Call

LAUNCH_LIMIT = "the steps or the time of a launch"
NO_OUTPUTS = "outputs are not fetched from GPUs: this run is on the CPU alone"
NO_STAGE = "what is worked out ahead is not on GPUs: this run is on the CPU alone"


class CudaEngine(CpuEngine):
    """The evaluations of one job; closing it waits for launches under way, and gives all memory back.

    `on_device` counts what GPUs finished, `left_over` by cause what they left to the threads; `notes` keep what `tell`
    was told, above all which device was left out and why. Without `beside` the threads do only what GPUs left over,
    unless no GPU is left.
    """

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
    ) -> None:
        super().__init__(job, limits, outputs, workers, arena_bytes, observe=observe)
        self.tell = tell
        self.beside = beside
        self.notes: list[str] = []
        self.on_device = 0
        self.left_over: Counter[str] = Counter()
        self._devices: list[Device] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._launchers: ThreadPoolExecutor | None = None
        self._opening: dict[Future[list[Slot]], int] = {}
        self._ready: list[Slot] = []
        self._flying: dict[Future[Call], tuple[Slot, Block]] = {}
        self._left_out: set[Prepared] = set()

    def close(self) -> None:
        """Wait for launches and threads, and free their memory; what they had done is in `remains`."""
        if self._launchers is not None:
            self._launchers.shutdown(cancel_futures=True)
            self._launchers = None
        whole = [each for each in self._flying if not each.cancelled() and each.exception() is None]
        self._opening.clear()
        self._flying.clear()
        self._ready.clear()
        self.remains += [done for done in map(self._kept, map(Future.result, whole)) if len(done.numbers)]
        for device in self._devices:
            device.close()
        self._devices.clear()
        super().close()
        self._pass_on()

    def _start(self) -> tuple[NativeProgram, NativeBatch]:
        loaded = super()._start()
        if self.outputs or self.job.image.stage_entries:
            self._note(NO_OUTPUTS if self.outputs else NO_STAGE)
            return loaded
        try:
            numbers = range(count())
        except NoGpu as error:
            self._note(f"no GPU is used: {error}")
            return loaded
        self._launchers = ThreadPoolExecutor(SLOTS * len(numbers), thread_name_prefix="batt-gpu")
        self._opening = {self._launchers.submit(self._open, number, *loaded): number for number in numbers}
        return loaded

    def _open(self, number: int, program: NativeProgram, batch: NativeBatch) -> list[Slot]:
        """What a thread does to make a device ready; meanwhile others work."""
        device = Device(number)
        # From here on it is closed with the engine, whatever happens.
        self._devices.append(device)
        kernel = kernels.load(device, tell=self._lines.put)
        order = self.job.order
        rows = order.total + GROUP * min(order.solvers, order.total)
        return Prepared(device, kernel, program, batch, self._budget).slots(rows // GROUP * GROUP)

    def _under_way(self) -> set[Future[Any]]:
        waited = {*self._running, *self._flying}
        # A device that becomes ready when nothing is left is not waited for.
        return {*waited, *self._opening} if self._blocks.left else waited

    def _hand_out(self) -> Generator[Done, None, None]:
        self._pass_on()
        while self._ready and (block := self._blocks.last(self._share(self._ready[-1]))) is not None:
            block = self._without_refused(block)
            if len(block) and self._launchers is not None:
                slot = self._ready.pop()
                future = self._launchers.submit(slot.run, block, self.job.slice_of[block.solvers])
                self._flying[future] = slot, block
        yield from super()._hand_out()

    def _share(self, slot: Slot) -> int:
        """The size of a slot's next block: shrinking towards the end, so that all finish together."""
        fair = self._blocks.left // (2 * len(self._devices))
        return min(max(fair, slot.room.lanes), slot.room.evaluations)

    def _next(self) -> Block | None:
        gpus = bool(self._opening or self._ready or self._flying)
        return self._blocks.next(returned_only=gpus and not self.beside)

    def _ended(self, future: Future[Any]) -> Generator[Done, None, None]:
        if future in self._opening:
            self._opened(future)
        elif future in self._flying:
            yield from self._landed(future)
        else:
            yield from super()._ended(future)

    def _opened(self, future: Future[list[Slot]]) -> None:
        number = self._opening.pop(future)
        self._pass_on()
        try:
            self._ready += future.result()
        except DeviceError as error:
            self._note(f"{error}; going on without it")
        except UsageError as error:
            self._note(f"GPU {number}: {error}; going on without it")

    def _landed(self, future: Future[Call]) -> Generator[Done, None, None]:
        slot, block = self._flying[future]
        try:
            part = future.result()
        except (DeviceError, NoRoom) as error:
            del self._flying[future]
            self._blocks.large.append(block)
            self._leave_out(slot, error)
            return
        # Only now is it forgotten: an interrupt before this line leaves it to `close`.
        del self._flying[future]
        if slot.prepared not in self._left_out:
            self._ready.append(slot)
        if len(part.rest):
            self._blocks.large.append(part.rest)
        done = self._kept(part)
        if len(done.numbers):
            yield done

    def _kept(self, part: Call) -> Done:
        """The evaluations that a GPU has finished; the threads get the others."""
        left = part.results["status"] >= UNSUPPORTED
        if left.any():
            self._blocks.small.append(part.ran[left])
            why = zip(part.results["status"][left].tolist(), part.results["cause"][left].tolist(), strict=True)
            self.left_over.update([LAUNCH_LIMIT if status == LEFT_OVER else CAUSES[cause] for status, cause in why])
        finished = Call(part.ran[~left], picked(part.results, ~left), None, part.rest, False, part.wall_s)
        self.on_device += len(finished.ran)
        return self._finished(finished)

    def _leave_out(self, slot: Slot, error: DeviceError | NoRoom) -> None:
        """Go on without a slot, where it alone had no room, or without its device."""
        others = [*self._ready, *[flying for flying, _ in self._flying.values()]]
        is_alone = slot.prepared not in [each.prepared for each in others]
        if slot.prepared in self._left_out or (isinstance(error, NoRoom) and not is_alone):
            return
        self._left_out.add(slot.prepared)
        self._ready = [each for each in self._ready if each.prepared is not slot.prepared]
        where = "" if isinstance(error, DeviceError) else f"{slot.prepared.device.info}: "
        self._note(f"{where}{error}; going on without it")

    def _note(self, line: str) -> None:
        """Keep a line, and tell it."""
        self.notes.append(line)
        if self.tell:
            self.tell(line)

    def _pass_on(self) -> None:
        """Tell what threads had to say: only the thread that collects talks to the caller."""
        while not self._lines.empty():
            self._note(self._lines.get())

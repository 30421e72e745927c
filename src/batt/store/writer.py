"""Store what a run finishes, in a thread of its own, so that running and storing overlap."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import InternalError, UsageError
from batt.jobs.keeping import Keep, is_hit
from batt.jobs.samples import Keys, keys_of
from batt.jobs.sink import Sink
from batt.runtime import Equality, Status
from batt.runtime.blocks import pack_outputs, pack_records
from batt.runtime.evaluations import Evaluations, Integers, order_of
from batt.runtime.outputs import PackedOutputs
from batt.runtime.records import put, take
from batt.runtime.tier import REFERENCE, Part, TierName
from batt.store.costs import HISTORY, SLOWEST, History, SolverCosts
from batt.store.loading import StoredRecords
from batt.store.portable import portable
from batt.store.remaining import remaining
from batt.store.runfile import Meta, RunFile, StoredBlock
from batt.store.tally import TALLY, RunTally

FLUSH_S = 1.0
FLUSH_EVALUATIONS = 1 << 18
FLUSH_OUTPUT_BYTES = 32 << 20
"""A block is written after this time, with this many evaluations, or with this many bytes of outputs."""
WAITING_PARTS = 64
"""The parts that may wait to be stored; then the run waits."""


class StoreSink(Sink):
    """Keeps finished evaluations in the file of a run. `loaded` holds what earlier sessions found.

    Only the thread changes `loaded`, until `finish`: an interrupt hits the main thread alone.
    """

    def __init__(
        self, file: RunFile, evaluations: Evaluations, keep: Keep, loaded: StoredRecords, session: dict[str, Any]
    ) -> None:
        self.file = file
        self.loaded = loaded
        self.records = loaded.records
        self.outputs = loaded.outputs
        self.session = session
        keys = keys_of(evaluations.samples)
        self._hits = Hits(evaluations, keys) if keep is Keep.HITS else None
        self._tally = RunTally(evaluations, keys, file.path.parent)
        if loaded.done:
            self._tally.add_all(loaded.records)
        session[TALLY] = self._tally.found.as_json()
        self._history = History()
        self._costs = SolverCosts(evaluations)
        self._causes = Causes()
        self._id = file.begin_session(session)
        self.error: UsageError | OSError | None = None
        self._parts: Queue[Part | None] = Queue(WAITING_PARTS)
        self._buffer: list[Part] = []
        self._flushed_s = self._began_s = time.monotonic()
        self._is_closed = False
        self._thread = Thread(target=self._store, name="batt-store")
        self._thread.start()

    @property
    def done(self) -> int:
        """Count the evaluations that are stored, or about to be."""
        return self.loaded.done

    @property
    def steps(self) -> int:
        """Return the number of steps of all sessions together."""
        return self.loaded.steps

    def remaining(self, span: Evaluations) -> Iterator[Evaluations]:
        """Yield what no session has finished."""
        return remaining(span, self.records) if self.loaded.done else iter([span])

    def put(self, part: Part) -> bool:
        """Hand a part to the thread; wait if too many wait already."""
        self.check()
        self._hand_over(part)
        return True

    def _hand_over(self, part: Part | None) -> None:
        while True:
            try:
                self._parts.put(part, timeout=FLUSH_S)
                return
            except Full:
                self.check()

    def on_deferred(self, tier: TierName, why: str, numbers: Integers) -> None:
        """Remember why evaluations were deferred, until they are finished."""
        self._causes.add(tier, why, numbers)

    def check(self) -> None:
        """Raise what made storing impossible."""
        if self.error is not None:
            raise self.error
        if not self._thread.is_alive() and not self._is_closed:
            raise InternalError("the thread that stores results has ended; the traceback above says why")

    def finish(self, **ended: Any) -> None:
        """Store all that waits, and how the session ended."""
        if self._thread.is_alive():
            self._hand_over(None)
        self._thread.join()
        self.check()
        self.session |= ended
        self.file.add((), self._id, self.session)

    def _store(self) -> None:
        is_open = True
        while is_open:
            timeout = max(0.0, self._flushed_s + FLUSH_S - time.monotonic()) if self._buffer else None
            try:
                part = self._parts.get(timeout=timeout)
                is_open = part is not None
            except Empty:
                part = None
            if self.error is not None:
                # Take what comes, so that nobody waits, and drop it: it is run again by the next session.
                continue
            try:
                if part is not None:
                    self._add(part)
                if not is_open or self._is_due():
                    self._flush()
            except (UsageError, OSError) as error:
                self.error = error
        self._is_closed = True

    def _add(self, part: Part) -> None:
        # A part that an interrupt hit comes again.
        if self.records["status"][part.numbers[0]] != Status.NOT_RUN:
            return
        if not self._buffer:
            self._flushed_s = time.monotonic()
        put(self.records, part.numbers, part.records)
        self._buffer.append(part)

    def _is_due(self) -> bool:
        if not self._buffer:
            return False
        size = sum([0 if part.outputs is None else len(part.outputs.data) for part in self._buffer])
        count = sum([len(part.block) for part in self._buffer])
        is_late = time.monotonic() - self._flushed_s >= FLUSH_S
        return is_late or count >= FLUSH_EVALUATIONS or size >= FLUSH_OUTPUT_BYTES

    def _flush(self) -> None:
        groups: dict[tuple[TierName, str], list[Part]] = {}
        for part in self._buffer:
            groups.setdefault((part.tier, part.worker), []).append(part)
        blocks = [block for key, parts in groups.items() for block in self._blocks(*key, parts)]
        found, wall_s = self._tally.found, round(time.monotonic() - self._began_s, 3)
        self._history.add(wall_s, found.done)
        self.session |= {"wall_s": wall_s, TALLY: found.as_json(), HISTORY: self._history.points}
        self.session[SLOWEST] = self._costs.slowest()
        self.file.add(blocks, self._id, self.session)
        for block in blocks:
            self.loaded.count(block)
        self._buffer.clear()

    def _blocks(self, tier: TierName, worker: str, parts: list[Part]) -> Iterator[StoredBlock]:
        """Yield the blocks of parts from one tier; evaluations that timed out have one of their own."""
        joined = Joined.of(parts, self.records)
        for part in parts:
            self._costs.add(part)
        self._tally.add(joined.numbers, joined.records)
        # What times out counts no steps.
        steps = sum([int(part.steps.sum()) for part in parts])
        timed_out = joined.records["status"] == Status.TIMED_OUT
        for chosen, is_timed_out in ((~timed_out, False), (timed_out, True)):
            if not chosen.any():
                continue
            some = joined if chosen.all() else joined.at(np.flatnonzero(chosen))
            kept = np.ones(len(some.numbers), bool)
            if self._hits is not None:
                kept = self._hits.chosen(some.numbers, some.records)
            causes = self._causes.take(some.numbers) if tier is REFERENCE else {}
            meta = Meta(tier, worker, len(some.numbers), 0 if is_timed_out else steps, causes)
            body = pack_records(some.numbers, some.records, kept & (some.records["hash"] != 0))
            outputs = None if some.wires is None else self._kept_outputs(some.numbers, some.wires, kept)
            yield StoredBlock(meta, body, outputs, is_timed_out)

    def _kept_outputs(self, numbers: Integers, wires: list[bytes], kept: npt.NDArray[np.bool_]) -> bytes:
        """Keep those outputs for this process, and return them as bytes for the file."""
        assert self.outputs is not None, "the run keeps outputs"
        chosen = [wire if is_kept else b"" for wire, is_kept in zip(wires, kept.tolist(), strict=True)]
        ends = np.cumsum([len(wire) for wire in chosen], dtype=np.uint64)
        self.outputs.put(numbers, PackedOutputs.of(np.frombuffer(b"".join(chosen), np.uint8), ends))
        return pack_outputs(chosen)


class Joined:
    """Several parts as one. `wires` are None if the run keeps no outputs."""

    def __init__(self, numbers: Integers, records: npt.NDArray[Any], wires: list[bytes] | None) -> None:
        self.numbers = numbers
        self.records = records
        self.wires = wires

    @classmethod
    def of(cls, parts: list[Part], records: npt.NDArray[Any]) -> Joined:
        """Join parts, whose records are already in the `records` of the run, in the order of their numbers."""
        numbers = np.concatenate([part.numbers for part in parts])
        wires = None
        if parts[0].outputs is not None:
            found = [wire for part in parts if part.outputs is not None for wire in portable(part.outputs)]
            wires = [found[place] for place in order_of(numbers - numbers.min()).tolist()]
        # The stable sort is fast for numbers that mostly ascend.
        numbers.sort(kind="stable")
        return cls(numbers, take(records, numbers), wires)

    def at(self, places: Integers) -> Joined:
        """Return the evaluations at these positions."""
        wires = None if self.wires is None else [self.wires[place] for place in places.tolist()]
        return Joined(self.numbers[places], take(self.records, places), wires)


class Hits:
    """Chooses whose hash and output is stored with `--keep hits`: those of hits, and of tests that may be.

    Whether a solver fits a task is known when its last demonstration is finished, which may come after the tests. So
    the tests are stored until one demonstration is known to be wrong; `jobs.keeping` decides what an export holds.
    """

    def __init__(self, evaluations: Evaluations, keys: Keys) -> None:
        self.evaluations = evaluations
        self.keys = keys
        # By solver and task: one index is found in less time than two.
        self._misses = np.zeros(evaluations.solvers * len(self.keys.ids), bool)

    def chosen(self, numbers: Integers, records: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Return whose hash and output is stored."""
        solvers, samples = self.evaluations.pairs(numbers)
        is_train, places = self.keys.is_train[samples], solvers * len(self.keys.ids) + self.keys.task_of[samples]
        self._misses[places[is_train & (records["equal"] != Equality.YES)]] = True
        found = is_hit(records)
        tests = np.flatnonzero(~is_train)
        found[tests] |= ~self._misses[places[tests]]
        return found


class Causes:
    """Why evaluations were deferred to the reference tier, until it finishes them. The main thread adds."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[bool, str], list[Integers]] = {}

    def add(self, tier: TierName, why: str, numbers: Integers) -> None:
        """Add evaluations that `tier` deferred."""
        self._numbers.setdefault((tier.is_gpu, why), []).append(numbers)

    def take(self, numbers: Integers) -> dict[str, int]:
        """Count the causes for which these evaluations were deferred last."""
        found: Counter[str] = Counter()
        left = numbers
        # What a GPU defers to the CPU, the CPU may defer again: that cause counts.
        for (_, why), parts in sorted(self._numbers.items(), key=lambda each: each[0]):
            is_due = np.isin(left, np.concatenate(list(parts)))
            found[why] += int(is_due.sum())
            left = left[~is_due]
        return dict(+found)

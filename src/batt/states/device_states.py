"""The values of the states of many tasks on a GPU: candidates are evaluated there, and new values stay there.

The CPU has all hashes: it looks candidates up, merges them in order, and evaluates what the GPU defers. If the GPU
fails or has no more memory, all values are computed again on the CPU, which then continues alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.bytecode.opcodes import OPS_BY_NUMBER
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.cuda.columns import VALUE_BYTES
from batt.runtime.cuda.faults import DeviceError, OutOfMemory
from batt.runtime.cuda.pool import Pooled
from batt.runtime.cuda.states import ROW_TYPE, OpLaunch, RunningLaunches, StatesLauncher, StatesMemory
from batt.runtime.native import Budget
from batt.states.device_layout import LaunchLayout, chunks, joined, lay_out, split_rows
from batt.states.native import Handles, NativeStates
from batt.states.native_batch import (
    BatchCalls,
    Parts,
    bring_wanted,
    freeze_parts,
    place_parts,
    restore_states,
    want_states,
    wanted_rows,
)
from batt.states.threads import KeptThreads

MOST_ROWS = 1 << 21
"""The most rows of a round; a row is a candidate on a sample. The CPU merges a round while the GPU runs the next."""
LEAST_ROWS = 1 << 12
"""The fewest rows for which a round is made smaller if memory runs out."""
AHEAD = 2
"""The rounds that are on their way at the same time."""
MARGIN = 1 << 16
DECAY = 0.98
"""What the memory for the value of a row is multiplied by after a round that needs less."""
LEAST_PLACES = 1 << 12
"""The least rows of the table."""


@dataclass(frozen=True, slots=True)
class _RoundMemory:
    """The memory of what the launches of a round read and write on the GPU; values may need several stores."""

    table: Pooled
    arguments: Pooled
    segments: Pooled
    values: Pooled
    rows: Pooled
    stores: list[Pooled]

    @property
    def places(self) -> StatesMemory:
        """Return the addresses for launches that store values in the last store."""
        return StatesMemory(
            *(self.table.address, self.arguments.address, self.segments.address, self.values.address),
            *(self.rows.address, self.stores[-1].address, self.stores[-1].bytes),
        )


@dataclass(slots=True)
class _StatesRound:
    """A round on its way: its candidates, where they lie, and its launches."""

    parts: Parts
    total: int
    layout: LaunchLayout
    launches: list[OpLaunch]
    memory: _RoundMemory
    running: RunningLaunches


class DeviceStates:
    """The values of states on a GPU: a table with a row for each sample of each state, and stores of their parts."""

    def __init__(self, launcher: StatesLauncher, threads: KeptThreads, tell: Callable[[str], object]) -> None:
        self.is_open = True
        self._launcher = launcher.columns
        self._states = launcher
        self._threads = threads
        self._tell = tell
        self._table: Pooled | None = None
        self._top = 0
        self._stores: list[Pooled] = []
        self._sets: dict[int, NativeStates] = {}
        self._budget = Budget()
        self._most_rows = MOST_ROWS

    @property
    def used_bytes(self) -> int:
        """Return the memory that the values use on the GPU."""
        return sum([each.bytes for each in self._stores]) + (0 if self._table is None else self._table.bytes)

    def begin(self, sets: Sequence[NativeStates], budget: Budget) -> None:
        """Note the sets whose states are here."""
        self._sets = {int(each.handle): each for each in sets}
        self._budget = budget
        for each in sets:
            each.fetch = self._fetch_one

    def close(self) -> None:
        """Give back the memory of all values. Nothing is running."""
        self.is_open = False
        self._table = None
        self._stores = []
        for each in self._sets.values():
            each.fetch = None

    def leave(self) -> None:
        """Compute all values again on the CPU, and continue there."""
        sets = [each for each in self._sets.values() if not each.closed and each.elsewhere()[1]]
        self.close()

        def work(worker: ThreadWorker, each: NativeStates) -> None:
            worker.native.stop.value = 0
            restore_states(each, worker.native, self._budget)

        if sets:
            self._threads.map(work, sets)

    def apply(self, batch: BatchCalls, parts: Parts) -> Parts:
        """Evaluate and merge candidates. Return the parts that the CPU has to do."""
        rounds: deque[_StatesRound] = deque()
        try:
            self._place(parts)
            while len(parts) or rounds:
                if len(parts) and len(rounds) < AHEAD:
                    rest = self._begin(batch, parts, rounds)
                    if rest is not None:
                        parts = rest
                        continue
                kept = self._end(batch, rounds[0])
                # What is merged is done, even if its values get lost now: then they are computed again.
                self._keep(rounds.popleft(), kept)
        except DeviceError as error:
            parts = joined(np.concatenate([*[each.parts for each in rounds], parts]))
            self._wait(rounds)
            self._lose(error)
        return parts

    def _wait(self, rounds: Sequence[_StatesRound]) -> None:
        """Wait for what still runs, so that its memory can be used again."""
        with suppress(DeviceError):
            for each in rounds:
                self._states.end(each.running)

    def _lose(self, error: DeviceError) -> None:
        self._tell(f"{error}; states are computed on the CPU")
        self.leave()

    def _begin(self, batch: BatchCalls, parts: Parts, rounds: deque[_StatesRound]) -> Parts | None:
        """Begin a round and return the parts that are left; None if that needs memory which other rounds have."""
        some, rest = split_rows(parts, self._samples(parts), self._most_rows)
        try:
            rounds.append(self._begun(batch, some))
        except OutOfMemory:
            if rounds:
                return None
            rows = int((some["count"] * self._samples(some)).sum())
            if rows <= LEAST_ROWS:
                raise
            self._most_rows = rows // 2
            return parts
        return rest

    def _samples(self, parts: Parts) -> npt.NDArray[np.uint64]:
        return np.array([self._sets[each].samples for each in parts["set"].tolist()], np.uint64)

    def _place(self, parts: Parts) -> None:
        """Upload the values of states that are not on the GPU."""
        count, size = freeze_parts(parts)
        if not count:
            return
        table, store = self._room(count), self._launcher.pool.take(size)
        values, data = np.zeros((count, 2), np.uint64), np.zeros(size, np.uint8)
        freeze_parts(parts, store.address, values, data, self._top)
        self._launcher.upload(data, store)
        self._launcher.upload(values, table, VALUE_BYTES * self._top)
        self._launcher.device.synchronize(self._launcher.stream)
        self._top += count
        self._stores.append(store)

    def _room(self, more: int) -> Pooled:
        """Return the table, with room for more rows."""
        needed, launcher = self._top + more, self._launcher
        if self._table is None or self._table.bytes < VALUE_BYTES * needed:
            wider = launcher.pool.take(VALUE_BYTES * max(LEAST_PLACES, needed, 2 * self._top))
            if self._table is not None:
                launcher.device.copy(wider.buffer, self._table.buffer, VALUE_BYTES * self._top, launcher.stream)
                launcher.device.synchronize(launcher.stream)
            # A round that is running holds the table that it reads.
            self._table = wider
        return self._table

    def _begun(self, batch: BatchCalls, parts: Parts) -> _StatesRound:
        """Lay candidates out and queue their launches."""
        samples = self._samples(parts)
        counts = parts["count"] * samples
        parts["first_row"] = np.cumsum(counts) - counts
        total, pool = int(counts.sum()), self._launcher.pool
        layout = lay_out(batch, parts, samples, self._threads, self._states.arguments.take)
        launches = [OpLaunch(OPS_BY_NUMBER[each.code], *each.places) for each in layout.groups]
        self._states.prepare([each.op for each in launches], self._threads.count)
        memory = _RoundMemory(
            *(self._room(0), pool.take(layout.arguments.nbytes), pool.take(layout.segments.nbytes)),
            *(pool.take(VALUE_BYTES * total), pool.take(ROW_TYPE.itemsize * total)),
            [pool.take(int(1.125 * self._states.row_bytes * total) + MARGIN)],
        )
        self._launcher.upload(layout.arguments, memory.arguments)
        self._launcher.upload(layout.segments, memory.segments)
        running = self._states.begin(launches, memory.places, self._budget)
        return _StatesRound(parts, total, layout, launches, memory, running)

    def _end(self, batch: BatchCalls, ended: _StatesRound) -> Handles:
        """Wait for a round and merge it on all threads; return the rows whose values are to be kept."""
        has_deferred = self._wait_for_values(ended)
        rows = self._states.rows.take(ended.total)
        self._launcher.download(rows, ended.memory.rows)
        parts, first_rows = ended.parts, ended.layout.first_rows
        marked = ended.layout.marked(has_deferred)
        if marked.any():
            self._map(parts, lambda worker, some: batch.list_wanted(parts[some], rows, first_rows, marked))
            self._fetch(parts)
        kept = self._states.kept.take(ended.total)

        def work(worker: ThreadWorker, some: slice) -> None:
            worker.native.stop.value = 0
            batch.merge(parts[some], worker.native, self._budget, rows, first_rows, kept)

        self._map(parts, work)
        at = 0
        # Each part begins at or behind the place that it moves to.
        for start, count in zip(parts["first_row"].tolist(), parts["kept_rows"].tolist(), strict=True):
            kept[at : at + count] = kept[start : start + count]
            at += count
        return kept[:at]

    def _wait_for_values(self, ended: _StatesRound) -> npt.NDArray[np.bool_]:
        """Wait until all rows have their values; launch those again that had no room. Tell which launches deferred."""
        launcher, stores, used = self._states, ended.memory.stores, 0
        taken, has_deferred = launcher.end(ended.running)
        while taken > stores[-1].bytes:
            used += stores[-1].bytes
            # The first launch counts all rows, the next ones those that had no room, which are to run again.
            stores.append(self._launcher.pool.take(taken if len(stores) > 1 else taken - stores[-1].bytes + MARGIN))
            ended.running = launcher.begin(ended.launches, ended.memory.places, self._budget, is_again=True)
            taken, again = launcher.end(ended.running)
            has_deferred = has_deferred | again
        # Layers differ, and to launch rows again takes longer than to have too much memory.
        launcher.row_bytes = max(1.0, (used + taken) / ended.total, DECAY * launcher.row_bytes)
        return has_deferred

    def _keep(self, ended: _StatesRound, kept: Handles) -> None:
        """Copy the values of new states to the table and a store of their own."""
        if not len(kept):
            return
        table, store = self._room(len(kept)), self._launcher.pool.take(int(ended.parts["kept_bytes"].sum()))
        self._launcher.keep((ended.memory.values.address, 0, 1), kept, table.address + VALUE_BYTES * self._top, store)
        place_parts(ended.parts, self._top)
        self._top += len(kept)
        self._stores.append(store)

    def _map(self, parts: Parts, work: Callable[[ThreadWorker, slice], None]) -> None:
        self._threads.map(work, chunks(parts, self._threads.count))

    def _fetch_one(self, states: NativeStates, handles: Handles) -> None:
        """Bring the values of states to the CPU."""
        try:
            self._fetch(want_states(states, handles))
        except DeviceError as error:
            self._lose(error)

    def _fetch(self, parts: Parts) -> None:
        """Bring the values of states that are wanted to the CPU."""
        count = int((parts["wanted"] * self._samples(parts)).sum())
        if count and self._table is not None:
            values, held = self._launcher.fetch((self._table.address, 0, 1), wanted_rows(parts, count))
            bring_wanted(parts, values)
            del held

"""Run calls on values natively and take the time of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Timer

import numpy as np

from batt.bench.cliffs.calls import HELPERS, Call, function_calls, loop_calls, op_calls
from batt.bench.cliffs.values import BESIDE_GRIDS, SIZES, Measured, patches, values
from batt.bytecode.abi import Cause, Ended
from batt.front import Deck
from batt.jobs.prepare import prepare
from batt.ops import EVERY_OP
from batt.runtime import Options
from batt.runtime.native import SAMPLE_TYPE, Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.runtime.tallies import Tallies, TickClock
from batt.types import Kind

STEPS, ITEMS = 100_000_000, 2_000_000
"""The default budget of a run."""
WHOLE_S = 540.0
"""After this no new value is begun."""
STOP_S = 4.0
"""A call that takes longer is stopped, and counts as that long."""
ENOUGH_S, MOST_RUNS, MOST_TRIES = 0.01, 5, 15
"""A call is repeated until its runs took this long together, at most so many times; tries count disturbed runs, too."""
LONG_S = 0.002
"""Shorter runs that other processes disturb are repeated; longer ones count as far as they had the processor."""
GUARDED = 10_000
"""Calls on fewer items are not watched."""
FEW = 10
"""Items of a small second argument."""
COMPILED, PLAIN, OPS_ALONE = "compiled", "function values", "ops"


@dataclass(frozen=True, slots=True)
class Case:
    """A call with a value of a size, and the time of its fastest run.

    `steps` is None if native code did not finish, and `ended` says why.
    """

    name: str
    call: str
    shape: str
    form: str
    size: int
    items: int
    bytes: int
    steps: int | None
    time_ns: float
    ended: str = ""

    @property
    def step_ns(self) -> float:
        """Nanoseconds a step."""
        return self.time_ns / (self.steps or 1)


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a call; `others` is the part of the time that other processes had the processor."""

    steps: int | None
    time_ns: float
    cpu_s: float
    others: float = 0.0
    ended: str = ""

    @property
    def is_disturbed(self) -> bool:
        """Whether the time of a short run is not its own."""
        return self.others > 0.1 and self.cpu_s < LONG_S


class Programs:
    """Calls as loaded programs, by number: the call itself, and the call on a grid made of rows."""

    def __init__(self, calls: Sequence[Call], way: str = OPS_ALONE) -> None:
        self.calls = calls
        self.way = way
        sources = {}
        for number, call in enumerate(calls):
            for rows in (False, True):
                name = f"solve_{number}_{int(rows)}"
                sources[name] = source(name, call, rows)
        deck = Deck.from_sources(sources)
        options = Options(engine="cpu", compiled=way == COMPILED, share=False)
        job = prepare(deck.programs, options)
        self.native = NativeProgram(library(), job.image.words, job.image.pool)
        self.slices = dict(zip(deck.programs, job.slice_of.tolist(), strict=True))
        self.op_numbers = {op.name: number for number, op in enumerate(job.image.table.ops)}

    def slice_of(self, number: int, rows: bool) -> int:
        """Return the slice of a call."""
        return int(self.slices[f"solve_{number}_{int(rows)}"])


def source(name: str, call: Call, rows: bool, result: str = "0") -> str:
    """Return the source text of a call. The result is dropped by default: hashing it would take time."""
    made = ["    I = apply(identity, i)", "    S = apply(identity, s)"] if rows else ["    I = i", "    S = s"]
    lines = [HELPERS, "", f"def {name}(s, i, c):", *made, f"    made = {call.text}", f"    return {result}", ""]
    return "\n".join(lines)


class Runner:
    """A worker and the programs that it runs."""

    def __init__(self, only: frozenset[str] = frozenset()) -> None:
        def chosen(calls: Iterator[Call]) -> list[Call]:
            return [call for call in calls if not only or call.op in only]

        loops = [*chosen(loop_calls()), *chosen(function_calls())]
        ways = ((chosen(op_calls()), OPS_ALONE), (loops, COMPILED), (loops, PLAIN))
        self.programs = [Programs(calls, way) for calls, way in ways if calls]
        found = library()
        self.library = found
        options = Options()
        self.budget = Budget(STEPS, ITEMS, options.work)
        self.counting, self.timing = NativeWorker(found, options.memory), NativeWorker(found, options.memory)
        self.tallies = Tallies.none(len(EVERY_OP), 0)
        self.counting.count(self.tallies)
        self.clock = TickClock(lambda: int(found.call("batt_ticks")))

    def cases(self, main: Measured, size: int, seconds: Sequence[tuple[str, Measured]]) -> Iterator[Case]:
        """Measure all calls that take `main`, those of two values with each of `seconds`."""
        wires = [main.wire, *[each.wire for _, each in seconds]]
        ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
        rows = [(at, at, 0, -1) for at in range(len(wires))]
        batch = NativeBatch(self.library, b"".join(wires), ends, np.array(rows, SAMPLE_TYPE))
        try:
            for programs in self.programs:
                for number, call in enumerate(programs.calls):
                    if not call.kinds & main.kinds or (main.rows and not call.own):
                        continue
                    for at, (label, second) in enumerate(seconds if call.has_second else [("", main)], 1):
                        case = self.case(programs, number, batch, at if call.has_second else 0, main)
                        if case is not None:
                            yield _labelled(case, programs, main, size, label, second if call.has_second else None)
        finally:
            batch.close()

    def case(self, programs: Programs, number: int, batch: NativeBatch, sample: int, main: Measured) -> Case | None:
        """Measure one call; None if it raises an error or goes over its budget."""
        call = programs.calls[number]
        at = programs.slice_of(number, main.rows), sample
        kept: list[Ran] = []
        tries, spent_s = 0, 0.0
        while tries < MOST_TRIES and (not kept or (spent_s < ENOUGH_S and len(kept) < MOST_RUNS)):
            ran = self._run(programs, call, batch, main, at)
            if ran is None:
                return None
            tries += 1
            spent_s += ran.cpu_s
            if ran.ended:
                kept = [ran]
                break
            if not ran.is_disturbed or tries == MOST_TRIES:
                kept.append(ran)
        ran = sorted(kept, key=lambda each: each.time_ns)[len(kept) // 2]
        return Case(call.name, call.text, "", "", 0, main.items, 0, ran.steps, ran.time_ns, ran.ended)

    def _run(
        self, programs: Programs, call: Call, batch: NativeBatch, main: Measured, at: tuple[int, int]
    ) -> Ran | None:
        worker = self.counting if call.own else self.timing
        self.tallies.by_op[:] = 0
        worker.stop.value = 0
        # Starting a thread takes longer than most calls with few items.
        guard = Timer(STOP_S, lambda: setattr(worker.stop, "value", 1)) if main.items >= GUARDED else None
        if guard is not None:
            guard.start()
        began_s, cpu_s = time.perf_counter(), time.thread_time()
        slices, samples = np.array([at[0]], np.uint32), np.array([at[1]], np.uint32)
        done, results = worker.run(programs.native, batch, slices, samples, self.budget)
        took_s, cpu_s = time.perf_counter() - began_s, time.thread_time() - cpu_s
        if guard is not None:
            guard.cancel()
        status = int(results[0]["status"])
        if not done or status == Ended.TIMED_OUT:
            return Ran(None, cpu_s * 1e9, cpu_s, ended=f"stopped after {STOP_S:g} s")
        if status == Ended.UNSUPPORTED:
            return Ran(None, cpu_s * 1e9, cpu_s, ended=Cause(int(results[0]["cause"])).text)
        if status != Ended.OK:
            return None
        if call.own:
            tally = self.tallies.by_op[programs.op_numbers[call.name]]
            steps, time_ns = int(tally["steps"]), float(tally["ticks"]) * self.clock.tick_s() * 1e9
        else:
            steps, time_ns = int(results[0]["steps"]), float(results[0]["time_ns"])
        # The part of the time that other processes took.
        others = max(0.0, 1 - cpu_s / took_s)
        return Ran(steps, time_ns * (1 - others) if took_s > LONG_S else time_ns, cpu_s, others)


def _labelled(case: Case, programs: Programs, main: Measured, size: int, label: str, second: Measured | None) -> Case:
    name = case.name if programs.way == OPS_ALONE else f"{case.name} ({programs.way})"
    form = main.form if second is None else f"{main.form}, {label}"
    used = main.items * main.item_bytes + (0 if second is None else second.items * second.item_bytes)
    return Case(name, case.call, main.shape, form, size, main.items, used, case.steps, case.time_ns, case.ended)


def measure(
    sizes: Sequence[int] = SIZES, tell: Callable[[str], None] | None = None, only: frozenset[str] = frozenset()
) -> list[Case]:
    """Measure all calls on values of these sizes; with `only` those of these names."""
    runner = Runner(only)
    began_s = time.perf_counter()
    found: list[Case] = []
    few = {(each.shape, each.form): each for each in values(FEW, second=True)}
    for size in sizes:
        beside = [each for each in patches(size, True) if (each.shape, each.form) in BESIDE_GRIDS]
        for main, second in zip(values(size), values(size, second=True), strict=True):
            spent_s = time.perf_counter() - began_s
            if spent_s > WHOLE_S:
                break
            if tell is not None:
                tell(f"{spent_s:4.0f} s: {size:,} items, {main.shape}, {main.form}: {len(found):,} cases so far")
            found += runner.cases(main, size, [*seconds(main, second, few, beside)])
    return found


def seconds(
    main: Measured, alike: Measured, few: Mapping[tuple[str, str], Measured], beside: Sequence[Measured]
) -> Iterator[tuple[str, Measured]]:
    """Return the second values of calls with `main`: one like it, one with few items, and patches of other forms."""
    yield "with one alike", alike
    if (main.shape, main.form) in few:
        yield "with few", few[main.shape, main.form]
    for each in beside:
        if Kind.GRID in main.kinds or (Kind.PATCH in main.kinds and each.form != main.form):
            yield f"with {each.shape} {each.form}", each

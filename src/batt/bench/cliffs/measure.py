"""Run calls on values natively and take the time of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Timer

import numpy as np

from batt.bench.cliffs.calls import HELPERS, Call, function_calls, loop_calls, op_calls
from batt.bench.cliffs.judge import Case, judge
from batt.bench.cliffs.values import BESIDE_GRIDS, SIZES, MeasuredValue, patches, values
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
MEASURE_S, WHOLE_S = 420.0, 540.0
"""After the first no new value is begun, after the second none is measured again."""
TELL_EVERY_S = 10.0
STOP_S = 4.0
"""A call that takes longer is stopped, and counts as that long."""
ENOUGH_S, MOST_RUNS, MOST_TRIES = 0.01, 5, 15
"""Repeat a call until its runs take ENOUGH_S, at most MOST_RUNS times; MOST_TRIES counts disturbed runs, too."""
LONG_S = 0.002
"""Shorter runs that other processes disturb are repeated; longer ones count as far as they had the processor."""
GUARDED = 10_000
"""Calls on fewer items are not watched."""
FEW = 10
"""Items of a small second argument."""
COMPILED, PLAIN, OPS_ALONE = "compiled", "function values", "ops"


@dataclass(frozen=True, slots=True)
class TimedCall:
    """One run of a call; `others` is the part of the time that other processes had the processor.

    `made_bytes` is what the call allocated for its result, if its kernel alone is measured.
    """

    steps: int | None
    time_ns: float
    cpu_s: float
    others: float = 0.0
    ended: str = ""
    made_bytes: int = 0

    @property
    def is_disturbed(self) -> bool:
        """Tell whether the time of a short run is not its own."""
        return self.others > 0.1 and self.cpu_s < LONG_S


class CallPrograms:
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

    def name_of(self, call: Call) -> str:
        """Return what a call is measured for, with the way in which it runs if there are several."""
        return call.name if self.way == OPS_ALONE else f"{call.name} ({self.way})"

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
        self.programs = [CallPrograms(calls, way) for calls, way in ways if calls]
        found = library()
        self.library = found
        options = Options()
        self.budget = Budget(STEPS, ITEMS, options.work)
        self.counting, self.timing = NativeWorker(found, options.memory), NativeWorker(found, options.memory)
        self.tallies = Tallies.none(len(EVERY_OP), 0)
        self.counting.count(self.tallies)
        self.clock = TickClock(lambda: int(found.call("batt_ticks")))

    def cases(
        self,
        main: MeasuredValue,
        size: int,
        seconds: Sequence[tuple[str, MeasuredValue]],
        wanted: Collection[tuple[str, str]] = (),
    ) -> Iterator[Case]:
        """Measure the calls that take `main`, those of two values with each of `seconds`; with `wanted` only those."""
        wires = [main.wire, *[each.wire for _, each in seconds]]
        ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
        rows = [(at, at, 0, -1, -1) for at in range(len(wires))]
        batch = NativeBatch(self.library, b"".join(wires), ends, np.array(rows, SAMPLE_TYPE))
        try:
            for programs in self.programs:
                for number, call in enumerate(programs.calls):
                    name = programs.name_of(call)
                    if (
                        not call.kinds & main.kinds
                        or (main.rows and not call.own)
                        or (wanted and (name, call.text) not in wanted)
                    ):
                        continue
                    for at, (label, second) in enumerate(seconds, 1) if call.has_second else [(0, ("", None))]:
                        ran = self.measured(programs, number, batch, at, main)
                        if ran is not None:
                            yield _case(name, call, main, size, label, second, ran)
        finally:
            batch.close()

    def measured(
        self, programs: CallPrograms, number: int, batch: NativeBatch, sample: int, main: MeasuredValue
    ) -> TimedCall | None:
        """Return the middle run of one call; None if it raises an error or goes over its budget."""
        at = programs.slice_of(number, main.rows), sample
        kept: list[TimedCall] = []
        tries, spent_s = 0, 0.0
        while tries < MOST_TRIES and (not kept or (spent_s < ENOUGH_S and len(kept) < MOST_RUNS)):
            ran = self._run(programs, programs.calls[number], batch, main, at)
            if ran is None or ran.ended:
                return ran
            tries += 1
            spent_s += ran.cpu_s
            if not ran.is_disturbed or tries == MOST_TRIES:
                kept.append(ran)
        return sorted(kept, key=lambda each: each.time_ns)[len(kept) // 2]

    def _run(
        self, programs: CallPrograms, call: Call, batch: NativeBatch, main: MeasuredValue, at: tuple[int, int]
    ) -> TimedCall | None:
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
            return TimedCall(None, cpu_s * 1e9, cpu_s, ended=f"stopped after {STOP_S:g} s")
        if status == Ended.UNSUPPORTED:
            return TimedCall(None, cpu_s * 1e9, cpu_s, ended=Cause(int(results[0]["cause"])).text)
        if status != Ended.OK:
            return None
        made_bytes = 0
        if call.own:
            tally = self.tallies.by_op[programs.op_numbers[call.name]]
            steps, time_ns = int(tally["steps"]), float(tally["ticks"]) * self.clock.tick_s() * 1e9
            made_bytes = int(tally["bytes"])
        else:
            steps, time_ns = int(results[0]["steps"]), float(results[0]["time_ns"])
        # The part of the time that other processes took.
        others = max(0.0, 1 - cpu_s / took_s)
        own_ns = time_ns * (1 - others) if took_s > LONG_S else time_ns
        return TimedCall(steps, own_ns, cpu_s, others, made_bytes=made_bytes)


def _case(
    name: str, call: Call, main: MeasuredValue, size: int, label: str, second: MeasuredValue | None, ran: TimedCall
) -> Case:
    used = main.items * main.item_bytes + (0 if second is None else second.items * second.item_bytes) + ran.made_bytes
    return Case(name, call.text, main.shape, main.form, label, size, used, ran.steps, ran.time_ns, ran.ended)


def measure_cliffs(
    sizes: Sequence[int] = SIZES, tell: Callable[[str], None] | None = None, only: frozenset[str] = frozenset()
) -> list[Case]:
    """Measure all calls on values of these sizes, with `only` those of these ops, and the slow ones once more."""
    runner, began_s, told_s = Runner(only), time.perf_counter(), -TELL_EVERY_S

    def begin(size: int, main: MeasuredValue, limit_s: float) -> bool:
        nonlocal told_s
        spent_s = time.perf_counter() - began_s
        if tell is not None and told_s + TELL_EVERY_S <= spent_s < limit_s:
            tell(f"{spent_s:3.0f} s of at most {WHOLE_S:.0f}: {size:,} items, {main.shape}, {main.form}")
            told_s = spent_s
        return spent_s < limit_s

    found: list[Case] = []
    for size in sizes:
        for main, others in materials(size):
            if not begin(size, main, MEASURE_S):
                if tell is not None:
                    tell(f"no time for all values of {size:,} items; measure on an idle machine")
                break
            found += runner.cases(main, size, others)
    return confirmed(runner, found, lambda size, main: begin(size, main, WHOLE_S))


def confirmed(runner: Runner, cases: Sequence[Case], begin: Callable[[int, MeasuredValue], bool]) -> list[Case]:
    """Measure cases above the limit again, and keep the faster result: others may have disturbed the first one."""
    suspects: dict[tuple[str, str, int], set[tuple[str, str]]] = {}
    for judged in judge(cases):
        if judged.is_cliff:
            suspects.setdefault(judged.case.value, set()).add((judged.case.name, judged.case.call))
    again: dict[object, Case] = {}
    for size in sorted({size for _, _, size in suspects}):
        for main, others in materials(size):
            wanted = suspects.get((main.shape, main.form, size), set())
            if wanted and not begin(size, main):
                break
            if wanted:
                again |= {case.key: case for case in runner.cases(main, size, others, wanted)}
    kept = []
    for case in cases:
        second = again.get(case.key, case)
        kept.append(second if not second.ended and (case.ended or second.time_ns < case.time_ns) else case)
    return kept


def materials(size: int) -> Iterator[tuple[MeasuredValue, list[tuple[str, MeasuredValue]]]]:
    """Return all values of a size, each with the second values of calls with two."""
    few = {(each.shape, each.form): each for each in values(FEW, second=True)}
    beside = [each for each in patches(size, True) if (each.shape, each.form) in BESIDE_GRIDS]
    for main, alike in zip(values(size), values(size, second=True), strict=True):
        yield main, [*seconds(main, alike, few, beside)]


def seconds(
    main: MeasuredValue,
    alike: MeasuredValue,
    few: Mapping[tuple[str, str], MeasuredValue],
    beside: Sequence[MeasuredValue],
) -> Iterator[tuple[str, MeasuredValue]]:
    """Return the second values of calls with `main`: one like it, one with few items, and patches of other forms."""
    yield "with one alike", alike
    if (main.shape, main.form) in few:
        yield "with few", few[main.shape, main.form]
    for each in beside:
        if Kind.GRID in main.kinds or (Kind.PATCH in main.kinds and each.form != main.form):
            yield f"with {each.shape} {each.form}", each

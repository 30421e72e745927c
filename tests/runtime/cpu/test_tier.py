"""The cpu tier, with the reference behind it: the reference's records, each once, whatever is slow or interrupted."""

from __future__ import annotations

import resource
import sys
import threading
from collections.abc import Iterable, Sequence
from ctypes import c_uint64
from threading import Lock
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause, Stop
from batt.bytecode.opcodes import OPS_BY_NUMBER
from batt.codegen.plan import plan
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.ir import Program
from batt.jobs import samples_of
from batt.runtime import Limits, Sample, Status, evaluate_one
from batt.runtime.batch import NO_GRID
from batt.runtime.context import Loaded
from batt.runtime.cpu import CpuTier
from batt.runtime.cpu import tier as tier_module
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import WorkerMemory
from batt.runtime.options import Options
from batt.runtime.outputs import OutputWriter
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tallies import Counting
from batt.runtime.tier import CPU, Part, TierName
from batt.runtime.waiting import GIVE_UP_AFTER, Waiting
from batt.types import OrderedSet
from encoding import encode_deck
from gathered import Once
from handmade import HUNGRY, MIRROR, RAISES, SAME, SLOW, deck, program, sample, source, stopwatch
from native_library import needs_library
from output_texts import plain_text, texts_of

pytestmark = needs_library

LONG = ("f = power(increment, 900)", "f = power(f, 300)", "x = f(height(I))")
"""A few hundred thousand steps."""

PATIENT = Limits(steps=100_000, wall_s=600)
WIDE = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")

ODD: list[Any] = [3, None, (), ((),), ((1,), (2, 3)), ((256, -7),), ((2**70,),), ((None, 1),), OrderedSet([(1, 2)])]


def job_of(programs: Sequence[Program], samples: Iterable[Sample], *columns: Integers) -> Job:
    """A job of programs as they stand."""
    named = {f"s{number}": each for number, each in enumerate(programs)}
    return Job.of(named, encode_programs(named)).on(Evaluations(tuple(samples), len(programs), *columns))


def ladder_of(job: Job, limits: Limits = PATIENT, outputs: bool = False, workers: int = 2, **options: Any) -> Ladder:
    """A run on the cpu engine."""
    tiers = {name: options.pop(name) for name in ("tiers", "counting") if name in options}
    wanted = Options(engine="cpu", limits=limits, outputs=outputs, workers=workers, **options)
    return Ladder(job, wanted, observer=Once(job.evaluations.total), **tiers)


def parts_of(ladder: Ladder) -> list[Part]:
    """Run to the end; the parts as they came."""
    assert isinstance(ladder.observer, Once)
    ladder.run()
    return ladder.observer.parts


def gather(ladder: Ladder) -> tuple[list[Any], list[str | None]]:
    """Run to the end; the records and outputs by number. No evaluation may come twice."""
    outputs: list[str | None] = [None] * ladder.job.evaluations.total
    for part in parts_of(ladder):
        for number, text in zip(part.block.numbers.tolist(), texts_of(part.outputs), strict=ladder.options.outputs):
            outputs[number] = text
    assert isinstance(ladder.observer, Once)
    return ladder.observer.records.tolist(), outputs


def plainly(job: Job, limits: Limits = PATIENT) -> tuple[list[Any], list[str]]:
    """What evaluating one by one gives."""
    pairs = [job.evaluations.pair(number) for number in range(job.evaluations.total)]
    outcomes = [
        (evaluate_one(job.programs[p], job.evaluations.samples[s], limits), job.evaluations.samples[s])
        for p, s in pairs
    ]
    packed = b"".join([pack(outcome, each) for outcome, each in outcomes])
    return np.frombuffer(packed, RECORD_TYPE).tolist(), [plain_text(outcome.value) for outcome, _ in outcomes]


def samples(count: int) -> list[Sample]:
    return [sample(((n % 10, 1),), ((1, n % 10),), n) for n in range(count)]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("outputs", [False, True])
def test_records_and_outputs_are_those_of_evaluating_one_by_one(workers: int, outputs: bool):
    job = job_of([program(*each) for each in (MIRROR, RAISES, SAME)], samples(300))
    ladder = ladder_of(job, outputs=outputs, workers=workers)
    records, texts = gather(ladder)
    expected, expected_texts = plainly(job)
    assert records == expected
    assert texts == (expected_texts if outputs else [None] * 900)
    assert (ladder.counts.native, ladder.counts.crashed, dict(ladder.counts.deferred_to_reference)) == (900, 0, {})


@pytest.mark.parametrize(("count", "threads"), [(10, 1), (40_000, 3)])
def test_no_more_threads_begin_than_there_are_blocks(monkeypatch: pytest.MonkeyPatch, count: int, threads: int):
    made: list[ThreadWorker] = []

    def watched(*args: Any) -> ThreadWorker:
        made.append(ThreadWorker(*args))
        return made[-1]

    monkeypatch.setattr(tier_module, "ThreadWorker", watched)
    assert len(parts_of(ladder_of(job_of([program(*MIRROR)], samples(count)), workers=3))) >= threads
    assert len(made) == threads


def test_steps_are_those_of_the_reference():
    job = job_of([program(*MIRROR), program(*RAISES)], samples(50))
    steps = sum(int(part.steps.sum()) for part in parts_of(ladder_of(job)))
    pairs = [job.evaluations.pair(number) for number in range(100)]
    assert steps == sum(evaluate_one(job.programs[p], job.evaluations.samples[s], PATIENT).steps for p, s in pairs)


def test_pairs_may_be_any():
    chosen = np.array([1, 0, 1, 0]), np.array([4, 0, 0, 3])
    job = job_of([program(*MIRROR), program(*RAISES)], samples(5), *chosen)
    assert gather(ladder_of(job))[0] == plainly(job)[0]


@pytest.mark.parametrize(("programs", "count"), [([], 3), ([program(*MIRROR)], 0)])
def test_no_work_gives_nothing(programs: list[Program], count: int):
    assert parts_of(ladder_of(job_of(programs, samples(count)))) == []


def test_odd_samples_give_what_the_reference_gives():
    lines = [MIRROR, SAME, ("x = size(I)",), ("x = objects(I, T, T, F)",), ("x = (I, I)",)]
    inputs, outputs = [sample(each) for each in ODD], [sample(expected=each) for each in ODD]
    job = job_of([program(*each) for each in lines], [*inputs, *outputs])
    ladder = ladder_of(job, outputs=True)
    assert gather(ladder) == plainly(job)
    # None is no odd output: it stands for none.
    deferred = ladder.counts.deferred_to_reference
    assert deferred == {"an int of 71 bits": len(lines), NO_GRID: (len(ODD) - 1) * len(lines)}
    assert deferred.total() + ladder.counts.native == job.evaluations.total


def test_what_native_code_cannot_do_runs_on_the_reference_engine_and_is_counted():
    broad = f"x = ({'I,' * 4500})"
    job = job_of([program(*MIRROR), program(*WIDE), program(broad)], samples(4))
    ladder = ladder_of(job, outputs=True)
    assert gather(ladder) == plainly(job)
    assert ladder.counts.deferred_to_reference == {"an int beyond 64 bits": 4, "an instruction of 4,500 operands": 4}
    assert ladder.counts.native == 4


def test_a_full_arena_is_handed_down():
    # Steps are few, but the value needs more than the arena has.
    job = job_of([program("x = upscale(I, 1000)", "x = hconcat(x, x)"), program(*MIRROR)], samples(2))
    limits = Limits(wall_s=600)
    ladder = ladder_of(job, limits, workers=1, memory=WorkerMemory(arena_bytes=1 << 20))
    records, _ = gather(ladder)
    assert records == plainly(job, limits)[0]
    assert dict(ladder.counts.deferred_to_reference) == {"arena full": 2}


@pytest.mark.parametrize("steps", [1, 5, 20, 100, 1000])
def test_tight_budgets_end_the_same_evaluations(steps: int):
    chosen = first_132().select(first_132().names[::6])
    tasks = batt.load_tasks("arc1-training").select(None, 1)
    job = job_of([solver.program for solver in chosen], samples_of(tasks))
    limits = Limits(steps=steps, max_items=50 * steps, wall_s=600)
    records, _ = gather(ladder_of(job, limits))
    assert records == plainly(job, limits)[0]
    assert {Status.OVER_BUDGET} <= {record[0] for record in records}


def test_idle_threads_get_a_part_of_what_a_thread_has_left():
    begun: list[list[int]] = []

    class Watching(Once):
        def on_begin(self, block: Block) -> None:
            begun.append(block.numbers.tolist())

    # As few evaluations as are worth one thread, if it is not known that they take long.
    job = job_of([program(*LONG)], samples(60))
    watching = Watching(60)
    Ladder(job, Options(engine="cpu", limits=Limits(steps=10**8, wall_s=600), workers=3), observer=watching).run()
    assert len(begun[0]) == 60
    assert len(begun) > 3
    # What is handed on has not begun: nothing runs twice.
    assert len(watching.parts) <= len(begun)
    assert set(watching.records["status"].tolist()) == {Status.OK}


def test_a_worker_that_is_closed_ends_at_once_whatever_its_guards_ask_for():
    job = job_of([program(*MIRROR)], samples(9))
    worker = ThreadWorker(Loaded.of(job, False), WorkerMemory(1 << 26), Lock())
    worker.running, worker.count = True, 9
    worker.native.done.value = 3
    worker.share(5.0, 0.001)
    assert worker.native.stop.value == Stop.AFTER_THIS
    worker.close()
    worker.native.done.value = 4
    worker.watch(10.0, 600.0)
    worker.share(10.0, 0.001)
    assert worker.native.stop.value == Stop.AT_ONCE
    worker.native.close()


def test_a_slow_evaluation_times_out_and_the_others_keep_their_outcomes():
    job = job_of([program(*MIRROR), program(*SLOW), program(*RAISES)], samples(3))
    ladder = ladder_of(job, stopwatch(0.2), outputs=True)
    records, texts = gather(ladder)
    assert [record[0] for record in records] == [Status.OK] * 3 + [Status.TIMED_OUT] * 3 + [Status.RAISED] * 3
    assert [record[2:] for record in records[3:6]] == [(0, 0, 2, 0, 0)] * 3
    assert texts[3:6] == ["null"] * 3
    assert ladder.counts.native == 9


def test_a_program_that_times_out_time_after_time_is_given_up(monkeypatch: pytest.MonkeyPatch):
    stopped: list[int] = []
    collect = CpuTier.collect

    def recorded(tier: CpuTier, part: Part) -> Part:
        stopped.extend([1] if part.timed_out is not None else [])
        return collect(tier, part)

    monkeypatch.setattr(CpuTier, "collect", recorded)
    job = job_of([program(*SLOW), program(*MIRROR)], samples(40))
    records, _ = gather(ladder_of(job, stopwatch(0.1), workers=1))
    assert [record[0] for record in records] == [Status.TIMED_OUT] * 40 + [Status.OK] * 40
    # Some of what follows is on its way when the last straw falls.
    assert GIVE_UP_AFTER <= len(stopped) <= GIVE_UP_AFTER + 3


def test_outputs_that_do_not_fit_are_run_again_with_more_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.runtime.cpu.worker.FIRST_ROOM", 8)
    job = job_of([program(*MIRROR), program("x = upscale(I, 20)"), program(*RAISES)], samples(20))
    assert gather(ladder_of(job, outputs=True)) == plainly(job)


def test_helpers_and_functions_are_written_as_the_reference_writes_them():
    text = "def twice(g):\n    return vmirror(vmirror(g))\n\n\n" + source(
        "solve", "x = (twice, compose(twice, first), I)"
    )
    job = job_of([Deck.from_sources({"solve": text})["solve"].program, program("x = compose(first, last)")], samples(2))
    assert gather(ladder_of(job, outputs=True)) == plainly(job)


def grown(count: int, last: str, first: str = "x0 = (1, 1)", step: str = "astuple(x{0}, 1)") -> tuple[str, ...]:
    """A program of many like steps, each with the value of the one before."""
    return (first, *[f"x{n + 1} = {step.format(n)}" for n in range(count)], last.format(count))


@pytest.mark.parametrize(
    "lines",
    [
        *[MIRROR, ("x = objects(I, T, F, F)",), ("x = replace(I, 1, 300)",), ("x = (None, I, -5, ())",)],
        *[("x = lbind(astuple, I)",), ("x = (compose(size, first), I)",), ("x = initset(first)",)],
        *[("x = upscale(I, 315)",), ("x = upscale(I, 316)",), ("x = asobject(upscale(I, 141))",)],
        *[grown(198, "x = (x{0}, 1)"), grown(199, "x = (x{0}, 1)"), grown(198, "x = lbind(astuple, x{0})")],
        *[grown(8, "x = x{0}", "x0 = compose(size, first)", "compose(x{0}, x{0})")],
    ],
    ids=lambda lines: lines[-1][:30],
)
def test_native_code_writes_the_bytes_that_the_reference_engine_writes(lines: tuple[str, ...]):
    made = program(*lines)
    ladder = ladder_of(job_of([made], samples(2)), Limits(), outputs=True)
    writer = OutputWriter()
    for each in samples(2):
        writer.add(evaluate_one(made, each, Limits()).value)
    parts = parts_of(ladder)
    assert ladder.counts.native == 2, ladder.counts.deferred_to_reference
    assert b"".join(wire for part in parts if part.outputs for wire in part.outputs.wires) == bytes(writer.data)


@pytest.mark.parametrize(
    "lines",
    [
        grown(60, "x = x{0}", "x0 = compose(size, first)", "compose(x{0}, x{0})"),
        grown(60, "x = (lbind(astuple, x{0}), 7)", step="astuple(x{0}, x{0})"),
        grown(199, "x = (lbind(astuple, x{0}), 7)"),
    ],
    ids=["of many parts", "of a value of many parts", "of something deep"],
)
def test_an_output_with_a_large_function_is_left_to_the_reference_engine(lines: tuple[str, ...]):
    job = job_of([program(*lines)], samples(2))
    ladder = ladder_of(job, outputs=True)
    assert gather(ladder) == plainly(job)
    assert ladder.counts.deferred_to_reference == {"a long function": 2}


class Interrupted(Once):
    """Interrupts a run when its first part comes, or with its first poll."""

    def __init__(self, total: int, error: type[BaseException], takes_one: bool) -> None:
        super().__init__(total)
        self.error = error
        self.takes_one = takes_one
        self.is_raised = False

    def on_part(self, part: Part) -> None:
        self._end(self.takes_one)
        super().on_part(part)

    def on_poll(self) -> None:
        self._end(not self.takes_one)

    def _end(self, now: bool) -> None:
        if now and not self.is_raised:
            self.is_raised = True
            raise self.error


@pytest.mark.parametrize("takes_one", [False, True])
def test_an_interrupt_leaves_no_thread_and_keeps_what_is_done(takes_one: bool):
    threads = threading.active_count()
    job = job_of([program(*MIRROR), program(*RAISES)], samples(20_000))
    options = Options(engine="cpu", limits=PATIENT, outputs=True, workers=2)
    observer = Interrupted(job.evaluations.total, KeyboardInterrupt, takes_one)
    ladder = Ladder(job, options, observer=observer)
    with pytest.raises(KeyboardInterrupt):
        ladder.run()
    assert threading.active_count() == threads
    done = int((observer.records["status"] != Status.NOT_RUN).sum())
    assert 0 < done == ladder.counts.native < job.evaluations.total


def test_what_an_observer_raises_ends_the_run_and_nothing_more_comes():
    threads = threading.active_count()
    job = job_of([program(*MIRROR)], samples(20_000))
    observer = Interrupted(job.evaluations.total, ZeroDivisionError, takes_one=True)
    with pytest.raises(ZeroDivisionError):
        Ladder(job, Options(engine="cpu", limits=PATIENT, workers=2), observer=observer).run()
    assert threading.active_count() == threads
    assert observer.parts == []


def test_an_error_of_a_thread_is_not_lost(monkeypatch: pytest.MonkeyPatch):
    class fail:
        @staticmethod
        def of(*args: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr("batt.runtime.cpu.worker.PackedOutputs", fail)
    threads = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        ladder_of(job_of([program(*MIRROR)], samples(300)), outputs=True).run()
    assert threading.active_count() == threads


def test_a_stage_that_takes_too_long_costs_two_evaluations_of_its_sample():
    # All solvers share what takes long, and none of them comes to it.
    lines = {
        f"s{n}": ("z = last(first(I))", "z = first(repeat(z, subtract(z, z)))", *SLOW, f"x = (x, {n})")
        for n in range(6)
    }
    made = compile_deck(deck(**lines))
    encoded = encode_deck(made, plan(made.graph))
    job = Job.of(made.deck.programs, encoded).on(Evaluations(samples(1), 6))
    ladder = ladder_of(job, stopwatch(0.2), workers=1)
    records, _ = gather(ladder)
    assert [record[0] for record in records] == [Status.TIMED_OUT] * 2 + [Status.RAISED] * 4
    assert ladder.counts.deferred_to_reference == {Cause.SLOW_STAGE.text: 4}


@pytest.mark.parametrize(("workers", "least"), [(2, 127), (16, 523)])
def test_the_last_blocks_of_many_threads_take_longer_than_to_handle_them(workers: int, least: int):
    # One less than they could have: a block ends with a whole sample, as far as it can see.
    job = job_of([program(*MIRROR)], samples(20_000))
    ladder = ladder_of(job, workers=workers)
    ladder._open_native()
    (tier,) = ladder._tiers
    assert isinstance(tier, CpuTier)
    tier._pace.size = 1 << 14
    waiting, sizes = Waiting(job.evaluations), list[int]()
    while block := tier.take(waiting):
        sizes.append(len(block))
    ladder._close(keep=False)
    assert sum(sizes) == 20_000
    assert least == min(sizes[:-1]) >= sizes[-1]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_evaluations():
    job = job_of([program(*MIRROR), program("x = hmirror(I)")], samples(50_000))
    ladder_of(job, workers=1).run()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = Job(job.programs, job.image, np.resize(job.slice_of, 40), {}, Evaluations(job.evaluations.samples, 40))
    ladder_of(large, workers=1).run()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 64_000


def test_nothing_is_counted_unless_it_is_asked_for():
    ladder = ladder_of(job_of([program(*MIRROR)], samples(50)))
    gather(ladder)
    assert ladder.counted is None


@pytest.mark.parametrize("counting", list(Counting))
def test_counting_changes_no_record_and_counts_every_call(counting: Counting):
    job = job_of([program(*MIRROR), program(*RAISES)], samples(200))
    ladder = ladder_of(job, counting=counting)
    assert gather(ladder)[0] == plainly(job)[0]
    assert ladder.counted is not None
    tallies = ladder.counted.tallies
    calls = tallies.by_op["calls"]
    found = {OPS_BY_NUMBER[at].name: int(calls[at]) for at in np.flatnonzero(calls)}
    assert found == ({"vmirror": 200, "first": 200} if counting is Counting.OPS else {})
    assert int(tallies.by_word["calls"].sum()) == (0 if counting is Counting.OPS else 400)


def test_an_observer_is_told_of_deferred_evaluations_and_of_blocks_that_begin():
    deferred: dict[str, list[int]] = {}
    begun: list[int] = []

    class Watching(Once):
        def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
            assert tier is CPU
            deferred.setdefault(why, []).extend(block.numbers.tolist())

        def on_begin(self, block: Block) -> None:
            begun.extend(block.numbers.tolist())

    job = job_of([program(*MIRROR), program(*WIDE), program(f"x = ({'I,' * 4500})")], samples(30))
    # One thread: of several, one that is idle may begin what another one gave back.
    Ladder(job, Options(engine="cpu", limits=PATIENT, workers=1), observer=Watching(90)).run()
    assert sorted(deferred[Cause.WIDE_INT.text]) == list(range(30, 60))
    assert sorted(deferred["an instruction of 4,500 operands"]) == list(range(60, 90))
    assert sorted(begun) == list(range(60))


def test_native_code_counts_where_the_observer_wants_it():
    observer = Once(100)
    observer.counter = c_uint64()
    job = job_of([program(*MIRROR)], samples(100))
    Ladder(job, Options(engine="cpu", limits=PATIENT, workers=1), observer=observer).run()
    assert observer.counter.value == 100


def test_without_the_reference_tier_what_native_code_defers_is_counted_and_not_run():
    job = job_of([program(*MIRROR), program(*WIDE)], samples(3))
    ladder = ladder_of(job, tiers=(CPU,))
    numbers = [number for part in parts_of(ladder) for number in part.block.numbers.tolist()]
    assert sorted(numbers) == [0, 1, 2]
    assert sum(ladder.counts.deferred_to_reference.values()) == 3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
def test_what_neither_an_arena_nor_a_worker_process_has_memory_for_is_timed_out():
    job = job_of([program(*MIRROR), program(*HUNGRY)], samples(2))
    limits = Limits(wall_s=600, memory_bytes=200 << 20)
    ladder = ladder_of(job, limits, outputs=True, memory=WorkerMemory(arena_bytes=64 << 20))
    records, texts = gather(ladder)
    assert [Status(record[0]) for record in records] == [Status.OK, Status.OK, Status.TIMED_OUT, Status.TIMED_OUT]
    assert texts[2:] == ["null", "null"]
    assert (ladder.counts.native, ladder.counts.out_of_memory, ladder.counts.crashed) == (2, 2, 0)
    assert dict(ladder.counts.deferred_to_reference) == {"arena full": 2}

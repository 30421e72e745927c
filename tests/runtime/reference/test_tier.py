"""Worker processes: every evaluation once, whatever happens to the process that runs it, and none left behind."""

from __future__ import annotations

import resource
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from batt.errors import InternalError
from batt.ir import Program
from batt.runtime import Limits, Outcome, Sample, Status, evaluate_one, trace
from batt.runtime.child import ChildProcess
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from batt.runtime.outcome import RAN, RECORD
from batt.runtime.packing import pack
from batt.runtime.reference import process as process_module
from batt.runtime.reference.process import Process, Tracer
from batt.runtime.tier import Part
from batt.runtime.waiting import GIVE_UP_AFTER
from gathered import Once
from handmade import HUNGRY, MIRROR, RAISES, SAME, STUCK, program, sample
from output_texts import plain_text, texts_of

QUICK = Limits(steps=100_000, wall_s=0.5)
PATIENT = Limits(steps=100_000, wall_s=600)

SMALL = Limits(wall_s=600, memory_bytes=200 << 20)

STACK_BYTES = resource.getrlimit(resource.RLIMIT_STACK)[0]

OK, RAISED, OVER_BUDGET, TIMED_OUT = RAN


needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ChildProcess]]:
    """The processes that were started; at the end of the test none may be running."""
    found: list[ChildProcess] = []

    class Recorded(ChildProcess):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            found.append(self)

    monkeypatch.setattr(process_module, "ChildProcess", Recorded)
    yield found
    assert all(child.process.returncode is not None for child in found)


def samples_of(count: int) -> list[Sample]:
    return [sample(((n % 10, 1),), ((1, n % 10),), n) for n in range(count)]


def ladder_of(
    programs: list[Program], samples: list[Sample], limits: Limits = PATIENT, workers: int = 1, outputs: bool = False
) -> Ladder:
    """A run on the reference engine."""
    job = Job.plain({f"s{number}": each for number, each in enumerate(programs)})
    evaluations = Evaluations(samples, len(programs))
    options = Options(engine="reference", limits=limits, outputs=outputs, workers=workers)
    return Ladder(job.on(evaluations), options, observer=Once(evaluations.total))


def gather(ladder: Ladder) -> tuple[list[bytes], list[str]]:
    """Run to the end; the records and outputs by number. No evaluation may come twice or be missing."""
    outputs = [""] * ladder.job.evaluations.total
    observer = ladder.observer
    assert isinstance(observer, Once)
    ladder.run()
    for part in observer.parts:
        for number, text in zip(part.block.numbers.tolist(), texts_of(part.outputs), strict=ladder.options.outputs):
            outputs[number] = text
    assert (observer.records["status"] != Status.NOT_RUN).all(), "an evaluation is missing"
    return [record.tobytes() for record in observer.records], outputs


def statuses(ladder: Ladder) -> list[Status]:
    return [Status(RECORD.unpack(record)[0]) for record in gather(ladder)[0]]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_records_of_evaluating_one_by_one(started: list[ChildProcess], workers: int):
    programs, samples = [program(*MIRROR), program(*RAISES), program(*SAME)], samples_of(40)
    outcomes = [evaluate_one(program, each, QUICK) for program in programs for each in samples]
    ladder = ladder_of(programs, samples, workers=workers, outputs=True)
    records, outputs = gather(ladder)
    assert records == [pack(outcome, samples[n % 40]) for n, outcome in enumerate(outcomes)]
    assert outputs == [plain_text(outcome.value) for outcome in outcomes]
    assert len(started) == workers
    assert ladder.counts.crashed == 0


def test_the_steps_of_every_evaluation_are_told(started: list[ChildProcess]):
    ladder = ladder_of([program(*MIRROR)], samples_of(50), workers=2)
    gather(ladder)
    assert isinstance(ladder.observer, Once)
    wanted = [evaluate_one(program(*MIRROR), each, PATIENT).steps for each in samples_of(50)]
    assert ladder.observer.steps.tolist() == wanted


def test_there_are_no_more_workers_than_evaluations(started: list[ChildProcess]):
    assert statuses(ladder_of([program(*MIRROR)], samples_of(2), workers=8)) == [OK, OK]
    assert len(started) == 2


def test_no_work_starts_no_process(started: list[ChildProcess]):
    ladder_of([], samples_of(3), workers=2).run()
    assert started == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stuck_evaluation_times_out_and_the_others_of_its_block_keep_their_outcomes(
    started: list[ChildProcess], workers: int
):
    programs = [program(*MIRROR), program(*STUCK), program(*RAISES)]
    ladder = ladder_of(programs, samples_of(2), QUICK, workers, outputs=True)
    records, outputs = gather(ladder)
    found = [RECORD.unpack(record)[0] for record in records]
    assert found == [OK, OK, TIMED_OUT, TIMED_OUT, RAISED, RAISED]
    assert outputs == ["[[1,0]]", "[[1,1]]", *["null"] * 4]
    assert len(started) == workers + 2
    assert ladder.counts.crashed == 0


def test_a_program_that_times_out_time_after_time_is_given_up(started: list[ChildProcess]):
    programs = [program(*MIRROR), program(*STUCK), program(*SAME)]
    assert statuses(ladder_of(programs, samples_of(12), QUICK)) == [OK] * 12 + [TIMED_OUT] * 12 + [OK] * 12
    assert len(started) == 1 + GIVE_UP_AFTER == 6


def test_a_value_in_between_keeps_a_program_from_being_given_up(started: list[ChildProcess]):
    # Stuck on wide grids only: on others the condition picks a function that ends.
    lines = (
        "x = (I, I)",
        *["x = astuple(x, x)"] * 60,
        "c = equality(size(first(I)), 3)",
        "f = branch(c, initset, size)",
    )
    wide = [sample(((0, 0, 0),) if n % 3 else ((0, 0),), None, n) for n in range(9)]
    assert statuses(ladder_of([program(*lines, "x = f(x)")], wide, QUICK)) == [OK, TIMED_OUT, TIMED_OUT] * 3
    # None is started after the last.
    assert len(started) == 6


def end_by(act: Callable[[ChildProcess], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the guard act on a stuck process instead of telling that it is stuck."""
    is_stuck = process_module._Stopwatch.is_stuck

    def stuck(watch: Any) -> bool:
        if is_stuck(watch):
            act(watch.child)
        return False

    monkeypatch.setattr(process_module._Stopwatch, "is_stuck", stuck)


def test_a_worker_that_is_killed_costs_the_evaluation_under_way(
    started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch
):
    end_by(ChildProcess.kill, monkeypatch)
    ladder = ladder_of([program(*MIRROR), program(*STUCK), program(*RAISES)], samples_of(1), QUICK)
    assert statuses(ladder) == [OK, TIMED_OUT, RAISED]
    assert (ladder.counts.crashed, len(started)) == (1, 2)


@pytest.mark.skipif(not 0 < STACK_BYTES <= 64 << 20, reason="the stack is too large to overflow")
def test_a_worker_that_crashes_costs_the_evaluation_under_way(started: list[ChildProcess]):
    # Python hashes a tuple by recursion in C, without a check of its own.
    deep = program("g = lbind(astuple, 0)", "h = power(g, 900)", "x = I", *["x = h(x)"] * 1000, "x = initset(x)")
    ladder = ladder_of([program(*MIRROR), deep, program(*RAISES)], samples_of(1), Limits())
    assert statuses(ladder) == [OK, TIMED_OUT, RAISED]
    assert (ladder.counts.crashed, len(started)) == (1, 2)


@needs_linux
def test_what_needs_more_memory_than_a_worker_may_use_is_timed_out_and_counted(started: list[ChildProcess]):
    ladder = ladder_of([program(*MIRROR), program(*HUNGRY), program(*RAISES)], samples_of(2), SMALL, outputs=True)
    assert statuses(ladder) == [OK] * 2 + [TIMED_OUT] * 2 + [RAISED] * 2
    assert (ladder.counts.out_of_memory, ladder.counts.crashed, len(started)) == (2, 0, 3)


@needs_linux
def test_a_trace_that_needs_too_much_memory_is_timed_out():
    assert trace(program(*HUNGRY), sample(), SMALL) == ([], Outcome(TIMED_OUT))


def kill_before_asking(
    started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch, is_doomed: Callable[[], bool]
) -> None:
    """Let processes end before their first evaluation."""
    ask = Process._ask

    def ask_a_corpse(process: Process, child: ChildProcess, *rest: Any) -> Any:
        if is_doomed():
            child.process.kill()
            child.process.wait()
        return ask(process, child, *rest)

    monkeypatch.setattr(Process, "_ask", ask_a_corpse)


def test_a_worker_that_dies_before_it_begins_costs_nothing(
    started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch
):
    kill_before_asking(started, monkeypatch, lambda: len(started) == 1)
    ladder = ladder_of([program(*MIRROR)], samples_of(5))
    assert statuses(ladder) == [OK] * 5
    assert (ladder.counts.crashed, len(started)) == (0, 2)


def test_workers_that_never_begin_are_an_error_of_batt(started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch):
    kill_before_asking(started, monkeypatch, lambda: True)
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code -9\)$"):
        ladder_of([program(*MIRROR)], samples_of(5)).run()


def test_a_worker_that_does_not_start_is_an_error_of_batt(started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code 1\)$"):
        ladder_of([program(*MIRROR)], samples_of(5), workers=2).run()
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code 1\)$"):
        trace(program(*MIRROR), sample(), PATIENT)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_no_process_is_left_when_the_observer_fails(started: list[ChildProcess], error: type[BaseException]):
    ladder = ladder_of([program(*MIRROR), program(*STUCK)], samples_of(50), workers=2)

    running: list[bool] = []

    def fail(part: Part) -> None:
        running.append(started[0].process.poll() is None)
        raise error

    ladder.observer.on_part = fail  # type: ignore[method-assign]
    with pytest.raises(error):
        ladder.run()
    assert running[0]
    assert len(started) <= 2


def test_a_worker_never_runs_a_file_of_the_working_folder(
    started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for name in ("batt", "json", "pickle", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert statuses(ladder_of([program(*MIRROR)], samples_of(3))) == [OK] * 3
    assert not (tmp_path / "was-run").exists()


def test_a_trace_has_the_value_of_every_step(started: list[ChildProcess]):
    values, outcome = trace(program("a = vmirror(I)", "f = compose(first, last)", "x = f(a)"), sample(), PATIENT)
    assert values == [((2, 1),), "compose(first, last)", 2]
    assert (outcome.status, outcome.value) == (OK, 2)


def test_a_trace_ends_at_the_first_error(started: list[ChildProcess]):
    values, outcome = trace(program("a = vmirror(I)", "b = divide(1, 0)", "x = first(())"), sample(), PATIENT)
    assert values == [((2, 1),)]
    assert (outcome.status, outcome.error) == (RAISED, "ZeroDivisionError")


def test_a_trace_that_is_stuck_times_out(started: list[ChildProcess]):
    assert trace(program(*STUCK), sample(), QUICK) == ([], Outcome(TIMED_OUT))


def test_a_trace_whose_process_is_killed_times_out(started: list[ChildProcess], monkeypatch: pytest.MonkeyPatch):
    end_by(ChildProcess.kill, monkeypatch)
    assert trace(program(*STUCK), sample(), QUICK) == ([], Outcome(TIMED_OUT))


def test_a_tracer_keeps_its_process_until_an_evaluation_does_not_end():
    with Tracer() as tracer:
        assert tracer.trace(program(*MIRROR), sample(), PATIENT)[1].value == ((2, 1),)
        child = tracer._child
        assert tracer.trace(program(*MIRROR), sample(((5, 6),)), PATIENT)[1].value == ((6, 5),)
        assert tracer._child is child
        assert tracer.trace(program(*STUCK), sample(), QUICK)[1].status is TIMED_OUT
        assert tracer.trace(program(*MIRROR), sample(), PATIENT)[1].value == ((2, 1),)

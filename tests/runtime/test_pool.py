"""Worker processes: every evaluation once, whatever happens to the process that runs it, and none left behind."""

from __future__ import annotations

import resource
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from batt.errors import InternalError
from batt.ir import Program
from batt.runtime import Finished, Limits, Outcome, Pool, Sample, Status, evaluate_one, trace
from batt.runtime import pool as pool_module
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import Options
from batt.runtime.outcome import RECORD
from batt.runtime.pool import GIVE_UP_AFTER, Worker
from batt.runtime.worker import pack
from handmade import HUNGRY, MIRROR, RAISES, SAME, STUCK, program, sample
from output_texts import plain_text, texts_of

QUICK = Limits(steps=100_000, wall_s=0.5)
PATIENT = Limits(steps=100_000, wall_s=600)

SMALL = Limits(wall_s=600, memory_bytes=200 << 20)

STACK_BYTES = resource.getrlimit(resource.RLIMIT_STACK)[0]

OK, RAISED, OVER_BUDGET, TIMED_OUT, _ = Status


needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Worker]]:
    """The workers that were started; at the end of the test none may be running."""
    found: list[Worker] = []

    class Recorded(Worker):
        def __init__(self) -> None:
            super().__init__()
            found.append(self)

    monkeypatch.setattr(pool_module, "Worker", Recorded)
    yield found
    assert all(worker.process.returncode is not None for worker in found)


def work_of(programs: list[Program], samples: list[Sample]) -> tuple[list[Program], Evaluations]:
    return programs, Evaluations(samples, len(programs))


def samples_of(count: int) -> list[Sample]:
    return [sample(((n % 10, 1),), ((1, n % 10),), n) for n in range(count)]


def gather(blocks: Iterator[Finished], total: int) -> tuple[list[bytes], list[str]]:
    """The records and outputs by number; no evaluation may come twice or be missing."""
    records: list[bytes] = [b""] * total
    outputs: list[str] = [""] * total
    for block in blocks:
        assert len(block.records) == block.count * RECORD.size
        texts = texts_of(block.outputs)
        assert len(texts) in (0, block.count)
        for offset in range(block.count):
            assert not records[block.start + offset], "an evaluation came twice"
            records[block.start + offset] = block.records[offset * RECORD.size : (offset + 1) * RECORD.size]
        outputs[block.start : block.start + len(texts)] = texts
    assert all(records), "an evaluation is missing"
    return records, outputs


def statuses(pool: Pool) -> list[Status]:
    records, _ = gather(pool.run(), pool.evaluations.total)
    return [Status(RECORD.unpack(record)[0]) for record in records]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_records_of_evaluating_one_by_one(started: list[Worker], workers: int):
    programs, evaluations = work_of([program(*MIRROR), program(*RAISES), program(*SAME)], samples_of(40))
    pairs = map(evaluations.pair, range(evaluations.total))
    outcomes = [evaluate_one(programs[p], evaluations.samples[s], QUICK) for p, s in pairs]
    pool = Pool(programs, evaluations, Options(limits=PATIENT, outputs=True, workers=workers))
    records, outputs = gather(pool.run(), evaluations.total)
    assert records == [pack(outcome, evaluations.samples[n % 40]) for n, outcome in enumerate(outcomes)]
    assert outputs == [plain_text(outcome.value) for outcome in outcomes]
    assert len(started) == workers
    assert pool.crashed == 0


def test_steps_are_summed_over_all_blocks(started: list[Worker]):
    work = work_of([program(*MIRROR)], samples_of(50))
    steps = sum(block.steps for block in Pool(*work, Options(limits=PATIENT, workers=2)).run())
    assert steps == sum(evaluate_one(work[0][0], each, PATIENT).steps for each in work[1].samples)


def test_there_are_no_more_workers_than_evaluations(started: list[Worker]):
    assert statuses(Pool(*work_of([program(*MIRROR)], samples_of(2)), Options(limits=PATIENT, workers=8))) == [OK, OK]
    assert len(started) == 2


def test_no_work_gives_nothing(started: list[Worker]):
    assert list(Pool(*work_of([], samples_of(3)), Options(limits=PATIENT, workers=2)).run()) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stuck_evaluation_times_out_and_the_others_of_its_block_keep_their_outcomes(
    started: list[Worker], workers: int
):
    work = work_of([program(*MIRROR), program(*STUCK), program(*RAISES)], samples_of(2))
    pool = Pool(*work, Options(limits=QUICK, outputs=True, workers=workers))
    records, outputs = gather(pool.run(), pool.evaluations.total)
    found = [RECORD.unpack(record)[0] for record in records]
    assert found == [OK, OK, TIMED_OUT, TIMED_OUT, RAISED, RAISED]
    assert outputs == ["[[1,0]]", "[[1,1]]", *["null"] * 4]
    assert len(started) == workers + 2
    assert pool.crashed == 0


def test_a_program_that_times_out_time_after_time_is_given_up(started: list[Worker]):
    work = work_of([program(*MIRROR), program(*STUCK), program(*SAME)], samples_of(12))
    assert statuses(Pool(*work, Options(limits=QUICK, workers=1))) == [OK] * 12 + [TIMED_OUT] * 12 + [OK] * 12
    assert len(started) == 1 + GIVE_UP_AFTER == 6


def test_a_value_in_between_keeps_a_program_from_being_given_up(started: list[Worker]):
    # Stuck on wide grids only: on others the condition picks a function that ends.
    lines = (
        "x = (I, I)",
        *["x = astuple(x, x)"] * 60,
        "c = equality(size(first(I)), 3)",
        "f = branch(c, initset, size)",
    )
    wide = [sample(((0, 0, 0),) if n % 3 else ((0, 0),), None, n) for n in range(9)]
    pool = Pool(*work_of([program(*lines, "x = f(x)")], wide), Options(limits=QUICK, workers=1))
    assert statuses(pool) == [OK, TIMED_OUT, TIMED_OUT] * 3
    assert len(started) == 1 + 6


def end_by(act: Callable[[Worker], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the guard act on a stuck worker instead of telling that it is stuck."""
    is_stuck = Worker.stuck

    def stuck(worker: Worker, wall_s: float) -> bool:
        if is_stuck(worker, wall_s):
            act(worker)
        return False

    monkeypatch.setattr(Worker, "stuck", stuck)


def test_a_worker_that_is_killed_costs_the_evaluation_under_way(started: list[Worker], monkeypatch: pytest.MonkeyPatch):
    end_by(lambda worker: worker.process.kill(), monkeypatch)
    work = work_of([program(*MIRROR), program(*STUCK), program(*RAISES)], samples_of(1))
    pool = Pool(*work, Options(limits=QUICK, workers=1))
    assert statuses(pool) == [OK, TIMED_OUT, RAISED]
    assert (pool.crashed, len(started)) == (1, 2)


@pytest.mark.skipif(not 0 < STACK_BYTES <= 64 << 20, reason="the stack is too large to overflow")
def test_a_worker_that_crashes_costs_the_evaluation_under_way(started: list[Worker]):
    # Python hashes a tuple by recursion in C, without a check of its own.
    deep = program("g = lbind(astuple, 0)", "h = power(g, 900)", "x = I", *["x = h(x)"] * 1000, "x = initset(x)")
    work = work_of([program(*MIRROR), deep, program(*RAISES)], samples_of(1))
    pool = Pool(*work, Options(limits=Limits(), workers=1))
    assert statuses(pool) == [OK, TIMED_OUT, RAISED]
    assert (pool.crashed, len(started)) == (1, 2)


@needs_linux
def test_what_needs_more_memory_than_a_worker_may_use_is_timed_out_and_counted(started: list[Worker]):
    work = work_of([program(*MIRROR), program(*HUNGRY), program(*RAISES)], samples_of(2))
    pool = Pool(*work, Options(limits=SMALL, outputs=True, workers=1))
    assert statuses(pool) == [OK] * 2 + [TIMED_OUT] * 2 + [RAISED] * 2
    assert (pool.out_of_memory, pool.crashed, len(started)) == (2, 0, 3)


@needs_linux
def test_a_trace_that_needs_too_much_memory_is_timed_out():
    assert trace(program(*HUNGRY), sample(), SMALL) == ([], Outcome(TIMED_OUT))


def test_an_idle_worker_that_dies_costs_nothing(started: list[Worker]):
    pool = Pool(
        *work_of([program(*STUCK), program(*MIRROR)], samples_of(1)), Options(limits=Limits(wall_s=0.6), workers=2)
    )
    found = []
    for block in pool.run():
        found.append((block.start, RECORD.unpack(block.records)[0]))
        for worker in pool.workers:
            if not worker.busy:
                worker.process.kill()
    assert found == [(1, OK), (0, TIMED_OUT)]
    assert pool.crashed == 0


def kill_before_feeding(monkeypatch: pytest.MonkeyPatch, is_doomed: Callable[[], bool]) -> None:
    feed = Worker.feed

    def feed_a_corpse(worker: Worker, start: int, stop: int, programs: list[Program], evaluations: Evaluations) -> None:
        if is_doomed():
            worker.process.kill()
            worker.process.wait()
        feed(worker, start, stop, programs, evaluations)

    monkeypatch.setattr(Worker, "feed", feed_a_corpse)


def test_a_worker_that_dies_before_it_begins_gives_its_block_back(
    started: list[Worker], monkeypatch: pytest.MonkeyPatch
):
    kill_before_feeding(monkeypatch, lambda: len(started) == 1)
    pool = Pool(*work_of([program(*MIRROR)], samples_of(5)), Options(limits=PATIENT, workers=1))
    assert statuses(pool) == [OK] * 5
    assert (pool.crashed, len(started)) == (0, 2)


def test_workers_that_never_begin_are_an_error_of_batt(started: list[Worker], monkeypatch: pytest.MonkeyPatch):
    kill_before_feeding(monkeypatch, lambda: True)
    pool = Pool(*work_of([program(*MIRROR)], samples_of(5)), Options(limits=PATIENT, workers=1))
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code -9\)$"):
        list(pool.run())


def test_a_worker_that_does_not_start_is_an_error_of_batt(started: list[Worker], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code 1\)$"):
        list(Pool(*work_of([program(*MIRROR)], samples_of(5)), Options(limits=PATIENT, workers=2)).run())
    with pytest.raises(InternalError, match=r"^a worker process ended by itself \(exit code 1\)$"):
        trace(program(*MIRROR), sample(), PATIENT)


def test_no_process_is_left_when_the_consumer_fails(started: list[Worker]):
    def consume() -> None:
        work = work_of([program(*MIRROR), program(*STUCK)], samples_of(50))
        with closing(Pool(*work, Options(limits=PATIENT, workers=2)).run()) as blocks:
            next(blocks)
            assert started[0].process.poll() is None
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        consume()
    assert len(started) == 2


def test_no_process_is_left_when_the_pool_is_closed(started: list[Worker]):
    pool = Pool(*work_of([program(*MIRROR), program(*STUCK)], samples_of(50)), Options(limits=PATIENT, workers=2))
    next(pool.run())
    pool.close()
    pool.close()
    assert pool.workers == []


def test_a_worker_never_runs_a_file_of_the_working_folder(
    started: list[Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for name in ("batt", "json", "pickle", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert statuses(Pool(*work_of([program(*MIRROR)], samples_of(3)), Options(limits=PATIENT, workers=1))) == [OK] * 3
    assert not (tmp_path / "was-run").exists()


def test_a_trace_has_the_value_of_every_step(started: list[Worker]):
    values, outcome = trace(program("a = vmirror(I)", "f = compose(first, last)", "x = f(a)"), sample(), PATIENT)
    assert values == [((2, 1),), "compose(first, last)", 2]
    assert (outcome.status, outcome.value) == (OK, 2)


def test_a_trace_ends_at_the_first_error(started: list[Worker]):
    values, outcome = trace(program("a = vmirror(I)", "b = divide(1, 0)", "x = first(())"), sample(), PATIENT)
    assert values == [((2, 1),)]
    assert (outcome.status, outcome.error) == (RAISED, "ZeroDivisionError")


def test_a_trace_that_is_stuck_times_out(started: list[Worker]):
    assert trace(program(*STUCK), sample(), QUICK) == ([], Outcome(TIMED_OUT))


def test_a_trace_whose_process_is_killed_times_out(started: list[Worker], monkeypatch: pytest.MonkeyPatch):
    end_by(lambda worker: worker.process.kill(), monkeypatch)
    assert trace(program(*STUCK), sample(), QUICK) == ([], Outcome(TIMED_OUT))

"""The cluster tier on a ladder: nothing is lost or doubled, and results are those of a local run."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import batt
from batt.errors import UsageError
from batt.front import load_deck
from batt.jobs import Results
from batt.runtime import Limits, Status
from batt.runtime.cluster import dispatch, tier
from batt.runtime.cluster.messages import Order
from batt.runtime.cluster.tier import Answer, WorkerFailure
from batt.runtime.tier import CLUSTER, CPU, REFERENCE
from batt.tasks import tasks_from_dict
from handmade import MIRROR, RAISES, SLOW, deck, plain_tasks, stopwatch
from native_library import needs_library
from output_texts import run_texts
from own_example import EXAMPLE
from runtime.cluster.in_process import InProcess

pytestmark = needs_library

NOWHERE = "tcp://nowhere:1"
WIDE = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")
HELPER = ("x = compose(lambda y: add(y, y), height)",)
TASKS = tasks_from_dict(plain_tasks())
DECK = deck(**{f"solve_{n}": WIDE if n in (2, 99) else (MIRROR, RAISES, HELPER)[n % 3] for n in range(200)})


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier, "MOST_BLOCK", 40)
    monkeypatch.setattr(tier, "MOST_WITH_OUTPUTS", 40)
    monkeypatch.setattr(tier, "FIRST_BLOCK", 10)


@pytest.fixture(scope="module")
def local() -> Results:
    return batt.evaluate(DECK, TASKS, outputs=True)


def same(found: Results, wanted: Results) -> bool:
    equal = found.records.tobytes() == wanted.records.tobytes() and found.steps == wanted.steps
    return equal and run_texts(found) == run_texts(wanted) and found.fallbacks == wanted.fallbacks


def on_cluster(**more: Any) -> tuple[Results, list[str]]:
    lines: list[str] = []
    return batt.evaluate(DECK, TASKS, outputs=True, cluster=NOWHERE, tell=lines.append, **more), lines


def test_results_are_those_of_a_local_run(monkeypatch: pytest.MonkeyPatch, local: Results):
    workers = InProcess("ab").use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert found.engine == "cluster"
    assert lines == ["the cluster has 2 workers with 2 threads"]
    assert {name for name, _ in workers.ran} == {"a", "b"}
    # What native code cannot do, the workers' reference tiers do in blocks of their own.
    assert found.tiers.finished[CLUSTER] == local.tiers.finished[CPU]
    assert found.tiers.finished[REFERENCE] == local.tiers.finished[REFERENCE] > 0


@pytest.mark.parametrize("engine", ["reference", "cpu"])
def test_workers_use_the_named_engine(monkeypatch: pytest.MonkeyPatch, local: Results, engine: str):
    InProcess("a").use(monkeypatch)
    few = DECK[:6]
    found = batt.evaluate(few, TASKS, outputs=True, cluster=NOWHERE, engine=engine)
    assert run_texts(found) == run_texts(local)[: len(found)]
    assert found.records.tobytes() == local.records[: len(found)].tobytes()
    assert bool(found.tiers.finished[CLUSTER]) == (engine == "cpu")


def test_a_block_with_which_a_worker_dies_is_done_by_others(monkeypatch: pytest.MonkeyPatch, local: Results):
    def die(workers: InProcess, worker: str, order: Order) -> Answer | None:
        if worker == "b" and len(workers.ran) > 4:
            raise ConnectionError
        return None

    InProcess("abc", die).use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert "worker b is gone; its blocks are handed out again" in lines


def test_a_block_that_kills_every_worker_runs_here(monkeypatch: pytest.MonkeyPatch, local: Results):
    def die(workers: InProcess, worker: str, order: Order) -> Answer | None:
        if (77, 3) in zip(*[each.tolist() for each in order.pairs], strict=True):
            raise ConnectionError
        return None

    workers = InProcess("abcdef", die).use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert len(workers.names) >= 6 - dispatch.MOST_LOSSES
    assert "blocks with which workers were lost several times run here" in lines
    assert found.tiers.finished[CPU] > 0


def test_without_workers_the_run_goes_on_here(monkeypatch: pytest.MonkeyPatch, local: Results):
    def die(workers: InProcess, worker: str, order: Order) -> Answer | None:
        if len(workers.ran) > 3:
            raise ConnectionError
        return None

    InProcess("ab", die).use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert "no worker of the cluster is left; running here until one joins" in lines
    assert found.tiers.finished[CPU] > 0


def test_a_cluster_that_has_no_worker_yet_is_said(monkeypatch: pytest.MonkeyPatch, local: Results):
    InProcess("").use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert lines == ["the cluster has no worker yet; running here until one joins"]


@pytest.mark.parametrize("answer", [WorkerFailure("KilledWorker: out of memory"), b"junk", b""])
def test_a_worker_that_fails_with_every_block_is_used_no_more(
    monkeypatch: pytest.MonkeyPatch, local: Results, answer: Answer
):
    workers = InProcess("ab", lambda _, worker, order: answer if worker == "b" else None).use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert "worker b failed with every block and is used no more" in lines
    assert sum(name == "b" for name, _ in workers.ran) <= 2 * dispatch.MOST_FAILURES


def test_what_a_worker_that_hangs_returns_later_is_ignored(monkeypatch: pytest.MonkeyPatch, local: Results):
    monkeypatch.setattr(dispatch, "OVERDUE_FIRST_S", 0.2)
    monkeypatch.setattr(dispatch, "OVERDUE_S", 0.2)
    awake = threading.Event()

    def hang(workers: InProcess, worker: str, order: Order) -> Answer | None:
        if worker == "b":
            awake.wait()
        elif len(workers.ran) > 10:
            awake.set()
        else:
            # So that these blocks take longer than b may.
            time.sleep(0.05)
        return None

    workers = InProcess("ab", hang).use(monkeypatch)
    found, lines = on_cluster()
    assert same(found, local)
    assert "worker b does not answer; its blocks are handed out again" in lines
    assert sum(count for _, count in workers.ran) > len(found) + local.tiers.finished[REFERENCE] - 20


def test_a_worker_that_hangs_alone_leaves_its_blocks_to_this_process(monkeypatch: pytest.MonkeyPatch, local: Results):
    monkeypatch.setattr(dispatch, "OVERDUE_FIRST_S", 0.2)
    monkeypatch.setattr(dispatch, "OVERDUE_S", 0.2)
    ended = threading.Event()

    def hang(workers: InProcess, worker: str, order: Order) -> Answer | None:
        ended.wait(20)
        return None

    InProcess("a", hang).use(monkeypatch)
    lines: list[str] = []
    done: list[int] = []

    def progress(count: int, total: int) -> None:
        done.append(count)
        if count == total:
            ended.set()

    # A block of the reference may take as long as an evaluation before it is overdue.
    limits = Limits(wall_s=3)
    found = batt.evaluate(
        DECK, TASKS, outputs=True, cluster=NOWHERE, tell=lines.append, progress=progress, limits=limits
    )
    assert same(found, local)
    assert "no worker of the cluster is left; running here until one joins" in lines


def test_what_times_out_on_a_worker_is_decided_here(monkeypatch: pytest.MonkeyPatch):
    InProcess("a").use(monkeypatch)
    found = batt.evaluate(
        deck(solve_a=MIRROR, solve_b=SLOW), TASKS.select(["mirror"]), cluster=NOWHERE, limits=stopwatch(0.1)
    )
    assert found.counts["timed_out"] == len(found) // 2
    assert found.tiers.finished[CPU] == len(found) // 2
    assert (found.records["status"][: len(found) // 2] == Status.OK).all()


def test_own_ops_run_on_workers_and_their_mistakes_end_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    ops, solvers = EXAMPLE / "my_ops.py", EXAMPLE / "solvers.py"
    loaded = load_deck(solvers, ops=ops)
    InProcess("ab").use(monkeypatch)
    lines: list[str] = []
    found = batt.evaluate(loaded, TASKS, cluster=NOWHERE, tell=lines.append)
    assert found.records.tobytes() == batt.evaluate(loaded, TASKS, engine="reference").records.tobytes()
    assert "workers of a cluster run the Python bodies of own ops, not their C++ bodies" in lines
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from batt.own import GRID, INT, op\n\n@op(GRID, result=INT)\ndef odd(grid):\n    raise OSError\n")
    (tmp_path / "deck.py").write_text("def solve_a(I):\n    return odd(I)\n")
    InProcess("ab").use(monkeypatch)
    with pytest.raises(batt.BattError, match="odd"):
        batt.evaluate(load_deck(tmp_path / "deck.py", ops=wrong), TASKS, cluster=NOWHERE)


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch, local: Results):
    InProcess("ab").use(monkeypatch)
    parts = []

    def cut(part: object) -> None:
        parts.append(part)
        if len(parts) == 5:
            raise KeyboardInterrupt

    found, _ = on_cluster(on_block=cut)
    assert found.interrupted
    done = found.records["status"] != Status.NOT_RUN
    assert 0 < done.sum() < len(found)
    assert found.records[done].tobytes() == local.records[done].tobytes()


def test_an_unknown_engine_is_refused_here():
    with pytest.raises(UsageError, match="engine 'gpu' is not available"):
        batt.evaluate(DECK, TASKS, cluster=NOWHERE, engine="gpu")

"""What a worker keeps and answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

import batt
from batt.errors import UsageError
from batt.jobs.matching import match_all
from batt.jobs.prepare import prepare
from batt.runtime import cuda
from batt.runtime.cluster import worker
from batt.runtime.cluster.messages import DONE, BlockReply, Load, Order
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.runtime.tier import ENGINES
from batt.tasks import tasks_from_dict
from handmade import MIRROR, deck, plain_tasks
from native_library import needs_library

OPTIONS = Options(engine="cpu", compiled=False, share=False)


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_KEPT", worker._Kept())


def made(*names: str) -> tuple[Job, Load]:
    solvers = deck(**dict.fromkeys(names or ("solve_a",), MIRROR))
    job = prepare(solvers.programs, OPTIONS).on(match_all(solvers, tasks_from_dict(plain_tasks())))
    return job, Load.of(job, OPTIONS, None)


@needs_library
def test_a_worker_keeps_what_it_needs_and_drops_what_it_used_longest_ago():
    loads = [made(f"solve_{number}")[1] for number in range(worker.MOST_KEPT)]
    samples = loads[0].samples
    for load in loads:
        for digest in worker.lacking(list(load.data)):
            worker.keep(digest, load.data[digest])
        assert worker.lacking(list(load.data)) == []
    assert {load.samples for load in loads} == {samples}, "the samples are sent once"
    assert worker.lacking([load.deck for load in loads]) == [loads[0].deck]


@needs_library
def test_a_block_is_run_and_one_without_its_deck_is_not():
    job, load = made()
    order = Order.of(load, job.evaluations.block(0, job.evaluations.total), False, 1)
    assert worker.run(order) == worker.NotKept()
    for digest, data in load.data.items():
        worker.keep(digest, data)
    answer = worker.run(order)
    assert isinstance(answer, bytes)
    reply = BlockReply.unpacked(answer, job.evaluations.total)
    assert (reply.states == DONE).all()
    wanted = batt.evaluate(deck(solve_a=MIRROR), tasks_from_dict(plain_tasks()))
    order_of = job.evaluations.block(0, job.evaluations.total).numbers
    assert reply.records.tobytes() == wanted.records[order_of].tobytes()


def test_damaged_data_is_not_kept():
    _, load = made()
    with pytest.raises(UsageError, match="damaged"):
        worker.keep(load.deck, load.data[load.samples])
    assert worker.lacking([load.deck]) == [load.deck]


@needs_library
def test_a_worker_uses_the_best_engine_that_it_has(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cuda, "in_sight", lambda: True)
    monkeypatch.setattr(cuda, "missing", lambda devices: None)
    assert worker.tiers_here(replace(OPTIONS, engine="auto")) == ENGINES["cuda"]
    monkeypatch.setattr(cuda, "missing", lambda devices: "no driver")
    assert worker.tiers_here(replace(OPTIONS, engine="auto")) == ENGINES["cpu"]
    assert worker.tiers_here(replace(OPTIONS, engine="reference")) == ENGINES["reference"]
    with pytest.raises(UsageError, match="engine 'cuda' is not available there: no driver"):
        worker.tiers_here(replace(OPTIONS, engine="cuda"))
    monkeypatch.setattr(worker, "missing", lambda: "no library")
    assert worker.tiers_here(replace(OPTIONS, engine="auto")) == ENGINES["reference"]

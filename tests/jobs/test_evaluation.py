"""The main job: its engine, its progress, its clean end."""

from __future__ import annotations

import pytest

import batt
from batt.errors import UsageError
from batt.jobs import ENGINES, choose_engine, evaluate
from batt.runtime import Limits
from batt.runtime import pool as pool_module
from batt.tasks import tasks_from_dict
from handmade import MIRROR, RAISES, STUCK, deck, plain_tasks

TASKS = tasks_from_dict(plain_tasks())
DECK = deck(**{f"solve_{n}": MIRROR if n % 2 else RAISES for n in range(20)})


@pytest.mark.parametrize("engine", ["cuda", "cpu", "", "Reference", "gpu"])
def test_an_engine_that_is_not_there_is_refused(engine: str):
    with pytest.raises(UsageError, match=r"is not available; this version has: auto, reference \(see batt doctor\)$"):
        evaluate(DECK, TASKS, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_that_is_there_is_the_reference(engine: str):
    assert choose_engine(engine) == "reference"


def test_progress_grows_and_ends_at_the_total():
    told: list[tuple[int, int]] = []
    results = evaluate(DECK, TASKS, workers=2, progress=lambda done, total: told.append((done, total)))
    done = [each for each, _ in told]
    assert done == sorted(set(done))
    assert {total for _, total in told} == {len(results)} == {140}
    assert done[-1] == 140


def test_no_process_is_left_when_progress_raises(monkeypatch: pytest.MonkeyPatch):
    started: list[pool_module.Worker] = []

    class Recorded(pool_module.Worker):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pool_module, "Worker", Recorded)
    with pytest.raises(KeyboardInterrupt):
        evaluate(DECK, TASKS, workers=2, progress=interrupt)
    assert len(started) == 2
    assert all(worker.process.returncode is not None for worker in started)


def test_the_number_of_workers_is_checked():
    with pytest.raises(UsageError, match="workers must be at least 1"):
        evaluate(DECK, TASKS, workers=0)


def test_limits_and_time_are_kept_with_the_results():
    results = evaluate(DECK, TASKS, limits=Limits(steps=1), workers=1)
    assert results.limits == Limits(steps=1)
    assert results.counts["over_budget"] + results.counts["raised"] == 140
    assert results.wall_s > 0


def test_what_ended_its_process_is_counted_among_the_timed_out(monkeypatch: pytest.MonkeyPatch):
    is_stuck = pool_module.Worker.stuck

    def kill_the_stuck(worker: pool_module.Worker, wall_s: float) -> bool:
        if is_stuck(worker, wall_s):
            worker.process.kill()
        return False

    monkeypatch.setattr(pool_module.Worker, "stuck", kill_the_stuck)
    results = evaluate(deck(solve_x=STUCK), TASKS, limits=Limits(wall_s=0.1), workers=1)
    assert results.counts["timed_out"] == 7
    assert results.crashed == 5


def test_the_package_offers_the_job():
    assert batt.evaluate is evaluate

"""Programs on samples without a deck: values, failures, plans, engines."""

from __future__ import annotations

import pytest

import batt
from batt.bench.frozen import first_132
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Failed, Programs, evaluate, samples_of
from batt.jobs.programs import failing_op, grouped
from batt.runtime import Limits, Status
from batt.runtime.options import Options
from handmade import MIRROR, RAISES, SAME, program, sample, source
from native_library import needs_library

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
every_engine = pytest.mark.parametrize("engine", ENGINES)


@every_engine
def test_values_come_program_by_program(engine: str):
    ready = Programs([program(*MIRROR), program(*RAISES)], Options(engine=engine))
    samples = [sample(((n, n + 1),)) for n in range(3)]
    ran = ready.on(samples)
    assert ran.values == [((1, 0),), ((2, 1),), ((3, 2),), *[Failed("StopIteration")] * 3]
    assert (ran.engine, ran.notes, len(ready)) == (engine, (), 2)
    assert ran.records["status"].tolist() == [Status.OK] * 3 + [Status.RAISED] * 3
    assert ready.on(samples[:1]).values == [((1, 0),), Failed("StopIteration")]


@every_engine
def test_they_are_those_of_the_deck_on_real_tasks(engine: str):
    deck = first_132()[:12]
    tasks = batt.Tasks(batt.load_tasks("arc1-training").tasks[:4], "some")
    ran = Programs([solver.program for solver in deck], Options(engine=engine)).on(samples_of(tasks))
    results = evaluate(deck, tasks, engine="reference", outputs=True)
    assert (ran.records == results.records).all()
    wanted = results.values()
    statuses = results.records["status"].tolist()
    assert [value for value, status in zip(ran.values, statuses, strict=True) if status == Status.OK] == [
        value for value, status in zip(wanted, statuses, strict=True) if status == Status.OK
    ]
    assert all(isinstance(ran.values[at], Failed) for at, status in enumerate(statuses) if status != Status.OK)


@every_engine
def test_groups_run_on_their_own_samples(engine: str):
    evaluations = grouped([(1, [sample(((1, 2),))]), (2, [sample(((3, 4),)), sample(((5, 6),))])])
    ran = Programs([program(*each) for each in (MIRROR, MIRROR, SAME)], Options(engine=engine)).run(evaluations)
    assert ran.values == [((2, 1),), ((4, 3),), ((6, 5),), ((3, 4),), ((5, 6),)]


@every_engine
def test_functions_come_back_helpers_included(engine: str):
    text = "def turned(x):\n    return vmirror(x)\n\n" + source("solve", "x = compose(turned, hmirror)")
    made = Programs([Deck.from_sources({"solve": text})[0].program], Options(engine=engine)).on([sample()]).values[0]
    assert repr(made) == "compose(turned, hmirror)"
    assert made(((1, 2), (3, 4))) == ((4, 3), (2, 1))


def test_the_limits_are_those_of_every_evaluation():
    ready = Programs([program("x = upscale(I, 9)")], Options(limits=Limits(steps=9)))
    assert ready.on([sample()]).values == [Failed("over_budget")]


@needs_library
def test_an_image_is_made_once(monkeypatch: pytest.MonkeyPatch):
    made: list[int] = []
    real = batt.jobs.programs.prepare
    monkeypatch.setattr(batt.jobs.programs, "prepare", lambda *args, **more: made.append(1) or real(*args, **more))
    ready = Programs([program(*MIRROR)], Options(engine="cpu"))
    for _ in range(3):
        ready.on([sample()])
    assert made == [1]


def test_the_op_that_failed_is_found():
    limits = Limits()
    assert failing_op(program("x = size(I)", "x = first(x)"), sample(), limits) == Failed("TypeError", "first")
    assert failing_op(program(*MIRROR), sample(), limits) is None
    assert failing_op(program("x = upscale(I, 9)"), sample(), Limits(steps=9)) == Failed("over_budget", "upscale")


def test_an_engine_that_is_not_there_is_an_error_at_once():
    with pytest.raises(UsageError, match="engine 'abacus' is not available"):
        Programs([program(*MIRROR)], Options(engine="abacus"))

"""An open engine: the outcomes of `evaluate`, and nothing is made ready twice."""

from __future__ import annotations

import pytest

import batt
from batt.bench.frozen import first_132
from batt.errors import UsageError
from batt.jobs import Failed, evaluate, samples_of
from batt.runtime import Status
from handmade import MIRROR, RAISES, SAME, SLOW, program, sample, stopwatch
from native_library import needs_library

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
every_engine = pytest.mark.parametrize("engine", ENGINES)


@every_engine
def test_a_run_has_the_records_and_steps_of_evaluate(engine: str):
    deck, tasks = first_132()[:12], batt.load_tasks("arc1-training")[:4]
    with batt.open_engine(engine=engine, workers=1) as opened:
        run = opened.run(deck, tasks)
    wanted = evaluate(deck, tasks, engine="reference")
    assert (run.records == wanted.records).all()
    assert int(run.steps.sum()) == wanted.steps


@needs_library
def test_threads_change_no_record():
    deck, samples = first_132()[:30], samples_of(batt.load_tasks("arc1-training")[:10])
    with batt.open_engine(engine="cpu", workers=1) as one, batt.open_engine(engine="cpu", workers=3) as three:
        alone, together = one.run(deck, samples), three.run(deck, samples)
    assert (alone.records == together.records).all()
    assert (alone.steps == together.steps).all()


@every_engine
def test_pairs_choose_evaluations_and_their_order(engine: str):
    samples = [sample(((n, n + 1),)) for n in range(3)]
    with batt.open_engine(engine=engine, outputs=True) as opened:
        run = opened.run([program(*MIRROR), program(*RAISES)], samples, pairs=[(0, 2), (1, 0), (0, 1)])
    assert run.values == [((3, 2),), Failed("StopIteration"), ((2, 1),)]
    assert (run.programs.tolist(), run.samples.tolist()) == ([0, 1, 0], [2, 0, 1])


def test_pairs_out_of_range_are_refused():
    with batt.open_engine(engine="reference") as opened, pytest.raises(UsageError, match="1 samples"):
        opened.run([program(*SAME)], [sample(((1,),))], pairs=[(0, 1)])


@needs_library
def test_only_new_programs_and_samples_are_made_ready():
    first, second = program(*MIRROR), program(*SAME)
    samples = [sample(((n,),)) for n in range(3)]
    with batt.open_engine(engine="cpu") as opened:
        opened.run([first], samples[:2])
        opened.run([second, first, program(*MIRROR)], samples)
        opened.run([first, second], samples)
        assert [len(image.slices) for image in opened._programs.images] == [1, 1]
        assert [len(batch.packed.rows) for batch in opened._samples.batches] == [2, 1]
        opened.forget()
        assert (opened.run([first], samples).records["status"] == Status.OK).all()


@needs_library
def test_what_native_code_cannot_do_is_deferred():
    deck = batt.as_deck("def solve_1(I):\n    return multiply(9223372036854775807, height(I))\n")
    samples = [sample(((1,),)), sample(((1,), (2,)))]
    with batt.open_engine(engine="cpu", outputs=True) as opened:
        run = opened.run(deck, samples)
    assert run.values == [2**63 - 1, 2**64 - 2]


@needs_library
def test_the_guard_stops_an_evaluation_that_takes_too_long():
    with batt.open_engine(engine="cpu", limits=stopwatch(0.1), workers=1, outputs=True) as opened:
        run = opened.run([program(*SLOW), program(*SAME)], [sample(((1, 2),))])
    assert run.records["status"].tolist() == [Status.TIMED_OUT, Status.OK]
    assert run.values == [Failed("timed_out"), ((1, 2),)]


def test_a_closed_engine_refuses_to_run():
    opened = batt.open_engine(engine="reference")
    opened.close()
    with pytest.raises(UsageError, match="closed"):
        opened.run([program(*SAME)], [sample(((1,),))])


def test_a_run_without_outputs_has_no_values():
    with batt.open_engine(engine="reference") as opened, pytest.raises(UsageError, match="outputs=True"):
        assert opened.run([program(*SAME)], [sample(((1,),))]).values


def test_a_cluster_is_refused():
    with pytest.raises(UsageError, match="this machine"):
        batt.open_engine(cluster="local:1")


@needs_library
def test_its_repr_counts_what_it_keeps():
    with batt.open_engine(engine="cpu") as opened:
        opened.run([program(*SAME)], [sample(((1,),))])
        assert repr(opened) == "<OpenEngine cpu | 1 programs | 1 samples>"

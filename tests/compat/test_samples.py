"""Sample extraction, forms of objects and groups of mapply: what the primitives give on real grids, in one run."""

from __future__ import annotations

import pytest

from batt import dsl
from batt.compat import (
    batch_mapply_gpu,
    batch_o_g,
    batch_o_g_gpu,
    batch_process_samples_gpu,
    batch_process_samples_multi_gpu,
    multi_mapply_gpu,
)
from batt.dsl import asindices, compose, height, palette, toindices, totuple, vmirror
from batt.lazy import Batch
from batt.tasks import load_tasks
from native_library import needs_library

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
every_engine = pytest.mark.parametrize("engine", ENGINES)
TASKS = load_tasks("arc1-training").tasks[:12]


def colours(grid):
    return tuple(sorted({cell for row in grid for cell in row}))


@every_engine
def test_the_demonstrations_are_taken_apart_with_the_palettes_of_both_sides(engine: str):
    for S in [task.demonstrations for task in TASKS[:3]]:
        inputs, outputs, in_colours, out_colours = batch_process_samples_gpu(S, engine=engine)
        assert inputs == tuple([a for a, _ in S])
        assert outputs == tuple([b for _, b in S])
        assert in_colours == sum([colours(a) for a, _ in S], ())
        assert out_colours == sum([colours(b) for _, b in S], ())


@every_engine
def test_operations_take_the_place_of_palettes(engine: str):
    S = TASKS[0].demonstrations
    pairs = compose(totuple, asindices)
    found = batch_process_samples_gpu(S, [vmirror, pairs], engine=engine)
    sides = [tuple([a for a, _ in S]), tuple([b for _, b in S])]
    assert found == (*sides, *[dsl.mapply(each, side) for each in (vmirror, pairs) for side in sides])
    assert batch_process_samples_gpu(S, vmirror, engine=engine) == found[:4]


def test_an_operation_that_cannot_be_gathered_raises_as_mapply_does():
    with pytest.raises(TypeError):
        dsl.mapply(height, (((1, 2),),))
    with pytest.raises(TypeError, match="TypeError in mapply"):
        batch_process_samples_gpu(TASKS[0].demonstrations, height)


def test_many_tasks_are_one_run(monkeypatch: pytest.MonkeyPatch):
    runs: list[int] = []
    real = Batch.run
    monkeypatch.setattr(Batch, "run", lambda batch, column: (runs.append(1), real(batch, column))[1])
    Ss = [task.demonstrations for task in TASKS]
    found = batch_process_samples_multi_gpu(Ss)
    assert len(runs) == 1
    assert found == [batch_process_samples_gpu(S) for S in Ss]


@every_engine
def test_all_eight_forms_of_objects_come_in_one_call(engine: str):
    for grid in [task.train[0].input for task in TASKS[:4]]:
        wanted = [dsl.objects(grid, r & 4 > 0, r & 2 > 0, r & 1 > 0) for r in range(8)]
        assert batch_o_g(grid, range(8), engine=engine) == wanted
        assert batch_o_g_gpu(grid, (5, 0), engine=engine) == [wanted[5], wanted[0]]


@every_engine
def test_mapply_runs_over_many_containers(engine: str):
    containers = [dsl.objects(pair.input, True, False, True) for task in TASKS for pair in task.train]
    assert batch_mapply_gpu(toindices, containers, engine=engine) == [
        dsl.mapply(toindices, each) for each in containers
    ]


@every_engine
def test_several_functions_run_over_several_containers(engine: str):
    one, two = [dsl.objects(task.train[0].input, True, True, True) for task in TASKS[:2]]
    pairs = [(toindices, one), (dsl.identity, two), (palette, one), (toindices, two)]
    assert multi_mapply_gpu(pairs, engine=engine) == [dsl.mapply(f, xs) for f, xs in pairs]
    assert multi_mapply_gpu([], engine=engine) == []


def test_a_failure_is_the_error_that_the_primitive_raises():
    for function, container in ((toindices, (3,)), (dsl.last, ((),)), (dsl.height, 5)):
        with pytest.raises((TypeError, ValueError)) as raised:
            dsl.mapply(function, container)
        with pytest.raises(raised.type, match=raised.typename):
            batch_mapply_gpu(function, [container])
        with pytest.raises(raised.type, match=raised.typename):
            multi_mapply_gpu([(function, container)])

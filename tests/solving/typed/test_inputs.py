"""Typed expressions of a task: those that fit are candidates, near grids are states, telling sets are marks."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.typed import enumerating, inputs
from batt.solving.typed.inputs import ExpressionMaker, _as_output, telling
from batt.solving.work import Work
from batt.tasks import tasks_from_dict
from native_library import needs_library

pytestmark = needs_library


def random_grid(seed: int) -> list[list[int]]:
    return np.random.default_rng(seed).choice([0, 0, 0, 1, 2], (5, 6)).tolist()


def greened_box(grid):
    """Fills the cells around red cells that are black: a set of places with neighbours, then underfill."""
    cells = np.array(grid)
    made = cells.copy()
    for row, column in np.argwhere(cells == 2):
        for i, j in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= i < 5 and 0 <= j < 6 and cells[i, j] == 0:
                made[i, j] = 3
    return made.tolist()


def task_of(function):
    pairs = [{"input": random_grid(seed), "output": function(random_grid(seed))} for seed in range(4)]
    return tasks_from_dict({"made": {"train": pairs[:3], "test": pairs[3:]}})["made"]


@pytest.fixture(scope="module")
def maker():
    return ExpressionMaker()


def test_an_expression_that_fits_is_a_candidate_with_its_program(maker):
    task = task_of(lambda grid: [row[::-1] for row in grid[::-1]] + [row[::-1] for row in grid[::-1]])
    frame = TaskFrame(task)
    with maker.grids(frame) as values:
        values.values.run(Work(30_000_000), 1.0)
        found = list(values.candidates())
    assert found
    for candidate in found:
        assert candidate.layer is Layer.EXPRESSION
        program = compose(candidate.expression)
        made = [evaluate_one(program, sample, Limits()).value for sample in frame.samples()]
        assert made[: frame.train] == frame.outputs
        assert made[frame.train :] == list(candidate.outputs)
    assert found[0].outputs == (task.test[0].output,)


def test_near_grids_have_the_size_of_the_outputs_and_are_made_by_their_programs(maker):
    frame = TaskFrame(task_of(greened_box))
    with maker.grids(frame) as values:
        values.values.run(Work(20_000_000), 1.0)
        states = values.near_grids()
    assert states
    for state in states[::10]:
        assert frame.has_target_shape(state)
        made = [evaluate_one(compose(state.expression), sample, Limits()).value for sample in frame.samples()]
        assert all(np.array_equal(a, b) for a, b in zip(made, state.values, strict=True))


def test_marks_hold_where_their_sets_have_places(maker):
    frame = TaskFrame(task_of(greened_box))
    work = Work(20_000_000)
    with maker.grids(frame) as values:
        values.values.run(work, 1.0)
        done = work.done
        marks = values.marks(work)
    assert work.done > done
    assert marks
    for mark in marks[::5]:
        assert {*np.unique(np.concatenate([value.ravel() for value in mark.values])).tolist()} <= {0, 1}
        made = [evaluate_one(compose(mark.expression), sample, Limits()).value for sample in frame.samples()]
        assert all(np.array_equal(a, b) for a, b in zip(made, mark.values, strict=True))


def test_expressions_that_are_a_black_grid_are_written(maker):
    """A black grid is added beside the values; how an expression makes one must not be lost by that."""
    frame = TaskFrame(task_of(lambda grid: [[0] * 6 for _ in range(5)]))
    with maker.grids(frame) as values:
        values.values.run(Work(20_000_000), 1.0)
        values.marks(Work(20_000_000))
        found = list(values.candidates())
    assert found
    assert evaluate_one(compose(found[0].expression), frame.samples()[-1], Limits()).value == ((0,) * 6,) * 5


def test_telling_masks_are_those_that_only_changing_cells_have(maker):
    frame = TaskFrame(task_of(greened_box))
    given = np.concatenate([value.ravel() for value in frame.input.values[: frame.train]])
    wanted = np.concatenate([target.ravel() for target in frame.targets])
    changed = given != wanted
    nothing, noise = np.zeros(len(given), bool), np.arange(len(given)) % 2 == 0
    masks = np.array([nothing, noise, changed])
    assert set(telling(masks, frame)) <= {1, 2}
    assert telling(masks, frame)[0] == 2


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        (),
        ((),),
        ((1, 2), (3,)),
        ((10,),),
        ((-1,),),
        ((None, 1),),
        frozenset({1}),
        ((frozenset(),),),
        ((0,),) * 31,
    ],
)
def test_what_is_no_small_grid_is_no_answer(value):
    assert _as_output(value) is None


def test_a_grid_is_an_answer():
    assert _as_output(((1, 2), (3, 4))) == ((1, 2), (3, 4))


def test_a_task_whose_values_fill_the_memory_ends_as_others(maker, monkeypatch):
    """What is added beside the values must find room, or be left out."""
    frame = TaskFrame(task_of(greened_box))
    for most, full in ((1 << 18, 1 << 17), (1 << 18, 1 << 30)):
        monkeypatch.setattr(inputs, "MOST_BYTES", most)
        monkeypatch.setattr(enumerating, "FULL_BYTES", full)
        work = Work(100_000_000)
        with maker.grids(frame) as values:
            values.values.run(work, 1.0)
            assert values.states.used_bytes <= most
            assert (values.states.refused > 0) == (full > most)
            found = [*values.candidates(), *values.near_grids(), *values.marks(work)]
        assert work.is_left() == (full < most)
        assert isinstance(found, list)

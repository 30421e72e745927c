"""Array functions over many grids, with NumPy and on cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from array_cupy import ArrayCupy
from batt import dsl
from batt.compat import batch_grid_operations, gpu_grid_transform
from batt.errors import UsageError
from batt.lazy import Failed
from batt.tasks import load_tasks
from fake_cupy import Card
from native_library import needs_library

GRIDS = [pair.input for task in load_tasks("arc1-training").tasks[:30] for pair in task.train]
WHERE = ["numpy", "card", "cards"]


@pytest.fixture(params=WHERE)
def cupy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ArrayCupy | None:
    if request.param == "numpy":
        return None
    return ArrayCupy([Card()] * WHERE.index(request.param)).use(monkeypatch)  # type: ignore[return-value]


def devices(cupy: ArrayCupy | None) -> list[int] | None:
    return list(range(len(cupy.cards))) if cupy else None


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (lambda a: np.rot90(a, -1), dsl.rot90),
        (np.flipud, dsl.hmirror),
        (lambda a: a.T, dsl.dmirror),
        (lambda a: a[: a.shape[0] // 2], dsl.tophalf),
        (lambda a: np.kron(a, np.ones((2, 2), a.dtype)), lambda grid: dsl.upscale(grid, 2)),
        (lambda a: np.where(a == 0, 5, a), lambda grid: dsl.replace(grid, 0, 5)),
        (
            lambda a: a * (a.sum() > 40),
            lambda grid: grid if sum(map(sum, grid)) > 40 else dsl.canvas(0, dsl.shape(grid)),
        ),
        (
            lambda a: np.bincount(a.ravel(), minlength=10),
            lambda grid: tuple(dsl.colorcount(grid, c) for c in range(10)),
        ),
        (lambda a: (a != 0).sum(), lambda grid: sum(cell != 0 for row in grid for cell in row)),
        (lambda a: a == 0, lambda grid: tuple(tuple(int(cell == 0) for cell in row) for row in grid)),
    ],
    ids=["rot90", "flipud", "transpose", "half", "kron", "recolour", "whole grid", "counts", "number", "mask"],
)
def test_every_grid_is_worked_on_by_itself_whatever_becomes_of_its_shape(cupy: Any, function: Any, wanted: Any):
    found = gpu_grid_transform(GRIDS, function, devices=devices(cupy))
    assert found == [wanted(grid) for grid in GRIDS]
    assert all(type(cell) is int for made in found if isinstance(made, tuple) for row in made for cell in _cells(row))


def _cells(row: Any) -> Any:
    return row if isinstance(row, tuple) else [row]


def test_grids_of_one_shape_travel_together(cupy: ArrayCupy | None):
    calls: list[tuple[int, ...]] = []

    def turned(stack: Any) -> Any:
        calls.append(stack.shape)
        return stack[:, ::-1]

    found = gpu_grid_transform(GRIDS, turned, stacked=True, devices=devices(cupy))
    assert found == [dsl.hmirror(grid) for grid in GRIDS]
    assert sum(shape[0] for shape in calls) == len(GRIDS)
    if cupy is not None:
        assert sorted(cupy.moved) == sorted(calls)
        assert sorted(cupy.entered) == devices(cupy)


def test_results_of_different_shapes_come_back_too(cupy: ArrayCupy | None):
    found = gpu_grid_transform([((1, 0), (2, 2))] * 2 + [((3, 3),)], lambda a: a[a != 0], devices=devices(cupy))
    assert found == [(1, 2, 2), (1, 2, 2), (3, 3)]
    found = gpu_grid_transform([((1, 0),), ((1, 1),)], lambda a: a[a != 0], devices=devices(cupy))
    assert found == [(1,), (1, 1)]


def test_no_grids_and_empty_grids_are_no_trouble(cupy: ArrayCupy | None):
    assert gpu_grid_transform([], np.flipud, devices=devices(cupy)) == []
    assert gpu_grid_transform([(), ((),)], np.flipud, devices=devices(cupy)) == [(), ((),)]


def test_a_function_of_a_stack_must_keep_its_grids_apart():
    with pytest.raises(UsageError, match="a function of 2 stacked grids gave 4 results"):
        gpu_grid_transform([((1,),), ((2,),)], lambda stack: np.concatenate([stack, stack]), stacked=True)
    with pytest.raises(UsageError, match="gave no results"):
        gpu_grid_transform([((1,),)], lambda stack: 5, stacked=True)


def test_a_ragged_grid_is_refused_with_its_place():
    with pytest.raises(UsageError, match="grid 1: rows of different lengths: 1, 2"):
        gpu_grid_transform([((1,),), ((1, 2), (3,))], np.flipud)


def test_what_fails_on_a_card_is_done_with_numpy_and_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    cupy = ArrayCupy([Card()])
    cupy.use(monkeypatch)

    def picky(array: Any) -> Any:
        if hasattr(array, "get"):
            raise TypeError("Implicit conversion to a NumPy array is not allowed")
        return array[::-1]

    for _ in range(2):
        assert gpu_grid_transform(GRIDS, picky) == [dsl.hmirror(grid) for grid in GRIDS]
    told = capsys.readouterr().err
    assert told.count("an array function failed on the GPU, using NumPy: TypeError: Implicit") == 1


def test_the_user_sees_what_is_wrong_with_a_function(cupy: ArrayCupy | None):
    with pytest.raises(IndexError, match="out of bounds"):
        gpu_grid_transform([((1,),)], lambda a: a[5], devices=devices(cupy))


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
def test_an_op_or_its_name_is_run_by_an_engine(engine: str):
    for operation in ("rot90", dsl.rot90):
        assert batch_grid_operations(GRIDS, operation, engine=engine) == [dsl.rot90(grid) for grid in GRIDS]
    made = dsl.compose(dsl.hmirror, dsl.tophalf)
    assert batch_grid_operations(GRIDS, made, engine=engine) == [made(grid) for grid in GRIDS]
    assert batch_grid_operations([((1,),), ()], "first", engine=engine) == [(1,), Failed("StopIteration")]


@needs_library
def test_a_made_function_is_one_for_many_grids_too():
    grids = list(GRIDS) * 500  # so many that the program is compiled
    made = dsl.compose(dsl.hmirror, dsl.rbind(dsl.upscale, 2))
    assert batch_grid_operations(grids, made, engine="cpu") == [made(grid) for grid in GRIDS] * 500


def test_a_name_that_is_no_op_is_refused():
    with pytest.raises(UsageError, match="no primitive 'rotate'"):
        batch_grid_operations(GRIDS, "rotate")


def test_any_other_function_is_one_of_arrays():
    assert batch_grid_operations(GRIDS, np.fliplr) == [dsl.vmirror(grid) for grid in GRIDS]
    stacked = batch_grid_operations(GRIDS, lambda stack: stack[:, :, ::-1], stacked=True)
    assert stacked == [dsl.vmirror(grid) for grid in GRIDS]

"""The operations over many grids: equal to the reference, on every rung of the ladder."""

from __future__ import annotations

import pytest

from batt import dsl
from batt.compat import GPUDSLOperations
from batt.errors import UsageError
from batt.lazy import WORDS, Failed, batch_call
from batt.tasks import load_tasks
from native_library import needs_library

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
GRIDS = [pair.input for task in load_tasks("arc1-training").tasks[:10] for pair in task.train]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_named_operation_equals_the_reference_on_real_grids(engine: str):
    ops = GPUDSLOperations(engine=engine)
    found = ops.batch_o_g(GRIDS, 5)
    turned = [ops.batch_rot90(GRIDS, k) for k in range(-1, 5)]
    flipped = [ops.batch_flip(GRIDS, axis) for axis in (0, 1)]
    transposed, counts = ops.batch_transpose(GRIDS), ops.batch_color_counts(GRIDS)
    filtered = ops.batch_colorfilter(found, 2)
    filled = ops.batch_fill(GRIDS, 4, ops.batch_mapply(dsl.toindices, found))
    sizes = ops.batch_apply(dsl.size, found)
    palettes = [dsl.totuple(dsl.palette(grid)) for grid in GRIDS]
    rest = ops.batch_difference_tuple(palettes, (0, 3))
    composed = batch_call(ops.batch_compose(dsl.hmirror, [dsl.rot90] * len(GRIDS)), GRIDS)
    objects = [dsl.objects(grid, True, False, True) for grid in GRIDS]
    wanted = [
        (found, objects),
        *zip(
            turned,
            [[(dsl.rot270, dsl.identity, dsl.rot90, dsl.rot180)[(k + 1) % 4](g) for g in GRIDS] for k in range(-1, 5)],
            strict=True,
        ),
        (flipped[0], [dsl.hmirror(grid) for grid in GRIDS]),
        (flipped[1], [dsl.vmirror(grid) for grid in GRIDS]),
        (transposed, [dsl.dmirror(grid) for grid in GRIDS]),
        (counts, [tuple([dsl.colorcount(grid, colour) for colour in range(10)]) for grid in GRIDS]),
        (filtered, [dsl.colorfilter(each, 2) for each in objects]),
        (filled, [dsl.fill(g, 4, dsl.mapply(dsl.toindices, each)) for g, each in zip(GRIDS, objects, strict=True)]),
        (sizes, [dsl.apply(dsl.size, each) for each in objects]),
        (rest, [tuple([c for c in each if c not in (0, 3)]) for each in palettes]),
        (composed, [dsl.hmirror(dsl.rot90(grid)) for grid in GRIDS]),
    ]
    for column, values in wanted:
        assert column.values == values
    assert found.batch.runs == 1


def test_short_names_are_the_same_operations():
    ops = GPUDSLOperations(use_gpu=False)
    objects, places = [dsl.objects(GRIDS[0], True, False, True)], [dsl.asindices(GRIDS[0])]
    calls = {
        "o_g": (GRIDS[:1], 5),
        "mapply": (dsl.toindices, objects),
        "apply": (dsl.size, objects),
        "compose": (dsl.hmirror, dsl.rot90),
        "colorfilter": (objects, 2),
        "fill": (GRIDS[:1], 4, places),
        "rot90": (GRIDS[:1],),
        "flip": (GRIDS[:1],),
        "transpose": (GRIDS[:1],),
        "color_counts": (GRIDS[:1],),
        "difference_tuple": ([(1, 2)], (2,)),
    }
    for name, args in calls.items():
        assert getattr(ops, name)(*args).values == getattr(ops, f"batch_{name}")(*args).values
        assert {name, f"batch_{name}"} <= set(dir(ops))


def test_every_op_is_there():
    ops = GPUDSLOperations(use_gpu=False)
    assert set(WORDS) <= set(dir(ops))
    assert ops.batch_upscale([((1,),)], 2).values == [((1, 1), (1, 1))]
    assert ops.batch_first([(), (3,)]).values == [Failed("StopIteration"), 3]


def test_other_names_and_axes_are_refused():
    ops = GPUDSLOperations(use_gpu=False)
    with pytest.raises(AttributeError, match="no operation 'batch_nothing'"):
        _ = ops.batch_nothing
    with pytest.raises(UsageError, match="axes 0 and 1, not 2"):
        ops.batch_flip(GRIDS, 2)

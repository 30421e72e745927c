"""Samples as columns: each value once, and what cannot be taken is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from batt.bytecode.wire import Unencodable, read_value, write_value
from batt.ops import OPS
from batt.runtime import Equality, Sample, Split
from batt.runtime.batch import NO_GRID, DistinctValues, PackedSamples, pack_samples
from batt.runtime.native import NativeBatch, library
from batt.types import OrderedSet
from handmade import sample
from native_library import needs_library
from strategies import grids, rebuilt, values

SHOWN = ((((1,),), ((2,),)), (((3,),), ((4,),)))


def read(batch: PackedSamples) -> list[Any]:
    starts = [0, *batch.ends.tolist()]
    return [read_value(batch.data[start:end]) for start, end in pairwise(starts)]


def of_task(name: str, *pairs: tuple[Any, Any], shown: Any = SHOWN) -> list[Sample]:
    return [Sample(name, Split.TEST, n, shown, *pair) for n, pair in enumerate(pairs)]


def test_every_distinct_value_is_there_once():
    one, two, same = ((1, 2),), ((3, 4),), ((True, 2),)
    batch = pack_samples([*of_task("a", (one, two), (two, one)), *of_task("b", (same, None), shown=rebuilt(SHOWN))])
    assert read(batch) == [SHOWN, two, one]
    assert batch.rows.tolist() == [(0, 0, 2, 1, -1), (0, 0, 1, 2, -1), (0, 0, 2, -1, -1)]
    assert repr(batch) == f"<PackedSamples | 3 samples | 3 values | {len(batch.data)} bytes>"


def test_every_distinct_assignment_is_there_once():
    given: list[tuple[Any, ...]] = [(), (1, (0, 1)), (1, (0, 1)), (None, 1)]
    one = of_task("a", (((1,),), None))[0]
    batch = pack_samples([replace(one, parameters=assigned) for assigned in given])
    assert batch.rows["assignment"].tolist() == [-1, 0, 0, 1]
    found = [*read(batch), None]
    assert [[found[at] for at in row[:3]] for row in batch.assignments.tolist()] == [[1, (0, 1), None], [None, 1, None]]


def test_an_assignment_of_a_function_or_of_many_parameters_refuses_the_sample():
    given: list[tuple[Any, ...]] = [((1, OPS["size"]),), (1,) * 17, (1,) * 16]
    batch = pack_samples([replace(sample(), parameters=values) for values in given])
    assert batch.refused == {0: "a function as a parameter", 1: "more than 16 parameters"}


def test_samples_of_a_task_have_its_number_and_another_task_has_another():
    batch = pack_samples([*of_task("a", *[(((1,),), None)] * 3), *of_task("b", (((1,),), None), shown=SHOWN[:1])])
    numbers = batch.rows["task"].tolist()
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3]


def test_a_batch_knows_what_records_without_a_value_say():
    batch = pack_samples(of_task("a", ((), ((1, 2),)), ((), None), ((), ((1,), (2,), (3,)))))
    assert batch.equal.tolist() == [Equality.NO, Equality.UNKNOWN, Equality.NO]
    assert batch.areas.tolist() == [2, 0, 3]


@pytest.mark.parametrize("huge", [2**63, -(2**63) - 1, 10**40])
def test_an_int_beyond_64_bits_refuses_the_sample(huge: int):
    batch = pack_samples([sample(), sample(((huge,),)), sample(((2, 1),))])
    assert list(batch.refused) == [1]
    assert batch.refused[1] == f"an int of {huge.bit_length()} bits"
    assert batch.rows[1].tolist() == (-1, -1, -1, -1, -1)
    assert batch.rows[2].tolist()[0] >= 0


@pytest.mark.parametrize("odd", [3, (), ((),), ((1,), (2, 3)), ((256,),), ((-1,),), ((None,),), OrderedSet([(1, 2)])])
def test_an_expected_output_that_is_no_plain_grid_refuses_the_sample(odd: Any):
    assert pack_samples([sample(expected=odd)]).refused == {0: NO_GRID}


@pytest.mark.parametrize("odd", [3, None, (), ((),), ((1,), (2, 3)), ((256, -7),), ((None,),), OrderedSet([(1, 2)])])
def test_an_odd_input_is_taken(odd: Any):
    batch = pack_samples([sample(odd)])
    assert not batch.refused
    assert read(batch)[batch.rows["input"][0]] == odd


def test_no_samples_are_an_empty_batch():
    batch = pack_samples([])
    assert (len(batch.data), len(batch.ends), len(batch.rows), len(batch.areas)) == (0, 0, 0, 0)


@given(grids())
def test_grids_and_pairs_of_them_are_written_as_any_value(grid: Any):
    for value in (grid, ((grid, grid), (grid, grid)), (grid,), ((grid,), ())):
        assert DistinctValues().wire(value) == write_value(value)


@given(grids(), grids())
def test_a_value_is_written_the_same_when_its_parts_were_seen_before(one: Any, other: Any):
    values = DistinctValues()
    for value in (one, other, (one, other), ((one, other), (other, one)), ((one, 3), (other,)), ((one, ()),)) * 2:
        assert values.wire(value) == write_value(value)


@pytest.mark.parametrize("cell", [127, 128, 239, 240, 255, 256, -1])
def test_a_grid_is_plain_where_its_cells_fit_into_a_byte(cell: int):
    batch = pack_samples([sample(expected=((1, cell), (2, 3)))])
    assert batch.refused == ({} if 0 <= cell < 256 else {0: NO_GRID})
    assert batch.areas.tolist() == [4]
    if not batch.refused:
        assert read(batch)[batch.rows["expected"][0]] == ((1, cell), (2, 3))


@given(values)
def test_any_value_is_written_as_the_wire_has_it_or_refused(value: Any):
    try:
        expected: bytes | None = write_value(value)
    except Unencodable:
        with pytest.raises(Unencodable):
            DistinctValues().wire(value)
    else:
        assert DistinctValues().wire(value) == expected


@needs_library
def test_the_library_takes_every_batch():
    odd = [sample(each) for each in (3, None, (), ((),), ((1,), (2, 3)), ((256, -7),), OrderedSet([(1, 2)]))]
    for samples in ([], [sample()], odd, [sample(((2**70,),))]):
        batch = pack_samples(samples)
        native = NativeBatch(library(), batch.data, batch.ends, batch.rows)
        native.close()
        assert native.closed


def test_the_sizes_of_inputs_grow_with_their_cells():
    grids = [tuple([(0,) * side] * side) for side in (3, 1, 2)]
    samples = [Sample("task", Split.TRAIN, 0, (), grid, None) for grid in grids]
    odd = Sample("task", Split.TRAIN, 0, (), ((1 << 70,),), None)
    sizes = pack_samples([*samples, odd]).input_bytes.tolist()
    assert sizes[3] == 0 < sizes[1] < sizes[2] < sizes[0]
    assert pack_samples([odd]).input_bytes.tolist() == [0]

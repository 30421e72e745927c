"""Samples as columns: each value once, and what cannot be taken is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.bytecode.wire import Unencodable, read_value, write_value
from batt.compiler import encode_programs
from batt.errors import InternalError
from batt.ops import OPS
from batt.runtime import Sample, Split
from batt.runtime.batch import NO_GRID, DistinctValues, PackedSamples, pack_samples
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import NativeBatch, library
from batt.runtime.options import Options
from batt.runtime.sample import GridPair, TaskSamples
from batt.runtime.tier import CPU
from batt.types import OrderedSet, fingerprint
from gathered import Once
from handmade import SAME, program, sample
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
    assert (len(batch.data), len(batch.ends), len(batch.rows)) == (0, 0, 0)


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


ODD: list[Any] = [
    *(3, None, (), ((),), ((1,), (2, 3)), ((256, -7),), ((2**70,),), ((True, 2),), ((1, 2),), ((128, 1),), ((250,),)),
    *(((None,),), OrderedSet([(1, 2)]), tuple([(7,) * 300] * 300), (((1,),), ((2,),)), OPS["size"], ((1.5,),)),
]
"""Values that a pair of a task may have: small and wide ints, ragged and large grids, nested values, and no values."""


class Drawn(TaskSamples):
    """Samples of tasks, each a list of pairs with the number of those that are shown."""

    def __init__(self, tasks: list[tuple[list[Any], int]]) -> None:
        self.tasks = tasks
        self.whole = [
            Sample(str(name), Split.TEST, n, shown, *pair)
            for name, (pairs, count) in enumerate(tasks)
            for shown in [tuple(pairs[:count])]
            for n, pair in enumerate(pairs)
        ]

    def pairs(self) -> Iterator[tuple[Sequence[GridPair], int]]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, key: Any) -> Any:
        return self.whole[key]


@pytest.mark.parametrize("natively", [False, pytest.param(True, marks=needs_library)])
@pytest.mark.parametrize("seed", range(12))
def test_samples_are_packed_task_by_task_as_one_by_one(seed: int, natively: bool):
    random = Random(seed)
    some = [rebuilt(each) if isinstance(each, tuple) else each for each in ODD[: -(seed % 2) or None] for _ in "ab"]
    plain = [tuple([tuple([random.randrange(10) for _ in range(w)])] * h) for h in (1, 2, 5) for w in (1, 2, 7)]
    tasks: list[tuple[list[Any], int]] = []
    for _ in range(60):
        source = some + plain if random.random() < 0.4 else plain
        expected = [*source, None]
        pairs = [(random.choice(source), random.choice(expected)) for _ in range(random.randrange(6))]
        tasks.append((pairs, random.randint(0, len(pairs))))
    drawn, found = Drawn(random.choices(tasks, k=200)), library() if natively else None
    # A float is no value: both ways end with the same error.
    try:
        wanted = pack_samples(drawn.whole)
        data = wanted.data
    except InternalError as error:
        with pytest.raises(InternalError, match=str(error)):
            pack_samples(drawn, found)
        return
    for made in (pack_samples(drawn, found), pack_samples(drawn.whole, found)):
        assert (made.data, made.ends.tolist(), made.rows.tolist()) == (data, wanted.ends.tolist(), wanted.rows.tolist())
        assert (made.refused, made.assignments.tolist()) == (wanted.refused, [])
    assert wanted.refused


@needs_library
@given(grids(values=st.integers(0, 9) | st.booleans() | st.sampled_from([127, 128, 255, 256, -1, 2**31, 2**32 + 1])))
def test_grids_that_are_converted_at_once_have_the_same_bytes(grid: Any):
    odd = [grid, grid[:1], (grid, grid), [list(row) for row in grid], (*grid, ()), (*grid, [1]), IntEnum("E", "A").A]
    for some in (odd, [*odd, OPS["size"], b"(", OrderedSet([1])]):
        values = DistinctValues()
        values.see(some, list(map(id, some)), library())
        assert [values.is_rectangle(each) for each in some] == [DistinctValues().is_rectangle(each) for each in some]
        assert all(values.wire(each) == write_value(each) for each in some if values.is_rectangle(each))


@needs_library
@given(grids(st.integers(1, 3), st.integers(1, 3), st.sampled_from([0, 9, 239, 240, 300, -1])), grids())
def test_the_library_reads_grids_wherever_they_are(one: Any, other: Any):
    given = [
        one,
        (one, other),
        ((other, one), (one,)),
        OrderedSet([one, other]),
        (*other, ()),
        (*one, (1, 3)),
        ((), one),
    ]
    same = {"same": program(*SAME)}
    job = Job.of(same, encode_programs(same)).on(Evaluations([sample(each) for each in given], 1))
    seen = Once(len(given))
    Ladder(job, Options(engine="cpu", outputs=True, workers=1), (CPU,), seen).run()
    found = {n: wire for part in seen.parts for n, wire in zip(part.numbers.tolist(), part.outputs.wires, strict=True)}
    assert [found[n] for n in range(len(given))] == [write_value(each) for each in given]
    assert seen.records["hash"].tolist() == list(map(fingerprint, given))

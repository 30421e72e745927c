"""Columns: when the engine runs, what is kept, and what a failure touches."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from batt import dsl
from batt.dsl import F, T, size
from batt.errors import UsageError
from batt.jobs import samples_of
from batt.lazy import WORDS, Batch, Column, Failed, columns
from batt.runtime import Limits
from batt.tasks import load_tasks
from native_library import needs_library

vmirror, hmirror, first = WORDS["batch_vmirror"], WORDS["batch_hmirror"], WORDS["batch_first"]
GRIDS = [((1, 2),), ((3, 4, 5),), ((6,),)]


def test_nothing_runs_before_a_value_is_looked_at():
    _, Is, _ = columns([()] * 3, GRIDS)
    turned = vmirror(Is)
    assert (Is.batch.runs, turned.known, len(turned)) == (0, False, 3)
    assert repr(turned) == "<Column | 3 samples | not computed>"
    assert turned[0] == ((2, 1),)
    assert (Is.batch.runs, turned.known) == (1, True)


@pytest.mark.parametrize(
    "look", [list, bool, np.asarray, lambda each: each[0], lambda each: each[:1], lambda each: each.failed]
)
def test_every_way_of_looking_runs_once_for_all_that_is_recorded(look):
    _, Is, _ = columns([()] * 3, GRIDS)
    one = vmirror(Is)
    two = hmirror(one)
    look(one)
    assert two.known
    look(two)
    assert Is.batch.runs == 1


def test_what_nobody_refers_to_any_more_is_not_worked_out():
    batch = Batch()
    Is = Column(GRIDS, batch=batch)
    stuck = WORDS["batch_power"](dsl.identity, Column([0, 0, 0], batch=batch))
    del stuck
    gc.collect()
    live = [key for key, column in batch._live.items() if not column.known]
    assert live == []
    assert vmirror(Is)[2] == ((6,),)


def test_what_is_recorded_later_takes_a_run_of_its_own():
    _, Is, _ = columns([()] * 3, GRIDS)
    one = vmirror(Is)
    assert one[0] == ((2, 1),)
    assert vmirror(one)[0] == ((1, 2),)
    assert Is.batch.runs == 2


def test_looking_changes_no_value():
    limits = Limits(steps=40)
    _, Is, _ = columns([()] * 3, GRIDS, limits=limits)
    looked = unlooked = Is
    for _ in range(6):
        looked, unlooked = vmirror(looked), vmirror(unlooked)
        assert looked[0]
    assert looked.values == unlooked.values
    assert Failed("over_budget") in looked.values


def test_a_failure_touches_only_what_depends_on_it():
    xs = Column([(1, 2), (), (5,)])
    heads, sizes = first(xs), WORDS["batch_size"](xs)
    more = WORDS["batch_add"](heads, sizes)
    assert heads.values == [1, Failed("StopIteration"), 5]
    assert sizes.values == [2, 0, 1]
    assert (more.values, more.failed) == ([3, Failed("StopIteration"), 6], [1])
    assert more.why(1) == Failed("StopIteration", "first")
    assert more.why(0) is None


def test_the_budget_is_that_of_an_evaluation():
    _, Is, _ = columns([()] * 3, GRIDS, limits=Limits(steps=10))
    assert WORDS["batch_upscale"](Is, 30).values == [Failed("over_budget")] * 3


def test_comparisons_are_lazy_and_a_failure_neither_equals_nor_differs():
    xs = Column([(1, 2), (), (5,)])
    heads = first(xs)
    same, other = heads == [1, 1, 1], heads != 1
    assert not heads.known
    assert (same.values, other.values) == ([True, False, False], [False, False, True])
    assert xs.batch.runs == 1
    assert (bool(same), bool(Column([1]) == 1), bool(Column([2]) != 2)) == (False, True, False)


def test_a_comparison_is_an_argument_of_words():
    xs = Column([1, 2, 3])
    assert WORDS["batch_flip"](xs != 2).values == [False, True, False]
    assert WORDS["batch_branch"](xs == 2, 7, 8).values == [8, 7, 8]


def test_columns_of_two_batches_meet():
    one, two = Column([1, 2]), Column([10, 20])
    assert WORDS["batch_add"](WORDS["batch_double"](one), WORDS["batch_halve"](two)).values == [7, 14]


def test_columns_of_different_lengths_do_not():
    with pytest.raises(UsageError, match="columns of different lengths: 2, 3 samples"):
        WORDS["batch_add"]([1, 2], [1, 2, 3])
    with pytest.raises(UsageError, match="columns of different lengths"):
        columns([()], GRIDS)


def test_no_samples_need_no_engine():
    _, Is, _ = columns([], [])
    assert (vmirror(Is).values, Is.batch.runs) == ([], 0)


def test_lists_and_arrays_are_values_of_the_language():
    assert vmirror([[[1, 2], [3, 4]], np.array([[5, 6]])]).values == [((2, 1), (4, 3)), ((6, 5),)]


def test_a_column_is_an_array_of_objects():
    made = np.asarray(vmirror(GRIDS))
    assert (made.shape, made.dtype) == ((3,), np.dtype(object))
    assert np.asarray(WORDS["batch_height"](GRIDS), np.int64).sum() == 3


def test_all_three_inputs_reach_a_word():
    shown = ((((1,),), ((2,),)),)
    Ss, Is, Cs = columns([shown, shown], GRIDS[:2], [((2, 1),), ((9,),)])
    told = WORDS["batch_astuple"](WORDS["batch_size"](Ss), WORDS["batch_equality"](vmirror(Is), Cs))
    assert told.values == [(1, 1), (1, 0)]
    assert Ss.batch.runs == 1


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
def test_real_grids_give_what_the_reference_bodies_give(engine: str):
    samples = samples_of(load_tasks("arc1-training"))[:120]
    Ss, Is, Cs = columns(*zip(*[(s.demonstrations, s.input, s.expected) for s in samples], strict=True), engine=engine)
    found = WORDS["batch_objects"](Is, T, F, T)
    painted = WORDS["batch_fill"](Is, 5, WORDS["batch_argmax"](found, size))
    palettes = WORDS["batch_mapply"](dsl.palette, WORDS["batch_apply"](dsl.last, Ss))
    hit = WORDS["batch_equality"](painted, Cs)
    for at, sample in enumerate(samples):
        objects = dsl.objects(sample.input, T, F, T)
        wanted = dsl.fill(sample.input, 5, dsl.argmax(objects, size)) if objects else Failed("ValueError")
        assert (found[at], painted[at]) == (objects, wanted)
        assert palettes[at] == dsl.mapply(dsl.palette, dsl.apply(dsl.last, sample.demonstrations))
        assert hit[at] == (Failed("ValueError") if not objects else wanted == sample.expected)
    assert (Is.batch.runs, Is.batch.notes) == (1, [])


def test_an_engine_that_is_not_there_is_an_error_when_a_value_is_looked_at():
    _, Is, _ = columns([()] * 3, GRIDS, engine="abacus")
    with pytest.raises(UsageError, match="engine 'abacus' is not available"):
        vmirror(Is).values  # noqa: B018

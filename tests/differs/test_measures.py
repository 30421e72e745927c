"""The built-in measures: what each counts, and what comes of candidates that are no grids."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt import dsl
from batt.differs import UNKNOWN, cells, colours, equal, singles
from batt.differs.arrays import PLAIN
from batt.jobs import samples_of
from batt.jobs.values import Failed
from batt.ops import METER
from batt.runtime import Outcome, Sample, Split, Status
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE
from batt.types import OrderedSet

GRID = ((0, 0, 0, 0), (0, 3, 0, 4), (0, 0, 4, 0))
NO_GRIDS = [None, 5, (), ((),), ((1, 2), (3,)), OrderedSet([(1, (0, 0))]), (1, 2), ((None,),), dsl.vmirror]


def test_equal_is_0_for_equal_values_and_tells_both_shapes():
    assert equal(GRID, GRID) == (0, ((3, 4), (3, 4)))
    assert equal(((1,),), GRID) == (1, ((1, 1), (3, 4)))


def test_cells_counts_places_of_both_grids_that_do_not_show_the_same():
    assert cells(((1, 2), (3, 4)), ((1, 2), (4, 4))) == (1, (3, 4))
    assert cells(((1, 2, 3),), ((1,), (2,))) == (3, (1, 4))


def test_colours_names_those_missing_and_those_extra():
    assert colours(((1, 2), (3, 3)), ((1, 5), (4, 1))) == (4, ((4, 5), (2, 3)))


def test_singles_counts_cells_without_a_neighbour_of_their_colour():
    assert singles(((0, 0, 0, 0), (0, 3, 0, 0), (0, 0, 0, 0)), GRID) == (2, (2, 0))
    assert singles(GRID, ((0, 0, 0, 0), (0, 4, 0, 4), (0, 0, 4, 0))) == (2, (1, 1))


def test_the_most_frequent_colour_has_no_single_cells_and_of_tied_ones_the_lowest():
    assert singles(((1, 2),), ((0, 0),)) == (1, (0, 1))


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("odd", NO_GRIDS, ids=repr)
def test_what_is_no_grid_counts_as_a_grid_without_cells(name, odd):
    wanted = {
        "equal": (1, ((0, 0), (3, 4))),
        "cells": (12, (0, 12)),
        "colours": (3, ((0, 3, 4), ())),
        "singles": (3, (3, 0)),
    }
    assert PLAIN[name](odd, GRID) == wanted[name]


@pytest.mark.parametrize("name", PLAIN)
def test_no_score_says_why(name):
    assert PLAIN[name](GRID, None) == UNKNOWN == (None, ("unknown",))
    assert PLAIN[name](Failed("IndexError", "first"), GRID) == (None, ("IndexError",))
    assert PLAIN[name](Failed("over_budget"), None) == (None, ("over_budget",))


@pytest.mark.parametrize("name", PLAIN)
def test_a_score_is_0_for_the_expected_output_itself(name):
    assert PLAIN[name](GRID, GRID)[0] == 0


@pytest.mark.parametrize("task", ["007bbfb7", "00d62c1b", "0b148d64", "a8d7556c", "db3e9e38", "f25ffba3"])
def test_single_cells_and_colours_are_those_of_the_primitives(task):
    for sample in samples_of(batt.load_tasks("arc1-training").select([task])):
        empty = tuple([(10,) * 2] * 2)
        assert sample.expected is not None
        found = dsl.sizefilter(dsl.objects(sample.expected, True, False, True), 1)
        assert singles(empty, sample.expected)[1] == (len(found), 0)
        assert colours(empty, sample.expected)[1][0] == tuple(dsl.palette(sample.expected))
    METER.reset()


@pytest.mark.parametrize("value", [GRID, GRID[:2], tuple([row[1:] for row in GRID]), 7, ((0,) * 9,) * 2], ids=repr)
def test_equal_and_cells_agree_with_the_records_of_a_run(value):
    sample = Sample("t", Split.TEST, 0, (), GRID, GRID)
    record = np.frombuffer(pack(Outcome(Status.OK, "", value), sample), RECORD_TYPE)[0]
    assert equal(value, GRID)[0] == 1 - record["equal"]
    assert cells(value, GRID)[0] == record["differing"]

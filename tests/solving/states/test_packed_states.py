import numpy as np

from batt.bytecode.wire import write_value
from batt.solving.states.packed_states import pack_states, unpack_states
from batt.solving.states.states import StateOrigin

SMALL, LARGE = ((1, 2), (3, 4)), ((0, 100),)


def test_states_come_back_as_they_were():
    origins = [StateOrigin(0, 1, 0, 2, True), StateOrigin(2, 500, 30, 7, False), StateOrigin(0, 3, 0, 9, False)]
    grids = [SMALL, ((5,),), SMALL, LARGE, ((0,) * 30,) * 30, SMALL]
    found = unpack_states(pack_states(origins, [write_value(grid) for grid in grids], [(4, 5), (6, 7)]))
    assert found.origins == [origins[0], origins[2]], "cells of the second are too large"
    assert found.runs == [(4, 5), (6, 7)]
    assert [[tuple(map(tuple, grid.tolist())) for grid in values] for values in found.values] == [grids[:2], grids[4:]]
    assert found.values[0][0].dtype == np.uint8


def test_no_states_come_back_as_none():
    found = unpack_states(pack_states([], [], []))
    assert (found.origins, found.values, found.runs) == ([], [], [])

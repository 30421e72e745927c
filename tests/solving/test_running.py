import numpy as np

from batt.ir import Program
from batt.runtime.outputs import OutputWriter
from batt.solving.frame import TaskFrame
from batt.solving.running import PreparedFunctions, read_grids


def wire_of(value):
    writer = OutputWriter()
    writer.add(value)
    return bytes(writer.data)


def test_grids_of_several_sizes_are_read_in_order():
    values = [((1, 2), (3, 4)), ((5,),), 7, ((8, 9), (0, 1)), ((1, 200),), ()]
    found = read_grids([wire_of(value) for value in values])
    assert [None if each is None else each.tolist() for each in found] == [
        [[1, 2], [3, 4]],
        [[5]],
        None,
        [[8, 9], [0, 1]],
        None,
        None,
    ]


def test_the_grids_of_some_samples_are_those_of_a_program_on_them(easy_tasks, small_deck):
    frame = TaskFrame(easy_tasks["turned"])
    programs: list[Program] = [solver.program for solver in small_deck]
    made = PreparedFunctions(programs).run(frame.samples(), outputs=True)
    every, some = made.all_grids([0, 1]), made.all_grids([1], 1, 2)
    assert every[0] is not None
    assert [value.tolist() for value in every[0]] == [np.rot90(grid, -1).tolist() for grid in frame.inputs]
    assert every[1] is not None
    assert some[0] is not None
    assert [value.tolist() for value in some[0]] == [value.tolist() for value in every[1][1:3]]

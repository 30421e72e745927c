from batt.runtime import Limits, evaluate_one
from batt.solving.cells.counting import InputCount
from batt.solving.cells.outputs import output_cells
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import Pair, Task

GRIDS = (((3, 3, 4),), ((7, 7), (7, 8)), ((5,), (5,), (2,)))


def test_cells_of_outputs_have_colours_by_role_and_numbers_of_the_input():
    pairs = [Pair(grid, grid) for grid in GRIDS]
    frame = TaskFrame(Task("t", tuple(pairs[:-1]), (Pair(GRIDS[-1], None),)))
    size = OutputSize(call("astuple", 2, 2), ((2, 2),) * 3)
    count = InputCount(call("numcolors", INPUT), (2, 2, 2))
    sources, marks = output_cells(frame, Work(10**9), size, [count], [])
    assert [int(value[0, 0]) for value in sources[0].values] == [0, 0, 0]
    assert [3, 7, 5] in [[int(value[0, 0]) for value in state.values] for state in sources]
    assert [1, 2, 3] in [[int(value[0, 0]) for value in state.values] for state in marks]
    for state in sources:
        for sample, value in zip(frame.samples(), state.values, strict=True):
            assert evaluate_one(compose(state.expression), sample, Limits()).value == as_grid(value)

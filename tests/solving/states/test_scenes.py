from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.frame import TaskFrame
from batt.solving.library import solving_deck
from batt.solving.states.scenes import scene_candidates, scene_states
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

ACTIONS = {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("scenes")}


def made_of(name, rows):
    grid = tuple([tuple(map(int, row)) for row in rows])
    made = evaluate_one(ACTIONS[name], Sample("t", Split.TRAIN, 0, (), grid, None), Limits()).value
    return ["".join(map(str, row)) for row in made]


def test_a_template_is_stamped_where_a_part_of_it_is_found():
    assert made_of("stamped_seen", ["0000000", "0123000", "0000020", "0000000"])[2] == "0000123"


def test_a_template_is_not_stamped_over_other_cells():
    assert made_of("stamped_seen", ["000000", "012300", "000000", "000024"])[3] == "000024"


def test_a_template_is_turned_to_the_part_that_is_found():
    made = made_of("turned_minor", ["0000000", "0322100", "0000000", "0000100", "0000000", "0000000", "0000300"])
    assert [row[4] for row in made] == ["0", "1", "0", "1", "2", "2", "3"]


def test_a_template_is_scaled_to_the_part_that_is_found():
    made = made_of("scaled_minor", ["12230000", "00000000", "11000033", "11000033", "00000000"])
    assert made == ["12230000", "00000000", "11222233", "11222233", "00000000"]


def test_a_diagonal_line_ends_at_the_edge_or_turns_there():
    grid = ["00000", "10000", "01000", "00000"]
    assert made_of("bounced", grid) == ["00000", "10000", "01000", "00100"]
    assert [row[2:] for row in made_of("bounced_in_grid", grid)[1:]] == ["101", "010", "101"]


def test_a_diagonal_line_turns_at_a_figure():
    made = made_of("bounced", ["1000000", "0100000", "0000000", "0000000", "5555555"])
    assert made == ["1000001", "0100010", "0010100", "0001000", "5555555"]


def test_states_are_those_that_change_something_and_fit_as_candidates():
    inputs = (
        [[1, 2, 3, 0], [0] * 4, [0, 2, 0, 0]],
        [[0, 0, 2, 0], [0] * 4, [0, 4, 2, 0]],
        [[3, 2, 0], [0] * 3, [0, 2, 0]],
    )
    outputs = (
        [[1, 2, 3, 0], [0] * 4, [1, 2, 3, 0]],
        [[0, 4, 2, 0], [0] * 4, [0, 4, 2, 0]],
        [[3, 2, 0], [0] * 3, [3, 2, 0]],
    )
    pairs = [{"input": one, "output": other} for one, other in zip(inputs, outputs, strict=True)]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame = TaskFrame(task)
    states = scene_states(frame, Work(10**9))
    assert len({state.key for state in states} | {frame.input.key}) == len(states) + 1
    found = scene_candidates(states, frame)
    assert found[0].layer is Layer.SCENE
    assert found[0].outputs == (task.test[0].output,)

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


def test_a_part_that_is_found_is_no_piece_of_a_larger_one():
    grid = ["122000000000", "000000011000", "000000011000", "000000000000"]
    assert made_of("main_sizes_whole_minor", grid)[1:3] == ["000000011222"] * 2


def test_the_box_of_the_largest_figure_is_turned_to_what_lies_in_it():
    grid = ["33330000", "34430000", "33330000", "00000000", "00040000", "00040000", "00000000"]
    assert [row[2:5] for row in made_of("box_turned_minor", grid)[3:]] == ["333", "343", "343", "333"]


def test_the_grid_is_folded_about_the_lines_that_cross_it():
    grid = ["10500", "02500", "55555", "00500", "00500"]
    assert made_of("folded_twice", grid) == ["10501", "02520", "55555", "02520", "10501"]
    assert made_of("folded_down", grid) == ["10500", "02500", "55555", "02500", "10500"]
    assert made_of("folded_across", grid) == ["10501", "02520", "55555", "00500", "00500"]


def test_rows_and_columns_are_ordered_by_their_drawn_cells():
    grid = ["2202", "0000", "0010"]
    assert made_of("rows_ordered", grid) == ["0000", "0010", "2202"]
    assert made_of("rows_ordered_back", grid) == ["2202", "0010", "0000"]
    assert made_of("rows_ordered_left", grid) == ["0000", "1000", "2220"]
    assert made_of("rows_ordered_right", grid) == ["0000", "0001", "0222"]
    assert made_of("columns_ordered_down", ["200", "210", "000"]) == ["000", "002", "012"]


def test_lines_have_their_main_colour_along_the_way_that_changes_less():
    assert made_of("main_lines", ["1222", "1232", "1122", "1222"]) == ["1222"] * 4
    assert made_of("main_lines", ["1111", "2232", "2122"]) == ["1111", "2222", "2222"]


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

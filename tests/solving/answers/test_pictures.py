from batt.draw.terminal import render_text
from batt.solving import Answer, Layer, Solutions, TaskSolution
from batt.solving.answers.pictures import task_scene, wall_scene

SOURCE = "def solve_turned(I):\n    x1 = rot90(I)\n    return x1\n"


def solution(task, grid):
    return TaskSolution(task.id, ((Answer(grid, SOURCE, Layer.DECK, 0.9, "fits"),),))


def test_the_wall_has_the_tasks_that_are_right(easy_tasks):
    turned, greened = easy_tasks["turned"], easy_tasks["greened"]
    found = {"turned": solution(turned, turned.test[0].output), "greened": solution(greened, ((1,),))}
    scene = wall_scene(Solutions(easy_tasks, found))
    assert scene.title == "solved: 1 task"
    assert [row.title for row in scene.rows] == ["turned"]
    assert scene.rows[0].caption.text == "deck, 90%"


def test_there_is_no_wall_without_answers(easy_tasks):
    assert wall_scene(Solutions(easy_tasks, {})) is None


def test_a_task_is_drawn_with_program_and_steps(easy_tasks):
    turned = easy_tasks["turned"]
    text = render_text(task_scene(turned, solution(turned, turned.test[0].output)))
    assert "def solve_turned(I):" in text
    assert "x1 = rot90(I)" in text
    assert "sure 90%: fits" in text
    assert "✓" in text

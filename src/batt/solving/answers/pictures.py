"""Draw solutions: a wall of what was solved, and a task with its answers, their programs and their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batt.draw import Arrow, Caption, Mark, Panel, PanelRow, Picture, Scene
from batt.front import Deck
from batt.jobs.samples import samples_of
from batt.jobs.tracing import trace_sample
from batt.runtime import Limits, Split
from batt.tasks import Task, Tasks
from batt.tasks.model import counted
from batt.types.kinds import Grid
from batt.types.plain import Printed

if TYPE_CHECKING:
    from batt.solving.answers.solutions import Answer, Solutions, TaskSolution

WALL_TILES = 24
"""The most tasks on a wall, the surest first."""


def wall_scene(solutions: Solutions) -> Scene | None:
    """Return the tasks that were solved, each with its first test input and answer; None if there are none.

    Where a test output is not known, a task with answers counts.
    """
    solved = []
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        answers = [each for test in solution.answers for each in test]
        is_known = all(pair.output is not None for pair in task.test)
        if answers and (solution.is_right(task) if is_known else all(solution.answers)):
            solved.append((task, solution, is_known))
    if not solved:
        return None
    solved.sort(key=lambda each: -each[1].sure)
    more = f", the {WALL_TILES} surest" if len(solved) > WALL_TILES else ""
    word = "solved" if all(is_known for _, _, is_known in solved) else "answered"
    title = f"{word}: {counted(len(solved), 'task')}{more}"
    return Scene(title, tuple([_tile(*each) for each in solved[:WALL_TILES]]))


def _tile(task: Task, solution: TaskSolution, is_known: bool) -> PanelRow:
    pair, answers = task.test[0], solution.answers[0]
    chosen = next((each for each in answers if each.grid == pair.output), answers[0])
    caption = Caption(f"{chosen.layer.name.lower()}, {chosen.sure:.0%}", Mark.EQUAL if is_known else Mark.NONE)
    return PanelRow((Panel("", pair.input), Arrow(), Panel("", chosen.grid)), task.id, caption)


def task_scene(task: Task, solution: TaskSolution) -> Scene:
    """Return a task with its answers, the programs as text, and the steps of the first one on the first test input."""
    rows = [pair.row(f"train {number}") for number, pair in enumerate(task.train)]
    for number, pair in enumerate(task.test):
        for place, answer in enumerate(solution.answers[number], 1):
            panels = (Panel("input", pair.input), Arrow(), Panel("answer", answer.grid))
            rows.append(PanelRow(panels, f"test {number}, answer {place}", _verdict(answer, pair.output)))
    sources = dict.fromkeys([answer.source for answers in solution.answers for answer in answers])
    rows += [PanelRow((Panel("", Printed(text)),), f"program {number}") for number, text in enumerate(sources, 1)]
    for text in list(sources)[:1]:
        rows += step_rows(text, task)
    return Scene(f"solutions of {task.id}", tuple(rows))


def answer_scene(task: Task, solution: TaskSolution) -> Scene:
    """Return the first demonstration of a task, its first answer, and the steps of the answer's program."""
    pair, answer = task.test[0], solution.answers[0][0]
    rows = [task.train[0].row("train 0")]
    panels = (Panel("input", pair.input), Arrow(), Panel("answer", answer.grid))
    rows.append(PanelRow(panels, "test 0", _verdict(answer, pair.output)))
    return Scene(f"solution of {task.id}", (*rows, *step_rows(answer.source, task)))


def step_rows(source: str, task: Task) -> tuple[PanelRow, ...]:
    """Return the steps of a program on the first test input of a task."""
    solver = Deck.from_sources({f"solve_{task.id}": source})[0]
    tests = [each for each in samples_of(Tasks((task,), "")) if each.part is Split.TEST]
    return trace_sample(solver, tests[0], Limits()).picture.scene.rows if tests else ()


def task_picture(task: Task, solution: TaskSolution) -> Picture:
    """Draw a task with its answers."""
    return Picture(task_scene(task, solution))


def _verdict(answer: Answer, expected: Grid | None) -> Caption:
    said = f"{answer.layer.value}\nsure {answer.sure:.0%}: {answer.why}"
    if expected is None:
        return Caption(said)
    return Caption(said, Mark.EQUAL if answer.grid == expected else Mark.DIFFERENT)

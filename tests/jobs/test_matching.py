"""Which solver meets which sample."""

from __future__ import annotations

import pytest

from batt.errors import UsageError
from batt.jobs.matching import match_all, match_own, own_task
from batt.jobs.samples import samples_of
from batt.runtime import Split
from batt.tasks import merge_tasks, tasks_from_dict
from handmade import MIRROR, deck, plain_tasks

TASKS = tasks_from_dict(plain_tasks())


def test_samples_come_task_by_task_and_train_before_test():
    train, test = Split.TRAIN, Split.TEST
    assert [(each.task, each.part, each.index) for each in samples_of(TASKS)] == [
        *[("mirror", train, 0), ("mirror", train, 1), ("mirror", test, 0)],
        *[("trap", train, 0), ("trap", train, 1), ("trap", test, 0), ("trap", test, 1)],
    ]


def test_a_sample_holds_its_pair_and_all_demonstrations_of_its_task():
    for each in samples_of(TASKS):
        task = TASKS[each.task]
        pair = getattr(task, each.part.value)[each.index]
        assert (each.input, each.expected, each.demonstrations) == (pair.input, pair.output, task.demonstrations)


def test_the_demonstrations_hold_no_test_pair():
    tests = {pair.input for task in TASKS for pair in task.test}
    assert not tests & {grid for each in samples_of(TASKS) for pair in each.demonstrations for grid in pair}


def test_an_unknown_output_is_expected_as_none():
    unknown = samples_of(tasks_from_dict(plain_tasks(answers=False)))
    assert [each.expected is None for each in unknown] == [False, False, True, False, False, False, True]


def test_every_solver_meets_every_sample_solver_by_solver():
    evaluations = match_all(deck(solve_a=MIRROR, solve_b=MIRROR), TASKS)
    assert evaluations.total == 14
    assert [evaluations.pair(number) for number in range(14)] == [(solver, n) for solver in (0, 1) for n in range(7)]
    solvers, samples = evaluations.columns()
    assert list(zip(solvers.tolist(), samples.tolist(), strict=True)) == [evaluations.pair(n) for n in range(14)]


def test_own_solvers_meet_the_samples_of_the_task_in_their_name():
    evaluations = match_own(deck(solve_trap=MIRROR, solve_other=MIRROR, solve_mirror_2=MIRROR), TASKS)
    assert evaluations.total == 7
    assert [evaluations.pair(number) for number in range(7)] == [
        *[(0, n) for n in range(3, 7)],
        *[(2, n) for n in range(3)],
    ]
    solvers, samples = evaluations.columns()
    assert list(zip(solvers.tolist(), samples.tolist(), strict=True)) == [evaluations.pair(n) for n in range(7)]


def test_own_without_a_solver_that_names_a_task_is_refused():
    with pytest.raises(UsageError, match=r"^no solver names one of these tasks .*run without --own$"):
        match_own(deck(solve_other=MIRROR), TASKS)


@pytest.mark.parametrize(
    ("solver", "task"),
    [
        ("solve_mirror", "mirror"),
        ("verify_mirror", "mirror"),
        ("mirror", "mirror"),
        ("solve_mirror_v2", "mirror"),
        ("solve_my_mirror", "mirror"),
        ("solve_two_words", "two_words"),
        ("solve_mirrors", None),
        ("solve", None),
        ("", None),
    ],
)
def test_the_task_in_a_solvers_name(solver: str, task: str | None):
    assert own_task(solver, {"mirror", "trap", "two_words"}) == task


def test_transforms_of_a_task_and_its_namesakes_are_own_tasks():
    solvers = deck(solve_mirror=MIRROR, solve_mirror_vmirror=MIRROR)
    other = tasks_from_dict({"mirror": plain_tasks()["trap"]}, "other")
    tasks = merge_tasks([TASKS.augmented(["vmirror"]), other])
    assert tasks.ids == ("mirror", "mirror.vmirror", "other/mirror", "trap", "trap.vmirror")
    evaluations = match_own(solvers, tasks)
    met = {
        (solvers.names[solver], evaluations.samples[sample].task)
        for solver, sample in map(evaluations.pair, range(evaluations.total))
    }
    own = ("mirror", "mirror.vmirror", "other/mirror")
    assert met == {(solver, task) for solver in solvers.names for task in own}
    assert evaluations.total == 2 * (3 + 3 + 4)

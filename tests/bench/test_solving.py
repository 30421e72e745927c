import pytest

from batt.bench.solving import EVALUATION, layers_named, measure_solving, solving_table, split_tasks, totals_of
from batt.cli.output import rows_text
from batt.errors import UsageError
from batt.solving import Layer, Solutions, TaskSolution
from batt.solving.solutions import Answer
from batt.tasks import load_tasks


def test_development_never_has_a_task_of_an_evaluation_set():
    hidden = {name for split in EVALUATION for name in load_tasks(split).ids}
    for split in ("arc1-training", "arc2-training"):
        assert not hidden & set(split_tasks(split).ids)


def test_an_unknown_split_is_refused():
    with pytest.raises(UsageError, match="unknown split"):
        split_tasks("arc1-evaluation@symmetries")


def test_a_sample_is_drawn_by_a_seed():
    assert split_tasks("arc1-training", 5).ids == split_tasks("arc1-training", 5).ids
    assert len(split_tasks("arc1-training", 5)) == 5


def totals(split):
    tasks = split_tasks(split, 3)
    found = {}
    for task in tasks:
        answer = Answer(
            task.test[0].output, "def solve(I):\n    x = vmirror(I)\n    return x", Layer.DECK, 0.95, "fits"
        )
        found[task.id] = TaskSolution(task.id, tuple([(answer,) for _ in task.test]), 10)
    return tasks, totals_of(split, Solutions(tasks, found), 1.5)


def test_totals_count_what_is_right():
    tasks, told = totals("arc1-training")
    assert told.tasks == told.answered == 3
    assert told.outputs == sum(len(task.test) for task in tasks)
    assert told.by_layer["deck"][0] == told.outputs
    assert told.work == 30


def test_no_task_of_an_evaluation_set_is_named():
    tasks, told = totals("arc1-evaluation")
    text = rows_text(solving_table(told)) + repr(told)
    assert "3 tasks" in text
    assert not [name for name in tasks.ids if name in text]


def test_layers_are_named_or_left_out():
    assert layers_named("tree,deck") == {Layer.TREE, Layer.DECK}
    assert layers_named("-tree") == set(Layer) - {Layer.TREE}
    with pytest.raises(UsageError, match="unknown layer"):
        layers_named("trees")


@pytest.mark.slow
def test_a_split_is_measured():
    told = measure_solving("arc1-training", sample=2, effort=10**8, workers=1)
    assert told.tasks == 2

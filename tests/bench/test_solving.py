import json

import pytest

from batt.bench.solving import (
    EVALUATION,
    evidence_lines,
    layers_named,
    measure_rows,
    measure_solving,
    named_decks,
    split_tasks,
    totals_of,
)
from batt.bench.solving_tables import layer_rows, rows_table, solving_table
from batt.cli.output import rows_text
from batt.errors import UsageError
from batt.front import Deck
from batt.solving import Layer, Solutions, TaskSolution, solve
from batt.solving.answers.solutions import Answer
from batt.tasks import load_tasks, tasks_from_dict


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


def test_decks_are_named_or_paths():
    assert named_decks(None) == []
    assert named_decks("built-in, mine.py") == ["built-in", "mine.py"]


def test_the_table_of_layers_has_each_alone_and_each_left_out():
    rows = layer_rows([Layer.TREE, Layer.DECK])
    assert list(rows) == ["all", "tree alone", "deck alone", "without tree", "without deck"]
    assert list(rows.values())[1:] == [{Layer.TREE}, {Layer.DECK}, {Layer.DECK}, {Layer.TREE}]
    table = rows_text(rows_table(dict.fromkeys(rows, totals("arc1-training")[1])))
    assert "without deck" in table
    assert "wall" not in table, "rows share the processes"


def test_records_tell_what_speaks_for_each_output(easy_solutions):
    lines = [json.loads(line) for line in evidence_lines("arc1-training", easy_solutions)]
    best = lines[0][0]
    assert best["right"]
    assert best["votes"][0][0] in Layer.__members__
    assert totals_of("arc1-training", easy_solutions, 1.0).by_evidence


def test_records_of_evaluation_tasks_are_refused(easy_solutions):
    with pytest.raises(UsageError, match="development"):
        list(evidence_lines("arc1-evaluation", easy_solutions))


@pytest.fixture(scope="module")
def easy_solutions():
    turned = [{"input": [[at, 2], [3, 4]], "output": [[3, at], [4, 2]]} for at in range(4)]
    deck = Deck.from_sources({"solve_turn": "def solve_turn(I):\n    x1 = rot90(I)\n    return x1"})
    tasks = tasks_from_dict({"turned": {"train": turned[:3], "test": turned[3:]}})
    return solve(tasks, [deck], effort=10**8, workers=1)


@pytest.mark.slow
def test_a_split_is_measured():
    told, _ = measure_solving("arc1-training", sample=2, effort=10**8, workers=1)
    assert told.tasks == 2


@pytest.mark.slow
def test_rows_that_share_processes_give_the_totals_of_runs_of_their_own():
    rows = {"deck": frozenset({Layer.DECK}), "all": frozenset(Layer)}
    told = dict(measure_rows("arc1-training", [], rows, sample=2, effort=10**8, workers=2))
    for name, layers in rows.items():
        alone, _ = measure_solving("arc1-training", sample=2, effort=10**8, workers=1, layers=layers)
        assert (told[name].solved, told[name].work, told[name].by_layer) == (alone.solved, alone.work, alone.by_layer)

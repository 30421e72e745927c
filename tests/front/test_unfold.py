"""Which lines of a batt belong to which solver."""

from __future__ import annotations

import pytest

from batt.errors import DeckError
from batt.front import unfold
from batt.front.batts import BattFile, read_batt_text
from marked import marks, told, unmarked


def batt_of(*lines: str, decorator: str = "@batt_function") -> BattFile:
    body = "".join([f"    {line}\n" for line in lines])
    return read_batt_text(f"{decorator}\ndef batt(S, I, C):\n    o, s = [], []\n{body}    return o, s\n", "batt.py")


def lines_of(batt: BattFile) -> dict[str, list[str]]:
    """The lines of each solver, without its first."""
    return {each.name: each.source.rstrip().split("\n    ")[1:] for each in batt.solvers}


def test_a_solver_holds_the_lines_above_it_and_what_they_need_of_earlier_ones():
    found = batt_of(
        "t1 = vmirror(I)",
        "t2 = hmirror(I)",
        "t3 = rot90(t2)",
        "o.append((3, True, 'a', t3))",
        "t4 = hconcat(t3, t1)",
        "t5 = vconcat(t1, t2)",
        "o.append((4, True, 'b', t4))",
        "o.append((0, True, 'c', I))",
        "o.append((0, True, 'd', cmirror(t3)))",
    )
    above = {"t1": "t1 = vmirror(I)", "t2": "t2 = hmirror(I)", "t3": "t3 = rot90(t2)"}
    assert lines_of(found) == {
        "solve_a": [*above.values(), "return t3"],
        "solve_b": [above["t2"], above["t3"], above["t1"], "t4 = hconcat(t3, t1)", "t5 = vconcat(t1, t2)", "return t4"],
        "solve_c": ["return I"],
        "solve_d": [above["t2"], above["t3"], "return cmirror(t3)"],
    }


OLD_LINES = [
    "t1 = vmirror(I)",
    "t2 = first(S)",
    "t3 = rot90(I)",
    "o.append((3, True, 'a', t3))",
    "t4 = hconcat(t3, t1)",
]


def test_a_solver_of_an_old_batt_holds_what_its_value_depends_on_in_the_order_of_the_file():
    found = batt_of(*OLD_LINES, "t5 = last(S)", "o.append((4, True, 'b', t4))", decorator="@old")
    assert lines_of(found) == {
        "solve_a": ["t3 = rot90(I)", "return t3"],
        "solve_b": ["t1 = vmirror(I)", "t3 = rot90(I)", "t4 = hconcat(t3, t1)", "return t4"],
    }


def test_a_solver_may_name_lines_again_in_the_order_in_which_it_goes_through_them():
    lines = ["t1 = vmirror(I)", "t2 = rot90(t1)", "t3 = hmirror(I)", "o.append((3, True, 'a', t3))"]
    found = batt_of(*lines, "_ = t3, t2, t3", "t4 = hconcat(t2, t3)", "_ = t1", "o.append((4, True, 'b', t4))")
    assert lines_of(found)["solve_b"] == [
        *["t3 = hmirror(I)", "t1 = vmirror(I)", "t2 = rot90(t1)", "t3 = hmirror(I)", "t4 = hconcat(t2, t3)"],
        *["t1 = vmirror(I)", "return t4"],
    ]
    assert len(found.solvers[1].program.steps) == 6


def test_a_name_means_what_it_meant_where_it_is_read():
    lines = [
        "t1 = vmirror(I)",
        "t2 = rot90(t1)",
        "t1 = hmirror(I)",
        "o.append((2, 1, 'a', t2))",
        "o.append((1, 1, 'b', t1))",
    ]
    assert lines_of(batt_of(*lines, decorator="@old")) == {
        "solve_a": ["t1 = vmirror(I)", "t2 = rot90(t1)", "return t2"],
        "solve_b": ["t1 = hmirror(I)", "return t1"],
    }


def test_solvers_of_one_task_are_numbered_and_named_as_definitions():
    tasks = ["a", "a", "solve_a", "b c", "b c"]
    found = batt_of(*[f"o.append(({n}, True, {task!r}, I))" for n, task in enumerate(tasks)])
    assert [(entry.step, entry.name, entry.definition) for entry in found.entries] == [
        (0, "solve_a", "solve_a"),
        (1, "solve_a_2", "solve_a_2"),
        (2, "solve_a_3", "solve_a_3"),
        (3, "solve_b c", "solve_b_c"),
        (4, "solve_b c_2", "solve_b_c_2"),
    ]
    assert found.deck.names == tuple([entry.name for entry in found.entries])


def test_a_solver_takes_the_demonstrations_where_one_of_its_lines_reads_them():
    lines = ["t1 = size(S)", "o.append((1, 1, 'a', t1))", "o.append((0, 1, 'b', I))", "t2 = add(t1, 1)"]
    found = batt_of(*lines, "o.append((2, 1, 'c', t2))", "o.append((0, 1, 'd', C))")
    full = ("S", "I", "C")
    assert [solver.program.params for solver in found.solvers] == [full, ("I",), full, full]


def test_scores_are_kept_as_they_are_written():
    lines = ["o.append((1, 1, 'a', I))", "s.append((1, None, 'x', f(I,", "    'é', C)))", "s.append((1, 'a', 'y', 1))"]
    found = batt_of(*lines)
    assert [(score.step, score.task, score.differ, score.value) for score in found.scores] == [
        (1, None, "x", "f(I,\n        'é', C)"),
        (1, "a", "y", "1"),
    ]


def test_a_mistake_in_a_line_that_solvers_share_is_told_once():
    case = """\
@batt_function
def batt(S, I, C):
    o, s = [], []
    t1 = vmiror(I)
         ^ 'vmiror' is not defined; did you mean 'vmirror'?
    o.append((1, True, 'a', t1))
    o.append((1, True, 'b', rot90(t1)))
    o.append((1, True, 'c', rot90(t1, t1)))
                            ^ rot90 takes 1 argument (grid), 2 given
    return o, s
"""
    with pytest.raises(DeckError) as caught:
        read_batt_text(unmarked(case), "batt.py")
    assert told(caught.value.mistakes) == marks(case)


def test_what_many_solvers_hold_together_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(unfold, "MAX_DEALT_NAMES", 100)
    lines = [line for n in range(1, 20) for line in (f"t{n} = vmirror(t{n - 1})", f"o.append(({n}, 1, 'a', t{n}))")]
    with pytest.raises(DeckError, match="the solvers of the batt hold more than 100 names and numbers together"):
        batt_of("t0 = I", *lines)

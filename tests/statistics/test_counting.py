"""Programs are counted as they are written, with calls of helpers inlined."""

from __future__ import annotations

from typing import Any

from batt.front import Deck, as_deck
from batt.statistics.counting import MAX_STEPS, count_statistics
from handmade import source


def counted(deck: Deck) -> dict[str, list[dict[str, int]]]:
    """The producers of every argument, as texts."""
    found = count_statistics(deck).arguments
    return {op: [{str(each): n for each, n in at.items()} for at in positions] for op, positions in found.items()}


def deck_of(*lines: str, params: str = "I") -> Deck:
    return Deck.from_sources({"solve_a": source("solve_a", *lines, params=params)})


def test_every_argument_counts_for_its_place():
    assert counted(deck_of("y = objects(I, T, F, T)", "z = argmax(y, size)", "x = fill(I, 2, z)")) == {
        "objects": [{"input I": 1}, {"bool True": 1}, {"bool False": 1}, {"bool True": 1}],
        "argmax": [{"step objects": 1}, {"function size": 1}],
        "fill": [{"input I": 1}, {"int 2": 1}, {"step argmax": 1}],
        "return": [{"step fill": 1}],
    }


def test_inputs_have_their_names_and_tuples_and_calls_of_values_are_steps():
    lines = ("f = power(vmirror, 3)", "y = f(I)", "z = (S, y, UP)", "x = astuple(z, C)")
    assert counted(deck_of(*lines, params="S, I, C")) == {
        "power": [{"function vmirror": 1}, {"int 3": 1}],
        "call": [{"step power": 1}, {"input I": 1}],
        "tuple": [{"input S": 1}, {"step call": 1}, {"pair (-1, 0)": 1}],
        "astuple": [{"step tuple": 1}, {"input C": 1}],
        "return": [{"step astuple": 1}],
    }


HELPED = """
def twice(grid, colour):
    inner = replace(grid, colour, 0)
    return hconcat(inner, inner)


def solve_a(I):
    y = vmirror(I)
    x = twice(y, 5)
    return x
"""


def test_a_call_of_a_helper_is_inlined():
    plain = deck_of("y = vmirror(I)", "z = replace(y, 5, 0)", "x = hconcat(z, z)")
    helped = as_deck(HELPED)
    assert counted(helped) == counted(plain)
    one, other = count_statistics(helped), count_statistics(plain)
    assert (one.steps, one.depths, one.widths, one.reads) == (other.steps, other.depths, other.widths, other.reads)


def test_a_function_that_is_passed_on_is_counted_once_and_is_no_step_of_the_solver():
    statistics = count_statistics(deck_of("y = objects(I, T, F, T)", "x = apply(lambda v: add(size(v), 1), y)"))
    found = {op: [{str(each): n for each, n in at.items()} for at in uses] for op, uses in statistics.arguments.items()}
    assert found["apply"] == [{"function helper": 1}, {"step objects": 1}]
    assert found["size"] == [{"input argument": 1}]
    assert found["add"] == [{"step size": 1}, {"int 1": 1}]
    assert statistics.steps == {2: 1}


def test_shapes_are_those_of_the_steps():
    lines = ("a = vmirror(I)", "b = hmirror(I)", "c = hconcat(a, b)", "d = vconcat(a, c)", "x = hconcat(d, d)")
    statistics = count_statistics(deck_of(*lines))
    assert (statistics.solvers, statistics.steps, statistics.depths) == (1, {5: 1}, {4: 1})
    assert statistics.widths == {2: 1}
    # a and d are read twice, b, c and the result once.
    assert statistics.reads == {2: 2, 1: 3}


def test_a_solver_without_steps_is_counted():
    statistics = count_statistics(Deck.from_sources({"solve_a": "def solve_a(I):\n    return I\n"}))
    assert (statistics.steps, statistics.depths, statistics.widths, statistics.reads) == ({0: 1}, {0: 1}, {0: 1}, {})
    assert counted(Deck.from_sources({"solve_a": "def solve_a(I):\n    return I\n"})) == {"return": [{"input I": 1}]}


def test_calls_are_counted_by_group(tmp_path: Any):
    for name, line in (("one", "x = vmirror(I)"), ("two", "x = vmirror(hmirror(I))")):
        (tmp_path / f"{name}.py").write_text(source(f"solve_{name}", line))
    statistics = count_statistics(as_deck(tmp_path))
    assert statistics.calls == {"one": {"vmirror": 1}, "two": {"vmirror": 1, "hmirror": 1}}
    assert statistics.total_calls == {"vmirror": 2, "hmirror": 1}


def test_helpers_that_call_one_another_twice_each_end():
    doubled = [f"def h{n}(g):\n    return h{n - 1}(h{n - 1}(g))\n" for n in range(1, 45)]
    text = "\n\n".join(["def h0(g):\n    return g\n", *doubled, "def solve_a(I):\n    return h44(I)\n"])
    statistics = count_statistics(as_deck(text))
    assert sum(statistics.calls["solvers"].values()) < MAX_STEPS

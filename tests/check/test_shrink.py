"""Small examples of differences, with what differs given by a rule instead of an engine."""

from __future__ import annotations

from batt.check.shrink import PLENTY, FailingCase, shrunk
from batt.runtime import Limits
from handmade import program, sample

GRID = ((0, 2, 2), (0, 0, 2), (1, 0, 0))
LINES = ("a = trim(I)", "b = vmirror(I)", "c = hconcat(b, I)", "d = upscale(c, 2)", "x = hmirror(d)")


def calls(case: FailingCase, name: str) -> bool:
    return f"{name}(" in case.source


def test_only_the_step_that_matters_is_left():
    found = shrunk(FailingCase(program(*LINES), sample(GRID), Limits()), lambda case: calls(case, "upscale"))
    assert found.source == "def solve_it(I):\n    x1 = upscale(0, 0)\n    return x1\n"
    assert found.sample.input == ((0,),)
    assert found.sample.expected is None


def test_a_step_that_is_needed_stays():
    found = shrunk(
        FailingCase(program(*LINES), sample(GRID), Limits()),
        lambda case: calls(case, "upscale") and calls(case, "vmirror") and case.source.count("x1") > 1,
    )
    assert [calls(found, name) for name in ("vmirror", "upscale", "trim", "hmirror")] == [True, True, False, False]


def test_the_grid_becomes_as_small_as_the_difference_allows():
    found = shrunk(
        FailingCase(program("x = trim(I)"), sample(GRID), Limits()),
        lambda case: len(case.sample.input) >= 2 and any(2 in row for row in case.sample.input),
    )
    assert sorted(cell for row in found.sample.input for cell in row) == [0, 2]


def test_other_programs_and_tight_budgets_go_where_they_do_not_matter():
    others = tuple([program("x = trim(I)", f"x = upscale(x, {number})") for number in range(1, 9)])
    case = FailingCase(program("x = vmirror(I)"), sample(), Limits(50, 50), others)
    alone = shrunk(case, lambda each: calls(each, "vmirror"))
    assert (alone.others, alone.limits) == ((), PLENTY)
    paired = shrunk(case, lambda each: others[5] in each.others)
    assert paired.others == (others[5],)


def test_an_example_tells_all_that_it_needs():
    case = FailingCase(program("x = first(S)", params="S, I, C"), sample(), Limits(60, 5), (program("x = trim(I)"),))
    assert str(case).splitlines() == [
        "def solve_it(S, I, C):",
        "    x1 = first(S)",
        "    return x1",
        "# I = ((1, 2),)",
        "# S = ((((3, 4),), ((4, 3),)),)",
        "# expected = ((2, 1),)",
        "# steps 60, items 5",
        "# in a deck with 1 other programs",
    ]
    assert case.deck.names == ("solve_it", "solve_other1")

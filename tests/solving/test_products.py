"""Products: programs that a deck declares together."""

from __future__ import annotations

import pytest

from batt.front import Deck
from batt.ir import Program
from batt.solving.library import picture_programs, solving_deck
from batt.solving.products import declared_programs

GRID = ((1, 2), (3, 4))
HELPERS = (
    "def scaled(I, factor, scale):\n    made = scale(I, factor)\n    return made",
    "def turned(grid):\n    return rot90(grid)",
    "def cut_off(grid):\n    rest = trim(grid)\n    inner = vmirror(rest)\n    return inner",
    "def changed(I, change):\n    made = change(I)\n    return made",
    "def moved(I, first_change, then):\n    middle = first_change(I)\n    return then(middle)",
    "def itself(grid):\n    return grid",
)


def declared(body: str) -> list[Program]:
    """What a solver with this body declares."""
    deck = Deck.from_sources({"solve_all": "\n\n\n".join([*HELPERS, f"def solve_all(I):\n{body}"])})
    return declared_programs(deck["solve_all"].program)


def calls(program: Program) -> list[str]:
    """The steps of a program, as text."""
    return [
        f"{step.target} = {program.slot_name(step.callee)}({', '.join(map(program.slot_name, step.args))})"
        for step in program.steps
        if step.callee is not None
    ]


def test_a_product_has_a_program_for_all_choices_the_last_one_changing_first():
    found = declared("    return scaled, (2, 3), (upscale, hupscale)")
    assert [each.params for each in found] == [("I",)] * 4
    assert [calls(each) for each in found] == [
        ["made = upscale(I, 2)"],
        ["made = hupscale(I, 2)"],
        ["made = upscale(I, 3)"],
        ["made = hupscale(I, 3)"],
    ]
    assert found[1].run((GRID,)) == ((1, 1, 2, 2), (3, 3, 4, 4))


def test_steps_of_a_helper_take_the_place_of_its_call_and_keep_the_names_that_they_have():
    found = declared("    return changed, (vmirror, turned, cut_off)")
    assert [calls(each) for each in found] == [
        ["made = vmirror(I)"],
        ["made = rot90(I)"],
        ["rest = trim(I)", "inner = vmirror(rest)"],
    ]


def test_a_helper_that_is_not_a_choice_stays_a_call():
    assert calls(declared("    made = turned(I)\n    return made")[0]) == ["made = turned(I)"]


def test_a_choice_may_be_a_product_which_stands_for_its_functions():
    found = declared("    inner = (changed, (rot90, rot180))\n    return moved, (trim,), (inner, hmirror)")
    assert [calls(each)[-1] for each in found] == [
        "made = rot90(middle)",
        "made = rot180(middle)",
        "_2 = hmirror(middle)",
    ]
    assert {calls(each)[0] for each in found} == {"middle = trim(I)"}


def test_a_helper_without_steps_adds_none():
    (found,) = declared("    return moved, (itself,), (vmirror,)")
    assert calls(found) == ["_2 = vmirror(I)"]
    assert found.run((GRID,)) == ((2, 1), (4, 3))


def test_several_products_are_declared_in_their_order():
    found = declared("    return (changed, (rot90, rot180)), (scaled, (2,), (upscale,))")
    assert [calls(each) for each in found] == [["made = rot90(I)"], ["made = rot180(I)"], ["made = upscale(I, 2)"]]


@pytest.mark.parametrize(
    "body", ["    return I", "    return rot90(I)", "    return (1, 2)", "    return ((1, 2), (3, 4))"]
)
def test_any_other_solver_declares_itself(body: str):
    (found,) = declared(body)
    assert found.run((GRID,)) is not None


def test_pictures_are_functions_of_a_grid():
    programs = picture_programs()
    assert {each.arity for each in programs} == {1}
    assert len(set(programs)) == len(programs)


def test_each_way_to_cut_the_grid_has_the_same_crops():
    programs = declared_programs(solving_deck("pictures")["solve_crops"].program)
    cuts = [str(each.steps[0]) for each in programs]
    counts = [cuts.count(each) for each in dict.fromkeys(cuts)]
    # Figures of one colour each are picked by their colour, the others by how many they have.
    assert counts == [42, 42, 44, 44, 42, 42, 42]

"""Steps that are the same, who holds them, and what loops are called."""

from __future__ import annotations

from batt.codegen.plan import StagePlan
from batt.codegen.plan import plan as plan_stage
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.profile.code import PATTERN_LIMIT, ImageCode
from encoding import encode_deck
from handmade import deck, program

TWICE = "def twice(f, a):\n    return f(f(a))\n\ndef solve(I):\n    g = lbind(twice, first)\n    return apply(g, I)\n"


def code_of(given: Deck, share: bool = False) -> ImageCode:
    batt = compile_deck(given)
    return ImageCode(encode_deck(batt, plan_stage(batt.graph) if share else StagePlan()).image)


def patterns(code: ImageCode) -> list[str]:
    return [name for place in code.places() if (name := code.pattern(place.instruction)) is not None]


def test_loops_are_called_by_the_ops_of_their_bodies():
    code = code_of(
        deck(
            a=("x = mfilter(objects(I, T, F, F), matcher(size, 2))",),
            b=("x = apply(compose(rbind(order, sign), lbind(apply, increment)), I)",),
        )
    )
    assert {"mfilter[size equality]", "apply[apply[increment] order[sign]]", "order[sign]"} <= set(patterns(code))


def test_a_loop_with_a_function_value_is_called_by_it():
    lines = ("f = first((first, last))", "a = apply(size, (I, I))", "x = apply(f, (a, a))")
    assert patterns(ImageCode(encode_programs({"s": program(*lines)}).image)) == ["apply[size]", "apply[…]"]


def test_long_patterns_are_cut():
    code = code_of(deck(a=("f = hmirror", *["f = chain(vmirror, rot90, f)"] * 40, "x = apply(f, (I, I))")))
    assert all(len(each) <= PATTERN_LIMIT for each in patterns(code))


def test_the_same_work_on_the_same_values_is_one_step():
    code = code_of(deck(a=("x = size(vmirror(I))",), b=("y = hmirror(I)", "x = (size(vmirror(I)), y)")))
    by_text: dict[str, set[int]] = {}
    for place in code.places():
        by_text.setdefault(code.text(place).partition("(")[0], set()).add(place.step)
    assert [len(by_text[name]) for name in ("vmirror", "size", "hmirror")] == [1, 1, 1]


def test_the_same_work_on_other_values_is_another_step():
    code = code_of(deck(a=("x = first(vmirror(I))",), b=("x = first(rot90(I))",)))
    firsts = {place.step for place in code.places() if code.text(place).startswith("first(")}
    assert len(firsts) == 2


def test_bodies_helpers_and_the_stage_are_held_by_the_solvers_that_come_to_them():
    given = deck(a=("x = apply(size, (I, I))",), b=("y = rot90(I)", "x = apply(size, (y, y))"), c=("x = vmirror(I)",))
    code = code_of(given)
    (body,) = {place.routine for place in code.places() if code.text(place) == "size(A0)"}
    assert code.holders(body) == ["a", "b"]
    helped = ImageCode(encode_programs({"s": Deck.from_sources({"solve": TWICE})["solve"].program}).image)
    assert helped.holders(0) == ["s"]
    shared = code_of(deck(a=("x = objects(I, T, F, F)",), b=("x = size(objects(I, T, F, F))",)), share=True)
    assert [shared.holders(routine) for routine in shared.staged] == [["a", "b"]]

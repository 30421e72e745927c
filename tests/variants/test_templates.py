"""Templates: constants as parameters, and back."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import batt
from batt.bench.frozen import first_132
from batt.errors import DataError, UsageError
from batt.front import Deck
from batt.ir import Program, Slot, Step
from batt.jobs.samples import samples_of
from batt.ops import OPS
from batt.runtime import Limits, Sample, Status, evaluate_one
from batt.variants.templates import ParameterKind, make_template, read_template
from engine_runs import FORMS, assert_engines_agree, run_all
from handmade import program, sample
from native_library import needs_library

COLOUR, NUMBER, PAIR, DIRECTION, FLAG = ParameterKind
LIMITS = Limits(steps=200_000, max_items=20_000)
SOME = ("x1 = objects(I, T, F, T)", "x2 = colorfilter(x1, 3)", "x3 = merge(x2)", "x = fill(I, 5, x3)")


def chosen(seed: int, count: int) -> list[Program]:
    deck = first_132()
    return [deck[name].program for name in random.Random(seed).sample(deck.names, count)]


def real_samples(seed: int, count: int) -> list[Sample]:
    return random.Random(seed).sample(samples_of(batt.load_tasks("arc1-training")), count)


def assignments(rng: random.Random, values: tuple[Any, ...], kinds: list[ParameterKind]) -> tuple[Any, ...]:
    """Other values for about half of the parameters."""
    pools: dict[ParameterKind, list[Any]] = {
        COLOUR: list(range(10)),
        NUMBER: [-1, 0, 1, 2, 3, 5],
        PAIR: [(0, 0), (1, 2), (3, 3)],
        DIRECTION: [(0, 1), (1, 0), (-1, -1)],
        FLAG: [True, False],
    }
    pairs = zip(values, kinds, strict=True)
    return tuple([value if rng.random() < 0.5 else rng.choice(pools[kind]) for value, kind in pairs])


def test_constants_become_parameters_by_kind():
    made = make_template(
        program(*SOME, "x6 = move(x, x3, (0, 1))", "x7 = crop(x6, (0, 0), (3, 3))", "x = upscale(x7, 2)")
    )
    assert [each.kind for each in made.parameters] == [FLAG, FLAG, FLAG, COLOUR, COLOUR, DIRECTION, PAIR, PAIR, NUMBER]
    assert made.values == (True, False, True, 3, 5, (0, 1), (0, 0), (3, 3), 2)
    assert made.program.params[:5] == ("S", "I", "C", "P0", "P1")


def test_equal_constants_of_a_kind_are_one_parameter_but_flags_are_not():
    made = make_template(program("x1 = ofcolor(I, 3)", "x2 = fill(I, 3, x1)", "x3 = objects(x2, T, T, T)", "x = x3"))
    assert made.values == (3, True, True, True)


def test_only_the_kinds_that_are_asked_for_become_parameters():
    assert make_template(program(*SOME), [COLOUR]).values == (3, 5)
    assert make_template(program(*SOME), ()).parameters == ()


@pytest.mark.parametrize("params", ["I", "S, I, C"])
def test_a_template_with_its_own_values_written_in_is_the_solver(params: str):
    solver = program(*SOME, params=params)
    made = make_template(solver)
    assert made.fill(made.values) == solver
    assert made.fill(made.values).params == solver.params
    other = [line.replace(", 3)", ", 4)").replace("5,", "6,") for line in SOME]
    assert made.fill((True, False, True, 4, 6)) == program(*other, params=params)


def test_every_solver_of_a_deck_comes_back_from_its_template():
    for each in first_132():
        made = make_template(each.program)
        assert made.fill(made.values) == each.program


def test_a_template_is_read_back_from_its_text():
    for each in first_132():
        made = make_template(each.program)
        assert read_template(made.source) == made


def test_a_template_of_a_solver_with_a_helper_is_read_back():
    text = "def twice(g, n):\n    return upscale(g, n)\n\n\ndef solve(I):\n    return twice(I, 2)\n"
    made = make_template(Deck.from_sources({"solve": text})["solve"].program)
    assert made.values == (2,)
    assert read_template(made.source) == made


@pytest.mark.parametrize(
    "text", ["x = 3\n", "def template(S, I, C, P0):\n    return fill(I, P0, S)\n", "def template(:\n"]
)
def test_a_text_that_is_no_template_is_refused(text: str):
    with pytest.raises((DataError, batt.DeckError)):
        read_template(text)


def test_values_of_another_number_are_refused():
    with pytest.raises(UsageError, match="5 parameters, got 1"):
        make_template(program(*SOME)).fill((1,))


def test_assignments_are_all_choices_for_the_kinds_that_have_some():
    made = make_template(program(*SOME), [COLOUR, FLAG])
    found = list(made.assignments({COLOUR: (1, 2)}))
    assert found == [(True, False, True, a, b) for a in (1, 2) for b in (1, 2)]


def test_a_deck_has_no_solver_with_parameters():
    with pytest.raises(batt.DeckError):
        Deck.from_sources({"solve": "def solve(S, I, C, P0):\n    return fill(I, P0, asindices(I))\n"})
    with pytest.raises(batt.DeckError, match="'P0' is not defined"):
        Deck.from_sources({"solve": "def solve(I):\n    return fill(I, P0, asindices(I))\n"})


def test_a_template_has_the_outcome_and_the_steps_of_the_solver_with_the_values_written_in():
    rng = random.Random(3)
    samples = real_samples(4, 2)
    for solver in chosen(5, 40):
        made = make_template(solver)
        kinds = [each.kind for each in made.parameters]
        for values in (made.values, assignments(rng, made.values, kinds)):
            for each in samples:
                given = evaluate_one(made.program, replace(each, parameters=values), LIMITS)
                written = evaluate_one(made.fill(values), each, LIMITS)
                assert (given.status, given.error, given.value) == (written.status, written.error, written.value)
                assert given.steps == written.steps or given.status is Status.OVER_BUDGET


@needs_library
def test_engines_agree_on_templates_under_any_assignment():
    rng = random.Random(7)
    found = [make_template(each) for each in chosen(8, 60)]
    templates = [each for each in found if len(each.parameters) <= 16]
    # One assignment fits no other template: its values are of other kinds there, or missing.
    kept = [assignments(rng, each.values, [p.kind for p in each.parameters]) for each in rng.sample(templates, 6)]
    samples = [replace(each, parameters=values) for each in real_samples(9, 3) for values in [*kept, ()]]
    assert_engines_agree([each.program for each in templates], samples, LIMITS)


@needs_library
def test_engines_agree_on_a_function_as_a_parameter_and_on_too_many_of_them():
    many = make_template(program(*[f"x{n} = crop(I, ({n}, 7), (9, {n}))" for n in range(9)], "x = x8"))
    assert len(many.parameters) == 18
    calls = Program(("S", "I", "C", "P0"), 4, (Step(Slot(3), (Slot(1),), "x", 1),), Slot(4))
    given: list[tuple[Any, ...]] = [(), (3,), (OPS["vmirror"], 3), ((OPS["vmirror"],),), many.values]
    samples = [replace(sample(), parameters=values) for values in given]
    expected, steps, _ = run_all([many.program, calls], samples, "reference", LIMITS, FORMS[0])
    assert expected["status"].tolist()[-5:] == [Status.RAISED, Status.RAISED, Status.OK, Status.RAISED, Status.RAISED]
    for form in FORMS:
        found = run_all([many.program, calls], samples, "cpu", LIMITS, form)
        assert found[0].tolist() == expected.tolist()
        assert found[1].tolist() == steps.tolist()


@needs_library
def test_an_open_engine_runs_templates_under_any_assignment():
    rng = random.Random(11)
    templates = [each for each in map(make_template, chosen(12, 15)) if len(each.parameters) <= 16]
    kept = [assignments(rng, each.values, [p.kind for p in each.parameters]) for each in templates]
    samples = [replace(each, parameters=values) for each in real_samples(13, 2) for values in kept]
    programs = [each.program for each in templates]
    expected, _, _ = run_all(programs, samples, "reference", LIMITS, FORMS[0])
    with batt.open_engine(engine="cpu", limits=LIMITS) as engine:
        assert engine.run(programs, samples).records.ravel().tolist() == expected.tolist()

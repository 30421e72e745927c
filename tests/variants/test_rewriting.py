"""Values from the demonstrations: what each source gives, and programs that take operands from there."""

from __future__ import annotations

import pytest

import batt
import handmade
from batt import dsl
from batt.ir import Program
from batt.jobs import samples_of
from batt.ops import METER, RAISABLE
from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.variants.places import MOVES, OperandPlace
from batt.variants.rewriting import ValueSource, fitted, rewritten, source_program, with_move

TASKS = batt.load_tasks("arc1-training")


def value(source: ValueSource, shown):
    outcome = evaluate_one(source_program(source), Sample("t", Split.TRAIN, 0, shown, ((1,),), None), Limits())
    return outcome.value if outcome.status is Status.OK else outcome.error


def grid(*colours: int):
    return (colours,)


@pytest.mark.parametrize(
    ("shown", "iz", "zo"),
    [
        ([((1, 2), (2, 3))], (1, 1), (3, 3)),
        ([((5, 1, 2), (2,)), ((0, 2), (2, 2))], (1, 0), None),
        ([((1,), (1, 9)), ((1,), (4, 1))], None, (9, 4)),
        ([((1, 2), (3,)), ((3,), (1,))], (2, 2), None),
        ([], None, None),
    ],
)
def test_colours_come_in_the_order_of_the_demonstrations(shown, iz, zo):
    pairs = tuple([(grid(*i), grid(*o)) for i, o in shown])
    first, last = iz or ("StopIteration", "ValueError")
    assert (value(ValueSource.IZ, pairs), value(ValueSource.IZ_LAST, pairs)) == (first, last)
    first, last = zo or ("StopIteration", "ValueError")
    assert (value(ValueSource.ZO, pairs), value(ValueSource.ZO_LAST, pairs)) == (first, last)


def test_colours_are_those_that_plain_python_finds():
    for task in TASKS:
        before = list(dict.fromkeys(c for i, _ in task.demonstrations for c in sorted({c for row in i for c in row})))
        after = list(dict.fromkeys(c for _, o in task.demonstrations for c in sorted({c for row in o for c in row})))
        for source, one, other in ((ValueSource.IZ, before, after), (ValueSource.ZO, after, before)):
            left = [colour for colour in one if colour not in other]
            assert value(source, task.demonstrations) == (left[0] if left else "StopIteration")


@pytest.mark.parametrize("name", MOVES)
def test_the_move_is_the_first_that_turns_every_input_into_its_output(name):
    grids = [((1, 2, 3), (4, 5, 6), (7, 8, 0)), ((1, 2), (3, 4))]
    shown = tuple([(each, getattr(dsl, name)(each)) for each in grids])
    METER.reset()
    assert value(ValueSource.MR, shown).name == name
    assert value(ValueSource.MR, (*shown, (((1, 2),), ((3,),)))) == "StopIteration"


def test_a_solver_is_called_with_the_move_by_which_it_fits():
    program = handmade.program("y = rot90(I)", "x = hconcat(I, y)")
    function = with_move(program, [OperandPlace(0, -1)], "turning")
    for name in ("vmirror", "identity", "rot180", "hmirror"):
        grids = [((1, 2), (3, 4)), ((5, 6), (7, 7))]
        shown = tuple([(each, dsl.hconcat(each, getattr(dsl, name)(each))) for each in grids])
        sample = Sample("t", Split.TEST, 0, shown, ((8, 9), (0, 1)), None)
        assert run(source_program(ValueSource.MF, function), sample).name == name
        assert run(fitted(function), sample) == dsl.hconcat(sample.input, getattr(dsl, name)(sample.input))
    METER.reset()


def test_a_symmetric_grid_is_turned_by_the_first_move_of_all():
    assert value(ValueSource.MR, ((((1,),), ((1,),)),)).name == "hmirror"


def run(program: Program, sample: Sample):
    METER.reset()
    try:
        return program.run(sample.arguments(program.arity))
    except RAISABLE as raised:
        return type(raised)
    finally:
        METER.reset()


def test_a_rewritten_program_does_what_the_program_with_that_constant_does():
    sample = Sample("t", Split.TRAIN, 0, ((grid(1, 5), grid(1, 7)),), ((1, 5), (5, 0)), None)
    lines = "x = ofcolor(I, {})", "y = identity(x)", "x = fill(I, {}, y)", "x = (x, y)"
    original = handmade.program(*[line.format("TWO") for line in lines])
    constant = handmade.program(*[line.format("FIVE") for line in lines])
    made = rewritten(original, {ValueSource.IZ: [OperandPlace(0, 1), OperandPlace(2, 1)]})
    assert run(made, sample) == run(constant, sample) != run(original, sample)


def test_a_solver_that_takes_demonstrations_keeps_its_own_use_of_them():
    program = handmade.program("y = size(S)", "x = fill(I, TWO, asindices(I))", "x = upscale(x, y)", params="S, I, C")
    sample = Sample("t", Split.TRAIN, 0, ((grid(1, 5), grid(1, 7)),) * 2, ((1,),), None)
    assert run(rewritten(program, {ValueSource.ZO: [OperandPlace(2, 1)]}), sample) == ((7, 7), (7, 7))


def test_two_sources_share_the_lines_that_they_have_in_common():
    program = handmade.program("x = replace(I, ONE, TWO)")
    made = rewritten(program, {ValueSource.IZ: [OperandPlace(0, 1)], ValueSource.ZO: [OperandPlace(0, 2)]})
    assert len(made.steps) == len(set(made.steps)) == 11


def test_a_move_can_be_called_and_handed_around():
    program = handmade.program("f = compose(vmirror, identity)", "y = f(I)", "x = vmirror(y)")
    made = rewritten(program, {ValueSource.MR: [OperandPlace(0, 0), OperandPlace(2, -1)]})
    for sample in samples_of(TASKS.select(["3c9b0459", "67a3c6ac", "74dd1130", "ed36ccf7"])):
        turn = value(ValueSource.MR, sample.demonstrations)
        assert run(made, sample) == turn(turn(sample.input))

from batt.ir import Literal
from batt.solving.expressions import INPUT, SHOWN, Expression, applied, call, compose

GRID = ((1, 2), (3, 4))


def test_an_expression_becomes_a_program_with_equal_steps_once():
    turned = call("rot90", INPUT)
    again = call("rot90", INPUT)
    program = compose(call("hconcat", turned, again))
    assert len(program.steps) == 2
    assert program.run((GRID,)) == ((3, 1, 3, 1), (4, 2, 4, 2))


def test_programs_are_applied_to_a_base_with_constants():
    fill = compose(call("vmirror", INPUT))
    program = compose(applied(fill, call("rot180", INPUT)))
    assert program.params == ("I",)
    assert program.run((GRID,)) == ((3, 4), (1, 2))


def test_an_expression_that_reads_the_demonstrations_takes_them():
    program = compose(call("first", call("first", SHOWN)))
    assert program.params == ("S", "I", "C")
    assert program.run((((GRID, GRID),), (), None)) == GRID


def test_the_input_itself_is_a_program_without_steps():
    assert compose(INPUT).run((GRID,)) == GRID


def test_a_program_with_further_parameters_gets_literals():
    program = compose(call("replace", INPUT, 1, 7))
    two_colours = compose(Expression(program, (INPUT,)))
    assert two_colours.run((GRID,)) == ((7, 2), (3, 4))
    assert Literal(7) in two_colours.steps[0].args

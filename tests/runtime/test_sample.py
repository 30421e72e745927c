"""What a solver is called with."""

from __future__ import annotations

from dataclasses import replace

from handmade import sample


def test_a_solver_of_one_gets_the_input():
    assert sample().arguments(1) == (((1, 2),),)


def test_a_solver_of_three_gets_demonstrations_and_input_but_never_the_expected_output():
    demonstrations, given, candidate = sample().arguments(3)
    assert demonstrations == ((((3, 4),), ((4, 3),)),)
    assert given == ((1, 2),)
    assert candidate is None


def test_a_program_with_parameters_gets_their_values_and_none_for_those_that_are_missing():
    given = replace(sample(), parameters=(7, (0, 1)))
    assert given.arguments(4)[3:] == (7,)
    assert given.arguments(6)[3:] == (7, (0, 1), None)
    assert given.arguments(3) == sample().arguments(3)
    assert given.arguments(1) == sample().arguments(1)

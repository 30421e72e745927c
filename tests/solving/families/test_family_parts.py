from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.expressions import compose
from batt.solving.families.family_parts import CORNERS, SIDES, black_like, drawn, filled_alone, kept_alone

GRID = ((0, 3), (4, 0))


def value_of(expression):
    return evaluate_one(compose(expression), Sample("t", Split.TRAIN, 0, (), GRID, None), Limits()).value


def test_parts_of_a_grid():
    assert value_of(black_like()) == ((0, 0), (0, 0))
    assert set(value_of(drawn())) == {(0, 1), (1, 0)}
    assert value_of(filled_alone(drawn(), 7)) == ((0, 7), (7, 0))
    assert value_of(kept_alone(drawn())) == GRID


def test_there_are_eight_directions():
    assert len({*SIDES, *CORNERS}) == 8

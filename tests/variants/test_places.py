"""Which constants are colours, and where mirrors and rotations stand."""

from __future__ import annotations

import pytest

import handmade
from batt.bench.frozen import first_132
from batt.ops import OPS
from batt.variants.places import MOVES, OperandPlace, colour_places, move_places


def test_the_eight_symmetries_are_tried_in_the_order_of_their_numbers():
    assert MOVES == ("hmirror", "dmirror", "vmirror", "cmirror", "rot90", "rot180", "rot270", "identity")
    assert [OPS[name].known.symmetry for name in MOVES] == list(range(1, 9))


@pytest.mark.parametrize(
    ("lines", "colours"),
    [
        (["x = fill(I, TWO, asindices(I))"], {2}),
        (["x = replace(I, ZERO, NINE)"], {0, 9}),
        (["x = canvas(THREE, (FOUR, FIVE))"], {3}),
        (["x = objects(I, T, F, T)", "x = colorfilter(x, ONE)", "x = sizefilter(x, SIX)"], {1}),
        (["f = lbind(recolor, FIVE)", "x = f(I)"], {5}),
        (["f = rbind(ofcolor, FIVE)", "x = f(I)"], {5}),
        (["f = lbind(ofcolor, FIVE)", "x = f(I)"], set()),
        (["f = lbind(fill, I)", "x = f(FOUR, I)"], {4}),
        (["f = matcher(color, TWO)", "g = matcher(size, THREE)", "x = I"], {2}),
        (["f = compose(color, first)", "g = matcher(f, TWO)", "x = I"], {2}),
        (["c = mostcolor(I)", "x = equality(c, TWO)", "x = equality(size(I), THREE)"], {2}),
        (["c = palette(I)", "c = remove(ZERO, c)", "x = contained(ONE, I)"], {0}),
        (["c = palette(I)", "c = other(c, SEVEN)", "x = fill(I, c, I)"], {7}),
        (["c = branch(I, ONE, TWO)", "n = branch(I, THREE, FOUR)", "x = fill(I, c, I)", "x = upscale(x, n)"], {1, 2}),
        (["x = fill(I, 12, I)", "x = fill(I, NEG_ONE, I)", "x = fill(I, T, I)"], set()),
        (["x = add(ONE, TWO)"], set()),
    ],
)
def test_a_constant_is_a_colour_where_a_primitive_takes_it_as_one(lines, colours):
    assert set(colour_places(handmade.program(*lines))) == colours


def test_all_places_of_a_colour_are_found():
    program = handmade.program("x = ofcolor(I, TWO)", "x = fill(I, TWO, x)", "x = upscale(x, TWO)")
    assert colour_places(program) == {2: [OperandPlace(0, 1), OperandPlace(1, 1)]}


def test_moves_are_found_called_and_handed_around():
    program = handmade.program("x = vmirror(I)", "f = compose(rot90, vmirror)", "x = f(x)", "x = identity(x)")
    assert move_places(program) == {"vmirror": [OperandPlace(0, -1), OperandPlace(1, 1)], "rot90": [OperandPlace(1, 0)]}


def test_most_solvers_of_the_built_in_deck_have_a_colour():
    assert sum(bool(colour_places(solver.program)) for solver in first_132()) > 60

"""Patches by the colours of a figure: its cells of one colour, and rays that these point out."""

from batt.dsl import *
from batt.words import *

from .parts import of_colour


def pointed_ray(figure):
    """The ray from a figure's rarest cells, away from its middle."""
    tip = of_colour(figure, leastcolor(figure))
    way = sign(subtract(center(tip), center(figure)))
    return mapply(lambda place: shoot(place, way), tip)


def solve_patch_pointed_ray(S, I):
    """The ray from its rarest cells, away from its middle."""
    return lambda figure: difference(pointed_ray(figure), toindices(figure))


def solve_patch_opposite_ray(S, I):
    """The ray from its middle, away from its rarest cells."""
    return lambda figure: difference(
        shoot(center(figure), sign(subtract(center(figure), center(of_colour(figure, leastcolor(figure)))))),
        toindices(figure),
    )


def solve_patch_main_part(S, I):
    """Its cells of its main colour."""
    return lambda figure: of_colour(figure, mostcolor(figure))


def solve_patch_least_part(S, I):
    """Its cells of its least frequent colour."""
    return lambda figure: of_colour(figure, leastcolor(figure))

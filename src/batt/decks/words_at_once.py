"""All of a grid at once, by new words: rays, joins, gravity, floods, holes and mending."""

from batt.dsl import *
from batt.words import *

from .idioms import blank_like, by_frequency, cells_except, foreground, in_step
from .repair import hole_colour


def solve_d037b0a7(I):
    """Every colored cell drips down to the bottom."""
    ground = mostcolor(I)
    dripped = rays(I, ground, NEG_ONE, DOWN)
    return dripped


def solve_29ec7d0e(I):
    """Fill the holes by going on with the pattern that repeats across and down."""
    hole = hole_colour(I)
    mended = retile(I, hole, UNITY)
    return mended


def solve_c3f564a4(I):
    """Fill the holes as the slanting stripes around them are."""
    hole = hole_colour(I)
    mended = inpaint(I, hole)
    return mended


def solve_1f876c06(I):
    """Two dots of the same colour are joined by a diagonal line."""
    ground = mostcolor(I)
    ways = astuple(UNITY, DOWN_LEFT)
    joined = joins(I, ground, ways)
    return joined


def solve_1e0a9b12(I):
    """Let the coloured cells of every column fall to the bottom."""
    ground = mostcolor(I)
    cells = foreground(I)
    grains = apply(initset, cells)
    fallen = fall(I, ground, grains, DOWN)
    return fallen


def solve_d5d6de2d(I):
    """The holes of the frames turn green, and the frames and blocks vanish."""
    frames = objects(I, T, F, T)
    holes_of = rbind(holes, F)
    gaps = mapply(holes_of, frames)
    blank = blank_like(I)
    filled = fill(blank, THREE, gaps)
    return filled


def solve_7b6016b9(I):
    """Regions shut in by the lines turn red and the open background turns green."""
    ground = mostcolor(I)
    rooms = inside(I, ground, F)
    filled = fill(I, TWO, rooms)
    open_places = outside(I, ground, F)
    result = fill(filled, THREE, open_places)
    return result


def solve_3631a71a(I):
    """The covered parts of the symmetric picture, whose middle lies one cell off, are restored from its other sides."""
    turned = dmirror(I)
    cells = asobject(I)
    turned_cells = asobject(turned)
    broken = difference(cells, turned_cells)
    mask = mostcolor(broken)
    one = mend(I, mask, UNITY)
    two = mend(one, mask, DOWN)
    three = mend(two, mask, RIGHT)
    return three


def solve_b782dc8a(I):
    """The two colours spread from the cross through the whole passage of the maze, in turns."""
    ranked = by_frequency(I)
    core_colour = ranked[0]
    arm_colour = ranked[1]
    core = ofcolor(I, core_colour)
    spot = first(core)
    sides = dneighbors(spot)
    side_cells = toobject(sides, I)
    blocked = cells_except(side_cells, arm_colour)
    tips = ineighbors(spot)
    tip_cells = toobject(tips, I)
    bricks = either(blocked, tip_cells)
    wall = mostcolor(bricks)
    cross_colours = astuple(core_colour, arm_colour)
    main_colours = difference(ranked, cross_colours)
    free = other(main_colours, wall)
    ways = dneighbors(ORIGIN)
    spilt = spread(I, free, wall, ways)
    dry = ofcolor(spilt, free)
    walls = ofcolor(spilt, wall)
    outer = combine(dry, walls)
    everywhere = asindices(I)
    places = difference(everywhere, outer)
    core_places = in_step(places, spot)
    flooded = fill(I, arm_colour, places)
    answer = fill(flooded, core_colour, core_places)
    return answer

"""The image families: short programs from grid to grid, most with a parameter, that a search applies again and again.

Black is empty. A family that picks something keeps it in its place on a black grid, so that what is picked can be laid
over other grids; the families of crops cut it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import product
from typing import Any

from batt.ir import Program, Slot
from batt.ops import EVERY_OP
from batt.solving.expressions import INPUT, PARAMETER, SHOWN, Expression, call, compose

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = (-1, -1), (-1, 1), (1, -1), (1, 1)
SIDES, CORNERS = (UP, DOWN, LEFT, RIGHT), (UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT)
NO_WALL = -1
AXES = ((0, 1), (1, 0), (1, 1), (1, -1), (0, 0))


class FamilyParameter(Enum):
    """What the parameter of a family is."""

    NONE = "no parameter"
    COLOUR = "a colour of the inputs"
    PAINT = "a colour of the outputs"
    SIZE = "the size of the output"


class FamilyUse(Enum):
    """Where a family is applied."""

    ONCE = "to the input only"
    TWICE = "to the input and to what families make of it"


@dataclass(frozen=True, slots=True)
class ImageFamily:
    """A program from grid to grid, (I), (S, I, C) or (S, I, C, P0)."""

    name: str
    program: Program
    parameter: FamilyParameter
    use: FamilyUse

    @property
    def reads_shown(self) -> bool:
        """Tell whether it reads the demonstrations."""
        return self.program.arity > 1 and any(Slot(0) in step.args for step in self.program.steps)


@cache
def image_families() -> tuple[ImageFamily, ...]:
    """Return all families, those that help most often first."""
    found = []
    for use, makers in _MAKERS.items():
        for maker in makers:
            for name, expression in maker():
                kind = FamilyParameter.NONE
                for each in FamilyParameter:
                    if name.endswith(f" {each.name}"):
                        kind = each
                found.append(ImageFamily(name, compose(expression), kind, use))
    return tuple(found)


Named = Iterator[tuple[str, Expression]]


def function(name: str) -> Any:
    """Return an op as a value that other ops take."""
    return EVERY_OP[name]


def _black(like: Expression = INPUT) -> Expression:
    return call("canvas", 0, call("shape", like))


def _drawn(grid: Expression = INPUT) -> Expression:
    """Return the places that are not black."""
    return call("difference", call("asindices", grid), call("ofcolor", grid, 0))


def _kept(places: Expression, grid: Expression = INPUT) -> Expression:
    """Return the grid in these places, and black elsewhere."""
    return call("paint", _black(grid), call("toobject", places, grid))


def _filled(places: Expression, colour: Expression | int) -> Expression:
    """Return the colour in these places, and black elsewhere."""
    return call("fill", _black(), colour, places)


def _roles() -> dict[str, Expression]:
    """Return colours by their role in a grid."""
    drawn = call("toobject", _drawn(), INPUT)
    found = call("objects", INPUT, False, True, True)
    return {
        "rarest": call("leastcolor", INPUT),
        "most drawn": call("mostcolor", drawn),
        "least drawn": call("leastcolor", drawn),
        "of the largest": call("mostcolor", call("argmax", found, function("size"))),
        "of the smallest": call("mostcolor", call("argmin", found, function("size"))),
    }


@cache
def role_colours() -> tuple[Program, ...]:
    """Return the programs of colours that take the place of a colour parameter where they differ between samples."""
    return tuple(map(compose, _roles().values()))


def _turns() -> Named:
    for name in ("vmirror", "hmirror", "rot180", "dmirror", "cmirror", "rot90", "rot270"):
        yield name, call(name, INPUT)


def _halves() -> Named:
    for name in ("tophalf", "bottomhalf", "lefthalf", "righthalf"):
        yield name, call(name, INPUT)


def _colours() -> Named:
    places = call("ofcolor", INPUT, PARAMETER)
    yield "only COLOUR", _filled(places, PARAMETER)
    yield "without COLOUR", call("replace", INPUT, PARAMETER, 0)
    yield "drawn in PAINT", _filled(_drawn(), PARAMETER)
    yield "black in PAINT", _filled(call("ofcolor", INPUT, 0), PARAMETER)


def _rays() -> Named:
    sets = {
        "up": UP,
        "down": DOWN,
        "left": LEFT,
        "right": RIGHT,
        "down right": DOWN_RIGHT,
        "up left": UP_LEFT,
        "up right": UP_RIGHT,
        "down left": DOWN_LEFT,
        "vertical": (UP, DOWN),
        "horizontal": (LEFT, RIGHT),
        "straight": SIDES,
        "diagonal": (DOWN_RIGHT, UP_LEFT),
        "other diagonal": (UP_RIGHT, DOWN_LEFT),
        "diagonals": CORNERS,
        "all": (*SIDES, *CORNERS),
    }
    for name, directions in sets.items():
        yield f"rays {name}", call("rays", INPUT, 0, NO_WALL, directions)


def _walled_rays() -> Named:
    sets = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT, "vertical": (UP, DOWN), "horizontal": (LEFT, RIGHT)}
    for name, directions in {**sets, "straight": SIDES, "diagonals": CORNERS}.items():
        yield f"rays {name}, wall COLOUR", call("rays", INPUT, 0, PARAMETER, directions)


def _joins() -> Named:
    sets = {"horizontal": RIGHT, "vertical": DOWN, "straight": (RIGHT, DOWN), "diagonals": (DOWN_RIGHT, DOWN_LEFT)}
    for name, directions in sets.items():
        made = call("joins", INPUT, 0, directions)
        yield f"joins {name}", made
        yield f"joins {name} alone", _kept(call("ofcolor", INPUT, 0), made)


def _sized() -> Named:
    origin = (0, 0)
    yield "tile SIZE", call("tile", INPUT, PARAMETER, origin, 0)
    yield "mirror tile SIZE", call("mirrortile", INPUT, PARAMETER, origin, 0)
    yield "resize SIZE", call("resize", INPUT, PARAMETER)
    yield "resize to most SIZE", call("resizemost", INPUT, PARAMETER, 0)
    yield "tile with a gap SIZE", call("tile", INPUT, PARAMETER, origin, 1)
    yield "tile after a gap SIZE", call("tile", INPUT, PARAMETER, (1, 1), 1)
    yield "mirror tile from the second SIZE", call("mirrortile", INPUT, PARAMETER, call("shape", INPUT), 0)
    yield "mirror tile beside SIZE", call("mirrortile", INPUT, PARAMETER, call("tojvec", call("width", INPUT)), 0)
    yield "mirror tile below SIZE", call("mirrortile", INPUT, PARAMETER, call("toivec", call("height", INPUT)), 0)
    blank = call("canvas", 0, PARAMETER)
    yield "at the corner SIZE", call("paint", blank, call("asobject", INPUT))
    spare = call("subtract", call("shape", INPUT), PARAMETER)
    corners = {"first": (0, 0), "last": spare, "left": call("multiply", spare, (1, 0))}
    for name, corner in {**corners, "right": call("multiply", spare, (0, 1))}.items():
        yield f"cut out of the {name} corner SIZE", call("crop", INPUT, corner, PARAMETER)
    middle = call("halve", call("subtract", PARAMETER, call("shape", INPUT)))
    yield "in the middle SIZE", call("paint", blank, call("shift", call("asobject", INPUT), middle))


def _compressed() -> Named:
    yield "box", call("subgrid", call("toobject", _drawn(), INPUT), INPUT)
    yield "no blank lines", call("dropblank", INPUT, 0)
    yield "merged lines", call("mergelines", INPUT)
    yield "no plain lines", call("compress", INPUT)
    yield "trimmed", call("trim", INPUT)
    yield "box of COLOUR", call("subgrid", call("ofcolor", INPUT, PARAMETER), INPUT)
    yield "inside COLOUR", call("trim", call("subgrid", call("ofcolor", INPUT, PARAMETER), INPUT))
    yield "without the border of COLOUR", call("dropblank", call("replace", INPUT, PARAMETER, 0), 0)
    for factor in (2, 3):
        yield f"shrunk by {factor}", call("shrink", INPUT, factor)
        yield f"upscaled by {factor}", call("upscale", INPUT, factor)


def _regions() -> Named:
    for name, diagonal in (("", False), (" 8", True)):
        inner = call("inside", INPUT, 0, diagonal)
        yield f"inside{name} PAINT", _filled(inner, PARAMETER)
        yield f"outside{name} PAINT", _filled(call("outside", INPUT, 0, diagonal), PARAMETER)
        steps = (*SIDES, *CORNERS) if diagonal else SIDES
        flooded = call("spread", INPUT, 0, NO_WALL, steps)
        yield f"spread{name}", flooded
        yield f"spread{name}, wall COLOUR", call("spread", INPUT, 0, PARAMETER, steps)
        yield f"holes filled{name}", call("choosecells", inner, flooded, INPUT)
        yield f"holes alone{name}", _kept(inner, flooded)


def _outlines() -> Named:
    for name in ("neighbors", "dneighbors"):
        around = call("mapply", function(name), _drawn())
        yield f"around by {name} PAINT", call("fill", _filled(around, PARAMETER), 0, _drawn())
        beside = call("mapply", function(name), call("outside", INPUT, 0, False))
        edge = call("intersection", beside, _drawn())
        yield f"edge by {name}", _kept(edge)
        yield f"core by {name}", _kept(call("difference", _drawn(), edge))
    for down, right in (*SIDES, *CORNERS):
        moved = call("shift", call("toobject", _drawn(), INPUT), (down, right))
        yield f"moved by {down}, {right}", call("paint", _black(), moved)


def _segmentations() -> dict[str, Expression]:
    return {
        "one": call("objects", INPUT, True, False, True),
        "one 8": call("objects", INPUT, True, True, True),
        "all 8": call("objects", INPUT, False, True, True),
    }


def _boxes() -> Named:
    for name, found in _segmentations().items():
        for part in ("backdrop", "box", "delta", "outbox", "inbox"):
            yield f"{part} of {name} PAINT", _filled(call("mapply", function(part), found), PARAMETER)


def _symmetric() -> Named:
    for name in ("vmirror", "hmirror", "rot180", "dmirror", "cmirror", "rot90"):
        yield f"with {name}", call("choosecells", INPUT, INPUT, call(name, INPUT))
    both = call("choosecells", INPUT, INPUT, call("vmirror", INPUT))
    yield "with all mirrors", call("choosecells", both, both, call("hmirror", both))
    turned = call("choosecells", INPUT, INPUT, call("rot180", INPUT))
    yield "with all turns", call("choosecells", turned, turned, call("rot90", turned))


def _wrapped() -> Named:
    for phase in SIDES:
        yield f"wrapped by {phase}", call("tile", INPUT, call("shape", INPUT), phase, 0)


def _falling() -> Named:
    for (name, found), (side, direction) in product(
        list(_segmentations().items())[:2], zip(("up", "down", "left", "right"), SIDES, strict=True)
    ):
        yield f"{name} fall {side}", call("fall", INPUT, 0, found, direction)
    cells = call("apply", function("initset"), call("toobject", _drawn(), INPUT))
    for side, direction in zip(("up", "down", "left", "right"), SIDES, strict=True):
        yield f"cells fall {side}", call("fall", INPUT, 0, cells, direction)


MEASURES = ("size", "height", "width", "uppermost", "leftmost", "numcolors")


def _picked() -> Named:
    for (kind, found), name in product(_segmentations().items(), MEASURES):
        for best in ("argmax", "argmin"):
            one = call(best, found, function(name))
            yield f"{best} {name} of {kind}", call("paint", _black(), one)
            yield f"box of {best} {name} of {kind}", call("subgrid", one, INPUT)
    for kind, found in _segmentations().items():
        for best in ("valmax", "valmin"):
            alike = call("sizefilter", found, call(best, found, function("size")))
            yield f"all of {best} size of {kind}", call("paint", _black(), call("merge", alike))
            rest = call("difference", found, alike)
            yield f"all but {best} size of {kind}", call("paint", _black(), call("merge", rest))
        at_border = call("mfilter", found, call("rbind", function("bordering"), INPUT))
        yield f"at the border of {kind}", call("paint", _black(), at_border)
        yield f"not at the border of {kind}", call("cover", INPUT, at_border)
        for name in ("square", "vline", "hline"):
            yield f"{name} of {kind}", call("paint", _black(), call("mfilter", found, function(name)))
        dots = call("sizefilter", found, 1)
        yield f"dots of {kind}", call("paint", _black(), call("merge", dots))
        yield f"no dots of {kind}", call("paint", _black(), call("merge", call("difference", found, dots)))


def _drawn_of() -> Expression:
    """Return the function from a grid to its cells that are not black."""
    places = call("fork", function("difference"), function("asindices"), call("rbind", function("ofcolor"), 0))
    return call("fork", function("toobject"), places, function("identity"))


def _panels() -> Named:
    found = call("panels", INPUT)
    yield "first panel", call("first", found)
    yield "last panel", call("last", found)
    blacks = call("rbind", function("colorcount"), 0)
    for best in ("argmax", "argmin"):
        yield f"panel by {best} black", call(best, found, blacks)
        yield f"panel by {best} colours", call(best, found, function("numcolors"))
    yield "rarest panel", call("leastcommon", found)
    yield "commonest panel", call("mostcommon", found)
    for name in ("mostcolor", "leastcolor"):
        summed = call("lbind", function("apply"), function(name))
        yield f"panels as {name}", call("apply", summed, call("panelrows", INPUT))
    blank = call("canvas", 0, call("shape", call("first", found)))
    yield "panels on one another", call("paintorder", blank, call("apply", _drawn_of(), found))
    by_black = call("apply", _drawn_of(), call("order", found, blacks))
    yield "panels by size on one another", call("paintorder", blank, by_black)


def _stacked() -> Named:
    for kind, found in _segmentations().items():
        plain = call("apply", function("normalize"), found)
        blank = call("canvas", 0, call("shape", call("merge", plain)))
        for measure in ("size", "uppermost", "leftmost"):
            ordered = call("apply", function("normalize"), call("order", found, function(measure)))
            yield f"{kind} in the corner by {measure}", call("paintorder", blank, ordered)


def _repaired() -> Named:
    yield "inpainted COLOUR", call("inpaint", INPUT, PARAMETER)
    for axes in ((1, 1), (0, 1), (1, 0)):
        yield f"retiled {axes} COLOUR", call("retile", INPUT, PARAMETER, axes)
    for axis in AXES:
        yield f"mended {axis} COLOUR", call("mend", INPUT, PARAMETER, axis)
    both = call("mend", call("mend", INPUT, PARAMETER, (0, 1)), PARAMETER, (1, 0))
    yield "mended both ways COLOUR", both
    yield "mended in all ways COLOUR", call("mend", call("mend", both, PARAMETER, (1, 1)), PARAMETER, (1, -1))


def _shown() -> Named:
    yield "common cells", call("commoncells", SHOWN, 0)
    yield "blank SIZE", call("canvas", 0, PARAMETER)
    for name, colour in {"commonest": call("mostcolor", INPUT), **_roles()}.items():
        yield f"blank, {name} SIZE", call("canvas", colour, PARAMETER)
    yield "blank PAINT", call("canvas", PARAMETER, call("shape", INPUT))


_MAKERS = {
    FamilyUse.TWICE: (
        *(_turns, _halves, _colours, _rays, _joins, _sized, _compressed, _regions, _outlines, _symmetric),
        *(_walled_rays, _boxes, _wrapped, _falling, _picked, _panels, _stacked),
    ),
    FamilyUse.ONCE: (_repaired, _shown),
}

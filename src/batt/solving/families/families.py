"""The image families: short programs from grid to grid, most with a parameter, that a search applies again and again.

Black is empty. A family that picks something keeps it in its place on a black grid, so that what is picked can be laid
over other grids; the families of crops cut it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

from batt.ir import Program, Slot
from batt.solving.expressions import INPUT, PARAMETER, SHOWN, Expression, call, compose, op
from batt.solving.families.family_parts import (
    CORNERS,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    LEFT,
    RIGHT,
    SIDES,
    UP,
    UP_LEFT,
    UP_RIGHT,
    NamedExpressions,
    black_like,
    drawn,
    filled_alone,
    kept_alone,
)
from batt.solving.families.figure_families import boxes, falls, panel_images, picks, stacked_figures

NO_WALL = -1
AXES = ((0, 1), (1, 0), (1, 1), (1, -1), (0, 0))


class FamilyParameter(Enum):
    """The kinds of parameters of a family."""

    NONE = "no parameter"
    COLOUR = "a colour of the inputs"
    PAINT = "a colour of the outputs"
    SIZE = "the size of the output"


class FamilyUse(Enum):
    """The uses of a family: what it is applied to."""

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


def _roles() -> dict[str, Expression]:
    """Return colours by their role in a grid."""
    cells = call("toobject", drawn(), INPUT)
    found = call("objects", INPUT, False, True, True)
    return {
        "rarest": call("leastcolor", INPUT),
        "most drawn": call("mostcolor", cells),
        "least drawn": call("leastcolor", cells),
        "of the largest": call("mostcolor", call("argmax", found, op("size"))),
        "of the smallest": call("mostcolor", call("argmin", found, op("size"))),
    }


@cache
def role_colours() -> tuple[Program, ...]:
    """Return the programs of colours that take the place of a colour parameter where they differ between samples."""
    return tuple(map(compose, _roles().values()))


def _turns() -> NamedExpressions:
    for name in ("vmirror", "hmirror", "rot180", "dmirror", "cmirror", "rot90", "rot270"):
        yield name, call(name, INPUT)


def _halves() -> NamedExpressions:
    for name in ("tophalf", "bottomhalf", "lefthalf", "righthalf"):
        yield name, call(name, INPUT)


def _colours() -> NamedExpressions:
    places = call("ofcolor", INPUT, PARAMETER)
    yield "only COLOUR", filled_alone(places, PARAMETER)
    yield "without COLOUR", call("replace", INPUT, PARAMETER, 0)
    yield "drawn in PAINT", filled_alone(drawn(), PARAMETER)
    yield "black in PAINT", filled_alone(call("ofcolor", INPUT, 0), PARAMETER)


def _rays() -> NamedExpressions:
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


def _walled_rays() -> NamedExpressions:
    sets = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT, "vertical": (UP, DOWN), "horizontal": (LEFT, RIGHT)}
    for name, directions in {**sets, "straight": SIDES, "diagonals": CORNERS}.items():
        yield f"rays {name}, wall COLOUR", call("rays", INPUT, 0, PARAMETER, directions)


def _joins() -> NamedExpressions:
    sets = {"horizontal": RIGHT, "vertical": DOWN, "straight": (RIGHT, DOWN), "diagonals": (DOWN_RIGHT, DOWN_LEFT)}
    for name, directions in sets.items():
        made = call("joins", INPUT, 0, directions)
        yield f"joins {name}", made
        yield f"joins {name} alone", kept_alone(call("ofcolor", INPUT, 0), made)


def _sized() -> NamedExpressions:
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


def _in_place() -> NamedExpressions:
    """Yield what is drawn, or the largest figure, repeated from its place over the whole grid."""
    figures = call("objects", INPUT, False, True, True)
    for name, part in (("box", call("toobject", drawn(), INPUT)), ("largest", call("argmax", figures, op("size")))):
        box, corner, whole = call("subgrid", part, INPUT), call("ulcorner", part), call("shape", INPUT)
        for gap in (0, 1):
            yield f"{name} tiled in place, gap {gap}", call("tile", box, whole, corner, gap)
        yield f"{name} mirror tiled in place", call("mirrortile", box, whole, corner, 0)


def _compressed() -> NamedExpressions:
    yield "box", call("subgrid", call("toobject", drawn(), INPUT), INPUT)
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


def _regions() -> NamedExpressions:
    for name, diagonal in (("", False), (" 8", True)):
        inner = call("inside", INPUT, 0, diagonal)
        yield f"inside{name} PAINT", filled_alone(inner, PARAMETER)
        yield f"outside{name} PAINT", filled_alone(call("outside", INPUT, 0, diagonal), PARAMETER)
        steps = (*SIDES, *CORNERS) if diagonal else SIDES
        flooded = call("spread", INPUT, 0, NO_WALL, steps)
        yield f"spread{name}", flooded
        yield f"spread{name}, wall COLOUR", call("spread", INPUT, 0, PARAMETER, steps)
        yield f"holes filled{name}", call("choosecells", inner, flooded, INPUT)
        yield f"holes alone{name}", kept_alone(inner, flooded)


def _outlines() -> NamedExpressions:
    for name in ("neighbors", "dneighbors"):
        around = call("mapply", op(name), drawn())
        yield f"around by {name} PAINT", call("fill", filled_alone(around, PARAMETER), 0, drawn())
        beside = call("mapply", op(name), call("outside", INPUT, 0, False))
        edge = call("intersection", beside, drawn())
        yield f"edge by {name}", kept_alone(edge)
        yield f"core by {name}", kept_alone(call("difference", drawn(), edge))
    for down, right in (*SIDES, *CORNERS):
        moved = call("shift", call("toobject", drawn(), INPUT), (down, right))
        yield f"moved by {down}, {right}", call("paint", black_like(), moved)


def _symmetric() -> NamedExpressions:
    for name in ("vmirror", "hmirror", "rot180", "dmirror", "cmirror", "rot90"):
        yield f"with {name}", call("choosecells", INPUT, INPUT, call(name, INPUT))
    both = call("choosecells", INPUT, INPUT, call("vmirror", INPUT))
    yield "with all mirrors", call("choosecells", both, both, call("hmirror", both))
    turned = call("choosecells", INPUT, INPUT, call("rot180", INPUT))
    yield "with all turns", call("choosecells", turned, turned, call("rot90", turned))


def _wrapped() -> NamedExpressions:
    for phase in SIDES:
        yield f"wrapped by {phase}", call("tile", INPUT, call("shape", INPUT), phase, 0)


def _repaired() -> NamedExpressions:
    yield "inpainted COLOUR", call("inpaint", INPUT, PARAMETER)
    for axes in ((1, 1), (0, 1), (1, 0)):
        yield f"retiled {axes} COLOUR", call("retile", INPUT, PARAMETER, axes)
    for axis in AXES:
        yield f"mended {axis} COLOUR", call("mend", INPUT, PARAMETER, axis)
    both = call("mend", call("mend", INPUT, PARAMETER, (0, 1)), PARAMETER, (1, 0))
    yield "mended both ways COLOUR", both
    all_ways = call("mend", call("mend", both, PARAMETER, (1, 1)), PARAMETER, (1, -1))
    yield "mended in all ways COLOUR", all_ways
    hidden = call("ofcolor", INPUT, PARAMETER)
    repairs = {"inpainted": call("inpaint", INPUT, PARAMETER), "retiled": call("retile", INPUT, PARAMETER, (1, 1))}
    repairs |= {f"mended {axis}": call("mend", INPUT, PARAMETER, axis) for axis in AXES}
    for name, made in {**repairs, "mended both ways": both, "mended in all ways": all_ways}.items():
        yield f"hidden part, {name} COLOUR", call("subgrid", hidden, made)


def _shown() -> NamedExpressions:
    yield "common cells", call("commoncells", SHOWN, 0)
    yield "blank SIZE", call("canvas", 0, PARAMETER)
    for name, colour in {"commonest": call("mostcolor", INPUT), **_roles()}.items():
        yield f"blank, {name} SIZE", call("canvas", colour, PARAMETER)
    yield "blank PAINT", call("canvas", PARAMETER, call("shape", INPUT))


_MAKERS = {
    FamilyUse.TWICE: (
        *(_turns, _halves, _colours, _rays, _joins, _sized, _compressed, _regions, _outlines, _symmetric),
        *(_walled_rays, boxes, _wrapped, falls, picks, panel_images, stacked_figures, _in_place),
    ),
    FamilyUse.ONCE: (_repaired, _shown),
}

"""The image families of figures and panels: boxes, falls, what a measure picks, and panels laid on one another."""

from __future__ import annotations

from itertools import product

from batt.solving.expressions import INPUT, PARAMETER, Expression, call, op
from batt.solving.families.family_parts import SIDES, NamedExpressions, black_like, drawn, filled_alone

MEASURES = ("size", "height", "width", "uppermost", "leftmost", "numcolors")


def segmentations() -> dict[str, Expression]:
    """Return the figures of a grid by kind: of one colour or several, with four neighbours or eight."""
    return {
        "one": call("objects", INPUT, True, False, True),
        "one 8": call("objects", INPUT, True, True, True),
        "all 8": call("objects", INPUT, False, True, True),
    }


def boxes() -> NamedExpressions:
    """Yield the boxes of all figures: filled, as outlines, or without the figures."""
    for name, found in segmentations().items():
        for part in ("backdrop", "box", "delta", "outbox", "inbox"):
            yield f"{part} of {name} PAINT", filled_alone(call("mapply", op(part), found), PARAMETER)


def falls() -> NamedExpressions:
    """Yield the figures, or all cells, moved until something stops them."""
    for (name, found), (side, direction) in product(
        list(segmentations().items())[:2], zip(("up", "down", "left", "right"), SIDES, strict=True)
    ):
        yield f"{name} fall {side}", call("fall", INPUT, 0, found, direction)
    cells = call("apply", op("initset"), call("toobject", drawn(), INPUT))
    for side, direction in zip(("up", "down", "left", "right"), SIDES, strict=True):
        yield f"cells fall {side}", call("fall", INPUT, 0, cells, direction)


def picks() -> NamedExpressions:
    """Yield the figures that a measure picks, in place or cut out, and groups of figures."""
    for (kind, found), name in product(segmentations().items(), MEASURES):
        for best in ("argmax", "argmin"):
            one = call(best, found, op(name))
            yield f"{best} {name} of {kind}", call("paint", black_like(), one)
            yield f"box of {best} {name} of {kind}", call("subgrid", one, INPUT)
    for kind, found in segmentations().items():
        for best in ("valmax", "valmin"):
            alike = call("sizefilter", found, call(best, found, op("size")))
            yield f"all of {best} size of {kind}", call("paint", black_like(), call("merge", alike))
            rest = call("difference", found, alike)
            yield f"all but {best} size of {kind}", call("paint", black_like(), call("merge", rest))
        at_border = call("mfilter", found, call("rbind", op("bordering"), INPUT))
        yield f"at the border of {kind}", call("paint", black_like(), at_border)
        yield f"not at the border of {kind}", call("cover", INPUT, at_border)
        for name in ("square", "vline", "hline"):
            yield f"{name} of {kind}", call("paint", black_like(), call("mfilter", found, op(name)))
        dots = call("sizefilter", found, 1)
        yield f"dots of {kind}", call("paint", black_like(), call("merge", dots))
        yield f"no dots of {kind}", call("paint", black_like(), call("merge", call("difference", found, dots)))


def _drawn_of() -> Expression:
    """Return the function from a grid to its cells that are not black."""
    places = call("fork", op("difference"), op("asindices"), call("rbind", op("ofcolor"), 0))
    return call("fork", op("toobject"), places, op("identity"))


def panel_images() -> NamedExpressions:
    """Yield a panel, all panels as one cell each, and all laid on one another."""
    found = call("panels", INPUT)
    yield "first panel", call("first", found)
    yield "last panel", call("last", found)
    blacks = call("rbind", op("colorcount"), 0)
    for best in ("argmax", "argmin"):
        yield f"panel by {best} black", call(best, found, blacks)
        yield f"panel by {best} colours", call(best, found, op("numcolors"))
    yield "rarest panel", call("leastcommon", found)
    yield "commonest panel", call("mostcommon", found)
    for name in ("mostcolor", "leastcolor"):
        summed = call("lbind", op("apply"), op(name))
        yield f"panels as {name}", call("apply", summed, call("panelrows", INPUT))
    blank = call("canvas", 0, call("shape", call("first", found)))
    yield "panels on one another", call("paintorder", blank, call("apply", _drawn_of(), found))
    by_black = call("apply", _drawn_of(), call("order", found, blacks))
    yield "panels by size on one another", call("paintorder", blank, by_black)


def stacked_figures() -> NamedExpressions:
    """Yield the figures laid on one another in the corner, in an order."""
    for kind, found in segmentations().items():
        plain = call("apply", op("normalize"), found)
        blank = call("canvas", 0, call("shape", call("merge", plain)))
        for measure in ("size", "uppermost", "leftmost"):
            ordered = call("apply", op("normalize"), call("order", found, op(measure)))
            yield f"{kind} in the corner by {measure}", call("paintorder", blank, ordered)

"""The 160 primitives, one file per family, each declared once beside its reference body."""

from batt.ops import (
    applying,
    arithmetic,
    choosing,
    colours,
    containers,
    drawing,
    functions,
    grids,
    lines,
    logic,
    mirrors,
    objects,
    patches,
    relations,
    scaling,
    search,
)
from batt.ops.constants import CONSTANTS
from batt.ops.meter import METER, OverBudget, items
from batt.ops.table import OPS, OWN, RAISABLE, Example, Op, Signature, families, find_op

__all__ = [
    "CONSTANTS",
    "METER",
    "OPS",
    "OWN",
    "RAISABLE",
    "Example",
    "Op",
    "OverBudget",
    "Signature",
    "applying",
    "arithmetic",
    "choosing",
    "colours",
    "containers",
    "drawing",
    "families",
    "find_op",
    "functions",
    "grids",
    "items",
    "lines",
    "logic",
    "mirrors",
    "objects",
    "patches",
    "relations",
    "scaling",
    "search",
]

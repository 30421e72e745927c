"""The 160 primitives and the forms of everyday Python: a file per family, each op beside its reference body."""

from batt.ops import (  # noqa: F401
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
    python,
    relations,
    scaling,
    search,
)
from batt.ops.constants import CONSTANTS
from batt.ops.meter import METER, OverBudget, items
from batt.ops.table import (
    EVERY_OP,
    LANGUAGE,
    OPS,
    OWN,
    PYTHON,
    RAISABLE,
    Example,
    Op,
    Signature,
    families,
    find_op,
    groups,
)

__all__ = [
    "CONSTANTS",
    "EVERY_OP",
    "LANGUAGE",
    "METER",
    "OPS",
    "OWN",
    "PYTHON",
    "RAISABLE",
    "Example",
    "Op",
    "OverBudget",
    "Signature",
    "families",
    "find_op",
    "groups",
    "items",
]

"""A user's own ops: what a file given with `--ops` imports, and how such files are read.

from batt.own import GRID, INT, op

@op(GRID, result=INT)
def enclosed(grid): ...
"""

from batt.ops.meter import items, unit, whole
from batt.own.declaring import Ops, OwnOp, op
from batt.own.loading import load_ops, own_ops
from batt.types import Kind

ANY, BOOL, INT, PAIR, NUM = Kind.ANY, Kind.BOOL, Kind.INT, Kind.PAIR, Kind.NUM
GRID, CELL, OBJECT, OBJECTS = Kind.GRID, Kind.CELL, Kind.OBJECT, Kind.OBJECTS
INDICES, PATCH, PIECE, ELEMENT = Kind.INDICES, Kind.PATCH, Kind.PIECE, Kind.ELEMENT
TUPLE, SET, CONTAINER, FN = Kind.TUPLE, Kind.SET, Kind.CONTAINER, Kind.FN

__all__ = [
    "ANY",
    "BOOL",
    "CELL",
    "CONTAINER",
    "ELEMENT",
    "FN",
    "GRID",
    "INDICES",
    "INT",
    "NUM",
    "OBJECT",
    "OBJECTS",
    "PAIR",
    "PATCH",
    "PIECE",
    "SET",
    "TUPLE",
    "Kind",
    "Ops",
    "OwnOp",
    "items",
    "load_ops",
    "op",
    "own_ops",
    "unit",
    "whole",
]

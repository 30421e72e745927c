"""Hypothesis strategies for the values of the language, and what turns a value into an equal one of other objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from batt.dsl import chain, compose, first, fork, last, lbind, matcher, power, rbind
from batt.ops import OPS
from batt.types import Kind, Made, OrderedSet, unordered

Strategy = st.SearchStrategy[Any]

colours = st.integers(0, 9)
flags = st.booleans()
small_ints = st.integers(-3, 12)
sides = st.integers(1, 6) | st.integers(1, 30)
"""Lengths of a grid's side, mostly short ones."""

edge_ints = st.sampled_from([239, 240, 255, 256, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30, -(2**70)])
"""Ints at which a way to write or to store them ends."""

ints = small_ints | flags | edge_ints
pairs = st.tuples(small_ints, small_ints)


@st.composite
def grids(draw: st.DrawFn, heights: Strategy = sides, widths: Strategy = sides, values: Strategy = colours) -> Any:
    """Rectangles of up to four different values; the cells are one draw of bytes, which large grids need."""
    height, width = draw(heights), draw(widths)
    palette = draw(st.lists(values, min_size=1, max_size=4))
    cells = draw(st.binary(min_size=height * width, max_size=height * width))
    line = [palette[byte % len(palette)] for byte in cells]
    return tuple([tuple(line[row * width : (row + 1) * width]) for row in range(height)])


def sets_of(items: Strategy, min_size: int = 0, max_size: int = 6) -> Strategy:
    """Ordered sets of such items."""
    return st.lists(items, min_size=min_size, max_size=max_size).map(OrderedSet)


@st.composite
def cell_per_place(draw: st.DrawFn, min_size: int = 1) -> Any:
    """An object with one cell at each of its places."""
    spots = draw(st.lists(pairs, min_size=min_size, max_size=8, unique=True))
    return OrderedSet([(draw(colours), spot) for spot in spots])


small_grids = grids(st.integers(1, 6), st.integers(1, 6))
cells = st.tuples(colours, pairs)
indices = sets_of(pairs, min_size=1, max_size=8)
objects = sets_of(cells, min_size=1, max_size=8)
patches = indices | objects
"""Patches with at least one item; an object may have several colours at one place."""


def _made_from(functions: Strategy) -> Strategy:
    fixed = functions | small_ints | pairs | st.none() | sets_of(small_ints | functions, max_size=3)
    return st.one_of(
        st.builds(compose, functions, functions),
        st.builds(lbind, functions, fixed),
        st.builds(rbind, functions, fixed),
        st.builds(matcher, functions, fixed | st.tuples(fixed)),
        st.builds(fork, functions, functions, functions),
        st.builds(chain, functions, functions, functions),
        st.builds(power, functions, st.integers(2, 4)),
    )


primitives = st.sampled_from([OPS[name] for name in sorted(OPS)])
functions = st.recursive(primitives, _made_from, max_leaves=8)
few_functions = st.recursive(st.sampled_from([first, last]), _made_from, max_leaves=4)
"""Functions out of so few parts that equal ones are met often."""


def _containers_of(inner: Strategy) -> Strategy:
    items = st.lists(inner, max_size=4)
    return items.map(tuple) | items.map(OrderedSet) | items.map(frozenset)


def nested(atoms: Strategy, max_leaves: int = 10) -> Strategy:
    """Atoms, and tuples, ordered sets and plain sets of them to any depth."""
    return st.recursive(atoms, _containers_of, max_leaves=max_leaves)


values = nested(ints | st.none() | functions)
few_values = nested(st.sampled_from([0, 1, True, None, first, compose(first, first)]), max_leaves=6)
"""Values out of so few parts that equal ones, prefixes and parts of one another are met often."""

containers = _containers_of(values)
anything = st.one_of(
    values,
    containers,
    ints,
    pairs,
    small_grids,
    grids(st.integers(0, 3), st.integers(0, 3), values=colours | st.none()),
    patches,
    patches.map(tuple),
    sets_of(patches, max_size=3),
    functions,
)
"""Any argument at all: such as an op is meant for, and such as it is not."""


_OF_KIND = {
    Kind.ANY: anything,
    Kind.BOOL: flags,
    Kind.INT: small_ints | ints,
    Kind.PAIR: pairs | st.tuples(ints, ints),
    Kind.NUM: small_ints | pairs,
    Kind.GRID: small_grids | grids(values=colours | st.none()),
    Kind.CELL: cells,
    Kind.OBJECT: objects | cell_per_place(),
    Kind.OBJECTS: sets_of(objects, max_size=4),
    Kind.INDICES: indices,
    Kind.PATCH: patches | patches.map(tuple) | patches.map(frozenset),
    Kind.PIECE: small_grids | patches,
    Kind.ELEMENT: small_grids | objects,
    Kind.TUPLE: containers.map(tuple) | st.lists(patches | small_grids, max_size=3).map(tuple),
    Kind.SET: containers.map(OrderedSet) | patches | sets_of(patches, max_size=4),
    Kind.CONTAINER: containers | small_grids | patches | sets_of(patches, max_size=4),
    Kind.FN: functions,
}


def of_kind(kind: Kind) -> Strategy:
    """Values that a parameter of that kind expects."""
    return _OF_KIND[kind]


def rebuilt(value: Any, make_set: Callable[[Any], Any] = OrderedSet) -> Any:
    """An equal value none of whose containers and made functions is the same object."""
    if isinstance(value, Made):
        return OPS[value.name](*[rebuilt(arg, make_set) for arg in value.args])
    if isinstance(value, tuple):
        return tuple([rebuilt(item, make_set) for item in value])
    if isinstance(value, frozenset):
        return make_set([rebuilt(item, make_set) for item in unordered(value)])
    return value

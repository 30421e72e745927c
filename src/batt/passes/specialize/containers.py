"""Compile primitives that take or make containers of functions.

A container of functions is known while compiling; only the pick depends on data. So a loop over it becomes the same
loop over the numbers of its items, with a body that chooses by number. A primitive that picks an item gives a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from batt.ir.graph import BY_NUMBER, BY_TRUTH, Builder, NodeKind
from batt.ops import OPS, Op
from batt.passes.specialize.emitter import Use
from batt.passes.specialize.forms import canonical_items
from batt.passes.specialize.loops import each_of
from batt.passes.specialize.values import (
    MAX_ITEMS,
    AlwaysRaises,
    Data,
    Group,
    Mapped,
    NotFirstOrder,
    Selection,
    Symbol,
    TooLarge,
    group,
    is_function,
    refuse_mapped,
)
from batt.types import OrderedSet

if TYPE_CHECKING:
    from batt.passes.specialize.specializer import Specializer

STOPPING = frozenset({"first", "other", "color", "extract"})
"""Ops that raise StopIteration, which a loop around them turns into RuntimeError."""


def may_stop(builder: Builder, entries: Sequence[int]) -> bool:
    """Tell whether a sequence may end in StopIteration."""
    waiting, seen = list(entries), set(entries)
    while waiting:
        node = builder.nodes[waiting.pop()]
        if node.op is not None and node.op.name in STOPPING:
            return True
        inner = {entry for body in node.bodies for entry in builder.bodies[body].entries} - seen
        seen |= inner
        waiting.extend(inner)
    return False


class Containers:
    """Calls of primitives with an argument that is a function or holds one."""

    def __init__(self, specializer: Specializer) -> None:
        self.by = specializer

    def call(self, op: Op, args: tuple[Symbol, ...]) -> Symbol:
        """Return the result of a primitive that is given a function as data."""
        for position, arg in enumerate(args):
            if isinstance(arg, Selection) and not is_function(arg):
                return self.by.select(arg, self.with_argument(op, args, position))
        refuse_mapped(args[1:] if op.name == "rapply" else args)
        if op.name in FOR_ONE_STEP:
            self.by.charge(1)
            return FOR_ONE_STEP[op.name](self, *args)
        if op.name not in RULES:
            raise NotFirstOrder(f"{op.name} of functions")
        return RULES[op.name](self, *args)

    def with_argument(self, op: Op, args: tuple[Symbol, ...], position: int) -> Use:
        """Return the use of a value as the argument of a primitive at `position`."""
        before, after = args[:position], args[position + 1 :]
        return lambda lift, each: self.by.call_op(op, (*map(lift, before), each, *map(lift, after)))

    # Loops over containers of functions

    def over(self, op: Op, container: Group, other: Symbol, use: Use) -> Data:
        """Emit the loop of an op over the numbers of a container's items; `other` is the other argument of the op."""
        numbers = range(len(container.items))
        indices = self.by.leaf(NodeKind.CONST, OrderedSet(numbers) if container.is_set else tuple(numbers))
        body, captured = self.by.body(1, lambda lift, params: use(lift, self.item(lift(container), params[0])))
        self.by.charge(self.by.items(container) - len(numbers), other)
        return self.by.emit(NodeKind.LOOP, op, [indices.node, *captured], [body])

    def item(self, container: Symbol, number: Symbol) -> Symbol:
        """Return the item of a container at a number that is data."""
        assert isinstance(container, Group)
        assert isinstance(number, Data)
        return self.by.choose(number, BY_NUMBER, container.items)

    def calling(self, function: Symbol) -> Use:
        """Return the use of an item as the argument of `function`."""
        return lambda lift, item: self.by.call(lift(function), (item,))

    def value(self, container: Symbol, function: Symbol, name: str) -> Symbol:
        """Return the result of a loop over all items that gives data."""
        return self.over(OPS[name], self.group(container), function, self.calling(function))

    def pick(self, container: Symbol, function: Symbol, name: str) -> Symbol:
        """Return the item that extract, argmax or argmin finds."""
        if name != "extract" and isinstance(function, Data):
            # With None as the key, the items themselves are compared.
            raise NotFirstOrder(f"{name} of functions by a key that may be None")
        items = self.group(container).items
        sizes = {None if isinstance(item, Data) else self.by.items(item) for item in items}
        if len(sizes) > 1 or None in sizes:
            raise NotFirstOrder(f"{name} among functions and data")
        number = self.over(OPS[name], self.group(container), function, self.calling(function))
        self.by.charge(0, items[0])
        self.by.limit(items[0])
        return self.item(self.group(container), number)

    def apply(self, function: Symbol, container: Symbol) -> Symbol:
        """Return the function of each item."""
        return self.gather(container, function, self.calling(function))

    def rapply(self, functions: Symbol, value: Symbol) -> Symbol:
        """Return each function of a group on a value: apply over their numbers, or over what they were made of."""
        if isinstance(functions, Mapped):
            return each_of(self.by, functions, value)
        return self.gather(functions, value, lambda lift, function: self.by.call(function, (lift(value),)))

    def gather(self, container: Symbol, other: Symbol, use: Use) -> Symbol:
        """Return the results of all items of a container: data from a loop, or functions, made one by one."""
        given = self.group(container)
        try:
            return self.over(OPS["apply"], given, other, use)
        except TooLarge:
            raise
        except NotFirstOrder:
            pass
        self.by.charge(1, given, other)
        begun, results, error = len(self.by.frame.entries), [], None
        try:
            for item in given.items:
                results.append(use(lambda symbol: symbol, item))
        except AlwaysRaises as raised:
            error = raised
        if may_stop(self.by.builder, self.by.frame.entries[begun:]):
            raise NotFirstOrder("functions built in a loop by what may raise StopIteration")
        if error is not None:
            raise error
        return self.made(tuple(results), given.is_set, 0)

    # Primitives that build, take apart or choose

    def picked(self, condition: Symbol, a: Symbol, b: Symbol) -> Symbol:
        """Return one of two by the truth of a condition; a function is true, and a container of functions, too."""
        if not isinstance(condition, Data):
            return a
        if self.by.is_constant(condition):
            return a if self.by.constant(condition) else b
        return self.by.choose(condition, BY_TRUTH, (a, b))

    def size(self, container: Symbol) -> Symbol:
        """Return the number of items."""
        items = self.group(container).items
        self.by.charge(1)
        return self.by.leaf(NodeKind.CONST, len(items))

    def end(self, container: Symbol, position: int) -> Symbol:
        """Return the first or the last item."""
        items = self.group(container).items
        self.by.charge(1)
        return items[position]

    def at(self, container: Symbol, index: Symbol) -> Symbol:
        """Return the item of a tuple at a known index: `x[0]`."""
        given = self.group(container)
        number = self.by.constant(index) if self.by.is_constant(index) else None
        if not isinstance(number, int):
            raise NotFirstOrder("an item of functions at an index that is no constant number")
        self.by.charge(1)
        if given.is_set:
            raise AlwaysRaises("TypeError")
        if not -len(given.items) <= number < len(given.items):
            raise AlwaysRaises("IndexError")
        return given.items[number]

    def part(self, container: Symbol, index: Symbol, count: Symbol) -> Symbol:
        """Return the value of one name of `a, b = x`."""
        items = self.group(container).items
        self.by.charge(1)
        if len(items) != self.by.constant(count):
            raise AlwaysRaises("ValueError")
        found: Symbol = items[self.by.constant(index)]
        return found

    def added(self, a: Symbol, b: Symbol) -> Symbol:
        """Return `a + b` of tuples."""
        left, right = self.group(a), self.group(b)
        if left.is_set or right.is_set:
            self.by.charge(1, left, right)
            raise AlwaysRaises("TypeError")
        return self.made((*left.items, *right.items), False, 1, left, right)

    def insert(self, value: Symbol, container: Symbol) -> Symbol:
        """Return a set with one more item."""
        given = self.group(container)
        if not given.is_set:
            self.by.charge(1, value, given)
            raise AlwaysRaises("AttributeError")
        return self.made((value, *given.items), True, 1, value, given)

    def combine(self, a: Symbol, b: Symbol) -> Symbol:
        """Return the items of both."""
        left, right = self.group(a), self.group(b)
        return self.made((*left.items, *right.items), left.is_set, 1, left, right)

    def merge(self, containers: Symbol) -> Symbol:
        """Return the items of the items."""
        given = self.group(containers)
        parts = [self.group(each).items for each in given.items]
        return self.made(tuple([item for part in parts for item in part]), given.is_set, 1, given)

    def totuple(self, container: Symbol) -> Symbol:
        """Return the items in order."""
        given = self.group(container)
        return self.made(given.items, False, 1, given)

    def repeat(self, item: Symbol, num: Symbol) -> Symbol:
        """Return the same function several times."""
        count = self.by.constant(num) if self.by.is_constant(num) else None
        if not isinstance(count, int):
            raise NotFirstOrder("repeat of a function by something that is no constant number")
        if count > MAX_ITEMS:
            raise TooLarge(f"a container of more than {MAX_ITEMS} functions")
        self.by.charge(1 + max(0, count))
        return self.limited(self.container((item,) * count, is_set=False))

    def product(self, a: Symbol, b: Symbol) -> Symbol:
        """Return all pairs."""
        left, right = self.group(a), self.group(b)
        if len(left.items) * len(right.items) > MAX_ITEMS:
            raise TooLarge(f"a container of more than {MAX_ITEMS} functions")
        self.by.charge(1 + self.by.items(left) * self.by.items(right))
        pairs = [group((x, y), is_set=False) for x in left.items for y in right.items]
        return self.limited(group(canonical_items(pairs, self.by.builder), is_set=True))

    def pair(self, a: Symbol, b: Symbol) -> Symbol:
        """Return the items of both side by side."""
        left, right = self.group(a), self.group(b)
        pairs = [group(each, is_set=False) for each in zip(left.items, right.items, strict=False)]
        return self.made(tuple(pairs), False, 1, left, right)

    def made(self, items: tuple[Symbol, ...], is_set: bool, steps: int, *given: Symbol) -> Symbol:
        """Return a container that an op makes of `given`, for `steps`, its own items and those of `given`."""
        result = self.container(canonical_items(items, self.by.builder) if is_set else items, is_set)
        self.by.charge(steps, *given, result)
        return self.limited(result)

    def limited(self, result: Symbol) -> Symbol:
        """Return a container, and end the evaluation if it has more items than the budget allows."""
        if isinstance(result, Group):
            self.by.limit(result)
        return result

    def container(self, items: tuple[Symbol, ...], is_set: bool) -> Symbol:
        """Return a tuple or a set of `items`; data if there are none."""
        return group(items, is_set) if items else self.by.leaf(NodeKind.CONST, OrderedSet() if is_set else ())

    def group(self, symbol: Symbol) -> Group:
        """Return a container as a group; a constant tuple is taken apart."""
        if isinstance(symbol, Group):
            return symbol
        value = self.by.constant(symbol) if self.by.is_constant(symbol) else None
        if value and isinstance(value, tuple):
            return group(tuple(map(self.by.known, value)), is_set=False)
        raise NotFirstOrder("functions beside data in one container")


FOR_ONE_STEP: Mapping[str, Callable[..., Symbol]] = {
    "astuple": lambda by, a, b: group((a, b), is_set=False),
    "both": lambda by, a, b: by.picked(a, b, a),
    "branch": Containers.picked,
    "either": lambda by, a, b: by.picked(a, a, b),
    "flip": lambda by, b: by.by.leaf(NodeKind.CONST, value=False),
    "identity": lambda by, x: x,
    "initset": lambda by, value: group((value,), is_set=True),
}
"""The results of ops that take one step, whatever they are given."""

RULES: Mapping[str, Callable[..., Symbol]] = {
    **{name: partial(Containers.pick, name=name) for name in ("argmax", "argmin", "extract")},
    **{name: partial(Containers.value, name=name) for name in ("valmax", "valmin")},
    "apply": Containers.apply,
    "combine": Containers.combine,
    "first": partial(Containers.end, position=0),
    "frozenset": lambda by, container: by.made(by.group(container).items, True, 1, by.group(container)),
    "insert": Containers.insert,
    "last": partial(Containers.end, position=-1),
    "mapply": lambda by, function, container: by.value(container, function, "mapply"),
    "merge": Containers.merge,
    "pair": Containers.pair,
    "product": Containers.product,
    "py_add": Containers.added,
    "py_item": Containers.at,
    "py_part": Containers.part,
    "rapply": Containers.rapply,
    "repeat": Containers.repeat,
    "size": Containers.size,
    "totuple": Containers.totuple,
}
"""The results of other ops."""

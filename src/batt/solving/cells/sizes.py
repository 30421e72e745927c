"""The size of the output: a rule that holds for all demonstrations, as an expression and as sizes on all samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batt.solving.cells.counting import InputCount
from batt.solving.expressions import INPUT, Argument, Expression, call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.running import Array
from batt.types.kinds import Pair

MOST_SIDE = 30
MOST_STATES = 60
"""The states whose size is compared with that of the outputs."""


@dataclass(frozen=True, slots=True, eq=False)
class OutputSize:
    """The size of the output on every sample, the expression that gives it, and whether counts of the input do."""

    expression: Argument
    sizes: tuple[Pair, ...]
    is_counted: bool = False


@dataclass(frozen=True, slots=True)
class SideRule:
    """A side of the output: a side of the input (0 or 1), times an int, divided by an int, and an int added."""

    side: int
    times: int = 1
    parts: int = 1
    more: int = 0

    def length(self, size: Pair) -> int:
        """Return the side of the output for an input of this size."""
        return size[self.side] * self.times // self.parts + self.more

    def is_rough(self, inputs: Sequence[Pair]) -> bool:
        """Tell whether a division leaves a remainder."""
        return any(size[self.side] * self.times % self.parts for size in inputs)

    @property
    def expression(self) -> Expression | int:
        """Return how a program computes it."""
        if not self.times:
            return self.more
        made = call(("height", "width")[self.side], INPUT)
        made = call("multiply", made, self.times) if self.times > 1 else made
        made = call("divide", made, self.parts) if self.parts > 1 else made
        return call("add", made, self.more) if self.more else made


def predict_size(
    frame: TaskFrame, states: Sequence[GridState] = (), counts: Sequence[InputCount] = ()
) -> OutputSize | None:
    """Return the first rule that gives the size of all outputs, and a size on every test input; None without one.

    The size of the input; for each side a constant, or a side of the input multiplied, divided or with an int added;
    counts of the input as sides, also if a side is divided with a remainder; then the size that most of the first
    states of the outputs' size have; then counts times a factor, with an int added, or times a side of the input.
    """
    inputs = [(len(grid), len(grid[0])) for grid in frame.inputs]
    outputs = [(len(grid), len(grid[0])) for grid in frame.outputs]
    if inputs[: frame.train] == outputs:
        return OutputSize(call("shape", INPUT), tuple(inputs))
    down, across = [_side_rule(inputs, [size[axis] for size in outputs], axis) for axis in (0, 1)]
    exact = _counted_size(inputs, outputs, counts, (1,), is_exact=True)
    is_rough = any(rule is not None and rule.is_rough(inputs) for rule in (down, across))
    if exact is not None and is_rough:
        return exact
    if down is not None and across is not None:
        found = tuple([(down.length(size), across.length(size)) for size in inputs])
        return OutputSize(call("astuple", down.expression, across.expression), found)
    return exact or _size_of_states(frame, states) or _counted_size(inputs, outputs, counts, (1, 2, 3, 4))


def unscaled_size(frame: TaskFrame, size: OutputSize) -> OutputSize | None:
    """Return the size that the outputs have if their equal blocks are single cells; None if these are that already."""
    factor = int(np.gcd.reduce([_scale(target) for target in frame.targets]))
    if factor == 1 or any(side % factor for sides in size.sizes for side in sides):
        return None
    sizes = tuple([(height // factor, width // factor) for height, width in size.sizes])
    return OutputSize(call("divide", size.expression, factor), sizes)


def _scale(grid: Array) -> int:
    """Return the side of the largest square blocks of one colour that a grid can be cut into."""
    rows = np.flatnonzero((grid[1:] != grid[:-1]).any(axis=1)) + 1
    columns = np.flatnonzero((grid[:, 1:] != grid[:, :-1]).any(axis=0)) + 1
    return int(np.gcd.reduce([*grid.shape, *rows, *columns]))


def _counted_size(
    inputs: Sequence[Pair],
    outputs: Sequence[Pair],
    counts: Sequence[InputCount],
    factors: Sequence[int],
    is_exact: bool = False,
) -> OutputSize | None:
    """Return the size with a count, times a factor, for each side for which there is no rule.

    An int is added, unless it `is_exact`.
    """
    sides: list[tuple[Expression | int, list[int]]] = []
    for axis in (0, 1):
        lengths = [size[axis] for size in outputs]
        rule = _side_rule(inputs, lengths, axis)
        found = _counted_side(counts, lengths, factors, is_exact)
        if found is None and not is_exact:
            found = _multiplied_side(inputs, counts, lengths, axis)
        if rule is not None and not (is_exact and rule.is_rough(inputs)):
            found = rule.expression, [rule.length(size) for size in inputs]
        if found is None:
            return None
        sides.append(found)
    (down, heights), (across, widths) = sides
    return OutputSize(call("astuple", down, across), tuple(zip(heights, widths, strict=True)), is_exact)


def _counted_side(
    counts: Sequence[InputCount], lengths: Sequence[int], factors: Sequence[int], is_exact: bool
) -> tuple[Expression | int, list[int]] | None:
    """Return the first count, multiplied and with an int added, that gives these lengths."""
    for times in factors:
        for count in counts:
            more = 0 if is_exact else lengths[0] - times * count.numbers[0]
            sides = [times * number + more for number in count.numbers]
            if sides[: len(lengths)] == list(lengths) and all(1 <= side <= MOST_SIDE for side in sides):
                made = call("multiply", count.expression, times) if times > 1 else count.expression
                return (call("add", made, more) if more else made), sides
    return None


def _multiplied_side(
    inputs: Sequence[Pair], counts: Sequence[InputCount], lengths: Sequence[int], axis: int
) -> tuple[Expression | int, list[int]] | None:
    """Return the first count that gives these lengths if it is multiplied by a side of the input."""
    for side in (axis, 1 - axis):
        for count in counts:
            sides = [size[side] * number for size, number in zip(inputs, count.numbers, strict=True)]
            if sides[: len(lengths)] == list(lengths) and all(1 <= each <= MOST_SIDE for each in sides):
                return call("multiply", call(("height", "width")[side], INPUT), count.expression), sides
    return None


def _side_rule(inputs: Sequence[Pair], lengths: Sequence[int], axis: int) -> SideRule | None:
    """Return the first rule that gives these lengths of the demonstrations' outputs."""
    for rule in _rules(inputs[0], lengths[0], axis):
        sides = [rule.length(size) for size in inputs]
        if sides[: len(lengths)] == list(lengths) and all(1 <= side <= MOST_SIDE for side in sides):
            return rule
    return None


def _rules(first: Pair, wanted: int, axis: int) -> Iterator[SideRule]:
    """Yield the rules that may give the length `wanted` for an input of the size `first`."""
    yield SideRule(axis, 0, 1, wanted)
    for side in (axis, 1 - axis):
        own = first[side]
        if not wanted % own:
            yield SideRule(side, wanted // own)
        if own // wanted > 1:
            yield SideRule(side, 1, own // wanted)
        yield SideRule(side, 1, 1, wanted - own)
        for times in (2, 3):
            yield SideRule(side, times, 1, wanted - times * own)


def _size_of_states(frame: TaskFrame, states: Sequence[GridState]) -> OutputSize | None:
    """Return the size that most of the first states have that have the size of the outputs."""
    groups: dict[tuple[Pair, ...], list[GridState]] = {}
    for state in [state for state in states if frame.has_target_shape(state)][:MOST_STATES]:
        sizes = tuple([(value.shape[0], value.shape[1]) for value in state.values])
        groups.setdefault(sizes, []).append(state)
    if not groups:
        return None
    sizes, group = max(groups.items(), key=lambda each: len(each[1]))
    return OutputSize(call("shape", group[0].expression), sizes)

"""The graph that the words of a batch record, and how a node becomes a program. Runs nothing.

A node is one step for every sample. Its program holds all nodes that it depends on, in the order of recording, so that
the first error in that order is its outcome, as in a solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from batt.errors import UsageError
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS
from batt.runtime import Sample, Split

_NUMBERS = count()

DEMONSTRATIONS = "S"

_FIRST, _LAST = Literal(OPS["first"]), Literal(OPS["last"])


@dataclass(frozen=True, slots=True, eq=False)
class GivenNode:
    """Values from the caller, one for each sample; `name` is "S", "I" or "C" for an input of a batt."""

    values: Sequence[Any]
    name: str = ""
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def length(self) -> int:
        """Return the number of samples."""
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class CallNode:
    """A call of `callee` with `args`; without a callee, the tuple of `args`."""

    callee: Argument | None
    args: tuple[Argument, ...]
    length: int | None
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def operands(self) -> tuple[Argument, ...]:
        """Return everything that it reads."""
        return self.args if self.callee is None else (self.callee, *self.args)


@dataclass(frozen=True, slots=True, eq=False)
class AfterNode:
    """A value that counts only if `others` have no error."""

    value: Argument
    others: tuple[Argument, ...]
    length: int | None
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def operands(self) -> tuple[Argument, ...]:
        """Return everything that it depends on."""
        return (self.value, *self.others)


Node: TypeAlias = GivenNode | CallNode | AfterNode
Argument: TypeAlias = Node | Literal


def length_of(args: Sequence[Argument]) -> int | None:
    """Return the number of samples of `args`; None if all are constants. Raise UsageError if they differ."""
    found = {arg.length for arg in args if not isinstance(arg, Literal)} - {None}
    if len(found) > 1:
        raise UsageError(f"columns of different lengths: {', '.join(map(str, sorted(filter(None, found))))} samples")
    return found.pop() if found else None


def needed(node: Node) -> tuple[list[GivenNode], list[CallNode]]:
    """Return what `node` depends on, itself included: the given values, and the steps in the order of recording."""
    given: dict[int, GivenNode] = {}
    steps: dict[int, CallNode] = {}
    seen: set[int] = set()
    waiting: list[Argument] = [node]
    while waiting:
        top = waiting.pop()
        if isinstance(top, Literal) or top.number in seen:
            continue
        seen.add(top.number)
        if isinstance(top, GivenNode):
            given[top.number] = top
            continue
        if isinstance(top, CallNode):
            steps[top.number] = top
        waiting += top.operands
    return [each for _, each in sorted(given.items())], [each for _, each in sorted(steps.items())]


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a program: `first` takes the place of S; `rest`, as nested pairs if several, that of I."""

    first: GivenNode | None
    rest: tuple[GivenNode, ...]

    @staticmethod
    def of(given: Sequence[GivenNode]) -> Inputs:
        """Put the demonstrations, or else the first of several inputs, in the place of S."""
        first = next((each for each in given if each.name == DEMONSTRATIONS), None)
        if first is None and len(given) > 1:
            first = given[0]
        return Inputs(first, tuple([each for each in given if each is not first]))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return numbers that identify these inputs."""
        return tuple([-1 if each is None else each.number for each in (self.first, *self.rest)])

    def samples(self, length: int) -> tuple[Sample, ...]:
        """Return the samples of a run; a missing input becomes an empty tuple."""
        shown: Sequence[Any] = [()] * length if self.first is None else self.first.values
        columns = [each.values for each in self.rest] or [[()] * length]
        nested: list[Any] = list(columns[-1])
        for column in reversed(columns[:-1]):
            nested = list(zip(column, nested, strict=True))
        return tuple([Sample("", Split.TEST, at, shown[at], nested[at], None) for at in range(length)])


def program_of(node: CallNode | AfterNode) -> tuple[Program, Inputs]:
    """Return the program of `node` and the inputs that it runs on."""
    given, called = needed(node)
    inputs = Inputs.of(given)
    arity = 1 if inputs.first is None else 3
    steps: list[Step] = []
    places: dict[int, Operand] = {}
    if inputs.first is not None:
        places[inputs.first.number] = Slot(0)

    def add(callee: Operand | None, args: tuple[Operand, ...]) -> Slot:
        steps.append(Step(callee, args, f"t{len(steps) + 1}", 0))
        return Slot(arity + len(steps) - 1)

    places |= _unpacked(inputs.rest, Slot(arity // 2), add)

    def operand(arg: Argument) -> Operand:
        while isinstance(arg, AfterNode):
            arg = arg.value
        return arg if isinstance(arg, Literal) else places[arg.number]

    for each in called:
        callee = None if each.callee is None else operand(each.callee)
        places[each.number] = add(callee, tuple([operand(arg) for arg in each.args]))
    return Program(("S", "I", "C") if arity == 3 else ("I",), arity, tuple(steps), operand(node)), inputs


def _unpacked(rest: Sequence[GivenNode], packed: Slot, add: Any) -> Iterator[tuple[int, Operand]]:
    """Yield the inputs in the place of I, each taken out of its nested pair."""
    for each in rest[:-1]:
        yield each.number, add(_FIRST, (packed,))
        packed = add(_LAST, (packed,))
    if rest:
        yield rest[-1].number, packed

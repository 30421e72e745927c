"""What the words of a batch record. Owns the recorded graph and how a node becomes a program; runs nothing.

A node is one step for every sample. Its program is all that it depends on, in the order in which that was recorded, so
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
from batt.runtime import Part, Sample

_NUMBERS = count()

DEMONSTRATIONS = "S"

_FIRST, _LAST = Literal(OPS["first"]), Literal(OPS["last"])


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Values that the caller gave, one for each sample; `name` is that of the input where it is one."""

    values: Sequence[Any]
    name: str = ""
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def length(self) -> int:
        """How many samples there are."""
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """A function of other nodes and constants; without a callee the tuple of them."""

    callee: Argument | None
    args: tuple[Argument, ...]
    length: int | None
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def operands(self) -> tuple[Argument, ...]:
        """All that it reads."""
        return self.args if self.callee is None else (self.callee, *self.args)


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """A value that counts only where others have no error."""

    value: Argument
    others: tuple[Argument, ...]
    length: int | None
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def operands(self) -> tuple[Argument, ...]:
        """All that it depends on."""
        return (self.value, *self.others)


Node: TypeAlias = Given | Called | After
Argument: TypeAlias = Node | Literal


def length_of(args: Sequence[Argument]) -> int | None:
    """How many samples these arguments have; None where all of them are constants, UsageError where they differ."""
    found = {arg.length for arg in args if not isinstance(arg, Literal)} - {None}
    if len(found) > 1:
        raise UsageError(f"columns of different lengths: {', '.join(map(str, sorted(filter(None, found))))} samples")
    return found.pop() if found else None


def needed(node: Node) -> tuple[list[Given], list[Called]]:
    """What a node depends on, itself included: what was given, and the steps in the order of recording."""
    given: dict[int, Given] = {}
    steps: dict[int, Called] = {}
    seen: set[int] = set()
    waiting: list[Argument] = [node]
    while waiting:
        top = waiting.pop()
        if isinstance(top, Literal) or top.number in seen:
            continue
        seen.add(top.number)
        if isinstance(top, Given):
            given[top.number] = top
            continue
        if isinstance(top, Called):
            steps[top.number] = top
        waiting += top.operands
    return [each for _, each in sorted(given.items())], [each for _, each in sorted(steps.items())]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the inputs of a program are: one in the place of S, and one, or several as nested pairs, in that of I."""

    first: Given | None
    rest: tuple[Given, ...]

    @staticmethod
    def of(given: Sequence[Given]) -> Inputs:
        """The demonstrations are in the place of S, or else the first of several."""
        first = next((each for each in given if each.name == DEMONSTRATIONS), None)
        if first is None and len(given) > 1:
            first = given[0]
        return Inputs(first, tuple([each for each in given if each is not first]))

    @property
    def numbers(self) -> tuple[int, ...]:
        """What tells them from other inputs."""
        return tuple([-1 if each is None else each.number for each in (self.first, *self.rest)])

    def samples(self, length: int) -> tuple[Sample, ...]:
        """The samples of a run; those without an input get an empty one."""
        shown: Sequence[Any] = [()] * length if self.first is None else self.first.values
        columns = [each.values for each in self.rest] or [[()] * length]
        nested: list[Any] = list(columns[-1])
        for column in reversed(columns[:-1]):
            nested = list(zip(column, nested, strict=True))
        return tuple([Sample("", Part.TEST, at, shown[at], nested[at], None) for at in range(length)])


def program_of(node: Called | After) -> tuple[Program, Inputs]:
    """A node's program, and the inputs that it is run on."""
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
        while isinstance(arg, After):
            arg = arg.value
        return arg if isinstance(arg, Literal) else places[arg.number]

    for each in called:
        callee = None if each.callee is None else operand(each.callee)
        places[each.number] = add(callee, tuple([operand(arg) for arg in each.args]))
    return Program(("S", "I", "C") if arity == 3 else ("I",), arity, tuple(steps), operand(node)), inputs


def _unpacked(rest: Sequence[Given], packed: Slot, add: Any) -> Iterator[tuple[int, Operand]]:
    """The inputs that stand in the place of I, each taken out of the pairs that hold them."""
    for each in rest[:-1]:
        yield each.number, add(_FIRST, (packed,))
        packed = add(_LAST, (packed,))
    if rest:
        yield rest[-1].number, packed

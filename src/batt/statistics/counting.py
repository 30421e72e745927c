"""Count how the programs of a deck use the ops, as they are written, with calls of helpers inlined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from batt.front import Solver
from batt.front.groups import groups_of
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ir.graph import INPUTS
from batt.ops import Op
from batt.statistics.model import DeckStatistics
from batt.statistics.producers import ARGUMENT, CALL, RETURN, TUPLE, Producer, ProducerKind, producer_of

MAX_STEPS = 20_000
"""After this many steps of a solver, calls of helpers are not inlined: they count as calls of values."""


@dataclass(slots=True, eq=False)
class _Value:
    """A value of a program: its producer, the longest chain of steps that leads to it, and how often it is read."""

    producer: Producer
    depth: int = 0
    reads: int = 0


@dataclass(slots=True)
class _Uses:
    """The producers of the arguments of each op, and the calls of each op."""

    arguments: dict[str, list[Counter[Producer]]] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, values: Sequence[_Value]) -> None:
        """Count one call of `name` with `values`."""
        positions = self.arguments.setdefault(name, [])
        while len(positions) < len(values):
            positions.append(Counter())
        for position, value in zip(positions, values, strict=False):
            position[value.producer] += 1
            value.reads += 1


def count_statistics(solvers: Iterable[Solver]) -> DeckStatistics:
    """Count the statistics of the programs of `solvers`."""
    uses = _Uses()
    steps, depths, widths, reads = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    by_group: dict[str, Counter[str]] = {}
    total = 0
    for group in groups_of(solvers):
        before = uses.calls.copy()
        for solver in group.solvers:
            run = _Walk(uses).solver(solver.program)
            levels = Counter([each.depth for each in run])
            steps[len(run)] += 1
            depths[max(levels, default=0)] += 1
            widths[max(levels.values(), default=0)] += 1
            reads.update([each.reads for each in run])
            total += 1
        by_group[group.title] = uses.calls - before
    return DeckStatistics(total, by_group, steps, depths, widths, reads, uses.arguments)


class _Walk:
    """One pass over a solver: its values in order, calls of helpers inlined."""

    def __init__(self, uses: _Uses) -> None:
        self.uses = uses
        self.run: list[_Value] = []
        self.functions: set[Helper] = set()
        self.steps = 0

    def solver(self, program: Program) -> list[_Value]:
        """Count the uses of a solver, and return the values of its steps."""
        names = INPUTS if program.arity == len(INPUTS) else ("I",)
        inputs = [_Value(Producer(ProducerKind.INPUT, name)) for name in names]
        self.uses.add(RETURN, [self.body(program, inputs)])
        return self.run

    def body(self, program: Program, given: Sequence[_Value]) -> _Value:
        """Count the uses of a program that is run with `given`, and return its result."""
        slots = list(given)
        for step in program.steps:
            slots.append(self.step(step, [self.operand(each, slots) for each in step.args], slots))
        return self.operand(program.result, slots)

    def operand(self, operand: Operand, slots: Sequence[_Value]) -> _Value:
        if isinstance(operand, Slot):
            return slots[operand.index]
        if isinstance(operand.value, Helper):
            self.function(operand.value)
        return _Value(producer_of(operand.value))

    def function(self, helper: Helper) -> None:
        """Count the uses of a function that a solver passes on, once. Its steps are not steps of the solver."""
        if helper not in self.functions:
            self.functions.add(helper)
            run, self.run = self.run, []
            self.body(helper.program, [_Value(Producer(ProducerKind.INPUT, ARGUMENT)) for _ in range(helper.arity)])
            self.run = run

    def step(self, step: Step, args: Sequence[_Value], slots: Sequence[_Value]) -> _Value:
        """Count one step, or the steps of the helper that it calls. Return its value."""
        self.steps += 1
        match step.callee:
            case Literal(Helper() as helper) if self.steps <= MAX_STEPS and len(args) == helper.arity:
                return self.body(helper.program, args)
            case Literal(Op() as op):
                name, read = op.name, list(args)
            case None:
                name, read = TUPLE, list(args)
            case callee:
                name, read = CALL, [self.operand(callee, slots), *args]
        self.uses.add(name, read)
        self.uses.calls[name] += 1
        value = _Value(Producer(ProducerKind.STEP, name), 1 + max([each.depth for each in read], default=0))
        self.run.append(value)
        return value

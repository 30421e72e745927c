"""Many solvers as one list of steps, in the words of the language.

Function values stay as in the source (`compose`, `fork`, `rbind`), so that the list can be read. Steps with equal
callee and operands are one step, across all solvers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from batt.errors import UsageError
from batt.front import Solver
from batt.front.naming import solver_name
from batt.ir import Literal, Program, Slot
from batt.ir.graph import INPUTS, Level


@dataclass(frozen=True, slots=True)
class InputName:
    """S, I or C."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """The value of an earlier step, by its number."""

    number: int


Operand: TypeAlias = InputName | Literal | Number


@dataclass(frozen=True, slots=True)
class SharedStep:
    """A call of `callee` with `args`, or a tuple of `args` if `callee` is None."""

    callee: Operand | None
    args: tuple[Operand, ...]

    @property
    def reads(self) -> tuple[int, ...]:
        """Return the steps that it needs, in the order in which they are looked up."""
        operands = self.args if self.callee is None else (self.callee, *self.args)
        return tuple([operand.number for operand in operands if isinstance(operand, Number)])


@dataclass(frozen=True, slots=True)
class DealtSolver:
    """One solver: its name in a batt, its steps in its own order with repetitions, and its result."""

    name: str
    entries: tuple[int, ...]
    result: Operand
    solver: Solver = field(compare=False)


@dataclass(frozen=True, slots=True)
class SharedSteps:
    """The distinct steps of some solvers, numbered from 1 in order of first use, and each solver."""

    steps: tuple[SharedStep, ...]
    dealt: tuple[DealtSolver, ...]

    def __getitem__(self, number: int) -> SharedStep:
        return self.steps[number - 1]

    @property
    def numbers(self) -> range:
        """Return the numbers of all steps."""
        return range(1, len(self.steps) + 1)

    @property
    def before(self) -> int:
        """Return the number of steps without sharing."""
        return sum(len(each.entries) for each in self.dealt)

    def holders(self) -> Counter[int]:
        """Return for every step how many solvers use it."""
        return Counter(number for each in self.dealt for number in set(each.entries))

    def levels(self) -> dict[int, Level]:
        """Return what each step depends on: nothing, the demonstrations alone, or the sample."""
        order = (Level.CONSTANT, Level.TASK, Level.SAMPLE)
        ranks: dict[int, int] = {}
        for number in self.numbers:
            step = self[number]
            given = [{"S": 1}.get(each.name, 2) for each in (step.callee, *step.args) if isinstance(each, InputName)]
            ranks[number] = max([*given, *[ranks[read] for read in step.reads]], default=0)
        return {number: order[rank] for number, rank in ranks.items()}


def merge_steps(solvers: Iterable[Solver]) -> SharedSteps:
    """Merge the steps of `solvers`, each distinct step once."""
    numbers: dict[SharedStep, int] = {}
    steps: list[SharedStep] = []
    dealt: dict[str, DealtSolver] = {}
    for solver in solvers:
        found = _add(solver, numbers, steps)
        if dealt.setdefault(found.name, found) is not found:
            first = dealt[found.name].solver
            raise UsageError(f"{solver.place}: a second solver {found.name!r}; the first is at {first.place}")
    return SharedSteps(tuple(steps), tuple(dealt.values()))


def _add(solver: Solver, numbers: dict[SharedStep, int], steps: list[SharedStep]) -> DealtSolver:
    program = solver.program
    slots: list[Operand] = [InputName(name) for name in _inputs(program)]
    entries: list[int] = []

    def operand(given: Slot | Literal) -> Operand:
        return slots[given.index] if isinstance(given, Slot) else given

    for each in program.steps:
        callee = None if each.callee is None else operand(each.callee)
        step = SharedStep(callee, tuple([operand(arg) for arg in each.args]))
        if step not in numbers:
            steps.append(step)
            numbers[step] = len(steps)
        entries.append(numbers[step])
        slots.append(Number(numbers[step]))
    return DealtSolver(solver_name(solver.name), tuple(entries), operand(program.result), solver)


def _inputs(program: Program) -> tuple[str, ...]:
    return INPUTS if program.arity == len(INPUTS) else ("I",)

"""Many solvers as one list of steps in the language's own words. Owns which steps are one; writes and runs nothing.

Function values stay what the source says (`compose`, `fork`, `rbind`), so that the list can be read. Two steps are one
where they call the same with the same operands, across all solvers.
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
class Input:
    """S, I or C."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """The value of an earlier step, by its number."""

    number: int


Operand: TypeAlias = Input | Literal | Number


@dataclass(frozen=True, slots=True)
class Step:
    """What is called, None for a tuple, and with what."""

    callee: Operand | None
    args: tuple[Operand, ...]

    @property
    def reads(self) -> tuple[int, ...]:
        """The steps that it needs, in the order in which they are looked up."""
        operands = self.args if self.callee is None else (self.callee, *self.args)
        return tuple([operand.number for operand in operands if isinstance(operand, Number)])


@dataclass(frozen=True, slots=True)
class Dealt:
    """One solver: its name in a batt, its steps in its own order, the same again where its source repeats itself, and
    its result.
    """

    name: str
    entries: tuple[int, ...]
    result: Operand
    solver: Solver = field(compare=False)


@dataclass(frozen=True, slots=True)
class Steps:
    """The distinct steps of some solvers, numbered from 1 as they first occur, and each solver's own."""

    steps: tuple[Step, ...]
    dealt: tuple[Dealt, ...]

    def __getitem__(self, number: int) -> Step:
        return self.steps[number - 1]

    @property
    def numbers(self) -> range:
        """The numbers of all steps."""
        return range(1, len(self.steps) + 1)

    @property
    def before(self) -> int:
        """How many steps there would be were none shared."""
        return sum(len(each.entries) for each in self.dealt)

    def holders(self) -> Counter[int]:
        """For every step, how many solvers hold it."""
        return Counter(number for each in self.dealt for number in set(each.entries))

    def levels(self) -> dict[int, Level]:
        """What each step depends on: nothing, the demonstrations alone, or the sample."""
        order = (Level.CONSTANT, Level.TASK, Level.SAMPLE)
        ranks: dict[int, int] = {}
        for number in self.numbers:
            step = self[number]
            given = [{"S": 1}.get(each.name, 2) for each in (step.callee, *step.args) if isinstance(each, Input)]
            ranks[number] = max([*given, *[ranks[read] for read in step.reads]], default=0)
        return {number: order[rank] for number, rank in ranks.items()}


def merge_steps(solvers: Iterable[Solver]) -> Steps:
    """The steps of all these solvers, each distinct one once."""
    numbers: dict[Step, int] = {}
    steps: list[Step] = []
    dealt: dict[str, Dealt] = {}
    for solver in solvers:
        found = _add(solver, numbers, steps)
        if dealt.setdefault(found.name, found) is not found:
            first = dealt[found.name].solver
            raise UsageError(f"{solver.place}: a second solver {found.name!r}; the first is at {first.place}")
    return Steps(tuple(steps), tuple(dealt.values()))


def _add(solver: Solver, numbers: dict[Step, int], steps: list[Step]) -> Dealt:
    program = solver.program
    slots: list[Operand] = [Input(name) for name in _inputs(program)]
    entries: list[int] = []

    def operand(given: Slot | Literal) -> Operand:
        return slots[given.index] if isinstance(given, Slot) else given

    for each in program.steps:
        callee = None if each.callee is None else operand(each.callee)
        step = Step(callee, tuple([operand(arg) for arg in each.args]))
        if step not in numbers:
            steps.append(step)
            numbers[step] = len(steps)
        entries.append(numbers[step])
        slots.append(Number(numbers[step]))
    return Dealt(solver_name(solver.name), tuple(entries), operand(program.result), solver)


def _inputs(program: Program) -> tuple[str, ...]:
    return INPUTS if program.arity == len(INPUTS) else ("I",)

"""Ways to make a program or a sample smaller. Each yields candidates, the smallest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ir.writing import is_literal, is_writable
from batt.ops import OPS
from batt.runtime import Sample
from batt.types.kinds import Grid

PLAIN: tuple[Any, ...] = (0, 1, (), (0, 0), OPS["identity"])
"""Values that may replace any value."""
NEAR = 6
"""The most steps back to a value that replaces another."""
MAX_CELLS = 100
"""The most cells of a grid whose cells are set to 0 one by one."""

Instead = Callable[["_Copy", Step], Operand]


def cut_short(program: Program) -> Iterator[Program]:
    """Yield the program up to each of its steps, whose value it returns."""
    for end in range(len(program.steps)):
        yield replace(program, steps=program.steps[: end + 1], result=Slot(program.arity + end))


def without_a_step(program: Program) -> Iterator[Program]:
    """Yield the program without a step, the last first. Readers get an argument of it, an earlier or a plain value."""
    for at in reversed(range(len(program.steps))):
        if not _is_read(program, program.arity + at):
            yield _without(program, at, Literal(0))
            continue
        step, slot = program.steps[at], program.arity + at
        before = [Slot(index) for index in (*range(program.arity), *range(max(program.arity, slot - NEAR), slot))]
        for operand in dict.fromkeys((*step.args, *before, *map(Literal, PLAIN))):
            yield _without(program, at, operand)


def with_constants(program: Program, values: Sequence[Any]) -> Iterator[Program]:
    """Yield the program without a step. Its readers get its value as a literal."""
    for at in reversed(range(min(len(program.steps), len(values)))):
        if is_writable(values[at]) and program.result != Slot(program.arity + at):
            yield _without(program, at, Literal(values[at]))


def with_plainer_literals(program: Program) -> Iterator[Program]:
    """Yield the program with one argument replaced by a plain value."""
    for at, step in enumerate(program.steps):
        for position, arg in enumerate(step.args):
            if isinstance(arg, Literal) and any(arg.value is each for each in PLAIN):
                continue
            plainer = PLAIN if isinstance(arg, Slot) else PLAIN[: _rank(arg.value)]
            for value in plainer:
                args = (*step.args[:position], Literal(value), *step.args[position + 1 :])
                yield _copied(program, at, _with_args(step, args))


def _with_args(step: Step, args: tuple[Operand, ...]) -> Instead:
    return lambda copy, _: copy.append(copy.mapped(replace(step, args=args)))


def with_helpers_inlined(program: Program) -> Iterator[Program]:
    """Yield the program with the call of a helper replaced by its steps."""
    for at, step in enumerate(program.steps):
        if isinstance(step.callee, Literal) and isinstance(step.callee.value, Helper):
            inner = step.callee.value.program
            if inner.arity == len(step.args):
                yield _copied(program, at, _inlined(inner))


def _inlined(inner: Program) -> Instead:
    return lambda copy, mapped: copy.inline(inner, mapped.args)


def smaller_samples(sample: Sample) -> Iterator[Sample]:
    """Yield smaller samples: without an expected output, with fewer demonstrations, with smaller grids."""
    if sample.expected is not None:
        yield replace(sample, expected=None)
    shown = sample.demonstrations
    for at in range(len(shown)) if len(shown) > 1 else ():
        yield replace(sample, demonstrations=(*shown[:at], *shown[at + 1 :]))
    for grid in smaller_grids(sample.input):
        yield replace(sample, input=grid)
    for grid in smaller_grids(sample.expected) if sample.expected else ():
        yield replace(sample, expected=grid)
    for at, (left, right) in enumerate(shown):
        pairs = [(grid, right) for grid in smaller_grids(left)] + [(left, grid) for grid in smaller_grids(right)]
        for pair in pairs:
            yield replace(sample, demonstrations=(*shown[:at], pair, *shown[at + 1 :]))


def smaller_grids(grid: Grid) -> Iterator[Grid]:
    """Yield the grid without rows or columns, or with cells set to 0."""
    height, width = len(grid), len(grid[0])
    for size in _halves(height):
        for start in range(0, height - size + 1, size):
            yield (*grid[:start], *grid[start + size :])
    for size in _halves(width):
        for start in range(0, width - size + 1, size):
            yield tuple([(*row[:start], *row[start + size :]) for row in grid])
    for colour in sorted({cell for row in grid for cell in row} - {0}):
        yield tuple([tuple([0 if cell == colour else cell for cell in row]) for row in grid])
    if height * width <= MAX_CELLS:
        for i, j in ((i, j) for i in range(height) for j in range(width) if grid[i][j]):
            yield (*grid[:i], (*grid[i][:j], 0, *grid[i][j + 1 :]), *grid[i + 1 :])


def _halves(length: int) -> Iterator[int]:
    """Yield how many of `length` to leave out at a time: half of them, a quarter, down to one."""
    size = length // 2
    while size:
        yield size
        size //= 2


def _rank(value: Any) -> int:
    """Return the number of values in PLAIN that are plainer than `value`."""
    if isinstance(value, int):
        return 1 if value in (0, 1) else 2
    return len(PLAIN)


def _is_read(program: Program, index: int) -> bool:
    slot = Slot(index)
    return program.result == slot or any(slot in (step.callee, *step.args) for step in program.steps)


def _without(program: Program, at: int, operand: Operand) -> Program:
    return _copied(program, at, lambda copy, _: copy.place(operand))


def _copied(program: Program, at: int, instead: Instead) -> Program:
    """Return the program with the step `at` replaced by what `instead` adds."""
    copy = _Copy([Slot(index) for index in range(program.arity)], program.arity)
    for number, step in enumerate(program.steps):
        copy.places.append(instead(copy, copy.mapped(step)) if number == at else copy.append(copy.mapped(step)))
    return replace(program, steps=tuple(copy.steps), result=copy.place(program.result))


class _Copy:
    """A copy of a program's steps. `places` are the operands of the copy for the slots of the original."""

    def __init__(self, places: list[Operand], arity: int) -> None:
        self.places = places
        self.arity = arity
        self.steps: list[Step] = []

    def place(self, operand: Operand) -> Operand:
        """Return the operand of the copy for an operand of the original."""
        return self.places[operand.index] if isinstance(operand, Slot) else operand

    def mapped(self, step: Step) -> Step:
        """Return the step of the copy for a step of the original."""
        callee = None if step.callee is None else self.place(step.callee)
        return replace(step, callee=callee, args=tuple(map(self.place, step.args)))

    def append(self, step: Step) -> Operand:
        """Add a step and return the operand of its value. A tuple of literals becomes a literal, and no step."""
        if step.callee is None and is_literal(step.args):
            return Literal(tuple([each.value for each in step.args if isinstance(each, Literal)]))
        self.steps.append(step)
        return Slot(self.arity + len(self.steps) - 1)

    def inline(self, program: Program, args: Sequence[Operand]) -> Operand:
        """Add the steps of another program and return the operand of its result."""
        inner = _Copy(list(args), self.arity)
        inner.steps = self.steps
        for step in program.steps:
            inner.places.append(inner.append(inner.mapped(step)))
        return inner.place(program.result)

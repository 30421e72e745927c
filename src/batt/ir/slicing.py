"""Slice a program at one of its slots: the program whose result is an inner step, without what that does not need."""

from __future__ import annotations

from batt.errors import UsageError
from batt.ir.program import Operand, Program, Slot, Step


def slots_read(step: Step) -> list[int]:
    """Return the slots that a step reads, in order."""
    return [each.index for each in (step.callee, *step.args) if isinstance(each, Slot)]


def live_slots(program: Program, result: Operand | None = None) -> set[int]:
    """Return the slots that the result of a program, or the operand `result`, depends on, itself included."""
    wanted = program.result if result is None else result
    live = {wanted.index} if isinstance(wanted, Slot) else set()
    for at in reversed(range(len(program.steps))):
        if at + program.arity in live:
            live.update(slots_read(program.steps[at]))
    return live


def slice_program(program: Program, slot: int) -> Program:
    """Return the program whose result is the value of `slot`, with only the steps that this value depends on.

    Slots are counted as in `Program`: the parameters come first. The parameters stay the same, also those that are no
    longer read. The slice can succeed where the program fails: what fails may not be part of it.
    """
    if not 0 <= slot < program.arity + len(program.steps):
        raise UsageError(f"the program has {program.arity + len(program.steps):,} slots, no slot {slot:,}")
    live = live_slots(program, Slot(slot))
    kept = [at for at in range(len(program.steps)) if at + program.arity in live]
    moved_to = {at + program.arity: place for place, at in enumerate(kept, program.arity)}

    def moved(operand: Operand) -> Operand:
        is_step = isinstance(operand, Slot) and operand.index >= program.arity
        return Slot(moved_to[operand.index]) if is_step and isinstance(operand, Slot) else operand

    steps = [
        Step(step.callee and moved(step.callee), tuple(map(moved, step.args)), step.target, step.line)
        for step in [program.steps[at] for at in kept]
    ]
    return Program(program.params, program.arity, tuple(steps), moved(Slot(slot)))

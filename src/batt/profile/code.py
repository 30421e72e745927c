"""The instructions of an image for a profile: which of them are one step, and the names of loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from batt.bytecode.disassemble import Listing
from batt.bytecode.forms import Immediate
from batt.bytecode.image import NOTHING, Image, Space
from batt.bytecode.layout import Instruction, layout_of, split
from batt.bytecode.opcodes import CALLERS, OP_NUMBERS, OPS_BY_NUMBER
from batt.bytecode.wired import scan
from batt.ir.interpreter import function_position

LOOP_OPS = frozenset([OP_NUMBERS[name] for name in CALLERS])
PATTERN_LIMIT = 100


@dataclass(frozen=True, slots=True)
class CodePlace:
    """An instruction at its word of the code section. Instructions of one `step` do the same to the same values."""

    word: int
    routine: int
    instruction: Instruction
    step: int


class ImageCode:
    """The instructions of an image, the solvers that have them, and their names."""

    def __init__(self, image: Image) -> None:
        self.layout = layout_of(image)
        self.table = image.table
        self.listing = Listing(image, self.layout)
        self.names = image.slices
        self.staged = frozenset([routine for _, routine in self.layout.stage])
        self._helpers = [scan(image.pool, offset, image.table).helpers for offset in self.layout.constants]
        self._steps: dict[Any, int] = {}
        self._bodies: list[str] = []
        # A routine comes after those that it runs, whose names it needs.
        for routine in range(len(self.layout.routines)):
            words = [self._word(each) for each in self.listing.instructions(routine)]
            self._bodies.append(_cut(" ".join(filter(None, words))))
        self._holders: list[set[int]] | None = None

    def places(self) -> Iterator[CodePlace]:
        """Yield all instructions, routine by routine."""
        for routine in range(len(self.layout.routines)):
            slots: dict[int, int] = {}
            for each in self.listing.instructions(routine):
                read = tuple([self._source(word, routine, slots) for word in each.operands])
                # A staged value is a step of its own.
                key = each.opcode, each.immediates, read, routine in self.staged
                step = self._steps.setdefault(key, len(self._steps))
                if each.destination != NOTHING:
                    slots[each.destination] = step
                yield CodePlace(each.at - self.layout.code_at, routine, each, step)

    def text(self, place: CodePlace) -> str:
        """Return what an instruction does, as the disassembler writes it."""
        return self.listing.done(place.instruction)

    def holders(self, routine: int) -> list[str]:
        """Return the solvers that run a routine, also through bodies, helpers and staged values, by their order."""
        if self._holders is None:
            self._holders = self._find_holders()
        return [self.names[number] for number in sorted(self._holders[routine])]

    def pattern(self, each: Instruction) -> str | None:
        """Return the name of a loop: its op with the ops of its body; None if the instruction is not a loop."""
        if each.opcode in LOOP_OPS:
            name = OPS_BY_NUMBER[each.opcode].name
            # rapply has no function among its arguments, but a container of them as its first.
            space, index = split(each.operands[function_position(OPS_BY_NUMBER[each.opcode]) or 0])
            function = self.listing.constants[index] if space == Space.CONSTANT else "…"
            return _cut(f"{name}[{function}]")
        return _cut(self._word(each)) if self.listing.form(each).is_loop else None

    def _word(self, each: Instruction) -> str:
        """Return the name of an instruction in a pattern, with what it runs. It is cut: nested bodies can be long."""
        if each.opcode in LOOP_OPS:
            return self.pattern(each) or ""
        if each.opcode < len(self.table.ops):
            return self.listing.name(each)
        inner = " | ".join([self._bodies[body] for body in self.listing.bodies(each)])
        return self.listing.form(each).pattern.format(op=self.listing.loop_op(each), bodies=inner)

    def _source(self, word: int, routine: int, slots: dict[int, int]) -> Any:
        """Return what an operand refers to: a step, or a given value."""
        space, index = split(word)
        if space == Space.SLOT:
            return slots.get(index)
        return (space, index, routine) if space == Space.ARGUMENT else (space, index)

    def _find_holders(self) -> list[set[int]]:
        """Return the slices that run each routine."""
        uses = [self._uses(routine) for routine in range(len(self.layout.routines))]
        found: list[set[int]] = [set() for _ in uses]
        for number, start in enumerate(self.layout.slices):
            waiting = [start]
            while waiting:
                routine = waiting.pop()
                if number not in found[routine]:
                    found[routine].add(number)
                    waiting += uses[routine]
        return found

    def _uses(self, routine: int) -> set[int]:
        """Return the routines that `routine` runs or whose values it reads."""
        found: set[int] = set()
        for each in self.listing.instructions(routine):
            found.update(self.listing.bodies(each))
            if self.listing.form(each).first is Immediate.ENTRY:
                found.add(self.layout.stage[each.immediates[0]][1])
            for space, index in map(split, each.operands):
                if space == Space.CONSTANT:
                    found.update(self._helpers[index])
                elif space == Space.STAGE:
                    found.add(self.layout.stage[index][1])
        return found


def _cut(text: str) -> str:
    return text if len(text) <= PATTERN_LIMIT else text[: PATTERN_LIMIT - 1] + "…"

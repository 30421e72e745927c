"""Write an image as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from batt.bytecode.forms import Form, Immediate
from batt.bytecode.image import NOTHING, Image, Space
from batt.bytecode.layout import HEADER, Instruction, Layout, layout_of, split
from batt.bytecode.opcodes import OPS_BY_NUMBER, Code
from batt.bytecode.verify import verify
from batt.bytecode.wire import read_value
from batt.errors import InternalError
from batt.ir.graph import INPUTS
from batt.ops import RAISABLE
from batt.types import Function, form

LEVELS = ("constant", "task", "sample")
LETTERS = {Space.SLOT: "R", Space.ARGUMENT: "A", Space.STAGE: "T", Space.PARAMETER: "P"}
NAMES = {int(code): code.name.lower() for code in Code}
FORM_LIMIT = 80
NAMES_SHOWN = 3


class _Named(Function):
    """A helper of which only the name is known."""

    __slots__ = ("arity", "name")
    args = ()

    def __init__(self, name: str, arity: int) -> None:
        self.name = name
        self.arity = arity


def disassemble(image: Image) -> str:
    """Return the figures of the header, the constants, the stage, and every routine with its instructions."""
    verify(image)
    return Listing(image, layout_of(image)).whole()


class Listing:
    """Writes the parts of a verified image as text."""

    def __init__(self, image: Image, layout: Layout) -> None:
        self.layout = layout
        self.table = image.table
        rows = layout.routines
        names = [image.pool[row.name_at : row.name_at + row.name_bytes].decode() for row in rows]
        helpers = [_Named(name or f"r{k}", row.params) for k, (name, row) in enumerate(zip(names, rows, strict=True))]
        self.constants = [_value(image, offset, helpers) for offset in layout.constants]
        self.labels: list[list[str]] = [[f"helper {name}"] if name else [] for name in names]
        for name, routine in zip(image.slices, layout.slices, strict=True):
            self.labels[routine].append(name)

    def whole(self) -> str:
        """Return all parts, with an empty line between them."""
        figures = [f"{what} {self.layout.words[at]:,}" for at, what in enumerate(HEADER[:10]) if at > 2]
        constants = [f"    #{k} = {each}" for k, each in enumerate(self.constants)]
        parts = ["image: " + ", ".join(figures), "\n".join(["constants", *constants]), self._stage()]
        bodies = self._only_staged()
        parts += [self._routine(number) for number in range(len(self.layout.routines)) if number not in bodies]
        return "\n\n".join(parts) + "\n"

    def _stage(self) -> str:
        lines = []
        for entry, (level, routine) in enumerate(self.layout.stage):
            done = self.done(next(self.instructions(routine)))
            lines.append(f"    T{entry} := {done}  ({LEVELS[level]})")
        return "\n".join(["stage", *lines])

    def _only_staged(self) -> set[int]:
        """Return the routines that are stage entries and nothing else."""
        found = {routine for _, routine in self.layout.stage if not self.labels[routine]}
        if found:
            for number in range(len(self.layout.routines)):
                for each in self.instructions(number):
                    found -= set(self.bodies(each))
        return found

    def _routine(self, number: int) -> str:
        row, labels = self.layout.routines[number], self.labels[number] or ["body"]
        more = f" and {len(labels) - NAMES_SHOWN:,} more" if len(labels) > NAMES_SHOWN else ""
        label = ", ".join(labels[:NAMES_SHOWN]) + more
        head = f"r{number} ({label}): {row.params} params, {row.slots} slots, {row.counters} counters"
        return "\n".join([head, *[f"    {self._line(each)}" for each in self.instructions(number)]])

    def instructions(self, number: int) -> Iterator[Instruction]:
        """Yield the instructions of a routine."""
        at = self.layout.code_at + self.layout.routines[number].start
        end = at + self.layout.routines[number].words
        while at < end:
            each = self.layout.instruction(at, end)
            yield each
            at = each.end

    def _line(self, each: Instruction) -> str:
        """Return one instruction: `R2, N0 := objects(I, #1, #0, #0)`."""
        done = self.done(each)
        if self.form(each).reads_counter:
            return done
        targets = [f"R{each.destination}"] * (each.destination != NOTHING)
        targets += [f"N{each.counter}"] * (each.counter != NOTHING)
        return f"{', '.join(targets)} := {done}" if targets else done

    def done(self, each: Instruction) -> str:
        """Return the right side of an instruction."""
        form = self.form(each)
        operands = [self._operand(word) for word in each.operands]
        listed = ", ".join(operands)
        return form.listing.format(
            name=self.name(each),
            op=self.loop_op(each),
            bodies=" ".join([f"r{body}" for body in self.bodies(each)]),
            operands=listed,
            callee="".join(operands[:1]),
            arguments=", ".join(operands[1:]),
            items=f" + items({listed})" if operands else "",
            steps=f"{sum([word << 32 * at for at, word in enumerate(each.immediates[:2])]):,}",
            first="".join(map(str, each.immediates[:1])),
            error=RAISABLE[each.immediates[0] - 1].__name__ if form.first is Immediate.ERROR else "",
            counter=each.counter,
        )

    def form(self, each: Instruction) -> Form:
        """Return the record of an instruction."""
        form = self.table.form(each.opcode)
        if form is None:
            raise InternalError(f"no opcode {each.opcode} in a verified image")
        return form

    def name(self, each: Instruction) -> str:
        """Return the name of an op, or of another instruction in small letters."""
        return self.table.ops[each.opcode].name if each.opcode < len(self.table.ops) else NAMES[each.opcode]

    def loop_op(self, each: Instruction) -> str:
        """Return the name of the loop op that an instruction runs, or an empty text."""
        return OPS_BY_NUMBER[each.immediates[0]].name if self.form(each).first is Immediate.OP else ""

    def bodies(self, each: Instruction) -> tuple[int, ...]:
        """Return the routines that an instruction runs."""
        return each.immediates[self.form(each).routines_at :]

    def _operand(self, word: int) -> str:
        space, index = split(word)
        if space == Space.CONSTANT:
            return f"#{self.constants[index]}"
        return INPUTS[index] if space == Space.INPUT else f"{LETTERS[Space(space)]}{index}"


def _value(image: Image, offset: int, helpers: list[_Named]) -> Any:
    """Return the printed form of a constant."""
    return form(read_value(image.pool, helpers, image.table, at=offset), limit=FORM_LIMIT)

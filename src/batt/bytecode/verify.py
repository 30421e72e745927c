"""Check the rules of an image, on which the machine relies. The native loader checks the same rules.

Rules are checked from the outside in: sections, constants, routines, the code of each routine, the use of routines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from batt.bytecode.abi import MAX_PARAMETERS
from batt.bytecode.forms import Form, Immediate
from batt.bytecode.image import (
    MAX_CONSTANTS,
    MAX_COUNTERS,
    MAX_PARAMS,
    MAX_ROUTINES,
    MAX_SLOTS,
    MAX_STEPS,
    NOTHING,
    Image,
    Space,
)
from batt.bytecode.layout import BadImage, Instruction, Layout, Row, layout_of, split
from batt.bytecode.opcodes import LOOPS, OP_NUMBERS, OPS_BY_NUMBER, Code
from batt.bytecode.table import Table
from batt.bytecode.wired import scan
from batt.ir.graph import INPUTS
from batt.ops import RAISABLE

LOOP_NUMBERS = frozenset([OP_NUMBERS[name] for name in LOOPS])
ANY_PARAMETER = len(INPUTS)
"""Stands for all parameters among the inputs that a routine reads."""
INPUTS_OF_LEVEL = {
    0: frozenset[int](),
    1: frozenset({0}),
    2: frozenset({0, 1, 2}),
    3: frozenset({0, 1, 2, ANY_PARAMETER}),
}
"""The inputs that a stage entry may read, by its level: none; S; all but parameters; all."""


@dataclass(slots=True)
class _Use:
    """The inputs and stage entries that a routine reads, also in its bodies, its length, and whether it is a body."""

    inputs: set[int] = field(default_factory=set)
    last_stage: int = -1
    instructions: int = 0
    is_body: bool = False


def verify(image: Image) -> None:
    """Raise BadImage with the first broken rule and its place."""
    layout = layout_of(image)
    if len(image.slices) != len(layout.slices):
        raise BadImage(f"{len(image.slices):,} names for {len(layout.slices):,} slices")
    for what, count, most in (
        ("constants", len(layout.constants), MAX_CONSTANTS),
        ("routines", len(layout.routines), MAX_ROUTINES),
    ):
        if count > most:
            raise BadImage(f"{count:,} {what}, at most {most:,}")
    helpers = _constants(layout, image)
    _routines(layout, image.pool)
    _entries(layout)
    uses: list[_Use] = []
    for number in range(len(layout.routines)):
        uses.append(_Routine(layout, image.table, number, uses).use())
    _usage(layout, uses, helpers)


def _constants(layout: Layout, image: Image) -> set[int]:
    """Check that every constant decodes. Return the routines that constants name as helpers."""
    helpers: set[int] = set()
    for at, offset in enumerate(layout.constants, layout.routines_at - len(layout.constants)):
        try:
            named = scan(image.pool, offset, image.table).helpers
        except ValueError as fault:
            raise BadImage(f"a constant: {fault}", at) from None
        if max(named, default=-1) >= len(layout.routines):
            raise BadImage("a constant names a helper that is not there", at)
        helpers |= named
    return helpers


def _routines(layout: Layout, pool: bytes) -> None:
    """Check that every row of the table is within bounds, and that no two routines share code."""
    code_words = len(layout.words) - layout.code_at
    for number, row in enumerate(layout.routines):
        at = layout.routines_at + 7 * number
        bounds = (
            ("params", row.params, MAX_PARAMS),
            ("slots", row.slots, MAX_SLOTS),
            ("counters", row.counters, MAX_COUNTERS),
            ("the end of its code", row.start + row.words, code_words),
            ("the end of its name", row.name_at + row.name_bytes, len(pool)),
        )
        for what, count, most in bounds:
            if count > most:
                raise BadImage(f"{what}: {count:,}, at most {most:,}", at, number)
        if not pool[row.name_at : row.name_at + row.name_bytes].isascii():
            raise BadImage("a name is ASCII", at, number)
    in_order = sorted(range(len(layout.routines)), key=lambda number: layout.routines[number].start)
    for before, after in pairwise(in_order):
        row = layout.routines[before]
        if row.start + row.words > layout.routines[after].start:
            raise BadImage("its code overlaps another's", layout.routines_at + 7 * after, after)


def _entries(layout: Layout) -> None:
    """Check that slices and stage entries name routines without parameters, and levels in order."""
    named = list(enumerate(layout.slices, layout.slices_at))
    named += [(layout.stage_at + 2 * k + 1, routine) for k, (_, routine) in enumerate(layout.stage)]
    for at, routine in named:
        if routine >= len(layout.routines):
            raise BadImage(f"no routine {routine}", at)
        if layout.routines[routine].params:
            raise BadImage("slices and stage entries take no arguments", at, routine)
    reached = 0
    for k, (level, _) in enumerate(layout.stage):
        if level not in INPUTS_OF_LEVEL:
            raise BadImage(f"no level {level}", layout.stage_at + 2 * k)
        if level < reached:
            raise BadImage("the levels of the stage never fall", layout.stage_at + 2 * k)
        reached = level


class _Routine:
    """Checks the code of one routine from first word to last: it is straight-line."""

    def __init__(self, layout: Layout, table: Table, number: int, uses: list[_Use]) -> None:
        self.layout = layout
        self.table = table
        self.number = number
        self.row: Row = layout.routines[number]
        # By the spaces' numbers.
        sizes = self.row.slots, len(layout.constants), len(INPUTS), self.row.params, len(layout.stage)
        self.sizes = (*sizes, MAX_PARAMETERS)
        self.uses = uses
        self.own = _Use()
        self.written: set[int] = set()
        self.counted: set[int] = set()

    def use(self) -> _Use:
        """Return the routine's use of others; raise BadImage at the first instruction that breaks a rule."""
        at = self.layout.code_at + self.row.start
        end = at + self.row.words
        opcode = None
        while at < end:
            if opcode == Code.RETURN:
                raise self._bad("an instruction after RETURN", at)
            each = self._instruction(at, end)
            at, opcode = each.end, each.opcode
            self.own.instructions += 1
        if opcode != Code.RETURN:
            raise self._bad("the last instruction is RETURN", at)
        return self.own

    def _bad(self, rule: str, at: int) -> BadImage:
        return BadImage(rule, at, self.number)

    def _instruction(self, at: int, end: int) -> Instruction:
        try:
            each = self.layout.instruction(at, end)
        except BadImage:
            raise self._bad("an instruction does not fit into the routine", at) from None
        form = self.table.form(each.opcode)
        if form is None:
            raise self._bad(f"no opcode {each.opcode}", at)
        for what, count, (least, most) in (
            ("operands", len(each.operands), form.operand_bounds),
            ("immediates", len(each.immediates), form.immediate_bounds),
        ):
            if not least <= count <= most:
                expected = least if least == most else f"{least} to {most:,}"
                raise self._bad(f"{count:,} {what}, expected {expected}", at)
        for position, word in enumerate(each.operands, each.end - len(each.operands)):
            self._operand(*split(word), position)
        self._immediates(each, form)
        self._results(each, form)
        return each

    def _operand(self, space: int, index: int, at: int) -> None:
        if space >= len(self.sizes):
            raise self._bad(f"no space {space} of operands", at)
        if index >= self.sizes[space]:
            raise self._bad(f"no {Space(space).name.lower()} {index}", at)
        if space == Space.SLOT and index not in self.written:
            raise self._bad(f"slot {index} is read before it is written", at)
        if space == Space.INPUT:
            self.own.inputs.add(index)
        if space == Space.PARAMETER:
            self.own.inputs.add(ANY_PARAMETER)
        if space == Space.STAGE:
            self._stage(index)

    def _stage(self, entry: int) -> None:
        self.own.last_stage = max(self.own.last_stage, entry)

    def _immediates(self, each: Instruction, form: Form) -> None:
        at, first = each.at + 4, (*each.immediates, 0)[0]
        for position, body in enumerate(each.immediates[form.routines_at :], at + form.routines_at):
            self._body(body, len(each.operands) - form.kept, position)
        match form.first:
            case Immediate.OP if first not in LOOP_NUMBERS:
                raise self._bad(f"{first} is no op that calls a function", at)
            case Immediate.OP if len(each.operands) < OPS_BY_NUMBER[first].arity - 1:
                raise self._bad(f"{OPS_BY_NUMBER[first].name} takes more operands", each.at)
            case Immediate.LOW if each.immediates[1] << 32 > MAX_STEPS:
                raise self._bad("more steps than can be counted", at + 1)
            case Immediate.ERROR if not 1 <= first <= len(RAISABLE):
                raise self._bad(f"no error kind {first}", at)
            case Immediate.ENTRY if first >= len(self.layout.stage):
                raise self._bad(f"no stage {first}", at)
            case Immediate.ENTRY:
                self._stage(first)

    def _body(self, body: int, given: int, at: int) -> None:
        if body >= self.number:
            raise self._bad(f"routine {body} does not come before the routine that runs it", at)
        params = self.layout.routines[body].params
        if params != given:
            raise self._bad(f"routine {body} takes {params} arguments, {given} are given", at)
        use = self.uses[body]
        use.is_body = True
        self.own.last_stage = max(self.own.last_stage, use.last_stage)

    def _results(self, each: Instruction, form: Form) -> None:
        """Check destination and counter. What an instruction writes can be read after it."""
        if form.reads_counter:
            if each.counter not in self.counted:
                raise self._bad(f"counter {each.counter} is charged before it is set", each.at + 2)
        elif each.counter != NOTHING:
            if not form.has_result or each.counter >= self.row.counters:
                raise self._bad(f"no counter {each.counter} for this instruction", each.at + 2)
            self.counted.add(each.counter)
        if each.destination != NOTHING:
            if not form.has_result or each.destination >= self.row.slots:
                raise self._bad(f"no slot {each.destination} for this instruction", each.at + 1)
            self.written.add(each.destination)


def _usage(layout: Layout, uses: list[_Use], helpers: set[int]) -> None:
    """Check that bodies and helpers are closed, and that the stage is filled in its order."""
    constant = sum([level == 0 for level, _ in layout.stage])
    for number, use in enumerate(uses):
        if (use.is_body or number in helpers) and use.inputs:
            raise BadImage("bodies and helpers read no input", routine=number)
        # Only constant entries exist whenever a body runs.
        if use.is_body and use.last_stage >= constant:
            raise BadImage("bodies read constant stage entries only", routine=number)
        # A function value may be called at any time, also while the stage is filled.
        if number in helpers and use.last_stage >= 0:
            raise BadImage("helpers read no stage entry", routine=number)
    for entry, (level, routine) in enumerate(layout.stage):
        use, at = uses[routine], layout.stage_at + 2 * entry
        if use.instructions != 2:
            raise BadImage("a stage entry is one instruction and RETURN", at, routine)
        if not use.inputs <= INPUTS_OF_LEVEL[level]:
            raise BadImage(f"an entry of level {level} reads an input that is not there yet", at, routine)
        if use.last_stage >= entry:
            raise BadImage("a stage entry reads earlier entries only", at, routine)

"""Images run in plain Python, word by word: what an image means, for tests of all that makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batt.bytecode.image import NOTHING, Image, Space
from batt.bytecode.layout import Instruction, layout_of, split
from batt.bytecode.opcodes import OPS_BY_NUMBER, Code
from batt.bytecode.verify import verify
from batt.bytecode.wire import read_value
from batt.bytecode.wired import scan
from batt.ir.interpreter import Done, function_position
from batt.ops import METER, RAISABLE, OverBudget
from batt.ops.functions import check_count
from batt.ops.meter import charge, enter, items, leave
from batt.runtime import Limits, Outcome, Sample, Status, outcome_of
from batt.types import Function, fingerprint


class RoutineHelper(Function):
    """A helper that is run from its routine."""

    args = ()

    def __init__(self, machine: ImageMachine, number: int, name: str, arity: int) -> None:
        self.machine, self.number, self.name, self.arity = machine, number, name, arity

    def __call__(self, *args: Any) -> Any:
        if len(args) != self.arity:
            raise TypeError
        charge(1)
        enter()
        try:
            return self.machine.run(self.number, args)
        finally:
            leave()


class ImageMachine:
    """One sample's run of an image, its stage filled."""

    def __init__(self, image: Image, inputs: Sequence[Any], limits: Limits) -> None:
        verify(image)
        self.layout = layout_of(image)
        self.inputs = inputs
        names = [image.pool[row.name_at : row.name_at + row.name_bytes].decode() for row in self.layout.routines]
        helpers = [RoutineHelper(self, k, names[k], row.params) for k, row in enumerate(self.layout.routines)]
        pool = image.pool
        self.constants = [read_value(pool[at : scan(pool, at).end], helpers) for at in self.layout.constants]
        self.stage: list[Done] = []
        for _, routine in self.layout.stage:
            METER.reset(limits.steps, limits.max_items)
            self.stage.append(self.ahead(routine))
        METER.reset()

    def outcome(self, number: int, limits: Limits) -> Outcome:
        """What a slice comes to."""
        return outcome_of(lambda: self.run(self.layout.slices[number], ()), limits)

    def ahead(self, routine: int) -> Done:
        before = METER.steps_left
        for space, index in map(split, self.instructions(routine)[0].operands):
            if space == Space.STAGE and self.stage[index][1]:
                return None, self.stage[index][1], 0
        try:
            return self.run(routine, ()), None, before - METER.steps_left
        except (*RAISABLE, OverBudget) as error:
            return None, error.with_traceback(None), before - METER.steps_left

    def instructions(self, routine: int) -> list[Instruction]:
        row, found = self.layout.routines[routine], []
        at = self.layout.code_at + row.start
        end = at + row.words
        while at < end:
            found.append(self.layout.instruction(at, end))
            at = found[-1].end
        return found

    def run(self, routine: int, args: Sequence[Any]) -> Any:
        assert len(args) == self.layout.routines[routine].params
        slots: dict[int, Any] = {}
        counters: dict[int, int] = {}
        staged = [done[0] for done in self.stage]
        spaces = (slots, self.constants, self.inputs[:3], args, staged, self.inputs[3:])
        for each in self.instructions(routine):
            operands = [spaces[space][index] for space, index in map(split, each.operands)]
            if each.opcode == Code.RETURN:
                return operands[0]
            if each.opcode == Code.RECHARGE:
                charge(counters[each.counter])
                continue
            before = METER.steps_left
            value = self.apply(each, operands)
            if each.destination != NOTHING:
                slots[each.destination] = value
            if each.counter != NOTHING:
                counters[each.counter] = before - METER.steps_left
        raise AssertionError("no RETURN")

    def apply(self, each: Instruction, operands: list[Any]) -> Any:
        immediates = each.immediates
        steps = immediates[0] | immediates[1] << 32 if len(immediates) == 2 else 0
        match each.opcode:
            case Code.TUPLE:
                charge(1)
                return tuple(operands)
            case Code.LOOP:
                return self.loop(immediates[0], immediates[1], operands)
            case Code.REPEAT:
                count, value, *captured = operands
                for _ in range(count):
                    value = self.run(immediates[0], [value, *captured])
                return value
            case Code.SELECT_TRUTH:
                return self.run(immediates[0 if operands[0] else 1], operands[1:])
            case Code.SELECT_NUMBER:
                return self.run(immediates[operands[0]], operands[1:])
            case Code.INVOKE:
                return self.run(immediates[0], operands)
            case Code.COUNT:
                return check_count(operands[0])
            case Code.CHARGE:
                return charge(steps + sum(map(items, operands)))
            case Code.LIMIT:
                if steps > METER.max_items:
                    raise OverBudget
                return None
            case Code.RAISE:
                raise RAISABLE[immediates[0] - 1]
            case Code.RECHARGE_STAGE:
                _, error, taken = self.stage[immediates[0]]
                charge(taken)
                if error:
                    raise error.with_traceback(None)
                return None
            case Code.CALL:
                return operands[0](*operands[1:])
        return OPS_BY_NUMBER[each.opcode](*operands)

    def loop(self, number: int, body: int, operands: list[Any]) -> Any:
        op = OPS_BY_NUMBER[number]
        position = function_position(op)
        given, captured = operands[: op.arity - 1], operands[op.arity - 1 :]

        def function(*items: Any) -> Any:
            return self.run(body, [*items, *captured])

        return op(*given[:position], function, *given[position:])


def inputs_of(sample: Sample) -> tuple[Any, Any, Any]:
    return sample.demonstrations, sample.input, None


def same(got: Outcome, expected: Outcome) -> bool:
    """Whether two outcomes are one, functions compared by their printed forms."""
    if (got.status, got.error) != (expected.status, expected.error):
        return False
    steps_count = got.status is not Status.OVER_BUDGET
    return fingerprint(got.value) == fingerprint(expected.value) and (not steps_count or got.steps == expected.steps)

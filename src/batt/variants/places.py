"""Which constants of a program are colours, and which functions in it are mirrors or rotations.

Owns what a place of a program is for, told from the primitives around it; a constant whose purpose cannot be told is
none. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op

COLOUR_PARAMS = {
    "canvas": ("value",),
    "cellwise": ("fallback",),
    "colorcount": ("value",),
    "colorfilter": ("value",),
    "fill": ("value",),
    "ofcolor": ("value",),
    "recolor": ("value",),
    "replace": ("replacee", "replacer"),
    "switch": ("a", "b"),
    "underfill": ("value",),
}
"""The parameters of primitives that are colours."""

GIVES_COLOUR = frozenset({"color", "index", "leastcolor", "mostcolor"})
OF_COLOURS = {"contained": 0, "insert": 0, "remove": 0, "other": 1}
"""Where a primitive that is given a palette has an item of it."""

MOVES = ("hmirror", "dmirror", "vmirror", "cmirror", "rot90", "rot180", "rot270", "identity")
"""What may turn a demonstration's input into its output, in the order in which it is tried."""

# An op of the user's own is not among them: what its parameters are for, nobody can tell.
_MASKS = {name: tuple([param in COLOUR_PARAMS.get(name, ()) for param in op.params]) for name, op in OPS.items()}


@dataclass(frozen=True, slots=True)
class Place:
    """An operand of a program: the number of its step, and its position among the arguments, -1 for the callee."""

    step: int
    position: int


def colour_places(program: Program) -> dict[int, list[Place]]:
    """The places of every constant that is a colour, by colour, in the order of the program."""
    found: dict[int, list[Place]] = {}
    reader = _Reader(program)
    for place, operand in _literals(program):
        value = operand.value
        if type(value) is int and 0 <= value <= 9 and reader.is_colour(place):
            found.setdefault(value, []).append(place)
    return found


def move_places(program: Program) -> dict[str, list[Place]]:
    """The places of every mirror and rotation, called or handed around, by name, in the order of the program."""
    found: dict[str, list[Place]] = {}
    for place, operand in _literals(program):
        if isinstance(operand.value, Op) and operand.value.name in MOVES and operand.value.name != "identity":
            found.setdefault(operand.value.name, []).append(place)
    return found


def _literals(program: Program) -> Iterator[tuple[Place, Literal]]:
    for number, step in enumerate(program.steps):
        for position, operand in enumerate((step.callee, *step.args), -1):
            if isinstance(operand, Literal):
                yield Place(number, position), operand


class _Reader:
    """What the operands of one program are for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.readers: dict[int, list[Place]] = {}
        for number, step in enumerate(program.steps):
            for position, operand in enumerate(step.args):
                if isinstance(operand, Slot):
                    self.readers.setdefault(operand.index, []).append(Place(number, position))

    def is_colour(self, place: Place) -> bool:
        """Whether a colour is wanted at a place."""
        step = self.program.steps[place.step]
        if place.position < 0 or step.callee is None:
            return False
        mask = self._mask(step.callee)
        if place.position < len(mask) and mask[place.position]:
            return True
        match self._name(step.callee), step.args:
            case "lbind", (function, _) if place.position == 1:
                return self._mask(function)[:1] == (True,)
            case "rbind", (function, _) if place.position == 1:
                return self._mask(function)[-1:] == (True,)
            case "matcher", (function, _) if place.position == 1:
                return self._gives_colour(function)
            case "equality", args:
                return self._made_as_colour(args[1 - place.position])
            case (("branch" | "both" | "either"), _) if place.position:
                # A choice among colours: what reads the choice wants one.
                slot = self.program.arity + place.step
                return any(self.is_colour(reader) for reader in self.readers.get(slot, ()))
            case name, args if OF_COLOURS.get(name) == place.position and len(args) == 2:
                return self._made_by(args[1 - place.position]) == "palette"
        return False

    def _step(self, operand: Operand | None) -> Step | None:
        """The step that made an operand."""
        if isinstance(operand, Slot) and operand.index >= self.program.arity:
            return self.program.steps[operand.index - self.program.arity]
        return None

    def _name(self, operand: Operand | None) -> str:
        """The name of a primitive that stands in the source; empty for all else."""
        return operand.value.name if isinstance(operand, Literal) and isinstance(operand.value, Op) else ""

    def _made_by(self, operand: Operand) -> str:
        step = self._step(operand)
        return self._name(step.callee) if step else ""

    def _made_as_colour(self, operand: Operand) -> bool:
        step = self._step(operand)
        return step is not None and step.callee is not None and self._gives_colour(step.callee)

    def _mask(self, function: Operand) -> tuple[bool, ...]:
        """Which parameters of a function are colours; empty where that cannot be told."""
        name, step = self._name(function), self._step(function)
        if name:
            return _MASKS.get(name, ())
        match self._name(step.callee) if step else "", step.args if step else ():
            case "lbind", (inner, _):
                return self._mask(inner)[1:]
            case "rbind", (inner, _):
                return self._mask(inner)[:-1]
            case ("compose", (_, inner)) | ("chain", (_, _, inner)) | (("matcher" | "power"), (inner, _)):
                return self._mask(inner)
        return ()

    def _gives_colour(self, function: Operand) -> bool:
        name, step = self._name(function), self._step(function)
        if name:
            return name in GIVES_COLOUR
        match self._name(step.callee) if step else "", step.args if step else ():
            case (("compose" | "chain" | "fork" | "lbind" | "rbind"), (outer, *_)):
                return self._gives_colour(outer)
        return False

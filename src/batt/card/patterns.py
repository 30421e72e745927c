"""Find the three patterns of a batch: work that many solvers share.

sample extraction     apply(first, S), apply(last, S), and mapply(palette, …) over what they give; in the second
                      dialect `last` is `second` and `palette` is `p_g`
several objects       objects(grid, …) in more than one form of the same grid
groups of mapply      mapply(f, xs), mapply(g, xs), … over the same container
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from batt.card.steps import InputName, Number, Operand, SharedStep, SharedSteps, merge_steps
from batt.front import Solver
from batt.ir import Literal
from batt.tasks.model import counted
from batt.types import Function


@dataclass(frozen=True, slots=True)
class Patterns:
    """The steps of each pattern, by number; forms and groups by the operand that they share."""

    sample_extraction: tuple[int, ...]
    object_forms: Mapping[Operand, tuple[int, ...]]
    mapply_groups: Mapping[Operand, tuple[int, ...]]

    def rows(self) -> list[tuple[str, str]]:
        """Return (name, text) of each pattern."""
        forms, groups = self.object_forms.values(), self.mapply_groups.values()
        rows = [
            ("sample extraction", self.sample_extraction, counted(len(self.sample_extraction), "step")),
            ("several objects", forms, f"{counted(len(forms), 'grid')} in {counted(_all(forms), 'form')}"),
            ("groups of mapply", groups, f"{counted(len(groups), 'container')} in {counted(_all(groups), 'loop')}"),
        ]
        return [(name, words if found else "none") for name, found, words in rows]


def detect_batch_pattern(solvers: SharedSteps | Iterable[Solver]) -> Patterns:
    """Find the patterns among the steps of `solvers`. Shared steps count once."""
    steps = solvers if isinstance(solvers, SharedSteps) else merge_steps(solvers)
    forms: dict[Operand, list[int]] = {}
    groups: dict[Operand, list[int]] = {}
    extracted: dict[int, None] = {}
    for number in steps.numbers:
        step = steps[number]
        if _is_extraction(step, extracted):
            extracted[number] = None
        elif _calls(step, "objects"):
            forms.setdefault(step.args[0], []).append(number)
        elif _calls(step, "mapply"):
            groups.setdefault(step.args[1], []).append(number)
    return Patterns(tuple(extracted), _several(forms), _several(groups))


def _is_extraction(step: SharedStep, extracted: Container[int]) -> bool:
    """Tell whether `step` extracts the inputs or outputs of the demonstrations, or their colours."""
    if _calls(step, "apply"):
        return _name(step.args[0]) in ("first", "last", "second") and step.args[1] == InputName("S")
    over = step.args[1] if _calls(step, "mapply") else None
    return isinstance(over, Number) and over.number in extracted and _name(step.args[0]) in ("palette", "p_g")


def _calls(step: SharedStep, name: str) -> bool:
    return step.callee is not None and _name(step.callee) == name


def _name(operand: Operand) -> str | None:
    """Return the name of a primitive or helper, or None."""
    value = operand.value if isinstance(operand, Literal) else None
    return value.name if isinstance(value, Function) else None


def _several(found: Mapping[Operand, list[int]]) -> dict[Operand, tuple[int, ...]]:
    return {operand: tuple(numbers) for operand, numbers in found.items() if len(numbers) > 1}


def _all(groups: Iterable[tuple[int, ...]]) -> int:
    return sum(map(len, groups))

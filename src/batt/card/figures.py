"""Count the steps, patterns and ops of a batt, and write the docstring of a generated file."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from batt.card.dealing import source_task
from batt.card.patterns import Patterns, detect_batch_pattern
from batt.card.steps import SharedSteps
from batt.ir import Literal
from batt.ir.graph import Level
from batt.ops import Op
from batt.tasks.model import counted

SHOWN_OPS = 12
WIDTH = 120
_HOLD = "\N{NO-BREAK SPACE}"
"""A space at which no line breaks; in the file it is an ordinary space."""


@dataclass(frozen=True, slots=True)
class BattFigures:
    """The counts of a batt. `measured` is each op's share of all steps on some samples, largest first, or empty."""

    solvers: int
    tasks: int
    steps: int
    before: int
    shared: int
    levels: Mapping[str, int]
    patterns: Patterns
    ops: Mapping[str, int]
    measured: Mapping[str, float]

    def rows(self) -> list[tuple[str, str]]:
        """Return (name, text) of each figure."""
        constant, task, sample = [self.levels[each.value] for each in (Level.CONSTANT, Level.TASK, Level.SAMPLE)]
        common = [f"{op}{_HOLD}{count:,}" for op, count in self.ops.items()]
        costly = [f"{op}{_HOLD}{share:.1%}" for op, share in self.measured.items()]
        found = [
            ("steps before sharing", f"{self.before:,}"),
            ("steps after sharing", f"{self.steps:,}, {self.shared:,} of them shared by several solvers"),
            ("steps by level", f"{constant:,} constant, {task:,} task, {sample:,} sample"),
            *self.patterns.rows(),
            ("ops by frequency", ", ".join(common[:SHOWN_OPS])),
        ]
        return found + ([("ops by measured cost", ", ".join(costly[:SHOWN_OPS]))] if costly else [])


def figures_of(steps: SharedSteps, measured: Mapping[str, float] | None = None) -> BattFigures:
    """Count the steps of some solvers."""
    levels = Counter(steps.levels().values())
    ops = Counter(_word(steps, number) for number in steps.numbers)
    return BattFigures(
        solvers=len(steps.dealt),
        tasks=len({source_task(each.name) for each in steps.dealt}),
        steps=len(steps.steps),
        before=steps.before,
        shared=sum(count > 1 for count in steps.holders().values()),
        levels={level.value: levels[level] for level in (Level.CONSTANT, Level.TASK, Level.SAMPLE)},
        patterns=detect_batch_pattern(steps),
        ops=dict(sorted(ops.items(), key=lambda item: (-item[1], item[0]))),
        measured=measured or {},
    )


def docstring(figures: BattFigures, command: str, version: str, batch: bool) -> str:
    """Return the docstring of a generated file: its content, its origin, how to run it, its figures."""
    solvers, tasks = counted(figures.solvers, "solver"), counted(figures.tasks, "task")
    form = "batch of samples" if batch else "sample"
    title = f"{solvers} of {tasks} as one function of a {form}: {counted(figures.steps, 'step')}."
    told = [
        f"Written by `{command}`, batt {version}. The function is never executed: batt reads it, compiles it once, and "
        "runs it on the GPU or the CPU. Each solver has the same outcome as when it runs alone, errors included.",
        "Each block below is a solver: its steps that no earlier solver has, in its own order. A line `_ = …` names "
        "steps of earlier blocks where the solver runs them in another order than its lines need them.",
    ]
    rows = figures.rows()
    width = max(len(name) for name, _ in rows) + 2
    table = [_filled(f"{name:<{width}}{words}", " " * (4 + width), "    ") for name, words in rows]
    return "\n\n".join([title, *[_filled(each) for each in told], "\n".join(table)]) + "\n"


def _filled(text: str, later: str = "", first: str = "") -> str:
    filled = textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
    return filled.replace(_HOLD, " ")


def _word(steps: SharedSteps, number: int) -> str:
    callee = steps[number].callee
    if callee is None:
        return "tuple"
    value = callee.value if isinstance(callee, Literal) else None
    return value.name if isinstance(value, Op) else "call"

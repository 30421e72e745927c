"""Count the steps, patterns and ops of a batt, and write the docstring of a generated file."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping

from batt.card.dealing import source_task
from batt.card.patterns import detect_batch_pattern
from batt.card.steps import SharedSteps
from batt.ir import Literal
from batt.ir.graph import Level
from batt.ops import Op
from batt.tasks.model import counted

SHOWN_OPS = 12
WIDTH = 120
_HOLD = "\N{NO-BREAK SPACE}"
"""A space at which no line breaks; in the file it is an ordinary space."""


def docstring(steps: SharedSteps, measured: Mapping[str, float], command: str, version: str, batch: bool) -> str:
    """Return the docstring of a generated file: its content, its origin, how to run it, its figures.

    `measured` is each op's share of all steps on some samples, largest first, or empty.
    """
    solvers = counted(len(steps.dealt), "solver")
    tasks = counted(len({source_task(each.name) for each in steps.dealt}), "task")
    form = "batch of samples" if batch else "sample"
    title = f"{solvers} of {tasks} as one function of a {form}: {counted(len(steps.steps), 'step')}."
    told = [
        f"Written by `{command}`, batt {version}. The function is never executed: batt reads it, compiles it once, and "
        "runs it on the GPU or the CPU. Each solver has the same outcome as when it runs alone, errors included.",
        "Each block below is a solver: its steps that no earlier solver has, in its own order. A line `_ = …` names "
        "steps of earlier blocks where the solver runs them in another order than its lines need them.",
    ]
    rows = _rows(steps, measured)
    width = max(len(name) for name, _ in rows) + 2
    table = [_filled(f"{name:<{width}}{words}", " " * (4 + width), "    ") for name, words in rows]
    return "\n\n".join([title, *[_filled(each) for each in told], "\n".join(table)]) + "\n"


def _rows(steps: SharedSteps, measured: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return (name, text) of each figure."""
    shared = sum(count > 1 for count in steps.holders().values())
    levels = Counter(steps.levels().values())
    by_level = [f"{levels[each]:,} {each.value}" for each in (Level.CONSTANT, Level.TASK, Level.SAMPLE)]
    ops = Counter(_word(steps, number) for number in steps.numbers)
    common = [f"{op}{_HOLD}{count:,}" for op, count in sorted(ops.items(), key=lambda item: (-item[1], item[0]))]
    costly = [f"{op}{_HOLD}{share:.1%}" for op, share in measured.items()]
    found = [
        ("steps before sharing", f"{steps.before:,}"),
        ("steps after sharing", f"{len(steps.steps):,}, {shared:,} of them shared by several solvers"),
        ("steps by level", ", ".join(by_level)),
        *detect_batch_pattern(steps).rows(),
        ("ops by frequency", ", ".join(common[:SHOWN_OPS])),
    ]
    return found + ([("ops by measured cost", ", ".join(costly[:SHOWN_OPS]))] if costly else [])


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

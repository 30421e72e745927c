"""A small deck that has everything a profile tells apart, and the reference's own counting of op executions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from batt.compiler import compile_deck
from batt.front import Deck
from batt.ir.interpreter import Interpreter
from batt.ops import METER, OPS, RAISABLE, OverBudget
from batt.runtime import Limits, Sample
from batt.runtime.evaluations import Evaluations
from handmade import deck, sample

DECK = deck(
    solve_twice=("a = vmirror(I)", "b = vmirror(I)", "c = (a, b)", "x = apply(size, c)"),
    solve_loops=("o = objects(I, T, F, F)", "x = mfilter(o, compose(flip, matcher(size, 1)))"),
    solve_fails=("a = hmirror(I)", "x = index(a, I)"),
    solve_raises=("x = first(())",),
    solve_fused=("a = hmirror(I)", "b = apply(first, I)", "c = apply(first, I)", "x = hconcat(a, vmirror(a))"),
    solve_power=("f = rbind(add, 1)", "g = power(f, 3)", "x = apply(g, (1, 2))"),
    solve_nested=("x = apply(rbind(order, sign), I)",),
    solve_best=("x = argmax(objects(I, T, F, F), size)",),
)
PLAIN = deck(solve_a=("a = vmirror(I)", "x = hconcat(a, I)"), solve_b=("x = index(hmirror(I), I)",))
"""Nothing but kernels, one of which fails."""


def samples(count: int = 12) -> tuple[Sample, ...]:
    """Grids of two rows, of two tasks."""
    return tuple([sample(((n % 10, 1), (2, n % 3)), ((1, n % 10),), n) for n in range(count)])


def evaluations(of: Deck, count: int = 12) -> Evaluations:
    """Every solver on every sample."""
    return Evaluations(samples(count), len(of))


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Count how often the body of each op is run, by wrapping the table."""
    found: Counter[str] = Counter()
    bodies = {name: each.body for name, each in OPS.items()}

    def counted(name: str, body: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(body)
        def run(*args: Any) -> Any:
            found[name] += 1
            return body(*args)

        return run

    try:
        for name, each in OPS.items():
            each.body = counted(name, bodies[name])
        yield found
    finally:
        for name, each in OPS.items():
            each.body = bodies[name]


def reference_calls(of: Deck, taken: tuple[Sample, ...], limits: Limits) -> Counter[str]:
    """Op executions of the compiled deck when the graph's interpreter runs it, nothing worked out ahead."""
    batt = compile_deck(of)
    assert not batt.left_out
    with counting() as found:
        for each in taken:
            for program in batt.graph.slices:
                METER.reset(limits.steps, limits.max_items)
                try:
                    Interpreter(batt.graph, (each.demonstrations, each.input, None)).run_slice(program)
                except (*RAISABLE, OverBudget):
                    pass
        METER.reset()
    return found

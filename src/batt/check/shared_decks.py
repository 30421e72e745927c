"""Decks of a few random solvers that share most of their steps, from a seed: values of a few items up to the limit.

Two kinds: solvers over a pool of lines, whose values may be large, each with lines of its own after them; and variants
of one random program, each of which returns another of its variables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from batt.check.generate import random_source
from batt.types import IdentityEnum


class Form(IdentityEnum):
    """What a line gives."""

    INTS = "ints"
    SPOTS = "spots"
    GRID = "grid"
    CELLS = "cells"


class Made(NamedTuple):
    """A line's text, with braces for sizes and for the name that it reads, and what it gives."""

    text: str
    form: Form


CONSTANT = (
    Made("interval(0, {n}, 1)", Form.INTS),
    Made("repeat({d}, {n})", Form.INTS),
    Made("apply(increment, interval(0, {n}, 1))", Form.INTS),
    Made("canvas({d}, ({h}, {w}))", Form.GRID),
    Made("asindices(canvas({d}, ({h}, {w})))", Form.SPOTS),
    Made("product(interval(0, {h}, 1), interval(0, {w}, 1))", Form.SPOTS),
    Made("asobject(canvas({d}, ({h}, {w})))", Form.CELLS),
)
TASK = (
    Made("upscale(first(first(S)), {k})", Form.GRID),
    Made("asindices(vupscale(last(first(S)), {k}))", Form.SPOTS),
    Made("mapply(compose(asobject, first), S)", Form.CELLS),
    Made("repeat(size(S), {n})", Form.INTS),
    Made("interval(0, multiply({d}, multiply(size(S), {h})), 1)", Form.INTS),
)
SAMPLE = (
    Made("upscale(I, {k})", Form.GRID),
    Made("asindices(hupscale(I, {k}))", Form.SPOTS),
    Made("asobject(vupscale(I, {k}))", Form.CELLS),
    Made("repeat(width(I), {n})", Form.INTS),
    Made("interval(height(I), {n}, 1)", Form.INTS),
    Made("merge(objects(upscale(I, {k}), T, F, T))", Form.CELLS),
)
LEVELS = (CONSTANT, TASK, SAMPLE)

# A function that reads a constant value stands in the body of its loop.
STEPS: dict[Form, tuple[Made, ...]] = {
    Form.INTS: (
        Made("apply(increment, {x})", Form.INTS),
        Made("apply(compose(double, decrement), {x})", Form.INTS),
        Made("order({x}, invert)", Form.INTS),
        Made("dedupe({x})", Form.INTS),
        Made("combine({x}, {x})", Form.INTS),
        Made("sfilter({x}, even)", Form.INTS),
        Made("papply(add, {x}, {x})", Form.INTS),
        Made("apply(lbind(add, size(interval(0, {n}, 1))), {x})", Form.INTS),
        Made("apply(rbind(contained, interval(0, {d}, 1)), {x})", Form.INTS),
        Made("apply(compose(size, lbind(interval, 0)), {x})", Form.INTS),
    ),
    Form.SPOTS: (
        Made("shift({x}, (1, 2))", Form.SPOTS),
        Made("recolor({d}, {x})", Form.CELLS),
        Made("difference({x}, initset((0, 0)))", Form.SPOTS),
        Made("sfilter({x}, compose(even, first))", Form.SPOTS),
        Made("apply(last, totuple({x}))", Form.INTS),
        Made("insert((0, {n}), {x})", Form.SPOTS),
        Made("paint(canvas(0, ({h}, {w})), recolor({d}, {x}))", Form.GRID),
    ),
    Form.GRID: (
        Made("vmirror({x})", Form.GRID),
        Made("rot90({x})", Form.GRID),
        Made("replace({x}, 0, {d})", Form.GRID),
        Made("hconcat({x}, {x})", Form.GRID),
        Made("asindices({x})", Form.SPOTS),
        Made("asobject({x})", Form.CELLS),
        Made("ofcolor({x}, {d})", Form.SPOTS),
        Made("merge({x})", Form.INTS),
    ),
    Form.CELLS: (
        Made("shift({x}, (2, 1))", Form.CELLS),
        Made("recolor({d}, {x})", Form.CELLS),
        Made("toindices({x})", Form.SPOTS),
        Made("normalize({x})", Form.CELLS),
        Made("sfilter({x}, matcher(first, {d}))", Form.CELLS),
        Made("apply(first, totuple({x}))", Form.INTS),
    ),
}

ENDS: dict[Form, tuple[str, ...]] = {
    Form.INTS: ("size({x})", "last({x})", "maximum({x})", "mostcommon({x})", "{x}", "contained({d}, {x})"),
    Form.SPOTS: ("size({x})", "ulcorner({x})", "center({x})", "{x}", "vline({x})"),
    Form.GRID: ("mostcolor({x})", "palette({x})", "shape({x})", "{x}", "first({x})"),
    Form.CELLS: ("size({x})", "mostcolor({x})", "lrcorner({x})", "{x}", "toindices({x})"),
}


@dataclass
class _Writer:
    """Lines with the names that they give to values. `items` is about how many items the largest ones have."""

    rng: Random
    items: int
    prefix: str
    names: list[tuple[str, Form]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def head(self) -> None:
        """A line that reads inputs alone, or none."""
        self._name(self.rng.choice(self.rng.choice(LEVELS)), "")

    def step(self) -> None:
        """A line that reads another's value."""
        name, form = self.rng.choice(self.names)
        self._name(self.rng.choice(STEPS[form]), name)

    def end(self) -> str:
        """What a solver returns."""
        read = self.rng.choices(self.names, k=self.rng.choice((1, 1, 2, 3)))
        parts = [self.filled(self.rng.choice(ENDS[form]), name) for name, form in read]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def filled(self, text: str, read: str) -> str:
        """The text with sizes, and the name that is read."""
        n = max(2, int(self.items ** min(1.0, self.rng.uniform(0.4, 1.3))))
        h = self.rng.randint(1, max(1, min(n, 1_000)))
        # A grid has up to 900 cells, and is scaled in one direction or in both.
        k = self.rng.randint(1, max(1, int((n / 300) ** 0.5)))
        return text.format(x=read, n=n, h=h, w=max(1, n // h), k=k, d=self.rng.randint(0, 9))

    def _name(self, made: Made, read: str) -> None:
        name = f"{self.prefix}{len(self.lines) + 1}"
        self.lines.append(f"{name} = {self.filled(made.text, read)}")
        self.names.append((name, made.form))


def shared_sources(rng: Random, count: int, items: int) -> dict[str, str]:
    """Solvers over one pool of lines, with values of up to about `items` items, or a few more."""
    pool = _Writer(rng, items, "p")
    for _ in range(rng.randint(1, 4)):
        pool.head()
    for _ in range(rng.randint(1, 6)):
        pool.step()
    found: dict[str, str] = {}
    for number in range(count):
        own = _Writer(rng, items, "x", list(pool.names))
        for _ in range(rng.randint(0, 3)):
            own.step()
        end = own.end()
        lines = [*_read(pool.lines, [*own.lines, end]), *own.lines]
        body = [f"    {line}" for line in (*lines, f"return {end}")]
        found[f"solve_{number}"] = "\n".join(["def solve(S, I, C):", *body, ""])
    return found


def _read(pool: list[str], readers: list[str]) -> list[str]:
    """The lines of the pool that readers need."""
    needed: list[str] = []
    text = " ".join(readers)
    for line in reversed(pool):
        name = line.partition(" = ")[0]
        if _names(name, text):
            needed.insert(0, line)
            text += " " + line.partition(" = ")[2]
    return needed


def _names(name: str, text: str) -> bool:
    words = "".join([each if each.isalnum() else " " for each in text]).split()
    return name in words


def variants(seed: int, rng: Random, count: int) -> dict[str, str]:
    """One random program again and again, each time with another of its variables as the result."""
    whole = random_source(seed)
    at = whole.index("def solve(")
    helpers, (head, *lines) = whole[:at], whole[at:].rstrip("\n").split("\n")
    assigned = lines[:-1]
    found = {"solve_0": whole}
    for number in range(1, count):
        if not assigned:
            break
        last = rng.randrange(len(assigned))
        kept = [head, *assigned[: last + 1], f"    return {assigned[last].split(' = ')[0].strip()}", ""]
        found[f"solve_{number}"] = helpers + "\n".join(kept)
    return found

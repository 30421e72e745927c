"""Random decks whose solvers share most of their steps, from a seed. Values have a few items up to the limit.

There are two kinds: solvers that read a common pool of lines, whose values may be large, and add lines of their own;
and variants of one random program, each of which returns another of its variables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from batt.check.generate import random_source
from batt.types import IdentityEnum


class LineKind(IdentityEnum):
    """The kind of value that a line makes."""

    INTS = "ints"
    SPOTS = "spots"
    GRID = "grid"
    CELLS = "cells"


class LineTemplate(NamedTuple):
    """The text of a line, with gaps for sizes and for the name that it reads, and the kind of its value."""

    text: str
    kind: LineKind


CONSTANT = (
    LineTemplate("interval(0, {n}, 1)", LineKind.INTS),
    LineTemplate("repeat({d}, {n})", LineKind.INTS),
    LineTemplate("apply(increment, interval(0, {n}, 1))", LineKind.INTS),
    LineTemplate("canvas({d}, ({h}, {w}))", LineKind.GRID),
    LineTemplate("asindices(canvas({d}, ({h}, {w})))", LineKind.SPOTS),
    LineTemplate("product(interval(0, {h}, 1), interval(0, {w}, 1))", LineKind.SPOTS),
    LineTemplate("asobject(canvas({d}, ({h}, {w})))", LineKind.CELLS),
)
TASK = (
    LineTemplate("upscale(first(first(S)), {k})", LineKind.GRID),
    LineTemplate("asindices(vupscale(last(first(S)), {k}))", LineKind.SPOTS),
    LineTemplate("mapply(compose(asobject, first), S)", LineKind.CELLS),
    LineTemplate("repeat(size(S), {n})", LineKind.INTS),
    LineTemplate("interval(0, multiply({d}, multiply(size(S), {h})), 1)", LineKind.INTS),
)
SAMPLE = (
    LineTemplate("upscale(I, {k})", LineKind.GRID),
    LineTemplate("asindices(hupscale(I, {k}))", LineKind.SPOTS),
    LineTemplate("asobject(vupscale(I, {k}))", LineKind.CELLS),
    LineTemplate("repeat(width(I), {n})", LineKind.INTS),
    LineTemplate("interval(height(I), {n}, 1)", LineKind.INTS),
    LineTemplate("merge(objects(upscale(I, {k}), T, F, T))", LineKind.CELLS),
)
LEVELS = (CONSTANT, TASK, SAMPLE)

# Among them functions that read a constant value within the body of a loop.
STEPS: dict[LineKind, tuple[LineTemplate, ...]] = {
    LineKind.INTS: (
        LineTemplate("apply(increment, {x})", LineKind.INTS),
        LineTemplate("apply(compose(double, decrement), {x})", LineKind.INTS),
        LineTemplate("order({x}, invert)", LineKind.INTS),
        LineTemplate("dedupe({x})", LineKind.INTS),
        LineTemplate("combine({x}, {x})", LineKind.INTS),
        LineTemplate("sfilter({x}, even)", LineKind.INTS),
        LineTemplate("papply(add, {x}, {x})", LineKind.INTS),
        LineTemplate("apply(lbind(add, size(interval(0, {n}, 1))), {x})", LineKind.INTS),
        LineTemplate("apply(rbind(contained, interval(0, {d}, 1)), {x})", LineKind.INTS),
        LineTemplate("apply(compose(size, lbind(interval, 0)), {x})", LineKind.INTS),
    ),
    LineKind.SPOTS: (
        LineTemplate("shift({x}, (1, 2))", LineKind.SPOTS),
        LineTemplate("recolor({d}, {x})", LineKind.CELLS),
        LineTemplate("difference({x}, initset((0, 0)))", LineKind.SPOTS),
        LineTemplate("sfilter({x}, compose(even, first))", LineKind.SPOTS),
        LineTemplate("apply(last, totuple({x}))", LineKind.INTS),
        LineTemplate("insert((0, {n}), {x})", LineKind.SPOTS),
        LineTemplate("paint(canvas(0, ({h}, {w})), recolor({d}, {x}))", LineKind.GRID),
    ),
    LineKind.GRID: (
        LineTemplate("vmirror({x})", LineKind.GRID),
        LineTemplate("rot90({x})", LineKind.GRID),
        LineTemplate("replace({x}, 0, {d})", LineKind.GRID),
        LineTemplate("hconcat({x}, {x})", LineKind.GRID),
        LineTemplate("asindices({x})", LineKind.SPOTS),
        LineTemplate("asobject({x})", LineKind.CELLS),
        LineTemplate("ofcolor({x}, {d})", LineKind.SPOTS),
        LineTemplate("merge({x})", LineKind.INTS),
    ),
    LineKind.CELLS: (
        LineTemplate("shift({x}, (2, 1))", LineKind.CELLS),
        LineTemplate("recolor({d}, {x})", LineKind.CELLS),
        LineTemplate("toindices({x})", LineKind.SPOTS),
        LineTemplate("normalize({x})", LineKind.CELLS),
        LineTemplate("sfilter({x}, matcher(first, {d}))", LineKind.CELLS),
        LineTemplate("apply(first, totuple({x}))", LineKind.INTS),
    ),
}

ENDS: dict[LineKind, tuple[str, ...]] = {
    LineKind.INTS: ("size({x})", "last({x})", "maximum({x})", "mostcommon({x})", "{x}", "contained({d}, {x})"),
    LineKind.SPOTS: ("size({x})", "ulcorner({x})", "center({x})", "{x}", "vline({x})"),
    LineKind.GRID: ("mostcolor({x})", "palette({x})", "shape({x})", "{x}", "first({x})"),
    LineKind.CELLS: ("size({x})", "mostcolor({x})", "lrcorner({x})", "{x}", "toindices({x})"),
}


@dataclass
class _LineWriter:
    """Writes lines, and keeps the names of their values. The largest values have about `items` items."""

    rng: Random
    items: int
    prefix: str
    names: list[tuple[str, LineKind]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def head(self) -> None:
        """Write a line that reads inputs alone, or nothing."""
        self._name(self.rng.choice(self.rng.choice(LEVELS)), "")

    def step(self) -> None:
        """Write a line that reads the value of another."""
        name, kind = self.rng.choice(self.names)
        self._name(self.rng.choice(STEPS[kind]), name)

    def end(self) -> str:
        """Return an expression for the result of a solver."""
        read = self.rng.choices(self.names, k=self.rng.choice((1, 1, 2, 3)))
        parts = [self.filled(self.rng.choice(ENDS[kind]), name) for name, kind in read]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def filled(self, text: str, read: str) -> str:
        """Return `text` with random sizes, and with the name `read`."""
        n = max(2, int(self.items ** min(1.0, self.rng.uniform(0.4, 1.3))))
        h = self.rng.randint(1, max(1, min(n, 1_000)))
        # A grid has up to 900 cells, and is scaled in one direction or in both.
        k = self.rng.randint(1, max(1, int((n / 300) ** 0.5)))
        return text.format(x=read, n=n, h=h, w=max(1, n // h), k=k, d=self.rng.randint(0, 9))

    def _name(self, made: LineTemplate, read: str) -> None:
        name = f"{self.prefix}{len(self.lines) + 1}"
        self.lines.append(f"{name} = {self.filled(made.text, read)}")
        self.names.append((name, made.kind))


def shared_sources(rng: Random, count: int, items: int) -> dict[str, str]:
    """Return `count` solvers over one pool of lines, with values of up to about `items` items."""
    pool = _LineWriter(rng, items, "p")
    for _ in range(rng.randint(1, 4)):
        pool.head()
    for _ in range(rng.randint(1, 6)):
        pool.step()
    found: dict[str, str] = {}
    for number in range(count):
        own = _LineWriter(rng, items, "x", list(pool.names))
        for _ in range(rng.randint(0, 3)):
            own.step()
        end = own.end()
        lines = [*_read(pool.lines, [*own.lines, end]), *own.lines]
        body = [f"    {line}" for line in (*lines, f"return {end}")]
        found[f"solve_{number}"] = "\n".join(["def solve(S, I, C):", *body, ""])
    return found


def _read(pool: list[str], readers: list[str]) -> list[str]:
    """Return the lines of `pool` that `readers` need."""
    needed: list[str] = []
    words = set(re.findall(r"\w+", " ".join(readers)))
    for line in reversed(pool):
        name, _, text = line.partition(" = ")
        if name in words:
            needed.insert(0, line)
            words.update(re.findall(r"\w+", text))
    return needed


def variants(seed: int, rng: Random, count: int) -> dict[str, str]:
    """Return a random program `count` times, each time with another of its variables as the result."""
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

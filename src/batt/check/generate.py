"""Random programs as source text, from a seed: they build, store, choose and call functions in every way there is.

A program is written from its result: the lines that a line needs are written before it. Types decide what fits where,
so that many programs end in a value; others have a few wrong arguments. Values stay small. Lines of their own call
every op of the table, each as often as any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from batt.check import ways
from batt.check.python_ways import LAMBDA, forms, lambdas
from batt.check.ways import (
    ANY,
    BOOL,
    CALLED,
    CELL,
    DATA,
    GRID,
    INT,
    LITERALS,
    OBJECT,
    ODD_LITERALS,
    PAIR,
    PAIRS_OF_GRIDS,
    Fn,
    Many,
    Type,
    Way,
    fits,
    primitives,
)
from batt.ops import EVERY_OP, NEW_WORDS, WORDS, WORDS_LINE, Op
from batt.ops.python import PART
from batt.types import Kind

MAX_LINES = 24
MAX_CALLS = 5
ODD = 0.04
"""The share of odd literals."""
HELPERS_GRID = "((1, 0), (0, 2))"

_EVERY_OP = tuple(EVERY_OP.values())
_NEW_WORDS = tuple(NEW_WORDS.values())
_AS_VALUE = 0.2
"""The share of calls of new words that call the word as a value."""
_UNUSED: tuple[Type, ...] = (*DATA, Fn((GRID,), GRID), Many(Fn((GRID,), INT), True))
_WRONG: tuple[Type, ...] = (*DATA, ANY, Fn((INT,), INT), Many(Fn((GRID,), GRID), True))
_RESULTS: tuple[Type, ...] = (*DATA, GRID, Many(GRID, False), Many(INT, True), Fn((GRID,), GRID))


@dataclass
class Writer:
    """Writes one definition. `noise` is the share of arguments of a wrong type.

    With `words`, its random calls are calls of new words, and `has_words` tells whether one was written.
    """

    rng: Random
    noise: float
    names: list[tuple[str, Type]]
    prefix: str = "x"
    grid: str = "I"
    lines: list[str] = field(default_factory=list)
    words: bool = False
    has_words: bool = False

    def source(self, head: str, result: Type, calls: int = 0) -> str:
        """Return the text of a definition with the line `head`, among them up to `calls` calls of random ops."""
        # A program ends at its first error, so the words that it is for come first.
        if not self.words:
            self.unused()
        called = _NEW_WORDS if self.words else _EVERY_OP
        for each in self.rng.choices(called, k=self.rng.randint(int(self.words), calls)):
            self.call(each)
        if self.words:
            self.unused()
        returned = self.of(result)
        return "\n".join([f"def {head}:", *[f"    {line}" for line in self.lines], f"    return {returned}", ""])

    def unused(self) -> None:
        """Write up to three expressions that may not be read."""
        for _ in range(self.rng.randint(0, 3)):
            self.of(self.rng.choice(_UNUSED))

    def of(self, kind: Type, depth: int = 3) -> str:
        """Return an expression of type `kind`; with noise, sometimes of another type."""
        if self.rng.random() < self.noise:
            kind = self.rng.choice(_WRONG)
        known = [name for name, each in self.names if fits(each, kind)]
        if known and self.rng.random() < (0.35 if depth > 0 else 0.95):
            return self.rng.choice(known)
        match kind:
            case Fn():
                return self.function(kind, depth)
            case Many() if depth <= 0:
                return self.write(("initset({})" if kind.is_set else "({}, {})", (kind.item, kind.item)), kind, 0)
            case Many():
                return self.write(self.rng.choice(ways.to_container(kind, self.raw())), kind, depth)
            case Kind() if depth <= 0 or kind is CELL:
                return self.plain(kind)
            case Kind() if self.rng.random() < 0.15 and forms(kind):
                return self.write(self.rng.choice(forms(kind)), kind, depth)
            case Kind() if self.rng.random() < 0.4:
                return self.write(self.rng.choice(ways.calls(kind)), kind, depth)
        return self.write(self.rng.choice(ways.to_value(kind, self.raw(), self.rng.random() < 0.7)), kind, depth)

    def call(self, each: Op) -> None:
        """Write a line that calls an op, whether or not another line reads it."""
        if each.name == PART:
            self.unpack()
            return
        signature = self.rng.choice(ways.signatures(each))
        way, result = ways.call_of(each, self.raw(), self.raw(), self.rng.random() < 0.5, signature)
        template, types = way
        args = [self.of(kind, 1) for kind in types]
        if each.group == WORDS:
            self.has_words = True
            if self.rng.random() < _AS_VALUE:
                template = template.replace(each.name, f"identity({each.name})", 1)
        self.name(template.format(*args), result)

    def unpack(self) -> None:
        """Write a line that unpacks a pair or a cell."""
        is_pair = self.rng.random() < 0.5
        given = self.of(PAIR if is_pair else CELL, 1)
        stem = f"{self.prefix}{len(self.lines) + 1}"
        self.names += [(f"{stem}_a", INT), (f"{stem}_b", INT)]
        names = f"{stem}_a, {stem}_b" if is_pair else f"_, ({stem}_a, {stem}_b)"
        self.lines.append(f"{names} = {given}")

    def name(self, text: str, kind: Type) -> str:
        """Write a line for an expression. Return the name of its value."""
        self.lines.append(f"{self.prefix}{len(self.lines) + 1} = {text}")
        self.names.append((f"{self.prefix}{len(self.lines)}", kind))
        return self.names[-1][0]

    def write(self, way: Way, kind: Type, depth: int) -> str:
        """Return an expression written in this way, mostly as the name of a line."""
        template, types = way
        makers = [isinstance(each, Fn) and isinstance(each.result, Fn) for each in types]
        args = [self.of(each, depth - 1 - is_maker) for each, is_maker in zip(types, makers, strict=True)]
        if template == CALLED:
            # A wrong number of arguments for an op by its name is an error of the source text, not of a run.
            is_variable = args[0].startswith(self.prefix) and self.rng.random() < 0.7
            is_lambda = any(line.startswith(f"{args[0]} = {LAMBDA}") for line in self.lines)
            is_wrong = self.rng.random() < self.noise and not is_lambda
            template = ("{}" if is_variable else "identity({})") + ("({}, ONE)" if is_wrong else "({})")
        if template.startswith(LAMBDA):
            # A lambda reads few names of its definition, so expressions become names outside of it.
            args = [arg if arg.isidentifier() else self.name(arg, each) for arg, each in zip(args, types, strict=True)]
        text = template.replace("{grid}", self.grid).format(*args)
        if not types or self.rng.random() < 0.25 or len(self.lines) > MAX_LINES:
            return text
        return self.name(text, kind)

    def raw(self) -> Kind:
        """Return a random kind with small and plain values."""
        return self.rng.choice((INT, PAIR, OBJECT, BOOL))

    def plain(self, kind: Kind) -> str:
        """Return a short expression of this kind."""
        if kind in ODD_LITERALS and self.rng.random() < ODD:
            return self.rng.choice(ODD_LITERALS[kind])
        if kind in LITERALS:
            return self.rng.choice(LITERALS[kind])
        texts = {
            Kind.OBJECTS: "objects({grid}, T, F, T)",
            Kind.INDICES: f"ofcolor({{grid}}, {self.rng.choice(LITERALS[INT])})",
            GRID: "{grid}",
            Kind.NUM: "TWO",
            Kind.SET: "palette({grid})",
            Kind.CONTAINER: "palette({grid})",
            Kind.TUPLE: "shape({grid})",
            ANY: self.rng.choice(("ZERO", "T", "None", "()", "(1, 2)", "((1, 2), 3)", "{grid}", "vmirror")),
        }
        return texts.get(kind, "asobject({grid})").replace("{grid}", self.grid)

    def function(self, kind: Fn, depth: int) -> str:
        """Return an expression that makes a function of this type."""
        if len(kind.params) != 1:
            name = self.rng.choice(primitives(kind.params, kind.result) or ["add", "astuple", "shift", "apply"])
            is_lambda = len(kind.params) == 2 and self.rng.random() < 0.1
            return f"{LAMBDA} u, v: {name}(u, v))" if is_lambda else name
        (param,), result = kind.params, kind.result
        a, b = self.rng.choice(DATA), self.rng.choice(DATA)
        found: list[Way] = [(name, ()) for name in primitives(kind.params, result)[:3]]
        if isinstance(result, Fn):
            found += ways.to_make_functions(param, result, a)[: 3 if depth <= 0 else None] * 3
        else:
            found += [(f"lbind({name}, {{}})", (a,)) for name in primitives((a, param), result)]
            found += [(f"rbind({name}, {{}})", (a,)) for name in primitives((param, a), result)]
            self.rng.shuffle(found)
            found = [*found[:6], ("lbind(lbind(branch, T), {})", (result,))]
        if depth > 0:
            found += [*ways.to_join(param, result, a, b), *ways.to_pick(kind, self.raw())]
            found += ways.to_loop(param, result, self.raw()) * 3
        if self.rng.random() < 0.06:
            found = lambdas(param, result, a)
        elif depth > 0 and isinstance(param, Fn):
            found += ways.to_use_a_function(param, result, self.rng.random() < 0.5) * 3
        return self.write(self.rng.choice(found), kind, depth)


def random_source(seed: int, words: bool = False) -> str:
    """Return the source of a program `solve`, with helpers before it; with `words`, it calls new words.

    It depends on the arguments alone.
    """
    rng = Random(seed)
    noise = rng.choice((0.0, 0.0, 0.0, 0.02, 0.1))
    helpers: list[tuple[str, Type]] = []
    texts: list[str] = []
    for number in range(rng.choice((0, 0, 1, 2))):
        name, param, result = f"helper{number}", rng.choice(DATA), rng.choice(DATA)
        params = ("a",) if rng.random() < 0.8 else ("a", "b")
        known = [*helpers, *[(each, param) for each in params]]
        writer = Writer(rng, noise, known, prefix="y", grid=HELPERS_GRID)
        texts.append(writer.source(f"{name}({', '.join(params)})", result))
        helpers.append((name, Fn((param,) * len(params), result)))
    inputs: list[tuple[str, Type]] = [("I", GRID)]
    if rng.random() < (0.75 if words else 0.25):
        inputs += [("S", PAIRS_OF_GRIDS), ("C", ANY)]
    head = "solve(I)" if len(inputs) == 1 else "solve(S, I, C)"
    writer = Writer(rng, noise, [*helpers, *inputs], words=words)
    texts.append(writer.source(head, rng.choice(_RESULTS), calls=MAX_CALLS))
    return "\n".join([*[WORDS_LINE] * writer.has_words, *texts])

"""The op table: what an op is, and that each name is declared once. Everything else about ops is derived from here.

An op is declared beside its reference body:

    @op(GRID, result=GRID)
    def vmirror(grid: Grid) -> Grid:
        '''Mirror the grid left to right.

        >>> vmirror(((1, 2), (3, 4)))
        ((2, 1), (4, 3))
        '''
        return tuple([row[::-1] for row in grid])
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from batt.errors import InternalError
from batt.ops.known import known_of
from batt.ops.meter import METER, Cost, OverBudget, items, unit
from batt.types import Function, Kind

RAISABLE = (
    TypeError,
    ValueError,
    IndexError,
    KeyError,
    AttributeError,
    StopIteration,
    RuntimeError,
    RecursionError,
    ZeroDivisionError,
)
"""The errors that primitives raise. Any other error in an evaluation is a bug of batt."""


METERED = sys.maxsize >> 1
"""More steps than an evaluation has. With more left, no engine is calling, and values may be anything."""

LANGUAGE = "language"
"""The group of the 160 primitives, which every deck calls by name."""
PYTHON = "python"
"""The group of forms of everyday Python, which a deck writes as Python does."""
WORDS = "words"
"""The group of the new words: ops beyond the primitives, which a deck calls by name after `WORDS_LINE`."""
WORDS_LINE = "from batt.words import *"
"""The line of a deck that switches the new words on."""

OWN = "own"
"""The family of ops that a user declares; they are not in the table, and only their declaration is known."""


DEMONSTRATIONS = "S"
"""The name of the parameter of a new word that takes the demonstrations."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call an op: the kinds of its arguments and of its result."""

    params: tuple[Kind, ...]
    result: Kind

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.params))}) -> {self.result}"


@dataclass(frozen=True, slots=True)
class Example:
    """A call of the op and its result, both as text in the language's printed form."""

    call: str
    gives: str


class Op(Function):
    """A primitive: name, parameters, signatures, family, step cost, documentation, reference body and knowledge.

    Calling it runs the body and charges the meter: by default 1 step, plus the items in before the body runs, plus the
    items out after it. An op with a cost of its own charges all of that before its body runs. `written` is the source
    text of a call, with a gap for each argument.
    """

    __slots__ = (
        "arity",
        "body",
        "cost",
        "doc",
        "examples",
        "family",
        "group",
        "known",
        "name",
        "params",
        "signatures",
        "written",
    )
    args = ()

    def __init__(
        self,
        body: Callable[..., Any],
        signatures: tuple[Signature, ...],
        cost: Cost | None,
        group: str = LANGUAGE,
        written: str | None = None,
    ) -> None:
        self.name = body.__name__
        self.body = body
        self.params = tuple(inspect.signature(body).parameters)
        self.arity = len(self.params)
        self.signatures = signatures
        self.known = known_of(body)
        self.cost = cost
        self.family = body.__module__.rpartition(".")[2]
        self.group = group
        self.written = written or f"{self.name}({', '.join(['{}'] * self.arity)})"
        self.doc, self.examples = _read_doc(inspect.getdoc(body) or "")

    def __call__(self, *args: Any) -> Any:
        """Charge the meter and run the body."""
        meter = METER
        cost = self.cost
        if cost is None:
            left = meter.steps_left - 1
            for arg in args:
                left -= items(arg)
            if not 0 <= left <= METERED:
                self._check(left, args)
            meter.steps_left = left
            result = self.body(*args)
            made = items(result)
            # Read the meter again: a body that called a function value has charged it.
            left = meter.steps_left - made
            if left < 0 or made > meter.max_items:
                raise OverBudget
            meter.steps_left = left
            return result
        left = meter.steps_left - (1 if cost is unit or len(args) != self.arity else cost(*args))
        if not 0 <= left <= METERED:
            self._check(left, args)
        meter.steps_left = left
        result = self.body(*args)
        if cost is not unit and items(result) > meter.max_items:
            raise OverBudget
        return result

    def _check(self, left: int, args: tuple[Any, ...]) -> None:
        """End an evaluation that has no steps left; outside one, refuse values that are not of the language."""
        if left < 0:
            raise OverBudget
        for name, arg in zip(self.params, args, strict=False):
            if isinstance(arg, list | set | dict):
                raise TypeError(
                    f"{self.name}: {name!r} is a {type(arg).__name__}; the language has tuples and frozensets: "
                    "tuple(map(tuple, rows)) makes a grid of a list of rows"
                )

    @property
    def reads_demonstrations(self) -> bool:
        """Tell whether it is a new word that takes the demonstrations: on one of them, it sees the wanted output."""
        return self.group == WORDS and DEMONSTRATIONS in self.params

    @property
    def cost_text(self) -> str:
        """The step cost in words, for the reference page."""
        if self.cost is None:
            return "1 + items in + items out"
        return "1" if self.cost is unit else (inspect.getdoc(self.cost) or "").rstrip(".")

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return find_op, (self.name,)


OPS: dict[str, Op] = {}
"""The primitives by name."""
NEW_WORDS: dict[str, Op] = {}
"""The new words by name."""
EVERY_OP: dict[str, Op] = {}
"""The ops of all groups by name: the primitives, and those apart from them."""


def op(
    *params: Kind,
    result: Kind,
    also: tuple[Signature, ...] = (),
    cost: Cost | None = None,
    group: str = LANGUAGE,
    written: str | None = None,
) -> Callable[[Callable[..., Any]], Op]:
    """Declare an op with its first signature; `also` holds its overloads, `cost` a step cost of its own.

    An op of another group than the language's is known to every engine. A deck calls a new word by name after
    `WORDS_LINE`, and an op of any other group never.
    """

    def declare(body: Callable[..., Any]) -> Op:
        declared = Op(body, (Signature(params, result), *also), cost, group, written)
        if declared.name in EVERY_OP:
            raise InternalError(f"the op {declared.name!r} is declared twice")
        # `python -OO` strips docstrings: then ops have none, but still run.
        if sys.flags.optimize < 2 and not (declared.doc and declared.examples):
            raise InternalError(f"the op {declared.name!r} needs a docstring with an example")
        if any(len(signature.params) != declared.arity for signature in declared.signatures):
            raise InternalError(f"a signature of {declared.name!r} does not have its {declared.arity} parameters")
        EVERY_OP[declared.name] = declared
        if group == LANGUAGE:
            OPS[declared.name] = declared
        elif group == WORDS:
            NEW_WORDS[declared.name] = declared
        return declared

    return declare


def sig(*params: Kind, result: Kind) -> Signature:
    """Return a further signature, for `also`."""
    return Signature(params, result)


def find_op(name: str) -> Op:
    """Return the op of that name, in any group."""
    return EVERY_OP[name]


def families(group: str = LANGUAGE) -> Mapping[str, list[Op]]:
    """Return the ops of a group by family, families by name, ops in the order of their declaration."""
    found: dict[str, list[Op]] = {}
    for each in EVERY_OP.values():
        if each.group == group:
            found.setdefault(each.family, []).append(each)
    return dict(sorted(found.items()))


def groups() -> list[str]:
    """Return the groups of ops, the language's own first, the others by name."""
    return list(dict.fromkeys([LANGUAGE, *sorted([each.group for each in EVERY_OP.values()])]))


def _read_doc(doc: str) -> tuple[str, tuple[Example, ...]]:
    """Split a docstring into its prose and its `>>>` examples."""
    prose: list[str] = []
    examples: list[Example] = []
    lines: Iterator[str] = iter(doc.splitlines())
    for line in lines:
        if line.startswith(">>> "):
            examples.append(Example(line[4:], next(lines, "")))
        else:
            prose.append(line)
    return "\n".join(prose).strip(), tuple(examples)

"""Derive what ops give from what their declarations say: for certain, or as is likely. Knows no graph.

Likely results follow from an op's `types` and signatures, certain ones from what it `gives`, `refuses` and `proves`,
which are tested against its reference body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product
from operator import and_, or_
from typing import Any, NamedTuple

from batt.analysis.values import (
    BOOL,
    DEMONSTRATIONS,
    FUNCTION,
    GRID,
    GRID_OR_NONE,
    INT,
    LETTERS,
    NEVER,
    OF_KIND,
    PATCH,
    RECT,
    SET,
    TUPLE,
    TWO_GRIDS,
    UNKNOWN,
    AbstractValue,
    certain_constant,
    certain_tuple,
    container,
    halves,
    item,
    join,
    kind_of,
    lettered,
    like,
    likely_constant,
    likely_tuple,
    two,
)
from batt.ops import EVERY_OP, Op
from batt.ops.schemes import Items, Maps, Never, Pattern, Scheme, Two, Var, schemes
from batt.types import Kind

MAX_KEPT = 10_000
"""Results that are kept: most calls of a deck have the arguments of others."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The claims that a walk over a graph makes about values: the certain ones or the likely ones."""

    certain: bool

    def constant(self, value: Any) -> AbstractValue:
        """Return what a constant is."""
        return certain_constant(value) if self.certain else likely_constant(value)

    def input(self, name: str) -> AbstractValue:
        """Return what S, I or C is. I is a grid with cells, as every task's is; S may be empty, and C None.

        A parameter can be anything.
        """
        if name == "C":
            return GRID_OR_NONE if self.certain else GRID
        if name == "I":
            return GRID
        return DEMONSTRATIONS if name == "S" else UNKNOWN

    def tuple_of(self, items: Sequence[AbstractValue]) -> AbstractValue:
        """Return what the tuple of `items` is."""
        return certain_tuple(items) if self.certain else likely_tuple(items)

    def join(self, a: AbstractValue, b: AbstractValue) -> AbstractValue:
        """Return what one or the other is."""
        return AbstractValue(a.shapes | b.shapes) if self.certain else join(a, b)

    def item(self, container: AbstractValue) -> AbstractValue:
        """Return what any item of a container is. Nothing is certain about items."""
        return UNKNOWN if self.certain else item(container)

    def count(self, number: AbstractValue) -> AbstractValue:
        """Return what a number is with which `power` counts: an int, if it can be one."""
        return AbstractValue(number.shapes & INT.shapes) if self.certain else INT

    def call(self, op: Op, args: Sequence[AbstractValue], made: AbstractValue | None = None) -> AbstractValue:
        """Return what an op gives. In a loop, `made` is what the function among the arguments gives."""
        if not self.certain:
            return _by_scheme(op.known.types, tuple(args), made) or _by_signature(op, args)
        found = given(op, args) if refused(op, args) is None else NEVER
        calls = made is not None and any(each.gives_what_it_calls for each in schemes(op.known.types))
        return made if made is not None and calls and found != NEVER else found


LIKELY, CERTAIN = Domain(certain=False), Domain(certain=True)


# What is likely


class _SchemeMatch:
    """The arguments of a call, bound to the parameters of a scheme."""

    def __init__(self, scheme: Scheme, args: Sequence[AbstractValue], made: AbstractValue | None) -> None:
        self.variables: dict[str, AbstractValue] = {}
        self.containers: list[tuple[Pattern, AbstractValue]] = []
        for param, arg in zip(scheme.params, args, strict=True):
            self._bind(param, arg)
        for param in scheme.params:
            if isinstance(param, Maps) and made is not None:
                self._bind(param.result, made)

    def _bind(self, pattern: Pattern, given: AbstractValue) -> None:
        match pattern:
            case Var(name, False):
                self.variables[name] = join(self.variables.get(name, NEVER), given)
            case Items(_, inner):
                self.containers.append((inner, given))
                self._bind(inner, item(given))
            case Two(a, b):
                for part, each in zip((a, b), halves(given), strict=False):
                    self._bind(part, each)

    def made(self, pattern: Pattern) -> AbstractValue | None:
        """Return what a pattern stands for; None if no argument says it."""
        match pattern:
            case Kind():
                return OF_KIND[pattern]
            case Var(name):
                return self.variables.get(name)
            case Two(a, b):
                left, right = self.made(a), self.made(b)
                return two(left, right) if left and right else None
            case Items(word, inner):
                of = self.made(inner)
                return self._container(word, inner, of) if of else None
        return None

    def _container(self, word: str, inner: Pattern, of: AbstractValue) -> AbstractValue:
        match word:
            case "tuple" | "set":
                return container(Kind(word), of)
            case "many":
                return like(self.containers[0][1], of)
        first, *others = [given for each, given in self.containers if each == inner]
        if word == "patch":
            return _moved(first)
        if others and item(first) == UNKNOWN:
            return others[-1]
        return first if first.is_a(SET) else like(first, item(first))


def _moved(patch: AbstractValue) -> AbstractValue:
    if patch.is_a(SET) and patch.shapes & PATCH.shapes:
        return patch
    found = container(Kind.SET, item(patch))
    return found if found.is_a(PATCH) else PATCH


def _fits(pattern: Pattern, given: AbstractValue) -> bool:
    """Tell whether a value is one that a pattern stands for."""
    match pattern:
        case Kind():
            return OF_KIND[given.kind].is_a(OF_KIND[pattern])
        case Items(word, inner):
            outer = {"tuple": TUPLE, "set": SET, "patch": SET}.get(word)
            return (outer is None or given.is_a(outer)) and _fits(inner, item(given))
        case Two():
            return bool(halves(given))
        case Never():
            return given == NEVER
    return True


@lru_cache(MAX_KEPT)
def _by_scheme(text: str, args: tuple[AbstractValue, ...], made: AbstractValue | None) -> AbstractValue | None:
    """Return the result of the first scheme that fits, or of all; None if none says it."""
    found = schemes(text)
    met = [each for each in found if all(map(_fits, each.params, args))][:1] or found
    results = [_SchemeMatch(each, args, made).made(each.result) for each in met]
    return reduce(join, [each for each in results if each], NEVER) if results and all(results) else None


def _by_signature(op: Op, args: Sequence[AbstractValue]) -> AbstractValue:
    """Return the result of the first signature that fits, or of all that may."""
    given = [OF_KIND[arg.kind] for arg in args]
    wanted = [[OF_KIND[kind] for kind in each.params] for each in op.signatures]
    results = [OF_KIND[each.result] for each in op.signatures]
    for params, result in zip(wanted, results, strict=True):
        if all(map(AbstractValue.is_a, given, params)):
            return result
    possible = [
        result
        for params, result in zip(wanted, results, strict=True)
        if all(arg.shapes & param.shapes for arg, param in zip(given, params, strict=True))
    ]
    return OF_KIND[kind_of(reduce(or_, [each.shapes for each in possible or results]))]


# What is certain


class Refusal(NamedTuple):
    """A call whose arguments all have these shapes raises; the argument at `position` is to blame."""

    position: int
    shapes: tuple[int, ...]


@lru_cache(MAX_KEPT)
def refusals(op: Op) -> list[Refusal]:
    """Read what an op refuses: `grid: inp; factor: nepgtzs if grid=g`."""
    found = []
    for each in op.known.refuses.split("; ") if op.known.refuses else ():
        params, _, text = each.partition(": ")
        letters, _, conditions = text.partition(" if ")
        for param in params.split():
            wanted = {**dict(_pairs(conditions, "=")), param: letters}
            masks = tuple([lettered(wanted.get(name, "*")) for name in op.params])
            found.append(Refusal(op.params.index(param), masks))
    return found


def _pairs(text: str, sign: str) -> list[tuple[str, str]]:
    """Read words with a sign between their halves."""
    return [(left, right) for left, _, right in [word.partition(sign) for word in text.split()]]


def refused(op: Op, args: Sequence[AbstractValue]) -> int | None:
    """Return the position of the argument for which a call certainly raises; None if it may succeed or is unreached."""
    for refusal in refusals(op) if NEVER not in args else ():
        if not any(arg.shapes & ~allowed for arg, allowed in zip(args, refusal.shapes, strict=True)):
            return refusal.position
    return None


@lru_cache(MAX_KEPT)
def _by_letters(gives: str, deciding: tuple[int, ...]) -> AbstractValue:
    """Read what `gives` says about arguments of these shapes: `e>e z>z *>s` about one, `i+i>i *>p` about two."""
    steps = [(list(map(lettered, when.split("+"))), lettered(made)) for when, made in _pairs(gives, ">")]
    found = 0
    for letters in product(LETTERS.values(), repeat=len(deciding)):
        if all(map(and_, letters, deciding)):
            # The first step with these letters counts; if there is none, the call raises.
            found |= next((made for when, made in steps if all(map(and_, letters, when))), 0)
    return AbstractValue(found)


def given(op: Op, args: Sequence[AbstractValue]) -> AbstractValue:
    """Return all that a successful call can give, by the letters of its arguments."""
    if op.known.gives:
        name, _, gives = op.known.gives.rpartition(": ")
        at = op.params.index(name) if name else 0
        return _by_letters(gives, tuple([arg.shapes for arg in args[at : at + (2 if "+" in gives else 1)]]))
    for scheme in schemes(op.known.types):
        if scheme.chosen_from:
            return reduce(CERTAIN.join, [args[at] for at in scheme.chosen_from])
        if isinstance(scheme.result, Two) and scheme.params == (scheme.result.a, scheme.result.b):
            return certain_tuple(args)
    return UNKNOWN


ALWAYS: Mapping[str, AbstractValue] = {op.name: given(op, [UNKNOWN] * op.arity) for op in EVERY_OP.values()}
"""The result of a successful call of each op, whatever its arguments."""

FORMS = {"any": UNKNOWN, "function": FUNCTION, "int": INT, "bool": BOOL, "set": SET, "tuple": TUPLE, "rect": RECT}
FORMS |= {"grid": GRID, "pair": TWO_GRIDS, "pairs": DEMONSTRATIONS}
"""The words of what an op `proves`. A rect is a tuple of rows of one length, with at least one value; a grid is a rect
of ints; a pair is one of two grids, and pairs are what S is."""

_LETTERS_OF = "any xyz; function f; int ij; bool bc; set s; tuple t; rect r; grid gh; pair p; pairs q"
VARIABLES: Mapping[str, AbstractValue] = {
    letter: FORMS[word] for word, letters in map(str.split, _LETTERS_OF.split("; ")) for letter in letters
}
"""The form that a letter asks for, on the left of what an op `proves` and in rules."""


class Guarantee(NamedTuple):
    """A line of what an op proves: what the operands must be, what the result is then, and whether the op may fail.

    Without a result it is what the operand `size` is. The size is that of an operand, a number of items, or unknown.
    """

    params: str
    result: AbstractValue | None
    size: str
    safe: bool


@lru_cache(MAX_KEPT)
def guarantees(op: Op) -> list[Guarantee]:
    """Read what an op proves: `r -> r` cannot fail; `t ~> t` may, but its result is a t.

    The result has the form and size of an operand, or it is a word with a size in brackets. `...` stands for the other
    operands.
    """
    found = []
    for line in op.known.proves.split("; ") if op.known.proves else ():
        left, _, right = line.replace(" ~> ", " -> ").partition(" -> ")
        params = left.replace("...", "").replace(", ", "").ljust(op.arity, "x")
        word, _, size = right.rstrip("]").partition("[")
        result = FORMS.get(word)
        found.append(Guarantee(params, result, size if result else word, " -> " in line))
    return found


@lru_cache(MAX_KEPT)
def guarantee(op: Op, args: tuple[AbstractValue, ...]) -> Guarantee | None:
    """Return the first guarantee of an op that applies to `args`."""
    for each in guarantees(op):
        if all(arg.is_a(VARIABLES[letter]) for arg, letter in zip(args, each.params, strict=True)):
            return each
    return None

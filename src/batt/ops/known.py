"""Knowledge about an op beyond its signatures: the record that its declaration carries.

Every analysis, the fuzzer and the variants read it from here, so that a new op is known to all of them at once. Each
field is a short text in its own notation; a missing field means that nothing is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from batt.errors import InternalError

F = TypeVar("F", bound=Callable[..., Any])

RESULT = "result"
"""The word for an op's result among the names of its parameters."""


@dataclass(frozen=True, slots=True)
class Known:
    """Knowledge about an op. As a decorator below `@op` it attaches itself to the reference body.

    `types`: likely types, with variables: `"(a -> b), many a -> many b"`; see `batt.ops.schemes`.
    `usual`: the types of calls that mostly succeed, where the signatures often fail; the fuzzer calls it so.
    `gives`: what a call that succeeds gives, for certain, by the letters of `batt.analysis.values`:
    `"e>e z>z *>s"` reads the first argument, `"container: …"` the one that is named, `"i+i>i *>p"` the first two.
    `refuses`: the arguments for which a call certainly raises, by the same letters:
    `"grid: inp; factor: nepgtzs if grid=g"`.
    `proves`: what is proved of the result beyond that, by the letters of `batt.analysis.domain`:
    `"r -> r; ... ~> bool"`.
    `colours`: the parameters that are colours, and `result` where the op gives one: `"replacee replacer"`.
    `calls`: what a function that the op makes does with its argument x, in the op's parameters: `"outer(inner(x))"`.
    `symmetry`: of the eight symmetries of a grid, the number by which they are tried in turn.
    """

    types: str = ""
    usual: str = ""
    gives: str = ""
    refuses: str = ""
    proves: str = ""
    colours: str = ""
    calls: str = ""
    symmetry: int = 0

    def __call__(self, body: F) -> F:
        """Attach it to a reference body, for `@op` to read."""
        vars(body)["known"] = self
        return body


knows = Known
NOTHING_KNOWN = Known()


def known_of(body: Callable[..., Any]) -> Known:
    """Return the knowledge attached to a reference body."""
    found: Known = vars(body).get("known", NOTHING_KNOWN) if hasattr(body, "__dict__") else NOTHING_KNOWN
    return found


@dataclass(frozen=True, slots=True)
class Called:
    """A call in the text of `calls`: the name of a parameter or an op, and its arguments; `x` is the argument given."""

    function: str
    args: tuple[Called | str, ...]

    def reading(self, name: str) -> list[Called]:
        """Return the calls, this and nested ones, that have `name` among their arguments."""
        inner = [call for arg in self.args if isinstance(arg, Called) for call in arg.reading(name)]
        return [self, *inner] if name in self.args else inner


GIVEN, ALL_GIVEN = "x", "*x"
"""The one argument of a made function, or all of them, however many."""


@cache
def called(text: str) -> Called:
    """Read the text of `calls`."""
    found = _read(ast.parse(text, mode="eval").body)
    if isinstance(found, Called):
        return found
    raise InternalError(f"{text!r} is not a call")


def _read(node: ast.expr) -> Called | str:
    if isinstance(node, ast.Call):
        return Called(ast.unparse(node.func), tuple([_read(arg) for arg in node.args]))
    return ast.unparse(node)

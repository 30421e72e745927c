"""The reference page of the primitives, written from the table."""

from __future__ import annotations

from collections.abc import Iterator

from batt.ops.constants import CONSTANTS
from batt.ops.python import PART
from batt.ops.table import PYTHON, Op, families

_HEAD = """<!-- Generated from the op table by `make docs`; a test compares. -->
# The primitives

{count} primitives in {family_count} families. `batt ops NAME` prints one of these entries in the terminal.

A set iterates in ascending order: ints before tuples before sets before None before functions; tuples item by item,
sets as the ascending tuple of their items. *Steps* is what a call takes from an evaluation's budget; the items of a
grid are its cells, of any other container its items, of all else none.
"""


_FORMS = """## python

Forms of everyday Python, apart from the primitives: a deck writes the form and does not call the op by name. Each means
what Python means on every value. See [Decks as people write them](python.md)."""


def reference_page() -> str:
    """The whole page as Markdown."""
    groups = families()
    head = _HEAD.format(count=sum(map(len, groups.values())), family_count=len(groups))
    links = " · ".join(f"[{family}](#{family})" for family in (*groups, PYTHON))
    parts = [head, links, ""]
    for family, ops in groups.items():
        parts += [f"## {family}", ""]
        for op in ops:
            parts += _entry(op)
    parts += [_FORMS, ""]
    for op in [each for ops in families(PYTHON).values() for each in ops]:
        parts += _entry(op)
    parts += ["## constants", "", "| name | value |", "|---|---|"]
    parts += [f"| `{name}` | `{value!r}` |" for name, value in CONSTANTS.items()]
    return "\n".join(parts) + "\n"


def call_text(op: Op) -> str:
    """How a call of an op is written, with the names of its parameters."""
    if op.name == PART:
        return "…, item, … = x"
    return op.written.format(*op.params)


def _entry(op: Op) -> Iterator[str]:
    yield f"### {call_text(op)}"
    yield ""
    yield op.doc
    yield ""
    yield f"`{'` · `'.join(map(str, op.signatures))}` — steps: {op.cost_text}"
    yield ""
    yield "```python"
    for example in op.examples:
        yield f">>> {example.call}"
        yield example.gives
    yield "```"
    yield ""
